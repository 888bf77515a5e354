/** Primera clase: first-time customers, and those of them who buy (docs/domain.md RE14). */
import { adminPaths } from '#contract/admin-paths.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
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
import { inPesos, lastFourWeeks, type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText, monthText } from './sentences.ts'
import { countTriers, FIRST_ORIGINS, type FirstOrigin, type FirstTimer, listFirstTimers, TRIAL_DAYS } from './visits-store.ts'

const ORIGIN_NAMES: Readonly<Record<FirstOrigin, string>> = {
  trial: 'Clase de prueba',
  courtesy: 'Cortesía',
  drop_in: 'Clase suelta',
  package: 'Ya con paquete',
}

/** First-timers without a package: those who came with one had bought before. */
const triers = (people: readonly FirstTimer[]) => people.filter(({ way }) => way !== 'package')
const buyers = (people: readonly FirstTimer[]) => people.filter((person) => person.purchase_id !== null)
const conversion = (people: readonly FirstTimer[]) => toPercent(buyers(people).length, people.length)

const read = oncePerReport((scope, period) => {
  const { db, now, zone } = scope.ctx
  return listFirstTimers(db, period, scope, now, zone)
})

function measuresOf(people: readonly FirstTimer[]): Measures {
  const tried = triers(people)
  const bought = buyers(tried)
  return {
    conversion: conversion(tried),
    tried: tried.length,
    bought: bought.length,
    days: bought.length ? Math.round((10 * sumBy(bought, ({ days }) => days ?? 0)) / bought.length) / 10 : null,
    paid: inPesos(sumBy(bought, ({ paid }) => paid ?? 0)),
  }
}

async function measure(scope: Scope, period: Period): Promise<Measures> {
  if (!scope.isIndex) return measuresOf(await read(scope, period))
  const { db, now, zone } = scope.ctx
  const { tried, bought } = await countTriers(db, period, scope, now, zone)
  return { conversion: toPercent(bought, tried) }
}

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }, waiting: number): Headline | null {
  if (!now.tried) return null
  const change = changeText(now.conversion, before?.conversion, 'percent', scope)
  return {
    text: `${countText(now.tried, 'persona probó', 'personas probaron')} tu estudio y ${now.bought === 0 ? 'ninguna ha comprado' : now.bought === 1 ? '1 compró' : `${now.bought} compraron`}: ${amountText(now.conversion ?? 0, 'percent')}${change ? `, ${change}` : ''}.`,
    detail: waiting
      ? `${countText(waiting, 'persona todavía está', 'personas todavía están')} en sus primeros ${TRIAL_DAYS} días sin comprar.`
      : null,
    actions: [
      { label: 'Ver quiénes no han comprado', path: reportLink('primera-clase', scope, { por: 'person', solo: 'no-compraron' }) },
      { label: 'Ver a todas', path: reportLink('primera-clase', scope, { por: 'person' }) },
    ],
  }
}

/** Rows of a group: how many tried, and how many of them bought. */
function groupRows(scope: Scope, people: readonly FirstTimer[]) {
  const keyOf = (person: FirstTimer): { id: string; name: string } => {
    if (scope.group === 'type') return { id: String(person.class_type_id), name: person.type }
    if (scope.group === 'coach') return { id: String(person.instructor_id ?? 'none'), name: person.coach ?? 'Sin coach' }
    if (scope.group === 'month') return { id: person.day.slice(0, 7), name: monthText(`${person.day.slice(0, 7)}-01`) }
    return { id: person.way, name: ORIGIN_NAMES[person.way] }
  }
  const groups = new Map<string, { name: string; people: FirstTimer[] }>()
  for (const person of people) {
    const { id, name } = keyOf(person)
    const group = groups.get(id) ?? { name, people: [] }
    group.people.push(person)
    groups.set(id, group)
  }
  const order = (id: string) => (scope.group === 'way' ? FIRST_ORIGINS.indexOf(id as FirstOrigin) : 0)
  return [...groups]
    .sort(
      ([a, group], [b, other]) =>
        order(a) - order(b) || (scope.group === 'month' ? a.localeCompare(b) : other.people.length - group.people.length),
    )
    .map(([id, { name, people }]) => ({
      id,
      cells: {
        name,
        tried: people.length,
        bought: buyers(people).length,
        paid: inPesos(sumBy(buyers(people), ({ paid }) => paid ?? 0)),
        conversion: conversion(people),
      },
      link: null,
      action: null,
    }))
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { group, now, before, only, ctx } = scope
  const [visits, earlier] = await Promise.all([read(scope, now), before && read(scope, before)])
  const people = triers(visits)
  const shown = people.filter((person) => (only === undefined ? true : (person.purchase_id !== null) === (only === 'compraron')))
  const isPerson = group === 'person'
  const label = { type: 'Tipo de clase', coach: 'Coach', month: 'Mes' }[group as 'type'] ?? 'Cómo llegaron'
  const young = people.filter((person) => !person.isComplete && person.purchase_id === null).length
  return {
    headline: headlineOf(scope, measures, young),
    charts: [
      stepChart(
        scope,
        { title: 'Probaron', unit: 'count', least: 'week', rows: people, before: earlier && triers(earlier) },
        (rows) => rows.length,
      ),
      barChart(
        'Compran después, por cómo llegaron',
        'percent',
        FIRST_ORIGINS.filter((origin) => people.some((person) => person.way === origin)).map((origin) => ({
          name: ORIGIN_NAMES[origin],
          value: conversion(people.filter((person) => person.way === origin)),
          ...(earlier ? { before: conversion(earlier.filter((person) => person.way === origin)) } : {}),
        })),
      ),
    ],
    ...(isPerson
      ? {
          table_title: 'Persona por persona, la última primero',
          columns: [
            column('name', 'Persona'),
            column('day', 'Primera clase', 'day'),
            column('class', 'Clase'),
            column('way', 'Cómo llegó'),
            column('returned', 'Volvió'),
            column('bought', 'Qué compró'),
            column('paid', 'Importe', 'mxn'),
          ],
          rows: shown.map((person) => ({
            id: String(person.customer_id),
            cells: {
              name: person.name,
              day: person.day,
              class: person.coach ? `${person.type} · ${person.coach}` : person.type,
              way: ORIGIN_NAMES[person.way],
              returned: person.returned ? 'Sí' : 'No',
              bought: person.bought,
              paid: person.paid === null ? null : inPesos(person.paid),
            },
            link: adminPaths.customer(person.customer_id),
            action:
              person.purchase_id === null && ctx.may('sales.sell')
                ? { label: 'Venderle', path: `${adminPaths.newSale}?cliente=${person.customer_id}` }
                : null,
          })),
        }
      : {
          table_title: `Por ${label.toLowerCase()}`,
          columns: [
            column('name', label),
            column('tried', 'Probaron', 'count'),
            column('bought', 'Compraron', 'count'),
            column('paid', 'Compras', 'mxn'),
            column('conversion', 'Conversión', 'percent', false),
          ],
          rows: groupRows(scope, people),
          totals: { conversion: measures.now.conversion ?? null },
        }),
    notes:
      young > 0
        ? [`Los últimos ${TRIAL_DAYS} días están incompletos: a quienes probaron en ellos todavía les queda tiempo para comprar.`]
        : [],
    definitions: [
      {
        term: 'Cómo llegaron',
        text: 'Con qué se pagó su primera clase: un paquete de prueba, una cortesía o regalo del estudio, o una clase suelta. Quien llegó ya con otro paquete no está probando y no cuenta.',
      },
    ],
  }
}

export const firstClassReport: ReportSpec = {
  key: 'primera-clase',
  title: 'Primera clase',
  about: 'Cuántas personas prueban y cuántas compran después',
  question: 'people',
  right: 'reports.activity',
  groups: ['way', 'type', 'coach', 'month', 'person'],
  choices: [
    { key: 'compraron', label: 'Compraron' },
    { key: 'no-compraron', label: 'No han comprado' },
  ],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'conversion',
      label: 'Conversión',
      unit: 'percent',
      better: 'more',
      definition: `De las personas cuya primera clase de todas fue en el periodo y fue de prueba, de cortesía o suelta, las que compraron un paquete que no es de prueba ni regalo en los ${TRIAL_DAYS} días siguientes.`,
      link: (scope) => reportLink('primera-clase', scope, { por: 'person', solo: 'compraron' }),
    },
    {
      key: 'tried',
      label: 'Probaron',
      unit: 'count',
      better: 'more',
      definition: 'Personas cuya primera clase de todas, a la que asistieron, fue en el periodo y fue de prueba, de cortesía o suelta.',
      link: (scope) => reportLink('primera-clase', scope, { por: 'person' }),
    },
    {
      key: 'bought',
      label: 'Compraron',
      unit: 'count',
      better: 'more',
      definition: `De ellas, las que compraron en los ${TRIAL_DAYS} días siguientes a esa clase.`,
      link: (scope) => reportLink('primera-clase', scope, { por: 'person', solo: 'compraron' }),
    },
    {
      key: 'days',
      label: 'Tardan en comprar',
      unit: 'days',
      better: 'less',
      definition: 'Días entre la primera clase y la compra, en promedio de las que compraron.',
      link: (scope) => screenLink(adminPaths.report('primera-clase'), scope, { por: 'person', solo: 'compraron' }),
    },
  ],
  measure,
  build,
}
