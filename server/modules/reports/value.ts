/** Valor por cliente: what customers brought in since their first class, by its year (docs/domain.md RE31). */
import { adminPaths } from '#contract/admin-paths.ts'
import type { ReportRow } from '#contract/reports.ts'
import { type LocalDate, localDate } from '#contract/time.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { inPesos, type Period, sumBy } from './rules.ts'
import { amountText, countText } from './sentences.ts'
import { listNames, listStarters, type Starter } from './value-store.ts'

const read = oncePerReport((scope, period) => listStarters(scope.ctx.db, period, scope, scope.ctx.zone, scope.ctx.now))

/** What some customers brought in: in all, and on average. */
function sumStarters(starters: readonly Starter[]) {
  const income = sumBy(starters, (starter) => starter.income)
  const people = starters.length
  return {
    people,
    income: inPesos(income),
    ltv: people > 0 ? inPesos(income / people) : null,
    paying: toPercent(starters.filter((starter) => starter.income > 0).length, people),
  }
}

const measure = async (scope: Scope, period: Period): Promise<Measures> => sumStarters(await read(scope, period))

/** By the year of the first class, the last one first. */
const yearsOf = (starters: readonly Starter[]) =>
  [...Map.groupBy(starters, ({ first }) => first.slice(0, 4))].sort(([a], [b]) => (a < b ? 1 : -1)).map(([year, own]) => ({ year, own }))

function headlineOf(scope: Scope, starters: readonly Starter[]): Headline | null {
  const [last, earlier] = yearsOf(starters)
  if (!last) return null
  const best = earlier ?? last
  const text = ({ own }: typeof best) => amountText(sumStarters(own).ltv ?? 0, 'mxn')
  return {
    text: `Cada persona que empezó en ${best.year} te ha dejado ${text(best)} en promedio.`,
    detail: earlier
      ? `Quienes empezaron en ${last.year}: ${text(last)} hasta hoy, ${countText(last.own.length, 'persona', 'personas')}.`
      : null,
    actions: scope.ctx.may('customers.read') ? [{ label: 'Ver quiénes', path: reportLink('valor', scope, { por: 'person' }) }] : [],
  }
}

async function personRows({ ctx, maxRows }: Scope, starters: readonly Starter[]): Promise<ReportRow[]> {
  const shown = [...starters].sort((a, b) => b.income - a.income || a.customer_id - b.customer_id).slice(0, maxRows)
  const names = await listNames(
    ctx.db,
    shown.map(({ customer_id }) => customer_id),
  )
  return shown.map(({ customer_id, first, income }) => ({
    id: String(customer_id),
    cells: { name: names.get(customer_id) ?? '', first, income: inPesos(income) },
    link: adminPaths.customer(customer_id),
    action: null,
  }))
}

/** The days of a year that are in the period. */
const daysOfYear = (year: string, { from, to }: { from: LocalDate; to: LocalDate }) => ({
  from: from > `${year}-01-01` ? from : `${year}-01-01`,
  to: to < `${year}-12-31` ? to : `${year}-12-31`,
})

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, group } = scope
  const starters = await read(scope, now)
  const years = yearsOf(starters)
  const { people = 0, income = 0, ltv = null, paying = null } = measures.now
  return {
    headline: headlineOf(scope, starters),
    charts: [
      barChart(
        'Valor por cliente, por año de su primera clase',
        'mxn',
        years.map(({ year, own }) => ({ name: year, value: sumStarters(own).ltv })),
      ),
    ],
    ...(group === 'person'
      ? {
          table_title: 'Persona por persona, primero quien más ha dejado',
          columns: [column('name', 'Persona'), column('first', 'Primera clase', 'day'), column('income', 'Ha dejado', 'mxn')],
          rows: await personRows(scope, starters),
          rows_total: people ?? 0,
          totals: { income },
        }
      : {
          table_title: 'Por año de su primera clase',
          columns: [
            column('name', 'Empezaron en'),
            column('people', 'Personas', 'count'),
            column('income', 'Han dejado', 'mxn'),
            column('ltv', 'Por persona', 'mxn', false),
            column('paying', 'Han pagado', 'percent', false),
          ],
          rows: years.map(({ year, own }) => ({
            id: year,
            cells: { name: year, ...sumStarters(own) },
            link: scope.ctx.may('customers.read') ? reportLink('valor', scope, { por: 'person' }, daysOfYear(year, now.days)) : null,
            action: null,
          })),
          totals: { ltv, paying },
        }),
    notes: [
      'Las cifras van hasta hoy, sea cual sea el periodo: este dice cuándo fue la primera clase. Quien empezó hace poco todavía ha dejado poco.',
    ],
  }
}

/** This year and the two before it. */
const lastYears = (now: Date, zone: string): { from: LocalDate; to: LocalDate } => {
  const to = localDate(now, zone)
  return { from: `${Number(to.slice(0, 4)) - 2}-01-01`, to }
}

export const valueReport: ReportSpec = {
  key: 'valor',
  title: 'Valor por cliente',
  about: 'Cuánto ha dejado cada persona, por el año en que empezó',
  question: 'people',
  right: 'reports.money',
  isWholeStudio: true,
  needsDays: 30,
  hasOwnPeriod: true,
  isNotCompared: true,
  groups: ['year', 'person'],
  usualDays: lastYears,
  figures: [
    {
      key: 'ltv',
      label: 'Valor por cliente',
      unit: 'mxn',
      better: 'more',
      definition:
        'De las personas cuya primera clase fue en el periodo, lo reconocido de todas sus compras hasta hoy, sin IVA y menos lo devuelto, entre el número de personas. Quienes ya venían antes de que el estudio llegara aquí no tienen primera clase y no cuentan.',
      link: (scope) => reportLink('valor', scope),
    },
    {
      key: 'people',
      label: 'Empezaron',
      unit: 'count',
      better: 'more',
      definition: 'Personas cuya primera clase de todas fue en el periodo, también las que nunca han pagado.',
      link: (scope) => reportLink('valor', scope),
    },
    {
      key: 'income',
      label: 'Han dejado',
      unit: 'mxn',
      better: 'more',
      definition: 'Lo reconocido hasta hoy de las compras de esas personas, sin IVA y menos lo devuelto.',
      link: (scope) => reportLink('valor', scope),
    },
    {
      key: 'paying',
      label: 'Han pagado',
      unit: 'percent',
      better: 'more',
      definition: 'De esas personas, las que han dejado algo.',
      link: (scope) => reportLink('valor', scope),
    },
  ],
  measure,
  build,
}
