/** Queries of discrepancies between our books and a processor's, and of what reconciliation compares. */
import { and, asc, desc, eq, exists, getTableColumns, gte, inArray, isNull, notExists, or, type SQL, sql } from 'drizzle-orm'
import { availableClass } from '#server/modules/credits/tables.ts'
import { moneyDiscrepancy } from '#server/modules/sales/aftersales-tables.ts'
import { TRIAL } from '#server/modules/sales/rules.ts'
import { invoice, paymentAttempt, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { type Locations, purchaseAt } from './purchase-filter-store.ts'
import { tookMoney } from './store.ts'

export type DiscrepancyRow = typeof moneyDiscrepancy.$inferSelect
export type Discrepancy = Pick<DiscrepancyRow, 'kind' | 'gateway' | 'about' | 'purchase_id' | 'details'>

/**
 * SQL: centavos owed to customers for the charges `i` that the condition selects: refunds that did not arrive (V37) and money not refunded
 * yet (V45). What was refunded in another way since, and what staff closed, is subtracted.
 */
export const sqlOwed = (charges: SQL) => sql<number>`(
  select coalesce(sum(greatest(0, (d.details->>'our_refund')::int - i.refunded_centavos)), 0)::int
  from money_difference d join invoice i on i.purchase_id = d.purchase_id and i.gateway = d.gateway and i.provider_payment = d.about
  where d.kind in ('refund_failed', 'refund_due') and d."closedAt" is null and ${charges})`

/** An open discrepancy with the charge that it is about. Null when it is closed or concerns no charge. */
export async function findOwed(db: Reader, money_difference_id: number) {
  const [row] = await db
    .select({ kind: moneyDiscrepancy.kind, invoice, purchase, owed: sqlOwed(sql`d.money_difference_id = ${money_difference_id}`) })
    .from(moneyDiscrepancy)
    .innerJoin(
      invoice,
      and(
        eq(invoice.purchase_id, moneyDiscrepancy.purchase_id),
        eq(invoice.gateway, moneyDiscrepancy.gateway),
        eq(invoice.provider_payment, moneyDiscrepancy.about),
      ),
    )
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .where(and(eq(moneyDiscrepancy.money_difference_id, money_difference_id), isNull(moneyDiscrepancy.closedAt)))
  return row ?? null
}

/** The periods of a purchase whose credits were granted. */
export async function grantedPeriods(db: Reader, purchase_id: number): Promise<Set<string>> {
  const rows = await db.select({ period: availableClass.period }).from(availableClass).where(eq(availableClass.purchase_id, purchase_id))
  return new Set(rows.map(({ period }) => period ?? ''))
}

/** Charges recorded since an instant, with the references to look up at their processor. */
export async function listCharges(db: Reader, gateway: string, from: Date) {
  return db
    .select({
      purchase_id: invoice.purchase_id,
      provider_payment: invoice.provider_payment,
      ref_kind: paymentAttempt.ref_kind,
      ref_id: paymentAttempt.ref_id,
    })
    .from(invoice)
    .innerJoin(
      paymentAttempt,
      and(
        eq(paymentAttempt.purchase_id, invoice.purchase_id),
        eq(paymentAttempt.gateway, invoice.gateway),
        inArray(paymentAttempt.state, ['paid', 'trialing', 'past_due', 'ended']),
      ),
    )
    .where(and(eq(invoice.gateway, gateway), gte(invoice.createdAt, from), tookMoney))
    .orderBy(asc(invoice.invoice_id))
}

/** A purchase that so far only gave a trial costs nothing yet, also while its first charge is late or paused. */
const onTrialOnly = (db: Reader) => {
  const creditLots = (of: SQL) =>
    db
      .select({ one: sql`1` })
      .from(availableClass)
      .where(and(eq(availableClass.purchase_id, purchase.purchase_id), of))
  return and(exists(creditLots(sql`${availableClass.period} = ${TRIAL}`)), notExists(creditLots(sql`${availableClass.period} <> ${TRIAL}`)))
}

/**
 * Completed purchases of a gateway since an instant that have no charge. Excludes trials, gifts, and counter sales, whose debt is recorded
 * with the sale.
 */
export async function listUnpaid(db: Reader, gateway: string, from: Date) {
  const charged = db
    .select({ one: sql`1` })
    .from(invoice)
    .where(and(eq(invoice.purchase_id, purchase.purchase_id), sql`${invoice.period} not like 'late%'`))
  const onTrial = db
    .select({ one: sql`1` })
    .from(paymentAttempt)
    .where(and(eq(paymentAttempt.purchase_id, purchase.purchase_id), eq(paymentAttempt.state, 'trialing')))
  return db
    .select({ purchase_id: purchase.purchase_id, total_centavos: purchase.total_centavos, status: purchase.status })
    .from(purchase)
    .where(
      and(
        eq(purchase.gateway, gateway),
        gte(purchase.updatedAt, from),
        inArray(purchase.status, ['completed', 'active']),
        eq(purchase.is_gift, false),
        isNull(purchase.sale_id),
        sql`${purchase.total_centavos} > 0`,
        notExists(charged),
        notExists(onTrial),
        sql`not (${onTrialOnly(db)})`,
      ),
    )
}

/** Reports a discrepancy, once while it is open; the customer is also notified of money owed to them. Returns true when it is new. */
export async function upsertDiscrepancy(tx: Tx, found: Discrepancy, now: Date): Promise<boolean> {
  const [inserted] = await tx
    .insert(moneyDiscrepancy)
    .values({ ...found, foundAt: now })
    .onConflictDoNothing()
    .returning({ id: moneyDiscrepancy.money_difference_id })
  if (inserted && (found.kind === 'refund_failed' || found.kind === 'refund_due'))
    await tx.send({ name: 'sales.refund-owed', data: { money_difference_id: inserted.id } })
  return inserted !== undefined
}

export async function listOpenDiscrepancies(db: Reader, gateway: string): Promise<DiscrepancyRow[]> {
  return db
    .select()
    .from(moneyDiscrepancy)
    .where(and(eq(moneyDiscrepancy.gateway, gateway), isNull(moneyDiscrepancy.closedAt)))
    .orderBy(asc(moneyDiscrepancy.money_difference_id))
}

/** Discrepancies about purchases of some locations, and those that no purchase knows. */
const discrepancyAt = (locations: Locations): SQL | undefined =>
  locations === null ? undefined : or(isNull(moneyDiscrepancy.purchase_id), purchaseAt(locations))

export function listDiscrepancies(db: Reader, limit: number, locations: Locations): Promise<DiscrepancyRow[]> {
  return db
    .select(getTableColumns(moneyDiscrepancy))
    .from(moneyDiscrepancy)
    .leftJoin(purchase, eq(purchase.purchase_id, moneyDiscrepancy.purchase_id))
    .where(discrepancyAt(locations))
    .orderBy(sql`${moneyDiscrepancy.closedAt} is not null`, desc(moneyDiscrepancy.money_difference_id))
    .limit(limit)
}

/** Whether there is such a discrepancy at the given locations. */
export async function hasDiscrepancyAt(db: Reader, money_difference_id: number, locations: Locations): Promise<boolean> {
  const rows = await db
    .select({ id: moneyDiscrepancy.money_difference_id })
    .from(moneyDiscrepancy)
    .leftJoin(purchase, eq(purchase.purchase_id, moneyDiscrepancy.purchase_id))
    .where(and(eq(moneyDiscrepancy.money_difference_id, money_difference_id), discrepancyAt(locations)))
  return rows.length > 0
}

/** The open discrepancy about a charge; null when there is none. */
export async function findOpenDiscrepancy(
  tx: Tx,
  kind: DiscrepancyRow['kind'],
  gateway: string,
  about: string,
): Promise<DiscrepancyRow | null> {
  const [row] = await tx
    .select()
    .from(moneyDiscrepancy)
    .where(
      and(
        eq(moneyDiscrepancy.kind, kind),
        eq(moneyDiscrepancy.gateway, gateway),
        eq(moneyDiscrepancy.about, about),
        isNull(moneyDiscrepancy.closedAt),
      ),
    )
  return row ?? null
}

/** Replaces the details (for example the amount) of an open discrepancy; the customer is notified of the amount at sending time. */
export async function updateDiscrepancy(tx: Tx, money_difference_id: number, details: Discrepancy['details']): Promise<void> {
  await tx.update(moneyDiscrepancy).set({ details }).where(eq(moneyDiscrepancy.money_difference_id, money_difference_id))
  await tx.send({ name: 'sales.refund-owed', data: { money_difference_id } })
}

/** Closes a discrepancy. Null when there is none, or it was closed before. */
export async function closeDiscrepancy(tx: Tx, id: number, by: 'mended' | 'staff', now: Date): Promise<DiscrepancyRow | null> {
  const [row] = await tx
    .update(moneyDiscrepancy)
    .set({ closedAt: now, closed_by: by })
    .where(and(eq(moneyDiscrepancy.money_difference_id, id), isNull(moneyDiscrepancy.closedAt)))
    .returning()
  return row ?? null
}
