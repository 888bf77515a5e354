/**
 * Telling people: what happened is told to each person once by each channel, after the commit of what happened, and what became of every
 * message can be read (docs/domain.md, "Messages"). Other modules say what and to whom; channels, hours and tries are decided here.
 */

import type { MessageEvent } from '#contract/channels.ts'
import {
  type LoggedMessage,
  MESSAGES_PER_PAGE,
  type MessagePreferences,
  type Notification,
  type StoredMail,
} from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { renderEmail } from '#server/adapters/mail/email-template.ts'
import { MailRefused } from '#server/adapters/mail/port.ts'
import { internationalNumber, type Taken, WhatsAppRefused, WhatsAppUnknown } from '#server/adapters/whatsapp/port.ts'
import { filled } from '#server/adapters/whatsapp/templates.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { channelsFor, isNewer, leavesAt, nextTry } from './rules.ts'
import {
  claimMessage,
  findCustomers,
  findStaff,
  finishMessage,
  insertMessages,
  type LogFilter,
  listConsents,
  listLog,
  listNotifications,
  lockByProvider,
  type MessageRow,
  markRead,
  putConsent,
  releaseClaim,
  releaseStuck,
  updateMessage,
} from './store.ts'
import type { MessageTexts } from './tables.ts'

export { addAwake, awakeAt, isQuiet } from './rules.ts'
export type { MessageTexts } from './tables.ts'

/** Something to be told to somebody. */
export interface OutgoingMessage {
  event: MessageEvent
  /** Which occurrence: the same one is told to the same person by the same channel once (M5). */
  about: string
  to: { customer_id: number } | { staff_id: number }
  /** What to say, to whom by first name. */
  words: (name: string) => MessageTexts
  /** When it loses its meaning: the class's start, the end of an offer. */
  before: Date | null
  /** The class that it is about begins then: so near to it nobody's sleep counts (M4). */
  starts?: Date
}

/**
 * Leaves messages in the transaction of what they tell: nothing is said when it fails (M5). Who was told before is not told again.
 * Answers how many people are told by at least one channel that leaves the studio or stands in their notices.
 */
export async function enqueueMessages(tx: Tx, ctx: Ctx, told: readonly OutgoingMessage[]): Promise<number> {
  const customers = await findCustomers(
    tx,
    told.flatMap(({ to }) => ('customer_id' in to ? [to.customer_id] : [])),
  )
  const members = await findStaff(
    tx,
    told.flatMap(({ to }) => ('staff_id' in to ? [to.staff_id] : [])),
  )
  const people = new Set<number>()
  const rows = told.flatMap(({ event, about, to, words, before, starts }) => {
    const person = 'customer_id' in to ? customers.get(to.customer_id) : members.get(to.staff_id)
    if (!person) return []
    const { settings, now, zone } = ctx
    return channelsFor(event, person, settings).map((channel) => {
      people.add('customer_id' in to ? to.customer_id : -to.staff_id)
      const seen = channel === 'app'
      return {
        event,
        about,
        ...to,
        channel,
        status: seen ? ('sent' as const) : ('waiting' as const),
        words: words(person.name),
        nextAt: leavesAt(channel, now, starts ?? before, settings, zone),
        mootAt: before,
        createdAt: now,
        sentAt: seen ? now : null,
      }
    })
  })
  if (rows.length === 0) return 0
  const made = await insertMessages(tx, rows)
  await sendDue(
    tx,
    made.filter((row) => row.status === 'waiting' && row.nextAt <= ctx.now),
  )
  return people.size
}

/** Says why a message means nothing any more, or null. Asked right before it leaves; each module knows its own events. */
export type Relevance = Partial<
  Record<MessageEvent, (ctx: Ctx, message: { about: string; customer_id: number | null }) => Promise<string | null>>
>

/** A job for each message, in the queue of its channel: one that hangs holds up its own channel only. */
export async function sendDue(tx: Tx, due: readonly Pick<MessageRow, 'message_id' | 'channel'>[]): Promise<void> {
  for (const { message_id, channel } of due)
    await tx.send({ name: 'messages.deliver', data: { message_id, channel }, key: String(message_id) })
}

/**
 * Sends a message that is due. It is taken by one job; what fails is tried again later, or told by mail instead (M6). A job that finds its
 * own claim is the next attempt of one whose process died: what that left is decided first.
 */
export async function deliver(ctx: Ctx, message_id: number, relevance: Relevance, job_id: string): Promise<void> {
  const row = await ctx.tx(async (tx) => {
    for (const lost of await releaseClaim(tx, message_id, job_id)) await mailInstead(tx, ctx, lost)
    return claimMessage(tx, message_id, ctx.now, job_id)
  })
  if (!row) return
  const settle = (change: Partial<MessageRow>) => ctx.tx((tx) => finishMessage(tx, message_id, change))
  try {
    const moot = row.mootAt && row.mootAt <= ctx.now ? 'too late' : await relevance[row.event]?.(ctx, row)
    if (moot) return await settle({ status: 'moot', reason: moot })
    const taken = await sendBy(ctx, row)
    await settle({ status: 'sent', sentAt: ctx.now, reason: null, ...taken })
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    if (error instanceof WhatsAppUnknown) {
      await settle({ status: 'unknown', reason })
    } else if (error instanceof WhatsAppRefused || error instanceof MailRefused) {
      await settle({ status: 'failed', reason })
    } else {
      const nextAt = nextTry(row.tries, ctx.now)
      await settle(nextAt ? { status: 'waiting', nextAt, reason } : { status: 'failed', reason })
      ctx.studio.log.warn({ error, message_id, tries: row.tries }, 'message.send_failed')
      if (nextAt) return
    }
    await ctx.tx((tx) => mailInstead(tx, ctx, row))
  }
}

async function sendBy(ctx: Ctx, row: MessageRow): Promise<Partial<Taken>> {
  const person =
    row.customer_id !== null
      ? (await findCustomers(ctx.db, [row.customer_id])).get(row.customer_id)
      : (await findStaff(ctx.db, [row.staff_id ?? 0])).get(row.staff_id ?? 0)
  const { words } = row
  const messageId = `${row.event.replaceAll('_', '-')}-${row.message_id}`
  if (row.channel === 'whatsapp') {
    if (!person?.phone) throw new WhatsAppRefused('No telephone is known.')
    const { event } = row
    return ctx.ports.whatsapp.send({
      phone: person.phone,
      event,
      blanks: words.blanks,
      path: words.action?.path ?? paths.mystudio.calendar,
      messageId,
    })
  }
  if (!person?.email) throw new MailRefused('No address is known.')
  const letter = renderEmail(ctx.settings, ctx.studio.publicUrl, {
    subject: words.subject ?? words.title,
    preview: words.lines[0] ?? words.title,
    title: words.title,
    paragraphs: [`Hola, ${person.name}.`, ...words.lines],
    ...(words.action ? { action: { label: words.action.label, url: `${ctx.studio.publicUrl}${words.action.path}` } } : {}),
    notes: words.notes,
  })
  await ctx.ports.mail.send({ ...letter, to: person.email, messageId })
  return {}
}

/** A WhatsApp message that came to nothing is told by mail, unless a mail tells it anyway (M6). */
async function mailInstead(tx: Tx, ctx: Ctx, row: MessageRow): Promise<void> {
  if (row.channel !== 'whatsapp') return
  const { event, about, customer_id, staff_id, words, mootAt } = row
  const again = { event, about, customer_id, staff_id, words, mootAt, channel: 'mail' as const, status: 'waiting' as const }
  const made = await insertMessages(tx, [{ ...again, nextAt: ctx.now, createdAt: ctx.now }])
  await sendDue(tx, made)
}

/** A message is sent in seconds; whoever holds one for so long has died. */
const STUCK_MS = 3 * 60_000

/** What a dead process left half sent (M6): a mail goes again under the same id; of WhatsApp nobody can say, so a mail tells it. */
export async function recover(ctx: Ctx): Promise<void> {
  await ctx.tx(async (tx) => {
    for (const row of await releaseStuck(tx, new Date(ctx.now.getTime() - STUCK_MS))) await mailInstead(tx, ctx, row)
  })
}

/** What the provider says became of a message (M7). Answers whether there was news in it. */
export async function applyDeliveryReports(
  ctx: Ctx,
  heard: { provider_id: string; state: 'sent' | 'delivered' | 'read' | 'failed'; reason: string | null },
): Promise<void> {
  const failed = await ctx.tx(async (tx) => {
    const row = await lockByProvider(tx, heard.provider_id)
    if (!row || !isNewer(row.status, heard.state)) return null
    await updateMessage(tx, row.message_id, { status: heard.state, reason: heard.reason })
    return heard.state === 'failed' ? row : null
  })
  if (failed) await ctx.tx((tx) => mailInstead(tx, ctx, failed))
}

/** My notices, newest first, fifty a page. */
export async function listMyNotifications(
  ctx: Ctx,
  input: { page: number },
): Promise<{ messages: Notification[]; total: number; unread: number }> {
  const { rows, total, unread } = await listNotifications(ctx.db, ctx.customer.customer_id, { number: input.page, size: MESSAGES_PER_PAGE })
  const notices = rows.map(({ message_id, event, words, createdAt, readAt }) => ({
    message_id,
    event,
    title: words.title,
    lines: words.lines,
    action: words.action,
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  }))
  return { messages: notices, total, unread }
}

/** Marks my notices as read; those of others stay as they are. */
export async function markNotificationsRead(ctx: Ctx, input: { message_ids?: number[] | undefined }): Promise<{ ok: true }> {
  await ctx.tx((tx) => markRead(tx, ctx.customer.customer_id, input.message_ids ?? null, ctx.now))
  return { ok: true }
}

/** By which ways I want to be told, and since when I said so (M2). */
export async function preferences(ctx: Ctx): Promise<{ preferences: MessagePreferences }> {
  const { customer_id } = ctx.customer
  const [row, consents] = await Promise.all([customerById(ctx.db, customer_id), listConsents(ctx.db, customer_id)])
  const of = (channel: 'mail' | 'whatsapp') => {
    const found = consents.find((one) => one.channel === channel)
    return found ? { allowed: found.allowed, changedAt: found.changedAt.toISOString() } : null
  }
  const phone = row.phone && internationalNumber(row.phone)
  return { preferences: { whatsapp: of('whatsapp'), mail: of('mail'), phone: phone ? `+${phone}` : null } }
}

/** Gives consent to a channel or takes it back; the date and the audit trail are the proof (M2). */
export async function setPreferences(
  ctx: Ctx,
  input: { whatsapp?: boolean | undefined; mail?: boolean | undefined },
): Promise<{ preferences: MessagePreferences }> {
  const { customer_id } = ctx.customer
  await ctx.tx(async (tx) => {
    const before = await listConsents(tx, customer_id)
    for (const channel of ['whatsapp', 'mail'] as const) {
      const allowed = input[channel]
      if (allowed === undefined || before.find((one) => one.channel === channel)?.allowed === allowed) continue
      await putConsent(tx, { customer_id, channel, allowed, changedAt: ctx.now })
      await ctx.audit(tx, { action: 'consent.change', entity: 'customer', entity_id: customer_id, after: { channel, allowed } })
    }
  })
  return preferences(ctx)
}

/** Mails that stayed in the studio, newest first, where no mail server is configured (M9). */
export async function outbox(ctx: Ctx, input: { page: number }): Promise<{ mails: StoredMail[]; total: number; kept: boolean }> {
  const found = await ctx.ports.mail.kept?.({ number: input.page, size: MESSAGES_PER_PAGE })
  const mails = (found?.mails ?? []).map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }))
  return { mails, total: found?.total ?? 0, kept: found !== undefined }
}

/** The delivery log (M7). */
export async function deliveryLog(ctx: Ctx, input: LogFilter & { page: number }): Promise<{ messages: LoggedMessage[]; total: number }> {
  const { rows, total } = await listLog(ctx.db, input, { number: input.page, size: MESSAGES_PER_PAGE })
  return {
    messages: rows.map(({ message: row, name }) => ({
      message_id: row.message_id,
      event: row.event,
      channel: row.channel,
      status: row.status,
      customer_id: row.customer_id,
      staff_id: row.staff_id,
      name,
      title: row.words.title,
      text: row.channel === 'whatsapp' ? filled(row.event, row.words.blanks) : row.words.lines.join('\n'),
      reason: row.reason,
      tries: row.tries,
      createdAt: row.createdAt.toISOString(),
      next_at: row.status === 'waiting' ? row.nextAt.toISOString() : null,
      sentAt: row.sentAt?.toISOString() ?? null,
    })),
    total,
  }
}
