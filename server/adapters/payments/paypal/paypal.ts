/**
 * PayPal: orders that the payer approves and we capture, and subscriptions. PayPal cannot withdraw an unpaid order: a given-up order is
 * marked here and never captured, and a given-up subscription that becomes active all the same is cancelled.
 */
import type { Order } from '@paypal/paypal-server-sdk'
import type { ErrorCode } from '#contract/errors.ts'
import type { WalletButton } from '#contract/payment-options.ts'
import type { Settings } from '#contract/settings.ts'
import { type Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { paymentInvalid, processorBusy, refundFailed, unknownObject, unsupported } from '#server/adapters/payments/failures.ts'
import {
  type Charge,
  type Facts,
  type Instrument,
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
import { paypalInBrowser } from './browser.ts'
import { errorIssue, isFinal, PayPalClient, type PayPalOptions } from './client.ts'
import { isLost, METHOD, orderFacts, type PayPalMemo, toPaypalMoney } from './facts.ts'
import { PayPalPlans } from './plans.ts'
import { listRefsOf, type PayPalEvent, PayPalWebhooks } from './webhooks.ts'

export interface PayPalDeps extends PayPalOptions {
  db: Db
  now: () => Date
}

const MOST = 99_999_999
/** PayPal's longest periods (two years cannot be sold). A free trial is one period of days, months or a year. */
const LONGEST = { day: 365, month: 12, year: 1 } as const
const LONGEST_TRIAL_MS = 366 * 86_400_000
/** How long a recorded call counts as in progress; after that its process is taken for dead. */
const IN_FLIGHT_MS = 60_000
const FOREVER = Number.POSITIVE_INFINITY

export class PayPalGateway implements PaymentGateway {
  readonly id = 'paypal'
  readonly #deps: PayPalDeps
  readonly #client: PayPalClient
  readonly #memory: CallJournal<PayPalMemo>
  readonly #plans: PayPalPlans
  readonly #webhooks: PayPalWebhooks

  constructor(deps: PayPalDeps) {
    this.#deps = deps
    this.#client = new PayPalClient(deps)
    this.#memory = new CallJournal('paypal', deps)
    this.#plans = new PayPalPlans(this.#client, this.#memory, deps.now)
    this.#webhooks = new PayPalWebhooks(this.#client, { webhookId: deps.webhookId, now: deps.now, timeoutMs: deps.timeoutMs ?? 20_000 })
  }

  cardFields(): null {
    return null
  }

  walletButton(settings: Settings): WalletButton | null {
    return { processor: 'paypal', public_key: paypalInBrowser.publicKey(settings) }
  }

  refuses(what: { instrument: Instrument['by']; amount: number; plan?: Plan; saveCard?: boolean }): ErrorCode | null {
    if (what.instrument !== 'wallet') return 'PAYMENT_METHOD_UNAVAILABLE'
    const { plan } = what
    if (!plan) return what.amount <= 0 || what.amount > MOST ? 'AMOUNT_OUT_OF_RANGE' : null
    const { every, amount, firstAmount = amount, trialEnd } = plan
    if (every.count < 1 || every.count > LONGEST[every.unit]) return 'PAYMENT_METHOD_UNAVAILABLE'
    const trial = trialEnd ? trialEnd.getTime() - this.#deps.now().getTime() : 0
    if (trial > LONGEST_TRIAL_MS) return 'PAYMENT_METHOD_UNAVAILABLE'
    return firstAmount <= 0 || amount <= 0 || amount > MOST || firstAmount > MOST ? 'AMOUNT_OUT_OF_RANGE' : null
  }

  async start(charge: Charge, plan?: Plan): Promise<Facts> {
    assertNotInTransaction('PayPal')
    const { key, instrument } = charge
    const no = this.refuses({ instrument: instrument.by, amount: charge.amount, ...(plan ? { plan } : {}) })
    if (no) throw unsupported(no)
    const request = { amount: charge.amount, instrument, plan: plan && { ...plan, trialEnd: plan.trialEnd?.toISOString() } }
    const { call } = await this.#memory.open(key, requestHash('paypal', request), {
      until: charge.expiresAt.toISOString(),
      ...(plan ? { every: plan.every } : {}),
      ...(plan?.trialEnd ? { trialEnd: plan.trialEnd.toISOString() } : {}),
    })
    if (call.ref) return this.settle(call.ref)
    const entered = await this.#memory.enter(key, 'starting', { starting: IN_FLIGHT_MS, capturing: FOREVER, stopped: FOREVER })
    if (!entered) {
      const ref = await this.#memory.awaitRef(key, 'starting')
      if (!ref) throw processorBusy()
      return this.settle(ref)
    }
    try {
      // Another process created it between the read and entering the phase.
      if (entered.ref) return await this.settle(entered.ref)
      const ref = plan ? await this.#plans.subscribe(charge, plan, call, await this.#custom(key)) : await this.#order(charge)
      await this.#memory.keep(key, { ref })
      return await this.settle(ref)
    } finally {
      await this.#memory.leave(key, 'starting')
    }
  }

  /** Reads an order, and captures it if the payer approved it and the purchase has not been given up. */
  async settle(ref: Ref, how: { approved?: boolean } = {}): Promise<Facts> {
    assertNotInTransaction('PayPal')
    const [kind, id, more] = ref.id.split(':')
    if (kind === 'dispute' && id) return this.#dispute(id)
    if (kind === 'refund' && id && more) return this.#saleRefund(id, more)
    if (kind === 'capture' && id) return this.#captured(id)
    const call = await this.#memory.madeBy(ref.id)
    if (!call?.ref) throw unknownObject()
    if (call.ref.kind === 'subscription') return this.#plans.facts(call)
    const order = await this.#read(call, ref.id)
    if (!order) return this.#gone(call)
    if (how.approved && order.status === 'APPROVED' && !call.memo.over && !call.memo.refused) return this.#capture(call, order)
    return this.#orderFacts(await this.#overdue(call, order), order)
  }

  /** Null for an order whose id never arrived: it cannot be approved. */
  async find(key: Key): Promise<Facts | null> {
    assertNotInTransaction('PayPal')
    const call = await this.#memory.get(key)
    return call?.ref ? this.settle(call.ref) : null
  }

  async stop(ref: Ref, when: StopTime, reason: string): Promise<Facts> {
    assertNotInTransaction('PayPal')
    const call = await this.#memory.madeBy(ref.id)
    if (!call?.ref) throw unknownObject()
    if (call.ref.kind === 'subscription') return this.#plans.stop(call, when, reason)
    const before = await this.settle(ref)
    if (before.state !== 'waiting') return before
    await this.#giveUp(call, 'ended')
    return this.settle(ref)
  }

  async refund(ref: Ref, paymentId: string, amount: number, key: Key): Promise<Facts> {
    assertNotInTransaction('PayPal')
    const before = await this.settle(ref)
    const paid = before.payments.find(({ id }) => id === paymentId)
    if (!paid) throw unknownObject()
    const { call } = await this.#memory.open(key, requestHash('paypal refund', { paymentId, amount }), {})
    if (call.memo.refund) {
      if (await this.#plans.isRefundLost(call.memo.refund)) throw refundFailed()
      return before
    }
    if (paid.refunded + amount > paid.amount) throw paymentInvalid('AMOUNT_OUT_OF_RANGE')
    try {
      const refund = await this.#client.charge(async ({ payments }) =>
        payments.refundCapturedPayment({
          captureId: paymentId,
          paypalRequestId: await this.#request(key, 'rf'),
          prefer: 'return=representation',
          body: { amount: toPaypalMoney(amount), customId: await this.#custom(key) },
        }),
      )
      await this.#memory.keep(key, { memo: { refund: refund.id ?? '?' } })
      if (isLost(refund)) throw refundFailed()
      const owner = await this.#memory.madeBy(before.ref.id)
      if (owner && before.ref.kind === 'subscription' && refund.id)
        await this.#memory.note(owner.key, 'refunds', refund.id, { payment: paymentId, amount })
    } catch (error) {
      if (errorIssue(error) !== 'CAPTURE_FULLY_REFUNDED') throw error
    }
    return this.settle(before.ref)
  }

  async pause(ref: Ref, paused: boolean): Promise<Facts> {
    assertNotInTransaction('PayPal')
    const call = await this.#memory.madeBy(ref.id)
    if (call?.ref?.kind !== 'subscription') throw unknownObject()
    return this.#plans.pause(call, paused)
  }

  /** Cards of a wallet cannot be saved here. */
  readonly cards = {
    begin: () => Promise.reject(unsupported('PAYMENT_METHOD_UNAVAILABLE')),
    finish: () => Promise.reject(paymentInvalid('PAYMENT_SOURCE_FAILED')),
    remove: () => Promise.resolve(),
  }

  async verifyWebhook(delivery: { headers: Record<string, string | string[] | undefined>; body: Uint8Array }) {
    const event = await this.#webhooks.read(delivery.headers, delivery.body)
    return { eventId: event.id, at: new Date(event.create_time), about: await this.#ours(event) }
  }

  async *since(from: Date): AsyncIterable<Facts> {
    assertNotInTransaction('PayPal')
    const refs = new Map((await this.#memory.begunSince(from)).map((ref) => [ref.id, ref]))
    const query = new URLSearchParams({ start_time: from.toISOString(), end_time: this.#deps.now().toISOString(), page_size: '300' })
    for (let path: string | null = `/v1/notifications/webhooks-events?${query}`; path; ) {
      const page = (await this.#client.plain('GET', path)) as { events?: PayPalEvent[]; links?: { rel?: string; href?: string }[] }
      for (const event of page.events ?? []) for (const ref of await this.#ours(event)) refs.set(ref.id, ref)
      const next: string | undefined = page.links?.find(({ rel }) => rel === 'next')?.href
      path = next ? `${new URL(next).pathname}${new URL(next).search}` : null
    }
    yield* readFacts(refs.values(), (ref) => this.settle(ref))
  }

  /** References that this installation created. A dispute or refund names a payment, whose owner only a read determines. */
  async #ours(event: PayPalEvent): Promise<Ref[]> {
    const out: Ref[] = []
    for (const ref of listRefsOf(event)) {
      const [kind, , sale] = ref.id.split(':')
      const mine =
        kind === 'dispute' ||
        kind === 'capture' ||
        (kind === 'refund' ? await this.#memory.known(`sale:${sale}`) : await this.#memory.madeBy(ref.id))
      if (mine) out.push(ref)
    }
    return out
  }

  async #order(charge: Charge): Promise<Ref> {
    const { key } = charge
    const [custom, invoice, request] = [
      await this.#custom(key),
      `${await this.#memory.installation()}-${key.purchase}`,
      await this.#request(key, 'ord'),
    ]
    const order = await this.#client.prepare(({ orders }) =>
      orders.createOrder({
        paypalRequestId: request,
        prefer: 'return=representation',
        body: {
          intent: 'CAPTURE' as const,
          // One invoice id per purchase: PayPal itself refuses a second payment of it.
          purchaseUnits: [
            {
              referenceId: String(key.purchase),
              customId: custom,
              invoiceId: invoice,
              amount: toPaypalMoney(charge.amount),
              description: charge.title.slice(0, 127),
            },
          ],
          paymentSource: {
            paypal: {
              experienceContext: {
                userAction: 'PAY_NOW',
                shippingPreference: 'NO_SHIPPING',
                locale: 'es-MX',
                returnUrl: charge.returnUrl,
                cancelUrl: charge.returnUrl,
              },
            },
          },
        } as Parameters<typeof orders.createOrder>[0]['body'],
      }),
    )
    if (!order.id) throw unsupported('PAYMENT_METHOD_UNAVAILABLE')
    return { gateway: 'paypal', kind: 'payment', id: order.id }
  }

  async #capture(call: Call<PayPalMemo>, order: Order): Promise<Facts> {
    const id = order.id ?? ''
    // Giving up waits for this phase to end, and this phase cannot start after giving up.
    if (!(await this.#memory.enter(call.key, 'capturing', { capturing: IN_FLIGHT_MS, stopped: FOREVER }))) {
      const [now, again] = [await this.#memory.get(call.key), await this.#read(call, id)]
      return this.#orderFacts(now ?? call, again ?? order)
    }
    const request = await this.#request(call.key, 'cap')
    try {
      const captured = await this.#client.charge(({ orders }) =>
        orders.captureOrder({ id, paypalRequestId: request, prefer: 'return=representation' }),
      )
      await this.#memory.leave(call.key, 'capturing')
      return this.#orderFacts(call, captured.purchaseUnits?.[0]?.payments?.captures ? captured : ((await this.#read(call, id)) ?? captured))
    } catch (error) {
      if (!(error instanceof PaymentError) || error.kind === 'unknown_outcome' || error.kind === 'busy') throw error
      await this.#memory.leave(call.key, 'capturing')
      const issue = errorIssue(error)
      if (isFinal(error)) return this.#orderFacts(await this.#memory.keep(call.key, { memo: { refused: issue ?? 'DECLINED' } }), order)
      // The payer may choose another payment method for the same order: PayPal's button restarts.
      if (error.kind === 'declined') return { ...this.#orderFacts(call, order), why: error }
      if (issue === 'ORDER_ALREADY_CAPTURED' || issue === 'ORDER_NOT_APPROVED' || issue === 'PAYER_ACTION_REQUIRED')
        return this.#orderFacts(call, (await this.#read(call, id)) ?? order)
      throw error
    }
  }

  #orderFacts(call: Call<PayPalMemo>, order: Order): Facts {
    const facts = { ref: this.#refOf(call), ...orderFacts(order, call.memo), purchaseId: call.key.purchase, method: METHOD }
    const isProcessing =
      call.phase === 'capturing' && call.phaseAt !== null && this.#deps.now().getTime() - call.phaseAt.getTime() < IN_FLIGHT_MS
    return facts.state === 'waiting' && isProcessing ? { ...facts, state: 'processing', next: null } : facts
  }

  /** Facts of an order that PayPal has deleted: it can no longer be approved. */
  #gone(call: Call<PayPalMemo>): Facts {
    return {
      ref: this.#refOf(call),
      state: call.memo.over ?? 'expired',
      next: null,
      payments: [],
      purchaseId: call.key.purchase,
      method: METHOD,
    }
  }

  #refOf(call: Call<PayPalMemo>): Ref {
    if (!call.ref) throw unknownObject()
    return call.ref
  }

  async #read(call: Call<PayPalMemo>, id: string): Promise<Order | null> {
    return this.#client
      .read(({ orders }) => orders.getOrder({ id }))
      .catch((error: unknown) => {
        if (error instanceof PaymentError && error.kind === 'invalid' && call.ref) return null
        throw error
      })
  }

  /** Gives up an order that was not paid in time. */
  async #overdue(call: Call<PayPalMemo>, order: Order): Promise<Call<PayPalMemo>> {
    if (orderFacts(order, call.memo).state !== 'waiting' || new Date(call.memo.until ?? 0) > this.#deps.now()) return call
    return (await this.#giveUp(call, 'expired')) ?? call
  }

  /** Makes sure that it is never captured from now on; null when a capture is in progress. */
  async #giveUp(call: Call<PayPalMemo>, over: PayPalMemo['over']): Promise<Call<PayPalMemo> | null> {
    if (!(await this.#memory.enter(call.key, 'stopped', { capturing: IN_FLIGHT_MS }))) return null
    return this.#memory.keep(call.key, { memo: { over: call.memo.over ?? over } })
  }

  /** Facts of the order or subscription of a payment. Payments of another installation on the same account affect no purchase. */
  async #captured(id: string): Promise<Facts> {
    const sale = await this.#memory.known(`sale:${id}`)
    if (sale) return this.settle({ gateway: 'paypal', kind: 'subscription', id: sale })
    const capture = await this.#client
      .read(({ payments }) => payments.getCapturedPayment({ captureId: id }))
      .catch((error: unknown) => {
        if (error instanceof PaymentError && error.kind === 'invalid') return null
        throw error
      })
    const order = capture?.supplementaryData?.relatedIds?.orderId
    const [app, purchase, step, n] = (capture?.customId ?? '').split(':')
    const mine =
      app === (await this.#memory.installation()) && step && n
        ? await this.#memory.get({ purchase: Number(purchase), step, n: Number(n) })
        : null
    const ref =
      order && (await this.#memory.madeBy(order)) ? { gateway: 'paypal' as const, kind: 'payment' as const, id: order } : mine?.ref
    return ref ? this.settle(ref) : { ref: { gateway: 'paypal', kind: 'payment', id }, state: 'processing', next: null, payments: [] }
  }

  async #saleRefund(id: string, sale: string): Promise<Facts> {
    const subscription = await this.#memory.known(`sale:${sale}`)
    const call = subscription ? await this.#memory.madeBy(subscription) : null
    if (!call) throw unknownObject()
    await this.#plans.noteRefund(call, id, sale)
    return this.settle(this.#refOf(call))
  }

  async #dispute(id: string): Promise<Facts> {
    const dispute = (await this.#client.plain('GET', `/v1/customer/disputes/${encodeURIComponent(id)}`)) as {
      status?: string
      dispute_outcome?: { outcome_code?: string }
      disputed_transactions?: { seller_transaction_id?: string }[]
    }
    const payment = dispute.disputed_transactions?.[0]?.seller_transaction_id
    if (!payment) throw unknownObject()
    const facts = await this.#captured(payment)
    const call = await this.#memory.madeBy(facts.ref.id)
    if (!call) return facts
    const lost = /BUYER_FAVOU?R|RESOLVED_WITH_PAYOUT|ACCEPTED/.test(dispute.dispute_outcome?.outcome_code ?? '')
    const state = dispute.status === 'RESOLVED' ? (lost ? 'lost' : 'won') : 'open'
    await this.#memory.note(call.key, 'disputes', id, { payment, state })
    return this.settle(facts.ref)
  }

  /** Our metadata on every object: installation, purchase and attempt. */
  async #custom(key: Key): Promise<string> {
    return `${await this.#memory.installation()}:${key.purchase}:${key.step}:${key.n}`
  }

  async #request(key: Key, what: string): Promise<string> {
    return `${await this.#custom(key)}:${what}`
  }
}
