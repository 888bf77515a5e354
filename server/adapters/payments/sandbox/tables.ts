/**
 * The sandbox processor's tables: the books of an external company that happen to be in the same database. Nothing outside this folder
 * reads them. There is no column for a card number, because none is ever received (settled 13).
 */
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { Instrument, PaymentState, Plan, Ref, Voucher } from '#server/adapters/payments/port.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { BEHAVIOURS, type BehaviourName, type TestCard } from './cards.ts'

const testCard = z.object({
  behaviour: z.enum(Object.keys(BEHAVIOURS) as [BehaviourName, ...BehaviourName[]]),
  brand: z.enum(['visa', 'mastercard', 'amex']),
  last4: z.string(),
  exp: z.string(),
  typed: z.literal(true).optional(),
})
const UNREADABLE_CARD: TestCard = { behaviour: 'declined', brand: 'visa', last4: '0000', exp: '01/2020' }
const voucher = z.object({
  kind: z.enum(['oxxo', 'spei', 'efectivo']),
  reference: z.string(),
  url: z.string().nullable(),
  clabe: z.string().nullable(),
  missing: z.int().optional(),
})
const ref = z.object({ gateway: z.enum(['sandbox']), kind: z.enum(['payment', 'subscription']), id: z.string() })

/** Values by name: the key that signs webhook events. */
export const sandboxConfig = pgTable('sandbox_config', { name: text().primaryKey(), value: text().notNull() })

export const sandboxCustomer = pgTable('sandbox_customer', { id: text().primaryKey(), customer_id: integer().notNull() }, (t) => [
  uniqueIndex('sandbox_customer_one').on(t.customer_id),
])

/** The customer's next step for a payment. */
export type SandboxStep = 'challenge' | 'hosted' | 'wallet' | 'voucher'

export const sandboxPayment = pgTable(
  'sandbox_payment',
  {
    id: text().primaryKey(),
    /** The idempotency key, and a hash of its request. */
    key: text().notNull(),
    request_hash: text().notNull(),
    purchase_id: integer().notNull(),
    buyer: text().notNull(),
    amount: integer().notNull(),
    title: text().notNull(),
    state: text().$type<PaymentState>().notNull(),
    by: text().$type<Instrument['by']>().notNull(),
    step: text().$type<SandboxStep>(),
    card: json<TestCard>(testCard, null),
    /** Whether the card is saved, and its id once it is. */
    save_card: boolean().notNull().default(false),
    saved_card: text(),
    secret: text().notNull(),
    voucher: json<Omit<Voucher, 'expiresAt'>>(voucher, null),
    /** A wallet order that its owner approved and that is not captured yet. */
    approved: boolean().notNull().default(false),
    refused_code: text(),
    refused_message: text(),
    return_url: text().notNull(),
    /** When a payment in process succeeds by itself. */
    settlesAt: timestamp(instantColumn),
    expiresAt: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('sandbox_payment_key').on(t.key),
    index('sandbox_payment_open').on(t.expiresAt).where(sql`${t.state} in ('waiting', 'processing')`),
    index('sandbox_payment_changed').on(t.updatedAt),
    check('sandbox_payment_state', sql`${t.state} in ('waiting', 'processing', 'paid', 'refused', 'expired', 'ended')`),
    check('sandbox_payment_amount', sql`${t.amount} > 0`),
  ],
)

export const sandboxSubscription = pgTable(
  'sandbox_subscription',
  {
    id: text().primaryKey(),
    key: text().notNull(),
    request_hash: text().notNull(),
    purchase_id: integer().notNull(),
    buyer: text().notNull(),
    title: text().notNull(),
    unit: text().$type<Plan['every']['unit']>().notNull(),
    every: integer().notNull(),
    amount: integer().notNull(),
    first_amount: integer().notNull(),
    trialEnd: timestamp(instantColumn),
    state: text().$type<PaymentState>().notNull(),
    by: text().$type<Instrument['by']>().notNull(),
    step: text().$type<SandboxStep>(),
    card: json<TestCard>(testCard, null),
    save_card: boolean().notNull().default(false),
    saved_card: text(),
    secret: text().notNull(),
    refused_code: text(),
    refused_message: text(),
    return_url: text().notNull(),
    /** Periods are counted from here, so that a subscription of the 31st never drifts to the 28th. */
    anchorAt: timestamp(instantColumn),
    periods: integer().notNull().default(0),
    nextAt: timestamp(instantColumn),
    tries: integer().notNull().default(0),
    cancelled: boolean().notNull().default(false),
    paused: boolean().notNull().default(false),
    endsAt: timestamp(instantColumn),
    expiresAt: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('sandbox_subscription_key').on(t.key),
    index('sandbox_subscription_due').on(t.nextAt).where(sql`${t.state} in ('paid', 'trialing', 'past_due')`),
    index('sandbox_subscription_changed').on(t.updatedAt),
    check('sandbox_subscription_state', sql`${t.state} in ('waiting', 'paid', 'trialing', 'past_due', 'refused', 'expired', 'ended')`),
  ],
)

/** Money that moved, one row per charge or refund: tests verify "charged once" against it. */
export const sandboxLedger = pgTable(
  'sandbox_ledger',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['charge', 'refund'] }).notNull(),
    object: text().notNull(),
    purchase_id: integer().notNull(),
    amount: integer().notNull(),
    /** The charge that a refund returns. */
    charge: text(),
    /** Idempotency key of a refund. */
    key: text(),
    /** Set for a refund that was accepted and not delivered: the studio has its money again. */
    failedAt: timestamp(instantColumn),
    periodFrom: timestamp(instantColumn),
    periodTo: timestamp(instantColumn),
    disputed: text({ enum: ['open', 'lost', 'won'] }),
    /** How much of the charge; null: all of it. */
    disputedAmount: integer(),
    /** What is disputed beside what was lost. */
    openAmount: integer(),
    at: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('sandbox_ledger_object').on(t.object),
    index('sandbox_ledger_purchase').on(t.purchase_id),
    uniqueIndex('sandbox_ledger_period').on(t.object, t.periodFrom).where(sql`${t.kind} = 'charge' and ${t.periodFrom} is not null`),
    uniqueIndex('sandbox_ledger_key').on(t.key).where(sql`${t.key} is not null`),
    check('sandbox_ledger_amount', sql`${t.amount} > 0`),
    check('sandbox_ledger_refund', sql`(${t.kind} = 'refund') = (${t.charge} is not null)`),
  ],
)

export const sandboxCard = pgTable(
  'sandbox_card',
  {
    id: text().primaryKey(),
    buyer: text().notNull(),
    card: json<TestCard>(testCard, UNREADABLE_CARD).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    removedAt: timestamp(instantColumn),
  },
  (t) => [index('sandbox_card_buyer').on(t.buyer)],
)

/** A card being saved. */
export const sandboxSetup = pgTable('sandbox_setup', {
  id: text().primaryKey(),
  buyer: text().notNull(),
  secret: text().notNull(),
  card: json<TestCard>(testCard, null),
  state: text({ enum: ['waiting', 'challenge', 'ready', 'refused'] }).notNull(),
  saved_card: text(),
  createdAt: timestamp(instantColumn).notNull(),
})

/** Webhook events for the studio, stored until its inbox has accepted them. */
export const sandboxEvent = pgTable(
  'sandbox_event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    type: text().notNull(),
    about: json<Ref[]>(z.array(ref), []).notNull(),
    at: timestamp(instantColumn).notNull(),
    deliveredAt: timestamp(instantColumn),
    tries: integer().notNull().default(0),
  },
  (t) => [index('sandbox_event_waiting').on(t.id).where(sql`${t.deliveredAt} is null`)],
)
