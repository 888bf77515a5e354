/** Queries of plan changes; the only writes to them. */
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { classPackage } from '#server/modules/catalogue/tables.ts'
import { planChange } from '#server/modules/sales/plan-change-tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import type { InvoiceRow } from './store.ts'

export type PlanChangeRow = typeof planChange.$inferSelect

const scheduled = and(isNull(planChange.replaced_by), isNull(planChange.cancelledAt))

export async function insertPlanChange(tx: Tx, values: typeof planChange.$inferInsert): Promise<PlanChangeRow> {
  const [row] = await tx.insert(planChange).values(values).returning()
  if (!row) throw new Error('A plan change was not written.')
  return row
}

export async function updatePlanChange(tx: Tx, plan_change_id: number, set: Partial<typeof planChange.$inferInsert>): Promise<void> {
  await tx.update(planChange).set(set).where(eq(planChange.plan_change_id, plan_change_id))
}

export async function findPlanChange(db: Reader, plan_change_id: number): Promise<PlanChangeRow | null> {
  const [row] = await db.select().from(planChange).where(eq(planChange.plan_change_id, plan_change_id))
  return row ?? null
}

/** The change that waits for the end of a purchase's paid period. */
export async function findScheduledChange(db: Reader, purchase_id: number): Promise<PlanChangeRow | null> {
  const [row] = await db
    .select()
    .from(planChange)
    .where(and(eq(planChange.purchase_id, purchase_id), scheduled))
  return row ?? null
}

/** The change that a purchase of a new plan concludes once it is paid. */
export async function findChangeTo(db: Reader, replaced_by: number): Promise<PlanChangeRow | null> {
  const [row] = await db.select().from(planChange).where(eq(planChange.replaced_by, replaced_by))
  return row ?? null
}

/** The purchase of a new plan that is not paid yet; null when none waits. */
export async function findWaitingReplacement(db: Reader, purchase_id: number): Promise<number | null> {
  const [row] = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(planChange)
    .innerJoin(purchase, eq(purchase.purchase_id, planChange.replaced_by))
    .where(and(eq(planChange.purchase_id, purchase_id), eq(purchase.status, 'pending')))
    .limit(1)
  return row?.purchase_id ?? null
}

/** A change with the title of its new plan and the status of the purchase of that plan. */
export type LatestChange = PlanChangeRow & { title: string; status: string | null }

/** The newest change of a purchase that was not called off: scheduled, waiting for its payment, concluded, or not paid. */
export async function findLatestChange(db: Reader, purchase_id: number): Promise<LatestChange | null> {
  const [row] = await db
    .select({ change: planChange, status: purchase.status, title: classPackage.title })
    .from(planChange)
    .innerJoin(classPackage, eq(classPackage.class_package_id, planChange.class_package_id))
    .leftJoin(purchase, eq(purchase.purchase_id, planChange.replaced_by))
    .where(and(eq(planChange.purchase_id, purchase_id), isNull(planChange.cancelledAt)))
    .orderBy(desc(planChange.plan_change_id))
    .limit(1)
  return row ? { ...row.change, status: row.status, title: row.title } : null
}

/** Scheduled changes whose old plan has ended or cannot continue, with the processor of the old plan. */
export function listDueChanges(db: Reader, now: Date, limit: number): Promise<{ plan_change_id: number; gateway: string }[]> {
  return db
    .select({ plan_change_id: planChange.plan_change_id, gateway: purchase.gateway })
    .from(planChange)
    .innerJoin(purchase, eq(purchase.purchase_id, planChange.purchase_id))
    .where(and(scheduled, or(lte(purchase.benefits_until, now), eq(purchase.status, 'revoked'))))
    .orderBy(asc(planChange.plan_change_id))
    .limit(limit)
}

/** Charges of the periods that began at or after a plan was to end, when it was replaced: not refunded yet. */
export async function listChargesAfterChange(db: Reader, purchase_id: number): Promise<InvoiceRow[]> {
  return db
    .selectDistinct(getTableColumns(invoice))
    .from(invoice)
    .innerJoin(planChange, and(eq(planChange.purchase_id, invoice.purchase_id), eq(planChange.starts, 'now'), isNotNull(planChange.doneAt)))
    .where(
      and(
        eq(invoice.purchase_id, purchase_id),
        inArray(invoice.status, ['paid', 'partially_refunded']),
        sql`case when ${invoice.period} ~ '^[0-9]{4}-' then ${invoice.period}::timestamptz >= ${planChange.period_end} else false end`,
      ),
    )
}
