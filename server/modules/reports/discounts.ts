/** Descuentos: what codes brought and what they cost (docs/domain.md RE22). */
import { adminPaths } from '#contract/admin-paths.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
import { type DiscountGroup, discountedByGroup, sumDiscounted } from './discounts-store.ts'
import { type Body, column, type Headline, type Measures, type ReportSpec, reportLink, type Scope, screenLink } from './report.ts'
import { inPesos, lastFourWeeks, type Period } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'
import { sumSold } from './sold-store.ts'

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const [{ uses, discounted, sold, first }, all] = await Promise.all([
    sumDiscounted(scope.ctx.db, period, scope.locations),
    sumSold(scope.ctx.db, period, scope.locations),
  ])
  return { uses, sold: inPesos(sold), discounted: inPesos(discounted), share: toPercent(uses, all.sales), first }
}

function headlineOf(
  scope: Scope,
  { now, before }: { now: Measures; before: Measures | null },
  codes: readonly DiscountGroup[],
): Headline | null {
  if (!now.uses) return null
  const best = codes.find(({ id }) => id !== null)
  const change = changeText(now.uses, before?.uses, 'count', scope)
  return {
    text: `Con descuentos vendiste ${amountText(now.sold ?? 0, 'mxn')} y dejaste de cobrar ${amountText(now.discounted ?? 0, 'mxn')}${change ? `: ${change}` : ''}.`,
    detail: best
      ? `${best.name} fue el que más vendió: ${countText(best.uses, 'compra', 'compras')}, ${best.first === 0 ? 'ninguna de alguien nuevo' : best.first === 1 ? '1 de alguien nuevo' : `${best.first} de personas nuevas`}.`
      : null,
    actions: [{ label: 'Ver los códigos', path: adminPaths.discounts }],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, locations } = scope
  const group = scope.group === 'package' ? 'package' : 'code'
  const [codes, earlier, packages] = await Promise.all([
    discountedByGroup(ctx.db, now, locations, 'code'),
    before && discountedByGroup(ctx.db, before, locations, 'code'),
    group === 'package' ? discountedByGroup(ctx.db, now, locations, 'package') : null,
  ])
  const unnamed = group === 'code' ? 'A mano' : 'Clases sueltas y otros'
  return {
    headline: headlineOf(scope, measures, codes),
    charts: [
      barChart(
        'Compras por código',
        'count',
        codes.map(({ id, name, uses }) => ({
          name: name ?? 'A mano',
          value: uses,
          ...(earlier ? { before: earlier.find((discountGroup) => discountGroup.id === id)?.uses ?? 0 } : {}),
        })),
      ),
    ],
    table_title: group === 'code' ? 'Por código' : 'Por paquete',
    columns: [
      column('name', group === 'code' ? 'Código' : 'Paquete'),
      column('uses', 'Compras', 'count'),
      column('first', 'De personas nuevas', 'count'),
      column('discounted', 'Descuentos', 'mxn'),
      column('sold', 'Vendido', 'mxn'),
    ],
    rows: (packages ?? codes).map(({ id, name, uses, first, discounted, sold }) => ({
      id: String(id ?? 'none'),
      cells: { name: name ?? unnamed, uses, first, discounted: inPesos(discounted), sold: inPesos(sold) },
      link: id === null || group === 'package' ? null : screenLink(adminPaths.sales, scope, { estado: 'vendidas', codigo: String(id) }),
      action: null,
    })),
  }
}

export const discountReport: ReportSpec = {
  key: 'descuentos',
  title: 'Descuentos',
  about: 'Usos e ingreso por código',
  question: 'selling',
  right: 'reports.money',
  groups: ['code', 'package'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'uses',
      label: 'Compras con descuento',
      unit: 'count',
      better: null,
      definition:
        'Compras vendidas en el periodo con un código o con un descuento a mano, aunque después se hayan devuelto. Sin regalos ni renovaciones.',
      link: (scope) => reportLink('descuentos', scope),
    },
    {
      key: 'sold',
      label: 'Vendido con descuento',
      unit: 'mxn',
      better: 'more',
      definition: 'El total de esas compras, ya con su descuento.',
      link: (scope) => reportLink('descuentos', scope, { por: 'package' }),
    },
    {
      key: 'discounted',
      label: 'Descontado',
      unit: 'mxn',
      better: 'less',
      definition: 'Lo que se dejó de cobrar en esas compras.',
      link: (scope) => reportLink('descuentos', scope),
    },
    {
      key: 'share',
      label: 'De todas las compras',
      unit: 'percent',
      better: null,
      definition: 'Las compras con descuento entre todas las vendidas en el periodo.',
      link: (scope) => reportLink('ventas', scope, { por: 'code' }),
    },
  ],
  measure,
  build,
}
