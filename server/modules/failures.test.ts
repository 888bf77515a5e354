import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { REFUSED_BY } from './failures.ts'

test('every constraint that means a refusal is one of the database, or its violation would be a bug to whoever asks', async () => {
  const client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select conname as name from pg_constraint where contype = 'c'
       union select relname from pg_index join pg_class on oid = indexrelid where indisunique
       union select (regexp_matches(prosrc, 'constraint = ''(\\w+)''', 'g'))[1] from pg_proc where prolang = (select oid from pg_language where lanname = 'plpgsql')`,
    )
    const inDatabase = new Set(rows.map(({ name }) => name))
    expect(Object.keys(REFUSED_BY).filter((name) => !inDatabase.has(name))).toEqual([])
  } finally {
    await client.end()
  }
})
