import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { adminTheme, toMarkColours } from '#contract/color.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, formatWall, type LocalDate } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { classKey } from '#web/features/admin/timetable/class-key.ts'
import { ClassPanel } from '#web/features/admin/timetable/class-panel.tsx'
import { DayPlan } from '#web/features/admin/timetable/day-plan.tsx'
import { EmptyWeek } from '#web/features/admin/timetable/empty-week.tsx'
import { NEW_CLASS } from '#web/features/admin/timetable/new-class-link.ts'
import { PlanBars } from '#web/features/admin/timetable/plan-bars.tsx'
import type { NewAt } from '#web/features/admin/timetable/plan-marks.ts'
import { PlanMatrix } from '#web/features/admin/timetable/plan-matrix.tsx'
import { layView } from '#web/features/admin/timetable/plan-targets.ts'
import { PlanTools } from '#web/features/admin/timetable/plan-tools.tsx'
import type { PlanRecords, PlanView } from '#web/features/admin/timetable/plan-views.ts'
import { ScheduleActions } from '#web/features/admin/timetable/schedule-actions.tsx'
import { type ScheduleDialog, ScheduleDialogs } from '#web/features/admin/timetable/schedule-dialogs.tsx'
import { TimeGrid } from '#web/features/admin/timetable/time-grid.tsx'
import { totalsSentence } from '#web/features/admin/timetable/timetable-text.ts'
import { useFreeHours } from '#web/features/admin/timetable/use-free-hours.ts'
import { usePlanEdits } from '#web/features/admin/timetable/use-plan-edits.ts'
import { useScheduleShortcuts } from '#web/features/admin/timetable/use-schedule-shortcuts.ts'
import { type PanelSubject, useTimetable } from '#web/features/admin/timetable/use-timetable.ts'
import { WeekSwitch } from '#web/features/admin/timetable/week-switch.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useMedia } from '#web/lib/use-media.ts'
import { dayTabId, WeekStrip } from '#web/ui/week-strip.tsx'

export const handle: AdminHandle = { title: 'Horario' }

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
  const [dialog, setDialog] = useState<ScheduleDialog | null>(null)
  const { types, records } = usePlanRecords(location_id)
  const days = shownDays(week.data?.days ?? [], filters.problemas)
  const chosenHoliday = days.find(({ date }) => date === chosenDay)?.holiday
  const all = (week.data?.days ?? []).flatMap(({ classes }) => classes)
  const isEmpty = week.data !== undefined && all.length === 0
  const opened = classOf(subject, all)
  const saves_as = week.data?.saves_as ?? 'draft'
  const drafts = week.data?.drafts ?? 0
  const open = (cls: PlannedClass) =>
    table.open(cls.single_class_id === null ? { kind: 'draft', id: cls.class_draft_id ?? 0 } : { kind: 'class', id: cls.single_class_id })
  const openNew = (at: NewAt) => table.open(newSubject(at, filters))
  const onlyCoach = idInText(filters.coach)
  const laid = layView(view, days, chosenDay, records, onlyCoach)
  const root = useRef<HTMLDivElement>(null)
  // In the column, cell or row of the class in focus, or on the chosen day.
  const newHere = () => {
    const here = document.activeElement?.closest<HTMLElement>('[data-column]')?.dataset.column
    const target = laid.targets.find(({ column }) => column === here)
    openNew({ day: target?.day ?? chosenDay, hour: NEW_AT, minutes: null, venue: target?.venue ?? null, coach: target?.coach ?? null })
  }
  const tones = useTones(all)
  const edits = usePlanEdits({
    root,
    days,
    monday,
    today,
    records,
    tones,
    saves_as,
    canEdit,
    across: laid.across,
    down: laid.down,
    targets: laid.targets,
    current: opened ? classKey(opened) : null,
    onOpen: open,
    onNew: openNew,
  })
  const shown = layView(view, edits.days, chosenDay, records, onlyCoach)
  const free = useFreeHours({ root, columns: shown.columns, ghost: edits.ghost, onNew: openNew })
  const isDay = view === 'dia' || !wide
  const step = isDay && view === 'dia' ? 1 : 7
  const goBy = (by: number) => table.goTo(addDays(step === 1 ? chosenDay : monday, by * step))
  useScheduleShortcuts({
    table,
    canEdit,
    step,
    goBy,
    edits,
    onNew: newHere,
    onToday: () => table.goTo(today),
    onFree: wide && shown.rows === null ? () => free.start(chosenDay) : null,
    onPublish: drafts > 0 ? () => setDialog('publish') : null,
  })
  const toggleSelecting = () => (edits.selecting ? edits.clear() : edits.setSelecting(true))
  const weekSwitch = <WeekSwitch monday={monday} day={step === 1 ? chosenDay : null} onStep={goBy} />
  return (
    <>
      <ScreenHead title="Horario" about={week.data ? totalsSentence(week.data.totals) : ' '}>
        <ScheduleActions
          wide={wide}
          canEdit={canEdit}
          drafts={drafts}
          selecting={edits.selecting}
          onSelecting={toggleSelecting}
          onNew={newHere}
          onOpen={setDialog}
        >
          {weekSwitch}
        </ScheduleActions>
      </ScreenHead>
      <PlanTools
        wide={wide}
        canEdit={canEdit}
        view={view}
        filters={filters}
        onView={table.setView}
        onFilter={table.setFilter}
        coaches={records.coaches.map((coach) => ({ value: String(coach.instructor_id), label: instructorName(coach) }))}
        types={types.map((type) => ({ value: String(type.class_type_id), label: type.name }))}
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
              chosen={chosenDay}
              panel={PANEL}
              days={days.map(({ date }) => stripDay(date, today))}
              onChoose={table.setDay}
              onWeek={(weeks) => table.goTo(addDays(monday, 7 * weeks))}
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
            ) : (
              <WidePlan view={view} shown={shown} edits={edits} today={today} />
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
          proposed={table.proposed}
          onClose={table.close}
        />
      )}
      <ScheduleDialogs
        dialog={dialog}
        table={table}
        canEdit={canEdit}
        drafts={drafts}
        location_id={location_id}
        saves_as={saves_as}
        records={records}
        today={today}
        types={types}
        onSelect={edits.select}
        onClose={() => setDialog(null)}
      />
    </>
  )
}

const roomOptions = ({ rooms, locations, location_id }: PlanRecords) =>
  rooms
    .filter((room) => location_id === null || room.location_id === location_id)
    .map((room) => {
      const location = locations.find((location) => location.location_id === room.location_id)
      return { value: String(room.room_id), label: locations.length > 1 && location ? `${room.name}, ${location.name}` : room.name }
    })

/** Class types, and the records that the views of the plan are laid out by. */
function usePlanRecords(location_id: number | null) {
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const rooms = useQuery(queries.rooms.list.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const records: PlanRecords = {
    rooms: rooms.data?.rooms ?? [],
    locations: locations.data?.locations ?? [],
    coaches: coaches.data?.instructors ?? [],
    location_id,
  }
  return { types: types.data?.class_types ?? [], records }
}

/** The colours of the classes in the week, each as its marks. */
function useTones(classes: readonly PlannedClass[]) {
  const site = useSite()
  const colours = [...new Set(classes.flatMap(({ class_type: { color } }) => color ?? []))].sort().join(' ')
  return useMemo(() => {
    const theme = adminTheme(site)
    return Object.fromEntries((colours === '' ? [] : colours.split(' ')).map((colour) => [colour, toMarkColours(colour, theme)]))
  }, [colours, site])
}

const stripDay = (date: LocalDate, today: LocalDate) => ({
  date,
  weekday: formatWall(`${date}T00:00:00Z`, 'class').slice(0, 3),
  number: String(Number(date.slice(8))),
  ariaLabel: formatWall(`${date}T00:00:00Z`, 'long'),
  past: date < today,
  today: date === today,
})

interface WidePlanProps {
  view: PlanView
  shown: ReturnType<typeof layView>
  edits: Pick<ReturnType<typeof usePlanEdits>, 'days' | 'marks' | 'ghost'>
  today: LocalDate
}

/** The plan on wide screens: a row per coach or room, or a column per day. */
function WidePlan({ view, shown, edits, today }: WidePlanProps) {
  return shown.rows ? (
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
  )
}

type Filters = ReturnType<typeof useTimetable>['filters']

/** The days of the week with the names of their holidays, on request with only the classes that have conflicts. */
const shownDays = (days: NonNullable<ReturnType<typeof useTimetable>['week']['data']>['days'], onlyConflicts: boolean) =>
  days.map(({ date, holiday, classes }) => ({
    date,
    holiday: holiday?.name ?? null,
    classes: onlyConflicts ? classes.filter((cls) => cls.conflicts.length > 0) : classes,
  }))

/** The planned class that the panel is about; null for a new one, undefined when it is not in the week. */
const classOf = (subject: PanelSubject | null, classes: readonly PlannedClass[]) =>
  subject?.kind === 'class'
    ? classes.find((cls) => cls.single_class_id === subject.id)
    : subject?.kind === 'draft'
      ? classes.find((cls) => cls.class_draft_id === subject.id && cls.single_class_id === null)
      : null

/** A new class at a place of the plan, with the class type, coach and room of the filters. */
const newSubject = ({ day, hour, minutes, venue, coach }: NewAt, filters: Filters): PanelSubject => ({
  kind: 'new',
  ...NEW_CLASS,
  day,
  hour,
  minutes,
  class_type_id: idInText(filters.tipo),
  location_id: venue?.location_id ?? null,
  room_id: venue ? venue.room_id : idInText(filters.sala),
  coach: coach ?? idInText(filters.coach),
})
