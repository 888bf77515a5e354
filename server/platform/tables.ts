/** Tables of the platform: idempotency, audit trail, rate limits, signing keys, failed jobs. */
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from './checked-columns.ts'

export const instantColumn = { withTimezone: true, mode: 'date' } as const

/** One row per (actor, key): the hash of the request and its stored answer (idempotency.ts). */
export const idempotency = pgTable(
  'idempotency',
  {
    actor: text().notNull(),
    key: text().notNull(),
    request_hash: text().notNull(),
    answer: json(z.unknown(), null),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.actor, t.key] }),
    index('idempotency_created').on(t.createdAt),
    check('idempotency_key_length', sql`length(${t.key}) between 1 and 200`),
  ],
)

/** Each action with its actor and the values before and after; written in the transaction of the action. */
export const audit = pgTable(
  'audit',
  {
    audit_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp(instantColumn).notNull(),
    actor: text().notNull(),
    actor_id: integer(),
    action: text().notNull(),
    entity: text().notNull(),
    entity_id: text(),
    before: json(z.unknown(), null),
    after: json(z.unknown(), null),
    reason: text(),
    request_id: text(),
    /** The customer and the location that the entry is about, set by trigger from entity and id; null = none. */
    customer_id: integer(),
    location_id: integer(),
  },
  (t) => [
    index('audit_entity').on(t.entity, t.entity_id),
    index('audit_at').on(t.at),
    // The filters of the audit screen, newest first.
    index('audit_entity_latest').on(t.entity, t.audit_id),
    index('audit_action_latest').on(t.action, t.audit_id),
    index('audit_actor_latest').on(t.actor_id, t.audit_id),
    index('audit_customer_latest').on(t.customer_id, t.audit_id).where(sql`${t.customer_id} is not null`),
  ],
)

/** Leaky buckets of throttle.ts; a job deletes empty ones. `key` is a hash: addresses and e-mails of unknown visitors are not stored. */
export const throttleBucket = pgTable(
  'throttle',
  {
    key: text().primaryKey(),
    /** When the bucket will be empty again. */
    emptyAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('throttle_empty').on(t.emptyAt)],
)

/** Secrets that the studio generated itself, encrypted (secret-box.ts): the key that signs the links in its messages (signing.ts). */
export const signingKey = pgTable('signing_key', {
  name: text().primaryKey(),
  secret: text().notNull(),
  createdAt: timestamp(instantColumn).notNull().defaultNow(),
})

/** Jobs whose retries ran out (jobs.ts). `closed_by`: `retry` when the job was sent again. */
export const failedJob = pgTable(
  'failed_job',
  {
    failed_job_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    job_id: uuid().notNull(),
    queue: text().notNull(),
    job: text().notNull(),
    data: json<object>(z.record(z.string(), z.unknown()), {}).notNull(),
    error: text().notNull(),
    attempts: integer().notNull(),
    failedAt: timestamp(instantColumn).notNull().defaultNow(),
    closedAt: timestamp(instantColumn),
    closed_by: text({ enum: ['retry', 'staff'] }),
  },
  (t) => [
    uniqueIndex('failed_job_once').on(t.job_id),
    index('failed_job_open').on(t.failedAt).where(sql`${t.closedAt} is null`),
    check('failed_job_closed', sql`(${t.closedAt} is null) = (${t.closed_by} is null)`),
    check('failed_job_closed_by', sql`${t.closed_by} in ('retry', 'staff')`),
  ],
)
