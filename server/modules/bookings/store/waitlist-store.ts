/** Queries of the waitlist; the only writes to it. `single_class.held` is never written here: the database counts it. */
import { and, asc, desc, eq, getTableColumns, gt, inArray, lte, max, or, sql } from 'drizzle-orm'
import { waitlistEntry, waitlistOpening } from '#server/modules/bookings/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'

export type EntryRow = typeof waitlistEntry.$inferSelect
type EntryChange = Partial<typeof waitlistEntry.$inferInsert>

const isActive = inArray(waitlistEntry.status, ['waiting', 'offered'])
/** The order of the waitlist (W3). */
const inWaitlistOrder = [desc(waitlistEntry.priority), asc(waitlistEntry.createdAt), asc(waitlistEntry.waitlist_id)]

const activeOf = prepared('waitlist.active', (on: Tx) =>
  on
    .select()
    .from(waitlistEntry)
    .where(
      and(
        eq(waitlistEntry.single_class_id, sql.placeholder('single_class_id')),
        eq(waitlistEntry.customer_id, sql.placeholder('customer_id')),
        isActive,
      ),
    ),
)

/** A customer's active waitlist entry of a class; reliable only behind the class's lock. */
export async function findActiveEntry(tx: Tx, single_class_id: number, customer_id: number): Promise<EntryRow | null> {
  const [row] = await activeOf(tx).execute({ single_class_id, customer_id })
  return row ?? null
}

export async function findEntry(on: Reader, waitlist_id: number): Promise<EntryRow | null> {
  const [row] = await on.select().from(waitlistEntry).where(eq(waitlistEntry.waitlist_id, waitlist_id))
  return row ?? null
}

/** The active waitlist entries of a class, in order. */
export function listWaitlist(on: Reader, single_class_id: number): Promise<EntryRow[]> {
  return on
    .select()
    .from(waitlistEntry)
    .where(and(eq(waitlistEntry.single_class_id, single_class_id), isActive))
    .orderBy(...inWaitlistOrder)
}

/** Inserts a waitlist entry; null when the customer already has an active one. */
export async function insertEntry(tx: Tx, row: typeof waitlistEntry.$inferInsert): Promise<EntryRow | null> {
  const [inserted] = await tx.insert(waitlistEntry).values(row).onConflictDoNothing().returning()
  return inserted ?? null
}

export async function updateEntry(tx: Tx, waitlist_id: number, change: EntryChange): Promise<void> {
  await tx.update(waitlistEntry).set(change).where(eq(waitlistEntry.waitlist_id, waitlist_id))
}

/** Shortens the holds of a class to an instant, because booking now closes sooner. */
export async function capHolds(tx: Tx, single_class_id: number, until: Date): Promise<void> {
  await tx
    .update(waitlistEntry)
    .set({ offer_until: until })
    .where(
      and(eq(waitlistEntry.single_class_id, single_class_id), eq(waitlistEntry.status, 'offered'), gt(waitlistEntry.offer_until, until)),
    )
}

/** Closes the waitlist of a class: ends entries and holds. Returns the customers that were on it. */
export async function closeWaitlist(tx: Tx, single_class_id: number, at: Date): Promise<number[]> {
  const rows = await tx
    .update(waitlistEntry)
    .set({ status: 'closed', offer_until: null, updatedAt: at })
    .where(and(eq(waitlistEntry.single_class_id, single_class_id), isActive))
    .returning({ customer_id: waitlistEntry.customer_id })
  return rows.map((row) => row.customer_id)
}

/** Reopens the entries of a waitlist that was closed at that instant, except of customers who joined again since. */
export async function reopenWaitlist(tx: Tx, single_class_id: number, closedAt: Date, at: Date): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    update waitlist w set status = 'waiting', "updatedAt" = ${at.toISOString()}
    where w.single_class_id = ${single_class_id} and w.status = 'closed' and w."updatedAt" = ${closedAt.toISOString()} and not exists (
      select 1 from waitlist o where o.single_class_id = w.single_class_id and o.customer_id = w.customer_id and o.status in ('waiting', 'offered'))`)
  return rowCount ?? 0
}

/** Inserts an opening of a class; its id is higher than every earlier one's. */
export async function insertOpening(tx: Tx, single_class_id: number, createdAt: Date): Promise<number> {
  const [row] = await tx
    .insert(waitlistOpening)
    .values({ single_class_id, createdAt })
    .returning({ id: waitlistOpening.waitlist_opening_id })
  if (!row) throw new Error('An opening was not stored.')
  return row.id
}

/** The id of the newest opening of a class; 0 = none. */
export async function lastOpening(on: Reader, single_class_id: number): Promise<number> {
  const [row] = await on
    .select({ id: max(waitlistOpening.waitlist_opening_id) })
    .from(waitlistOpening)
    .where(eq(waitlistOpening.single_class_id, single_class_id))
  return row?.id ?? 0
}

/** The class of an opening. */
export async function findOpening(on: Reader, waitlist_opening_id: number) {
  const [row] = await on.select().from(waitlistOpening).where(eq(waitlistOpening.waitlist_opening_id, waitlist_opening_id))
  return row ?? null
}

/** Marks all entries as notified of this opening, which is announced to all of them at once. */
export async function markNotified(tx: Tx, single_class_id: number, opening: number): Promise<void> {
  await tx
    .update(waitlistEntry)
    .set({ opening })
    .where(and(eq(waitlistEntry.single_class_id, single_class_id), isActive))
}

/** A customer's waitlist entries of classes that have not begun, soonest class first, with their positions. */
export function listMine(on: Reader, customer_id: number, now: Date, waitlist_id?: number) {
  const ahead = sql<number>`(
    select count(*)::int from waitlist o where o.single_class_id = ${waitlistEntry.single_class_id} and o.status in ('waiting', 'offered')
      and (-o.priority, o."createdAt", o.waitlist_id) <= (-${waitlistEntry.priority}, ${waitlistEntry.createdAt}, ${waitlistEntry.waitlist_id}))`
  return on
    .select({ ...getTableColumns(waitlistEntry), position: ahead })
    .from(waitlistEntry)
    .innerJoin(singleClass, eq(singleClass.single_class_id, waitlistEntry.single_class_id))
    .where(
      and(
        eq(waitlistEntry.customer_id, customer_id),
        waitlist_id === undefined ? and(isActive, gt(singleClass.starts_at, now)) : eq(waitlistEntry.waitlist_id, waitlist_id),
      ),
    )
    .orderBy(asc(singleClass.starts_at), asc(waitlistEntry.waitlist_id))
}
export type MyEntry = Awaited<ReturnType<typeof listMine>>[number]

/** The waitlist of a class with names, for the studio. */
export function listWaitlistWithNames(on: Reader, single_class_id: number) {
  return on
    .select({ ...getTableColumns(waitlistEntry), name: customer.name, last_name: customer.last_name })
    .from(waitlistEntry)
    .innerJoin(customer, eq(customer.customer_id, waitlistEntry.customer_id))
    .where(and(eq(waitlistEntry.single_class_id, single_class_id), isActive))
    .orderBy(...inWaitlistOrder)
}

const waiting = prepared('waitlist.waiting', (on: Reader) =>
  on
    .select({
      waitlist_id: waitlistEntry.waitlist_id,
      single_class_id: waitlistEntry.single_class_id,
      status: waitlistEntry.status,
      offer_until: waitlistEntry.offer_until,
    })
    .from(waitlistEntry)
    .where(and(eq(waitlistEntry.customer_id, sql.placeholder('customer_id')), isActive)),
)

/** The active waitlist entries of a customer. */
export async function listWaits(on: Reader, customer_id: number) {
  const rows = await waiting(on).execute({ customer_id })
  return rows as { waitlist_id: number; single_class_id: number; status: 'waiting' | 'offered'; offer_until: Date | null }[]
}

/** Classes with an expired hold, and classes that began or were cancelled with an open waitlist. */
export async function listStale(on: Reader, now: Date, limit: number): Promise<number[]> {
  const rows = await on
    .selectDistinct({ id: waitlistEntry.single_class_id })
    .from(waitlistEntry)
    .innerJoin(singleClass, eq(singleClass.single_class_id, waitlistEntry.single_class_id))
    .where(
      and(isActive, or(lte(waitlistEntry.offer_until, now), lte(singleClass.starts_at, now), sql`${singleClass.cancelledAt} is not null`)),
    )
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Holds that are to be booked automatically and still are not; their job may have been lost. */
export async function listUnpromoted(on: Reader, before: Date, limit: number) {
  return on
    .select({ waitlist_id: waitlistEntry.waitlist_id, offers: waitlistEntry.offers })
    .from(waitlistEntry)
    .where(and(eq(waitlistEntry.status, 'offered'), eq(waitlistEntry.auto, true), lte(waitlistEntry.updatedAt, before)))
    .limit(limit)
}

/** Customers' holds in other classes that overlap those they have booked. */
export async function listOverlappingHolds(
  on: Reader,
  booked: readonly { customer_id: number; single_class_id: number; starts_at: Date; ends_at: Date }[],
): Promise<{ waitlist_id: number; single_class_id: number }[]> {
  const classes = JSON.stringify(
    booked.map(({ customer_id, single_class_id, starts_at, ends_at }) => ({ customer_id, single_class_id, starts_at, ends_at })),
  )
  const { rows } = await on.execute<{ waitlist_id: number; single_class_id: number }>(sql`
    select distinct w.waitlist_id, w.single_class_id from json_to_recordset(${classes}::json)
      as booked (customer_id integer, single_class_id integer, starts_at timestamptz, ends_at timestamptz)
    join waitlist w on w.customer_id = booked.customer_id and w.status = 'offered' and w.single_class_id <> booked.single_class_id
    join single_class c on c.single_class_id = w.single_class_id and c.starts_at < booked.ends_at and c.ends_at > booked.starts_at
      and c."cancelledAt" is null
    order by w.waitlist_id`)
  return rows
}
