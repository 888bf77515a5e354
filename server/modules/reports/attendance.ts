/** Asistencia: attendance, absences, and late cancellations (docs/domain.md RE11). */
import { adminPaths } from '#contract/admin-paths.ts'
import { toPercent } from '#server/modules/today/today.ts'
import {
  type AttendanceDay,
  type AttendanceGroup,
  type AttendanceSums,
  attendanceByDayAndType,
  attendanceByGroup,
} from './attendance-store.ts'
import { barChart, stepChart } from './charts.ts'
import { MIN_CLASSES } from './occupancy-rules.ts'
import {
  type Body,
  column,
  type Headline,
  type Measures,
  oncePerReport,
  type ReportSpec,
  reportLink,
  type Scope,
  screenLink,
} from './report.ts'
import { lastFourWeeks, type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'

/** The reservations of these classes, in their list. */
const reservationsLink = (scope: Scope, more: Record<string, string> = {}) => {
  const { class_type_id, instructor_id } = scope
  return screenLink(adminPaths.reservations, scope, {
    ...(class_type_id === undefined ? {} : { tipo: String(class_type_id) }),
    ...(instructor_id === undefined ? {} : { coach: String(instructor_id) }),
    ...more,
  })
}

/** Marked absences without an excuse, of those and the attendances. */
const absentShare = (rows: readonly AttendanceSums[]) =>
  toPercent(
    sumBy(rows, ({ absent }) => absent),
    sumBy(rows, ({ absent, attended }) => absent + attended),
  )
const attendedShare = (rows: readonly AttendanceSums[]) =>
  toPercent(
    sumBy(rows, ({ attended }) => attended),
    sumBy(rows, ({ absent, attended }) => absent + attended),
  )

/** One reading of the reservations of a period, of which its figures, its days and its types are sums. */
const readDays = oncePerReport((scope, period) => attendanceByDayAndType(scope.ctx.db, period, scope, scope.ctx.zone))

const KEYS = ['reservations', 'attended', 'absent', 'excused', 'unmarked', 'late', 'cancelled'] as const
const added = (rows: readonly AttendanceSums[]): AttendanceSums =>
  Object.fromEntries(KEYS.map((key) => [key, sumBy(rows, (row) => row[key])])) as unknown as AttendanceSums

/** Those with the most absences and late cancellations first, as the other groups. */
function typesOf(days: readonly AttendanceDay[]): AttendanceGroup[] {
  const byType = new Map<number, AttendanceDay[]>()
  for (const day of days) byType.set(day.id, [...(byType.get(day.id) ?? []), day])
  return [...byType]
    .map(([id, rows]) => ({ id, name: rows[0]?.name ?? '', detail: null, ...added(rows) }))
    .sort((a, b) => b.absent - a.absent || b.late - a.late || a.name.localeCompare(b.name, 'es') || a.id - b.id)
}

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const sums = added(await readDays(scope, period))
  return {
    attendance: attendedShare([sums]),
    attended: sums.attended,
    absent: sums.absent,
    absence: absentShare([sums]),
    late: sums.late,
    lateness: toPercent(sums.late, sums.reservations),
  }
}

function headlineOf(
  scope: Scope,
  { now, before }: { now: Measures; before: Measures | null },
  types: readonly AttendanceGroup[],
): Headline | null {
  if (now.absence == null) return null
  const change = changeText(now.absence, before?.absence, 'percent', scope)
  const worst = types
    .filter(({ attended, absent }) => attended + absent >= 5 * MIN_CLASSES)
    .sort((a, b) => (absentShare([b]) ?? 0) - (absentShare([a]) ?? 0))[0]
  const worstShare = worst ? absentShare([worst]) : null
  return {
    text:
      now.absent === 0
        ? 'Nadie faltó sin avisar.'
        : `${countText(now.absent ?? 0, 'lugar se quedó vacío', 'lugares se quedaron vacíos')} sin avisar: ${amountText(now.absence, 'percent')}${change ? `, ${change}` : ''}.`,
    detail:
      worst && worstShare && worstShare > now.absence ? `Donde más se falta es ${worst.name}: ${amountText(worstShare, 'percent')}.` : null,
    actions: [
      { label: 'Ver quiénes faltaron', path: reportLink('asistencia', scope, { por: 'person' }) },
      { label: 'Ver las reservaciones', path: reservationsLink(scope, { estado: 'No Asistí' }) },
    ],
  }
}

const LABELS = { type: 'Tipo de clase', coach: 'Coach', class: 'Empieza', person: 'Persona', location: 'Estudio' } as const

function linkOf(scope: Scope, { id }: AttendanceGroup): string {
  if (scope.group === 'class') return adminPaths.roster(id)
  if (scope.group === 'person') return `${adminPaths.customer(id)}?ver=reservaciones`
  return reservationsLink(scope, { [scope.group === 'type' ? 'tipo' : scope.group === 'coach' ? 'coach' : 'estudio']: String(id) })
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, group } = scope
  const [days, daysBefore, grouped] = await Promise.all([
    readDays(scope, now),
    before && readDays(scope, before),
    group === 'type' ? null : attendanceByGroup(ctx.db, now, scope, ctx.zone, group),
  ])
  const [types, typesBefore] = [typesOf(days), daysBefore && typesOf(daysBefore)]
  const label = group === 'coach' || group === 'class' || group === 'person' || group === 'location' ? LABELS[group] : LABELS.type
  // A class with two coaches counts for both.
  const sums = group !== 'coach'
  const counts = (key: string, label: string) => column(key, label, 'count', sums)
  return {
    headline: headlineOf(scope, measures, types),
    charts: [
      stepChart(scope, { title: 'No asistieron', unit: 'percent', least: 'week', rows: days, before: daysBefore }, absentShare),
      barChart(
        'No asistieron por tipo de clase',
        'percent',
        types.map((row) => ({
          name: row.name,
          value: absentShare([row]),
          ...(typesBefore ? { before: absentShare(typesBefore.filter(({ id }) => id === row.id)) } : {}),
        })),
        'less',
      ),
    ],
    table_title: group === 'class' ? 'Clase por clase' : `Por ${label.toLowerCase()}, primero donde más se falta`,
    columns: [
      column('name', label, group === 'class' ? 'moment' : 'text'),
      ...(group === 'class' ? [column('detail', 'Clase')] : []),
      counts('reservations', 'Reservaciones'),
      counts('attended', 'Asistieron'),
      counts('absent', 'No asistieron'),
      counts('excused', 'Con justificación'),
      counts('unmarked', 'Sin marcar'),
      counts('cancelled', 'Cancelaron a tiempo'),
      counts('late', 'Cancelaron tarde'),
      column('absence', 'Faltas', 'percent', false),
    ],
    rows: (grouped ?? types).map((row) => ({
      id: String(row.id),
      cells: {
        name: row.name,
        detail: row.detail,
        reservations: row.reservations,
        attended: row.attended,
        absent: row.absent,
        excused: row.excused,
        unmarked: row.unmarked,
        cancelled: row.cancelled,
        late: row.late,
        absence: absentShare([row]),
      },
      link: linkOf(scope, row),
      action: null,
    })),
    totals: { absence: measures.now.absence ?? null },
    definitions: [
      {
        term: 'Reservaciones',
        text: 'Las que se hicieron para clases que no se cancelaron, también de invitados, sin las que se deshicieron o se movieron a otra clase. Cada una está en una sola columna: asistió, no asistió, con justificación, sin marcar, canceló a tiempo o canceló tarde.',
      },
    ],
  }
}

export const attendanceReport: ReportSpec = {
  key: 'asistencia',
  title: 'Asistencia',
  about: 'Faltas y cancelaciones tardías, por clase, coach y persona',
  question: 'filling',
  right: 'reports.activity',
  needsDays: 7,
  groups: ['type', 'coach', 'class', 'person', 'location'],
  filters: ['class_type_id', 'instructor_id'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'attendance',
      label: 'Asistencia',
      unit: 'percent',
      better: 'more',
      definition:
        'Quienes asistieron, entre quienes asistieron y quienes no. No cuentan las faltas con justificación ni las listas que nadie usó.',
      link: (scope) => reservationsLink(scope, { estado: 'Exitosa' }),
    },
    {
      key: 'absent',
      label: 'No asistieron',
      unit: 'count',
      better: 'less',
      definition: 'Lugares reservados, también de invitados, que quedaron marcados como falta sin justificación.',
      link: (scope) => reservationsLink(scope, { estado: 'No Asistí' }),
    },
    {
      key: 'late',
      label: 'Cancelaron tarde',
      unit: 'count',
      better: 'less',
      definition: 'Reservaciones canceladas después del límite, que ya no devolvieron la clase.',
      link: (scope) => reservationsLink(scope, { solo: 'late_cancel' }),
    },
    {
      key: 'lateness',
      label: 'Cancelación tardía',
      unit: 'percent',
      better: 'less',
      definition: 'Las cancelaciones tardías entre las reservaciones hechas para esas clases, sin las que se deshicieron o se movieron.',
    },
  ],
  measure,
  build,
}
