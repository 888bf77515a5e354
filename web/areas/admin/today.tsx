import { formatInstant } from '#contract/time.ts'
import { ClassList } from '#web/features/admin/day/class-list.tsx'
import { daySentence } from '#web/features/admin/day/day-facts.ts'
import { LocationFilter, useLocationFilter } from '#web/features/admin/day/location-filter.tsx'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'

export const handle: AdminHandle = { title: 'Hoy' }

/** Hoy: what happens today. */
export default function Today() {
  const site = useSite()
  const now = useNow()
  const location_id = useLocationFilter()
  const today = todayIn(site.zone)
  const query = useDays(today, today, location_id)
  const classes = query.data?.days.flatMap((day) => day.classes) ?? []
  const words = formatInstant(new Date(now), site.zone, 'long')
  return (
    <>
      <ScreenHead title={words[0]?.toUpperCase() + words.slice(1)} about={query.data ? daySentence(classes, now) : ' '}>
        <LocationFilter />
      </ScreenHead>
      <section className="panel-card" aria-labelledby="clases-de-hoy">
        <div className="panel-head">
          <h2 id="clases-de-hoy" className="t3">
            Clases de hoy
          </h2>
        </div>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={5} />}
          failed="No pudimos cargar las clases de hoy."
          nothing={classes.length === 0 && <EmptyState>Hoy no hay clases.</EmptyState>}
        >
          <ClassList classes={classes} now={now} nowHour={formatInstant(new Date(now), site.zone, 'hour')} />
        </Loaded>
      </section>
    </>
  )
}
