import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { allowedTime } from '#contract/credits.ts'
import { classPackage } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/**
 * A credit lot: the credits of one grant, with their own expiry and restrictions (settled 18). A counted lot has a balance that is never
 * below zero; an unlimited lot has no balance, so that -1 is never used in arithmetic.
 */
export const availableClass = pgTable(
  'available_class',
  {
    available_class_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    class_package_id: integer().references(() => classPackage.class_package_id),
    /** The purchase and period that granted it, so that no period is granted twice. */
    purchase_id: integer(),
    period: text(),
    title: text().notNull(),
    unlimited: boolean().notNull(),
    granted: integer(),
    balance: integer(),
    is_courtesy: boolean().notNull().default(false),
    is_online: boolean().notNull().default(false),
    guests_use_credit: boolean().notNull().default(true),
    /** Class types and locations where it is valid; null = all. */
    class_type_ids: integer().array(),
    location_ids: integer().array(),
    allowed_times: json(z.array(allowedTime), []).notNull().default([]),
    /** Null until the first class, when the package's clock starts there. */
    expires_at: timestamp(instantColumn),
    /** Days of validity from the first class, while `expires_at` is null. */
    days_from_first_class: integer(),
    frozenAt: timestamp(instantColumn),
    revokedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check(
      'available_class_kind',
      sql`(${t.unlimited} and ${t.granted} is null and ${t.balance} is null) or (not ${t.unlimited} and ${t.granted} >= 0 and ${t.balance} is not null)`,
    ),
    check('available_class_allowed_times', sql`jsonb_typeof(${t.allowed_times}) = 'array'`),
    check('available_class_balance', sql`${t.balance} >= 0`),
    check('available_class_clock', sql`${t.expires_at} is not null or ${t.days_from_first_class} is not null`),
    uniqueIndex('available_class_period')
      .on(t.purchase_id, t.period, sql`coalesce(${t.class_type_ids}, '{}')`)
      .where(sql`${t.purchase_id} is not null`),
    index('available_class_customer').on(t.customer_id, t.expires_at),
    index('available_class_expires').on(t.expires_at).where(sql`${t.revokedAt} is null`),
  ],
)

/** Every change of a lot. The sum of a counted lot's movements is its balance. */
export const creditMovement = pgTable(
  'credit_movement',
  {
    credit_movement_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    available_class_id: integer()
      .notNull()
      .references(() => availableClass.available_class_id),
    customer_id: integer().notNull(),
    kind: text({ enum: ['grant', 'spend', 'give_back', 'remove', 'revoke', 'adjust', 'extend'] }).notNull(),
    /** Signed; 0 for changes of dates and for grants of unlimited lots. */
    amount: integer().notNull(),
    class_reservation_id: integer(),
    actor: text().notNull(),
    reason: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('credit_movement_once').on(t.class_reservation_id, t.kind).where(sql`${t.class_reservation_id} is not null`),
    // What was used of a lot until an instant is added without reading the rows, which are where they were written, not together.
    index('credit_movement_lot').on(t.available_class_id, t.createdAt, t.kind, t.amount, t.class_reservation_id),
    index('credit_movement_customer').on(t.customer_id, t.createdAt),
    check('credit_movement_kind', sql`${t.kind} in ('grant', 'spend', 'give_back', 'remove', 'revoke', 'adjust', 'extend')`),
    check(
      'credit_movement_sign',
      sql`(${t.kind} in ('spend', 'remove', 'revoke') and ${t.amount} <= 0) or (${t.kind} in ('grant', 'give_back') and ${t.amount} >= 0) or ${t.kind} in ('adjust', 'extend')`,
    ),
  ],
)
