/** Ventas: what was sold, by package, code, day, location and seller (docs/domain.md RE9). */
import { adminPaths } from '#contract/admin-paths.ts'
import type { GroupKey } from '#contract/copy/reports.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
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
import { inPesos, lastFourWeeks, type Period, sumBy, sumColumns } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'
import { type SoldGroup, type SoldSums, soldByDay, soldByGroup } from './sold-store.ts'

/** The purchases that were sold on some days, in the list of Ventas. */
const purchases = (scope: Scope, more: Record<string, string> = {}, days = scope.now.days) =>
  screenLink(adminPaths.sales, scope, { estado: 'vendidas', ...more }, days)

const readDays = oncePerReport(({ ctx, locations }, period) => soldByDay(ctx.db, period, locations, ctx.zone))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { sales, sold, discounted } = sumColumns(await readDays(scope, period), ['sales', 'sold', 'discounted'])
  return { sales, sold: inPesos(sold), average: sales > 0 ? inPesos(sold / sales) : null, discounted: inPesos(discounted) }
}

const GROUPS: Readonly<Partial<Record<GroupKey, { label: string; unnamed: string; filter: string }>>> = {
  package: { label: 'Paquete', unnamed: 'Clases sueltas, productos y otros', filter: 'paquete' },
  code: { label: 'Código', unnamed: 'Sin código', filter: 'codigo' },
  location: { label: 'Estudio', unnamed: 'En línea', filter: 'estudio' },
  seller: { label: 'Quién vendió', unnamed: 'En línea', filter: 'vendio' },
}

const cellsOf = ({ sales, sold, discounted }: SoldSums) => ({ sales, discounted: inPesos(discounted), sold: inPesos(sold) })

function headlineOf(
  scope: Scope,
  { now, before }: { now: Measures; before: Measures | null },
  packages: readonly SoldGroup[],
): Headline | null {
  if (!now.sales) return null
  const best = packages.find(({ id }) => id !== null)
  const change = changeText(now.sold, before?.sold, 'mxn', scope)
  const share = best ? toPercent(inPesos(best.sold), now.sold ?? 0) : null
  return {
    text: `Vendiste ${amountText(now.sold ?? 0, 'mxn')} en ${countText(now.sales, 'compra', 'compras')}${change ? `, ${change}` : ''}.`,
    detail: best && share ? `${best.name} es ${amountText(Math.round(share), 'percent')} de lo vendido.` : null,
    actions: [
      { label: 'Ver las compras', path: purchases(scope) },
      ...(scope.group === 'code' ? [] : [{ label: 'Ver por código', path: reportLink('ventas', scope, { por: 'code' }) }]),
    ],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, locations, group } = scope
  const [days, daysBefore, packages, grouped] = await Promise.all([
    readDays(scope, now),
    before && readDays(scope, before),
    soldByGroup(ctx.db, now, locations, 'package'),
    group === 'day' || group === 'package' ? null : soldByGroup(ctx.db, now, locations, group),
  ])
  const about = GROUPS[group]
  const rows = about
    ? (grouped ?? packages).map((row) => ({
        id: String(row.id ?? 'none'),
        cells: { name: row.name ?? about.unnamed, ...cellsOf(row) },
        link: row.id === null ? null : purchases(scope, { [about.filter]: String(row.id) }),
        action: null,
      }))
    : days.map((row) => ({
        id: row.day,
        cells: { name: row.day, ...cellsOf(row) },
        link: purchases(scope, {}, { from: row.day, to: row.day }),
        action: null,
      }))
  return {
    headline: headlineOf(scope, measures, packages),
    charts: [
      stepChart(scope, { title: 'Vendido', unit: 'mxn', rows: days, before: daysBefore }, (rows) =>
        inPesos(sumBy(rows, ({ sold }) => sold)),
      ),
      barChart(
        'Por paquete',
        'mxn',
        packages.map((row) => ({ name: row.name ?? 'Otros', value: inPesos(row.sold) })),
      ),
    ],
    table_title: about ? `Vendido por ${about.label.toLowerCase()}` : 'Día por día',
    columns: [
      column('name', about?.label ?? 'Día', about ? 'text' : 'day'),
      column('sales', 'Compras', 'count'),
      column('discounted', 'Descuentos', 'mxn'),
      column('sold', 'Vendido', 'mxn'),
    ],
    rows,
  }
}

export const salesReport: ReportSpec = {
  key: 'ventas',
  title: 'Ventas',
  about: 'Por paquete, código, estudio y quién vendió',
  question: 'going',
  right: 'reports.money',
  groups: ['package', 'code', 'day', 'location', 'seller'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'sales',
      label: 'Compras',
      unit: 'count',
      better: 'more',
      definition:
        'Compras que se completaron o comenzaron en el periodo, por su día de venta, aunque después se hayan devuelto. No cuenta regalos, intentos sin pagar ni renovaciones.',
      link: (scope) => purchases(scope),
    },
    {
      key: 'sold',
      label: 'Vendido',
      unit: 'mxn',
      better: 'more',
      definition:
        'El total de esas compras con sus descuentos, ya pagado o todavía por cobrar. Lo que entró en dinero está en Ingresos cobrados.',
      link: (scope) => purchases(scope),
    },
    {
      key: 'average',
      label: 'Promedio por compra',
      unit: 'mxn',
      better: 'more',
      definition: 'Lo vendido entre el número de compras.',
    },
    {
      key: 'discounted',
      label: 'Descuentos',
      unit: 'mxn',
      better: 'less',
      definition: 'Lo que se dejó de cobrar en esas compras por códigos y descuentos a mano.',
      link: (scope) => reportLink('ventas', scope, { por: 'code' }),
    },
  ],
  measure,
  build,
}
