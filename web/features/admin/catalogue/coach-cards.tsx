import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { cellText } from '#web/features/admin/reports/amount-text.ts'
import { Absences } from '#web/features/admin/timetable/absences.tsx'
import { SubstitutionList } from '#web/features/admin/timetable/substitution-list.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'

/** Columns of the report of coaches that the page shows. */
const FIGURES = ['classes', 'taken', 'occupancy', 'absence', 'rating', 'returned']
/** Days of classes that the page lists. */
const DAYS = 14
const SHOWN_CLASSES = 8

interface CoachCardsProps {
  instructor_id: number
  name: string
  /** the card of the rules of payment */
  pay: ReactNode
}

/** What a coach's page shows beside the profile, as far as the person has the rights. */
export function CoachCards({ instructor_id, name, pay }: CoachCardsProps) {
  const site = useSite()
  const staff = useStaff()
  return (
    <>
      {may(staff, 'reports.activity') && <Figures instructor_id={instructor_id} />}
      <NextClasses instructor_id={instructor_id} />
      {may(staff, 'schedule.edit') && (
        <>
          <div className="panel-card coach-card">
            <Absences today={todayIn(site.zone)} coach={{ instructor_id, name }} />
          </div>
          <Substitutions instructor_id={instructor_id} />
        </>
      )}
      {may(staff, 'payroll') && pay}
      {may(staff, 'staff.edit') && <Access instructor_id={instructor_id} />}
    </>
  )
}

/** A card beside the profile. */
export function CoachCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel-card coach-card" aria-label={title}>
      <h2 className="t3">{title}</h2>
      {children}
    </section>
  )
}

/** Figures of the coaches' report for the last four weeks. */
function Figures({ instructor_id }: { instructor_id: number }) {
  const query = useQuery(queries.reports.read.queryOptions({ input: { key: 'coaches', instructor_id }, meta: { handled: true } }))
  const row = query.data?.rows.find(({ id }) => id === String(instructor_id))
  const shown = (query.data?.columns ?? []).filter(({ key }) => FIGURES.includes(key))
  return (
    <CoachCard title="Cifras">
      {query.isError && <p className="muted">No pudimos cargar sus cifras.</p>}
      {query.data && <p className="muted">{row ? 'Las últimas cuatro semanas.' : 'No dio clases en las últimas cuatro semanas.'}</p>}
      {row && (
        <dl className="coach-figures">
          {shown.map(({ key, label, type }) => (
            <div key={key}>
              <dt className="small muted">{label}</dt>
              <dd className="figure-small">{cellText(row.cells[key] ?? null, type)}</dd>
            </div>
          ))}
        </dl>
      )}
      <AppLink to={adminPaths.report('coaches')} className="link link-alone">
        Ver el reporte por coach
      </AppLink>
    </CoachCard>
  )
}

/** The classes of the next two weeks. */
function NextClasses({ instructor_id }: { instructor_id: number }) {
  const site = useSite()
  const start_date = todayIn(site.zone)
  const query = useQuery(
    queries.studioSchedule.read.queryOptions({
      input: { start_date, end_date: addDays(start_date, DAYS - 1), instructor_id },
      meta: { handled: true },
    }),
  )
  const classes = (query.data?.days ?? [])
    .flatMap((day) => day.classes)
    .filter((cls) => cls.single_class_id !== null && cls.state !== 'cancelled' && cls.state !== 'past')
  return (
    <CoachCard title="Sus clases">
      {query.isError && <p className="muted">No pudimos cargar sus clases.</p>}
      {query.data && (
        <p className="muted">
          {classes.length === 0
            ? 'No tiene clases en las próximas dos semanas.'
            : classes.length === 1
              ? '1 clase en las próximas dos semanas.'
              : `${classes.length} clases en las próximas dos semanas.`}
        </p>
      )}
      {classes.length > 0 && (
        <ul className="coach-classes">
          {classes.slice(0, SHOWN_CLASSES).map((cls) => (
            <li key={cls.single_class_id}>
              <AppLink to={adminPaths.roster(cls.single_class_id ?? 0)} className="link link-alone">
                {cls.class_type.name}
              </AppLink>
              <span className="small muted">
                {formatWall(cls.class_date, 'class')} · {cls.taken} / {cls.capacity ?? '–'}
              </span>
            </li>
          ))}
        </ul>
      )}
      <AppLink to={adminPaths.scheduleOf({ coach: instructor_id })} className="link link-alone">
        Ver su horario
      </AppLink>
    </CoachCard>
  )
}

/** Open substitutions of the coach's classes, and requests to this coach. */
function Substitutions({ instructor_id }: { instructor_id: number }) {
  const query = useQuery(queries.substitutions.list.queryOptions({ input: { state: 'open' }, meta: { handled: true } }))
  const own = (query.data?.substitutions ?? []).filter(({ instructor, substitute, asked }) =>
    [instructor, substitute, ...asked].some((instructor) => instructor?.instructor_id === instructor_id),
  )
  return (
    <CoachCard title="Suplencias">
      {query.isError ? (
        <p className="muted">No pudimos cargar las suplencias.</p>
      ) : own.length === 0 ? (
        <p className="muted">Ninguna abierta.</p>
      ) : (
        <SubstitutionList substitutions={own} />
      )}
      <AppLink to={adminPaths.substitutions} className="link link-alone">
        Todas las suplencias
      </AppLink>
    </CoachCard>
  )
}

/** The log-in of the coach, if there is one. */
function Access({ instructor_id }: { instructor_id: number }) {
  const query = useQuery(queries.team.list.queryOptions({ meta: { handled: true } }))
  const member = query.data?.staff.find((staff) => staff.instructor_id === instructor_id && !staff.is_disabled)
  return (
    <CoachCard title="Acceso">
      {query.isError && <p className="muted">No pudimos cargar al equipo.</p>}
      {query.data && (
        <p className="muted">
          {member
            ? `${member.email} · ${roleLabels[member.role]}${member.has_joined ? '' : ' · Invitación enviada'}`
            : 'No entra a la administración: no ve sus clases ni sus listas.'}
        </p>
      )}
      {query.data && (
        <AppLink to={member ? adminPaths.team : adminPaths.invite} className="link link-alone">
          {member ? 'Ver en Equipo' : 'Invitar'}
        </AppLink>
      )}
    </CoachCard>
  )
}
