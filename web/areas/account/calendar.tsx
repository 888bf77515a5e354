import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { CreditsSummary } from '#web/features/booking/credits-summary.tsx'
import { PenaltyBanner } from '#web/features/booking/penalty-banner.tsx'
import { isReservationDialog, RESERVATION_DIALOGS } from '#web/features/booking/reservation-text.ts'
import { UndoBar } from '#web/features/booking/undo-bar.tsx'
import type { ActOf } from '#web/features/calendar/class-card.tsx'
import { type CardClass, coachNames } from '#web/features/calendar/class-facts.ts'
import { DailyImage } from '#web/features/calendar/daily-image.tsx'
import { CALENDAR_OUTLINE } from '#web/features/calendar/waiting-week.tsx'
import { WeekCalendar } from '#web/features/calendar/week-calendar.tsx'
import { ownWeekQuery, readWeekView, type WeekView, withChoice, writeWeekView } from '#web/features/calendar/week-view.ts'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useDeferredAnswer } from '#web/lib/deferred-answer.ts'
import { onDemand } from '#web/lib/on-demand.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { usePreload } from '#web/lib/use-preload.ts'
import { useOwnWeek, weekOptions } from './own-week.ts'
import type { AccountHandle } from './start-queries.ts'

/** The dialogs of this page, by their query keys: about a class, or about a reservation of the customer. */
const DIALOGS = ['clase', 'espera', 'salir', 'otras', ...RESERVATION_DIALOGS] as const

const ReserveDialog = onDemand(async () => (await import('#web/features/booking/reserve-dialog.tsx')).ReserveDialog)
const ReservationDialogs = onDemand(async () => (await import('#web/features/booking/reservation-dialogs.tsx')).ReservationDialogs)
const JoinWaitlist = onDemand(async () => (await import('#web/features/booking/waitlist-dialogs.tsx')).JoinWaitlist)
const LeaveWaitlist = onDemand(async () => (await import('#web/features/booking/waitlist-dialogs.tsx')).LeaveWaitlist)
const OtherClassesDialog = onDemand(async () => (await import('#web/features/calendar/other-classes.tsx')).OtherClassesDialog)

/** "Barre con Ximena" */
const classLabel = (cls: CardClass): string => [cls.class_type.name, coachNames(cls) && `con ${coachNames(cls)}`].filter(Boolean).join(' ')

const LOCATIONS = queries.catalogue.locations.queryOptions({ staleTime: 300_000 })

export const handle: AccountHandle = {
  startQueries(client, { zone }, query) {
    const today = todayIn(zone)
    void client.prefetchQuery({ ...weekOptions(readWeekView(query, today, ownWeekQuery).week, today), meta: { handled: true } })
    void client.prefetchQuery({ ...LOCATIONS, meta: { handled: true } })
  },
}

/** /mystudio: the customer's calendar (S2-2.01 to S2-2.03, S2-2.17 to S2-2.31). Week, filters and the open dialog are in the address. */
export default function Calendar() {
  const site = useSite()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const title = site.single_class_enabled ? 'Presenciales' : 'Calendario'
  const { open, show, close } = useDialogParam(DIALOGS)
  const [today, setToday] = useState(() => todayIn(site.zone))
  usePreload(ReserveDialog, ReservationDialogs, JoinWaitlist)
  const view = readWeekView(query, today, ownWeekQuery)
  const week = useOwnWeek(view.week, today)
  const drawn = useDeferredAnswer(week)
  const locations = useQuery(LOCATIONS)
  const categories = useQuery(queries.catalogue.classCategories.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  if (week.data && week.data.today !== today) setToday(week.data.today)

  // Cards render again only when their class changes, so their callback must stay the same function; it reads current values from a ref.
  const latest = useRef({ show, today })
  useEffect(() => {
    latest.current = { show, today }
  })
  const act: ActOf<CardClass> = useCallback((verb, cls) => {
    const id = cls.single_class_id
    const open = (name: (typeof DIALOGS)[number], about: number | undefined) =>
      about === undefined ? null : { onClick: () => latest.current.show(name, about) }
    switch (verb) {
      case 'reserve':
      case 'penalty':
      case 'why':
        return open('clase', id)
      case 'buy':
        return cls.class_package_id ? { href: paths.checkout(cls.class_package_id) } : null
      case 'place':
        return open('lugar', cls.mine?.class_reservation_id)
      case 'add_guest':
        return open('invitado', cls.mine?.class_reservation_id)
      case 'cancel':
        return open('cancelar', cls.mine?.class_reservation_id)
      case 'join_waitlist':
        return open('espera', id)
      case 'leave_waitlist':
        return open('salir', id)
      case 'others':
        return cls.class_date.slice(0, 10) < latest.current.today ? null : open('otras', id)
    }
  }, [])
  const hrefOf = (next: WeekView) => `${paths.mystudio.calendar}${writeWeekView(next, today)}`
  const choose = (next: WeekView) => {
    const current = readWeekView(new URLSearchParams(window.location.search), today, ownWeekQuery)
    void navigate(hrefOf(withChoice(current, view, next)), { preventScrollReset: true })
  }

  const classId = (name: 'clase' | 'espera' | 'salir' | 'otras') => (open?.name === name ? open.id : null)
  const about = open && week.data?.days.flatMap(({ classes }) => classes).find((cls) => cls.single_class_id === open.id)
  const joining = open?.name === 'espera' && about ? about : null
  const leaving = open?.name === 'salir' && about?.waitlist_id ? { ...about, waitlist_id: about.waitlist_id } : null
  const alternatives = classId('otras')
  const reservation = open && isReservationDialog(open.name) ? { name: open.name, id: open.id } : null

  return (
    <div className="wrap">
      <PageTitle>{title}</PageTitle>
      {week.isError && !week.data ? (
        <>
          <header className="page-head">
            <h1 className="t1">{title}</h1>
          </header>
          <NotLoaded query={week}>No pudimos cargar el calendario.</NotLoaded>
        </>
      ) : (
        <WeekCalendar
          title={title}
          view={view}
          // Cards name the hour's zone where a location keeps another one, so they wait for the locations: a line that comes later
          // moves the others.
          days={locations.isPending ? null : (drawn.data?.days ?? null)}
          today={today}
          locations={locations.isPending ? null : (locations.data?.locations ?? [])}
          categories={categories.data?.class_categories ?? []}
          hrefOf={hrefOf}
          outline={CALENDAR_OUTLINE}
          onView={choose}
          act={act}
          banner={<PenaltyBanner />}
          aside={<CreditsSummary />}
          busy={drawn.isPlaceholderData}
        />
      )}
      {/* With a dialog in the address, that dialog is shown first. */}
      {open === null && <DailyImage />}
      <UndoBar />
      <ReserveDialog
        wanted={classId('clase') !== null}
        classId={classId('clase')}
        onMine={(id) => show('lugar', id)}
        onJoin={(id) => show('espera', id)}
        onClose={close}
      />
      <JoinWaitlist
        wanted={joining !== null}
        cls={joining && { single_class_id: joining.single_class_id, name: classLabel(joining), class_date: joining.class_date }}
        onClose={close}
      />
      <LeaveWaitlist
        wanted={leaving !== null}
        leaving={leaving && { waitlist_id: leaving.waitlist_id, name: classLabel(leaving), class_date: leaving.class_date }}
        onClose={close}
      />
      {alternatives !== null && <OtherClassesDialog wanted classId={alternatives} onClose={close} />}
      <ReservationDialogs wanted={reservation !== null} open={reservation} show={show} onClose={close} />
    </div>
  )
}
