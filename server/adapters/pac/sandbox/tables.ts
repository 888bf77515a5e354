/**
 * The tables of the sandbox's SAT and PAC: the books of external parties that happen to be in the same database. Nothing outside this
 * folder reads them.
 */
import { sql } from 'drizzle-orm'
import { check, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

/** Keys and certificates of the sandbox's authority, by name. They sign documents without validity only. */
export const pacSandboxValue = pgTable('pac_sandbox_value', { name: text().primaryKey(), value: text().notNull() })

/** Taxpayers that were enrolled with a test certificate, besides the invented ones. */
export const pacSandboxTaxpayer = pgTable('pac_sandbox_taxpayer', {
  rfc: text().primaryKey(),
  name: text().notNull(),
  postal_code: text().notNull(),
  regimes: text().array().notNull(),
})

export const pacSandboxStamp = pgTable(
  'pac_sandbox_stamp',
  {
    uuid: text().primaryKey(),
    key: text().notNull(),
    /** SHA-256 of the document as it was sent. */
    digest: text().notNull(),
    xml: text().notNull(),
    issuer: text().notNull(),
    receiver: text().notNull(),
    total: text().notNull(),
    kind: text().notNull(),
    state: text({ enum: ['valid', 'requested', 'cancelled'] }).notNull(),
    motive: text(),
    substitute: text(),
    stampedAt: timestamp(instantColumn).notNull(),
    requestedAt: timestamp(instantColumn),
    cancelledAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('pac_sandbox_stamp_key').on(t.key),
    uniqueIndex('pac_sandbox_stamp_digest').on(t.digest),
    check('pac_sandbox_stamp_state', sql`${t.state} in ('valid', 'requested', 'cancelled')`),
  ],
)
