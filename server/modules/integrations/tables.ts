import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { Right } from '#contract/rights.ts'
import type { WebhookEvent } from '#contract/webhooks.ts'
import { staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** A key with which a program calls the API (I1). */
export const apiKey = pgTable(
  'api_key',
  {
    api_key_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    rights: text().array().$type<Right[]>().notNull(),
    /** Its rights end with those of this person. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    lastUsedAt: timestamp(instantColumn),
    expiresAt: timestamp(instantColumn),
    revokedAt: timestamp(instantColumn),
  },
  (t) => [check('api_key_rights', sql`cardinality(${t.rights}) > 0`)],
)

/** A secret of a key: two of them while it is being rotated. */
export const apiKeySecret = pgTable(
  'api_key_secret',
  {
    api_key_secret_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    api_key_id: integer()
      .notNull()
      .references(() => apiKey.api_key_id),
    /** SHA-256 of the secret, which has 256 random bits. */
    hash: text().notNull(),
    /** Its first characters, which people see. */
    prefix: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    /** Until when it works after a rotation; null for the current one. */
    expiresAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('api_key_secret_hash').on(t.hash),
    uniqueIndex('api_key_secret_current').on(t.api_key_id).where(sql`${t.expiresAt} is null`),
    index('api_key_secret_key').on(t.api_key_id),
  ],
)

/** An address of the owner that gets events (I6). */
export const webhookEndpoint = pgTable(
  'webhook_endpoint',
  {
    webhook_endpoint_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    url: text().notNull(),
    description: text().notNull().default(''),
    event_types: text().array().$type<WebhookEvent[]>().notNull(),
    /** Switched off by the owner: events are not recorded for it. */
    is_active: boolean().notNull().default(true),
    /** The first failed attempt since the last delivery. */
    failingSince: timestamp(instantColumn),
    /** Stopped after three days of failures: events are recorded and wait (I9). */
    stoppedAt: timestamp(instantColumn),
    lastDeliveredAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [check('webhook_endpoint_events', sql`cardinality(${t.event_types}) > 0`)],
)

/** A signing secret, encrypted; two of them for a day after a rotation. */
export const webhookSecret = pgTable(
  'webhook_secret',
  {
    secret_id: text().primaryKey(),
    webhook_endpoint_id: integer()
      .notNull()
      .references(() => webhookEndpoint.webhook_endpoint_id, { onDelete: 'cascade' }),
    sealed: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    /** Null for the current one. */
    expiresAt: timestamp(instantColumn),
  },
  (t) => [index('webhook_secret_endpoint').on(t.webhook_endpoint_id)],
)

/**
 * An event for one address. Triggers insert the rows in the transaction of the change (I6); delivered in the order of their ids per object.
 */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    webhook_delivery_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    webhook_endpoint_id: integer()
      .notNull()
      .references(() => webhookEndpoint.webhook_endpoint_id, { onDelete: 'cascade' }),
    message_id: text().notNull(),
    type: text().notNull(),
    /** What it is about, "class_reservation:12". */
    object: text().notNull(),
    payload: json(z.unknown(), null).notNull(),
    state: text({ enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer().notNull().default(0),
    firstAttemptAt: timestamp(instantColumn),
    /** Null: as soon as possible. */
    nextAttemptAt: timestamp(instantColumn),
    /** While an attempt runs; after a killed process it expires. */
    leasedUntil: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [
    check('webhook_delivery_state', sql`${t.state} in ('waiting', 'delivered', 'failed')`),
    index('webhook_delivery_waiting').on(t.webhook_endpoint_id, t.object, t.webhook_delivery_id).where(sql`${t.state} = 'waiting'`),
    // Due deliveries come first: delivered ones and those that wait for their next attempt are not read.
    index('webhook_delivery_due')
      .on(t.webhook_endpoint_id, sql`coalesce(${t.nextAttemptAt}, '-infinity'::timestamptz)`, t.webhook_delivery_id)
      .where(sql`${t.state} = 'waiting'`),
    index('webhook_delivery_test').on(t.webhook_endpoint_id).where(sql`${t.state} = 'waiting' and ${t.type} = 'webhook.test'`),
    index('webhook_delivery_endpoint').on(t.webhook_endpoint_id, t.webhook_delivery_id),
    index('webhook_delivery_object').on(t.object),
    index('webhook_delivery_created').on(t.createdAt),
  ],
)

/** One attempt of a delivery, with the response. */
export const webhookAttempt = pgTable(
  'webhook_attempt',
  {
    webhook_attempt_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    webhook_delivery_id: integer()
      .notNull()
      .references(() => webhookDelivery.webhook_delivery_id, { onDelete: 'cascade' }),
    at: timestamp(instantColumn).notNull(),
    status: integer(),
    response: text().notNull(),
    error: text(),
    milliseconds: integer().notNull(),
  },
  (t) => [index('webhook_attempt_delivery').on(t.webhook_delivery_id, t.webhook_attempt_id)],
)
