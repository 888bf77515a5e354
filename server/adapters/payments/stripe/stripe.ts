/**
 * Stripe: cards with 3-D Secure, Checkout Sessions, saved cards, OXXO and SPEI vouchers, subscriptions. Idempotency keys make every call
 * that moves money repeatable; the call journal finds objects whose response was lost.
 */
import type { Stripe } from 'stripe'
import type { ErrorCode } from '#contract/errors.ts'
import type { CardFields } from '#contract/sales.ts'
import type { Settings } from '#contract/settings.ts'
import { type Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { paymentInvalid, refundFailed, unknownObject, unknownOutcome, unsupported } from '#server/adapters/payments/failures.ts'
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
import { StripeBalances } from './balances.ts'
import { StripeBilling } from './billing.ts'
import { stripeInBrowser } from './browser.ts'
import { StripeCards } from './cards.ts'
import { isStripeError, StripeClient, type StripeOptions } from './client.ts'
import { expanded, idOf, intentFacts, type StripeMemo, secondsOf } from './facts.ts'
import { keyText } from './keys.ts'
import { expiresAt, howPaid, pageParams } from './requests.ts'
import { EVENT_TYPES, listRefsOf, readWebhookEvent } from './webhooks.ts'

export interface StripeDeps extends StripeOptions {
  db: Db
  now: () => Date
}

/** Centavos: Stripe's minimum charge in pesos, its largest number, and the range of a voucher. */
const LEAST = 1_000
const MOST = 99_999_999
const VOUCHER_MOST = 1_000_000
/** Stripe's longest periods: three years. */
const LONGEST = { day: 1_095, month: 36, year: 3 } as const
const DAY_MS = 86_400_000
/** Minimum length of a trial that starts on Stripe's page: two days. */
const PAGE_TRIAL_MS = 2 * DAY_MS

export class StripeGateway implements PaymentGateway {
  readonly id = 'stripe'
  readonly #deps: StripeDeps
  readonly #client: StripeClient
  readonly #memory: CallJournal<StripeMemo>
  readonly #billing: StripeBilling
  readonly #balances: StripeBalances
  readonly cards: StripeCards

  constructor(deps: StripeDeps) {
    this.#deps = deps
    this.#client = new StripeClient(deps)
    this.#memory = new CallJournal('stripe', deps)
    this.#billing = new StripeBilling(this.#client, this.#memory)
    this.#balances = new StripeBalances(this.#client, this.#memory)
    this.cards = new StripeCards(this.#client, this.#memory, (buyer) => this.#customer(buyer))
  }

  cardFields(settings: Settings): CardFields | null {
    const public_key = stripeInBrowser.publicKey(settings)
    return public_key === null ? null : { processor: 'stripe', public_key }
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
    if (every.count < 1 || every.count > LONGEST[every.unit] || firstAmount > amount) return 'PAYMENT_METHOD_UNAVAILABLE'
    if (instrument === 'hosted-page' && trialEnd && trialEnd.getTime() - this.#deps.now().getTime() < PAGE_TRIAL_MS)
      return 'PAYMENT_METHOD_UNAVAILABLE'
    return firstAmount < LEAST || amount > MOST ? 'AMOUNT_OUT_OF_RANGE' : null
  }

  async start(charge: Charge, plan?: Plan): Promise<Facts> {
    assertNotInTransaction('Stripe')
    const { key, instrument } = charge
    const no = this.refuses({ instrument: instrument.by, amount: charge.amount, ...(plan ? { plan } : {}) })
    if (no) throw unsupported(no)
    const request = { amount: charge.amount, instrument, plan: plan && { ...plan, trialEnd: plan.trialEnd?.toISOString() } }
    const kind = instrument.by === 'hosted-page' ? 'session' : plan ? 'subscription' : 'intent'
    const { call } = await this.#memory.open(key, requestHash('stripe', request), { kind, until: charge.expiresAt.toISOString() })
    if (call.ref) return this.settle(call.ref)
    const customer = await this.#customer(charge.buyer)
    if (instrument.by === 'saved-card' && instrument.card.buyer !== null && instrument.card.buyer !== customer)
      throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE')
    const known = await this.#memory.keep(key, { buyer: customer })
    if (kind === 'session') return this.#startSession(charge, plan, known, customer)
    if (plan) {
      const ref = await this.#billing.start(charge, plan, known, customer, await this.#metadata(charge))
      return this.settle(ref).catch((error: unknown) => {
        throw unknownOutcome({ cause: error })
      })
    }
    return this.#startIntent(charge, known, customer)
  }

  async settle(ref: Ref, _how?: { approved?: boolean }): Promise<Facts> {
    assertNotInTransaction('Stripe')
    if (ref.id.startsWith('pi_')) return this.#byIntent(ref.id)
    if (ref.id.startsWith('cs_')) return this.#bySession(ref.id)
    if (ref.id.startsWith('sub_')) return this.#bySubscription(ref.id)
    if (ref.id.startsWith('cus_')) return this.#balances.facts(ref.id)
    throw unknownObject()
  }

  async find(key: Key): Promise<Facts | null> {
    assertNotInTransaction('Stripe')
    const call = await this.#memory.get(key)
    if (!call) return null
    const ref = call.ref ?? (await this.#lost(call))
    return ref && this.settle(ref)
  }

  async stop(ref: Ref, when: StopTime, reason: string): Promise<Facts> {
    assertNotInTransaction('Stripe')
    const before = await this.settle(ref)
    const open = before.state === 'waiting' || before.state === 'processing' || before.state === 'refused'
    const call = await this.#memory.madeBy(before.ref.id)
    if (call && open) await this.#memory.enter(call.key, 'stopped', {})
    if (!open && (before.ref.kind === 'payment' || (when === 'unless-paid' && isPaidFor(before)))) return before
    const id = before.ref.id
    if (id.startsWith('cs_')) {
      const session = await this.#client.read((sdk) => sdk.checkout.sessions.retrieve(id))
      if (session.status === 'open') await this.#end((sdk) => sdk.checkout.sessions.expire(id))
      const [intent, subscription] = [idOf(session.payment_intent), idOf(session.subscription)]
      if (subscription) await this.#billing.stop(subscription, when, reason, call)
      else if (intent && session.status === 'complete') await this.#end((sdk) => sdk.paymentIntents.cancel(intent))
    } else if (id.startsWith('sub_')) await this.#billing.stop(id, when, reason, call)
    else await this.#end((sdk) => sdk.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }))
    return this.settle(before.ref)
  }

  async refund(ref: Ref, paymentId: string, amount: number, key: Key): Promise<Facts> {
    assertNotInTransaction('Stripe')
    const before = await this.settle(ref)
    const paid = before.payments.find(({ id }) => id === paymentId)
    if (!paid) throw unknownObject()
    const { call, mine } = await this.#memory.open(key, requestHash('stripe refund', { paymentId, amount }), {})
    const known = call.memo.refund || !mine ? await this.#refundOf(paymentId, key, call.memo.refund) : undefined
    if (known?.failed) throw refundFailed()
    if (known || call.memo.refund) return before
    if (paid.refunded + amount > paid.amount) throw paymentInvalid('AMOUNT_OUT_OF_RANGE')
    if (before.method?.label === 'OXXO' || !paymentId.startsWith('pi_')) throw unsupported('PAYMENT_METHOD_UNAVAILABLE')
    const app = await this.#memory.installation()
    try {
      const refund = await this.#client.charge(keyText(app, key, 'rf'), (sdk, options) =>
        sdk.refunds.create(
          {
            payment_intent: paymentId,
            amount,
            reason: 'requested_by_customer',
            metadata: { app, purchase_id: key.purchase, refund: refundName(key) },
          },
          options,
        ),
      )
      await this.#memory.keep(key, { memo: { refund: refund.id } })
      if (isFailed(refund)) throw refundFailed()
    } catch (error) {
      const stripeCode = error instanceof PaymentError && isStripeError(error.cause) ? error.cause.code : undefined
      if (stripeCode === 'charge_disputed') throw paymentInvalid('PURCHASE_CLOSED', { cause: error })
      if (stripeCode !== 'charge_already_refunded') throw error
    }
    return this.settle(before.ref)
  }

  async changeCard(ref: Ref, card: CardRef): Promise<Facts> {
    assertNotInTransaction('Stripe')
    const { id, before } = await this.#running(ref)
    if (card.buyer !== null && card.buyer !== before.buyerRef) throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE')
    const no = await this.#billing.changeCard(id, card.id).catch((error: unknown) => {
      if (error instanceof PaymentError && error.kind === 'invalid') throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE', { cause: error })
      throw error
    })
    return { ...(await this.settle(before.ref)), ...(no ? { why: no } : {}) }
  }

  async payOverdue(ref: Ref): Promise<Facts> {
    assertNotInTransaction('Stripe')
    const { id, before } = await this.#running(ref)
    const no = before.state === 'past_due' ? await this.#billing.payOverdue(id) : null
    return { ...(await this.settle(before.ref)), ...(no ? { why: no } : {}) }
  }

  async pause(ref: Ref, paused: boolean): Promise<Facts> {
    assertNotInTransaction('Stripe')
    const { id, before } = await this.#running(ref)
    if (before.state !== 'past_due' && !before.cancelled) await this.#billing.pause(id, paused)
    return this.settle(before.ref)
  }

  /** The subscription of a reference, which may be the hosted page that sold it. */
  async #running(ref: Ref): Promise<{ id: string; before: Facts }> {
    const before = await this.settle(ref)
    if (before.ref.kind !== 'subscription' || !['paid', 'trialing', 'past_due'].includes(before.state))
      throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE')
    if (before.ref.id.startsWith('sub_')) return { id: before.ref.id, before }
    const session = await this.#client.read((sdk) => sdk.checkout.sessions.retrieve(before.ref.id))
    const id = idOf(session.subscription)
    if (!id) throw unknownObject()
    return { id, before }
  }

  async returnUnclaimed(ref: Ref, movement: string): Promise<Facts> {
    assertNotInTransaction('Stripe')
    return this.#balances.giveBack(ref.id, movement)
  }

  async verifyWebhook(delivery: { headers: Record<string, string | string[] | undefined>; body: Uint8Array }) {
    const { default: StripeSdk } = await import('stripe')
    const { webhookSecret: secret, secretKey, now } = this.#deps
    const event = readWebhookEvent(
      StripeSdk,
      { secret, live: /^[sr]k_live_/.test(secretKey), now: now() },
      delivery.headers['stripe-signature'],
      delivery.body,
    )
    return { eventId: event.id, at: new Date(event.created * 1000), about: listRefsOf(event, await this.#memory.installation()) }
  }

  async *since(from: Date): AsyncIterable<Facts> {
    assertNotInTransaction('Stripe')
    const app = await this.#memory.installation()
    const refs = new Map((await this.#memory.begunSince(from)).map((ref) => [ref.id, ref]))
    for (const types of [EVENT_TYPES.slice(0, 20), EVENT_TYPES.slice(20)])
      for await (const event of this.#client.each((sdk) =>
        sdk.events.list({ created: { gte: secondsOf(from) }, types: [...types], limit: 100 }),
      ))
        for (const ref of listRefsOf(event, app)) refs.set(ref.id, ref)
    yield* readFacts(refs.values(), (ref) => this.settle(ref))
  }

  async #startIntent(charge: Charge, call: Call<StripeMemo>, customer: string): Promise<Facts> {
    const params: Stripe.PaymentIntentCreateParams = {
      amount: charge.amount,
      currency: 'mxn',
      customer,
      confirm: true,
      description: charge.title,
      metadata: await this.#metadata(charge),
      expand: ['latest_charge', 'payment_method'],
      ...howPaid(charge, call),
    }
    const intent = await this.#client
      .charge(keyText(await this.#memory.installation(), charge.key, 'pi'), (sdk, options) => sdk.paymentIntents.create(params, options))
      .catch((error: unknown) => {
        // A bank's refusal contains the payment: it is a fact, not a failure.
        const refused = error instanceof PaymentError && isStripeError(error.cause) ? error.cause.payment_intent : undefined
        if (error instanceof PaymentError && error.kind === 'declined' && refused) return refused
        throw error
      })
    await this.#memory.keep(charge.key, { ref: { gateway: 'stripe', kind: 'payment', id: intent.id } })
    return this.#factsOf(intent, charge.key, expiresAt(call), [])
  }

  async #startSession(charge: Charge, plan: Plan | undefined, call: Call<StripeMemo>, customer: string): Promise<Facts> {
    const metadata = await this.#metadata(charge)
    const common = pageParams(charge, call, customer, metadata)
    const params: Stripe.Checkout.SessionCreateParams = plan
      ? { ...common, mode: 'subscription', ...(await this.#billing.sessionTerms(charge, plan, metadata)) }
      : {
          ...common,
          mode: 'payment',
          line_items: [{ quantity: 1, price_data: { currency: 'mxn', unit_amount: charge.amount, product_data: { name: charge.title } } }],
          payment_intent_data: {
            metadata,
            description: charge.title,
            ...(charge.saveCard ? { setup_future_usage: 'off_session' as const } : {}),
          },
        }
    const session = await this.#client.charge(keyText(await this.#memory.installation(), charge.key, 'cs'), (sdk, options) =>
      sdk.checkout.sessions.create(params, options),
    )
    const ref: Ref = { gateway: 'stripe', kind: plan ? 'subscription' : 'payment', id: session.id }
    await this.#memory.keep(charge.key, { ref })
    return {
      ref,
      state: 'waiting',
      next: session.url ? { do: 'go', url: session.url, id: session.id } : null,
      payments: [],
      purchaseId: charge.key.purchase,
      buyerRef: customer,
    }
  }

  async #byIntent(id: string): Promise<Facts> {
    const intent = await this.#client.read((sdk) => sdk.paymentIntents.retrieve(id, { expand: ['latest_charge', 'payment_method'] }))
    const call = await this.#callOf(intent.metadata)
    if (!call) {
      // Payments of a subscription's invoices do not have our metadata.
      const paid = await this.#client.read((sdk) =>
        sdk.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: id }, limit: 1, expand: ['data.invoice'] }),
      )
      const subscription = idOf(
        expanded(paid.data[0]?.invoice as string | Stripe.Invoice | undefined)?.parent?.subscription_details?.subscription,
      )
      if (subscription) return this.#bySubscription(subscription)
      return { ref: { gateway: 'stripe', kind: 'payment', id }, ...intentFacts(intent, [], this.#deps.now()) }
    }
    if (call.memo.kind === 'session' && call.ref) return this.#bySession(call.ref.id)
    if (!call.ref) await this.#memory.keep(call.key, { ref: { gateway: 'stripe', kind: 'payment', id } })
    return this.#factsOf(intent, call.key, expiresAt(call), await this.#disputesOf(intent))
  }

  #factsOf(intent: Stripe.PaymentIntent, key: Key, until: Date, disputes: readonly Stripe.Dispute[]): Facts {
    const customer = idOf(intent.customer)
    return {
      ref: { gateway: 'stripe', kind: 'payment', id: intent.id },
      ...intentFacts(intent, disputes, until),
      purchaseId: key.purchase,
      ...(customer ? { buyerRef: customer } : {}),
    }
  }

  async #disputesOf(intent: Stripe.PaymentIntent): Promise<readonly Stripe.Dispute[]> {
    if (!expanded(intent.latest_charge)?.disputed) return []
    return (await this.#client.read((sdk) => sdk.disputes.list({ payment_intent: intent.id, limit: 100 }))).data
  }

  async #bySession(id: string): Promise<Facts> {
    const session = await this.#client.read((sdk) =>
      sdk.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge', 'payment_intent.payment_method'] }),
    )
    const call = await this.#callOf(session.metadata)
    const ref: Ref = { gateway: 'stripe', kind: session.mode === 'subscription' ? 'subscription' : 'payment', id }
    if (!call) throw unknownObject()
    if (!call.ref) await this.#memory.keep(call.key, { ref })
    const customer = idOf(session.customer)
    const base: Facts = {
      ref,
      state: 'waiting',
      next: null,
      payments: [],
      purchaseId: call.key.purchase,
      ...(customer ? { buyerRef: customer } : {}),
    }
    if (session.status === 'open') {
      if (expiresAt(call) > this.#deps.now()) return { ...base, next: session.url ? { do: 'go', url: session.url, id } : null }
      await this.#end((sdk) => sdk.checkout.sessions.expire(id))
      return this.#bySession(id)
    }
    if (session.status === 'expired') return { ...base, state: call.phase === 'stopped' ? 'ended' : 'expired' }
    const [intent, subscription] = [expanded(session.payment_intent), idOf(session.subscription)]
    if (subscription)
      return {
        ...(await this.#billing.facts(subscription, ref, call)),
        purchaseId: call.key.purchase,
        ...(customer ? { buyerRef: customer } : {}),
      }
    if (!intent) return { ...base, state: 'processing' }
    const facts = intentFacts(intent, await this.#disputesOf(intent), expiresAt(call))
    // A completed page is not paid yet: that is the payment's state. Steps for the customer ended with the page.
    return { ...base, ...facts, next: null, state: facts.state === 'waiting' ? 'processing' : facts.state }
  }

  async #bySubscription(id: string): Promise<Facts> {
    const own: Ref = { gateway: 'stripe', kind: 'subscription', id }
    const metadata = (await this.#client.read((sdk) => sdk.subscriptions.retrieve(id))).metadata
    const call = await this.#callOf(metadata)
    const ref = call?.ref ?? own
    if (call && !call.ref) await this.#memory.keep(call.key, { ref })
    const facts = await this.#billing.facts(id, ref, call)
    return call ? { ...facts, purchaseId: call.key.purchase, ...(call.buyer ? { buyerRef: call.buyer } : {}) } : facts
  }

  /** The call named in an object's metadata; null when it is not of this installation. */
  async #callOf(metadata: Stripe.Metadata | null): Promise<Call<StripeMemo> | null> {
    if (!metadata || metadata.app !== (await this.#memory.installation())) return null
    return this.#memory.get({ purchase: Number(metadata.purchase_id), step: metadata.step ?? 'pay', n: Number(metadata.attempt) })
  }

  /** The object of a call whose response was lost, among this customer's latest: Stripe's lists are current, its search lags. */
  async #lost(call: Call<StripeMemo>): Promise<Ref | null> {
    const { buyer: customer, key } = call
    if (!customer) return null
    const app = await this.#memory.installation()
    const params = { customer, created: { gte: secondsOf(call.createdAt) - 300 }, limit: 100 }
    const objects = this.#client.each((sdk): AsyncIterable<{ id: string; metadata: Stripe.Metadata | null; mode?: string }> => {
      if (call.memo.kind === 'session') return sdk.checkout.sessions.list(params)
      return call.memo.kind === 'subscription' ? sdk.subscriptions.list({ ...params, status: 'all' }) : sdk.paymentIntents.list(params)
    })
    for await (const object of objects) {
      const metadata = object.metadata
      if (
        metadata?.app !== app ||
        metadata.purchase_id !== String(key.purchase) ||
        metadata.attempt !== String(key.n) ||
        metadata.step !== key.step
      )
        continue
      const ref: Ref = {
        gateway: 'stripe',
        kind: call.memo.kind === 'subscription' || object.mode === 'subscription' ? 'subscription' : 'payment',
        id: object.id,
      }
      await this.#memory.keep(key, { ref })
      return ref
    }
    return null
  }

  /** Ends an object at Stripe. When it cannot be ended any more, the next read shows its state. */
  async #end(call: (sdk: Stripe) => Promise<{ object: string }>): Promise<void> {
    await this.#client.prepare(call).catch((error: unknown) => {
      if (!(error instanceof PaymentError) || !isStripeError(error.cause) || error.cause.type !== 'StripeInvalidRequestError') throw error
    })
  }

  /** The refund of a key, if Stripe has it. */
  async #refundOf(payment: string, key: Key, id: string | undefined): Promise<{ failed: boolean } | undefined> {
    const list = await this.#client.read((sdk) => sdk.refunds.list({ payment_intent: payment, limit: 100 }))
    const app = await this.#memory.installation()
    const found = list.data.find(
      (refund) => refund.id === id || (refund.metadata?.app === app && refund.metadata.refund === refundName(key)),
    )
    return found && { failed: isFailed(found) }
  }

  /** Our customer at Stripe, created once. */
  async #customer(buyer: Buyer): Promise<string> {
    if (buyer.ref) return buyer.ref
    const app = await this.#memory.installation()
    return this.#memory.once(`customer:${buyer.customer_id}`, async () => {
      const metadata = { app, customer_id: String(buyer.customer_id) }
      const created = await this.#client.prepare((sdk) =>
        sdk.customers.create({ email: buyer.email, name: buyer.name, metadata }, { idempotencyKey: `${app}:cus:${buyer.customer_id}` }),
      )
      return created.id
    })
  }

  /** Metadata of every object: its purchase. Never an e-mail or a name. */
  async #metadata(charge: Charge): Promise<Record<string, string>> {
    const { key, buyer } = charge
    return {
      app: await this.#memory.installation(),
      purchase_id: String(key.purchase),
      attempt: String(key.n),
      step: key.step,
      customer_id: String(buyer.customer_id),
    }
  }
}

const isFailed = ({ status }: Pick<Stripe.Refund, 'status'>) => status === 'failed' || status === 'canceled'
const refundName = (key: Key) => `${key.step}:${key.n}`
