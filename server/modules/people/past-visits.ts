/** Visits at the system that the studio used before, as a number from an import (docs/domain.md IM16). */
import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isOneOf, type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { lockCustomerRow } from './store.ts'
import { pastVisit } from './tables.ts'

/**
 * SQL: whether the customer attended with their own reservation `r` a class `c` that took place: marked as present, or without a mark on a
 * closed roster (A4).
 */
export const isVisit = (r: SQL, c: SQL): SQL =>
  sql`${c}."cancelledAt" is null and ${r}."deletedAt" is null and ${r}.host_reservation_id is null
  and (${r}.attend or (${r}.attend is null and ${c}."settledAt" is not null))`

/**
 * SQL: number of visits in the previous system. The number of the file, less the visits until its date that were imported as reservations.
 * 0 without any.
 */
export const pastVisits = (customer_id: SQLWrapper): SQL<number> => sql`(
  select case when pv.visits is null then 0 else greatest(0, pv.visits - (select count(*) from class_reservation pr join single_class pc using (single_class_id)
    where pr.customer_id = ${customer_id} and pc.starts_at <= pv.until_at and ${isVisit(sql`pr`, sql`pc`)}))::integer end
  from (select sum(visits) as visits, max(until_at) as until_at from past_visit where customer_id = ${customer_id}) pv)`

/** SQL: whether they had any. */
export const hadPastVisits = (customer_id: SQLWrapper): SQL<boolean> =>
  sql`(exists (select from past_visit where customer_id = ${customer_id}) and ${pastVisits(customer_id)} > 0)`

/** The imported numbers of visits of these customers. */
export const listPastVisits = (
  db: Reader,
  customer_ids: number[],
): Promise<{ customer_id: number; visits: number; last_at: Date | null; until_at: Date }[]> =>
  db
    .select({
      customer_id: pastVisit.customer_id,
      visits: sql<number>`sum(${pastVisit.visits})::integer`,
      last_at: sql<Date | null>`max(${pastVisit.last_at})`.mapWith(pastVisit.until_at),
      until_at: sql<Date>`max(${pastVisit.until_at})`.mapWith(pastVisit.until_at),
    })
    .from(pastVisit)
    .where(isOneOf(pastVisit.customer_id, customer_ids))
    .groupBy(pastVisit.customer_id)

/** Writes them down once for a customer; null when there are some already, or the customer does not exist. */
export async function addPastVisits(tx: Tx, values: Omit<typeof pastVisit.$inferInsert, 'past_visit_id'>): Promise<number | null> {
  if (!(await lockCustomerRow(tx, values.customer_id))) return null
  if ((await tx.$count(pastVisit, eq(pastVisit.customer_id, values.customer_id))) > 0) return null
  return singleRow(await tx.insert(pastVisit).values(values).returning({ id: pastVisit.past_visit_id })).id
}

export async function erasePastVisits(tx: Tx, past_visit_id: number): Promise<void> {
  await tx.delete(pastVisit).where(eq(pastVisit.past_visit_id, past_visit_id))
}
