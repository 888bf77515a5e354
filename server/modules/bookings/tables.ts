import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/**
 * One place in a class. A guest's place is a row of its own under the host's (decision 21): it has its own spot, credit and attendance.
 * `deletedAt` null means active (S2-3.12).
 */
export const classReservation = pgTable(
  'class_reservation',
  {
    class_reservation_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    /** The host's reservation, when this is a guest's place. */
    host_reservation_id: integer().references((): AnyPgColumn => classReservation.class_reservation_id),
    /** The guest's name. */
    guest: text(),
    spot: text(),
    available_class_id: integer().references(() => availableClass.available_class_id),
    is_cash: boolean().notNull().default(false),
    is_paid: boolean().notNull().default(true),
    attend: boolean(),
    class_stars: integer(),
    coach_stars: integer(),
    comment: text(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
    cancelled_by: text({ enum: ['customer', 'staff', 'studio', 'system'] }),
    /** Whether the cancel was too late to give the credit back. */
    cancelled_late: boolean(),
  },
  (t) => [
    uniqueIndex('class_reservation_customer')
      .on(t.single_class_id, t.customer_id)
      .where(sql`${t.deletedAt} is null and ${t.host_reservation_id} is null`),
    uniqueIndex('class_reservation_guest')
      .on(t.host_reservation_id)
      .where(sql`${t.deletedAt} is null and ${t.host_reservation_id} is not null`),
    uniqueIndex('class_reservation_spot').on(t.single_class_id, t.spot).where(sql`${t.deletedAt} is null and ${t.spot} is not null`),
    index('class_reservation_mine').on(t.customer_id, t.createdAt),
    index('class_reservation_class').on(t.single_class_id),
    index('class_reservation_lot').on(t.available_class_id),
    check('class_reservation_guest_name', sql`(${t.host_reservation_id} is null) = (${t.guest} is null)`),
    check('class_reservation_spot_shape', sql`${t.spot} ~ '^[1-9][0-9]?-[1-9][0-9]?$'`),
    check('class_reservation_stars', sql`${t.class_stars} between 1 and 5 and ${t.coach_stars} between 1 and 5`),
    check('class_reservation_cancel', sql`(${t.deletedAt} is null) = (${t.cancelled_by} is null)`),
  ],
)
