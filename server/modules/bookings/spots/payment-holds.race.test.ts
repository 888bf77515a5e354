/** The last places of a class between paying customers, bookings and expiring holds, through two processes: never one too many (W12). */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { outcomes } from '#server/testing/outcomes.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { holdWhilePaying, releasePaymentHold } from './payment-holds.ts'

const PEOPLE = 12

let s: TestStudio
let other: SecondProcess
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true, hold_while_paying: 15, cash_session_required: false } })
  await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
  other = await secondProcess(s)
})
afterAll(async () => {
  await other.close()
  await s.close()
})
afterEach(async () => expect(await findBrokenInvariants(s)).toEqual({}))

const at = (n: number, person: Person, key?: string): Client => (n % 2 === 0 ? s.as(person, key) : other.as(person, key))

/** People whose purchase for the class waits for their bank; every third one brings a guest. */
async function payers(n: number, single_class_id: number) {
  const { class_package_id } = await s.make.package()
  return Promise.all(
    Array.from({ length: n }, async (_, i) => {
      const customer = await s.make.customer()
      const wanted_class = { single_class_id, day: '2026-11-25', spot: null, with_guest: i % 3 === 0 }
      const { purchase_id } = await at(i, customer, randomUUID()).sales.attempt({
        class_package_id,
        payment_method: 'tok_3ds',
        wanted_class,
      })
      return { who: customer, purchase_id }
    }),
  )
}
const row = async (single_class_id: number) =>
  (await s.sql<{ taken: number; held: number }>('select taken, held from single_class where single_class_id = $1', [single_class_id]))[0]

test('people who pay and people who book share the last places', async () => {
  const { single_class_id } = await s.make.class({ capacity: 5 })
  const paying = await payers(PEOPLE, single_class_id)
  const booking = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const customer = await s.make.customer()
      await s.make.lot(customer)
      return customer
    }),
  )
  const [booked] = await Promise.all([
    outcomes(booking.map((person, n) => at(n, person).bookings.reserve({ single_class_id }))),
    Promise.all(paying.map(({ purchase_id }) => holdWhilePaying(s.system(), { purchase_id }))),
  ])
  const after = await row(single_class_id)
  expect((after?.taken ?? 0) + (after?.held ?? 0)).toBe(5)
  expect(booked.ok ?? 0).toBe(after?.taken)
})

test('a hold that ends while its holder and others book is counted once', async () => {
  for (let round = 0; round < 4; round++) {
    const { single_class_id } = await s.make.class({ capacity: 1 })
    const [holder] = await payers(1, single_class_id).then(async (payers) => {
      // The first hold has a guest, for whom there is no spot: it books one spot alone.
      await s.sql('update purchase set wanted_class = jsonb_set(wanted_class, $2, $3) where purchase_id = $1', [
        payers[0]?.purchase_id,
        '{with_guest}',
        'false',
      ])
      return payers
    })
    if (!holder) throw new Error('nobody pays')
    await holdWhilePaying(s.system(), holder)
    expect(await row(single_class_id)).toEqual({ taken: 0, held: 1 })
    await s.make.lot(holder.who)
    const rival = await s.make.customer()
    await s.make.lot(rival)
    const [booked] = await Promise.all([
      outcomes([at(0, rival).bookings.reserve({ single_class_id }), at(1, holder.who).bookings.reserve({ single_class_id })]),
      releasePaymentHold(s.system(), holder),
      releasePaymentHold(s.system(), holder),
    ])
    expect(booked.ok).toBe(1)
    expect(await row(single_class_id)).toEqual({ taken: 1, held: 0 })
  }
})
