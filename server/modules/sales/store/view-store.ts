/** Queries of purchases with the fields to display. */
import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { classPackage, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { paymentAttempt, purchase } from '#server/modules/sales/tables.ts'
import { prepared, type Reader } from '#server/platform/db.ts'
import { sqlOwed } from './discrepancy-store.ts'
import { type AttemptRow, listAttempts, type PurchaseRow } from './store.ts'

/** A purchase with the fields to display. */
export interface PurchaseView {
  purchase: PurchaseRow
  /** Null for a single place in a class (V45). */
  classPackage: {
    class_package_id: number
    title: string
    image: string | null
    receipt_file: string | null
    downloadable: string | null
    class_amount: number
    is_online: boolean
    is_subscription: boolean
  } | null
  email: string | null
  buyer: { customer_id: number; name: string; last_name: string; phone: string | null; deletedAt: Date | null }
  /** The buyer of a gift; null for an own purchase. */
  giver: { customer_id: number; name: string; last_name: string } | null
  method: string | null
  attempt: AttemptRow | null
  /** Sums in centavos: charges that took money, their refunds, and refunds that did not arrive. */
  money: { charges: number; refunded: number; owed: number }
}

/** Purchases with the fields to display, newest first or in another order. */
export async function listPurchaseViews(
  db: Reader,
  where: SQL | undefined,
  page?: { number: number; size: number },
  order: SQL[] = [desc(purchase.createdAt), desc(purchase.purchase_id)],
): Promise<PurchaseView[]> {
  const found = viewQuery(db)
    .where(where)
    .orderBy(...order)
  const rows = page ? await found.limit(page.size).offset((page.number - 1) * page.size) : await found
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.purchase.purchase_id)
  const sales = rows.flatMap((row) => row.purchase.sale_id ?? [])
  const attempts = await db
    .selectDistinctOn([paymentAttempt.purchase_id])
    .from(paymentAttempt)
    .where(or(inArray(paymentAttempt.purchase_id, ids), sales.length > 0 ? inArray(paymentAttempt.sale_id, sales) : undefined))
    .orderBy(paymentAttempt.purchase_id, desc(paymentAttempt.n))
  return rows.map((row) => ({ ...row, attempt: attemptOf(row.purchase, attempts) }))
}

/** The newest attempt of a purchase; the items of an order have the attempts of the whole order. `attempts`: newest first. */
const attemptOf = ({ purchase_id, sale_id }: PurchaseRow, attempts: readonly AttemptRow[]): AttemptRow | null =>
  attempts.find((attempt) => attempt.purchase_id === purchase_id) ??
  attempts.find((attempt) => sale_id !== null && attempt.sale_id === sale_id) ??
  null

function viewQuery(db: Reader) {
  return db
    .select({
      purchase,
      classPackage: {
        class_package_id: classPackage.class_package_id,
        title: classPackage.title,
        image: classPackage.image,
        receipt_file: classPackage.receipt_file,
        downloadable: classPackage.downloadable,
        class_amount: classPackage.class_amount,
        is_online: classPackage.is_online,
        is_subscription: classPackage.is_subscription,
      },
      email: customer.email,
      buyer: {
        customer_id: customer.customer_id,
        name: customer.name,
        last_name: customer.last_name,
        phone: customer.phone,
        deletedAt: customer.deletedAt,
      },
      giver: sql<
        PurchaseView['giver']
      >`(select json_build_object('customer_id', c.customer_id, 'name', c.name, 'last_name', c.last_name) from sale s join customer c using (customer_id)
        where s.sale_id = ${purchase.sale_id} and s.customer_id <> ${purchase.customer_id})`,
      method: paymentMethod.name,
      money: {
        charges: sql<number>`(select count(*)::int from invoice i where i.purchase_id = ${purchase.purchase_id} and i.status not in ('pending', 'void'))`,
        refunded: sql<number>`(select coalesce(sum(i.refunded_centavos), 0)::int from invoice i where i.purchase_id = ${purchase.purchase_id})`,
        owed: sqlOwed(sql`i.purchase_id = ${purchase.purchase_id}`),
      },
    })
    .from(purchase)
    .leftJoin(classPackage, eq(classPackage.class_package_id, purchase.class_package_id))
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, purchase.payment_method_id))
}

/** A customer's purchases, newest first. */
export function listViews(db: Reader, customer_id: number): Promise<PurchaseView[]> {
  return listPurchaseViews(db, eq(purchase.customer_id, customer_id))
}

const oneView = prepared('sales.view', (on: Reader) => viewQuery(on).where(eq(purchase.purchase_id, sql.placeholder('purchase_id'))))

export async function findView(db: Reader, purchase_id: number): Promise<PurchaseView> {
  const [[row], attempts] = await Promise.all([oneView(db).execute({ purchase_id }), listAttempts(db, purchase_id)])
  if (!row) throw new Error(`There is no purchase ${purchase_id}.`)
  return { ...row, attempt: attemptOf(row.purchase, attempts) }
}
