import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { customer } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

export const page = pgTable(
  'page',
  {
    page_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    slug: text().notNull(),
    title: text().notNull(),
    /** As the administrator wrote it, for the editor only. */
    source: text(),
    /** Sanitised HTML. */
    content: text(),
    required: boolean().notNull().default(false),
    required_signup: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('page_slug').on(t.slug),
    check('page_slug_shape', sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$'`),
    check('page_version', sql`${t.version} >= 1`),
  ],
)

/** An acceptance is of one version of a document, with its time: the proof of consent. */
export const acceptedPage = pgTable(
  'accepted_page',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id, { onDelete: 'cascade' }),
    page_id: integer()
      .notNull()
      .references(() => page.page_id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.page_id, t.version] })],
)

export const announcement = pgTable(
  'announcement',
  {
    announcement_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    title: text().notNull(),
    source: text(),
    content: text().notNull(),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [index('announcement_created').on(t.createdAt)],
)
