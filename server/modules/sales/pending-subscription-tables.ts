/** Subscriptions of another system that wait for a card (docs/domain.md V60 to V62). */
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ImportSource } from '#contract/imports.ts'
import { classPackage } from '#server/modules/catalogue/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { paymentSource, purchase } from './tables.ts'

export const pendingSubscription = pgTable(
  'pending_subscription',
  {
    pending_subscription_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    class_package_id: integer()
      .notNull()
      .references(() => classPackage.class_package_id),
    source: text().$type<ImportSource>().notNull(),
    /** What was agreed for each period. */
    price_centavos: integer().notNull(),
    /** The day of the first charge, on the studio's clocks. */
    next_charge_on: date({ mode: 'string' }).notNull(),
    /** Its customer's credits are frozen: it does not begin before they are thawed (C25). */
    paused_with_customer: boolean().notNull().default(false),
    /** The card that its customer entered by the link; null: none yet. */
    payment_source_id: integer().references(() => paymentSource.payment_source_id),
    /** The order with which it began. */
    purchase_id: integer().references(() => purchase.purchase_id),
    /** The staff member who imported it. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    cancelledAt: timestamp(instantColumn),
  },
  (t) => [
    index('pending_subscription_customer').on(t.customer_id),
    index('pending_subscription_open').on(t.next_charge_on).where(sql`${t.purchase_id} is null and ${t.cancelledAt} is null`),
    uniqueIndex('pending_subscription_purchase').on(t.purchase_id),
    check('pending_subscription_money', sql`${t.price_centavos} > 0`),
  ],
)
