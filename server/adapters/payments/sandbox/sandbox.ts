/**
 * The built-in processor: a full implementation of the port on its own tables, for the demo, for tests and for trying the product without
 * any account. It never receives a card number (settled 13). It uses the studio's clock.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { and, asc, eq, gte, inArray, isNull, lte, or } from 'drizzle-orm'
import type { WalletButton } from '#contract/payment-options.ts'
import type { CardFields } from '#contract/sales.ts'
import {
  type Buyer,
  type Card,
  type CardRef,
  type Charge,
  type Facts,
  type Instrument,
  type Key,
  type Next,
  PaymentError,
  type PaymentGateway,
  type Plan,
  type Ref,
  type StopTime,
} from '#server/adapters/payments/port.ts'
import { assertNotInTransaction, type Db, type Tx } from '#server/platform/db.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { fingerprint, readToken, type TestCard } from './cards.ts'
import { assertSameRequest, findKnown, findOrMakeCustomer, insertCustomer } from './lookups.ts'
import { type PageTheme, pageTheme } from './page-theme.ts'
import * as payments from './payments.ts'
import { insertPayment, insertSubscription, invalid, isCardSavedFor } from './starting.ts'
import * as subscriptions from './subscriptions.ts'
import { sandboxCard, sandboxLedger, sandboxPayment, sandboxSetup, sandboxSubscription } from './tables.ts'
import { type Courier, postWaitingEvents, readWebhookEvent, SIGNATURE_HEADER, signingKey } from './webhooks.ts'

export interface SandboxDeps {
  db: Db
  now: () => Date
  publicUrl: string
  log: { error(details: object, text: string): void }
}

/** Minimum card charge, and range of a voucher, in centavos: what real processors accept in Mexico. */
const CARD_MIN = 1_000
const VOUCHER_RANGE = [1_000, 1_000_000] as const

const keyText = (key: Key) => `${key.purchase}:${key.step}:${key.n}`
const unknown = (message: string) => new PaymentError({ kind: 'unknown_outcome', code: 'PAYMENT_IN_PROGRESS', retry: 'same-key', message })

export class Sandbox implements PaymentGateway {
  readonly id = 'sandbox'
  readonly #deps: SandboxDeps
  #courier: Courier | null = null
  #key: Promise<string> | undefined
  #delivering: Promise<void> = Promise.resolve()
  /** Whether a delivery waits that has not read its events yet: it posts those of later changes too. */
  #postsAgain = false
  #timer: NodeJS.Timeout | undefined
  /** Base URL of the processor's pages: another origin once one is served (site.ts), the studio's own until then. */
  site: string
  /** Delay of the response after charging a `slow` card. */
  slowMs = 20_000
  /** While true no webhook is posted: tests lose, repeat and reorder events by hand. */
  held = false

  constructor(deps: SandboxDeps) {
    this.#deps = deps
    this.site = deps.publicUrl
  }

  cardFields(): CardFields | null {
    return { processor: 'sandbox', public_key: null }
  }

  walletButton(): WalletButton | null {
    return { processor: 'sandbox', public_key: null }
  }

  /** Pure: `refuses` of the port. */
  refuses(what: { instrument: Instrument['by']; amount: number; plan?: Plan }): PaymentError['code'] | null {
    if (what.instrument === 'hand') return 'PAYMENT_METHOD_UNAVAILABLE'
    if (what.instrument === 'voucher') {
      if (what.plan) return 'PAYMENT_METHOD_UNAVAILABLE'
      return what.amount < VOUCHER_RANGE[0] || what.amount > VOUCHER_RANGE[1] ? 'AMOUNT_OUT_OF_RANGE' : null
    }
    const charged = what.plan ? [what.plan.amount, what.plan.firstAmount ?? what.plan.amount] : [what.amount]
    return charged.some((amount) => amount < CARD_MIN) ? 'AMOUNT_OUT_OF_RANGE' : null
  }

  async start(charge: Charge, plan?: Plan): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    const no = this.refuses({ instrument: charge.instrument.by, amount: charge.amount, ...(plan ? { plan } : {}) })
    if (no) throw new PaymentError({ kind: 'unsupported', code: no, retry: 'new-instrument' })
    const key = keyText(charge.key)
    const hash = requestHash('sandbox', { amount: charge.amount, instrument: charge.instrument, plan })
    const known = await findKnown(this.#deps.db.read, key, charge.buyer.customer_id)
    if (known.object) {
      await assertSameRequest(this.#deps.db.read, key, hash)
      return this.settle(this.refOf(known.object))
    }
    const buyer = known.customer ?? (await this.#deps.db.tx((tx) => insertCustomer(tx, charge.buyer)))
    const card = await this.#card(charge.instrument, buyer)
    // Simulates a request that never arrives: nothing is stored, and the caller cannot know.
    if (card?.behaviour === 'timeout_unpaid') throw unknown('The sandbox did not answer.')
    const now = this.#deps.now()
    const started = await this.#deps.db.tx(async (tx): Promise<{ ref: Ref; facts?: Facts } | null> => {
      if (plan) {
        const ref = await insertSubscription(tx, charge, plan, { key, hash, buyer, card, now })
        return ref && { ref }
      }
      const row = await insertPayment(tx, charge, { key, hash, buyer, card, now })
      return row && { ref: this.refOf(row.id), facts: await payments.paymentFacts(tx, row, this.site) }
    })
    this.#changed(card?.behaviour === 'async' ? 5_200 : 0)
    if (!started) {
      await assertSameRequest(this.#deps.db.read, key, hash)
      const existing = await this.find(charge.key)
      if (existing) return existing
      throw unknown('The sandbox lost a payment.')
    }
    if (card?.behaviour === 'slow') await wait(this.slowMs)
    if (card?.behaviour === 'timeout_paid') throw unknown('The sandbox charged and did not answer.')
    // Read again after a wait: what is due by the clock meanwhile is applied.
    return started.facts && card?.behaviour !== 'slow' ? started.facts : this.settle(started.ref)
  }

  settle(ref: Ref, how: { approved?: boolean } = {}): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    return this.#facts(ref, async (tx, row) => {
      if ('anchorAt' in row) return subscriptions.advanceSubscription(tx, row, this.#deps.now())
      const now = this.#deps.now()
      if (how.approved && row.approved && row.state === 'waiting') return payments.take(tx, row, now)
      return payments.advancePayment(tx, row, now)
    })
  }

  async find(key: Key): Promise<Facts | null> {
    const { object } = await findKnown(this.#deps.db.read, keyText(key))
    return object === null ? null : this.settle(this.refOf(object))
  }

  stop(ref: Ref, at: StopTime, _reason: string): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    return this.#facts(ref, async (tx, row) => {
      const now = this.#deps.now()
      if ('anchorAt' in row) return subscriptions.stopSubscription(tx, await subscriptions.advanceSubscription(tx, row, now), at, now)
      return payments.endPayment(tx, await payments.advancePayment(tx, row, now), now)
    })
  }

  async refund(ref: Ref, paymentId: string, amount: number, key: Key): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    const now = this.#deps.now()
    return this.#facts(ref, async (tx, row) => {
      await payments.refundSandboxCharge(tx, { object: ref.id, charge: paymentId, amount, key: keyText(key), now })
      await payments.emitEvent(tx, 'refund.created', ref, now)
      return { ...row }
    })
  }

  async changeCard(ref: Ref, card: CardRef): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    const [savedCard] = await this.#deps.db.read
      .select()
      .from(sandboxCard)
      .where(and(eq(sandboxCard.id, card.id), isNull(sandboxCard.removedAt)))
    return this.#facts(ref, async (tx, row) => {
      if (!('anchorAt' in row) || !savedCard || savedCard.buyer !== row.buyer || !subscriptions.isRunning(row))
        throw invalid('PAYMENT_METHOD_UNAVAILABLE', 'This card cannot pay this.')
      return subscriptions.giveCard(tx, row, savedCard, this.#deps.now())
    })
  }

  async payOverdue(ref: Ref): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    const now = this.#deps.now()
    const facts = await this.#facts(ref, async (tx, row) => {
      if (!('anchorAt' in row)) throw invalid('PAYMENT_METHOD_UNAVAILABLE', 'A payment has no renewals.')
      return subscriptions.retryPeriod(tx, await subscriptions.advanceSubscription(tx, row, now), now)
    })
    return facts.state === 'past_due' ? { ...facts, why: payments.declined('CARD_DECLINED', 'The bank refused the renewal again.') } : facts
  }

  async pause(ref: Ref, paused: boolean): Promise<Facts> {
    assertNotInTransaction('The sandbox')
    const now = this.#deps.now()
    return this.#facts(ref, async (tx, row) => {
      if (!('anchorAt' in row)) throw invalid('PAYMENT_METHOD_UNAVAILABLE', 'A payment cannot be suspended.')
      return subscriptions.pauseSubscription(tx, await subscriptions.advanceSubscription(tx, row, now), paused, now)
    })
  }

  readonly cards = {
    begin: async (buyer: Buyer, token?: string): Promise<{ next: Next | null; setup: string }> => {
      const card = token === undefined ? null : readToken(token)
      if (token !== undefined && !card) throw invalid('CARD_FORMAT', 'No such token.')
      const outcome = card && payments.chargeOutcome(card).state
      if (outcome === 'refused') throw invalid('PAYMENT_SOURCE_FAILED', 'The bank does not let this card be kept.')
      const owner = await findOrMakeCustomer(this.#deps.db, buyer)
      const id = payments.newId('setup')
      const secret = `${id}_secret_${payments.newId('s')}`
      const state = outcome === null ? 'waiting' : outcome === 'waiting' ? 'challenge' : 'ready'
      await this.#deps.db.tx((tx) => tx.insert(sandboxSetup).values({ id, buyer: owner, secret, card, state, createdAt: this.#deps.now() }))
      return { next: state === 'ready' ? null : { do: 'confirm', clientSecret: secret, intent: 'setup' }, setup: id }
    },
    finish: async (buyer: Buyer, proof: string): Promise<Card> => {
      const { owner, id } = await this.#deps.db.tx(async (tx) => {
        const known = await insertCustomer(tx, buyer)
        return { owner: known, id: await isCardSavedFor(tx, known, proof, this.#deps.now()) }
      })
      const [row] = await this.#deps.db.read.select().from(sandboxCard).where(eq(sandboxCard.id, id))
      if (!row) throw invalid('PAYMENT_SOURCE_FAILED', 'There is no such card.')
      return { id, buyer: owner, brand: row.card.brand, last4: row.card.last4, exp: row.card.exp, fingerprint: fingerprint(row.card) }
    },
    identify: async (token: string): Promise<string | null> => {
      const card = readToken(token)
      return card?.typed ? fingerprint(card) : null
    },
    remove: async (card: CardRef): Promise<void> => {
      await this.#deps.db.tx((tx) =>
        tx
          .update(sandboxCard)
          .set({ removedAt: this.#deps.now() })
          .where(
            and(eq(sandboxCard.id, card.id), isNull(sandboxCard.removedAt), ...(card.buyer ? [eq(sandboxCard.buyer, card.buyer)] : [])),
          ),
      )
    },
  }

  async verifyWebhook(delivery: { headers: Record<string, string | string[] | undefined>; body: Uint8Array }) {
    return readWebhookEvent(await this.#signingKey(), delivery.headers[SIGNATURE_HEADER], delivery.body, this.#deps.now())
  }

  async *since(from: Date): AsyncIterable<Facts> {
    for (const table of [sandboxPayment, sandboxSubscription] as const) {
      const rows = await this.#deps.db.read
        .select({ id: table.id })
        .from(table)
        .where(gte(table.updatedAt, from))
        .orderBy(asc(table.updatedAt))
      for (const { id } of rows)
        yield await this.settle({ gateway: 'sandbox', kind: table === sandboxPayment ? 'payment' : 'subscription', id })
    }
  }

  // Below: used by the processor's own pages, its clock and tests.

  /** Changes one object and returns its facts. The processor's pages use this. */
  async at(id: string, change: (tx: Tx, row: payments.PaymentRow, now: Date) => Promise<payments.PaymentRow>): Promise<Facts> {
    return this.#facts({ gateway: 'sandbox', kind: 'payment', id }, (tx, row) =>
      'anchorAt' in row ? Promise.resolve(row) : change(tx, row, this.#deps.now()),
    )
  }

  /** Page data of a payment, a subscription or a card being saved. Null when it does not exist. */
  async getPage(id: string): Promise<PageTheme | null> {
    // From the address bar: do not query the database for what cannot be an id.
    return /^\w{1,80}$/.test(id) ? pageTheme(this.#deps.db.read, id, this.#deps.publicUrl) : null
  }

  /** Applies the customer's answer to the bank's challenge for a payment, a subscription or a card being saved. */
  async authorize(id: string, yes: boolean): Promise<Facts | null> {
    const now = this.#deps.now()
    if (id.startsWith('setup_')) {
      await this.#deps.db.tx(async (tx) => {
        const [row] = await tx.select().from(sandboxSetup).where(eq(sandboxSetup.id, id)).for('update')
        if (row?.state === 'challenge')
          await tx
            .update(sandboxSetup)
            .set({ state: yes && row.card?.behaviour !== '3ds_fail' ? 'ready' : 'refused' })
            .where(eq(sandboxSetup.id, id))
      })
      return null
    }
    return this.#facts(this.refOf(id), (tx, row) =>
      'anchorAt' in row ? subscriptions.answerSubscriptionChallenge(tx, row, yes, now) : payments.answerChallenge(tx, row, yes, now),
    )
  }

  /** Applies a card given on a hosted page or for saving it. */
  async giveToken(id: string, token: string): Promise<Facts | null> {
    const card = readToken(token)
    if (!card) throw invalid('CARD_FORMAT', 'No such token.')
    const now = this.#deps.now()
    if (id.startsWith('setup_')) {
      const outcome = payments.chargeOutcome(card)
      await this.#deps.db.tx((tx) =>
        tx
          .update(sandboxSetup)
          .set({ card, state: outcome.state === 'refused' ? 'refused' : outcome.state === 'waiting' ? 'challenge' : 'ready' })
          .where(and(eq(sandboxSetup.id, id), inArray(sandboxSetup.state, ['waiting', 'refused']))),
      )
      return null
    }
    return this.#facts(this.refOf(id), async (tx, row) => {
      if (row.state !== 'waiting' || row.step !== 'hosted') return row
      if ('anchorAt' in row)
        return payments.chargeOutcome(card).state === 'refused' ? row : subscriptions.beginSubscription(tx, { ...row, card }, now)
      return payments.tryCard(tx, row, card, now, true)
    })
  }

  /** Applies the customer's approval or refusal in the wallet. */
  async approve(id: string, yes: boolean): Promise<Facts> {
    const now = this.#deps.now()
    return this.#facts(this.refOf(id), async (tx, row) => {
      if ('anchorAt' in row)
        return yes ? subscriptions.approveSubscription(tx, row, now) : subscriptions.stopSubscription(tx, row, 'now', now)
      return yes ? payments.approveOrder(tx, row, now) : payments.endPayment(tx, row, now)
    })
  }

  /** Simulates paying a voucher at the shop, which also accepts one that was given up or has expired, as shops do. */
  payVoucher(id: string): Promise<Facts> {
    return this.at(id, (tx, row, now) =>
      row.voucher && ['waiting', 'ended', 'expired'].includes(row.state) ? payments.take(tx, row, now) : Promise.resolve(row),
    )
  }

  /** Applies every state change that is due by the clock, and posts its webhook events. */
  async tick(): Promise<void> {
    const now = this.#deps.now()
    const due = await this.#deps.db.read
      .select({ id: sandboxPayment.id })
      .from(sandboxPayment)
      .where(
        or(
          and(eq(sandboxPayment.state, 'processing'), lte(sandboxPayment.settlesAt, now)),
          and(eq(sandboxPayment.state, 'waiting'), lte(sandboxPayment.expiresAt, now)),
        ),
      )
    const renewing = await this.#deps.db.read
      .select({ id: sandboxSubscription.id })
      .from(sandboxSubscription)
      .where(
        or(
          and(inArray(sandboxSubscription.state, ['paid', 'trialing', 'past_due']), lte(sandboxSubscription.nextAt, now)),
          and(eq(sandboxSubscription.state, 'waiting'), lte(sandboxSubscription.expiresAt, now)),
        ),
      )
    for (const { id } of [...due, ...renewing]) await this.settle(this.refOf(id))
    await this.post()
  }

  /**
   * Posts webhook events through `courier` from now on, a few milliseconds after each change; due changes are applied every ten seconds.
   */
  connect(courier: Courier): () => void {
    this.#courier = courier
    this.#timer = setInterval(
      () => void this.tick().catch((error) => this.#deps.log.error({ error }, 'sandbox.request_failed')),
      10_000,
    ).unref()
    return () => {
      this.#courier = null
      clearInterval(this.#timer)
    }
  }

  /** Posts the waiting webhook events; resolves when done. */
  post(): Promise<void> {
    if (this.#postsAgain) return this.#delivering
    this.#postsAgain = true
    this.#delivering = this.#delivering.then(async () => {
      this.#postsAgain = false
      try {
        let isMore = true
        while (isMore) isMore = await this.#postSome()
      } catch (error) {
        this.#deps.log.error({ error }, 'sandbox.webhook_not_delivered')
      }
    })
    return this.#delivering
  }

  /** Posts some of the waiting events; whether there may be more. */
  async #postSome(): Promise<boolean> {
    const courier = this.#courier
    if (!courier || this.held) return false
    return postWaitingEvents(this.#deps.db, await this.#signingKey(), courier, this.#deps.now)
  }

  #signingKey(): Promise<string> {
    this.#key ??= signingKey(this.#deps.db).catch((error) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  /** All money charged and refunded, for a purchase or for all: tests verify "charged once" against it. */
  async ledger(purchase?: number): Promise<{ kind: 'charge' | 'refund'; amount: number; object: string; at: Date }[]> {
    return this.#deps.db.read
      .select({ kind: sandboxLedger.kind, amount: sandboxLedger.amount, object: sandboxLedger.object, at: sandboxLedger.at })
      .from(sandboxLedger)
      .where(and(isNull(sandboxLedger.failedAt), purchase === undefined ? undefined : eq(sandboxLedger.purchase_id, purchase)))
      .orderBy(asc(sandboxLedger.at))
  }

  /** Makes the newest refund of an object fail: the customer's bank did not accept it. */
  async failRefund(object: string): Promise<void> {
    await this.#facts(this.refOf(object), async (tx, row) => {
      await payments.loseRefund(tx, object, this.#deps.now())
      await payments.emitEvent(tx, 'refund.failed', this.refOf(object), this.#deps.now())
      return { ...row }
    })
  }

  /** Opens, loses or wins a dispute; `disputedAmount`: of a part of the charge; `openAmount`: of another dispute beside a lost one. */
  async dispute(
    object: string,
    disputed: 'open' | 'lost' | 'won',
    disputedAmount?: number,
    openAmount: number | null = null,
  ): Promise<void> {
    await this.#facts(this.refOf(object), async (tx, row) => {
      await tx
        .update(sandboxLedger)
        .set({ disputed, openAmount, ...(disputedAmount === undefined ? {} : { disputedAmount }) })
        .where(and(eq(sandboxLedger.object, object), eq(sandboxLedger.kind, 'charge')))
      await payments.emitEvent(tx, `dispute.${disputed}`, this.refOf(object), this.#deps.now())
      return { ...row }
    })
  }

  refOf(id: string): Ref {
    return { gateway: 'sandbox', kind: id.startsWith('sub_') ? 'subscription' : 'payment', id }
  }

  async #facts(
    ref: Ref,
    change: (
      tx: Tx,
      row: payments.PaymentRow | subscriptions.SubscriptionRow,
    ) => Promise<payments.PaymentRow | subscriptions.SubscriptionRow>,
  ): Promise<Facts> {
    let moved = false
    const facts = await this.#deps.db.tx(async (tx) => {
      const row = ref.kind === 'subscription' ? await subscriptions.lockSubscription(tx, ref.id) : await payments.lockPayment(tx, ref.id)
      if (!row)
        throw new PaymentError({
          kind: 'invalid',
          code: 'PAYMENT_FAILED',
          retry: 'never',
          message: 'The sandbox does not know this object.',
        })
      const changed = await change(tx, row)
      moved = changed !== row
      return 'anchorAt' in changed ? subscriptions.subscriptionFacts(tx, changed, this.site) : payments.paymentFacts(tx, changed, this.site)
    })
    if (moved) this.#changed(0)
    return facts
  }

  #changed(afterMs: number): void {
    if (!this.#courier || this.held) return
    // What changed now has written its event; what will change by the clock is due then.
    setTimeout(
      () =>
        void (afterMs > 0 ? this.tick() : this.post()).catch(
          (error) => this.#courier && this.#deps.log.error({ error }, 'sandbox.request_failed'),
        ),
      afterMs,
    ).unref()
  }

  async #card(instrument: Instrument, buyer: string): Promise<TestCard | null> {
    if (instrument.by === 'card-token') {
      const card = readToken(instrument.token)
      if (!card) throw invalid('CARD_FORMAT', 'No such token.')
      return card
    }
    if (instrument.by !== 'saved-card') return null
    const [row] = await this.#deps.db.read
      .select()
      .from(sandboxCard)
      .where(and(eq(sandboxCard.id, instrument.card.id), eq(sandboxCard.buyer, buyer), isNull(sandboxCard.removedAt)))
    if (!row) throw invalid('PAYMENT_METHOD_UNAVAILABLE', 'There is no such card.')
    return row.card
  }
}
