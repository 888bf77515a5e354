/**
 * Queries of merging two customers (docs/domain.md X8 to X11). Every table with a column `customer_id` is in `movedTables` or in
 * `unmovedTables`; a test compares both with the schema.
 */
import { and, asc, desc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { MergeMove, MergeObstacle } from '#contract/copy/customer-merge.ts'
import { customer } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { customerDistinct, customerMerge } from './tables.ts'

export type MergeRow = typeof customerMerge.$inferSelect
type CustomerRow = typeof customer.$inferSelect

interface MovedTable {
  table: string
  /** SQL of what identifies a row, as text; `t` is the row. */
  key: string
  /** The kind under which staff see it counted; null: it is moved along with another. */
  kind: MergeMove | null
  /** Columns in which a row of the remaining customer (`k`) may equal that of the merged one (`t`): the row of `t` is then not moved. */
  same?: readonly string[]
  /** Further SQL under which a row stays where it is; `t` is the row. */
  stays?: string
  /** A column that numbers the customer's rows per `of`: moved rows are numbered after those of the remaining customer. */
  slot?: { column: string; of: string }
}

const oneKey = (table: string, kind: MergeMove | null, key = `${table}_id`): MovedTable => ({ table, key: `t.${key}::text`, kind })

/** Moved in this order. */
export const movedTables: readonly MovedTable[] = [
  oneKey('class_reservation', 'reservations'),
  oneKey('waitlist', 'waitlists'),
  { table: 'class_refusal', key: 't.single_class_id::text', kind: null, same: ['single_class_id'] },
  oneKey('class_reservation_penalty', 'penalties'),
  oneKey('available_class', 'credits'),
  // After the lots: the guard of movements compares with the lot.
  oneKey('credit_movement', null),
  { ...oneKey('purchase', 'purchases'), slot: { column: 'limit_slot', of: 'class_package_id' } },
  { table: 'discount_use', key: 't.purchase_id::text', kind: null, slot: { column: 'slot', of: 'discount_id' } },
  oneKey('invoice', 'charges'),
  oneKey('sale', 'sales'),
  oneKey('gift_card_order', null, 'purchase_id'),
  { table: 'provider_customer', key: 't.gateway', kind: null, same: ['gateway'] },
  {
    ...oneKey('payment_source', 'cards'),
    // A card can be charged only under its own customer at the processor, and the same card is not saved twice.
    stays: `exists (select 1 from provider_customer p where p.customer_id = t.customer_id and p.gateway = t.gateway)
      or (t."deletedAt" is null and exists (select 1 from payment_source k where k.customer_id = :keep and k.gateway = t.gateway
        and k.fingerprint = t.fingerprint and k."deletedAt" is null))`,
  },
  oneKey('customer_note', 'notes'),
  oneKey('past_purchase', 'purchases'),
  oneKey('past_visit', null),
  oneKey('pending_subscription', 'purchases'),
  { table: 'customer_tag', key: 't.tag_id::text', kind: 'tags', same: ['tag_id'] },
  { table: 'form_answer', key: 't.form_id::text', kind: 'forms', same: ['form_id'] },
  { table: 'accepted_page', key: `t.page_id || '.' || t.version`, kind: 'documents', same: ['page_id', 'version'] },
  oneKey('file', 'files'),
  oneKey('address', 'addresses', '"Address_id"'),
  oneKey('fiscal_profile', null),
  oneKey('fiscal_document', null),
  { ...oneKey('message', 'messages'), same: ['event', 'about', 'channel'] },
  { table: 'message_consent', key: 't.channel', kind: null, same: ['channel'] },
  { table: 'broadcast_recipient', key: 't.broadcast_id::text', kind: null, same: ['broadcast_id'] },
  { table: 'playback', key: 't.video_id::text', kind: 'videos', same: ['video_id'] },
  { table: 'favorite', key: 't.video_id::text', kind: 'videos', same: ['video_id'] },
  { table: 'video_rating', key: 't.video_id::text', kind: 'videos', same: ['video_id'] },
]

/** Tables with a column `customer_id` whose rows stay with the merged record, and why. */
export const unmovedTables: Readonly<Record<string, string>> = {
  audit: 'Record of what was done, and to which record.',
  calendar_feed: 'The secret address of the calendar ends with the record.',
  cash_payment: 'The counter as a processor; its charges move.',
  customer_change: 'Queue of summaries to derive again; the triggers of the moved tables fill it.',
  customer_erasure: 'A request to erase concerns one record; a merge into another ends it.',
  customer_summary: 'Derived.',
  external_record: 'What was imported of the record that it made.',
  external_ref: 'Leads to the kept record by `merged_into`.',
  import_row: 'Undoing an import concerns the record that it made.',
  purchase_visit: 'Idempotency keys of checkouts that are over.',
  rollup_change: 'Queue of rollups to derive again; the triggers of the moved reservations fill it.',
  staff_undo: 'What can be taken back for ten minutes concerns the record that it changed.',
  sandbox_customer: 'The test processor, which keeps its own ids.',
  visit_first: 'Derived.',
  visit_month: 'Derived.',
}

const column = (name: string): SQL => sql.raw(`"${name}"`)

function staysSql({ table, same, stays }: MovedTable, keep_id: number): SQL {
  const conditions: SQL[] = []
  if (same)
    conditions.push(
      sql`exists (select 1 from ${column(table)} k where k.customer_id = ${keep_id} and ${sql.join(
        same.map((name) => sql`k.${column(name)} = t.${column(name)}`),
        sql` and `,
      )})`,
    )
  if (stays)
    conditions.push(
      ...[stays.split(':keep')].map((parts) =>
        sql.join(
          parts.map((part) => sql.raw(part)),
          sql`${keep_id}`,
        ),
      ),
    )
  return conditions.length > 0 ? sql`not (${sql.join(conditions, sql` or `)})` : sql`true`
}

/** Moves the rows of one customer to another: the keys of those that moved, and the numbers that they had. */
export async function moveRows(
  tx: Tx,
  moved: MovedTable,
  from: number,
  to: number,
): Promise<{ keys: string[]; slots: Record<string, number> }> {
  const { table, key, slot } = moved
  const numbers: Record<string, number> = {}
  if (slot) {
    const { rows } = await tx.execute<{ key: string; n: number }>(
      sql`select ${sql.raw(key)} as key, t.${column(slot.column)} as n from ${column(table)} t
          where t.customer_id = ${from} and t.${column(slot.column)} is not null`,
    )
    for (const row of rows) numbers[row.key] = row.n
  }
  const behind = slot
    ? sql`, ${column(slot.column)} = t.${column(slot.column)} + coalesce((select max(k.${column(slot.column)}) from ${column(table)} k
        where k.customer_id = ${to} and k.${column(slot.of)} = t.${column(slot.of)}), 0)`
    : sql``
  const { rows } = await tx.execute<{ key: string }>(
    sql`update ${column(table)} t set customer_id = ${to} ${behind}
        where t.customer_id = ${from} and ${staysSql(moved, to)} returning ${sql.raw(key)} as key`,
  )
  return { keys: rows.map((row) => row.key), slots: numbers }
}

/** Moves the rows with these keys back; how many are no longer there. */
export async function returnRows(
  tx: Tx,
  { table, key, slot }: MovedTable,
  back: { from: number; to: number; keys: readonly string[]; slots: Readonly<Record<string, number>> },
): Promise<number> {
  if (back.keys.length === 0) return 0
  const numbers = slot ? sql`, ${column(slot.column)} = (${JSON.stringify(back.slots)}::jsonb ->> ${sql.raw(key)})::integer` : sql``
  const { rowCount } = await tx.execute(
    sql`update ${column(table)} t set customer_id = ${back.to} ${numbers}
        where t.customer_id = ${back.from} and ${sql.raw(key)} = any(${sql.param([...back.keys])}::text[])`,
  )
  return back.keys.length - (rowCount ?? 0)
}

/** Withdraws the consents that the merged customer refused and the remaining one gave; returns their channels. */
export async function restrictConsents(tx: Tx, { keep, merge }: { keep: number; merge: number }): Promise<string[]> {
  const { rows } = await tx.execute<{ channel: string }>(sql`
    update message_consent k set allowed = false from message_consent m
    where k.customer_id = ${keep} and m.customer_id = ${merge} and m.channel = k.channel and k.allowed and not m.allowed returning k.channel`)
  return rows.map((row) => row.channel)
}

export async function allowConsents(tx: Tx, customer_id: number, channels: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update message_consent set allowed = true where customer_id = ${customer_id} and channel = any(${sql.param([...channels])}::text[])`)
}

/** What prevents merging `merge` into `keep`, with the class or package that it is about. */
export async function listObstacles(
  tx: Tx,
  { keep, merge }: { keep: number; merge: number },
): Promise<{ kind: MergeObstacle; name: string; starts_at: string | null; zone: string | null }[]> {
  const ofClass = sql.raw(
    `join single_class c using (single_class_id) join class_type y using (class_type_id) join location l using (location_id)`,
  )
  const { rows } = await tx.execute<{ kind: MergeObstacle; name: string; starts_at: string | null; zone: string | null }>(sql`
    select 'same_class' as kind, y.name, c.starts_at::text, l.timezone as zone
      from class_reservation r ${ofClass}
      where r.customer_id = ${merge} and r."deletedAt" is null and r.host_reservation_id is null and exists (
        select 1 from class_reservation k where k.customer_id = ${keep} and k.single_class_id = r.single_class_id
          and k."deletedAt" is null and k.host_reservation_id is null)
    union all
    select 'same_waitlist', y.name, c.starts_at::text, l.timezone
      from waitlist w ${ofClass}
      where w.customer_id = ${merge} and w.status in ('waiting', 'offered') and exists (
        select 1 from waitlist k where k.customer_id = ${keep} and k.single_class_id = w.single_class_id and k.status in ('waiting', 'offered'))
    union all
    select 'open_purchase', p.title, null, null from purchase p
      where p.customer_id in (${merge}, ${keep}) and p.status = 'pending' and (p.is_exclusive or p.sale_id is not null)
    union all
    select 'subscription', p.title, null, null from purchase p
      where p.customer_id = ${merge} and p.is_subscription and p.status = 'active'
        and exists (select 1 from provider_customer a where a.customer_id = ${merge} and a.gateway = p.gateway)
        and exists (select 1 from provider_customer b where b.customer_id = ${keep} and b.gateway = p.gateway)`)
  return rows
}

/** Locks both customers in the order of their ids; what concerns them waits until the transaction ends. */
export async function lockBoth(tx: Tx, ids: readonly [number, number]): Promise<CustomerRow[]> {
  return tx
    .select()
    .from(customer)
    .where(inArray(customer.customer_id, [...ids]))
    .orderBy(asc(customer.customer_id))
    .for('update')
}

/** Records that were merged into `from` earlier lead to `to` now; their ids. */
export async function moveMergedRecords(tx: Tx, from: number, to: number): Promise<number[]> {
  const rows = await tx
    .update(customer)
    .set({ merged_into: to })
    .where(eq(customer.merged_into, from))
    .returning({ customer_id: customer.customer_id })
  return rows.map((row) => row.customer_id)
}

export async function setMergedInto(tx: Tx, customer_ids: readonly number[], into: number | null): Promise<void> {
  if (customer_ids.length === 0) return
  await tx
    .update(customer)
    .set({ merged_into: into })
    .where(inArray(customer.customer_id, [...customer_ids]))
}

/** A customer's row, also of one that was merged into another; null when there is none. */
export async function findRecord(db: Reader, customer_id: number): Promise<CustomerRow | null> {
  return (await listRecords(db, [customer_id])).get(customer_id) ?? null
}

export async function insertMerge(tx: Tx, values: typeof customerMerge.$inferInsert): Promise<MergeRow> {
  return singleRow(await tx.insert(customerMerge).values(values).returning())
}

/** Adds what moved later to a merge. */
export async function addMoved(
  tx: Tx,
  { customer_merge_id, ...row }: MergeRow,
  moved: Readonly<Record<string, string[]>>,
  slots: Readonly<Record<string, Record<string, number>>>,
): Promise<void> {
  const all = { ...row.moved }
  for (const [table, keys] of Object.entries(moved)) all[table] = [...(all[table] ?? []), ...keys]
  const numbers = { ...row.slots }
  for (const [table, more] of Object.entries(slots)) numbers[table] = { ...numbers[table], ...more }
  await tx.update(customerMerge).set({ moved: all, slots: numbers }).where(eq(customerMerge.customer_merge_id, customer_merge_id))
}

/** Saved cards of a customer that can be used. */
export async function countCards(tx: Tx, customer_id: number): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(
    sql`select count(*)::int as n from payment_source where customer_id = ${customer_id} and "deletedAt" is null`,
  )
  return rows[0]?.n ?? 0
}

export async function lockMerge(tx: Tx, customer_merge_id: number): Promise<MergeRow | null> {
  const [row] = await tx.select().from(customerMerge).where(eq(customerMerge.customer_merge_id, customer_merge_id)).for('update')
  return row ?? null
}

/** The latest merge into a customer after a moment that was not undone. */
export async function findLatestMerge(db: Reader, keep_id: number, after: Date): Promise<MergeRow | null> {
  const [row] = await db
    .select()
    .from(customerMerge)
    .where(and(eq(customerMerge.keep_id, keep_id), isNull(customerMerge.undoneAt), gt(customerMerge.createdAt, after)))
    .orderBy(desc(customerMerge.customer_merge_id))
    .limit(1)
  return row ?? null
}

/** Whether a later merge, of or into this customer, was not undone. */
export async function hasLaterMerge(tx: Tx, customer_id: number, since: Date): Promise<boolean> {
  const rows = await tx
    .select({ id: customerMerge.customer_merge_id })
    .from(customerMerge)
    .where(
      and(
        sql`${customer_id} in (${customerMerge.keep_id}, ${customerMerge.merge_id})`,
        isNull(customerMerge.undoneAt),
        sql`${customerMerge.createdAt} > ${since.toISOString()}`,
      ),
    )
  return rows.length > 0
}

export async function markUndone(tx: Tx, customer_merge_id: number, now: Date): Promise<void> {
  await tx.update(customerMerge).set({ undoneAt: now }).where(eq(customerMerge.customer_merge_id, customer_merge_id))
}

/** Whether anything of a customer was made or changed after a moment. */
export async function hasLaterActivity(tx: Tx, customer_id: number, since: Date): Promise<boolean> {
  const later = (table: string, name: string) =>
    sql`exists (select 1 from ${column(table)} where customer_id = ${customer_id} and ${column(name)} > ${since.toISOString()})`
  const { rows } = await tx.execute<{ has_later: boolean }>(sql`
    select ${sql.join(
      [
        ...['class_reservation', 'waitlist', 'purchase'].map((table) => later(table, 'updatedAt')),
        ...['credit_movement', 'invoice', 'sale', 'class_reservation_penalty', 'payment_source'].map((table) => later(table, 'createdAt')),
      ],
      sql` or `,
    )} as has_later`)
  return rows[0]?.has_later ?? false
}

export interface DuplicateCandidate extends Record<string, unknown> {
  first: number
  second: number
  same_name: boolean
  same_birthday: boolean
}

/**
 * Pairs that may be the same person: the same whole name; the same first name and birthday; or the same first name and nearly the same
 * email, which the caller compares. Without pairs that staff marked as different persons.
 */
export async function listCandidates(db: Reader, most: number): Promise<DuplicateCandidate[]> {
  const { rows } = await db.execute<DuplicateCandidate>(sql`
    with person as materialized (
      select c.customer_id, s.sort_name, split_part(s.sort_name, ' ', 1) as first_name, c.birthdate,
        case when length(split_part(c.email, '@', 1)) >= 5 then split_part(c.email, '@', 1) end as mailbox
      from customer c join customer_summary s using (customer_id) where c."deletedAt" is null),
    near as (
      select a.customer_id as first, b.customer_id as second from person a join person b
        on a.sort_name = b.sort_name and a.customer_id < b.customer_id and position(' ' in a.sort_name) > 0
      union
      select a.customer_id, b.customer_id from person a join person b
        on a.first_name = b.first_name and a.birthdate = b.birthdate and a.customer_id < b.customer_id
      union
      select a.customer_id, b.customer_id from person a join person b
        on a.first_name = b.first_name and left(a.mailbox, 6) = left(b.mailbox, 6) and a.customer_id < b.customer_id
          and abs(length(a.mailbox) - length(b.mailbox)) <= 1
      union
      select a.customer_id, b.customer_id from person a join person b
        on a.first_name = b.first_name and right(a.mailbox, 5) = right(b.mailbox, 5) and a.customer_id < b.customer_id
          and abs(length(a.mailbox) - length(b.mailbox)) <= 1)
    select n.first, n.second, a.sort_name = b.sort_name and position(' ' in a.sort_name) > 0 as same_name,
      coalesce(a.birthdate = b.birthdate, false) as same_birthday
    from near n join person a on a.customer_id = n.first join person b on b.customer_id = n.second
    where not exists (select 1 from customer_distinct d where d.lower_id = n.first and d.higher_id = n.second)
      and not (a.sort_name = b.sort_name and coalesce(a.birthdate <> b.birthdate, false))
    order by (a.sort_name = b.sort_name)::integer + coalesce(a.birthdate = b.birthdate, false)::integer desc, n.first, n.second
    limit ${most}`)
  return rows
}

export async function listRecords(db: Reader, customer_ids: readonly number[]): Promise<ReadonlyMap<number, CustomerRow>> {
  if (customer_ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(customer)
    .where(inArray(customer.customer_id, [...new Set(customer_ids)]))
  return new Map(rows.map((row) => [row.customer_id, row]))
}

export async function insertDistinct(tx: Tx, lower_id: number, higher_id: number, now: Date): Promise<boolean> {
  const rows = await tx.insert(customerDistinct).values({ lower_id, higher_id, createdAt: now }).onConflictDoNothing().returning()
  return rows.length > 0
}
