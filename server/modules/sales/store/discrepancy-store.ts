/** Queries of the reconciliation. */
import { and, asc, desc, eq, exists, gte, inArray, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import { availableClass } from '#server/modules/credits/tables.ts'
import { TRIAL } from '#server/modules/sales/rules.ts'
import { invoice, moneyDiscrepancy, paymentAttempt, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { tookMoney } from './store.ts'

export type DiscrepancyRow = typeof moneyDiscrepancy.$inferSelect
export type Discrepancy = Pick<DiscrepancyRow, 'kind' | 'gateway' | 'about' | 'purchase_id' | 'details'>

/**
 * What should have gone back and did not arrive (V37), or was not given back yet (V45), in centavos: of the charges `i` that a condition names. What was given back
 * another way meanwhile is owed no more, nor what the owner closed.
 */
export const owedOf = (charges: SQL) => sql<number>`(
  select coalesce(sum(greatest(0, (d.details->>'our_refund')::int - i.refunded_centavos)), 0)::int
  from money_difference d join invoice i on i.purchase_id = d.purchase_id and i.gateway = d.gateway and i.provider_payment = d.about
  where d.kind in ('refund_failed', 'refund_due') and d."closedAt" is null and ${charges})`

/** A difference with the charge that it is about. Null when it is closed, or about no charge. */
export async function findOwed(db: Reader, money_difference_id: number) {
  const [row] = await db
    .select({ kind: moneyDiscrepancy.kind, invoice, purchase, owed: owedOf(sql`d.money_difference_id = ${money_difference_id}`) })
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

/** Periods of a purchase that were given. */
export async function grantedPeriods(db: Reader, purchase_id: number): Promise<Set<string>> {
  const rows = await db.select({ period: availableClass.period }).from(availableClass).where(eq(availableClass.purchase_id, purchase_id))
  return new Set(rows.map(({ period }) => period ?? ''))
}

/** Charges that we wrote down since then, with what to ask their processor about. */
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

/** What only a trial was given of costs nothing yet, also while its first charge is late or paused. */
const onTrialOnly = (db: Reader) => {
  const creditLots = (of: SQL) =>
    db
      .select({ one: sql`1` })
      .from(availableClass)
      .where(and(eq(availableClass.purchase_id, purchase.purchase_id), of))
  return and(exists(creditLots(sql`${availableClass.period} = ${TRIAL}`)), notExists(creditLots(sql`${availableClass.period} <> ${TRIAL}`)))
}

/** Purchases of this gateway that are complete without a charge since then; a trial and a gift have none, and what a sale at the counter owes is in its own books. */
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

/** Reports one, once while it is open; money that is owed is told to its customer too. True when it is news. */
export async function putDiscrepancy(tx: Tx, found: Discrepancy, now: Date): Promise<boolean> {
  const [made] = await tx
    .insert(moneyDiscrepancy)
    .values({ ...found, foundAt: now })
    .onConflictDoNothing()
    .returning({ id: moneyDiscrepancy.money_difference_id })
  if (made && (found.kind === 'refund_failed' || found.kind === 'refund_due'))
    await tx.send({ name: 'sales.refund-owed', data: { money_difference_id: made.id } })
  return made !== undefined
}

export async function listOpenDiscrepancies(db: Reader, gateway: string): Promise<DiscrepancyRow[]> {
  return db
    .select()
    .from(moneyDiscrepancy)
    .where(and(eq(moneyDiscrepancy.gateway, gateway), isNull(moneyDiscrepancy.closedAt)))
    .orderBy(asc(moneyDiscrepancy.money_difference_id))
}

export async function listDiscrepancies(db: Reader, limit: number): Promise<DiscrepancyRow[]> {
  return db
    .select()
    .from(moneyDiscrepancy)
    .orderBy(sql`${moneyDiscrepancy.closedAt} is not null`, desc(moneyDiscrepancy.money_difference_id))
    .limit(limit)
}

/** The open one about a charge. */
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

/** Another amount of the same open one; its customer is told of what it is then. */
export async function updateDiscrepancy(tx: Tx, money_difference_id: number, details: Discrepancy['details']): Promise<void> {
  await tx.update(moneyDiscrepancy).set({ details }).where(eq(moneyDiscrepancy.money_difference_id, money_difference_id))
  await tx.send({ name: 'sales.refund-owed', data: { money_difference_id } })
}

/** Null when there is none, or it was closed before. */
export async function closeDiscrepancy(tx: Tx, id: number, by: 'mended' | 'staff', now: Date): Promise<DiscrepancyRow | null> {
  const [row] = await tx
    .update(moneyDiscrepancy)
    .set({ closedAt: now, closed_by: by })
    .where(and(eq(moneyDiscrepancy.money_difference_id, id), isNull(moneyDiscrepancy.closedAt)))
    .returning()
  return row ?? null
}
