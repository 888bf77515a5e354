/** The charts of Hoy: money by week, and how full the hours of the week are (docs/domain.md, "Today"). */
import { pesos } from '#contract/money.ts'
import { addDays, localDate, mondayOf, startOfDay } from '#contract/time.ts'
import { CHART_WEEKS, type TodayCharts } from '#contract/today.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { collectedByWeek, occupancyByHour } from './charts-store.ts'
import type { Locations } from './figures-store.ts'
import { toPercent } from './rules.ts'

/** The current week and those before it. Money is counted in weeks of the studio's zone, classes by the clock of their location. */
export async function loadCharts(ctx: Ctx, locations: Locations): Promise<TodayCharts> {
  const thisWeek = mondayOf(localDate(ctx.now, ctx.zone))
  const first = addDays(thisWeek, -7 * (CHART_WEEKS - 1))
  const stretch = { from: startOfDay(first, ctx.zone), until: ctx.now }
  const [money, hours] = await Promise.all([
    collectedByWeek(ctx.db, stretch, locations, ctx.zone),
    occupancyByHour(ctx.db, stretch, locations, ctx.zone),
  ])
  const weeks = Array.from({ length: CHART_WEEKS }, (_, index) => {
    const from = addDays(first, 7 * index)
    const { subscriptions = 0, others = 0 } = money.find(({ week }) => week === from) ?? {}
    return { from, subscriptions: pesos(subscriptions), others: pesos(others) }
  })
  return {
    weeks,
    occupancy: hours.map(({ weekday, hour, taken, capacity }) => ({
      weekday,
      hour,
      taken,
      capacity,
      percent: toPercent(taken, capacity) ?? 0,
    })),
    until: ctx.now.toISOString(),
  }
}
