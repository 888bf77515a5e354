import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { segmentFilter } from '#contract/customer-list.ts'
import type { ImportSource } from '#contract/imports.ts'
import { LANGUAGES } from '#contract/language.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/**
 * What the list of customers shows, filters and sorts by: derived, one row per living customer, written by `summaries.ts` only. Triggers
 * record in `customer_change` whose row is out of date. No foreign keys: a row may be dropped and derived again at any time.
 */
export const customerSummary = pgTable(
  'customer_summary',
  {
    customer_id: integer().primaryKey(),
    /** Name, address and telephone as `plainText`, for the search. */
    search: text().notNull(),
    /** Name and last name as `plainText`. */
    sort_name: text().notNull(),
    state: text({ enum: ['lost', 'inactive', 'at_risk', 'expiring', 'trial', 'new', 'active'] }).notNull(),
    /** Since when they are in the state; null: since before that was recorded, or the row was derived anew. */
    state_since: timestamp(instantColumn),
    /** From when on the row is out of date by the passing of time alone; null: never. */
    stale_at: timestamp(instantColumn),
    has_account: boolean().notNull(),
    birth_month: smallint(),
    /** In-person credits that can be used now. */
    has_unlimited: boolean().notNull(),
    available: integer().notNull(),
    next_expiration: timestamp(instantColumn),
    titles: text().array().notNull(),
    class_package_ids: integer().array().notNull(),
    renewal_refused: boolean().notNull(),
    last_class_at: timestamp(instantColumn),
    next_class_at: timestamp(instantColumn),
    visits: integer().notNull(),
    visits_30: integer().notNull(),
    spent_centavos: bigint({ mode: 'number' }).notNull(),
    owed_centavos: bigint({ mode: 'number' }).notNull(),
    penalised_until: timestamp(instantColumn),
    /** Where they came most often in the last 90 days. */
    home_location_id: integer(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check('customer_summary_state', sql`${t.state} in ('lost', 'inactive', 'at_risk', 'expiring', 'trial', 'new', 'active')`),
    index('customer_summary_name').on(t.sort_name, t.customer_id),
    index('customer_summary_stale').on(t.stale_at),
    index('customer_summary_state').on(t.state),
    index('customer_summary_last_class').on(t.last_class_at.desc().nullsLast(), t.customer_id),
    index('customer_summary_spent').on(t.spent_centavos.desc().nullsLast(), t.customer_id),
  ],
)

/**
 * Number of customers per state and their sums, updated by a trigger on `customer_summary`, so that the list needs no count over all rows.
 */
export const customerStateTotal = pgTable('customer_state_total', {
  state: text({ enum: ['lost', 'inactive', 'at_risk', 'expiring', 'trial', 'new', 'active'] }).primaryKey(),
  customers: integer().notNull(),
  spent_centavos: bigint({ mode: 'number' }).notNull(),
  owed_centavos: bigint({ mode: 'number' }).notNull(),
})

/**
 * Customers whose summary is out of date, appended by triggers. Without a unique index, so that two transactions that change the same
 * customer never wait for each other here.
 */
export const customerChange = pgTable('customer_change', {
  customer_change_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  customer_id: integer().notNull(),
})

/** A purchase at the system that the studio used before, from an import (IM14): shown in the customer's file, counted nowhere. */
export const pastPurchase = pgTable(
  'past_purchase',
  {
    past_purchase_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    source: text().$type<ImportSource>().notNull(),
    bought_on: date({ mode: 'string' }).notNull(),
    title: text().notNull(),
    total_centavos: integer().notNull(),
    /** The payment method, as the file names it. */
    way: text(),
  },
  (t) => [
    index('past_purchase_customer').on(t.customer_id, t.bought_on, t.past_purchase_id),
    check('past_purchase_money', sql`${t.total_centavos} >= 0`),
  ],
)

/** A filter of the list of customers under a name (X15). */
export const segment = pgTable(
  'segment',
  {
    segment_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    filter: json(segmentFilter, { query: 'filtro ilegible' }).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('segment_name').on(sql`lower(${t.name})`)],
)

const textOrNull = z.string().nullable()

const mergedColumns = z.object({
  uid: textOrNull,
  name: z.string(),
  last_name: z.string(),
  email: textOrNull,
  phone: textOrNull,
  birthdate: textOrNull,
  instagram: textOrNull,
  signup_reason: textOrNull,
  signup_reason_other: textOrNull,
  /** Absent in merges that are older than the column. */
  language: z.enum(LANGUAGES).nullable().optional(),
  photo_file_id: z.int().nullable(),
  id_file_id: z.int().nullable(),
  is_frozen: z.boolean(),
})
/** The columns of a customer that a merge may change. */
export type MergedColumns = z.infer<typeof mergedColumns>

/** Two customers that became one (X8), with what is needed to take it back. */
export const customerMerge = pgTable(
  'customer_merge',
  {
    customer_merge_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    keep_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    merge_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** Keys of the rows that moved, by table (merge-store.ts). */
    moved: json(z.record(z.string(), z.array(z.string())), {}).notNull(),
    /** Numbers that moved rows had before, by table and key: purchase.limit_slot and discount_use.slot. */
    slots: json(z.record(z.string(), z.record(z.string(), z.number())), {}).notNull(),
    /** Both records as they were before; null when that is not readable, and the merge cannot be undone. */
    profiles: json(z.object({ keep: mergedColumns, merge: mergedColumns }).nullable(), null).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    undoneAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('customer_merge_once').on(t.merge_id).where(sql`${t.undoneAt} is null`),
    index('customer_merge_keep').on(t.keep_id),
    check('customer_merge_two', sql`${t.keep_id} <> ${t.merge_id}`),
  ],
)

/** Two customers that staff marked as different persons, the lower id first (X11). */
export const customerDistinct = pgTable(
  'customer_distinct',
  {
    lower_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    higher_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.lower_id, t.higher_id] }), check('customer_distinct_order', sql`${t.lower_id} < ${t.higher_id}`)],
)

/** A request to erase a person's data, final after 72 hours (X12). */
export const customerErasure = pgTable(
  'customer_erasure',
  {
    customer_erasure_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    reason: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    finalAt: timestamp(instantColumn).notNull(),
    endedAt: timestamp(instantColumn),
    /** `stopped`: something new prevented it when it became final. */
    outcome: text({ enum: ['erased', 'withdrawn', 'stopped'] }),
  },
  (t) => [
    uniqueIndex('customer_erasure_one').on(t.customer_id).where(sql`${t.endedAt} is null`),
    check('customer_erasure_outcome', sql`${t.outcome} in ('erased', 'withdrawn', 'stopped')`),
    check('customer_erasure_ended', sql`(${t.endedAt} is null) = (${t.outcome} is null)`),
  ],
)
