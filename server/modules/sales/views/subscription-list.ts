/** The studio's subscriptions and what they bring in a month (docs/domain.md V47). */
import type * as z from 'zod'
import { pesos } from '#contract/money.ts'
import { type SubscriptionState, subscriptionState, type studioSubscriptions as wire } from '#contract/studio-subscriptions.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { taxFacts } from '#server/modules/sales/store/charge-store.ts'
import { groupSubscriptions, listSubscriptionViews } from '#server/modules/sales/store/subscription-list-store.ts'
import { monthlyRevenue } from './recurring-revenue.ts'
import { serializeStudioPurchase, visibleLocations } from './studio-lists.ts'

type Input = z.output<NonNullable<(typeof wire)['list']['~orpc']['inputSchema']>>

/**
 * Live subscriptions of the caller's locations and online ones, with the sums of all that match whatever their state; what they
 * bring in a month only with `reports.money`.
 * FORBIDDEN for another location.
 */
export async function studioSubscriptions(ctx: Ctx, input: Input) {
  const { state, page, per_page, sort, ...rest } = input
  const filter = { ...rest, ...visibleLocations(ctx, input) }
  const [found, groups] = await Promise.all([
    listSubscriptionViews(ctx.db, filter, state, ctx.now, { number: page, size: per_page }, sort),
    groupSubscriptions(ctx.db, filter, ctx.now),
  ])
  const countOf = (of: SubscriptionState) => groups.reduce((sum, row) => sum + (row.state === of ? row.count : 0), 0)
  const states = Object.fromEntries(subscriptionState.options.map((of) => [of, countOf(of)])) as Record<SubscriptionState, number>
  const overdue = groups.filter((row) => row.state === 'past_due')
  return {
    subscriptions: await Promise.all(found.map(async (row) => ({ ...(await serializeStudioPurchase(ctx, row.view)), state: row.state }))),
    total: state ? states[state] : groups.reduce((sum, row) => sum + row.count, 0),
    sum: {
      mrr: ctx.may('reports.money')
        ? pesos(
            monthlyRevenue(
              groups.filter((row) => row.state === 'active'),
              taxFacts(ctx.settings, 0).tax_rate,
            ),
          )
        : null,
      past_due: pesos(overdue.reduce((sum, row) => sum + row.amount * row.count, 0)),
      states,
    },
  }
}
