/**
 * npm run bench: the product's costs in one run, as ratios, because these machines are noisy. (a) public schedule and (b) landing page
 * against a bare Node server with the same bytes; (c) bookings over HTTP against pgbench doing the same SQL on the same cluster; (d)
 * latencies of 50 clients; (e) CPU per operation; (f) start and memory; (g) purchases. Other load on the machine affects rates much more
 * than CPU per operation. `npm run bench -- bookings week` measures these parts only; `--append` adds the figures to docs/performance.md.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bookingRequest } from './bookings.ts'
import { appendFigures, type Figures, n, print } from './figures.ts'
import { type Load, load, median, request } from './load.ts'
import { cpuOf, cpuOfTree, memoryOf } from './processes.ts'
import { root, start, stop } from './programs.ts'
import { buyAlone, buyTogether } from './purchases.ts'
import { drain } from './queue.ts'
import { addClasses, addCustomers, openWorld, restart, startProduct, tokensOf, type World } from './world.ts'

const ROUNDS = 5
const SECONDS = 2
const CLASSES = 84
const CUSTOMERS = 400
const BOOKED_CLASSES = 60
const CLIENTS = 50
const PER_CLIENT = 300

interface Measured extends Load {
  /** CPU milliseconds per response */
  cpu: number
}
interface Compared {
  ours: Measured[]
  bare: Measured[]
}
/** The world with signed-in customers, and a week of classes without reservations. */
interface Shared extends World {
  firstCustomer: number
  tokens: string[]
  week: string
  figures: Figures
}

async function measured(pid: number, port: number, clients: number, seconds: number, next: () => Buffer | null): Promise<Measured> {
  const before = cpuOf(pid)
  const done = await load(port, clients, seconds, next)
  if (Object.keys(done.statuses).some((status) => status !== '200')) console.log('    unexpected answers', done.statuses)
  return { ...done, cpu: (cpuOf(pid) - before) / done.count }
}

/** Measures the product and a bare server with the same bytes, in turns. */
async function against({ folder, product: ours }: World, path: string): Promise<Compared> {
  const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers: { 'accept-encoding': 'identity' } })
  const head = join(folder, 'head.json')
  const body = join(folder, 'body.bin')
  const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  writeFileSync(head, JSON.stringify(Object.fromEntries(headers)))
  writeFileSync(body, Buffer.from(await answer.arrayBuffer()))
  const bare = await start('bench/bare.mjs', [head, body], {}, /listo \d+/)
  const get = request('GET', path)
  const found: Compared = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    found.ours.push(await measured(ours.pid, ours.port, 16, SECONDS, () => get))
    found.bare.push(await measured(bare.pid, bare.port, 16, SECONDS, () => get))
  }
  await stop(bare)
  return found
}

const rate = (loads: Load[]) => median(loads.map((load) => load.perSecond))
const cpuEach = (loads: Measured[]) => median(loads.map((load) => load.cpu))
const compare = ({ ours, bare }: Compared) =>
  `${n(rate(ours) / rate(bare))}   (${n(rate(ours), 0)} / ${n(rate(bare), 0)} per s)   goal >= 0.90   CPU ${n(cpuEach(ours), 3)} / ${n(cpuEach(bare), 3)} ms`

/** (f) Duration of a start, and memory of an idle process. */
async function measureStart(world: Shared) {
  print('(f) first start, with demo', `${n(world.product.readyMs / 1000, 1)} s`)
  const later = await restart(world)
  print('(f) later start', `${n(later.readyMs / 1000)} s`)
  await sleep(3_000)
  await drain(world.sql)
  world.figures.idleMiB = memoryOf(later.pid)
  print('(f) idle memory, server process', `${n(world.figures.idleMiB, 0)} MiB   goal <= 165`)
}

/** (a), (b) Public pages, from the cache. */
async function measurePages(world: Shared) {
  print('(a) schedule, kept / bare Node', compare(await against(world, world.week)))
  print('(b) landing, kept / bare Node', compare(await against(world, '/')))
}

/** (c), (d), (e) Bookings, and the same work by hand. */
async function measureBookings({ product, sql, tokens, postmaster, url, firstCustomer, figures }: Shared) {
  const booked: Measured[] = []
  const script = (file: string) => ({ file, runs: [] as { perSecond: number; cpu: number }[] })
  const [whole, rows] = [script('bench/booking.pgbench.sql'), script('bench/rows.pgbench.sql')]
  const databaseCpu: number[] = []
  const withJobs: number[] = []
  const more = () => addClasses(sql, { count: BOOKED_CLASSES, capacity: CUSTOMERS })
  const book = async (label: string) => {
    const plan = { firstClass: await more(), classes: BOOKED_CLASSES, tokens, label }
    let pair = 0
    const before = { server: cpuOf(product.pid), database: cpuOfTree(postmaster) }
    const done = await measured(product.pid, product.port, CLIENTS, 6, () => bookingRequest(plan, pair++))
    const database = (cpuOfTree(postmaster) - before.database) / done.count
    await drain(sql)
    return { done, database, withJobs: (cpuOf(product.pid) - before.server) / done.count }
  }
  // A server runs for days: the first bookings, whose code is not compiled yet, are measured apart.
  const { done: cold } = await book('cold')
  print('(c) first bookings of a start', `${n(cold.perSecond, 0)} per s, server ${n(cold.cpu)} ms of CPU; all others come after them`)
  for (let round = 0; round < 3; round++) {
    const booking = await book(String(round))
    booked.push(booking.done)
    databaseCpu.push(booking.database)
    withJobs.push(booking.withJobs)
    for (const script of [whole, rows]) {
      const from = await more()
      const idle = cpuOfTree(postmaster)
      const perSecond = await byHand(script.file, url, from, firstCustomer)
      script.runs.push({ perSecond, cpu: (cpuOfTree(postmaster) - idle) / (CLIENTS * PER_CLIENT) })
    }
  }
  const ratio = ({ runs }: typeof whole) => rate(booked) / median(runs.map((run) => run.perSecond))
  const shown = (script: typeof whole) =>
    `${n(ratio(script))}   (${n(rate(booked), 0)} / ${n(median(script.runs.map((run) => run.perSecond)), 0)} per s)`
  print('(c) bookings / pgbench', `${shown(whole)}   goal >= 0.50`)
  print('(c) bookings / its rows alone', `${shown(rows)}   without key, job and checks`)
  const latency = (at: 'p50' | 'p99') => n(median(booked.map((run) => run[at])), 1)
  print('(d) 50 clients booking', `p50 ${latency('p50')} ms, p99 ${latency('p99')} ms`)
  Object.assign(figures, {
    bookingRatio: ratio(whole),
    booking: cpuEach(booked),
    bookingDatabase: median(databaseCpu),
    bookingWithJobs: median(withJobs),
  } satisfies Figures)
  const [alone, all] = [cpuEach(booked), median(withJobs)]
  print(
    '(e) CPU per booking',
    `server ${n(alone)} ms, database ${n(median(databaseCpu))} ms (pgbench's ${n(median(whole.runs.map((run) => run.cpu)))})   goal server <= 1.10`,
  )
  print('(e) CPU with its jobs', `server ${n(all)} ms, ${n(all / alone)} of the booking alone   goal <= 2`)
}

/** (e) The week of classes: as a customer requests it, and uncached. */
async function measureWeek(world: Shared) {
  const { product, tokens, week, figures } = world
  const mine = { authorization: `Bearer ${tokens[0]}`, 'accept-encoding': 'gzip, deflate, br, zstd' }
  const getAsBrowser = request('GET', week, mine)
  await load(product.port, 4, 2, () => getAsBrowser)
  const signedIn = await measured(product.pid, product.port, 4, 4, () => getAsBrowser)
  figures.signedInWeek = signedIn.cpu
  print(
    '(e) CPU per signed-in schedule',
    `server ${n(signedIn.cpu)} ms, compressed as a browser asks   (p50 ${n(signedIn.p50, 1)} ms, 4 clients)   goal <= 2.00`,
  )
  const uncached = await startProduct(world.folder, { CACHE_SECONDS: '0' })
  const get = request('GET', week)
  await load(uncached.port, 4, 2, () => get)
  for (const clients of [4, CLIENTS]) {
    const run = await measured(uncached.pid, uncached.port, clients, 5, () => get)
    figures.uncachedWeek ??= run.cpu
    print(
      `(e) CPU per uncached schedule, ${clients}`,
      `server ${n(run.cpu)} ms   (${n(run.perSecond, 0)} per s, p50 ${n(run.p50, 1)} ms, p99 ${n(run.p99, 1)} ms)   goal <= 1.20`,
    )
  }
  await stop(uncached)
}

/** (g) Purchases by card. */
async function measurePurchases({ product, sql, tokens, postmaster, studio, figures }: Shared) {
  const [classPackage] = await sql<{ class_package_id: number }>(
    `insert into class_package (title, description, short_description, price_centavos, class_amount, expiration_days) values ('Carga', '', '', 29000, 1, 30) returning class_package_id`,
  )
  const shop = { port: product.port, pid: product.pid, postmaster, tokens, class_package_id: classPackage?.class_package_id ?? 0 }
  const alone = await buyAlone(shop, studio)
  await drain(sql)
  const together = await buyTogether(shop, sql)
  const middle = (of: (purchase: (typeof together)[number]) => number, digits = 1) => n(median(together.map(of)), digits)
  print(
    '(g) purchases, 16 clients',
    `${n(rate(together), 0)} per s   p50 ${middle((purchase) => purchase.p50)} ms, p99 ${middle((purchase) => purchase.p99)} ms   then ${middle((purchase) => purchase.drained.left, 0)} jobs were left, done in ${middle((purchase) => purchase.drained.seconds)} s`,
  )
  figures.purchase = median(together.map((purchase) => purchase.server))
  figures.purchaseWithJobs = median(together.map((purchase) => purchase.whole.server))
  print(
    '(g) CPU per purchase',
    `server ${n(figures.purchase, 1)} ms, database ${middle((purchase) => purchase.database)} ms, the sandbox's own part included   with all its jobs ${n(figures.purchaseWithJobs, 1)} and ${middle((purchase) => purchase.whole.database)}   goal with its jobs <= 6`,
  )
  print(
    '(g) one purchase, ours / sandbox',
    `${n((alone.whole - alone.processor) / alone.processor)}   (${n(alone.whole - alone.processor, 1)} ms on our side of ${n(alone.whole, 1)} ms)   goal <= 1.30`,
  )
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
      '-n',
      '-c',
      String(CLIENTS),
      '-j',
      '1',
      '-M',
      'prepared',
      '-t',
      String(PER_CLIENT),
      '-f',
      join(root, file),
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

/** The parts in the order in which they are measured; each leaves no work behind for the next. */
const PARTS = {
  start: measureStart,
  pages: measurePages,
  bookings: measureBookings,
  week: measureWeek,
  purchases: measurePurchases,
}

const options = process.argv.slice(2)
const named = options.filter((option) => !option.startsWith('--'))
const unknown = named.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length) throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}.`)

console.log(named.length ? 'Midiendo.\n' : 'Midiendo; tarda unos dos minutos.\n')
const world = await openWorld()
try {
  // A separate week, far in the future.
  await world.sql(
    `with made as (insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
       select (select min(class_type_id) from class_type), (select min(location_id) from location), at, at + interval '50 min', 12
       from generate_series(0, $1 - 1) i, lateral (select timestamptz '2031-03-03 13:00Z' + (i % 7) * interval '1 day' + (i / 7) * interval '1 hour' as at) t
       returning single_class_id)
     insert into class_instructor (single_class_id, instructor_id) select single_class_id, (select min(instructor_id) from instructor) from made`,
    [CLASSES],
  )
  const firstCustomer = await addCustomers(world.sql, CUSTOMERS)
  const shared: Shared = Object.assign(world, {
    firstCustomer,
    tokens: await tokensOf(world, CUSTOMERS),
    week: '/api/single_class?start_date=2031-03-03&end_date=2031-03-09',
    figures: {},
  })
  await drain(world.sql)
  for (const [name, measure] of Object.entries(PARTS)) if (named.length === 0 || named.includes(name)) await measure(shared)
  print('(f) memory after all this', `${n(memoryOf(shared.product.pid), 0)} MiB`)
  // The thread that draws receipts ends after a minute without work, and V8 collects the garbage of an idle heap.
  await sleep(75_000)
  print('(f) and 75 s later', `${n(memoryOf(shared.product.pid), 0)} MiB   goal <= 250`)
  if (options.includes('--append')) appendFigures(shared.figures)
} finally {
  await world.close()
}
