/**
 * Runs a thousand random operations of a studio. After each one the invariants hold: every count equals its rows, no balance is negative,
 * and no spot is held after its expiry.
 */
import { afterAll, expect, test } from 'vitest'
import { Chance } from '#server/demo/chance.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { makeWorld, randomWalk, steps } from '#server/testing/random-walk.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'

const STEPS = 1_000

const opened: TestStudio[] = []
afterAll(async () => {
  for (const s of opened) await s.close()
})

async function busyStudio(): Promise<TestStudio> {
  const s = await studio({
    settings: {
      cash_session_required: false,
      waitlist_enabled: true,
      waitlist_mode: 'oferta',
      allow_class_guests: true,
      unlimited_membership_penalties_enabled: true,
      unlimited_max_no_shows_for_penalty: 1,
      unlimited_penalty_days: 1,
      cancel_timeframe_value: 4,
      allow_cancel_after_treshold: true,
      undo_minutes: 5,
      cash_hold_hours: 3,
      drop_in_price: '220.00',
      reservation_rating_enabled: true,
    },
  })
  opened.push(s)
  return s
}

/** What must be so after every single step, besides places, seats and credits. */
const ALSO: Record<string, string> = {
  'nobody waits for a class in which they have a place': `
    select w.waitlist_id from waitlist w join class_reservation r using (single_class_id, customer_id)
    where w.status in ('waiting', 'offered') and r."deletedAt" is null`,
  'an offer has a clock, and nothing else has one': `select waitlist_id from waitlist where (status = 'offered') <> (offer_until is not null)`,
  'a booked entry has its place': `select waitlist_id from waitlist where status = 'booked' and class_reservation_id is null`,
  'a cancelled class holds nobody and nothing': `
    select single_class_id from single_class where "cancelledAt" is not null and (taken > 0 or held > 0)`,
  'a room with a map has a seat for everybody in it': `
    select r.class_reservation_id from class_reservation r join single_class c using (single_class_id)
    where r."deletedAt" is null and (c.spot_map is not null) <> (r.spot is not null)`,
  'nobody is in two classes at the same hours, unless the studio moved one': `
    select a.class_reservation_id, b.class_reservation_id from class_reservation a join class_reservation b using (customer_id)
    join single_class x on x.single_class_id = a.single_class_id join single_class y on y.single_class_id = b.single_class_id
    where a.class_reservation_id < b.class_reservation_id and a."deletedAt" is null and b."deletedAt" is null
      and a.host_reservation_id is null and b.host_reservation_id is null and x.starts_at < y.ends_at and y.starts_at < x.ends_at
      and coalesce(x."movedAt", '-infinity') < a."createdAt" and coalesce(y."movedAt", '-infinity') < b."createdAt"`,
  'a counted lot has what was given less the places that it paid and kept': `
    select l.available_class_id, l.balance from available_class l where not l.unlimited and l.balance <>
      (select sum(m.amount) from credit_movement m where m.available_class_id = l.available_class_id and m.kind not in ('spend', 'give_back'))
      - (select count(*) from class_reservation r where r.available_class_id = l.available_class_id and (r."deletedAt" is null or r.cancelled_late
          or (l."revokedAt" is not null and r."deletedAt" >= l."revokedAt")))`,
  'no place is held past the end of booking': `
    select w.waitlist_id from waitlist w join single_class c using (single_class_id) where w.offer_until > c.starts_at`,
  'a lot that was taken away has nothing left':
    'select available_class_id from available_class where "revokedAt" is not null and balance > 0',
  'what is frozen or gone pays for nothing new': `
    select r.class_reservation_id from class_reservation r join available_class l using (available_class_id)
    where r."createdAt" > coalesce(l."frozenAt", l."revokedAt") and r.source <> 'restored'`,
  'who has a penalty has nothing booked since': `
    select r.class_reservation_id from class_reservation r join class_reservation_penalty p using (customer_id)
    where p."forgivenAt" is null and r."createdAt" > p.starts_at and r."createdAt" < p.ends_at and r.source not in ('staff', 'restored')`,
  'nobody sits on a seat that is out of order': `
    select r.class_reservation_id from class_reservation r join single_class c using (single_class_id)
    where r."deletedAt" is null and r.spot = any(c.closed_spots)`,
  'nothing is told twice': `
    select event, about, customer_id, channel from message group by event, about, customer_id, staff_id, channel having count(*) > 1`,
}
async function wrong(s: TestStudio): Promise<object> {
  const found = await Promise.all(Object.entries(ALSO).map(async ([what, text]) => [what, await s.sql(text)] as const))
  return { ...(await findBrokenInvariants(s)), ...Object.fromEntries(found.filter(([, rows]) => rows.length > 0)) }
}

/** What succeeded or was refused in all the walks together. */
const codes = new Set<string>()
const REFUSALS = ['CLASS_FULL', 'SPOT_TAKEN', 'NO_CREDITS', 'PENALTY_ACTIVE', 'CAPACITY_BELOW_TAKEN', 'OFFER_GONE']

// Each step is a request, after which all invariants are read again.
test.each([1, 2])(`${STEPS} random steps keep every invariant (%i)`, { timeout: 480_000 }, async (seed) => {
  const s = await busyStudio()
  const world = await makeWorld(s, { people: 10, classes: 4 })
  const all = steps(s, world)
  const luck = new Chance(seed)
  // An operation that never succeeds is not tested by the walk: the last walk continues until each one did, for at most the same number of
  // steps again.
  const never = () => [...Object.keys(all), ...REFUSALS].filter((name) => !codes.has(name))
  const goesOn = (n: number) => n < STEPS || (seed === 2 && n < 2 * STEPS && never().length > 0)
  for (let n = 0; goesOn(n); n++) {
    const { name, outcome } = await randomWalk(all, world, luck, (person) => s.as(person))
    codes.add(outcome === 'ok' ? name : outcome)
    expect({ after: `${n} ${name} ${outcome}`, ...(await wrong(s)) }).toEqual({ after: `${n} ${name} ${outcome}` })
    if (name === 'the jobs run') {
      const late = await s.sql(`select waitlist_id from waitlist where offer_until <= $1`, [s.clock.now().toISOString()])
      expect({ n, late }).toEqual({ n, late: [] })
    }
  }
  if (seed === 2) expect(never()).toEqual([])
})
