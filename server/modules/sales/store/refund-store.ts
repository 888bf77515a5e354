/** Queries of refunds; the only writes to them. */
import { and, asc, desc, eq, exists, gt, inArray, isNull, lt, ne, notExists, sql } from 'drizzle-orm'
import { moneyDiscrepancy, refund } from '#server/modules/sales/aftersales-tables.ts'
import { invoice } from '#server/modules/sales/tables.ts'
import { prepared, type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { bookRefunds } from './charge-store.ts'
import { type GatewayFilter, type InvoiceRow, lockPurchase, ofGateway } from './store.ts'

export type RefundRow = typeof refund.$inferSelect

export async function insertRefund(tx: Tx, values: typeof refund.$inferInsert): Promise<RefundRow> {
  return singleRow(await tx.insert(refund).values(values).returning())
}

/** The refund of a staff request, by its idempotency key. */
export async function findRefundByKey(tx: Tx, purchase_id: number, key: string): Promise<RefundRow | null> {
  const [row] = await tx
    .select()
    .from(refund)
    .where(and(eq(refund.purchase_id, purchase_id), eq(refund.idempotency_key, key)))
  return row ?? null
}

/**
 * A refund without a key for the same part of a charge, by the same person and payment method, since an instant; refused refunds do not
 * count.
 */
export async function findRepeatedRefund(
  tx: Tx,
  same: Pick<RefundRow, 'purchase_id' | 'amount_centavos' | 'by_hand' | 'staff_id'> & { invoice_id: number | undefined },
  since: Date,
): Promise<RefundRow | null> {
  const { purchase_id, invoice_id, amount_centavos, by_hand, staff_id } = same
  const [row] = await tx
    .select()
    .from(refund)
    .where(
      and(
        eq(refund.purchase_id, purchase_id),
        invoice_id === undefined ? undefined : eq(refund.invoice_id, invoice_id),
        eq(refund.amount_centavos, amount_centavos),
        eq(refund.by_hand, by_hand),
        staff_id === null ? isNull(refund.staff_id) : eq(refund.staff_id, staff_id),
        isNull(refund.idempotency_key),
        ne(refund.state, 'refused'),
        gt(refund.createdAt, since),
      ),
    )
    .orderBy(desc(refund.refund_id))
    .limit(1)
  return row ?? null
}

export async function findRefund(db: Reader, refund_id: number): Promise<RefundRow | null> {
  const [row] = await db.select().from(refund).where(eq(refund.refund_id, refund_id))
  return row ?? null
}

/** Refunds of a purchase, newest first. */
export function listRefunds(db: Reader, purchase_id: number): Promise<RefundRow[]> {
  return db.select().from(refund).where(eq(refund.purchase_id, purchase_id)).orderBy(desc(refund.refund_id))
}

/** Refunds that are not finished and unchanged since `before`. */
export function listOpenRefunds(db: Reader, before: Date, limit: number, which?: GatewayFilter): Promise<RefundRow[]> {
  const through = db
    .select({ one: sql`1` })
    .from(invoice)
    .where(and(eq(invoice.invoice_id, refund.invoice_id), ofGateway(invoice.gateway, which)))
  return db
    .select()
    .from(refund)
    .where(and(eq(refund.state, 'asked'), lt(refund.updatedAt, before), which && exists(through)))
    .orderBy(asc(refund.updatedAt))
    .limit(limit)
}

export async function findInvoice(db: Reader, invoice_id: number): Promise<InvoiceRow | null> {
  const [row] = await db.select().from(invoice).where(eq(invoice.invoice_id, invoice_id))
  return row ?? null
}

/** Centavos of refunds in progress, by charge of a purchase. */
export async function sumRequestedRefunds(tx: Tx, purchase_id: number): Promise<Map<number, number>> {
  const rows = await tx
    .select({ invoice_id: refund.invoice_id, sum: sql<number>`sum(${refund.amount_centavos})::int` })
    .from(refund)
    .where(and(eq(refund.purchase_id, purchase_id), eq(refund.state, 'asked')))
    .groupBy(refund.invoice_id)
  return new Map(rows.map(({ invoice_id, sum }) => [invoice_id, sum]))
}

/** Centavos that were refunded through the processor, and of refunds through it in progress, by charge. */
export async function sumThroughProcessor(
  tx: Tx,
  invoice_ids: readonly number[],
): Promise<Map<number, { done: number; requested: number }>> {
  if (invoice_ids.length === 0) return new Map()
  const rows = await tx
    .select({
      invoice_id: refund.invoice_id,
      done: sql<number>`coalesce(sum(${refund.amount_centavos}) filter (where ${refund.state} = 'done'), 0)::int`,
      requested: sql<number>`coalesce(sum(${refund.amount_centavos}) filter (where ${refund.state} = 'asked'), 0)::int`,
    })
    .from(refund)
    .where(and(inArray(refund.invoice_id, [...invoice_ids]), eq(refund.by_hand, false)))
    .groupBy(refund.invoice_id)
  return new Map(rows.map(({ invoice_id, ...sums }) => [invoice_id, sums]))
}

/**
 * Finalizes a refund behind its purchase's lock. It becomes `done` only when the charge shows the money of every done refund and of this
 * one; until then it stays open, so that the same money cannot be refunded twice.
 */
export async function finalizeRefund(
  tx: Tx,
  row: RefundRow,
  to: { state: 'done' } | { state: 'refused'; error: string },
  now: Date,
): Promise<RefundRow> {
  await lockPurchase(tx, row.purchase_id)
  const current = await findRefund(tx, row.refund_id)
  if (current?.state !== 'asked') return current ?? row
  if (to.state === 'done') {
    const charge = await findInvoice(tx, row.invoice_id)
    const [before] = await tx
      .select({ sum: sql<number>`coalesce(sum(${refund.amount_centavos}), 0)::int` })
      .from(refund)
      .where(and(eq(refund.invoice_id, row.invoice_id), eq(refund.state, 'done')))
    if ((charge?.refunded_centavos ?? 0) < (before?.sum ?? 0) + row.amount_centavos) return touchRefund(tx, row.refund_id, now)
  }
  const [finalized] = await tx
    .update(refund)
    .set({ ...to, ...(to.state === 'done' ? { doneAt: now } : {}), updatedAt: now })
    .where(eq(refund.refund_id, row.refund_id))
    .returning()
  await bookRefunds(tx, row.invoice_id, now)
  return finalized ?? current
}

/** Error text of a refund that was done and failed later. */
const CAME_BACK = 'The processor could not deliver it.'

/**
 * Reverses refunds of a charge of which only `back` centavos remain refunded: refuses refunds through the processor until the sum fits,
 * first one of exactly the missing amount, otherwise the newest. Returns their ids; empty when the refunds were not made here.
 */
export async function revokeRefunds(tx: Tx, invoice_id: number, back: number, now: Date): Promise<number[]> {
  const rows = await tx
    .select()
    .from(refund)
    .where(and(eq(refund.invoice_id, invoice_id), eq(refund.state, 'done')))
    .orderBy(desc(refund.refund_id))
  const through = rows.filter((row) => !row.by_hand)
  let excess = rows.reduce((sum, row) => sum + row.amount_centavos, 0) - back
  const removedIds: number[] = []
  for (const row of [...through.filter((refund) => refund.amount_centavos === excess).slice(0, 1), ...through]) {
    if (excess <= 0) break
    if (removedIds.includes(row.refund_id)) continue
    removedIds.push(row.refund_id)
    excess -= row.amount_centavos
  }
  if (removedIds.length > 0)
    await tx
      .update(refund)
      .set({ state: 'refused', error: CAME_BACK, returnedAt: now, updatedAt: now })
      .where(inArray(refund.refund_id, removedIds))
  return removedIds
}

/** Charges of money that bought nothing and was not refunded yet (V13). */
export async function listRefundsDue(db: Reader, limit: number, which?: GatewayFilter): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoice)
    .where(
      and(
        sql`${invoice.period} like 'late%'`,
        inArray(invoice.status, ['paid', 'partially_refunded']),
        ofGateway(invoice.gateway, which),
        // A charge whose refund staff have to make by hand is not tried again.
        notExists(
          db
            .select({ one: sql`1` })
            .from(moneyDiscrepancy)
            .where(
              and(
                eq(moneyDiscrepancy.kind, 'refund_failed'),
                eq(moneyDiscrepancy.gateway, invoice.gateway),
                eq(moneyDiscrepancy.about, invoice.provider_payment),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(invoice.invoice_id))
    .limit(limit)
}

/** Updates the timestamp of a refund, so that the next run takes others first. */
export async function touchRefund(tx: Tx, refund_id: number, now: Date): Promise<RefundRow> {
  const [row] = await tx.update(refund).set({ updatedAt: now }).where(eq(refund.refund_id, refund_id)).returning()
  if (!row) throw new Error(`There is no refund ${refund_id}.`)
  return row
}

const givenByHand = prepared('sales.byHand', (on: Tx) =>
  on
    .select({ payment: invoice.provider_payment, sum: sql<number>`sum(${refund.amount_centavos})::int` })
    .from(refund)
    .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
    .where(and(eq(refund.purchase_id, sql.placeholder('purchase_id')), refund.by_hand, sql`${refund.state} <> 'refused'`))
    .groupBy(invoice.provider_payment),
)

/** Centavos refunded outside of the processor, by the processor's payment id. */
export async function sumByHand(tx: Tx, purchase_id: number): Promise<Map<string, number>> {
  const rows = await givenByHand(tx).execute({ purchase_id })
  return new Map(rows.map(({ payment, sum }) => [payment, sum]))
}
