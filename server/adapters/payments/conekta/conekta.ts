/**
 * Conekta: cards by token or saved, its hosted page, OXXO and SPEI, subscriptions whose first period is an order.
 * A subscription is referred to by the id of its plan: each plan is created for one purchase, so every webhook event leads back to it.
 *
 * Transfers of another amount. Each order has its own CLABE. Conekta does not publish what it does with a transfer of too little, too much
 * or too late; the API (2.3.0) has `charge.amount`, `charge.paid_at`, the order's states and, on the charge of a transfer, a list
 * `payment_attempts` whose items have no published shape. It has no customer balance, no partial state and no event for a rejected
 * transfer. So every case that the API allows is handled, and each is reported (docs/domain.md V40):
 * - the order is paid by a charge of more than its amount: it counts as paid, and the excess is unclaimed money;
 * - by a charge of less: the purchase is not granted, the order cannot take a second transfer, and the whole amount is unclaimed money;
 * - it is paid after it was cancelled or had expired: late money (V13);
 * - it is not paid and lists an attempt: the bank most likely returned the money, but Conekta may have it: unclaimed money, with an amount only
 *   if one is given in centavos.
 * Unclaimed money is sent back by refunding its order; where Conekta refuses that, the studio decides and the customer is notified.
 */
import type { OrderResponse } from 'conekta'
import type { ErrorCode } from '#contract/errors.ts'
import type { CardFields } from '#contract/sales.ts'
import type { Settings } from '#contract/settings.ts'
import { type Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import {
  paymentInvalid,
  processorUnavailable,
  refundFailed,
  unknownObject,
  unknownOutcome,
  unsupported,
} from '#server/adapters/payments/failures.ts'
import {
  type Buyer,
  type CardRef,
  type Charge,
  type Facts,
  type Instrument,
  isPaidFor,
  type Key,
  PaymentError,
  type PaymentGateway,
  type Plan,
  type Ref,
  type StopTime,
} from '#server/adapters/payments/port.ts'
import { readFacts } from '#server/adapters/payments/reading.ts'
import { assertNotInTransaction, type Db } from '#server/platform/db.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { conektaInBrowser } from './browser.ts'
import { ConektaCards } from './cards.ts'
import { ConektaClient, type ConektaOptions, describeFailure } from './client.ts'
import { type ConektaMemo, chargeInOrder, isLost, orderFacts, toInterval } from './facts.ts'
import { ConektaOrders, IN_FLIGHT_MS } from './orders.ts'
import { ConektaSubscriptions } from './subscriptions.ts'
import { type ConektaEvent, ConektaWebhooks, listRefsOf } from './webhooks.ts'

export interface ConektaDeps extends ConektaOptions {
  db: Db
  now: () => Date
}

/** Centavos: minimum and maximum of a card charge, and of a voucher paid in a shop. */
const LEAST = 1_000
const MOST = 99_999_999
const VOUCHER_MOST = 1_000_000

export class ConektaGateway implements PaymentGateway {
  readonly id = 'conekta'
  readonly #deps: ConektaDeps
  readonly #client: ConektaClient
  readonly #memory: CallJournal<ConektaMemo>
  readonly #orders: ConektaOrders
  readonly #subscriptions: ConektaSubscriptions
  readonly #webhooks: ConektaWebhooks
  readonly cards: ConektaCards

  constructor(deps: ConektaDeps) {
    this.#deps = deps
    this.#client = new ConektaClient(deps)
    this.#memory = new CallJournal('conekta', deps)
    this.#orders = new ConektaOrders(this.#client, this.#memory, deps.now)
    this.cards = new ConektaCards(this.#client, this.#memory, (buyer) => this.#customer(buyer))
    this.#subscriptions = new ConektaSubscriptions(this.#client, this.#memory, this.#orders, this.cards, deps.now)
    this.#webhooks = new ConektaWebhooks(this.#client, { webhookKey: deps.webhookKey, now: deps.now })
  }

  cardFields(settings: Settings): CardFields | null {
    const public_key = conektaInBrowser.publicKey(settings)
    return public_key === null ? null : { processor: 'conekta', public_key }
  }

  walletButton(): null {
    return null
  }

  refuses(what: { instrument: Instrument['by']; amount: number; plan?: Plan; saveCard?: boolean }): ErrorCode | null {
    const { instrument, plan } = what
    if (instrument === 'hand' || instrument === 'wallet') return 'PAYMENT_METHOD_UNAVAILABLE'
    if (instrument === 'voucher') {
      if (plan) return 'PAYMENT_METHOD_UNAVAILABLE'
      return what.amount < LEAST || what.amount > VOUCHER_MOST ? 'AMOUNT_OUT_OF_RANGE' : null
    }
    if (!plan) return what.amount < LEAST || what.amount > MOST ? 'AMOUNT_OUT_OF_RANGE' : null
    const { every, amount, firstAmount = amount, trialEnd } = plan
    // The hosted page sells no subscriptions, and there are no coupons, so a different first price after a free trial is not possible.
    if (instrument === 'hosted-page' || !toInterval(every) || (trialEnd && firstAmount !== amount)) return 'PAYMENT_METHOD_UNAVAILABLE'
    return [amount, firstAmount].some((value) => value < LEAST || value > MOST) ? 'AMOUNT_OUT_OF_RANGE' : null
  }

  async start(charge: Charge, plan?: Plan): Promise<Facts> {
    assertNotInTransaction('Conekta')
    const { key, instrument } = charge
    const no = this.refuses({ instrument: instrument.by, amount: charge.amount, ...(plan ? { plan } : {}) })
    if (no) throw unsupported(no)
    const request = { amount: charge.amount, instrument, plan: plan && { ...plan, trialEnd: plan.trialEnd?.toISOString() } }
    const memo = { by: instrument.by, until: charge.expiresAt.toISOString(), ...(plan ? this.#subscriptions.terms(charge, plan) : {}) }
    const { call } = await this.#memory.open(key, requestHash('conekta', request), memo)
    const customer = await this.#customer(charge.buyer)
    if (instrument.by === 'saved-card' && instrument.card.buyer !== null && instrument.card.buyer !== customer)
      throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE')
    const known = call.buyer ? call : await this.#memory.keep(key, { buyer: customer })
    const ref = plan ? await this.#subscriptions.start(charge, plan, known, customer) : await this.#pay(charge, known, customer)
    // From here on money may have moved: a failed read does not mean that the charge failed.
    return this.settle(ref).catch((error: unknown) => {
      throw error instanceof PaymentError && error.kind === 'unknown_outcome' ? error : unknownOutcome({ cause: error })
    })
  }

  async settle(ref: Ref, _how?: { approved?: boolean }): Promise<Facts> {
    assertNotInTransaction('Conekta')
    if (ref.id.startsWith('charge:')) {
      const owner = await this.#memory.known(ref.id)
      return owner ? this.settle({ ...ref, id: owner }) : nobodys(ref)
    }
    const call = await this.#memory.madeBy(ref.id)
    if (call?.ref?.kind === 'subscription') return this.#subscriptions.facts(call)
    const owner = call ? null : await this.#memory.known(`order:${ref.id}`)
    const subscription = owner ? await this.#memory.madeBy(owner) : null
    if (subscription) return this.#subscriptions.facts(subscription, ref.id)
    if (!call?.ref) throw unknownObject()
    return this.#orderFacts(call, ref.id)
  }

  /** Null for an order that was created but never charged, since it brings no money; an order that may still be charged is not changed. */
  async find(key: Key): Promise<Facts | null> {
    assertNotInTransaction('Conekta')
    const call = await this.#memory.get(key)
    if (!call?.ref) return null
    const facts = await this.settle(call.ref)
    const order = call.ref.kind === 'payment' ? call.ref.id : call.memo.order
    const card = call.memo.by === 'card-token' || call.memo.by === 'saved-card'
    const untouched = facts.state !== 'paid' && facts.state !== 'refused' && !facts.next
    if (!card || !order || !untouched || chargeInOrder(await this.#orders.read(order))) return facts
    if (facts.state === 'waiting' && !this.#orders.isCharging(call)) await this.#orders.cancel(order)
    return null
  }

  async stop(ref: Ref, when: StopTime, _reason: string): Promise<Facts> {
    assertNotInTransaction('Conekta')
    const before = await this.settle(ref)
    const call = await this.#memory.madeBy(before.ref.id)
    if (!call?.ref) throw unknownObject()
    if (call.ref.kind === 'subscription')
      return when === 'unless-paid' && isPaidFor(before)
        ? before
        : this.#subscriptions.stop(call, before, when === 'period-end' ? when : 'now')
    if (before.state !== 'waiting') return before
    await this.#orders.giveUp(call, call.ref.id, 'ended')
    return this.settle(call.ref)
  }

  async refund(ref: Ref, paymentId: string, amount: number, key: Key): Promise<Facts> {
    assertNotInTransaction('Conekta')
    const before = await this.settle(ref)
    const paid = before.payments.find(({ id }) => id === paymentId)
    const owner = await this.#memory.madeBy(before.ref.id)
    const order =
      owner?.ref?.kind === 'subscription'
        ? Object.entries(owner.memo.cycles ?? {}).find(([, cycle]) => cycle.payment === paymentId)?.[0]
        : before.ref.id
    if (!paid || !order) throw unknownObject()
    const { call } = await this.#memory.open(key, requestHash('conekta refund', { paymentId, amount }), {})
    if (call.memo.refund) {
      const mine = chargeInOrder(await this.#orders.read(order))?.refunds?.data?.find(({ id }) => id === call.memo.refund)
      if (mine && isLost(mine)) throw refundFailed()
      return before
    }
    await this.#refundOnce(key, order, amount, paid.refunded + amount <= paid.amount)
    return this.settle({ gateway: 'conekta', kind: 'payment', id: order })
  }

  async changeCard(ref: Ref, card: CardRef): Promise<Facts> {
    assertNotInTransaction('Conekta')
    const call = await this.#memory.madeBy(ref.id)
    if (call?.ref?.kind !== 'subscription') throw unknownObject()
    if (card.buyer !== null && card.buyer !== call.buyer) throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE')
    return this.#subscriptions.changeCard(call, card.id)
  }

  async pause(ref: Ref, paused: boolean): Promise<Facts> {
    assertNotInTransaction('Conekta')
    const call = await this.#memory.madeBy(ref.id)
    if (call?.ref?.kind !== 'subscription') throw unknownObject()
    return this.#subscriptions.pause(call, paused)
  }

  async returnUnclaimed(ref: Ref, movement: string): Promise<Facts> {
    assertNotInTransaction('Conekta')
    const facts = await this.settle(ref)
    const call = await this.#memory.madeBy(ref.id)
    const { unclaimed } = facts
    // A transfer attempt that Conekta did not accept has no charge to refund.
    if (!call || !unclaimed?.amount || unclaimed.id !== movement || movement.includes(':')) return facts
    const key = { ...call.key, step: 'sent-back' }
    await this.#memory.open(key, requestHash('conekta sent back', { movement, amount: unclaimed.amount }), {})
    await this.#refundOnce(key, ref.id, unclaimed.amount)
    const refund = (await this.#memory.get(key))?.memo.refund
    if (refund) await this.#memory.keep(call.key, { memo: { sentBack: refund } })
    return this.settle(ref)
  }

  async verifyWebhook(delivery: { headers: Record<string, string | string[] | undefined>; body: Uint8Array }) {
    const event = await this.#webhooks.read(delivery.headers.digest, delivery.body)
    return { eventId: event.id, at: new Date(event.created_at * 1000), about: await this.#ours(event) }
  }

  async *since(from: Date): AsyncIterable<Facts> {
    assertNotInTransaction('Conekta')
    const seconds = Math.floor(from.getTime() / 1000)
    const refs = new Map((await this.#memory.begunSince(from)).map((ref) => [ref.id, ref]))
    for (let next: string | undefined, more = true; more; ) {
      const page = await this.#client.read(({ events }) => events.getEvents('es', undefined, 100, undefined, next))
      const young = (page.data ?? []).filter(({ created_at }) => (created_at ?? 0) >= seconds)
      for (const event of young) for (const ref of await this.#ours(event as ConektaEvent)) refs.set(ref.id, ref)
      next = pageAfter(page.next_page_url)
      more = page.has_more && next !== undefined && young.length > 0
    }
    yield* readFacts(refs.values(), (ref) => this.settle(ref))
  }

  async #pay(charge: Charge, call: Call<ConektaMemo>, customer: string): Promise<Ref> {
    const { instrument, key } = charge
    const hosted = instrument.by === 'hosted-page' ? { until: charge.expiresAt } : null
    const order = await this.#orders.ensure(call, async () => ({
      ref: { gateway: 'conekta', kind: 'payment', id: await this.#orders.create(charge, customer, hosted) },
    }))
    const ref = order.ref ?? { gateway: 'conekta', kind: 'payment', id: '' }
    if (!hosted)
      await this.#orders.charge(key, ref.id, charge.amount, async ({ memo }) => {
        if (instrument.by === 'voucher')
          return { type: instrument.kind === 'oxxo' ? 'cash' : 'spei', expires_at: Math.floor(charge.expiresAt.getTime() / 1000) }
        if (instrument.by === 'saved-card') return { type: 'card', payment_source_id: instrument.card.id }
        const token = instrument.by === 'card-token' ? instrument.token : ''
        if (!charge.saveCard) return { type: 'card', token_id: token }
        return { type: 'card', payment_source_id: await this.cards.saveOnce(key, memo.card, customer, token) }
      })
    return ref
  }

  async #orderFacts(call: Call<ConektaMemo>, id: string): Promise<Facts> {
    const order = await this.#orders.read(id)
    const until = new Date(call.memo.until ?? call.createdAt)
    let facts = orderFacts(order, call.memo, until)
    // A voucher paid at OXXO on its last evening is confirmed on the next bank day, so the purchase decides when the hold ends (V10).
    const isCash = chargeInOrder(order)?.payment_method?.object === 'cash_payment'
    const waits = call.memo.by === 'hosted-page' || (call.memo.by === 'voucher' && !isCash)
    if (facts.state === 'waiting' && waits && until <= this.#deps.now()) {
      const over = await this.#orders.giveUp(call, id, 'expired')
      if (over) facts = orderFacts(await this.#orders.read(id), over.memo, until)
    }
    if (facts.state === 'waiting' && !facts.next && this.#orders.isCharging(call)) facts = { ...facts, state: 'processing' }
    const charge = chargeInOrder(order)
    // Webhook events of a dispute may contain only the charge's id.
    if (charge && facts.state === 'paid') await this.#memory.once(`charge:${charge.id}`, async () => id)
    return {
      ref: call.ref ?? { gateway: 'conekta', kind: 'payment', id },
      ...facts,
      purchaseId: call.key.purchase,
      ...(call.buyer ? { buyerRef: call.buyer } : {}),
    }
  }

  /** References that this installation created; other objects on the same account are ignored. */
  async #ours(event: ConektaEvent): Promise<Ref[]> {
    const out: Ref[] = []
    for (const ref of listRefsOf(event))
      if ((await this.#memory.madeBy(ref.id)) || (await this.#memory.known(ref.id.startsWith('charge:') ? ref.id : `order:${ref.id}`)))
        out.push(ref)
    return out
  }

  /** Refunds once per key. AMOUNT_OUT_OF_RANGE when the amount does not fit and this refund was not requested before. */
  async #refundOnce(key: Key, order: string, amount: number, fits = true): Promise<void> {
    const before = await this.#memory.get(key)
    if (before?.memo.refund) return
    const entered = await this.#memory.enter(key, 'refunding', { refunding: IN_FLIGHT_MS })
    // Conekta has no idempotency keys: after a lost response look for a refund that no other call has claimed.
    const lost = before?.phase === 'refunding' ? await this.#unknownRefund(await this.#orders.read(order), amount, key) : null
    if (lost) await this.#memory.keep(key, { memo: { refund: lost } })
    else if (!entered) throw unknownOutcome()
    else if (!entered.memo.refund) {
      if (!fits) {
        await this.#memory.leave(key, 'refunding')
        throw paymentInvalid('AMOUNT_OUT_OF_RANGE')
      }
      await this.#giveBack(order, amount, key)
    }
    await this.#memory.leave(key, 'refunding')
  }

  async #giveBack(order: string, amount: number, key: Key): Promise<void> {
    let after: OrderResponse
    try {
      after = await this.#client.charge(({ orders }) => orders.orderRefund(order, { amount, reason: 'requested_by_client' }, 'es'))
    } catch (error) {
      if (!(error instanceof PaymentError) || error.kind === 'unknown_outcome') throw error
      await this.#memory.leave(key, 'refunding')
      throw describeFailure(error)?.status === 422 ? unsupported('PURCHASE_CLOSED', { cause: error }) : error
    }
    await this.#memory.keep(key, { memo: { refund: (await this.#unknownRefund(after, amount, key)) ?? 'done' } })
  }

  /** A refund of this amount that no call has claimed; claims it for `key`. Null when there is none. */
  async #unknownRefund(order: OrderResponse, amount: number, key: Key): Promise<string | null> {
    const mine = `${key.purchase}:${key.step}:${key.n}`
    for (const refund of chargeInOrder(order)?.refunds?.data ?? [])
      if (Math.abs(refund.amount) === amount && (await this.#memory.once(`refund:${refund.id}`, async () => mine)) === mine)
        return refund.id
    return null
  }

  /** Our customer at Conekta. Created by one process at a time, because Conekta has no idempotency keys. */
  async #customer(buyer: Buyer): Promise<string> {
    if (buyer.ref) return buyer.ref
    const name = `customer:${buyer.customer_id}`
    const known = await this.#memory.known(name)
    if (known) return known
    const phone = buyer.phone?.replace(/\D/g, '').slice(-10) ?? ''
    if (phone.length !== 10) throw unsupported('PAYMENT_METHOD_UNAVAILABLE', { provider: { code: 'no telephone' } })
    const key = { purchase: buyer.customer_id, step: 'customer', n: 1 }
    const { call } = await this.#memory.open(key, 'customer', {})
    if (!(await this.#memory.enter(key, 'starting', { starting: IN_FLIGHT_MS }))) {
      await this.#memory.awaitLeave(key, ['starting'])
      const planId = await this.#memory.known(name)
      if (!planId) throw processorUnavailable()
      return planId
    }
    try {
      return await this.#memory.once(name, async () => {
        const app = await this.#memory.installation()
        const customer = await this.#client.prepare(({ customers }) =>
          customers.createCustomer(
            { name: buyer.name, email: buyer.email, phone: `+52${phone}`, metadata: { app, customer_id: String(call.key.purchase) } },
            'es',
          ),
        )
        return customer.id
      })
    } finally {
      await this.#memory.leave(key, 'starting')
    }
  }
}

/** The `next` parameter of a page's URL. */
function pageAfter(url: string | undefined | null): string | undefined {
  return url ? (new URL(url, 'https://api.conekta.io').searchParams.get('next') ?? undefined) : undefined
}

/** Facts of an object that is not of this installation, so that no purchase is affected. */
const nobodys = (ref: Ref): Facts => ({ ref, state: 'processing', next: null, payments: [] })
