/** What the reserve dialog announces is what the ledger shows afterwards, over random lots (C3-C5, H6, settled 18; S2-2.27). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreditSpend } from '#contract/schedule.ts'
import { Chance } from '#server/demo/chance.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true } })
})
afterAll(() => s.close())

const DAY = 86_400_000
/** A whole number, both ends included. */
const whole = (chance: Chance, from: number, to: number) => Math.floor(chance.between(from, to + 1))

/** One to four lots: counted with few credits or unlimited, restricted or not, some of no use for the class. */
async function randomCreditLots(chance: Chance, person: Person, types: { here: number; elsewhere: number }): Promise<void> {
  for (let n = whole(chance, 1, 4); n > 0; n--) {
    const unlimited = chance.happens(0.15)
    const balance = whole(chance, 1, 3)
    await s.make.lot(person, {
      title: chance.one(['Una ronda', 'Ocho rondas', 'Ilimitado']),
      ...(unlimited ? { unlimited, granted: null } : { granted: balance }),
      is_courtesy: chance.happens(0.2),
      is_online: chance.happens(0.1),
      guests_use_credit: chance.happens(0.8),
      class_type_ids: chance.one([null, null, [types.here], [types.elsewhere], [types.here, types.elsewhere]]),
      allowed_times: chance.happens(0.2) ? [{ days: [whole(chance, 1, 7)], from: '00:00', to: '24:00' }] : [],
      ...(chance.happens(0.2)
        ? { expires_at: null, days_from_first_class: 30 }
        : { expires_at: new Date(s.clock.now().getTime() + whole(chance, 1, 40) * DAY) }),
      frozenAt: chance.happens(0.1) ? s.clock.now() : null,
    })
  }
}

/** The credits that these reservations took by the ledger, lot by lot. */
const creditsSpent = (class_reservation_id: number) =>
  s.sql<{ id: number; places: number; credits: number; left: number }>(
    `select m.available_class_id as id, count(*)::int as places, -sum(m.amount)::int as credits,
            case when l.unlimited then -1 else l.balance end as left
     from credit_movement m
     join class_reservation r using (class_reservation_id)
     join available_class l on l.available_class_id = m.available_class_id
     where m.kind = 'spend' and $1 in (r.class_reservation_id, r.host_reservation_id)
     group by m.available_class_id, l.unlimited, l.balance order by 1`,
    [class_reservation_id],
  )
const announced = (spends: readonly CreditSpend[]) =>
  spends.map(({ available_class_id: id, places, credits, left }) => ({ id, places, credits, left })).sort((a, b) => a.id - b.id)

test('the announced credits are the ones taken, alone, with a guest, and for a guest added later', async () => {
  const chance = new Chance(18)
  const [here, elsewhere] = [await s.make.classType(), await s.make.classType()]
  const types = { here: here.class_type_id, elsewhere: elsewhere.class_type_id }
  const seen = { alone: 0, together: 0, mixed: 0, joined: 0, refused: 0 }
  for (let n = 0; n < 120; n++) {
    const customer = await s.make.customer()
    await randomCreditLots(chance, customer, types)
    const starts_at = new Date(s.clock.now().getTime() + whole(chance, 1, 20) * DAY)
    const { single_class_id } = await s.make.class({ starts_at, class_type_id: types.here, capacity: 5 })
    const detail = async () => (await s.as(customer).schedule.one({ single_class_id })).single_class
    const { credits } = await detail()
    if (credits.length === 0) continue
    const { available_class_id, spends } = chance.one(credits)
    const guest = chance.happens(0.6)
    const plan = guest ? spends.with_guest : spends.alone
    const booking = s.as(customer).bookings.reserve({ single_class_id, available_class_id, ...(guest ? { guest: 'Jimena' } : {}) })
    if (!plan) {
      await expect(booking).rejects.toMatchObject({ code: 'NO_CREDITS' })
      seen.refused++
      continue
    }
    const { class_reservation_id } = (await booking).class_reservation
    expect(await creditsSpent(class_reservation_id), `case ${n}`).toEqual(announced(plan))
    seen[guest ? 'together' : 'alone']++
    if (plan.length > 1) seen.mixed++
    if (guest) continue

    const { guest_spend } = await detail()
    const before = await creditsSpent(class_reservation_id)
    const joining = s.as(customer).bookings.guest({ class_reservation_id, name: 'Jimena' })
    if (!guest_spend) {
      await expect(joining).rejects.toMatchObject({ code: 'NO_CREDITS' })
      seen.refused++
      continue
    }
    await joining
    const after = await creditsSpent(class_reservation_id)
    const host = before.find(({ id }) => id === guest_spend.available_class_id)
    expect(
      after.find(({ id }) => id === guest_spend.available_class_id),
      `case ${n}`,
    ).toEqual({
      id: guest_spend.available_class_id,
      places: (host?.places ?? 0) + 1,
      credits: (host?.credits ?? 0) + guest_spend.credits,
      left: guest_spend.left,
    })
    seen.joined++
  }
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(4)
})
