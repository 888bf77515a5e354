/**
 * npm run bench: what the product costs, in one run and as ratios, because these machines are noisy.
 * (a) public schedule and (b) landing page against a bare Node server with the same bytes; (c) bookings over HTTP against pgbench
 * doing the same transaction on the same cluster; (d) latencies of 50 clients; (e) CPU per operation; (f) start and memory.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openStudio } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { type Load, load, median, request } from './load.ts'
import { cpuOf, cpuOfTree, memoryOf } from './processes.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'estudio-bench-'))
const ROUNDS = 5
const SECONDS = 2
const CLASSES = 70
const CUSTOMERS = 400
const BOOKED_CLASSES = 60

const freePort = () =>
  new Promise<number>((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Whatever happens, nothing that was started here stays. */
const started = new Set<ChildProcess>()

interface Running {
  child: ChildProcess
  pid: number
  port: number
  readyMs: number
}

async function start(file: string, args: string[], env: Record<string, string>, ready: RegExp): Promise<Running> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=4', '--max-old-space-size=192', '--import', './scripts/fast-resolve.mjs', file, ...args],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const text = await new Promise<string>((done, fail) => {
    let seen = ''
    child.stdout?.on('data', (part) => {
      seen += part
      if (ready.test(seen)) done(seen)
    })
    child.on('exit', (code) => fail(new Error(`${file} ended with ${code} before it was ready:\n${seen}`)))
  })
  return { child, pid: child.pid ?? 0, port: Number(/listo (\d+)/.exec(text)?.[1] ?? env.PORT), readyMs: performance.now() - began }
}

const stop = (running: Running) =>
  new Promise<void>((done) => {
    running.child.removeAllListeners('exit')
    running.child.once('exit', () => done())
    running.child.kill('SIGTERM')
  })

const product = async (env: Record<string, string> = {}) => {
  const port = await freePort()
  return start(
    'server/main.ts',
    [],
    {
      DATA_DIR: join(folder, 'data'),
      DEMO: 'vaiven',
      REQUESTS_PER_MINUTE: '0',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      ...env,
    },
    /está en http/,
  )
}

/** The product and a bare server with the same bytes, in turns. */
async function against(port: number, path: string): Promise<{ ours: Load[]; bare: Load[] }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': 'identity' } })
  const head = join(folder, 'head.json')
  const body = join(folder, 'body.bin')
  writeFileSync(
    head,
    JSON.stringify(Object.fromEntries([...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)))),
  )
  writeFileSync(body, Buffer.from(await answer.arrayBuffer()))
  const bare = await start('bench/bare.mjs', [head, body], {}, /listo \d+/)
  const asked = request('GET', path)
  const found = { ours: [] as Load[], bare: [] as Load[] }
  for (let round = 0; round < ROUNDS; round++) {
    found.ours.push(await load(port, 16, SECONDS, () => asked))
    found.bare.push(await load(bare.port, 16, SECONDS, () => asked))
  }
  await stop(bare)
  return found
}

const line = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`)
const rate = (loads: Load[]) => median(loads.map((one) => one.perSecond))
const n = (value: number, digits = 2) => value.toFixed(digits)

async function main() {
  console.log('Midiendo; tarda unos dos minutos.\n')
  const first = await product()
  await stop(first)
  const second = await product()
  line('(f) first start, with demo', `${n(first.readyMs / 1000, 1)} s`)
  line('(f) later start', `${n(second.readyMs / 1000)} s`)
  await new Promise((resume) => setTimeout(resume, 3_000))
  line('(f) idle memory, server process', `${n(memoryOf(second.pid), 0)} MiB`)

  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data') })
  const config = readConfig(
    { NODE_ENV: 'production', DEMO: 'vaiven', DATABASE_URL: database.url, PORT: '0', PUBLIC_URL: `http://localhost:${second.port}` },
    root,
  )
  const studio = await openStudio({ connection: database.url, config, log: openLog('error') })
  const sql = async <R extends object>(text: string, values: unknown[] = []) => (await studio.db.pool.query<R>(text, values)).rows
  const [cluster] = await sql<{ setting: string }>(`select setting from pg_settings where name = 'data_directory'`)
  const postmaster = Number(readFileSync(join(cluster?.setting ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])

  // A week of 70 classes of its own, far ahead.
  await sql(
    `insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
     select (select min(class_type_id) from class_type), (select min(location_id) from location), at, at + interval '50 min', 12
     from generate_series(0, $1 - 1) i, lateral (select timestamptz '2031-03-03 13:00Z' + (i % 7) * interval '1 day' + (i / 7) * interval '1 hour' as at) t`,
    [CLASSES],
  )
  const week = '/api/single_class?end_date=2031-03-09&start_date=2031-03-03'
  const schedule = await against(second.port, week)
  line(
    '(a) schedule, kept / bare Node',
    `${n(rate(schedule.ours) / rate(schedule.bare))}   (${n(rate(schedule.ours), 0)} / ${n(rate(schedule.bare), 0)} per s)   goal >= 0.90`,
  )
  const landing = await against(second.port, '/')
  line(
    '(b) landing, kept / bare Node',
    `${n(rate(landing.ours) / rate(landing.bare))}   (${n(rate(landing.ours), 0)} / ${n(rate(landing.bare), 0)} per s)   goal >= 0.90`,
  )

  // People with credits, and classes with room for all of them.
  const [people] = await sql<{ first: number }>(
    `with made as (insert into customer (uid, name, last_name, email, "createdAt")
       select 'bench-' || i, 'Carga', 'Prueba', 'bench-' || i || '@ejemplo.mx', now() from generate_series(1, $1) i returning customer_id)
     select min(customer_id) as first from made`,
    [CUSTOMERS],
  )
  const firstCustomer = people?.first ?? 0
  await sql(
    `with lots as (insert into available_class (customer_id, title, unlimited, granted, balance, expires_at, "createdAt")
       select customer_id, 'Carga', false, 1000, 0, now() + interval '6 years', now() from customer where uid like 'bench-%' returning available_class_id, customer_id)
     insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt") select available_class_id, customer_id, 'grant', 1000, 'bench', now() from lots`,
  )
  await sql(
    `insert into accepted_page (customer_id, page_id, version) select customer_id, page_id, version from customer, page where uid like 'bench-%'`,
  )
  const classes = async () => {
    const [made] = await sql<{ first: number }>(
      `with made as (insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
         select (select min(class_type_id) from class_type), (select min(location_id) from location), at, at + interval '30 min', $2
         from generate_series(1, $1) i, lateral (select now() + interval '2 days' + (select count(*) from single_class where description = 'carga') * interval '1 hour' + i * interval '1 hour' as at) t
         returning single_class_id) select min(single_class_id) as first from made`,
      [BOOKED_CLASSES, CUSTOMERS],
    )
    await sql(`update single_class set description = 'carga' where single_class_id >= $1`, [made?.first])
    return made?.first ?? 0
  }
  const tokens = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, at) => {
      const uid = `bench-${at + 1}`
      await sql(
        `insert into identity_account (uid, email, email_verified, "validSince", "createdAt", "lastLoginAt", "lastRefreshAt") values ($1, $2, true, now() - interval '1 minute', now(), now(), now()) on conflict do nothing`,
        [uid, `${uid}@ejemplo.mx`],
      )
      return studio.ports.identity.tokenFor(uid)
    }),
  )

  const booked: Load[] = []
  const pgbench: number[] = []
  const cpu: { server: number; database: number }[] = []
  for (let round = 0; round < 3; round++) {
    const firstClass = await classes()
    let pair = 0
    const next = () => {
      if (pair >= CUSTOMERS * BOOKED_CLASSES) return null
      const at = pair++
      return request(
        'POST',
        '/api/class_reservations',
        { authorization: `Bearer ${tokens[at % CUSTOMERS]}`, 'idempotency-key': `bench-${round}-${at}` },
        // Neighbours book other classes and other people: what is measured is the transaction, not one queue.
        { single_class_id: firstClass + ((Math.floor(at / CUSTOMERS) + at) % BOOKED_CLASSES) },
      )
    }
    const before = { server: cpuOf(second.pid), database: cpuOfTree(postmaster) }
    const done = await load(second.port, 50, 6, next)
    if (Object.keys(done.statuses).some((status) => status !== '200')) console.log('    unexpected answers', done.statuses)
    booked.push(done)
    cpu.push({ server: (cpuOf(second.pid) - before.server) / done.count, database: (cpuOfTree(postmaster) - before.database) / done.count })
    pgbench.push(await handWritten(database.url, await classes(), firstCustomer))
  }
  line(
    '(c) bookings / pgbench',
    `${n(rate(booked) / median(pgbench))}   (${n(rate(booked), 0)} / ${n(median(pgbench), 0)} per s)   goal >= 0.50`,
  )
  line(
    '(d) 50 clients booking',
    `p50 ${n(median(booked.map((one) => one.p50)), 1)} ms, p99 ${n(median(booked.map((one) => one.p99)), 1)} ms`,
  )
  line(
    '(e) CPU per booking',
    `server ${n(median(cpu.map((one) => one.server)))} ms, database ${n(median(cpu.map((one) => one.database)))} ms   goal server <= 1.10`,
  )

  await stop(second)
  const uncached = await product({ CACHE_SECONDS: '0' })
  const asked = request('GET', week)
  await load(uncached.port, 4, 2, () => asked)
  const before = cpuOf(uncached.pid)
  const made = await load(uncached.port, 50, 6, () => asked)
  line(
    '(e) CPU per uncached schedule',
    `server ${n((cpuOf(uncached.pid) - before) / made.count)} ms   (${n(made.perSecond, 0)} per s, p50 ${n(made.p50, 1)} ms, p99 ${n(made.p99, 1)} ms)   goal <= 1.20`,
  )
  await stop(uncached)
  await studio.close()
  await database.stop()
}

/** The same transaction, written by hand and run by pgbench with 50 clients. */
async function handWritten(url: string, firstClass: number, firstCustomer: number): Promise<number> {
  const program =
    ['/usr/lib/postgresql/15/bin/pgbench', '/usr/lib/postgresql/16/bin/pgbench', '/usr/lib/postgresql/17/bin/pgbench'].find(existsSync) ??
    'pgbench'
  // A socket's address has no host of its own.
  const address = new URL(url.replace('@/', '@localhost/'))
  const host = address.searchParams.get('host') ?? address.hostname
  const psql = {
    ...process.env,
    PGHOST: host,
    PGPORT: address.searchParams.get('port') ?? (address.port || '5432'),
    PGUSER: decodeURIComponent(address.username),
    PGDATABASE: address.pathname.slice(1),
    PGPASSWORD: decodeURIComponent(address.password),
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop sequence if exists bench_pair; create sequence bench_pair minvalue 0 start 0')
  await client.end()
  const printed = execFileSync(
    program,
    [
      '-n',
      '-c',
      '50',
      '-j',
      '1',
      '-M',
      'prepared',
      '-t',
      '300',
      '-f',
      join(root, 'bench/booking.pgbench.sql'),
      '-D',
      `first_class=${firstClass}`,
      '-D',
      `first_customer=${firstCustomer}`,
      '-D',
      `customers=${CUSTOMERS}`,
      '-D',
      `classes=${BOOKED_CLASSES}`,
    ],
    { env: psql, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1] ?? Number.NaN)
}

try {
  await main()
} finally {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
