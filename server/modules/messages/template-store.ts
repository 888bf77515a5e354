/** Queries of the texts of automatic messages and of the templates at the WhatsApp provider. */
import { and, asc, count, desc, eq, isNotNull, isNull, not, sql } from 'drizzle-orm'
import type { AutomaticEvent, Channel, MessageEvent } from '#contract/channels.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { message, messageTemplate, whatsappTemplate } from './tables.ts'

export type MessageTemplateRow = typeof messageTemplate.$inferSelect
export type WhatsAppTemplateRow = typeof whatsappTemplate.$inferSelect

/** All own texts, with the names of their last editors. */
export async function listTemplateRows(on: Reader): Promise<(MessageTemplateRow & { by: string | null })[]> {
  const rows = await on
    .select({ row: messageTemplate, by: staff.name })
    .from(messageTemplate)
    .leftJoin(staff, eq(staff.staff_id, messageTemplate.updated_by))
  return rows.map(({ row, by }) => ({ ...row, by }))
}

/** The own texts of some events. */
export async function listOwnTexts(on: Reader, events: readonly MessageEvent[]): Promise<MessageTemplateRow[]> {
  return ownTexts(on).execute({ events: [...events] })
}
const ownTexts = prepared('messages.ownTexts', (on: Reader) =>
  on
    .select()
    .from(messageTemplate)
    .where(sql`${messageTemplate.event} = any(${sql.placeholder('events')}::text[])`),
)

/** The own template of each of some events that is sent: the latest approved one. */
export async function listLiveTemplates(on: Reader, events: readonly MessageEvent[]): Promise<WhatsAppTemplateRow[]> {
  return liveTemplates(on).execute({ events: [...events] })
}
const liveTemplates = prepared('messages.liveTemplates', (on: Reader) =>
  on
    .selectDistinctOn([whatsappTemplate.event])
    .from(whatsappTemplate)
    .where(
      and(
        sql`${whatsappTemplate.event} = any(${sql.placeholder('events')}::text[])`,
        eq(whatsappTemplate.is_own, true),
        eq(whatsappTemplate.status, 'approved'),
        isNull(whatsappTemplate.retiredAt),
      ),
    )
    .orderBy(whatsappTemplate.event, desc(whatsappTemplate.createdAt), desc(whatsappTemplate.name)),
)

/** All templates that are not retired, oldest first. */
export async function listTemplatesInUse(on: Reader): Promise<WhatsAppTemplateRow[]> {
  return on
    .select()
    .from(whatsappTemplate)
    .where(isNull(whatsappTemplate.retiredAt))
    .orderBy(asc(whatsappTemplate.createdAt), asc(whatsappTemplate.name))
}

/** Reads and locks an own text; changes of the same one wait for each other, also of a new one. */
export async function lockTemplateRow(tx: Tx, event: AutomaticEvent, channel: Channel): Promise<MessageTemplateRow | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`message_template:${event}:${channel}`}))`)
  const [row] = await tx
    .select()
    .from(messageTemplate)
    .where(and(eq(messageTemplate.event, event), eq(messageTemplate.channel, channel)))
  return row ?? null
}

export async function upsertTemplateRow(tx: Tx, row: MessageTemplateRow): Promise<void> {
  const { event: _, channel: __, ...set } = row
  await tx
    .insert(messageTemplate)
    .values(row)
    .onConflictDoUpdate({ target: [messageTemplate.event, messageTemplate.channel], set })
}

/** A new template of the studio, under the next name of its event. */
export async function insertOwnTemplate(
  tx: Tx,
  base: string,
  row: Pick<WhatsAppTemplateRow, 'event' | 'body' | 'keys' | 'createdAt'>,
): Promise<void> {
  const [stored] = await tx
    .select({ total: count() })
    .from(whatsappTemplate)
    .where(and(eq(whatsappTemplate.event, row.event), eq(whatsappTemplate.is_own, true)))
  await tx.insert(whatsappTemplate).values({ ...row, name: `${base}_v${(stored?.total ?? 0) + 2}`, is_own: true, status: 'pending' })
}

/** The default text takes the place of the event's own templates. */
export async function retireTemplates(tx: Tx, event: MessageEvent, now: Date): Promise<void> {
  await tx
    .update(whatsappTemplate)
    .set({ retiredAt: now })
    .where(and(eq(whatsappTemplate.event, event), eq(whatsappTemplate.is_own, true), isNull(whatsappTemplate.retiredAt)))
}

/** Own templates that were not handed in yet. */
export async function listUnsubmitted(on: Reader): Promise<WhatsAppTemplateRow[]> {
  return on
    .select()
    .from(whatsappTemplate)
    .where(and(eq(whatsappTemplate.is_own, true), isNull(whatsappTemplate.submittedAt), isNull(whatsappTemplate.retiredAt)))
    .orderBy(asc(whatsappTemplate.createdAt), asc(whatsappTemplate.name))
}

export async function updateWhatsAppTemplate(tx: Tx, name: string, change: Partial<WhatsAppTemplateRow>): Promise<void> {
  await tx.update(whatsappTemplate).set(change).where(eq(whatsappTemplate.name, name))
}

/** What the provider decided about a fixed template. */
export async function upsertFixedTemplate(tx: Tx, row: typeof whatsappTemplate.$inferInsert): Promise<void> {
  const { status, reason } = row
  await tx.insert(whatsappTemplate).values(row).onConflictDoUpdate({ target: whatsappTemplate.name, set: { status, reason } })
}

/** Messages looked through for samples. */
const SAMPLES_FROM = 40

/** The latest messages of an event, one per customer. */
export async function listSampleMessages(on: Reader, event: AutomaticEvent, limit: number) {
  const rows = await on
    .select({ customer_id: message.customer_id, name: customer.name, texts: message.texts })
    .from(message)
    .innerJoin(customer, eq(customer.customer_id, message.customer_id))
    .where(
      and(eq(message.event, event), isNotNull(message.customer_id), isNull(customer.deletedAt), not(sql`${message.about} like 'test:%'`)),
    )
    .orderBy(desc(message.createdAt), desc(message.message_id))
    .limit(SAMPLES_FROM)
  const seen = new Set<number | null>()
  return rows.filter(({ customer_id }) => !seen.has(customer_id) && seen.add(customer_id)).slice(0, limit)
}
