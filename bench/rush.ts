/**
 * npm run bench -- rush: the minute in which next week opens. 2,000 people open the calendar and follow it live, 600 of them book within
 * 60 s. `BENCH_PEOPLE=200` for a smaller crowd (three tenths of them book).
 */
import { n, print } from './figures.ts'
import { lagText } from './lag.ts'
import { cpuOf, cpuOfTree, memoryOf } from './processes.ts'
import { run } from './programs.ts'
import { drain } from './queue.ts'
import type { RushPlan, RushSeen } from './rush-load.ts'
import { addClasses, addCustomers, openWorld, tokensOf } from './world.ts'

const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 2_000)
const BOOKERS = Math.round(PEOPLE * 0.3)
const CLASSES = 84

const share = (values: number[], part: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const world = await openWorld()
try {
  const { sql, product, postmaster } = world
  await addCustomers(sql, PEOPLE)
  const firstClass = await addClasses(sql, { count: CLASSES, capacity: Math.ceil(PEOPLE / 4) })
  const tokens = await tokensOf(world, PEOPLE)
  const days = `start_date=${day(1)}&end_date=${day(7)}`
  await drain(sql)
  console.log(`${PEOPLE} personas abren el calendario, ${BOOKERS} reservan en un minuto.\n`)
  const before = { server: cpuOf(product.pid), database: cpuOfTree(postmaster) }
  const plan: RushPlan = {
    port: product.port,
    tokens,
    week: `/api/single_class?${days}`,
    days,
    openSeconds: 20,
    bookSeconds: 60,
    bookers: BOOKERS,
    firstClass,
    classes: CLASSES,
  }
  const seen = await run<RushSeen>('bench/rush-load.ts', plan)
  const drained = await drain(sql)
  print(
    'bookings',
    `p50 ${n(share(seen.booking, 0.5), 0)} ms, p99 ${n(share(seen.booking, 0.99), 0)} ms   goal p99 <= 400   (${seen.booking.length})`,
  )
  print(
    'opening the calendar',
    `p50 ${n(share(seen.opening, 0.5), 0)} ms, p99 ${n(share(seen.opening, 0.99), 0)} ms   (${seen.opening.length})`,
  )
  print(
    'news on the cards',
    `p50 ${n(share(seen.events, 0.5), 0)} ms, p99 ${n(share(seen.events, 0.99), 0)} ms   goal <= 300   (${seen.events.length} at ${seen.streams} streams)`,
  )
  print('refusals', Object.keys(seen.refusals).length ? JSON.stringify(seen.refusals) : 'none')
  print('jobs after the last booking', `${drained.left} left, done in ${n(drained.seconds, 1)} s   goal <= 30`)
  print('generator', lagText(seen.lag))
  const seconds = (of: number) => n(of / 1000, 1)
  print(
    'CPU of the minute',
    `server ${seconds(cpuOf(product.pid) - before.server)} s, database ${seconds(cpuOfTree(postmaster) - before.database)} s   memory ${n(memoryOf(product.pid), 0)} MiB`,
  )
} finally {
  await world.close()
}
