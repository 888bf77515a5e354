/**
 * Five thousand notices in any order, many of them twice and at the same time, leave the books as the same notices in their order do, once
 * (docs/domain.md V8, V9, V18; payments study section 2). Two copies of one database: the processor's books in both are the same,
 * and final.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { SIGNATURE_HEADER, signingKey, signWebhook } from '#server/adapters/payments/sandbox/webhooks.ts'
import { handleEvent } from '#server/modules/sales/jobs.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'

const WEBHOOK_EVENTS = 5_000
/** How many are handled at the same time. */
const AT_ONCE = 6
const SEED = Number(process.env.SEED ?? 20_261_119)

const open: TestStudio[] = []
afterAll(async () => {
  for (const s of open) await s.close()
})

/** The same numbers for the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
function shuffled<T>(list: readonly T[], roll: () => number): T[] {
  const out = [...list]
  for (let at = out.length - 1; at > 0; at--) {
    const other = Math.floor(roll() * (at + 1))
    const [a, b] = [out[at] as T, out[other] as T]
    out[at] = b
    out[other] = a
  }
  return out
}

/** Purchases of every kind whose later events at the processor have not reached the studio yet. */
async function stories(s: TestStudio, bank: Sandbox): Promise<void> {
  const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const
  const [classPackage, sub, trial] = [
    await s.make.package(),
    await s.make.package(monthly),
    await s.make.package({ ...monthly, free_trial_length: 7, free_trial_period: 'day' }),
  ]
  const refs: Record<string, string[]> = {}
  const buy = async (story: string, card: string, of: { class_package_id: number } = classPackage) => {
    const customer = await s.make.customer()
    const input = { class_package_id: of.class_package_id }
    const { purchase_id } = await (card === 'wallet'
      ? s.as(customer, randomUUID()).checkout.paypal(input)
      : s.as(customer, randomUUID()).sales.attempt({ ...input, payment_method: card }))
    const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
    refs[story] = [...(refs[story] ?? []), row?.ref_id ?? '']
  }
  for (let n = 0; n < 10; n++) {
    for (const story of ['paid', 'part back', 'all back', 'open', 'won', 'lost']) await buy(story, 'tok_ok')
    for (const story of ['asked yes', 'asked no', 'asked never']) await buy(story, 'tok_3ds')
    await buy('processing', 'tok_async')
    await buy('shop', 'oxxo')
    await buy('wallet', 'wallet')
    await buy('month', 'tok_ok', sub)
    await buy('fails', 'tok_renew_fail', sub)
    await buy('ends', 'tok_ok', sub)
    await buy('trial', 'tok_ok', trial)
  }
  const each = async (story: string, work: (id: string, payment: string) => Promise<unknown>) => {
    for (const id of refs[story] ?? []) await work(id, (await bank.settle(bank.refOf(id))).payments[0]?.id ?? '')
  }
  const back = (amount: number) => (id: string, payment: string) =>
    bank.refund(bank.refOf(id), payment, amount, { purchase: 1, step: `panel-${id}`, n: 1 })
  await each('asked yes', (id) => bank.authorize(id, true))
  await each('asked no', (id) => bank.authorize(id, false))
  await each('shop', (id) => bank.payVoucher(id))
  await each('wallet', async (id) => {
    await bank.approve(id, true)
    await bank.settle(bank.refOf(id), { approved: true })
  })
  await each('part back', back(45_000))
  await each('all back', back(classPackage.sale_price_centavos ?? classPackage.price_centavos))
  for (const story of ['open', 'won', 'lost'] as const) {
    await each(story, (id) => bank.dispute(id, 'open'))
    if (story !== 'open') await each(story, (id) => bank.dispute(id, story))
  }
  await each('ends', (id) => bank.stop(bank.refOf(id), 'period-end', 'me mudo'))
  for (let week = 0; week < 16; week++) {
    s.clock.advance({ days: 7 })
    await bank.tick()
  }
}

/** The state of all purchases, without their times. */
async function books(s: TestStudio): Promise<unknown> {
  return {
    purchases: await s.sql(
      `select purchase_id, status, subscription_id, holds_stock, limit_slot, benefits_until, past_due_since is not null as overdue, "frozenAt" is not null as frozen, alarm
       from purchase order by 1`,
    ),
    attempts: await s.sql('select payment_id, state, ref_id, error_code from payment_attempt order by 1'),
    charges: await s.sql(
      'select gateway, provider_payment, purchase_id, period, total_centavos, refunded_centavos, status from invoice order by 1, 2',
    ),
    grants: await s.sql(
      `select purchase_id, period, balance, granted, unlimited, expires_at, "frozenAt" is not null as frozen, "revokedAt" is not null as revoked from available_class where purchase_id is not null order by 1, 2`,
    ),
    stock: await s.sql('select class_package_id, sold from class_package order by 1'),
  }
}

const idsOf = (list: string[]) => [...new Set(list)].length

/** Posts the notices and handles what is new, some at the same time, in the order given. */
async function replay(s: TestStudio, bodies: readonly string[]): Promise<Set<number>> {
  const key = await signingKey(s.studio.db)
  const statuses = new Set<number>()
  const headers = { 'content-type': 'application/json' }
  const rest = [...bodies]
  const seen = new Set<number>()
  const worker = async () => {
    for (let body = rest.shift(); body !== undefined; body = rest.shift()) {
      const signed = { ...headers, [SIGNATURE_HEADER]: signWebhook(key, body, s.clock.now()) }
      const { status } = await fetch(`${s.url}/api/webhooks/sandbox`, { method: 'POST', headers: signed, body })
      statuses.add(status)
      const { id } = JSON.parse(body) as { id: string }
      const [row] = await s.sql<{ provider_event_id: number }>('select provider_event_id from provider_event where event_id = $1', [id])
      if (!row || seen.has(row.provider_event_id)) continue
      seen.add(row.provider_event_id)
      await handleEvent(s.system(), row.provider_event_id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return statuses
}

// Five thousand events, each a request with its transaction.
test('five thousand events in any order end in the same state as in order (V8, V18)', { timeout: 300_000 }, async () => {
  const settings = { paypal_enabled: true, oxxo_enabled: true }
  const first = await studio({ settings })
  const bank = first.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  bank.held = true
  await stories(first, bank)
  const events = await first.sql<{ id: number; type: string; at: Date; about: { kind: string; id: string }[] }>(
    'select id, type, at, about from sandbox_event order by id',
  )
  const bodies = events.map(({ id, type, at, about }) =>
    JSON.stringify({ id: `evt_${id}`, type, at: at.toISOString(), about: about.map(({ kind, id: of }) => ({ kind, id: of })) }),
  )
  expect(idsOf(bodies)).toBe(bodies.length)
  expect(bodies.length).toBeGreaterThan(300)
  const [at, before] = [first.clock.now(), await books(first)]
  await first.close()

  const name = first.database.replace(/^.*\/([^/?]+).*$/, '$1')
  const roll = dice(SEED)
  const many = shuffled(
    Array.from({ length: WEBHOOK_EVENTS }, (_, n) => bodies[n < bodies.length ? n : Math.floor(roll() * bodies.length)] as string),
    roll,
  )
  const ends: unknown[] = []
  for (const sent of [bodies, many]) {
    const s = await studio({ database: await freshDatabase(name), at })
    open.push(s)
    const own = s.studio.ports.gateways.get('sandbox')
    if (own instanceof Sandbox) own.held = true
    expect(await books(s)).toEqual(before)
    expect(await replay(s, sent)).toEqual(new Set([200]))
    expect(await s.sql('select event_id from provider_event where "doneAt" is null')).toEqual([])
    expect(await s.sql('select 1 from provider_event')).toHaveLength(bodies.length)
    expect(await findBrokenInvariants(s)).toEqual({})
    ends.push(await books(s))
  }
  const [inOrder, anyhow] = ends
  // Otherwise the notices would have changed nothing, and any order would do.
  expect(inOrder).not.toEqual(before)
  expect(anyhow).toEqual(inOrder)
})
