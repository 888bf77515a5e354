/** Queries of the studio's list of subscriptions: a page of them, and their next charges by state. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SubscriptionState } from '#contract/studio-subscriptions.ts'
import { customer } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { byCustomerName, type Locations, matchesPurchase, purchaseAt } from './purchase-filter-store.ts'
import { listPurchaseViews, type PurchaseView } from './view-store.ts'

/** Subscriptions with the same next charge and period. */
export interface ChargeGroup {
  /** The next charge of one of them in centavos, tax included. */
  amount: number
  period: 'day' | 'month' | 'year'
  interval: number
  count: number
}

export interface SubscriptionFilter {
  /** The locations that the reader may see; null = all. */
  locations: Locations
  location_id?: number | undefined
  class_package_id?: number | undefined
  query?: string | undefined
}

/** The state of a live subscription. Whether it is in its trial is in the attempt that opened it. */
const state = sql<SubscriptionState>`case when ${purchase.status} = 'cancelled' then 'ending'
  when ${purchase.past_due_since} is not null then 'past_due' when ${purchase.paused_since} is not null then 'paused'
  when (select a.state from payment_attempt a where a.purchase_id = purchase.purchase_id order by a.n desc limit 1) = 'trialing' then 'trial'
  else 'active' end`

/** Subscriptions that are charged, or whose paid period has not ended. */
const whereOf = async (db: Reader, filter: SubscriptionFilter, now: Date): Promise<SQL | undefined> =>
  and(
    purchase.is_subscription,
    sql`(${purchase.status} = 'active' or (${purchase.status} = 'cancelled' and ${purchase.benefits_until} > ${now.toISOString()}::timestamptz))`,
    purchaseAt(filter.locations),
    filter.location_id === undefined ? undefined : eq(purchase.location_id, filter.location_id),
    filter.class_package_id === undefined ? undefined : eq(purchase.class_package_id, filter.class_package_id),
    await matchesPurchase(db, filter.query),
  )

export type SubscriptionSort = 'next' | '-next' | 'amount' | '-amount' | 'name' | '-name'

const nextCharge = sql<number>`coalesce(${purchase.next_total_centavos}, ${purchase.total_centavos})`
const ORDERS = { next: [purchase.benefits_until], amount: [nextCharge], name: byCustomerName }

/** A page of live subscriptions; of one state, or of all. */
export async function listSubscriptionViews(
  db: Reader,
  filter: SubscriptionFilter,
  only: SubscriptionState | undefined,
  now: Date,
  page: { number: number; size: number },
  sort: SubscriptionSort,
): Promise<{ view: PurchaseView; state: SubscriptionState }[]> {
  const found = await db
    .select({ purchase_id: purchase.purchase_id, state })
    .from(purchase)
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .where(and(await whereOf(db, filter, now), only && sql`${state} = ${only}`))
    .orderBy(...orderBy(sort, ORDERS, purchase.purchase_id))
    .limit(page.size)
    .offset((page.number - 1) * page.size)
  const ids = found.map((row) => row.purchase_id)
  const views = ids.length ? await listPurchaseViews(db, inArray(purchase.purchase_id, ids)) : []
  return found.flatMap((row) => {
    const view = views.find((view) => view.purchase.purchase_id === row.purchase_id)
    return view ? [{ view, state: row.state }] : []
  })
}

/** Live subscriptions by state, next charge, package and location: how many of each. */
export async function groupSubscriptions(
  db: Reader,
  filter: SubscriptionFilter,
  now: Date,
): Promise<(ChargeGroup & { state: SubscriptionState; class_package_id: number | null; location_id: number | null })[]> {
  const interval = sql<number>`coalesce(${purchase.subscription_interval}, 1)`
  const period = sql<ChargeGroup['period']>`coalesce(${purchase.subscription_period}, 'month')`
  return db
    .select({
      state,
      amount: nextCharge,
      interval,
      period,
      class_package_id: purchase.class_package_id,
      location_id: purchase.location_id,
      count: sql<number>`count(*)::int`,
    })
    .from(purchase)
    .where(await whereOf(db, filter, now))
    .groupBy(sql`1`, sql`2`, sql`3`, sql`4`, sql`5`, sql`6`)
}
