/** Por cobrar: what customers owe now, by age, person and kind (docs/domain.md RE29). */
import { adminPaths } from '#contract/admin-paths.ts'
import { parsePesos } from '#contract/money.ts'
import { addDays, localDate } from '#contract/time.ts'
import { barChart } from './charts.ts'
import {
  AGES,
  type Age,
  type Debtor,
  listDebtors,
  listReceivables,
  RECEIVABLE_KINDS,
  type Receivable,
  type ReceivableKind,
  type ReceivableScope,
  type ReceivableSum,
  sumReceivables,
} from './receivable-store.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { inPesos, type Period, sumBy } from './rules.ts'
import { amountText, countText } from './sentences.ts'

const KINDS: Readonly<Record<ReceivableKind, { key: string; label: string }>> = {
  debt: { key: 'adeudos', label: 'Adeudo de una venta' },
  place: { key: 'lugares', label: 'Lugar por pagar en el estudio' },
  renewal: { key: 'renovaciones', label: 'Renovación que no pasó' },
  cash: { key: 'efectivo', label: 'Orden en efectivo' },
  link: { key: 'enlaces', label: 'Enlace de pago' },
  transfer: { key: 'transferencias', label: 'Transferencia por confirmar' },
}
const AGE_LABELS: Readonly<Record<Age, string>> = {
  coming: 'Todavía no empieza la clase',
  week: 'Hasta 7 días',
  month: 'De 8 a 30 días',
  quarter: 'De 31 a 90 días',
  older: 'Más de 90 días',
}

const receivableScope = ({ ctx, locations }: Scope, kind: ReceivableKind | null): ReceivableScope => {
  const { drop_in_price } = ctx.settings
  return { now: ctx.now, zone: ctx.zone, locations, dropInPrice: drop_in_price === '' ? null : parsePesos(drop_in_price), kind }
}

/** Of all kinds: figures and charts are not limited to one. */
const readSums = oncePerReport((scope: Scope, _period: Period) => sumReceivables(scope.ctx.db, receivableScope(scope, null)))

const centavosOf = (sums: readonly ReceivableSum[]) => sumBy(sums, ({ centavos }) => centavos)

/** Debts are known for now only: there is no previous period to compare with. */
async function measure(scope: Scope, period: Period): Promise<Measures> {
  if (period !== scope.now) return {}
  const { sums, people } = await readSums(scope, period)
  return {
    owed: inPesos(centavosOf(sums)),
    late: inPesos(centavosOf(sums.filter(({ is_late }) => is_late))),
    people,
    transfers: inPesos(centavosOf(sums.filter(({ kind }) => kind === 'transfer'))),
  }
}

const screenOf = ({ kind, link_id }: Pick<Receivable, 'kind' | 'link_id'>) =>
  link_id === null ? `${adminPaths.sales}?ver=por-cobrar` : kind === 'place' ? adminPaths.roster(link_id) : adminPaths.sale(link_id)

/** The verb of a row, on the screen that has it; null without the right. */
function verbOf({ ctx }: Scope, row: Receivable) {
  if (row.kind === 'renewal') return ctx.may('subscriptions.edit') ? { label: 'Ver el cobro', path: screenOf(row) } : null
  if (!ctx.may('sales.sell')) return null
  const label = row.kind === 'transfer' ? 'Confirmar' : row.kind === 'link' ? 'Ver el enlace' : 'Cobrar'
  return { label, path: row.kind === 'link' ? `${adminPaths.sales}?ver=por-cobrar` : screenOf(row) }
}

function headlineOf({ owed, late }: Measures, sums: readonly ReceivableSum[], [first]: readonly Debtor[]): Headline | null {
  if (!owed) return null
  const count = sumBy(sums, (receivableSum) => receivableSum.count)
  return {
    text: late
      ? `Te deben ${amountText(owed, 'mxn')}; ${late === owed ? 'todo ya venció' : `${amountText(late, 'mxn')} ya venció`}.`
      : `Te deben ${amountText(owed, 'mxn')}; nada ha vencido.`,
    detail: `${countText(count, 'pago pendiente', 'pagos pendientes')}.${first ? ` Quien más debe: ${first.name}, ${amountText(inPesos(first.centavos), 'mxn')}.` : ''}`,
    actions: [{ label: 'Ver en Por cobrar', path: `${adminPaths.sales}?ver=por-cobrar` }],
  }
}

/** The table of one group; with one of the kinds only those. */
async function tableOf(scope: Scope, kind: ReceivableKind | null, all: readonly ReceivableSum[], debtors: readonly Debtor[]) {
  const { ctx, group, maxRows } = scope
  const sums = all.filter((receivableSum) => kind === null || receivableSum.kind === kind)
  const amounts = (some: readonly ReceivableSum[]) => ({
    count: sumBy(some, ({ count }) => count),
    owed: inPesos(centavosOf(some)),
    late: inPesos(centavosOf(some.filter(({ is_late }) => is_late))),
  })
  const totals = amounts(sums)
  const columns = [column('count', 'Pagos', 'count'), column('late', 'Vencido', 'mxn'), column('owed', 'Debe', 'mxn')]
  if (group === 'debt')
    return {
      table_title: 'Uno por uno, primero lo vencido y lo más antiguo',
      columns: [
        column('name', 'Persona'),
        column('kind', 'Qué es'),
        column('about', 'De qué'),
        column('since', 'Desde', 'day'),
        column('days', 'Días', 'days', false),
        column('state', 'Estado'),
        column('owed', 'Debe', 'mxn'),
      ],
      rows: (await listReceivables(ctx.db, receivableScope(scope, kind), maxRows)).map((row) => ({
        id: `${row.kind}-${row.id}`,
        cells: {
          name: row.name,
          kind: KINDS[row.kind].label,
          about: row.about,
          since: row.since,
          days: row.is_coming ? null : row.days,
          state: row.is_late ? 'Vencido' : row.is_coming ? 'Por venir' : 'A tiempo',
          owed: inPesos(row.centavos),
        },
        link: screenOf(row),
        action: verbOf(scope, row),
      })),
      rows_total: totals.count,
      totals: { owed: totals.owed },
    }
  if (group === 'person')
    return {
      table_title: 'Por persona, primero quien más debe',
      columns: [column('name', 'Persona'), column('since', 'Lo más antiguo', 'day'), ...columns],
      rows: debtors.map(({ customer_id, name, since, count, centavos, late }) => ({
        id: String(customer_id),
        cells: { name, since, count, owed: inPesos(centavos), late: inPesos(late) },
        link: adminPaths.customer(customer_id),
        action: ctx.may('messages.send') ? { label: 'Escribirle', path: `${adminPaths.newBroadcast}?clientes=${customer_id}` } : null,
      })),
      rows_total: (await sumReceivables(ctx.db, receivableScope(scope, kind))).people,
      totals,
    }
  const isByKind = group === 'kind'
  const keys = isByKind ? RECEIVABLE_KINDS : AGES
  return {
    table_title: isByKind ? 'Por tipo' : 'Por antigüedad',
    columns: [column('name', isByKind ? 'Qué es' : 'Antigüedad'), ...columns],
    rows: keys.flatMap((key) => {
      const own = sums.filter((receivableSum) => (isByKind ? receivableSum.kind : receivableSum.age) === key)
      if (own.length === 0) return []
      const name = isByKind ? KINDS[key as ReceivableKind].label : AGE_LABELS[key as Age]
      const link =
        isByKind && ctx.may('customers.read')
          ? reportLink('por-cobrar', scope, { por: 'debt', solo: KINDS[key as ReceivableKind].key })
          : null
      return [{ id: key, cells: { name, ...amounts(own) }, link, action: null }]
    }),
    totals,
  }
}

async function build(scope: Scope, measures: { now: Measures }): Promise<Body> {
  const { ctx, only } = scope
  const kind = RECEIVABLE_KINDS.find((receivableKind) => KINDS[receivableKind].key === only) ?? null
  const seesNames = ctx.may('customers.read')
  const read = (limit: number) => listDebtors(ctx.db, receivableScope(scope, kind), limit)
  const [{ sums }, debtors] = await Promise.all([
    readSums(scope, scope.now),
    seesNames ? read(scope.group === 'person' ? scope.maxRows : 1) : [],
  ])
  const bars = (keys: readonly string[], labelOf: (key: string) => string, own: (receivableSum: ReceivableSum) => string) =>
    keys
      .map((key) => ({ name: labelOf(key), value: inPesos(centavosOf(sums.filter((receivableSum) => own(receivableSum) === key))) }))
      .filter(({ value }) => value > 0)
  return {
    headline: headlineOf(measures.now, sums, kind === null ? debtors : []),
    charts: [
      barChart(
        'Por antigüedad',
        'mxn',
        bars(
          AGES,
          (key) => AGE_LABELS[key as Age],
          ({ age }) => age,
        ),
      ),
      barChart(
        'Por tipo',
        'mxn',
        bars(
          RECEIVABLE_KINDS,
          (key) => KINDS[key as ReceivableKind].label,
          (receivableKind) => receivableKind.kind,
        ),
      ),
    ],
    ...(await tableOf(scope, kind, sums, debtors)),
    notes: ['Es lo que se debe en este momento: el periodo no lo cambia.'],
    definitions: [
      {
        term: 'Cuándo vence',
        text: 'Un adeudo después del día en que quedó de pagar; un lugar por pagar desde que empieza su clase; una renovación desde que el banco la rechazó. Órdenes y enlaces no vencen aquí: al terminar su plazo se liberan. Una transferencia espera hasta que alguien la confirme o la rechace.',
      },
      {
        term: 'Antigüedad',
        text: 'Días desde la venta, la orden, el enlace o la transferencia; de un lugar, desde su clase; de una renovación, desde el primer rechazo.',
      },
      {
        term: 'Dónde',
        text: 'Con un estudio elegido, lo que se vendió o reservó ahí; lo comprado en línea sin estudio no cuenta.',
      },
    ],
  }
}

export const receivableReport: ReportSpec = {
  key: 'por-cobrar',
  title: 'Por cobrar',
  about: 'Quién te debe, cuánto y desde cuándo',
  question: 'owing',
  right: 'reports.money',
  groups: ['debt', 'person', 'kind', 'age'],
  choices: RECEIVABLE_KINDS.map((kind) => KINDS[kind]),
  usualDays: (now, zone) => ({ from: addDays(localDate(now, zone), -27), to: localDate(now, zone) }),
  figures: [
    {
      key: 'owed',
      label: 'Te deben',
      unit: 'mxn',
      better: 'less',
      definition:
        'Con IVA: adeudos de ventas, lugares por pagar en el estudio, renovaciones que no pasaron, órdenes en efectivo y enlaces de pago que siguen apartados, y transferencias por confirmar. Cada peso cuenta una vez: una transferencia anotada ya no es adeudo.',
      link: (scope) => reportLink('por-cobrar', scope, { por: 'kind' }),
    },
    {
      key: 'late',
      label: 'Vencido',
      unit: 'mxn',
      better: 'less',
      definition: 'De lo anterior, la parte cuyo plazo ya pasó.',
      link: (scope) => reportLink('por-cobrar', scope, { por: 'kind' }),
    },
    {
      key: 'people',
      label: 'Personas',
      unit: 'count',
      better: 'less',
      definition: 'Personas distintas que deben algo de lo anterior.',
      link: (scope) => reportLink('por-cobrar', scope, { por: 'kind' }),
    },
    {
      key: 'transfers',
      label: 'Por confirmar',
      unit: 'mxn',
      better: 'less',
      definition: 'Transferencias que se anotaron y nadie ha confirmado en el banco.',
      link: () => `${adminPaths.sales}?ver=por-cobrar`,
    },
  ],
  measure,
  build,
}
