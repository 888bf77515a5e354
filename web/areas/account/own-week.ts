/** The customer's own week, kept up to date while it is open. */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { addDays, type LocalDate } from '#contract/time.ts'
import { applyClassEvent, changesOffer } from '#web/features/calendar/live-spots.ts'
import { queries } from '#web/lib/api.ts'
import type { Client } from '#web/lib/client.ts'
import { type ClassEvent, useLive } from '#web/lib/live.ts'

type Week = Awaited<ReturnType<Client['schedule']['week']>>

/** News of a popular hour comes in bursts: what arrives within so long is drawn at once. */
const GATHER_MS = 100
/** The week itself is asked again at most this often. */
const ASK_GAP_MS = 2_000

/** The week from a Monday. Places change in place; where what a class offers to me changes, the server is asked again. */
export function useOwnWeek(week: LocalDate): UseQueryResult<Week> {
  const client = useQueryClient()
  const days = { start_date: week, end_date: addDays(week, 6) }
  const query = useQuery({
    ...queries.schedule.week.queryOptions({ input: days, staleTime: 10_000 }),
    placeholderData: (before) => before,
  })
  const heard = useRef(new Map<number, ClassEvent>())
  const drawing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(drawing.current)
      clearTimeout(asking.current)
    },
    [],
  )

  const input = () => {
    asking.current ??= setTimeout(() => {
      asking.current = undefined
      void client.invalidateQueries({ queryKey: queries.schedule.key() })
    }, ASK_GAP_MS)
  }
  const draw = () => {
    drawing.current = undefined
    const news = heard.current
    heard.current = new Map()
    const key = queries.schedule.week.queryKey({ input: days })
    const known = client.getQueryData(key)
    if (!known) return
    const byId = new Map(known.days.flatMap(({ classes }) => classes.map((cls) => [cls.single_class_id, cls] as const)))
    for (const [id, told] of news) {
      const cls = byId.get(id)
      if (cls && !changesOffer(cls, told)) continue
      news.delete(id)
      input()
    }
    // What was heard does not make the answer younger than it is.
    const updatedAt = client.getQueryState(key)?.dataUpdatedAt
    if (news.size) client.setQueryData(key, { ...known, days: applyClassEvent(known.days, news) }, { updatedAt })
  }
  useLive(
    {
      onClass(news) {
        heard.current.set(news.single_class_id, news)
        drawing.current ??= setTimeout(draw, GATHER_MS)
      },
      onResync: input,
    },
    days,
  )
  return query
}
