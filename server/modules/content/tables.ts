import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { strokes } from '#contract/customer-records.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

export const page = pgTable(
  'page',
  {
    page_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    slug: text().notNull(),
    title: text().notNull(),
    /** As the author wrote it, for the editor only. */
    source: text(),
    /** Sanitised HTML. */
    content: text(),
    required: boolean().notNull().default(false),
    required_signup: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    /** On the site; otherwise only staff see it, and it need not be accepted. */
    published: boolean().notNull().default(true),
    /** Position in lists. New pages come last. */
    sort: integer().notNull().default(1_000),
    seo_title: text(),
    seo_description: text(),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    updated_by: integer().references(() => staff.staff_id),
    /** When it was removed. The row stays for its acceptances (T8). */
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('page_slug').on(t.slug).where(sql`${t.deletedAt} is null`),
    check('page_slug_shape', sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$'`),
    check('page_version', sql`${t.version} >= 1`),
  ],
)

/** The text of each version of a page, written by a trigger whenever the page gets a new one (T9). Rows never change. */
export const pageVersion = pgTable(
  'page_version',
  {
    page_id: integer()
      .notNull()
      .references(() => page.page_id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    title: text().notNull(),
    source: text(),
    content: text(),
    createdAt: timestamp(instantColumn).notNull(),
    staff_id: integer().references(() => staff.staff_id),
  },
  (t) => [primaryKey({ columns: [t.page_id, t.version] })],
)

/** The acceptance of one version of a document, with its time: the proof of consent. */
export const acceptedPage = pgTable(
  'accepted_page',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id, { onDelete: 'cascade' }),
    /** A removed page keeps its row: customers agreed to it. */
    page_id: integer()
      .notNull()
      .references(() => page.page_id),
    version: integer().notNull(),
    /** Signed on a device of the studio: the name, the drawing (null: the name was typed), and the staff member who was there. */
    signed_name: text(),
    strokes: json(strokes, null),
    staff_id: integer().references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.page_id, t.version] }),
    check('accepted_page_signature', sql`(${t.signed_name} is null) = (${t.strokes} is null)`),
  ],
)

export const announcement = pgTable(
  'announcement',
  {
    announcement_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    title: text().notNull(),
    source: text(),
    content: text().notNull(),
    /** When it is shown; null: at once, and until it is removed. */
    from: timestamp(instantColumn),
    until: timestamp(instantColumn),
    /** Sorted before the others. */
    pinned: boolean().notNull().default(false),
    /** The locations that it is about; null: all. Without foreign keys: deleted ones are ignored. */
    location_ids: integer().array(),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [index('announcement_created').on(t.createdAt), check('announcement_dates', sql`${t.until} > ${t.from}`)],
)

const fieldOption = z.object({ value: z.union([z.string(), z.number(), z.boolean()]), label: z.string() })
const precondition = z.object({ key: z.string(), value: z.unknown().optional() })

/** Columns of a field, shared by forms and custom fields. */
const asking = {
  key: text().notNull(),
  label: text().notNull(),
  type: text().notNull(),
  required: boolean().notNull().default(false),
  step: integer().notNull().default(1),
  order: integer().notNull().default(0),
  options: json(z.array(fieldOption), []).notNull().default([]),
  precondition: json(precondition, null),
}

const askingShape = (t: { options: AnyPgColumn; precondition: AnyPgColumn }) =>
  sql`jsonb_typeof(${t.options}) = 'array' and (${t.precondition} is null or coalesce(jsonb_typeof(${t.precondition} -> 'key'), '') = 'string')`

/** Id 6 is the address form (S1-9.13). */
export const form = pgTable('form', {
  form_id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  createdAt: timestamp(instantColumn).notNull().defaultNow(),
  updatedAt: timestamp(instantColumn).notNull().defaultNow(),
})

export const formField = pgTable(
  'form_field',
  {
    form_id: integer()
      .notNull()
      .references(() => form.form_id, { onDelete: 'cascade' }),
    ...asking,
    /** Its answers are about health. */
    health: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.form_id, t.key] }), check('form_field_shape', askingShape(t))],
)

/**
 * A field of a custom object that the studio defined; a form field with the object's name as its type includes all its fields (S2-5.25).
 */
export const customField = pgTable(
  'custom_field',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    custom_field_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    object: text().notNull(),
    ...asking,
    /** Default value of the field. */
    value: json(z.unknown(), null),
  },
  (t) => [uniqueIndex('custom_field_key').on(t.object, t.key), check('custom_field_shape', askingShape(t))],
)

/** A customer's answers to a form, by the fields' keys. */
export const formAnswer = pgTable(
  'form_answer',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id, { onDelete: 'cascade' }),
    form_id: integer()
      .notNull()
      .references(() => form.form_id),
    answers: json(z.record(z.string(), z.unknown()), {}).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.form_id] }), index('form_answer_form').on(t.form_id)],
)

/**
 * An uploaded file. The row is inserted first (`pending`), then the bytes are stored, then it becomes `ready`, so that no stored bytes lack
 * a row. `key` is a random name; private and public files are stored under different prefixes.
 */
export const file = pgTable(
  'file',
  {
    file_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    key: text().notNull(),
    thumbnail_key: text(),
    name: text().notNull(),
    kind: text({ enum: ['image', 'document', 'video'] }).notNull(),
    type: text().notNull(),
    size: integer().notNull(),
    width: integer(),
    height: integer(),
    /** Of a video: how many bytes from its start show its preview; null = it has none (O17). */
    preview_bytes: integer(),
    is_public: boolean().notNull(),
    place: text({ enum: ['server', 's3'] }).notNull(),
    status: text({ enum: ['pending', 'ready'] }).notNull(),
    /** The account that uploaded it; it may not be a customer yet. */
    uid: text().notNull(),
    /** The customer who owns it; null = the studio. */
    customer_id: integer().references(() => customer.customer_id),
    createdAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('file_key').on(t.key),
    index('file_customer').on(t.customer_id),
    index('file_uid').on(t.uid),
    index('file_unfinished').on(t.createdAt).where(sql`${t.status} = 'pending' or ${t.deletedAt} is not null`),
    check('file_kind', sql`${t.kind} in ('image', 'document', 'video')`),
    check('file_place', sql`${t.place} in ('server', 's3')`),
    check('file_status', sql`${t.status} in ('pending', 'ready')`),
    check('file_size', sql`${t.size} >= 0`),
    check('file_owner', sql`${t.customer_id} is null or not ${t.is_public}`),
  ],
)
