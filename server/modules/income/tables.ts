import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

/*
 * Income by day, which reports would otherwise compute again from all charges, lots and movements (docs/decisions/025-rollups.md). The rows
 * of a purchase are current unless it is in `income_change`; a purchase without a row has no money. No foreign keys: rows may be dropped
 * and derived again at any time. Centavos without tax.
 */

/** A period of a purchase that has money. */
export const incomeUnit = pgTable(
  'income_unit',
  {
    purchase_id: integer().notNull(),
    period: text().notNull(),
    /** The purchase's package and location; 0: none. */
    class_package_id: integer().notNull(),
    location_id: integer().notNull(),
    /** All payments less refunds and losses. */
    net: bigint({ mode: 'number' }).notNull(),
    /** Number of credits of its lots; null: none of them is counted. */
    granted: bigint({ mode: 'number' }),
    /** Not recognised after its last day. */
    rest: bigint({ mode: 'number' }).notNull(),
    last_day: date({ mode: 'string' }),
    /** False: it has too many days, or some that are centuries away; reports compute it each time. */
    has_days: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.purchase_id, t.period] }),
    index('income_unit_without_days').on(t.purchase_id).where(sql`not ${t.has_days}`),
  ],
)

/** The change of a unit's income on a day of the studio's zone, for every day with an event. Known future days are included. */
export const incomeDay = pgTable(
  'income_day',
  {
    purchase_id: integer().notNull(),
    period: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** The first and the last event of the day. */
    first_at: timestamp(instantColumn).notNull(),
    last_at: timestamp(instantColumn).notNull(),
    paid: bigint({ mode: 'number' }).notNull(),
    back: bigint({ mode: 'number' }).notNull(),
    recognised: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.purchase_id, t.period, t.day] }),
    index('income_day_of').on(t.day),
    // Corrections, which may cancel the change of another day.
    index('income_day_correction').on(t.purchase_id, t.period).where(sql`${t.paid} < 0 or ${t.back} < 0 or ${t.recognised} < 0`),
  ],
)

/** The sums of `income_day` by day, package and location, changed in the same transaction. */
export const incomeTotal = pgTable(
  'income_total',
  {
    day: date({ mode: 'string' }).notNull(),
    /** As in `income_unit`. */
    class_package_id: integer().notNull(),
    location_id: integer().notNull(),
    paid: bigint({ mode: 'number' }).notNull(),
    back: bigint({ mode: 'number' }).notNull(),
    recognised: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.class_package_id, t.location_id] })],
)

/**
 * What the places of a class that a purchase paid brought in, by the days of the location's zone; those that brought in nothing have
 * no row.
 */
export const incomeClass = pgTable(
  'income_class',
  {
    purchase_id: integer().notNull(),
    single_class_id: integer().notNull(),
    /** Centavos with their fraction: equal parts of a payment. */
    amount: numeric({ precision: 24, scale: 10 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.purchase_id, t.single_class_id] }), index('income_class_of').on(t.single_class_id)],
)

/** The sums of `income_class` by class, changed in the same transaction. */
export const incomeClassTotal = pgTable('income_class_total', {
  single_class_id: integer().primaryKey(),
  amount: numeric({ precision: 24, scale: 10 }).notNull(),
})

/**
 * Purchases whose income is out of date, appended by triggers in the transaction of the change. Without a unique index, so that two
 * transactions that change the same purchase never wait for each other here.
 */
export const incomeChange = pgTable('income_change', {
  income_change_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  purchase_id: integer().notNull(),
})

/** The zone of the days of the stored income: one row. */
export const incomeZone = pgTable('income_zone', { is_only: boolean().primaryKey().default(true), zone: text().notNull() }, (t) => [
  check('income_zone_only', sql`${t.is_only}`),
])
