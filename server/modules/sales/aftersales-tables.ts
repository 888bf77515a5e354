/** What follows a sale: refunds, and discrepancies between the books and a processor. */
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { paymentMethod } from '#server/modules/catalogue/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { cashSession } from './counter-tables.ts'
import { invoice, purchase } from './tables.ts'

/**
 * Refunds. For a refund by staff the row is written before the processor is called, so that no amount is refunded twice. A refund made in
 * the processor's panel gets its row when we learn of it, so that the rows of a day are all of its refunds (V23).
 */
export const refund = pgTable(
  'refund',
  {
    refund_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    invoice_id: integer()
      .notNull()
      .references(() => invoice.invoice_id),
    amount_centavos: integer().notNull(),
    /** Refunded outside of the processor: cash or a transfer. */
    by_hand: boolean().notNull(),
    reason: text().notNull(),
    state: text({ enum: ['asked', 'done', 'refused'] }).notNull(),
    error: text(),
    idempotency_key: text(),
    staff_id: integer(),
    /** How the money was refunded; null = by the method of the charge, when that is not a payment method of the studio. */
    payment_method_id: integer().references(() => paymentMethod.payment_method_id),
    /** The cash session that paid it out. */
    cash_session_id: integer().references(() => cashSession.cash_session_id),
    /** When the money was refunded: the day on which it counts. */
    doneAt: timestamp(instantColumn),
    /** When the processor reported that it could not be delivered (V37): counted on that day, not on the day of the refund. */
    returnedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('refund_key').on(t.purchase_id, t.idempotency_key),
    index('refund_purchase').on(t.purchase_id),
    index('refund_open').on(t.updatedAt).where(sql`${t.state} = 'asked'`),
    index('refund_done').on(t.doneAt),
    index('refund_returned').on(t.returnedAt).where(sql`${t.returnedAt} is not null`),
    index('refund_cash_session').on(t.cash_session_id).where(sql`${t.cash_session_id} is not null`),
    check(
      'refund_done_when',
      sql`(${t.state} <> 'done' or ${t.doneAt} is not null) and (${t.returnedAt} is null or (${t.state} = 'refused' and ${t.doneAt} is not null))`,
    ),
    check('refund_amount', sql`${t.amount_centavos} > 0`),
    check('refund_state', sql`${t.state} in ('asked', 'done', 'refused')`),
  ],
)

/** A discrepancy between our books and a processor's: found by the daily reconciliation, closed when the books agree again or by staff. */
export const moneyDiscrepancy = pgTable(
  'money_difference',
  {
    money_difference_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    kind: text({
      enum: ['paid_no_grant', 'grant_no_money', 'amount_differs', 'unknown_object', 'refund_failed', 'refund_due', 'unclaimed_money'],
    }).notNull(),
    gateway: text().notNull(),
    /** The id of the processor's object or payment. */
    about: text().notNull(),
    purchase_id: integer().references(() => purchase.purchase_id),
    details: json(z.record(z.string(), z.union([z.string(), z.number(), z.null()])), {}).notNull(),
    foundAt: timestamp(instantColumn).notNull(),
    closedAt: timestamp(instantColumn),
    closed_by: text({ enum: ['mended', 'staff'] }),
  },
  (t) => [
    uniqueIndex('money_difference_open').on(t.kind, t.gateway, t.about).where(sql`${t.closedAt} is null`),
    check(
      'money_difference_kind',
      sql`${t.kind} in ('paid_no_grant', 'grant_no_money', 'amount_differs', 'unknown_object', 'refund_failed', 'refund_due', 'unclaimed_money')`,
    ),
    check('money_difference_closed', sql`(${t.closedAt} is null) = (${t.closed_by} is null)`),
  ],
)

/**
 * What a bank took from a charge in a lost dispute, in centavos, and what it returned of that (negative), each counted on its own day.
 * Their sum is what the charge has lost. Written once (a trigger refuses changes).
 */
export const disputeMovement = pgTable(
  'dispute_movement',
  {
    dispute_movement_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    invoice_id: integer()
      .notNull()
      .references(() => invoice.invoice_id),
    amount_centavos: integer().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('dispute_movement_charge').on(t.invoice_id),
    index('dispute_movement_created').on(t.createdAt),
    check('dispute_movement_amount', sql`${t.amount_centavos} <> 0`),
  ],
)
