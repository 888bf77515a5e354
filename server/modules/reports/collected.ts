/** Ingresos cobrados: collected money, by day, payment method, location, package and seller (docs/domain.md, "Reports"). */
import { adminPaths } from '#contract/admin-paths.ts'
import type { GroupKey } from '#contract/copy/reports.ts'
import { barChart, stepChart } from './charts.ts'
import { type CollectedGroup, type CollectedSums, collectedByDay, collectedByGroup } from './collected-store.ts'
import { type Headline, type Measures, oncePerReport, type ReportSpec, type Scope, screenLink } from './report.ts'
import { inPesos, lastFourWeeks, type Period, sumBy, sumColumns } from './rules.ts'
import { amountText, changeText } from './sentences.ts'

const SALES = adminPaths.sales
const charges = (scope: Scope, more: Record<string, string> = {}, days = scope.now.days) =>
  screenLink(SALES, scope, { ver: 'cargos', ...more }, days)

const readDays = oncePerReport(({ ctx, locations }, period) => collectedByDay(ctx.db, period, locations, ctx.zone))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { collected, charged, charges, returned } = sumColumns(await readDays(scope, period), [
    'collected',
    'charged',
    'charges',
    'returned',
  ])
  return {
    collected: inPesos(collected),
    charges,
    average: charges > 0 ? inPesos(charged / charges) : null,
    returned: inPesos(returned),
  }
}

/** What a group is called without a name, and how the list of charges is narrowed to it. */
const GROUPS: Readonly<Partial<Record<GroupKey, { column: string; unnamed: string; filter: string }>>> = {
  method: { column: 'Forma de pago', unnamed: 'En línea', filter: 'forma' },
  location: { column: 'Estudio', unnamed: 'En línea', filter: 'estudio' },
  package: { column: 'Paquete', unnamed: 'Otros', filter: 'paquete' },
  seller: { column: 'Quién vendió', unnamed: 'En línea', filter: 'vendio' },
}

const cellsOf = ({ collected, charged, returned, charges }: CollectedSums) => ({
  charges,
  charged: inPesos(charged),
  returned: inPesos(returned),
  collected: inPesos(collected),
})

const COLUMNS = [
  { key: 'charges', label: 'Cargos', type: 'count', sum: true },
  { key: 'charged', label: 'Entró', type: 'mxn', sum: true },
  { key: 'returned', label: 'Salió', type: 'mxn', sum: true },
  { key: 'collected', label: 'Cobrado', type: 'mxn', sum: true },
] as const

function headlineOf(
  scope: Scope,
  measures: { now: Measures; before: Measures | null },
  methods: readonly CollectedGroup[],
): Headline | null {
  const collected = measures.now.collected ?? 0
  if (collected === 0 && !measures.now.charges) return null
  const change = changeText(collected, measures.before?.collected, 'mxn', scope)
  const [first] = methods
  const share = first && collected > 0 ? Math.round((100 * first.collected) / (100 * collected)) : null
  return {
    text:
      collected < 0
        ? `Devolviste ${amountText(-collected, 'mxn')} más de lo que cobraste.`
        : `Cobraste ${amountText(collected, 'mxn')}${change ? `, ${change}` : ''}.`,
    detail: first && share !== null && share > 0 ? `${share} % entró por ${first.name ?? 'pagos en línea'}.` : null,
    actions: [{ label: 'Ver los cargos', path: charges(scope) }],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }) {
  const { ctx, now, before, locations, group } = scope
  const [days, daysBefore, methods, grouped] = await Promise.all([
    readDays(scope, now),
    before && readDays(scope, before),
    collectedByGroup(ctx.db, now, locations, 'method'),
    group === 'day' || group === 'method' ? null : collectedByGroup(ctx.db, now, locations, group),
  ])
  const pesosOf = (rows: readonly CollectedSums[]) => inPesos(sumBy(rows, (row) => row.collected))
  const about = GROUPS[group]
  const rowsOfGroups = (group === 'method' ? methods : (grouped ?? [])).map((row, at) => ({
    id: String(row.id ?? `none-${at}`),
    cells: { name: row.name ?? about?.unnamed ?? '', ...cellsOf(row) },
    link: row.id === null || !about ? null : charges(scope, { [about.filter]: String(row.id) }),
    action: null,
  }))
  const rowsOfDays = days.map((row) => ({
    id: row.day,
    cells: { name: row.day, ...cellsOf(row) },
    link: charges(scope, {}, { from: row.day, to: row.day }),
    action: null,
  }))
  return {
    headline: headlineOf(scope, measures, methods),
    charts: [
      stepChart(scope, { title: 'Cobrado', unit: 'mxn', rows: days, before: daysBefore }, pesosOf),
      barChart(
        'Por forma de pago',
        'mxn',
        methods.map((row) => ({ name: row.name ?? 'En línea', value: inPesos(row.collected) })),
      ),
    ],
    table_title: group === 'day' ? 'Día por día' : `Cobrado ${about ? `por ${about.column.toLowerCase()}` : ''}`,
    columns: [
      { key: 'name', label: about?.column ?? 'Día', type: group === 'day' ? ('day' as const) : ('text' as const), sum: false },
      ...COLUMNS,
    ],
    rows: group === 'day' ? rowsOfDays : rowsOfGroups,
  }
}

export const collectedReport: ReportSpec = {
  key: 'cobrado',
  title: 'Ingresos cobrados',
  about: 'Por día, estudio, forma de pago y quién vendió',
  question: 'going',
  right: 'reports.money',
  groups: ['day', 'method', 'location', 'package', 'seller'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'collected',
      label: 'Cobrado',
      unit: 'mxn',
      better: 'more',
      definition:
        'Cargos cobrados en el periodo, menos las devoluciones hechas en él y lo que los bancos se llevaron de vuelta. No cuenta regalos, adeudos ni lo pagado con tarjetas de regalo.',
      link: (scope) => charges(scope),
    },
    {
      key: 'charges',
      label: 'Cargos',
      unit: 'count',
      better: 'more',
      definition: 'Cuántos cargos entraron en el periodo, también los que después se devolvieron.',
      link: (scope) => charges(scope),
    },
    {
      key: 'average',
      label: 'Promedio por cargo',
      unit: 'mxn',
      better: 'more',
      definition: 'Lo que entró entre el número de cargos, sin restar devoluciones.',
    },
    {
      key: 'returned',
      label: 'Salió',
      unit: 'mxn',
      better: 'less',
      definition: 'Devoluciones hechas en el periodo y contracargos perdidos en él, menos lo que los bancos regresaron.',
      link: (scope) => screenLink(SALES, scope, { ver: 'devoluciones' }),
    },
  ],
  measure,
  build,
}
