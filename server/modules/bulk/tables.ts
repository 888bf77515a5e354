import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { bulkParams } from '#contract/bulk.ts'
import type { BulkAction } from '#contract/bulk-actions.ts'
import type { Right } from '#contract/rights.ts'
import { staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** A change to many records that a staff member started (LA4). */
export const bulkJob = pgTable(
  'bulk_job',
  {
    bulk_job_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /**
     * The rights that its author had when it was started or undone: with an API key or on a shared device fewer than their own. Null:
     * their own.
     */
    rights: text().array().$type<Right[]>(),
    /** The API key that started or undid it; it runs only as long as the key works. */
    api_key_id: integer(),
    action: text().$type<BulkAction>().notNull(),
    params: json(bulkParams, {}).notNull(),
    reason: text(),
    /** What it does, in the words of the audit trail. */
    label: text().notNull(),
    state: text({ enum: ['waiting', 'running', 'done', 'undoing', 'undone'] }).notNull(),
    total: integer().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    finishedAt: timestamp(instantColumn),
  },
  (t) => [
    check('bulk_job_state', sql`${t.state} in ('waiting', 'running', 'done', 'undoing', 'undone')`),
    index('bulk_job_created').on(t.createdAt),
  ],
)

/** One record of a bulk job and its result. */
export const bulkItem = pgTable(
  'bulk_item',
  {
    bulk_job_id: integer()
      .notNull()
      .references(() => bulkJob.bulk_job_id, { onDelete: 'cascade' }),
    /** The customer, the reservation or the purchase, by the action of the job. */
    item_id: integer().notNull(),
    /** `refused`: it did not change, for the reason in `code`. `stayed`: it changed, and could not be undone. */
    state: text({ enum: ['waiting', 'done', 'refused', 'undone', 'stayed'] }).notNull(),
    code: text(),
    message: text(),
    /** What undoing it needs. */
    undo: json(z.unknown(), null),
  },
  (t) => [
    primaryKey({ columns: [t.bulk_job_id, t.item_id] }),
    check('bulk_item_state', sql`${t.state} in ('waiting', 'done', 'refused', 'undone', 'stayed')`),
    check('bulk_item_code', sql`(${t.state} in ('refused', 'stayed')) = (${t.code} is not null and ${t.message} is not null)`),
    index('bulk_item_state').on(t.bulk_job_id, t.state, t.item_id),
  ],
)
