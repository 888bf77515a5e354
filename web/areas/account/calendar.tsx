import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { CreditsSummary } from '#web/features/booking/credits-summary.tsx'
import { PenaltyBanner } from '#web/features/booking/penalty-banner.tsx'
import { ReservationDialogs } from '#web/features/booking/reservation-dialogs.tsx'
import { isReservationDialog, RESERVATION_DIALOGS } from '#web/features/booking/reservation-text.ts'
import { ReserveDialog } from '#web/features/booking/reserve-dialog.tsx'
import { UndoBar } from '#web/features/booking/undo-bar.tsx'
import { JoinWaitlist, LeaveWaitlist } from '#web/features/booking/waitlist-dialogs.tsx'
import type { ActOf } from '#web/features/calendar/class-card.tsx'
import { type CardClass, coachNames } from '#web/features/calendar/class-facts.ts'
import { DailyImage } from '#web/features/calendar/daily-image.tsx'
import { OtherClassesDialog } from '#web/features/calendar/other-classes.tsx'
import { WeekCalendar } from '#web/features/calendar/week-calendar.tsx'
import { ownWeekQuery, readWeekView, type WeekView, writeWeekView } from '#web/features/calendar/week-view.ts'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { useOwnWeek } from './own-week.ts'

/** The dialogs of this page, by their keys in the address: about a class, or about a place of mine. */
const DIALOGS = ['clase', 'espera', 'salir', 'otras', ...RESERVATION_DIALOGS] as const

/** "Barre con Ximena" */
const spokenName = (cls: CardClass): string => [cls.class_type.name, coachNames(cls) && `con ${coachNames(cls)}`].filter(Boolean).join(' ')

/** /mystudio: the customer's calendar (S2-2.01 to S2-2.03, S2-2.17 to S2-2.31). Week, filters and the open dialog live in the address. */
export default function Calendar() {
  const site = useSite()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const title = site.single_class_enabled ? 'Presenciales' : 'Calendario'
  const { asked, ask, close } = useDialogParam(DIALOGS)
  const [today, setToday] = useState(() => todayIn(site.zone))
  const view = readWeekView(query, today, ownWeekQuery)
  const week = useOwnWeek(view.week)
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000 }))
  const categories = useQuery(queries.catalogue.classCategories.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  if (week.data && week.data.today !== today) setToday(week.data.today)

  // The cards are drawn again only when their class changes: what they do must stay the same function.
  const latest = useRef({ ask, today })
  useEffect(() => {
    latest.current = { ask, today }
  })
  const act: ActOf<CardClass> = useCallback((verb, cls) => {
    const id = cls.single_class_id
    const open = (name: (typeof DIALOGS)[number], about: number | undefined) =>
      about === undefined ? null : { onClick: () => latest.current.ask(name, about) }
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

  const classId = (name: 'clase' | 'espera' | 'salir' | 'otras') => (asked?.name === name ? asked.id : null)
  const about = asked && week.data?.days.flatMap(({ classes }) => classes).find((cls) => cls.single_class_id === asked.id)
  const joining = asked?.name === 'espera' && about ? about : null
  const leaving = asked?.name === 'salir' && about?.waitlist_id ? { ...about, waitlist_id: about.waitlist_id } : null
  const others = classId('otras')

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
          days={week.data?.days ?? null}
          today={today}
          locations={locations.isPending ? null : (locations.data?.locations ?? [])}
          categories={categories.data?.class_categories ?? []}
          hrefOf={hrefOf}
          onView={(next) => void navigate(hrefOf(next), { preventScrollReset: true })}
          act={act}
          filters
          notice={<PenaltyBanner />}
          aside={<CreditsSummary />}
          busy={week.isPlaceholderData}
        />
      )}
      {/* Who came for one class is asked about that class first. */}
      {asked === null && <DailyImage />}
      <UndoBar />
      <ReserveDialog classId={classId('clase')} onMine={(id) => ask('lugar', id)} onJoin={(id) => ask('espera', id)} onClose={close} />
      <JoinWaitlist
        cls={joining && { single_class_id: joining.single_class_id, name: spokenName(joining), class_date: joining.class_date }}
        onClose={close}
      />
      <LeaveWaitlist
        leaving={leaving && { waitlist_id: leaving.waitlist_id, name: spokenName(leaving), class_date: leaving.class_date }}
        onClose={close}
      />
      {others !== null && <OtherClassesDialog classId={others} onClose={close} />}
      <ReservationDialogs
        asked={asked && isReservationDialog(asked.name) ? { name: asked.name, id: asked.id } : null}
        ask={ask}
        close={close}
      />
    </div>
  )
}
