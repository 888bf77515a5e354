import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

export const customer = pgTable(
  'customer',
  {
    customer_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Identity-service id; null while reception created the customer and no account claimed it yet. */
    uid: text(),
    name: text().notNull(),
    last_name: text().notNull(),
    /** Lower case. */
    email: text().notNull(),
    /** Ten digits. */
    phone: text(),
    birthdate: date({ mode: 'string' }),
    instagram: text(),
    signup_reason: text(),
    signup_reason_other: text(),
    /** Files of the profile (content/tables.ts, `file`): the photo, and an identity document. */
    photo_file_id: integer(),
    id_file_id: integer(),
    is_frozen: boolean().notNull().default(false),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('customer_uid').on(t.uid),
    uniqueIndex('customer_email').on(t.email).where(sql`${t.deletedAt} is null`),
    uniqueIndex('customer_phone').on(t.phone).where(sql`${t.deletedAt} is null`),
    check('customer_email_lower', sql`${t.email} = lower(${t.email})`),
    check('customer_phone_digits', sql`${t.phone} ~ '^[0-9]{10}$'`),
  ],
)

/** Where a customer's invoices go to. The wire's name of its id has a capital A (S2-3.02). */
export const address = pgTable(
  'address',
  {
    Address_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id, { onDelete: 'cascade' }),
    street: text(),
    number: text(),
    interior_number: text(),
    neighborhood: text(),
    city: text().notNull(),
    state: text().notNull(),
    zip_code: text(),
    country: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('address_customer').on(t.customer_id, t.updatedAt)],
)

export const staff = pgTable(
  'staff',
  {
    staff_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Identity-service id; null while the person was invited and has not accepted. */
    uid: text(),
    name: text().notNull(),
    email: text().notNull(),
    role: text({ enum: ['owner', 'manager', 'reception', 'coach'] }).notNull(),
    /** The coach's own instructor record. */
    instructor_id: integer(),
    /** What the person chose in the administration (columns, switches), by key. */
    preferences: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** The location that the person last chose to look at; null = all of theirs. */
    chosen_location_id: integer(),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    disabledAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('staff_uid').on(t.uid),
    uniqueIndex('staff_invited_email').on(t.email).where(sql`${t.uid} is null and ${t.disabledAt} is null`),
    check('staff_role', sql`${t.role} in ('owner', 'manager', 'reception', 'coach')`),
    check('staff_preferences_size', sql`octet_length(${t.preferences}::text) <= 65536`),
  ],
)

/** A right that somebody has beside those of the role (`granted`), or lacks although the role has it. */
export const staffRight = pgTable(
  'staff_right',
  {
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** A key of contract/rights.ts. */
    right: text().notNull(),
    granted: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.staff_id, t.right] })],
)

/**
 * Where somebody works; without a row: everywhere. No foreign key on the location: a row that went with its location would leave the person
 * everywhere.
 */
export const staffLocation = pgTable(
  'staff_location',
  {
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    location_id: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.staff_id, t.location_id] })],
)

/** What the staff write down about a customer; nothing of it is ever shown to the customer. */
export const customerNote = pgTable(
  'customer_note',
  {
    customer_note_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    text: text().notNull(),
    /** Stands before the others. */
    pinned: boolean().notNull().default(false),
    /** Coaches read it in the list of a class of theirs. */
    for_coaches: boolean().notNull().default(false),
    /** Who wrote it. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('customer_note_customer').on(t.customer_id, t.createdAt)],
)
