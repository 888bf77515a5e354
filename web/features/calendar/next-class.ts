/** The next class that a customer can book with a new purchase, shown on its confirmation page (design section "Confirmation"). */
import { useQuery } from '@tanstack/react-query'
import type { SingleClass } from '#contract/schedule.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'

export interface NextClass {
  cls: SingleClass
  /** "Reformer Flow hoy a las 18:00" */
  text: string
}

/** The soonest class within a week that the customer can reserve; null if there is none or no connection, undefined while loading. */
export function useNextClass(enabled: boolean): NextClass | null | undefined {
  const today = todayIn(useSite().zone)
  const week = useQuery({
    ...queries.schedule.week.queryOptions({ input: { start_date: today, end_date: addDays(today, 6) }, meta: { handled: true } }),
    enabled,
  })
  if (enabled && week.isPending && week.fetchStatus !== 'paused') return undefined
  const open = week.data?.days.flatMap(({ classes }) => classes).filter((cls) => cls.actions.reserve === 'ok') ?? []
  const [cls] = open.sort((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at))
  if (!cls) return null
  const day = cls.class_date.slice(0, 10)
  const when = day === today ? 'hoy' : day === addDays(today, 1) ? 'mañana' : `el ${formatWall(cls.class_date, 'weekday')}`
  return { cls, text: `${cls.class_type.name} ${when} a las ${formatWall(cls.class_date, 'hour')}` }
}
