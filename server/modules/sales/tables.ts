import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { wantedClass } from '#contract/sales.ts'
import { classPackage, discount, location, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { plainText } from '#server/platform/search.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { cashSession, sale, saleItem, salePayment } from './counter-tables.ts'

/** Purchases and payments share one sequence, so that the id in /gracias/{id} can be either without ambiguity (S1-2.23). */
export const orderNumber = pgSequence('order_number', { startWith: 1001 })

const nextOrder = sql`nextval('order_number')::integer`

const storedInstrument = z.object({
  by: z.string(),
  key: z.string().optional(),
  card: z.int().optional(),
  save: z.boolean().optional(),
  label: z.string().optional(),
  brand: z.string().optional(),
  last4: z.string().optional(),
})

const storedVoucher = z.object({
  kind: z.enum(['oxxo', 'spei', 'efectivo']),
  reference: z.string(),
  expires_at: z.iso.datetime(),
  url: z.string().nullable(),
  clabe: z.string().nullable(),
  /** Centavos that are still missing from a partial transfer. */
  missing: z.int().nullish(),
})

export const purchase = pgTable(
  'purchase',
  {
    purchase_id: integer().primaryKey().default(nextOrder),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    /** Null: a single place in a class was sold, not a package (V45). The reservation references its purchase. */
    class_package_id: integer().references(() => classPackage.class_package_id),
    /** What was sold, frozen before the processor is called (settled 6). */
    title: text().notNull(),
    amount_centavos: integer().notNull(),
    discount_centavos: integer().notNull().default(0),
    total_centavos: integer().notNull(),
    /** What is no longer owed of it: the unpaid price of places that were cancelled (V45). */
    waived_centavos: integer().notNull().default(0),
    class_amount: integer().notNull(),
    expiration_days: integer().notNull(),
    is_subscription: boolean().notNull().default(false),
    subscription_period: text({ enum: ['day', 'month', 'year'] }),
    subscription_interval: integer(),
    free_trial_length: integer(),
    free_trial_period: text({ enum: ['day', 'month', 'year'] }),
    /** Price of the later periods of a subscription, in centavos. */
    next_total_centavos: integer(),
    discount_id: integer(),
    /** The discount code as the customer typed it: renaming or removing the code later changes nothing here (D5). */
    discount_code: text(),
    payment_method_id: integer().references(() => paymentMethod.payment_method_id),
    gateway: text().notNull(),
    status: text({ enum: ['pending', 'active', 'completed', 'failed', 'cancelled', 'revoked'] }).notNull(),
    subscription_id: text(),
    /**
     * Number of this purchase among the customer's allowed ones of the package (limit_per_customer); null again when the purchase failed or
     * expired.
     */
    limit_slot: integer(),
    /** Until when a pending purchase reserves stock and discount. */
    hold_until: timestamp(instantColumn),
    holds_stock: boolean().notNull().default(false),
    /** The checkout visit that opened it; visits joined to it later are in `purchase_visit`. */
    idempotency_key: text(),
    request_hash: text().notNull(),
    /** Opened by its customer at the checkout: at most one such purchase per package may be pending (V5). */
    is_exclusive: boolean().notNull().default(false),
    /** When it was first paid, or started at no cost; null if it never was. Unchanged when the purchase ends. */
    completedAt: timestamp(instantColumn),
    cancel_reason: text(),
    benefits_until: timestamp(instantColumn),
    past_due_since: timestamp(instantColumn),
    /** Since when charges are paused. */
    paused_since: timestamp(instantColumn),
    /** Paused because its customer was frozen: thawing them resumes it, and nothing that was paused otherwise. */
    paused_with_customer: boolean().notNull().default(false),
    /** The renewal (end of the paid period) that the customer was notified of. */
    renewal_noticed_for: timestamp(instantColumn),
    /** The saved card that a subscription charges. */
    payment_source_id: integer().references((): AnyPgColumn => paymentSource.payment_source_id),
    /** The location and staff member of the sale; null when the customer bought it online. */
    location_id: integer().references(() => location.location_id),
    staff_id: integer().references(() => staff.staff_id),
    /** The counter sale that it belongs to, and the item of that sale. */
    sale_id: integer().references(() => sale.sale_id),
    sale_line_id: integer().references(() => saleItem.sale_line_id),
    /** First day on which it can be used, when staff set a later one at the counter. */
    starts_on: date({ mode: 'string' }),
    /**
     * The gift card that pays a part of it or all (I12), and how much; held from its opening. References `gift_card`: the migration adds
     * the foreign key.
     */
    gift_card_id: integer(),
    gift_card_centavos: integer().notNull().default(0),
    /** A gift of the studio: nothing was paid. */
    is_gift: boolean().notNull().default(false),
    /** The class for which its customer bought it (V52). */
    wanted_class: json(wantedClass, null),
    /** Text of the staff; a purchase of a counter sale has the note of its sale. */
    note: text(),
    frozenAt: timestamp(instantColumn),
    checkedAt: timestamp(instantColumn),
    alarm: text(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    cancelledAt: timestamp(instantColumn),
    /** Title and discount code as `plainText`, for the searches of sales; the migration indexes it by trigrams where the database can. */
    search: text().generatedAlwaysAs((): SQL => plainText(sql`title || ' ' || coalesce(discount_code, '')`)),
  },
  (t) => [
    check('purchase_status', sql`${t.status} in ('pending', 'active', 'completed', 'failed', 'cancelled', 'revoked')`),
    check(
      'purchase_money',
      sql`${t.amount_centavos} >= 0 and ${t.discount_centavos} >= 0 and ${t.total_centavos} = ${t.amount_centavos} - ${t.discount_centavos} and ${t.total_centavos} >= 0 and ${t.waived_centavos} between 0 and ${t.total_centavos}`,
    ),
    check(
      'purchase_periods',
      sql`${t.subscription_period} in ('day', 'month', 'year') and ${t.free_trial_period} in ('day', 'month', 'year')`,
    ),
    check('purchase_active_is_subscription', sql`${t.status} <> 'active' or ${t.is_subscription}`),
    check('purchase_completed_is_one_off', sql`${t.status} <> 'completed' or not ${t.is_subscription}`),
    check('purchase_pending_holds', sql`${t.status} <> 'pending' or ${t.hold_until} is not null`),
    check('purchase_cancelled_when', sql`(${t.status} = 'cancelled') = (${t.cancelledAt} is not null) or ${t.status} = 'revoked'`),
    uniqueIndex('purchase_key').on(t.customer_id, t.idempotency_key),
    uniqueIndex('purchase_limit')
      .on(t.class_package_id, t.customer_id, t.limit_slot)
      .where(sql`${t.status} in ('pending', 'active', 'completed')`),
    check('purchase_package', sql`${t.class_package_id} is not null or not (${t.is_subscription} or ${t.holds_stock})`),
    uniqueIndex('purchase_open').on(t.customer_id, t.class_package_id).where(sql`${t.status} = 'pending' and ${t.is_exclusive}`),
    check('purchase_sale', sql`(${t.sale_id} is null) = (${t.sale_line_id} is null)`),
    check(
      'purchase_gift_card',
      sql`(${t.gift_card_id} is null) = (${t.gift_card_centavos} = 0) and ${t.gift_card_centavos} between 0 and ${t.total_centavos} and not (${t.is_subscription} and ${t.gift_card_centavos} > 0)`,
    ),
    index('purchase_gift_card_of').on(t.gift_card_id).where(sql`${t.gift_card_id} is not null`),
    index('purchase_sale_of').on(t.sale_id).where(sql`${t.sale_id} is not null`),
    uniqueIndex('purchase_sale_line').on(t.sale_line_id),
    index('purchase_customer').on(t.customer_id, t.createdAt),
    index('purchase_waiting').on(t.hold_until).where(sql`${t.status} = 'pending'`),
    index('purchase_created').on(t.createdAt),
    // What was sold is added by its day without reading the rows.
    index('purchase_sold').on(t.completedAt, t.total_centavos, t.discount_centavos).where(sql`not ${t.is_gift}`),
    // The sums of the list of purchases are read from it alone, and those of some locations from the next one.
    index('purchase_sums').on(t.gateway, t.payment_method_id, t.status, t.total_centavos),
    index('purchase_sums_at').on(t.location_id, t.gateway, t.payment_method_id, t.status, t.total_centavos),
    index('purchase_subscription').on(t.createdAt).where(sql`${t.is_subscription}`),
    index('purchase_past_due').on(t.past_due_since).where(sql`${t.status} = 'active' and ${t.past_due_since} is not null`),
  ],
)

/** A checkout visit joined to a purchase that another visit had opened: its key returns that purchase (V5). */
export const purchaseVisit = pgTable(
  'purchase_visit',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    idempotency_key: text().notNull(),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.idempotency_key] }), index('purchase_visit_purchase').on(t.purchase_id)],
)

/** The physical card of a free trial, by the processor's fingerprint, and the trial's purchase (V41). */
export const trialCard = pgTable(
  'trial_card',
  {
    gateway: text().notNull(),
    fingerprint: text().notNull(),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.gateway, t.fingerprint] }), index('trial_card_purchase').on(t.purchase_id)],
)

/** One attempt to charge a purchase at a processor. */
export const paymentAttempt = pgTable(
  'payment_attempt',
  {
    payment_id: integer().primaryKey().default(nextOrder),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    n: integer().notNull(),
    gateway: text().notNull(),
    /** The processor's object, once it is known. */
    ref_kind: text({ enum: ['payment', 'subscription'] }).notNull(),
    ref_id: text(),
    state: text({
      enum: ['created', 'waiting', 'processing', 'paid', 'trialing', 'past_due', 'refused', 'expired', 'ended', 'unknown', 'cancelled'],
    }).notNull(),
    /**
     * How it is paid, in our terms: kind, label, brand, last four digits; never a card number. `key` (a hash of the instrument)
     * distinguishes requests of the same visit, `card` is the saved card used, `save` whether the card will be saved.
     */
    instrument: json(storedInstrument, { by: 'unknown' }).notNull(),
    /** The part of the price that it pays, for a sale paid in several parts; null = the whole price. */
    part_centavos: integer(),
    /** The order of several items that it pays together, `part_centavos` for all of them; null: it pays its purchase only. */
    sale_id: integer().references(() => sale.sale_id),
    error_code: text(),
    error_message: text(),
    voucher: json(storedVoucher, null),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('payment_attempt_n').on(t.purchase_id, t.n),
    uniqueIndex('payment_attempt_ref').on(t.gateway, t.ref_kind, t.ref_id).where(sql`${t.ref_id} is not null`),
    index('payment_attempt_sale').on(t.sale_id).where(sql`${t.sale_id} is not null`),
    check('payment_attempt_sale_part', sql`${t.sale_id} is null or ${t.part_centavos} is not null`),
    index('payment_attempt_open').on(t.updatedAt).where(sql`${t.state} in ('created', 'waiting', 'processing', 'unknown')`),
    check(
      'payment_attempt_state',
      sql`${t.state} in ('created', 'waiting', 'processing', 'paid', 'trialing', 'past_due', 'refused', 'expired', 'ended', 'unknown', 'cancelled')`,
    ),
  ],
)

/** One row per charge of a processor and purchase: money that was taken. A charge of an order of several items has one row for each. */
export const invoice = pgTable(
  'invoice',
  {
    invoice_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    gateway: text().notNull(),
    provider_payment: text().notNull(),
    period: text().notNull(),
    total_centavos: integer().notNull(),
    refunded_centavos: integer().notNull().default(0),
    currency: text().notNull().default('MXN'),
    /** `pending`: a transfer that is not confirmed yet; `void`: a transfer that never arrived. Neither took money. */
    status: text({ enum: ['pending', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed', 'lost', 'void'] }).notNull(),
    label: text(),
    /** The location and staff member that received the money; null when it was charged online. */
    location_id: integer().references(() => location.location_id),
    staff_id: integer().references(() => staff.staff_id),
    payment_method_id: integer().references(() => paymentMethod.payment_method_id),
    /** Reference on the terminal's slip or of the transfer. */
    reference: text(),
    /** The cash session that received it, and the sale payment that it is a part of. */
    cash_session_id: integer().references(() => cashSession.cash_session_id),
    sale_payment_id: integer().references(() => salePayment.sale_payment_id),
    /** Card type, where known. */
    funding: text({ enum: ['credit', 'debit', 'prepaid'] }),
    /** Tax facts, frozen with the charge: hundredths of a percent, and the amounts that make up the total. */
    tax_rate: integer().notNull(),
    /** Exempt from IVA: the rate is 0, and its CFDI says Exento. */
    tax_exempt: boolean().notNull().default(false),
    net_centavos: integer().notNull(),
    tax_centavos: integer().notNull(),
    /** What a bank disputes (`disputed`) or took back (`lost`), at most what was not refunded. */
    disputed_centavos: integer().notNull().default(0),
    /** What a bank disputes beside what it took (`lost`), at most the rest. */
    open_dispute_centavos: integer().notNull().default(0),
    paidAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
    /** The references of the slip and of the processor as `plainText`, for the search of charges, as in `purchase`. */
    search: text().generatedAlwaysAs((): SQL => plainText(sql`coalesce(reference, '') || ' ' || provider_payment`)),
  },
  (t) => [
    uniqueIndex('invoice_provider').on(t.gateway, t.provider_payment, t.purchase_id),
    index('invoice_customer').on(t.customer_id, t.createdAt),
    index('invoice_purchase').on(t.purchase_id),
    index('invoice_taken').on(sql`coalesce(${t.paidAt}, ${t.createdAt})`),
    check('invoice_money', sql`${t.total_centavos} >= 0 and ${t.refunded_centavos} between 0 and ${t.total_centavos}`),
    check(
      'invoice_disputed',
      sql`${t.disputed_centavos} between 0 and ${t.total_centavos}
        and (${t.status} not in ('disputed', 'lost') or ${t.refunded_centavos} + ${t.disputed_centavos} <= ${t.total_centavos})`,
    ),
    check(
      'invoice_open_dispute',
      sql`${t.open_dispute_centavos} = 0 or ${t.open_dispute_centavos} > 0 and ${t.status} = 'lost'
        and ${t.refunded_centavos} + ${t.disputed_centavos} + ${t.open_dispute_centavos} <= ${t.total_centavos}`,
    ),
    check(
      'invoice_tax',
      sql`${t.tax_rate} >= 0 and ${t.tax_centavos} >= 0 and ${t.net_centavos} + ${t.tax_centavos} = ${t.total_centavos}`,
    ),
    check('invoice_exempt', sql`not ${t.tax_exempt} or ${t.tax_rate} = 0`),
    index('invoice_cash_session').on(t.cash_session_id).where(sql`${t.cash_session_id} is not null`),
    index('invoice_sale_payment').on(t.sale_payment_id).where(sql`${t.sale_payment_id} is not null`),
    check('invoice_funding', sql`${t.funding} in ('credit', 'debit', 'prepaid')`),
    check('invoice_pending', sql`${t.status} not in ('pending', 'void') or ${t.paidAt} is null`),
    check(
      'invoice_status',
      sql`${t.status} in ('pending', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed', 'lost', 'void')`,
    ),
  ],
)

/** The inbox of webhook events. An event is only a hint to read the processor; its contents are not trusted. */
export const providerEvent = pgTable(
  'provider_event',
  {
    provider_event_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    gateway: text().notNull(),
    event_id: text().notNull(),
    about: json(z.array(z.object({ kind: z.enum(['payment', 'subscription']), id: z.string() })), []).notNull(),
    receivedAt: timestamp(instantColumn).notNull(),
    doneAt: timestamp(instantColumn),
    tries: integer().notNull().default(0),
    last_error: text(),
  },
  (t) => [
    uniqueIndex('provider_event_once').on(t.gateway, t.event_id),
    index('provider_event_waiting').on(t.receivedAt).where(sql`${t.doneAt} is null`),
  ],
)

/** Saved cards: the one table behind metodosPago, payment_sources and conekta_payment_source_id (settled 14). */
export const paymentSource = pgTable(
  'payment_source',
  {
    payment_source_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    gateway: text().notNull(),
    provider_card: text().notNull(),
    card_type: text().notNull(),
    last_digits: text().notNull(),
    exp: text(),
    fingerprint: text(),
    createdAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('payment_source_provider').on(t.gateway, t.provider_card),
    uniqueIndex('payment_source_fingerprint')
      .on(t.customer_id, t.gateway, t.fingerprint)
      .where(sql`${t.deletedAt} is null and ${t.fingerprint} is not null`),
    index('payment_source_customer').on(t.customer_id),
    check('payment_source_digits', sql`${t.last_digits} ~ '^[0-9]{2,4}$'`),
  ],
)

/** The id of a customer at a processor. */
export const providerCustomer = pgTable(
  'provider_customer',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    gateway: text().notNull(),
    provider_id: text().notNull(),
  },
  (t) => [
    uniqueIndex('provider_customer_one').on(t.gateway, t.customer_id),
    uniqueIndex('provider_customer_ref').on(t.gateway, t.provider_id),
  ],
)

/** The use of a discount by a purchase: held while it is pending, used once it is paid, released when it failed or expired. */
export const discountUse = pgTable(
  'discount_use',
  {
    purchase_id: integer()
      .primaryKey()
      .references(() => purchase.purchase_id),
    discount_id: integer()
      .notNull()
      .references(() => discount.discount_id),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    /** Which of the customer's allowed uses it is; null without such a limit. */
    slot: integer(),
    state: text({ enum: ['held', 'used', 'released'] }).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('discount_use_slot').on(t.discount_id, t.customer_id, t.slot).where(sql`${t.state} <> 'released'`),
    check('discount_use_state', sql`${t.state} in ('held', 'used', 'released')`),
  ],
)

/** A link in an email that lets its holder change the card of one subscription. Only the token's hash is stored. */
export const cardLink = pgTable(
  'card_link',
  {
    token_hash: text().primaryKey(),
    purchase_id: integer()
      .notNull()
      .references(() => purchase.purchase_id),
    expiresAt: timestamp(instantColumn).notNull(),
    usedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('card_link_purchase').on(t.purchase_id), index('card_link_expires').on(t.expiresAt)],
)

/**
 * An order of the counter that its customer pays on their own device (S8). The link is signed over the purchase and `createdAt`, so nothing
 * of it is stored; it works until the purchase's `hold_until`.
 */
export const paymentLink = pgTable('payment_link', {
  purchase_id: integer()
    .primaryKey()
    .references(() => purchase.purchase_id),
  createdAt: timestamp(instantColumn).notNull(),
})
