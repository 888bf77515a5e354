/** Subscriptions of another system: the card by a link, and the first charge on its day (docs/domain.md V60 to V62). */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPendingSubscription } from '#server/modules/sales/aftersales/pending-subscriptions.ts'
import { endSubscriptions } from '#server/modules/sales/aftersales/subscriptions.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { monthlyPackage, setCardBehaviour } from '#server/testing/subscribers.ts'
import { doJobs } from '#server/testing/work.ts'
import { startPending } from './start-pending.ts'

let s: TestStudio
let desk: Person
let plan: number
beforeAll(async () => {
  s = await studio({ settings: { payment_sources_enabled: false } })
  s.bank().held = true
  desk = await s.make.staff('reception')
  plan = await monthlyPackage(s, { title: 'Mensual', price_centavos: 116_000, class_amount: 8 })
})
afterAll(async () => {
  expect(await wrongMoney(s, false)).toEqual({})
  await s.close()
})
beforeEach(() => s.clock.set(START))

let cards = 0
/** A customer whose subscription waits for a card until the first of December. */
async function waiting(price_centavos = 90_000) {
  const customer = await s.make.customer()
  const [row] = await s.sql<{ id: number }>(
    `insert into pending_subscription (customer_id, class_package_id, source, price_centavos, next_charge_on, staff_id, "createdAt")
     values ($1, $2, 'fitco', $3, '2026-12-01', (select staff_id from staff where uid = $4), $5) returning pending_subscription_id as id`,
    [customer.customer_id, plan, price_centavos, desk.uid, s.clock.now()],
  )
  const { customer_id } = customer
  const pending_subscription_id = row?.id ?? 0
  const last4 = String(2_001 + cards++)
  return {
    who: customer,
    customer_id,
    pending_subscription_id,
    last4,
    listed: async () => (await s.as(desk).pendingSubscriptions.list({ customer_id })).pending_subscriptions,
    async link() {
      const { url, until } = await s.as(desk).pendingSubscriptions.link({ pending_subscription_id })
      return { token: url.split('/').at(-1) ?? '', until }
    },
    giveCard: (token: string) => s.as(null).cardLinks.change({ token, token_id: `tok_ok~visa~${last4}~122030~k` }),
    purchases: () =>
      s.sql<{ purchase_id: number; status: string; total: number; next: number; trial: number | null }>(
        `select purchase_id, status, total_centavos as total, next_total_centavos as next, free_trial_length as trial from purchase where customer_id = $1 order by 1`,
        [customer_id],
      ),
    invoices: () =>
      s.sql<{ total: number; status: string }>('select total_centavos as total, status from invoice where customer_id = $1', [customer_id]),
  }
}
const day = async (at: string) => {
  s.clock.set(at)
  await doJobs(s, 'sales.pending-subscriptions')
}

test('a card is given by the link, nothing is charged before the day, and on it the subscription begins once (V60 to V62)', async () => {
  const pending = await waiting()
  expect(await pending.listed()).toMatchObject([{ state: 'waiting', title: 'Mensual', amount: '900.00', next_charge_on: '2026-12-01' }])
  const { token, until } = await pending.link()
  expect(until).toMatch(/^2027-01-01T05:59:59/)
  const shown = await s.as(null).cardLinks.shown({ token })
  expect(shown.subscription).toMatchObject({ title: 'Mensual', amount: '900.00', next_date: '2026-12-01T00:00:00.000Z', past_due: false })
  expect(await pending.giveCard(token)).toMatchObject({ changed: true, paid: true, clientSecret: null })
  expect(await pending.listed()).toMatchObject([{ state: 'ready' }])
  const [card] = await s.sql<{ id: number }>('select payment_source_id as id from payment_source where customer_id = $1', [
    pending.customer_id,
  ])
  expect(await codeOf(s.as(pending.who).cards.remove({ id: card?.id ?? 0 }))).toBe('PAYMENT_SOURCE_IN_USE')
  await day('2026-11-30T23:30:00-06:00')
  expect([await pending.purchases(), await pending.invoices(), await s.balance(pending.who)]).toEqual([[], [], 0])

  await day('2026-12-01T00:15:00-06:00')
  await doJobs(s, 'sales.pending-subscriptions')
  expect(await pending.purchases()).toMatchObject([{ status: 'active', total: 90_000, next: 90_000, trial: null }])
  expect(await pending.invoices()).toEqual([{ total: 90_000, status: 'paid' }])
  expect(await s.balance(pending.who)).toBe(8)
  expect(await pending.listed()).toEqual([])
  expect(await codeOf(s.as(null).cardLinks.shown({ token }))).toBe('CARD_LINK_GONE')
  expect(await codeOf(pending.giveCard(token))).toBe('CARD_LINK_GONE')
})

test('without a card nothing ever begins; one that is given late is charged then; the link ends thirty days after (V61)', async () => {
  const pending = await waiting(200_000)
  const { token } = await pending.link()
  await day('2026-12-20T10:00:00-06:00')
  expect(await pending.purchases()).toEqual([])
  // The package costs less than what was agreed.
  const shown = await s.as(null).cardLinks.shown({ token })
  expect(shown.subscription).toMatchObject({ amount: '1160.00', next_date: '2026-12-20T00:00:00.000Z' })
  await pending.giveCard(token)
  await doJobs(s, 'sales.pending-subscriptions')
  expect(await pending.invoices()).toEqual([{ total: 116_000, status: 'paid' }])

  const late = await waiting()
  const { token: old } = await late.link()
  s.clock.set('2027-01-01T00:00:00-06:00')
  expect(await codeOf(s.as(null).cardLinks.shown({ token: old }))).toBe('CARD_LINK_GONE')
  expect(await codeOf(s.as(null).cardLinks.shown({ token: `${old}x` }))).toBe('CARD_LINK_INVALID')
})

test('a card that is refused on the day makes it an order with a link (V62)', async () => {
  const pending = await waiting()
  const { token } = await pending.link()
  await pending.giveCard(token)
  await setCardBehaviour(s, pending.last4, 'funds')
  await day('2026-12-01T08:00:00-06:00')
  await doJobs(s, 'sales.pending-subscriptions')
  const { orders } = await s.as(desk).counterOrders.list({ customer_id: pending.customer_id })
  expect(orders).toMatchObject([{ state: 'waiting', charge: '900.00', link: { url: expect.stringContaining('/') } }])
  expect((await pending.purchases()).map(({ status }) => status)).toEqual(['failed', 'pending'])
  expect(await pending.invoices()).toEqual([])
})

test('one of a customer who deletes their account never begins (V42, V62)', async () => {
  const pending = await waiting()
  const { token } = await pending.link()
  await pending.giveCard(token)
  await endSubscriptions(s.system(), { customer_id: pending.customer_id })
  await day('2026-12-01T08:00:00-06:00')
  expect([await pending.purchases(), await pending.listed()]).toEqual([[], []])
})

test('one that staff take off has no link, is charged never, and is in the audit trail (V60)', async () => {
  const pending = await waiting()
  const { token } = await pending.link()
  await pending.giveCard(token)
  const { pending_subscription_id } = pending
  const cancel = () => s.as(desk).pendingSubscriptions.cancel({ pending_subscription_id, reason: 'Ya no viene' })
  await cancel()
  expect(await codeOf(cancel())).toBe('NOT_FOUND')
  expect(await codeOf(pending.link())).toBe('NOT_FOUND')
  expect(await codeOf(s.as(null).cardLinks.shown({ token }))).toBe('CARD_LINK_GONE')
  await day('2026-12-02T08:00:00-06:00')
  expect(await pending.purchases()).toEqual([])
  expect(
    await s.sql(`select action from audit where customer_id = $1 and action like 'subscription.%' order by audit_id`, [
      pending.customer_id,
    ]),
  ).toEqual(['subscription.pending_link', 'subscription.pending_card', 'subscription.pending_cancel'].map((action) => ({ action })))
  const silent = await waiting()
  await s.sql('update customer set email = null, uid = null where customer_id = $1', [silent.customer_id])
  expect(await codeOf(silent.link())).toBe('CUSTOMER_EMAIL_REQUIRED')
})

test('a customer whose card waits for its first charge is not erased before that is cancelled (X12)', async () => {
  const pending = await waiting()
  const owner = s.as(await s.make.staff('owner'))
  const obstacles = async () => (await owner.customerErasure.one({ customer_id: pending.customer_id })).obstacles
  expect(await obstacles()).toEqual([])
  await pending.giveCard((await pending.link()).token)
  expect(await obstacles()).toMatchObject([{ kind: 'subscription', message: expect.stringContaining('Mensual') }])
  await s.as(desk).pendingSubscriptions.cancel({ pending_subscription_id: pending.pending_subscription_id, reason: 'Se da de baja' })
  expect(await obstacles()).toEqual([])
})

test('one whose customer bought that subscription meanwhile is never charged, and while they buy it, it waits (V62)', async () => {
  const pending = await waiting()
  await pending.giveCard((await pending.link()).token)
  const bought = async (status: 'pending' | 'active') =>
    s.sql(
      `insert into purchase (customer_id, class_package_id, title, class_amount, expiration_days, amount_centavos, total_centavos, gateway, status, is_subscription, subscription_period, subscription_interval, request_hash, hold_until, "createdAt", "updatedAt")
       values ($1, $2, 'Mensual', 8, 30, 116000, 116000, 'sandbox', $3, true, 'month', 1, '', '2026-12-31', now(), now()) returning purchase_id`,
      [pending.customer_id, plan, status],
    )
  const [{ purchase_id } = { purchase_id: 0 }] = (await bought('pending')) as { purchase_id: number }[]
  await day('2026-12-01T08:00:00-06:00')
  expect([(await pending.purchases()).length, (await pending.listed()).length]).toEqual([1, 1])
  await s.sql(`update purchase set status = 'active', hold_until = null where purchase_id = $1`, [purchase_id])
  await doJobs(s, 'sales.pending-subscriptions')
  expect([(await pending.purchases()).length, await pending.invoices(), await pending.listed()]).toEqual([1, [], []])
  const [entry] = await s.sql(`select after from audit where customer_id = $1 and action = 'subscription.pending_failed'`, [
    pending.customer_id,
  ])
  expect(entry).toMatchObject({ after: { message: 'Ya tiene esta suscripción.' } })
  await s.sql('delete from purchase where purchase_id = $1', [purchase_id])
})

test('one of a frozen customer waits for the thaw, and then begins (C25)', async () => {
  const pending = await waiting()
  await s.make.lot(pending.who, { granted: 2, expires_at: new Date('2026-12-31T05:59:59Z') })
  await pending.giveCard((await pending.link()).token)
  const run = async (action: 'credits.freeze' | 'credits.thaw') => {
    await s.as(desk, crypto.randomUUID()).bulk.start({ action, ids: [pending.customer_id], params: {}, reason: 'Lesión' })
    await doJobs(s)
  }
  await run('credits.freeze')
  expect(await pending.listed()).toMatchObject([{ state: 'paused' }])
  await day('2026-12-03T08:00:00-06:00')
  expect(await pending.purchases()).toEqual([])
  await run('credits.thaw')
  expect(await pending.listed()).toMatchObject([{ state: 'ready' }])
  await doJobs(s, 'sales.pending-subscriptions')
  expect(await pending.invoices()).toEqual([{ total: 90_000, status: 'paid' }])
})

test('one that is imported for a frozen customer waits for the thaw (C25)', async () => {
  const [customer, other] = [await s.make.customer(), await s.make.customer()]
  for (const holder of [customer, other]) await s.make.lot(holder, { granted: 2, expires_at: new Date('2026-12-31T05:59:59Z') })
  await s.as(desk, crypto.randomUUID()).bulk.start({ action: 'credits.freeze', ids: [customer.customer_id], params: {}, reason: 'Lesión' })
  await doJobs(s)
  const ctx = s.system()
  const [row] = await s.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [desk.uid])
  const values = {
    class_package_id: plan,
    source: 'estudio' as const,
    price_centavos: 90_000,
    next_charge_on: '2026-12-01',
    staff_id: row?.staff_id ?? 0,
  }
  const states: string[][] = []
  for (const { customer_id } of [customer, other]) {
    await ctx.tx((tx) => addPendingSubscription(tx, ctx, { ...values, customer_id }))
    states.push((await s.as(desk).pendingSubscriptions.list({ customer_id })).pending_subscriptions.map(({ state }) => state))
  }
  expect(states).toEqual([['paused'], ['waiting']])
})

test('one that waits is thawed also where nothing else is frozen any more (C25)', async () => {
  const pending = await waiting()
  const { available_class_id } = await s.make.lot(pending.who, { granted: 2, expires_at: new Date('2026-12-31T05:59:59Z') })
  const run = async (action: 'credits.freeze' | 'credits.thaw') => {
    await s.as(desk, crypto.randomUUID()).bulk.start({ action, ids: [pending.customer_id], params: {}, reason: 'Lesión' })
    await doJobs(s)
  }
  await run('credits.freeze')
  await s.sql('update available_class set "revokedAt" = now() where available_class_id = $1', [available_class_id])
  await run('credits.thaw')
  expect(await pending.listed()).toMatchObject([{ state: 'waiting' }])
})

test('a customer who is merged while theirs begins keeps it (V62, X14)', async () => {
  const [first, other] = [await waiting(), await s.make.customer()]
  await first.giveCard((await first.link()).token)
  s.clock.set('2026-12-01T08:00:00-06:00')
  const { pending_subscription_id } = first
  let begun: Promise<unknown> = Promise.resolve()
  await s.studio.db.tx(async (tx) => {
    await tx.execute(sql`select 1 from customer where customer_id = ${first.customer_id} for update`)
    begun = startPending(s.system(), { pending_subscription_id }).catch((error: unknown) => error)
    await new Promise((resume) => setTimeout(resume, 300))
    await tx.execute(
      sql`update pending_subscription set customer_id = ${other.customer_id} where pending_subscription_id = ${pending_subscription_id}`,
    )
    await tx.execute(sql`update payment_source set customer_id = ${other.customer_id} where customer_id = ${first.customer_id}`)
    await tx.execute(sql`update customer set uid = null, "deletedAt" = now() where customer_id = ${first.customer_id}`)
  })
  expect(await begun).toBeInstanceOf(Error)
  const pending = await s.sql('select customer_id, "cancelledAt" from pending_subscription where pending_subscription_id = $1', [
    pending_subscription_id,
  ])
  expect(pending).toEqual([{ customer_id: other.customer_id, cancelledAt: null }])
})
