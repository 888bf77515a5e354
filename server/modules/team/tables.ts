import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** An invitation to the staff. Only the last one that was neither accepted nor withdrawn is valid. */
export const staffInvite = pgTable(
  'staff_invite',
  {
    staff_invite_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** Lower case; only an account with this verified email can accept. */
    email: text().notNull(),
    /** The staff member who invited. */
    invited_by: integer().references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
    acceptedAt: timestamp(instantColumn),
    /** Withdrawn by staff, or replaced by a newer link. */
    withdrawnAt: timestamp(instantColumn),
  },
  (t) => [
    index('staff_invite_staff').on(t.staff_id, t.createdAt),
    uniqueIndex('staff_invite_open').on(t.staff_id).where(sql`${t.acceptedAt} is null and ${t.withdrawnAt} is null`),
  ],
)
