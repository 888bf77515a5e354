import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

/*
 * What reports would otherwise count again from all reservations (docs/decisions/025-rollups.md). A row is right unless its class or its
 * customer is in `rollup_change`; without a row there is nothing to count. No foreign keys: rows may be dropped and derived again at
 * any time.
 */

/** How the reservations of a class ended, and its stars. Whether it took place, when and where is read from the class itself. */
export const classRollup = pgTable('class_rollup', {
  single_class_id: integer().primaryKey(),
  /** Without those that were undone, moved, or cancelled with the class; the six after it are its parts. */
  reservations: integer().notNull(),
  attended: integer().notNull(),
  absent: integer().notNull(),
  excused: integer().notNull(),
  unmarked: integer().notNull(),
  late: integer().notNull(),
  cancelled: integer().notNull(),
  /** Of the coach, and how many of them are low. */
  ratings: integer().notNull(),
  stars: integer().notNull(),
  low: integer().notNull(),
  /** Of the class. */
  class_ratings: integer().notNull(),
  class_stars: integer().notNull(),
  /** People on its waitlist or refused because it was full, each once; the ids of those who got no spot, in order. */
  waited: integer().notNull(),
  outside: integer().array().notNull(),
  /** How many of those who got no spot were never on the waitlist. */
  refused: integer().notNull(),
  /** When its first place was taken, and when its last one was for the first time; null: never. */
  first_at: timestamp(instantColumn),
  filled_at: timestamp(instantColumn),
})

/** The visits of a customer to a location in a month on the clocks of the studio's zone. */
export const visitMonth = pgTable(
  'visit_month',
  {
    customer_id: integer().notNull(),
    /** The first day of the month. */
    month: date({ mode: 'string' }).notNull(),
    location_id: integer().notNull(),
    visits: integer().notNull(),
    first_at: timestamp(instantColumn).notNull(),
    last_at: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.month, t.location_id] })],
)

/** The first visit of a customer to each location. */
export const visitFirst = pgTable(
  'visit_first',
  {
    customer_id: integer().notNull(),
    location_id: integer().notNull(),
    starts_at: timestamp(instantColumn).notNull(),
    single_class_id: integer().notNull(),
    class_reservation_id: integer().notNull(),
    /** When the next class that they attended began, anywhere; null: none. */
    next_at: timestamp(instantColumn),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.location_id] }), index('visit_first_starts').on(t.starts_at)],
)

/**
 * Classes and customers whose rollups are out of date, appended by triggers in the transaction of the change. Without a unique index, so
 * that two transactions that change the same class never wait for each other here.
 */
export const rollupChange = pgTable('rollup_change', {
  rollup_change_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  single_class_id: integer(),
  customer_id: integer(),
})

/** The zone of the months of the stored visits: one row. */
export const rollupZone = pgTable('rollup_zone', { is_only: boolean().primaryKey().default(true), zone: text().notNull() }, (t) => [
  check('rollup_zone_only', sql`${t.is_only}`),
])
