import { IconUserQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { MyClass } from '#contract/my-classes.ts'
import { addDays, formatInstant, formatWall } from '#contract/time.ts'
import { ClassList } from '#web/features/admin/day/class-list.tsx'
import { firstTimersText, MyNextClass } from '#web/features/admin/day/my-next-class.tsx'
import { MyRatings } from '#web/features/admin/day/my-ratings.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { SubstitutionList } from '#web/features/admin/timetable/substitution-list.tsx'
import { useSubstitutions } from '#web/features/admin/timetable/use-substitutions.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'

const SubstituteDialog = lazy(() => import('#web/features/admin/timetable/substitute-dialog.tsx'))

export const handle: AdminHandle = { title: 'Mis clases' }

/** Polling interval: reservations change all the time. */
const POLL_MS = 20_000

/** Mis clases: the coach's own classes, today and in the next seven days. */
export default function MyClasses() {
  const site = useSite()
  const now = useNow()
  const today = todayIn(site.zone)
  const query = useQuery({
    ...queries.myClasses.read.queryOptions({ input: { from: `${today.slice(0, 7)}-01`, to: addDays(today, 7) }, meta: { handled: true } }),
    refetchInterval: POLL_MS,
  })
  const classes = query.data?.classes ?? []
  const days = daysOf(classes.filter((cls) => cls.class_date.slice(0, 10) >= today))
  const taught = classes.filter((cls) => Date.parse(cls.ends_at) <= now && !cls.figures?.cancelled)
  const next = classes.find((cls) => Date.parse(cls.ends_at) > now && !cls.figures?.cancelled)
  const birthdays = (query.data?.birthdays ?? []).filter((birthday) => birthday.class_date.slice(0, 10) >= today)
  const staff = useStaff()
  const [asking, setAsking] = useState(false)
  const substitutions = useSubstitutions('open').data?.substitutions ?? []
  const open = new Set(substitutions.map(({ single_class }) => single_class.single_class_id))
  const coming = classes
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
          <div className="row gap-8 wraps">
            <h2 id="suplencias" className="t3">
              Suplencias
            </h2>
            <AppLink className="link link-alone" to={adminPaths.substitutions}>
              Ver todas
            </AppLink>
          </div>
          <SubstitutionList substitutions={substitutions} />
        </section>
      )}
      {asking && (
        <Suspense>
          <SubstituteDialog classes={coming} canAssign={may(staff, 'schedule.edit')} onClose={() => setAsking(false)} />
        </Suspense>
      )}
      <Loaded query={query} skeleton={<ListSkeleton rows={5} />} failed="No pudimos cargar tus clases." nothing={null}>
        <div className="stack gap-16">
          {next && <MyNextClass cls={next} today={today} />}
          {birthdays.length > 0 && (
            <section className="panel-card" aria-labelledby="cumpleanos">
              <div className="panel-head">
                <h2 id="cumpleanos" className="t3">
                  Cumpleaños
                </h2>
              </div>
              <ul className="panel-body stack gap-8">
                {birthdays.map(({ single_class_id, class_date, name, last_name }) => (
                  <li key={`${single_class_id}-${name}-${last_name}`}>
                    <span className="strong">{`${name} ${last_name}`.trim()}</span>, en tu clase del {formatWall(class_date, 'class')}
                  </li>
                ))}
              </ul>
            </section>
          )}
          {days.length === 0 && (
            <EmptyState next={{ label: 'Ver horario', to: adminPaths.schedule }}>No tienes clases esta semana.</EmptyState>
          )}
          {days.map(({ date, classes }) => (
            <section key={date} className="panel-card" aria-labelledby={`dia-${date}`}>
              <div className="panel-head">
                <h2 id={`dia-${date}`} className="t3">
                  {date === today ? 'Hoy' : formatWall(`${date}T00:00:00.000Z`, 'long')}
                </h2>
              </div>
              <ClassList
                classes={classes}
                now={now}
                nowHour={date === today ? formatInstant(new Date(now), site.zone, 'hour') : null}
                noteOf={(cls) => firstTimersText(cls.first_timers)}
              />
            </section>
          ))}
          <Taught classes={taught} now={now} />
          {query.data && <MyRatings ratings={query.data.ratings} />}
        </div>
      </Loaded>
    </>
  )
}

/** Classes by day, in their order. */
function daysOf(classes: readonly MyClass[]): { date: string; classes: MyClass[] }[] {
  return [...Map.groupBy(classes, (cls) => cls.class_date.slice(0, 10))].map(([date, classes]) => ({ date, classes }))
}

/** The classes that the coach taught this month, the latest day first. */
function Taught({ classes, now }: { classes: readonly MyClass[]; now: number }) {
  if (classes.length === 0) return null
  return (
    <details className="panel-card my-taught">
      <summary className="panel-head">
        <h2 className="t3">{classes.length === 1 ? '1 clase dada este mes' : `${classes.length} clases dadas este mes`}</h2>
      </summary>
      {daysOf(classes)
        .reverse()
        .map((day) => (
          <section key={day.date} aria-labelledby={`dada-${day.date}`}>
            <h3 id={`dada-${day.date}`} className="panel-body small muted">
              {formatWall(`${day.date}T00:00:00.000Z`, 'long')}
            </h3>
            <ClassList classes={day.classes} now={now} />
          </section>
        ))}
    </details>
  )
}
