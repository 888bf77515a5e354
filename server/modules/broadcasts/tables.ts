import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { BROADCAST_BUTTONS, BROADCAST_STATES, LEFT_OUT_REASONS } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import { CUSTOMER_STATES } from '#contract/copy/customer-list.ts'
import type { Right } from '#contract/rights.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

const audience = z.object({ segment_id: z.int().optional(), single_class_id: z.int().optional() })

/** The rights and the key of the author, beside the author's id. */
const authorColumns = {
  /** The rights that the author had: with an API key or on a shared device fewer than the person's own. Null: the person's own. */
  rights: text().array().$type<Right[]>(),
  /** The API key with which a program wrote it. */
  api_key_id: integer(),
}

/** A message for customers who change to a state; each day's customers become a broadcast (BR7). */
export const automation = pgTable(
  'automation',
  {
    automation_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Its last editor: it is sent with their rights. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    ...authorColumns,
    customer_state: text({ enum: CUSTOMER_STATES }).notNull(),
    channels: text().array().$type<BroadcastChannel[]>().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    button: text({ enum: BROADCAST_BUTTONS }).notNull().default('none'),
    /** On the clocks of the studio. */
    hour: integer().notNull().default(10),
    again_after_days: integer().notNull().default(60),
    enabled: boolean().notNull().default(true),
    /** When it was switched on or got this state: customers who changed to the state before do not get it. */
    since: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    check('automation_state', sql`${t.customer_state} in ('lost', 'inactive', 'at_risk', 'expiring', 'trial', 'new', 'active')`),
    check('automation_button', sql`${t.button} in ('none', 'calendar', 'packages')`),
  ],
)

/** A message that staff wrote to many customers. */
export const broadcast = pgTable(
  'broadcast',
  {
    broadcast_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    ...authorColumns,
    state: text({ enum: BROADCAST_STATES }).notNull(),
    /** The automation that made it; null: a person wrote it. */
    automation_id: integer().references(() => automation.automation_id),
    /** The segment or class; customers chosen one by one are rows of `broadcast_recipient` from the beginning. */
    audience: json(audience, {}).notNull(),
    /** The audience in words. */
    label: text().notNull(),
    /** Needs the person's consent to promotions. */
    is_promotion: boolean().notNull(),
    channels: text().array().$type<BroadcastChannel[]>().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    button: text({ enum: BROADCAST_BUTTONS }).notNull(),
    /** When it is sent. */
    at: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    /** When its recipients were read from the segment or class. */
    resolvedAt: timestamp(instantColumn),
    finishedAt: timestamp(instantColumn),
    /** Why the sending job stopped it. */
    paused_because: text(),
  },
  (t) => [
    check('broadcast_state', sql`${t.state} in ('scheduled', 'sending', 'paused', 'cancelled', 'sent')`),
    check('broadcast_finished', sql`(${t.finishedAt} is not null) = (${t.state} in ('cancelled', 'sent'))`),
    index('broadcast_due').on(t.at).where(sql`${t.state} in ('scheduled', 'sending')`),
    index('broadcast_created').on(t.createdAt),
    index('broadcast_automation').on(t.automation_id, t.createdAt).where(sql`${t.automation_id} is not null`),
  ],
)

/** One recipient of a broadcast, with the decision about them. */
export const broadcastRecipient = pgTable(
  'broadcast_recipient',
  {
    broadcast_id: integer()
      .notNull()
      .references(() => broadcast.broadcast_id, { onDelete: 'cascade' }),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    /** `queued`: their messages are in the outbox. */
    state: text({ enum: ['waiting', 'queued', 'left_out'] }).notNull(),
    reason: text({ enum: LEFT_OUT_REASONS }),
    queuedAt: timestamp(instantColumn),
    /** When they stopped promotions by the link of this message. */
    unsubscribedAt: timestamp(instantColumn),
  },
  (t) => [
    primaryKey({ columns: [t.broadcast_id, t.customer_id] }),
    check('broadcast_recipient_state', sql`${t.state} in ('waiting', 'queued', 'left_out')`),
    check('broadcast_recipient_reason', sql`(${t.reason} is not null) = (${t.state} = 'left_out')`),
    check('broadcast_recipient_queued', sql`(${t.queuedAt} is not null) = (${t.state} = 'queued')`),
    index('broadcast_recipient_state').on(t.broadcast_id, t.state, t.customer_id),
    // The limit per week counts by person.
    index('broadcast_recipient_person').on(t.customer_id, t.queuedAt),
  ],
)
