/** Changes to many reservations and purchases, invitations and archiving (docs/domain.md LA4 to LA7, X18, X19). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false, cash_checkout_enabled: true } })
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

type Start = Parameters<ReturnType<TestStudio['as']>['bulk']['start']>[0]
const start = (input: Start, by = desk) => s.as(by, randomUUID()).bulk.start(input)
const jobOf = (job_id: number | null) => s.as(desk).bulk.job({ job_id: job_id ?? 0 })
async function complete(input: Start) {
  const { job_id } = await start(input)
  await doJobs(s)
  return jobOf(job_id)
}
const undo = async (job_id: number) => {
  await s.as(desk).bulk.undo({ job_id })
  await doJobs(s)
  return jobOf(job_id)
}
const inDays = (days: number) => new Date(Date.parse(START) + days * 86_400_000)
async function reserved(single_class_id: number, is_cash = false): Promise<{ who: Person; id: number }> {
  const customer = await s.make.customer()
  if (!is_cash) await s.make.lot(customer, { granted: 5 })
  const { class_reservation } = await s
    .as(desk, randomUUID())
    .attendance.reserve({ customer_id: customer.customer_id, single_class_id, is_cash })
  return { who: customer, id: class_reservation.class_reservation_id }
}
const live = async (single_class_id: number) =>
  (
    await s.sql<{ customer_id: number }>(
      'select customer_id from class_reservation where single_class_id = $1 and "deletedAt" is null order by 1',
      [single_class_id],
    )
  ).map((row) => row.customer_id)

test('many places are cancelled with their credits back, each with its entry, and booked again when that is undone', async () => {
  const cls = await s.make.class({ starts_at: inDays(2), capacity: 10, price_centavos: 20_000 })
  const [ana, leo, cash] = [
    await reserved(cls.single_class_id),
    await reserved(cls.single_class_id),
    await reserved(cls.single_class_id, true),
  ]
  const reservation = await reserved(cls.single_class_id)
  await s.as(desk).attendance.cancel({ class_reservation_id: reservation.id, credit: 'return', reason: 'Ya no viene' })
  const ids = [ana.id, leo.id, cash.id, reservation.id]
  const input: Start = { action: 'reservations.cancel', ids, params: { credit: 'return' }, reason: 'Obra en la calle' }
  const dry = await start({ ...input, dry_run: true })
  expect(dry).toMatchObject({
    label: 'Cancelar y regresar el crédito',
    total: 4,
    affected: 3,
    refused: [{ id: reservation.id, code: 'RESERVATION_CANCELLED' }],
  })
  expect(dry.refused[0]?.name).not.toBe('')
  expect(await live(cls.single_class_id)).toHaveLength(3)
  const done = await complete(input)
  expect(done).toMatchObject({ state: 'done', changed: 3, refused_total: 1 })
  expect(await live(cls.single_class_id)).toEqual([])
  expect([await s.balance(ana.who), await s.balance(leo.who)]).toEqual([5, 5])
  const owner = await s.make.staff('owner')
  const [entry] = (await s.as(owner).auditLog.list({ customer_id: ana.who.customer_id })).entries
  expect(entry).toMatchObject({ action: 'reservation.cancel', reason: 'Obra en la calle', who: { kind: 'staff' } })
  const back = await undo(done.job_id)
  expect(back).toMatchObject({
    state: 'undone',
    changed: 1,
    refused: expect.arrayContaining([expect.objectContaining({ id: cash.id, code: 'CHANGED_MEANWHILE' })]),
  })
  expect(await live(cls.single_class_id)).toEqual([ana.who.customer_id, leo.who.customer_id].sort((a, b) => a - b))
  expect(await s.balance(ana.who)).toBe(4)
})

test('many places move to another class until it is full, without spending another credit, and back', async () => {
  const [from, to] = [await s.make.class({ starts_at: inDays(3), capacity: 10 }), await s.make.class({ starts_at: inDays(4), capacity: 2 })]
  const people = [await reserved(from.single_class_id), await reserved(from.single_class_id), await reserved(from.single_class_id)]
  const ids = people.map(({ id }) => id)
  const done = await complete({ action: 'reservations.move', ids, params: { single_class_id: to.single_class_id } })
  expect(done).toMatchObject({ changed: 2, refused_total: 1, refused: [{ code: 'CLASS_FULL' }] })
  expect(done.label).toMatch(/^Mover a .+, lun 23 nov, 10:00$/)
  expect(await live(to.single_class_id)).toHaveLength(2)
  expect(await Promise.all(people.map(({ who }) => s.balance(who)))).toEqual([4, 4, 4])
  expect(await undo(done.job_id)).toMatchObject({ state: 'undone', changed: 0 })
  expect(await live(from.single_class_id)).toHaveLength(3)
  expect(await live(to.single_class_id)).toEqual([])
  expect(await refusalOf(start({ action: 'reservations.move', ids, params: { single_class_id: 999_999 } }))).toMatchObject({
    code: 'INVALID_INPUT',
  })
})

test('reservations and purchases of other locations stay as they are (E4, E14)', async () => {
  const there = await s.make.location()
  const cls = await s.make.class({ starts_at: inDays(5), capacity: 5, location_id: there.location_id })
  const ana = await reserved(cls.single_class_id)
  const elsewhere = await s.make.location()
  const local = await s.make.staff('reception')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [local.uid, elsewhere.location_id])
  const input: Start = { action: 'reservations.cancel', ids: [ana.id], params: { credit: 'return' }, reason: 'Obra', dry_run: true }
  expect(await start(input, local)).toMatchObject({ affected: 0, refused: [{ code: 'FORBIDDEN' }] })
})

test('purchases that wait for cash are marked as paid once, and receipts are sent again', async () => {
  const { class_package_id } = await s.make.package({ price_centavos: 50_000, class_amount: 5 })
  const [cash] = await s.sql<{ payment_method_id: number }>(`select payment_method_id from payment_method where name = 'Efectivo'`)
  const payment_method_id = cash?.payment_method_id ?? (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  const buyers = [await s.make.customer(), await s.make.customer()]
  const ids: number[] = []
  for (const person of buyers) {
    ids.push((await s.as(person, randomUUID()).sales.checkout({ class_package_id, payment_method_id })).purchase_id)
  }
  const done = await complete({ action: 'purchases.mark_paid', ids: [...ids, 999_999], params: {} })
  expect(done).toMatchObject({ changed: 2, refused_total: 1, undo_until: null, refused: [{ code: 'NOT_FOUND' }] })
  expect(await Promise.all(buyers.map((person) => s.balance(person)))).toEqual([5, 5])
  expect(await complete({ action: 'purchases.mark_paid', ids, params: {} })).toMatchObject({ changed: 0, refused_total: 2 })
  expect(await s.sql('select 1 from invoice where purchase_id = any($1)', [ids])).toHaveLength(2)
  // Receipts are drawn and mailed by the sales' own job.
  expect(await complete({ action: 'purchases.receipt', ids, params: {} })).toMatchObject({ changed: 2, undo_until: null })
  const sent = await s.sql<{ again: string }>(
    `select data->'data'->>'again' as again from jobs.job where data->>'job' = 'sales.receipt' and (data->'data'->>'purchase_id')::int = any($1)
      and data->'data'->>'again' is not null`,
    [ids],
  )
  expect(sent).toHaveLength(2)
})

test('all reservations and purchases that match a filter are changed, at the locations of the person (LA4, E4, E14)', async () => {
  const here = await s.make.location()
  const cls = await s.make.class({ starts_at: inDays(6), capacity: 5, location_id: here.location_id })
  const other = await s.make.class({ starts_at: inDays(6), capacity: 5, location_id: here.location_id })
  const people = [await reserved(cls.single_class_id), await reserved(cls.single_class_id)]
  await reserved(other.single_class_id)
  const reservation_filter = { class_type_id: cls.class_type_id, from: '2026-11-25', to: '2026-11-25' }
  const input: Start = { action: 'reservations.cancel', reservation_filter, params: { credit: 'return' }, reason: 'Obra en la calle' }
  expect(await start({ ...input, dry_run: true })).toMatchObject({ total: 2, affected: 2 })
  expect(await complete(input)).toMatchObject({ changed: 2, refused_total: 0 })
  expect(await live(cls.single_class_id)).toEqual([])
  expect(await live(other.single_class_id)).toHaveLength(1)
  expect(await Promise.all(people.map(({ who }) => s.balance(who)))).toEqual([5, 5])

  const { class_package_id } = await s.make.package({ price_centavos: 50_000, class_amount: 5 })
  const [cash] = await s.sql<{ payment_method_id: number }>(`select payment_method_id from payment_method where name = 'Efectivo'`)
  const buyers = [await s.make.customer(), await s.make.customer()]
  for (const person of buyers)
    await s.as(person, randomUUID()).sales.checkout({ class_package_id, payment_method_id: cash?.payment_method_id ?? 2 })
  const pending: Start = { action: 'purchases.mark_paid', purchase_filter: { class_package_id, status: ['pending'] }, params: {} }
  expect(await start({ ...pending, dry_run: true })).toMatchObject({ total: 2, affected: 2 })
  expect(await complete(pending)).toMatchObject({ changed: 2 })
  expect(await start({ ...pending, dry_run: true })).toMatchObject({ total: 0, affected: 0 })

  const local = await s.make.staff('reception')
  const elsewhere = await s.make.location()
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [local.uid, elsewhere.location_id])
  expect(await start({ ...input, dry_run: true }, local)).toMatchObject({ total: 0 })
  const there: Start = { ...input, reservation_filter: { location_id: here.location_id }, dry_run: true }
  expect((await refusalOf(start(there, local))).code).toBe('FORBIDDEN')
  for (const wrong of [
    { ...input, purchase_filter: {} },
    { ...pending, purchase_filter: undefined, reservation_filter: {} },
    { ...input, ids: [1] },
  ])
    expect((await refusalOf(start(wrong))).code).toBe('INVALID_INPUT')
})

test('customers without an account are invited, once in seven days', async () => {
  const email = () => `${randomUUID().slice(0, 8)}@ejemplo.mx`
  const make = async (more: object) => (await s.as(desk).people.create({ name: 'Nora', last_name: 'Paz', ...more } as never)).customer_id
  const ids = [await make({ email: email() }), await make({ phone: '5511223344' }), (await s.make.customer()).customer_id]
  const done = await complete({ action: 'customers.invite', ids })
  expect(done).toMatchObject({ changed: 1, undo_until: null })
  expect(done.refused.map(({ code }) => code)).toEqual(['CUSTOMER_WITHOUT_EMAIL', 'ACCOUNT_PRESENT'])
  expect(await start({ action: 'customers.invite', ids, dry_run: true })).toMatchObject({ affected: 0 })
})

test('customers are archived unless something of theirs is open; coming back or undoing ends it (X19)', async () => {
  const [idle, booked] = [await s.make.customer({ createdAt: inDays(-5) }), await s.make.customer()]
  await s.make.lot(booked)
  const cls = await s.make.class({ starts_at: inDays(6), capacity: 5 })
  await s.as(desk, randomUUID()).attendance.reserve({ customer_id: booked.customer_id, single_class_id: cls.single_class_id })
  const ids = [idle.customer_id, booked.customer_id]
  const stateOf = async (customer_id: number) => (await s.as(desk).customerFile.one({ customer_id })).state
  expect(await stateOf(idle.customer_id)).toBe('new')
  const done = await complete({ action: 'customers.archive', ids, reason: 'Se mudó' })
  expect(done).toMatchObject({ changed: 1, refused: [{ id: booked.customer_id, code: 'ARCHIVE_BLOCKED' }] })
  expect(await stateOf(idle.customer_id)).toBe('lost')
  expect((await s.as(desk).customerList.list({ state: ['lost'] })).customers.map((row) => row.customer_id)).toContain(idle.customer_id)
  expect(await undo(done.job_id)).toMatchObject({ changed: 0 })
  expect(await stateOf(idle.customer_id)).toBe('new')
  await s.as(desk).customerRecords.archive({ customer_id: idle.customer_id, reason: 'Se mudó' })
  expect(await refusalOf(s.as(desk).customerRecords.archive({ customer_id: booked.customer_id, reason: 'Se mudó' }))).toMatchObject({
    code: 'ARCHIVE_BLOCKED',
  })
  expect(await stateOf(idle.customer_id)).toBe('lost')
  s.clock.advance({ minutes: 1 })
  await s.make.lot(idle, { createdAt: s.clock.now() })
  expect(await stateOf(idle.customer_id)).not.toBe('lost')
})

test('each needs its right, its reason and its data', async () => {
  const coach = await s.make.staff('coach')
  for (const action of ['reservations.cancel', 'purchases.receipt', 'customers.archive'] as const)
    expect(
      await refusalOf(
        start({ action, ids: [1], params: action === 'reservations.cancel' ? { credit: 'return' } : {}, reason: 'Prueba' }, coach),
      ),
    ).toMatchObject({ code: 'FORBIDDEN' })
  const invalid = { code: 'INVALID_INPUT' }
  expect(await refusalOf(start({ action: 'reservations.cancel', ids: [1], params: { credit: 'return' } }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'reservations.cancel', ids: [1], params: {}, reason: 'Prueba' }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'customers.archive', ids: [1] }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'purchases.receipt', filter: {} }))).toMatchObject(invalid)
})
