/**
 * JSON null in a column that is NOT NULL: PostgreSQL takes it, the driver reads it as null, and Drizzle hands null on without asking the
 * column. So the database refuses it, by a check on every such column.
 */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { CheckedJsonb } from './checked-columns.ts'

const SERVER = fileURLToPath(new URL('..', import.meta.url))

/** "table.column" of every column of JSON that may not be null, in any table of the program. */
async function requiredJson(): Promise<string[]> {
  const found = new Set<string>()
  for (const file of globSync('**/*tables.ts', { cwd: SERVER })) {
    for (const table of Object.values(await import(`${SERVER}${file}`))) {
      if (!is(table, PgTable)) continue
      const { name, columns } = getTableConfig(table)
      for (const column of columns) if (is(column, CheckedJsonb) && column.notNull && !column.takesNull) found.add(`${name}.${column.name}`)
    }
  }
  return [...found].sort()
}

test('the database refuses JSON null in every column of JSON that may not be null: a new one needs the check in its migration', async () => {
  const client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
  try {
    const { rows } = await client.query<{ column: string }>(
      `select rel.relname || '.' || att.attname as column
       from pg_constraint con
       join pg_class rel on rel.oid = con.conrelid
       join pg_attribute att on att.attrelid = rel.oid and att.attnum = con.conkey[1]
       where con.contype = 'c' and con.convalidated
         and pg_get_constraintdef(con.oid) = format('CHECK ((jsonb_typeof(%I) <> ''null''::text))', att.attname)`,
    )
    const columns = await requiredJson()
    expect(columns.length).toBeGreaterThan(20)
    expect(rows.map(({ column }) => column).sort()).toEqual(columns)
  } finally {
    await client.end()
  }
})
