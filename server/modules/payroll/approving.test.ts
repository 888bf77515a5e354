/** Approving a pay period: frozen, corrected in the next one, taken back (docs/domain.md, PY4, PY5, PY8). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openPayrollStudio } from '#server/testing/payroll-fixture.ts'
import { codeOf, studio } from '#server/testing/studio.ts'

const { s, boss, setClock, coach, rule, teach, approve } = await openPayrollStudio()
afterAll(() => s.close())
beforeEach(() => setClock())

test('approving a payroll period is refused while the period runs, a roster is open, or the total is another; then it never changes, not even in the database', async () => {
  const ownStudio = await studio()
  ownStudio.clock.set('2026-11-25T12:00:00-06:00')
  const admin = ownStudio.as(await ownStudio.make.staff('owner'))
  const { instructor_id } = await ownStudio.make.instructor()
  await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
  const cls = await ownStudio.make.class({ instructor_id, starts_at: new Date('2026-11-18T13:00:00Z') })
  const go = (total: string) => codeOf(admin.payrolls.approve({ period: '2026-11-16', total }))
  expect((await admin.payrolls.read({})).period).toMatchObject({ from: '2026-11-16', to: '2026-11-30', state: 'running' })
  expect(await go('200.00')).toBe('PAYROLL_RUNNING')
  ownStudio.clock.set('2026-12-02T12:00:00-06:00')
  expect(await go('200.00')).toBe('PAYROLL_UNSETTLED')
  await ownStudio.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
  expect(await go('199.00')).toBe('PAYROLL_CHANGED')
  await admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '-50', note: 'Préstamo' })
  expect(await go('200.00')).toBe('PAYROLL_CHANGED')
  await admin.payrolls.approve({ period: '2026-11-16', total: '150.00' })
  expect(await go('150.00')).toBe('PAYROLL_APPROVED')
  expect(await codeOf(admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '5', note: 'Más' }))).toBe('PAYROLL_APPROVED')
  const paid = await admin.payrolls.read({ from: '2026-11-16' })
  expect(paid).toMatchObject({ total: '150.00', period: { state: 'approved' } })
  await admin.payRules.create({ from_day: '2026-01-01', instructor_id, base: '900' })
  await ownStudio.sql('update class_reservation set attend = true')
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
    await expect(ownStudio.sql(text), text).rejects.toThrow(/payroll/)
  await ownStudio.close()
})

test('what changed afterwards is corrected in the next period, once; by the terms of then', async () => {
  const ownStudio = await studio()
  ownStudio.clock.set('2026-12-02T12:00:00-06:00')
  const admin = ownStudio.as(await ownStudio.make.staff('owner'))
  const [a, b] = [(await ownStudio.make.instructor()).instructor_id, (await ownStudio.make.instructor()).instructor_id]
  await admin.payRules.create({ from_day: '2026-01-01', base: '200', per_person: '10', per_person_from: 1 })
  const classOn = async (instructor_id: number, starts_at: string, capacity = 10) => {
    const cls = await ownStudio.make.class({ instructor_id, starts_at: new Date(starts_at), capacity })
    const { customer_id } = await ownStudio.make.customer()
    await ownStudio.sql(
      `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, now(), now())`,
      [cls.single_class_id, customer_id],
    )
    await ownStudio.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
    return cls.single_class_id
  }
  const [x, y] = [await classOn(a, '2026-11-17T13:00:00Z'), await classOn(a, '2026-11-18T13:00:00Z')]
  const read = async (from: string) => admin.payrolls.read({ from })
  const approve = async (period: string) => admin.payrolls.approve({ period, total: (await read(period)).total })
  await approve('2026-11-16')
  await admin.payRules.create({ from_day: '2026-01-01', instructor_id: a, base: '999' })
  // All customers of the first class are marked absent, and another coach gave the second one.
  await ownStudio.sql('update class_reservation set attend = false where single_class_id = $1', [x])
  await ownStudio.sql('update class_instructor set instructor_id = $2 where single_class_id = $1', [y, b])
  ownStudio.clock.set('2026-12-17T12:00:00-06:00')
  const next = await read('2026-12-01')
  const lines = (id: number) => next.coaches.find((coach) => coach.instructor_id === id)?.lines.map(({ kind, amount }) => [kind, amount])
  expect(lines(a)).toEqual([
    ['correction', '-10.00'],
    ['correction', '-210.00'],
    ['adjustment', '220.00'],
  ])
  expect(lines(b)).toEqual([['correction', '210.00']])
  expect(next.coaches.find((coach) => coach.instructor_id === a)?.lines[0]?.why).toMatch(
    /^Se le pagaron \$210\.00 y corresponden \$200\.00\./,
  )
  await approve('2026-12-01')
  ownStudio.clock.set('2027-01-05T12:00:00-06:00')
  // The rest of the deduction is carried to the next period: no payment is negative (PY8).
  expect((await read('2026-12-16')).coaches.map(({ amount, lines }) => [amount, lines.map((line) => line.amount)])).toEqual([
    ['0.00', ['-220.00', '220.00']],
  ])
  expect((await read('2026-11-16')).total).toBe('420.00')
  // The report of many days is the sum of its periods: those before the approved ones, which it computes at once, these, and those
  // after them.
  for (const at of ['2026-06-10T13:00:00Z', '2026-06-20T13:00:00Z', '2026-09-02T13:00:00Z', '2026-11-03T13:00:00Z', '2026-12-28T13:00:00Z'])
    await classOn(at < '2026-09' ? a : b, at)
  const periods = Array.from({ length: 16 }, (_, n) => `2026-${String(5 + Math.floor(n / 2)).padStart(2, '0')}-${n % 2 ? '16' : '01'}`)
  const totals = await Promise.all(periods.map(async (from) => Number((await read(from)).total)))
  const report = await admin.reports.read({ key: 'nomina', from: '2026-05-01', to: '2026-12-31' })
  const [amount, classes] = ['amount', 'classes'].map((key) => report.figures.find((figure) => figure.key === key)?.value)
  expect(amount).toBe(totals.reduce((sum, total) => sum + total, 0))
  expect([classes, totals.filter((total) => total > 0).length]).toEqual([7, 7])
  await ownStudio.close()
})

test('a coach with a negative sum is paid nothing, and the next period deducts it, once; reopening restores it (PY8)', async () => {
  const ownStudio = await studio()
  ownStudio.clock.set('2026-12-02T12:00:00-06:00')
  const admin = ownStudio.as(await ownStudio.make.staff('owner'))
  const [a, b] = [(await ownStudio.make.instructor()).instructor_id, (await ownStudio.make.instructor()).instructor_id]
  await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
  const taughtOn = async (instructor_id: number, starts_at: string) => {
    const cls = await ownStudio.make.class({ instructor_id, starts_at: new Date(starts_at) })
    await ownStudio.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
  }
  await taughtOn(a, '2026-11-17T13:00:00Z')
  await taughtOn(b, '2026-11-17T15:00:00Z')
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

  await taughtOn(a, '2026-12-03T13:00:00Z')
  await taughtOn(a, '2026-12-04T13:00:00Z')
  ownStudio.clock.set('2026-12-17T12:00:00-06:00')
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
  await ownStudio.close()
})

test('after a change from halves to months the rest of the month is a period, and what was approved is read, exported and reported as it was (PY4)', async () => {
  const coachId = await coach()
  await rule(coachId)
  await teach(coachId, '2026-02-03T07:00:00-06:00', 1)
  await teach(coachId, '2026-02-20T07:00:00-06:00', 1)
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
      ...rest,
      period: { state: 'open' },
      total: '200.00',
      previous: firstHalf,
      next: { from: '2026-03-01', to: '2026-03-31' },
    })
    await approve('2026-02-16')
    await s.sql(`update pay_rule set terms = jsonb_set(terms, '{base}', '99900') where instructor_id = $1`, [coachId])
    const { figures } = await boss.reports.read({ key: 'nomina', from: '2026-02-01', to: '2026-02-28' })
    expect(figures[0]?.value).toBe(400)
    expect(await boss.payrolls.read({ from: '2026-02-01', to: '2026-02-28' })).toMatchObject({ period: null })
  })
})

test('the approval of a payroll period is taken back with a reason, while no later period was approved', async () => {
  const ownStudio = await studio()
  ownStudio.clock.set('2026-12-17T12:00:00-06:00')
  const admin = ownStudio.as(await ownStudio.make.staff('owner'))
  const { instructor_id } = await ownStudio.make.instructor()
  await admin.payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '100', note: 'Taller' })
  await admin.payrolls.approve({ period: '2026-11-16', total: '100.00' })
  await admin.payrolls.reopen({ period: '2026-11-16', reason: 'Faltó un taller' })
  expect((await admin.payrolls.read({ from: '2026-11-16' })).period).toMatchObject({ state: 'open', reopen_reason: 'Faltó un taller' })
  expect(await codeOf(admin.payrolls.reopen({ period: '2026-11-16', reason: 'Otra vez' }))).toBe('PAYROLL_NOT_APPROVED')
  await admin.payrolls.approve({ period: '2026-11-16', total: '100.00' })
  await admin.payrolls.approve({ period: '2026-12-01', total: '0.00' })
  expect(await codeOf(admin.payrolls.reopen({ period: '2026-11-16', reason: 'Tarde' }))).toBe('PAYROLL_LATER_APPROVED')
  expect(await codeOf(admin.payrolls.adjust({ period: '2026-12-05', instructor_id, amount: '5', note: 'x' }))).toBe('PAYROLL_PERIOD')
  await ownStudio.close()
})

test('a repeated approval, and a repeated taking back, get the first answer again and write once', async () => {
  const ownStudio = await studio()
  ownStudio.clock.set('2026-12-17T12:00:00-06:00')
  const owner = await ownStudio.make.staff('owner')
  const { instructor_id } = await ownStudio.make.instructor()
  await ownStudio.as(owner).payrolls.adjust({ period: '2026-11-16', instructor_id, amount: '100', note: 'Taller' })
  const [approving, reopening] = [ownStudio.as(owner, randomUUID()), ownStudio.as(owner, randomUUID())]
  const approval = { period: '2026-11-16', total: '100.00' }
  for (const _ of [1, 2]) expect(await approving.payrolls.approve(approval)).toEqual({ ok: true })
  for (const _ of [1, 2]) expect(await reopening.payrolls.reopen({ period: '2026-11-16', reason: 'Faltó un taller' })).toEqual({ ok: true })
  const rows = await ownStudio.sql(`select action from audit where action in ('payroll.approve', 'payroll.reopen') order by audit_id`)
  expect(rows).toEqual([{ action: 'payroll.approve' }, { action: 'payroll.reopen' }])
  await ownStudio.close()
})

test('two approvals at once: one wins, and the classes are paid once', async () => {
  const ownStudio = await studio()
  ownStudio.clock.set('2026-12-02T12:00:00-06:00')
  const owner = await ownStudio.make.staff('owner')
  const admin = ownStudio.as(owner)
  const { instructor_id } = await ownStudio.make.instructor()
  await admin.payRules.create({ from_day: '2026-01-01', base: '200' })
  const cls = await ownStudio.make.class({ instructor_id, starts_at: new Date('2026-11-18T13:00:00Z') })
  await ownStudio.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
  const outcomes = await Promise.all(
    [1, 2].map(() =>
      ownStudio
        .as(owner)
        .payrolls.approve({ period: '2026-11-16', total: '200.00' })
        .then(
          () => 'ok',
          () => 'refused',
        ),
    ),
  )
  expect(outcomes.sort()).toEqual(['ok', 'refused'])
  expect(await ownStudio.sql('select 1 from payroll_line')).toHaveLength(1)
  await ownStudio.close()
})
