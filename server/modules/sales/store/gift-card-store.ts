/** Queries of gift cards and their movements; the only writes to them. */
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { findMatchingCustomers } from '#server/modules/people/people.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { refund } from '#server/modules/sales/aftersales-tables.ts'
import { sale, salePayment } from '#server/modules/sales/counter-tables.ts'
import { giftCard, giftCardMovement, giftCardOrder, MONEY_REASONS } from '#server/modules/sales/gift-card-tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { readsTable } from '#server/platform/reads-table.ts'
import { searchPatterns } from '#server/platform/search.ts'
import { byCustomerName, type Locations } from './purchase-filter-store.ts'

export type GiftCardRow = typeof giftCard.$inferSelect
type MovementRow = typeof giftCardMovement.$inferSelect

export async function insertGiftCard(tx: Tx, values: typeof giftCard.$inferInsert): Promise<GiftCardRow> {
  return singleRow(await tx.insert(giftCard).values(values).returning())
}

/** Reads and locks cards in the order of their ids. */
export function lockGiftCards(tx: Tx, ids: readonly number[]): Promise<GiftCardRow[]> {
  return tx
    .select()
    .from(giftCard)
    .where(inArray(giftCard.gift_card_id, [...ids]))
    .orderBy(asc(giftCard.gift_card_id))
    .for('no key update')
}

/** The balance of a card in centavos, and the number of its last movement. Behind the card's lock it cannot change. */
export async function lastMovement(db: Reader, gift_card_id: number): Promise<{ n: number; balance: number }> {
  const [row] = await db
    .select({ n: giftCardMovement.n, balance: giftCardMovement.balance_centavos })
    .from(giftCardMovement)
    .where(eq(giftCardMovement.gift_card_id, gift_card_id))
    .orderBy(desc(giftCardMovement.n))
    .limit(1)
  return row ?? { n: 0, balance: 0 }
}

export async function insertGiftCardMovement(tx: Tx, values: typeof giftCardMovement.$inferInsert): Promise<void> {
  await tx.insert(giftCardMovement).values(values)
}

/** The centavos that a refund moved in a kind of movement; null when it has none. */
export async function findRefundMovement(tx: Tx, refund_id: number, kind: MovementRow['kind']): Promise<number | null> {
  const [row] = await tx
    .select({ amount: giftCardMovement.amount_centavos })
    .from(giftCardMovement)
    .where(and(eq(giftCardMovement.refund_id, refund_id), eq(giftCardMovement.kind, kind)))
  return row?.amount ?? null
}

/** A charge that paid for its purchase: a late one bought nothing (V13). */
const isOnTime = sql`${invoice.period} not like 'late%'`

/**
 * Refunds and disputes of the money that a card was sold for, in centavos: `refunded` includes refunds in progress; whether a bank disputes
 * a charge or took all that was left, and the part that it took otherwise (`lost`); and what was deducted from its balance because of
 * either.
 */
export async function moneyBehindCard(
  tx: Tx,
  { gift_card_id, purchase_id }: GiftCardRow,
): Promise<{ refunded: number; lost: number; isDisputed: boolean; takenByRefunds: number; takenByDispute: number }> {
  const [[back], [charges], [spent]] = await Promise.all([
    tx
      .select({ refunded: sql<number>`coalesce(sum(${refund.amount_centavos}), 0)::int` })
      .from(refund)
      .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
      .where(and(eq(refund.purchase_id, purchase_id), inArray(refund.state, ['asked', 'done']), isOnTime)),
    tx
      .select({
        isDisputed: sql<boolean>`coalesce(bool_or(${invoice.status} = 'disputed' or ${invoice.open_dispute_centavos} > 0
          or ${invoice.status} = 'lost' and ${invoice.refunded_centavos} + ${invoice.disputed_centavos} >= ${invoice.total_centavos}), false)`,
        lost: sql<number>`coalesce(sum(${invoice.disputed_centavos}) filter (where ${invoice.status} = 'lost'), 0)::int`,
      })
      .from(invoice)
      .where(and(eq(invoice.purchase_id, purchase_id), isOnTime)),
    tx
      .select({
        takenByRefunds: sql<number>`-coalesce(sum(${giftCardMovement.amount_centavos}) filter (where ${giftCardMovement.kind} in ('refunded', 'adjusted')
          and (${giftCardMovement.refund_id} is not null or ${giftCardMovement.reason} = ${MONEY_REASONS.outside})), 0)::int`,
        takenByDispute: sql<number>`-coalesce(sum(${giftCardMovement.amount_centavos}) filter (where ${inArray(giftCardMovement.reason, [MONEY_REASONS.disputed, MONEY_REASONS.disputeOver])}), 0)::int`,
      })
      .from(giftCardMovement)
      .where(eq(giftCardMovement.gift_card_id, gift_card_id)),
  ])
  return {
    refunded: back?.refunded ?? 0,
    lost: charges?.lost ?? 0,
    isDisputed: charges?.isDisputed ?? false,
    takenByRefunds: spent?.takenByRefunds ?? 0,
    takenByDispute: spent?.takenByDispute ?? 0,
  }
}

/** The card that paid a charge; null when it was paid otherwise. */
export async function findCardOfCharge(db: Reader, invoice_id: number): Promise<number | null> {
  const [row] = await db
    .select({ gift_card_id: sql<number | null>`coalesce(${salePayment.gift_card_id}, ${purchase.gift_card_id})` })
    .from(invoice)
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .leftJoin(salePayment, eq(salePayment.sale_payment_id, invoice.sale_payment_id))
    .where(and(eq(invoice.invoice_id, invoice_id), eq(invoice.gateway, 'regalo')))
  return row?.gift_card_id ?? null
}

export async function findCard(db: Reader, gift_card_id: number): Promise<GiftCardRow | null> {
  const [row] = await db.select().from(giftCard).where(eq(giftCard.gift_card_id, gift_card_id))
  return row ?? null
}

/** The card with a code, by the hash of the code. */
export async function findCardByHash(db: Reader, code_hash: string): Promise<GiftCardRow | null> {
  const [row] = await db.select().from(giftCard).where(eq(giftCard.code_hash, code_hash))
  return row ?? null
}

/** What purchases and orders that wait for their payment hold of a card, in centavos (I12, S15). */
export async function listHolds(
  db: Reader,
  gift_card_id: number,
): Promise<{ customer_id: number; class_package_id: number | null; amount: number }[]> {
  const orders = await db
    .select({ customer_id: sale.customer_id, class_package_id: sql<null>`null`, amount: salePayment.amount_centavos })
    .from(salePayment)
    .innerJoin(sale, eq(sale.sale_id, salePayment.sale_id))
    .where(and(eq(salePayment.gift_card_id, gift_card_id), eq(salePayment.state, 'held')))
  const purchases = await db
    .select({
      customer_id: purchase.customer_id,
      class_package_id: purchase.class_package_id,
      amount: purchase.gift_card_centavos,
    })
    .from(purchase)
    .where(and(eq(purchase.gift_card_id, gift_card_id), eq(purchase.status, 'pending')))
    .orderBy(desc(purchase.purchase_id))
  return [...purchases, ...orders]
}

/** The card that was sold as a purchase. */
export async function findCardOfPurchase(db: Reader, purchase_id: number): Promise<GiftCardRow | null> {
  const [row] = await db.select().from(giftCard).where(eq(giftCard.purchase_id, purchase_id))
  return row ?? null
}

/** The column has its table's name: in a select from one table drizzle writes none, and it would be the movement's. */
const balance = sql<number>`coalesce((select m.balance_centavos from gift_card_movement m where m.gift_card_id = "gift_card"."gift_card_id"
  order by m.n desc limit 1), 0)`

export interface GiftCardFilter {
  gift_card_id?: number | undefined
  code_hash?: string | undefined
  /** The locations whose cards are read; null = all. */
  locations: Locations
  query?: string | undefined
  state?: 'live' | 'spent' | undefined
}

/** The last four characters of a code, or words of the buyer. */
async function matchesGiftCard(db: Reader, query: string): Promise<SQL> {
  const isOfCustomer = await findMatchingCustomers(db, searchPatterns(query))
  // With any other length it cannot be the end of a code, and the condition on the customer alone is fast.
  if (query.trim().length !== 4) return isOfCustomer(purchase.customer_id)
  return sql`(${isOfCustomer(purchase.customer_id)} or lower(${giftCard.last_four}) = ${query.trim().toLowerCase()})`
}

type GiftCardSort = 'created' | '-created' | 'amount' | '-amount' | 'balance' | '-balance' | 'name' | '-name'

const ORDERS = { created: [], amount: [giftCard.amount_centavos], balance: [balance], name: byCustomerName }

/**
 * Cards with their buyer and balance, newest first unless `sort` says otherwise; their count, and the sum of their balances in centavos.
 */
export async function listGiftCards(
  db: Reader,
  filter: GiftCardFilter,
  page: { number: number; size: number },
  sort: GiftCardSort = '-created',
) {
  const where: SQL | undefined = and(
    filter.gift_card_id === undefined ? undefined : eq(giftCard.gift_card_id, filter.gift_card_id),
    filter.code_hash === undefined ? undefined : eq(giftCard.code_hash, filter.code_hash),
    filter.locations === null ? undefined : inArray(purchase.location_id, [...filter.locations]),
    filter.query ? await matchesGiftCard(db, filter.query) : undefined,
    filter.state === undefined
      ? undefined
      : sql`${giftCard.gift_card_id} ${filter.state === 'live' ? sql`` : sql`not`} in (select m.gift_card_id from gift_card_movement m
          group by 1 having sum(m.amount_centavos) > 0)`,
  )
  const amount = (of: SQLWrapper) => sql<number>`coalesce(sum(${of}), 0)::float8`
  const order = orderBy(sort, ORDERS, giftCard.gift_card_id)
  // The page is chosen before names and orders are read.
  const ids = db.select({ id: giftCard.gift_card_id }).from(giftCard).$dynamic()
  if (readsTable(where, purchase) || readsTable(order, customer)) ids.innerJoin(purchase, eq(purchase.purchase_id, giftCard.purchase_id))
  if (readsTable(order, customer)) ids.innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
  const found = await ids
    .where(where)
    .orderBy(...order)
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const listed = db
    .select({
      card: giftCard,
      balance,
      customer: { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name },
      isAnonymous: customer.is_anonymous,
      order: {
        name: giftCardOrder.recipient_name,
        email: giftCardOrder.recipient_email,
        on: giftCardOrder.deliver_on,
        sentAt: giftCardOrder.sentAt,
        purchase_id: giftCardOrder.purchase_id,
      },
    })
    .from(giftCard)
    .innerJoin(purchase, eq(purchase.purchase_id, giftCard.purchase_id))
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .leftJoin(giftCardOrder, eq(giftCardOrder.purchase_id, giftCard.purchase_id))
    .where(
      inArray(
        giftCard.gift_card_id,
        found.map(({ id }) => id),
      ),
    )
    .orderBy(...order)
  const counted = db.select({ total: count() }).from(giftCard).$dynamic()
  // The amounts of a card's movements add up to its balance.
  const balances = db
    .select({ amount: amount(giftCardMovement.amount_centavos) })
    .from(giftCard)
    .innerJoin(giftCardMovement, eq(giftCardMovement.gift_card_id, giftCard.gift_card_id))
    .$dynamic()
  const holding = alias(purchase, 'holding')
  const holds = db
    .select({ amount: amount(holding.gift_card_centavos) })
    .from(giftCard)
    .innerJoin(holding, and(eq(holding.gift_card_id, giftCard.gift_card_id), eq(holding.status, 'pending')))
    .$dynamic()
  const orders = db
    .select({ amount: amount(salePayment.amount_centavos) })
    .from(giftCard)
    .innerJoin(salePayment, and(eq(salePayment.gift_card_id, giftCard.gift_card_id), eq(salePayment.state, 'held')))
    .$dynamic()
  if (readsTable(where, purchase))
    for (const sums of [counted, balances, holds, orders]) sums.innerJoin(purchase, eq(purchase.purchase_id, giftCard.purchase_id))
  const [rows, [all], ...amounts] = await Promise.all([
    found.length ? listed : [],
    counted.where(where),
    balances.where(where),
    holds.where(where),
    orders.where(where),
  ])
  // What a purchase or an order that waits for its payment holds is still owed.
  return { rows, total: all?.total ?? 0, liability: amounts.reduce((sum, [row]) => sum + (row?.amount ?? 0), 0) }
}

/** The movements of a card, newest first. */
export function listGiftCardMovements(db: Reader, gift_card_id: number) {
  return db
    .select({ movement: giftCardMovement, staff: staff.name })
    .from(giftCardMovement)
    .leftJoin(staff, eq(staff.staff_id, giftCardMovement.staff_id))
    .where(eq(giftCardMovement.gift_card_id, gift_card_id))
    .orderBy(desc(giftCardMovement.n))
}

export type GiftCardOrderRow = typeof giftCardOrder.$inferSelect

export async function insertGiftCardOrder(tx: Tx, values: typeof giftCardOrder.$inferInsert): Promise<void> {
  await tx.insert(giftCardOrder).values(values)
}

/** What was ordered with a purchase on the site; null for every other purchase. */
export async function findGiftCardOrder(db: Reader, purchase_id: number): Promise<GiftCardOrderRow | null> {
  const [row] = await db.select().from(giftCardOrder).where(eq(giftCardOrder.purchase_id, purchase_id))
  return row ?? null
}

/** Changes the recipient's email of a card; false when its order has no recipient. */
export async function updateRecipientEmail(tx: Tx, purchase_id: number, email: string): Promise<boolean> {
  const rows = await tx
    .update(giftCardOrder)
    .set({ recipient_email: email })
    .where(and(eq(giftCardOrder.purchase_id, purchase_id), isNotNull(giftCardOrder.recipient_name)))
    .returning({ purchase_id: giftCardOrder.purchase_id })
  return rows.length === 1
}

export async function markGiftCardSent(tx: Tx, purchase_id: number, now: Date): Promise<void> {
  await tx.update(giftCardOrder).set({ sentAt: now }).where(eq(giftCardOrder.purchase_id, purchase_id))
}

/** Paid gift cards whose code is to be mailed on or before a day and was not yet. */
export async function listGiftCardsToSend(db: Reader, day: string, limit: number): Promise<number[]> {
  const rows = await db
    .select({ purchase_id: giftCardOrder.purchase_id })
    .from(giftCardOrder)
    .innerJoin(giftCard, eq(giftCard.purchase_id, giftCardOrder.purchase_id))
    .where(and(isNull(giftCardOrder.sentAt), lte(giftCardOrder.deliver_on, day)))
    .orderBy(asc(giftCardOrder.purchase_id))
    .limit(limit)
  return rows.map((row) => row.purchase_id)
}

/** The cards that were sold with sales, by their purchases. */
export function listCardsOfPurchases(db: Reader, purchase_ids: readonly number[]): Promise<GiftCardRow[]> {
  return db
    .select()
    .from(giftCard)
    .where(inArray(giftCard.purchase_id, [...purchase_ids]))
}
