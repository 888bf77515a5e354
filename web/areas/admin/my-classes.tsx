import { addDays, formatInstant, formatWall } from '#contract/time.ts'
import { ClassList } from '#web/features/admin/day/class-list.tsx'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'

export const handle: AdminHandle = { title: 'Mis clases' }

/** Mis clases: what a coach teaches today and in the seven days that follow. */
export default function MyClasses() {
  const site = useSite()
  const now = useNow()
  const today = todayIn(site.zone)
  const query = useDays(today, addDays(today, 7), null)
  // The server gives the figures of a class to its coaches only.
  const days = (query.data?.days ?? [])
    .map((day) => ({ ...day, classes: day.classes.filter((cls) => cls.figures) }))
    .filter((day) => day.classes.length > 0)
  return (
    <>
      <ScreenHead title="Mis clases" about={formatInstant(new Date(now), site.zone, 'spoken')} />
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar tus clases."
        nothing={days.length === 0 && <EmptyState>No tienes clases esta semana.</EmptyState>}
      >
        <div className="stack gap-16">
          {days.map(({ date, classes }) => (
            <section key={date} className="panel-card" aria-labelledby={`dia-${date}`}>
              <div className="panel-head">
                <h2 id={`dia-${date}`} className="t3">
                  {date === today ? 'Hoy' : formatWall(`${date}T00:00:00.000Z`, 'long')}
                </h2>
              </div>
              <ClassList classes={classes} now={now} nowHour={date === today ? formatInstant(new Date(now), site.zone, 'hour') : null} />
            </section>
          ))}
        </div>
      </Loaded>
    </>
  )
}
