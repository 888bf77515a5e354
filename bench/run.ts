/**
 * npm run bench: the product's costs in one run, as ratios, because these machines are noisy. (a) public schedule and (b) landing page
 * against a bare Node server with the same bytes; (c) bookings over HTTP against pgbench doing the same SQL on the same cluster; (d)
 * latencies of 50 clients; (e) CPU per operation; (f) start and memory; (g) purchases. Other load on the machine affects rates much more
 * than CPU per operation.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { openStudio } from '#server/studio.ts'
import { type Load, load, median, request } from './load.ts'
import { cpuOf, cpuOfTree, memoryOf } from './processes.ts'
import { freePort, root, start, stop, stopAll } from './programs.ts'
import { buyAlone, buyTogether } from './purchases.ts'
import { drain, type Sql } from './queue.ts'

const folder = mkdtempSync(join(tmpdir(), 'estudio-bench-'))
const ROUNDS = 5
const SECONDS = 2
const CLASSES = 70
const CUSTOMERS = 400
const BOOKED_CLASSES = 60
const CLIENTS = 50
const PER_CLIENT = 300

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
      INTERNAL_PORT: '0',
      PUBLIC_URL: `http://localhost:${port}`,
      ...env,
    },
    /está en http/,
  )
}

interface Compared {
  ours: Measured[]
  bare: Measured[]
}
interface Measured extends Load {
  /** CPU milliseconds per response */
  cpu: number
}

async function measured(pid: number, port: number, clients: number, seconds: number, next: () => Buffer | null): Promise<Measured> {
  const before = cpuOf(pid)
  const done = await load(port, clients, seconds, next)
  if (Object.keys(done.statuses).some((status) => status !== '200')) console.log('    unexpected answers', done.statuses)
  return { ...done, cpu: (cpuOf(pid) - before) / done.count }
}

/** Measures the product and a bare server with the same bytes, in turns. */
async function against(ours: { pid: number; port: number }, path: string): Promise<Compared> {
  const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers: { 'accept-encoding': 'identity' } })
  const head = join(folder, 'head.json')
  const body = join(folder, 'body.bin')
  const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  writeFileSync(head, JSON.stringify(Object.fromEntries(headers)))
  writeFileSync(body, Buffer.from(await answer.arrayBuffer()))
  const bare = await start('bench/bare.mjs', [head, body], {}, /listo \d+/)
  const asked = request('GET', path)
  const found: Compared = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    found.ours.push(await measured(ours.pid, ours.port, 16, SECONDS, () => asked))
    found.bare.push(await measured(bare.pid, bare.port, 16, SECONDS, () => asked))
  }
  await stop(bare)
  return found
}

const line = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`)
const rate = (loads: Load[]) => median(loads.map((one) => one.perSecond))
const cpuEach = (loads: Measured[]) => median(loads.map((one) => one.cpu))
const compare = ({ ours, bare }: Compared) =>
  `${n(rate(ours) / rate(bare))}   (${n(rate(ours), 0)} / ${n(rate(bare), 0)} per s)   goal >= 0.90   CPU ${n(cpuEach(ours), 3)} / ${n(cpuEach(bare), 3)} ms`
const n = (value: number, digits = 2) => value.toFixed(digits)

/** Cleanup, run in any case: ends everything that was started here. */
const leave: (() => Promise<unknown>)[] = [stopAll]

async function main() {
  console.log('Midiendo; tarda unos dos minutos.\n')
  const first = await product()
  await stop(first)
  const second = await product()
  line('(f) first start, with demo', `${n(first.readyMs / 1000, 1)} s`)
  line('(f) later start', `${n(second.readyMs / 1000)} s`)

  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data') })
  leave.push(() => database.stop())
  const config = readConfig(
    {
      NODE_ENV: 'production',
      DEMO: 'vaiven',
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      PUBLIC_URL: `http://localhost:${second.port}`,
    },
    root,
  )
  const studio = await openStudio({ connection: database.url, config, log: openLog('error') })
  leave.push(() => studio.close())
  const sql: Sql = async <R extends object>(text: string, values: unknown[] = []) => (await studio.db.pool.query<R>(text, values)).rows
  await new Promise((resume) => setTimeout(resume, 3_000))
  await drain(sql)
  line('(f) idle memory, server process', `${n(memoryOf(second.pid), 0)} MiB`)

  const [cluster] = await sql<{ setting: string }>(`select setting from pg_settings where name = 'data_directory'`)
  const postmaster = Number(readFileSync(join(cluster?.setting ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])

  // A separate week of 70 classes, far in the future.
  await sql(
    `with made as (insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
       select (select min(class_type_id) from class_type), (select min(location_id) from location), at, at + interval '50 min', 12
       from generate_series(0, $1 - 1) i, lateral (select timestamptz '2031-03-03 13:00Z' + (i % 7) * interval '1 day' + (i / 7) * interval '1 hour' as at) t
       returning single_class_id)
     insert into class_instructor (single_class_id, instructor_id) select single_class_id, (select min(instructor_id) from instructor) from made`,
    [CLASSES],
  )
  const week = '/api/single_class?start_date=2031-03-03&end_date=2031-03-09'
  line('(a) schedule, kept / bare Node', compare(await against(second, week)))
  line('(b) landing, kept / bare Node', compare(await against(second, '/')))

  // Customers with credits, and classes with room for all of them.
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

  const mine = { authorization: `Bearer ${tokens[0]}`, 'accept-encoding': 'gzip, deflate, br, zstd' }
  const asked = request('GET', week)
  const askedAsBrowser = request('GET', week, mine)

  const booked: Measured[] = []
  const script = (file: string) => ({ file, runs: [] as { perSecond: number; cpu: number }[] })
  const [whole, rows] = [script('bench/booking.pgbench.sql'), script('bench/rows.pgbench.sql')]
  const databaseCpu: number[] = []
  const withJobs: number[] = []
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
        // Consecutive requests book different classes and customers, to measure the transaction and not one row's lock queue.
        { single_class_id: firstClass + ((Math.floor(at / CUSTOMERS) + at) % BOOKED_CLASSES) },
      )
    }
    const before = { server: cpuOf(second.pid), database: cpuOfTree(postmaster) }
    const done = await measured(second.pid, second.port, CLIENTS, 6, next)
    booked.push(done)
    databaseCpu.push((cpuOfTree(postmaster) - before.database) / done.count)
    await drain(sql)
    withJobs.push((cpuOf(second.pid) - before.server) / done.count)
    for (const script of [whole, rows]) {
      const from = await classes()
      const idle = cpuOfTree(postmaster)
      const perSecond = await byHand(script.file, database.url, from, firstCustomer)
      script.runs.push({ perSecond, cpu: (cpuOfTree(postmaster) - idle) / (CLIENTS * PER_CLIENT) })
    }
  }
  const ratio = ({ runs }: typeof whole) => {
    const perSecond = median(runs.map((one) => one.perSecond))
    return `${n(rate(booked) / perSecond)}   (${n(rate(booked), 0)} / ${n(perSecond, 0)} per s)`
  }
  line('(c) bookings / pgbench', `${ratio(whole)}   goal >= 0.50`)
  line('(c) bookings / its rows alone', `${ratio(rows)}   without key, job and checks`)
  const latency = (at: 'p50' | 'p99') => n(median(booked.map((one) => one[at])), 1)
  line('(d) 50 clients booking', `p50 ${latency('p50')} ms, p99 ${latency('p99')} ms`)
  line(
    '(e) CPU per booking',
    `server ${n(cpuEach(booked))} ms, database ${n(median(databaseCpu))} ms (pgbench's ${n(median(whole.runs.map((one) => one.cpu)))})   goal server <= 1.10   ${n(median(withJobs))} with its jobs`,
  )
  await load(second.port, 4, 2, () => askedAsBrowser)
  const signedIn = await measured(second.pid, second.port, 4, 4, () => askedAsBrowser)
  line(
    '(e) CPU per signed-in schedule',
    `server ${n(signedIn.cpu)} ms, compressed as a browser asks   (p50 ${n(signedIn.p50, 1)} ms, 4 clients)`,
  )
  const [pack] = await sql<{ class_package_id: number }>(
    `insert into class_package (title, description, short_description, price_centavos, class_amount, expiration_days) values ('Carga', '', '', 29000, 1, 30) returning class_package_id`,
  )
  const shop = { port: second.port, pid: second.pid, postmaster, tokens, class_package_id: pack?.class_package_id ?? 0 }
  const alone = await buyAlone(shop, studio)
  await drain(sql)
  const together = await buyTogether(shop, sql)
  const middle = (of: (one: (typeof together)[number]) => number, digits = 1) => n(median(together.map(of)), digits)
  line(
    '(g) purchases, 16 clients',
    `${n(rate(together), 0)} per s   p50 ${middle((one) => one.p50)} ms, p99 ${middle((one) => one.p99)} ms   then ${middle((one) => one.drained.left, 0)} jobs were left, done in ${middle((one) => one.drained.seconds)} s`,
  )
  line(
    '(g) CPU per purchase',
    `server ${middle((one) => one.server)} ms, database ${middle((one) => one.database)} ms, the sandbox's own part included   with all its jobs ${middle((one) => one.whole.server)} and ${middle((one) => one.whole.database)}`,
  )
  line(
    '(g) one purchase, ours / sandbox',
    `${n((alone.whole - alone.processor) / alone.processor)}   (${n(alone.whole - alone.processor, 1)} ms on our side of ${n(alone.whole, 1)} ms)`,
  )
  line('(f) memory after all this', `${n(memoryOf(second.pid), 0)} MiB`)
  await stop(second)

  const uncached = await product({ CACHE_SECONDS: '0' })
  await load(uncached.port, 4, 2, () => asked)
  for (const clients of [4, CLIENTS]) {
    const made = await measured(uncached.pid, uncached.port, clients, 5, () => asked)
    line(
      `(e) CPU per uncached schedule, ${clients}`,
      `server ${n(made.cpu)} ms   (${n(made.perSecond, 0)} per s, p50 ${n(made.p50, 1)} ms, p99 ${n(made.p99, 1)} ms)   goal <= 1.20`,
    )
  }
  await stop(uncached)
}

/** A transaction in SQL, run by pgbench with 50 clients. */
async function byHand(file: string, url: string, firstClass: number, firstCustomer: number): Promise<number> {
  const program =
    ['/usr/lib/postgresql/15/bin/pgbench', '/usr/lib/postgresql/16/bin/pgbench', '/usr/lib/postgresql/17/bin/pgbench'].find(existsSync) ??
    'pgbench'
  // A socket URL has an empty host.
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
      ...['-n', '-c', String(CLIENTS), '-j', '1', '-M', 'prepared', '-t', String(PER_CLIENT), '-f', join(root, file)],
      ...['-D', `first_class=${firstClass}`, '-D', `first_customer=${firstCustomer}`, '-D', `customers=${CUSTOMERS}`],
      ...['-D', `classes=${BOOKED_CLASSES}`],
    ],
    { env: psql, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1] ?? Number.NaN)
}

try {
  await main()
} finally {
  for (const step of leave.reverse()) await step().catch((error: unknown) => console.error(error))
  rmSync(folder, { recursive: true, force: true })
}
