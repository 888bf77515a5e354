/** Queries of sales at the counter; the only writes to them. */
import { and, asc, count, desc, eq, exists, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { location, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { sale, saleItem, salePayment } from '#server/modules/sales/counter-tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import { only, type Reader, type Tx } from '#server/platform/db.ts'
import type { InvoiceRow, PurchaseRow } from './store.ts'

export type SaleRow = typeof sale.$inferSelect
export type SaleItemRow = typeof saleItem.$inferSelect
export type SalePaymentRow = typeof salePayment.$inferSelect

export async function insertSale(tx: Tx, values: typeof sale.$inferInsert): Promise<SaleRow> {
  return only(await tx.insert(sale).values(values).returning())
}

export async function insertSaleItem(tx: Tx, values: typeof saleItem.$inferInsert): Promise<SaleItemRow> {
  return only(await tx.insert(saleItem).values(values).returning())
}

export async function insertSalePayment(tx: Tx, values: typeof salePayment.$inferInsert): Promise<SalePaymentRow> {
  return only(await tx.insert(salePayment).values(values).returning())
}

export async function updateSalePayment(tx: Tx, sale_payment_id: number, set: Partial<SalePaymentRow>): Promise<void> {
  await tx.update(salePayment).set(set).where(eq(salePayment.sale_payment_id, sale_payment_id))
}

export async function findSale(db: Reader, sale_id: number): Promise<SaleRow | null> {
  const [row] = await db.select().from(sale).where(eq(sale.sale_id, sale_id))
  return row ?? null
}

/** The payment of a sale that a charge is a part of, behind its lock. */
export async function lockPaymentOfInvoice(tx: Tx, invoice_id: number): Promise<SalePaymentRow | null> {
  const [row] = await tx
    .select({ payment: salePayment })
    .from(salePayment)
    .innerJoin(invoice, eq(invoice.sale_payment_id, salePayment.sale_payment_id))
    .where(eq(invoice.invoice_id, invoice_id))
    .for('update', { of: salePayment })
  return row?.payment ?? null
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

/** A purchase of a sale with what was charged of it, received or waiting to be confirmed, in centavos. */
export interface ChargedPurchase {
  purchase: PurchaseRow
  tax_rate: number
  charged: number
  tax: number
}

/** The purchases of a sale in the order of its lines, locked. */
export async function lockSalePurchases(tx: Tx, sale_id: number): Promise<ChargedPurchase[]> {
  const rows = await tx
    .select({ purchase, tax_rate: saleItem.tax_rate })
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
    const known = sums.find((one) => one.purchase_id === row.purchase.purchase_id)
    return { ...row, charged: known?.charged ?? 0, tax: known?.tax ?? 0 }
  })
}

/** Writes a part of a payment of a sale as a charge of one purchase; `paidAt` null: a transfer that is still to be confirmed. */
export async function insertPart(tx: Tx, values: typeof invoice.$inferInsert): Promise<void> {
  await tx.insert(invoice).values(values)
}

/** The charges that a payment of a sale was spread over, locked. */
export function lockParts(tx: Tx, sale_payment_id: number): Promise<InvoiceRow[]> {
  return tx.select().from(invoice).where(eq(invoice.sale_payment_id, sale_payment_id)).orderBy(asc(invoice.invoice_id)).for('update')
}

export async function updatePart(tx: Tx, invoice_id: number, set: Partial<InvoiceRow>): Promise<void> {
  await tx.update(invoice).set(set).where(eq(invoice.invoice_id, invoice_id))
}

const owedOfSale = sql<number>`(select coalesce(sum(greatest(0, p.total_centavos - coalesce(c.sum, 0))), 0)::int from purchase p
  left join (select i.purchase_id, sum(i.total_centavos) as sum from invoice i where i.status <> 'void' group by 1) c on c.purchase_id = p.purchase_id
  where p.sale_id = ${sale.sale_id} and p.status in ('completed', 'active'))`

export interface SaleFilter {
  sale_ids?: number[] | undefined
  customer_id?: number | undefined
  location_id?: number | undefined
  staff_id?: number | undefined
  state?: 'owed' | 'pending' | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Sales with who, where and what is still owed of them, the latest first, and how many there are. */
export async function listSaleViews(db: Reader, filter: SaleFilter, page: { number: number; size: number }) {
  const pendingOnes = db
    .select({ one: sql`1` })
    .from(salePayment)
    .where(and(eq(salePayment.sale_id, sale.sale_id), eq(salePayment.state, 'pending')))
  const where: SQL | undefined = and(
    filter.sale_ids === undefined ? undefined : inArray(sale.sale_id, filter.sale_ids),
    filter.customer_id === undefined ? undefined : eq(sale.customer_id, filter.customer_id),
    filter.location_id === undefined ? undefined : eq(sale.location_id, filter.location_id),
    filter.staff_id === undefined ? undefined : eq(sale.staff_id, filter.staff_id),
    filter.from === undefined ? undefined : gte(sale.createdAt, filter.from),
    filter.until === undefined ? undefined : lt(sale.createdAt, filter.until),
    filter.state === 'owed' ? sql`${owedOfSale} > 0` : filter.state === 'pending' ? exists(pendingOnes) : undefined,
  )
  const rows = await db
    .select({
      sale,
      owed: owedOfSale,
      location: location.name,
      staff: staff.name,
      customer: { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name, email: customer.email },
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

/** The items of some sales with their purchases and the credits that they gave. */
export function listSaleItems(db: Reader, sale_ids: number[]) {
  return db
    .select({
      item: saleItem,
      purchase_id: purchase.purchase_id,
      class_amount: purchase.class_amount,
      class_package_id: purchase.class_package_id,
      expires_at:
        sql<Date | null>`(select max(${availableClass.expires_at}) from ${availableClass} where ${availableClass.purchase_id} = ${purchase.purchase_id})`.mapWith(
          availableClass.expires_at,
        ),
    })
    .from(saleItem)
    .innerJoin(purchase, eq(purchase.sale_line_id, saleItem.sale_line_id))
    .where(inArray(saleItem.sale_id, sale_ids))
    .orderBy(asc(saleItem.sale_id), asc(saleItem.n))
}

/** The payments of some sales with their names and charges. */
export function listSalePayments(db: Reader, sale_ids: number[]) {
  return db
    .select({
      payment: salePayment,
      method: paymentMethod.name,
      staff: staff.name,
      invoice_ids: sql<
        number[]
      >`(select coalesce(array_agg(${invoice.invoice_id} order by ${invoice.invoice_id}), '{}') from ${invoice} where ${invoice.sale_payment_id} = ${salePayment.sale_payment_id})`,
    })
    .from(salePayment)
    .innerJoin(paymentMethod, eq(paymentMethod.payment_method_id, salePayment.payment_method_id))
    .innerJoin(staff, eq(staff.staff_id, salePayment.staff_id))
    .where(inArray(salePayment.sale_id, sale_ids))
    .orderBy(asc(salePayment.sale_id), asc(salePayment.n))
}
