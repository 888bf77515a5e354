/** Tables of the ground floor: stored answers to repeated requests, the audit trail, jobs that failed for good. */
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

export const instantColumn = { withTimezone: true, mode: 'date' } as const

/** One row per (who, key): the hash of what was asked and the answer it had (reliability study 4.8). */
export const idempotency = pgTable(
  'idempotency',
  {
    actor: text().notNull(),
    key: text().notNull(),
    request_hash: text().notNull(),
    answer: jsonb(),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.actor, t.key] }),
    index('idempotency_created').on(t.createdAt),
    check('idempotency_key_length', sql`length(${t.key}) between 1 and 200`),
  ],
)

/** Who did what, before and after; written in the transaction that did it. */
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
    before: jsonb(),
    after: jsonb(),
    reason: text(),
    request_id: text(),
  },
  (t) => [index('audit_entity').on(t.entity, t.entity_id), index('audit_at').on(t.at)],
)

/** Leaky buckets of throttle.ts; those that are empty are swept by a job. `key` is a hash: addresses and e-mails of strangers are not stored. */
export const throttleBucket = pgTable(
  'throttle',
  {
    key: text().primaryKey(),
    /** When the bucket will have drained. */
    emptyAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('throttle_empty').on(t.emptyAt)],
)

/** Secrets that the studio made for itself, encrypted (secret-box.ts): what signs the links in its messages (signing.ts). */
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
    data: jsonb().$type<object>().notNull(),
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
