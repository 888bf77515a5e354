import { IconAlertTriangle, IconChevronLeft, IconChevronRight, IconCopy, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instructorName } from '#contract/copy/names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { classKey } from '#web/features/admin/timetable/class-block.tsx'
import { ClassPanel } from '#web/features/admin/timetable/class-panel.tsx'
import { CopyWeek } from '#web/features/admin/timetable/copy-week.tsx'
import { DayPlan } from '#web/features/admin/timetable/day-plan.tsx'
import { PublishDialog } from '#web/features/admin/timetable/publish-dialog.tsx'
import { publishLabel, totalsSentence } from '#web/features/admin/timetable/timetable-text.ts'
import { useTimetable, useTimetableRefresh } from '#web/features/admin/timetable/use-timetable.ts'
import { WeekGrid } from '#web/features/admin/timetable/week-grid.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import { useWide } from '#web/ui/table.tsx'
import { dayTabId, WeekStrip } from '#web/ui/week-strip.tsx'

export const handle: AdminHandle = { title: 'Horario' }

const PANEL = 'dia-del-horario'
const NEW_AT = '18:00'

/** Horario: the week as it is planned, with conflicts, unpublished changes and the panel of one class. */
export default function Schedule() {
  const site = useSite()
  const staff = useStaff()
  const canEdit = may(staff, 'schedule.edit')
  const wide = useWide()
  const location_id = useLocationFilter()
  const today = todayIn(site.zone)
  const table = useTimetable({ today, location_id })
  const { week, monday, chosenDay, filters, subject } = table
  const [asking, setAsking] = useState<'publish' | 'copy' | null>(null)
  const refresh = useTimetableRefresh()
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const days = (week.data?.days ?? []).map(({ date, holiday, classes }) => ({
    ...{ date, holiday: holiday?.name ?? null },
    classes: filters.problemas ? classes.filter((cls) => cls.conflicts.length > 0) : classes,
  }))
  const chosenHoliday = days.find(({ date }) => date === chosenDay)?.holiday
  const all = (week.data?.days ?? []).flatMap(({ classes }) => classes)
  const opened =
    subject?.kind === 'class'
      ? all.find((cls) => cls.single_class_id === subject.id)
      : subject?.kind === 'draft'
        ? all.find((cls) => cls.class_draft_id === subject.id && cls.single_class_id === null)
        : null
  const saves_as = week.data?.saves_as ?? 'draft'
  const drafts = week.data?.drafts ?? 0
  const move = useIdempotentMutation(
    (changes: Parameters<typeof api.studioSchedule.change>[0]['changes'], { context }) =>
      api.studioSchedule.change({ changes, as: saves_as }, { context }),
    {
      onSuccess: () => refresh(),
      onError: (error) => showAlert('alert', failureOf(error).message),
    },
  )
  const open = (cls: PlannedClass) =>
    table.open(cls.single_class_id === null ? { kind: 'draft', id: cls.class_draft_id ?? 0 } : { kind: 'class', id: cls.single_class_id })
  const openNew = (day: string, hour: string) => table.open({ kind: 'new', day, hour })
  useShortcuts('Horario', [
    canEdit && subject === null && { keys: 'n', label: 'Nueva clase', act: () => openNew(chosenDay, NEW_AT) },
    { keys: 't', label: 'Hoy', act: () => table.goTo(today) },
    { keys: '[', label: 'Semana anterior', act: () => table.goTo(addDays(monday, -7)) },
    { keys: ']', label: 'Semana siguiente', act: () => table.goTo(addDays(monday, 7)) },
    canEdit && drafts > 0 && { keys: 'p', label: 'Publicar cambios', act: () => setAsking('publish') },
  ])
  const label = `${Number(monday.slice(8))}${monday.slice(5, 7) === addDays(monday, 6).slice(5, 7) ? '' : ` ${formatWall(`${monday}T00:00:00Z`, 'day').slice(3)}`} – ${formatWall(`${addDays(monday, 6)}T00:00:00Z`, 'day')}`
  return (
    <>
      <ScreenHead title="Horario" about={week.data ? totalsSentence(week.data.totals) : ' '}>
        <div className="plan-head">
          <div className="plan-week-switch">
            <IconButton label="Semana anterior" onClick={() => table.goTo(addDays(monday, -7))}>
              <IconChevronLeft className="icon" aria-hidden="true" />
            </IconButton>
            <span className="strong" aria-live="polite">
              {label}
            </span>
            <IconButton label="Semana siguiente" onClick={() => table.goTo(addDays(monday, 7))}>
              <IconChevronRight className="icon" aria-hidden="true" />
            </IconButton>
          </div>
          {canEdit && (
            <>
              <Button
                variant="outline"
                size="small"
                icon={<IconCopy className="icon" aria-hidden="true" />}
                onClick={() => setAsking('copy')}
              >
                Copiar semana
              </Button>
              <Button
                variant={drafts ? 'outline' : 'filled'}
                size="small"
                icon={<IconPlus className="icon" aria-hidden="true" />}
                onClick={() => openNew(chosenDay, NEW_AT)}
              >
                Nueva clase
              </Button>
              {drafts > 0 && (
                <Button size="small" onClick={() => setAsking('publish')}>
                  {publishLabel(drafts)}
                </Button>
              )}
            </>
          )}
        </div>
      </ScreenHead>
      <div className="plan-filters">
        <ChipSelect
          label="Coach"
          all="Todos los coaches"
          options={(coaches.data?.instructors ?? []).map((one) => ({ value: String(one.instructor_id), label: instructorName(one) }))}
          value={filters.coach}
          onChange={(value) => table.setFilter('coach', value)}
        />
        <ChipSelect
          label="Tipo de clase"
          all="Todos los tipos"
          options={(types.data?.class_types ?? []).map((one) => ({ value: String(one.class_type_id), label: one.name }))}
          value={filters.tipo}
          onChange={(value) => table.setFilter('tipo', value)}
        />
        <button
          type="button"
          className={`chip ${filters.problemas ? 'chip-on' : ''}`}
          aria-pressed={filters.problemas}
          onClick={() => table.setFilter('problemas', filters.problemas ? '' : '1')}
        >
          <IconAlertTriangle className="icon" aria-hidden="true" /> Con problemas
        </button>
      </div>
      {canEdit && (
        <nav className="plan-more" aria-label="Más del horario">
          <AppLink to={adminPaths.substitutions} className="link">
            Suplencias
          </AppLink>
          <AppLink to={adminPaths.holidays} className="link">
            Días sin clases
          </AppLink>
        </nav>
      )}
      <Loaded query={week} skeleton={<ListSkeleton rows={6} />} failed="No pudimos cargar el horario." nothing={null}>
        {wide ? (
          <WeekGrid
            days={days}
            today={today}
            current={opened ? classKey(opened) : null}
            onOpen={open}
            onNew={canEdit ? openNew : null}
            onMove={
              canEdit
                ? (cls, by) => {
                    const change = movedBy(cls, by)
                    if (change && !move.isPending) move.mutate([change])
                  }
                : null
            }
          />
        ) : (
          <>
            <WeekStrip
              days={days.map(({ date }) => ({
                date,
                weekday: formatWall(`${date}T00:00:00Z`, 'class').slice(0, 3),
                number: String(Number(date.slice(8))),
                spoken: formatWall(`${date}T00:00:00Z`, 'long'),
                past: date < today,
                today: date === today,
              }))}
              chosen={chosenDay}
              onChoose={table.setDay}
              onWeek={(weeks) => table.goTo(addDays(monday, 7 * weeks))}
              panel={PANEL}
            />
            <div id={PANEL} role="tabpanel" aria-labelledby={dayTabId(PANEL, chosenDay)}>
              {chosenHoliday && <p className="plan-closed">{chosenHoliday}</p>}
              <DayPlan
                classes={days.find(({ date }) => date === chosenDay)?.classes ?? []}
                current={opened ? classKey(opened) : null}
                onOpen={open}
              />
            </div>
          </>
        )}
      </Loaded>
      {subject && (subject.kind === 'new' ? canEdit : opened) && (
        <ClassPanel
          cls={opened ?? null}
          at={subject.kind === 'new' ? subject : { day: chosenDay, hour: NEW_AT }}
          location_id={location_id}
          saves_as={saves_as}
          canEdit={canEdit}
          onClose={table.close}
        />
      )}
      {asking === 'publish' && (
        <PublishDialog
          title="Publicar cambios"
          yes={publishLabel(drafts)}
          changes="drafts"
          done={() => 'Cambios publicados.'}
          onDone={() => setAsking(null)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'copy' && <CopyWeek monday={monday} location_id={location_id} saves_as={saves_as} onClose={() => setAsking(null)} />}
    </>
  )
}

/** The change that moves a class on its own; null for what cannot be moved any more. */
function movedBy(cls: PlannedClass, by: { minutes: number; days: number }) {
  if (cls.single_class_id === null || cls.state === 'past' || cls.state === 'cancelled') return null
  const wall = new Date(Date.parse(cls.class_date) + by.minutes * 60_000 + by.days * 86_400_000)
  const { single_class_id, updatedAt } = cls
  return { op: 'update' as const, single_class_id, fields: { class_date: wall.toISOString() }, if_updatedAt: updatedAt }
}
