/** Queries of sales at the counter; the only writes to them. */
import { and, asc, count, desc, eq, exists, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { location, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { sale, saleItem, salePayment } from '#server/modules/sales/counter-tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import type { Locations } from './purchase-filter-store.ts'
import type { InvoiceRow, PurchaseRow } from './store.ts'

export type SaleRow = typeof sale.$inferSelect
export type SaleItemRow = typeof saleItem.$inferSelect
export type SalePaymentRow = typeof salePayment.$inferSelect

export async function insertSale(tx: Tx, values: typeof sale.$inferInsert): Promise<SaleRow> {
  return singleRow(await tx.insert(sale).values(values).returning())
}

export async function findSale(db: Reader, sale_id: number): Promise<SaleRow | null> {
  const [row] = await db.select().from(sale).where(eq(sale.sale_id, sale_id))
  return row ?? null
}

export async function updateSaleNote(tx: Tx, sale_id: number, note: string | null): Promise<void> {
  await tx.update(sale).set({ note }).where(eq(sale.sale_id, sale_id))
}

export async function insertSaleItem(tx: Tx, values: typeof saleItem.$inferInsert): Promise<SaleItemRow> {
  return singleRow(await tx.insert(saleItem).values(values).returning())
}

export async function findSaleItem(db: Reader, sale_line_id: number): Promise<SaleItemRow | null> {
  const [row] = await db.select().from(saleItem).where(eq(saleItem.sale_line_id, sale_line_id))
  return row ?? null
}

/** Counts pieces of a product item as returned, at most those sold; null when it has not that many left. */
export async function restockItem(
  tx: Tx,
  sale_line_id: number,
  pieces: number,
): Promise<{ product_id: number; location_id: number } | null> {
  const [row] = await tx
    .update(saleItem)
    .set({ restocked: sql`${saleItem.restocked} + ${pieces}` })
    .where(
      and(
        eq(saleItem.sale_line_id, sale_line_id),
        sql`${saleItem.product_id} is not null`,
        sql`${saleItem.restocked} + ${pieces} <= ${saleItem.quantity}`,
      ),
    )
    .returning({ product_id: saleItem.product_id, sale_id: saleItem.sale_id })
  if (!row || row.product_id === null) return null
  const { location_id } = singleRow(await tx.select({ location_id: sale.location_id }).from(sale).where(eq(sale.sale_id, row.sale_id)))
  return { product_id: row.product_id, location_id }
}

/** The items of a sale with their purchases, in their order. */
export function listItemsOfSale(db: Reader, sale_id: number) {
  return db
    .select({
      kind: saleItem.kind,
      title: saleItem.title,
      quantity: saleItem.quantity,
      total_centavos: saleItem.total_centavos,
      purchase_id: purchase.purchase_id,
    })
    .from(saleItem)
    .innerJoin(purchase, eq(purchase.sale_line_id, saleItem.sale_line_id))
    .where(eq(saleItem.sale_id, sale_id))
    .orderBy(asc(saleItem.n))
}

async function lastPaymentNumber(tx: Tx, sale_id: number): Promise<number> {
  const [row] = await tx
    .select({ n: sql<number>`coalesce(max(${salePayment.n}), 0)::int` })
    .from(salePayment)
    .where(eq(salePayment.sale_id, sale_id))
  return row?.n ?? 0
}

/** The payments that an order holds, in their order, locked. */
export function lockCounterParts(tx: Tx, sale_id: number): Promise<SalePaymentRow[]> {
  return tx
    .select()
    .from(salePayment)
    .where(and(eq(salePayment.sale_id, sale_id), eq(salePayment.state, 'held')))
    .orderBy(asc(salePayment.n))
    .for('update')
}

/** What was paid of an order at the counter before its processor is or was charged, in centavos. */
export async function sumBeforeProcessor(db: Reader, sale_id: number): Promise<number> {
  const rows = await listBeforeProcessor(db, sale_id)
  return rows.reduce((sum, { payment }) => sum + payment.amount_centavos, 0)
}

/** Those payments with the names of their methods. */
export function listBeforeProcessor(db: Reader, sale_id: number) {
  return db
    .select({ payment: salePayment, method: sql<string>`coalesce(${paymentMethod.name}, 'Tarjeta de regalo')` })
    .from(salePayment)
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, salePayment.payment_method_id))
    .where(
      and(
        eq(salePayment.sale_id, sale_id),
        sql`${salePayment.gateway} is null`,
        sql`${salePayment.n} < coalesce((select y.n from sale_payment y where y.sale_id = ${sale_id} and y.gateway is not null), 1000)`,
      ),
    )
    .orderBy(asc(salePayment.n))
}

/** Records what a processor charged for an order as a payment of it, and makes the order a sale of that moment. */
export async function finishSale(
  tx: Tx,
  sale_id: number,
  by: { gateway: string; provider_payment: string; amount: number; card: { brand: string | null; last4: string | null }; at: Date },
): Promise<void> {
  const row = singleRow(await tx.update(sale).set({ is_waiting: false, createdAt: by.at }).where(eq(sale.sale_id, sale_id)).returning())
  const { sale_payment_id } = await insertSalePayment(tx, {
    sale_id,
    n: (await lastPaymentNumber(tx, sale_id)) + 1,
    gateway: by.gateway,
    amount_centavos: by.amount,
    state: 'received',
    staff_id: row.staff_id,
    createdAt: by.at,
    card_brand: by.card.brand,
    last_digits: /^\d{4}$/.test(by.card.last4 ?? '') ? by.card.last4 : null,
  })
  const items = tx.select({ purchase_id: purchase.purchase_id }).from(purchase).where(eq(purchase.sale_id, sale_id))
  await tx
    .update(invoice)
    .set({ sale_payment_id })
    .where(and(eq(invoice.gateway, by.gateway), eq(invoice.provider_payment, by.provider_payment), inArray(invoice.purchase_id, items)))
}

export async function insertSalePayment(tx: Tx, values: typeof salePayment.$inferInsert): Promise<SalePaymentRow> {
  return singleRow(await tx.insert(salePayment).values(values).returning())
}

export async function updateSalePayment(tx: Tx, sale_payment_id: number, set: Partial<SalePaymentRow>): Promise<void> {
  await tx.update(salePayment).set(set).where(eq(salePayment.sale_payment_id, sale_payment_id))
}

/** The condition on a sale: made at one of the locations, or partly paid at one of them (E14). */
const saleAt = (locations: Locations): SQL | undefined =>
  locations === null
    ? undefined
    : sql`(${sale.location_id} = any(${integerArray(locations)}) or exists (select 1 from purchase q join invoice i using (purchase_id)
        where q.sale_id = ${sale.sale_id} and i.location_id = any(${integerArray(locations)})))`

/** A sale that belongs to the given locations; null for another one and for one that does not exist. */
export async function findSaleAt(db: Reader, sale_id: number, locations: Locations): Promise<SaleRow | null> {
  const [row] = await db
    .select()
    .from(sale)
    .where(and(eq(sale.sale_id, sale_id), eq(sale.is_waiting, false), saleAt(locations)))
  return row ?? null
}

/** Reads and locks the sale payment that a charge is a part of. */
export async function lockPaymentOfInvoice(tx: Tx, invoice_id: number): Promise<SalePaymentRow | null> {
  const [row] = await tx
    .select({ payment: salePayment })
    .from(salePayment)
    .innerJoin(invoice, eq(invoice.sale_payment_id, salePayment.sale_payment_id))
    .where(eq(invoice.invoice_id, invoice_id))
    .for('update', { of: salePayment })
  return row?.payment ?? null
}

/** The file with the proof of the transfer that a charge is part of. */
export async function findProof(db: Reader, invoice_id: number): Promise<number | null> {
  const [row] = await db
    .select({ file_id: salePayment.proof_file_id })
    .from(salePayment)
    .innerJoin(invoice, eq(invoice.sale_payment_id, salePayment.sale_payment_id))
    .where(eq(invoice.invoice_id, invoice_id))
  return row?.file_id ?? null
}

/** The sale that a charge belongs to. */
export async function findSaleOfInvoice(db: Reader, invoice_id: number): Promise<SaleRow | null> {
  const [row] = await db
    .select({ sale })
    .from(sale)
    .innerJoin(salePayment, eq(salePayment.sale_id, sale.sale_id))
    .innerJoin(invoice, eq(invoice.sale_payment_id, salePayment.sale_payment_id))
    .where(eq(invoice.invoice_id, invoice_id))
  return row?.sale ?? null
}

/** A purchase of a sale with what was charged for it, received or still to be confirmed, in centavos. */
export interface ChargedPurchase {
  purchase: PurchaseRow
  tax_rate: number
  tax_exempt: boolean
  /** Whether a gift card was sold. */
  isGiftCard: boolean
  charged: number
  tax: number
}

/** Reads and locks the purchases of a sale, in the order of its items. */
export async function lockSalePurchases(tx: Tx, sale_id: number): Promise<ChargedPurchase[]> {
  const rows = await tx
    .select({
      purchase,
      tax_rate: saleItem.tax_rate,
      tax_exempt: saleItem.tax_exempt,
      isGiftCard: sql<boolean>`${saleItem.kind} = 'gift_card'`,
    })
    .from(purchase)
    .innerJoin(saleItem, eq(saleItem.sale_line_id, purchase.sale_line_id))
    .where(eq(purchase.sale_id, sale_id))
    .orderBy(asc(purchase.purchase_id))
    .for('update', { of: purchase })
  const sums = await tx
    .select({
      purchase_id: invoice.purchase_id,
      charged: sql<number>`sum(${invoice.total_centavos})::int`,
      tax: sql<number>`sum(${invoice.tax_centavos})::int`,
    })
    .from(invoice)
    .where(
      and(
        inArray(
          invoice.purchase_id,
          rows.map((row) => row.purchase.purchase_id),
        ),
        sql`${invoice.status} <> 'void'`,
      ),
    )
    .groupBy(invoice.purchase_id)
  return rows.map((row) => {
    const known = sums.find((purchase) => purchase.purchase_id === row.purchase.purchase_id)
    return { ...row, charged: known?.charged ?? 0, tax: known?.tax ?? 0 }
  })
}

/** What was charged for a purchase, received or still to be confirmed, in centavos. */
export async function sumCharged(tx: Tx, purchase_id: number): Promise<number> {
  const [row] = await tx
    .select({ sum: sql<number>`coalesce(sum(${invoice.total_centavos}), 0)::int` })
    .from(invoice)
    .where(and(eq(invoice.purchase_id, purchase_id), sql`${invoice.status} <> 'void'`))
  return row?.sum ?? 0
}

/** What went back of the charges of a sale, in centavos. */
export async function sumRefundedOfSale(db: Reader, sale_id: number): Promise<number> {
  const [row] = await db
    .select({ sum: sql<number>`coalesce(sum(${invoice.refunded_centavos}), 0)::int` })
    .from(invoice)
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .where(eq(purchase.sale_id, sale_id))
  return row?.sum ?? 0
}

/** Inserts a part of a sale payment as a charge of one purchase. `paidAt` null: a transfer that is not confirmed yet. */
export async function insertPart(tx: Tx, values: typeof invoice.$inferInsert): Promise<void> {
  await tx.insert(invoice).values(values)
}

/** Reads and locks the charges over which a sale payment was spread. */
export function lockParts(tx: Tx, sale_payment_id: number): Promise<InvoiceRow[]> {
  return tx.select().from(invoice).where(eq(invoice.sale_payment_id, sale_payment_id)).orderBy(asc(invoice.invoice_id)).for('update')
}

export async function updatePart(tx: Tx, invoice_id: number, set: Partial<InvoiceRow>): Promise<void> {
  await tx.update(invoice).set(set).where(eq(invoice.invoice_id, invoice_id))
}

const owedOfSale = sql<number>`(select coalesce(sum(greatest(0, p.total_centavos - p.waived_centavos - coalesce((select sum(i.total_centavos) from invoice i
  where i.purchase_id = p.purchase_id and i.status <> 'void'), 0))), 0)::int from purchase p
  where p.sale_id = ${sale.sale_id} and p.status in ('completed', 'active'))`
/** Sales that were made with an amount owed, or whose transfer never arrived: the only ones that can owe anything. */
const canOwe = sql`${sale.sale_id} in (select sale_id from sale where owed_centavos > 0 union select sale_id from sale_payment where state = 'void')`

export interface SaleFilter {
  /** The locations that the reader may see; null or missing = all. */
  locations?: Locations | undefined
  sale_ids?: number[] | undefined
  customer_id?: number | undefined
  location_id?: number | undefined
  staff_id?: number | undefined
  state?: 'owed' | 'pending' | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Sales with customer, staff, location and what is still owed, latest first, and their count. */
export async function listSaleViews(db: Reader, filter: SaleFilter, page: { number: number; size: number }) {
  const pendingOnes = db
    .select({ one: sql`1` })
    .from(salePayment)
    .where(and(eq(salePayment.sale_id, sale.sale_id), eq(salePayment.state, 'pending')))
  const where: SQL | undefined = and(
    eq(sale.is_waiting, false),
    saleAt(filter.locations ?? null),
    filter.sale_ids === undefined ? undefined : inArray(sale.sale_id, filter.sale_ids),
    filter.customer_id === undefined ? undefined : eq(sale.customer_id, filter.customer_id),
    filter.location_id === undefined ? undefined : eq(sale.location_id, filter.location_id),
    filter.staff_id === undefined ? undefined : eq(sale.staff_id, filter.staff_id),
    filter.from === undefined ? undefined : gte(sale.createdAt, filter.from),
    filter.until === undefined ? undefined : lt(sale.createdAt, filter.until),
    filter.state === 'owed' ? and(canOwe, sql`${owedOfSale} > 0`) : filter.state === 'pending' ? exists(pendingOnes) : undefined,
  )
  const rows = await db
    .select({
      sale,
      owed: owedOfSale,
      location: location.name,
      staff: staff.name,
      customer: { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name, email: customer.email },
      isAnonymous: customer.is_anonymous,
    })
    .from(sale)
    .innerJoin(location, eq(location.location_id, sale.location_id))
    .innerJoin(staff, eq(staff.staff_id, sale.staff_id))
    .innerJoin(customer, eq(customer.customer_id, sale.customer_id))
    .where(where)
    .orderBy(desc(sale.createdAt), desc(sale.sale_id))
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const [found] = await db.select({ total: count() }).from(sale).where(where)
  return { rows, total: found?.total ?? 0 }
}

/** The items of the given sales with their purchases and credits. */
export function listSaleItems(db: Reader, sale_ids: number[]) {
  return db
    .select({
      item: saleItem,
      purchase_id: purchase.purchase_id,
      class_amount: purchase.class_amount,
      class_package_id: purchase.class_package_id,
      owner: { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name },
      expires_at:
        sql<Date | null>`(select max(${availableClass.expires_at}) from ${availableClass} where ${availableClass.purchase_id} = ${purchase.purchase_id})`.mapWith(
          availableClass.expires_at,
        ),
    })
    .from(saleItem)
    .innerJoin(purchase, eq(purchase.sale_line_id, saleItem.sale_line_id))
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .where(inArray(saleItem.sale_id, sale_ids))
    .orderBy(asc(saleItem.sale_id), asc(saleItem.n))
}

/** The payments of the given sales with their payment methods and charges. */
export function listSalePayments(db: Reader, sale_ids: number[]) {
  return db
    .select({
      payment: salePayment,
      method: sql<string>`coalesce(${paymentMethod.name}, case when ${salePayment.gateway} is null then 'Tarjeta de regalo' else 'Pago en línea' end)`,
      staff: staff.name,
      invoice_ids: sql<
        number[]
      >`(select coalesce(array_agg(${invoice.invoice_id} order by ${invoice.invoice_id}), '{}') from ${invoice} where ${invoice.sale_payment_id} = ${salePayment.sale_payment_id})`,
    })
    .from(salePayment)
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, salePayment.payment_method_id))
    .innerJoin(staff, eq(staff.staff_id, salePayment.staff_id))
    .where(inArray(salePayment.sale_id, sale_ids))
    .orderBy(asc(salePayment.sale_id), asc(salePayment.n))
}
