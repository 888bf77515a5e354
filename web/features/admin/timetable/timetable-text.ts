/** Sentences about the planned timetable. */
import { messageChannelPhrases } from '#contract/copy/message-log.ts'
import type { ChangeResult, PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'

const plural = (count: number, singular: string, many: string): string => (count === 1 ? singular : many.replace('#', String(count)))

/** "84 clases, 63 horas de coach, 3 con conflictos." */
export function totalsSentence({
  classes,
  coach_minutes,
  conflicts,
}: {
  classes: number
  coach_minutes: number
  conflicts: number
}): string {
  if (classes === 0) return 'Sin clases.'
  const hours = Math.round(coach_minutes / 6) / 10
  const parts = [
    plural(classes, '1 clase', '# clases'),
    `${hours.toLocaleString('es-MX')} ${hours === 1 ? 'hora' : 'horas'} de coach`,
    ...(conflicts ? [plural(conflicts, '1 con conflictos', '# con conflictos')] : []),
  ]
  return `${parts.join(', ')}.`
}

/** ": 11 por correo, 3 por WhatsApp"; empty when no channel reaches anyone. */
function channelsText({ told_by }: ChangeResult): string {
  const parts = (told_by ?? []).map(({ channel, people }) => `${people} ${messageChannelPhrases[channel]}`)
  return parts.length ? `: ${parts.join(', ')}` : ''
}

/** What a set of changes does, one sentence each. */
export function resultSentences(result: ChangeResult): string[] {
  const { created, changed, cancelled, deleted, told, released, credits_back, untouched } = result
  const done = [
    created && plural(created, 'se crea 1 clase', 'se crean # clases'),
    changed && plural(changed, 'cambia 1 clase', 'cambian # clases'),
    cancelled && plural(cancelled, 'se cancela 1 clase', 'se cancelan # clases'),
    deleted && plural(deleted, 'se elimina 1 clase', 'se eliminan # clases'),
  ].filter((part) => part !== 0)
  const list = new Intl.ListFormat('es-MX').format(done)
  return [
    ...(list ? [`${list[0]?.toUpperCase()}${list.slice(1)}.`] : []),
    ...(released ? [plural(released, 'Termina 1 reservación.', 'Terminan # reservaciones.')] : []),
    ...(credits_back ? [plural(credits_back, 'A 1 persona le regresa su crédito.', 'A # personas les regresa su crédito.')] : []),
    told ? `${plural(told, 'Se avisa a 1 persona', 'Se avisa a # personas')}${channelsText(result)}.` : 'No hay a quién avisar.',
    ...(untouched.length
      ? [plural(untouched.length, '1 fecha con cambios propios no se toca.', '# fechas con cambios propios no se tocan.')]
      : []),
  ]
}

/** "Publicar 3 cambios" */
export const publishLabel = (drafts: number): string => plural(drafts, 'Publicar 1 cambio', 'Publicar # cambios')

/** "Roma Norte, 15 de 20 lugares": the text alternative of what a block of the grid shows graphically. */
export const spotsText = ({ location, capacity, taken }: PlannedClass): string =>
  `${location.name}, ${capacity === null ? 'sin capacidad' : `${taken} de ${capacity} lugares`}`

/** The note beside the name of a class; empty when the class is published and unchanged. */
export function stateText({ state, draft }: PlannedClass): string {
  if (state === 'cancelled') return 'Cancelada'
  if (draft?.op === 'cancel') return 'Se cancela'
  if (draft?.op === 'delete') return 'Se elimina'
  if (state === 'draft') return 'Sin publicar'
  return state === 'changed' ? 'Con cambios' : ''
}

/** "Clase eliminada." */
export const deletedText = (count: number): string => plural(count, 'Clase eliminada.', 'Se eliminaron # clases.')

/** Some of a list, and how many more: "Ciclo 45, mar 24 nov, 20:30; Yin, mié 25 nov, 9:00 y 3 más." */
export function listText(names: readonly string[], most = 5): string {
  const rest = names.length - most
  return `${names.slice(0, most).join('; ')}${rest > 0 ? ` y ${rest} más` : ''}.`
}

export const DAY_NAMES = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'] as const

/** "Cada 2 semanas, martes y jueves, sin fin." */
export function seriesSentence({
  weekdays,
  every_weeks,
  until,
}: {
  weekdays: readonly number[]
  every_weeks: number
  until: string | null
}): string {
  const days = new Intl.ListFormat('es-MX').format(weekdays.map((day) => DAY_NAMES[day - 1] ?? ''))
  const how = [every_weeks === 1 ? 'Cada semana' : `Cada ${every_weeks} semanas`, ...(days ? [days] : [])].join(', ')
  return `${how}, ${until === null ? 'sin fin' : `hasta el ${formatWall(`${until}T00:00:00Z`, 'date')}`}.`
}

/** Who was told of a cancellation that can be undone: messages that were sent are not. */
export const notifiedText = (count: number): string =>
  count === 0
    ? 'Se avisó a 0 personas.'
    : count === 1
      ? 'Ya se avisó a 1 persona; si lo deshaces, se le avisará otra vez.'
      : `Ya se avisó a ${count} personas; si lo deshaces, se les avisará otra vez.`
