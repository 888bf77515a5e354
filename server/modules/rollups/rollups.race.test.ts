/** Rollups that are derived while two processes book, cancel, mark and close lists: the stored counts are correct at any time. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { refreshRollups, wrongRollups } from './rollups.ts'

let s: TestStudio
let other: SecondProcess
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
})
afterAll(async () => {
  await other.close()
  await s.close()
})

const at = (n: number, person: Person) => (n % 2 === 0 ? s.as(person) : other.as(person))

test('bookings, cancellations, marks and closed lists against the job', async () => {
  const people: Person[] = []
  for (let n = 0; n < 8; n++) {
    const customer = await s.make.customer()
    await s.make.lot(customer)
    people.push(customer)
  }
  const owner = await s.make.staff('owner')
  const classes: number[] = []
  for (let hour = 0; hour < 4; hour++)
    classes.push((await s.make.class({ starts_at: new Date(s.clock.now().getTime() + (26 + hour) * 3_600_000) })).single_class_id)
  let done = false
  let looked = 0
  const deriving = (async () => {
    while (!done) {
      await refreshRollups(s.system(), 7)
      expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
      looked++
      await setTimeout(1)
    }
  })()
  /** One after the other of a person, all of them at once. */
  const lives = people.map(async (person, n) => {
    for (let round = 0; round < 6; round++) {
      const single_class_id = classes[(n + round) % classes.length] ?? 0
      const { class_reservation } = await at(n + round, person).bookings.reserve({ single_class_id })
      const { class_reservation_id } = class_reservation
      if (round % 3 === 0) await at(n, person).bookings.cancel({ class_reservation_id })
      else await s.sql(`update class_reservation set attend = $2 where class_reservation_id = $1`, [class_reservation_id, n % 2 === 0])
      // A former waitlist entry: left, or booked.
      const waited = [single_class_id, person.customer_id, round % 3 === 0 ? 'left' : 'booked']
      await s.sql(
        `insert into waitlist (single_class_id, customer_id, status, "createdAt", "updatedAt") values ($1, $2, $3, now(), now())`,
        waited,
      )
      if (round % 4 === 1)
        await s.sql(`update waitlist set status = 'passed' where single_class_id = $1 and customer_id = $2`, waited.slice(0, 2))
      if (round % 2)
        await s.sql(`update single_class set "settledAt" = case when "settledAt" is null then starts_at end where single_class_id = $1`, [
          single_class_id,
        ])
      if (round === 5) break
      if (round % 3 !== 0) await s.sql(`update class_reservation set attend = null where class_reservation_id = $1`, [class_reservation_id])
      if (round % 3 !== 0) await at(n, person).bookings.cancel({ class_reservation_id })
    }
  })
  await Promise.all(lives)
  done = true
  await deriving
  expect(looked).toBeGreaterThan(3)
  while ((await refreshRollups(s.system())) > 0);
  expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
  const [stored] = await s.sql<{ reservations: number; visits: number }>(
    `select (select sum(reservations)::int from class_rollup) as reservations, (select sum(visits)::int from visit_month) as visits`,
  )
  const [counted] = await s.sql<{ reservations: number; visits: number }>(
    `select (select count(*)::int from class_reservation where "deletedAt" is null or cancelled_by not in ('undo', 'move', 'studio')) as reservations,
       (select count(*)::int from class_reservation r join single_class c using (single_class_id) where r."deletedAt" is null
         and coalesce(r.attend, c."settledAt" is not null)) as visits`,
  )
  expect(stored).toEqual(counted)
  expect(counted?.visits).toBeGreaterThan(0)
  const [waits] = await s.sql<{ waited: number; outside: number }>(
    `select sum(waited)::int as waited, sum(cardinality(outside))::int as outside from class_rollup`,
  )
  const [slow] = await s.sql<{ waited: number; outside: number }>(
    `select count(*)::int as waited, count(*) filter (where not got_in)::int as outside from (
       select w.single_class_id, w.customer_id, bool_or(w.status = 'booked' or r.customer_id is not null) as got_in from waitlist w
         left join class_reservation r on r.single_class_id = w.single_class_id and r.customer_id = w.customer_id and r."deletedAt" is null group by 1, 2) one`,
  )
  expect(waits).toEqual(slow)
  expect(Math.min(slow?.outside ?? 0, (slow?.waited ?? 0) - (slow?.outside ?? 0))).toBeGreaterThan(0)
  const { totals } = await s.as(owner).reports.read({ key: 'asistencia', from: '2026-11-20', to: '2026-11-30' })
  expect(totals.reservations).toBe(counted?.reservations)
  expect(await findBrokenInvariants(s)).toEqual({})
})
