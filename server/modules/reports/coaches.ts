/** Por coach: classes given, their occupancy, ratings and returning customers (docs/domain.md RE20). */
import { toPercent } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
import { type CoachSums, sumCoaches } from './coaches-store.ts'
import { sumTakenSpots } from './occupancy-store.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { lastFourWeeks, type Period, sumBy } from './rules.ts'
import { amountText, countText } from './sentences.ts'
import { listFirstTimers, TRIAL_DAYS } from './visits-store.ts'

interface Coach extends CoachSums {
  /** People whose first class of all was theirs, and of those whose 30 days are over, how many came again, to any coach. */
  first: number
  known: number
  returned: number
}

const coachesIn = oncePerReport(async (scope, period): Promise<Coach[]> => {
  const { db, now, zone } = scope.ctx
  const [coaches, first] = await Promise.all([sumCoaches(db, period, scope, zone), listFirstTimers(db, period, scope, now, zone)])
  return coaches.map((coach) => {
    const own = first.filter(
      ({ instructor_id, class_type_id }) =>
        instructor_id === coach.instructor_id && (scope.class_type_id === undefined || scope.class_type_id === class_type_id),
    )
    const over = own.filter(({ isComplete }) => isComplete)
    return { ...coach, first: own.length, known: over.length, returned: over.filter(({ returned }) => returned).length }
  })
})

/** Stars with one decimal; null without ratings. */
const average = (stars: number, ratings: number) => (ratings > 0 ? Math.round((10 * stars) / ratings) / 10 : null)
const total = (coaches: readonly Coach[], key: 'stars' | 'ratings' | 'known' | 'returned') => sumBy(coaches, (coach) => coach[key])

async function measure(scope: Scope, period: Period): Promise<Measures> {
  if (scope.isIndex) return { coaches: (await sumCoaches(scope.ctx.db, period, scope, scope.ctx.zone)).length }
  const [coaches, spots] = await Promise.all([coachesIn(scope, period), sumTakenSpots(scope.ctx.db, period, scope, scope.ctx.zone)])
  return {
    coaches: coaches.length,
    occupancy: toPercent(spots.taken, spots.capacity),
    rating: average(total(coaches, 'stars'), total(coaches, 'ratings')),
    returned: toPercent(total(coaches, 'returned'), total(coaches, 'known')),
  }
}

/** Below this number of classes, ratings or people a coach gets no statement. */
const ENOUGH = 3

function headlineOf(scope: Scope, coaches: readonly Coach[]): Headline | null {
  const known = coaches.filter(({ classes, capacity }) => classes >= ENOUGH && capacity > 0)
  const fill = ({ taken, capacity }: Coach) => taken / capacity
  const sorted = [...known].sort((a, b) => fill(b) - fill(a))
  const [best] = sorted
  const last = sorted.at(-1)
  if (!best || !last) return null
  const text = ({ taken, capacity }: Coach) => amountText(toPercent(taken, capacity) ?? 0, 'percent')
  const back = [...coaches].filter(({ known }) => known >= ENOUGH).sort((a, b) => b.returned / b.known - a.returned / a.known)[0]
  return {
    text:
      best === last
        ? `${best.name} llena el ${text(best)} de sus lugares.`
        : `${best.name} llena el ${text(best)} de sus lugares; ${last.name}, el ${text(last)}.`,
    detail: back
      ? `Con ${back.name} vuelven ${amountText(Math.round((100 * back.returned) / back.known), 'percent')} de quienes prueban.`
      : null,
    actions: [
      {
        label: `Ver las clases de ${last.name}`,
        path: reportLink('ocupacion', scope, { por: 'class', coach: String(last.instructor_id) }),
      },
    ],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, before } = scope
  const [coaches, earlier] = await Promise.all([coachesIn(scope, now), before && coachesIn(scope, before)])
  return {
    headline: headlineOf(scope, coaches),
    charts: [
      barChart(
        'Ocupación por coach',
        'percent',
        coaches.map(({ instructor_id, name, taken, capacity }) => {
          const then = earlier?.find((coach) => coach.instructor_id === instructor_id)
          return {
            name,
            value: toPercent(taken, capacity),
            ...(earlier ? { before: then ? toPercent(then.taken, then.capacity) : null } : {}),
          }
        }),
        'more',
      ),
      barChart(
        'Calificación por coach',
        'stars',
        coaches.filter(({ ratings }) => ratings > 0).map(({ name, stars, ratings }) => ({ name, value: average(stars, ratings) })),
      ),
    ],
    table_title: 'Coach por coach',
    columns: [
      column('name', 'Coach'),
      column('classes', 'Clases', 'count', false),
      column('substituted', 'Suplencias', 'count'),
      column('taken', 'Lugares ocupados', 'count', false),
      column('occupancy', 'Ocupación', 'percent', false),
      column('absence', 'Faltas', 'percent', false),
      column('rating', 'Calificación', 'stars', false),
      column('ratings', 'Calificaciones', 'count', false),
      column('first', 'Primera clase', 'count', false),
      column('returned', 'Vuelven', 'percent', false),
    ],
    rows: coaches.map((coach) => ({
      id: String(coach.instructor_id),
      cells: {
        name: coach.name,
        classes: coach.classes,
        substituted: coach.substituted,
        taken: coach.taken,
        occupancy: toPercent(coach.taken, coach.capacity),
        absence: toPercent(coach.absent, coach.absent + coach.attended),
        rating: average(coach.stars, coach.ratings),
        ratings: coach.ratings,
        first: coach.first,
        returned: toPercent(coach.returned, coach.known),
      },
      link: reportLink('ocupacion', scope, { por: 'class', coach: String(coach.instructor_id) }),
      action: null,
    })),
    totals: { occupancy: measures.now.occupancy ?? null, rating: measures.now.rating ?? null, returned: measures.now.returned ?? null },
    definitions: [
      {
        term: 'Clase con dos coaches',
        text: 'Cuenta para los dos; por eso las columnas no se suman. El total de ocupación cuenta cada clase una vez.',
      },
      {
        term: 'Primera clase',
        text: `Personas cuya primera clase de todas fue con ese coach: ${countText(ENOUGH, 'persona', 'personas')} o más para decir algo de él. “Vuelven” mira solo a quienes ya pasaron sus ${TRIAL_DAYS} días.`,
      },
    ],
  }
}

export const coachReport: ReportSpec = {
  key: 'coaches',
  title: 'Por coach',
  about: 'Clases, lugares, calificación y quién vuelve',
  question: 'filling',
  right: 'reports.activity',
  needsDays: 7,
  groups: ['coach'],
  filters: ['class_type_id', 'instructor_id'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'coaches',
      label: 'Coaches',
      unit: 'count',
      better: null,
      definition: 'Coaches con alguna clase en el periodo que no se canceló.',
      link: (scope) => reportLink('coaches', scope),
    },
    {
      key: 'occupancy',
      label: 'Ocupación',
      unit: 'percent',
      better: 'more',
      definition: 'Lugares ocupados entre los lugares que hubo, de las mismas clases que el reporte de Ocupación.',
      link: (scope) => reportLink('ocupacion', scope, { por: 'coach' }),
    },
    {
      key: 'rating',
      label: 'Calificación',
      unit: 'stars',
      better: 'more',
      definition: 'El promedio de las estrellas que las personas dieron al coach en clases del periodo.',
      link: (scope) => reportLink('calificaciones', scope, { por: 'coach' }),
    },
    {
      key: 'returned',
      label: 'Vuelven',
      unit: 'percent',
      better: 'more',
      definition: `De las personas cuya primera clase de todas fue en el periodo, las que vinieron a otra, con quien sea, en los ${TRIAL_DAYS} días siguientes. Solo cuentan aquellas cuyos ${TRIAL_DAYS} días ya pasaron.`,
      link: (scope) => reportLink('primera-clase', scope, { por: 'coach' }),
    },
  ],
  measure,
  build,
}
