/** What supervisors and monitors read: liveness, readiness, figures; a refused start leaves nothing behind. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { eraseEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { migrate } from '#server/platform/migrate.ts'
import { testMasterKeys } from '#server/testing/master-keys.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { type Health, openHealth } from './health.ts'
import { openStudio } from './studio.ts'

let health: Health
let s: TestStudio
/** Between the studio and its database: passes everything on until it is frozen. */
let frozen = false
const sockets = new Set<Socket>()
const between = createServer()
beforeAll(async () => {
  const to = new pg.Client(await freshDatabase())
  between.on('connection', (near: Socket) => {
    const far = to.host.startsWith('/') ? connect(`${to.host}/.s.PGSQL.${to.port}`) : connect(to.port, to.host)
    near.on('data', (bytes) => frozen || far.write(bytes)).on('error', () => {})
    far.on('data', (bytes) => frozen || near.write(bytes)).on('error', () => {})
    near.on('close', () => far.destroy())
    sockets.add(near)
  })
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done))
  const { port } = between.address() as { port: number }
  health = await openHealth({ host: '127.0.0.1', port: 0 })
  s = await studio({ database: `postgres://${to.user}:${to.password ?? ''}@127.0.0.1:${port}/${to.database}` })
})
afterAll(async () => {
  await s?.close()
  await health?.close()
  for (const socket of sockets) socket.destroy()
  between.close()
})

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`http://127.0.0.1:${health.port}${path}`, init)
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type'), text, json: () => JSON.parse(text) as unknown }
}

test('the server is alive from the start, and ready once it serves', async () => {
  expect((await get('/viva')).json()).toEqual({ viva: true })
  const before = await get('/lista')
  expect([before.status, before.json()]).toEqual([503, { lista: false, motivo: 'el programa está arrancando' }])
  expect((await get('/metrics')).status).toBe(503)
  health.ready(s.studio)
  const after = await get('/lista')
  expect([after.status, after.json()]).toEqual([200, { lista: true }])
  expect((await get('/api/appconfig')).status).toBe(404)
  expect((await get('/lista', { method: 'POST' })).status).toBe(405)
})

test('reports figures of every queue in Prometheus’ format', async () => {
  await s.studio.jobs.send({ name: 'sales.receipt', data: { purchase_id: 1, period: 'once' } })
  await s.sql(`insert into failed_job (job_id, queue, job, data, error, attempts) values (gen_random_uuid(), 'mail', 'x', '{}', 'no', 13)`)
  const { status, type, text } = await get('/metrics')
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  for (const line of ['estudio_jobs_waiting{queue="mail"} 1', 'estudio_jobs_waiting{queue="processor-sandbox"} 0', 'estudio_jobs_failed 1'])
    expect(text.split('\n')).toContain(line)
  expect(text).toMatch(/^# TYPE estudio_jobs_oldest_seconds gauge$/m)
})

test('reports an unmigrated database or one that does not answer within a second; the process stays alive', async () => {
  await s.sql('create table aside as select * from drizzle.__drizzle_migrations')
  await s.sql('delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)')
  expect(await get('/lista')).toMatchObject({ status: 503, text: expect.stringContaining('las migraciones no están completas') })
  await s.sql('truncate drizzle.__drizzle_migrations; insert into drizzle.__drizzle_migrations select * from aside')
  expect((await get('/lista')).status).toBe(200)

  frozen = true
  try {
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/lista')))
    expect(performance.now() - began).toBeLessThan(4_000)
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('tarda más de un segundo') })
    expect((await get('/viva')).status).toBe(200)
    // Repeated requests use one connection.
    expect(s.studio.db.pool.totalCount - s.studio.db.pool.idleCount + s.studio.db.pool.waitingCount).toBeLessThan(3)
  } finally {
    frozen = false
    for (const socket of sockets) socket.destroy()
  }
  await expect.poll(async () => (await get('/lista')).status, { timeout: 20_000 }).toBe(200)
})

test('the server is not ready once shutdown begins', async () => {
  health.closing()
  expect(await get('/lista')).toMatchObject({ status: 503, text: expect.stringContaining('se está cerrando') })
  expect((await get('/viva')).status).toBe(200)
})

test('a refused start stops the embedded database; npm run owner-link reports a missing owner, and works while the program runs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'estudio-refused-'))
  const env = {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    DEMO: 'off',
    MASTER_KEYS_FILE: testMasterKeys(),
    PUBLIC_URL: 'https://estudio.mx',
  }
  const log = openLog('silent')
  const ownerLink = (...args: string[]) =>
    new Promise<{ code: number | null; output: string }>((done) => {
      const child = spawn(process.execPath, ['--import', './scripts/fast-resolve.mjs', 'scripts/owner-link.ts', ...args], {
        env: { ...process.env, ...env, DATABASE_URL: '', OWNER_EMAIL: '', PAYMENTS: 'ninguno' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
      child.once('close', (code) => done({ code, output }))
    })
  try {
    const database = await startEmbeddedPostgres({ dataDir, log })
    await migrate(database.url)
    // The sandbox is refused in production.
    const refused = openStudio({ connection: database.url, config: readConfig({ ...env, PAYMENTS: 'sandbox' }, process.cwd()), log })
    await expect(refused).rejects.toThrow('PAYMENTS=ninguno')
    // True: it was the last one out, because nothing of the studio still holds a connection.
    expect(await database.stop()).toBe(true)

    const link = await ownerLink()
    expect(link).toEqual({ code: 0, output: expect.stringMatching(/^https:\/\/estudio\.mx\/cuenta\/nuevo-estudio\/[\w.-]+$/m) })
    expect(await ownerLink('marisol@estudio.mx')).toEqual({
      code: 1,
      output: expect.stringContaining('Este estudio todavía no tiene dueño'),
    })

    const running = await startEmbeddedPostgres({ dataDir, log })
    const config = readConfig({ ...env, PAYMENTS: 'ninguno' }, process.cwd())
    const opened = await openStudio({ connection: running.url, config, log })
    const { uid } = await opened.ports.identity.createAccount({ email: 'marisol@estudio.mx' })
    await opened.db.pool.query(`insert into staff (uid, name, email, role) values ($1, 'Marisol', 'marisol@estudio.mx', 'owner')`, [uid])
    const { code, output } = await ownerLink()
    expect(code).toBe(0)
    expect(output).toContain('Para Marisol (marisol@estudio.mx)')
    expect(output).toMatch(/^https:\/\/estudio\.mx\/cuenta\/accion\?mode=resetPassword&oobCode=[\w-]+/m)
    const { rows } = await opened.db.pool.query(
      `select round(extract(epoch from "expiresAt" - "createdAt") / 3600) as hours from identity_code where uid = $1`,
      [uid],
    )
    expect(rows).toEqual([{ hours: '24' }])
    expect(await ownerLink('otra@estudio.mx')).toEqual({ code: 1, output: expect.stringContaining('Lo son: marisol@estudio.mx') })
    await opened.close()
    expect(await running.stop()).toBe(true)
  } finally {
    await eraseEmbeddedPostgres({ dataDir })
    rmSync(dataDir, { recursive: true, force: true })
  }
  // An embedded database starts twice, is migrated once, and four processes load the server.
}, 120_000)
