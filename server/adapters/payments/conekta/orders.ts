/**
 * Orders at Conekta. There are no idempotency keys, so an order without a charge is created and recorded first; it is charged at most once,
 * and after a lost response the result is read from the order.
 */
import type { ChargeRequestPaymentMethod, OrderRequest, OrderResponse } from 'conekta'
import type { Call, CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { paymentInvalid, processorBusy } from '#server/adapters/payments/failures.ts'
import { type Charge, type Key, PaymentError, type Ref } from '#server/adapters/payments/port.ts'
import { type ConektaClient, describeFailure } from './client.ts'
import type { ConektaMemo } from './facts.ts'

/** How long a recorded call counts as in progress; after that its process is taken for dead. */
export const IN_FLIGHT_MS = 60_000
export const FOREVER = Number.POSITIVE_INFINITY
/** Phases in which money may be moving: `charging` while a process awaits the response, `unheard` when the response was lost. */
export const MOVING = { charging: IN_FLIGHT_MS, unheard: IN_FLIGHT_MS, starting: IN_FLIGHT_MS, subscribing: IN_FLIGHT_MS }

const BUSY = ['starting', 'charging', 'subscribing']

export class ConektaOrders {
  readonly #client: ConektaClient
  readonly #memory: CallJournal<ConektaMemo>
  readonly #now: () => Date

  constructor(client: ConektaClient, memory: CallJournal<ConektaMemo>, now: () => Date) {
    this.#client = client
    this.#memory = memory
    this.#now = now
  }

  read(id: string): Promise<OrderResponse> {
    return this.#client.read(({ orders }) => orders.getOrderById(id))
  }

  /** The order of a call, created by the first process; concurrent ones wait for it. */
  async ensure(
    call: Call<ConektaMemo>,
    make: (entered: Call<ConektaMemo>) => Promise<{ ref: Ref; order?: string }>,
  ): Promise<Call<ConektaMemo>> {
    if (call.ref) return call
    const { key } = call
    const entered = await this.#memory.enter(key, 'starting', {
      starting: IN_FLIGHT_MS,
      charging: FOREVER,
      subscribing: FOREVER,
      stopped: FOREVER,
    })
    if (!entered) {
      if (!(await this.#memory.awaitRef(key, 'starting'))) throw processorBusy()
      return (await this.#memory.get(key)) ?? call
    }
    try {
      // Another process created it between the read and entering the phase.
      if (entered.ref) return entered
      const { ref, order } = await make(entered)
      return await this.#memory.keep(key, { ref, ...(order ? { memo: { order } } : {}) })
    } finally {
      await this.#memory.leave(key, 'starting')
    }
  }

  async create(charge: Charge, customer: string, hosted: { until: Date } | null): Promise<string> {
    const { key } = charge
    // Conekta accepts 5 minutes to a year; for a shorter hold we end the page ourselves.
    const until = hosted ? Math.max(hosted.until.getTime(), this.#now().getTime() + 6 * 60_000) : 0
    const request: OrderRequest = {
      currency: 'MXN',
      customer_info: { customer_id: customer },
      line_items: [{ name: lineItemName(charge.title), unit_price: charge.amount, quantity: 1 }],
      metadata: {
        app: await this.#memory.installation(),
        purchase_id: String(key.purchase),
        attempt: String(key.n),
        step: key.step,
        customer_id: String(charge.buyer.customer_id),
      },
      ...(hosted
        ? {
            checkout: {
              type: 'HostedPayment' as const,
              allowed_payment_methods: ['card' as const],
              expires_at: Math.floor(until / 1000),
              success_url: charge.returnUrl,
              failure_url: charge.returnUrl,
              name: lineItemName(charge.title),
            },
          }
        : { three_ds_mode: 'smart', return_url: charge.returnUrl }),
    }
    const order = await this.#client.prepare(({ orders }) => orders.createOrder(request, 'es'))
    if (!order.id) throw paymentInvalid('PAYMENT_FAILED')
    return order.id
  }

  /**
   * Charges an order, at most once ever. `read` then determines the result; a definite refusal is noted, because the order may not show it.
   * `how` gets what an earlier attempt of the same call left behind.
   */
  async charge(
    key: Key,
    order: string,
    amount: number,
    how: (call: Call<ConektaMemo>) => Promise<ChargeRequestPaymentMethod>,
  ): Promise<void> {
    const entered = await this.turn(key, 'charging', (call) => call.memo.tried === true)
    if (!entered) return
    try {
      const payment_method = await how(entered)
      await this.#memory.keep(key, { memo: { tried: true } })
      await this.#client.charge(({ charges }) => charges.ordersCreateCharge(order, { amount, payment_method }, 'es'))
    } catch (error) {
      if (!(error instanceof PaymentError) || error.kind === 'unknown_outcome') {
        await this.#memory.enter(key, 'unheard', { stopped: FOREVER })
        throw error
      }
      if (error.kind === 'declined') await this.#memory.keep(key, { memo: { refused: error.code } })
      await this.#memory.leave(key, 'charging')
      if (error.kind !== 'declined') throw error
    }
    await this.#memory.leave(key, 'charging')
  }

  /** Waits to enter a phase; null when the step is done, the call was given up, or the response of an earlier attempt was lost. */
  async turn(key: Key, phase: string, isDone: (call: Call<ConektaMemo>) => boolean): Promise<Call<ConektaMemo> | null> {
    for (let round = 0; round < 20; round++) {
      const entered = await this.#memory.enter(key, phase, { ...MOVING, stopped: FOREVER })
      if (entered && !isDone(entered)) return entered
      if (entered) await this.#memory.leave(key, phase)
      const call = entered ?? (await this.#memory.awaitLeave(key, BUSY))
      if (!call || isDone(call)) return null
      // Given up, response lost, or another process has been in the phase for longer than we wait.
      if (!entered && call.phase !== null) return null
    }
    return null
  }

  /** Whether a charge may be in progress. */
  isCharging(call: Call<ConektaMemo>): boolean {
    return (
      (call.phase === 'charging' || call.phase === 'unheard') &&
      call.phaseAt !== null &&
      this.#now().getTime() - call.phaseAt.getTime() < IN_FLIGHT_MS
    )
  }

  /** Ends an order so that it can no longer be paid; null while a charge is in progress. */
  async giveUp(call: Call<ConektaMemo>, order: string, over: ConektaMemo['over']): Promise<Call<ConektaMemo> | null> {
    if (!(await this.#memory.enter(call.key, 'stopped', MOVING))) return null
    await this.cancel(order)
    return this.#memory.keep(call.key, { memo: { over: call.memo.over ?? over } })
  }

  /** Cancels an order. Refusals (it is paid, has no charge, is over) are ignored: the next read shows its state. */
  async cancel(order: string): Promise<void> {
    await this.#client
      .prepare(({ orders }) => orders.cancelOrder(order, 'es'))
      .catch((error: unknown) => {
        const status = describeFailure(error)?.status ?? 500
        if (status >= 500 || status === 401 || status === 403 || status === 429) throw error
      })
  }
}

/** Conekta requires at least three characters. */
export const lineItemName = (title: string) => (title.length < 3 ? `Paquete ${title}` : title).slice(0, 250)
