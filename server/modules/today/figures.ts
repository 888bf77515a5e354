/** The figures of Hoy, one function each with the sentence that explains it (docs/domain.md, "Today"). */

import { adminPaths } from '#contract/admin-paths.ts'
import { localDate } from '#contract/time.ts'
import { type Figure, type FigureKey, type FigurePeriod, TREND_PERIODS } from '#contract/today.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { countActiveCustomers, countMarks, type Locations, sumCollected, sumOccupancy } from './figures-store.ts'
import { type ComparedStretches, comparedPeriods, lastPeriods, type Stretch, toPercent } from './rules.ts'

interface Definition extends Pick<Figure, 'key' | 'label' | 'unit' | 'definition'> {
  /** The figure of a stretch; null when there is nothing to count it from. */
  count: (ctx: Ctx, stretch: Stretch, locations: Locations) => Promise<number | null>
  /** Address of the screen with its rows. */
  link: string
}

/** Cobrado, in pesos. */
export async function sumCollectedIn(ctx: Ctx, stretch: Stretch, locations: Locations): Promise<number> {
  return (await sumCollected(ctx.db, stretch, locations)) / 100
}

/** Ocupación, in percent. */
export async function occupancy(ctx: Ctx, stretch: Stretch, locations: Locations): Promise<number | null> {
  const { taken, capacity } = await sumOccupancy(ctx.db, stretch, locations)
  return toPercent(taken, capacity)
}

/** Clientes activos at the end of the stretch. */
export function activeCustomers(ctx: Ctx, stretch: Stretch, locations: Locations): Promise<number> {
  return countActiveCustomers(ctx.db, stretch.until, locations)
}

/** No asistieron, in percent of the marked ones. */
export async function noShows(ctx: Ctx, stretch: Stretch, locations: Locations): Promise<number | null> {
  const { attended, absent } = await countMarks(ctx.db, stretch, locations)
  return toPercent(absent, attended + absent)
}

const DEFINITIONS: Readonly<Record<FigureKey, Omit<Definition, 'key'>>> = {
  collected: {
    label: 'Cobrado',
    unit: 'mxn',
    definition:
      'Cargos cobrados en el periodo, menos las devoluciones hechas en él y lo que los bancos se llevaron de vuelta. No cuenta regalos ni adeudos.',
    count: sumCollectedIn,
    link: adminPaths.report('cobrado'),
  },
  occupancy: {
    label: 'Ocupación',
    unit: 'percent',
    definition:
      'Lugares tomados entre lugares que había, sumando las clases que empezaron en el periodo, sin las canceladas ni las que no tienen cupo. Los invitados cuentan.',
    count: occupancy,
    link: adminPaths.report('ocupacion'),
  },
  active_customers: {
    label: 'Clientes activos',
    unit: 'count',
    definition: 'Personas que vinieron a una clase en los últimos 30 días, o que tienen créditos vigentes o una suscripción.',
    count: activeCustomers,
    link: adminPaths.customers,
  },
  no_shows: {
    label: 'No asistieron',
    unit: 'percent',
    definition:
      'Faltas entre faltas y asistencias de las clases que empezaron en el periodo, sin las justificadas y sin las listas que nadie pasó.',
    count: noShows,
    link: adminPaths.report('asistencia'),
  },
}

function linkOf(key: FigureKey, link: string, days: { from: string; to: string }, location_id: number | undefined): string {
  const at = location_id === undefined ? '' : `&estudio=${location_id}`
  if (key === 'active_customers') return `${link}?actividad=si${at}`
  const query = new URLSearchParams({
    desde: days.from,
    hasta: days.to,
    ...(location_id === undefined ? {} : { estudio: String(location_id) }),
  })
  return `${link}?${query}`
}

/** The four figures of a period until now, each with that of the same stretch before (H1). */
export async function figuresOfPeriod(ctx: Ctx, period: FigurePeriod, locations: Locations, location_id: number | undefined) {
  const stretches: ComparedStretches = comparedPeriods(period, ctx.now, ctx.zone)
  const days = { from: stretches.start, to: localDate(ctx.now, ctx.zone) }
  const items = await Promise.all(
    Object.entries(DEFINITIONS).map(async ([name, { count, link, ...about }]): Promise<Figure> => {
      const key = name as FigureKey
      const [value, before] = await Promise.all([count(ctx, stretches.now, locations), count(ctx, stretches.before, locations)])
      return { key, ...about, value, before, link: linkOf(key, link, days, location_id) }
    }),
  )
  return { period, from: stretches.start, until: ctx.now.toISOString(), items }
}

/** Each figure in the last twelve periods (N11). One period after the other: they are read beside the rest of the screen. */
export async function loadTrends(
  ctx: Ctx,
  period: FigurePeriod,
  locations: Locations,
): Promise<{ key: FigureKey; values: (number | null)[] }[]> {
  const trends = Object.entries(DEFINITIONS).map(([key, { count }]) => ({ key: key as FigureKey, count, values: [] as (number | null)[] }))
  for (const stretch of lastPeriods(period, ctx.now, ctx.zone, TREND_PERIODS)) {
    const values = await Promise.all(trends.map(({ count }) => count(ctx, stretch, locations)))
    for (const [at, { values: all }] of trends.entries()) all.push(values[at] ?? null)
  }
  return trends.map(({ key, values }) => ({ key, values }))
}
