/**
 * Prepared statements of bookings, purchases and weeks get a plan that PostgreSQL keeps (docs/performance.md): where it sees a value that
 * makes a plan of its own look cheaper, it plans the statement again at every execution, which takes longer than running it.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { listClasses, listClassesAndNames } from '#server/modules/bookings/store/timetable-store.ts'
import { studio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

/** PostgreSQL plans the first five executions with their values. */
const PLANNED_WITH_VALUES = 5
const TIMES = 40

test('bookings, weeks and purchases do not plan their prepared statements again and again', async () => {
  const s = await studio()
  const people = await Promise.all(Array.from({ length: TIMES }, () => s.make.buyer()))
  const { class_package_id } = await s.make.package()
  const { single_class_id, starts_at } = await s.make.class({ capacity: 50 })
  const day = new Date(starts_at).toISOString().slice(0, 10)
  // One after the other, so that they use the same connections.
  for (const person of people) {
    await s.as(person).bookings.reserve({ single_class_id })
    // The server caches weeks.
    for (const which of [{ ids: [single_class_id] }, { start: day, end: day, zone: 'America/Mexico_City' }]) {
      await listClasses(s.studio.db.read, which)
      await listClassesAndNames(s.studio.db.read, which)
    }
    await s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  }
  await doJobs(s)
  const clients: pg.PoolClient[] = []
  while (clients.length < s.studio.db.pool.totalCount) clients.push(await s.studio.db.pool.connect())
  const planned = await Promise.all(
    clients.map((client) =>
      client.query<{ name: string; executions: number; custom: number }>(
        `select name, (generic_plans + custom_plans)::integer as executions, custom_plans::integer as custom from pg_prepared_statements`,
      ),
    ),
  )
  for (const client of clients) client.release()
  const often = planned.flatMap(({ rows }) => rows).filter(({ executions }) => executions > 2 * PLANNED_WITH_VALUES)
  expect(often.length).toBeGreaterThan(15)
  expect(often.filter(({ custom }) => custom > PLANNED_WITH_VALUES)).toEqual([])
  await s.close()
})
