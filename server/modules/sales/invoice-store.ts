/** Queries about charges. They are written while settling (store.ts). */
import { and, count, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { InvoiceStatus } from '#contract/invoices.ts'
import { classPackage } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { owedOf } from './difference-store.ts'
import { contains, fullName } from './studio-lists-store.ts'
import { invoice, purchase } from './tables.ts'

/** When the money was taken. */
const takenAt = sql<Date>`coalesce(${invoice.paidAt}, ${invoice.createdAt})`

export interface InvoiceFilter {
  customer_id?: number | undefined
  purchase_id?: number | undefined
  status?: InvoiceStatus | undefined
  gateway?: string | undefined
  /** Taken from this instant on, and before this one. */
  from?: Date | undefined
  until?: Date | undefined
  /** Part of a name, an address or a title. */
  query?: string | undefined
}

function whereOf({ query, ...filter }: InvoiceFilter): SQL | undefined {
  return and(
    filter.customer_id === undefined ? undefined : eq(invoice.customer_id, filter.customer_id),
    filter.purchase_id === undefined ? undefined : eq(invoice.purchase_id, filter.purchase_id),
    filter.status === undefined ? undefined : eq(invoice.status, filter.status),
    filter.gateway === undefined ? undefined : eq(invoice.gateway, filter.gateway),
    filter.from === undefined ? undefined : gte(takenAt, filter.from),
    filter.until === undefined ? undefined : lt(takenAt, filter.until),
    query ? or(contains(fullName, query), contains(customer.email, query), contains(purchase.title, query)) : undefined,
  )
}

/** Charges with what they are shown with, newest first, and how many there are. */
export async function listInvoiceViews(db: Reader, filter: InvoiceFilter, page: { number: number; size: number }) {
  const where = whereOf(filter)
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
      customer: { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name, email: customer.email },
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

/** What a filter's charges took and gave back, in centavos. */
export async function sumInvoices(
  db: Reader,
  filter: InvoiceFilter,
): Promise<{ charged: number; refunded: number; lost: number; disputed: number }> {
  const left = sql`${invoice.total_centavos} - ${invoice.refunded_centavos}`
  const [sum] = await db
    .select({
      charged: sql<string>`coalesce(sum(${invoice.total_centavos}), 0)`,
      refunded: sql<string>`coalesce(sum(${invoice.refunded_centavos}), 0)`,
      lost: sql<string>`coalesce(sum(${left}) filter (where ${invoice.status} = 'lost'), 0)`,
      disputed: sql<string>`coalesce(sum(${left}) filter (where ${invoice.status} = 'disputed'), 0)`,
    })
    .from(invoice)
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .innerJoin(customer, eq(customer.customer_id, invoice.customer_id))
    .where(whereOf(filter))
  const of = (what: 'charged' | 'refunded' | 'lost' | 'disputed') => Number(sum?.[what] ?? 0)
  return { charged: of('charged'), refunded: of('refunded'), lost: of('lost'), disputed: of('disputed') }
}

export type InvoiceView = Awaited<ReturnType<typeof listInvoiceViews>>['rows'][number]
