/** Créditos por vencer: whose classes end, and what the studio owes in classes (docs/domain.md RE19). */
import { addDays, localDate } from '#contract/time.ts'
import { barChart, stepChart } from './charts.ts'
import { type ExpiringCreditLot, listExpiring, sumLiving } from './expiring-store.ts'
import { type Body, column, type Headline, type Measures, type ReportSpec, reportLink, type Scope } from './report.ts'
import { inPesos, type Period, sumOf } from './rules.ts'
import { amountText, counted, dayText } from './sentences.ts'

const read = (scope: Scope, period: Period) => listExpiring(scope.ctx.db, period, scope.locations, scope.ctx.zone)
const peopleIn = (lots: readonly ExpiringCreditLot[]) => new Set(lots.map(({ customer_id }) => customer_id)).size
const creditsIn = (lots: readonly ExpiringCreditLot[]) => sumOf(lots, ({ balance }) => balance)
const pesosIn = (lots: readonly ExpiringCreditLot[]) => inPesos(sumOf(lots, ({ value }) => value))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { ctx, locations } = scope
  const [lots, living] = await Promise.all([read(scope, period), period === scope.now ? sumLiving(ctx.db, ctx.now, locations) : null])
  return {
    ...{ people: peopleIn(lots), credits: creditsIn(lots), value: pesosIn(lots) },
    ...{ living: living && inPesos(living.value), living_credits: living?.credits ?? null },
  }
}

function headlineOf(scope: Scope, now: Measures, lots: readonly ExpiringCreditLot[]): Headline | null {
  const { people = 0, credits = 0, value = 0, living, living_credits: all } = now
  if (!people && !all) return null
  const next = lots.find(({ day }) => day >= localDate(scope.ctx.now, scope.ctx.zone))
  return {
    text: people
      ? `A ${counted(people, 'persona se le vencen', 'personas se les vencen')} ${counted(credits ?? 0, 'clase', 'clases')}${value ? ` por ${amountText(value, 'mxn')}` : ''}. Invítalas a reservar.`
      : 'A nadie se le vence nada en estos días.',
    detail: next
      ? `La primera es ${next.name}, el ${dayText(next.day)}.`
      : all
        ? `En total hay ${counted(all, 'clase', 'clases')} por usar${living ? `, por ${amountText(living, 'mxn')}` : ''}.`
        : null,
    actions: people ? [{ label: 'Ver en Clientes', path: '/admin/clientes?vence-en=30' }] : [],
  }
}

/** The lots of each key, in the order of their first end. */
function groupsOf(
  lots: readonly ExpiringCreditLot[],
  keyOf: (lot: ExpiringCreditLot) => string,
): [string, [ExpiringCreditLot, ...ExpiringCreditLot[]]][] {
  const groups = new Map<string, [ExpiringCreditLot, ...ExpiringCreditLot[]]>()
  for (const lot of lots) {
    const group = groups.get(keyOf(lot))
    if (group) group.push(lot)
    else groups.set(keyOf(lot), [lot])
  }
  return [...groups]
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, before, group, ctx } = scope
  const [lots, earlier] = await Promise.all([read(scope, now), before && read(scope, before)])
  const byPackage = groupsOf(lots, ({ class_package_id, title }) => String(class_package_id ?? title))
  const sums = [column('credits', 'Clases', 'count'), column('value', 'Valor sin IVA', 'mxn')]
  const rows = {
    person: () =>
      groupsOf(lots, ({ customer_id }) => String(customer_id)).map(([id, own]) => ({
        id,
        cells: {
          ...{ name: own[0].name, titles: [...new Set(own.map(({ title }) => title))].join(', '), day: own[0].day },
          ...{ credits: creditsIn(own), value: pesosIn(own) },
        },
        link: `/admin/clientes/${id}?ver=creditos`,
        action: ctx.may('sales.sell') ? { label: 'Venderle', path: `/admin/ventas/nueva?cliente=${id}` } : null,
      })),
    package: () =>
      byPackage.map(([id, own]) => ({
        id,
        cells: { name: own[0].title, people: peopleIn(own), credits: creditsIn(own), value: pesosIn(own) },
        link: own[0].class_package_id === null ? null : `/admin/clientes?paquete=${own[0].class_package_id}`,
        action: null,
      })),
    day: () =>
      groupsOf(lots, ({ day }) => day).map(([day, own]) => ({
        id: day,
        cells: { name: day, people: peopleIn(own), credits: creditsIn(own), value: pesosIn(own) },
        link: reportLink('creditos', scope, { por: 'person' }, { from: day, to: day }),
        action: null,
      })),
  }[group as 'person' | 'package' | 'day']()
  return {
    headline: headlineOf(scope, measures.now, lots),
    charts: [
      stepChart(scope, { title: 'Clases que vencen', unit: 'count', least: 'week', rows: lots, before: earlier }, creditsIn),
      barChart(
        'Por paquete',
        'count',
        byPackage.map(([, own]) => ({ name: own[0].title, value: creditsIn(own) })).sort((a, b) => b.value - a.value),
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
      ...{ key: 'people', label: 'Personas', unit: 'count', better: 'less' },
      definition:
        'Personas con clases contadas que vencen en el periodo, sin usar y sin una suscripción que las renueve. No cuentan las congeladas ni las revocadas.',
      link: (scope) => reportLink('creditos', scope, { por: 'person' }),
    },
    {
      ...{ key: 'credits', label: 'Clases por vencer', unit: 'count', better: 'less' },
      definition: 'Cuántas clases les quedan de esos paquetes.',
      link: (scope) => reportLink('creditos', scope, { por: 'package' }),
    },
    {
      ...{ key: 'value', label: 'Valor', unit: 'mxn', better: 'less' },
      definition: 'Lo que se pagó por esas clases, sin IVA y menos lo devuelto, en partes iguales por clase. Las cortesías no valen nada.',
      link: (scope) => reportLink('creditos', scope, { por: 'package' }),
    },
    {
      ...{ key: 'living', label: 'Clases vivas', unit: 'mxn', better: null },
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
