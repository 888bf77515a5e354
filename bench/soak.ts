/**
 * npm run bench -- soak: memory by the minute under half an hour of mixed load: calendars, bookings, their jobs, the administration.
 * `BENCH_MINUTES=3` for a shorter one, `BENCH_PAUSE_MS=150` for clients that wait between two requests, on a machine that does other work.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { bookingTexts } from './bookings.ts'
import { n, print } from './figures.ts'
import type { Generated, Stream } from './generator.ts'
import { lagText } from './lag.ts'
import { request } from './load.ts'
import { memoryOf } from './processes.ts'
import { run } from './programs.ts'
import { drain } from './queue.ts'
import { addClasses, addCustomers, openWorld, tokensOf } from './world.ts'

const MINUTES = Number(process.env.BENCH_MINUTES ?? 30)
const PAUSE_MS = Number(process.env.BENCH_PAUSE_MS ?? 0)
const CUSTOMERS = 400
const CLASSES = 60

const world = await openWorld()
try {
  const { sql, product, studio } = world
  await addCustomers(sql, CUSTOMERS)
  const [owner] = await sql<{ uid: string }>(`select uid from staff where role = 'owner' and uid is not null limit 1`)
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const week = `/api/single_class?start_date=${day(0)}&end_date=${day(6)}`
  const memory: number[] = []
  let refused = 0
  for (let minute = 0; minute < MINUTES; minute++) {
    const tokens = await tokensOf(world, CUSTOMERS)
    const staff = { authorization: `Bearer ${await studio.ports.identity.tokenFor(owner?.uid ?? '')}` }
    const firstClass = await addClasses(sql, { count: CLASSES, capacity: CUSTOMERS })
    const get = (path: string, headers: Record<string, string> = {}) => request('GET', path, headers).toString()
    const common = { port: product.port, seconds: 55, pauseMs: PAUSE_MS }
    const streams: Stream[] = [
      { ...common, clients: 4, requests: bookingTexts({ firstClass, classes: CLASSES, tokens, label: `soak-${minute}` }, 6_000) },
      { ...common, clients: 4, repeats: true, requests: tokens.map((token) => get(week, { authorization: `Bearer ${token}` })) },
      { ...common, clients: 2, repeats: true, requests: [get('/'), get(week)] },
      {
        ...common,
        clients: 1,
        repeats: true,
        requests: [get(`/api/admin/single_class/${firstClass}/class_reservations`, staff), get('/api/admin/class_reservations', staff)],
      },
    ]
    const { loads, lag } = await run<Generated>('bench/generator.ts', streams)
    for (const { statuses } of loads) for (const [status, count] of Object.entries(statuses)) if (status !== '200') refused += count
    await drain(sql)
    await sleep(2_000)
    memory.push(memoryOf(product.pid))
    print(
      `minute ${minute + 1}`,
      `${n(memory.at(-1) ?? 0, 0)} MiB   ${loads.map(({ count }) => count).join(' + ')} requests   ${lagText(lag)}`,
    )
  }
  const third = memory.slice(Math.floor(memory.length / 3))
  print(
    'growth after the first third',
    `${n((third.at(-1) ?? 0) - (third[0] ?? 0), 0)} MiB   most ${n(Math.max(...memory), 0)} MiB   other answers: ${refused}`,
  )
} finally {
  await world.close()
}
