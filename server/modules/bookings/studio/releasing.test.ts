/** Access that is revoked while the customer is in the class: they stay on the roster and owe the reservation (docs/domain.md R24, R22). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let reception: Person
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true, drop_in_price: '220.00', cash_session_required: false } })
  reception = await s.make.staff('reception')
})
afterAll(() => s.close())
beforeEach(() => s.reset({ allow_class_guests: true, drop_in_price: '220.00' }))

/** A customer with a reservation paid by a purchase, in a class that begins in 25 minutes; with or without a guest. */
async function booked(guest?: string) {
  const [customer, classPackage] = [await s.make.customer(), await s.make.package()]
  const { purchase_id } = await s.as(customer).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' })
  const { single_class_id } = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 25 * 60_000), capacity: 5 })
  const { class_reservation } = await s.as(customer).bookings.reserve({ single_class_id, ...(guest ? { guest } : {}) })
  return { who: customer, purchase_id, single_class_id, id: class_reservation.class_reservation_id }
}
const roster = async (single_class_id: number) => (await s.as(reception).attendance.roster({ single_class_id })).class_reservations
async function takeAway(purchase_id: number) {
  await s.as(reception).studioSales.revokeAccess({ purchase_id, reason: 'Se vendió por error' })
  await doJobs(s)
}

test('a customer marked as present keeps the reservation, owes it, and pays at the counter', async () => {
  const { purchase_id, single_class_id, id } = await booked()
  await s.as(reception).attendance.mark({ class_reservation_id: id, attend: true })
  await takeAway(purchase_id)
  expect(await roster(single_class_id)).toMatchObject([
    { class_reservation_id: id, attend: true, is_cash: true, is_paid: false, owed: '220.00', paid_with: null, deletedAt: null },
  ])
  await takeAway(purchase_id)
  s.clock.advance({ minutes: 30 })
  await doJobs(s, 'bookings.unpaid')
  expect(await roster(single_class_id)).toMatchObject([{ is_paid: false }])
  await s.as(reception).attendance.paid({ class_reservation_id: id })
  await takeAway(purchase_id)
  expect(await roster(single_class_id)).toMatchObject([{ attend: true, is_paid: true, owed: null }])
  expect(await s.sql(`select reason from audit where action = 'reservation.owed' and entity_id = $1`, [String(id)])).toHaveLength(1)
  expect(await findBrokenInvariants(s)).toEqual({})
})

test('a guest marked as present keeps both on the roster', async () => {
  const { purchase_id, single_class_id } = await booked('Rosa')
  const [row] = await roster(single_class_id)
  await s.as(reception).attendance.mark({ class_reservation_id: row?.guest_reservation_id ?? 0, attend: true })
  await takeAway(purchase_id)
  expect(await roster(single_class_id)).toMatchObject([
    { guest: 'Rosa', guest_attend: true, is_cash: true, is_paid: false, owed: '440.00' },
  ])
  expect(await findBrokenInvariants(s)).toEqual({})
})

test('a customer who has not come yet loses the reservation', async () => {
  const { purchase_id, single_class_id, id } = await booked()
  await s.as(reception).attendance.mark({ class_reservation_id: id, attend: true })
  await s.as(reception).attendance.mark({ class_reservation_id: id, attend: null })
  await takeAway(purchase_id)
  expect(await roster(single_class_id)).toEqual([])
})
