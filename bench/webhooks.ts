/**
 * 100,000 events of 20,000 objects delivered to a receiver over HTTP, beside a receiver that answers after a second and one that answers
 * 500 until the first has everything: rate at the beginning and at the end, order per object, and that each event arrives at each.
 * `npm run bench -- webhooks` (`BENCH_EVENTS=10000` for fewer)
 */
import { deepStrictEqual } from 'node:assert'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookEvent } from '#contract/webhooks.ts'
import { sweepWebhooks } from '#server/modules/integrations/deliveries.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { migrate } from '#server/platform/migrate.ts'
import { studio } from '#server/testing/studio.ts'
import { cpuOf, cpuOfTree } from './processes.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 100_000)
/** Of the receiver that fails at first. */
const FAILING_EVENTS = EVENTS / 10
const SLOW_EVENTS = 100
const SLOW_MS = 1_000
const EVENTS_PER_OBJECT = 5

const folder = mkdtempSync(join(tmpdir(), 'estudio-bench-'))
chmodSync(folder, 0o755)
const server = await startEmbeddedPostgres({ dataDir: folder })
await migrate(server.url)
const s = await studio({ database: server.url, work: true, env: { WEBHOOKS_LOOPBACK: '1' } })
const owner = await s.make.staff('owner')

/** Of an object, the numbers of its events in the order in which they arrived. */
type Arrived = Map<number, number[]>
const isFailing = { now: true }
const receivers: Record<'fast' | 'slow' | 'failing', { arrived: Arrived; count: number; requests: number }> = {
  fast: { arrived: new Map(), count: 0, requests: 0 },
  slow: { arrived: new Map(), count: 0, requests: 0 },
  failing: { arrived: new Map(), count: 0, requests: 0 },
}
const http = createServer((req, res) => {
  const receiver = receivers[(req.url ?? '').slice(1) as keyof typeof receivers]
  let body = ''
  req.on('data', (part) => {
    body += String(part)
  })
  req.on('end', async () => {
    receiver.requests += 1
    if (receiver === receivers.failing && isFailing.now) {
      res.writeHead(500).end()
      return
    }
    if (receiver === receivers.slow) await sleep(SLOW_MS)
    const { data } = JSON.parse(body) as { data: { object: number; n: number } }
    receiver.arrived.set(data.object, [...(receiver.arrived.get(data.object) ?? []), data.n])
    receiver.count += 1
    res.writeHead(204).end()
  })
})
await new Promise<void>((resume) => http.listen(0, '127.0.0.1', resume))
const { port } = http.address() as AddressInfo
const create = (name: keyof typeof receivers, type: WebhookEvent) =>
  s.as(owner).webhooks.create({ url: `http://127.0.0.1:${port}/${name}`, event_types: [type] })
await create('slow', 'class.updated')
await create('failing', 'booking.created')
await create('fast', 'customer.updated')

/** Records events as the triggers do: those of an object among those of all others. */
async function record(type: WebhookEvent, count: number) {
  const objects = Math.max(1, count / EVENTS_PER_OBJECT)
  // In parts, each of which is done long before a statement has to end.
  for (let first = 0; first < count; first += 5_000)
    await s.sql(
      `select record_webhook($1, $1 || ':' || n % $3, now(), jsonb_build_object('object', n % $3, 'n', n)) from generate_series($4::integer, $2 - 1) n`,
      [type, Math.min(count, first + 5_000), objects, first],
    )
}
const [{ pid } = { pid: 0 }] = await s.sql<{ pid: number }>('select pg_backend_pid() as pid')
const database = Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
const spent = () => (cpuOf(process.pid) + cpuOfTree(database)) / 1000
async function until(what: string, isDone: () => boolean | Promise<boolean>, again?: () => Promise<unknown>) {
  const from = performance.now()
  for (let n = 1; !(await isDone()); n++) {
    if (performance.now() - from > 3_600_000) throw new Error(`${what}: not in an hour`)
    // Like the scheduled job, which the studio's clock of tests does not start.
    if (n % 50 === 0) await again?.()
    await sleep(100)
  }
}
const sweep = () => sweepWebhooks(s.system())

let [before, from] = [spent(), performance.now()]
await record('class.updated', SLOW_EVENTS)
await record('booking.created', FAILING_EVENTS)
await record('customer.updated', EVENTS)
console.log(`recorded in ${((performance.now() - from) / 1000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`)
;[before, from] = [spent(), performance.now()]
let [lastSpent, lastTime] = [before, from]
await sweep()
for (let share = 1; share <= 5; share++) {
  await until('the fast receiver', () => receivers.fast.count >= (EVENTS * share) / 5, sweep)
  const [cpu, time] = [spent(), performance.now()]
  const per = (from: number, to: number) => ((1000 * (to - from)) / (EVENTS / 5)).toFixed(2)
  console.log(
    `fast receiver: ${receivers.fast.count} of ${EVENTS} after ${((time - from) / 1000).toFixed(0)} s; of this fifth ${per(lastTime / 1000, time / 1000)} ms per event, processor ${per(lastSpent, cpu)} ms; slow ${receivers.slow.count}, attempts at the failing one ${receivers.failing.requests}, load ${loadavg()[0]?.toFixed(1)}`,
  )
  ;[lastSpent, lastTime] = [cpu, time]
}
isFailing.now = false
s.clock.advance({ minutes: 10 })
await sweep()
const waiting = async () =>
  (await s.sql<{ n: number }>(`select count(*)::int as n from webhook_delivery where state <> 'delivered'`))[0]?.n ?? 0
await until('the others', async () => (await waiting()) === 0, sweep)
console.log(`everything delivered after ${((performance.now() - from) / 1000).toFixed(0)} s, processor ${(spent() - before).toFixed(0)} s`)
for (const [receiver, count] of [
  [receivers.fast, EVENTS],
  [receivers.slow, SLOW_EVENTS],
  [receivers.failing, FAILING_EVENTS],
] as const) {
  const objects = Math.max(1, count / EVENTS_PER_OBJECT)
  const expected = Array.from({ length: objects }, (_, object) => Array.from({ length: EVENTS_PER_OBJECT }, (_, n) => object + n * objects))
  deepStrictEqual(
    expected.map((_, object) => receiver.arrived.get(object)),
    expected,
  )
}
console.log('each event arrived once at each receiver, those of an object in order')
http.closeAllConnections()
http.close()
await s.close()
await server.stop()
rmSync(folder, { recursive: true })
