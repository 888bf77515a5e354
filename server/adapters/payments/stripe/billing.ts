/** Subscriptions at Stripe: prices and coupons created once, a first payment that the customer confirms, and the result of each period. */
import { createHash, randomUUID } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { unknownOutcome } from '#server/adapters/payments/failures.ts'
import { type Charge, type Facts, PaymentError, type Plan, type Ref, type StopTime } from '#server/adapters/payments/port.ts'
import { isStripeError, type StripeClient } from './client.ts'
import { expanded, idOf, paymentIntentId, type StripeMemo, secondsOf, subscriptionFacts } from './facts.ts'
import { keyText } from './keys.ts'

type Terms = Pick<Stripe.Checkout.SessionCreateParams, 'line_items' | 'discounts' | 'subscription_data'>

const short = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value))
    .digest('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'q')
    .slice(0, 24)
/** Stripe limits comments to 500 characters. */
const comment = (reason: string) => ({ comment: reason.slice(0, 500) })

export class StripeBilling {
  readonly #client: StripeClient
  readonly #memory: CallJournal<StripeMemo>

  constructor(client: StripeClient, memory: CallJournal<StripeMemo>) {
    this.#client = client
    this.#memory = memory
  }

  /** Creates the subscription and attempts its first payment, or verifies the card of its trial. `facts` then reads the result. */
  async start(charge: Charge, plan: Plan, call: Call<StripeMemo>, customer: string, metadata: Record<string, string>): Promise<Ref> {
    const { instrument, key } = charge
    const app = await this.#memory.installation()
    const card = instrument.by === 'card-token' ? instrument.token : instrument.by === 'saved-card' ? instrument.card.id : ''
    const [price, coupon] = [await this.#price(charge.title, plan), await this.#coupon(plan)]
    const subscription = await this.#client.charge(keyText(app, key, 'sub'), (sdk, options) =>
      sdk.subscriptions.create(
        {
          customer,
          items: [{ price }],
          ...(instrument.by === 'saved-card' ? { default_payment_method: card } : {}),
          payment_behavior: 'default_incomplete',
          payment_settings: { save_default_payment_method: 'on_subscription' },
          ...(coupon ? { discounts: [{ coupon }] } : {}),
          ...(plan.trialEnd
            ? { trial_end: secondsOf(plan.trialEnd), trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } } }
            : {}),
          description: charge.title,
          metadata,
          expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
        },
        options,
      ),
    )
    const ref: Ref = { gateway: 'stripe', kind: 'subscription', id: subscription.id }
    const first = intentBehind(expanded(subscription.latest_invoice))
    const setup = expanded(subscription.pending_setup_intent)
    await this.#memory.keep(call.key, { ref, ...(setup ? { memo: { setup: setup.id } } : {}) })
    const how = { payment_method: card, use_stripe_sdk: true, return_url: charge.returnUrl }
    try {
      if (subscription.status === 'incomplete' && first)
        await this.#client.charge(keyText(app, key, 'cf'), (sdk, options) => sdk.paymentIntents.confirm(first, how, options))
      else if (setup) await this.#client.charge(keyText(app, key, 'cs'), (sdk, options) => sdk.setupIntents.confirm(setup.id, how, options))
    } catch (error) {
      // A refusal by the bank is read back with the facts. After any other failure the subscription exists: its state has to be read.
      if (!(error instanceof PaymentError)) throw error
      if (error.kind === 'unknown_outcome' || error.kind === 'unavailable' || error.kind === 'busy') throw unknownOutcome({ cause: error })
      if (error.kind !== 'declined') {
        await this.stop(subscription.id, 'now', 'no se pudo cobrar', null)
        throw error
      }
    }
    return ref
  }

  /** Parameters of a Checkout Session that sells a subscription. */
  async sessionTerms(charge: Charge, plan: Plan, metadata: Record<string, string>): Promise<Terms> {
    const coupon = await this.#coupon(plan)
    return {
      line_items: [{ price: await this.#price(charge.title, plan), quantity: 1 }],
      ...(coupon ? { discounts: [{ coupon }] } : {}),
      subscription_data: {
        metadata,
        description: charge.title,
        ...(plan.trialEnd
          ? { trial_end: secondsOf(plan.trialEnd), trial_settings: { end_behavior: { missing_payment_method: 'cancel' } } }
          : {}),
      },
    }
  }

  async facts(id: string, ref: Ref, call: Call<StripeMemo> | null): Promise<Facts> {
    const sdk = await this.#client.sdk()
    const subscription = await this.#client.read(() =>
      sdk.subscriptions.retrieve(id, { expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent', 'default_payment_method'] }),
    )
    if (call?.memo.setup && subscription.status === 'trialing' && !subscription.default_payment_method)
      await this.#payWith(subscription, call.memo.setup)
    const owed = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status)
      ? intentBehind(expanded(subscription.latest_invoice))
      : undefined
    const open = owed ? await this.#client.read(() => sdk.paymentIntents.retrieve(owed, { expand: ['payment_method'] })) : null
    const invoices = await this.#all((after) =>
      sdk.invoices.list({ subscription: id, status: 'paid', limit: 100, expand: ['data.payments'], ...after }),
    )
    const customer = typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id
    // A subscription sold on the hosted page is created a moment after its first charge.
    const since = subscription.created - 3_600
    const charges = invoices.some(({ amount_paid }) => amount_paid > 0)
      ? await this.#all((after) => sdk.charges.list({ customer, created: { gte: since }, limit: 100, ...after }))
      : []
    const own = new Set(invoices.map(paymentIntentId))
    const disputes: Stripe.Dispute[] = []
    for (const { disputed, payment_intent } of charges) {
      const intent = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id
      if (disputed && intent && own.has(intent))
        disputes.push(...(await this.#client.read(() => sdk.disputes.list({ payment_intent: intent, limit: 100 }))).data)
    }
    const facts = subscriptionFacts({ subscription, open, invoices, charges, disputes }, ref, { endedNow: call?.memo.endedNow })
    return facts.state === 'expired' && call?.phase === 'stopped' ? { ...facts, state: 'ended' } : facts
  }

  /** Charges what follows a trial to the card that its setup verified; without one no charge would follow the trial. */
  async #payWith(subscription: Stripe.Subscription, setup: string): Promise<void> {
    const { status, payment_method } = await this.#client.read((sdk) => sdk.setupIntents.retrieve(setup))
    const card = typeof payment_method === 'string' ? payment_method : payment_method?.id
    if (status !== 'succeeded' || !card) return
    await this.#client.prepare((sdk) => sdk.subscriptions.update(subscription.id, { default_payment_method: card }))
    subscription.pending_setup_intent = null
    subscription.default_payment_method = await this.#client.read((sdk) => sdk.paymentMethods.retrieve(card))
  }

  /**
   * Ends a subscription: at once when nothing was paid yet or that is requested, else when its paid period is over. Decided by Stripe's
   * state, not our clock.
   */
  async stop(id: string, when: StopTime, reason: string, call: Call<StripeMemo> | null): Promise<void> {
    const { status, cancel_at_period_end } = await this.#client.read((sdk) => sdk.subscriptions.retrieve(id))
    if (status === 'canceled' || status === 'incomplete_expired') return
    if (status === 'active' && when === 'period-end') {
      if (!cancel_at_period_end)
        await this.#quietly((sdk) => sdk.subscriptions.update(id, { cancel_at_period_end: true, cancellation_details: comment(reason) }))
      return
    }
    // Paid since the last read: it is what was bought.
    if (status === 'active' && when === 'unless-paid') return
    if (call && (status === 'active' || status === 'past_due') && when !== 'period-end')
      await this.#memory.keep(call.key, { memo: { endedNow: true } })
    await this.#quietly((sdk) =>
      sdk.subscriptions.cancel(id, { invoice_now: false, prorate: false, cancellation_details: comment(reason) }),
    )
  }

  /** Another card pays from now on, and what is overdue at once. A no of the bank is no failure: it stays overdue. */
  async changeCard(id: string, card: string): Promise<PaymentError | null> {
    return this.#pay(await this.#client.prepare((sdk) => sdk.subscriptions.update(id, { default_payment_method: card })), card)
  }

  /**
   * Retries the overdue payment with the current card, unless the bank has requested a challenge or is processing it. A challenge is in the
   * next read; a refusal is returned.
   */
  async payOverdue(id: string): Promise<PaymentError | null> {
    const subscription = await this.#client.read((sdk) =>
      sdk.subscriptions.retrieve(id, { expand: ['latest_invoice.confirmation_secret'] }),
    )
    const intent = intentBehind(expanded(subscription.latest_invoice))
    const { status } = intent ? await this.#client.read((sdk) => sdk.paymentIntents.retrieve(intent)) : {}
    return status === 'requires_payment_method' || status === 'requires_confirmation' ? this.#pay(subscription) : null
  }

  /**
   * Pays the open invoice of an overdue subscription while its customer is present. Null: paid, nothing to pay, or the bank requests a
   * challenge.
   */
  async #pay(subscription: Stripe.Subscription, card?: string): Promise<PaymentError | null> {
    const invoice = idOf(subscription.latest_invoice)
    if (!invoice || (subscription.status !== 'past_due' && subscription.status !== 'unpaid')) return null
    const app = await this.#memory.installation()
    try {
      // Stripe pays an invoice at most once, so the key need not be stable: it only identifies this attempt.
      await this.#client.charge(`${app}:pay:${invoice}:${randomUUID()}`, (sdk, options) =>
        sdk.invoices.pay(invoice, { off_session: false, ...(card ? { payment_method: card } : {}) }, options),
      )
      return null
    } catch (error) {
      const stripeCode = error instanceof PaymentError && isStripeError(error.cause) ? error.cause.code : undefined
      if (stripeCode === 'invoice_already_paid' || stripeCode === 'invoice_payment_intent_requires_action') return null
      if (error instanceof PaymentError && error.kind === 'declined') return error
      throw error
    }
  }

  /** While it is suspended its invoices are void: nothing is taken, nothing is owed. */
  async pause(id: string, paused: boolean): Promise<void> {
    await this.#client.prepare((sdk) => sdk.subscriptions.update(id, { pause_collection: paused ? { behavior: 'void' } : '' }))
  }

  async #quietly(call: (sdk: Stripe) => Promise<{ object: string }>): Promise<void> {
    await this.#client.prepare(call).catch((error: unknown) => {
      if (!(error instanceof PaymentError) || !isStripeError(error.cause) || error.cause.type !== 'StripeInvalidRequestError') throw error
    })
  }

  async #all<T extends { id?: string }>(
    page: (after: { starting_after?: string }) => Promise<{ object: string; data: T[]; has_more: boolean }>,
  ): Promise<T[]> {
    const out: T[] = []
    for (let more = true; more; ) {
      const last = out.at(-1)?.id
      const got = await this.#client.read(() => page(last ? { starting_after: last } : {}))
      out.push(...got.data)
      more = got.has_more && got.data.length > 0
    }
    return out
  }

  /** One price per title, amount and period. */
  async #price(title: string, plan: Plan): Promise<string> {
    const name = `price:${short([title, plan.amount, plan.every.unit, plan.every.count])}`
    return this.#memory.once(name, async () => {
      const app = await this.#memory.installation()
      const created = await this.#client.prepare((sdk) =>
        sdk.prices.create(
          {
            currency: 'mxn',
            unit_amount: plan.amount,
            recurring: { interval: plan.every.unit, interval_count: plan.every.count },
            product_data: { name: title },
            metadata: { app },
          },
          { idempotencyKey: `${app}:${name}` },
        ),
      )
      return created.id
    })
  }

  /** What the first period costs less, as a coupon with a name of its own; limits of discounts stay in our database. */
  async #coupon(plan: Plan): Promise<string | null> {
    const off = plan.amount - (plan.firstAmount ?? plan.amount)
    if (off <= 0) return null
    const app = await this.#memory.installation()
    const id = `${app}-menos-${short([off]).slice(0, 12)}`
    return this.#memory.once(`coupon:${id}`, async () => {
      await this.#client
        .prepare((sdk) =>
          sdk.coupons.create(
            { id, duration: 'once', amount_off: off, currency: 'mxn', name: 'Primer periodo', metadata: { app } },
            { idempotencyKey: `${app}:${id}` },
          ),
        )
        .catch((error: unknown) => {
          const stripeCode = error instanceof PaymentError && isStripeError(error.cause) ? error.cause.code : undefined
          if (stripeCode !== 'resource_already_exists') throw error
        })
      return id
    })
  }
}

/** The payment of an open invoice, from its confirmation secret: the invoice itself names it no more. */
function intentBehind(invoice: Stripe.Invoice | undefined): string | undefined {
  return invoice?.confirmation_secret?.client_secret.split('_secret_')[0]
}
