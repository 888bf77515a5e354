import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { AUTOMATIC_EVENTS, type AutomaticEvent, CHANNELS, MESSAGE_EVENTS, type MessageEvent } from '#contract/channels.ts'
import { messageVariables, type VariableKey } from '#contract/copy/message-variables.ts'
import { LANGUAGES } from '#contract/language.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

const messageTexts = z.object({
  title: z.string(),
  /** Subject of the email, when the title alone would be ambiguous. */
  subject: z.string().optional(),
  lines: z.array(z.string()),
  notes: z.array(z.string()),
  /** A path of the site. */
  action: z.object({ label: z.string(), path: z.string() }).nullable(),
  /** Parameters of the WhatsApp template. */
  blanks: z.array(z.string()),
  /** The studio's own WhatsApp template and its parameters, where it was sent instead of the event's. */
  template: z.object({ name: z.string(), body: z.string(), blanks: z.array(z.string()) }).optional(),
  /** The path at which the person stops promotions, of a message that is one. */
  unsubscribe: z.string().optional(),
  /** The language of the words, when it is not Spanish. */
  language: z.enum(LANGUAGES).optional(),
  /** What the studio's own text replaced; such a text has its own greeting. */
  replaced: z.object({ title: z.string(), subject: z.string().optional(), lines: z.array(z.string()) }).optional(),
})
/** The text of a message, the same for every channel. */
export type MessageTexts = z.infer<typeof messageTexts>

/** Read instead of texts that are not readable. */
const NO_TEXTS: MessageTexts = { title: '', lines: [], notes: [], action: null, blanks: [] }

/** Whether the stored texts could not be read: such a message is not sent. */
export const isUnreadable = ({ title, lines }: MessageTexts): boolean => title === '' && lines.length === 0

const variableKey = z.enum(Object.keys(messageVariables) as [VariableKey, ...VariableKey[]])

/** One message to one person by one channel: outbox and delivery log in one table. */
export const message = pgTable(
  'message',
  {
    message_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    event: text({ enum: MESSAGE_EVENTS as [MessageEvent, ...MessageEvent[]] }).notNull(),
    /** The occurrence of the event, "reservation:12": it is sent to the same person by the same channel once. */
    about: text().notNull(),
    customer_id: integer().references(() => customer.customer_id),
    staff_id: integer().references(() => staff.staff_id),
    channel: text({ enum: CHANNELS }).notNull(),
    status: text({ enum: ['waiting', 'sending', 'sent', 'delivered', 'read', 'failed', 'unknown', 'moot'] }).notNull(),
    texts: json(messageTexts, NO_TEXTS, 'words').notNull(),
    /** Not sent before: end of the quiet hours, or the next attempt. */
    nextAt: timestamp(instantColumn).notNull(),
    /** When it becomes pointless. */
    mootAt: timestamp(instantColumn),
    tries: integer().notNull().default(0),
    /** How often staff sent it again. */
    resends: integer().notNull().default(0),
    reason: text(),
    /** The provider's ids of the message and the person: Mexican numbers from before 2020 may come back with the old 1. */
    provider_id: text(),
    provider_person: text(),
    createdAt: timestamp(instantColumn).notNull(),
    claimedAt: timestamp(instantColumn),
    /** The job that is sending it. */
    claimed_by: text(),
    sentAt: timestamp(instantColumn),
    readAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('message_once').on(t.event, t.about, sql`coalesce(${t.customer_id}, -${t.staff_id})`, t.channel),
    index('message_due').on(t.nextAt).where(sql`${t.status} in ('waiting', 'sending')`),
    index('message_customer').on(t.customer_id, t.channel, t.createdAt),
    // The report of messages counts them without reading the rows.
    index('message_created').on(t.createdAt, t.event, t.channel, t.status),
    index('message_failed').on(t.createdAt).where(sql`${t.status} = 'failed'`),
    uniqueIndex('message_provider').on(t.provider_id).where(sql`${t.provider_id} is not null`),
    check('message_person', sql`(${t.customer_id} is null) <> (${t.staff_id} is null)`),
    check('message_channel', sql`${t.channel} in ('mail', 'whatsapp', 'push', 'app')`),
    check('message_status', sql`${t.status} in ('waiting', 'sending', 'sent', 'delivered', 'read', 'failed', 'unknown', 'moot')`),
  ],
)

/** A person's consent to a channel, or to promotions by any (`marketing`), and since when. The audit trail has every change. */
export const messageConsent = pgTable(
  'message_consent',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    channel: text({ enum: ['mail', 'whatsapp', 'marketing'] }).notNull(),
    allowed: boolean().notNull(),
    changedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.channel] })],
)

/** The studio's own text of an automatic message by one channel. */
export const messageTemplate = pgTable(
  'message_template',
  {
    event: text({ enum: AUTOMATIC_EVENTS as [AutomaticEvent, ...AutomaticEvent[]] }).notNull(),
    channel: text({ enum: CHANNELS }).notNull(),
    /** Null: the default one. */
    subject: text(),
    /** Null: the default one. */
    text: text(),
    updatedAt: timestamp(instantColumn).notNull(),
    updated_by: integer().references(() => staff.staff_id),
  },
  (t) => [
    primaryKey({ columns: [t.event, t.channel] }),
    check('message_template_channel', sql`${t.channel} in ('mail', 'whatsapp', 'push', 'app')`),
  ],
)

/** A template at the WhatsApp provider and what it decided. Names are used once, so rows are never deleted. */
export const whatsappTemplate = pgTable(
  'whatsapp_template',
  {
    name: text().primaryKey(),
    event: text({ enum: MESSAGE_EVENTS as [MessageEvent, ...MessageEvent[]] }).notNull(),
    /** Made from a text of the studio; otherwise one of the fixed templates. */
    is_own: boolean().notNull(),
    /** With numbered blanks, as the provider has it. */
    body: text().notNull(),
    /** The variable of each blank. */
    keys: json(z.array(variableKey), []).notNull(),
    status: text({ enum: ['pending', 'approved', 'rejected', 'paused'] }).notNull(),
    reason: text(),
    createdAt: timestamp(instantColumn).notNull(),
    /** When it was handed in; null = not yet. */
    submittedAt: timestamp(instantColumn),
    /** When the default text took its place. */
    retiredAt: timestamp(instantColumn),
  },
  (t) => [
    index('whatsapp_template_event').on(t.event, t.createdAt),
    check('whatsapp_template_status', sql`${t.status} in ('pending', 'approved', 'rejected', 'paused')`),
  ],
)
