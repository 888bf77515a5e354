/** Places held while their purchase is paid (docs/domain.md W12, W13). */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { applyClassCancel } from '#server/modules/bookings/bookings.ts'
import { sweepWaitlists } from '#server/modules/bookings/customer/waitlist.ts'
import { bookingJobs } from '#server/modules/bookings/jobs.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { newRun } from '#server/testing/run.ts'
import { type Person, refusalOf, START } from '#server/testing/studio.ts'

const { s, run } = await openCheckoutStudio({ allow_class_guests: true, hold_while_paying: 15 })
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))
afterEach(async () => expect(await findBrokenInvariants(s)).toEqual({}))

const later = (minutes: number) => s.clock.set(new Date(new Date(START).getTime() + minutes * 60_000))
const wantedOf = (single_class_id: number, with_guest = false) => ({ single_class_id, day: '2026-11-25', spot: null, with_guest })

/** Runs the jobs of holds that are waiting. */
async function jobs(): Promise<void> {
  const waiting = await s.sql<{ data: { job: string; data: unknown } }>(
    `delete from jobs.job where data->>'job' in ('bookings.hold-while-paying', 'bookings.release-payment-hold') returning data`,
  )
  for (const { data } of waiting) await bookingJobs.find(({ name }) => name === data.job)?.work(s.system(data.job), data.data, newRun())
}

/** A purchase opened for a class, whose card waits for its bank. */
async function pay(person: Person, wanted: ReturnType<typeof wantedOf>, token = 'tok_3ds', key: string = randomUUID()) {
  const { class_package_id } = await s.make.package()
  const answer = await s.as(person, key).sales.attempt({ class_package_id, payment_method: token, wanted_class: wanted })
  await jobs()
  return { ...answer, class_package_id, key }
}

async function spots(single_class_id: number) {
  const [row] = await s.sql<{ taken: number; held: number }>('select taken, held from single_class where single_class_id = $1', [
    single_class_id,
  ])
  return row
}

test('holds the last spot for a customer who is paying, and shows the class as full to others (W12)', async () => {
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const { single_class_id } = await s.make.class({ capacity: 1 })
  await s.make.lot(luis)
  await pay(ana, wantedOf(single_class_id))
  expect(await spots(single_class_id)).toEqual({ taken: 0, held: 1 })
  expect(await refusalOf(s.as(luis).bookings.reserve({ single_class_id }))).toMatchObject({ code: 'CLASS_FULL' })
  expect((await s.as(luis).schedule.one({ single_class_id })).single_class).toMatchObject({ state: 'full', places_left: 0 })
  expect((await s.as(ana).schedule.one({ single_class_id })).single_class).toMatchObject({ state: 'available', places_left: 1 })
  // The payment arrives: the holder books by the ordinary rules, and the hold becomes the reservation.
  await s.make.lot(ana)
  await s.as(ana).bookings.reserve({ single_class_id })
  expect(await spots(single_class_id)).toEqual({ taken: 1, held: 0 })
})

test('holds nothing where the setting is off, or the class is full or unknown', async () => {
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const { single_class_id } = await s.make.class({ capacity: 1 })
  await s.having({ hold_while_paying: 0 }, async () => void (await pay(ana, wantedOf(single_class_id))))
  expect(await spots(single_class_id)).toEqual({ taken: 0, held: 0 })
  await s.make.lot(luis)
  await s.as(luis).bookings.reserve({ single_class_id })
  await pay(ana, wantedOf(single_class_id))
  expect(await spots(single_class_id)).toEqual({ taken: 1, held: 0 })
  expect(await pay(ana, wantedOf(2_000_000_000))).toMatchObject({ status: 'pending' })
})

test('holds a second spot for the guest, and releases it when no guest comes along', async () => {
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const { single_class_id } = await s.make.class({ capacity: 2 })
  await pay(ana, wantedOf(single_class_id, true))
  expect(await spots(single_class_id)).toEqual({ taken: 0, held: 2 })
  await s.make.lot(ana)
  await s.as(ana).bookings.reserve({ single_class_id })
  await s.make.lot(luis)
  await s.as(luis).bookings.reserve({ single_class_id })
  expect(await spots(single_class_id)).toEqual({ taken: 2, held: 0 })
})

test('ends at its expiry: at once for the next booking, within a minute for all views', async () => {
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const cls = await s.make.class({ capacity: 1 })
  await s.make.lot(luis)
  await pay(ana, wantedOf(cls.single_class_id))
  later(16)
  await s.as(luis).bookings.reserve({ single_class_id: cls.single_class_id })
  expect(await spots(cls.single_class_id)).toEqual({ taken: 1, held: 0 })
  const two = await s.make.class({ capacity: 1, starts_at: new Date(cls.starts_at.getTime() + 7_200_000) })
  await pay(ana, wantedOf(two.single_class_id))
  expect(await spots(two.single_class_id)).toEqual({ taken: 0, held: 1 })
  later(32)
  await sweepWaitlists(s.system())
  expect(await spots(two.single_class_id)).toEqual({ taken: 0, held: 0 })
})

test('ends when the purchase is given up or its time is over, first for the waitlist (W11)', async () => {
  await s.having({ waitlist_enabled: true, waitlist_mode: 'oferta' }, async () => {
    const [ana, luis] = [await s.make.customer(), await s.make.customer()]
    const { single_class_id } = await s.make.class({ capacity: 1 })
    const { purchase_id } = await pay(ana, wantedOf(single_class_id))
    await s.make.lot(luis)
    await s.as(luis).waitlist.join({ single_class_id })
    await s.as(ana).sales.giveUp({ purchase_id })
    await jobs()
    // Luis has the place now: held for him by the waitlist.
    expect(await spots(single_class_id)).toEqual({ taken: 0, held: 1 })
    expect((await s.as(luis).waitlist.list()).waitlists).toMatchObject([{ status: 'offered' }])
  })
})

test('keeps one hold per customer, the newest, and at most three in a class (W13)', async () => {
  const ana = await s.make.customer()
  const cls = await s.make.class({ capacity: 9 })
  const two = await s.make.class({ capacity: 9 })
  await pay(ana, wantedOf(cls.single_class_id))
  await pay(ana, wantedOf(cls.single_class_id))
  expect(await spots(cls.single_class_id)).toMatchObject({ held: 1 })
  await pay(ana, wantedOf(two.single_class_id))
  expect(await spots(cls.single_class_id)).toMatchObject({ held: 0 })
  expect(await spots(two.single_class_id)).toMatchObject({ held: 1 })
  await pay(ana, wantedOf(cls.single_class_id))
  await pay(ana, wantedOf(two.single_class_id))
  await pay(ana, wantedOf(cls.single_class_id))
  expect(await spots(cls.single_class_id)).toMatchObject({ held: 1 })
  await pay(ana, wantedOf(two.single_class_id))
  await pay(ana, wantedOf(cls.single_class_id))
  expect(await spots(cls.single_class_id)).toMatchObject({ held: 0 })
})

test('never lasts longer than booking, and ends with a cancelled class', async () => {
  const ana = await s.make.customer()
  const soon = await s.make.class({ capacity: 1, starts_at: new Date(new Date(START).getTime() + 600_000) })
  await pay(ana, wantedOf(soon.single_class_id))
  const [hold] = await s.sql<{ hold_until: Date }>('select hold_until from payment_hold where single_class_id = $1', [soon.single_class_id])
  expect(hold?.hold_until).toEqual(soon.starts_at)
  const boss = s.system()
  await boss.tx(async (tx) => void (await applyClassCancel(tx, boss, await lockClass(tx, boss, soon.single_class_id), 'Prueba')))
  expect(await spots(soon.single_class_id)).toEqual({ taken: 0, held: 0 })
  // The jobs of sales still run on it.
  later(60)
  await run('sales.sweep', {})
})
