/** The customer's own week, kept up to date while it is open. */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { LocalDate } from '#contract/time.ts'
import { applyClassEvent, changesOffer } from '#web/features/calendar/live-spots.ts'
import { lastShownDay } from '#web/features/calendar/week-view.ts'
import { queries } from '#web/lib/api.ts'
import type { Client } from '#web/lib/client.ts'
import { type ClassEvent, useLive } from '#web/lib/live.ts'

type Week = Awaited<ReturnType<Client['schedule']['week']>>

/** Events of a popular hour come in bursts: those within this time are rendered together. */
const BATCH_MS = 100
/** The minimum time between two reloads of the week. */
const RELOAD_GAP_MS = 2_000

const daysOf = (week: LocalDate, today: LocalDate) => ({ start_date: week, end_date: lastShownDay(week, today) })

/** The query of the week from a Monday. */
export const weekOptions = (week: LocalDate, today: LocalDate) =>
  queries.schedule.week.queryOptions({ input: daysOf(week, today), staleTime: 10_000 })

/** The week from a Monday. Occupancy is updated in place; if an event changes what a class offers to the viewer, the week is reloaded. */
export function useOwnWeek(week: LocalDate, today: LocalDate): UseQueryResult<Week> {
  const client = useQueryClient()
  const days = daysOf(week, today)
  const query = useQuery({ ...weekOptions(week, today), placeholderData: (before) => before })
  const pendingEvents = useRef(new Map<number, ClassEvent>())
  const applyTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reloadTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(applyTimer.current)
      clearTimeout(reloadTimer.current)
    },
    [],
  )

  const scheduleReload = () => {
    reloadTimer.current ??= setTimeout(() => {
      reloadTimer.current = undefined
      void client.invalidateQueries({ queryKey: queries.schedule.key() })
    }, RELOAD_GAP_MS)
  }
  const applyEvents = () => {
    applyTimer.current = undefined
    const events = pendingEvents.current
    pendingEvents.current = new Map()
    const key = queries.schedule.week.queryKey({ input: days })
    const known = client.getQueryData(key)
    if (!known) return
    const byId = new Map(known.days.flatMap(({ classes }) => classes.map((cls) => [cls.single_class_id, cls] as const)))
    for (const [id, event] of events) {
      const cls = byId.get(id)
      if (cls && !changesOffer(cls, event)) continue
      events.delete(id)
      scheduleReload()
    }
    // Applying an event keeps the age of the cached response, so that it is still refetched in time.
    const updatedAt = client.getQueryState(key)?.dataUpdatedAt
    if (events.size) client.setQueryData(key, { ...known, days: applyClassEvent(known.days, events) }, { updatedAt })
  }
  useLive(
    {
      onClass(event) {
        pendingEvents.current.set(event.single_class_id, event)
        applyTimer.current ??= setTimeout(applyEvents, BATCH_MS)
      },
      onResync: scheduleReload,
    },
    days,
  )
  return query
}
