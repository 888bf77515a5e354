/** Updates the occupancy of classes while a public calendar is open. */
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { CardDay } from '#web/features/calendar/class-facts.ts'
import { applyClassEvent, changesOffer } from '#web/features/calendar/live-spots.ts'
import { type ClassEvent, type LiveDays, useLive } from '#web/lib/live.ts'

/** The minimum time between two reloads of the page's data: in a popular hour many classes change at once. */
const RELOAD_GAP_MS = 3_000

type Occupancy = Pick<ClassEvent, 'taken' | 'places_left'>

/** The days with the latest occupancy. `days` must be the loader's own array, because a new one discards the events that were applied. */
export function useLiveDays(days: readonly CardDay[], shown: LiveDays): readonly CardDay[] {
  const { revalidate } = useRevalidator()
  const [live, setLive] = useState<{ days: readonly CardDay[]; events: ReadonlyMap<number, Occupancy> }>({ days, events: new Map() })
  const reloadTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(reloadTimer.current), [])

  const scheduleReload = () => {
    reloadTimer.current ??= setTimeout(() => {
      reloadTimer.current = undefined
      void revalidate()
    }, RELOAD_GAP_MS)
  }
  useLive(
    {
      onClass(event) {
        const cls = days.flatMap(({ classes }) => classes).find(({ single_class_id }) => single_class_id === event.single_class_id)
        if (!cls || changesOffer(cls, event)) scheduleReload()
        else
          setLive((before) => ({
            days,
            events: new Map(before.days === days ? before.events : []).set(event.single_class_id, {
              taken: event.taken,
              places_left: event.places_left,
            }),
          }))
      },
      onResync: scheduleReload,
    },
    shown,
  )

  if (live.days !== days || live.events.size === 0) return days
  return applyClassEvent(days, live.events)
}
