/** The state of a report in the address: period, comparison, groups and filters. */
import { GROUP_KEYS } from '#contract/copy/reports.ts'
import { addDays, addMonths, isLocalDate, type LocalDate, mondayOf } from '#contract/time.ts'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { idInText } from '#web/lib/id-in-text.ts'

export const REPORT_FILTERS = ['desde', 'hasta', 'contra', 'por', 'tipo', 'coach', 'sala', 'hora', 'segmento', 'solo'] as const
export type ReportFilter = (typeof REPORT_FILTERS)[number]

/** Periods that are chosen by name: first and last day. */
export function namedPeriods(today: LocalDate): { value: string; label: string; from: LocalDate; to: LocalDate }[] {
  const month = `${today.slice(0, 8)}01`
  const lastMonth = addMonths(month, -1)
  const year = `${today.slice(0, 5)}01-01`
  return [
    { value: 'hoy', label: 'Hoy', from: today, to: today },
    { value: 'semana', label: 'Esta semana', from: mondayOf(today), to: today },
    { value: 'semana-pasada', label: 'La semana pasada', from: addDays(mondayOf(today), -7), to: addDays(mondayOf(today), -1) },
    { value: 'cuatro-semanas', label: 'Últimas 4 semanas', from: addDays(today, -27), to: today },
    { value: 'mes', label: 'Este mes', from: month, to: today },
    { value: 'mes-pasado', label: 'El mes pasado', from: lastMonth, to: addDays(month, -1) },
    { value: 'tres-meses', label: 'Últimos 3 meses', from: addMonths(today, -3), to: today },
    { value: 'ano', label: 'Este año', from: year, to: today },
    { value: 'doce-meses', label: 'Últimos 12 meses', from: addDays(addMonths(today, -12), 1), to: today },
    { value: 'ano-pasado', label: 'El año pasado', from: `${Number(today.slice(0, 4)) - 1}-01-01`, to: addDays(year, -1) },
  ]
}

const idIn = (text: string): number | undefined => idInText(text) ?? undefined
const withValues = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

/** The filters in the address, and what the endpoint takes of them. */
export function useReportQuery() {
  const table = useTableQuery(REPORT_FILTERS)
  const location_id = useLocationFilter()
  const { desde, hasta, contra, por, tipo, coach, sala, hora, segmento, solo } = table.filters
  const hasPeriod = isLocalDate(desde) && isLocalDate(hasta)
  const input = withValues({
    from: hasPeriod ? desde : undefined,
    to: hasPeriod ? hasta : undefined,
    compare: contra === 'year' || contra === 'none' ? (contra as 'year' | 'none') : undefined,
    group_by: GROUP_KEYS.find((key) => key === por),
    location_id: location_id ?? undefined,
    class_type_id: idIn(tipo),
    instructor_id: idIn(coach),
    room_id: idIn(sala),
    segment_id: idIn(segmento),
    only: /^[a-z][a-z-]{1,30}$/.test(solo) ? solo : undefined,
    slot: /^[1-7]-\d\d:\d\d$/.test(hora) ? hora : undefined,
  })
  return { table, input }
}
