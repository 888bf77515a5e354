import { expect, test } from 'vitest'
import { clabeCheckDigit, isClabe } from './clabe.ts'

// Published examples: Conekta's and STP's documentation, and the one of the article in Wikipedia.
test.each(['646180111805034237', '646180110400000007', '032180000118359719', '002010077777777771'])('%s is a CLABE', (clabe) => {
  expect(clabeCheckDigit(clabe.slice(0, 17))).toBe(clabe.at(-1))
  expect(isClabe(clabe)).toBe(true)
})

test('a wrong check digit, another length, or letters are invalid', () => {
  for (const wrong of ['646180111805034238', '64618011180503423', '6461801118050342370', '64618011180503423a', ''])
    expect(isClabe(wrong)).toBe(false)
})
