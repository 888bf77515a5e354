/** Calificaciones: what people thought of their classes (docs/domain.md R17, RE25). */
import { adminPaths } from '#contract/admin-paths.ts'
import { LOW_STARS } from '#server/modules/rollups/rollups.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
import { listOpinions, type Opinion, type RatingGroup, type RatingSums, ratingsByDay, ratingsByGroup } from './ratings-store.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { lastFourWeeks, type Period, sumBy, sumColumns } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'

/** Stars with one decimal; null without ratings. */
const average = (stars: number, ratings: number) => (ratings > 0 ? Math.round((10 * stars) / ratings) / 10 : null)
const averageOf = (rows: readonly RatingSums[]) =>
  average(
    sumBy(rows, ({ stars }) => stars),
    sumBy(rows, ({ ratings }) => ratings),
  )

const readDays = oncePerReport((scope, period) => ratingsByDay(scope.ctx.db, period, scope, scope.ctx.zone))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const sums = sumColumns(await readDays(scope, period), ['ratings', 'stars', 'low', 'classRatings', 'classStars', 'attended'])
  return {
    stars: average(sums.stars, sums.ratings),
    ratings: sums.ratings,
    low: sums.low,
    classStars: average(sums.classStars, sums.classRatings),
    share: toPercent(sums.ratings, sums.attended),
  }
}

function headlineOf(
  scope: Scope,
  { now, before }: { now: Measures; before: Measures | null },
  coaches: readonly RatingGroup[],
): Headline | null {
  if (!now.ratings || now.stars == null) return null
  const change = changeText(now.ratings, before?.ratings, 'count', scope)
  const worst = coaches.find(({ low }) => low > 0)
  return {
    text: now.low
      ? `${countText(now.low, 'persona no quedó contenta', 'personas no quedaron contentas')}. ${now.low === 1 ? 'Lee lo que dijo y contéstale' : 'Lee lo que dijeron y contéstales'}.`
      : `Te califican con ${amountText(now.stars, 'count')} de 5 en ${countText(now.ratings, 'opinión', 'opiniones')}${change ? `, ${change}` : ''}.`,
    detail:
      now.low && worst
        ? `${worst.name}: ${amountText(averageOf([worst]) ?? 0, 'count')} de 5 en ${countText(worst.ratings, 'opinión', 'opiniones')}.`
        : null,
    actions:
      now.low && scope.ctx.may('customers.read')
        ? [{ label: 'Leerlas', path: reportLink('calificaciones', scope, { por: 'comment', solo: 'bajas' }) }]
        : [],
  }
}

const CHOSEN: Readonly<Record<string, (opinion: Opinion) => boolean>> = {
  bajas: ({ stars }) => stars <= LOW_STARS,
  'con-comentario': ({ comment }) => comment !== null,
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, group, only } = scope
  const read = [scope, ctx.zone] as const
  const [days, daysBefore, coaches, types, opinions] = await Promise.all([
    readDays(scope, now),
    before && readDays(scope, before),
    ratingsByGroup(ctx.db, now, ...read, 'coach'),
    group === 'type' ? ratingsByGroup(ctx.db, now, ...read, 'type') : null,
    group === 'comment' ? listOpinions(ctx.db, now, ...read) : null,
  ])
  const counts = (key: string, label: string) => column(key, label, 'count', group === 'type')
  return {
    headline: headlineOf(scope, measures, coaches),
    charts: [
      stepChart(scope, { title: 'Calificación', unit: 'stars', least: 'week', rows: days, before: daysBefore }, averageOf),
      barChart(
        'Por coach',
        'stars',
        [...coaches].reverse().map((row) => ({ name: row.name, value: averageOf([row]) })),
      ),
    ],
    ...(opinions
      ? {
          table_title: 'Opinión por opinión, primero las bajas',
          columns: [
            column('name', 'Persona'),
            column('at', 'Clase', 'moment'),
            column('class', 'De qué'),
            column('comment', 'Comentario'),
            column('classStars', 'La clase', 'stars', false),
            column('stars', 'El coach', 'stars', false),
          ],
          rows: opinions.filter(only ? (CHOSEN[only] ?? (() => true)) : () => true).map((opinion) => ({
            id: String(opinion.class_reservation_id),
            cells: {
              name: opinion.name,
              at: opinion.wall,
              class: opinion.class,
              comment: opinion.comment,
              classStars: opinion.classStars,
              stars: opinion.stars,
            },
            link: adminPaths.reservationDetails(opinion.class_reservation_id),
            action: opinion.stars <= LOW_STARS ? { label: 'Ver a la persona', path: adminPaths.customer(opinion.customer_id) } : null,
          })),
        }
      : {
          table_title: group === 'type' ? 'Por tipo de clase, primero la más baja' : 'Por coach, primero la más baja',
          columns: [
            column('name', group === 'type' ? 'Tipo de clase' : 'Coach'),
            counts('ratings', 'Opiniones'),
            counts('low', `Con ${LOW_STARS} o menos`),
            column('classStars', 'La clase', 'stars', false),
            column('stars', 'El coach', 'stars', false),
          ],
          rows: (types ?? coaches).map((row) => ({
            id: row.id,
            cells: {
              name: row.name,
              ratings: row.ratings,
              low: row.low,
              classStars: average(row.classStars, row.classRatings),
              stars: averageOf([row]),
            },
            link: ctx.may('customers.read')
              ? reportLink('calificaciones', scope, { por: 'comment', [group === 'type' ? 'tipo' : 'coach']: row.id })
              : null,
            action: null,
          })),
          totals: { stars: measures.now.stars ?? null, classStars: measures.now.classStars ?? null },
        }),
  }
}

export const ratingReport: ReportSpec = {
  key: 'calificaciones',
  title: 'Calificaciones',
  about: 'Con comentarios, por coach y tipo de clase',
  question: 'opinions',
  right: 'reports.activity',
  groups: ['coach', 'type', 'comment'],
  filters: ['class_type_id', 'instructor_id'],
  choices: [
    { key: 'bajas', label: `Con ${LOW_STARS} estrellas o menos` },
    { key: 'con-comentario', label: 'Con comentario' },
  ],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'stars',
      label: 'Calificación',
      unit: 'stars',
      better: 'more',
      definition: 'El promedio de las estrellas que las personas dieron al coach de clases del periodo, de 1 a 5.',
      link: (scope) => reportLink('calificaciones', scope, { por: 'comment' }),
    },
    {
      key: 'ratings',
      label: 'Opiniones',
      unit: 'count',
      better: 'more',
      definition: 'Cuántas veces se calificó una clase del periodo; se cuentan por el día de la clase.',
      link: (scope) => reportLink('calificaciones', scope, { por: 'comment' }),
    },
    {
      key: 'low',
      label: 'Bajas',
      unit: 'count',
      better: 'less',
      definition: `Opiniones con ${LOW_STARS} estrellas o menos para el coach.`,
      link: (scope) => reportLink('calificaciones', scope, { por: 'comment', solo: 'bajas' }),
    },
    {
      key: 'share',
      label: 'Opinan',
      unit: 'percent',
      better: 'more',
      definition: 'Las opiniones entre los lugares marcados como asistencia de esas clases.',
    },
  ],
  measure,
  build,
}
