/**
 * Races on the tables alone: naive SQL (read, wait, write) in databases of their own. Without the tables' constraints every race must go
 * wrong, otherwise a test of the real code proves nothing; with them the table itself must refuse.
 */
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { countOutcomes } from './outcomes.ts'
import { freshDatabase } from './postgres.ts'

const AT_ONCE = 20

export interface Bare {
  row<R extends object>(text: string, values?: unknown[]): Promise<R>
  value(text: string, values?: unknown[]): Promise<number>
  /** Runs statements concurrently and counts their results; the name of the constraint where one refused. */
  together(calls: [text: string, values: unknown[]][]): Promise<Record<string, number>>
}

interface Races {
  /** SQL of the naive functions, and what they need. */
  naive: string
  /** SQL that removes the constraints. */
  guardsOff: string
  /** `refusedBy`: the constraint or index that refuses it. */
  races: Record<string, { refusedBy: string; run(db: Bare): Promise<Record<string, number>> }>
}

/** Defines the tests "without locks" of a race file. */
export function racesWithoutLocks({ naive, guardsOff, races }: Races): void {
  describe('without locks', () => {
    const pools: pg.Pool[] = []
    afterAll(() => Promise.all(pools.map((pool) => pool.end())))

    async function open(guards: 'on' | 'off'): Promise<Bare> {
      const pool = new pg.Pool({ connectionString: await freshDatabase(), max: AT_ONCE })
      pools.push(pool)
      await pool.query(naive)
      if (guards === 'off') await pool.query(guardsOff)
      // Opens every connection before the race: on a busy machine that takes longer than the pause.
      await Promise.all(Array.from({ length: AT_ONCE }, () => pool.query('select pg_sleep(0.1)')))
      const row = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows[0]
      const value = async (text: string, values?: unknown[]) => Object.values(await row(text, values))[0]
      return {
        row,
        value: async (text, values) => Number(await value(text, values)),
        together: async (calls) =>
          countOutcomes(
            await Promise.all(
              calls.map(([text, values]) => value(text, values).then(String, (error) => String(error.constraint ?? error.message))),
            ),
          ),
      }
    }

    test.each(Object.entries(races))('and without guards, %s goes wrong', async (_what, { run }) => {
      expect((await run(await open('off'))).ok).toBeGreaterThan(1)
    })

    test.each(Object.entries(races))('the tables themselves refuse: %s', async (_what, { run, refusedBy }) => {
      const outcome = await run(await open('on'))
      expect(outcome.ok).toBe(1)
      expect(outcome[refusedBy]).toBeGreaterThan(0)
    })
  })
}
