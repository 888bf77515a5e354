/** Quién está por irse: the customers at risk or about to expire now (docs/domain.md X3, RE18). */

import { type SQL, sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import { customerStateLabels } from '#contract/copy/customer-list.ts'
import { type LocalDate, localDate } from '#contract/time.ts'
import { refreshBeforeReading } from '#server/modules/customers/customers.ts'
import { atLocations, oneRow, toPercent } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
import { customerName } from './occupancy-store.ts'
import {
  amongPeople,
  type Body,
  column,
  customersLink,
  type Measures,
  oncePerReport,
  type ReportSpec,
  reportLink,
  type Scope,
} from './report.ts'
import { inPesos, lastFourWeeks, type Period } from './rules.ts'
import { countText } from './sentences.ts'

interface AtRisk extends Record<string, unknown> {
  customer_id: number
  name: string
  state: 'at_risk' | 'expiring'
  refused: boolean
  last: LocalDate | null
  next: LocalDate | null
  expires: LocalDate | null
  visits: number
  /** Centavos, ever. */
  spent: number
}

const atRisk = ({ locations, segment }: Pick<Scope, 'locations' | 'segment'>) =>
  sql`s.state in ('at_risk', 'expiring') ${atLocations(sql`s.home_location_id`, locations)} ${amongPeople(sql`s.customer_id`, { segment })}`

interface RiskSums extends Record<string, unknown> {
  people: number
  risk: number
  expiring: number
  refused: number
  /** At risk for another reason, and about to expire without a refused renewal. */
  away: number
  ending: number
  booked: number
  /** Centavos. */
  spent_risk: number
  spent_expiring: number
}

/** All of them, counted; the summaries are brought up to date first. */
const sumAtRisk = oncePerReport(async (scope): Promise<RiskSums> => {
  const { ctx } = scope
  await refreshBeforeReading(ctx)
  const spent = (state: AtRisk['state']) => sql`coalesce(sum(s.spent_centavos) filter (where s.state = ${state}), 0)::float8`
  const count = (which: SQL) => sql`(count(*) filter (where ${which}))::float8`
  return oneRow<RiskSums>(
    ctx.db,
    sql`select count(*)::float8 as people, ${count(sql`s.state = 'at_risk'`)} as risk, ${count(sql`s.state = 'expiring'`)} as expiring,
      ${count(sql`s.renewal_refused`)} as refused, ${count(sql`s.state = 'at_risk' and not s.renewal_refused`)} as away,
      ${count(sql`s.state = 'expiring' and not s.renewal_refused`)} as ending, ${count(sql`s.next_class_at is not null`)} as booked,
      ${spent('at_risk')} as spent_risk, ${spent('expiring')} as spent_expiring
      from customer_summary s where ${atRisk(scope)}`,
  )
})

/** The first ones, of one state or of both: refused renewals, then by spending. */
async function listAtRisk(scope: Scope, state: AtRisk['state'] | null, limit: number): Promise<AtRisk[]> {
  const { ctx } = scope
  const { rows } = await ctx.db.execute<AtRisk>(sql`
    select s.customer_id, ${customerName} as name, s.state, s.renewal_refused as refused, s.visits, s.spent_centavos::float8 as spent,
      to_char(s.last_class_at at time zone ${ctx.zone}, 'YYYY-MM-DD') as last, to_char(s.next_class_at at time zone ${ctx.zone}, 'YYYY-MM-DD') as next,
      to_char(s.next_expiration at time zone ${ctx.zone}, 'YYYY-MM-DD') as expires
    from (
      select s.* from customer_summary s where ${atRisk(scope)} ${state === null ? sql`` : sql`and s.state = ${state}`}
      order by s.renewal_refused desc, s.state, s.spent_centavos desc, s.customer_id limit ${limit}
    ) s join customer u using (customer_id)
    order by s.renewal_refused desc, s.state, s.spent_centavos desc, s.customer_id`)
  return rows
}

/** States are known for now only: there is no previous period to compare with. */
async function measure(scope: Scope, period: Period): Promise<Measures> {
  if (period !== scope.now) return {}
  const { people, risk, refused, expiring, booked } = await sumAtRisk(scope, period)
  return { risk, refused, expiring, booked: toPercent(booked, people) }
}

const WHY = {
  refused: 'Su renovación no pasó',
  away: 'Lleva el doble de lo suyo sin venir',
  ending: 'Se le acaba y no renueva',
} as const
const CHOICES = { 'en-riesgo': 'at_risk', 'por-vencer': 'expiring' } as const

/** The action: write to the customer, or sell to them where the caller may not write. */
function verbOf(ctx: Scope['ctx'], customer_id: number) {
  if (ctx.may('messages.send')) return { label: 'Escribirle', path: `${adminPaths.newBroadcast}?clientes=${customer_id}` }
  return ctx.may('sales.sell') ? { label: 'Venderle', path: `${adminPaths.newSale}?cliente=${customer_id}` } : null
}

async function build(scope: Scope): Promise<Body> {
  const { ctx, only } = scope
  const state = only === undefined ? null : CHOICES[only as keyof typeof CHOICES]
  const sums = await sumAtRisk(scope, scope.now)
  const [people, firsts] = await Promise.all([listAtRisk(scope, state, scope.maxRows), state === null ? null : listAtRisk(scope, null, 1)])
  const today = Date.parse(localDate(ctx.now, ctx.zone))
  const away = ({ last }: AtRisk) => (last === null ? null : Math.round((today - Date.parse(last)) / 86_400_000))
  const [first] = firsts ?? people
  const { risk } = sums
  const whyOf = (person: AtRisk) => (person.refused ? WHY.refused : person.state === 'expiring' ? WHY.ending : WHY.away)
  const isOf = { at_risk: { count: sums.risk, spent: sums.spent_risk }, expiring: { count: sums.expiring, spent: sums.spent_expiring } }
  const all = state === null ? { count: sums.people, spent: sums.spent_risk + sums.spent_expiring } : isOf[state]
  return {
    headline: first
      ? {
          text: risk
            ? `${countText(risk, 'persona está', 'personas están')} por irse. Escríbeles antes de que se les olvide.`
            : `A ${countText(sums.people, 'persona se le acaba', 'personas se les acaba')} lo que tienen y no renuevan.`,
          detail: `Quien más ha gastado: ${first.name}${away(first) === null ? '' : `, ${countText(away(first) ?? 0, 'día', 'días')} sin venir`}.`,
          actions: [{ label: 'Ver en Clientes', path: customersLink(scope, { estado: risk ? 'at_risk' : 'expiring' }) }],
        }
      : null,
    charts: [
      barChart(
        'Por qué',
        'count',
        (['refused', 'away', 'ending'] as const).filter((why) => sums[why] > 0).map((why) => ({ name: WHY[why], value: sums[why] })),
      ),
    ],
    table_title: 'Persona por persona, primero las renovaciones que no pasaron y quien más ha gastado',
    columns: [
      column('name', 'Persona'),
      column('state', 'Estado'),
      column('why', 'Por qué'),
      column('away', 'Sin venir', 'days', false),
      column('next', 'Próxima clase', 'day'),
      column('expires', 'Se le acaba', 'day'),
      column('visits', 'Clases', 'count', false),
      ...(ctx.may('reports.money') ? [column('spent', 'Ha gastado', 'mxn')] : []),
    ],
    rows_total: all.count,
    rows: people.map((person) => ({
      id: String(person.customer_id),
      cells: {
        name: person.name,
        state: customerStateLabels[person.state],
        why: whyOf(person),
        away: away(person),
        next: person.next,
        expires: person.expires,
        visits: person.visits,
        ...(ctx.may('reports.money') ? { spent: inPesos(person.spent) } : {}),
      },
      link: adminPaths.customer(person.customer_id),
      action: verbOf(ctx, person.customer_id),
    })),
    notes: ['Es el estado de este momento: el periodo no lo cambia.'],
    definitions: [
      {
        term: 'Dónde',
        text: 'Con un estudio elegido, las personas que van más a ese estudio en los últimos 90 días.',
      },
    ],
    totals: ctx.may('reports.money') ? { spent: inPesos(all.spent) } : {},
  }
}

export const riskReport: ReportSpec = {
  key: 'riesgo',
  title: 'Quién está por irse',
  about: 'En riesgo o por vencer, con qué hacer',
  question: 'people',
  right: 'reports.activity',
  groups: ['person'],
  choices: [
    { key: 'en-riesgo', label: 'En riesgo' },
    { key: 'por-vencer', label: 'Por vencer' },
  ],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'risk',
      label: 'En riesgo',
      unit: 'count',
      better: 'less',
      definition:
        'Tienen con qué venir y llevan sin hacerlo más del doble de su propia pausa habitual entre visitas, y al menos 10 días; o su renovación no pasó.',
      link: (scope) => reportLink('riesgo', scope, { solo: 'en-riesgo' }),
    },
    {
      key: 'refused',
      label: 'Renovación que no pasó',
      unit: 'count',
      better: 'less',
      definition: 'Suscripciones vivas cuyo último cobro rechazó el banco.',
      link: () => `${adminPaths.sales}?ver=suscripciones&estado=past_due`,
    },
    {
      key: 'expiring',
      label: 'Por vencer',
      unit: 'count',
      better: 'less',
      definition: 'Activas a las que no les queda nada después de 7 días y que no tienen una suscripción que se renueve.',
      link: (scope) => reportLink('riesgo', scope, { solo: 'por-vencer' }),
    },
    {
      key: 'booked',
      label: 'Ya tienen otra clase',
      unit: 'percent',
      better: 'more',
      definition: 'De todas ellas, las que tienen una clase reservada para después de hoy.',
    },
  ],
  measure,
  build,
}
