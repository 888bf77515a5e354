import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { ImportSource } from '#contract/imports.ts'
import { LANGUAGES } from '#contract/language.ts'
import { json } from '#server/platform/checked-columns.ts'
import { plainText } from '#server/platform/search.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { type UndoableAct, undoableAct } from './rules.ts'

export const customer = pgTable(
  'customer',
  {
    customer_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Id in the identity service; null for a customer that staff created, until an account claims it. */
    uid: text(),
    name: text().notNull(),
    last_name: text().notNull(),
    /** Lower case; null only for a customer without an account that staff created by telephone. */
    email: text(),
    /** Ten digits. */
    phone: text(),
    /** The telephone is a relative's, who has it as their own (P19). */
    shares_phone: boolean().notNull().default(false),
    birthdate: date({ mode: 'string' }),
    instagram: text(),
    signup_reason: text(),
    signup_reason_other: text(),
    /** The language that they chose (G13); null: none yet. */
    language: text({ enum: LANGUAGES }),
    /** Files of the profile (content/tables.ts, `file`): the photo and an identity document. */
    photo_file_id: integer(),
    id_file_id: integer(),
    is_frozen: boolean().notNull().default(false),
    /**
     * The studio's one record for counter sales without a customer (S6). It counts as deleted, so that no list or search of customers
     * has it.
     */
    is_anonymous: boolean().notNull().default(false),
    /** The record into which this one was merged (X8); it then counts as deleted, and its log-in opens that record. */
    merged_into: integer().references((): AnyPgColumn => customer.customer_id),
    /** Since when the customer is archived (X19); a later activity restores them. */
    archivedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    deletedAt: timestamp(instantColumn),
    /**
     * Name, email and telephone as `plainText`, for every search of customers; the migration indexes it by trigrams where the database can.
     */
    search: text().generatedAlwaysAs(
      (): SQL => plainText(sql`name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')`),
    ),
  },
  (t) => [
    index('customer_by_name').on(sql`lower(${t.name})`, sql`lower(${t.last_name})`, t.customer_id).where(sql`${t.deletedAt} is null`),
    index('customer_deleted').on(t.customer_id).where(sql`${t.deletedAt} is not null`),
    index('customer_by_search').on(t.search, t.customer_id).where(sql`${t.deletedAt} is null`),
    uniqueIndex('customer_uid').on(t.uid),
    uniqueIndex('customer_email').on(t.email).where(sql`${t.deletedAt} is null`),
    uniqueIndex('customer_phone').on(t.phone).where(sql`${t.deletedAt} is null and not ${t.shares_phone}`),
    index('customer_shared_phone').on(t.phone).where(sql`${t.shares_phone}`),
    uniqueIndex('customer_anonymous').on(t.is_anonymous).where(sql`${t.is_anonymous}`),
    check('customer_anonymous_is_deleted', sql`not ${t.is_anonymous} or (${t.deletedAt} is not null and ${t.uid} is null)`),
    check('customer_merged_is_deleted', sql`${t.merged_into} is null or ${t.deletedAt} is not null`),
    index('customer_merged_into').on(t.merged_into).where(sql`${t.merged_into} is not null`),
    check('customer_account_email', sql`${t.uid} is null or ${t.email} is not null`),
    check('customer_email_lower', sql`${t.email} = lower(${t.email})`),
    check('customer_phone_digits', sql`${t.phone} ~ '^[0-9]{10}$'`),
    check('customer_language', sql`${t.language} in ('es-MX', 'en')`),
  ],
)

/** A browser on a device that gets notifications, of an account (M14). */
export const pushDevice = pgTable(
  'push_device',
  {
    push_device_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Id in the identity service. */
    uid: text().notNull(),
    /** The session in which it was added, with which it ends; null where the identity service does not name sessions (Google). */
    session: text(),
    /** Its address at its browser's push service. */
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('push_device_endpoint').on(t.endpoint), index('push_device_uid').on(t.uid)],
)

/** A customer's billing address. The wire's name of its id has a capital A (S2-3.02). */
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
    /** The version of name, role, rights and locations: an edit that was made from an older one is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    staff_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Id in the identity service; null until an invited person accepts. */
    uid: text(),
    name: text().notNull(),
    email: text().notNull(),
    role: text({ enum: ['owner', 'manager', 'reception', 'coach'] }).notNull(),
    /** The instructor record of this staff member. */
    instructor_id: integer(),
    /** Saved preferences of the administration (columns, switches), by key. */
    preferences: json(z.record(z.string(), z.unknown()), {}).notNull().default({}),
    /** The location last chosen in the administration; null = all that the person may see. */
    chosen_location_id: integer(),
    /** Newest sign-in with which the administration was opened: `auth_time` of its session. */
    lastSignInAt: timestamp(instantColumn),
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

/** An action of a staff member that can be undone for some minutes (LA9). Rows are deleted once they expired. */
export const staffUndo = pgTable(
  'staff_undo',
  {
    undo_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id, { onDelete: 'cascade' }),
    label: text().notNull(),
    act: json<UndoableAct | null>(undoableAct.nullable(), null).notNull(),
    /** The last instant at which it can be undone. */
    until: timestamp(instantColumn).notNull(),
    undoneAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('staff_undo_staff').on(t.staff_id, t.until), index('staff_undo_customer').on(t.customer_id)],
)

/** A right that a staff member has besides those of the role (`granted`), or lacks although the role has it. */
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
 * Locations of a staff member; without rows: all. No foreign key on the location: deleting the last row together with its location would
 * give access to all.
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

/** Notes of staff about a customer; never shown to the customer. */
export const customerNote = pgTable(
  'customer_note',
  {
    customer_note_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    text: text().notNull(),
    /** Listed first. */
    pinned: boolean().notNull().default(false),
    /** Shown to instructors in the rosters of their classes. */
    for_coaches: boolean().notNull().default(false),
    /** The author. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('customer_note_customer').on(t.customer_id, t.createdAt)],
)

/** Number of visits of a customer in the previous system, from an import (IM16). A merge may leave several rows, which add up. */
export const pastVisit = pgTable(
  'past_visit',
  {
    past_visit_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    source: text().$type<ImportSource>().notNull(),
    visits: integer().notNull(),
    /** Noon of the day of the last one; null: not in the file. */
    last_at: timestamp(instantColumn),
    /** Until when they were counted: the end of the day of the last one, or of the import. */
    until_at: timestamp(instantColumn).notNull(),
  },
  (t) => [index('past_visit_customer').on(t.customer_id), check('past_visit_count', sql`${t.visits} > 0`)],
)
