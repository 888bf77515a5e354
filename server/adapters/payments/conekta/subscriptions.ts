/**
 * Subscriptions at Conekta. The first period is an order, so that its result, the bank's challenge and its own price are known at once; the
 * later ones are a subscription on trial until that period ends, with a plan for this purchase alone. Reading the facts takes the next step
 * if a process died in between.
 */
import type { SubscriptionResponse } from 'conekta'
import { chargeAfter } from '#contract/billing.ts'
import type { Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { paymentInvalid, unknownObject, unknownOutcome } from '#server/adapters/payments/failures.ts'
import { type Charge, type Facts, PaymentError, type PaymentFact, type Plan, type Ref } from '#server/adapters/payments/port.ts'
import type { ConektaCards } from './cards.ts'
import { type ConektaClient, describeFailure } from './client.ts'
import { billingCycle, type ConektaMemo, type Cycle, chargeInOrder, cyclePayment, orderFacts, paymentFact, toInterval } from './facts.ts'
import { type ConektaOrders, FOREVER, lineItemName } from './orders.ts'

/** A failed renewal is retried three times, two days apart: the minimum that Conekta accepts. */
const RETRIES = { max_retries: 3, retry_delay_hours: 48 }
const PAID = /^subscription\.paid$/

export class ConektaSubscriptions {
  readonly #client: ConektaClient
  readonly #memory: CallJournal<ConektaMemo>
  readonly #orders: ConektaOrders
  readonly #cards: ConektaCards
  readonly #now: () => Date

  constructor(client: ConektaClient, memory: CallJournal<ConektaMemo>, orders: ConektaOrders, cards: ConektaCards, now: () => Date) {
    this.#client = client
    this.#memory = memory
    this.#orders = orders
    this.#cards = cards
    this.#now = now
  }

  /** Notes on a subscription, stored before any request. */
  terms(charge: Charge, plan: Plan): Partial<ConektaMemo> {
    return {
      every: plan.every,
      amount: plan.amount,
      title: charge.title,
      ...(plan.trialEnd ? { trialEnd: plan.trialEnd.toISOString() } : {}),
    }
  }

  async start(charge: Charge, plan: Plan, call: Call<ConektaMemo>, customer: string): Promise<Ref> {
    const { instrument, key } = charge
    const first = plan.firstAmount ?? plan.amount
    const ensured = await this.#orders.ensure(call, async ({ memo }) => {
      if (instrument.by === 'card-token') await this.#cards.saveOnce(key, memo.card, customer, instrument.token)
      else {
        const card = instrument.by === 'saved-card' ? instrument.card.id : ''
        await this.#memory.keep(key, { memo: { card, ...(plan.trialEnd ? await this.#cards.plasticOf(customer, card) : {}) } })
      }
      const ref: Ref = { gateway: 'conekta', kind: 'subscription', id: `${await this.#memory.installation()}-${key.purchase}-${key.n}` }
      return plan.trialEnd ? { ref } : { ref, order: await this.#orders.create({ ...charge, amount: first }, customer, null) }
    })
    const { order, card } = ensured.memo
    if (order && card) await this.#orders.charge(key, order, first, async () => ({ type: 'card', payment_source_id: card }))
    if (!ensured.ref) throw unknownObject()
    return ensured.ref
  }

  /** `changedOrder`: an order of one of its periods that an event reported as changed. */
  async facts(stored: Call<ConektaMemo>, changedOrder?: string): Promise<Facts> {
    const { ref } = stored
    if (!ref) throw unknownObject()
    const { plastic } = stored.memo
    const base = {
      ref,
      purchaseId: stored.key.purchase,
      ...(stored.buyer ? { buyerRef: stored.buyer } : {}),
      ...(plastic ? { plastic } : {}),
    }
    const begun = await this.#first(stored)
    if ('facts' in begun) return { ...base, ...begun.facts }
    const subscription = await this.#ensure(begun.call, changedOrder !== undefined)
    const call = await this.#cycles(begun.call, subscription, changedOrder)
    const payments = Object.values(call.memo.cycles ?? {})
      .map(cyclePayment)
      .sort((a, b) => (a.period?.from.getTime() ?? 0) - (b.period?.from.getTime() ?? 0))
    const method = call.memo.method ?? begun.method
    return { ...base, ...stateOf(call, subscription, payments, this.#now()), ...(method ? { method } : {}) }
  }

  /** State of the first period's order; its facts while nothing was paid yet. */
  async #first(call: Call<ConektaMemo>): Promise<{ call: Call<ConektaMemo>; method?: Facts['method'] } | { facts: Omit<Facts, 'ref'> }> {
    const { order: id, over, trialEnd } = call.memo
    if (!id) return trialEnd && !over ? { call } : { facts: { state: over ?? 'waiting', next: null, payments: [] } }
    const order = await this.#orders.read(id)
    const facts = orderFacts(order, call.memo, new Date(call.memo.until ?? call.createdAt))
    if (facts.state !== 'paid')
      return {
        facts: facts.state === 'waiting' && !facts.next && this.#orders.isCharging(call) ? { ...facts, state: 'processing' } : facts,
      }
    const [paid] = facts.payments
    const every = call.memo.every
    if (!paid || !every) throw unknownObject()
    return {
      call: await this.#note(call, id, billingCycle(paid, paid.at, chargeAfter(paid.at, every.unit, every.count))),
      ...(facts.method ? { method: facts.method } : {}),
    }
  }

  /**
   * The subscription that follows the first period, created once: looked up first, because Conekta has no idempotency keys. Null when it
   * must not or cannot be created yet: the paid period counts all the same, and with `strict` the webhook event of its order is retried
   * until this step succeeds.
   */
  async #ensure(call: Call<ConektaMemo>, strict: boolean): Promise<SubscriptionResponse | null> {
    const { buyer: customer, ref, memo } = call
    if (!customer || !ref) throw unknownObject()
    if (memo.subscription) {
      const id = memo.subscription
      return this.#client.read(({ subscriptions }) => subscriptions.subscriptionsGet(customer, id, 'es'))
    }
    const found = await this.#find(customer, ref.id)
    if (found?.id) {
      await this.#memory.keep(call.key, { memo: { subscription: found.id } })
      return found
    }
    const starts = this.#trialEnd(memo)
    if (memo.endedNow || memo.over || !starts || starts <= this.#now()) return null
    const turn = await this.#orders.turn(call.key, 'subscribing', ({ memo: now }) => now.subscription !== undefined)
    if (turn)
      return this.#subscribe(turn, customer, ref.id, starts).catch((error: unknown) => {
        if (strict || !memo.order) throw error
        return null
      })
    const subscription = (await this.#memory.get(call.key))?.memo.subscription
    return subscription ? this.#client.read(({ subscriptions }) => subscriptions.subscriptionsGet(customer, subscription, 'es')) : null
  }

  async #subscribe(call: Call<ConektaMemo>, customer: string, plan: string, starts: Date): Promise<SubscriptionResponse | null> {
    const { every, amount = 0, title = '', card = '' } = call.memo
    const interval = every && toInterval(every)
    if (!interval) throw unknownObject()
    try {
      await this.#client
        .prepare(({ plans }) =>
          plans.createPlan({ id: plan, name: lineItemName(title), amount, currency: 'MXN', ...interval, ...RETRIES }, 'es'),
        )
        .catch((error: unknown) => {
          // Created before, by a process that died.
          if (!/already|exist|taken|duplicate/.test(describeFailure(error)?.code ?? '')) throw error
        })
      // Another process may have created it between the lookup and the phase.
      const created =
        (await this.#find(customer, plan)) ??
        (await this.#client.charge(({ subscriptions }) =>
          subscriptions.subscriptionCreate(
            customer,
            { plan_id: plan, card_id: card, trial_end: Math.floor(starts.getTime() / 1000) },
            'es',
          ),
        ))
      if (created.id) await this.#memory.keep(call.key, { memo: { subscription: created.id } })
      await this.#memory.leave(call.key, 'subscribing')
      return created
    } catch (error) {
      if (!(error instanceof PaymentError) || error.kind === 'unknown_outcome') {
        await this.#memory.enter(call.key, 'unheard', { stopped: FOREVER })
        throw unknownOutcome({ cause: error })
      }
      await this.#memory.leave(call.key, 'subscribing')
      throw error
    }
  }

  /** The subscription's first charge: at the end of the trial, or of the period that was paid. */
  #trialEnd(memo: Partial<ConektaMemo>): Date | null {
    if (memo.trialEnd) return new Date(memo.trialEnd)
    const first = memo.order ? memo.cycles?.[memo.order] : undefined
    return first ? new Date(first.to) : null
  }

  async #find(customer: string, plan: string): Promise<SubscriptionResponse | null> {
    const list = await this.#client.read(({ subscriptions }) => subscriptions.subscriptionList(customer, 'es', undefined, 100))
    // The SDK declares this list with the type of one of its items.
    const all = (list as { data?: SubscriptionResponse[] }).data ?? []
    return all.find((subscription) => subscription.plan_id === plan) ?? null
  }

  /** Notes every paid period, each an order, found through the subscription's events. */
  async #cycles(
    stored: Call<ConektaMemo>,
    subscription: SubscriptionResponse | null,
    changedOrder: string | undefined,
  ): Promise<Call<ConektaMemo>> {
    const { buyer: customer } = stored
    if (!subscription?.id || !customer) return stored
    const id = subscription.id
    const events = await this.#client.read(({ subscriptions }) => subscriptions.subscriptionEvents(customer, id, 'es', undefined, 100))
    const reportedOrders = (events.data ?? [])
      .filter(({ type }) => PAID.test(type ?? ''))
      .map(({ data }) => (data?.object ?? {}) as SubscriptionResponse)
    let call = stored
    for (const answer of [...reportedOrders, subscription]) {
      const order = answer.last_billing_cycle_order_id
      if (!order || !answer.billing_cycle_start || !answer.billing_cycle_end || order === call.memo.order) continue
      const known = call.memo.cycles?.[order]
      // Only new or changed orders are read again.
      if (known && order !== changedOrder && order !== subscription.last_billing_cycle_order_id) continue
      const read = await this.#orders.read(order)
      const charge = chargeInOrder(read)
      if (!charge || orderFacts(read, {}, this.#now()).state !== 'paid') continue
      const [from, to] = known
        ? [new Date(known.from), new Date(known.to)]
        : [new Date(answer.billing_cycle_start * 1000), new Date(answer.billing_cycle_end * 1000)]
      call = await this.#note(call, order, billingCycle(paymentFact(read, charge), from, to))
    }
    return call
  }

  async #note(call: Call<ConektaMemo>, order: string, cycle: Cycle): Promise<Call<ConektaMemo>> {
    const known = call.memo.cycles?.[order]
    if (known && JSON.stringify(known) === JSON.stringify(cycle)) return call
    const id = call.ref?.id ?? ''
    // Webhook events about these contain the order or charge, not the subscription.
    await this.#memory.once(`order:${order}`, async () => id)
    await this.#memory.once(`charge:${cycle.payment}`, async () => order)
    return this.#memory.note(call.key, 'cycles', order, cycle)
  }

  /** Charges another card from now on and retries an overdue charge at once. */
  async changeCard(call: Call<ConektaMemo>, card: string): Promise<Facts> {
    const [customer, id] = [call.buyer, call.memo.subscription]
    const before = await this.facts(call)
    if (!customer || !id || !['paid', 'trialing', 'past_due'].includes(before.state)) throw paymentInvalid('PAYMENT_METHOD_UNAVAILABLE')
    await this.#client
      .prepare(({ subscriptions }) => subscriptions.subscriptionUpdate(customer, id, { card_id: card }, 'es'))
      .catch((error: unknown) => {
        const status = describeFailure(error)?.status
        throw status === 404 || status === 422 ? paymentInvalid('PAYMENT_METHOD_UNAVAILABLE', { cause: error }) : error
      })
    const method = await this.#cards.methodOf(customer, card)
    const noted = await this.#memory.keep(call.key, { memo: { card, ...(method ? { method } : {}) } })
    if (before.state !== 'past_due') return this.facts(noted)
    try {
      await this.#client.charge(({ subscriptions }) => subscriptions.subscriptionsRetry(customer, id, 'es'))
      return await this.facts(noted)
    } catch (error) {
      // The bank refused: it stays overdue. If it is no longer overdue, there is nothing to retry.
      if (!(error instanceof PaymentError) || error.kind === 'unknown_outcome') throw error
      return { ...(await this.facts(noted)), ...(error.kind === 'declined' ? { why: error } : {}) }
    }
  }

  /** Suspends or resumes its charges. */
  async pause(call: Call<ConektaMemo>, paused: boolean): Promise<Facts> {
    const before = await this.facts(call)
    const fresh = (await this.#memory.get(call.key)) ?? call
    const [customer, id] = [fresh.buyer, fresh.memo.subscription]
    if (!customer || !id || before.cancelled || (before.state !== 'paid' && before.state !== 'trialing')) return before
    const noted = await this.#memory.keep(call.key, { memo: { paused } })
    await this.#client
      .prepare(({ subscriptions }) =>
        paused ? subscriptions.subscriptionPause(customer, id, 'es') : subscriptions.subscriptionResume(customer, id, 'es'),
      )
      .catch((error: unknown) => {
        // 422: it is in that state already.
        if (describeFailure(error)?.status !== 422) throw error
      })
    return this.facts(noted)
  }

  /** Ends a subscription. Conekta ends it at once; we keep its benefits until the end of the paid period (V17). */
  async stop(call: Call<ConektaMemo>, before: Facts, when: 'now' | 'period-end'): Promise<Facts> {
    if (before.state === 'waiting') {
      const { order } = call.memo
      if (order) await this.#orders.giveUp(call, order, 'ended')
      else await this.#memory.keep(call.key, { memo: { over: 'ended' } })
      return this.facts((await this.#memory.get(call.key)) ?? call)
    }
    if (before.state === 'processing' || before.state === 'refused' || before.state === 'expired' || before.state === 'ended') return before
    const fresh = (await this.#memory.get(call.key)) ?? call
    const id = fresh.memo.subscription
    const noted = when === 'now' && before.payments.length > 0 ? await this.#memory.keep(call.key, { memo: { endedNow: true } }) : fresh
    const customer = call.buyer
    // Not created yet, and now never will be.
    if (!id) return this.facts(await this.#memory.keep(call.key, { memo: { over: 'ended' } }))
    if (customer)
      await this.#client
        .prepare(({ subscriptions }) => subscriptions.subscriptionCancel(customer, id, 'es'))
        .catch((error: unknown) => {
          // 422: it ended by itself meanwhile; the next read shows it.
          if (describeFailure(error)?.status !== 422) throw error
        })
    return this.facts(noted)
  }
}

function stateOf(
  call: Call<ConektaMemo>,
  subscription: SubscriptionResponse | null,
  payments: PaymentFact[],
  now: Date,
): Omit<Facts, 'ref' | 'purchaseId' | 'buyerRef'> {
  const { memo } = call
  const paidUntil = payments.at(-1)?.period?.to
  const base = { next: null, payments }
  const live = { ...base, cancelled: false, ...(paidUntil ? { endsAt: paidUntil } : {}) }
  switch (subscription?.status) {
    case 'in_trial': {
      const trialEnd = subscription.trial_end ? new Date(subscription.trial_end * 1000) : new Date(memo.trialEnd ?? 0)
      // The paid first period is a trial at Conekta.
      return payments.length > 0 ? { ...live, state: 'paid' } : { ...base, state: 'trialing', cancelled: false, endsAt: trialEnd }
    }
    case 'active':
      return { ...live, state: payments.length > 0 ? 'paid' : 'processing' }
    case 'paused':
      if (!memo.paused) return { ...live, state: 'past_due' }
      return payments.length > 0
        ? { ...live, state: 'paid', paused: true }
        : { ...base, state: 'trialing', cancelled: false, paused: true, endsAt: new Date(memo.trialEnd ?? 0) }
    case 'past_due':
      return { ...live, state: 'past_due' }
    case 'canceled':
    case 'expired': {
      const ended = subscription.canceled_at ? new Date(subscription.canceled_at * 1000) : now
      const endsAt = memo.endedNow || !paidUntil ? ended : paidUntil
      return { ...base, state: endsAt > now && !memo.endedNow ? 'paid' : 'ended', cancelled: true, endsAt }
    }
    default:
      // The first period is paid and the subscription not yet created, or it could not be and ends with the paid period.
      if (!paidUntil) return { ...base, state: memo.over ?? 'processing' }
      if (memo.endedNow) return { ...base, state: 'ended', cancelled: true, endsAt: now }
      return { ...live, state: paidUntil > now ? 'paid' : 'ended', cancelled: memo.over !== undefined || paidUntil <= now }
  }
}
