/** GET /admin/purchases/{id}: what the purchase gave, and the places that were paid with it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true } })
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

const DAY = 86_400_000

async function bought(person: Person): Promise<number> {
  const { class_package_id } = await s.make.package({ class_amount: 10 })
  const [row] = await s.sql<{ id: number }>(
    `insert into purchase (customer_id, title, class_package_id, amount_centavos, total_centavos, class_amount, expiration_days, is_subscription, gateway, status,
       request_hash, "createdAt", "updatedAt") values ($1, 'Diez', $2, 1000, 1000, 10, 30, false, 'sandbox', 'completed', 'x', now(), now()) returning purchase_id as id`,
    [person.customer_id, class_package_id],
  )
  return row?.id ?? 0
}

test('lists what is left of each lot and each reservation that the purchase paid, of guests too, in any state', async () => {
  const ana = await s.make.customer()
  const purchase_id = await bought(ana)
  const grants = async () => (await s.as(owner).studioSales.purchase({ purchase_id })).grants
  expect(await grants()).toEqual({ lots: [], class_reservations: [], class_reservations_total: 0 })

  const until = new Date(s.clock.now().getTime() + 30 * DAY)
  const { available_class_id } = await s.make.lot(ana, { purchase_id, period: 'once', title: 'Diez', granted: 10, expires_at: until })
  const other = await s.make.customer()
  await s.make.lot(other, { granted: 10, expires_at: until })
  const [soon, later, third] = await Promise.all(
    [1, 2, 3].map((days) => s.make.class({ starts_at: new Date(s.clock.now().getTime() + days * DAY) })),
  )
  if (!soon || !later || !third) throw new Error('No classes.')
  await s.as(other).bookings.reserve({ single_class_id: soon.single_class_id })
  await s.as(ana).bookings.reserve({ single_class_id: soon.single_class_id, guest: 'Jimena' })
  await s.as(ana).bookings.reserve({ single_class_id: later.single_class_id })
  await s.as(ana).bookings.reserve({ single_class_id: third.single_class_id })
  const mine = await s.sql<{ class_reservation_id: number }>(
    'select class_reservation_id from class_reservation where single_class_id = $1 and customer_id = $2',
    [third.single_class_id, ana.customer_id],
  )
  await s.as(ana).bookings.cancel({ class_reservation_id: mine[0]?.class_reservation_id ?? 0 })
  await s.sql('update class_reservation set attend = false where single_class_id = $1 and customer_id = $2', [
    later.single_class_id,
    ana.customer_id,
  ])

  const { lots, class_reservations, class_reservations_total } = await grants()
  expect(lots).toEqual([expect.objectContaining({ available_class_id, title: 'Diez', state: 'alive', granted: 10, available_classes: 7 })])
  expect(class_reservations.map(({ status, guest }) => [status, guest])).toEqual([
    ['cancelled', null],
    ['absent', null],
    ['reserved', 'Jimena'],
    ['reserved', null],
  ])
  expect(class_reservations_total).toBe(4)
  // The row of a guest leads to the reservation of who brought them.
  expect(new Set(class_reservations.slice(2).map((classReservation) => classReservation.class_reservation_id)).size).toBe(1)

  s.clock.advance({ days: 31 })
  expect((await grants()).lots[0]).toMatchObject({ state: 'expired', available_classes: 7 })
})
