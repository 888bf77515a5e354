import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { addDays } from '#contract/time.ts'
import { artUrl } from '#web/features/art.tsx'
import { CancelDialog } from '#web/features/cancel-dialog.tsx'
import type { ActOf } from '#web/features/class-card.tsx'
import { type CardClass, coachNames } from '#web/features/class-facts.ts'
import { CreditsSummary } from '#web/features/credits-summary.tsx'
import { DailyImage } from '#web/features/daily-image.tsx'
import { GuestDialog } from '#web/features/guest-dialog.tsx'
import { ReserveDialog } from '#web/features/reserve-dialog.tsx'
import { JoinWaitlist, LeaveWaitlist } from '#web/features/waitlist-dialogs.tsx'
import { WeekCalendar } from '#web/features/week-calendar.tsx'
import { ownWeekQuery, readWeekView, type WeekView, writeWeekView } from '#web/features/week-view.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useLive } from '#web/lib/live.ts'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** "Barre con Ximena" */
const spokenName = (cls: CardClass): string => [cls.class_type.name, coachNames(cls) && `con ${coachNames(cls)}`].filter(Boolean).join(' ')

/** /mystudio: the customer's calendar (S2-2.01 to S2-2.03, S2-2.17 to S2-2.31). Week, filters and the open class live in the address. */
export default function Calendar() {
  const site = useSite()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const [today, setToday] = useState(() => todayIn(site.zone))
  const view = readWeekView(query, today, ownWeekQuery)
  const week = useQuery({
    ...queries.schedule.week.queryOptions({ input: { start_date: view.week, end_date: addDays(view.week, 6) }, staleTime: 10_000 }),
    placeholderData: (before) => before,
  })
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000 }))
  if (week.data && week.data.today !== today) setToday(week.data.today)
  const [cancelling, setCancelling] = useState<CardClass | null>(null)
  const [bringing, setBringing] = useState<number | null>(null)
  const [joining, setJoining] = useState<CardClass | null>(null)
  const [leaving, setLeaving] = useState<CardClass | null>(null)

  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: queries.schedule.key() }), [client])
  useLive({ onClass: refresh, onResync: refresh }, { start_date: view.week, end_date: addDays(view.week, 6) })

  const asked = Number(query.get('clase'))
  const open = Number.isInteger(asked) && asked > 0 ? asked : null
  const show = (classId: number | null) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        if (classId) next.set('clase', String(classId))
        else next.delete('clase')
        return next
      },
      { preventScrollReset: true, replace: classId === null },
    )

  const act: ActOf<CardClass> = (verb, cls) => {
    if (verb === 'add_guest') return { onClick: () => setBringing(cls.single_class_id) }
    if (verb === 'reserve' || verb === 'penalty') return { onClick: () => show(cls.single_class_id) }
    if (verb === 'buy') return cls.class_package_id ? { href: paths.checkout(cls.class_package_id) } : null
    if (verb === 'cancel') return { onClick: () => setCancelling(cls) }
    if (verb === 'join_waitlist') return { onClick: () => setJoining(cls) }
    if (verb === 'leave_waitlist') return { onClick: () => setLeaving(cls) }
    return null
  }
  const hrefOf = (next: WeekView) => `${paths.mystudio.calendar}${writeWeekView(next, today)}`

  return (
    <div className="wrap">
      <title>{`${site.single_class_enabled ? 'Presenciales' : 'Calendario'} · ${site.business_name}`}</title>
      {week.isError && !week.data ? (
        <EmptyState
          art={artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })}
          action={<Button onClick={() => void week.refetch()}>Intentar de nuevo</Button>}
        >
          No pudimos cargar el calendario.
        </EmptyState>
      ) : (
        <WeekCalendar
          title={site.single_class_enabled ? 'Presenciales' : 'Calendario'}
          view={view}
          days={week.data?.days ?? null}
          today={today}
          locations={locations.data?.locations ?? []}
          hrefOf={hrefOf}
          onView={(next) => void navigate(hrefOf(next), { preventScrollReset: true })}
          act={act}
          filters
          aside={<CreditsSummary />}
          busy={week.isPlaceholderData}
        />
      )}
      {/* Who came for one class is asked about that class first. */}
      {open === null && cancelling === null && <DailyImage />}
      <ReserveDialog classId={open} onClose={() => show(null)} />
      <GuestDialog classId={bringing} onClose={() => setBringing(null)} />
      <JoinWaitlist
        cls={joining && { single_class_id: joining.single_class_id, name: spokenName(joining), class_date: joining.class_date }}
        onClose={() => setJoining(null)}
      />
      <LeaveWaitlist
        leaving={
          leaving?.waitlist_id ? { waitlist_id: leaving.waitlist_id, name: spokenName(leaving), class_date: leaving.class_date } : null
        }
        onClose={() => setLeaving(null)}
      />
      <CancelDialog
        cancelling={
          cancelling?.mine
            ? {
                class_reservation_id: cancelling.mine.class_reservation_id,
                single_class_id: cancelling.single_class_id,
                name: spokenName(cancelling),
                class_date: cancelling.class_date,
              }
            : null
        }
        onClose={() => setCancelling(null)}
      />
    </div>
  )
}
