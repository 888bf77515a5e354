import { type AnyColumn, and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Ref } from '#server/adapters/payments/port.ts'
import { invoice, paymentAttempt, purchase, purchaseVisit } from '#server/modules/sales/tables.ts'
import { prepared, type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { preparedWrite } from '#server/platform/prepared-writes.ts'

export type PurchaseRow = typeof purchase.$inferSelect
export type AttemptRow = typeof paymentAttempt.$inferSelect
export type InvoiceRow = typeof invoice.$inferSelect

const OPEN = ['created', 'waiting', 'processing', 'unknown'] as const

const byVisit = prepared('sales.byVisit', (on: Tx) =>
  on
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, sql.placeholder('customer_id')),
        or(
          eq(purchase.idempotency_key, sql.placeholder('key')),
          sql`${purchase.purchase_id} = (select v.purchase_id from purchase_visit v where v.customer_id = ${sql.placeholder('customer_id')} and v.idempotency_key = ${sql.placeholder('key')})`,
        ),
      ),
    )
    .for('update'),
)

/** The purchase that a checkout visit opened or was joined to. */
export async function findByVisit(tx: Tx, customer_id: number, key: string): Promise<PurchaseRow | null> {
  const [row] = await byVisit(tx).execute({ customer_id, key })
  return row ?? null
}

const openOne = prepared('sales.open', (on: Tx) =>
  on
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, sql.placeholder('customer_id')),
        eq(purchase.class_package_id, sql.placeholder('class_package_id')),
        // Written out literally: the partial index has this condition.
        sql`${purchase.status} = 'pending'`,
      ),
    )
    .orderBy(asc(purchase.purchase_id))
    .limit(1)
    .for('update'),
)

/**
 * A customer's open purchase of a package: waiting for its money or for its outcome. At most one, except for purchases older than that rule
 * (V5).
 */
export async function findOpen(tx: Tx, customer_id: number, class_package_id: number): Promise<PurchaseRow | null> {
  const [row] = await openOne(tx).execute({ customer_id, class_package_id })
  return row ?? null
}

/** A customer's pending purchases of a package that were opened at the checkout, and those in orders of several items. */
export async function listOpen(db: Reader, customer_id: number, class_package_id: number): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, customer_id),
        eq(purchase.class_package_id, class_package_id),
        sql`${purchase.status} = 'pending' and (${purchase.is_exclusive} or ${purchase.sale_id} is not null)`,
      ),
    )
}

const together = (purchase_id: number): SQL =>
  sql`(${purchase.purchase_id} = ${purchase_id} or ${purchase.sale_id} = (select o.sale_id from purchase o where o.purchase_id = ${purchase_id}))`

/** Reads and locks a purchase with the others of its sale, in the order of their ids; only itself when it is of no sale. */
export function lockTogether(tx: Tx, purchase_id: number): Promise<PurchaseRow[]> {
  return tx.select().from(purchase).where(together(purchase_id)).orderBy(asc(purchase.purchase_id)).for('update')
}

/** The pending purchases that are paid together with this one. */
export async function listPendingTogether(db: Reader, purchase_id: number): Promise<number[]> {
  const rows = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(and(together(purchase_id), eq(purchase.status, 'pending')))
  return rows.map((row) => row.purchase_id)
}

/** Updates a pending purchase and the pending ones that are paid together with it; returns the named one. */
export async function updateTogether(tx: Tx, purchase_id: number, set: Partial<typeof purchase.$inferInsert>): Promise<PurchaseRow> {
  const rows = await tx
    .update(purchase)
    .set(set)
    .where(and(together(purchase_id), eq(purchase.status, 'pending')))
    .returning()
  const row = rows.find((row) => row.purchase_id === purchase_id)
  if (!row) throw new Error(`The purchase ${purchase_id} is not pending.`)
  return row
}

/** Joins a checkout visit to a purchase that another visit opened: its key then returns that purchase. */
export async function joinVisit(tx: Tx, visit: typeof purchaseVisit.$inferInsert): Promise<void> {
  await tx.insert(purchaseVisit).values(visit)
}

/** Releases the visits of a failed or expired purchase, so that each may start another one. */
export async function releaseVisits(tx: Tx, purchase_id: number): Promise<void> {
  await tx.delete(purchaseVisit).where(eq(purchaseVisit.purchase_id, purchase_id))
  await tx.update(purchase).set({ idempotency_key: null }).where(eq(purchase.purchase_id, purchase_id))
}

const byId = (on: Reader) =>
  on
    .select()
    .from(purchase)
    .where(eq(purchase.purchase_id, sql.placeholder('purchase_id')))
const lockedPurchase = prepared('sales.lockPurchase', (on: Tx) => byId(on).for('update'))
const onePurchase = prepared('sales.purchase', byId)

export async function lockPurchase(tx: Tx, purchase_id: number): Promise<PurchaseRow | null> {
  const [row] = await lockedPurchase(tx).execute({ purchase_id })
  return row ?? null
}

export async function findPurchase(db: Reader, purchase_id: number): Promise<PurchaseRow | null> {
  const [row] = await onePurchase(db).execute({ purchase_id })
  return row ?? null
}

/**
 * A customer's own purchase, by its id or by the id of one of its payments (S1-2.23). Null for another customer's, as for an unknown id.
 */
export async function findOwn(db: Reader, customer_id: number, id: number): Promise<PurchaseRow | null> {
  const paid = db.select({ purchase_id: paymentAttempt.purchase_id }).from(paymentAttempt).where(eq(paymentAttempt.payment_id, id))
  const [row] = await db
    .select()
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), or(eq(purchase.purchase_id, id), inArray(purchase.purchase_id, paid))))
  return row ?? null
}

const live = prepared('sales.live', (on: Tx) =>
  on
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, sql.placeholder('customer_id')),
        eq(purchase.class_package_id, sql.placeholder('class_package_id')),
        // Written out literally: the partial index has this condition.
        sql`${purchase.status} in ('pending', 'active', 'completed')`,
      ),
    )
    .orderBy(asc(purchase.purchase_id)),
)

/** A customer's live purchases of a package: those that count against stock and limits. */
export function listLive(tx: Tx, customer_id: number, class_package_id: number): Promise<PurchaseRow[]> {
  return live(tx).execute({ customer_id, class_package_id })
}

/** Whether a customer has paid for a package. */
export async function hasPaid(db: Reader, customer_id: number, class_package_id: number): Promise<boolean> {
  const [row] = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, customer_id),
        eq(purchase.class_package_id, class_package_id),
        inArray(purchase.status, ['active', 'completed']),
      ),
    )
    .limit(1)
  return row !== undefined
}

const insertedPurchase = preparedWrite('sales.insertPurchase', purchase, (tx, row: typeof purchase.$inferInsert) =>
  tx.insert(purchase).values(row).returning(),
)

export async function insertPurchase(tx: Tx, values: typeof purchase.$inferInsert): Promise<PurchaseRow> {
  return singleRow(await insertedPurchase(tx, values))
}

const updatedPurchase = preparedWrite('sales.updatePurchase', purchase, (tx, set: Partial<typeof purchase.$inferInsert>) =>
  tx
    .update(purchase)
    .set(set)
    .where(sql`${purchase.purchase_id} = ${sql.placeholder('of_id')}`)
    .returning(),
)

export async function updatePurchase(tx: Tx, purchase_id: number, set: Partial<typeof purchase.$inferInsert>): Promise<PurchaseRow> {
  const [row] = await updatedPurchase(tx, set, { of_id: purchase_id })
  if (!row) throw new Error(`There is no purchase ${purchase_id}.`)
  return row
}

/** Marks a pending purchase as checked now; false when it was checked less than `everyMs` ago (V8). */
export async function claimCheck(tx: Tx, purchase_id: number, now: Date, everyMs: number): Promise<boolean> {
  const claimed = await tx
    .update(purchase)
    .set({ checkedAt: now })
    .where(
      and(
        eq(purchase.purchase_id, purchase_id),
        eq(purchase.status, 'pending'),
        or(isNull(purchase.checkedAt), lte(purchase.checkedAt, new Date(now.getTime() - everyMs))),
      ),
    )
    .returning({ purchase_id: purchase.purchase_id })
  return claimed.length === 1
}

const insertedAttempt = prepared('sales.insertAttempt', (on: Tx) =>
  on
    .insert(paymentAttempt)
    .values({
      purchase_id: sql.placeholder('purchase_id'),
      n: sql.placeholder('n'),
      gateway: sql.placeholder('gateway'),
      ref_kind: sql.placeholder('ref_kind'),
      state: sql.placeholder('state'),
      instrument: sql`${sql.placeholder('instrument')}::jsonb`,
      sale_id: sql.placeholder('sale_id'),
      part_centavos: sql.placeholder('part_centavos'),
      createdAt: sql`${sql.placeholder('now')}`,
      updatedAt: sql`${sql.placeholder('now')}`,
    })
    .returning(),
)

/** Inserts the next attempt of a purchase. */
export async function insertAttempt(
  tx: Tx,
  attempt: Pick<AttemptRow, 'purchase_id' | 'n' | 'gateway' | 'ref_kind' | 'state' | 'instrument'> &
    Partial<Pick<AttemptRow, 'sale_id' | 'part_centavos'>> & { now: Date },
): Promise<AttemptRow> {
  const { sale_id = null, part_centavos = null } = attempt
  return singleRow(
    await insertedAttempt(tx).execute({
      ...attempt,
      sale_id,
      part_centavos,
      instrument: JSON.stringify(attempt.instrument),
      now: attempt.now.toISOString(),
    }),
  )
}

const updatedAttempt = preparedWrite('sales.updateAttempt', paymentAttempt, (tx, set: Partial<typeof paymentAttempt.$inferInsert>) =>
  tx
    .update(paymentAttempt)
    .set(set)
    .where(sql`${paymentAttempt.payment_id} = ${sql.placeholder('of_id')}`)
    .returning(),
)

export async function updateAttempt(tx: Tx, payment_id: number, set: Partial<typeof paymentAttempt.$inferInsert>): Promise<AttemptRow> {
  const [row] = await updatedAttempt(tx, set, { of_id: payment_id })
  if (!row) throw new Error(`There is no payment ${payment_id}.`)
  return row
}

const attempts = prepared('sales.attempts', (on: Reader) =>
  on
    .select()
    .from(paymentAttempt)
    .where(
      sql`${paymentAttempt.purchase_id} = ${sql.placeholder('purchase_id')}
        or ${paymentAttempt.sale_id} = (select p.sale_id from purchase p where p.purchase_id = ${sql.placeholder('purchase_id')})`,
    )
    .orderBy(desc(paymentAttempt.n)),
)

/** Attempts of a purchase, newest first: its own, and those that pay the whole order that it is an item of. */
export function listAttempts(db: Reader, purchase_id: number): Promise<AttemptRow[]> {
  return attempts(db).execute({ purchase_id })
}

/** A customer's own attempt by the processor's id. Null for another customer's, as for an unknown id. */
export async function findOwnAttempt(db: Reader, customer_id: number, ref_id: string): Promise<AttemptRow | null> {
  const [row] = await db
    .select({ attempt: paymentAttempt })
    .from(paymentAttempt)
    .innerJoin(purchase, eq(purchase.purchase_id, paymentAttempt.purchase_id))
    .where(
      and(eq(purchase.customer_id, customer_id), eq(paymentAttempt.ref_id, ref_id), sql`${paymentAttempt.instrument}->>'by' = 'wallet'`),
    )
  return row?.attempt ?? null
}

export async function findAttempt(db: Reader, payment_id: number): Promise<AttemptRow | null> {
  const [row] = await db.select().from(paymentAttempt).where(eq(paymentAttempt.payment_id, payment_id))
  return row ?? null
}

const attemptByRef = prepared('sales.attemptByRef', (on: Reader) =>
  on
    .select()
    .from(paymentAttempt)
    .where(
      and(
        eq(paymentAttempt.gateway, sql.placeholder('gateway')),
        eq(paymentAttempt.ref_kind, sql.placeholder('kind')),
        eq(paymentAttempt.ref_id, sql.placeholder('id')),
      ),
    ),
)

const attemptWithHold = prepared('sales.attemptWithHold', (on: Reader) =>
  on
    .select({ attempt: paymentAttempt, status: purchase.status, hold_until: purchase.hold_until })
    .from(paymentAttempt)
    .innerJoin(purchase, eq(purchase.purchase_id, paymentAttempt.purchase_id))
    .where(
      and(
        eq(paymentAttempt.gateway, sql.placeholder('gateway')),
        eq(paymentAttempt.ref_kind, sql.placeholder('kind')),
        eq(paymentAttempt.ref_id, sql.placeholder('id')),
      ),
    ),
)

/** The attempt of a processor's object by its reference, and until when its purchase waits. */
export async function findAttemptWithHold(
  db: Reader,
  { gateway, kind, id }: Ref,
): Promise<{ attempt: AttemptRow; status: PurchaseRow['status']; hold_until: Date | null } | null> {
  const [row] = await attemptWithHold(db).execute({ gateway, kind, id })
  return row ?? null
}

/** The attempt of a processor's object: by its reference, or by the purchase id in its metadata when the reference was never received. */
export async function findAttemptOf(db: Reader, ref: Ref, purchase_id: number | undefined): Promise<AttemptRow | null> {
  const [byRef] = await attemptByRef(db).execute({ gateway: ref.gateway, kind: ref.kind, id: ref.id })
  if (byRef || purchase_id === undefined) return byRef ?? null
  const [nameless] = await db
    .select()
    .from(paymentAttempt)
    .where(and(eq(paymentAttempt.purchase_id, purchase_id), eq(paymentAttempt.gateway, ref.gateway), isNull(paymentAttempt.ref_id)))
    .orderBy(desc(paymentAttempt.n))
    .limit(1)
  return nameless ?? null
}

/** SQL: the charge took money; excludes transfers that are not confirmed yet and transfers that never arrived. */
export const tookMoney = sql`${invoice.status} not in ('pending', 'void')`

const charges = prepared('sales.charges', (on: Reader) =>
  on
    .select()
    .from(invoice)
    .where(and(eq(invoice.purchase_id, sql.placeholder('purchase_id')), tookMoney))
    .orderBy(asc(invoice.invoice_id)),
)

/** The charges of a purchase that took money. */
export function listInvoices(db: Reader, purchase_id: number): Promise<InvoiceRow[]> {
  return charges(db).execute({ purchase_id })
}

/** The charges into which a processor's payment was divided: one, or one for each item of the order that it paid. */
export function listShares(db: Reader, gateway: string, provider_payment: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoice)
    .where(and(eq(invoice.gateway, gateway), eq(invoice.provider_payment, provider_payment)))
    .orderBy(asc(invoice.invoice_id))
}

/** Restricts a list to one processor, to all but some, or (undefined) not at all. */
export type GatewayFilter = { only: string } | { except: readonly string[] } | undefined

export function ofGateway(column: AnyColumn, which: GatewayFilter): SQL | undefined {
  return which && ('only' in which ? eq(column, which.only) : notInArray(column, [...which.except]))
}

/** Pending purchases whose hold has expired. */
export async function listOverdue(db: Reader, now: Date, limit: number, which?: GatewayFilter): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(purchase)
    .where(and(eq(purchase.status, 'pending'), lt(purchase.hold_until, now), ofGateway(purchase.gateway, which)))
    .orderBy(asc(purchase.hold_until))
    .limit(limit)
}

/** Open attempts without an update since `before`. */
export async function listQuiet(db: Reader, before: Date, limit: number, which?: GatewayFilter): Promise<AttemptRow[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(and(inArray(paymentAttempt.state, [...OPEN]), lt(paymentAttempt.updatedAt, before), ofGateway(paymentAttempt.gateway, which)))
    .orderBy(asc(paymentAttempt.updatedAt))
    .limit(limit)
}

/** Live subscriptions whose paid period has ended, to be read at their processor (V16). */
export async function listRenewing(db: Reader, now: Date, limit: number, which?: GatewayFilter): Promise<AttemptRow[]> {
  const rows = await db
    .select({ attempt: paymentAttempt })
    .from(purchase)
    .innerJoin(paymentAttempt, and(eq(paymentAttempt.purchase_id, purchase.purchase_id), isNotNull(paymentAttempt.ref_id)))
    .where(
      and(
        eq(purchase.status, 'active'),
        lt(purchase.benefits_until, now),
        inArray(paymentAttempt.state, ['paid', 'trialing', 'past_due']),
        ofGateway(paymentAttempt.gateway, which),
      ),
    )
    .orderBy(asc(purchase.checkedAt))
    .limit(limit)
  return rows.map(({ attempt }) => attempt)
}
