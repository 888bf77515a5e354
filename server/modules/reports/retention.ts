/** Retención: which customers keep coming, by the month of the first class (docs/domain.md RE15). */
import { adminPaths } from '#contract/admin-paths.ts'
import { addDays, addMonths, type LocalDate, localDate } from '#contract/time.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { buildCohorts, COHORT_MONTHS, monthRange, shareRetained } from './retention-rules.ts'
import { type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText, monthText } from './sentences.ts'
import { countCohorts, listCohortMembers } from './visits-store.ts'

const cohortsIn = oncePerReport(async (scope, period) => {
  const { db, now, zone } = scope.ctx
  return buildCohorts(await countCohorts(db, monthRange(period.days), now, scope, zone), localDate(now, zone))
})

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const cohorts = await cohortsIn(scope, period)
  return {
    month1: shareRetained(cohorts, 1),
    month3: shareRetained(cohorts, 3),
    month6: shareRetained(cohorts, 6),
    people: sumBy(cohorts, ({ people }) => people),
  }
}

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }): Headline | null {
  if (now.month1 == null) return null
  const change = changeText(now.month1, before?.month1, 'percent', scope)
  const stayed = Math.round(now.month1)
  return {
    text: `De cada 100 personas que empiezan, ${stayed === 0 ? 'ninguna vuelve' : stayed === 1 ? '1 vuelve' : `${stayed} vuelven`} al mes siguiente${change ? `: ${change}` : ''}.`,
    detail:
      now.month3 == null
        ? stayed === 100
          ? 'Todas regresan después de su primer mes.'
          : `${countText(100 - stayed, 'no regresa', 'no regresan')} después de su primer mes.`
        : `A los tres meses siguen viniendo ${amountText(now.month3, 'percent')}.`,
    actions: [{ label: 'Ver quiénes son', path: reportLink('retencion', scope, { por: 'person' }) }],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before, group } = scope
  const [cohorts, earlier, members] = await Promise.all([
    cohortsIn(scope, now),
    before && cohortsIn(scope, before),
    group === 'person' ? listCohortMembers(ctx.db, monthRange(now.days), ctx.now, scope, ctx.zone) : null,
  ])
  const known = Array.from({ length: COHORT_MONTHS }, (_, n) => n + 1).filter((after) => shareRetained(cohorts, after) !== null)
  return {
    headline: headlineOf(scope, measures),
    charts: [
      barChart(
        'Cuántas siguen viniendo',
        'percent',
        known.map((after) => ({
          name: after === 1 ? '1 mes después' : `${after} meses después`,
          value: shareRetained(cohorts, after),
          ...(earlier ? { before: shareRetained(earlier, after) } : {}),
        })),
      ),
    ],
    ...(members
      ? {
          table_title: 'Persona por persona, primero quien hace más que no viene',
          columns: [
            column('name', 'Persona'),
            column('first', 'Primera clase', 'day'),
            column('last', 'Última clase', 'day'),
            column('months', 'Meses en que vino', 'count', false),
            column('visits', 'Clases', 'count'),
          ],
          rows: members.map(({ customer_id, name, first, last, months, visits }) => ({
            id: String(customer_id),
            cells: { name, first, last, months, visits },
            link: adminPaths.customer(customer_id),
            action: ctx.may('sales.sell') ? { label: 'Venderle', path: `${adminPaths.newSale}?cliente=${customer_id}` } : null,
          })),
        }
      : {
          table_title: 'Por mes de su primera clase',
          columns: [
            column('month', 'Empezaron en'),
            column('people', 'Personas', 'count'),
            ...known.map((after) => column(`after${after}`, after === 1 ? '1 mes' : `${after} meses`, 'percent', false)),
          ],
          rows: cohorts.map(({ month, people, came }) => ({
            id: month,
            cells: {
              month: monthText(month),
              people,
              ...Object.fromEntries(
                known.map((after) => [`after${after}`, came[after - 1] == null ? null : toPercent(came[after - 1] ?? 0, people)]),
              ),
            },
            link: reportLink('retencion', scope, { por: 'person' }, { from: month, to: addDays(addMonths(month, 1), -1) }),
            action: null,
          })),
          totals: Object.fromEntries(known.map((after) => [`after${after}`, shareRetained(cohorts, after)])),
        }),
    notes: ['Se cuentan meses completos del calendario; el mes en curso todavía no.'],
  }
}

/** The six months before this one, and this one. */
function lastMonths(now: Date, zone: string): { from: LocalDate; to: LocalDate } {
  const to = localDate(now, zone)
  return { from: addMonths(`${to.slice(0, 8)}01`, -6), to }
}

export const retentionReport: ReportSpec = {
  key: 'retencion',
  title: 'Retención',
  about: 'Quién sigue viniendo, por mes de su primera clase',
  question: 'people',
  right: 'reports.activity',
  needsDays: 62,
  hasOwnPeriod: true,
  groups: ['month', 'person'],
  usualDays: lastMonths,
  figures: [
    {
      key: 'month1',
      label: 'Vuelven al mes',
      unit: 'percent',
      better: 'more',
      definition:
        'De las personas que tomaron su primera clase en un mes del periodo, las que vinieron al menos una vez en el mes siguiente. Solo meses que ya terminaron.',
      link: (scope) => reportLink('retencion', scope, { por: 'person' }),
    },
    {
      key: 'month3',
      label: 'A los 3 meses',
      unit: 'percent',
      better: 'more',
      definition: 'De esas personas, las que vinieron al menos una vez en el tercer mes después del de su primera clase.',
      link: (scope) => reportLink('retencion', scope, { por: 'person' }),
    },
    {
      key: 'month6',
      label: 'A los 6 meses',
      unit: 'percent',
      better: 'more',
      definition: 'De esas personas, las que vinieron al menos una vez en el sexto mes después del de su primera clase.',
      link: (scope) => reportLink('retencion', scope, { por: 'person' }),
    },
    {
      key: 'people',
      label: 'Empezaron',
      unit: 'count',
      better: 'more',
      definition: 'Personas cuya primera clase fue en uno de los meses del periodo, completos.',
      link: (scope) => reportLink('retencion', scope, { por: 'person' }),
    },
  ],
  measure,
  build,
}
