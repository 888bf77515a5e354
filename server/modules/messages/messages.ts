/**
 * Messages to customers and staff: each event is sent once per person and channel, after the commit that caused it, and every delivery is
 * logged (docs/domain.md, "Messages"). Other modules define text and recipient; channels, hours and retries are decided here.
 */

import { type Channel, isAutomatic, type MessageEvent } from '#contract/channels.ts'
import { refuse } from '#contract/errors.ts'
import { languageFor } from '#contract/language.ts'
import {
  type LoggedMessage,
  MESSAGES_PER_PAGE,
  type MessagePreferences,
  type Notification,
  type StoredMail,
} from '#contract/notifications.ts'
import { oneClickPath, paths } from '#contract/paths.ts'
import { addDays, fromWallClock, type LocalDate, startOfDay } from '#contract/time.ts'
import { renderEmail, type Written } from '#server/adapters/mail/email-template.ts'
import { type Attachment, MailRefused } from '#server/adapters/mail/port.ts'
import { PUSH_BODY_MAX, PushRefused } from '#server/adapters/push/port.ts'
import { internationalNumber, type Taken, WhatsAppRefused, WhatsAppUnknown } from '#server/adapters/whatsapp/port.ts'
import { filled, filledBody } from '#server/adapters/whatsapp/templates.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { changeCustomer, customerById, forgetPushDevices, openPushDevices } from '#server/modules/people/people.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { wordsInEnglish } from './language.ts'
import { channelsFor, consentsTo, isNewer, isResendable, leavesAt, nextTry } from './rules.ts'
import {
  claimMessages,
  type Delivery,
  deleteConsent,
  findCustomers,
  findStaff,
  finishMessage,
  hasOtherMessage,
  insertMessages,
  type KnownPerson,
  type LogFilter,
  listConsents,
  listLog,
  listNotifications,
  lockByProvider,
  lockMessage,
  type MessageRow,
  markRead,
  putConsent,
  recordEmailsSent,
  releaseClaims,
  releaseStuck,
  updateMessage,
  updateWaiting,
} from './store.ts'
import { isUnreadable, type MessageTexts } from './tables.ts'
import { withOwnTemplate, withOwnText } from './template-rules.ts'
import { listLiveTemplates, listOwnTexts } from './template-store.ts'

export { addAwake, awakeAt, isQuiet } from './rules.ts'
export { countMessagesAbout } from './store.ts'
export type { MessageTexts } from './tables.ts'

/** A message to send. */
export interface OutgoingMessage {
  event: MessageEvent
  /** Identifies the occurrence: the same one is sent to the same person by the same channel once (M5). */
  about: string
  to: { customer_id: number } | { staff_id: number }
  /** The text, given the recipient's first name. */
  words: (name: string) => MessageTexts
  /** When it becomes pointless: the class's start, the end of an offer. */
  before: Date | null
  /** Start of the class that it is about: close to it quiet hours do not apply (M4). */
  starts?: Date
  /** Only by these channels; absent: by all that the event has. */
  channels?: readonly Channel[]
}

/**
 * Inserts messages in the transaction of the event; they are not sent when it rolls back (M5). Skips people who already got the message.
 * Returns how many people get it by at least one external channel or in their notifications.
 */
export async function enqueueMessages(tx: Tx, ctx: Ctx, told: readonly OutgoingMessage[]): Promise<number> {
  const [customers, members, ownWords] = await Promise.all([
    findCustomers(
      tx,
      told.flatMap(({ to }) => ('customer_id' in to ? [to.customer_id] : [])),
    ),
    findStaff(
      tx,
      told.flatMap(({ to }) => ('staff_id' in to ? [to.staff_id] : [])),
    ),
    loadOwnTexts(
      tx,
      ctx,
      told.map(({ event }) => event),
    ),
  ])
  const people = new Set<number>()
  const rows = told.flatMap(({ event, about, to, words, before, starts, channels }) => {
    const person = 'customer_id' in to ? customers.get(to.customer_id) : members.get(to.staff_id)
    if (!person) return []
    const { settings, now, zone } = ctx
    const text = words(person.name)
    const chosen = channelsFor(event, person, settings).filter((channel) => channels?.includes(channel) ?? true)
    return chosen.map((channel) => {
      people.add('customer_id' in to ? to.customer_id : -to.staff_id)
      const seen = channel === 'app'
      return {
        event,
        about,
        ...to,
        channel,
        status: seen ? ('sent' as const) : ('waiting' as const),
        words: person.kind === 'customer' ? ownWords(event, channel, text, person) : text,
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

/** The email that a customer would get by a message that is not sent, with the studio's own text (M11). Null for somebody who is gone. */
export async function previewMail(
  ctx: Ctx,
  { event, to, words }: OutgoingMessage,
): Promise<{ name: string; subject: string; text: string } | null> {
  if (!('customer_id' in to)) return null
  const [customers, ownWords] = await Promise.all([findCustomers(ctx.db, [to.customer_id]), loadOwnTexts(ctx.db, ctx, [event])])
  const person = customers.get(to.customer_id)
  if (!person) return null
  const { title, subject, lines } = ownWords(event, 'mail', words(person.name), person)
  return { name: person.name, subject: subject ?? title, text: lines.join('\n') }
}

/** The email of a message that nobody gets, as it would be sent: with the studio's own text (M11). */
export async function mailAsSent(
  ctx: Ctx,
  { event, name, words }: { event: MessageEvent; name: string; words: MessageTexts },
): Promise<Written> {
  const ownWords = await loadOwnTexts(ctx.db, ctx, [event])
  return letterOf(ctx, name, ownWords(event, 'mail', words))
}

const letterOf = ({ settings, studio: { publicUrl } }: Ctx, name: string, words: MessageTexts): Written =>
  renderEmail(
    settings,
    publicUrl,
    {
      subject: words.subject ?? words.title,
      preview: words.lines[0] ?? words.title,
      title: words.title,
      paragraphs: words.replaced ? words.lines : [`Hola, ${name}.`, ...words.lines],
      ...(words.action ? { action: { label: words.action.label, url: `${publicUrl}${words.action.path}` } } : {}),
      notes: words.notes,
      ...(words.unsubscribe ? { unsubscribeUrl: `${publicUrl}${words.unsubscribe}` } : {}),
    },
    words.language,
  )

/** How the `about` of a message begins that staff sent to themselves to see it (M13). */
export const TEST_ABOUT = 'test:'

/** A message that a staff member sends to themselves: through the outbox like all others, as often as they like (M13). */
export async function enqueueTest(
  tx: Tx,
  ctx: Ctx,
  {
    id,
    to,
    ...message
  }: { event: MessageEvent; channel: Channel; words: MessageTexts; to: { customer_id: number } | { staff_id: number }; id: string },
): Promise<void> {
  const isApp = message.channel === 'app'
  const made = await insertMessages(tx, [
    {
      ...message,
      ...to,
      about: `${TEST_ABOUT}${id}`,
      status: isApp ? 'sent' : 'waiting',
      nextAt: ctx.now,
      createdAt: ctx.now,
      sentAt: isApp ? ctx.now : null,
    },
  ])
  await sendDue(
    tx,
    made.filter((row) => row.status === 'waiting'),
  )
}

/** Messages of a paused broadcast wait until they are released. */
const HELD_UNTIL = new Date('2999-12-31T00:00:00Z')

/** Holds the messages of one occurrence that have not left yet. */
export const holdWaitingMessages = (tx: Tx, event: MessageEvent, about: string): Promise<void> =>
  updateWaiting(tx, { event, about }, { nextAt: HELD_UNTIL }).then(() => undefined)

/** Lets them leave: each at its hour, as if it were written now (M4). */
export async function resumeWaitingMessages(tx: Tx, ctx: Ctx, event: MessageEvent, about: string): Promise<void> {
  for (const channel of ['mail', 'whatsapp'] as const)
    await updateWaiting(tx, { event, about, channel }, { nextAt: leavesAt(channel, ctx.now, null, ctx.settings, ctx.zone) })
}

/** Ends them: they will not be sent. Returns how many. */
export const dropWaitingMessages = (tx: Tx, event: MessageEvent, about: string, reason: string): Promise<number> =>
  updateWaiting(tx, { event, about }, { status: 'moot', reason })

/**
 * Replaces the words of messages to customers by the studio's own texts, where it has any (M11); otherwise by the product's in the customer's
 * language (G13). WhatsApp approves its texts in Spanish.
 */
async function loadOwnTexts(tx: Reader, { settings }: Ctx, events: readonly MessageEvent[]) {
  const [texts, live] = events.length ? await Promise.all([listOwnTexts(tx, events), listLiveTemplates(tx, events)]) : [[], []]
  return (event: MessageEvent, channel: Channel, words: MessageTexts, person?: Pick<KnownPerson, 'language'>): MessageTexts => {
    const { business_name } = settings
    if (!isAutomatic(event)) return words
    if (channel === 'whatsapp') {
      const template = live.find((row) => row.event === event)
      return template ? withOwnTemplate(event, words, template, business_name) : words
    }
    const own = texts.find((row) => row.event === event && row.channel === channel)
    if (own && (own.subject !== null || own.text !== null)) return withOwnText(event, channel, words, own, business_name)
    return languageFor(person?.language, settings) === 'en' ? wordsInEnglish(words) : words
  }
}

type About = Pick<MessageRow, 'about' | 'customer_id'>

/**
 * Returns why each of some messages of an event has become pointless, or null. Called right before sending; each module handles its own
 * events.
 */
type WhyPointless = (ctx: Ctx, messages: readonly About[]) => Promise<readonly (string | null)[]>
export type Relevance = Partial<Record<MessageEvent, WhyPointless>>

/** The same by a function that looks at one message. */
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
 * Sends due messages. Each is claimed by its job; a failure is retried later, or replaced by an email (M6), and affects no other. A job that
 * finds its own claim is a retry after its process died: the interrupted attempt is resolved first.
 */
export async function deliver(ctx: Ctx, asked: readonly Delivery[], relevance: Relevance, files: MessageFiles = {}): Promise<void> {
  const rows = await ctx.tx(async (tx) => {
    const claimed = await claimMessages(tx, asked, ctx.now)
    const left = asked.filter(({ message_id }) => !claimed.some((row) => row.message_id === message_id))
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
  const isChecked = (row: MessageRow) => !row.about.startsWith(TEST_ABOUT) && !(row.mootAt && row.mootAt <= ctx.now)
  try {
    const checked = rows.filter(isChecked)
    const reasons = whyPointless && checked.length > 0 ? await whyPointless(ctx, checked) : []
    const reasonOf = new Map(checked.map((row, n) => [row, reasons[n] ?? null]))
    const person = await loadPeople(ctx.db, rows)
    return await Promise.allSettled(
      rows.map(async (row) => {
        const reason = row.mootAt && row.mootAt <= ctx.now ? 'too late' : (reasonOf.get(row) ?? null)
        if (reason) return { status: 'moot' as const, reason }
        const taken = await sendBy(ctx, row, person(row), filesOf)
        return { status: 'sent' as const, sentAt: ctx.now, reason: null, ...taken }
      }),
    )
  } catch (reason) {
    return rows.map(() => ({ status: 'rejected', reason }))
  }
}

/** Records that a message could not be sent, and when it is tried again; or an email replaces it (M6). */
async function recordFailure(ctx: Ctx, row: MessageRow, error: unknown): Promise<void> {
  const settle = (change: Partial<MessageRow>) => ctx.tx((tx) => finishMessage(tx, row.message_id, change))
  const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
  if (error instanceof WhatsAppUnknown) {
    await settle({ status: 'unknown', reason })
  } else if (error instanceof WhatsAppRefused || error instanceof MailRefused || error instanceof PushRefused) {
    await settle({ status: 'failed', reason })
  } else {
    const nextAt = nextTry(row.tries, ctx.now)
    await settle(nextAt ? { status: 'waiting', nextAt, reason } : { status: 'failed', reason })
    ctx.studio.log.warn({ error, message_id: row.message_id, tries: row.tries }, 'message.send_failed')
    if (nextAt) return
  }
  await ctx.tx((tx) => mailInstead(tx, ctx, row))
}

/** The recipients of messages; of one who is gone, undefined. */
async function loadPeople(on: Reader, rows: readonly Pick<MessageRow, 'customer_id' | 'staff_id'>[]) {
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

async function sendBy(ctx: Ctx, row: MessageRow, person: KnownPerson | undefined, filesOf: FilesOf | undefined): Promise<Partial<Taken>> {
  const { words } = row
  if (isUnreadable(words)) throw new MailRefused('The stored text is not readable.')
  // A message that staff sent again is another message to the mail servers on its way, which drop what they have seen.
  const messageId = [row.event.replaceAll('_', '-'), row.message_id, ...(row.resends > 0 ? [row.resends] : [])].join('-')
  if (row.channel === 'whatsapp') {
    if (!person?.phone) throw new WhatsAppRefused('No telephone is known.')
    const { event } = row
    return ctx.ports.whatsapp.send({
      phone: person.phone,
      event,
      ...(words.template ? { own: words.template } : {}),
      blanks: words.template?.blanks ?? words.blanks,
      // The template of broadcasts has a button that stops promotions.
      path: words.unsubscribe ?? words.action?.path ?? paths.mystudio.calendar,
      messageId,
    })
  }
  if (row.channel === 'push') return pushBy(ctx, row)
  if (!person?.email) throw new MailRefused('No address is known.')
  const letter = letterOf(ctx, person.name, words)
  const oneClick = words.unsubscribe && `${ctx.studio.publicUrl}${oneClickPath(words.unsubscribe)}`
  // A text that staff sent to themselves is about nothing (M13).
  const attachments = filesOf && !row.about.startsWith(TEST_ABOUT) ? { attachments: await filesOf(ctx, row) } : {}
  await ctx.ports.mail.send({ ...letter, ...attachments, to: person.email, messageId, ...(oneClick ? { unsubscribeUrl: oneClick } : {}) })
  return {}
}

/** How long a push service stores a message that has no end, in seconds. */
const PUSH_DAY = 86_400
/** What happens this soon wakes the device at once. */
const PUSH_URGENT_MS = 12 * 3_600_000

/** Sends a notification to every device of the person. Those that do not exist any more are forgotten; one that takes it is enough. */
async function pushBy(ctx: Ctx, { message_id, customer_id, staff_id, words, mootAt }: MessageRow): Promise<Partial<Taken>> {
  const devices = await openPushDevices(ctx, { customer_id, staff_id })
  const left = mootAt === null ? null : mootAt.getTime() - ctx.now.getTime()
  const notice = {
    title: words.title,
    body: words.lines.join('\n').slice(0, PUSH_BODY_MAX),
    path: words.action?.path ?? paths.mystudio.messages,
    tag: `m${message_id}`,
  }
  const ttl = left === null ? PUSH_DAY : Math.max(60, Math.floor(left / 1000))
  const isUrgent = left !== null && left < PUSH_URGENT_MS
  const results = await Promise.allSettled(
    devices.map(({ endpoint, p256dh, auth }) => ctx.ports.push.send({ endpoint, p256dh, auth, notice, ttl, isUrgent })),
  )
  const gone = devices.filter((_, at) => {
    const result = results[at]
    return result?.status === 'fulfilled' && !result.value
  })
  const ids = gone.map(({ push_device_id }) => push_device_id)
  if (ids.length) await ctx.tx((tx) => forgetPushDevices(tx, ids))
  if (results.some((result) => result.status === 'fulfilled' && result.value)) return {}
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  throw failures.find((failure) => !(failure instanceof PushRefused)) ?? failures[0] ?? new PushRefused('No device is known.')
}

/** Replaces a failed WhatsApp or push message by an email, unless the person gets one anyway or, by another way, the same message (M6). */
async function mailInstead(tx: Tx, ctx: Ctx, row: MessageRow): Promise<void> {
  // The channels of a broadcast were chosen by the studio (BR3), that of a test by who asked for it (M13).
  if ((row.channel !== 'whatsapp' && row.channel !== 'push') || row.event === 'broadcast' || isUnreadable(row.words)) return
  const person = (await loadPeople(tx, [row]))(row)
  if (row.channel === 'push') {
    const isAsked = person?.kind === 'customer' && consentsTo(row.event, person, 'mail') && !row.about.startsWith(TEST_ABOUT)
    if (!isAsked || (await hasOtherMessage(tx, row))) return
  }
  const { event, about, customer_id, staff_id, mootAt } = row
  const { template: _, ...plain } = row.words
  const words = customer_id === null ? plain : (await loadOwnTexts(tx, ctx, [event]))(event, 'mail', plain, person)
  const again = { event, about, customer_id, staff_id, words, mootAt, channel: 'mail' as const, status: 'waiting' as const }
  const made = await insertMessages(tx, [{ ...again, nextAt: ctx.now, createdAt: ctx.now }])
  await sendDue(tx, made)
}

/** Sending takes seconds; a claim of this age belongs to a dead process. */
const STUCK_MS = 3 * 60_000

/**
 * Recovers messages that a dead process claimed (M6): an email is sent again under the same id; a WhatsApp message may have been sent, so
 * an email replaces it.
 */
export async function recover(ctx: Ctx): Promise<void> {
  await ctx.tx(async (tx) => {
    for (const row of await releaseStuck(tx, new Date(ctx.now.getTime() - STUCK_MS))) await mailInstead(tx, ctx, row)
  })
}

/** Applies a provider's delivery reports (M7). Returns whether any changed a message. */
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

/** The caller's notifications, newest first, fifty per page. */
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

/** Marks the caller's notifications as read; other people's ids are ignored. */
export async function markNotificationsRead(ctx: Ctx, input: { message_ids?: number[] | undefined }): Promise<{ ok: true }> {
  await ctx.tx((tx) => markRead(tx, ctx.customer.customer_id, input.message_ids ?? null, ctx.now))
  return { ok: true }
}

/** The caller's channel preferences, and since when (M2). */
export const preferences = (ctx: Ctx): Promise<{ preferences: MessagePreferences }> => preferencesOf(ctx, ctx.customer.customer_id)

/** The same of any customer. NOT_FOUND. */
export async function preferencesOf(ctx: Ctx, customer_id: number): Promise<{ preferences: MessagePreferences }> {
  const [row, consents] = await Promise.all([customerById(ctx.db, customer_id), listConsents(ctx.db, customer_id)])
  const of = (channel: 'mail' | 'whatsapp' | 'marketing') => {
    const found = consents.find((one) => one.channel === channel)
    return found ? { allowed: found.allowed, changedAt: found.changedAt.toISOString() } : null
  }
  const phone = row.phone && internationalNumber(row.phone)
  return {
    preferences: { whatsapp: of('whatsapp'), mail: of('mail'), marketing: of('marketing'), phone: phone ? `+${phone}` : null },
  }
}

interface Consents {
  whatsapp?: boolean | undefined
  mail?: boolean | undefined
  /** Promotions, by any channel (BR2). */
  marketing?: boolean | undefined
}

/** Gives or withdraws the caller's consent to a channel (M2). */
export const setPreferences = (ctx: Ctx, input: Consents): Promise<{ preferences: MessagePreferences }> =>
  setPreferencesOf(ctx, ctx.customer.customer_id, input)

/** The same of any customer; the date and the audit trail are the proof, `source` says how the customer said it (M2). NOT_FOUND. */
export async function setPreferencesOf(
  ctx: Ctx,
  customer_id: number,
  input: Consents,
  source?: string,
): Promise<{ preferences: MessagePreferences }> {
  await ctx.tx(async (tx) => {
    await customerById(tx, customer_id)
    const before = await listConsents(tx, customer_id)
    for (const channel of ['whatsapp', 'mail', 'marketing'] as const) {
      const allowed = input[channel]
      if (allowed === undefined || before.find((one) => one.channel === channel)?.allowed === allowed) continue
      await putConsent(tx, { customer_id, channel, allowed, changedAt: ctx.now })
      const after = { channel, allowed }
      await ctx.audit(tx, {
        action: 'consent.change',
        entity: 'customer',
        entity_id: customer_id,
        after,
        ...(source ? { reason: source } : {}),
      })
    }
  })
  return preferencesOf(ctx, customer_id)
}

/**
 * Records a consent that was given elsewhere on a day, unless the customer answered about the channel already: their own answer counts. The instant that
 * was recorded; null: nothing was.
 */
export async function addImportedConsent(
  tx: Tx,
  ctx: Ctx,
  { customer_id, channel, on, reason }: { customer_id: number; channel: 'whatsapp' | 'marketing'; on: LocalDate; reason: string },
): Promise<Date | null> {
  if ((await listConsents(tx, customer_id)).some((one) => one.channel === channel)) return null
  const noon = fromWallClock(new Date(`${on}T12:00:00Z`), ctx.zone)
  const changedAt = noon > ctx.now ? ctx.now : noon
  await putConsent(tx, { customer_id, channel, allowed: true, changedAt })
  await ctx.audit(tx, {
    action: 'consent.change',
    entity: 'customer',
    entity_id: customer_id,
    after: { channel, allowed: true, on },
    reason,
  })
  return changedAt
}

/** Takes back a consent that an import recorded, unless the customer answered since. */
export async function eraseImportedConsent(
  tx: Tx,
  ctx: Ctx,
  { customer_id, channel, changedAt, reason }: { customer_id: number; channel: 'whatsapp' | 'marketing'; changedAt: Date; reason: string },
): Promise<void> {
  if (!(await deleteConsent(tx, { customer_id, channel, changedAt }))) return
  await ctx.audit(tx, { action: 'consent.change', entity: 'customer', entity_id: customer_id, after: { channel, allowed: false }, reason })
}

/** Gives or withdraws consent to promotions by the link of a broadcast (BR6). The same answer again changes nothing, nor its date. */
export async function putPromotionConsent(
  tx: Tx,
  ctx: Ctx,
  { customer_id, allowed, broadcast_id }: { customer_id: number; allowed: boolean; broadcast_id: number },
): Promise<void> {
  const before = (await listConsents(tx, customer_id)).find(({ channel }) => channel === 'marketing')
  if (before?.allowed === allowed) return
  await putConsent(tx, { customer_id, channel: 'marketing', allowed, changedAt: ctx.now })
  const after = { channel: 'marketing', allowed, broadcast_id }
  await ctx.audit(tx, { action: 'consent.change', entity: 'customer', entity_id: customer_id, after })
}

/** Emails that were not sent because no mail server is configured, newest first (M9). */
export async function outbox(ctx: Ctx, input: { page: number }): Promise<{ mails: StoredMail[]; total: number; kept: boolean }> {
  const found = await ctx.ports.mail.kept?.({ number: input.page, size: MESSAGES_PER_PAGE })
  const mails = (found?.mails ?? []).map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }))
  return { mails, total: found?.total ?? 0, kept: found !== undefined }
}

/**
 * Sends a message again with the same text, after its customer's email or phone was corrected if `email` or `phone` is given (M10).
 * NOT_FOUND, MESSAGE_NOT_RESENDABLE, MESSAGE_WITHOUT_CONSENT, and the refusals of a changed customer.
 */
export function resend(
  ctx: Ctx,
  input: { message_id: number; email?: string | undefined; phone?: string | undefined },
): Promise<{ status: 'waiting'; next_at: string }> {
  return ctx.once('messages.resend', input, async (tx) => {
    const row = await lockMessage(tx, input.message_id)
    if (!row) throw refuse('NOT_FOUND')
    const { message_id, event, channel, customer_id, staff_id } = row
    if (channel === 'app' || channel === 'push' || !isResendable(row, ctx.now)) throw refuse('MESSAGE_NOT_RESENDABLE')
    const corrected = channel === 'mail' ? { email: input.email } : { phone: input.phone }
    if (Object.values(corrected).some((value) => value !== undefined)) {
      if (customer_id === null) throw refuse('MESSAGE_NOT_RESENDABLE')
      await changeCustomer(ctx, tx, customer_id, corrected)
    }
    const person = (await loadPeople(tx, [row]))(row)
    if (!person) throw refuse('MESSAGE_NOT_RESENDABLE')
    if (!consentsTo(event, person, channel)) throw refuse('MESSAGE_WITHOUT_CONSENT')
    const nextAt = leavesAt(channel, ctx.now, row.mootAt, ctx.settings, ctx.zone)
    const fresh = { status: 'waiting' as const, nextAt, tries: 0, resends: row.resends + 1 }
    await updateMessage(tx, message_id, { ...fresh, reason: null, sentAt: null, provider_id: null, provider_person: null })
    if (nextAt <= ctx.now) await sendDue(tx, [{ message_id, channel }])
    const about =
      customer_id !== null
        ? { entity: 'customer' as const, entity_id: customer_id }
        : { entity: 'staff' as const, entity_id: staff_id ?? 0 }
    await ctx.audit(tx, { action: 'message.resend', ...about, after: { message_id, event, channel } })
    return { status: 'waiting' as const, next_at: nextAt.toISOString() }
  })
}

export type LogInput = Omit<LogFilter, 'since' | 'until'> & { from?: string | undefined; to?: string | undefined }

/** Messages are counted up to so many after the page that is shown. */
const COUNT_AHEAD = 5_000

/** A page of the delivery log (M7). */
export async function deliveryLog(ctx: Ctx, { page, ...input }: LogInput & { page: number }) {
  const countLimit = page * MESSAGES_PER_PAGE + COUNT_AHEAD
  const { messages, total } = await loggedMessages(ctx, input, { number: page, size: MESSAGES_PER_PAGE }, countLimit + 1)
  return { messages, total: Math.min(total, countLimit), has_more: total > countLimit }
}

/** The same with pages of any size, counted up to a limit. */
export async function loggedMessages(
  ctx: Ctx,
  { from, to, ...filter }: LogInput,
  page: { number: number; size: number },
  countLimit: number,
): Promise<{ messages: LoggedMessage[]; total: number }> {
  const since = from === undefined ? undefined : startOfDay(from, ctx.zone)
  const until = to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone)
  const { rows, total } = await listLog(ctx.db, { ...filter, since, until }, page, countLimit)
  return {
    messages: rows.map(({ message: row, name, email, phone, has_account }) => ({
      message_id: row.message_id,
      event: row.event,
      channel: row.channel,
      status: row.status,
      customer_id: row.customer_id,
      staff_id: row.staff_id,
      name,
      title: row.words.title,
      text: sentText(row),
      reason: row.reason,
      tries: row.tries,
      createdAt: row.createdAt.toISOString(),
      next_at: row.status === 'waiting' ? row.nextAt.toISOString() : null,
      sentAt: row.sentAt?.toISOString() ?? null,
      address: row.channel === 'mail' ? email : row.channel === 'whatsapp' ? phone : null,
      has_account,
      resends: row.resends,
      resendable: isResendable(row, ctx.now),
    })),
    total,
  }
}

/** The text as it was sent. */
function sentText({ channel, event, words }: MessageRow): string {
  if (channel !== 'whatsapp') return words.lines.join('\n')
  return words.template ? filledBody(words.template.body, words.template.blanks) : filled(event, words.blanks)
}
