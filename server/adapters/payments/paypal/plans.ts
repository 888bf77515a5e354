/** Subscriptions at PayPal: products and plans created once per terms, approved by the payer; the periods of payments are counted by us. */
import { createHash } from 'node:crypto'
import type { Subscription, SubscriptionBillingCycle, SubscriptionTransactionDetails } from '@paypal/paypal-server-sdk'
import { PAYPAL_ZONE } from '#contract/billing.ts'
import { daysBetween } from '#contract/day-count.ts'
import { localDate } from '#contract/time.ts'
import type { Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { processorUnavailable, unknownObject, unsupported } from '#server/adapters/payments/failures.ts'
import { type Charge, type Facts, isPaidFor, PaymentError, type Plan, type Ref, type StopTime } from '#server/adapters/payments/port.ts'
import { errorIssue, type PayPalClient } from './client.ts'
import { centavos, isLost, type PayPalMemo, subscriptionFacts, toPaypalMoney } from './facts.ts'

const DAY_MS = 86_400_000
const short = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 24)
/** PayPal requires 1 to 128 characters. */
const reasonOf = (reason: string) => reason.trim().slice(0, 128) || 'sin motivo'

export class PayPalPlans {
  readonly #client: PayPalClient
  readonly #memory: CallJournal<PayPalMemo>
  readonly #now: () => Date

  constructor(client: PayPalClient, memory: CallJournal<PayPalMemo>, now: () => Date) {
    this.#client = client
    this.#memory = memory
    this.#now = now
  }

  async subscribe(charge: Charge, plan: Plan, call: Call<PayPalMemo>, custom: string): Promise<Ref> {
    const planId = await this.#plan(charge.title, plan, call.createdAt)
    await this.#memory.keep(call.key, { memo: { planId } })
    const subscription = await this.#client.prepare(({ subscriptions }) =>
      subscriptions.createSubscription({
        paypalRequestId: `${custom}:sub`,
        prefer: 'return=representation',
        body: {
          planId,
          customId: custom,
          applicationContext: {
            userAction: 'SUBSCRIBE_NOW',
            shippingPreference: 'NO_SHIPPING',
            locale: 'es-MX',
            returnUrl: charge.returnUrl,
            cancelUrl: charge.returnUrl,
          },
        } as Parameters<typeof subscriptions.createSubscription>[0]['body'],
      }),
    )
    if (!subscription.id) throw processorUnavailable()
    return { gateway: 'paypal', kind: 'subscription', id: subscription.id }
  }

  async facts(stored: Call<PayPalMemo>): Promise<Facts> {
    let call = stored
    const { ref } = call
    if (!ref) throw unknownObject()
    const read = () => this.#client.read(({ subscriptions }) => subscriptions.getSubscription({ id: ref.id }))
    let subscription = await read()
    if (subscription.status === 'APPROVAL_PENDING' && !call.memo.over && new Date(call.memo.until ?? 0) <= this.#now())
      call = await this.#memory.keep(call.key, { memo: { over: 'expired' } })
    // It was given up before the payer approved it, so it is cancelled.
    if (call.memo.over && isLive(subscription)) {
      await this.#cancel(ref.id, 'se dejó sin pagar')
      subscription = await read()
    }
    const transactions = subscription.status === 'APPROVAL_PENDING' ? [] : await this.#transactions(call, subscription)
    call = await this.#lostRefunds(call, transactions)
    return { ref, ...subscriptionFacts(subscription, transactions, call.memo, this.#now()), purchaseId: call.key.purchase }
  }

  /** Ends a subscription. PayPal ends it at once; we keep its benefits until the end of the paid period (V17). */
  async stop(call: Call<PayPalMemo>, when: StopTime, reason: string): Promise<Facts> {
    const { ref } = call
    if (!ref) throw unknownObject()
    const before = await this.facts(call)
    if (before.state === 'waiting' || before.state === 'processing') {
      const remembered = await this.#memory.keep(call.key, { memo: { over: call.memo.over ?? 'ended' } })
      return this.facts(remembered)
    }
    if (before.state === 'ended' || before.state === 'expired' || before.state === 'refused') return before
    if (when === 'unless-paid' && isPaidFor(before)) return before
    const noted =
      when !== 'period-end' && before.payments.length > 0 ? await this.#memory.keep(call.key, { memo: { endedNow: true } }) : call
    await this.#cancel(ref.id, reason)
    return this.facts(noted)
  }

  /** Suspends or resumes it. PayPal charges what fell due meanwhile at the next date, not before. */
  async pause(call: Call<PayPalMemo>, paused: boolean): Promise<Facts> {
    const { ref } = call
    if (!ref) throw unknownObject()
    const before = await this.facts(call)
    if (before.cancelled || (before.state !== 'paid' && before.state !== 'trialing')) return before
    const noted = await this.#memory.keep(call.key, { memo: { paused } })
    await this.#client
      .prepare(({ subscriptions }) =>
        paused
          ? subscriptions.suspendSubscription({ id: ref.id, body: { reason: 'pausa' } })
          : subscriptions.activateSubscription({ id: ref.id, body: { reason: 'continúa' } }),
      )
      .catch((error: unknown) => {
        // It is in that state already.
        if (!(error instanceof PaymentError) || errorIssue(error) !== 'SUBSCRIPTION_STATUS_INVALID') throw error
      })
    return this.facts(noted)
  }

  /** Notes a refund of a subscription's payment. */
  async noteRefund(call: Call<PayPalMemo>, id: string, payment: string): Promise<void> {
    const refund = await this.#client.read(({ payments }) => payments.getRefund({ refundId: id }))
    await this.#memory.note(call.key, 'refunds', id, { payment, amount: isLost(refund) ? 0 : centavos(refund.amount?.value) })
  }

  /** Whether a refund was accepted and could not be delivered. */
  async isRefundLost(id: string): Promise<boolean> {
    return id !== '?' && isLost(await this.#client.read(({ payments }) => payments.getRefund({ refundId: id })))
  }

  /**
   * For payments that PayPal lists without a refund while we have noted one: reads whether the refund failed, since PayPal's list may lag.
   */
  async #lostRefunds(stored: Call<PayPalMemo>, transactions: readonly SubscriptionTransactionDetails[]): Promise<Call<PayPalMemo>> {
    let call = stored
    for (const [id, { payment, amount }] of Object.entries(call.memo.refunds ?? {}))
      if (
        amount > 0 &&
        transactions.some((transaction) => transaction.id === payment && transaction.status === 'COMPLETED') &&
        (await this.isRefundLost(id))
      )
        call = await this.#memory.note(call.key, 'refunds', id, { payment, amount: 0 })
    return call
  }

  async #cancel(id: string, reason: string): Promise<void> {
    await this.#client
      .prepare(({ subscriptions }) => subscriptions.cancelSubscription({ id, body: { reason: reasonOf(reason) } }))
      .catch((error: unknown) => {
        // It ended by itself meanwhile; the next read shows it.
        if (!(error instanceof PaymentError) || errorIssue(error) !== 'SUBSCRIPTION_STATUS_INVALID') throw error
      })
  }

  async #transactions(call: Call<PayPalMemo>, subscription: Subscription): Promise<SubscriptionTransactionDetails[]> {
    const id = subscription.id ?? ''
    const from = new Date(new Date(subscription.createTime ?? call.createdAt).getTime() - DAY_MS)
    const list = await this.#client.read(({ subscriptions }) =>
      subscriptions.listSubscriptionTransactions({
        id,
        startTime: from.toISOString(),
        endTime: new Date(this.#now().getTime() + DAY_MS).toISOString(),
      }),
    )
    const all = list.transactions ?? []
    // Webhook events about these contain the payment, not the subscription.
    for (const transaction of all) await this.#memory.once(`sale:${transaction.id}`, async () => id)
    return all
  }

  /** The plan for these terms, created once. A product is PayPal's name of the item sold. */
  async #plan(title: string, plan: Plan, startedAt: Date): Promise<string> {
    const cycles = toBillingCycles(plan, startedAt)
    const [app, name] = [await this.#memory.installation(), title.slice(0, 127)]
    const product = await this.#memory.once(`product:${short([title])}`, async () => {
      const product = (await this.#client.plain(
        'POST',
        '/v1/catalogs/products',
        { name, type: 'SERVICE' },
        `${app}:product:${short([title])}`,
      )) as { id?: string }
      if (!product.id) throw processorUnavailable()
      return product.id
    })
    const terms = short([title, cycles])
    return this.#memory.once(`plan:${terms}`, async () => {
      const plan = await this.#client.prepare(({ subscriptions }) =>
        subscriptions.createBillingPlan({
          paypalRequestId: `${app}:plan:${terms}`,
          prefer: 'return=representation',
          body: {
            productId: product,
            name,
            status: 'ACTIVE',
            billingCycles: cycles,
            paymentPreferences: { autoBillOutstanding: true, setupFeeFailureAction: 'CANCEL', paymentFailureThreshold: 1 },
          } as Parameters<typeof subscriptions.createBillingPlan>[0]['body'],
        }),
      )
      if (!plan.id) throw processorUnavailable()
      return plan.id
    })
  }
}

const isLive = ({ status }: Subscription) => status === 'APPROVED' || status === 'ACTIVE' || status === 'SUSPENDED'

/** Billing cycles of a plan. PayPal allows two trial cycles, exactly enough: a free one, and the first period at its own price. */
export function toBillingCycles(plan: Plan, startedAt: Date): SubscriptionBillingCycle[] {
  const regular = { intervalUnit: plan.every.unit.toUpperCase(), intervalCount: plan.every.count }
  const cycles: object[] = []
  if (plan.trialEnd) cycles.push({ tenureType: 'TRIAL', totalCycles: 1, frequency: trialFrequency(plan.trialEnd, startedAt, plan.zone) })
  if (plan.firstAmount !== undefined && plan.firstAmount !== plan.amount)
    cycles.push({ tenureType: 'TRIAL', totalCycles: 1, frequency: regular, pricingScheme: { fixedPrice: toPaypalMoney(plan.firstAmount) } })
  cycles.push({ tenureType: 'REGULAR', totalCycles: 0, frequency: regular, pricingScheme: { fixedPrice: toPaypalMoney(plan.amount) } })
  return cycles.map((cycle, at) => ({ ...cycle, sequence: at + 1 })) as SubscriptionBillingCycle[]
}

/** Length of a trial in PayPal's days: as many as remain until the day on which the trial ends in the studio's time zone. */
function trialFrequency(trialEnd: Date, startedAt: Date, zone = PAYPAL_ZONE): { intervalUnit: string; intervalCount: number } {
  const days = Math.max(1, daysBetween(localDate(startedAt, PAYPAL_ZONE), localDate(trialEnd, zone)))
  if (days > 366) throw unsupported('PAYMENT_METHOD_UNAVAILABLE')
  // 366 days exceed PayPal's limit for days, so a year is given as a year.
  return days > 365 ? { intervalUnit: 'YEAR', intervalCount: 1 } : { intervalUnit: 'DAY', intervalCount: days }
}
