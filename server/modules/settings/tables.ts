import { jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

/** A setting that differs from its default. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp(instantColumn).notNull().defaultNow(),
})
