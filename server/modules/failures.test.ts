import { open } from 'node:fs/promises'
import Fastify from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { answerError } from '#server/error-responses.ts'
import { needsOperator, openDb } from '#server/platform/db.ts'
import { openLog } from '#server/platform/log.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { codeOf, refusalOf, studio } from '#server/testing/studio.ts'
import { REFUSED_BY, refusalIn } from './failures.ts'

test('every constraint that maps to a refusal exists in the database', async () => {
  const client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select conname as name from pg_constraint where contype in ('c', 'f', 'x')
       union select relname from pg_index join pg_class on oid = indexrelid where indisunique
       union select (regexp_matches(prosrc, 'constraint = ''(\\w+)''', 'g'))[1] from pg_proc where prolang = (select oid from pg_language where lanname = 'plpgsql')`,
    )
    const inDatabase = new Set(rows.map(({ name }) => name))
    expect(Object.keys(REFUSED_BY).filter((name) => !inDatabase.has(name))).toEqual([])
  } finally {
    await client.end()
  }
})

/** Conditions of the server that pass, or that an operator ends, as PostgreSQL numbers them (appendix A of its manual). */
const NOT_NOW = [
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08007',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '25P03',
  '25P04',
  '55P03',
  '55006',
  '57014',
  '40001',
  '40P01',
  '40003',
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '58000',
  '58030',
  '25006',
]

test('a server without space, memory or connections, shutting down or read-only is BUSY; our own mistakes are not', async () => {
  const db = openDb({ connection: await freshDatabase() })
  const raised = (code: string) =>
    db
      .tx((tx) => tx.execute(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`))
      .then(
        () => null,
        (error: unknown) => error,
      )
  for (const code of NOT_NOW) expect([code, refusalIn(await raised(code))?.code]).toEqual([code, 'BUSY'])
  for (const code of ['22P02', '23502', '42601', '42P01', 'XX000', 'P0001'])
    expect([code, refusalIn(await raised(code))]).toEqual([code, null])
  for (const code of ['53100', '58030']) expect(needsOperator(await raised(code))).toBe(true)
  expect(needsOperator(await raised('57014'))).toBe(false)
  await db.close()
})

test('a full disk refuses a booking with its message, alerts the operator, and writes nothing', async () => {
  const s = await studio()
  const [ana, cls] = [await s.make.buyer(), await s.make.class()]
  await s.sql(`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$`)
  await s.sql('create trigger full_disk before insert on class_reservation for each row execute function full_disk()')
  const refused = await refusalOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))
  expect(refused).toMatchObject({ code: 'BUSY', status: 503 })
  expect(s.logged.join()).toContain('database.failed')
  expect(await s.balance(ana)).toBeGreaterThan(0)
  await s.sql('drop trigger full_disk on class_reservation')
  await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
  expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('ALREADY_RESERVED')
  await s.close()
})

test.runIf(process.platform === 'linux')('an upload that finds the disk full is BUSY too, and alerts the operator', async () => {
  const logged: string[] = []
  const log = openLog('warn', (line) => void logged.push(line))
  const app = Fastify()
  app.setErrorHandler((error, req, reply) => answerError(log, error as Parameters<typeof answerError>[1], req, reply))
  app.post('/', async () => {
    const full = await open('/dev/full', 'w')
    await full.write('x').finally(() => full.close())
  })
  const answer = await app.inject({ method: 'POST', url: '/' })
  expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 'BUSY' }])
  expect(logged.join()).toContain('database.failed')
  await app.close()
})
