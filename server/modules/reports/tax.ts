/** Desglose de IVA of collected money, for the accountant (docs/domain.md RE10). */
import { adminPaths } from '#contract/admin-paths.ts'
import type { GroupKey } from '#contract/copy/reports.ts'
import { addDays, addMonths, type LocalDate, localDate } from '#contract/time.ts'
import { barChart, stepChart } from './charts.ts'
import { type Body, column, type Measures, oncePerReport, type ReportSpec, type Scope, screenLink } from './report.ts'
import { inPesos, type Period, sumBy, sumColumns } from './rules.ts'
import { amountText } from './sentences.ts'
import { type TaxSums, taxByDay, taxByGroup } from './tax-store.ts'

const charges = (scope: Scope, more: Record<string, string> = {}, days = scope.now.days) =>
  screenLink(adminPaths.sales, scope, { ver: 'cargos', ...more }, days)

const readDays = oncePerReport(({ ctx, locations }, period) => taxByDay(ctx.db, period, locations, ctx.zone))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { total, tax, returned } = sumColumns(await readDays(scope, period), ['total', 'tax', 'returned'])
  return { tax: inPesos(tax), net: inPesos(total - tax), total: inPesos(total), returned: inPesos(returned) }
}

const cellsOf = ({ total, tax }: TaxSums) => ({ net: inPesos(total - tax), tax: inPesos(tax), total: inPesos(total) })

/** -1: exempt. */
const rateName = (rate: number) => (rate < 0 ? 'Exento' : `IVA ${amountText(rate / 100, 'percent')}`)

const GROUPS: Readonly<Partial<Record<GroupKey, { label: string; filter: string | null }>>> = {
  rate: { label: 'Tasa', filter: null },
  method: { label: 'Forma de pago', filter: 'forma' },
  location: { label: 'Estudio', filter: 'estudio' },
}

async function build(scope: Scope, { now: { tax, net, total } }: { now: Measures }): Promise<Body> {
  const { ctx, now, before, locations, group } = scope
  const about = GROUPS[group]
  const [days, daysBefore, rates, grouped] = await Promise.all([
    readDays(scope, now),
    before && readDays(scope, before),
    taxByGroup(ctx.db, now, locations, 'rate'),
    about && group !== 'rate' ? taxByGroup(ctx.db, now, locations, group) : null,
  ])
  const nameOf = ({ id, name }: { id: number | null; name: string | null }) => (group === 'rate' ? rateName(id ?? 0) : (name ?? 'En línea'))
  return {
    headline: total
      ? {
          text:
            total < 0
              ? `Devolviste más de lo que cobraste: el IVA baja ${amountText(-(tax ?? 0), 'mxn')} y la base ${amountText(-(net ?? 0), 'mxn')}.`
              : `De lo cobrado, ${amountText(tax ?? 0, 'mxn')} es IVA: la base es ${amountText(net ?? 0, 'mxn')}.`,
          detail: 'Es lo que se cobró, no lo que se facturó. Tu contador decide qué se declara.',
          actions: [{ label: 'Ver los cargos', path: charges(scope) }],
        }
      : null,
    charts: [
      stepChart(scope, { title: 'IVA', unit: 'mxn', rows: days, before: daysBefore }, (rows) => inPesos(sumBy(rows, (row) => row.tax))),
      barChart(
        'IVA por tasa',
        'mxn',
        rates.map((row) => ({ name: rateName(row.id ?? 0), value: inPesos(row.tax) })),
      ),
    ],
    table_title: about ? `Por ${about.label.toLowerCase()}` : 'Día por día',
    columns: [
      column('name', about?.label ?? 'Día', about ? 'text' : 'day'),
      column('net', 'Base', 'mxn'),
      column('tax', 'IVA', 'mxn'),
      column('total', 'Total', 'mxn'),
    ],
    rows: about
      ? (grouped ?? rates).map((row, at) => ({
          id: String(row.id ?? `none-${at}`),
          cells: { name: nameOf(row), ...cellsOf(row) },
          link: row.id === null || about.filter === null ? null : charges(scope, { [about.filter]: String(row.id) }),
          action: null,
        }))
      : days.map((row) => ({
          id: row.day,
          cells: { name: row.day, ...cellsOf(row) },
          link: charges(scope, {}, { from: row.day, to: row.day }),
          action: null,
        })),
  }
}

/** The month until today; in its first week the previous month, which accountants need then. */
function accountedMonth(now: Date, zone: string): { from: LocalDate; to: LocalDate } {
  const today = localDate(now, zone)
  const month = `${today.slice(0, 8)}01`
  return today.slice(8) <= '07' ? { from: addMonths(month, -1), to: addDays(month, -1) } : { from: month, to: today }
}

export const taxReport: ReportSpec = {
  key: 'iva',
  title: 'Desglose de IVA',
  about: 'Base, IVA y total de lo cobrado, para tu contador',
  question: 'owing',
  right: 'reports.money',
  groups: ['rate', 'day', 'method', 'location'],
  usualDays: accountedMonth,
  figures: [
    {
      key: 'tax',
      label: 'IVA',
      unit: 'mxn',
      better: null,
      definition:
        'Por cada cobro, el total menos el total entre 1 más la tasa, al centavo. La tasa es la que tenía lo vendido cuando se cobró. Se suman cobros, nunca se calcula sobre una suma.',
      link: (scope) => charges(scope),
    },
    {
      key: 'net',
      label: 'Base',
      unit: 'mxn',
      better: null,
      definition: 'El total menos el IVA, cobro por cobro.',
      link: (scope) => charges(scope),
    },
    {
      key: 'total',
      label: 'Total',
      unit: 'mxn',
      better: null,
      definition:
        'Lo cobrado menos lo devuelto y lo que los bancos se llevaron. No cuenta la venta de tarjetas de regalo, que causa IVA cuando se usan; sí lo que se pagó con ellas.',
      link: (scope) => charges(scope),
    },
    {
      key: 'returned',
      label: 'IVA de lo devuelto',
      unit: 'mxn',
      better: null,
      definition: 'El IVA de devoluciones y contracargos del periodo; ya está restado.',
      link: (scope) => screenLink(adminPaths.sales, scope, { ver: 'devoluciones' }),
    },
  ],
  measure,
  build,
}
