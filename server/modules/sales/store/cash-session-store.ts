/** Queries of the till: sessions, cash movements, and the sums of what a session received and paid out. */
import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { location, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { refund } from '#server/modules/sales/aftersales-tables.ts'
import { cashMovement, cashSession } from '#server/modules/sales/counter-tables.ts'
import { invoice } from '#server/modules/sales/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { plainText } from '#server/platform/search.ts'
import { tookMoney } from './store.ts'

export type CashSessionRow = typeof cashSession.$inferSelect

/** Opens a session. The database refuses a second open session of the same person at the same location (`cash_session_open`). */
export async function insertCashSession(tx: Tx, values: typeof cashSession.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(cashSession).values(values).returning({ id: cashSession.cash_session_id })).id
}

export async function updateCashSession(tx: Tx, cash_session_id: number, set: Partial<CashSessionRow>): Promise<void> {
  await tx.update(cashSession).set(set).where(eq(cashSession.cash_session_id, cash_session_id))
}

/** Reads and locks a session: charges, refunds and movements of it wait until the transaction ends. */
export async function lockCashSession(tx: Tx, cash_session_id: number): Promise<CashSessionRow | null> {
  const [row] = await tx.select().from(cashSession).where(eq(cashSession.cash_session_id, cash_session_id)).for('update')
  return row ?? null
}

/** The open sessions of a person, those at the given location first; locked, so that none is closed before the transaction ends. */
export async function lockOpenSessions(
  tx: Tx,
  of: { staff_id: number } | { location_id: number },
): Promise<Pick<CashSessionRow, 'cash_session_id' | 'location_id' | 'staff_id'>[]> {
  return tx
    .select({ cash_session_id: cashSession.cash_session_id, location_id: cashSession.location_id, staff_id: cashSession.staff_id })
    .from(cashSession)
    .where(
      and(
        'staff_id' in of ? eq(cashSession.staff_id, of.staff_id) : eq(cashSession.location_id, of.location_id),
        isNull(cashSession.closedAt),
      ),
    )
    .orderBy(asc(cashSession.cash_session_id))
    .for('share')
}

export async function insertCashMovement(tx: Tx, values: typeof cashMovement.$inferInsert): Promise<void> {
  await tx.insert(cashMovement).values(values)
}

export interface CashSessionFilter {
  cash_session_id?: number | undefined
  location_id?: number | undefined
  /** Only sessions at these locations; null = all. */
  location_ids?: readonly number[] | null | undefined
  staff_id?: number | undefined
  state?: 'open' | 'closed' | 'approved' | undefined
  from?: Date | undefined
  until?: Date | undefined
}

export type CashSessionSort = 'opened' | '-opened' | 'closed' | '-closed' | 'name' | '-name'

const stateIs = (state: CashSessionFilter['state']): SQL | undefined => {
  if (state === undefined) return undefined
  if (state === 'open') return isNull(cashSession.closedAt)
  return and(isNotNull(cashSession.closedAt), state === 'approved' ? isNotNull(cashSession.approvedAt) : isNull(cashSession.approvedAt))
}

const ORDERS = { opened: [cashSession.openedAt], closed: [cashSession.closedAt], name: [plainText(sql`${staff.name}`)] }

const closer = alias(staff, 'closer')
const approver = alias(staff, 'approver')

/** Sessions with staff and location names, latest first unless `sort` says otherwise, and their count. */
export async function listCashSessions(
  db: Reader,
  filter: CashSessionFilter,
  page: { number: number; size: number },
  sort: CashSessionSort = '-opened',
) {
  const where = and(
    filter.cash_session_id === undefined ? undefined : eq(cashSession.cash_session_id, filter.cash_session_id),
    filter.location_id === undefined ? undefined : eq(cashSession.location_id, filter.location_id),
    filter.location_ids == null ? undefined : inArray(cashSession.location_id, [...filter.location_ids]),
    filter.staff_id === undefined ? undefined : eq(cashSession.staff_id, filter.staff_id),
    filter.from === undefined ? undefined : gte(cashSession.openedAt, filter.from),
    filter.until === undefined ? undefined : lt(cashSession.openedAt, filter.until),
    stateIs(filter.state),
  )
  const rows = await db
    .select({
      session: cashSession,
      location: location.name,
      staff: staff.name,
      closer: closer.name,
      approver: approver.name,
    })
    .from(cashSession)
    .innerJoin(location, eq(location.location_id, cashSession.location_id))
    .innerJoin(staff, eq(staff.staff_id, cashSession.staff_id))
    .leftJoin(closer, eq(closer.staff_id, cashSession.closed_by))
    .leftJoin(approver, eq(approver.staff_id, cashSession.approved_by))
    .where(where)
    .orderBy(...orderBy(sort, ORDERS, cashSession.cash_session_id))
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const [found] = await db.select({ total: count() }).from(cashSession).where(where)
  return { rows, total: found?.total ?? 0 }
}

/** Staff who had a session at these locations, by name; null = all locations. */
export function listCashSessionPeople(db: Reader, location_ids: readonly number[] | null): Promise<{ staff_id: number; name: string }[]> {
  return db
    .selectDistinct({ staff_id: staff.staff_id, name: staff.name })
    .from(cashSession)
    .innerJoin(staff, eq(staff.staff_id, cashSession.staff_id))
    .where(location_ids === null ? undefined : inArray(cashSession.location_id, [...location_ids]))
    .orderBy(asc(staff.name), asc(staff.staff_id))
}

export type CashSessionView = Awaited<ReturnType<typeof listCashSessions>>['rows'][number]

/** Cash movements of the given sessions, in order. */
export function listCashMovements(db: Reader, ids: number[]) {
  return db
    .select({ movement: cashMovement, staff: staff.name })
    .from(cashMovement)
    .innerJoin(staff, eq(staff.staff_id, cashMovement.staff_id))
    .where(inArray(cashMovement.cash_session_id, ids))
    .orderBy(asc(cashMovement.cash_movement_id))
}

/** Sums of a session for one payment method, in centavos. */
export interface MethodFigures {
  cash_session_id: number
  payment_method_id: number
  count: number
  sales: number
  refunds: number
}

/** Sums of sessions by payment method. A refund counts once the money has left (its `doneAt`), unless it was refused. */
export async function sumCashSessions(db: Reader, ids: number[]): Promise<MethodFigures[]> {
  const [charges, back] = await Promise.all([
    db
      .select({
        cash_session_id: sql<number>`${invoice.cash_session_id}`,
        payment_method_id: sql<number>`${invoice.payment_method_id}`,
        count: sql<number>`count(*)::int`,
        sum: sql<string>`sum(${invoice.total_centavos})`,
      })
      .from(invoice)
      .where(and(inArray(invoice.cash_session_id, ids), tookMoney))
      .groupBy(invoice.cash_session_id, invoice.payment_method_id),
    db
      .select({
        cash_session_id: sql<number>`${refund.cash_session_id}`,
        payment_method_id: sql<number>`${refund.payment_method_id}`,
        sum: sql<string>`sum(${refund.amount_centavos})`,
      })
      .from(refund)
      .where(and(inArray(refund.cash_session_id, ids), ne(refund.state, 'refused')))
      .groupBy(refund.cash_session_id, refund.payment_method_id),
  ])
  const figures = new Map<string, MethodFigures>()
  const of = ({ cash_session_id, payment_method_id }: { cash_session_id: number; payment_method_id: number }) => {
    const key = `${cash_session_id} ${payment_method_id}`
    const known = figures.get(key) ?? { cash_session_id, payment_method_id, count: 0, sales: 0, refunds: 0 }
    figures.set(key, known)
    return known
  }
  for (const row of charges) Object.assign(of(row), { count: row.count, sales: Number(row.sum) })
  for (const row of back) of(row).refunds = Number(row.sum)
  return [...figures.values()]
}

/** Every payment method, also archived ones, whose names old sessions still show. */
export function listAllPaymentMethods(
  db: Reader,
): Promise<{ payment_method_id: number; name: string; kind: PaymentMethodKind; deletedAt: Date | null }[]> {
  return db
    .select({
      payment_method_id: paymentMethod.payment_method_id,
      name: paymentMethod.name,
      kind: paymentMethod.kind,
      deletedAt: paymentMethod.deletedAt,
    })
    .from(paymentMethod)
    .orderBy(asc(paymentMethod.payment_method_id))
}

/** Cash that the last count at a location left in the drawer, in centavos. */
export async function findLeftInDrawer(db: Reader, location_id: number): Promise<number> {
  const [row] = await db
    .select({ left: cashSession.left_centavos })
    .from(cashSession)
    .where(and(eq(cashSession.location_id, location_id), isNotNull(cashSession.closedAt)))
    .orderBy(desc(cashSession.closedAt), desc(cashSession.cash_session_id))
    .limit(1)
  return row?.left ?? 0
}
