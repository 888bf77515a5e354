/** Limits of the identity service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { LIMITS, openThrottle } from './throttle.ts'

let db: Db
beforeAll(async () => {
  db = openDb({ connection: await freshDatabase() })
})
afterAll(() => db.close())

const throttle = openThrottle({ ...LIMITS, probe: { max: 3, seconds: 30 } })
const at = (seconds: number) => new Date(Date.parse('2026-11-19T16:00:00Z') + seconds * 1000)

test('a full first bucket leaves the second unchanged', async () => {
  const both = (subject: string, seconds: number) =>
    db.tx((tx) =>
      throttle.take(
        tx,
        [
          ['probe', subject],
          ['mailTo', 'compartida'],
        ],
        at(seconds),
      ),
    )
  for (let n = 0; n < 20; n++) await both('uno', 0)
  // Three of the five of the shared bucket were used, not twenty.
  expect([await both('dos', 0), await both('dos', 0), await both('dos', 0)]).toEqual([true, true, false])
})
