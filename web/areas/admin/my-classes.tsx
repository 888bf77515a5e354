import { IconUserQuestion } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { addDays, formatInstant, formatWall } from '#contract/time.ts'
import { ClassList } from '#web/features/admin/day/class-list.tsx'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { SubstitutionList } from '#web/features/admin/timetable/substitution-list.tsx'
import { useSubstitutions } from '#web/features/admin/timetable/use-substitutions.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'

const SubstituteDialog = lazy(() => import('#web/features/admin/timetable/substitute-dialog.tsx'))

export const handle: AdminHandle = { title: 'Mis clases' }

/** Mis clases: the coach's own classes, today and in the next seven days. */
export default function MyClasses() {
  const site = useSite()
  const now = useNow()
  const today = todayIn(site.zone)
  const query = useDays(today, addDays(today, 7), null)
  // The server sends `figures` only to the coaches of a class.
  const days = (query.data?.days ?? [])
    .map((day) => ({ ...day, classes: day.classes.filter((cls) => cls.figures) }))
    .filter((day) => day.classes.length > 0)
  const staff = useStaff()
  const [asking, setAsking] = useState(false)
  const substitutions = useSubstitutions('open').data?.substitutions ?? []
  const open = new Set(substitutions.map(({ single_class }) => single_class.single_class_id))
  const coming = days
    .flatMap(({ classes }) => classes)
    .filter((cls) => Date.parse(cls.starts_at) > now && !cls.figures?.cancelled && !open.has(cls.single_class_id))
    .map((cls) => ({
      single_class_id: cls.single_class_id,
      text: `${cls.class_type.name}, ${formatWall(cls.class_date, 'class')} · ${cls.location.name}`,
    }))
  return (
    <>
      <ScreenHead title="Mis clases" about={formatInstant(new Date(now), site.zone, 'spoken')}>
        {coming.length > 0 && (
          <Button
            variant="outline"
            size="small"
            icon={<IconUserQuestion className="icon" aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            Pedir suplente
          </Button>
        )}
      </ScreenHead>
      {substitutions.length > 0 && (
        <section className="my-substitutions" aria-labelledby="suplencias">
          <h2 id="suplencias" className="t3">
            Suplencias
          </h2>
          <SubstitutionList substitutions={substitutions} />
        </section>
      )}
      {asking && (
        <Suspense>
          <SubstituteDialog classes={coming} canAssign={may(staff, 'schedule.edit')} onClose={() => setAsking(false)} />
        </Suspense>
      )}
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
