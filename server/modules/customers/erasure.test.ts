/** Erasing a person's data at their request (docs/domain.md X12 to X14). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TaskKind, taskKind } from '#contract/today.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { erasedTables, erasedThrough, taskSubjects, untouchedTables } from './erasure-store.ts'

let s: TestStudio
let owner: Person
let desk: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  owner = await s.make.staff('owner', { name: 'Mónica' })
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

const erasures = () => s.as(owner).customerErasure
const MARK = 'Xóchitl'

/** Every text of the database that has a word in it, by table. */
async function textsWith(word: string): Promise<string[]> {
  const tables = await s.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await s.sql<{ n: number }>(`select count(*)::int as n from "${name}" t where to_jsonb(t)::text ilike $1`, [`%${word}%`])
    if (row && row.n > 0) found.push(name)
  }
  return found
}

test('every table that names a customer is erased or listed with the reason why not (X13)', async () => {
  const named = await s.sql<{ table_name: string }>(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'customer_id' and table_name <> 'customer' order by 1`,
  )
  expect([...Object.keys(erasedTables), ...Object.keys(untouchedTables)].sort()).toEqual(named.map(({ table_name }) => table_name))
})

test('the reasons of every kind of task are erased, or it is about no customer (X13)', () => {
  const withoutCustomer: TaskKind[] = [
    ...(['no_capacity', 'no_coach', 'coach_twice', 'coach_absent', 'substitution', 'roster_open', 'till_open', 'coach_birthday'] as const),
    ...(['timetable_ends', 'pay_question', 'webhook_stopped', 'certificate_ending', 'job_failed'] as const),
  ]
  expect([...taskSubjects.flatMap(([kinds]) => kinds.split(',')), ...withoutCustomer].sort()).toEqual([...taskKind.options].sort())
})

test('after 72 hours nothing in the database identifies the customer; money, credits and attendance stay (X12, X13)', async () => {
  const customer = await s.make.customer({
    name: MARK,
    last_name: `${MARK} Ruiz`,
    email: `${MARK.toLowerCase()}@ejemplo.mx`.normalize('NFD').replace(/\p{M}/gu, ''),
  })
  const { customer_id } = customer
  const { class_package_id } = await s.make.package({ price_centavos: 40_000 })
  const method = await s.make.paymentMethod({ name: 'Terminal bancaria' })
  const { location_id } = await s.make.location()
  const { purchase } = await s.as(desk, randomUUID()).studioSales.giveAccess({
    customer_id,
    class_package_id,
    payment_method_id: method.payment_method_id,
    location_id,
  })
  const cls = await s.make.class({ location_id })
  const reserved = await s.as(customer, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id })
  await s.as(desk).customerFile.addNote({ customer_id, text: `${MARK} es alérgica` })
  await s.as(desk).people.update({ customer_id, name: `${MARK} Luz` })
  await s.sql(
    `insert into message (event, about, customer_id, channel, status, words, "nextAt", "createdAt")
     values ('welcome', 'customer:1', $1, 'mail', 'sent', $2, now(), now())`,
    [customer_id, { title: `Hola, ${MARK}`, lines: [] }],
  )
  await s.sql(
    `insert into message (event, about, staff_id, channel, status, words, "nextAt", "createdAt")
     select 'staff_tasks', 'tasks:' || n, staff_id, 'push', 'sent', case n when 1 then $1::jsonb else $2 end, now(), now() from staff, generate_series(1, 2) n`,
    [
      { title: `Transferencia de ${MARK} Luz ${MARK} Ruiz por confirmar`, lines: [] },
      { title: 'Hoy cumple años Ana', lines: [] },
    ],
  )
  await doJobs(s)

  expect(await refusalOf(erasures().start({ customer_id, reason: 'Lo pidió' }))).toMatchObject({
    code: 'ERASE_BLOCKED',
    message: expect.stringContaining('Tiene lugar en'),
  })
  expect((await erasures().one({ customer_id })).obstacles).toMatchObject([{ kind: 'booked' }])
  await s.as(desk).attendance.cancel({ class_reservation_id: reserved.class_reservation.class_reservation_id, reason: 'Se va' })
  const { final_at } = await erasures().start({ customer_id, reason: `Lo pidió ${MARK}` })
  expect(Date.parse(final_at) - s.clock.now().getTime()).toBe(72 * 3_600_000)
  expect(await codeOf(erasures().start({ customer_id, reason: 'Otra vez' }))).toBe('ERASE_PENDING')
  s.clock.advance({ hours: 71 })
  await doJobs(s, 'customers.erase')
  expect(await textsWith(MARK)).toContain('customer')
  s.clock.advance({ hours: 2 })
  await doJobs(s, 'customers.erase')
  await s.as(owner).customerList.list({})

  for (const word of [MARK, 'xochitl']) expect(await textsWith(word)).toEqual([])
  expect(await s.sql(`select distinct words->>'title' as title from message where staff_id is not null`)).toEqual([
    { title: 'Hoy cumple años Ana' },
  ])
  expect(await codeOf(s.as(owner).people.find({ customer_id }))).toBe('NOT_FOUND')
  expect(await codeOf(s.as(customer).people.me())).toMatch(/TOKEN_EXPIRED|UNAUTHENTICATED|NO_CUSTOMER/)
  const { purchases } = await s.as(owner).studioSales.purchases({ query: String(purchase.purchase_id) })
  expect(purchases[0]).toMatchObject({ total_payment: '400.00', customer: { name: 'Cliente', last_name: 'sin datos' } })
  expect(await s.sql(`select count(*)::int as n from class_reservation where customer_id = $1`, [customer_id])).toEqual([{ n: 1 }])
  expect(await s.sql(`select action from audit where customer_id = $1 and action = 'customer.erased'`, [customer_id])).toHaveLength(1)
  await expect(s.sql(`update audit set actor = 'otro'`)).rejects.toThrow('audit is written once')
})

test('reasons that staff wrote in rows of money, credits and changes are erased too (X13)', async () => {
  const customer = await s.make.customer()
  const { customer_id } = customer
  const word = 'Zapotlanejo'
  const reason = `Una lesión en ${word}`
  const { location_id } = await s.make.location()
  const card = await s.make.paymentMethod({ name: 'Terminal dos', kind: 'terminal' })
  const transfer = await s.make.paymentMethod({ name: 'Transferencia', kind: 'transfer' })
  const boss = () => s.as(owner, randomUUID())
  const { class_package_id } = await s.make.package({ price_centavos: 40_000, class_amount: 4 })
  const pay = (payment_method_id: number, amount: string) => [{ payment_method_id, amount }]
  const sold = await boss().counterSales.sell({
    customer_id,
    location_id,
    shown: { total: '390' },
    payments: pay(card.payment_method_id, '390'),
    lines: [{ kind: 'package', class_package_id, discount: { amount: '10', reason } }],
  })
  const gift = await boss().counterSales.sell({
    customer_id,
    location_id,
    shown: { total: '100' },
    payments: pay(card.payment_method_id, '100'),
    lines: [{ kind: 'gift_card', amount: '100' }],
  })
  const [giftCard] = await s.sql<{ gift_card_id: number }>('select gift_card_id from gift_card where purchase_id = $1', [
    gift.purchases[0]?.purchase_id,
  ])
  await boss().giftCards.adjust({ gift_card_id: giftCard?.gift_card_id ?? 0, amount: '-1.00', reason })
  const sent = await boss().counterSales.sell({
    customer_id,
    location_id,
    shown: { total: '25' },
    payments: pay(transfer.payment_method_id, '25'),
    lines: [{ kind: 'other', title: 'Agua', amount: '25' }],
  })
  const [waiting] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [
    sent.purchases[0]?.purchase_id,
  ])
  const [transferred] = await s.sql<{ task_id: string }>(
    `select 'transfer-' || sale_payment_id as task_id from sale_payment join sale using (sale_id) where state = 'pending' and customer_id = $1`,
    [customer_id],
  )
  await boss().today.decide({ task_id: transferred?.task_id ?? '', done: true, reason })
  await boss().counterSales.reject({ invoice_id: waiting?.invoice_id ?? 0, reason })
  await boss().studioSales.revokeAccess({ purchase_id: sent.purchases[0]?.purchase_id ?? 0, reason: 'Nunca llegó' })
  for (const [action, params] of [
    ['credits.extend', { days: 3 }],
    ['credits.freeze', {}],
  ] as const) {
    await boss().bulk.start({ action, ids: [customer_id], params, reason })
    await doJobs(s)
  }
  const purchase_id = sold.purchases[0]?.purchase_id ?? 0
  await boss().studioSales.refund({ purchase_id, amount: '50.00', reason, by_hand: true, payment_method_id: card.payment_method_id })
  const before = await textsWith(word)
  // References of payments and documents that were never stamped: erasure-trail.test.ts.
  const others = Object.keys(erasedThrough).filter((table) => table !== 'invoice' && table !== 'fiscal_document')
  expect(before).toEqual(expect.arrayContaining(others))
  await erasures().start({ customer_id, reason: 'Lo pidió' })
  s.clock.advance({ hours: 73 })
  await doJobs(s, 'customers.erase')
  expect(await textsWith(word)).toEqual([])
  await expect(s.sql(`update credit_movement set amount = 1, reason = null`)).rejects.toThrow('written once')
  await expect(s.sql(`update gift_card_movement set amount_centavos = 1, reason = 'Ajuste'`)).rejects.toThrow('never changed')
})

test('answers of repeated requests and gift cards of others that name them are erased too (X13)', async () => {
  const word = 'Yuririapúndaro'
  const [remaining, merged] = [await s.make.customer({ name: word }), await s.make.customer({ name: word, email: 'yuri@ejemplo.mx' })]
  await s.as(owner, randomUUID()).customerMerge.merge({ keep_id: remaining.customer_id, merge_id: merged.customer_id })
  await s.having({ gift_cards_on_site: true, gift_card_amounts: '500' }, async () => {
    const recipient = { name: word, email: remaining.email.toUpperCase() }
    await s.as(await s.make.customer(), randomUUID()).giftCardOrders.buy({ amount: '500', recipient, message: `Para ${word}` })
  })
  expect(await textsWith(word)).toEqual(expect.arrayContaining(['customer', 'gift_card_order', 'idempotency']))
  await erasures().start({ customer_id: remaining.customer_id, reason: 'Lo pidió' })
  s.clock.advance({ hours: 73 })
  await doJobs(s, 'customers.erase')
  for (const text of [word, remaining.email, 'yuri@ejemplo.mx']) expect(await textsWith(text)).toEqual([])
})

test('it is withdrawn within 72 hours, and new activity stops it (X14)', async () => {
  const [first, customer] = [{ customer_id: (await s.make.customer()).customer_id }, await s.make.customer()]
  const other = { customer_id: customer.customer_id }
  for (const { customer_id } of [first, other]) await erasures().start({ customer_id, reason: 'Lo pidió' })
  expect((await erasures().one(first)).erasure).toMatchObject({ by: 'Mónica', reason: 'Lo pidió' })
  await erasures().withdraw(first)
  expect((await erasures().one(first)).erasure).toBeNull()
  expect(await codeOf(erasures().withdraw(first))).toBe('NOT_FOUND')
  await s.make.lot(other)
  s.clock.advance({ hours: 71 })
  const cls = await s.make.class()
  await s.as(customer, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id })
  s.clock.advance({ hours: 2 })
  await doJobs(s, 'customers.erase')
  expect(await s.sql(`select outcome from customer_erasure order by customer_id desc limit 2`)).toEqual([
    { outcome: 'stopped' },
    { outcome: 'withdrawn' },
  ])
  expect((await s.as(owner).people.find(other)).customer.name).toMatch(/^Ana/)
})

test('activity during the removal of the log-in stops it, too (X14)', async () => {
  const customer = await s.make.customer()
  const { customer_id } = customer
  await s.make.lot(customer)
  const cls = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 90 * 3_600_000) })
  await erasures().start({ customer_id, reason: 'Lo pidió' })
  s.clock.advance({ hours: 73 })
  const { identity } = s.studio.ports
  const remove = vi.spyOn(identity, 'removeAccount').mockImplementationOnce(async () => {
    await s.as(desk).attendance.reserve({ customer_id, single_class_id: cls.single_class_id })
    return true
  })
  await doJobs(s, 'customers.erase')
  expect(remove).toHaveBeenCalledOnce()
  remove.mockRestore()
  expect((await s.as(owner).people.find({ customer_id })).customer.name).toMatch(/^Ana/)
  expect(await s.sql(`select outcome from customer_erasure where customer_id = $1`, [customer_id])).toEqual([{ outcome: 'stopped' }])
})

test('only staff with the right see and start it (X12)', async () => {
  const { customer_id } = await s.make.customer()
  expect(await codeOf(s.as(desk).customerErasure.start({ customer_id, reason: 'Lo pidió' }))).toBe('FORBIDDEN')
  expect(await codeOf(s.as(desk).customerErasure.one({ customer_id }))).toBe('FORBIDDEN')
})
