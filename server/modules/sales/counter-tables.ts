/**
 * Tables of counter sales and of the till: what was sold in one sale, how it was paid, and in which cash session (docs/domain.md, "The
 * till").
 */
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { location, paymentMethod, product } from '#server/modules/catalogue/tables.ts'
import { file } from '#server/modules/content/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

const countedMethod = z.object({ payment_method_id: z.int(), expected: z.int(), counted: z.int() })
/** Totals of a closed session for one payment method, in centavos: frozen when the session is closed. */
export type CountedMethod = z.infer<typeof countedMethod>

/**
 * The till of one person at one location, from its opening to its count (Z). Charges, refunds and cash movements reference their session
 * (`invoice`, `refund`, `cash_movement`); a trigger refuses new ones once the session is closed.
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
    /** Cash in the drawer when the session was opened, in centavos. */
    opening_centavos: integer().notNull(),
    openedAt: timestamp(instantColumn).notNull(),
    closedAt: timestamp(instantColumn),
    closed_by: integer().references(() => staff.staff_id),
    /** Counted bills and coins, by their value in pesos: {"500": 3, "0.50": 4}. */
    cash_count: json(z.record(z.string(), z.number()), null),
    counted: json(z.array(countedMethod), null),
    /** Cash that stays in the drawer for the next session, in centavos. */
    left_centavos: integer(),
    note: text(),
    approvedAt: timestamp(instantColumn),
    approved_by: integer().references(() => staff.staff_id),
    approval_note: text(),
    /** When and why a closed session was opened again. */
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

/** Cash put into a drawer or taken out of it that is neither a sale nor a refund: change money, a deposit at the bank. */
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

/**
 * What one customer bought at the counter in one sale. Every item is a purchase, so that credits, refunds and receipts work as for any
 * purchase.
 */
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
    /** The amount left unpaid when the sale was made, its due date, and the reason. */
    owed_centavos: integer().notNull().default(0),
    owe_until: date({ mode: 'string' }),
    owe_reason: text(),
    note: text(),
    /** An order that no processor charged yet, or never did: no sale so far, and in no list of sales. */
    is_waiting: boolean().notNull().default(false),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('sale_customer').on(t.customer_id, t.createdAt),
    index('sale_created').on(t.createdAt),
    index('sale_location').on(t.location_id, t.createdAt),
    index('sale_owing').on(t.owe_until).where(sql`${t.owed_centavos} > 0`),
    check('sale_money', sql`${t.total_centavos} >= 0 and ${t.owed_centavos} between 0 and ${t.total_centavos}`),
    check(
      'sale_owed',
      sql`(${t.owed_centavos} > 0) = (${t.owe_until} is not null) and (${t.owe_until} is null) = (${t.owe_reason} is null)`,
    ),
  ],
)

/** One item of a sale, with the tax facts of its total at that time. `purchase.sale_line_id` references it. */
export const saleItem = pgTable(
  'sale_line',
  {
    sale_line_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sale_id: integer()
      .notNull()
      .references(() => sale.sale_id),
    n: integer().notNull(),
    kind: text({ enum: ['package', 'class', 'product', 'gift_card', 'other'] }).notNull(),
    product_id: integer().references(() => product.product_id),
    /** Pieces of the product that were returned to the stock with a refund. */
    restocked: integer().notNull().default(0),
    title: text().notNull(),
    quantity: integer().notNull(),
    /** Price without discounts for the whole quantity, in centavos. */
    list_centavos: integer().notNull(),
    total_centavos: integer().notNull(),
    /** Why staff changed the list price or gave a discount. */
    price_reason: text(),
    over_limit_reason: text(),
    /** Tax rate in hundredths of a percent, and the amounts that make up the total. */
    tax_rate: integer().notNull(),
    /** Exempt from IVA: the rate is 0, and its CFDI says Exento. */
    tax_exempt: boolean().notNull().default(false),
    net_centavos: integer().notNull(),
    tax_centavos: integer().notNull(),
  },
  (t) => [
    uniqueIndex('sale_line_n').on(t.sale_id, t.n),
    check('sale_line_kind', sql`${t.kind} in ('package', 'class', 'product', 'gift_card', 'other')`),
    check('sale_line_product', sql`(${t.kind} = 'product') = (${t.product_id} is not null)`),
    check('sale_line_restocked', sql`${t.restocked} between 0 and ${t.quantity}`),
    check('sale_line_money', sql`${t.list_centavos} >= 0 and ${t.total_centavos} >= 0 and ${t.quantity} > 0`),
    check(
      'sale_line_tax',
      sql`${t.tax_rate} >= 0 and ${t.tax_centavos} >= 0 and ${t.net_centavos} + ${t.tax_centavos} = ${t.total_centavos}`,
    ),
    check('sale_line_exempt', sql`not ${t.tax_exempt} or ${t.tax_rate} = 0`),
  ],
)

/**
 * A payment of a sale, made with the sale or later. It is spread over the sale's purchases as charges (`invoice.sale_payment_id`). A
 * transfer is `pending` until staff confirm that it arrived at the bank, and `void` when it never did. Beside a charge of a processor it is
 * `held` until that is paid, and `released` when the order fails or expires (S15).
 */
export const salePayment = pgTable(
  'sale_payment',
  {
    sale_payment_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sale_id: integer()
      .notNull()
      .references(() => sale.sale_id),
    n: integer().notNull(),
    /** Null for a payment with a gift card or by a processor. */
    payment_method_id: integer().references(() => paymentMethod.payment_method_id),
    /** References `gift_card`, whose tables import this file: the migration adds the foreign key. */
    gift_card_id: integer(),
    /** The processor that charged it, for an order of several items. */
    gateway: text(),
    amount_centavos: integer().notNull(),
    /** Cash handed over, in centavos; what exceeds the amount was given back as change. */
    received_centavos: integer(),
    /** Reference on the terminal's slip or of the transfer. */
    reference: text(),
    /** Card facts from the terminal's slip. */
    card_brand: text(),
    last_digits: text(),
    authorisation: text(),
    funding: text({ enum: ['credit', 'debit', 'prepaid'] }),
    /** Photo or PDF of the proof of a transfer. */
    proof_file_id: integer().references(() => file.file_id, { onDelete: 'set null' }),
    state: text({ enum: ['received', 'pending', 'void', 'held', 'released'] }).notNull(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    /** When, and by which staff member, a pending transfer was confirmed or rejected. */
    decidedAt: timestamp(instantColumn),
    decided_by: integer().references(() => staff.staff_id),
    decide_reason: text(),
  },
  (t) => [
    uniqueIndex('sale_payment_n').on(t.sale_id, t.n),
    index('sale_payment_pending').on(t.createdAt).where(sql`${t.state} = 'pending'`),
    index('sale_payment_proof').on(t.proof_file_id).where(sql`${t.proof_file_id} is not null`),
    index('sale_payment_void').on(t.sale_id).where(sql`${t.state} = 'void'`),
    check('sale_payment_amount', sql`${t.amount_centavos} > 0 and ${t.received_centavos} >= ${t.amount_centavos}`),
    check('sale_payment_method', sql`num_nonnulls(${t.payment_method_id}, ${t.gift_card_id}, ${t.gateway}) = 1`),
    check('sale_payment_state', sql`${t.state} in ('received', 'pending', 'void', 'held', 'released')`),
    check('sale_payment_funding', sql`${t.funding} in ('credit', 'debit', 'prepaid')`),
    check('sale_payment_digits', sql`${t.last_digits} ~ '^[0-9]{4}$'`),
  ],
)
