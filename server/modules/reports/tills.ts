/** Cortes de caja: what was counted against what was expected (docs/domain.md RE12). */
import { adminPaths } from '#contract/admin-paths.ts'
import { stepChart } from './charts.ts'
import { type Body, column, type Headline, type Measures, type ReportSpec, reportLink, type Scope } from './report.ts'
import { inPesos, lastFourWeeks, type Period, sumBy } from './rules.ts'
import { amountText, countText } from './sentences.ts'
import { listTills, sumTills, type TillRow, tillsByDay, tillsByGroup } from './tills-store.ts'

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const sums = await sumTills(scope.ctx.db, period, scope.locations)
  return {
    difference: inPesos(sums.counted - sums.expected),
    sessions: sums.sessions,
    differing: sums.differing,
    open: sums.open,
    expected: inPesos(sums.expected),
    counted: inPesos(sums.counted),
  }
}

const discrepancyOf = ({ expected, counted }: Pick<TillRow, 'expected' | 'counted'>) => inPesos(counted - expected)

function headlineOf(scope: Scope, now: Measures, tills: readonly TillRow[]): Headline | null {
  const { sessions = 0, differing = 0, difference = 0, open = 0 } = now
  if (!sessions) return null
  const worst = [...tills].sort((a, b) => Math.abs(discrepancyOf(b)) - Math.abs(discrepancyOf(a)))[0]
  const of = differing ? `${countText(differing, 'corte no cuadró', 'cortes no cuadraron')} de ${sessions}` : ''
  const sum = !difference
    ? 'en suma no falta nada'
    : `en suma ${difference < 0 ? 'faltan' : 'sobran'} ${amountText(Math.abs(difference), 'mxn')}`
  return {
    text: differing ? `${of}: ${sum}.` : sessions === 1 ? 'Cuadró el corte.' : `Cuadraron los ${sessions} cortes.`,
    detail:
      worst && discrepancyOf(worst) !== 0
        ? `El mayor ${discrepancyOf(worst) < 0 ? 'faltante' : 'sobrante'}, ${amountText(Math.abs(discrepancyOf(worst)), 'mxn')}, es de ${worst.who} en ${worst.location}.`
        : open
          ? `${countText(open, 'corte espera', 'cortes esperan')} tu aprobación.`
          : null,
    actions: [
      ...(worst && discrepancyOf(worst) !== 0 ? [{ label: 'Ver ese corte', path: adminPaths.tillCount(worst.cash_session_id) }] : []),
      ...(open ? [{ label: 'Ver los que faltan de aprobar', path: reportLink('cortes', scope, { solo: 'sin-aprobar' }) }] : []),
    ],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, locations, group, only } = scope
  const [tills, days, daysBefore, groups] = await Promise.all([
    listTills(ctx.db, now, locations, ctx.zone),
    tillsByDay(ctx.db, now, locations, ctx.zone),
    before && tillsByDay(ctx.db, before, locations, ctx.zone),
    group === 'seller' || group === 'location' ? tillsByGroup(ctx.db, now, locations, group) : null,
  ])
  const chosen = tills.filter((till) => (only === 'diferencia' ? till.differs : only === 'sin-aprobar' ? !till.approved : true))
  const money = [column('expected', 'Esperado', 'mxn'), column('counted', 'Contado', 'mxn'), column('difference', 'Diferencia', 'mxn')]
  return {
    headline: headlineOf(scope, measures.now, tills),
    charts: [
      stepChart(scope, { title: 'Lo contado', unit: 'mxn', rows: days, before: daysBefore }, (rows) =>
        inPesos(sumBy(rows, ({ counted }) => counted)),
      ),
    ],
    ...(groups
      ? {
          table_title: group === 'seller' ? 'Por persona, primero la mayor diferencia' : 'Por estudio, primero la mayor diferencia',
          columns: [
            column('name', group === 'seller' ? 'Persona' : 'Estudio'),
            column('sessions', 'Cortes', 'count'),
            column('differing', 'Con diferencia', 'count'),
            ...money,
          ],
          rows: groups.map((row) => ({
            id: String(row.id),
            cells: {
              name: row.name,
              sessions: row.sessions,
              differing: row.differing,
              expected: inPesos(row.expected),
              counted: inPesos(row.counted),
              difference: discrepancyOf(row),
            },
            link: group === 'location' ? reportLink('cortes', scope, { estudio: String(row.id) }) : null,
            action: null,
          })),
        }
      : {
          table_title: 'Corte por corte',
          columns: [
            column('at', 'Cerrado', 'moment'),
            column('who', 'Quién'),
            column('location', 'Estudio'),
            column('state', 'Estado'),
            column('note', 'Nota'),
            ...money,
          ],
          rows: chosen.map((till) => ({
            id: String(till.cash_session_id),
            cells: {
              at: till.wall,
              who: till.who,
              location: till.location,
              state: till.approved ? 'Aprobado' : 'Por aprobar',
              note: till.note,
              expected: inPesos(till.expected),
              counted: inPesos(till.counted),
              difference: discrepancyOf(till),
            },
            link: adminPaths.tillCount(till.cash_session_id),
            action:
              !till.approved && ctx.may('cash.review') ? { label: 'Revisar', path: adminPaths.tillCount(till.cash_session_id) } : null,
          })),
        }),
  }
}

export const tillReport: ReportSpec = {
  key: 'cortes',
  title: 'Cortes de caja',
  about: 'Contado contra esperado',
  question: 'owing',
  right: 'reports.money',
  groups: ['session', 'seller', 'location'],
  choices: [
    { key: 'diferencia', label: 'Con diferencia' },
    { key: 'sin-aprobar', label: 'Por aprobar' },
  ],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'difference',
      label: 'Diferencia',
      unit: 'mxn',
      better: null,
      definition: 'Lo contado menos lo esperado, de todas las formas de pago de los cortes que se cerraron en el periodo. Negativa: faltó.',
      link: (scope) => reportLink('cortes', scope, { solo: 'diferencia' }),
    },
    {
      key: 'sessions',
      label: 'Cortes',
      unit: 'count',
      better: null,
      definition: 'Cajas que se cerraron en el periodo.',
      link: (scope) => reportLink('cortes', scope),
    },
    {
      key: 'differing',
      label: 'Con diferencia',
      unit: 'count',
      better: 'less',
      definition: 'Cortes en los que alguna forma de pago no cuadró, aunque la suma sí.',
      link: (scope) => reportLink('cortes', scope, { solo: 'diferencia' }),
    },
    {
      key: 'open',
      label: 'Por aprobar',
      unit: 'count',
      better: 'less',
      definition: 'Cortes cerrados en el periodo que nadie ha aprobado.',
      link: (scope) => reportLink('cortes', scope, { solo: 'sin-aprobar' }),
    },
  ],
  measure,
  build,
}
