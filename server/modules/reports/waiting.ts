/** Demanda no atendida: who wanted a place and got none, and how soon classes are full (docs/domain.md RE21, RE32). */
import { adminPaths } from '#contract/admin-paths.ts'
import { minutesText } from '#contract/copy/minutes.ts'
import { capitalize } from '#contract/text.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
import { MIN_CLASSES, OUTSIDE_DEFINITION } from './occupancy-rules.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, reportLink, type Scope } from './report.ts'
import { lastFourWeeks, type Period, sumBy, sumColumns } from './rules.ts'
import { changeText, countText, weekdayName } from './sentences.ts'
import { newClassLink } from './slot-changes.ts'
import { median, minutesToFill } from './waiting-rules.ts'
import { type FilledClass, listFilledClasses, type WaitGroup, type WaitGrouping, waitsByDay, waitsByGroup } from './waiting-store.ts'

const readDays = oncePerReport((scope, period) => waitsByDay(scope.ctx.db, period, scope, scope.ctx.zone))

const readFilled = oncePerReport(async (scope, period) => {
  // The index shows who stayed outside.
  if (scope.isIndex) return []
  const { zone, settings, db } = scope.ctx
  return listFilledClasses(db, period, scope, { zone, opensDays: settings.reservation_opens_days })
})

const fillOf = (classes: readonly FilledClass[]): number | null => median(classes.map(minutesToFill))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const [{ days, people }, filled] = await Promise.all([readDays(scope, period), readFilled(scope, period)])
  const { outside, waited, got_in, classes, refused } = sumColumns(days, ['outside', 'waited', 'got_in', 'classes', 'refused'])
  return { outside, people, classes, got_in: toPercent(got_in, waited), refused, fill: fillOf(filled) }
}

/** "4-18:00" as "Jueves 18:00". */
const slotName = (slot: string) => `${capitalize(weekdayName(Number(slot[0])))} ${slot.slice(2)}`

function headlineOf(
  scope: Scope,
  { now, before }: { now: Measures; before: Measures | null },
  slots: readonly WaitGroup[],
  filled: readonly FilledClass[],
): Headline | null {
  if (!now.outside) return null
  const [worst] = slots
  const fill = fillOf(filled.filter(({ slot }) => slot === worst?.id))
  const change = changeText(now.people, before?.people, 'count', scope)
  return {
    text: `${countText(now.people ?? 0, 'persona se quedó', 'personas se quedaron')} sin lugar en ${countText(now.classes ?? 0, 'clase', 'clases')}${change ? `, ${change}` : ''}.`,
    detail: worst
      ? `Donde más: ${slotName(worst.id)}, ${countText(worst.outside, 'persona', 'personas')}.${fill === null ? '' : ` Se llena en ${minutesText(fill)}.`}`
      : null,
    actions: [
      ...(worst ? [{ label: 'Ver las clases de esa hora', path: reportLink('ocupacion', scope, { por: 'class', hora: worst.id }) }] : []),
      ...(scope.ctx.may('customers.read') ? [{ label: 'Ver quiénes', path: reportLink('espera', scope, { por: 'person' }) }] : []),
    ],
  }
}

/** How many hours the chart of the fastest has. */
const FASTEST = 12

const LABELS: Readonly<Record<WaitGrouping, string>> = { slot: 'Hora', type: 'Tipo de clase', class: 'Empieza', person: 'Persona' }

function linkOf(scope: Scope, group: WaitGrouping, id: string): string {
  if (group === 'person') return adminPaths.customer(Number(id))
  if (group === 'class') return `${adminPaths.roster(Number(id))}?ver=espera`
  return reportLink('ocupacion', scope, { por: 'class', ...(group === 'slot' ? { hora: id } : { tipo: id }) })
}

/** The row of a class that was full. */
const groupIdOf = (group: WaitGrouping, { slot, class_type_id, single_class_id }: FilledClass): string =>
  group === 'slot' ? slot : String(group === 'type' ? class_type_id : single_class_id)

/** The hours that are full soonest, of those that were at least three times. */
function fillChart(filled: readonly FilledClass[]) {
  const hours = [...Map.groupBy(filled, ({ slot }) => slot)]
    .filter(([, own]) => own.length >= MIN_CLASSES)
    .map(([slot, own]) => ({ name: slotName(slot), value: fillOf(own) ?? 0 }))
    .sort((a, b) => a.value - b.value || a.name.localeCompare(b.name))
  return hours.length > 0 ? [barChart('Se llenan en, por hora', 'minutes', hours.slice(0, FASTEST))] : []
}

/** A new class an hour after one from which people stayed outside; null without the right to plan. */
function openAnother(scope: Scope, slot: string) {
  if (!scope.ctx.may('schedule.edit')) return null
  return { label: 'Abrir otra', path: newClassLink(scope, { weekday: Number(slot[0]), time: slot.slice(2) }).path }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { ctx, now, before } = scope
  const group = scope.group as WaitGrouping
  const read = [scope, ctx.zone] as const
  const [slots, others, { days }, earlier, filled] = await Promise.all([
    waitsByGroup(ctx.db, now, ...read, 'slot'),
    group === 'slot' ? null : waitsByGroup(ctx.db, now, ...read, group),
    readDays(scope, now),
    before && readDays(scope, before),
    readFilled(scope, now),
  ])
  const filledBy = Map.groupBy(filled, (filledClass) => groupIdOf(group, filledClass))
  const rows = others ?? slots
  const lasting = slots.filter(({ outside, classes }) => outside > 0 && classes >= MIN_CLASSES)
  return {
    headline: headlineOf(scope, measures, lasting, filled),
    charts: [
      stepChart(scope, { title: 'Sin lugar', unit: 'count', least: 'week', rows: days, before: earlier?.days ?? null }, (rows) =>
        sumBy(rows, ({ outside }) => outside),
      ),
      barChart(
        'Por hora',
        'count',
        lasting.map(({ id, outside }) => ({ name: slotName(id), value: outside })),
      ),
      ...fillChart(filled),
    ],
    table_title: `Por ${LABELS[group].toLowerCase()}, primero donde más se quedaron fuera`.replace('Por empieza', 'Clase por clase'),
    columns: [
      column('name', LABELS[group], group === 'class' ? 'moment' : 'text'),
      ...(group === 'class' ? [column('detail', 'Clase')] : []),
      ...(group === 'slot' || group === 'type' ? [column('filled', 'Se llenaron', 'count')] : []),
      ...(group === 'person' ? [] : [column('fill', group === 'class' ? 'Se llenó en' : 'Se llenan en', 'minutes', false)]),
      column('waited', 'Quisieron', 'count'),
      column('got_in', 'Entraron', 'count'),
      column('refused', 'No se formaron', 'count'),
      // The last one stands beside the name where rows are cards: it is what they are ordered by.
      column('outside', 'Sin lugar', 'count'),
    ],
    totals: { fill: measures.now.fill ?? null },
    rows: rows.map(({ id, name, detail, waited, got_in, outside, refused }) => ({
      id,
      cells: {
        name: group === 'slot' ? slotName(name) : name,
        detail,
        waited,
        got_in,
        outside,
        refused,
        filled: filledBy.get(id)?.length ?? 0,
        fill: fillOf(filledBy.get(id) ?? []),
      },
      link: linkOf(scope, group, id),
      action: group === 'slot' && lasting.some((slot) => slot.id === id) ? openAnother(scope, id) : null,
    })),
    definitions: [
      {
        term: 'Horas',
        text: `La oración y la gráfica hablan solo de horas con ${MIN_CLASSES} clases o más en el periodo; la tabla las tiene todas.`,
      },
    ],
  }
}

export const waitingReport: ReportSpec = {
  key: 'espera',
  title: 'Demanda no atendida',
  about: 'Quién quiso entrar y no pudo, y qué tan pronto se llena cada clase',
  question: 'filling',
  right: 'reports.activity',
  groups: ['slot', 'type', 'class', 'person'],
  filters: ['class_type_id', 'instructor_id', 'room_id', 'slot'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'outside',
      label: 'Sin lugar',
      unit: 'count',
      better: 'less',
      definition: OUTSIDE_DEFINITION,
      link: (scope) => reportLink('espera', scope, { por: 'class' }),
    },
    {
      key: 'people',
      label: 'Personas',
      unit: 'count',
      better: 'less',
      definition: 'Personas distintas que se quedaron fuera de alguna clase.',
      link: (scope) => reportLink('espera', scope, { por: 'person' }),
    },
    {
      key: 'classes',
      label: 'Clases',
      unit: 'count',
      better: 'less',
      definition: 'Clases de las que alguien se quedó fuera.',
      link: (scope) => reportLink('espera', scope, { por: 'class' }),
    },
    {
      key: 'got_in',
      label: 'Sí entraron',
      unit: 'percent',
      better: 'more',
      definition: 'De quienes se formaron o encontraron llena la clase, los que acabaron con lugar en ella.',
    },
    {
      key: 'refused',
      label: 'No se formaron',
      unit: 'count',
      better: 'less',
      definition: 'De quienes se quedaron sin lugar, los que encontraron llena la clase al reservar y no se formaron.',
      link: (scope) => reportLink('espera', scope, { por: 'class' }),
    },
    {
      key: 'fill',
      label: 'Se llenan en',
      unit: 'minutes',
      better: null,
      definition:
        'De las clases que se llenaron antes de empezar, lo que tardó la de en medio desde que se pudo reservar hasta que se ocupó su último lugar. Si alguien reservó antes de que abriera, desde entonces.',
      link: (scope) => reportLink('espera', scope, { por: 'class' }),
    },
  ],
  measure,
  build,
}
