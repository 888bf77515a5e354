/** Hoy: the day's classes and figures, and the open tasks (docs/domain.md, "Today"). */
import { localDate } from '#contract/time.ts'
import type { FigurePeriod } from '#contract/today.ts'
import { classesBetween } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { latestPurchases } from '#server/modules/sales/sales.ts'
import { loadCharts } from './charts.ts'
import { figuresOfPeriod, loadTrends } from './figures.ts'
import type { Locations } from './figures-store.ts'
import { openTasks } from './tasks.ts'

export {
  atLocations,
  collectedMovements,
  countActiveCustomers,
  type Locations,
  oneRow,
  usableAt,
  within,
} from './figures-store.ts'
export { toPercent } from './rules.ts'

const LATEST_PURCHASES = 6

/** One location that the person works at, or all of theirs. FORBIDDEN with `location_id`. */
function locationsOf(ctx: Ctx, location_id: number | undefined): Locations {
  if (location_id === undefined) return ctx.locationIds
  ctx.requireLocation('roster.all', location_id)
  return [location_id]
}

/** GET /admin/today. FORBIDDEN for a location where the person does not work. */
export async function todayForStaff(ctx: Ctx, input: { location_id?: number | undefined; period: FigurePeriod }) {
  const locations = locationsOf(ctx, input.location_id)
  const date = localDate(ctx.now, ctx.zone)
  const [figures, classes, tasks, purchases] = await Promise.all([
    ctx.may('reports.money') ? figuresOfPeriod(ctx, input.period, locations, input.location_id) : null,
    classesBetween(ctx, { start_date: date, end_date: date }),
    openTasks(ctx, locations),
    ctx.may('sales.sell') ? latestPurchases(ctx, locations, LATEST_PURCHASES) : [],
  ])
  return { date, figures, classes: classes.filter((cls) => locations?.includes(cls.location_id) ?? true), tasks, purchases }
}

/** GET /admin/today/charts. FORBIDDEN for a location where the person does not work. */
export async function chartsForStaff(ctx: Ctx, input: { location_id?: number | undefined }) {
  return loadCharts(ctx, locationsOf(ctx, input.location_id))
}

/** GET /admin/today/trends. FORBIDDEN for a location where the person does not work. */
export async function trendsForStaff(ctx: Ctx, input: { location_id?: number | undefined; period: FigurePeriod }) {
  return { trends: await loadTrends(ctx, input.period, locationsOf(ctx, input.location_id)) }
}

/** GET /admin/tasks. FORBIDDEN for a location where the person does not work. */
export async function tasksForStaff(ctx: Ctx, input: { location_id?: number | undefined }) {
  return { tasks: await openTasks(ctx, locationsOf(ctx, input.location_id)) }
}
