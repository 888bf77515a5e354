/** Single places sold at the counter, over HTTP: a sale with its charge, and money that is owed when they are given up (V45, R22, V37). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let manager: Person
let owner: Person
let cash: number
let terminal: number
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  manager = await s.make.staff('manager')
  owner = await s.make.staff('owner')
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  terminal = (await s.make.paymentMethod({ name: 'Terminal bancaria' })).payment_method_id
})
afterAll(() => s.close())
beforeEach(() => s.reset({ drop_in_price: '220.00', allow_class_guests: true }))

const desk = (key?: string) => s.as(manager, key).attendance
async function buySpot(more: { guest?: string; single_class_id?: number } = {}) {
  const customer = await s.make.customer()
  const single_class_id = more.single_class_id ?? (await s.make.class()).single_class_id
  const { class_reservation } = await desk().reserve({ customer_id: customer.customer_id, single_class_id, is_cash: true, ...more })
  return { who: customer, single_class_id, class_reservation_id: class_reservation.class_reservation_id, owed: class_reservation.owed }
}
const sales = async (person: Person) => (await s.as(manager).studioSales.purchases({ customer_id: person.customer_id })).purchases
const charges = async (person: Person) => (await s.as(manager).studioSales.invoices({ customer_id: person.customer_id })).invoices
const owedTo = async (person: Person) => (await s.as(person).sales.list()).purchases.map((purchase) => purchase.refund_owed)
const messagesOf = (person: Person) =>
  s.sql<{ title: string }>(
    `select words->>'title' as title from message where customer_id = $1 and event = 'refund_owed' and channel = 'app' order by message_id`,
    [person.customer_id],
  )
const due = (person: Person) =>
  s.sql<{ closed_by: string | null }>(
    `select d.closed_by from money_difference d join purchase p using (purchase_id) where p.customer_id = $1 and d.kind = 'refund_due'`,
    [person.customer_id],
  )

test('the price comes from the class, its type, or the setting; without any the booking is refused with what to set', async () => {
  const free = await s.make.class()
  expect((await buySpot({ single_class_id: free.single_class_id })).owed).toBe('220.00')
  const [type] = await s.sql<{ class_type_id: number }>('select class_type_id from single_class where single_class_id = $1', [
    free.single_class_id,
  ])
  await s.as(owner).catalogue.admin.classTypes.update({ class_type_id: type?.class_type_id ?? 0, price: '250' })
  expect((await buySpot({ single_class_id: free.single_class_id })).owed).toBe('250.00')
  await s.as(manager).schedule.update({ single_class_id: free.single_class_id, price: '300.50' })
  const last = await buySpot({ single_class_id: free.single_class_id })
  expect(last.owed).toBe('300.50')
  // Frozen when it was taken: another price later changes nothing.
  await s.as(manager).schedule.update({ single_class_id: free.single_class_id, price: null })
  const { class_reservations } = await desk().roster({ single_class_id: free.single_class_id })
  expect(class_reservations.map((classReservation) => classReservation.owed).sort()).toEqual(['220.00', '250.00', '300.50'])
  await s.as(owner).catalogue.admin.classTypes.update({ class_type_id: type?.class_type_id ?? 0, price: null })

  await s.having({ drop_in_price: '' }, async () => {
    const [customer, cls] = [await s.make.customer(), await s.make.class()]
    const refused = await refusalOf(
      desk().reserve({ customer_id: customer.customer_id, single_class_id: cls.single_class_id, is_cash: true }),
    )
    expect(refused).toMatchObject({ code: 'PRICE_MISSING', status: 412 })
    expect(refused.message).toContain('drop_in_price')
    expect((await desk().roster({ single_class_id: cls.single_class_id })).class_reservations).toEqual([])
    // A reservation from before prices were stored is not paid without a price either.
    await s.sql('update class_reservation set price_centavos = null where class_reservation_id = $1', [last.class_reservation_id])
    expect(await codeOf(desk().paid({ class_reservation_id: last.class_reservation_id }))).toBe('PRICE_MISSING')
    expect(await sales(last.who)).toEqual([])
  })
})

test('receiving the money is one sale: purchase, charge with location, staff, method and tax, and receipt; also when repeated concurrently', async () => {
  const { who, class_reservation_id, single_class_id } = await buySpot({ guest: 'Jimena' })
  const input = { class_reservation_id, payment_method_id: terminal, reference: 'AUT 004512' }
  expect(await refusalOf(desk().paid({ ...input, amount: '220.00' }))).toMatchObject({ code: 'PRICE_CHANGED', data: { total: '440.00' } })
  expect(await codeOf(desk().paid({ ...input, payment_method_id: 999 }))).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(await sales(who)).toEqual([])

  const all = await Promise.all(Array.from({ length: 4 }, () => desk().paid({ ...input, amount: '440' })))
  expect(all.map((answer) => [answer.class_reservation.is_paid, answer.class_reservation.owed])).toEqual(Array(4).fill([true, null]))
  expect(await sales(who)).toMatchObject([
    {
      status: 'completed',
      total_payment: '440.00',
      gateway: 'mostrador',
      class_package: null,
      staff_id: expect.any(Number),
      title: expect.stringMatching(/, \w{3} \d{2} \w{3}, \d{2}:\d{2} \(2 lugares\)$/),
      payment_method: { name: 'Terminal bancaria' },
    },
  ])
  const [cls] = await s.sql<{ location_id: number }>('select location_id from single_class where single_class_id = $1', [single_class_id])
  expect(await charges(who)).toMatchObject([
    {
      total_payment: '440.00',
      status: 'paid',
      gateway: 'mostrador',
      payment_method_id: terminal,
      reference: 'AUT 004512',
      location_id: cls?.location_id,
      staff_id: expect.any(Number),
      class_package: null,
      tax: { rate: 16, net: '379.31', amount: '60.69' },
    },
  ])
  expect((await s.as(who).invoices.list({})).invoices).toMatchObject([{ total_payment: '440.00' }])
  const id = (await sales(who))[0]?.purchase_id ?? 0
  expect((await s.as(who).invoices.receipt({ id })).type).toBe('application/pdf')
  const receipts = `select 1 from jobs.job where data->>'job' = 'sales.receipt' and data->'data'->>'purchase_id' = $1`
  expect(await s.sql(receipts, [String(id)])).toHaveLength(1)
  await reconcile(s.system())
  expect(await s.sql('select 1 from money_difference where purchase_id = $1', [id])).toEqual([])
})

test('a walk-in is booked and paid in one call, once per key', async () => {
  const [customer, cls, key] = [await s.make.customer(), await s.make.class(), randomUUID()]
  const input = { customer_id: customer.customer_id, single_class_id: cls.single_class_id, is_cash: true, is_paid: true }
  for (let n = 0; n < 2; n++)
    expect((await desk(key).reserve(input)).class_reservation).toMatchObject({ is_paid: true, owed: null, status: 'Próxima' })
  expect(await charges(customer)).toMatchObject([{ total_payment: '220.00', gateway: 'efectivo', payment_method_id: cash }])
  expect(await codeOf(desk().reserve({ ...input, is_cash: false }))).toBe('INVALID_INPUT')
})

test('cancelled in time, the money is owed and notified until it was refunded; a forfeited one is not', async () => {
  const unrefunded = await buySpot()
  await desk().paid({ class_reservation_id: unrefunded.class_reservation_id })
  await desk().cancel({ class_reservation_id: unrefunded.class_reservation_id, reason: 'No avisó', credit: 'keep' })
  expect(await owedTo(unrefunded.who)).toEqual(['0.00'])

  const { who, class_reservation_id } = await buySpot()
  await desk().paid({ class_reservation_id, payment_method_id: terminal })
  await desk().cancel({ class_reservation_id, reason: 'Está enferma' })
  expect(await owedTo(who)).toEqual(['220.00'])
  await doJobs(s)
  expect(await messagesOf(who)).toEqual([{ title: 'Te debemos $220.00' }])
  const { money_differences } = await s.as(owner).differences.list()
  expect(money_differences[0]).toMatchObject({ kind: 'refund_due', gateway: 'mostrador', closedAt: null, details: { amount: 22_000 } })
  await reconcile(s.system())
  expect(await due(who)).toEqual([{ closed_by: null }])

  const [sale] = await sales(who)
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: sale?.purchase_id ?? 0, reason: 'Clase suelta', by_hand: true })
  expect(await owedTo(who)).toEqual(['0.00'])
  await reconcile(s.system())
  expect(await due(who)).toEqual([{ closed_by: 'mended' }])
  const { refunds } = await s.as(owner).studioSales.refunds({ customer_id: who.customer_id })
  expect(refunds).toMatchObject([{ amount: '220.00', payment_method_id: cash, gateway: 'efectivo' }])
})

test('a guest cancelled alone is owed alone; the rest when the host cancels too', async () => {
  const { who, class_reservation_id } = await buySpot({ guest: 'Jimena' })
  await desk().paid({ class_reservation_id })
  await s.having({ allow_cancel_reservations: true }, async () => {
    await s.as(who, randomUUID()).bookings.removeGuest({ class_reservation_id })
    await doJobs(s)
    expect(await owedTo(who)).toEqual(['220.00'])
    await s.as(who, randomUUID()).bookings.cancel({ class_reservation_id })
  })
  await doJobs(s)
  expect(await owedTo(who)).toEqual(['440.00'])
  expect(await messagesOf(who)).toEqual([{ title: 'Te debemos $220.00' }, { title: 'Te debemos $440.00' }])
})

test('a class cancelled by the studio owes its cash reservations, until the cancellation is undone', async () => {
  const { who, single_class_id, class_reservation_id } = await buySpot()
  await desk().paid({ class_reservation_id })
  await s.as(manager).schedule.cancel({ single_class_id })
  expect(await owedTo(who)).toEqual(['220.00'])
  expect((await s.as(manager).schedule.restore({ single_class_id })).restored).toBe(1)
  expect(await owedTo(who)).toEqual(['0.00'])
  expect((await desk().roster({ single_class_id })).class_reservations).toMatchObject([{ is_paid: true, owed: null }])
})

test('the payment moves along to another class', async () => {
  const [from, to] = [await s.make.class(), await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 96 * 3_600_000) })]
  const { who, class_reservation_id } = await buySpot({ single_class_id: from.single_class_id })
  await desk().paid({ class_reservation_id })
  await s.having({ allow_cancel_reservations: true }, async () => {
    await s.as(who, randomUUID()).bookings.move({ class_reservation_id, single_class_id: to.single_class_id })
  })
  expect((await desk().roster({ single_class_id: to.single_class_id })).class_reservations).toMatchObject([
    { is_cash: true, is_paid: true },
  ])
  expect(await owedTo(who)).toEqual(['0.00'])
})

test('a full refund cancels the reservation', async () => {
  const { who, single_class_id, class_reservation_id } = await buySpot()
  await desk().paid({ class_reservation_id })
  const [sale] = await sales(who)
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: sale?.purchase_id ?? 0, reason: 'Se mudó' })
  await doJobs(s)
  expect((await desk().roster({ single_class_id })).class_reservations).toEqual([])
  expect(await owedTo(who)).toEqual(['0.00'])
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
