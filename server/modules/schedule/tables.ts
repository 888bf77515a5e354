import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { classCategory, classPackage, classType, instructor, location, room, tag } from '#server/modules/catalogue/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** Classes that repeat: the same hour on some days of every n-th week, until a day or without end (L5). */
export const classSeries = pgTable(
  'class_series',
  {
    class_series_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** The last day; null = without end: a job adds classes as weeks pass. */
    repeat_until: date({ mode: 'string' }),
    /** 1 = Monday to 7 = Sunday; empty in series from before this was recorded: the weekday of their classes. */
    weekdays: integer().array().notNull().default(sql`'{}'`),
    every_weeks: integer().notNull().default(1),
    /** The day from which weeks are counted; null like `weekdays`. */
    starts_on: date({ mode: 'string' }),
    /** Days that it leaves out. */
    except_days: date({ mode: 'string' }).array().notNull().default(sql`'{}'`),
    /** What a new class of it is made from: the fields of a class as they are sent, `class_date` for the hour. */
    fields: json(z.record(z.string(), z.unknown()), null),
    /** The last day for which classes were created. */
    created_until: date({ mode: 'string' }),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check('class_series_weekdays', sql`${t.weekdays} <@ array[1, 2, 3, 4, 5, 6, 7]`),
    check('class_series_every', sql`${t.every_weeks} between 1 and 8`),
    index('class_series_endless').on(t.class_series_id).where(sql`${t.repeat_until} is null`),
  ],
)

/**
 * One class. `taken` counts active reservations and `held` spots held for the waitlist; the database refuses more than `capacity`, and a
 * class without capacity is full (settled 20).
 */
export const singleClass = pgTable(
  'single_class',
  {
    single_class_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    class_type_id: integer()
      .notNull()
      .references(() => classType.class_type_id),
    location_id: integer()
      .notNull()
      .references(() => location.location_id),
    /** A room of the location; null = none. */
    room_id: integer().references(() => room.room_id),
    class_category_id: integer().references(() => classCategory.class_category_id),
    /** The package that sells this class as an event (S2-3.09). */
    class_package_id: integer().references(() => classPackage.class_package_id),
    starts_at: timestamp(instantColumn).notNull(),
    ends_at: timestamp(instantColumn).notNull(),
    description: text().notNull().default(''),
    icon: text(),
    capacity: integer(),
    /** Price of a single place at the counter in centavos; null = its type's (V45). */
    price_centavos: integer(),
    taken: integer().notNull().default(0),
    held: integer().notNull().default(0),
    /** Row sizes of the room; null = no map (settled 23). */
    spot_map: text(),
    closed_spots: text().array().notNull().default(sql`'{}'`),
    cancelledAt: timestamp(instantColumn),
    cancel_reason: text(),
    class_series_id: integer().references(() => classSeries.class_series_id),
    /** The coach whom another one substitutes (L9); null = none. */
    substitutes_for: integer().references(() => instructor.instructor_id),
    /** Changed alone: later changes of its series leave it as it is (L6). */
    own_changes: boolean().notNull().default(false),
    /** When hour or location last changed: earlier reservations may then be cancelled without losing the credit. */
    movedAt: timestamp(instantColumn),
    /** When the roster was closed, after the grace period (settled 24). */
    settledAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [
    check('single_class_places', sql`${t.taken} >= 0 and ${t.held} >= 0 and ${t.taken} + ${t.held} <= coalesce(${t.capacity}, 0)`),
    check('single_class_price', sql`${t.price_centavos} > 0`),
    check('single_class_times', sql`${t.ends_at} > ${t.starts_at}`),
    check('single_class_spot_map', sql`${t.spot_map} ~ '^[1-9][0-9]?(,[1-9][0-9]?)*$'`),
    index('single_class_starts').on(t.starts_at),
    index('single_class_location').on(t.location_id, t.starts_at),
    index('single_class_room').on(t.room_id, t.starts_at).where(sql`${t.room_id} is not null`),
    index('single_class_unsettled').on(t.ends_at).where(sql`${t.settledAt} is null and ${t.cancelledAt} is null`),
    index('single_class_series').on(t.class_series_id),
    index('single_class_package').on(t.class_package_id).where(sql`${t.class_package_id} is not null`),
  ],
)

export const classInstructor = pgTable(
  'class_instructor',
  {
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id, { onDelete: 'cascade' }),
    instructor_id: integer()
      .notNull()
      .references(() => instructor.instructor_id),
    sort: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.single_class_id, t.instructor_id] }), index('class_instructor_instructor').on(t.instructor_id)],
)

export const classTag = pgTable(
  'class_tag',
  {
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id, { onDelete: 'cascade' }),
    tag_id: integer()
      .notNull()
      .references(() => tag.tag_id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.single_class_id, t.tag_id] })],
)
