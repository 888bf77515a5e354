/** Suscripciones: monthly income, new and ended subscriptions (docs/domain.md V47, RE16). */
import { adminPaths } from '#contract/admin-paths.ts'
import { addMonths, localDate, startOfDay } from '#contract/time.ts'
import { type ChargeGroup, groupSubscriptions, monthlyRevenue, taxFacts } from '#server/modules/sales/sales.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
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
import { inPesos, type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText, dayText, monthText } from './sentences.ts'
import { countLives, endsIn, type SubscriptionCounts, type SubscriptionEnd, startsIn } from './subscription-rules.ts'
import { listSubscriptionLives, type SubscriptionRow } from './subscriptions-store.ts'

type LiveCharges = ChargeGroup & { state: string; class_package_id: number | null }

/** The next charges of live subscriptions, at the locations of the report. */
async function nextCharges(scope: Scope): Promise<LiveCharges[]> {
  const { ctx, locations } = scope
  const groups = await groupSubscriptions(ctx.db, { locations: null }, ctx.now)
  return locations === null ? groups : groups.filter(({ location_id }) => location_id !== null && locations.includes(location_id))
}

const monthly = (scope: Scope, groups: readonly LiveCharges[]) =>
  inPesos(
    monthlyRevenue(
      groups.filter(({ state }) => state === 'active'),
      taxFacts(scope.ctx.settings, 0).tax_rate,
    ),
  )
const pastDue = (groups: readonly LiveCharges[]) =>
  inPesos(
    sumBy(
      groups.filter(({ state }) => state === 'past_due'),
      ({ amount, count }) => amount * count,
    ),
  )

/** The next charges are known for now only: a past period has no monthly revenue. */
const isCurrent = (scope: Scope, period: Period) => period === scope.now && period.until >= scope.ctx.now

const readLives = oncePerReport((scope, period) => listSubscriptionLives(scope.ctx.db, period, scope.locations))

/** Of those that lived at the beginning: all that ended, and apart by decision and unpaid. */
const churnOf = ({ start, ended, unpaid }: Pick<SubscriptionCounts, 'start' | 'ended' | 'unpaid'>) => ({
  churn: toPercent(ended, start),
  churn_decided: toPercent(ended - unpaid, start),
  churn_unpaid: toPercent(unpaid, start),
})

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const [lives, charges] = await Promise.all([readLives(scope, period), isCurrent(scope, period) ? nextCharges(scope) : null])
  const { start, started, ended, unpaid, end } = countLives(lives, period)
  return {
    live: end,
    start,
    started,
    ended,
    unpaid,
    ...churnOf({ start, ended, unpaid }),
    mrr: charges && monthly(scope, charges),
    past_due: charges && pastDue(charges),
  }
}

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }): Headline | null {
  const { live = 0, started = 0, ended = 0, unpaid = 0, mrr, past_due: due } = now
  if (!live && !started && !ended) return null
  const change = changeText(live, before?.live, 'count', scope)
  const people = (solo: string) => reportLink('suscripciones', scope, { por: 'person', solo })
  return {
    text: due
      ? `${amountText(due, 'mxn')} de renovaciones no pasaron. Cóbralas antes de que se terminen.`
      : `${countText(live ?? 0, 'suscripción viva', 'suscripciones vivas')}${change ? `, ${change}` : ''}${mrr ? `: ${amountText(mrr, 'mxn')} al mes sin IVA` : ''}.`,
    detail: `${started === 1 ? 'Empezó 1' : `Empezaron ${started}`}, ${ended === 1 ? 'terminó 1' : `terminaron ${ended}`}${unpaid ? `; ${unpaid === 1 ? 'una' : unpaid} porque no se pudo cobrar` : ''}.`,
    actions: [
      ...(due && scope.ctx.may('subscriptions.edit')
        ? [{ label: 'Ver las atrasadas', path: `${adminPaths.sales}?ver=suscripciones&estado=past_due` }]
        : []),
      ...(ended ? [{ label: 'Ver quiénes terminaron', path: people('bajas') }] : []),
      ...(started ? [{ label: 'Ver quiénes empezaron', path: people('altas') }] : []),
    ],
  }
}

const ENDS: Readonly<Record<SubscriptionEnd, string>> = {
  cancelled: 'Terminó',
  unpaid: 'Terminó por falta de pago',
  revoked: 'Se le quitó el acceso',
}
const stateOf = ({ endedAt, endedBy, is_past_due, is_paused }: SubscriptionRow, now: Date) =>
  endedAt === null ? (is_past_due ? 'Atrasada' : is_paused ? 'En pausa' : 'Al corriente') : endedAt > now ? 'Por terminar' : ENDS[endedBy]

const COUNTS = [
  column('start', 'Al empezar', 'count'),
  column('started', 'Empezaron', 'count'),
  column('ended', 'Terminaron', 'count'),
  column('end', 'Al terminar', 'count'),
]

/** The months of a period, cut to it. */
function monthsIn(period: Period, zone: string): { month: string; from: Date; until: Date }[] {
  const months: { month: string; from: Date; until: Date }[] = []
  for (let month = `${period.days.from.slice(0, 8)}01`; month <= period.days.to; month = addMonths(month, 1)) {
    const [begins, ends] = [startOfDay(month, zone), startOfDay(addMonths(month, 1), zone)]
    months.push({ month, from: begins < period.from ? period.from : begins, until: ends > period.until ? period.until : ends })
  }
  return months.filter(({ from, until }) => from < until)
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, group, only } = scope
  const [lives, charges, earlier] = await Promise.all([
    readLives(scope, now),
    isCurrent(scope, now) ? nextCharges(scope) : null,
    before && readLives(scope, before),
  ])
  const livedBefore = (id: number | null) =>
    before &&
    earlier &&
    countLives(
      earlier.filter(({ class_package_id }) => class_package_id === id),
      before,
    ).end
  const packages = [...new Set(lives.map(({ class_package_id }) => class_package_id))].map((id) => {
    const own = lives.filter(({ class_package_id }) => class_package_id === id)
    const mrr =
      charges &&
      monthly(
        scope,
        charges.filter(({ class_package_id }) => class_package_id === id),
      )
    return { id, name: own[0]?.title ?? '', ...countLives(own, now), mrr }
  })
  packages.sort((a, b) => b.end - a.end || a.name.localeCompare(b.name))
  const months = monthsIn(now, ctx.zone).map(({ month, ...stretch }) => ({ month, ...countLives(lives, stretch) }))
  const shown = lives.filter((purchase) => {
    if (only === 'altas') return startsIn(purchase, now)
    if (only === 'bajas') return endsIn(purchase, now)
    return only === 'atrasadas'
      ? purchase.is_past_due
      : startsIn(purchase, now) || endsIn(purchase, now) || purchase.endedAt === null || purchase.endedAt >= now.until
  })
  const cells = ({ start, started, ended, end }: ReturnType<typeof countLives>) => ({ start, started, ended, end })
  const table = {
    person: () => ({
      table_title: 'Una por una, la última primero',
      columns: [
        column('name', 'Persona'),
        column('title', 'Suscripción'),
        column('state', 'Estado'),
        column('started', 'Empezó', 'day'),
        column('ended', 'Termina', 'day'),
        column('reason', 'Motivo'),
      ],
      rows: shown.map((subscription) => ({
        id: String(subscription.purchase_id),
        cells: {
          name: subscription.name,
          title: subscription.title,
          state: stateOf(subscription, ctx.now),
          started: localDate(subscription.startedAt, ctx.zone),
          reason: subscription.reason,
          ended: subscription.endedAt && localDate(subscription.endedAt, ctx.zone),
        },
        link: adminPaths.sale(subscription.purchase_id),
        action:
          endsIn(subscription, now) && ctx.may('sales.sell')
            ? { label: 'Venderle', path: `${adminPaths.newSale}?cliente=${subscription.customer_id}` }
            : null,
      })),
    }),
    month: () => ({
      table_title: 'Mes por mes',
      columns: [
        column('name', 'Mes'),
        ...COUNTS.map((count) => ({ ...count, sum: count.key === 'started' || count.key === 'ended' })),
        column('churn', 'Bajas', 'percent', false),
        column('churn_decided', 'Por decisión', 'percent', false),
        column('churn_unpaid', 'Por falta de pago', 'percent', false),
      ],
      rows: (lives.length > 0 ? months : []).map((month) => ({
        id: month.month,
        cells: { name: monthText(month.month), ...cells(month), ...churnOf(month) },
        link: null,
        action: null,
      })),
    }),
    package: () => ({
      table_title: 'Por suscripción',
      columns: [column('name', 'Suscripción'), ...COUNTS, ...(charges ? [column('mrr', 'Al mes, sin IVA', 'mxn')] : [])],
      rows: packages.map(({ id, name, mrr, ...counts }) => ({
        id: String(id),
        cells: { name, ...cells(counts), ...(charges ? { mrr } : {}) },
        link: id === null ? null : screenLink(adminPaths.sales, scope, { ver: 'suscripciones', paquete: String(id) }),
        action: null,
      })),
      totals: (charges ? { mrr: measures.now.mrr ?? null } : {}) as Record<string, number | null>,
    }),
  }[group as 'person' | 'month' | 'package']()
  return {
    headline: headlineOf(scope, measures),
    charts: [
      barChart(
        'Vivas por suscripción',
        'count',
        packages.map(({ id, name, end }) => ({ name, value: end, ...(before ? { before: livedBefore(id) } : {}) })),
        'more',
      ),
      barChart(
        'Del principio al final',
        'count',
        [
          ['Al empezar', 'start'],
          ['Empezaron', 'started'],
          ['Terminaron', 'ended'],
          ['Al terminar', 'live'],
        ].map(([name = '', key = '']) => ({
          name,
          value: measures.now[key] ?? null,
          ...(measures.before ? { before: measures.before[key] ?? null } : {}),
        })),
      ),
    ],
    ...table,
    notes: charges ? [] : [`El ingreso mensual se conoce solo de hoy: el periodo terminó el ${dayText(now.days.to)}.`],
    definitions: [
      {
        term: 'Del principio al final',
        text: 'Las vivas al empezar, más las que empezaron, menos las que terminaron, son las vivas al terminar. Una cancelada vive hasta que acaba lo que se pagó.',
      },
    ],
  }
}

/** The month until today. */
const thisMonth = (now: Date, zone: string) => {
  const to = localDate(now, zone)
  return { from: `${to.slice(0, 8)}01`, to }
}

export const subscriptionReport: ReportSpec = {
  key: 'suscripciones',
  title: 'Suscripciones',
  about: 'Ingreso mensual, altas, bajas y atrasos',
  question: 'going',
  right: 'reports.money',
  groups: ['package', 'month', 'person'],
  choices: [
    { key: 'altas', label: 'Empezaron' },
    { key: 'bajas', label: 'Terminaron' },
    { key: 'atrasadas', label: 'Atrasadas' },
  ],
  usualDays: thisMonth,
  figures: [
    {
      key: 'live',
      label: 'Vivas',
      unit: 'count',
      better: 'more',
      definition:
        'Suscripciones que vivían al final del periodo: también las atrasadas, en pausa, en prueba o canceladas que todavía no terminan lo pagado.',
      link: (scope) => reportLink('suscripciones', scope, { por: 'person' }),
    },
    {
      key: 'mrr',
      label: 'Ingreso mensual',
      unit: 'mxn',
      better: 'more',
      definition:
        'El próximo cobro de cada suscripción al corriente, con su descuento y sin IVA, llevado a un mes: lo de varios meses se divide, lo de días se multiplica por 30.4375. No cuentan las que están en prueba, en pausa, atrasadas o canceladas.',
      link: () => `${adminPaths.sales}?ver=suscripciones`,
    },
    {
      key: 'churn',
      label: 'Bajas',
      unit: 'percent',
      better: 'less',
      definition: 'Las que terminaron en el periodo entre las que vivían al empezar; por decisión o por falta de pago.',
      link: (scope) => reportLink('suscripciones', scope, { por: 'person', solo: 'bajas' }),
    },
    {
      key: 'churn_decided',
      label: 'Bajas por decisión',
      unit: 'percent',
      better: 'less',
      definition:
        'De las bajas, las que la persona o el estudio canceló, o a las que se les quitó el acceso, entre las que vivían al empezar.',
      link: (scope) => reportLink('suscripciones', scope, { por: 'person', solo: 'bajas' }),
    },
    {
      key: 'churn_unpaid',
      label: 'Bajas por falta de pago',
      unit: 'percent',
      better: 'less',
      definition: 'De las bajas, las que terminaron porque no se pudo cobrar la renovación, entre las que vivían al empezar.',
      link: (scope) => reportLink('suscripciones', scope, { por: 'person', solo: 'bajas' }),
    },
    {
      key: 'past_due',
      label: 'Atrasado',
      unit: 'mxn',
      better: 'less',
      definition: 'Lo que suman, con IVA, las renovaciones que no han pasado.',
      link: () => `${adminPaths.sales}?ver=suscripciones&estado=past_due`,
    },
  ],
  measure,
  build,
}
