/** Sends messages by their channels: claims, retries, replacement by an email, delivery reports (M6, M7). */
import type { MessageEvent } from '#contract/channels.ts'
import { oneClickPath, paths } from '#contract/paths.ts'
import { type Attachment, MailRefused } from '#server/adapters/mail/port.ts'
import { PUSH_BODY_MAX, PushRefused } from '#server/adapters/push/port.ts'
import { type AcceptedMessage, WhatsAppRefused, WhatsAppUnknown } from '#server/adapters/whatsapp/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { forgetPushDevices, openPushDevices } from '#server/modules/people/people.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { loadOwnTexts, renderOwnEmail } from './own-texts.ts'
import { consentsTo, isNewer, isTest, nextTry } from './rules.ts'
import {
  claimMessages,
  type Delivery,
  findCustomers,
  findStaff,
  finishMessage,
  hasOtherMessage,
  insertMessages,
  type KnownPerson,
  lockByProvider,
  type MessageRow,
  recordEmailsSent,
  releaseClaims,
  releaseStuckMessages,
  updateMessage,
} from './store.ts'
import { isUnreadable } from './tables.ts'

type About = Pick<MessageRow, 'about' | 'customer_id'>

/**
 * Returns why each of some messages of an event has become pointless, or null. Called right before sending; each module handles its own
 * events.
 */
type WhyPointless = (ctx: Ctx, messages: readonly About[]) => Promise<readonly (string | null)[]>
export type Relevance = Partial<Record<MessageEvent, WhyPointless>>

/** The same by a function that checks one message. */
export const oneByOne =
  (why: (ctx: Ctx, message: About) => Promise<string | null>): WhyPointless =>
  async (ctx, messages) => {
    const reasons: (string | null)[] = []
    for (const message of messages) reasons.push(await why(ctx, message))
    return reasons
  }

/** The files that go with an event's emails, read right before sending. */
type FilesOf = (ctx: Ctx, message: About) => Promise<Attachment[]>
export type MessageFiles = Partial<Record<MessageEvent, FilesOf>>

/** Sends one job per message, to the queue of its channel: a channel that hangs does not delay the others. */
export async function sendDue(tx: Tx, due: readonly Pick<MessageRow, 'message_id' | 'channel'>[]): Promise<void> {
  for (const { message_id, channel } of due)
    await tx.send({ name: 'messages.deliver', data: { message_id, channel }, key: String(message_id) })
}

/**
 * Sends due messages. Each is claimed by its job; a failure is retried later, or replaced by an email (M6), and affects no other. A job
 * that finds its own claim is a retry after its process died: the interrupted attempt is resolved first.
 */
export async function deliverMessages(ctx: Ctx, due: readonly Delivery[], relevance: Relevance, files: MessageFiles = {}): Promise<void> {
  const rows = await ctx.tx(async (tx) => {
    const claimed = await claimMessages(tx, due, ctx.now)
    const left = due.filter(({ message_id }) => !claimed.some((row) => row.message_id === message_id))
    if (left.length === 0) return claimed
    for (const lost of await releaseClaims(tx, left)) await mailInstead(tx, ctx, lost)
    return [...claimed, ...(await claimMessages(tx, left, ctx.now))]
  })
  for (const [event, alike] of Map.groupBy(rows, (row) => row.event)) {
    const results = await sendAll(ctx, alike, relevance[event], files[event])
    const isMailSent = (row: MessageRow, n: number) =>
      row.channel === 'mail' && results[n]?.status === 'fulfilled' && results[n].value.status === 'sent'
    const mailed = alike.filter(isMailSent).map((row) => row.message_id)
    if (mailed.length) await ctx.tx((tx) => recordEmailsSent(tx, mailed, ctx.now))
    for (const [n, row] of alike.entries()) {
      const result = results[n]
      if (result?.status === 'rejected') await recordFailure(ctx, row, result.reason)
      else if (result && !isMailSent(row, n)) await ctx.tx((tx) => finishMessage(tx, row.message_id, result.value))
    }
  }
}

/** Sends claimed messages of one event, or finds why they have become pointless. Returns the change of each row. */
async function sendAll(
  ctx: Ctx,
  rows: readonly MessageRow[],
  whyPointless: WhyPointless | undefined,
  filesOf: FilesOf | undefined,
): Promise<PromiseSettledResult<Partial<MessageRow>>[]> {
  const isChecked = (row: MessageRow) => !isTest(row) && !(row.mootAt && row.mootAt <= ctx.now)
  try {
    const checked = rows.filter(isChecked)
    const reasons = whyPointless && checked.length > 0 ? await whyPointless(ctx, checked) : []
    const reasonOf = new Map(checked.map((row, n) => [row, reasons[n] ?? null]))
    const person = await loadPeople(ctx.db, rows)
    return await Promise.allSettled(
      rows.map(async (row) => {
        const reason = row.mootAt && row.mootAt <= ctx.now ? 'too late' : (reasonOf.get(row) ?? null)
        if (reason) return { status: 'moot' as const, reason }
        const accepted = await sendBy(ctx, row, person(row), filesOf)
        return { status: 'sent' as const, sentAt: ctx.now, reason: null, ...accepted }
      }),
    )
  } catch (reason) {
    return rows.map(() => ({ status: 'rejected', reason }))
  }
}

/** Records that a message could not be sent, and when it is tried again; or an email replaces it (M6). */
async function recordFailure(ctx: Ctx, row: MessageRow, error: unknown): Promise<void> {
  const finish = (change: Partial<MessageRow>) => ctx.tx((tx) => finishMessage(tx, row.message_id, change))
  const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
  if (error instanceof WhatsAppUnknown) {
    await finish({ status: 'unknown', reason })
  } else if (error instanceof WhatsAppRefused || error instanceof MailRefused || error instanceof PushRefused) {
    await finish({ status: 'failed', reason })
  } else {
    const nextAt = nextTry(row.tries, ctx.now)
    await finish(nextAt ? { status: 'waiting', nextAt, reason } : { status: 'failed', reason })
    ctx.studio.log.warn({ error, message_id: row.message_id, tries: row.tries }, 'message.send_failed')
    if (nextAt) return
  }
  await ctx.tx((tx) => mailInstead(tx, ctx, row))
}

/** The recipients of messages; undefined for an erased one. */
export async function loadPeople(on: Reader, rows: readonly Pick<MessageRow, 'customer_id' | 'staff_id'>[]) {
  const [customers, members] = await Promise.all([
    findCustomers(
      on,
      rows.flatMap(({ customer_id }) => customer_id ?? []),
    ),
    findStaff(
      on,
      rows.flatMap(({ staff_id }) => staff_id ?? []),
    ),
  ])
  return ({ customer_id, staff_id }: Pick<MessageRow, 'customer_id' | 'staff_id'>): KnownPerson | undefined =>
    customer_id !== null ? customers.get(customer_id) : members.get(staff_id ?? 0)
}

async function sendBy(
  ctx: Ctx,
  row: MessageRow,
  person: KnownPerson | undefined,
  filesOf: FilesOf | undefined,
): Promise<Partial<AcceptedMessage>> {
  const { texts } = row
  if (isUnreadable(texts)) throw new MailRefused('The stored text is not readable.')
  // A resent message has its own Message-ID: mail servers drop one that they have seen.
  const messageId = [row.event.replaceAll('_', '-'), row.message_id, ...(row.resends > 0 ? [row.resends] : [])].join('-')
  if (row.channel === 'whatsapp') {
    if (!person?.phone) throw new WhatsAppRefused('No telephone is known.')
    const { event } = row
    return ctx.ports.whatsapp.send({
      phone: person.phone,
      event,
      ...(texts.template ? { own: texts.template } : {}),
      blanks: texts.template?.blanks ?? texts.blanks,
      // The template of broadcasts has a button that stops promotions.
      path: texts.unsubscribe ?? texts.action?.path ?? paths.mystudio.calendar,
      messageId,
    })
  }
  if (row.channel === 'push') return pushBy(ctx, row)
  if (!person?.email) throw new MailRefused('No address is known.')
  const email = renderOwnEmail(ctx, person.name, texts)
  const oneClick = texts.unsubscribe && `${ctx.studio.publicUrl}${oneClickPath(texts.unsubscribe)}`
  // A text that staff sent to themselves is about nothing (M13).
  const attachments = filesOf && !isTest(row) ? { attachments: await filesOf(ctx, row) } : {}
  await ctx.ports.mail.send({ ...email, ...attachments, to: person.email, messageId, ...(oneClick ? { unsubscribeUrl: oneClick } : {}) })
  return {}
}

/** How long a push service stores a message that has no end, in seconds. */
const PUSH_DAY = 86_400
/** What happens this soon wakes the device at once. */
const PUSH_URGENT_MS = 12 * 3_600_000

/** Sends a notification to every device of the person. Those that do not exist any more are forgotten; one that takes it is enough. */
async function pushBy(ctx: Ctx, { message_id, customer_id, staff_id, texts, mootAt }: MessageRow): Promise<Partial<AcceptedMessage>> {
  const devices = await openPushDevices(ctx, { customer_id, staff_id })
  const left = mootAt === null ? null : mootAt.getTime() - ctx.now.getTime()
  const notification = {
    title: texts.title,
    body: texts.lines.join('\n').slice(0, PUSH_BODY_MAX),
    path: texts.action?.path ?? paths.mystudio.messages,
    tag: `m${message_id}`,
  }
  const ttl = left === null ? PUSH_DAY : Math.max(60, Math.floor(left / 1000))
  const isUrgent = left !== null && left < PUSH_URGENT_MS
  const results = await Promise.allSettled(
    devices.map(({ endpoint, p256dh, auth }) => ctx.ports.push.send({ endpoint, p256dh, auth, notification, ttl, isUrgent })),
  )
  const expiredDevices = devices.filter((_, at) => {
    const result = results[at]
    return result?.status === 'fulfilled' && !result.value
  })
  const ids = expiredDevices.map(({ push_device_id }) => push_device_id)
  if (ids.length) await ctx.tx((tx) => forgetPushDevices(tx, ids))
  if (results.some((result) => result.status === 'fulfilled' && result.value)) return {}
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  throw failures.find((failure) => !(failure instanceof PushRefused)) ?? failures[0] ?? new PushRefused('No device is known.')
}

/**
 * Replaces a failed WhatsApp or push message by an email, unless the person gets one anyway or the same message by another channel (M6).
 */
async function mailInstead(tx: Tx, ctx: Ctx, row: MessageRow): Promise<void> {
  // The channels of a broadcast were chosen by the studio (BR3), that of a test by its requester (M13).
  if ((row.channel !== 'whatsapp' && row.channel !== 'push') || row.event === 'broadcast' || isUnreadable(row.texts)) return
  const person = (await loadPeople(tx, [row]))(row)
  if (row.channel === 'push') {
    const mayMail = person?.kind === 'customer' && consentsTo(row.event, person, 'mail') && !isTest(row)
    if (!mayMail || (await hasOtherMessage(tx, row))) return
  }
  const { event, about, customer_id, staff_id, mootAt } = row
  const { template: _, ...plain } = row.texts
  const texts = customer_id === null ? plain : (await loadOwnTexts(tx, ctx, [event]))(event, 'mail', plain, person)
  const again = { event, about, customer_id, staff_id, texts, mootAt, channel: 'mail' as const, status: 'waiting' as const }
  const messages = await insertMessages(tx, [{ ...again, nextAt: ctx.now, createdAt: ctx.now }])
  await sendDue(tx, messages)
}

/** Sending takes seconds; a claim of this age belongs to a dead process. */
const STUCK_MS = 3 * 60_000

/**
 * Recovers messages that a dead process claimed (M6): an email is sent again under the same id; a WhatsApp message may have been sent, so
 * an email replaces it.
 */
export async function recoverStuckMessages(ctx: Ctx): Promise<void> {
  await ctx.tx(async (tx) => {
    for (const row of await releaseStuckMessages(tx, new Date(ctx.now.getTime() - STUCK_MS))) await mailInstead(tx, ctx, row)
  })
}

/** Applies a provider's delivery reports (M7). Returns whether any changed a message. */
export async function applyDeliveryReports(
  ctx: Ctx,
  report: { provider_id: string; state: 'sent' | 'delivered' | 'read' | 'failed'; reason: string | null },
): Promise<void> {
  const failed = await ctx.tx(async (tx) => {
    const row = await lockByProvider(tx, report.provider_id)
    if (!row || !isNewer(row.status, report.state)) return null
    await updateMessage(tx, row.message_id, { status: report.state, reason: report.reason })
    return report.state === 'failed' ? row : null
  })
  if (failed) await ctx.tx((tx) => mailInstead(tx, ctx, failed))
}
