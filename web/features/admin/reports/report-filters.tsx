import { useQuery } from '@tanstack/react-query'
import type { Report } from '#contract/reports.ts'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import type { TableQuery } from '#web/features/admin/table/use-table-query.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useQueryChange } from '#web/lib/query-change.ts'
import { ChipOff, ChipSelect } from '#web/ui/chip-select.tsx'
import { namedPeriods, type ReportFilter } from './report-query.ts'

interface ReportFiltersProps {
  table: TableQuery<ReportFilter>
  report: Report
}

const DAYS = ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo']

/** The period of a report, what it is compared with, how it is grouped, and its filters. */
export function ReportFilters({ table, report }: ReportFiltersProps) {
  const changeQuery = useQueryChange()
  const periods = namedPeriods(todayIn(report.zone))
  const named = periods.find(({ from, to }) => from === report.from && to === report.to)
  const usual = report.groups[0]
  const takes = (filter: Report['filters'][number]) => report.filters.includes(filter)
  const setPeriod = (from: string, to: string) => changeQuery({ desde: from, hasta: to }, { replace: true })
  const chip = (key: ReportFilter) => ({ value: table.filters[key], onChange: (value: string) => table.setFilter(key, value) })
  return (
    <search className="report-filters">
      <ChipSelect
        label="Periodo"
        all="El de costumbre"
        options={periods}
        value={named?.value ?? ''}
        onChange={(value) => {
          const chosen = periods.find((period) => period.value === value)
          setPeriod(chosen?.from ?? '', chosen?.to ?? '')
        }}
      />
      <DayFilter label="Desde" value={report.from} onChange={(day) => day && setPeriod(day, report.to < day ? day : report.to)} />
      <DayFilter label="Hasta" value={report.to} onChange={(day) => day && setPeriod(report.from > day ? day : report.from, day)} />
      <ChipSelect
        label="Contra los días antes"
        all="Contra los días antes"
        options={[
          { value: 'year', label: 'Contra un año antes' },
          { value: 'none', label: 'Sin comparar' },
        ]}
        {...chip('contra')}
      />
      {report.groups.length > 1 && usual && (
        <ChipSelect
          label={usual.label}
          all={usual.label}
          options={report.groups.slice(1).map(({ key, label }) => ({ value: key, label }))}
          {...chip('por')}
        />
      )}
      {report.choices.length > 0 && (
        <ChipSelect
          label="Renglones"
          all="Todos los renglones"
          options={report.choices.map(({ key, label }) => ({ value: key, label }))}
          {...chip('solo')}
        />
      )}
      {takes('class_type_id') && <TypeFilter {...chip('tipo')} />}
      {takes('instructor_id') && <CoachFilter {...chip('coach')} />}
      {takes('room_id') && <RoomFilter {...chip('sala')} />}
      {takes('segment_id') && <SegmentFilter {...chip('segmento')} />}
      {takes('slot') && table.filters.hora && (
        <span className="chip chip-on chip-fit">
          {DAYS[Number(table.filters.hora[0]) - 1]} {table.filters.hora.slice(2)}
          <ChipOff of={table.filters.hora.slice(2)} onClick={() => table.setFilter('hora', '')} />
        </span>
      )}
    </search>
  )
}

interface FilterProps {
  value: string
  onChange: (value: string) => void
}

function TypeFilter(props: FilterProps) {
  const { data } = useQuery(queries.catalogue.classTypes.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const options = (data?.class_types ?? []).map(({ class_type_id, name }) => ({ value: String(class_type_id), label: name }))
  return <ChipSelect label="Tipo de clase" all="Todas las clases" options={options} {...props} />
}

function CoachFilter(props: FilterProps) {
  const { data } = useQuery(queries.catalogue.instructors.queryOptions({ input: {}, staleTime: 300_000, meta: { handled: true } }))
  const options = (data?.instructors ?? []).map((instructor) => ({
    value: String(instructor.instructor_id),
    label: instructor.nick_name || instructor.name,
  }))
  return <ChipSelect label="Coach" all="Todos los coaches" options={options} {...props} />
}

function SegmentFilter(props: FilterProps) {
  const { data } = useQuery(queries.segments.all.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const segments = data?.segments ?? []
  if (segments.length === 0 && props.value === '') return null
  const options = segments.map(({ segment_id, name }) => ({ value: String(segment_id), label: name }))
  return <ChipSelect label="Segmento" all="Todas las personas" options={options} {...props} />
}

function RoomFilter(props: FilterProps) {
  const location_id = useLocationFilter()
  const { data } = useQuery(queries.rooms.list.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const rooms = (data?.rooms ?? []).filter((room) => location_id === null || room.location_id === location_id)
  if (rooms.length === 0) return null
  return (
    <ChipSelect
      label="Sala"
      all="Todas las salas"
      options={rooms.map(({ room_id, name }) => ({ value: String(room_id), label: name }))}
      {...props}
    />
  )
}
