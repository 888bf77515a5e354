/** What a report is: its texts, the figures of a period, and its charts and rows. */
import { type SQL, sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import type { GroupKey, QuestionKey, ReportKey } from '#contract/copy/reports.ts'
import type { Report, ReportChart, ReportColumn, ReportFigure, ReportRow } from '#contract/reports.ts'
import type { Right } from '#contract/rights.ts'
import type { LocalDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Locations } from '#server/modules/today/today.ts'
import type { Compare, ComparedPeriods, Period } from './rules.ts'

/** What a report is read for. */
export interface Scope extends ComparedPeriods {
  ctx: Ctx
  compare: Compare
  group: GroupKey
  locations: Locations
  /** The requested location, if it is one. */
  location_id: number | undefined
  class_type_id: number | undefined
  instructor_id: number | undefined
  room_id: number | undefined
  /** Weekday and hour of the classes: "4-18:00", 1 is Monday. */
  slot: string | undefined
  /** The segment whose customers alone are counted, with a query of their ids; null: everybody. */
  segment: { segment_id: number; name: string; members: SQL } | null
  /** The key of the choice that the table is limited to. */
  only: string | undefined
  /** Only the first figure is read, as the index shows it: no chart, no rows, and none of the others where that takes less. */
  isIndex: boolean
  /** How many rows are shown at most; of long lists no more need to be read. */
  maxRows: number
}

/** A figure's texts; its value is measured together with the others of its report. */
export type FigureText = Pick<ReportFigure, 'key' | 'label' | 'unit' | 'better' | 'definition'> & {
  /** The screen with the rows that make it. */
  link?: (scope: Scope) => string
  /** Whether the person may see it; without it, who sees the report does. Not of the first figure. */
  isShown?: (scope: Scope) => boolean
}

/** Values by the key of the figure, in the unit of the figure; null: nothing to count it from. */
export type Measures = Readonly<Record<string, number | null>>

export type Headline = NonNullable<Report['headline']>

export interface Body {
  headline: Headline | null
  charts: ReportChart[]
  heat?: Report['heat']
  table_title: string
  columns: ReportColumn[]
  rows: ReportRow[]
  /** How many rows there are, where only the first `maxRows` were read: what they add up to is in `totals`. */
  rows_total?: number
  /** Totals that are not the sum of their column: shares and averages. */
  totals?: Record<string, number | null>
  definitions?: Report['definitions']
  notes?: string[]
}

export interface ReportSpec {
  key: ReportKey
  title: string
  about: string
  question: QuestionKey
  right: Right
  /** Minimum number of days of history. */
  needsDays?: number
  groups: readonly [GroupKey, ...GroupKey[]]
  filters?: Report['filters']
  /** What the table can be limited to. */
  choices?: Report['choices']
  /** Its figure in the index is that of its usual period, not of the week, month or year until today. */
  hasOwnPeriod?: boolean
  /** Not divided by location: hidden from staff who work at some locations only. */
  isWholeStudio?: boolean
  /** Its figures are of now, whatever the period: no period before is compared. */
  isNotCompared?: boolean
  /** A forecast: a period that has not ended is counted whole. */
  isAhead?: boolean
  /** The period by default. */
  usualDays: (now: Date, zone: string) => { from: LocalDate; to: LocalDate }
  /** The first is the main one, shown in the index. */
  figures: readonly [FigureText, ...FigureText[]]
  measure: (scope: Scope, period: Period) => Promise<Measures>
  build: (scope: Scope, measures: { now: Measures; before: Measures | null }) => Promise<Body>
}

/** Reads something of a period once per report, although both its figures and its rows are made from it. */
export function oncePerReport<T>(read: (scope: Scope, period: Period) => Promise<T>): (scope: Scope, period: Period) => Promise<T> {
  const known = new WeakMap<Scope, Map<Period, Promise<T>>>()
  return (scope, period) => {
    const ofScope = known.get(scope) ?? new Map<Period, Promise<T>>()
    known.set(scope, ofScope)
    const reading = ofScope.get(period) ?? read(scope, period)
    ofScope.set(period, reading)
    return reading
  }
}

/** Reports that can be limited to the customers of a segment: all that they count are people. */
export const SEGMENT_REPORTS: ReadonlySet<ReportKey> = new Set(['clientes', 'primera-clase', 'retencion', 'riesgo', 'valor', 'creditos'])

/** A part of a condition: the customer is one of those that the report counts. */
export const amongPeople = (customer_id: SQL, { segment }: Pick<Scope, 'segment'>): SQL =>
  segment === null ? sql`` : sql`and ${customer_id} in (${segment.members})`

/** The list of customers with some filters, and with the segment of the report. */
export const customersLink = ({ segment }: Pick<Scope, 'segment'>, filters: Record<string, string>): string =>
  `${adminPaths.customers}?${new URLSearchParams({ ...filters, ...(segment ? { segmento: String(segment.segment_id) } : {}) })}`

/** The same report with other rows: another group, one of its choices. */
export function reportLink(key: ReportKey, scope: Scope, more: Record<string, string> = {}, days = scope.now.days): string {
  const { class_type_id, instructor_id, room_id, slot, compare } = scope
  return screenLink(
    adminPaths.report(key),
    scope,
    {
      ...(compare === 'before' ? {} : { contra: compare }),
      ...(class_type_id === undefined ? {} : { tipo: String(class_type_id) }),
      ...(instructor_id === undefined ? {} : { coach: String(instructor_id) }),
      ...(room_id === undefined ? {} : { sala: String(room_id) }),
      ...(slot === undefined ? {} : { hora: slot }),
      ...(scope.segment && SEGMENT_REPORTS.has(key) ? { segmento: String(scope.segment.segment_id) } : {}),
      ...more,
    },
    days,
  )
}

/** The columns of a table; those with `sum` have a total. */
export const column = (
  key: string,
  label: string,
  type: ReportColumn['type'] = 'text',
  sum = type === 'count' || type === 'mxn',
): ReportColumn => ({
  key,
  label,
  type,
  sum,
})

/** A screen of the administration with the days and the location of a report, and further filters. */
export function screenLink(
  path: string,
  { now, location_id }: Pick<Scope, 'now' | 'location_id'>,
  more: Record<string, string> = {},
  days = now.days,
): string {
  const query = new URLSearchParams({
    ...more,
    desde: days.from,
    hasta: days.to,
    ...(location_id === undefined ? {} : { estudio: String(location_id) }),
  })
  return `${path}?${query}`
}
