/** Sums of charges, which the list of charges would otherwise add up again from all of them (docs/decisions/025-rollups.md). */
import { sql } from 'drizzle-orm'
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * What every change of charges added to the sums: triggers on `invoice` append a row in the same transaction, so the sum of the rows of a
 * group is that of its charges in every snapshot, and no charge waits for another. A job replaces the rows by one per group. No foreign
 * keys: the rows are derived from `invoice`. Centavos.
 */
export const invoiceTotal = pgTable(
  'invoice_total',
  {
    invoice_total_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    gateway: text().notNull(),
    payment_method_id: integer(),
    status: text({ enum: ['pending', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed', 'lost', 'void'] }).notNull(),
    /** The charge's own location, and that of its purchase for a charge without one (E14). */
    location_id: integer(),
    visible_at: integer(),
    invoices: integer().notNull(),
    charged: bigint({ mode: 'number' }).notNull(),
    tax: bigint({ mode: 'number' }).notNull(),
    disputed: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [
    check(
      'invoice_total_status',
      sql`${t.status} in ('pending', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed', 'lost', 'void')`,
    ),
  ],
)
