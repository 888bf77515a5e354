/** Pay of the coaches through the API: computed, adjusted, answered, exported (docs/domain.md, PY1 to PY3, PY6, PY7). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openPayrollStudio } from '#server/testing/payroll-fixture.ts'
import { codeOf, refusalOf, studio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { notifyApproved } from './approved-email.ts'

const { s, owner, boss, base, setClock, coach, rule, teach, read, second, of, approve } = await openPayrollStudio()
afterAll(() => s.close())
beforeEach(() => setClock())

test('rules are of the whole studio: staff of one location neither read nor change them (PY7)', async () => {
  const { pay_rule } = await rule(await coach())
  const { pay_rule_id } = pay_rule
  const manager = await s.make.staff('manager')
  await s.sql(`insert into staff_right select staff_id, 'payroll', true from staff where uid = $1 on conflict do nothing`, [manager.uid])
  const rules = s.as(manager).payRules
  expect((await rules.all()).pay_rules.map((payRule) => payRule.pay_rule_id)).toContain(pay_rule_id)
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
    const id = await teach(coachId, '2026-11-16T07:00:00-06:00', 4, 1)
    await teach(coachId, '2026-11-30T23:30:00-06:00', 1)
    await teach(coachId, '2026-11-15T23:59:00-06:00', 9)
    await teach(coachId, '2026-12-01T00:00:00-06:00', 9)
    const pay = of(await second(), coachId)
    expect(pay).toMatchObject({ classes: 2, attended: 5, amount: '430.00' })
    expect(pay?.lines[0]).toMatchObject({
      kind: 'class',
      single_class_id: id,
      attended: 4,
      amount: '230.00',
      class_date: '2026-11-16T07:00:00.000Z',
      has_rule: true,
      why: 'Llegaron 4 personas: base $200.00 + 3 personas a $10.00 = $30.00.',
    })
  })

  test('a day is that of the clocks of the class: two zones, and a change of the clocks', async () => {
    const coachId = await coach()
    await rule(coachId)
    const tijuana = (await s.make.location({ timezone: 'America/Tijuana' })).location_id
    // 31 October 2026, 23:30 in Tijuana (UTC-7) is 1 November in Mexico City; that night the clocks of Tijuana go back.
    const late = await teach(coachId, '2026-11-01T06:30:00Z', 1, 0, { location_id: tijuana })
    const after = await teach(coachId, '2026-11-16T07:30:00Z', 1, 0, { location_id: tijuana })
    const ids = async (from: string, to: string) => of(await read(from, to), coachId)?.lines.map((item) => item.single_class_id) ?? []
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
    const classes: { coach: number; type: number; day: number; came: number }[] = []
    for (let n = 0; n < 24; n++) {
      const entry = { coach: n % 3, type: n % 2, day: 16 + ((n * 7) % 15), came: (n * 5) % 7 }
      classes.push(entry)
      await teach(coaches[entry.coach] ?? 0, `2026-11-${entry.day}T${String(6 + (n % 12)).padStart(2, '0')}:00:00-06:00`, entry.came, 0, {
        class_type_id: types[entry.type],
        capacity: 6,
      })
    }
    const expected = classes.map(({ coach, type, day, came }) => {
      if (coach === 0) return 21_050 + Math.max(0, came - 2) * 725
      return type === 1 && day >= 20 ? 18_000 + (came === 6 ? 5_500 : 0) : 15_000
    })
    const payroll = await second()
    const total = coaches.reduce((sum, id) => sum + Math.round(Number(of(payroll, id)?.amount) * 100), 0)
    expect(total).toBe(expected.reduce((sum, amount) => sum + amount, 0))
    const all = payroll.coaches.flatMap(({ lines }) => lines).reduce((sum, cls) => sum + Math.round(Number(cls.amount) * 100), 0)
    expect(Math.round(Number(payroll.total) * 100)).toBe(all)
    await s.sql('delete from pay_rule where instructor_id is null')
    for (const id of coaches.slice(1)) await rule(id)
  })

  test('a share of what was paid for the places, without tax, less refunds; courtesies are worth nothing', async () => {
    const coachId = await coach()
    await rule(coachId, { base: '0', per_person: '0', percent: 40 })
    const single_class_id = await teach(coachId, '2026-11-18T07:00:00-06:00')
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
    const [late, early] = [await teach(ruled, '2026-11-20T08:00:00-06:00'), await teach(ruled, '2026-11-21T08:00:00-06:00')]
    await s.sql(`update single_class set "cancelledAt" = starts_at - interval '23 hours', "settledAt" = null where single_class_id = $1`, [
      late,
    ])
    await s.sql(`update single_class set "cancelledAt" = starts_at - interval '25 hours', "settledAt" = null where single_class_id = $1`, [
      early,
    ])
    await teach(free, '2026-11-20T08:00:00-06:00', 3)
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
    await teach(substitute, '2026-11-22T08:00:00-06:00', 2, 0, { substitutes_for: regular })
    expect(of(await second(), substitute)?.amount).toBe('250.00')
    await boss.payRules.update({ pay_rule_id: pay_rule.pay_rule_id, substitute: 'theirs' })
    const payroll = await second()
    expect(of(payroll, substitute)?.amount).toBe('400.00')
    expect(of(payroll, regular)).toBeUndefined()
  })
})

describe('coaches and accounts (PY6, PY7)', () => {
  test('a coach reads only their own pay, and answers', async () => {
    const [mine, theirs] = [await coach(), await coach()]
    await rule(mine)
    await rule(theirs)
    await teach(mine, '2026-11-19T07:00:00-06:00', 3)
    await teach(theirs, '2026-11-19T09:00:00-06:00', 3)
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
      uid: person.uid,
      title: 'Tu pago del 16 nov 2026 al 30 nov 2026 está aprobado',
      path: '/admin/mi-pago?periodo=2026-11-16',
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
    const ownStudio = await studio()
    ownStudio.clock.set('2026-12-02T12:00:00-06:00')
    const admin = ownStudio.as(await ownStudio.make.staff('owner'))
    const { instructor_id } = await ownStudio.make.instructor({ name: '=Sofía', last_name: 'Luna' })
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
    const audited = await ownStudio.sql<{ after: unknown }>(`select after from audit where action = 'payroll.account'`)
    expect(audited).toEqual([{ after: { last_digits: '9719' } }])
    await ownStudio.close()
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
