/** Ocupación: which classes fill and which do not (docs/domain.md, "Reports"). */

import { adminPaths } from '#contract/admin-paths.ts'
import type { ReportRow } from '#contract/reports.ts'
import { capitalize } from '#contract/text.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
import { demandingSlots, MIN_CLASSES, OUTSIDE_DEFINITION } from './occupancy-rules.ts'
import {
  listClasses,
  type SpotDay,
  type SpotGroup,
  type SpotSlot,
  spotsByDayAndType,
  spotsByGroup,
  spotsBySlot,
} from './occupancy-store.ts'
import { type Body, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope, screenLink } from './report.ts'
import { lastFourWeeks, type Period, sumBy, sumColumns } from './rules.ts'
import { amountText, changeText, countText, weekdayName } from './sentences.ts'
import { newClassLink, type SlotActions, slotActions, slotKey } from './slot-changes.ts'

const readDays = oncePerReport((scope, period) => spotsByDayAndType(scope.ctx.db, period, scope, scope.ctx.zone))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const days = await readDays(scope, period)
  const { classes, taken, capacity, full, waiting } = sumColumns(days, ['classes', 'taken', 'capacity', 'full', 'waiting'])
  return { occupancy: toPercent(taken, capacity), taken, capacity, full, classes, waiting }
}

/** The classes of an hour of the week, or all of them. */
const classesLink = (scope: Scope, slot?: Pick<SpotSlot, 'weekday' | 'time'>) =>
  reportLink('ocupacion', scope, { por: 'class', ...(slot ? { hora: `${slot.weekday}-${slot.time}` } : {}) })

const nameOf = ({ weekday, time }: Pick<SpotSlot, 'weekday' | 'time'>) => `${capitalize(weekdayName(weekday))} ${time}`
const coachAndLocation = ({ coach, location }: Pick<SpotSlot, 'coach' | 'location'>) => (coach ? `${coach} · ${location}` : location)
const shareOf = (rows: readonly { taken: number; capacity: number }[]) =>
  toPercent(
    sumBy(rows, (row) => row.taken),
    sumBy(rows, (row) => row.capacity),
  )

function headlineOf(
  scope: Scope,
  measures: { now: Measures; before: Measures | null },
  slots: readonly SpotSlot[],
  actions: SlotActions,
): Headline | null {
  const { occupancy, taken = 0, capacity = 0 } = measures.now
  if (occupancy == null) return null
  const [slot] = demandingSlots(slots)
  const see = (slot: SpotSlot) => ({ label: 'Ver las clases', path: classesLink(scope, slot) })
  const from = (slot: SpotSlot) =>
    `${slot.type} con ${slot.coach ?? 'coach por asignar'}, ${countText(slot.classes, 'clase', 'clases')} en ${slot.location}.`
  if (slot?.demand === 'open_another') {
    const another = newClassLink(scope, slot)
    const perClass = Math.max(1, Math.round(slot.waiting / slot.classes))
    return {
      text: `${nameOf(slot)} se llena y en cada clase ${perClass === 1 ? 'una persona se queda' : `${perClass} personas se quedan`} fuera. Abre otra clase.`,
      detail: from(slot),
      actions: [
        ...(scope.ctx.may('schedule.edit')
          ? [{ label: `Crear clase ${weekdayName(slot.weekday).slice(0, 3)} ${another.time}`, path: another.path }]
          : []),
        see(slot),
      ],
    }
  }
  if (slot?.demand === 'move')
    return {
      text: `${nameOf(slot)} va al ${amountText(toPercent(slot.taken, slot.capacity) ?? 0, 'percent')}. Muévela de hora o júntala con otra.`,
      detail: from(slot),
      actions: [...(actions.get(slotKey(slot)) ?? []), see(slot)],
    }
  const change = changeText(occupancy, measures.before?.occupancy, 'percent', scope)
  return {
    text: `Tus clases van al ${amountText(occupancy, 'percent')}${change ? `, ${change}` : ''}.`,
    detail: `${countText(taken ?? 0, 'lugar ocupado', 'lugares ocupados')} de ${amountText(capacity ?? 0, 'count')}.`,
    actions: [{ label: 'Ver las clases', path: classesLink(scope) }],
  }
}

const SPOTS = [
  { key: 'classes', label: 'Clases', type: 'count', sum: true },
  { key: 'taken', label: 'Lugares ocupados', type: 'count', sum: true },
  { key: 'capacity', label: 'Lugares', type: 'count', sum: true },
  { key: 'waiting', label: 'Sin lugar', type: 'count', sum: true },
  { key: 'percent', label: 'Ocupación', type: 'percent', sum: false },
] as const

const spotCells = ({ classes, taken, capacity, waiting }: Pick<SpotGroup, 'classes' | 'taken' | 'capacity' | 'waiting'>) => ({
  classes,
  taken,
  capacity,
  waiting,
  percent: toPercent(taken, capacity),
})

function slotRows(scope: Scope, slots: readonly SpotSlot[], actions: SlotActions): ReportRow[] {
  const demanding = demandingSlots(slots)
  const rest = slots.filter((slot) => !demanding.some((other) => slotKey(other) === slotKey(slot)))
  return [...demanding, ...rest].map((slot) => ({
    id: slotKey(slot),
    cells: { name: nameOf(slot), class: slot.type, who: coachAndLocation(slot), ...spotCells(slot) },
    link: classesLink(scope, slot),
    action: actions.get(slotKey(slot))?.[0] ?? null,
  }))
}

/** The sums of the days by class type, by name. */
function typesOf(days: readonly SpotDay[]): SpotGroup[] {
  const names = new Map(days.map(({ id, name }) => [id, name]))
  return [...names]
    .map(([id, name]) => {
      const own = days.filter((row) => row.id === id)
      return { id, name, ...sumColumns(own, ['classes', 'taken', 'capacity', 'full', 'waiting']) }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

async function tableOf(
  scope: Scope,
  slots: readonly SpotSlot[],
  actions: SlotActions,
): Promise<Pick<Body, 'table_title' | 'columns' | 'rows'>> {
  const { ctx, now, group } = scope
  if (group === 'slot')
    return {
      table_title: 'Por hora, primero las que piden algo',
      columns: [
        { key: 'name', label: 'Hora', type: 'text', sum: false },
        { key: 'class', label: 'Clase', type: 'text', sum: false },
        { key: 'who', label: 'Coach y estudio', type: 'text', sum: false },
        ...SPOTS,
      ],
      rows: slotRows(scope, slots, actions),
    }
  if (group === 'class')
    return {
      table_title: scope.slot ? `Clases de ${nameOf({ weekday: Number(scope.slot[0]), time: scope.slot.slice(2) })}` : 'Clase por clase',
      columns: [
        { key: 'at', label: 'Empieza', type: 'moment', sum: false },
        { key: 'class', label: 'Clase', type: 'text', sum: false },
        { key: 'who', label: 'Coach y estudio', type: 'text', sum: false },
        ...SPOTS.filter(({ key }) => key !== 'classes'),
      ],
      rows: (await listClasses(ctx.db, now, scope, ctx.zone)).map((row) => ({
        id: String(row.single_class_id),
        cells: { at: row.wall, class: row.type, who: coachAndLocation(row), ...spotCells({ ...row, classes: 1 }) },
        link: adminPaths.roster(row.single_class_id),
        action: null,
      })),
    }
  const by = group === 'coach' || group === 'location' || group === 'room' ? group : 'type'
  const label = { type: 'Tipo de clase', coach: 'Coach', location: 'Estudio', room: 'Sala' }[by]
  const filter = { type: 'tipo', coach: 'coach', location: 'estudio', room: 'sala' }[by]
  const rows = by === 'type' ? typesOf(await readDays(scope, now)) : await spotsByGroup(ctx.db, now, scope, ctx.zone, by)
  return {
    table_title: `Por ${label.toLowerCase()}`,
    columns: [{ key: 'name', label, type: 'text', sum: false }, ...SPOTS.map((spot) => ({ ...spot, sum: spot.sum && by !== 'coach' }))],
    rows: [...rows]
      .sort((a, b) => b.taken / b.capacity - a.taken / a.capacity)
      .map((row) => ({
        id: String(row.id),
        cells: { name: row.name, ...spotCells(row) },
        // Classes without a room have no filter of their own.
        link: row.id === 0 ? null : reportLink('ocupacion', scope, { por: 'class', [filter]: String(row.id) }),
        action: null,
      })),
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before } = scope
  const { db, zone } = ctx
  const read = [scope, zone] as const
  const [slots, slotsBefore, days, daysBefore] = await Promise.all([
    spotsBySlot(db, now, ...read),
    before && spotsBySlot(db, before, ...read),
    readDays(scope, now),
    before && readDays(scope, before),
  ])
  const actions = await slotActions(scope, slots)
  const types = typesOf(days)
  const typesBefore = daysBefore && typesOf(daysBefore)
  const filled = types.filter(({ capacity }) => capacity > 0).sort((a, b) => b.taken / b.capacity - a.taken / a.capacity)
  return {
    headline: headlineOf(scope, measures, slots, actions),
    charts: [
      barChart(
        'Por tipo de clase',
        'percent',
        filled.map(({ id, name, taken, capacity }) => ({
          name,
          value: toPercent(taken, capacity),
          ...(typesBefore ? { before: shareOf(typesBefore.filter((row) => row.id === id)) } : {}),
        })),
        'more',
      ),
      // A day has few classes: a week is the shortest useful step.
      stepChart(scope, { title: 'Ocupación', unit: 'percent', least: 'week', rows: days, before: daysBefore }, shareOf),
    ],
    heat: {
      title: 'Por hora y día',
      cells: slots.map((slot) => {
        const earlier = slotsBefore?.find((earlierSlot) => earlierSlot.weekday === slot.weekday && earlierSlot.time === slot.time)
        return {
          weekday: slot.weekday,
          time: slot.time,
          title: slot.type,
          detail: coachAndLocation(slot),
          classes: slot.classes,
          taken: slot.taken,
          capacity: slot.capacity,
          waiting: slot.waiting,
          percent: toPercent(slot.taken, slot.capacity) ?? 0,
          before: earlier && earlier.classes >= MIN_CLASSES ? toPercent(earlier.taken, earlier.capacity) : null,
          absent: toPercent(slot.absent, slot.attended + slot.absent),
          filled: slot.filled,
          fills_before: slot.fills_before,
          link: classesLink(scope, slot),
          actions: [...(actions.get(slotKey(slot)) ?? [])],
          who:
            slot.waiting > 0 && ctx.may('customers.read')
              ? reportLink('espera', scope, { por: 'person', hora: `${slot.weekday}-${slot.time}` })
              : null,
        }
      }),
    },
    ...(await tableOf(scope, slots, actions)),
    totals: { percent: measures.now.occupancy ?? null },
    definitions: [
      {
        term: 'Una hora pide otra clase',
        text: `Desde ${MIN_CLASSES} clases: va al 94 % o más y alguien se quedó sin lugar. Una hora va floja por debajo del 35 %. Una casilla con menos de tres clases antes no se compara.`,
      },
      {
        term: 'Se llena',
        text: 'De las clases de esa hora que se llenaron antes de empezar, cuánto antes de su hora se ocupó el último lugar en la de en medio.',
      },
    ],
  }
}

export const occupancyReport: ReportSpec = {
  key: 'ocupacion',
  title: 'Ocupación',
  about: 'Qué clases llenan y cuáles no, por hora, tipo, coach y sala',
  question: 'filling',
  right: 'reports.activity',
  needsDays: 7,
  groups: ['slot', 'type', 'coach', 'location', 'room', 'class'],
  filters: ['class_type_id', 'instructor_id', 'room_id', 'slot'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'occupancy',
      label: 'Ocupación',
      unit: 'percent',
      better: 'more',
      definition:
        'Lugares ocupados al empezar, con invitados, entre la capacidad. Se suman lugares, no se promedian porcentajes. No cuentan las clases canceladas ni las que no tienen cupo; de las clases por venir, lo que va.',
      link: (scope) => classesLink(scope),
    },
    {
      key: 'taken',
      label: 'Lugares ocupados',
      unit: 'count',
      better: 'more',
      definition: 'Lugares con reservación vigente, también de invitados, de las mismas clases.',
      link: (scope) => screenLink(adminPaths.reservations, scope),
    },
    {
      key: 'full',
      label: 'Clases llenas',
      unit: 'count',
      better: 'more',
      definition: 'Clases que se quedaron sin un lugar libre.',
      link: (scope) => classesLink(scope),
    },
    {
      key: 'waiting',
      label: 'Sin lugar',
      unit: 'count',
      better: 'less',
      definition: OUTSIDE_DEFINITION,
      link: (scope) => reportLink('espera', scope, { por: 'class' }),
    },
  ],
  measure,
  build,
}
