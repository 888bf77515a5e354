/** Ingresos reconocidos: what was earned, and what is still owed in classes (docs/domain.md RE17). */
import { sql } from 'drizzle-orm'
import { addDays } from '#contract/time.ts'
import { type Income, type IncomeUnitRow, incomeOf, listIncomeUnits } from '#server/modules/income/income.ts'
import { atLocations, percentOf } from '#server/modules/today/today.ts'
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
import { inPesos, lastFourWeeks, type Period, startOfSteps, stepOf, stepsOf, sumOf } from './rules.ts'
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
  Object.fromEntries(KEYS.map((key) => [key, sumOf(rows, (row) => row[key])])) as unknown as Moved

/** What was paid and used until each step of a period, of which its figures, its chart and its rows are made. */
const read = oncePerReport(async (scope, period) => {
  const step = stepOf(period.days) === 'day' ? 'week' : stepOf(period.days)
  const steps = stepsOf(period.days, step)
  // Figures alone need its two ends and no steps between them; the period before has nothing else.
  const instants = period === scope.now && !scope.figuresOnly ? startOfSteps(period, steps, scope.ctx.zone) : [period.from, period.until]
  const units = await listIncomeUnits(scope.ctx.db, instants, sql`true ${atLocations(sql`p.location_id`, scope.locations)}`)
  return { step, steps, instants, units }
})

const movedOf = (unit: IncomeUnitRow, instants: readonly Date[]): Moved => {
  const last = instants.length - 1
  return movedBetween(incomeOf(unit, instants[0] as Date, 0), incomeOf(unit, instants[last] as Date, last))
}

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { instants, units } = await read(scope, period)
  const sums = added(units.map((unit) => movedOf(unit, instants)))
  return Object.fromEntries([
    ...KEYS.map((key) => [key, inPesos(sums[key])] as const),
    ['earned', percentOf(sums.recognised, sums.recognised + sums.end)],
  ])
}

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }): Headline | null {
  if (!now.recognised && !now.end) return null
  const change = changeText(now.recognised, before?.recognised, 'mxn', scope)
  return {
    text: `Ganaste ${amountText(now.recognised ?? 0, 'mxn')} con las clases que diste${change ? `, ${change}` : ''}. Debes clases por ${amountText(now.end ?? 0, 'mxn')}.`,
    detail: 'Sin IVA. Es una guía para ti: lo que se declara lo decide tu contador.',
    actions: [
      { label: 'Ver por compra', path: reportLink('reconocido', scope, { por: 'lot' }) },
      { label: 'Ver lo que está por vencer', path: '/admin/reportes/creditos' },
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
  const { now, group } = scope
  const { step, steps, instants, units } = await read(scope, now)
  const perUnit = units.map((unit) => ({ unit, moved: movedOf(unit, instants) }))
  const recognisedIn = steps.map((_, n) => {
    const [from, until] = [instants[n], instants[n + 1]]
    if (!from || !until) return null
    return sumOf(units, (unit) => incomeOf(unit, until, n + 1).recognised - incomeOf(unit, from, n).recognised)
  })
  const packages = [...new Set(units.map(({ class_package_id }) => class_package_id))]
    .map((id) => {
      const own = perUnit.filter(({ unit }) => unit.class_package_id === id)
      return {
        id,
        name: id === null ? 'Clases sueltas, productos y otros' : (own[0]?.unit.title ?? ''),
        moved: added(own.map(({ moved }) => moved)),
      }
    })
    .sort((a, b) => b.moved.recognised - a.moved.recognised)
  const rows =
    group === 'lot'
      ? perUnit
          .filter(({ moved }) => KEYS.some((key) => moved[key] !== 0))
          .map(({ unit, moved }) => ({
            id: `${unit.purchase_id}-${unit.period}`,
            cells: { name: `#00${unit.purchase_id} ${unit.title}`, ...cellsOf(moved) },
            link: `/admin/ventas/${unit.purchase_id}`,
            action: null,
          }))
      : packages
          .filter(({ moved }) => KEYS.some((key) => moved[key] !== 0))
          .map(({ id, name, moved }) => ({
            id: String(id ?? 'none'),
            cells: { name, ...cellsOf(moved) },
            link: id === null ? null : screenLink('/admin/ventas', scope, { ver: 'cargos', paquete: String(id) }),
            action: null,
          }))
  return {
    headline: headlineOf(scope, measures),
    charts: [
      {
        ...{ title: step === 'week' ? 'Reconocido por semana' : 'Reconocido por mes', kind: 'columns', step },
        series: [
          {
            ...{ key: 'now', label: 'ahora', unit: 'mxn' },
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
      ...{ key: 'recognised', label: 'Reconocido', unit: 'mxn', better: 'more' },
      definition: 'De lo pagado, sin IVA y menos lo devuelto, la parte que corresponde a las clases usadas o vencidas en el periodo.',
      link: (scope) => reportLink('reconocido', scope),
    },
    {
      ...{ key: 'end', label: 'Por reconocer', unit: 'mxn', better: null },
      definition:
        'Lo pagado, sin IVA, menos lo devuelto y lo ya reconocido, al final del periodo: lo que el estudio debe en clases. Nunca es menos que cero.',
      link: (scope) => reportLink('reconocido', scope, { por: 'lot' }),
    },
    {
      ...{ key: 'paid', label: 'Cobrado sin IVA', unit: 'mxn', better: 'more' },
      definition: 'Cargos cobrados en el periodo, sin IVA; también lo pagado con tarjetas de regalo, y no la venta de ellas.',
      link: (scope) => screenLink('/admin/ventas', scope, { ver: 'cargos' }),
    },
    {
      ...{ key: 'back', label: 'Devuelto sin IVA', unit: 'mxn', better: 'less' },
      definition: 'Devoluciones hechas y contracargos perdidos en el periodo, sin IVA, menos lo que los bancos regresaron.',
      link: (scope) => screenLink('/admin/ventas', scope, { ver: 'devoluciones' }),
    },
  ],
  measure,
  build,
}
