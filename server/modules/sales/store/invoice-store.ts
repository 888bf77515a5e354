/** Queries of charges and their refunds. They are written by charge-store.ts. */
import { and, count, eq, gte, inArray, isNotNull, lt, ne, or, type SQL, type SQLWrapper, sql, sum } from 'drizzle-orm'
import { CASH_PAYMENT_METHOD_NAME } from '#contract/catalogue.ts'
import type { InvoiceStatus } from '#contract/invoices.ts'
import { classPackage, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { disputeMovement, refund } from '#server/modules/sales/aftersales-tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { readsTable } from '#server/platform/reads-table.ts'
import { sqlOwed } from './discrepancy-store.ts'
import { readInvoiceTotals } from './invoice-total-store.ts'
import { byCustomerName, type CounterFilter, chargeAt, matchesCharge, type PaymentMethodKey } from './purchase-filter-store.ts'
import { tookMoney } from './store.ts'

/** When the money was taken. */
const takenAt = sql<Date>`coalesce(${invoice.paidAt}, ${invoice.createdAt})`

/** A range of days as instants: the first inclusive, the second exclusive. */
interface Days {
  from?: Date | undefined
  until?: Date | undefined
}

export interface InvoiceFilter extends CounterFilter, Days {
  customer_id?: number | undefined
  purchase_id?: number | undefined
  class_package_id?: number | undefined
  /** Any of them; missing = those that took money. */
  status?: readonly InvoiceStatus[] | undefined
  gateway?: string | undefined
  /** The cash session that received or refunded it. */
  cash_session_id?: number | undefined
  /** With what gift cards paid, which a filter by gateway has anyway. */
  withGiftCards?: boolean | undefined
  /** Without charges of purchases that others paid for the customer (S10). */
  isOwn?: boolean | undefined
  /** Search words for names, addresses and titles, or an order number. */
  query?: string | undefined
}

const within = (column: SQLWrapper, days: Days) => {
  const at = sql<Date>`${column}`
  return and(
    // Every charge was taken at some time.
    column === takenAt ? undefined : isNotNull(at),
    days.from === undefined ? undefined : gte(at, days.from),
    days.until === undefined ? undefined : lt(at, days.until),
  )
}

/** The condition on the customer and the charge itself, without dates; without a status in the filter `anyStatus`. */
async function whichOf(db: Reader, filter: InvoiceFilter, anyStatus: SQL | undefined): Promise<SQL | undefined> {
  return and(
    chargeAt(filter.locations ?? null),
    filter.customer_id === undefined ? undefined : eq(invoice.customer_id, filter.customer_id),
    filter.purchase_id === undefined ? undefined : eq(invoice.purchase_id, filter.purchase_id),
    filter.status === undefined ? anyStatus : inArray(invoice.status, [...filter.status]),
    filter.class_package_id === undefined ? undefined : eq(purchase.class_package_id, filter.class_package_id),
    filter.location_id === undefined ? undefined : eq(invoice.location_id, filter.location_id),
    filter.isOwn
      ? sql`not exists (select 1 from purchase p join sale s using (sale_id) where p.purchase_id = ${invoice.purchase_id} and s.customer_id <> p.customer_id)`
      : undefined,
    await matchesCharge(db, filter.query),
  )
}

/** What a gift card pays was received when the card was sold (I5). */
const isNotFromGiftCard = ne(invoice.gateway, 'regalo')

/** Any status and gateway: for sums by both, of which `isReceived` chooses. Comparing every row of a year takes as long as adding it. */
const GROUPED = { status: undefined, gateway: undefined }

/** The condition on payment method and receiver of a charge; without a status or gateway in the filter, the statuses of `any`. */
async function takenOf(
  db: Reader,
  filter: InvoiceFilter,
  any: { status: SQL | undefined; gateway: SQL | undefined } = { status: tookMoney, gateway: isNotFromGiftCard },
): Promise<SQL | undefined> {
  return and(
    await whichOf(db, filter, any.status),
    filter.gateway !== undefined ? eq(invoice.gateway, filter.gateway) : filter.withGiftCards ? undefined : any.gateway,
    filter.payment_method_id === undefined ? undefined : eq(invoice.payment_method_id, filter.payment_method_id),
    filter.staff_id === undefined ? undefined : eq(invoice.staff_id, filter.staff_id),
    filter.cash_session_id === undefined ? undefined : eq(invoice.cash_session_id, filter.cash_session_id),
  )
}

/** The gateway of a refund: cash out of the drawer counts as cash, whatever the charge was paid with. */
const refundGateway = sql<string>`case when not ${refund.by_hand} then ${invoice.gateway}
  when ${paymentMethod.name} = ${CASH_PAYMENT_METHOD_NAME} or ${paymentMethod.name} is null then 'efectivo' else 'mostrador' end`

/** The condition on how and by whom a refund was paid out, for the selected charges. */
async function returnedOf(db: Reader, filter: InvoiceFilter): Promise<SQL | undefined> {
  return and(
    await whichOf(db, filter, tookMoney),
    filter.gateway === undefined ? isNotFromGiftCard : sql`${refundGateway} = ${filter.gateway}`,
    filter.payment_method_id === undefined ? undefined : eq(refund.payment_method_id, filter.payment_method_id),
    filter.staff_id === undefined ? undefined : eq(refund.staff_id, filter.staff_id),
    filter.cash_session_id === undefined ? undefined : eq(refund.cash_session_id, filter.cash_session_id),
  )
}

const whose = { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name, email: customer.email }

export type InvoiceSort = `${'' | '-'}${'taken' | 'total' | 'name'}`
export type RefundSort = `${'' | '-'}${'done' | 'amount' | 'name'}`

/** Charges with the fields to display, and their count. */
export async function listInvoiceViews(
  db: Reader,
  filter: InvoiceFilter,
  page: { number: number; size: number },
  sort: InvoiceSort = '-taken',
): Promise<{ rows: InvoiceView[]; total: number }> {
  const where = and(await takenOf(db, filter), within(takenAt, filter))
  const counted = db.select({ total: count() }).from(invoice).$dynamic()
  if (readsTable(where, purchase)) counted.innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
  const [rows, [found]] = await Promise.all([listInvoicePage(db, filter, page, sort), counted.where(where)])
  return { rows, total: found?.total ?? 0 }
}

/** A page of charges with the fields to display. The page is chosen before names are read. */
export async function listInvoicePage(
  db: Reader,
  filter: InvoiceFilter,
  page: { number: number; size: number },
  sort: InvoiceSort = '-taken',
) {
  const where = and(await takenOf(db, filter), within(takenAt, filter))
  const order = orderBy(sort, { taken: [takenAt], total: [invoice.total_centavos], name: byCustomerName }, invoice.invoice_id)
  const matching = db.select({ id: invoice.invoice_id }).from(invoice).$dynamic()
  if (readsTable(where, purchase)) matching.innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
  if (readsTable(order, customer)) matching.innerJoin(customer, eq(customer.customer_id, invoice.customer_id))
  const found = await matching
    .where(where)
    .orderBy(...order)
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const ids = found.map((row) => row.id)
  return db
    .select({
      invoice,
      owed: sqlOwed(sql`i.invoice_id = ${invoice.invoice_id}`),
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
    .where(inArray(invoice.invoice_id, ids))
    .orderBy(...order)
}

export type InvoiceView = Awaited<ReturnType<typeof listInvoicePage>>[number]

/** Sums for one payment method, in centavos. */
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

/** The filters that stored sums of charges do not have. */
const NOT_STORED = [
  'customer_id',
  'purchase_id',
  'class_package_id',
  'cash_session_id',
  'staff_id',
  'isOwn',
  'query',
  'from',
  'until',
] as const

/**
 * Sums of a filter's charges by payment method and status: charges, refunds and lost disputes, each counted on its own day. The status is
 * the charge's current one. Of all days they are stored (`invoice_total`).
 */
export async function sumInvoices(db: Reader, filter: InvoiceFilter): Promise<PaymentMethodSums[]> {
  const methodName = sql<string | null>`(select m.name from payment_method m where m.payment_method_id = invoice.payment_method_id)`
  const methodColumns = { gateway: invoice.gateway, payment_method_id: invoice.payment_method_id, name: methodName, status: invoice.status }
  const [isTaken, isReturned] = await Promise.all([takenOf(db, filter, GROUPED), returnedOf(db, filter)])
  const isReceived = (row: { gateway: string; status: InvoiceStatus }) =>
    (filter.status !== undefined || !(row.status === 'pending' || row.status === 'void')) &&
    (filter.gateway !== undefined || row.gateway !== 'regalo')
  const nothing = { count: 0, charged: 0, tax: 0, refunded: 0, lost: 0, disputed: 0 }
  const columns = [invoice.gateway, invoice.payment_method_id, invoice.status]
  const charges = (where: SQL | undefined) => {
    const found = db
      .select({
        ...methodColumns,
        count: count(),
        charged: sum(invoice.total_centavos),
        tax: sum(invoice.tax_centavos),
        disputed: sql<string>`sum(case when ${invoice.status} = 'disputed' then ${invoice.disputed_centavos} else ${invoice.open_dispute_centavos} end)`,
      })
      .from(invoice)
      .$dynamic()
    if (readsTable(isTaken, purchase)) found.innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    return found.where(and(isTaken, where)).groupBy(...columns)
  }
  const losses = (where: SQL | undefined) => {
    const found = db
      .select({ ...methodColumns, sum: sum(disputeMovement.amount_centavos) })
      .from(disputeMovement)
      .innerJoin(invoice, eq(invoice.invoice_id, disputeMovement.invoice_id))
      .$dynamic()
    if (readsTable(isTaken, purchase)) found.innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    return found.where(and(isTaken, where)).groupBy(...columns)
  }
  const refunds = (where: SQL | undefined) => {
    const found = db
      .select({
        gateway: refundGateway,
        payment_method_id: refund.payment_method_id,
        name: paymentMethod.name,
        status: invoice.status,
        sum: sum(refund.amount_centavos),
      })
      .from(refund)
      .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
      .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, refund.payment_method_id))
      .$dynamic()
    if (readsTable(isReturned, purchase)) found.innerJoin(purchase, eq(purchase.purchase_id, refund.purchase_id))
    return found.where(and(isReturned, where)).groupBy(sql`1`, refund.payment_method_id, paymentMethod.name, invoice.status)
  }
  const [received, back, cameBack, lost] = await Promise.all([
    NOT_STORED.every((name) => filter[name] === undefined) ? readInvoiceTotals(db, filter) : charges(within(takenAt, filter)),
    refunds(within(refund.doneAt, filter)),
    refunds(within(refund.returnedAt, filter)),
    losses(within(disputeMovement.createdAt, filter)),
  ])
  return [
    ...received.filter(isReceived).map(({ count, charged, tax, disputed, ...row }) => ({
      ...row,
      ...nothing,
      count: Number(count),
      charged: amount(charged),
      tax: amount(tax),
      disputed: amount(disputed),
    })),
    ...back.map(({ sum, ...row }) => ({ ...row, ...nothing, refunded: amount(sum) })),
    ...cameBack.map(({ sum, ...row }) => ({ ...row, ...nothing, refunded: -amount(sum) })),
    ...lost.filter(isReceived).map(({ sum, ...row }) => ({ ...row, ...nothing, lost: amount(sum) })),
  ]
}

/** Refunds that were paid out or failed in a filter's days, with their count and sum in centavos. */
export async function listRefundViews(
  db: Reader,
  filter: InvoiceFilter,
  page: { number: number; size: number },
  sort: RefundSort = '-done',
) {
  const done = within(refund.doneAt, filter)
  const returned = within(refund.returnedAt, filter)
  const where = and(await returnedOf(db, filter), or(done, returned))
  const order = orderBy(sort, { done: [refund.doneAt], amount: [refund.amount_centavos], name: byCustomerName }, refund.refund_id)
  const summed = db
    .select({
      total: count(),
      refunded: sql<string>`coalesce(sum(${refund.amount_centavos}) filter (where ${done}), 0)`,
      returned: sql<string>`coalesce(sum(${refund.amount_centavos}) filter (where ${returned}), 0)`,
    })
    .from(refund)
    .innerJoin(invoice, eq(invoice.invoice_id, refund.invoice_id))
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, refund.payment_method_id))
    .$dynamic()
  if (readsTable(where, purchase)) summed.innerJoin(purchase, eq(purchase.purchase_id, refund.purchase_id))
  const [rows, [found]] = await Promise.all([
    db
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
      .orderBy(...order)
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    summed.where(where),
  ])
  return { rows, total: found?.total ?? 0, refunded: amount(found?.refunded ?? null), returned: amount(found?.returned ?? null) }
}
