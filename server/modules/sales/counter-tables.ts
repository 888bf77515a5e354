/** Sales at the counter and the till: what was sold in one go, how it was paid, and whose drawer the money is in (docs/domain.md, "The till"). */
import { sql } from 'drizzle-orm'
import { check, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { location, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** What a closed session came to, by payment method, in centavos: frozen when it is closed. */
export interface CountedMethod {
  payment_method_id: number
  expected: number
  counted: number
}

/**
 * The till of one person at one location, from its opening to its count (Z). What it took and gave names it (`invoice`, `refund`,
 * `cash_movement`); a trigger refuses all of that once it is closed.
 */
export const cashSession = pgTable(
  'cash_session',
  {
    cash_session_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    location_id: integer()
      .notNull()
      .references(() => location.location_id),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** Cash in the drawer when it was opened. */
    opening_centavos: integer().notNull(),
    openedAt: timestamp(instantColumn).notNull(),
    closedAt: timestamp(instantColumn),
    closed_by: integer().references(() => staff.staff_id),
    /** Bills and coins that were counted, by their value in pesos: {"500": 3, "0.50": 4}. */
    cash_count: jsonb().$type<Record<string, number>>(),
    counted: jsonb().$type<CountedMethod[]>(),
    /** Cash that stays in the drawer for the next session. */
    left_centavos: integer(),
    note: text(),
    approvedAt: timestamp(instantColumn),
    approved_by: integer().references(() => staff.staff_id),
    approval_note: text(),
    /** When it was opened again after a count, and why. */
    reopenedAt: timestamp(instantColumn),
    reopen_reason: text(),
  },
  (t) => [
    uniqueIndex('cash_session_open').on(t.staff_id, t.location_id).where(sql`${t.closedAt} is null`),
    index('cash_session_location').on(t.location_id, t.openedAt),
    check('cash_session_opening', sql`${t.opening_centavos} >= 0`),
    check(
      'cash_session_closed',
      sql`(${t.closedAt} is null) = (${t.counted} is null) and (${t.closedAt} is null) = (${t.left_centavos} is null) and (${t.closedAt} is null) = (${t.cash_count} is null) and (${t.closedAt} is null) = (${t.closed_by} is null) and ${t.left_centavos} >= 0`,
    ),
    check(
      'cash_session_approved',
      sql`(${t.approvedAt} is null) = (${t.approved_by} is null) and (${t.approvedAt} is null or ${t.closedAt} is not null)`,
    ),
    check('cash_session_reopened', sql`(${t.reopenedAt} is null) = (${t.reopen_reason} is null)`),
  ],
)

/** Cash put into a drawer or taken out of it that is neither a sale nor a refund: change, a deposit at the bank. */
export const cashMovement = pgTable(
  'cash_movement',
  {
    cash_movement_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    cash_session_id: integer()
      .notNull()
      .references(() => cashSession.cash_session_id),
    kind: text({ enum: ['in', 'out'] }).notNull(),
    amount_centavos: integer().notNull(),
    reason: text().notNull(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('cash_movement_session').on(t.cash_session_id),
    check('cash_movement_kind', sql`${t.kind} in ('in', 'out')`),
    check('cash_movement_amount', sql`${t.amount_centavos} > 0`),
  ],
)

/** What one customer bought at the counter in one go. Every line of it is a purchase, so that credits, refunds and receipts are those of any purchase. */
export const sale = pgTable(
  'sale',
  {
    sale_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    location_id: integer()
      .notNull()
      .references(() => location.location_id),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    total_centavos: integer().notNull(),
    /** What was left to be paid when it was made, until when, and why. */
    owed_centavos: integer().notNull().default(0),
    owe_until: date({ mode: 'string' }),
    owe_reason: text(),
    note: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('sale_customer').on(t.customer_id, t.createdAt),
    index('sale_location').on(t.location_id, t.createdAt),
    check('sale_money', sql`${t.total_centavos} >= 0 and ${t.owed_centavos} between 0 and ${t.total_centavos}`),
    check(
      'sale_owed',
      sql`(${t.owed_centavos} > 0) = (${t.owe_until} is not null) and (${t.owe_until} is null) = (${t.owe_reason} is null)`,
    ),
  ],
)

/** One line of a sale, with the tax facts of its total as they were then; `purchase.sale_line_id` says what it became. */
export const saleItem = pgTable(
  'sale_line',
  {
    sale_line_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sale_id: integer()
      .notNull()
      .references(() => sale.sale_id),
    n: integer().notNull(),
    kind: text({ enum: ['package', 'class', 'other'] }).notNull(),
    title: text().notNull(),
    quantity: integer().notNull(),
    /** What it costs without discounts, for the whole quantity. */
    list_centavos: integer().notNull(),
    total_centavos: integer().notNull(),
    /** Why staff took another price than the list's, or gave a discount. */
    price_reason: text(),
    over_limit_reason: text(),
    /** Hundredths of a percent, and the amounts that make up the total. */
    tax_rate: integer().notNull(),
    net_centavos: integer().notNull(),
    tax_centavos: integer().notNull(),
  },
  (t) => [
    uniqueIndex('sale_line_n').on(t.sale_id, t.n),
    check('sale_line_kind', sql`${t.kind} in ('package', 'class', 'other')`),
    check('sale_line_money', sql`${t.list_centavos} >= 0 and ${t.total_centavos} >= 0 and ${t.quantity} > 0`),
    check(
      'sale_line_tax',
      sql`${t.tax_rate} >= 0 and ${t.tax_centavos} >= 0 and ${t.net_centavos} + ${t.tax_centavos} = ${t.total_centavos}`,
    ),
  ],
)

/**
 * Money that a sale was paid with, at once or later. It is spread over the sale's purchases as charges (`invoice.sale_payment_id`).
 * A transfer is `pending` until somebody saw it in the bank, `void` when it never came.
 */
export const salePayment = pgTable(
  'sale_payment',
  {
    sale_payment_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sale_id: integer()
      .notNull()
      .references(() => sale.sale_id),
    n: integer().notNull(),
    payment_method_id: integer()
      .notNull()
      .references(() => paymentMethod.payment_method_id),
    amount_centavos: integer().notNull(),
    /** Cash that was handed over; what is more than the amount was given back as change. */
    received_centavos: integer(),
    /** What the slip of the terminal or the transfer says. */
    reference: text(),
    /** Card facts from the terminal's slip. */
    card_brand: text(),
    last_digits: text(),
    authorisation: text(),
    funding: text({ enum: ['credit', 'debit', 'prepaid'] }),
    state: text({ enum: ['received', 'pending', 'void'] }).notNull(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    /** When and by whom a pending one was confirmed, or found missing. */
    decidedAt: timestamp(instantColumn),
    decided_by: integer().references(() => staff.staff_id),
    decide_reason: text(),
  },
  (t) => [
    uniqueIndex('sale_payment_n').on(t.sale_id, t.n),
    index('sale_payment_pending').on(t.createdAt).where(sql`${t.state} = 'pending'`),
    check('sale_payment_amount', sql`${t.amount_centavos} > 0 and ${t.received_centavos} >= ${t.amount_centavos}`),
    check('sale_payment_state', sql`${t.state} in ('received', 'pending', 'void')`),
    check('sale_payment_funding', sql`${t.funding} in ('credit', 'debit', 'prepaid')`),
    check('sale_payment_digits', sql`${t.last_digits} ~ '^[0-9]{4}$'`),
  ],
)
