/** Queries of free trials: which customers had one, and with which card. */
import { and, eq, gte, isNotNull, ne, sql } from 'drizzle-orm'
import { paymentAttempt, purchase, trialCard } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

/** A physical card, identified by its processor's fingerprint. */
export interface Plastic {
  gateway: string
  fingerprint: string
}

/** Whether a customer had a free trial, also one that was cancelled or revoked. */
export async function hadTrial(db: Reader, customer_id: number): Promise<boolean> {
  const [row] = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), isNotNull(purchase.free_trial_length), isNotNull(purchase.completedAt)))
    .limit(1)
  return row !== undefined
}

/** A customer's pending purchases of other packages that include a free trial. */
export async function listWaitingTrials(db: Reader, customer_id: number, class_package_id: number): Promise<number[]> {
  const rows = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, customer_id),
        ne(purchase.class_package_id, class_package_id),
        eq(purchase.status, 'pending'),
        isNotNull(purchase.free_trial_length),
      ),
    )
  return rows.map((row) => row.purchase_id)
}

/** SQL: a purchase whose trial began, or another customer's whose trial may begin at any moment. */
const holds = (customer_id: number) =>
  sql`exists (select 1 from ${purchase} p where p.purchase_id = trial_card.purchase_id and (p."completedAt" is not null or (p.status = 'pending' and p.customer_id <> ${customer_id})))`

/** Whether a free trial began with this card for any customer, or is about to for another customer. */
export async function isPlasticUsed(db: Reader, { gateway, fingerprint }: Plastic, customer_id: number): Promise<boolean> {
  const [row] = await db
    .select({ purchase_id: trialCard.purchase_id })
    .from(trialCard)
    .where(and(eq(trialCard.gateway, gateway), eq(trialCard.fingerprint, fingerprint), holds(customer_id)))
  return row !== undefined
}

/** Whether a free trial of a customer was refused since an instant because of its card, after the processor had confirmed the card. */
export async function wasTrialRefused(db: Reader, customer_id: number, since: Date): Promise<boolean> {
  const [row] = await db
    .select({ payment_id: paymentAttempt.payment_id })
    .from(paymentAttempt)
    .innerJoin(purchase, eq(purchase.purchase_id, paymentAttempt.purchase_id))
    .where(and(eq(purchase.customer_id, customer_id), eq(paymentAttempt.error_code, 'TRIAL_USED'), gte(paymentAttempt.updatedAt, since)))
    .limit(1)
  return row !== undefined
}

/** Records the card of a trial that is about to begin; false when another trial already uses it. */
export async function claimPlastic(
  tx: Tx,
  plastic: Plastic,
  of: { purchase_id: number; customer_id: number; now: Date },
): Promise<boolean> {
  const claimed = await tx
    .insert(trialCard)
    .values({ ...plastic, purchase_id: of.purchase_id, createdAt: of.now })
    .onConflictDoUpdate({
      target: [trialCard.gateway, trialCard.fingerprint],
      set: { purchase_id: of.purchase_id, createdAt: of.now },
      setWhere: sql`not ${holds(of.customer_id)}`,
    })
    .returning({ purchase_id: trialCard.purchase_id })
  return claimed.length === 1
}

/** How often a customer bought a package, including refunded and revoked purchases. */
export async function countBought(db: Reader, customer_id: number, class_package_id: number): Promise<number> {
  const rows = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), eq(purchase.class_package_id, class_package_id), isNotNull(purchase.completedAt)))
  return rows.length
}
