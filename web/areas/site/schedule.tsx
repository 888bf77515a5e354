import { useEffect } from 'react'
import { type ShouldRevalidateFunctionArgs, useNavigate, useNavigation, useSearchParams } from 'react-router'
import type { PageHandle } from '#contract/rendering.ts'
import { studioZone } from '#contract/settings.ts'
import { addDays, type LocalDate, localDate } from '#contract/time.ts'
import { cardClass } from '#web/features/class-facts.ts'
import { PageMeta } from '#web/features/page-meta.tsx'
import { visitorAct } from '#web/features/visitor-act.ts'
import { WeekCalendar } from '#web/features/week-calendar.tsx'
import { readWeekView, type WeekView, weekQuery, writeWeekView } from '#web/features/week-view.ts'
import { paths } from '#web/lib/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import type { Route } from './+types/schedule.ts'
import { freshWithClasses } from './fresh.server.ts'
import { useLiveDays } from './live-days.ts'

export const handle: PageHandle = { query: weekQuery }

export async function loader({ context, request }: Route.LoaderArgs) {
  const present = context.get(rendering)
  const { client, settings, now } = present
  const zone = studioZone(settings)
  const today = localDate(now, zone)
  const { week } = readWeekView(new URL(request.url).searchParams, today)
  const [answer, { locations }] = await Promise.all([
    client.schedule.week({ start_date: week, end_date: addDays(week, 6) }),
    client.catalogue.locations(),
  ])
  freshWithClasses(
    present,
    zone,
    answer.days.flatMap(({ classes }) => classes),
  )
  return {
    today: answer.today,
    days: answer.days.map(({ date, classes }) => ({ date, classes: classes.map(cardClass) })),
    locations: locations.map(({ location_id, name, timezone }) => ({ location_id, name, timezone })),
  }
}

/** The week on the screen, known in the browser only: an address without one means "this week", whichever that is. */
let shownWeek: LocalDate | null = null

/** Another day or filter of the same week asks for nothing. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (shownWeek === null || currentUrl.href === nextUrl.href || currentUrl.pathname !== nextUrl.pathname) return defaultShouldRevalidate
  const names = ({ searchParams }: URL) => searchParams.has('semana') || searchParams.has('dia')
  return names(nextUrl) ? readWeekView(nextUrl.searchParams, shownWeek).week !== shownWeek : names(currentUrl)
}

/** /calendario, titled 'Horarios' (S1-2.09): whoever reserves is asked to log in and goes on with that class. */
export default function SchedulePage({ loaderData: { today, days, locations } }: Route.ComponentProps) {
  const site = useSite()
  const navigate = useNavigate()
  const busy = useNavigation().state === 'loading'
  const [query] = useSearchParams()
  const view = readWeekView(query, today)
  useEffect(() => {
    shownWeek = view.week
  }, [view.week])
  const live = useLiveDays(days, { start_date: view.week, end_date: addDays(view.week, 6) })
  const hrefOf = (next: WeekView) => `${paths.schedule}${writeWeekView(next, today)}`
  return (
    <div className="wrap">
      <PageMeta
        title="Horarios"
        description={`Horarios de clases de ${site.business_name}. Elige tu clase y reserva tu lugar.`}
        path={paths.schedule}
      />
      <WeekCalendar
        title="Horarios"
        view={view}
        days={live}
        today={today}
        locations={locations}
        hrefOf={hrefOf}
        onView={(next) => void navigate(hrefOf(next), { preventScrollReset: true })}
        act={visitorAct}
        busy={busy}
      />
    </div>
  )
}
