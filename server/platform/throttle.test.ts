/** Leaky buckets in the database. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { type Db, openDb } from './db.ts'
import {
  addressGroup,
  clearAttempts,
  countAttempt,
  type Limit,
  returnAttempt,
  returnAttemptInside,
  sweepBuckets,
  throttle,
} from './throttle.ts'

let db: Db
beforeAll(async () => {
  db = openDb({ connection: await freshDatabase() })
})
afterAll(() => db.close())

/** Three tries at once, then one every ten seconds. */
const limitOf = (subject: string): Limit => ({ name: 'probe', subject, max: 3, seconds: 30 })
const START = Date.parse('2026-11-19T16:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000)
const take = (subject: string, seconds: number) => db.tx((tx) => countAttempt(tx, limitOf(subject), at(seconds)))

test('allows a burst, then one per interval; a long pause refills it', async () => {
  const tries: [number, boolean][] = [
    [0, true],
    [0, true],
    [0, true],
    [0, false],
    [9, false],
    [10, true],
    [10, false],
    [25, true],
    [29, false],
    [30, true],
    [500, true],
    [500, true],
    [500, true],
    [500, false],
  ]
  for (const [seconds, free] of tries) expect([seconds, await take('ana', seconds)]).toEqual([seconds, free])
  expect(await take('otra', 0)).toBe(true)
})

test('correcting a clock that was ahead delays no caller', async () => {
  const days = 86_400
  for (let n = 0; n < 5; n++) await take('reloj', 200 * days)
  expect([await take('reloj', 0), await take('reloj', 0), await take('reloj', 0), await take('reloj', 0)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  // A second back and forth, as clocks are corrected all the time, allows no further attempt.
  expect(await take('reloj', -1)).toBe(false)
})

test('in any period at most burst + period / interval attempts pass', async () => {
  let subject = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 12 }), async (pauses) => {
      subject++
      let clock = 0
      let through = 0
      for (const pause of pauses) {
        clock += pause
        if (await take(`p${subject}`, clock)) through++
      }
      expect(through).toBeLessThanOrEqual(3 + clock / 10)
      expect(through).toBeGreaterThanOrEqual(Math.min(pauses.length, 3))
    }),
    { numRuns: 25 },
  )
})

test('refused attempts do not prolong the wait, an attempt can be returned, a bucket emptied, and full ones are deleted', async () => {
  for (let n = 0; n < 10; n++) await take('eva', 0)
  expect(await take('eva', 10)).toBe(true)
  await db.tx((tx) => returnAttemptInside(tx, limitOf('eva')))
  expect(await take('eva', 10)).toBe(true)
  expect(await take('eva', 10)).toBe(false)
  await db.tx((tx) => clearAttempts(tx, limitOf('eva')))
  expect(await take('eva', 10)).toBe(true)
  await db.tx((tx) => sweepBuckets(tx, at(10_000)))
  expect((await db.pool.query('select * from throttle')).rows).toEqual([])
})

test('above the limit it refuses with the seconds to wait; a returned attempt is free again', async () => {
  const limit = { ...limitOf('sara'), cost: 2 }
  await throttle(db, limit, at(0))
  const refused = (seconds: number, more: Partial<Limit> = {}) =>
    throttle(db, { ...limit, ...more }, at(seconds)).then(
      () => null,
      (error: { code?: string; data?: object }) => [error.code, error.data],
    )
  expect(await refused(0)).toEqual(['TOO_MANY_REQUESTS', { retry_after: 10 }])
  expect(await refused(4)).toEqual(['TOO_MANY_REQUESTS', { retry_after: 6 }])
  expect(await refused(0, { cost: 4 })).toEqual(['TOO_MANY_REQUESTS', { retry_after: 20 }])
  await returnAttempt(db, limit)
  expect(await refused(0)).toBeNull()
})

test('concurrent attempts share a bucket: exactly the allowed number passes', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => take('todos', 0)))
  expect(results.filter(Boolean)).toHaveLength(3)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})
