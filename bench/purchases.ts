/** (g) of npm run bench: card purchases through the sandbox, and our overhead over the processor's own time. */

import type { Charge } from '#server/adapters/payments/port.ts'
import type { OpenStudio } from '#server/studio.ts'
import { type Load, load, median, request } from './load.ts'
import { cpuOf, cpuOfTree } from './processes.ts'
import { type Drained, drain, type Sql } from './queue.ts'

const ROUNDS = 3
const SECONDS = 4
const CLIENTS = 16
/** Number of sequential purchases, for the time of a single one. */
const ALONE = 80

export interface Bought extends Load {
  /** CPU milliseconds per purchase while they were made, including jobs that ran meanwhile. */
  server: number
  database: number
  /** The same until the last of their jobs was done: receipts, webhook events, emails. */
  whole: { server: number; database: number }
  drained: Drained
}

/** The packages and their buyers (bearer tokens of customers), the program's port and pid, and the database's main process. */
export interface Shop {
  port: number
  pid: number
  postmaster: number
  tokens: readonly string[]
  class_package_id: number
}

function* purchasesOf(shop: Shop, label: string): Generator<Buffer> {
  for (let at = 0; ; at++)
    yield request(
      'POST',
      '/api/checkout/attempt',
      { authorization: `Bearer ${shop.tokens[at % shop.tokens.length]}`, 'idempotency-key': `bench-${label}-${at}` },
      // Each customer buys the same package many times.
      { class_package_id: shop.class_package_id, payment_method: 'tok_ok', again: true },
    )
}

/** Rounds of concurrent purchases: row and holds, charge, grant, each with its own key and customer. */
export async function buyTogether(shop: Shop, sql: Sql): Promise<Bought[]> {
  const found: Bought[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const requests = purchasesOf(shop, `together-${round}`)
    const before = { server: cpuOf(shop.pid), database: cpuOfTree(shop.postmaster) }
    const done = await load(shop.port, CLIENTS, SECONDS, () => requests.next().value)
    if (Object.keys(done.statuses).some((status) => status !== '200')) console.log('    unexpected answers', done.statuses)
    const each = () => ({
      server: (cpuOf(shop.pid) - before.server) / done.count,
      database: (cpuOfTree(shop.postmaster) - before.database) / done.count,
    })
    const answered = each()
    const drained = await drain(sql)
    found.push({ ...done, ...answered, whole: each(), drained })
  }
  return found
}

/** Sequential purchases over HTTP, and the processor's part: medians in milliseconds. */
export async function buyAlone(shop: Shop, studio: OpenStudio): Promise<{ whole: number; processor: number }> {
  const requests = purchasesOf(shop, 'alone')
  let left = ALONE
  const { p50 } = await load(shop.port, 1, 60, () => (left-- > 0 ? requests.next().value : null))
  const times: number[] = []
  for (let at = 0; at < ALONE; at++) {
    const now = Date.now()
    const charge: Charge = {
      key: { purchase: 1_000_000_000 + at, step: 'pay', n: 1 },
      amount: 29_000,
      currency: 'MXN',
      title: 'Carga',
      buyer: { customer_id: 1, ref: null, email: 'carga@ejemplo.mx', name: 'Carga Prueba', phone: null },
      instrument: { by: 'card-token', token: 'tok_ok' },
      expiresAt: new Date(now + 600_000),
      returnUrl: 'http://localhost/gracias/1',
    }
    const began = performance.now()
    await studio.ports.cards?.start(charge)
    times.push(performance.now() - began)
  }
  return { whole: p50, processor: median(times) }
}
