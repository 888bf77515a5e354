import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { type ShouldRevalidateFunctionArgs, useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { studioZone } from '#contract/settings.ts'
import { type LocalDate, localDate } from '#contract/time.ts'
import type { ActOf } from '#web/features/calendar/class-card.tsx'
import { type CardClass, cardClass } from '#web/features/calendar/class-facts.ts'
import { ClassesData } from '#web/features/calendar/structured-data.tsx'
import { visitorAct } from '#web/features/calendar/visitor-act.ts'
import { WeekCalendar } from '#web/features/calendar/week-calendar.tsx'
import { weekQuery } from '#web/features/calendar/week-query.ts'
import {
  isOtherWeek,
  lastShownDay,
  ownWeekQuery,
  readWeekView,
  type WeekView,
  withChoice,
  writeWeekView,
} from '#web/features/calendar/week-view.ts'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { documentsToAccept } from '#web/lib/documents-to-accept.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useSessionHint } from '#web/lib/session-hint.ts'
import { useSite } from '#web/lib/settings.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/schedule.ts'
import { useLiveDays } from './live-days.ts'
import { freshWithClasses } from './schedule-expiry.server.ts'

export const handle: PageHandle = { query: weekQuery }

export async function loader({ context, request }: Route.LoaderArgs) {
  const rendered = context.get(rendering)
  const { client, settings, now } = rendered
  const zone = studioZone(settings)
  const today = localDate(now, zone)
  const { week } = readWeekView(new URL(request.url).searchParams, today)
  const [answer, locations, content] = await Promise.all([
    client.schedule.week({ start_date: week, end_date: lastShownDay(week, today) }),
    rendered.attempt('locations', () => client.catalogue.locations()),
    rendered.attempt('documents', () => client.content.pages()),
  ])
  rendered.dependsOn('content')
  freshWithClasses(
    rendered,
    zone,
    answer.days.flatMap(({ classes }) => classes),
  )
  return {
    today: answer.today,
    days: answer.days.map((day) => ({ ...day, classes: day.classes.map(cardClass) })),
    locations: (locations?.locations ?? []).map(({ location_id, name, timezone }) => ({ location_id, name, timezone })),
    documents: documentsToAccept(content?.pages ?? [], 'required_signup'),
  }
}

/** The studio's day of the data, known in the browser only: an address without a week means the current one, which changes on Monday. */
let knownToday: LocalDate | null = null

/** Another day or filter of the same week needs no new data. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (knownToday === null || currentUrl.href === nextUrl.href || currentUrl.pathname !== nextUrl.pathname) return defaultShouldRevalidate
  return isOtherWeek(currentUrl.searchParams, nextUrl.searchParams, knownToday)
}

/** Loaded on demand, because it includes the identity service. */
const LoginDialog = lazy(() => import('#web/features/account/login-dialog.tsx').catch(() => ({ default: ToLogin })))

/** In place of the dialog when it cannot be loaded: opens the log-in page, which leads back to the class. */
function ToLogin({ cls }: { cls: Pick<CardClass, 'single_class_id'> }) {
  useEffect(() => location.assign(paths.loginThen(paths.mystudio.reserve(cls.single_class_id))), [cls])
  return null
}

const never = () => () => {}
/** Whether scripts run: without them a button that opens a dialog is rendered as a link. */
const useScripts = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/**
 * /calendario, titled 'Horarios' (S1-2.09). A visitor who reserves logs in on this page and continues with that class (S2-2.36, S2-2.37).
 */
export default function SchedulePage({ loaderData: { today, days, locations, documents } }: Route.ComponentProps) {
  const site = useSite()
  const navigate = useNavigate()
  const navigation = useNavigation()
  const busy = navigation.state === 'loading'
  const [query] = useSearchParams()
  const scripts = useScripts()
  // The server renders a document per week, location and type; the other filters are applied here.
  const known = scripts ? ownWeekQuery : weekQuery
  const view = readWeekView(query, today, known)
  useEffect(() => {
    knownToday = today
  }, [today])
  const live = useLiveDays(days, { start_date: view.week, end_date: lastShownDay(view.week, today) })
  const signedIn = useSessionHint()
  const [classToReserve, setClassToReserve] = useState<CardClass | null>(null)
  // Google's sign-in needs hosts that the CSP of public pages does not allow: then the log-in page is used.
  const opensDialog = scripts && !signedIn && !site.firebaseConfig
  const act: ActOf = (verb, cls) =>
    opensDialog && (verb === 'reserve' || verb === 'join_waitlist') ? { onClick: () => setClassToReserve(cls) } : visitorAct(verb, cls)
  // A link to one class (#clase-454, from the landing page): its button is clicked once scripts run. The rest of the address stays.
  const { hash, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the class of the address is opened once
  useEffect(() => {
    const button = scripts && /^#clase-\d+$/.test(hash) && document.querySelector<HTMLElement>(`${hash} .btn`)
    if (!button) return
    void navigate(paths.schedule + search, { replace: true, preventScrollReset: true })
    button.click()
  }, [scripts, hash])
  const hrefOf = (next: WeekView) => `${paths.schedule}${writeWeekView(next, today)}`
  const choose = (next: WeekView) => {
    // The week that is being loaded, if one is: a second choice must not undo it.
    const current = readWeekView(new URLSearchParams((navigation.location ?? window.location).search), today, known)
    void navigate(hrefOf(withChoice(current, view, next)), { preventScrollReset: true })
  }
  return (
    <div className="wrap">
      <PageMeta
        title="Horarios"
        description={`Horarios de clases de ${site.business_name}. Elige tu clase y reserva tu lugar.`}
        path={paths.schedule}
      />
      <ClassesData classes={days.flatMap(({ classes }) => classes)} />
      <SectionBoundary fallback={<h1 className="t1">Horarios</h1>}>
        <WeekCalendar
          title="Horarios"
          view={view}
          days={live}
          today={today}
          locations={locations}
          hrefOf={hrefOf}
          onView={choose}
          act={act}
          busy={busy}
        />
      </SectionBoundary>
      {classToReserve !== null && (
        <Suspense fallback={null}>
          <LoginDialog cls={classToReserve} documents={documents} onClose={() => setClassToReserve(null)} />
        </Suspense>
      )}
    </div>
  )
}
