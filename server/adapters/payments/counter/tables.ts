/** Payments promised at the counter: the reference that the customer shows, and whether staff received the money. */
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

export const cashPayment = pgTable(
  'cash_payment',
  {
    reference: text().primaryKey(),
    /** How it was received: cash in the drawer, or by terminal or transfer at the counter, or from a gift card. */
    gateway: text({ enum: ['efectivo', 'mostrador', 'regalo'] })
      .notNull()
      .default('efectivo'),
    key: text().notNull(),
    purchase_id: integer().notNull(),
    customer_id: integer().notNull(),
    amount: integer().notNull(),
    refunded: integer().notNull().default(0),
    state: text({ enum: ['waiting', 'paid', 'expired', 'ended'] }).notNull(),
    receivedBy: text(),
    paidAt: timestamp(instantColumn),
    expiresAt: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('cash_payment_key').on(t.key),
    index('cash_payment_changed').on(t.updatedAt),
    check('cash_payment_gateway', sql`${t.gateway} in ('efectivo', 'mostrador', 'regalo')`),
    check('cash_payment_state', sql`${t.state} in ('waiting', 'paid', 'expired', 'ended')`),
    check('cash_payment_money', sql`${t.amount} > 0 and ${t.refunded} between 0 and ${t.amount}`),
    check('cash_payment_paid', sql`(${t.state} = 'paid') = (${t.paidAt} is not null)`),
  ],
)

/** Refunds at the counter; one row per key, so that a repeated call refunds nothing twice. */
export const cashRefund = pgTable('cash_refund', {
  key: text().primaryKey(),
  reference: text()
    .notNull()
    .references(() => cashPayment.reference),
  amount: integer().notNull(),
  createdAt: timestamp(instantColumn).notNull(),
})
