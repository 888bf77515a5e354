/** Ganancia por clase: what classes bring in, by place, and what is left after the pay of their coaches (docs/domain.md RE30). */
import { adminPaths } from '#contract/admin-paths.ts'
import type { ReportColumn, ReportRow } from '#contract/reports.ts'
import { capitalize } from '#contract/text.ts'
import { payOfClasses } from '#server/modules/payroll/payroll.ts'
import { barChart, stepChart } from './charts.ts'
import { sumValues } from './gain-rules.ts'
import { type ClassIncome, listClassIncome } from './gain-store.ts'
import { MIN_CLASSES } from './occupancy-rules.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { lastFourWeeks, type Period } from './rules.ts'
import { amountText, changeText, countText, weekdayName } from './sentences.ts'

type Given = ClassIncome & { pay: number | null }

/** Pay is of the whole studio: who works at some locations does not read it. */
const seesPay = ({ ctx }: Scope): boolean => ctx.may('payroll') && ctx.locationIds === null

const read = oncePerReport(async (scope, period): Promise<Given[]> => {
  const { ctx } = scope
  const classes = await listClassIncome(ctx.db, period, scope, ctx.zone, ctx.now)
  // The index shows no pay.
  if (!seesPay(scope) || scope.isIndex) return classes.map((cls) => ({ ...cls, pay: null }))
  const pay = await payOfClasses(
    ctx,
    classes.map(({ single_class_id }) => single_class_id),
  )
  return classes.map((cls) => ({ ...cls, pay: pay.get(cls.single_class_id) ?? 0 }))
})

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const { income, per_spot, pay, gain, classes } = sumValues(await read(scope, period))
  return { income, per_spot, pay, gain, classes }
}

interface Group {
  id: string
  name: string
  classes: Given[]
}

const slotName = (slot: string) => `${capitalize(weekdayName(Number(slot[0])))} ${slot.slice(2)}`
const GROUPED = ['type', 'coach', 'slot', 'location', 'room'] as const
type Grouped = (typeof GROUPED)[number]

const KEYS_OF: Readonly<Record<Grouped, (classIncome: Given) => { id: string; name: string }[]>> = {
  type: ({ class_type_id, type }) => [{ id: String(class_type_id), name: type }],
  coach: ({ coaches }) => coaches.map(({ id, name }) => ({ id: String(id), name })),
  slot: ({ slot }) => [{ id: slot, name: slotName(slot) }],
  location: ({ location_id, location }) => [{ id: String(location_id), name: location }],
  room: ({ room_id, room }) => [{ id: String(room_id), name: room }],
}
const LABELS: Readonly<Record<Grouped, string>> = { type: 'Tipo de clase', coach: 'Coach', slot: 'Hora', location: 'Estudio', room: 'Sala' }
const FILTERS: Readonly<Record<Grouped, string>> = { type: 'tipo', coach: 'coach', slot: 'hora', location: 'estudio', room: 'sala' }

/** A class with two coaches is in the groups of both. */
function groupsOf(classes: readonly Given[], by: Grouped): Group[] {
  const groups = new Map<string, Group>()
  for (const cls of classes)
    for (const { id, name } of KEYS_OF[by](cls)) {
      const group = groups.get(id) ?? { id, name, classes: [] }
      group.classes.push(cls)
      groups.set(id, group)
    }
  return [...groups.values()]
}

const perSpot = ({ classes }: Group) => sumValues(classes).per_spot ?? 0

function headlineOf(scope: Scope, measures: { now: Measures; before: Measures | null }, classes: readonly Given[]): Headline | null {
  const { per_spot, income } = measures.now
  if (classes.length === 0 || income == null) return null
  const see = (group: Group) => ({
    label: `Ver las clases de ${group.name}`,
    path: reportLink('ganancia', scope, { por: 'class', tipo: group.id }),
  })
  const losing = classes.filter((cls) => cls.pay !== null && cls.pay > cls.income).length
  const detail = losing
    ? `En ${countText(losing, 'clase se pagó', 'clases se pagó')} al coach más de lo que dejó la clase.`
    : 'Sin IVA, de lo pagado por cada lugar que se usó.'
  const types = groupsOf(classes, 'type')
    .filter((group) => group.classes.length >= MIN_CLASSES && sumValues(group.classes).spots > 0)
    .sort((a, b) => perSpot(b) - perSpot(a) || a.name.localeCompare(b.name))
  const [best, last] = [types[0], types.at(-1)]
  if (best && last && best !== last)
    return {
      text: `Cada lugar de ${best.name} deja ${amountText(perSpot(best), 'mxn')}; de ${last.name}, ${amountText(perSpot(last), 'mxn')}.`,
      detail,
      actions: [see(last), see(best)],
    }
  const change = changeText(income, measures.before?.income, 'mxn', scope)
  return {
    text: `Tus clases dejaron ${amountText(income, 'mxn')}${change ? `, ${change}` : ''}${per_spot == null ? '' : `: ${amountText(per_spot, 'mxn')} por lugar`}.`,
    detail,
    actions: [{ label: 'Ver las clases', path: reportLink('ganancia', scope, { por: 'class' }) }],
  }
}

const columnsOf = (scope: Scope, canSum: boolean): ReportColumn[] => [
  column('income', 'Ingreso', 'mxn', canSum),
  column('spots', 'Lugares', 'count', canSum),
  column('per_spot', 'Valor por lugar', 'mxn', false),
  ...(seesPay(scope) ? [column('pay', 'Pago a coaches', 'mxn', canSum), column('gain', 'Ganancia', 'mxn', canSum)] : []),
]

function tableOf(scope: Scope, classes: readonly Given[]): Pick<Body, 'table_title' | 'columns' | 'rows'> {
  const { group } = scope
  if (group === 'class')
    return {
      table_title: scope.slot ? `Clases de ${slotName(scope.slot)}` : 'Clase por clase',
      columns: [column('at', 'Empieza', 'moment'), column('class', 'Clase'), column('who', 'Coach y estudio'), ...columnsOf(scope, true)],
      rows: classes.map(
        (cls): ReportRow => ({
          id: String(cls.single_class_id),
          cells: { at: cls.wall, class: cls.type, who: cls.coach ? `${cls.coach} · ${cls.location}` : cls.location, ...sumValues([cls]) },
          link: adminPaths.roster(cls.single_class_id),
          action: null,
        }),
      ),
    }
  const by = GROUPED.find((by) => by === group) ?? 'type'
  return {
    table_title: `Por ${LABELS[by].toLowerCase()}, primero donde más deja cada lugar`,
    columns: [column('name', LABELS[by]), column('classes', 'Clases', 'count', by !== 'coach'), ...columnsOf(scope, by !== 'coach')],
    rows: groupsOf(classes, by)
      .sort((a, b) => perSpot(b) - perSpot(a) || a.name.localeCompare(b.name))
      .map(
        ({ id, name, classes: own }): ReportRow => ({
          id,
          cells: { name, ...sumValues(own) },
          // Classes without a room have no filter of their own.
          link: id === '0' ? null : reportLink('ganancia', scope, { por: 'class', [FILTERS[by]]: id }),
          action: null,
        }),
      ),
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, before } = scope
  const [classes, earlier] = await Promise.all([read(scope, now), before && read(scope, before)])
  const then = earlier && groupsOf(earlier, 'type')
  return {
    headline: headlineOf(scope, measures, classes),
    charts: [
      barChart(
        'Valor por lugar, por tipo de clase',
        'mxn',
        groupsOf(classes, 'type')
          .filter((group) => sumValues(group.classes).spots > 0)
          .sort((a, b) => perSpot(b) - perSpot(a) || a.name.localeCompare(b.name))
          .map((group) => ({
            name: group.name,
            value: perSpot(group),
            ...(then ? { before: sumValues(then.find(({ id }) => id === group.id)?.classes ?? []).per_spot } : {}),
          })),
        'more',
      ),
      stepChart(
        scope,
        { title: 'Ingreso de las clases', unit: 'mxn', least: 'week', rows: classes, before: earlier },
        (rows) => sumValues(rows).income,
      ),
    ],
    ...tableOf(scope, classes),
    totals: { per_spot: measures.now.per_spot ?? null },
    definitions: [
      {
        term: 'Qué cuenta',
        text: 'Clases que ya terminaron y no se cancelaron. Lo que no es de una clase (inscripciones, productos, créditos que vencieron sin usarse, días ilimitados sin venir) está en Ingresos reconocidos y no aquí. Una clase con dos coaches cuenta para los dos.',
      },
    ],
  }
}

export const gainReport: ReportSpec = {
  key: 'ganancia',
  title: 'Ganancia por clase',
  about: 'Lo que deja cada clase y cada lugar, y lo que se le paga al coach',
  question: 'filling',
  right: 'reports.money',
  needsDays: 7,
  // The index reads four weeks, not a year of places.
  hasOwnPeriod: true,
  groups: ['type', 'coach', 'slot', 'location', 'room', 'class'],
  filters: ['class_type_id', 'instructor_id', 'room_id', 'slot'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'per_spot',
      label: 'Valor por lugar',
      unit: 'mxn',
      better: 'more',
      definition:
        'Lo reconocido de las clases entre su capacidad, de las que tienen cupo. Se suman ingresos y lugares, no se promedian clases.',
      link: (scope) => reportLink('ganancia', scope, { por: 'class' }),
    },
    {
      key: 'income',
      label: 'Ingreso de las clases',
      unit: 'mxn',
      better: 'more',
      definition:
        'Lo reconocido de cada clase, sin IVA y menos lo devuelto: por cada lugar asistido, con falta o cancelado tarde, la parte de lo pagado que le toca; de un paquete ilimitado, la de un día entre sus clases de ese día; de una clase suelta, lo que costó. Cortesías y regalos, nada.',
      link: (scope) => reportLink('ganancia', scope, { por: 'class' }),
    },
    {
      key: 'pay',
      label: 'Pago a coaches',
      unit: 'mxn',
      better: 'less',
      definition:
        'Lo que la nómina paga por esas clases: lo aprobado como se aprobó, lo demás con las reglas de hoy. Sin ajustes a mano, que no son de una clase.',
      link: (scope) => reportLink('nomina', scope),
      isShown: seesPay,
    },
    {
      key: 'gain',
      label: 'Ganancia',
      unit: 'mxn',
      better: 'more',
      definition: 'El ingreso de las clases menos el pago a sus coaches.',
      link: (scope) => reportLink('ganancia', scope, { por: 'class' }),
      isShown: seesPay,
    },
  ],
  measure,
  build,
}
