/** Queries of broadcasts and their recipients. */
import { and, asc, count, desc, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { BroadcastState, LeftOutReason } from '#contract/broadcasts.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import type { RecipientFacts } from './rules.ts'
import { broadcast, broadcastRecipient } from './tables.ts'

export type BroadcastRow = typeof broadcast.$inferSelect

export async function insertBroadcast(tx: Tx, row: typeof broadcast.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(broadcast).values(row).returning({ broadcast_id: broadcast.broadcast_id })).broadcast_id
}

/** Adds recipients; existing ones stay unchanged. */
export async function insertRecipients(tx: Tx, broadcast_id: number, customer_ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    insert into ${broadcastRecipient} (broadcast_id, customer_id, state)
    select ${broadcast_id}, customer_id, 'waiting' from ${customer}
    where customer_id in (select unnest(${`{${customer_ids.join(',')}}`}::integer[]))
    on conflict do nothing`)
}

/** Reads and locks a broadcast, so that pausing and sending wait for each other. */
export async function lockBroadcast(tx: Tx, broadcast_id: number): Promise<BroadcastRow | null> {
  const [row] = await tx.select().from(broadcast).where(eq(broadcast.broadcast_id, broadcast_id)).for('update')
  return row ?? null
}

export async function updateBroadcast(tx: Tx, broadcast_id: number, change: Partial<typeof broadcast.$inferInsert>): Promise<void> {
  await tx.update(broadcast).set(change).where(eq(broadcast.broadcast_id, broadcast_id))
}

/** A broadcast with the account of its author. */
export async function findBroadcast(on: Reader, broadcast_id: number): Promise<(BroadcastRow & { uid: string | null }) | null> {
  const [row] = await on
    .select({ broadcast, uid: staff.uid })
    .from(broadcast)
    .innerJoin(staff, eq(staff.staff_id, broadcast.staff_id))
    .where(eq(broadcast.broadcast_id, broadcast_id))
  return row ? { ...row.broadcast, uid: row.uid } : null
}

/** Broadcasts that should be sent by now, or were begun. */
export async function listDueBroadcasts(on: Reader, now: Date): Promise<number[]> {
  const rows = await on
    .select({ broadcast_id: broadcast.broadcast_id })
    .from(broadcast)
    .where(and(inArray(broadcast.state, ['scheduled', 'sending']), lte(broadcast.at, now)))
    .orderBy(asc(broadcast.at))
  return rows.map((row) => row.broadcast_id)
}

/** Recipients that are not decided yet, by id. */
export async function listWaiting(tx: Tx, broadcast_id: number, limit: number): Promise<number[]> {
  const rows = await tx
    .select({ customer_id: broadcastRecipient.customer_id })
    .from(broadcastRecipient)
    .where(and(eq(broadcastRecipient.broadcast_id, broadcast_id), eq(broadcastRecipient.state, 'waiting')))
    .orderBy(asc(broadcastRecipient.customer_id))
    .limit(limit)
  return rows.map((row) => row.customer_id)
}

/** Records what was decided about some recipients. */
export async function settleRecipients(
  tx: Tx,
  broadcast_id: number,
  customer_ids: readonly number[],
  to: { state: 'queued'; queuedAt: Date } | { state: 'left_out'; reason: LeftOutReason },
): Promise<void> {
  if (customer_ids.length === 0) return
  await tx
    .update(broadcastRecipient)
    .set(to)
    .where(and(eq(broadcastRecipient.broadcast_id, broadcast_id), inArray(broadcastRecipient.customer_id, [...customer_ids])))
}

/**
 * Makes the batches of all broadcasts wait for each other until the transaction ends: two at once would each count the other's promotions
 * as not sent, and a person would get more than the limit.
 */
export async function lockWeeklyLimit(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('broadcast.weekly_limit'))`)
}

const consentTo = (channel: 'marketing' | 'whatsapp') =>
  sql<boolean>`coalesce((select m.allowed from message_consent m where m.customer_id = "customer"."customer_id" and m.channel = ${channel}), false)`

/** Facts of customers in one query, by name. `except`: the broadcast whose own messages do not count. */
export async function listRecipientFacts(
  on: Reader,
  customer_ids: readonly number[],
  { since, except }: { since: Date; except: number | null },
): Promise<RecipientFacts[]> {
  return on
    .select({
      customer_id: customer.customer_id,
      name: sql<string>`trim(concat_ws(' ', ${customer.name}, ${customer.last_name}))`,
      gone: sql<boolean>`${customer.deletedAt} is not null`,
      has_email: sql<boolean>`${customer.email} is not null`,
      has_phone: sql<boolean>`${customer.phone} is not null`,
      has_account: sql<boolean>`${customer.uid} is not null`,
      promotions: consentTo('marketing'),
      whatsapp: consentTo('whatsapp'),
      recent: sql<number>`(select count(*)::int from broadcast_recipient r join broadcast b using (broadcast_id)
        where r.customer_id = "customer"."customer_id" and r."queuedAt" > ${since.toISOString()}::timestamptz
          and b.is_promotion and b.broadcast_id <> ${except ?? 0})`,
    })
    .from(customer)
    .where(sql`${customer.customer_id} in (select unnest(${`{${customer_ids.join(',')}}`}::integer[]))`)
    .orderBy(asc(customer.name), asc(customer.last_name), asc(customer.customer_id))
}

/** The customers with a place in a class; null when there is no such class. The hosts of guests only. */
export async function listClassCustomers(on: Reader, single_class_id: number): Promise<number[]> {
  const rows = await on
    .selectDistinct({ customer_id: classReservation.customer_id })
    .from(classReservation)
    .where(and(eq(classReservation.single_class_id, single_class_id), isNull(classReservation.deletedAt)))
  return rows.map((row) => row.customer_id)
}

/** What a class is called: its type, start and zone, and where it is; null when there is none. */
export async function findClassName(
  on: Reader,
  single_class_id: number,
): Promise<{ name: string; starts_at: Date; zone: string; location_id: number } | null> {
  const { rows } = await on.execute<{ name: string; starts_at: string; zone: string; location_id: number }>(sql`
    select t.name, c.starts_at, l.timezone as zone, c.location_id from single_class c
      join class_type t using (class_type_id) join location l using (location_id) where c.single_class_id = ${single_class_id}`)
  const [row] = rows
  return row ? { ...row, starts_at: new Date(row.starts_at) } : null
}

/** How the `about` of the messages of a broadcast is written. */
export const broadcastAbout = (broadcast_id: number): string => `broadcast:${broadcast_id}`

const messagesWhere = (which: SQL) =>
  sql<number>`(select count(*)::int from message m where m.event = 'broadcast' and m.about = 'broadcast:' || "broadcast"."broadcast_id" and ${which})`
const recipientsWhere = (which: SQL) =>
  sql<number>`(select count(*)::int from broadcast_recipient r where r.broadcast_id = "broadcast"."broadcast_id" and ${which})`

/** The locations whose broadcasts are read; null = all. One about a class is of the class's location, every other one of none. */
type Locations = readonly number[] | null

function broadcastAt(locations: Locations): SQL | undefined {
  if (locations === null) return undefined
  const named = sql`${broadcast.audience} ->> 'single_class_id'`
  const cls = sql`case when ${named} ~ '^[0-9]{1,9}$' then (${named})::integer end`
  return sql`((${cls}) is null or exists (select 1 from single_class c where c.single_class_id = ${cls}
    and c.location_id = any(${`{${locations.join(',')}}`}::integer[])))`
}

/** Broadcasts of the locations with their figures, newest first. */
export async function listBroadcasts(
  on: Reader,
  locations: Locations,
  which: { broadcast_id: number } | { limit: number; offset: number },
) {
  return on
    .select({
      row: broadcast,
      by: staff.name,
      total: recipientsWhere(sql`true`),
      done: recipientsWhere(sql`r.state <> 'waiting'`),
      left_out: recipientsWhere(sql`r.state = 'left_out'`),
      unsubscribed: recipientsWhere(sql`r."unsubscribedAt" is not null`),
      sent: messagesWhere(sql`m.status in ('sent', 'delivered', 'read', 'unknown')`),
      failed: messagesWhere(sql`m.status = 'failed'`),
      waiting: messagesWhere(sql`m.status in ('waiting', 'sending')`),
    })
    .from(broadcast)
    .innerJoin(staff, eq(staff.staff_id, broadcast.staff_id))
    .where(and(broadcastAt(locations), 'limit' in which ? undefined : eq(broadcast.broadcast_id, which.broadcast_id)))
    .orderBy(desc(broadcast.createdAt), desc(broadcast.broadcast_id))
    .limit('limit' in which ? which.limit : 1)
    .offset('limit' in which ? which.offset : 0)
}

export const countBroadcasts = async (on: Reader, locations: Locations): Promise<number> =>
  singleRow(await on.select({ n: count() }).from(broadcast).where(broadcastAt(locations))).n

/** Customers who were left out, with the reason; the first by id, and how many by reason. */
export async function listLeftOut(on: Reader, broadcast_id: number, limit: number) {
  const isLeftOut = and(eq(broadcastRecipient.broadcast_id, broadcast_id), eq(broadcastRecipient.state, 'left_out'))
  const reason = sql<LeftOutReason>`${broadcastRecipient.reason}`
  const [people, counts] = await Promise.all([
    on
      .select({
        customer_id: broadcastRecipient.customer_id,
        name: sql<string>`trim(concat_ws(' ', ${customer.name}, ${customer.last_name}))`,
        reason,
      })
      .from(broadcastRecipient)
      .innerJoin(customer, eq(customer.customer_id, broadcastRecipient.customer_id))
      .where(isLeftOut)
      .orderBy(asc(broadcastRecipient.customer_id))
      .limit(limit),
    on.select({ reason, count: count() }).from(broadcastRecipient).where(isLeftOut).groupBy(broadcastRecipient.reason),
  ])
  return { people, counts }
}

/** The state of a broadcast and of its author's person, for the check right before a message is sent. */
export async function findSendState(
  on: Reader,
  { broadcast_id, customer_id }: { broadcast_id: number; customer_id: number },
): Promise<{ state: BroadcastState; is_promotion: boolean; promotions: boolean } | null> {
  const [row] = await on
    .select({ state: broadcast.state, is_promotion: broadcast.is_promotion, promotions: consentTo('marketing') })
    .from(broadcast)
    .innerJoin(customer, eq(customer.customer_id, customer_id))
    .where(eq(broadcast.broadcast_id, broadcast_id))
  return row ?? null
}

/** Records by which broadcast a person stopped promotions, or allowed them again. */
export async function markUnsubscribed(
  tx: Tx,
  { broadcast_id, customer_id }: { broadcast_id: number; customer_id: number },
  at: Date | null,
): Promise<void> {
  await tx
    .update(broadcastRecipient)
    .set({ unsubscribedAt: at })
    .where(and(eq(broadcastRecipient.broadcast_id, broadcast_id), eq(broadcastRecipient.customer_id, customer_id)))
}
