/** Queries of bulk jobs and their items, and of what a dry run counts. */
import { and, asc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { BulkRefused } from '#contract/bulk.ts'
import { tag } from '#server/modules/catalogue/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { only, type Reader, type Tx } from '#server/platform/db.ts'
import { bulkItem, bulkJob } from './tables.ts'

export type BulkJobRow = typeof bulkJob.$inferSelect
type ItemState = (typeof bulkItem.$inferSelect)['state']

export async function insertBulkJob(tx: Tx, row: typeof bulkJob.$inferInsert, item_ids: readonly number[]): Promise<number> {
  const { bulk_job_id } = only(await tx.insert(bulkJob).values(row).returning({ bulk_job_id: bulkJob.bulk_job_id }))
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

/** Moves a job from one of some states to another; false when it is in none of them. */
export async function moveBulkJob(
  tx: Tx,
  bulk_job_id: number,
  from: readonly BulkJobRow['state'][],
  to: { state: BulkJobRow['state']; finishedAt?: Date },
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

export async function updateBulkItem(
  tx: Tx,
  bulk_job_id: number,
  item_id: number,
  change: Pick<Partial<typeof bulkItem.$inferInsert>, 'state' | 'code' | 'message' | 'undo'>,
): Promise<void> {
  await tx.update(bulkItem).set(change).where(isItem(bulk_job_id, item_id))
}

const fullName = sql<string>`coalesce(trim(concat_ws(' ', ${customer.name}, ${customer.last_name})), '')`

/** How many items are in each state, and the first that did not change or could not be undone. */
export async function bulkProgress(
  on: Reader,
  bulk_job_id: number,
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
      .leftJoin(customer, eq(customer.customer_id, bulkItem.item_id))
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
}

/** Facts of customers in one query; `tag_id` null when no tag is concerned. */
export async function listBulkFacts(on: Reader, customer_ids: readonly number[], tag_id: number | null, now: Date): Promise<BulkFacts[]> {
  // With one table in `from`, the query builder writes column names without it; the subqueries need them qualified.
  const creditLots = (which: SQL) => sql<number>`(select count(*)::int from available_class a
    where a.customer_id = customer.customer_id and a."revokedAt" is null and (a.unlimited or a.balance > 0)
      and (a.expires_at is null or a.expires_at > ${now.toISOString()}::timestamptz or a."frozenAt" is not null) and ${which})`
  return on
    .select({
      customer_id: customer.customer_id,
      name: fullName,
      tags: sql<number>`(select count(*)::int from customer_tag t where t.customer_id = customer.customer_id)`,
      has_tag: sql<boolean>`exists (select 1 from customer_tag t where t.customer_id = customer.customer_id and t.tag_id = ${tag_id ?? 0})`,
      expiring: creditLots(sql`a."frozenAt" is null and a.expires_at is not null`),
      usable: creditLots(sql`a."frozenAt" is null`),
      frozen: creditLots(sql`a."frozenAt" is not null`),
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
