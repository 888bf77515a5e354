import { index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

/** A setting that differs from its default. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp(instantColumn).notNull().defaultNow(),
})

/** Unsaved settings that the preview of the pages is rendered with, for some minutes (G10). */
export const settingsPreview = pgTable(
  'settings_preview',
  {
    settings_preview_id: text().primaryKey(),
    /** Values by key, only those that differ from the stored ones. */
    values: jsonb().notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('settings_preview_expires').on(t.expiresAt)],
)
