/** What the staff decided about tasks. Tasks themselves are computed from other tables and have no rows (docs/domain.md, "Today"). */
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** One row per task that was postponed or closed. */
export const taskState = pgTable(
  'task_state',
  {
    /** Kind and subject of the task: `debt-12`. */
    task_id: text().primaryKey(),
    /** The facts of the task when it was closed; the task returns when they differ. */
    version: text().notNull(),
    snoozed_until: timestamp(instantColumn),
    doneAt: timestamp(instantColumn),
    reason: text(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check('task_state_decided', sql`(${t.snoozed_until} is null) <> (${t.doneAt} is null)`),
    check('task_state_reason', sql`(${t.doneAt} is null) = (${t.reason} is null)`),
  ],
)

/** A staff member who gets new tasks as notifications, and the tasks of the previous run (N12). */
export const taskPush = pgTable('task_push', {
  staff_id: integer()
    .primaryKey()
    .references(() => staff.staff_id),
  /** Ids of tasks; null until the first run, which notifies about none. */
  seen: text().array(),
  createdAt: timestamp(instantColumn).notNull(),
})
