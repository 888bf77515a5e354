/** Tables of gift cards: the cards, and the ledger of their balances (docs/domain.md, "Gift cards"). */
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { customer, staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { refund } from './aftersales-tables.ts'
import { salePayment } from './counter-tables.ts'
import { purchase } from './tables.ts'

export const giftCard = pgTable(
  'gift_card',
  {
    gift_card_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** What its code is derived from, with the signing key of the studio; the code itself is stored nowhere. */
    nonce: text().notNull(),
    /** SHA-256 of the code, in hexadecimal. */
    code_hash: text().notNull(),
    last_four: text().notNull(),
    amount_centavos: integer().notNull(),
    /** The purchase that it was sold with. */
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('gift_card_code').on(t.code_hash),
    uniqueIndex('gift_card_purchase').on(t.purchase_id),
    check('gift_card_amount', sql`${t.amount_centavos} > 0`),
  ],
)

/** A gift card that a customer buys on the site: its recipient, and when its code is mailed (I9). */
export const giftCardOrder = pgTable(
  'gift_card_order',
  {
    purchase_id: integer()
      .primaryKey()
      .references(() => purchase.purchase_id),
    /** The buyer. */
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    /** Null: the code is mailed to the buyer. */
    recipient_name: text(),
    recipient_email: text(),
    message: text(),
    /** The day on which the code is mailed; null: once it is paid. */
    deliver_on: date({ mode: 'string' }),
    /** When the code was mailed. */
    sentAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('gift_card_order_customer').on(t.customer_id),
    index('gift_card_order_due').on(t.deliver_on).where(sql`${t.sentAt} is null and ${t.deliver_on} is not null`),
    check('gift_card_order_recipient', sql`(${t.recipient_name} is null) = (${t.recipient_email} is null)`),
  ],
)

/**
 * Reasons of movements that follow the money of a card's own sale (I7, V24). What was taken is read from them again: they are never
 * rewritten, also when the data of its buyer are erased.
 */
export const MONEY_REASONS = {
  outside: 'Su venta se devolvió en el procesador.',
  disputed: 'El banco disputa su venta.',
  disputeOver: 'El banco ya no disputa su venta.',
} as const

/** A change of a card's balance. Rows are only added; a trigger refuses to change or delete them. */
export const giftCardMovement = pgTable(
  'gift_card_movement',
  {
    gift_card_movement_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    gift_card_id: integer()
      .notNull()
      .references(() => giftCard.gift_card_id),
    /** Its number within the card, from 1: of two concurrent movements one is refused. */
    n: integer().notNull(),
    /**
     * `spent`: a sale was paid with it, or a purchase at the checkout holds it; `released`: such a purchase failed or expired; `returned`:
     * a refund of what it paid; `refunded`: the card itself was refunded.
     */
    kind: text({ enum: ['sold', 'spent', 'released', 'returned', 'refunded', 'adjusted'] }).notNull(),
    amount_centavos: integer().notNull(),
    /** The balance after it: the sum of the amounts so far. */
    balance_centavos: integer().notNull(),
    sale_payment_id: integer().references(() => salePayment.sale_payment_id),
    /** The purchase at the checkout that it pays (I12). */
    purchase_id: integer().references(() => purchase.purchase_id),
    refund_id: integer().references(() => refund.refund_id),
    staff_id: integer().references(() => staff.staff_id),
    reason: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('gift_card_movement_n').on(t.gift_card_id, t.n),
    uniqueIndex('gift_card_movement_refund').on(t.refund_id, t.kind).where(sql`${t.refund_id} is not null`),
    index('gift_card_movement_payment').on(t.sale_payment_id),
    index('gift_card_movement_purchase').on(t.purchase_id).where(sql`${t.purchase_id} is not null`),
    check('gift_card_movement_kind', sql`${t.kind} in ('sold', 'spent', 'released', 'returned', 'refunded', 'adjusted')`),
    check('gift_card_movement_money', sql`${t.amount_centavos} <> 0 and ${t.balance_centavos} >= 0`),
    check('gift_card_movement_reason', sql`${t.kind} <> 'adjusted' or ${t.reason} is not null`),
  ],
)
