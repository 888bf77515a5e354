/** Nómina: what each coach is paid (docs/domain.md, "Pay of the coaches"; RE26). */
import { adminPaths } from '#contract/admin-paths.ts'
import { addDays, addMonths, type LocalDate, localDate } from '#contract/time.ts'
import { payBetween } from '#server/modules/payroll/payroll.ts'
import { barChart } from './charts.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, type Scope } from './report.ts'
import { inPesos, type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'

const read = oncePerReport((scope: Scope, { days }: Period) => payBetween(scope.ctx, days))
type Pay = Awaited<ReturnType<typeof read>>

const measuresOf = (pay: Pay): Measures => {
  const amount = sumBy(pay, (coach) => coach.amount)
  const classes = sumBy(pay, (coach) => coach.classes)
  const attended = sumBy(pay, (coach) => coach.attended)
  return {
    amount: inPesos(amount),
    classes,
    per_class: classes > 0 ? inPesos(amount / classes) : null,
    per_person: attended > 0 ? inPesos(amount / attended) : null,
  }
}

const measure = async (scope: Scope, period: Period): Promise<Measures> => measuresOf(await read(scope, period))

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }, pay: Pay): Headline | null {
  if (pay.length === 0) return null
  const change = changeText(now.amount, before?.amount, 'mxn', scope)
  const without = sumBy(pay, (coach) => coach.without_rule)
  return {
    text: `A ${countText(pay.length, 'coach le toca', 'coaches les tocan')} ${amountText(now.amount ?? 0, 'mxn')}${change ? `, ${change}` : ''}.`,
    detail: without
      ? `${countText(without, 'clase no tiene', 'clases no tienen')} regla que diga cuánto se paga.`
      : now.per_person == null
        ? null
        : `Son ${amountText(now.per_person, 'mxn')} por cada persona que llegó.`,
    actions: without
      ? [{ label: 'Completar las reglas', path: adminPaths.payRules }]
      : [{ label: 'Ver la nómina', path: adminPaths.payroll }],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const [pay, earlier] = await Promise.all([read(scope, scope.now), scope.before && read(scope, scope.before)])
  const sorted = [...pay].sort((a, b) => b.amount - a.amount || a.name.localeCompare(b.name))
  return {
    headline: headlineOf(scope, measures, pay),
    charts: [
      barChart(
        'Por coach',
        'mxn',
        sorted.map(({ instructor_id, name, amount }) => ({
          name,
          value: inPesos(amount),
          ...(earlier ? { before: inPesos(earlier.find((coachTotal) => coachTotal.instructor_id === instructor_id)?.amount ?? 0) } : {}),
        })),
      ),
    ],
    table_title: 'Coach por coach',
    columns: [
      column('name', 'Coach'),
      column('classes', 'Clases', 'count'),
      column('attended', 'Personas', 'count'),
      column('without_rule', 'Sin regla', 'count'),
      column('adjusted', 'Ajustes', 'mxn'),
      column('amount', 'Se le paga', 'mxn'),
    ],
    rows: sorted.map(({ instructor_id, name, classes, attended, without_rule, adjusted, amount }) => ({
      id: String(instructor_id),
      cells: { name, classes, attended, without_rule, adjusted: inPesos(adjusted), amount: inPesos(amount) },
      link: `${adminPaths.payroll}?${new URLSearchParams({ coach: String(instructor_id) })}`,
      action: null,
    })),
    notes: [
      ...(scope.location_id === undefined ? [] : ['La nómina es de todo el estudio: no se divide por lugar.']),
      ...(scope.isUntilNow ? ['De las clases por venir no se paga todavía nada.'] : []),
    ],
  }
}

/** The month until today; in its first week the month before, which is what is paid then. */
function paidMonth(now: Date, zone: string): { from: LocalDate; to: LocalDate } {
  const today = localDate(now, zone)
  const month = `${today.slice(0, 8)}01`
  return today.slice(8) <= '07' ? { from: addMonths(month, -1), to: addDays(month, -1) } : { from: month, to: today }
}

export const payReport: ReportSpec = {
  key: 'nomina',
  title: 'Nómina de coaches',
  about: 'Cuánto le pagas a cada coach',
  question: 'paying',
  right: 'payroll',
  isWholeStudio: true,
  groups: ['coach'],
  usualDays: paidMonth,
  figures: [
    {
      key: 'amount',
      label: 'Se paga',
      unit: 'mxn',
      better: null,
      definition:
        'Lo que las reglas de pago dan por las clases de esos días, con los ajustes de sus periodos. Los periodos aprobados valen como se aprobaron. El porcentaje de una regla se aplica a lo reconocido de la clase, con la misma base que Ingresos reconocidos.',
      link: () => adminPaths.payroll,
    },
    {
      key: 'classes',
      label: 'Clases',
      unit: 'count',
      better: null,
      definition: 'Clases pagadas, una vez por cada coach que las dio.',
      link: () => adminPaths.payroll,
    },
    {
      key: 'per_class',
      label: 'Por clase',
      unit: 'mxn',
      better: null,
      definition: 'Lo que se paga entre el número de clases.',
    },
    {
      key: 'per_person',
      label: 'Por persona',
      unit: 'mxn',
      better: 'less',
      definition: 'Lo que se paga entre las personas que llegaron a esas clases.',
    },
  ],
  measure,
  build,
}
