/** Pay of a class as a pure function, the rule that applies, and the periods (docs/domain.md, PY1 to PY4). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clabeCheckDigit, isClabe } from '#contract/clabe.ts'
import { payRuleIssues } from '#contract/payroll.ts'
import { addDays, isLocalDate } from '#contract/time.ts'
import {
  adjacentPeriods,
  type ClassFacts,
  computePay,
  type PayTerms,
  payPeriod,
  periodAround,
  type RuleFacts,
  ruleFor,
  ruleOfSubstitute,
} from './rules.ts'

const TERMS: PayTerms = {
  base: 20_000,
  per_person: 1_000,
  per_person_from: 6,
  steps: [],
  full_bonus: 5_000,
  percent: 0,
  minimum: 0,
  private: null,
  substitute: 'own',
  late_cancel_hours: 12,
  late_cancel_percent: 5_000,
}
const FACTS: ClassFacts = { attended: 8, taken: 9, capacity: 10, recognised: 0, cancelled_minutes_before: null }
const STEPS = [
  { from: 10, amount: 30_000 },
  { from: 20, amount: 40_000 },
]

describe('pay of a class (PY2)', () => {
  test('the pay is the base, people from the n-th, and the bonus of a full class, with its sentence', () => {
    expect(computePay(TERMS, FACTS)).toEqual({ amount: 23_000, why: 'Llegaron 8 personas: base $200.00 + 3 personas a $10.00 = $30.00.' })
    expect(computePay(TERMS, { ...FACTS, taken: 10 }).amount).toBe(28_000)
    expect(computePay(TERMS, { ...FACTS, attended: 5 }).amount).toBe(20_000)
  })

  test.each([
    [0, 20_000],
    [9, 20_000],
    [10, 30_000],
    [19, 30_000],
    [20, 40_000],
    [45, 40_000],
  ])('steps: %i people are paid %i', (attended, amount) => {
    expect(computePay({ ...TERMS, per_person: 0, full_bonus: 0, steps: STEPS }, { ...FACTS, attended }).amount).toBe(amount)
  })

  test('a share of what was recognised rounds half up, and the minimum lifts what is below it', () => {
    const share = { ...TERMS, base: 0, per_person: 0, full_bonus: 0, percent: 3_333 }
    expect(computePay(share, { ...FACTS, recognised: 150 }).amount).toBe(50)
    expect(computePay({ ...share, minimum: 12_000 }, { ...FACTS, recognised: 10_000 })).toEqual({
      amount: 12_000,
      why: 'Llegaron 8 personas: 33.33 % de $100.00 = $33.33 + sube al mínimo $120.00.',
    })
  })

  test('a private class has its own price', () => {
    const facts = { ...FACTS, capacity: 1, taken: 1, attended: 1 }
    expect(computePay({ ...TERMS, private: 45_000, full_bonus: 0 }, facts).amount).toBe(45_000)
    expect(computePay({ ...TERMS, full_bonus: 0 }, facts).amount).toBe(20_000)
  })

  test('a class that the studio cancelled is paid only when that was too late', () => {
    const cancelled = (minutes: number) => computePay(TERMS, { ...FACTS, cancelled_minutes_before: minutes })
    expect([cancelled(720).amount, cancelled(719).amount, cancelled(-5).amount]).toEqual([0, 10_000, 10_000])
    expect(cancelled(60).why).toBe('El estudio la canceló con menos de 12 h: 50 % de $200.00.')
  })

  test('more people never pay less, and nothing is ever negative or a fraction of a centavo', () => {
    const amount = fc.integer({ min: 0, max: 200_000 })
    const terms = fc.record({
      base: amount,
      per_person: amount,
      per_person_from: fc.integer({ min: 1, max: 40 }),
      full_bonus: amount,
      minimum: amount,
      percent: fc.integer({ min: 0, max: 10_000 }),
      private: fc.option(amount),
      rises: fc.array(fc.record({ from: fc.integer({ min: 1, max: 9 }), more: amount }), { maxLength: 6 }),
    })
    fc.assert(
      fc.property(
        terms,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        amount,
        ({ rises, ...rule }, attended, capacity, recognised) => {
          let [from, step] = [0, rule.base]
          const steps = rises.map((rise) => {
            from += rise.from
            step += rise.more
            return { from, amount: step }
          })
          const full: PayTerms = { ...TERMS, ...rule, steps }
          const facts = { attended, taken: attended, capacity, recognised, cancelled_minutes_before: null }
          const [less, more] = [
            computePay(full, facts).amount,
            computePay(full, { ...facts, attended: attended + 1, taken: attended + 1 }).amount,
          ]
          expect(more).toBeGreaterThanOrEqual(less)
          expect(less).toBeGreaterThanOrEqual(rule.minimum)
          expect(Number.isInteger(less)).toBe(true)
        },
      ),
    )
  })

  test('steps that would pay less for more people are refused', () => {
    expect(payRuleIssues({ base: '200.00', steps: [{ from: 10, amount: '300.00' }] })).toEqual([])
    expect(payRuleIssues({ base: '200.00', steps: [{ from: 10, amount: '150.00' }] })).toHaveLength(1)
    expect(
      payRuleIssues({
        steps: [
          { from: 10, amount: '300.00' },
          { from: 5, amount: '310.00' },
        ],
      }),
    ).toHaveLength(1)
    expect(
      payRuleIssues({
        steps: [
          { from: 5, amount: '1.00' },
          { from: 5, amount: '2.00' },
        ],
      }),
    ).toHaveLength(1)
  })
})

describe('the rule that applies (PY1, PY3)', () => {
  const CLASS = { class_type_id: 2, location_id: 3, day: '2026-11-10' }
  const rule = (pay_rule_id: number, more: Partial<RuleFacts>): RuleFacts => ({
    pay_rule_id,
    instructor_id: null,
    class_type_id: null,
    location_id: null,
    from_day: '2026-01-01',
    terms: TERMS,
    ...more,
  })
  const chosen = (...rules: RuleFacts[]) => ruleFor(rules, 1, CLASS)?.pay_rule_id ?? null

  test('the most exact rule applies: the coach before the type before the location', () => {
    const [all, location, type, coach] = [
      rule(1, {}),
      rule(2, { location_id: 3 }),
      rule(3, { class_type_id: 2 }),
      rule(4, { instructor_id: 1 }),
    ]
    expect(chosen(all, location, type, coach)).toBe(4)
    expect(chosen(type, location, all)).toBe(3)
    expect(chosen(rule(5, { class_type_id: 2, location_id: 3 }), coach)).toBe(4)
    expect(chosen(rule(6, { instructor_id: 1, location_id: 3 }), coach)).toBe(6)
    expect(chosen(rule(7, { instructor_id: 9 }), rule(8, { class_type_id: 9 }))).toBeNull()
  })

  test('of equally exact ones the latest that has begun', () => {
    const [old, now, future] = [rule(1, {}), rule(2, { from_day: '2026-11-10' }), rule(3, { from_day: '2026-11-11' })]
    expect(chosen(old, now, future)).toBe(2)
    expect(chosen(future)).toBeNull()
    expect(chosen(rule(4, {}), rule(5, {}))).toBe(5)
  })

  test('a substitute is paid by the own rule, or by that of the replaced coach', () => {
    const mine = (substitute: 'own' | 'theirs') => rule(1, { instructor_id: 1, terms: { ...TERMS, substitute } })
    const theirs = rule(2, { instructor_id: 7 })
    const of = (rules: RuleFacts[], replaced: number | null = 7) => ruleOfSubstitute(rules, { substitute: 1, replaced }, CLASS)?.pay_rule_id
    expect(of([mine('own'), theirs])).toBe(1)
    expect(of([mine('theirs'), theirs])).toBe(2)
    expect(of([mine('theirs')])).toBe(1)
    expect(of([theirs])).toBe(2)
    expect(of([mine('theirs'), theirs], null)).toBe(1)
  })
})

describe('periods (PY4)', () => {
  test('the fifteenth and the last day end a period', () => {
    expect(payPeriod('2026-02-15', 'quincena')).toEqual({ from: '2026-02-01', to: '2026-02-15' })
    expect(payPeriod('2028-02-16', 'quincena')).toEqual({ from: '2028-02-16', to: '2028-02-29' })
    expect(payPeriod('2026-12-31', 'mes')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
    expect(adjacentPeriods({ from: '2026-03-01', to: '2026-03-15' }, 'quincena', [])).toEqual({
      previous: { from: '2026-02-16', to: '2026-02-28' },
      next: { from: '2026-03-16', to: '2026-03-31' },
    })
  })

  test('after a change of the kind the days that no stored period has are one, and none has a day twice (PY4)', () => {
    const halves = [{ from: '2026-02-01', to: '2026-02-15' }]
    expect(periodAround('2026-02-20', 'mes', halves)).toEqual({ from: '2026-02-16', to: '2026-02-28' })
    expect(periodAround('2026-02-03', 'mes', halves)).toEqual(halves[0])
    expect(adjacentPeriods({ from: '2026-03-01', to: '2026-03-31' }, 'mes', halves).previous).toEqual({
      from: '2026-02-16',
      to: '2026-02-28',
    })
    expect(periodAround('2026-02-03', 'mes', [{ from: '2026-02-16', to: '2026-02-28' }])).toEqual(halves[0])
    expect(periodAround('2026-02-03', 'quincena', [{ from: '2026-02-01', to: '2026-02-28' }])).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
    })
  })

  test('every day is in exactly one period, and periods follow each other without gaps', () => {
    const kind = fc.constantFrom('quincena' as const, 'mes' as const)
    fc.assert(
      fc.property(kind, fc.integer({ min: 0, max: 4_000 }), (which, offset) => {
        const day = addDays('2024-01-01', offset)
        const here = payPeriod(day, which)
        expect(here.from <= day && day <= here.to && isLocalDate(here.to)).toBe(true)
        expect(payPeriod(here.to, which)).toEqual(here)
        expect(adjacentPeriods(here, which, []).next.from).toBe(addDays(here.to, 1))
      }),
    )
  })
})

describe('CLABE (PY6)', () => {
  test.each(['002010077777777771', '032180000118359719', '646180157000000004'])('%s is one', (clabe) => expect(isClabe(clabe)).toBe(true))

  test('a row of zeros is none: no bank has the number 000', () => expect(isClabe('000000000000000000')).toBe(false))

  test('a wrong digit anywhere is noticed, and so is another length', () => {
    const bank = fc.integer({ min: 1, max: 999 }).map((number) => String(number).padStart(3, '0'))
    const account = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 }).map((digits) => digits.join(''))
    const withoutCheckDigit = fc.tuple(bank, account).map((parts) => parts.join(''))
    fc.assert(
      fc.property(withoutCheckDigit, fc.integer({ min: 0, max: 17 }), fc.integer({ min: 1, max: 9 }), (first, at, change) => {
        const clabe = `${first}${clabeCheckDigit(first)}`
        const wrong = `${clabe.slice(0, at)}${(Number(clabe[at]) + change) % 10}${clabe.slice(at + 1)}`
        expect([isClabe(clabe), isClabe(wrong), isClabe(clabe.slice(1)), isClabe(`${clabe}0`)]).toEqual([true, false, false, false])
      }),
    )
  })
})
