/** Queries of bulk jobs and their items, and of what a dry run counts. */
import { and, asc, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { BulkRefused } from '#contract/bulk.ts'
import { BULK_SUBJECTS, type BulkSubject } from '#contract/bulk-actions.ts'
import { tag } from '#server/modules/catalogue/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import { bulkItem, bulkJob } from './tables.ts'

export type BulkJobRow = typeof bulkJob.$inferSelect
type ItemState = (typeof bulkItem.$inferSelect)['state']

export async function insertBulkJob(tx: Tx, row: typeof bulkJob.$inferInsert, item_ids: readonly number[]): Promise<number> {
  const { bulk_job_id } = singleRow(await tx.insert(bulkJob).values(row).returning({ bulk_job_id: bulkJob.bulk_job_id }))
  await tx.execute(sql`
    insert into ${bulkItem} (bulk_job_id, item_id, state)
    select ${bulk_job_id}, item_id, 'waiting' from unnest(${`{${item_ids.join(',')}}`}::integer[]) as item_id`)
  return bulk_job_id
}

/** A job with the account of its author. */
export async function findBulkJob(on: Reader, bulk_job_id: number): Promise<(BulkJobRow & { uid: string | null }) | null> {
  const [row] = await on
    .select({ job: bulkJob, uid: staff.uid })
    .from(bulkJob)
    .innerJoin(staff, eq(staff.staff_id, bulkJob.staff_id))
    .where(eq(bulkJob.bulk_job_id, bulk_job_id))
  return row ? { ...row.job, uid: row.uid } : null
}

/** The finished jobs of a staff member since an instant that changed something, the newest first. */
export async function listFinishedJobs(on: Reader, staff_id: number, since: Date): Promise<BulkJobRow[]> {
  return on
    .select()
    .from(bulkJob)
    .where(
      and(
        eq(bulkJob.staff_id, staff_id),
        eq(bulkJob.state, 'done'),
        gte(bulkJob.finishedAt, since),
        sql`exists (select 1 from bulk_item i where i.bulk_job_id = ${bulkJob.bulk_job_id} and i.state = 'done')`,
      ),
    )
    .orderBy(desc(bulkJob.bulk_job_id))
    .limit(50)
}

/** Moves a job from one of some states to another; false when it is in none of them. */
export async function moveBulkJob(
  tx: Tx,
  bulk_job_id: number,
  from: readonly BulkJobRow['state'][],
  to: Pick<typeof bulkJob.$inferInsert, 'state' | 'finishedAt' | 'rights' | 'api_key_id'>,
): Promise<boolean> {
  const moved = await tx
    .update(bulkJob)
    .set(to)
    .where(and(eq(bulkJob.bulk_job_id, bulk_job_id), inArray(bulkJob.state, [...from])))
    .returning({ id: bulkJob.bulk_job_id })
  return moved.length > 0
}

export async function listBulkItems(on: Reader, bulk_job_id: number, state: ItemState, limit: number): Promise<number[]> {
  const rows = await on
    .select({ item_id: bulkItem.item_id })
    .from(bulkItem)
    .where(and(eq(bulkItem.bulk_job_id, bulk_job_id), eq(bulkItem.state, state)))
    .orderBy(asc(bulkItem.item_id))
    .limit(limit)
  return rows.map((row) => row.item_id)
}

const isItem = (bulk_job_id: number, item_id: number) => and(eq(bulkItem.bulk_job_id, bulk_job_id), eq(bulkItem.item_id, item_id))

/** An item of this state, locked; null when it is in another one by now. */
export async function lockBulkItem(tx: Tx, bulk_job_id: number, item_id: number, state: ItemState): Promise<{ undo: unknown } | null> {
  const [row] = await tx
    .select({ undo: bulkItem.undo, state: bulkItem.state })
    .from(bulkItem)
    .where(isItem(bulk_job_id, item_id))
    .for('update')
  return row?.state === state ? { undo: row.undo } : null
}

/** Records the reason why all items of a state are left unchanged. */
export async function refuseBulkItems(
  tx: Tx,
  bulk_job_id: number,
  from: ItemState,
  change: { state: ItemState; code: string; message: string },
): Promise<void> {
  await tx
    .update(bulkItem)
    .set(change)
    .where(and(eq(bulkItem.bulk_job_id, bulk_job_id), eq(bulkItem.state, from)))
}

export async function updateBulkItem(
  tx: Tx,
  bulk_job_id: number,
  item_id: number,
  change: Pick<Partial<typeof bulkItem.$inferInsert>, 'state' | 'code' | 'message' | 'undo'>,
): Promise<void> {
  await tx.update(bulkItem).set(change).where(isItem(bulk_job_id, item_id))
}

const fullName = sql<string>`coalesce(trim(concat_ws(' ', ${customer.name}, ${customer.last_name})), '')`

/** SQL of the customer of an item, by what the job changes. */
const CUSTOMER_OF: Readonly<Record<BulkSubject, SQL>> = {
  customer: sql`${bulkItem.item_id}`,
  reservation: sql`(select r.customer_id from class_reservation r where r.class_reservation_id = ${bulkItem.item_id})`,
  purchase: sql`(select p.customer_id from purchase p where p.purchase_id = ${bulkItem.item_id})`,
}

/** How many items are in each state, and the first that did not change or could not be undone. */
export async function bulkProgress(
  on: Reader,
  { bulk_job_id, action }: Pick<BulkJobRow, 'bulk_job_id' | 'action'>,
  shown: number,
): Promise<{ counts: ReadonlyMap<ItemState, number>; refused: BulkRefused[] }> {
  const [counts, refused] = await Promise.all([
    on
      .select({ state: bulkItem.state, n: sql<number>`count(*)::int` })
      .from(bulkItem)
      .where(eq(bulkItem.bulk_job_id, bulk_job_id))
      .groupBy(bulkItem.state),
    on
      .select({ id: bulkItem.item_id, name: fullName, code: sql<string>`${bulkItem.code}`, message: sql<string>`${bulkItem.message}` })
      .from(bulkItem)
      .leftJoin(customer, eq(customer.customer_id, CUSTOMER_OF[BULK_SUBJECTS[action]]))
      .where(and(eq(bulkItem.bulk_job_id, bulk_job_id), inArray(bulkItem.state, ['refused', 'stayed'])))
      .orderBy(asc(bulkItem.item_id))
      .limit(shown),
  ])
  return { counts: new Map(counts.map(({ state, n }) => [state, n])), refused }
}

export async function deleteOldBulkJobs(tx: Tx, before: Date): Promise<void> {
  await tx.delete(bulkJob).where(lt(bulkJob.createdAt, before))
}

/** What a dry run reads of each customer; customers that do not exist are missing. */
export interface BulkFacts {
  customer_id: number
  name: string
  tags: number
  has_tag: boolean
  /** Credits that can be used and have a last day, that can be used, and that are frozen. */
  expiring: number
  usable: number
  frozen: number
  has_account: boolean
  has_email: boolean
  /** Invited to create an account within the last seven days. */
  is_invited: boolean
  is_archived: boolean
  is_subscriber: boolean
  /**
   * Live subscriptions that freezing pauses, that were paused with the customer (also those that wait for their day), and that are overdue.
   */
  charged: number
  paused: number
  overdue: number
  owes: boolean
  has_open_purchase: boolean
  /** Has a place, or waits for one, in a class to come. */
  is_booked: boolean
}

/** Facts of customers in one query; `tag_id` null when no tag is concerned. */
export async function listBulkFacts(on: Reader, customer_ids: readonly number[], tag_id: number | null, now: Date): Promise<BulkFacts[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const exists = (rows: SQL) => sql<boolean>`exists (select 1 from ${rows})`
  // With one table in `from`, the query builder writes column names without it; the subqueries need them qualified.
  const creditLots = (which: SQL) => sql<number>`(select count(*)::int from available_class a
    where a.customer_id = customer.customer_id and a."revokedAt" is null and (a.unlimited or a.balance > 0)
      and (a.expires_at is null or a.expires_at > ${now.toISOString()}::timestamptz or a."frozenAt" is not null) and ${which})`
  const subscriptions = (which: SQL) => sql<number>`(select count(*)::int from purchase p
    where p.customer_id = customer.customer_id and p.status = 'active' and ${which})`
  return on
    .select({
      customer_id: customer.customer_id,
      name: fullName,
      tags: sql<number>`(select count(*)::int from customer_tag t where t.customer_id = customer.customer_id)`,
      has_tag: sql<boolean>`exists (select 1 from customer_tag t where t.customer_id = customer.customer_id and t.tag_id = ${tag_id ?? 0})`,
      expiring: creditLots(sql`a."frozenAt" is null and a.expires_at is not null`),
      usable: creditLots(sql`a."frozenAt" is null`),
      frozen: creditLots(sql`a."frozenAt" is not null`),
      has_account: sql<boolean>`customer.uid is not null`,
      has_email: sql<boolean>`customer.email is not null`,
      is_invited: exists(sql`message m where m.customer_id = customer.customer_id and m.event = 'account_invite' and m.channel = 'mail'
        and m."createdAt" > ${at} - interval '7 days'`),
      is_archived: sql<boolean>`customer."archivedAt" is not null`,
      charged: subscriptions(sql`p.paused_since is null`),
      paused: sql<number>`(${subscriptions(sql`p.paused_with_customer`)} + (select count(*)::int from pending_subscription n
        where n.customer_id = customer.customer_id and n.paused_with_customer and n.purchase_id is null and n."cancelledAt" is null))`,
      overdue: subscriptions(sql`p.past_due_since is not null`),
      is_subscriber: exists(sql`purchase p where p.customer_id = customer.customer_id and p.status = 'active'`),
      owes: sql<boolean>`(${exists(sql`sale s where s.customer_id = customer.customer_id and s.owed_centavos > 0`)}
        or ${exists(sql`class_reservation r where r.customer_id = customer.customer_id and r."deletedAt" is null and r.is_cash and not r.is_paid`)})`,
      has_open_purchase: exists(sql`purchase p where p.customer_id = customer.customer_id and p.status = 'pending'`),
      is_booked: sql<boolean>`(${exists(sql`class_reservation r join single_class c using (single_class_id)
          where r.customer_id = customer.customer_id and r."deletedAt" is null and c.starts_at > ${at}`)}
        or ${exists(sql`waitlist w join single_class c using (single_class_id)
          where w.customer_id = customer.customer_id and w.status in ('waiting', 'offered') and c.starts_at > ${at}`)})`,
    })
    .from(customer)
    .where(and(sql`${customer.customer_id} in (select unnest(${`{${customer_ids.join(',')}}`}::integer[]))`, isNull(customer.deletedAt)))
    .orderBy(asc(customer.customer_id))
}

/** The name of a customers' tag; null when there is none. */
export async function findTagName(on: Reader, tag_id: number): Promise<string | null> {
  const [row] = await on
    .select({ name: tag.name })
    .from(tag)
    .where(and(eq(tag.tag_id, tag_id), eq(tag.type, 'customer')))
  return row?.name ?? null
}

/** What a dry run reads of each reservation; guests' and missing ones are left out. */
export interface BulkReservationFacts {
  class_reservation_id: number
  customer_id: number
  name: string
  single_class_id: number
  is_cancelled: boolean
  /** The class has ended, or was cancelled. */
  is_over: boolean
  /** At a location where the author works. */
  is_here: boolean
  /** The customer has a place in the class to which it would move. */
  is_in_target: boolean
}

export async function listBulkReservations(
  on: Reader,
  ids: readonly number[],
  about: { now: Date; locations: readonly number[] | null; target: number | null },
): Promise<BulkReservationFacts[]> {
  const { now, locations, target } = about
  const { rows } = await on.execute<BulkReservationFacts & Record<string, unknown>>(sql`
    select r.class_reservation_id, r.customer_id, trim(concat_ws(' ', u.name, u.last_name)) as name, r.single_class_id,
      r."deletedAt" is not null as is_cancelled, (c.ends_at <= ${now.toISOString()}::timestamptz or c."cancelledAt" is not null) as is_over,
      ${locations === null ? sql`true` : sql`c.location_id = any(${integerArray(locations)})`} as is_here,
      exists (select 1 from class_reservation o where o.single_class_id = ${target ?? 0} and o.customer_id = r.customer_id and o."deletedAt" is null) as is_in_target
    from class_reservation r join single_class c using (single_class_id) join customer u using (customer_id)
    where r.class_reservation_id = any(${integerArray(ids)}) and r.host_reservation_id is null`)
  return rows
}

/** What a dry run reads of each purchase. Those of other locations are left out (E14). */
export interface BulkPurchaseFacts {
  purchase_id: number
  name: string
  /** Waits for its money. */
  is_waiting: boolean
  has_receipt: boolean
  has_email: boolean
  /** Of its latest charge; null without one. */
  period: string | null
}

export async function listBulkPurchases(
  on: Reader,
  ids: readonly number[],
  { now, locations }: { now: Date; locations: readonly number[] | null },
): Promise<BulkPurchaseFacts[]> {
  const { rows } = await on.execute<BulkPurchaseFacts & Record<string, unknown>>(sql`
    select p.purchase_id, trim(concat_ws(' ', u.name, u.last_name)) as name,
      p.status = 'pending' and p.hold_until > ${now.toISOString()}::timestamptz as is_waiting,
      p.status in ('active', 'completed') or i.period is not null as has_receipt, u.email is not null and u."deletedAt" is null as has_email, i.period
    from purchase p join customer u using (customer_id)
      left join lateral (select v.period from invoice v where v.purchase_id = p.purchase_id and v.status not in ('pending', 'void', 'failed')
        order by v."createdAt" desc, v.invoice_id desc limit 1) i on true
    where p.purchase_id = any(${integerArray(ids)})${
      locations === null
        ? sql``
        : sql` and (p.location_id is null or p.location_id = any(${integerArray(locations)})
            or exists (select 1 from invoice o where o.purchase_id = p.purchase_id and o.location_id = any(${integerArray(locations)})))`
    }`)
  return rows
}
