/**
 * Money received at the counter. In cash (`efectivo`) a payment waits under a reference until staff receive it; it expires with the hold of
 * its purchase (setting `cash_hold_hours`). Payments by terminal or transfer (`mostrador`) are in the same ledger under a gateway of their
 * own, so that the cash drawer can be counted; what gift cards pay (`regalo`) too: it is no money received. The ledger is in our database:
 * a receipt is inserted in the transaction of the sale (`recordReceipt`, `receiveWaiting`).
 */
import { randomInt } from 'node:crypto'
import { and, asc, eq, gte } from 'drizzle-orm'
import {
  BadSignature,
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
import { assertNotInTransaction, type Db, type Tx } from '#server/platform/db.ts'
import { cashPayment, cashRefund } from './tables.ts'

type Row = typeof cashPayment.$inferSelect

export type CounterGateway = 'efectivo' | 'mostrador' | 'regalo'

const PREFIXES: Readonly<Record<CounterGateway, string>> = { efectivo: 'EF', mostrador: 'MO', regalo: 'RE' }
const LABELS: Readonly<Record<CounterGateway, string>> = {
  efectivo: 'Efectivo',
  mostrador: 'Pago en el estudio',
  regalo: 'Tarjeta de regalo',
}

export interface CounterDeps {
  db: Db
  now: () => Date
}

/** No 0, 1, I, O: references are read aloud at the counter. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** An unused reference of the counter's ledger. */
export const newReference = (gateway: CounterGateway) =>
  `${PREFIXES[gateway]}-${Array.from({ length: 8 }, (_, n) => (n === 4 ? '-' : '') + SIGNS[randomInt(SIGNS.length)]).join('')}`
const keyText = (key: Key) => `${key.purchase}:${key.step}:${key.n}`

/** Whether a charge was received at the counter: its refund is paid by hand, not through a processor. */
export const isCounter = (gateway: string): boolean => Object.hasOwn(PREFIXES, gateway)

export class Counter implements PaymentGateway {
  readonly id: CounterGateway
  readonly #deps: CounterDeps

  constructor(id: CounterGateway, deps: CounterDeps) {
    this.id = id
    this.#deps = deps
  }

  cardFields(): null {
    return null
  }

  walletButton(): null {
    return null
  }

  refuses(what: { instrument: Instrument['by']; amount: number; plan?: Plan }): PaymentError['code'] | null {
    return what.instrument !== 'hand' || what.plan ? 'PAYMENT_METHOD_UNAVAILABLE' : what.amount <= 0 ? 'AMOUNT_OUT_OF_RANGE' : null
  }

  async start(charge: Charge, plan?: Plan): Promise<Facts> {
    assertNotInTransaction('The counter gateway')
    const no = this.refuses({ instrument: charge.instrument.by, amount: charge.amount, ...(plan ? { plan } : {}) })
    if (no) throw new PaymentError({ kind: 'unsupported', code: no, retry: 'new-instrument' })
    const now = this.#deps.now()
    await this.#deps.db.tx((tx) =>
      tx
        .insert(cashPayment)
        .values({
          reference: newReference(this.id),
          gateway: this.id,
          key: keyText(charge.key),
          purchase_id: charge.key.purchase,
          customer_id: charge.buyer.customer_id,
          amount: charge.amount,
          state: 'waiting',
          expiresAt: charge.expiresAt,
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing({ target: cashPayment.key }),
    )
    const facts = await this.find(charge.key)
    if (!facts) throw new Error('A payment at the counter was lost.')
    const [row] = await this.#deps.db.read
      .select({ amount: cashPayment.amount })
      .from(cashPayment)
      .where(eq(cashPayment.reference, facts.ref.id))
    if (row?.amount !== charge.amount) throw new PaymentError({ kind: 'invalid', code: 'IDEMPOTENCY_KEY_REUSED', retry: 'never' })
    return facts
  }

  settle(ref: Ref): Promise<Facts> {
    return this.#facts(ref.id, (tx, row, now) => expire(tx, row, now))
  }

  async find(key: Key): Promise<Facts | null> {
    const [row] = await this.#deps.db.read
      .select({ reference: cashPayment.reference })
      .from(cashPayment)
      .where(eq(cashPayment.key, keyText(key)))
    return row ? this.settle({ gateway: this.id, kind: 'payment', id: row.reference }) : null
  }

  stop(ref: Ref, _at: StopTime, _reason: string): Promise<Facts> {
    return this.#facts(ref.id, (tx, row, now) =>
      row.state === 'waiting' ? change(tx, row, now, { state: 'ended' }) : Promise.resolve(row),
    )
  }

  refund(ref: Ref, _paymentId: string, amount: number, key: Key): Promise<Facts> {
    return this.#facts(ref.id, async (tx, row, now) => {
      const [mine] = await tx
        .insert(cashRefund)
        .values({ key: keyText(key), reference: row.reference, amount, createdAt: now })
        .onConflictDoNothing()
        .returning()
      if (!mine) return row
      if (row.state !== 'paid' || row.refunded + amount > row.amount)
        throw new PaymentError({ kind: 'invalid', code: 'AMOUNT_OUT_OF_RANGE', retry: 'never' })
      return change(tx, row, now, { refunded: row.refunded + amount })
    })
  }

  /** The counter saves no cards. */
  readonly cards = {
    begin: () => Promise.reject(new PaymentError({ kind: 'unsupported', code: 'PAYMENT_METHOD_UNAVAILABLE', retry: 'never' })),
    finish: () => Promise.reject(new PaymentError({ kind: 'unsupported', code: 'PAYMENT_METHOD_UNAVAILABLE', retry: 'never' })),
    remove: () => Promise.resolve(),
  }

  /** The counter has no webhooks, so every event is refused. */
  verifyWebhook(): Promise<never> {
    return Promise.reject(new BadSignature('the counter has no notices'))
  }

  async *since(from: Date): AsyncIterable<Facts> {
    const rows = await this.#deps.db.read
      .select({ reference: cashPayment.reference })
      .from(cashPayment)
      .where(and(eq(cashPayment.gateway, this.id), gte(cashPayment.updatedAt, from)))
      .orderBy(asc(cashPayment.updatedAt))
    for (const { reference } of rows) yield await this.settle({ gateway: this.id, kind: 'payment', id: reference })
  }

  #facts(reference: string, work: (tx: Tx, row: Row, now: Date) => Promise<Row>): Promise<Facts> {
    assertNotInTransaction('The counter gateway')
    return this.#deps.db.tx(async (tx) => {
      const [row] = await tx.select().from(cashPayment).where(eq(cashPayment.reference, reference)).for('update')
      if (!row) throw noSuchReference()
      return facts(await work(tx, row, this.#deps.now()))
    })
  }
}

/** Records money received now, in the caller's transaction. Idempotent by key. */
export async function recordReceipt(
  tx: Tx,
  gateway: CounterGateway,
  receipt: { key: Key; customer_id: number; amount: number; receivedBy: string; now: Date; reference?: string },
): Promise<Facts> {
  const { key, customer_id, amount, receivedBy, now, reference = newReference(gateway) } = receipt
  await tx
    .insert(cashPayment)
    .values({
      reference,
      gateway,
      key: keyText(key),
      purchase_id: key.purchase,
      customer_id,
      amount,
      state: 'paid',
      receivedBy,
      paidAt: now,
      expiresAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: cashPayment.key })
  const [row] = await tx
    .select()
    .from(cashPayment)
    .where(eq(cashPayment.key, keyText(key)))
  if (row?.amount !== amount) throw new PaymentError({ kind: 'invalid', code: 'IDEMPOTENCY_KEY_REUSED', retry: 'never' })
  return facts(row)
}

/**
 * Records that the money of a waiting reference arrived, by whatever method, in the caller's transaction. Late money is recorded too: the
 * purchase's rules decide what it pays. Repeating it changes nothing.
 */
export async function receiveWaiting(
  tx: Tx,
  reference: string,
  received: { gateway: CounterGateway; receivedBy: string; now: Date },
): Promise<Facts> {
  const [row] = await tx.select().from(cashPayment).where(eq(cashPayment.reference, reference)).for('update')
  if (!row) throw noSuchReference()
  const { gateway, receivedBy, now } = received
  return facts(row.state === 'paid' ? row : await change(tx, row, now, { state: 'paid', gateway, paidAt: now, receivedBy }))
}

const noSuchReference = () =>
  new PaymentError({ kind: 'invalid', code: 'PAYMENT_FAILED', retry: 'never', message: 'There is no such reference.' })

async function change(tx: Tx, row: Row, now: Date, set: Partial<Row>): Promise<Row> {
  const [changed] = await tx
    .update(cashPayment)
    .set({ ...set, updatedAt: now })
    .where(eq(cashPayment.reference, row.reference))
    .returning()
  return changed ?? row
}

async function expire(tx: Tx, row: Row, now: Date): Promise<Row> {
  return row.state === 'waiting' && row.expiresAt <= now ? change(tx, row, now, { state: 'expired' }) : row
}

function facts(row: Row): Facts {
  return {
    ref: { gateway: row.gateway, kind: 'payment', id: row.reference },
    state: row.state,
    next:
      row.state === 'waiting'
        ? { do: 'show', voucher: { kind: 'efectivo', reference: row.reference, expiresAt: row.expiresAt, url: null, clabe: null } }
        : null,
    payments: row.paidAt ? [{ id: row.reference, amount: row.amount, refunded: row.refunded, currency: 'MXN', at: row.paidAt }] : [],
    purchaseId: row.purchase_id,
    method: { label: LABELS[row.gateway] },
  }
}
