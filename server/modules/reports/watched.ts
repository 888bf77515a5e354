/** Videos: what is watched, and to the end (docs/domain.md O, RE24). */

import { sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import { oneRow, toPercent, within } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
import { type Body, column, type Headline, type Measures, type ReportSpec, reportLink, type Scope } from './report.ts'
import { lastFourWeeks, type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'

interface Watched extends Record<string, unknown> {
  video_id: number
  name: string
  coach: string | null
  views: number
  completed: number
  ratings: number
  stars: number
}

/** Videos that were started, completed or rated in the period. */
async function listWatched({ ctx }: Scope, period: Period): Promise<Watched[]> {
  const { rows } = await ctx.db.execute<Watched>(sql`
    select v.video_id, v.name, coalesce(nullif(t.nick_name, ''), t.name) as coach, w.views, w.completed, w.ratings, w.stars
    from (
      select video_id, sum(views)::float8 as views, sum(completed)::float8 as completed, sum(ratings)::float8 as ratings, sum(stars)::float8 as stars from (
        select video_id, count(*) as views, 0 as completed, 0 as ratings, 0 as stars from playback p where ${within(sql`p."startedAt"`, period)} group by 1
        union all select video_id, 0, count(*), 0, 0 from playback p where ${within(sql`p."completedAt"`, period)} group by 1
        union all select video_id, 0, 0, count(*), sum(g.stars) from video_rating g where ${within(sql`g."updatedAt"`, period)} group by 1) all_marks
      group by 1) w
      join video v using (video_id) left join instructor t using (instructor_id)
    order by w.views desc, w.completed desc, v.name, v.video_id`)
  return rows
}

const listByDay = async ({ ctx }: Scope, period: Period) =>
  (
    await ctx.db.execute<{ day: string; views: number }>(sql`
      select to_char(p."startedAt" at time zone ${ctx.zone}, 'YYYY-MM-DD') as day, count(*)::float8 as views
      from playback p where ${within(sql`p."startedAt"`, period)} group by 1 order by 1`)
  ).rows

const average = (stars: number, ratings: number) => (ratings > 0 ? Math.round((10 * stars) / ratings) / 10 : null)
const total = (rows: readonly Watched[], key: 'views' | 'completed' | 'ratings' | 'stars') => sumBy(rows, (row) => row[key])

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const [rows, { people }] = await Promise.all([
    listWatched(scope, period),
    oneRow<{ people: number }>(
      scope.ctx.db,
      sql`select count(distinct p.customer_id)::float8 as people from playback p where ${within(sql`p."startedAt"`, period)}`,
    ),
  ])
  return {
    views: total(rows, 'views'),
    people,
    completed: total(rows, 'completed'),
    rating: average(total(rows, 'stars'), total(rows, 'ratings')),
  }
}

function headlineOf(
  scope: Scope,
  { now, before }: { now: Measures; before: Measures | null },
  videos: readonly Watched[],
): Headline | null {
  if (!now.views && !now.completed) return null
  const [best] = videos
  const change = changeText(now.views, before?.views, 'count', scope)
  return {
    text: `Tus videos se vieron ${now.views === 1 ? 'una vez' : `${amountText(now.views ?? 0, 'count')} veces`}${change ? `, ${change}` : ''}.`,
    detail: best ? `El más visto: ${best.name}, ${countText(best.views, 'vista', 'vistas')}.` : null,
    actions: best ? [{ label: 'Ver ese video', path: adminPaths.video(best.video_id) }] : [],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, before } = scope
  const [videos, earlier, days, daysBefore] = await Promise.all([
    listWatched(scope, now),
    before && listWatched(scope, before),
    listByDay(scope, now),
    before && listByDay(scope, before),
  ])
  return {
    headline: headlineOf(scope, measures, videos),
    charts: [
      stepChart(scope, { title: 'Vistas', unit: 'count', rows: days, before: daysBefore }, (rows) => sumBy(rows, ({ views }) => views)),
      barChart(
        'Los más vistos',
        'count',
        videos.slice(0, 10).map(({ video_id, name, views }) => ({
          name,
          value: views,
          ...(earlier ? { before: earlier.find((video) => video.video_id === video_id)?.views ?? 0 } : {}),
        })),
      ),
    ],
    table_title: 'Video por video, primero los más vistos',
    columns: [
      column('name', 'Video'),
      column('coach', 'Coach'),
      column('views', 'Vistas', 'count'),
      column('completed', 'Completados', 'count'),
      column('share', 'Hasta el final', 'percent', false),
      column('ratings', 'Calificaciones', 'count'),
      column('rating', 'Calificación', 'stars', false),
    ],
    rows: videos.map(({ video_id, name, coach, views, completed, ratings, stars }) => ({
      id: String(video_id),
      cells: {
        name,
        coach,
        views,
        completed,
        share: toPercent(Math.min(completed, views), views),
        ratings,
        rating: average(stars, ratings),
      },
      link: adminPaths.video(video_id),
      action: null,
    })),
    totals: { rating: measures.now.rating ?? null },
    notes: scope.locations === null ? [] : ['Los videos no son de un estudio: están todos.'],
  }
}

export const videoReport: ReportSpec = {
  key: 'videos',
  title: 'Videos',
  about: 'Vistas y completados',
  question: 'opinions',
  right: 'reports.activity',
  groups: ['video'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'views',
      label: 'Vistas',
      unit: 'count',
      better: 'more',
      definition: 'Veces que una persona empezó por primera vez un video en el periodo; verlo otra vez no suma.',
      link: (scope) => reportLink('videos', scope),
    },
    {
      key: 'people',
      label: 'Personas',
      unit: 'count',
      better: 'more',
      definition: 'Personas distintas que empezaron algún video en el periodo.',
    },
    {
      key: 'completed',
      label: 'Completados',
      unit: 'count',
      better: 'more',
      definition: 'Videos que alguien marcó como completados en el periodo, los haya empezado antes o no.',
      link: (scope) => reportLink('videos', scope),
    },
    {
      key: 'rating',
      label: 'Calificación',
      unit: 'stars',
      better: 'more',
      definition: 'El promedio de las estrellas que se dieron o cambiaron en el periodo.',
      link: (scope) => reportLink('videos', scope),
    },
  ],
  measure,
  build,
}
