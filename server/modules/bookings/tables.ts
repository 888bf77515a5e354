import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/**
 * One place in a class. A guest's place is a row of its own under the host's (settled 21): it has its own spot, credit and attendance.
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
    /** When whoever marked saw it; a mark made without a connection arrives later (A11). Null: nobody marked, or the list was closed. */
    markedAt: timestamp(instantColumn),
    /** Who of the staff marked. */
    marked_by: integer().references(() => staff.staff_id),
    class_stars: integer(),
    coach_stars: integer(),
    comment: text(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
    /** `undo`: taken back right after booking; `move`: for another class. Neither counts as a cancel of its lot. */
    cancelled_by: text({ enum: ['customer', 'staff', 'studio', 'system', 'undo', 'move'] }),
    /** Whether the cancel was too late to give the credit back. */
    cancelled_late: boolean(),
    /** How the place was taken. */
    source: text({ enum: ['customer', 'staff', 'waitlist', 'repeat', 'move', 'restored'] })
      .notNull()
      .default('customer'),
    /** What a place in cash costs, frozen when it was taken (V45). */
    price_centavos: integer(),
    /** The sale that paid for a place in cash. */
    purchase_id: integer().references(() => purchase.purchase_id),
    /** Until when cash must come for the place to stay; null = nothing is owed, or it stays anyway. */
    pay_until: timestamp(instantColumn),
    remindedAt: timestamp(instantColumn),
    /** Why not coming does not count. */
    excuse: text(),
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
    check('class_reservation_source', sql`${t.source} in ('customer', 'staff', 'waitlist', 'repeat', 'move', 'restored')`),
    check('class_reservation_guest_name', sql`(${t.host_reservation_id} is null) = (${t.guest} is null)`),
    check('class_reservation_spot_shape', sql`${t.spot} ~ '^[1-9][0-9]?-[1-9][0-9]?$'`),
    check('class_reservation_stars', sql`${t.class_stars} between 1 and 5 and ${t.coach_stars} between 1 and 5`),
    check('class_reservation_cancel', sql`(${t.deletedAt} is null) = (${t.cancelled_by} is null)`),
    index('class_reservation_purchase').on(t.purchase_id).where(sql`${t.purchase_id} is not null`),
    check('class_reservation_sale', sql`${t.is_cash} or (${t.price_centavos} is null and ${t.purchase_id} is null)`),
    check('class_reservation_cash', sql`${t.is_cash} or ${t.is_paid}`),
    index('class_reservation_unpaid').on(t.pay_until).where(sql`${t.deletedAt} is null and not ${t.is_paid}`),
  ],
)

/**
 * Somebody in the line of a full class. While `offered`, a place is held for them: the database counts these rows into
 * `single_class.held`, so that a hold blocks a place as surely as a reservation does.
 */
export const waitlistEntry = pgTable(
  'waitlist',
  {
    waitlist_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    status: text({ enum: ['waiting', 'offered', 'booked', 'passed', 'left', 'closed'] })
      .notNull()
      .default('waiting'),
    /** Take the place without asking (mode `auto`). */
    auto: boolean().notNull().default(false),
    priority: integer().notNull().default(0),
    /** How often a place was held for them; part of the signed link, so that an old link answers nothing. */
    offers: integer().notNull().default(0),
    offer_until: timestamp(instantColumn),
    /** The last opening in which it was their turn: nobody is asked twice about the same place. */
    opening: integer().notNull().default(0),
    skip_code: text(),
    skippedAt: timestamp(instantColumn),
    class_reservation_id: integer().references(() => classReservation.class_reservation_id),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('waitlist_customer').on(t.single_class_id, t.customer_id).where(sql`${t.status} in ('waiting', 'offered')`),
    index('waitlist_line').on(t.single_class_id, t.status),
    index('waitlist_mine').on(t.customer_id, t.status),
    index('waitlist_offer').on(t.offer_until).where(sql`${t.status} = 'offered'`),
    check('waitlist_status', sql`${t.status} in ('waiting', 'offered', 'booked', 'passed', 'left', 'closed')`),
    check('waitlist_hold', sql`(${t.status} = 'offered') = (${t.offer_until} is not null)`),
  ],
)

/** Each time that places of a class with a line became free: whose turn it is, and which message was sent, is counted by it. */
export const waitlistOpening = pgTable(
  'waitlist_opening',
  {
    waitlist_opening_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('waitlist_opening_class').on(t.single_class_id)],
)

/** A block on booking (S2-4.22 to S2-4.24, settled 24). */
export const reservationPenalty = pgTable(
  'class_reservation_penalty',
  {
    class_reservation_penalty_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    /** The no-shows that caused it, the last one first; empty when staff gave it by hand. */
    class_reservation_ids: integer().array().notNull().default(sql`'{}'`),
    reason: text().notNull(),
    starts_at: timestamp(instantColumn).notNull(),
    /** The instant at which booking is possible again. */
    ends_at: timestamp(instantColumn).notNull(),
    forgivenAt: timestamp(instantColumn),
    forgive_reason: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('class_reservation_penalty_customer').on(t.customer_id, t.ends_at),
    // The same last no-show never penalises twice, however often the job runs.
    uniqueIndex('class_reservation_penalty_cause')
      .on(sql`(${t.class_reservation_ids}[1])`)
      .where(sql`cardinality(${t.class_reservation_ids}) > 0 and ${t.forgivenAt} is null`),
    check('class_reservation_penalty_times', sql`${t.ends_at} > ${t.starts_at}`),
    check('class_reservation_penalty_forgiven', sql`(${t.forgivenAt} is null) = (${t.forgive_reason} is null)`),
  ],
)

/** The secret address of somebody's own calendar; a new version makes the old address void. */
export const calendarFeed = pgTable('calendar_feed', {
  customer_id: integer()
    .primaryKey()
    .references(() => customer.customer_id),
  version: integer().notNull().default(1),
  createdAt: timestamp(instantColumn).notNull(),
})
