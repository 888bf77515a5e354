import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Right } from '#contract/rights.ts'
import { staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** A key with which a program calls the API (I1). */
export const apiKey = pgTable(
  'api_key',
  {
    api_key_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    rights: text().array().$type<Right[]>().notNull(),
    /** Its rights end with those of this person. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    lastUsedAt: timestamp(instantColumn),
    expiresAt: timestamp(instantColumn),
    revokedAt: timestamp(instantColumn),
  },
  (t) => [check('api_key_rights', sql`cardinality(${t.rights}) > 0`)],
)

/** A secret of a key: two of them while it is being rotated. */
export const apiKeySecret = pgTable(
  'api_key_secret',
  {
    api_key_secret_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    api_key_id: integer()
      .notNull()
      .references(() => apiKey.api_key_id),
    /** SHA-256 of the secret, which has 256 random bits. */
    hash: text().notNull(),
    /** Its first characters, which people see. */
    prefix: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    /** Until when it works after a rotation; null for the current one. */
    expiresAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('api_key_secret_hash').on(t.hash),
    uniqueIndex('api_key_secret_current').on(t.api_key_id).where(sql`${t.expiresAt} is null`),
    index('api_key_secret_key').on(t.api_key_id),
  ],
)
