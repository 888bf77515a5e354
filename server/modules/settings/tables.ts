import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** A setting that differs from its default. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: json(z.unknown(), null).notNull(),
  updatedAt: timestamp(instantColumn).notNull().defaultNow(),
})

/** Keys of processors and wallets that the owner typed, each encrypted with the master key (G11, G12). */
export const processorKey = pgTable('processor_key', {
  /** The variable of the environment that wins over it. */
  name: text().primaryKey(),
  sealed_value: text().notNull(),
  /** Its last characters, for the screen; empty for a short one. */
  ending: text().notNull(),
  updatedAt: timestamp(instantColumn).notNull(),
})

/** Unsaved settings that the preview of the pages is rendered with, for some minutes (G10). */
export const settingsPreview = pgTable(
  'settings_preview',
  {
    settings_preview_id: text().primaryKey(),
    /** Values by key, only those that differ from the stored ones. */
    values: json(z.record(z.string(), z.unknown()), {}).notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('settings_preview_expires').on(t.expiresAt)],
)
