/** Clientes: new, returning and lost customers between the beginning of a period and its end (docs/domain.md RE13). */
import { adminPaths } from '#contract/admin-paths.ts'
import { countActiveCustomers } from '#server/modules/today/today.ts'
import { barChart } from './charts.ts'
import { countMovement, listMoved, type Move, type Movement } from './movement-store.ts'
import { type Body, column, type Headline, type Measures, type ReportSpec, reportLink, type Scope } from './report.ts'
import { lastFourWeeks, type Period } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'

async function measure(scope: Scope, period: Period): Promise<Measures> {
  if (scope.isIndex) return { active: await countActiveCustomers(scope.ctx.db, period.until, scope.locations) }
  const moved = await countMovement(scope.ctx.db, period, scope, scope.ctx.zone)
  return { active: moved.end, start: moved.start, new: moved.new, back: moved.back, lost: moved.lost }
}

const MOVE_NAMES: Readonly<Record<Move, string>> = { new: 'Nueva', back: 'Regresó', lost: 'Se fue' }
const CHOICES: Readonly<Record<Move, string>> = { new: 'nuevas', back: 'regresaron', lost: 'se-fueron' }

const people = (scope: Scope, move: Move) => reportLink('clientes', scope, { por: 'person', solo: CHOICES[move] })

const moved = (count: number, none: string, singular: string, many: string) =>
  count === 0 ? none : count === 1 ? singular : `${many} ${amountText(count, 'count')}`

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }): Headline | null {
  const { active = 0, start = 0, lost = 0, back = 0 } = now
  const came = (now.new ?? 0) + (back ?? 0)
  if (!active && !start) return null
  const apart = (active ?? 0) - (start ?? 0)
  const change = changeText(lost, before?.lost, 'count', scope)
  const word =
    apart > 0
      ? `${countText(apart, 'cliente activo', 'clientes activos')} más`
      : `${countText(-apart, 'cliente activo', 'clientes activos')} menos`
  return {
    text: `${apart === 0 ? 'Tienes los mismos clientes activos' : `Tienes ${word}`} que al empezar: ${moved(came, 'no llegó nadie', 'llegó 1', 'llegaron')} y ${moved(lost ?? 0, 'no se fue nadie', 'se fue 1', 'se fueron')}.`,
    detail: change ? `Bajas: ${change}.` : null,
    actions: [
      ...(lost ? [{ label: 'Ver quiénes se fueron', path: people(scope, 'lost') }] : []),
      ...(now.new ? [{ label: 'Ver quiénes llegaron', path: people(scope, 'new') }] : []),
    ],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, group, only } = scope
  const of = ({ start, new: came, back, lost, active }: Measures): Movement => ({
    start: start ?? 0,
    new: came ?? 0,
    back: back ?? 0,
    lost: lost ?? 0,
    end: active ?? 0,
  })
  const moved = of(measures.now)
  const then = measures.before && of(measures.before)
  const steps = [
    { key: 'start', name: 'Activos al empezar', sign: 1, move: null },
    { key: 'new', name: 'Nuevas', sign: 1, move: 'new' },
    { key: 'back', name: 'Regresaron', sign: 1, move: 'back' },
    { key: 'lost', name: 'Se fueron', sign: -1, move: 'lost' },
    { key: 'end', name: 'Activos al terminar', sign: 1, move: null },
  ] as const
  const isEmpty = moved.start === 0 && moved.end === 0 && moved.new === 0
  const list = group === 'person' ? await listMoved(ctx.db, now, scope, ctx.zone) : null
  return {
    headline: headlineOf(scope, measures),
    charts: [
      barChart(
        'Del principio al final',
        'count',
        steps.map(({ key, name }) => ({ name, value: moved[key], ...(then ? { before: then[key] } : {}) })),
      ),
    ],
    ...(list
      ? {
          table_title: 'Persona por persona, primero quienes se fueron',
          columns: [
            column('name', 'Persona'),
            column('move', 'Movimiento'),
            column('last', 'Última clase', 'day'),
            column('visits', 'Clases en total', 'count', false),
          ],
          rows: list
            .filter(({ move }) => only === undefined || CHOICES[move] === only)
            .map(({ customer_id, name, move, last, visits }) => ({
              id: String(customer_id),
              cells: { name, move: MOVE_NAMES[move], last, visits },
              link: adminPaths.customer(customer_id),
              action:
                move === 'lost' && ctx.may('sales.sell')
                  ? { label: 'Venderle', path: `${adminPaths.newSale}?cliente=${customer_id}` }
                  : null,
            })),
        }
      : {
          table_title: 'Cómo se llega de una cifra a la otra',
          columns: [column('name', 'Clientes'), column('count', 'Personas', 'count', false), column('before', 'Antes', 'count', false)],
          rows: isEmpty
            ? []
            : steps.map(({ key, name, sign, move }) => ({
                id: key,
                cells: { name, count: sign * moved[key], before: then ? sign * then[key] : null },
                link: move && ctx.may('customers.read') ? people(scope, move) : null,
                action: null,
              })),
        }),
    definitions: [
      {
        term: 'Del principio al final',
        text: 'Activos al empezar, más las nuevas, más las que regresaron, menos las que se fueron, son los activos al terminar. Quien llegó y se fue dentro del periodo no está en ninguna.',
      },
    ],
  }
}

export const movementReport: ReportSpec = {
  key: 'clientes',
  title: 'Clientes',
  about: 'Altas, activos y bajas',
  question: 'people',
  right: 'reports.activity',
  groups: ['state', 'person'],
  choices: [
    { key: 'nuevas', label: 'Nuevas' },
    { key: 'regresaron', label: 'Regresaron' },
    { key: 'se-fueron', label: 'Se fueron' },
  ],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'active',
      label: 'Clientes activos',
      unit: 'count',
      better: 'more',
      definition:
        'Al final del periodo: quienes vinieron a una clase en los 30 días anteriores, o tenían clases por usar o una suscripción.',
      link: (scope) => reportLink('clientes', scope),
    },
    {
      key: 'new',
      label: 'Nuevas',
      unit: 'count',
      better: 'more',
      definition: 'Activas al final, no al principio, y nunca antes: sin visitas, clases compradas ni suscripción anteriores al periodo.',
      link: (scope) => people(scope, 'new'),
    },
    {
      key: 'back',
      label: 'Regresaron',
      unit: 'count',
      better: 'more',
      definition: 'Activas al final y no al principio, que ya habían sido clientes antes.',
      link: (scope) => people(scope, 'back'),
    },
    {
      key: 'lost',
      label: 'Se fueron',
      unit: 'count',
      better: 'less',
      definition: 'Activas al principio del periodo y ya no al final.',
      link: (scope) => people(scope, 'lost'),
    },
  ],
  measure,
  build,
}
