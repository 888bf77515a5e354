/** Reports: which there are for a person, one of them for a period, and its rows as a file (docs/domain.md, "Reports"). */
import type { GroupKey, ReportKey } from '#contract/copy/reports.ts'
import { groupLabels, QUESTION_KEYS } from '#contract/copy/reports.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { REPORT_MAX_ROWS, type Report, type ReportColumn, type ReportFigure, type ReportInput, type ReportRow } from '#contract/reports.ts'
import { localDate, mondayOf } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { membersOfSegment } from '#server/modules/customers/customers.ts'
import { EXPORT_MAX_ROWS, type ExportColumn, exportList } from '#server/modules/list-export.ts'
import type { SheetCell } from '#server/platform/spreadsheet.ts'
import { attendanceReport } from './attendance.ts'
import { coachReport } from './coaches.ts'
import { collectedReport } from './collected.ts'
import { discountReport } from './discounts.ts'
import { expiringReport } from './expiring.ts'
import { firstClassReport } from './first-class.ts'
import { gainReport } from './gain.ts'
import { daysOfHistory } from './history-store.ts'
import { messageReport } from './messages.ts'
import { movementReport } from './movement.ts'
import { occupancyReport } from './occupancy.ts'
import { payReport } from './pay.ts'
import { ratingReport } from './ratings.ts'
import { receivableReport } from './receivable.ts'
import { recognisedReport } from './recognised.ts'
import { type FigureText, type Measures, type ReportSpec, type Scope, SEGMENT_REPORTS } from './report.ts'
import { retentionReport } from './retention.ts'
import { riskReport } from './risk.ts'
import { comparedPeriods } from './rules.ts'
import { beforeDefinition } from './sentences.ts'
import { salesReport } from './sold.ts'
import { subscriptionReport } from './subscriptions.ts'
import { taxReport } from './tax.ts'
import { tillReport } from './tills.ts'
import { valueReport } from './value.ts'
import { waitingReport } from './waiting.ts'
import { videoReport } from './watched.ts'

/** In the order of the index, within the order of its questions. */
const REPORTS: Readonly<Record<ReportKey, ReportSpec>> = {
  cobrado: collectedReport,
  ventas: salesReport,
  suscripciones: subscriptionReport,
  reconocido: recognisedReport,
  ocupacion: occupancyReport,
  asistencia: attendanceReport,
  coaches: coachReport,
  espera: waitingReport,
  ganancia: gainReport,
  clientes: movementReport,
  'primera-clase': firstClassReport,
  retencion: retentionReport,
  riesgo: riskReport,
  valor: valueReport,
  'por-cobrar': receivableReport,
  creditos: expiringReport,
  iva: taxReport,
  cortes: tillReport,
  nomina: payReport,
  descuentos: discountReport,
  mensajes: messageReport,
  calificaciones: ratingReport,
  videos: videoReport,
}

/** One location where the person works, or all of theirs. FORBIDDEN with `location_id`. */
function locationsOf(ctx: Ctx, spec: Pick<ReportSpec, 'right'>, location_id: number | undefined) {
  if (location_id === undefined) return ctx.locationIds
  ctx.requireLocation(spec.right, location_id)
  return [location_id]
}

/** Groups whose rows name customers. */
const NAMING: ReadonlySet<GroupKey> = new Set(['person', 'comment', 'debt'])
const groupsFor = (ctx: Ctx, spec: ReportSpec): GroupKey[] => spec.groups.filter((group) => !NAMING.has(group) || ctx.may('customers.read'))

/**
 * Reports that the caller may see, in the order of the questions. Left out: a report whose groups are all customers, when the caller may
 * not read customers.
 */
const visibleReports = (ctx: Ctx): ReportSpec[] =>
  Object.values(REPORTS)
    .filter((spec) => ctx.may(spec.right) && !(spec.isWholeStudio && ctx.locationIds) && groupsFor(ctx, spec).length > 0)
    .sort((a, b) => QUESTION_KEYS.indexOf(a.question) - QUESTION_KEYS.indexOf(b.question))

const unknown = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })

/** The segment that a report is limited to. INVALID_INPUT where it cannot be, or the segment is gone; FORBIDDEN without `customers.read`. */
async function segmentOf(ctx: Ctx, { key }: ReportSpec, { segment_id }: ReportInput): Promise<Scope['segment']> {
  if (segment_id === undefined) return null
  if (!SEGMENT_REPORTS.has(key)) throw unknown('segment_id', 'Este reporte no tiene este filtro.')
  ctx.require('customers.read')
  const found = await membersOfSegment(ctx, segment_id)
  if (!found) throw unknown('segment_id', 'Ese segmento ya no existe.')
  return { segment_id, ...found }
}

/** The validated request. INVALID_INPUT for a group or a filter that the report does not have. */
function scopeOf(
  ctx: Ctx,
  spec: ReportSpec,
  input: ReportInput,
  { maxRows = REPORT_MAX_ROWS, isIndex = false, segment = null as Scope['segment'] } = {},
): Scope {
  const group: GroupKey = input.group_by ?? groupsFor(ctx, spec)[0] ?? spec.groups[0]
  if (!spec.groups.includes(group)) throw unknown('group_by', 'Este reporte no se agrupa así.')
  if (NAMING.has(group)) ctx.require('customers.read')
  for (const filter of ['class_type_id', 'instructor_id', 'room_id', 'slot'] as const)
    if (input[filter] !== undefined && !spec.filters?.includes(filter)) throw unknown(filter, 'Este reporte no tiene este filtro.')
  if (input.only !== undefined && !spec.choices?.some(({ key }) => key === input.only))
    throw unknown('only', 'Este reporte no se limita así.')
  const days = input.from && input.to ? { from: input.from, to: input.to } : spec.usualDays(ctx.now, ctx.zone)
  const { location_id, class_type_id, instructor_id, room_id, slot, only, compare } = input
  return {
    ...comparedPeriods(days, spec.isNotCompared ? 'none' : compare, ctx.now, ctx.zone, spec.isAhead),
    ctx,
    compare,
    group,
    location_id,
    class_type_id,
    instructor_id,
    room_id,
    slot,
    only,
    segment,
    maxRows,
    isIndex,
    locations: locationsOf(ctx, spec, location_id),
  }
}

/** Its figures that the person may see. */
const figuresOf = (spec: ReportSpec, scope: Scope) => spec.figures.filter(({ isShown }) => isShown?.(scope) ?? true)

function figureOf({ link, isShown: _, ...text }: FigureText, scope: Scope, now: Measures, before: Measures | null): ReportFigure {
  const path = link?.(scope) ?? null
  // A screen that does not know segments has more rows than the figure counts.
  const isSame = scope.segment === null || path?.includes('segmento=')
  return { ...text, value: now[text.key] ?? null, before: before?.[text.key] ?? null, link: isSame ? path : null }
}

const STARTS = {
  week: mondayOf,
  month: (day: string) => `${day.slice(0, 8)}01`,
  year: (day: string) => `${day.slice(0, 5)}01-01`,
} as const

/** GET /admin/reports: each with its main figure of the current week, month or year until now. FORBIDDEN for another location. */
export async function listReports(ctx: Ctx, input: { location_id?: number | undefined; period: keyof typeof STARTS }) {
  const visible = visibleReports(ctx)
  const today = localDate(ctx.now, ctx.zone)
  const from = STARTS[input.period](today)
  const history = await daysOfHistory(ctx.db, ctx.now)
  const answerOf = async (spec: ReportSpec) => {
    const { key, title, about, question } = spec
    const missing = Math.max(0, (spec.needsDays ?? 0) - history)
    const days = spec.hasOwnPeriod ? {} : { from, to: today }
    const scope = scopeOf(ctx, spec, { key, compare: 'before', location_id: input.location_id, ...days }, { isIndex: true })
    const none = { key, title, about, question, figure: null, missing_days: null, preparing: null }
    if (missing > 0) return { ...none, missing_days: missing }
    try {
      const { now, before } = await measured(spec, scope)
      return { ...none, figure: figureOf(spec.figures[0], scope, now, before) }
    } catch (error) {
      // A report that is not ready must not fail the index.
      if (error instanceof Refusal && error.code === 'INCOME_BEING_PREPARED') return { ...none, preparing: Number(error.data.left) }
      throw error
    }
  }
  // Two beside each other, each with the period before: all at once would take every connection from the other requests.
  const reports: Awaited<ReturnType<typeof answerOf>>[] = []
  const left = visible.entries()
  const read = async () => {
    for (const [n, spec] of left) reports[n] = await answerOf(spec)
  }
  await Promise.all([read(), read()])
  return { reports, from, made_at: ctx.now.toISOString() }
}

/** The figures of a report without its rows; the caller has checked the right. A report with a period of its own is read for that. */
export async function readSpec(ctx: Ctx, input: ReportInput) {
  const spec = REPORTS[input.key]
  const { from: _, to: __, ...own } = input
  const scope = scopeOf(ctx, spec, spec.hasOwnPeriod ? own : input)
  return { spec, scope, ...(await measured(spec, scope)) }
}

async function measured(spec: ReportSpec, scope: Scope): Promise<{ now: Measures; before: Measures | null }> {
  const [now, before] = await Promise.all([spec.measure(scope, scope.now), scope.before && spec.measure(scope, scope.before)])
  return { now, before }
}

async function madeReport(ctx: Ctx, input: ReportInput, maxRows: number): Promise<{ report: Report; rows: ReportRow[] }> {
  const spec = REPORTS[input.key]
  ctx.require(spec.right)
  if (spec.isWholeStudio && ctx.locationIds) throw refuse('FORBIDDEN', { needs: spec.right })
  const scope = scopeOf(ctx, spec, input, { maxRows, segment: await segmentOf(ctx, spec, input) })
  const { now, before } = await measured(spec, scope)
  const {
    rows,
    rows_total = rows.length,
    totals = {},
    heat = null,
    definitions = [],
    notes = [],
    ...body
  } = await spec.build(scope, { now, before })
  const figures = figuresOf(spec, scope)
  const summed = body.columns
    .filter(({ sum }) => sum)
    .map(({ key }) => [key, round(rows.reduce((sum, row) => sum + Number(row.cells[key] ?? 0), 0))])
  const report: Report = {
    key: spec.key,
    title: spec.title,
    about: spec.about,
    ...scope.now.days,
    before: scope.before?.days ?? null,
    made_at: ctx.now.toISOString(),
    until_now: scope.isUntilNow,
    zone: ctx.zone,
    group_by: scope.group,
    groups: groupsFor(ctx, spec).map((key) => ({ key, label: groupLabels[key] })),
    filters: [...(spec.filters ?? []), ...(SEGMENT_REPORTS.has(spec.key) && ctx.may('customers.read') ? (['segment_id'] as const) : [])],
    choices: spec.choices ?? [],
    only: input.only ?? null,
    figures: figures.map((figure) => figureOf(figure, scope, now, before)),
    ...body,
    heat,
    notes,
    rows: rows.slice(0, REPORT_MAX_ROWS),
    rows_total,
    totals: { ...Object.fromEntries(summed), ...totals },
    definitions: [...figures.map(({ label, definition }) => ({ term: label, text: definition })), ...definitions],
  }
  if (scope.segment)
    report.definitions.push({
      term: 'Segmento',
      text: `Solo cuentan las personas que están ahora en “${scope.segment.name}”, sea cual sea el periodo.`,
    })
  if (scope.before)
    report.definitions.push({
      term: 'Contra antes',
      text: beforeDefinition(input.compare, scope.before),
    })
  return { report, rows }
}

/** Centavos of a sum of pesos: floating point must not show. */
const round = (pesos: number) => Math.round(100 * pesos) / 100

/** GET /admin/reports/{key}. */
export async function readReport(ctx: Ctx, input: ReportInput): Promise<Report> {
  return (await madeReport(ctx, input, REPORT_MAX_ROWS)).report
}

/** A cell of a report in its file: days and moments are dates. */
function toCell(value: string | number | null, type: ReportColumn['type']): SheetCell {
  if (typeof value !== 'string') return value
  if (type === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return { wall: value }
  return type === 'moment' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) ? { wall: `${value}:00` } : value
}

/** GET /admin/exports/reports/{key}: all rows. EXPORT_TOO_LARGE. */
export async function exportReport(ctx: Ctx, input: ReportInput & { format: 'csv' | 'xlsx' }): Promise<File> {
  const { report, rows } = await madeReport(ctx, input, EXPORT_MAX_ROWS)
  if (report.rows_total > EXPORT_MAX_ROWS) throw refuse('EXPORT_TOO_LARGE', { total: report.rows_total, max: EXPORT_MAX_ROWS })
  const columns = report.columns.map(
    ({ key, label, type }): ExportColumn<ReportRow> => ({
      header: label,
      isMoney: type === 'mxn',
      cell: (row) => toCell(row.cells[key] ?? null, type),
    }),
  )
  const chunks = (async function* () {
    yield rows
  })()
  const { from, to } = report
  const { key: _, compare: __, ...filter } = input
  return exportList(ctx, { name: `reporte-${report.key}`, title: report.title, input: { ...filter, from, to }, columns, rows: chunks })
}
