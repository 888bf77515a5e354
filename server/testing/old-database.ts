/** Databases of earlier versions, for tests of migrations that move data. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect } from 'vitest'
import { migrate } from '#server/platform/migrate.ts'
import { freshDatabase } from './postgres.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
export interface OldDatabase {
  /** Inserts a row; columns that must not be null and are not given get a value of their type. */
  insert(table: string, values: Record<string, unknown>): Promise<void>
  migrateFully(): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: a row of any table.
  select(text: string): Promise<any[]>
}

/** A function that opens a database as the version with migrations up to `last` left it; each is removed at the end of its test. */
export function oldDatabases(): (last: number) => Promise<OldDatabase> {
  const cleanups: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const step of cleanups.splice(0).reverse()) await step()
  })
  return (last) => databaseOf(cleanups, last)
}

/** A database as the version with migrations up to `last` left it, and a connection to it on which no trigger or foreign key is checked. */
async function databaseOf(cleanups: (() => Promise<void> | void)[], last: number): Promise<OldDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-migrations-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as { entries: { idx: number }[] }
  const entries = journal.entries.filter(({ idx }) => idx <= last)
  expect(entries).toHaveLength(last + 1)
  expect(readdirSync(MIGRATIONS).length).toBeGreaterThan(last)
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  const url = await freshDatabase('template0')
  await migrate(url, folder)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  cleanups.push(() => client.end())
  await client.query('set session_replication_role = replica')
  return {
    async insert(table: string, values: Record<string, unknown>): Promise<void> {
      const { rows } = await client.query<{ column_name: string; data_type: string }>(
        `select column_name, data_type from information_schema.columns
         where table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
        [table],
      )
      const filler = (type: string) =>
        type === 'integer' || type === 'bigint'
          ? 1
          : type === 'boolean'
            ? false
            : type.startsWith('timestamp')
              ? '2026-01-05T12:00:00Z'
              : type === 'uuid'
                ? '00000000-0000-4000-8000-000000000001'
                : type.startsWith('json')
                  ? '{}'
                  : type === 'ARRAY'
                    ? '{}'
                    : 'x'
      const row = { ...Object.fromEntries(rows.map(({ column_name, data_type }) => [column_name, filler(data_type)])), ...values }
      const names = Object.keys(row)
      await client.query(
        `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) overriding system value
         values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      )
    },
    migrateFully: () => migrate(url),
    select: async (text: string) => (await client.query(text)).rows,
  }
}
