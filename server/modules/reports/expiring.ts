/** Créditos por vencer: whose classes end, and what the studio owes in classes (docs/domain.md RE19). */
import { adminPaths } from '#contract/admin-paths.ts'
import { addDays, localDate, startOfDay } from '#contract/time.ts'
import { barChart, stepChart } from './charts.ts'
import { type DueSums, listExpiring, nextExpiring, sumExpiring, sumLiving } from './expiring-store.ts'
import {
  type Body,
  column,
  customersLink,
  type Headline,
  type Measures,
  oncePerReport,
  type ReportSpec,
  reportLink,
  type Scope,
} from './report.ts'
import { inPesos, type Period, sumBy } from './rules.ts'
import { amountText, countText, dayText } from './sentences.ts'

const read = oncePerReport((scope, period) => sumExpiring(scope.ctx.db, period, scope, scope.ctx.zone))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { ctx } = scope
  const [{ all }, living] = await Promise.all([
    read(scope, period),
    period === scope.now ? sumLiving(ctx.db, ctx.now, scope, ctx.zone) : null,
  ])
  return {
    people: all.people,
    credits: all.credits,
    value: inPesos(all.value),
    living: living && inPesos(living.value),
    living_credits: living?.credits ?? null,
  }
}

function headlineOf(scope: Scope, now: Measures, next: { name: string; day: string } | null): Headline | null {
  const { people = 0, credits = 0, value = 0, living, living_credits: all } = now
  if (!people && !all) return null
  return {
    text: people
      ? `A ${countText(people, 'persona se le vencen', 'personas se les vencen')} ${countText(credits ?? 0, 'clase', 'clases')}${value ? ` por ${amountText(value, 'mxn')}` : ''}. ${people === 1 ? 'Invítala' : 'Invítalas'} a reservar.`
      : 'A nadie se le vence nada en estos días.',
    detail: next
      ? `La primera es ${next.name}, el ${dayText(next.day)}.`
      : all
        ? `En total hay ${countText(all, 'clase', 'clases')} por usar${living ? `, por ${amountText(living, 'mxn')}` : ''}.`
        : null,
    actions: people ? [{ label: 'Ver en Clientes', path: customersLink(scope, { 'vence-en': '30' }) }] : [],
  }
}

/** The first to end from today on. */
function nextOf(scope: Scope) {
  const { ctx, now } = scope
  const today = startOfDay(localDate(ctx.now, ctx.zone), ctx.zone)
  return nextExpiring(ctx.db, { ...now, from: now.from > today ? now.from : today }, scope, ctx.zone)
}

const sumCells = ({ credits, value }: Omit<DueSums, 'people'>) => ({ credits, value: inPesos(value) })

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, before, group, ctx } = scope
  const [{ all, days, packages }, earlier, next, people] = await Promise.all([
    read(scope, now),
    before && read(scope, before),
    nextOf(scope),
    group === 'person' ? listExpiring(ctx.db, now, scope, ctx.zone, scope.maxRows) : null,
  ])
  const sums = [column('credits', 'Clases', 'count'), column('value', 'Valor sin IVA', 'mxn')]
  const rows = {
    person: () =>
      (people ?? []).map(({ customer_id, name, titles, day, ...sums }) => ({
        id: String(customer_id),
        cells: { name, titles, day, ...sumCells(sums) },
        link: `${adminPaths.customer(customer_id)}?ver=creditos`,
        action: ctx.may('sales.sell') ? { label: 'Venderle', path: `${adminPaths.newSale}?cliente=${customer_id}` } : null,
      })),
    package: () =>
      packages.map((classPackage) => ({
        id: String(classPackage.class_package_id ?? classPackage.title),
        cells: { name: classPackage.title, people: classPackage.people, ...sumCells(classPackage) },
        link: classPackage.class_package_id === null ? null : customersLink(scope, { paquete: String(classPackage.class_package_id) }),
        action: null,
      })),
    day: () =>
      days.map((day) => ({
        id: day.day,
        cells: { name: day.day, people: day.people, ...sumCells(day) },
        link: reportLink('creditos', scope, { por: 'person' }, { from: day.day, to: day.day }),
        action: null,
      })),
  }[group as 'person' | 'package' | 'day']()
  return {
    headline: headlineOf(scope, measures.now, next),
    charts: [
      stepChart(scope, { title: 'Clases que vencen', unit: 'count', least: 'week', rows: days, before: earlier?.days ?? null }, (rows) =>
        sumBy(rows, ({ credits }) => credits),
      ),
      barChart(
        'Por paquete',
        'count',
        packages.map(({ title, credits }) => ({ name: title, value: credits })).sort((a, b) => b.value - a.value),
      ),
    ],
    table_title:
      { person: 'Persona por persona, primero a quien se le vence antes', package: 'Por paquete', day: 'Día por día' }[group as 'person'] ??
      '',
    columns:
      group === 'person'
        ? [column('name', 'Persona'), column('titles', 'Paquete'), column('day', 'Vence', 'day'), ...sums]
        : [
            column('name', group === 'day' ? 'Día' : 'Paquete', group === 'day' ? 'day' : 'text'),
            column('people', 'Personas', 'count', false),
            ...sums,
          ],
    rows,
    rows_total: group === 'person' ? all.people : rows.length,
    totals: sumCells(all),
    notes: before ? ['En días que ya pasaron son las clases que se vencieron sin usarse.'] : [],
  }
}

export const expiringReport: ReportSpec = {
  key: 'creditos',
  title: 'Créditos por vencer',
  about: 'Personas, clases y valor; y lo que debes en clases',
  question: 'owing',
  right: 'reports.money',
  isAhead: true,
  hasOwnPeriod: true,
  groups: ['person', 'package', 'day'],
  usualDays: (now, zone) => ({ from: localDate(now, zone), to: addDays(localDate(now, zone), 29) }),
  figures: [
    {
      key: 'people',
      label: 'Personas',
      unit: 'count',
      better: 'less',
      definition:
        'Personas con clases contadas que vencen en el periodo, sin usar y sin una suscripción que las renueve. No cuentan las congeladas ni las revocadas.',
      link: (scope) => reportLink('creditos', scope, { por: 'person' }),
    },
    {
      key: 'credits',
      label: 'Clases por vencer',
      unit: 'count',
      better: 'less',
      definition: 'Cuántas clases les quedan de esos paquetes.',
      link: (scope) => reportLink('creditos', scope, { por: 'package' }),
    },
    {
      key: 'value',
      label: 'Valor',
      unit: 'mxn',
      better: 'less',
      definition: 'Lo que se pagó por esas clases, sin IVA y menos lo devuelto, en partes iguales por clase. Las cortesías no valen nada.',
      link: (scope) => reportLink('creditos', scope, { por: 'package' }),
    },
    {
      key: 'living',
      label: 'Clases vivas',
      unit: 'mxn',
      better: null,
      definition:
        'Lo que se pagó, sin IVA, por todas las clases contadas que hoy se pueden usar, venzan cuando venzan: lo que el estudio debe en clases contadas.',
      link: (scope) =>
        reportLink(
          'reconocido',
          {
            ...scope,
            now: { ...scope.now, days: { from: localDate(scope.ctx.now, scope.ctx.zone), to: localDate(scope.ctx.now, scope.ctx.zone) } },
          },
          { por: 'lot' },
        ),
    },
  ],
  measure,
  build,
}
