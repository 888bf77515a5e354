/** Queries about charges and what went back of them. They are written while settling (charge-store.ts). */
import { and, count, desc, eq, gte, isNotNull, lt, or, type SQL, type SQLWrapper, sql, sum } from 'drizzle-orm'
import { CASH_PAYMENT_METHOD_NAME } from '#contract/catalogue.ts'
import type { InvoiceStatus } from '#contract/invoices.ts'
import { classPackage, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { invoice, purchase, refund } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { owedOf } from './discrepancy-store.ts'
import { type CounterFilter, matchesPurchase, type PaymentMethodKey } from './purchase-filter-store.ts'
import { tookMoney } from './store.ts'

/** When the money was taken. */
const takenAt = sql<Date>`coalesce(${invoice.paidAt}, ${invoice.createdAt})`

/** Days as instants: from the first one on, and before the second. */
interface Days {
  from?: Date | undefined
  until?: Date | undefined
}

export interface InvoiceFilter extends CounterFilter, Days {
  customer_id?: number | undefined
  purchase_id?: number | undefined
  status?: InvoiceStatus | undefined
  gateway?: string | undefined
  /** The till that it was received in, or given back from. */
  cash_session_id?: number | undefined
  /** Words in names, addresses and titles, or the number of an order. */
  query?: string | undefined
}

const within = (column: SQLWrapper, days: Days) => {
  const at = sql<Date>`${column}`
  return and(
    isNotNull(at),
    days.from === undefined ? undefined : gte(at, days.from),
    days.until === undefined ? undefined : lt(at, days.until),
  )
}

/** Whose charges and which ones, whenever they were. */
function whichOf(filter: InvoiceFilter): SQL | undefined {
  return and(
    filter.customer_id === undefined ? undefined : eq(invoice.customer_id, filter.customer_id),
    filter.purchase_id === undefined ? undefined : eq(invoice.purchase_id, filter.purchase_id),
    filter.status === undefined ? tookMoney : eq(invoice.status, filter.status),
    filter.location_id === undefined ? undefined : eq(invoice.location_id, filter.location_id),
    matchesPurchase(
      filter.query,
      sql`'00' || ${purchase.purchase_id} || '-' || ${invoice.invoice_id}`,
      sql`${invoice.reference}`,
      sql`${invoice.provider_payment}`,
    ),
  )
}

/** Of them, those that were taken in this way and by this person. */
function takenOf(filter: InvoiceFilter): SQL | undefined {
  return and(
    whichOf(filter),
    filter.gateway === undefined ? undefined : eq(invoice.gateway, filter.gateway),
    filter.payment_method_id === undefined ? undefined : eq(invoice.payment_method_id, filter.payment_method_id),
    filter.staff_id === undefined ? undefined : eq(invoice.staff_id, filter.staff_id),
    filter.cash_session_id === undefined ? undefined : eq(invoice.cash_session_id, filter.cash_session_id),
  )
}

/** The way by which money went back: bills out of the drawer count as cash, whatever way they had come. */
const refundGateway = sql<string>`case when not ${refund.by_hand} then ${invoice.gateway}
  when ${paymentMethod.name} = ${CASH_PAYMENT_METHOD_NAME} or ${paymentMethod.name} is null then 'efectivo' else 'mostrador' end`

/** Refunds that went back in this way and by this person, of these charges. */
function returnedOf(filter: InvoiceFilter): SQL | undefined {
  return and(
    whichOf(filter),
    filter.gateway === undefined ? undefined : sql`${refundGateway} = ${filter.gateway}`,
    filter.payment_method_id === undefined ? undefined : eq(refund.payment_method_id, filter.payment_method_id),
    filter.staff_id === undefined ? undefined : eq(refund.staff_id, filter.staff_id),
    filter.cash_session_id === undefined ? undefined : eq(refund.cash_session_id, filter.cash_session_id),
  )
}

const whose = { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name, email: customer.email }

/** Charges with what they are shown with, newest first, and how many there are. */
export async function listInvoiceViews(db: Reader, filter: InvoiceFilter, page: { number: number; size: number }) {
  const where = and(takenOf(filter), within(takenAt, filter))
  const rows = await db
    .select({
      invoice,
      owed: owedOf(sql`i.invoice_id = ${invoice.invoice_id}`),
      purchase: {
        purchase_id: purchase.purchase_id,
        title: purchase.title,
        status: purchase.status,
        subscription_id: purchase.subscription_id,
      },
      pack: { class_package_id: classPackage.class_package_id, title: classPackage.title, image: classPackage.image },
      customer: whose,
    })
    .from(invoice)
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .leftJoin(classPackage, eq(classPackage.class_package_id, purchase.class_package_id))
    .innerJoin(customer, eq(customer.customer_id, invoice.customer_id))
    .where(where)
    .orderBy(desc(takenAt), desc(invoice.invoice_id))
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const [{ total } = { total: 0 }] = await db
    .select({ total: count() })
    .from(invoice)
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .innerJoin(customer, eq(customer.customer_id, invoice.customer_id))
    .where(where)
  return { rows, total }
}

export type InvoiceView = Awaited<ReturnType<typeof listInvoiceViews>>['rows'][number]

/** What was done with a way of paying, in centavos. */
export interface PaymentMethodSums extends PaymentMethodKey {
  status: InvoiceStatus
  count: number
  charged: number
  tax: number
  refunded: number
  lost: number
  disputed: number
}

const amount = (value: string | null) => Number(value ?? 0)

/**
 * What happened to a filter's charges, by way and status: what was taken on its days, what went back on them and what banks took on them, each on its
 * own day. Status is that of the charge now.
 */
export async function sumInvoices(db: Reader, filter: InvoiceFilter): Promise<PaymentMethodSums[]> {
  const left = sql<number>`${invoice.total_centavos} - ${invoice.refunded_centavos}`
  const way = { gateway: invoice.gateway, payment_method_id: invoice.payment_method_id, name: paymentMethod.name, status: invoice.status }
  const nothing = { count: 0, charged: 0, tax: 0, refunded: 0, lost: 0, disputed: 0 }
  const charges = <S extends Record<string, SQL<unknown>>>(sums: S, where: SQL | undefined) =>
    db
      .select({ ...way, ...sums })
      .from(invoice)
      .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
      .innerJoin(customer, eq(customer.customer_id, invoice.customer_id))
      .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, invoice.payment_method_id))
      .where(and(takenOf(filter), where))
      .groupBy(invoice.gateway, invoice.payment_method_id, paymentMethod.name, invoice.status)
  const refunds = (where: SQL | undefined) =>
    db
      .select({
        gateway: refundGateway,
        payment_method_id: refund.payment_method_id,
        name: paymentMethod.name,
        status: invoice.status,
        sum: sum(refund.amount_centavos),
      })
      .from(refund)
      .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
      .innerJoin(purchase, eq(purchase.purchase_id, refund.purchase_id))
      .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
      .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, refund.payment_method_id))
      .where(and(returnedOf(filter), where))
      .groupBy(sql`1`, refund.payment_method_id, paymentMethod.name, invoice.status)
  const [taken, back, cameBack, lost, regained] = await Promise.all([
    charges(
      {
        count: count(),
        charged: sum(invoice.total_centavos),
        tax: sum(invoice.tax_centavos),
        disputed: sql<string>`sum(${left}) filter (where ${invoice.status} = 'disputed')`,
      },
      within(takenAt, filter),
    ),
    refunds(within(refund.doneAt, filter)),
    refunds(within(refund.returnedAt, filter)),
    charges({ sum: sum(left) }, within(invoice.lostAt, filter)),
    charges({ sum: sum(left) }, within(invoice.regainedAt, filter)),
  ])
  return [
    ...taken.map(({ count, charged, tax, disputed, ...row }) => ({
      ...{ ...row, ...nothing, count: Number(count) },
      ...{ charged: amount(charged as string), tax: amount(tax as string), disputed: amount(disputed as string) },
    })),
    ...back.map(({ sum, ...row }) => ({ ...row, ...nothing, refunded: amount(sum) })),
    ...cameBack.map(({ sum, ...row }) => ({ ...row, ...nothing, refunded: -amount(sum) })),
    ...lost.map(({ sum, ...row }) => ({ ...row, ...nothing, lost: amount(sum as string) })),
    ...regained.map(({ sum, ...row }) => ({ ...row, ...nothing, lost: -amount(sum as string) })),
  ]
}

/** Refunds that went back on a filter's days, or came back on them, latest first, with how many there are and what they come to in centavos. */
export async function listRefundViews(db: Reader, filter: InvoiceFilter, page: { number: number; size: number }) {
  const done = within(refund.doneAt, filter)
  const returned = within(refund.returnedAt, filter)
  const where = and(returnedOf(filter), or(done, returned))
  const rows = await db
    .select({
      refund,
      gateway: refundGateway,
      purchase: { purchase_id: purchase.purchase_id, title: purchase.title },
      customer: whose,
    })
    .from(refund)
    .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
    .innerJoin(purchase, eq(purchase.purchase_id, refund.purchase_id))
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, refund.payment_method_id))
    .where(where)
    .orderBy(desc(refund.doneAt), desc(refund.refund_id))
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const [found] = await db
    .select({
      total: count(),
      refunded: sql<string>`coalesce(sum(${refund.amount_centavos}) filter (where ${done}), 0)`,
      returned: sql<string>`coalesce(sum(${refund.amount_centavos}) filter (where ${returned}), 0)`,
    })
    .from(refund)
    .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
    .innerJoin(purchase, eq(purchase.purchase_id, refund.purchase_id))
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, refund.payment_method_id))
    .where(where)
  return { rows, total: found?.total ?? 0, refunded: amount(found?.refunded ?? null), returned: amount(found?.returned ?? null) }
}
