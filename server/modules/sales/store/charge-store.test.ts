import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taxFacts } from './charge-store.ts'

const rate = fc.constantFrom(0, 800, 1600)

test('of a total counts what is sold, then its location, then the studio; net and tax add up to it, and what is exempt has no tax (K16, V46)', () => {
  const own = fc.option(fc.record({ tax_rate: fc.option(rate), tax_exempt: fc.boolean() }))
  fc.assert(
    fc.property(fc.nat({ max: 100_000_000 }), own, fc.option(rate), rate, fc.boolean(), (total, sold, atLocation, studio, isIncluded) => {
      const facts = taxFacts({ tax_included: isIncluded, tax_rate: studio / 100 }, total, sold, atLocation)
      expect(facts.net_centavos + facts.tax_centavos).toBe(total)
      expect(facts.tax_centavos).toBeGreaterThanOrEqual(0)
      expect(facts.tax_exempt).toBe(sold?.tax_exempt === true)
      if (facts.tax_exempt || !isIncluded) expect([facts.tax_rate, facts.tax_centavos]).toEqual([0, 0])
      else expect(facts.tax_rate).toBe(sold?.tax_rate ?? atLocation ?? studio)
    }),
  )
})
