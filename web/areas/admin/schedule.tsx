import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { adminTheme, toMarkColours } from '#contract/color.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { classKey } from '#web/features/admin/timetable/class-key.ts'
import { ClassPanel } from '#web/features/admin/timetable/class-panel.tsx'
import { CopyWeek } from '#web/features/admin/timetable/copy-week.tsx'
import { DayPlan } from '#web/features/admin/timetable/day-plan.tsx'
import { EmptyWeek } from '#web/features/admin/timetable/empty-week.tsx'
import { NEW_CLASS } from '#web/features/admin/timetable/new-class-link.ts'
import { PlanBars } from '#web/features/admin/timetable/plan-bars.tsx'
import type { NewAt } from '#web/features/admin/timetable/plan-marks.ts'
import { PlanMatrix } from '#web/features/admin/timetable/plan-matrix.tsx'
import { layView } from '#web/features/admin/timetable/plan-targets.ts'
import { PlanTools } from '#web/features/admin/timetable/plan-tools.tsx'
import { type PlanRecords, VIEWS } from '#web/features/admin/timetable/plan-views.ts'
import { PublishDialog } from '#web/features/admin/timetable/publish-dialog.tsx'
import { ScheduleActions } from '#web/features/admin/timetable/schedule-actions.tsx'
import { TimeGrid } from '#web/features/admin/timetable/time-grid.tsx'
import { publishLabel, totalsSentence } from '#web/features/admin/timetable/timetable-text.ts'
import { useFreeHours } from '#web/features/admin/timetable/use-free-hours.ts'
import { usePlanEdits } from '#web/features/admin/timetable/use-plan-edits.ts'
import { useTimetable } from '#web/features/admin/timetable/use-timetable.ts'
import { WeekSwitch } from '#web/features/admin/timetable/week-switch.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useMedia } from '#web/lib/use-media.ts'
import { dayTabId, WeekStrip } from '#web/ui/week-strip.tsx'

export const handle: AdminHandle = { title: 'Horario' }

const FindClasses = lazy(() => import('#web/features/admin/timetable/find-classes.tsx'))

const PANEL = 'dia-del-horario'
const NEW_AT = '18:00'

/** Horario: the week as it is planned, with conflicts, unpublished changes and the panel of one class. */
export default function Schedule() {
  const site = useSite()
  const staff = useStaff()
  const canEdit = may(staff, 'schedule.edit')
  const wide = useMedia('(min-width: 761px)')
  const location_id = useLocationFilter()
  const today = todayIn(site.zone)
  const table = useTimetable({ today, location_id })
  const { week, monday, chosenDay, view, filters, subject } = table
  const [dialog, setDialog] = useState<'publish' | 'copy' | 'copy-before' | 'find' | null>(null)
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const rooms = useQuery(queries.rooms.list.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const days = (week.data?.days ?? []).map(({ date, holiday, classes }) => ({
    ...{ date, holiday: holiday?.name ?? null },
    classes: filters.problemas ? classes.filter((cls) => cls.conflicts.length > 0) : classes,
  }))
  const chosenHoliday = days.find(({ date }) => date === chosenDay)?.holiday
  const all = (week.data?.days ?? []).flatMap(({ classes }) => classes)
  const isEmpty = week.data !== undefined && all.length === 0
  const opened =
    subject?.kind === 'class'
      ? all.find((cls) => cls.single_class_id === subject.id)
      : subject?.kind === 'draft'
        ? all.find((cls) => cls.class_draft_id === subject.id && cls.single_class_id === null)
        : null
  const saves_as = week.data?.saves_as ?? 'draft'
  const drafts = week.data?.drafts ?? 0
  const open = (cls: PlannedClass) =>
    table.open(cls.single_class_id === null ? { kind: 'draft', id: cls.class_draft_id ?? 0 } : { kind: 'class', id: cls.single_class_id })
  const closeFind = () => {
    setDialog(null)
    if (table.find) table.closeFind()
  }
  const openNew = ({ day, hour, minutes, venue, coach }: NewAt) =>
    table.open({
      ...{ kind: 'new', ...NEW_CLASS, day, hour, minutes, class_type_id: idOf(filters.tipo), location_id: venue?.location_id ?? null },
      ...{ room_id: venue ? venue.room_id : idOf(filters.sala), coach: coach ?? idOf(filters.coach) },
    })
  const records: PlanRecords = {
    ...{ rooms: rooms.data?.rooms ?? [], locations: locations.data?.locations ?? [], coaches: coaches.data?.instructors ?? [] },
    location_id,
  }
  const onlyCoach = idOf(filters.coach)
  const laid = layView(view, days, chosenDay, records, onlyCoach)
  const root = useRef<HTMLDivElement>(null)
  // In the column, cell or row of the class in focus, or on the chosen day.
  const newHere = () => {
    const here = document.activeElement?.closest<HTMLElement>('[data-column]')?.dataset.column
    const target = laid.targets.find(({ column }) => column === here)
    openNew({ day: target?.day ?? chosenDay, hour: NEW_AT, minutes: null, venue: target?.venue ?? null, coach: target?.coach ?? null })
  }
  const colours = [...new Set(all.flatMap(({ class_type: { color } }) => color ?? []))].sort().join(' ')
  const tones = useMemo(() => {
    const theme = adminTheme(site)
    return Object.fromEntries((colours === '' ? [] : colours.split(' ')).map((colour) => [colour, toMarkColours(colour, theme)]))
  }, [colours, site])
  const edits = usePlanEdits({
    ...{ root, days, monday, today, records, tones, saves_as, canEdit, across: laid.across, down: laid.down, targets: laid.targets },
    current: opened ? classKey(opened) : null,
    onOpen: open,
    onNew: openNew,
  })
  const shown = layView(view, edits.days, chosenDay, records, onlyCoach)
  const free = useFreeHours({ root, columns: shown.columns, ghost: edits.ghost, onNew: openNew })
  const isDay = view === 'dia' || !wide
  const step = isDay && view === 'dia' ? 1 : 7
  const goBy = (by: number) => table.goTo(addDays(step === 1 ? chosenDay : monday, by * step))
  useShortcuts('Horario', [
    canEdit && subject === null && { keys: 'n', label: 'Nueva clase', act: newHere },
    canEdit &&
      wide &&
      shown.rows === null &&
      subject === null && { keys: 'h', label: 'Marcar horas libres', act: () => free.start(chosenDay) },
    { keys: 't', label: 'Hoy', act: () => table.goTo(today) },
    { keys: '[', label: step === 1 ? 'Día anterior' : 'Semana anterior', act: () => goBy(-1) },
    { keys: ']', label: step === 1 ? 'Día siguiente' : 'Semana siguiente', act: () => goBy(1) },
    {
      keys: 'v',
      label: 'Otra vista',
      act: () => table.setView(VIEWS[(VIEWS.findIndex(({ value }) => value === view) + 1) % VIEWS.length]?.value ?? 'semana'),
    },
    canEdit && { keys: 'x', label: 'Seleccionar la clase', act: edits.toggleFocused },
    canEdit && { keys: 'X', label: 'Seleccionar hasta esta clase', act: edits.selectToFocused },
    canEdit && drafts > 0 && { keys: 'p', label: 'Publicar cambios', act: () => setDialog('publish') },
  ])
  const toggleSelecting = () => (edits.selecting ? edits.clear() : edits.setSelecting(true))
  const weekSwitch = <WeekSwitch monday={monday} day={step === 1 ? chosenDay : null} onStep={goBy} />
  return (
    <>
      <ScreenHead title="Horario" about={week.data ? totalsSentence(week.data.totals) : ' '}>
        <ScheduleActions
          {...{ wide, canEdit, drafts }}
          selecting={edits.selecting}
          onSelecting={toggleSelecting}
          onNew={newHere}
          onOpen={setDialog}
        >
          {weekSwitch}
        </ScheduleActions>
      </ScreenHead>
      <PlanTools
        {...{ wide, canEdit, view, filters }}
        onView={table.setView}
        onFilter={table.setFilter}
        coaches={(coaches.data?.instructors ?? []).map((one) => ({ value: String(one.instructor_id), label: instructorName(one) }))}
        types={(types.data?.class_types ?? []).map((one) => ({ value: String(one.class_type_id), label: one.name }))}
        rooms={roomOptions(records)}
        selecting={edits.selecting}
        onSelecting={toggleSelecting}
        onFind={() => setDialog('find')}
      >
        {weekSwitch}
      </PlanTools>
      <Loaded query={week} skeleton={<ListSkeleton rows={6} />} failed="No pudimos cargar el horario." nothing={null}>
        <div ref={root}>
          {isDay && (
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
          )}
          {isEmpty && (
            <EmptyWeek
              isFiltered={Object.values(filters).some(Boolean)}
              canEdit={canEdit}
              onCopy={() => setDialog('copy-before')}
              onNew={newHere}
            />
          )}
          <div {...(isDay ? { id: PANEL, role: 'tabpanel', 'aria-labelledby': dayTabId(PANEL, chosenDay) } : {})}>
            {isDay && chosenHoliday && <p className="plan-closed">{chosenHoliday}</p>}
            {!wide ? (
              !isEmpty && <DayPlan groups={shown.groups} marks={edits.marks} />
            ) : shown.rows ? (
              <PlanMatrix
                caption={view === 'coach' ? 'La semana por coach' : 'La semana por sala'}
                days={edits.days}
                rows={shown.rows}
                today={today}
                marks={edits.marks}
                ghost={edits.ghost}
              />
            ) : (
              <TimeGrid columns={shown.columns} today={today} marks={edits.marks} ghost={edits.ghost} />
            )}
          </div>
          {canEdit && <PlanBars edits={edits} free={free} records={records} monday={monday} today={today} />}
        </div>
      </Loaded>
      {subject && (subject.kind === 'new' ? canEdit : opened) && (
        <ClassPanel
          cls={opened ?? null}
          at={subject.kind === 'new' ? subject : { day: chosenDay, hour: NEW_AT }}
          location_id={location_id}
          saves_as={saves_as}
          canEdit={canEdit}
          cancels={table.cancels}
          onClose={table.close}
        />
      )}
      {dialog === 'publish' && (
        <PublishDialog
          title="Publicar cambios"
          yes={publishLabel(drafts)}
          changes="drafts"
          done={() => 'Cambios publicados.'}
          onDone={() => setDialog(null)}
          onClose={() => setDialog(null)}
        />
      )}
      {canEdit && (dialog === 'find' || table.find) && (
        <Suspense>
          <FindClasses
            key={JSON.stringify([table.find, filters])}
            records={records}
            types={types.data?.class_types ?? []}
            filters={filters}
            start={table.find}
            monday={monday}
            today={today}
            onSelect={(classes) => {
              closeFind()
              edits.select(classes)
            }}
            onClose={closeFind}
          />
        </Suspense>
      )}
      {(dialog === 'copy' || dialog === 'copy-before') && (
        <CopyWeek
          monday={dialog === 'copy' ? monday : addDays(monday, -7)}
          {...{ location_id, saves_as }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}

const idOf = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)

const roomOptions = ({ rooms, locations, location_id }: PlanRecords) =>
  rooms
    .filter((room) => location_id === null || room.location_id === location_id)
    .map((room) => {
      const location = locations.find((one) => one.location_id === room.location_id)
      return { value: String(room.room_id), label: locations.length > 1 && location ? `${room.name}, ${location.name}` : room.name }
    })
