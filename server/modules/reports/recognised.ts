/** Ingresos reconocidos: what was earned, and what is still owed in classes (docs/domain.md RE17). */

import type { SQL } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import { addDays } from '#contract/time.ts'
import { type Income, listPackageTitles, listPurchaseIncome, type PackageIncome, readIncome } from '#server/modules/income/income.ts'
import { atLocations, toPercent } from '#server/modules/today/today.ts'
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
import { chooseStep, inPesos, lastFourWeeks, listSteps, type Period, startOfSteps, sumBy } from './rules.ts'
import { amountText, changeText } from './sentences.ts'

/** How something moved between the two ends of a period. Centavos. */
interface Moved {
  /** To be earned at the beginning and at the end. */
  start: number
  end: number
  paid: number
  back: number
  recognised: number
}

const movedBetween = (a: Income, b: Income): Moved => ({
  start: a.deferred,
  end: b.deferred,
  paid: b.paid - a.paid,
  back: b.back - a.back,
  recognised: b.recognised - a.recognised,
})

const KEYS = ['start', 'paid', 'back', 'recognised', 'end'] as const
const added = (rows: readonly Moved[]): Moved =>
  Object.fromEntries(KEYS.map((key) => [key, sumBy(rows, (row) => row[key])])) as unknown as Moved

/** Which purchases count, and the zone of the days of the stored income. */
const where = ({ ctx, locations }: Scope) => ({ there: (location_id: SQL) => atLocations(location_id, locations), zone: ctx.zone })

/**
 * Income of each package at the beginning of each step of a period and at its end, of which its figures, its chart and its rows are made.
 */
const read = oncePerReport(async (scope, period) => {
  const step = chooseStep(period.days) === 'day' ? 'week' : chooseStep(period.days)
  const steps = listSteps(period.days, step)
  // The index needs its two ends and no steps between them; the period before has nothing else.
  const instants = period === scope.now && !scope.isIndex ? startOfSteps(period, steps, scope.ctx.zone) : [period.from, period.until]
  return { step, steps, instants, packages: await readIncome(scope.ctx.db, instants, where(scope)) }
})

const NOTHING: Income = { paid: 0, back: 0, recognised: 0, deferred: 0 }
const movedOf = ({ at }: PackageIncome): Moved => movedBetween(at[0] ?? NOTHING, at.at(-1) ?? NOTHING)

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { packages } = await read(scope, period)
  const sums = added(packages.map(movedOf))
  return Object.fromEntries([
    ...KEYS.map((key) => [key, inPesos(sums[key])] as const),
    ['earned', toPercent(sums.recognised, sums.recognised + sums.end)],
  ])
}

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }): Headline | null {
  if (!now.recognised && !now.end) return null
  const change = changeText(now.recognised, before?.recognised, 'mxn', scope)
  return {
    text: `${
      (now.recognised ?? 0) < 0
        ? `Devolviste ${amountText(-(now.recognised ?? 0), 'mxn')} de clases que ya habías dado`
        : `Ganaste ${amountText(now.recognised ?? 0, 'mxn')} con las clases que diste${change ? `, ${change}` : ''}`
    }. Debes clases por ${amountText(now.end ?? 0, 'mxn')}.`,
    detail: 'Sin IVA. Es una guía para ti: lo que se declara lo decide tu contador.',
    actions: [
      { label: 'Ver por compra', path: reportLink('reconocido', scope, { por: 'lot' }) },
      { label: 'Ver lo que está por vencer', path: adminPaths.report('creditos') },
    ],
  }
}

const MONEY = [
  column('start', 'Por reconocer al empezar', 'mxn'),
  column('paid', 'Cobrado', 'mxn'),
  column('back', 'Devuelto', 'mxn'),
  column('recognised', 'Reconocido', 'mxn'),
  column('end', 'Por reconocer al terminar', 'mxn'),
]
const cellsOf = (moved: Moved) => Object.fromEntries(KEYS.map((key) => [key, inPesos(moved[key])]))

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, group, ctx, maxRows } = scope
  const [{ step, steps, instants, packages: income }, titles, purchases] = await Promise.all([
    read(scope, now),
    listPackageTitles(ctx.db),
    group === 'lot' ? listPurchaseIncome(ctx.db, [now.from, now.until], { ...where(scope), limit: maxRows }) : null,
  ])
  // Steps that have not begun have no end.
  const recognisedIn = steps.map((_, n) =>
    instants[n + 1] ? sumBy(income, ({ at }) => (at[n + 1]?.recognised ?? 0) - (at[n]?.recognised ?? 0)) : null,
  )
  const packages = income
    .map((packageIncome) => ({
      id: packageIncome.class_package_id,
      name:
        packageIncome.class_package_id === null ? 'Clases sueltas, productos y otros' : (titles.get(packageIncome.class_package_id) ?? ''),
      moved: movedOf(packageIncome),
    }))
    .sort((a, b) => b.moved.recognised - a.moved.recognised)
  const rows = purchases
    ? purchases.rows.map(({ purchase_id, period, title, at: [start, end] }) => ({
        id: `${purchase_id}-${period}`,
        cells: { name: `#00${purchase_id} ${title}`, ...cellsOf(movedBetween(start, end)) },
        link: adminPaths.sale(purchase_id),
        action: null,
      }))
    : packages
        .filter(({ moved }) => KEYS.some((key) => moved[key] !== 0))
        .map(({ id, name, moved }) => ({
          id: String(id ?? 'none'),
          cells: { name, ...cellsOf(moved) },
          link: id === null ? null : screenLink(adminPaths.sales, scope, { ver: 'cargos', paquete: String(id) }),
          action: null,
        }))
  return {
    headline: headlineOf(scope, measures),
    charts: [
      {
        title: step === 'week' ? 'Reconocido por semana' : 'Reconocido por mes',
        kind: 'columns',
        better: null,
        step,
        series: [
          {
            key: 'now',
            label: 'ahora',
            unit: 'mxn',
            points: steps.map(({ from }, n) => ({ x: from, y: recognisedIn[n] == null ? null : inPesos(recognisedIn[n] ?? 0) })),
          },
        ],
      },
      barChart(
        'Por reconocer, por paquete',
        'mxn',
        [...packages]
          .sort((a, b) => b.moved.end - a.moved.end)
          .filter(({ moved }) => moved.end !== 0)
          .map(({ name, moved }) => ({ name, value: inPesos(moved.end) })),
      ),
    ],
    table_title: group === 'lot' ? 'Compra por compra, la última primero' : 'Por paquete',
    columns: [column('name', group === 'lot' ? 'Compra' : 'Paquete'), ...MONEY],
    rows,
    // Only the first purchases are read.
    ...(purchases ? { rows_total: purchases.count, totals: cellsOf(added(packages.map(({ moved }) => moved))) } : {}),
    definitions: [
      {
        term: 'De un saldo al otro',
        text: 'Lo que estaba por reconocer al empezar, más lo cobrado, menos lo devuelto, menos lo reconocido, es lo que queda por reconocer al terminar. En cada compra, lo reconocido más lo que queda más lo devuelto es lo que se pagó.',
      },
      {
        term: 'Cuándo se reconoce',
        text: 'De un paquete con clases, una parte igual por cada clase usada: asistida, con falta o cancelada tarde, el día de la clase; lo que no se usó, cuando vence o se revoca. De uno ilimitado o en línea, una parte igual por cada día de su vigencia; mientras está congelado, nada. Inscripciones, productos y clases sueltas, al cobrarse. Cortesías y regalos no valen nada. Una tarjeta de regalo cuenta cuando se paga con ella.',
      },
    ],
    notes:
      now.days.to < addDays(now.days.from, 6) ? ['Un periodo de menos de una semana dice poco: las clases se pagan antes de tomarse.'] : [],
  }
}

export const recognisedReport: ReportSpec = {
  key: 'reconocido',
  title: 'Ingresos reconocidos',
  about: 'Lo que ya ganaste y lo que debes en clases',
  question: 'going',
  right: 'reports.money',
  groups: ['package', 'lot'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'recognised',
      label: 'Reconocido',
      unit: 'mxn',
      better: 'more',
      definition: 'De lo pagado, sin IVA y menos lo devuelto, la parte que corresponde a las clases usadas o vencidas en el periodo.',
      link: (scope) => reportLink('reconocido', scope),
    },
    {
      key: 'end',
      label: 'Por reconocer',
      unit: 'mxn',
      better: null,
      definition:
        'Lo pagado, sin IVA, menos lo devuelto y lo ya reconocido, al final del periodo: lo que el estudio debe en clases. Nunca es menos que cero.',
      link: (scope) => reportLink('reconocido', scope, { por: 'lot' }),
    },
    {
      key: 'paid',
      label: 'Cobrado sin IVA',
      unit: 'mxn',
      better: 'more',
      definition: 'Cargos cobrados en el periodo, sin IVA; también lo pagado con tarjetas de regalo, y no la venta de ellas.',
      link: (scope) => screenLink(adminPaths.sales, scope, { ver: 'cargos' }),
    },
    {
      key: 'back',
      label: 'Devuelto sin IVA',
      unit: 'mxn',
      better: 'less',
      definition: 'Devoluciones hechas y contracargos perdidos en el periodo, sin IVA, menos lo que los bancos regresaron.',
      link: (scope) => screenLink(adminPaths.sales, scope, { ver: 'devoluciones' }),
    },
  ],
  measure,
  build,
}
