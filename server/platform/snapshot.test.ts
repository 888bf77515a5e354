/** Reading as of one instant, page by page, without blocking writers. */
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { type Db, openDb } from './db.ts'
import { migrate } from './migrate.ts'
import { endSnapshots, readInPages, SNAPSHOT_NAME } from './snapshot.ts'

let database: string
let db: Db
beforeAll(async () => {
  // A name in the connection string does not hide the snapshot from migrations.
  const url = await freshDatabase()
  database = `${url}${url.includes('?') ? '&' : '?'}application_name=studio`
  db = openDb({ connection: database })
  await db.pool.query('create table item (item_id integer primary key, name text)')
  await db.pool.query(`insert into item select n, 'before' from generate_series(1, 25) n`)
})
afterAll(() => db.close())

test('every page has the rows of the beginning, each once, whatever is written meanwhile; nothing can be written through it', async () => {
  const pages = await db.snapshot(async (on) => {
    const found: number[][] = []
    for await (const page of readInPages<{ item_id: number }>(
      on,
      sql`select item_id from item where name = ${'before'} order by item_id`,
      10,
    )) {
      found.push(page.map(({ item_id }) => item_id))
      await db.pool.query('delete from item where item_id <= 12')
      await db.pool.query(`insert into item values (0, 'before'), (26, 'before') on conflict do nothing`)
    }
    await expect(on.execute(sql`delete from item`)).rejects.toThrow()
    return found
  })
  expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
  expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
})

test('it takes no connection of the pool, and a migration that is missing ends it', async () => {
  const reading = db.snapshot(async (on) => {
    await on.execute(sql`select * from item`)
    const { rows } = await db.pool.query('select 1 from pg_stat_activity where application_name = $1 and datname = current_database()', [
      SNAPSHOT_NAME,
    ])
    expect(rows).toHaveLength(1)
    const other = new pg.Client(database)
    await other.connect()
    await other.query(
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
    )
    await other.end()
    // The newest migration cannot be applied twice: what counts is that it did not wait for the snapshot.
    await migrate(database).catch(() => {})
    await on.execute(sql`select 1`)
  })
  await expect(reading).rejects.toThrow()
})

test('none begins while a migration changes tables, and the next one after it does', async () => {
  const migrating = new pg.Client(database)
  await migrating.connect()
  await endSnapshots(migrating)
  const read = () => db.snapshot(async (on) => (await on.execute(sql`select 1 as one`)).rows)
  await expect(read()).rejects.toThrow('while a migration changes tables')
  await migrating.end()
  await expect.poll(read).toEqual([{ one: 1 }])
})
