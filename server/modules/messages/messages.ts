/**
 * Messages to customers and staff: each event is sent once per person and channel, after the commit that caused it, and every delivery is
 * logged (docs/domain.md, "Messages"). Other modules define text and recipient; channels, hours and retries are decided here.
 */

import type { Channel, MessageEvent } from '#contract/channels.ts'
import type { Written } from '#server/adapters/mail/email-template.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { sendDue } from './delivery.ts'
import { loadOwnTexts, renderOwnEmail } from './own-texts.ts'
import { channelsFor, leavesAt, testAbout } from './rules.ts'
import { findCustomers, findStaff, insertMessages, updateWaiting } from './store.ts'
import type { MessageTexts } from './tables.ts'

export {
  addImportedConsent,
  eraseImportedConsent,
  getMessagePreferences,
  recordPromotionConsent,
  setMessagePreferences,
  withdrawConsents,
} from './consents.ts'
export { type MessageFiles, oneByOne, type Relevance } from './delivery.ts'
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
  texts: (name: string) => MessageTexts
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
export async function enqueueMessages(tx: Tx, ctx: Ctx, messages: readonly OutgoingMessage[]): Promise<number> {
  const [customers, members, withOwnTexts] = await Promise.all([
    findCustomers(
      tx,
      messages.flatMap(({ to }) => ('customer_id' in to ? [to.customer_id] : [])),
    ),
    findStaff(
      tx,
      messages.flatMap(({ to }) => ('staff_id' in to ? [to.staff_id] : [])),
    ),
    loadOwnTexts(
      tx,
      ctx,
      messages.map(({ event }) => event),
    ),
  ])
  const people = new Set<number>()
  const rows = messages.flatMap(({ event, about, to, texts, before, starts, channels }) => {
    const person = 'customer_id' in to ? customers.get(to.customer_id) : members.get(to.staff_id)
    if (!person) return []
    const { settings, now, zone } = ctx
    const text = texts(person.name)
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
        texts: person.kind === 'customer' ? withOwnTexts(event, channel, text, person) : text,
        nextAt: leavesAt(channel, now, starts ?? before, settings, zone),
        mootAt: before,
        createdAt: now,
        sentAt: seen ? now : null,
      }
    })
  })
  if (rows.length === 0) return 0
  const inserted = await insertMessages(tx, rows)
  await sendDue(
    tx,
    inserted.filter((row) => row.status === 'waiting' && row.nextAt <= ctx.now),
  )
  return people.size
}

/** By which channels customers would get a message about an event now (M1), and how many of them by each. */
export async function countByChannel(
  tx: Tx,
  ctx: Ctx,
  { event, customer_ids }: { event: MessageEvent; customer_ids: readonly number[] },
): Promise<ReadonlyMap<Channel, number>> {
  const counts = new Map<Channel, number>()
  for (const person of (await findCustomers(tx, [...customer_ids])).values())
    for (const channel of channelsFor(event, person, ctx.settings)) counts.set(channel, (counts.get(channel) ?? 0) + 1)
  return counts
}

/**
 * The email that a customer would get by a message without sending it, with the studio's own text (M11). Null for a customer who
 * was erased.
 */
export async function previewMail(
  ctx: Ctx,
  { event, to, texts }: OutgoingMessage,
): Promise<{ name: string; subject: string; text: string } | null> {
  if (!('customer_id' in to)) return null
  const [customers, withOwnTexts] = await Promise.all([findCustomers(ctx.db, [to.customer_id]), loadOwnTexts(ctx.db, ctx, [event])])
  const person = customers.get(to.customer_id)
  if (!person) return null
  const { title, subject, lines } = withOwnTexts(event, 'mail', texts(person.name), person)
  return { name: person.name, subject: subject ?? title, text: lines.join('\n') }
}

/** The email of a message without a recipient, as it would be sent: with the studio's own text (M11). */
export async function mailAsSent(
  ctx: Ctx,
  { event, name, texts }: { event: MessageEvent; name: string; texts: MessageTexts },
): Promise<Written> {
  const withOwnTexts = await loadOwnTexts(ctx.db, ctx, [event])
  return renderOwnEmail(ctx, name, withOwnTexts(event, 'mail', texts))
}

/** A message that a staff member sends to themselves: through the outbox like all others, as often as they like (M13). */
export async function enqueueTest(
  tx: Tx,
  ctx: Ctx,
  {
    id,
    to,
    ...message
  }: { event: MessageEvent; channel: Channel; texts: MessageTexts; to: { customer_id: number } | { staff_id: number }; id: string },
): Promise<void> {
  const isApp = message.channel === 'app'
  const messages = await insertMessages(tx, [
    {
      ...message,
      ...to,
      about: testAbout(id),
      status: isApp ? 'sent' : 'waiting',
      nextAt: ctx.now,
      createdAt: ctx.now,
      sentAt: isApp ? ctx.now : null,
    },
  ])
  await sendDue(
    tx,
    messages.filter((row) => row.status === 'waiting'),
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
