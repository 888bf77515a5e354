/** Places as they go and come while a public calendar is open. */
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { CardDay } from '#web/features/calendar/class-facts.ts'
import { applyClassEvent, changesOffer } from '#web/features/calendar/live-spots.ts'
import { type ClassEvent, type LiveDays, useLive } from '#web/lib/live.ts'

/** The page's data is asked again at most this often: a popular hour changes many classes at once. */
const ASK_GAP_MS = 3_000

type News = Pick<ClassEvent, 'taken' | 'places_left'>

/** The days with the newest places. `days` must be the loader's own, so that fresh data ends what the news said. */
export function useLiveDays(days: readonly CardDay[], shown: LiveDays): readonly CardDay[] {
  const { revalidate } = useRevalidator()
  const [heard, setHeard] = useState<{ days: readonly CardDay[]; news: ReadonlyMap<number, News> }>({ days, news: new Map() })
  const asking = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(asking.current), [])

  const input = () => {
    asking.current ??= setTimeout(() => {
      asking.current = undefined
      void revalidate()
    }, ASK_GAP_MS)
  }
  useLive(
    {
      onClass(news) {
        const cls = days.flatMap(({ classes }) => classes).find(({ single_class_id }) => single_class_id === news.single_class_id)
        if (!cls || changesOffer(cls, news)) input()
        else
          setHeard((before) => ({
            days,
            news: new Map(before.days === days ? before.news : []).set(news.single_class_id, {
              taken: news.taken,
              places_left: news.places_left,
            }),
          }))
      },
      onResync: input,
    },
    shown,
  )

  if (heard.days !== days || heard.news.size === 0) return days
  return applyClassEvent(days, heard.news)
}
