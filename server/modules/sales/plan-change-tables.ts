/** Changes of a subscription to another package (docs/domain.md, V53 to V56). */
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { classPackage, location } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { paymentSource, purchase } from './tables.ts'

export const planChange = pgTable(
  'plan_change',
  {
    plan_change_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** The purchase whose plan ends. */
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    /** The purchase of the new plan; null while it waits for the end of the paid period. */
    replaced_by: integer().references(() => purchase.purchase_id),
    class_package_id: integer()
      .notNull()
      .references(() => classPackage.class_package_id),
    starts: text({ enum: ['now', 'next_period'] }).notNull(),
    /** The unused part of the paid period, taken off the first price of the new plan. */
    credit_centavos: integer().notNull(),
    /** The first charge of the new plan, as it was shown. */
    total_centavos: integer().notNull(),
    /** The end of the paid period when the change was requested: a later period that was charged meanwhile is refunded. */
    period_end: timestamp(instantColumn),
    /** The saved card that a scheduled change charges; null: the customer gets a link. */
    payment_source_id: integer().references(() => paymentSource.payment_source_id),
    location_id: integer().references(() => location.location_id),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    /** When the old plan was replaced. */
    doneAt: timestamp(instantColumn),
    /** When a scheduled change was called off, or found that it could not begin. */
    cancelledAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('plan_change_scheduled').on(t.purchase_id).where(sql`${t.replaced_by} is null and ${t.cancelledAt} is null`),
    uniqueIndex('plan_change_replaced_by').on(t.replaced_by),
    index('plan_change_purchase').on(t.purchase_id),
    check('plan_change_starts', sql`${t.starts} in ('now', 'next_period')`),
    check('plan_change_money', sql`${t.credit_centavos} >= 0 and ${t.total_centavos} >= 0`),
    check('plan_change_now', sql`${t.starts} <> 'now' or ${t.replaced_by} is not null`),
  ],
)
