/** Queries of the messages; the only writes to them. */
import { and, asc, count, desc, eq, gte, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Language } from '#contract/language.ts'
import { findMatchingCustomers, hasPushDevice, staffHasPushDevice } from '#server/modules/people/people.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { matchesSearch, searchPatterns } from '#server/platform/search.ts'
import type { Person } from './rules.ts'
import { message, messageConsent } from './tables.ts'

export type MessageRow = typeof message.$inferSelect
type NewMessage = typeof message.$inferInsert

export interface KnownPerson extends Person {
  name: string
  /** The language that they chose. */
  language: Language | null
}

const byMail = alias(messageConsent, 'by_mail')
const byWhatsApp = alias(messageConsent, 'by_whatsapp')

const customersByIds = prepared('messages.customers', (on: Reader) =>
  on
    .select({
      customer_id: customer.customer_id,
      name: customer.name,
      language: customer.language,
      email: customer.email,
      phone: customer.phone,
      mail: byMail.allowed,
      whatsapp: byWhatsApp.allowed,
      push: hasPushDevice,
    })
    .from(customer)
    .leftJoin(byMail, and(eq(byMail.customer_id, customer.customer_id), eq(byMail.channel, 'mail')))
    .leftJoin(byWhatsApp, and(eq(byWhatsApp.customer_id, customer.customer_id), eq(byWhatsApp.channel, 'whatsapp')))
    .where(and(sql`${customer.customer_id} = any(${sql.placeholder('ids')}::integer[])`, isNull(customer.deletedAt))),
)

/** Customers by id, without deleted ones, with their consents. */
export async function findCustomers(on: Reader, ids: readonly number[]): Promise<Map<number, KnownPerson>> {
  if (ids.length === 0) return new Map()
  const rows = await customersByIds(on).execute({ ids: [...ids] })
  return new Map(rows.map(({ customer_id, ...row }) => [customer_id, { kind: 'customer' as const, ...row }]))
}

/** Staff by id, without former members. */
export async function findStaff(on: Reader, ids: readonly number[]): Promise<Map<number, KnownPerson>> {
  if (ids.length === 0) return new Map()
  const rows = await on
    .select({ staff_id: staff.staff_id, name: staff.name, email: staff.email, push: staffHasPushDevice })
    .from(staff)
    .where(and(inArray(staff.staff_id, [...ids]), isNull(staff.disabledAt)))
  return new Map(
    rows.map(({ staff_id, ...row }) => [
      staff_id,
      { kind: 'staff' as const, language: null, phone: null, mail: null, whatsapp: null, ...row },
    ]),
  )
}

/** What is written of a message at first. */
type MessageDraft = Pick<
  NewMessage,
  'event' | 'about' | 'customer_id' | 'staff_id' | 'channel' | 'status' | 'texts' | 'nextAt' | 'mootAt' | 'createdAt' | 'sentAt'
>

/**
 * Inserts messages, except those that already exist, in one statement of fixed size: a confirmation is one of thousands when a week opens.
 */
export async function insertMessages(
  tx: Tx,
  rows: readonly MessageDraft[],
): Promise<Pick<MessageRow, 'message_id' | 'channel' | 'status' | 'nextAt'>[]> {
  const inserted = await tx.execute<{
    message_id: number
    channel: MessageRow['channel']
    status: MessageRow['status']
    nextAt: string
  }>(sql`
    insert into message (event, about, customer_id, staff_id, channel, status, words, "nextAt", "mootAt", "createdAt", "sentAt")
    select event, about, customer_id, staff_id, channel, status, texts, "nextAt", "mootAt", "createdAt", "sentAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as new_message (event text, about text, customer_id integer, staff_id integer, channel text,
      status text, texts jsonb, "nextAt" timestamptz, "mootAt" timestamptz, "createdAt" timestamptz, "sentAt" timestamptz)
    on conflict do nothing returning message_id, channel, status, "nextAt"`)
  return inserted.rows.map(({ nextAt, ...row }) => ({ ...row, nextAt: new Date(nextAt) }))
}

/** A message and the job that sends it. */
export interface Delivery {
  message_id: number
  job_id: string
}

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ message_id }) => message_id)
const oneOf = (ids: string) => sql`${message.message_id} = any(${sql.placeholder(ids)}::integer[])`

const claims = prepared('messages.claim', (on: Tx) =>
  on
    .update(message)
    .set({
      status: 'sending',
      claimedAt: sql`${sql.placeholder('now')}`,
      claimed_by: sql`(${sql.placeholder('jobs')}::text[])[array_position(${sql.placeholder('ids')}::integer[], ${message.message_id})]`,
      tries: sql`${message.tries} + 1`,
    })
    .where(and(oneOf('ids'), eq(message.status, 'waiting'), sql`${message.nextAt} <= ${sql.placeholder('now')}`))
    .returning(),
)

/** Claims messages for sending. Returns those that are due and were not claimed already. */
export function claimMessages(tx: Tx, deliveries: readonly Delivery[], now: Date): Promise<MessageRow[]> {
  return claims(tx).execute({ ids: idsOf(deliveries), jobs: deliveries.map(({ job_id }) => job_id), now: now.toISOString() })
}

const finishSent = prepared('messages.sent', (on: Tx) =>
  on
    .update(message)
    .set({ status: 'sent', reason: null, sentAt: sql`${sql.placeholder('now')}` })
    .where(and(oneOf('ids'), eq(message.status, 'sending'))),
)

/** Records that emails were sent which this process claimed: `finishMessage`, prepared. */
export async function recordEmailsSent(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await finishSent(tx).execute({ ids: [...ids], now: now.toISOString() })
}

/** Stores the result of a message that this process claimed. */
export async function finishMessage(tx: Tx, message_id: number, change: Partial<NewMessage>): Promise<void> {
  await tx
    .update(message)
    .set(change)
    .where(and(eq(message.message_id, message_id), eq(message.status, 'sending')))
}

/** Due messages, oldest first. */
export async function listDue(on: Reader, now: Date, limit: number): Promise<{ message_id: number; channel: MessageRow['channel'] }[]> {
  return on
    .select({ message_id: message.message_id, channel: message.channel })
    .from(message)
    .where(and(eq(message.status, 'waiting'), lte(message.nextAt, now)))
    .orderBy(asc(message.nextAt), asc(message.message_id))
    .limit(limit)
}

/** Messages claimed before an instant and never finished, by any job (`releaseWhere`). */
export function releaseStuckMessages(tx: Tx, since: Date): Promise<MessageRow[]> {
  return releaseWhere(tx, lt(message.claimedAt, since))
}

/** Messages that earlier attempts of their jobs claimed and never finished (`releaseWhere`). */
export function releaseClaims(tx: Tx, deliveries: readonly Delivery[]): Promise<MessageRow[]> {
  return releaseWhere(
    tx,
    or(...deliveries.map(({ message_id, job_id }) => and(eq(message.message_id, message_id), eq(message.claimed_by, job_id)))),
  )
}

/**
 * Releases claims of dead processes. Emails and push messages become due again under the same id, so a duplicate can be recognised;
 * WhatsApp messages may have been sent, so they become `unknown` and are returned.
 */
async function releaseWhere(tx: Tx, which: SQL | undefined): Promise<MessageRow[]> {
  const stuck = and(eq(message.status, 'sending'), which)
  await tx
    .update(message)
    .set({ status: 'waiting' })
    .where(and(stuck, inArray(message.channel, ['mail', 'push'])))
  return tx
    .update(message)
    .set({ status: 'unknown', reason: 'el programa se cerró mientras se enviaba' })
    .where(and(stuck, eq(message.channel, 'whatsapp')))
    .returning()
}

/** Reads and locks the message of a provider's delivery report. */
export async function lockByProvider(tx: Tx, provider_id: string): Promise<MessageRow | null> {
  const [row] = await tx.select().from(message).where(eq(message.provider_id, provider_id)).for('update')
  return row ?? null
}

/** Whether the same occurrence also went to the person by email or WhatsApp, and did not fail. */
export async function hasOtherMessage(
  on: Reader,
  { event, about, customer_id }: Pick<MessageRow, 'event' | 'about' | 'customer_id'>,
): Promise<boolean> {
  const [found] = await on
    .select({ message_id: message.message_id })
    .from(message)
    .where(
      and(
        eq(message.event, event),
        eq(message.about, about),
        eq(message.customer_id, customer_id ?? 0),
        inArray(message.channel, ['mail', 'whatsapp']),
        ne(message.status, 'failed'),
      ),
    )
    .limit(1)
  return found !== undefined
}

/** Reads and locks a message by its id. */
export async function lockMessage(tx: Tx, message_id: number): Promise<MessageRow | null> {
  const [row] = await tx.select().from(message).where(eq(message.message_id, message_id)).for('update')
  return row ?? null
}

export async function updateMessage(tx: Tx, message_id: number, change: Partial<NewMessage>): Promise<void> {
  await tx.update(message).set(change).where(eq(message.message_id, message_id))
}

/** Changes the messages of one occurrence that have not left yet; how many there were. */
export async function updateWaiting(
  tx: Tx,
  { event, about, channel }: Pick<MessageRow, 'event' | 'about'> & Partial<Pick<MessageRow, 'channel'>>,
  change: Partial<NewMessage>,
): Promise<number> {
  const { rowCount } = await tx
    .update(message)
    .set(change)
    .where(and(eq(message.event, event), eq(message.about, about), eq(message.status, 'waiting'), channel && eq(message.channel, channel)))
  return rowCount ?? 0
}

/** How many messages of one occurrence are in each state, by channel. */
export async function countMessagesAbout(on: Reader, event: MessageRow['event'], about: string) {
  return on
    .select({ channel: message.channel, status: message.status, count: count() })
    .from(message)
    .where(and(eq(message.event, event), eq(message.about, about)))
    .groupBy(message.channel, message.status)
}

const mineInApp = (customer_id: number) => and(eq(message.customer_id, customer_id), eq(message.channel, 'app'))

/** A page of a customer's notifications, newest first; the total, and how many are unread. */
export async function listNotifications(on: Reader, customer_id: number, page: { number: number; size: number }) {
  const [rows, [all]] = await Promise.all([
    on
      .select()
      .from(message)
      .where(mineInApp(customer_id))
      .orderBy(desc(message.createdAt), desc(message.message_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on
      .select({ total: count(), unread: sql<number>`(count(*) filter (where ${message.readAt} is null))::int` })
      .from(message)
      .where(mineInApp(customer_id)),
  ])
  return { rows, total: all?.total ?? 0, unread: all?.unread ?? 0 }
}

export async function markRead(tx: Tx, customer_id: number, ids: readonly number[] | null, now: Date): Promise<void> {
  await tx
    .update(message)
    .set({ readAt: now, status: 'read' })
    .where(and(mineInApp(customer_id), isNull(message.readAt), ids === null ? undefined : inArray(message.message_id, [...ids])))
}

export async function listConsents(on: Reader, customer_id: number) {
  return on.select().from(messageConsent).where(eq(messageConsent.customer_id, customer_id))
}

export async function upsertConsent(tx: Tx, row: typeof messageConsent.$inferInsert): Promise<void> {
  const { allowed, changedAt } = row
  await tx
    .insert(messageConsent)
    .values(row)
    .onConflictDoUpdate({ target: [messageConsent.customer_id, messageConsent.channel], set: { allowed, changedAt } })
}

/** Deletes a consent that is as it was recorded at an instant; whether it was. */
export async function deleteConsent(
  tx: Tx,
  { customer_id, channel, changedAt }: Pick<typeof messageConsent.$inferSelect, 'customer_id' | 'channel' | 'changedAt'>,
): Promise<boolean> {
  const which = and(
    eq(messageConsent.customer_id, customer_id),
    eq(messageConsent.channel, channel),
    eq(messageConsent.allowed, true),
    eq(messageConsent.changedAt, changedAt),
  )
  return (await tx.delete(messageConsent).where(which).returning({ customer_id: messageConsent.customer_id })).length > 0
}

export interface LogFilter {
  message_id?: number | undefined
  /** Words of the recipient's name, email or phone. */
  query?: string | undefined
  /** Created at this instant or later, and before the other. */
  since?: Date | undefined
  until?: Date | undefined
  customer_id?: number | undefined
  channel?: MessageRow['channel'] | undefined
  status?: MessageRow['status'] | undefined
  event?: MessageRow['event'] | undefined
  sort: 'created' | '-created'
}

/** A page of the delivery log in the order of `sort`, and the count of all that match, up to `countLimit`. */
export async function listLog(on: Reader, filter: LogFilter, page: { number: number; size: number }, countLimit: number) {
  const { query = '' } = filter
  const namedOf = async () =>
    or(
      (await findMatchingCustomers(on, searchPatterns(query)))(message.customer_id),
      inArray(
        message.staff_id,
        on
          .select({ staff_id: staff.staff_id })
          .from(staff)
          .where(matchesSearch(sql`${staff.name}`, query)),
      ),
    )
  const which: (SQL | undefined)[] = [
    query.trim() === '' ? undefined : await namedOf(),
    filter.message_id === undefined ? undefined : eq(message.message_id, filter.message_id),
    filter.since && gte(message.createdAt, filter.since),
    filter.until && lt(message.createdAt, filter.until),
    filter.customer_id === undefined ? undefined : eq(message.customer_id, filter.customer_id),
    filter.channel && eq(message.channel, filter.channel),
    filter.status && eq(message.status, filter.status),
    filter.event && eq(message.event, filter.event),
  ]
  const direction = filter.sort === 'created' ? asc : desc
  const [rows, [all]] = await Promise.all([
    on
      .select({
        message,
        name: sql<string>`coalesce(${customer.name} || ' ' || ${customer.last_name}, ${staff.name}, '')`,
        email: customer.email,
        phone: customer.phone,
        has_account: sql<boolean>`${customer.uid} is not null`,
      })
      .from(message)
      .leftJoin(customer, eq(customer.customer_id, message.customer_id))
      .leftJoin(staff, eq(staff.staff_id, message.staff_id))
      .where(and(...which))
      .orderBy(direction(message.createdAt), direction(message.message_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ total: count() }).from(
      on
        .select({ one: sql`1`.as('one') })
        .from(message)
        .where(and(...which))
        .limit(countLimit)
        .as('counted'),
    ),
  ])
  return { rows, total: all?.total ?? 0 }
}

/** Deletes old messages, also notifications that were never read. */
export async function forgetBefore(tx: Tx, before: Date): Promise<void> {
  await tx.delete(message).where(and(lt(message.createdAt, before), or(lt(message.nextAt, before), isNull(message.nextAt))))
}
