import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { migrate } from './migrate.ts'

const left: string[] = []
afterEach(() => {
  for (const folder of left.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of migrations as drizzle-kit writes it. */
function migrations(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-migrations-'))
  left.push(folder)
  mkdirSync(join(folder, 'meta'))
  const entries = files.map((text, idx) => {
    const tag = `${String(idx).padStart(4, '0')}_step`
    writeFileSync(join(folder, `${tag}.sql`), text)
    return { idx, version: '7', when: 1_700_000_000_000 + idx, tag, breakpoints: true }
  })
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  return folder
}

async function rows(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('eight concurrent starts on an empty database apply every migration exactly once', async () => {
  const url = await freshDatabase('template0')
  const folder = migrations('create table log (n int); select pg_sleep(0.1);', 'insert into log values (1);')
  await Promise.all(Array.from({ length: 8 }, () => migrate(url, folder)))
  expect(await rows(url, 'select n from log')).toEqual([{ n: 1 }])
})

test('a failing migration rolls the whole run back, and the next start repeats it', async () => {
  const url = await freshDatabase('template0')
  await expect(migrate(url, migrations('create table log (n int);', 'insert into nowhere values (1);'))).rejects.toThrow()
  expect(await rows(url, `select to_regclass('log') as t`)).toEqual([{ t: null }])
  await migrate(url, migrations('create table log (n int);', 'insert into log values (1);'))
  expect(await rows(url, 'select n from log')).toEqual([{ n: 1 }])
})

test('the next start works after SIGKILL during a migration', async () => {
  const url = await freshDatabase('template0')
  const code = `
    import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
    await migrate(${JSON.stringify(url)}, ${JSON.stringify(migrations('create table log (n int);', 'select pg_sleep(1);'))})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  const running = async () =>
    (await rows(url, `select 1 from pg_stat_activity where query like '%pg_sleep(1)%' and pid <> pg_backend_pid()`)).length
  while (!(await running())) await sleep(20)
  child.kill('SIGKILL')
  await migrate(url, migrations('create table log (n int);', 'insert into log values (1);'))
  expect(await rows(url, 'select n from log')).toEqual([{ n: 1 }])
})

test('the app’s sessions have limits, a migration has none', async () => {
  const url = await freshDatabase('template0')
  await migrate(
    url,
    migrations(`create table seen as select current_setting('statement_timeout') as st, current_setting('lock_timeout') as lt;`),
  )
  expect(await rows(url, 'select * from seen')).toEqual([{ st: '0', lt: '0' }])
})

test('the project’s migrations can run twice', async () => {
  const url = await freshDatabase('template0')
  await migrate(url)
  const tables = `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2`
  const before = await rows(url, tables)
  await migrate(url)
  expect(before.length).toBeGreaterThan(100)
  expect(await rows(url, tables)).toEqual(before)
})
