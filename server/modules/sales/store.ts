import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Ref } from '#server/adapters/payments/port.ts'
import { customer } from '#server/modules/people/tables.ts'
import { only, type Reader, type Tx } from '#server/platform/db.ts'
import type { InvoiceFact } from './rules.ts'
import { invoice, paymentAttempt, paymentSource, providerCustomer, providerEvent, purchase } from './tables.ts'

export type PurchaseRow = typeof purchase.$inferSelect
export type AttemptRow = typeof paymentAttempt.$inferSelect
export type InvoiceRow = typeof invoice.$inferSelect
export type SourceRow = typeof paymentSource.$inferSelect
export type EventRow = typeof providerEvent.$inferSelect

/** Purchases that count against stock and limits. */
const LIVE = ['pending', 'active', 'completed'] as const
const OPEN = ['created', 'waiting', 'processing', 'unknown'] as const

const buyerColumns = {
  customer_id: customer.customer_id,
  name: customer.name,
  last_name: customer.last_name,
  email: customer.email,
  phone: customer.phone,
  deletedAt: customer.deletedAt,
}

/** One customer buys one thing at a time: the first lock of every purchase. Foreign keys of others are not held up by it. */
export async function lockBuyer(tx: Tx, customer_id: number) {
  const [row] = await tx.select(buyerColumns).from(customer).where(eq(customer.customer_id, customer_id)).for('no key update')
  return row ?? null
}

export async function findBuyer(db: Reader, customer_id: number) {
  const [row] = await db.select(buyerColumns).from(customer).where(eq(customer.customer_id, customer_id))
  if (!row) throw new Error(`There is no customer ${customer_id}.`)
  return row
}

/** The purchase of a checkout visit; without a key, one that still waits for the same thing. */
export async function findByVisit(tx: Tx, customer_id: number, key: string | null, hash: string): Promise<PurchaseRow | null> {
  const visit = key
    ? eq(purchase.idempotency_key, key)
    : and(isNull(purchase.idempotency_key), eq(purchase.request_hash, hash), eq(purchase.status, 'pending'))
  const [row] = await tx
    .select()
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), visit))
    .orderBy(desc(purchase.purchase_id))
    .limit(1)
    .for('update')
  return row ?? null
}

export async function lockPurchase(tx: Tx, purchase_id: number): Promise<PurchaseRow | null> {
  const [row] = await tx.select().from(purchase).where(eq(purchase.purchase_id, purchase_id)).for('update')
  return row ?? null
}

export async function findPurchase(db: Reader, purchase_id: number): Promise<PurchaseRow | null> {
  const [row] = await db.select().from(purchase).where(eq(purchase.purchase_id, purchase_id))
  return row ?? null
}

/** A customer's own purchase, by its id or by the id of one of its payments (S1-2.23). Another's is null, as one that never was. */
export async function findOwn(db: Reader, customer_id: number, id: number): Promise<PurchaseRow | null> {
  const paid = db.select({ purchase_id: paymentAttempt.purchase_id }).from(paymentAttempt).where(eq(paymentAttempt.payment_id, id))
  const [row] = await db
    .select()
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), or(eq(purchase.purchase_id, id), inArray(purchase.purchase_id, paid))))
  return row ?? null
}

/** A customer's live purchases of a package. */
export async function listLive(tx: Tx, customer_id: number, class_package_id: number): Promise<PurchaseRow[]> {
  return tx
    .select()
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), eq(purchase.class_package_id, class_package_id), inArray(purchase.status, [...LIVE])))
    .orderBy(asc(purchase.purchase_id))
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

export async function insertPurchase(tx: Tx, values: typeof purchase.$inferInsert): Promise<PurchaseRow> {
  return only(await tx.insert(purchase).values(values).returning())
}

export async function updatePurchase(tx: Tx, purchase_id: number, set: Partial<typeof purchase.$inferInsert>): Promise<PurchaseRow> {
  const [row] = await tx.update(purchase).set(set).where(eq(purchase.purchase_id, purchase_id)).returning()
  if (!row) throw new Error(`There is no purchase ${purchase_id}.`)
  return row
}

/** Marks a waiting purchase as looked at; false when somebody looked a moment ago (V8). */
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

/** The next attempt of a purchase. */
export async function insertAttempt(tx: Tx, values: typeof paymentAttempt.$inferInsert): Promise<AttemptRow> {
  return only(await tx.insert(paymentAttempt).values(values).returning())
}

export async function updateAttempt(tx: Tx, payment_id: number, set: Partial<typeof paymentAttempt.$inferInsert>): Promise<AttemptRow> {
  const [row] = await tx.update(paymentAttempt).set(set).where(eq(paymentAttempt.payment_id, payment_id)).returning()
  if (!row) throw new Error(`There is no payment ${payment_id}.`)
  return row
}

/** Attempts of a purchase, newest first. */
export async function listAttempts(db: Reader, purchase_id: number): Promise<AttemptRow[]> {
  return db.select().from(paymentAttempt).where(eq(paymentAttempt.purchase_id, purchase_id)).orderBy(desc(paymentAttempt.n))
}

/** A customer's own attempt by the provider's id of it: another's is null, as one that never was. */
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

/** The attempt of a provider's object: by its reference, or by the purchase in its metadata when we never learnt the reference. */
export async function findAttemptOf(db: Reader, ref: Ref, purchase_id: number | undefined): Promise<AttemptRow | null> {
  const [byRef] = await db
    .select()
    .from(paymentAttempt)
    .where(and(eq(paymentAttempt.gateway, ref.gateway), eq(paymentAttempt.ref_kind, ref.kind), eq(paymentAttempt.ref_id, ref.id)))
  if (byRef || purchase_id === undefined) return byRef ?? null
  const [nameless] = await db
    .select()
    .from(paymentAttempt)
    .where(and(eq(paymentAttempt.purchase_id, purchase_id), eq(paymentAttempt.gateway, ref.gateway), isNull(paymentAttempt.ref_id)))
    .orderBy(desc(paymentAttempt.n))
    .limit(1)
  return nameless ?? null
}

export async function listInvoices(db: Reader, purchase_id: number): Promise<InvoiceRow[]> {
  return db.select().from(invoice).where(eq(invoice.purchase_id, purchase_id)).orderBy(asc(invoice.invoice_id))
}

/**
 * Writes down money that moved, once per provider's payment, behind its purchase's lock; later it only learns what was given back, or came
 * back after all (V37). Answers the charge when more of it went back than was known.
 */
export async function putInvoice(
  tx: Tx,
  sale: Pick<PurchaseRow, 'purchase_id' | 'customer_id'>,
  gateway: string,
  fact: InvoiceFact,
  label: string | null,
  now: Date,
): Promise<{ invoice_id: number; refunded: number; before: number } | null> {
  const status =
    fact.disputed === 'lost'
      ? 'lost'
      : fact.disputed === 'open'
        ? 'disputed'
        : fact.refunded >= fact.amount
          ? 'refunded'
          : fact.refunded > 0
            ? 'partially_refunded'
            : 'paid'
  const [known] = await tx
    .select({ refunded: invoice.refunded_centavos })
    .from(invoice)
    .where(and(eq(invoice.gateway, gateway), eq(invoice.provider_payment, fact.id)))
  const [row] = await tx
    .insert(invoice)
    .values({
      purchase_id: sale.purchase_id,
      customer_id: sale.customer_id,
      gateway,
      provider_payment: fact.id,
      period: fact.period,
      total_centavos: fact.amount,
      refunded_centavos: fact.refunded,
      status,
      label,
      paidAt: fact.at,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: [invoice.gateway, invoice.provider_payment],
      set: {
        refunded_centavos: fact.refunded,
        status,
      },
    })
    .returning({ invoice_id: invoice.invoice_id, refunded: invoice.refunded_centavos })
  const before = known?.refunded ?? 0
  return row && row.refunded > before ? { ...row, before } : null
}

/** Waiting purchases whose hold is over. */
export async function listOverdue(db: Reader, now: Date, limit: number): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(purchase)
    .where(and(eq(purchase.status, 'pending'), lt(purchase.hold_until, now)))
    .orderBy(asc(purchase.hold_until))
    .limit(limit)
}

/** Open attempts that nobody heard of since `before`. */
export async function listQuiet(db: Reader, before: Date, limit: number): Promise<AttemptRow[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(and(inArray(paymentAttempt.state, [...OPEN]), lt(paymentAttempt.updatedAt, before)))
    .orderBy(asc(paymentAttempt.updatedAt))
    .limit(limit)
}

/** Live subscriptions whose paid time is over, so that their provider is asked (V16). */
export async function listRenewing(db: Reader, now: Date, limit: number): Promise<AttemptRow[]> {
  const rows = await db
    .select({ attempt: paymentAttempt })
    .from(purchase)
    .innerJoin(paymentAttempt, and(eq(paymentAttempt.purchase_id, purchase.purchase_id), isNotNull(paymentAttempt.ref_id)))
    .where(
      and(eq(purchase.status, 'active'), lt(purchase.benefits_until, now), inArray(paymentAttempt.state, ['paid', 'trialing', 'past_due'])),
    )
    .orderBy(asc(purchase.checkedAt))
    .limit(limit)
  return rows.map(({ attempt }) => attempt)
}

/** Our customer at a provider. */
export async function findProviderCustomer(db: Reader, gateway: string, customer_id: number): Promise<string | null> {
  const [row] = await db
    .select({ id: providerCustomer.provider_id })
    .from(providerCustomer)
    .where(and(eq(providerCustomer.gateway, gateway), eq(providerCustomer.customer_id, customer_id)))
  return row?.id ?? null
}

export async function putProviderCustomer(tx: Tx, gateway: string, customer_id: number, provider_id: string): Promise<void> {
  await tx.insert(providerCustomer).values({ gateway, customer_id, provider_id }).onConflictDoNothing()
}

export async function listSources(db: Reader, customer_id: number): Promise<SourceRow[]> {
  return db
    .select()
    .from(paymentSource)
    .where(and(eq(paymentSource.customer_id, customer_id), isNull(paymentSource.deletedAt)))
    .orderBy(desc(paymentSource.payment_source_id))
}

/** One of a customer's own cards. */
export async function findSource(db: Reader, customer_id: number, payment_source_id: number): Promise<SourceRow | null> {
  const [row] = await db
    .select()
    .from(paymentSource)
    .where(
      and(
        eq(paymentSource.customer_id, customer_id),
        eq(paymentSource.payment_source_id, payment_source_id),
        isNull(paymentSource.deletedAt),
      ),
    )
  return row ?? null
}

/**
 * Keeps a card. The same plastic again renews its row instead of making a second one; `replaced` is then the processor's older card. Null
 * when the processor's card is somebody else's or was removed.
 */
export async function putSource(
  tx: Tx,
  values: typeof paymentSource.$inferInsert,
): Promise<{ source: SourceRow; replaced: string | null } | null> {
  const { customer_id, gateway, provider_card, fingerprint } = values
  const mine = and(eq(paymentSource.customer_id, customer_id), eq(paymentSource.gateway, gateway), isNull(paymentSource.deletedAt))
  if (fingerprint) {
    const same = and(mine, eq(paymentSource.fingerprint, fingerprint))
    const [before] = await tx.select().from(paymentSource).where(same).for('update')
    if (before) {
      const [source] = await tx
        .update(paymentSource)
        .set({ provider_card, exp: values.exp, last_digits: values.last_digits })
        .where(same)
        .returning()
      return source ? { source, replaced: before.provider_card === provider_card ? null : before.provider_card } : null
    }
  }
  const [made] = await tx.insert(paymentSource).values(values).onConflictDoNothing().returning()
  const source =
    made ??
    (
      await tx
        .select()
        .from(paymentSource)
        .where(and(mine, eq(paymentSource.provider_card, provider_card)))
    )[0]
  return source ? { source, replaced: null } : null
}

export async function removeSource(tx: Tx, payment_source_id: number, now: Date): Promise<void> {
  await tx.update(paymentSource).set({ deletedAt: now }).where(eq(paymentSource.payment_source_id, payment_source_id))
}

/** Whether a live subscription charges this card. */
export async function chargesCard(db: Reader, payment_source_id: number): Promise<boolean> {
  const [row] = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(
      and(
        eq(purchase.payment_source_id, payment_source_id),
        eq(purchase.is_subscription, true),
        inArray(purchase.status, ['pending', 'active']),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** Stores a notice; null when it was here before. */
export async function insertEvent(tx: Tx, values: typeof providerEvent.$inferInsert): Promise<number | null> {
  const [row] = await tx.insert(providerEvent).values(values).onConflictDoNothing().returning({ id: providerEvent.provider_event_id })
  return row?.id ?? null
}

export async function findEvent(db: Reader, provider_event_id: number): Promise<EventRow | null> {
  const [row] = await db.select().from(providerEvent).where(eq(providerEvent.provider_event_id, provider_event_id))
  return row ?? null
}

export async function updateEvent(tx: Tx, provider_event_id: number, set: Partial<typeof providerEvent.$inferInsert>): Promise<void> {
  await tx.update(providerEvent).set(set).where(eq(providerEvent.provider_event_id, provider_event_id))
}

export async function listUndoneEvents(db: Reader, limit: number): Promise<EventRow[]> {
  return db.select().from(providerEvent).where(isNull(providerEvent.doneAt)).orderBy(asc(providerEvent.provider_event_id)).limit(limit)
}
