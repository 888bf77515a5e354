import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/**
 * A reservation in a class. A guest's is a row of its own under the host's (settled 21), with its own spot, credit and attendance.
 * `deletedAt` null = active (S2-3.12).
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
    /** For a guest's reservation: the host's. */
    host_reservation_id: integer().references((): AnyPgColumn => classReservation.class_reservation_id),
    /** The guest's name. */
    guest: text(),
    spot: text(),
    available_class_id: integer().references(() => availableClass.available_class_id),
    is_cash: boolean().notNull().default(false),
    is_paid: boolean().notNull().default(true),
    attend: boolean(),
    /**
     * When the mark was made on the device; a mark made offline arrives later (A11). Null: not marked by a person (unmarked, or closed with
     * the roster).
     */
    markedAt: timestamp(instantColumn),
    /** The staff member who marked it. */
    marked_by: integer().references(() => staff.staff_id),
    class_stars: integer(),
    coach_stars: integer(),
    comment: text(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
    /** `undo`: taken back right after booking; `move`: moved to another class. Neither counts against the lot's limit of cancellations. */
    cancelled_by: text({ enum: ['customer', 'staff', 'studio', 'system', 'undo', 'move'] }),
    /** Whether it was cancelled too late to return the credit. */
    cancelled_late: boolean(),
    /** How the reservation was made. */
    source: text({ enum: ['customer', 'staff', 'waitlist', 'repeat', 'move', 'restored'] })
      .notNull()
      .default('customer'),
    /** Price of a cash reservation in centavos, frozen at booking (V45). */
    price_centavos: integer(),
    /** The purchase that paid a cash reservation. */
    purchase_id: integer().references(() => purchase.purchase_id),
    /** Deadline of the cash payment, after which the reservation is cancelled; null = nothing is owed, or there is no deadline. */
    pay_until: timestamp(instantColumn),
    remindedAt: timestamp(instantColumn),
    /** The excuse because of which an absence does not count. */
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
    // A roster finds the guest beside a host, also a cancelled one.
    index('class_reservation_host').on(t.host_reservation_id).where(sql`${t.host_reservation_id} is not null`),
    index('class_reservation_mine').on(t.customer_id, t.createdAt),
    // The hosts of a class in the order of the list of reservations, which counts them without reading the rows.
    index('class_reservation_class').on(t.single_class_id, t.host_reservation_id, t.class_reservation_id),
    index('class_reservation_lot').on(t.available_class_id),
    check('class_reservation_source', sql`${t.source} in ('customer', 'staff', 'waitlist', 'repeat', 'move', 'restored')`),
    check('class_reservation_guest_name', sql`(${t.host_reservation_id} is null) = (${t.guest} is null)`),
    check('class_reservation_spot_shape', sql`${t.spot} ~ '^[1-9][0-9]?-[1-9][0-9]?$'`),
    check('class_reservation_stars', sql`${t.class_stars} between 1 and 5 and ${t.coach_stars} between 1 and 5`),
    check('class_reservation_cancel', sql`(${t.deletedAt} is null) = (${t.cancelled_by} is null)`),
    index('class_reservation_purchase').on(t.purchase_id).where(sql`${t.purchase_id} is not null`),
    check('class_reservation_sale', sql`${t.is_cash} or (${t.price_centavos} is null and ${t.purchase_id} is null)`),
    check('class_reservation_cash', sql`${t.is_cash} or ${t.is_paid}`),
    // Averages read the rated ones alone, without the table.
    index('class_reservation_rated')
      .on(t.createdAt, t.single_class_id, t.coach_stars, t.class_stars)
      .where(sql`${t.coach_stars} is not null`),
    index('class_reservation_unpaid').on(t.pay_until).where(sql`${t.deletedAt} is null and not ${t.is_paid}`),
  ],
)

/**
 * A customer on the waitlist of a full class. While `offered`, a spot is held for them: the database counts these rows into
 * `single_class.held`, so that a hold blocks a spot like a reservation does.
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
    /** Book the spot without asking (mode `auto`). */
    auto: boolean().notNull().default(false),
    priority: integer().notNull().default(0),
    /** How many offers they got; part of the signed link, so that links of earlier offers are void. */
    offers: integer().notNull().default(0),
    offer_until: timestamp(instantColumn),
    /** The last opening in which they got an offer: each customer gets one offer per opening. */
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

/**
 * A customer who wanted to book a class that was full: once, whatever came of it. Written after the refusal, for the report of
 * unmet demand.
 */
export const classRefusal = pgTable(
  'class_refusal',
  {
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id, { onDelete: 'cascade' }),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id, { onDelete: 'cascade' }),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.single_class_id, t.customer_id] }), index('class_refusal_customer').on(t.customer_id)],
)

/**
 * Places held in a class while the purchase that was opened for it is paid. Active while `releasedAt` is null: the database counts their
 * places into `single_class.held`.
 */
export const paymentHold = pgTable(
  'payment_hold',
  {
    payment_hold_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id),
    /** The customer's, and a guest's. */
    places: integer().notNull(),
    hold_until: timestamp(instantColumn).notNull(),
    /** When it ended: expired, refused, or its place was reserved. */
    releasedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('payment_hold_purchase').on(t.purchase_id).where(sql`${t.releasedAt} is null`),
    index('payment_hold_purchases').on(t.purchase_id),
    index('payment_hold_class').on(t.single_class_id),
    index('payment_hold_expiry').on(t.hold_until).where(sql`${t.releasedAt} is null`),
    check('payment_hold_places', sql`${t.places} in (1, 2)`),
  ],
)

/**
 * A place held for a guest whom a customer invited with a link (R29). Active while `releasedAt` is null: the database counts it into
 * `single_class.held`.
 */
export const guestInvite = pgTable(
  'guest_invite',
  {
    guest_invite_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** The reservation of the host. */
    class_reservation_id: integer()
      .notNull()
      .references(() => classReservation.class_reservation_id),
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id),
    hold_until: timestamp(instantColumn).notNull(),
    /** When it ended: expired, taken, or the reservation ended. */
    releasedAt: timestamp(instantColumn),
    /** When the guest took the place. */
    acceptedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('guest_invite_reservation').on(t.class_reservation_id).where(sql`${t.releasedAt} is null`),
    index('guest_invite_reservations').on(t.class_reservation_id),
    index('guest_invite_class').on(t.single_class_id),
    index('guest_invite_expiry').on(t.hold_until).where(sql`${t.releasedAt} is null`),
    check('guest_invite_accepted', sql`${t.acceptedAt} is null or ${t.releasedAt} is not null`),
  ],
)

/** One row each time that spots of a class with a waitlist became free: the offers and messages of that opening reference its number. */
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
    /** The no-shows that caused it, latest first; empty for a penalty given by staff. */
    class_reservation_ids: integer().array().notNull().default(sql`'{}'`),
    reason: text().notNull(),
    starts_at: timestamp(instantColumn).notNull(),
    /** From when booking is possible again. */
    ends_at: timestamp(instantColumn).notNull(),
    forgivenAt: timestamp(instantColumn),
    forgive_reason: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('class_reservation_penalty_customer').on(t.customer_id, t.ends_at),
    // One penalty per last no-show, however often the job runs.
    uniqueIndex('class_reservation_penalty_cause')
      .on(sql`(${t.class_reservation_ids}[1])`)
      .where(sql`cardinality(${t.class_reservation_ids}) > 0 and ${t.forgivenAt} is null`),
    check('class_reservation_penalty_times', sql`${t.ends_at} > ${t.starts_at}`),
    check('class_reservation_penalty_forgiven', sql`(${t.forgivenAt} is null) = (${t.forgive_reason} is null)`),
  ],
)

/** The secret URL of a customer's calendar feed; a new version makes the old URL void. */
export const calendarFeed = pgTable('calendar_feed', {
  customer_id: integer()
    .primaryKey()
    .references(() => customer.customer_id),
  version: integer().notNull().default(1),
  createdAt: timestamp(instantColumn).notNull(),
})
