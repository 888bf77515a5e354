/** Pay of the coaches through the API: computed, adjusted, approved, corrected, answered, exported (docs/domain.md, PY1 to PY6). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Payroll } from '#contract/payroll.ts'
import { type Client, codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { notifyApproved } from './approved-email.ts'

let s: TestStudio
let owner: Person
let boss: Client
let base: { class_type_id: number; location_id: number }
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  boss = s.as(owner)
  base = { class_type_id: (await s.make.classType()).class_type_id, location_id: (await s.make.location()).location_id }
})
afterAll(() => s.close())
beforeEach(() => s.clock.set('2026-12-02T12:00:00-06:00'))

const coach = async () => (await s.make.instructor()).instructor_id
const rule = (instructor_id: number, more: object = {}) =>
  boss.payRules.create({ instructor_id, from_day: '2026-01-01', base: '200', per_person: '10', per_person_from: 2, ...more })

/** A class at an instant, with these numbers of customers present and absent; its roster is closed unless the values differ. */
async function given(instructor_id: number, starts: string, present = 0, absent = 0, more: object = {}) {
  const cls = await s.make.class({ ...base, instructor_id, starts_at: new Date(starts), ...more })
  for (let n = 0; n < present + absent; n++) {
    const { customer_id } = await s.make.customer()
    await s.sql(
      `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, $3, now(), now())`,
      [cls.single_class_id, customer_id, n < present],
    )
  }
  await s.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
  return cls.single_class_id
}
const read = (from: string, to: string) => boss.payrolls.read({ from, to })
const second = () => read('2026-11-16', '2026-11-30')
const of = (payroll: Payroll, instructor_id: number) => payroll.coaches.find((one) => one.instructor_id === instructor_id)
const approve = async (period: string) => boss.payrolls.approve({ period, total: (await boss.payrolls.read({ from: period })).total })

test('rules are of the whole studio: staff of one location neither read nor change them (PY7)', async () => {
  const { pay_rule } = await rule(await coach())
  const { pay_rule_id } = pay_rule
  const manager = await s.make.staff('manager')
  await s.sql(`insert into staff_right select staff_id, 'payroll', true from staff where uid = $1 on conflict do nothing`, [manager.uid])
  const rules = s.as(manager).payRules
  expect((await rules.all()).pay_rules.map((one) => one.pay_rule_id)).toContain(pay_rule_id)
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [manager.uid, base.location_id])
  await s.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: manager.uid }))
  const refused = [
    () => rules.all(),
    () => rules.create({ from_day: '2026-01-01', base: '1' }),
    () => rules.update({ pay_rule_id, base: '1' }),
    () => rules.remove({ pay_rule_id }),
  ]
  for (const call of refused) expect([String(call), await codeOf(call())]).toEqual([String(call), 'FORBIDDEN'])
})

describe('the pay of a period (PY2)', () => {
  test('each class of the period, with who came, the amount and why; classes of other days and to come are not in it', async () => {
    const coachId = await coach()
    await rule(coachId)
    const id = await given(coachId, '2026-11-16T07:00:00-06:00', 4, 1)
    await given(coachId, '2026-11-30T23:30:00-06:00', 1)
    await given(coachId, '2026-11-15T23:59:00-06:00', 9)
    await given(coachId, '2026-12-01T00:00:00-06:00', 9)
    const pay = of(await second(), coachId)
    expect(pay).toMatchObject({ classes: 2, attended: 5, amount: '430.00' })
    expect(pay?.lines[0]).toMatchObject({
      ...{ kind: 'class', single_class_id: id, attended: 4, amount: '230.00', class_date: '2026-11-16T07:00:00.000Z', has_rule: true },
      why: 'Llegaron 4 personas: base $200.00 + 3 personas a $10.00 = $30.00.',
    })
  })

  test('a day is that of the clocks of the class: two zones, and a change of the clocks', async () => {
    const coachId = await coach()
    await rule(coachId)
    const tijuana = (await s.make.location({ timezone: 'America/Tijuana' })).location_id
    // 31 October 2026, 23:30 in Tijuana (UTC-7) is 1 November in Mexico City; that night the clocks of Tijuana go back.
    const late = await given(coachId, '2026-11-01T06:30:00Z', 1, 0, { location_id: tijuana })
    const after = await given(coachId, '2026-11-16T07:30:00Z', 1, 0, { location_id: tijuana })
    const ids = async (from: string, to: string) => of(await read(from, to), coachId)?.lines.map((one) => one.single_class_id) ?? []
    expect(await ids('2026-10-16', '2026-10-31')).toEqual([late])
    // 15 November, 23:30 in Tijuana, by then UTC-8.
    expect(await ids('2026-11-01', '2026-11-15')).toEqual([after])
    expect(of(await read('2026-10-16', '2026-10-31'), coachId)?.lines[0]?.class_date).toBe('2026-10-31T23:30:00.000Z')
  })

  test('the total is the sum of the classes, as a slow reckoning of its own has it', async () => {
    const types = [base.class_type_id, (await s.make.classType()).class_type_id]
    const coaches = [await coach(), await coach(), await coach()]
    await boss.payRules.create({ from_day: '2026-01-01', base: '150' })
    await boss.payRules.create({ class_type_id: types[1] ?? 0, from_day: '2026-11-20', base: '180', full_bonus: '55' })
    await rule(coaches[0] ?? 0, { base: '210.50', per_person: '7.25', per_person_from: 3 })
    const made: { coach: number; type: number; day: number; came: number }[] = []
    for (let n = 0; n < 24; n++) {
      const one = { coach: n % 3, type: n % 2, day: 16 + ((n * 7) % 15), came: (n * 5) % 7 }
      made.push(one)
      await given(coaches[one.coach] ?? 0, `2026-11-${one.day}T${String(6 + (n % 12)).padStart(2, '0')}:00:00-06:00`, one.came, 0, {
        ...{ class_type_id: types[one.type], capacity: 6 },
      })
    }
    const expected = made.map(({ coach, type, day, came }) => {
      if (coach === 0) return 21_050 + Math.max(0, came - 2) * 725
      return type === 1 && day >= 20 ? 18_000 + (came === 6 ? 5_500 : 0) : 15_000
    })
    const payroll = await second()
    const total = coaches.reduce((sum, id) => sum + Math.round(Number(of(payroll, id)?.amount) * 100), 0)
    expect(total).toBe(expected.reduce((sum, amount) => sum + amount, 0))
    const all = payroll.coaches.flatMap(({ lines }) => lines).reduce((sum, one) => sum + Math.round(Number(one.amount) * 100), 0)
    expect(Math.round(Number(payroll.total) * 100)).toBe(all)
    await s.sql('delete from pay_rule where instructor_id is null')
    for (const id of coaches.slice(1)) await rule(id)
  })

  test('a share of what was paid for the places, without tax, less refunds; courtesies are worth nothing', async () => {
    const coachId = await coach()
    await rule(coachId, { base: '0', per_person: '0', percent: 40 })
    const single_class_id = await given(coachId, '2026-11-18T07:00:00-06:00')
    const { class_package_id } = await s.make.package({ price_centavos: 116_000, class_amount: 10, expiration_days: 60 })
    const cash = await s.make.paymentMethod({ name: 'Efectivo' })
    const ana = await s.make.customer()
    await boss.studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id, payment_method_id: cash.payment_method_id })
    const gift = await s.make.lot(await s.make.customer(), { granted: 5, balance: 5, is_courtesy: true })
    const creditLots = await s.sql<{ id: number; who: number }>(
      'select available_class_id as id, customer_id as who from available_class where customer_id = $1 or available_class_id = $2',
      [ana.customer_id, gift.available_class_id],
    )
    for (const creditLot of creditLots)
      await s.sql(
        `insert into class_reservation (single_class_id, customer_id, available_class_id, attend, "createdAt", "updatedAt") values ($1, $2, $3, true, now(), now())`,
        [single_class_id, creditLot.who, creditLot.id],
      )
    // 1,160 pesos with tax are 1,000 without: 100 for each of ten classes.
    expect(of(await second(), coachId)?.lines[0]).toMatchObject({ attended: 2, amount: '40.00' })
    await s.sql(
      'update invoice set refunded_centavos = 58000, status = $2 where purchase_id = (select purchase_id from purchase where customer_id = $1)',
      [ana.customer_id, 'partially_refunded'],
    )
    await s.sql(
      `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt")
       select purchase_id, invoice_id, refunded_centavos, true, 'x', 'done', now(), now(), now() from invoice where customer_id = $1`,
      [ana.customer_id],
    )
    expect(of(await second(), coachId)?.amount).toBe('20.00')
  })

  test('a class without a rule, and what was cancelled too late or in time', async () => {
    const [ruled, free] = [await coach(), await coach()]
    await rule(ruled, { late_cancel_hours: 24, late_cancel_percent: 50 })
    const [late, early] = [await given(ruled, '2026-11-20T08:00:00-06:00'), await given(ruled, '2026-11-21T08:00:00-06:00')]
    await s.sql(`update single_class set "cancelledAt" = starts_at - interval '23 hours', "settledAt" = null where single_class_id = $1`, [
      late,
    ])
    await s.sql(`update single_class set "cancelledAt" = starts_at - interval '25 hours', "settledAt" = null where single_class_id = $1`, [
      early,
    ])
    await given(free, '2026-11-20T08:00:00-06:00', 3)
    const payroll = await second()
    expect(of(payroll, ruled)?.lines.map(({ amount }) => amount)).toEqual(['100.00', '0.00'])
    expect(of(payroll, free)?.lines[0]).toMatchObject({ amount: '0.00', has_rule: false, why: 'Ninguna regla dice cuánto se paga.' })
    expect(payroll.without_rule).toBe(1)
    expect(await refusalOf(approve('2026-11-16'))).toMatchObject({ code: 'PAYROLL_WITHOUT_RULE', data: { count: 1 } })
    await rule(free)
  })

  test('a substitute is paid, by the own rule or by that of the replaced coach', async () => {
    const [regular, substitute] = [await coach(), await coach()]
    await rule(regular, { base: '400', per_person: '0' })
    const { pay_rule } = await rule(substitute, { base: '250', per_person: '0' })
    await given(substitute, '2026-11-22T08:00:00-06:00', 2, 0, { substitutes_for: regular })
    expect(of(await second(), substitute)?.amount).toBe('250.00')
    await boss.payRules.update({ pay_rule_id: pay_rule.pay_rule_id, substitute: 'theirs' })
    const payroll = await second()
    expect(of(payroll, substitute)?.amount).toBe('400.00')
    expect(of(payroll, regular)).toBeUndefined()
  })
})

describe('approving (PY4, PY5)', () => {
  test('is refused while the period runs, a roster is open, or the total is another; then it never changes, not even in the database', async () => {
    const one = await studio()
    one.clock.set('2026-11-25T12:00:00-06:00')
    const admin = one.as(await one.make.staff('owner'))
    const { instructor_id } = await one.make.instructor()
    await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
    const cls = await one.make.class({ instructor_id, starts_at: new Date('2026-11-18T13:00:00Z') })
    const go = (total: string) => codeOf(admin.payrolls.approve({ period: '2026-11-16', total }))
    expect((await admin.payrolls.read({})).period).toMatchObject({ from: '2026-11-16', to: '2026-11-30', state: 'running' })
    expect(await go('200.00')).toBe('PAYROLL_RUNNING')
    one.clock.set('2026-12-02T12:00:00-06:00')
    expect(await go('200.00')).toBe('PAYROLL_UNSETTLED')
    await one.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
    expect(await go('199.00')).toBe('PAYROLL_CHANGED')
    await admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '-50', note: 'Préstamo' })
    expect(await go('200.00')).toBe('PAYROLL_CHANGED')
    await admin.payrolls.approve({ period: '2026-11-16', total: '150.00' })
    expect(await go('150.00')).toBe('PAYROLL_APPROVED')
    expect(await codeOf(admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '5', note: 'Más' }))).toBe('PAYROLL_APPROVED')
    const paid = await admin.payrolls.read({ from: '2026-11-16' })
    expect(paid).toMatchObject({ total: '150.00', period: { state: 'approved' } })
    await admin.payRules.create({ from_day: '2026-01-01', instructor_id, base: '900' })
    await one.sql('update class_reservation set attend = true')
    expect((await admin.payrolls.read({ from: '2026-11-16' })).coaches).toEqual(paid.coaches)
    for (const text of [
      'update payroll_line set amount_centavos = 1',
      'delete from payroll_line',
      'insert into payroll_line (payroll_period_id, instructor_id, kind, amount_centavos, why, "createdAt") select payroll_period_id, instructor_id, kind, 1, why, now() from payroll_line where kind = \'adjustment\'',
      'update payroll_period set to_day = to_day - 1',
      'update payroll_period set "approvedAt" = null, approved_by = null',
      'delete from payroll_period',
      `insert into payroll_period (from_day, to_day, "createdAt") values ('2026-11-20', '2026-12-10', now())`,
    ])
      await expect(one.sql(text), text).rejects.toThrow(/payroll/)
    await one.close()
  })

  test('what changed afterwards is corrected in the next period, once; by the terms of then', async () => {
    const one = await studio()
    one.clock.set('2026-12-02T12:00:00-06:00')
    const admin = one.as(await one.make.staff('owner'))
    const [a, b] = [(await one.make.instructor()).instructor_id, (await one.make.instructor()).instructor_id]
    await admin.payRules.create({ from_day: '2026-01-01', base: '200', per_person: '10', per_person_from: 1 })
    const made = async (instructor_id: number, starts_at: string, capacity = 10) => {
      const cls = await one.make.class({ instructor_id, starts_at: new Date(starts_at), capacity })
      const { customer_id } = await one.make.customer()
      await one.sql(
        `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, now(), now())`,
        [cls.single_class_id, customer_id],
      )
      await one.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
      return cls.single_class_id
    }
    const [x, y] = [await made(a, '2026-11-17T13:00:00Z'), await made(a, '2026-11-18T13:00:00Z')]
    const read = async (from: string) => admin.payrolls.read({ from })
    const approve = async (period: string) => admin.payrolls.approve({ period, total: (await read(period)).total })
    await approve('2026-11-16')
    await admin.payRules.create({ from_day: '2026-01-01', instructor_id: a, base: '999' })
    // All customers of the first class are marked absent, and another coach gave the second one.
    await one.sql('update class_reservation set attend = false where single_class_id = $1', [x])
    await one.sql('update class_instructor set instructor_id = $2 where single_class_id = $1', [y, b])
    one.clock.set('2026-12-17T12:00:00-06:00')
    const next = await read('2026-12-01')
    const lines = (id: number) => next.coaches.find((one) => one.instructor_id === id)?.lines.map(({ kind, amount }) => [kind, amount])
    expect(lines(a)).toEqual([
      ['correction', '-10.00'],
      ['correction', '-210.00'],
      ['adjustment', '220.00'],
    ])
    expect(lines(b)).toEqual([['correction', '210.00']])
    expect(next.coaches.find((one) => one.instructor_id === a)?.lines[0]?.why).toMatch(
      /^Se le pagaron \$210\.00 y corresponden \$200\.00\./,
    )
    await approve('2026-12-01')
    one.clock.set('2027-01-05T12:00:00-06:00')
    // The rest of the deduction is carried to the next period: no payment is negative (PY8).
    expect((await read('2026-12-16')).coaches.map(({ amount, lines }) => [amount, lines.map((line) => line.amount)])).toEqual([
      ['0.00', ['-220.00', '220.00']],
    ])
    expect((await read('2026-11-16')).total).toBe('420.00')
    // The report of many days is the sum of its periods: those before the approved ones, which it computes at once, these, and those after them.
    for (const at of [
      '2026-06-10T13:00:00Z',
      '2026-06-20T13:00:00Z',
      '2026-09-02T13:00:00Z',
      '2026-11-03T13:00:00Z',
      '2026-12-28T13:00:00Z',
    ])
      await made(at < '2026-09' ? a : b, at)
    const periods = Array.from({ length: 16 }, (_, n) => `2026-${String(5 + Math.floor(n / 2)).padStart(2, '0')}-${n % 2 ? '16' : '01'}`)
    const totals = await Promise.all(periods.map(async (from) => Number((await read(from)).total)))
    const report = await admin.reports.read({ key: 'nomina', from: '2026-05-01', to: '2026-12-31' })
    const [amount, classes] = ['amount', 'classes'].map((key) => report.figures.find((figure) => figure.key === key)?.value)
    expect(amount).toBe(totals.reduce((sum, total) => sum + total, 0))
    expect([classes, totals.filter((total) => total > 0).length]).toEqual([7, 7])
    await one.close()
  })

  test('a coach with a negative sum is paid nothing, and the next period deducts it, once; reopening restores it (PY8)', async () => {
    const one = await studio()
    one.clock.set('2026-12-02T12:00:00-06:00')
    const admin = one.as(await one.make.staff('owner'))
    const [a, b] = [(await one.make.instructor()).instructor_id, (await one.make.instructor()).instructor_id]
    await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
    const given = async (instructor_id: number, starts_at: string) => {
      const cls = await one.make.class({ instructor_id, starts_at: new Date(starts_at) })
      await one.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
    }
    await given(a, '2026-11-17T13:00:00Z')
    await given(b, '2026-11-17T15:00:00Z')
    const amounts = async (from: string) => {
      const { coaches, total } = await admin.payrolls.read({ from })
      return {
        total,
        a: coaches.find((coach) => coach.instructor_id === a)?.amount,
        b: coaches.find((coach) => coach.instructor_id === b)?.amount,
      }
    }
    const approve = async (period: string) => admin.payrolls.approve({ period, total: (await amounts(period)).total })
    await admin.payrolls.adjust({ period: '2026-11-16', instructor_id: a, amount: '-500', note: 'Préstamo' })
    expect(await amounts('2026-11-16')).toEqual({ total: '200.00', a: '0.00', b: '200.00' })
    // Nothing is owed before the period is approved.
    expect(await amounts('2026-12-01')).toEqual({ total: '0.00', a: undefined, b: undefined })
    await approve('2026-11-16')
    for (const instructor_id of [a, b])
      await admin.payrolls.saveAccount({ instructor_id, holder: 'Coach', clabe: '032180000118359719', rfc: '' })
    const file = await (await admin.listExports.payrollTransfers({ period: '2026-11-16', format: 'csv' })).text()
    expect(file.trim().split('\n')).toHaveLength(2)

    await given(a, '2026-12-03T13:00:00Z')
    await given(a, '2026-12-04T13:00:00Z')
    one.clock.set('2026-12-17T12:00:00-06:00')
    expect(await amounts('2026-12-01')).toEqual({ total: '100.00', a: '100.00', b: undefined })
    // A later period that is open too does not take it off a second time.
    expect((await amounts('2026-12-16')).a).toBeUndefined()
    await approve('2026-12-01')
    expect((await amounts('2026-12-16')).a).toBeUndefined()
    expect(await codeOf(admin.payrolls.reopen({ period: '2026-11-16', reason: 'Se pagó' }))).toBe('PAYROLL_LATER_APPROVED')
    await admin.payrolls.reopen({ period: '2026-12-01', reason: 'Falta una clase' })
    expect((await amounts('2026-12-01')).a).toBe('100.00')
    await admin.payrolls.reopen({ period: '2026-11-16', reason: 'No era un préstamo' })
    await admin.payrolls.adjust({ period: '2026-11-16', instructor_id: a, amount: '500', note: 'No era un préstamo' })
    expect(await amounts('2026-11-16')).toEqual({ total: '400.00', a: '200.00', b: '200.00' })
    await approve('2026-11-16')
    expect(await amounts('2026-12-01')).toEqual({ total: '400.00', a: '400.00', b: undefined })
    await one.close()
  })

  test('after a change from halves to months the rest of the month is a period, and what was approved is read, exported and reported as it was (PY4)', async () => {
    const coachId = await coach()
    await rule(coachId)
    await given(coachId, '2026-02-03T07:00:00-06:00', 1)
    await given(coachId, '2026-02-20T07:00:00-06:00', 1)
    await approve('2026-02-01')
    await s.having({ payroll_period: 'mes' }, async () => {
      const [firstHalf, rest] = [
        { from: '2026-02-01', to: '2026-02-15' },
        { from: '2026-02-16', to: '2026-02-28' },
      ]
      expect(await boss.payrolls.read({ from: '2026-02-01' })).toMatchObject({ ...firstHalf, period: { state: 'approved' }, next: rest })
      await boss.payrolls.saveAccount({ instructor_id: coachId, holder: 'Coach', clabe: '032180000118359719', rfc: '' })
      expect(await (await boss.listExports.payrollTransfers({ period: '2026-02-01', format: 'csv' })).text()).toContain('200')
      expect(await codeOf(boss.payrolls.approve({ period: '2026-02-17', total: '200.00' }))).toBe('PAYROLL_PERIOD')
      expect(await boss.payrolls.read({ from: '2026-02-20' })).toMatchObject({
        ...{ ...rest, period: { state: 'open' }, total: '200.00', previous: firstHalf, next: { from: '2026-03-01', to: '2026-03-31' } },
      })
      await approve('2026-02-16')
      await s.sql(`update pay_rule set terms = jsonb_set(terms, '{base}', '99900') where instructor_id = $1`, [coachId])
      const { figures } = await boss.reports.read({ key: 'nomina', from: '2026-02-01', to: '2026-02-28' })
      expect(figures[0]?.value).toBe(400)
      expect(await boss.payrolls.read({ from: '2026-02-01', to: '2026-02-28' })).toMatchObject({ period: null })
    })
  })

  test('is taken back with a reason, while no later period was approved', async () => {
    const one = await studio()
    one.clock.set('2026-12-17T12:00:00-06:00')
    const admin = one.as(await one.make.staff('owner'))
    const { instructor_id } = await one.make.instructor()
    await admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '100', note: 'Taller' })
    await admin.payrolls.approve({ period: '2026-11-16', total: '100.00' })
    await admin.payrolls.reopen({ period: '2026-11-16', reason: 'Faltó un taller' })
    expect((await admin.payrolls.read({ from: '2026-11-16' })).period).toMatchObject({ state: 'open', reopen_reason: 'Faltó un taller' })
    expect(await codeOf(admin.payrolls.reopen({ period: '2026-11-16', reason: 'Otra vez' }))).toBe('PAYROLL_NOT_APPROVED')
    await admin.payrolls.approve({ period: '2026-11-16', total: '100.00' })
    await admin.payrolls.approve({ period: '2026-12-01', total: '0.00' })
    expect(await codeOf(admin.payrolls.reopen({ period: '2026-11-16', reason: 'Tarde' }))).toBe('PAYROLL_LATER_APPROVED')
    expect(await codeOf(admin.payrolls.adjust({ period: '2026-12-05', instructor_id, amount: '5', note: 'x' }))).toBe('PAYROLL_PERIOD')
    await one.close()
  })

  test('a repeated approval, and a repeated taking back, get the first answer again and write once', async () => {
    const one = await studio()
    one.clock.set('2026-12-17T12:00:00-06:00')
    const owner = await one.make.staff('owner')
    const { instructor_id } = await one.make.instructor()
    await one.as(owner).payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '100', note: 'Taller' })
    const [approving, reopening] = [one.as(owner, randomUUID()), one.as(owner, randomUUID())]
    const approval = { period: '2026-11-16', total: '100.00' }
    for (const _ of [1, 2]) expect(await approving.payrolls.approve(approval)).toEqual({ ok: true })
    for (const _ of [1, 2])
      expect(await reopening.payrolls.reopen({ period: '2026-11-16', reason: 'Faltó un taller' })).toEqual({ ok: true })
    const rows = await one.sql(`select action from audit where action in ('payroll.approve', 'payroll.reopen') order by audit_id`)
    expect(rows).toEqual([{ action: 'payroll.approve' }, { action: 'payroll.reopen' }])
    await one.close()
  })

  test('two approvals at once: one wins, and the classes are paid once', async () => {
    const one = await studio()
    one.clock.set('2026-12-02T12:00:00-06:00')
    const owner = await one.make.staff('owner')
    const admin = one.as(owner)
    const { instructor_id } = await one.make.instructor()
    await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
    const cls = await one.make.class({ instructor_id, starts_at: new Date('2026-11-18T13:00:00Z') })
    await one.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
    const outcomes = await Promise.all(
      [1, 2].map(() =>
        one
          .as(owner)
          .payrolls.approve({ period: '2026-11-16', total: '200.00' })
          .then(
            () => 'ok',
            () => 'refused',
          ),
      ),
    )
    expect(outcomes.sort()).toEqual(['ok', 'refused'])
    expect(await one.sql('select 1 from payroll_line')).toHaveLength(1)
    await one.close()
  })
})

describe('coaches and accounts (PY6, PY7)', () => {
  test('a coach reads only their own pay, and answers', async () => {
    const [mine, theirs] = [await coach(), await coach()]
    await rule(mine)
    await rule(theirs)
    await given(mine, '2026-11-19T07:00:00-06:00', 3)
    await given(theirs, '2026-11-19T09:00:00-06:00', 3)
    const sofia = s.as(await s.make.staff('coach', { instructor_id: mine }))
    const { pay, period } = await sofia.payrolls.mine({ from: '2026-11-16' })
    expect([pay.amount, pay.instructor_id, period?.state]).toEqual(['220.00', mine, 'open'])
    expect(await codeOf(sofia.payrolls.read({}))).toBe('FORBIDDEN')
    expect(await codeOf(sofia.payrolls.answer({ period: '2026-11-16', agrees: false, text: '' }))).toBe('INVALID_INPUT')
    await sofia.payrolls.answer({ period: '2026-11-16', agrees: false, text: 'Falta el martes.' })
    expect(of(await second(), mine)?.answer).toMatchObject({ agrees: false, text: 'Falta el martes.' })
    await sofia.payrolls.answer({ period: '2026-11-16', agrees: true, text: '' })
    expect(of(await second(), mine)?.answer).toMatchObject({ agrees: true, text: '' })
    expect(await codeOf(boss.payrolls.mine({}))).toBe('NOT_FOUND')
    const limited = s.as(await s.make.staff('owner'))
    await limited.payrolls.read({})
  })

  test('a disagreement is a task for those who see the payroll, until it is withdrawn or the period is approved; then each coach gets a mail', async () => {
    const on = await studio()
    const admin = on.as(await on.make.staff('owner'))
    const limited = await on.make.staff('owner')
    const location_id = (await on.make.location()).location_id
    await on.sql('insert into staff_location (staff_id, location_id) select staff_id, $2 from staff where uid = $1', [
      limited.uid,
      location_id,
    ])
    on.clock.set('2026-12-02T12:00:00-06:00')
    const [mine, other] = [await on.make.instructor({ name: 'Sofía', last_name: 'Ley' }), await on.make.instructor()]
    await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
    for (const { instructor_id } of [mine, other]) {
      const cls = await on.make.class({ location_id, instructor_id, starts_at: new Date('2026-11-19T13:00:00Z') })
      await on.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
    }
    const person = await on.make.staff('coach', { instructor_id: mine.instructor_id })
    const sofia = on.as(person)
    const found = async (client = admin) => (await client.today.tasks({})).tasks.filter(({ kind }) => kind === 'pay_question')
    await sofia.payrolls.answer({ period: '2026-11-16', agrees: false, text: 'Falta el martes.' })
    expect(await found()).toMatchObject([
      {
        title: 'Sofía Ley pide revisar su pago',
        detail: expect.stringContaining('Falta el martes.'),
        link: '/admin/nomina?periodo=2026-11-16',
      },
    ])
    expect(await found(on.as(limited))).toEqual([])
    expect(await codeOf(found(sofia))).toBe('FORBIDDEN')
    const task_id = `pay_question-${mine.instructor_id}`
    expect(await codeOf(on.as(limited).today.decide({ task_id, done: true, reason: 'No es mío' }))).toBe('FORBIDDEN')
    await sofia.payrolls.answer({ period: '2026-11-16', agrees: true, text: '' })
    expect(await found()).toEqual([])
    await sofia.payrolls.answer({ period: '2026-11-16', agrees: false, text: 'Y el jueves.' })
    expect(await found()).toHaveLength(1)
    const mails = () =>
      on.sql(
        `select s.uid, m.words->>'title' as title, m.words->'lines'->>0 as line, m.words->'action'->>'path' as path
         from message m join staff s using (staff_id) where m.event = 'pay_approved' order by m.message_id`,
      )
    const approve = async () => {
      on.clock.advance({ minutes: 1 })
      await admin.payrolls.adjust({ period: '2026-11-16', instructor_id: mine.instructor_id, amount: '50', note: 'El martes' })
      await admin.payrolls.approve({ period: '2026-11-16', total: (await admin.payrolls.read({ from: '2026-11-16' })).total })
      await doJobs(on)
    }
    await approve()
    expect(await found()).toEqual([])
    const mail = (sum: string) => ({
      ...{ uid: person.uid, title: 'Tu pago del 16 nov 2026 al 30 nov 2026 está aprobado', path: '/admin/mi-pago?periodo=2026-11-16' },
      line: `${sum} por 1 clase, con ajustes y correcciones.`,
    })
    expect(await mails()).toEqual([mail('$250.00')])
    const [sent] = await on.sql<{ id: number }>('select payroll_period_id as id from payroll_period')
    await notifyApproved(on.system(), { payroll_period_id: sent?.id ?? 0 })
    await admin.payrolls.reopen({ period: '2026-11-16', reason: 'Faltaba algo' })
    await notifyApproved(on.system(), { payroll_period_id: sent?.id ?? 0 })
    expect(await mails()).toHaveLength(1)
    await approve()
    expect(await mails()).toEqual([mail('$250.00'), mail('$300.00')])
    await on.close()
  })

  test('files for the bank and the accountant: only of an approved period, and with the CLABE of every coach who is owed', async () => {
    const one = await studio()
    one.clock.set('2026-12-02T12:00:00-06:00')
    const admin = one.as(await one.make.staff('owner'))
    const { instructor_id } = await one.make.instructor({ name: '=Sofía', last_name: 'Luna' })
    await admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '1250.50', note: 'Taller' })
    const transfers = () => admin.listExports.payrollTransfers({ period: '2026-11-16' })
    expect(await codeOf(transfers())).toBe('PAYROLL_NOT_APPROVED')
    await admin.payrolls.approve({ period: '2026-11-16', total: '1250.50' })
    expect(await refusalOf(transfers())).toMatchObject({ code: 'PAYROLL_WITHOUT_CLABE', message: 'Falta la CLABE de: =Sofía Luna.' })
    const account = { instructor_id, holder: 'Sofía Luna', rfc: 'luss900101ab1' }
    expect(await codeOf(admin.payrolls.saveAccount({ ...account, clabe: '032180000118359710' }))).toBe('INVALID_INPUT')
    await admin.payrolls.saveAccount({ ...account, clabe: '032180000118359719' })
    const text = await (await transfers()).text()
    expect(text).toContain('Sofía Luna,032180000118359719,1250.5')
    const detail = await (await admin.listExports.payrollDetail({ period: '2026-11-16' })).text()
    expect(detail).toContain('LUSS900101AB1')
    expect(detail).toContain('Taller')
    expect(detail).not.toMatch(/(^|,)=Sofía/m)
    const audited = await one.sql<{ after: unknown }>(`select after from audit where action = 'payroll.account'`)
    expect(audited).toEqual([{ after: { last_digits: '9719' } }])
    await one.close()
  })

  test('the same key adjusts once; amounts and days that are none are refused', async () => {
    const coachId = await coach()
    const key = randomUUID()
    const adjust = (amount: string) =>
      s.as(owner, key).payrolls.adjust({ period: '2026-10-01', instructor_id: coachId, amount, note: 'Bono' })
    await adjust('100')
    await adjust('100')
    expect(of(await read('2026-10-01', '2026-10-15'), coachId)?.amount).toBe('100.00')
    expect(await codeOf(boss.payrolls.adjust({ period: '2026-10-01', instructor_id: coachId, amount: '0', note: 'Nada' }))).toBe(
      'INVALID_INPUT',
    )
    expect(await codeOf(boss.payrolls.adjust({ period: '2026-10-01', instructor_id: 999_999, amount: '1', note: 'x' }))).toBe('NOT_FOUND')
    expect(await codeOf(read('2026-10-01', '2027-02-01'))).toBe('PAYROLL_RANGE')
    expect(await codeOf(read('2026-10-02', '2026-10-01'))).toBe('PAYROLL_RANGE')
    expect((await read('2026-10-01', '2026-10-20')).period).toBeNull()
    expect(await codeOf(rule(999_999))).toBe('NOT_FOUND')
    expect(await codeOf(rule(coachId, { steps: [{ from: 5, amount: '100' }] }))).toBe('INVALID_INPUT')
  })
})
