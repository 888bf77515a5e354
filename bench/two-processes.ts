/**
 * npm run bench -- processes: bookings by one process and by two on the same database, as a ratio; then one of two is killed while the
 * requests continue at the other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { bookingTexts } from './bookings.ts'
import { n, print } from './figures.ts'
import type { Generated } from './generator.ts'
import { lagText } from './lag.ts'
import { median } from './load.ts'
import { run } from './programs.ts'
import { drain } from './queue.ts'
import { addClasses, addCustomers, openWorld, startProduct, tokensOf } from './world.ts'

const ROUNDS = 3
const SECONDS = 6
const CLIENTS = 24
const CUSTOMERS = 400
const CLASSES = 60

const world = await openWorld()
try {
  const { sql } = world
  await addCustomers(sql, CUSTOMERS)
  const tokens = await tokensOf(world, CUSTOMERS)
  const second = await startProduct(world.folder)
  let runs = 0
  /** Bookings at these ports at the same time; how many were done, and other answers. */
  async function book(ports: readonly number[]): Promise<{ perSecond: number; refused: number; lag: Generated['lag'] }> {
    const firstClass = await addClasses(sql, { count: CLASSES, capacity: CUSTOMERS })
    const requests = bookingTexts({ firstClass, classes: CLASSES, tokens, label: `processes-${runs++}` }, CUSTOMERS * CLASSES)
    const { loads, lag } = await run<Generated>(
      'bench/generator.ts',
      ports.map((port, at) => ({
        port,
        clients: CLIENTS / ports.length,
        seconds: SECONDS,
        requests: requests.filter((_, n) => n % ports.length === at),
      })),
    )
    await drain(sql)
    const statuses = loads.flatMap((load) => Object.entries(load.statuses))
    const refused = statuses.filter(([status]) => status !== '200').reduce((sum, [, count]) => sum + count, 0)
    return { perSecond: loads.reduce((sum, load) => sum + load.perSecond, 0), refused, lag }
  }
  const [first, two] = [[world.product.port], [world.product.port, second.port]]
  await book(two)
  const alone: number[] = []
  const together: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await book(first)).perSecond)
    together.push((await book(two)).perSecond)
  }
  print(
    'two processes / one',
    `${n(median(together) / median(alone))}   (${n(median(together), 0)} / ${n(median(alone), 0)} per s)   goal >= 0.95`,
  )
  const going = book(first)
  await sleep(2_000)
  second.child.kill('SIGKILL')
  const { perSecond, refused, lag } = await going
  print('one of two killed', `${n(perSecond, 0)} per s by the other, ${refused} other answers   goal 0   ${lagText(lag)}`)
} finally {
  await world.close()
}
