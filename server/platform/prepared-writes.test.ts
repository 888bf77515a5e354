/** Prepared writes: what they store is what Drizzle stores by itself, whichever columns are set. */
import { eq, sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { freshDatabase } from '#server/testing/postgres.ts'
import { json } from './checked-columns.ts'
import { type Db, openDb, type Tx } from './db.ts'
import { preparedWrite } from './prepared-writes.ts'

const sample = pgTable('sample', {
  id: integer().primaryKey(),
  title: text(),
  amounts: integer().array(),
  facts: json(z.array(z.string()), []),
  at: timestamp({ withTimezone: true, mode: 'date' }),
  open: boolean().notNull().default(true),
})
type Row = typeof sample.$inferInsert

const inserted = preparedWrite('test.insertSample', sample, (tx, row: Row) =>
  tx.insert(sample).values(row).onConflictDoNothing().returning(),
)
const updated = preparedWrite('test.updateSample', sample, (tx, set: Partial<Row>) =>
  tx
    .update(sample)
    .set(set)
    .where(eq(sample.id, sql.placeholder('of_id')))
    .returning(),
)

let db: Db
beforeAll(async () => {
  // One connection, so that its prepared statements can be read.
  db = openDb({ connection: await freshDatabase(), max: 1 })
  await db.tx((tx) =>
    tx.execute(
      sql`create table sample (id integer primary key, title text, amounts integer[], facts jsonb, at timestamptz, open boolean not null default true)`,
    ),
  )
})
afterAll(() => db.close())

/** The row as text of the database, written by `write` and removed again. */
async function storedBy(id: number, write: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return db.tx(async (tx) => {
    await write(tx)
    const { rows } = await tx.execute(sql`delete from sample where id = ${id} returning sample::text as stored`)
    return rows[0]
  })
}

const at = new Date('2026-11-28T01:02:03.456Z')
const rows: Row[] = [
  { id: 1, title: 'a', amounts: [1, 2], facts: ['x', 'y "z"'], at, open: false },
  { id: 2, title: null, amounts: null, facts: null, at: null },
  { id: 3, title: undefined, amounts: [], facts: [], at, open: true },
  { id: 4 },
  // The set of columns of the first, with other values.
  { id: 5, title: '', amounts: [7], facts: [], at: new Date(0), open: true },
  // An expression is part of the statement.
  { id: 6, title: sql`upper('abc')` as unknown as string, at },
]

test('an insert stores what Drizzle stores, with any set of columns, null and expressions', async () => {
  for (const row of rows) {
    const expected = await storedBy(row.id, (tx) => tx.insert(sample).values(row))
    expect(expected).toBeDefined()
    for (const time of ['first', 'again']) expect(await storedBy(row.id, (tx) => inserted(tx, row)), `${row.id} ${time}`).toEqual(expected)
  }
  const { rows: statements } = await db.read.execute<{ name: string }>(
    sql`select name from pg_prepared_statements where name like 'test.insertSample%' order by name`,
  )
  // Of six rows two have the same columns, and one is not prepared.
  expect(statements.map(({ name }) => name)).toEqual([
    'test.insertSample.1',
    'test.insertSample.2',
    'test.insertSample.3',
    'test.insertSample.4',
  ])
})

test('an update changes the columns of its set and returns the row', async () => {
  const before = { id: 10, title: 'before', amounts: [1], facts: ['x'], at, open: true }
  await db.tx((tx) => inserted(tx, before))
  const sets: Partial<Row>[] = [
    { title: null, at: new Date(5) },
    { title: 'b', at: null },
    { open: false, facts: ['n'], amounts: undefined },
    { amounts: sql`array[4, 5]` as unknown as number[] },
  ]
  let expected: Partial<Row> = before
  for (const set of sets) {
    const changed = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined))
    expected = { ...expected, ...changed, ...('amounts' in changed ? { amounts: [4, 5] } : {}) }
    expect(await db.tx((tx) => updated(tx, set, { of_id: 10 }))).toEqual([expected])
  }
  expect(await db.tx((tx) => updated(tx, { title: 'none' }, { of_id: 11 }))).toEqual([])
})

test('an insert that conflicts returns nothing', async () => {
  await db.tx((tx) => inserted(tx, { id: 20, title: 'one' }))
  expect(await db.tx((tx) => inserted(tx, { id: 20, title: 'two' }))).toEqual([])
})
