/** Parses a selection of classes from typed words: "todas las de Sofía en diciembre". Pure. */
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { foldText } from '#contract/text.ts'
import { addDays, formatWall, type LocalDate, mondayOf } from '#contract/time.ts'
import { type FindLink, findQuery } from '#web/features/admin/timetable/find-link.ts'
import { type ClassRecords, MONTHS, removeMatch, SHORT_DAYS, takeDate, takeHours, takeWeekdays } from './parse-class.ts'

export interface ProposedSelection {
  /** The parameters of the timetable. */
  query: Record<string, string | null>
  label: string
  detail: string
}

/** Words that only hold the sentence together. */
const FILLERS = new Set('todas todos clases clase la las los el de del da dan por con en a y que'.split(' '))
/** Days ahead without a named range: those that the dialog begins with. */
const DAYS_AHEAD = 27

/** Whether it can be a selection at all. */
export const mayBeSelection = (typed: string): boolean => /^\s*tod[ao]s\s+\S/i.test(typed)

/** The selection that the words mean; null where they name neither coach, type, room, location, weekday nor days. */
export function parseSelection(typed: string, records: ClassRecords, today: LocalDate): ProposedSelection | null {
  if (!mayBeSelection(typed)) return null
  const words = foldText(typed)
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
  const range = takeRange(words, today)
  const hour = takeHours(words)?.hour ?? ''
  const type = removeMatch(words, records.types, ({ name }) => name)
  const coach = removeMatch(words, records.coaches, (word) => `${word.nick_name ?? ''} ${word.name} ${word.last_name}`)
  const location = removeMatch(words, records.locations, ({ name }) => name)
  const room = removeMatch(
    words,
    records.rooms.filter(({ location_id }) => !location || location_id === location.location_id),
    ({ name }) => name,
  )
  const weekdays = takeWeekdays(words)
  if (!type && !coach && !location && !room && weekdays.length === 0 && !range) return null
  const unknown = words.filter((word) => !FILLERS.has(word))
  const days: FindLink = { ...(range ?? { from: today, to: addDays(today, DAYS_AHEAD) }), weekdays, hour }
  const of = (id: number | undefined) => id?.toString() ?? null
  const at = (day: LocalDate) => formatWall(`${day}T00:00:00Z`, 'day')
  return {
    query: {
      semana: mondayOf(days.from),
      coach: of(coach?.instructor_id),
      tipo: of(type?.class_type_id),
      sala: of(room?.room_id),
      estudio: of(location?.location_id),
      ...findQuery(days),
    },
    label: `Seleccionar clases: ${[type?.name, coach && instructorFullName(coach), room?.name, location?.name].filter(Boolean).join(', ') || 'todas'}`,
    detail: [
      days.from === days.to ? at(days.from) : `${at(days.from)} a ${at(days.to)}`,
      weekdays.length > 0 && new Intl.ListFormat('es-MX').format(weekdays.map((weekday) => SHORT_DAYS[weekday - 1] ?? '')),
      hour && `a las ${hour}`,
      unknown.length > 0 && `sin entender: ${unknown.join(' ')}`,
    ]
      .filter(Boolean)
      .join(' · '),
  }
}

/** "esta semana", "la próxima semana", "este mes", "diciembre", "hoy", "24 nov": removed from the words. Never begins before today. */
function takeRange(words: string[], today: LocalDate): { from: LocalDate; to: LocalDate } | null {
  const unit = words.findIndex((word) => word === 'semana' || word === 'mes')
  if (unit >= 0) {
    const isNext =
      /^(?:proxim[ao]|siguiente|entrante)$/.test(words[unit - 1] ?? '') || /^(?:siguiente|entrante|que)$/.test(words[unit + 1] ?? '')
    const isWeek = words[unit] === 'semana'
    for (const word of ['semana', 'mes', 'esta', 'este', 'proxima', 'proximo', 'siguiente', 'entrante', 'viene'])
      while (words.includes(word)) words.splice(words.indexOf(word), 1)
    if (isWeek) {
      const monday = addDays(mondayOf(today), isNext ? 7 : 0)
      return { from: monday > today ? monday : today, to: addDays(monday, 6) }
    }
    const first = isNext ? firstOfMonth(Number(today.slice(0, 4)), Number(today.slice(5, 7)) + 1) : today
    return { from: first, to: lastOfMonth(first) }
  }
  const date = takeDate(words, today)
  if (date) return { from: date, to: date }
  const named = words.findIndex((word) => monthOf(word) > 0)
  if (named < 0) return null
  const month = monthOf(words[named] ?? '')
  words.splice(named, 1)
  const year = Number(today.slice(0, 4)) + (month < Number(today.slice(5, 7)) ? 1 : 0)
  const first = firstOfMonth(year, month)
  return { from: first > today ? first : today, to: lastOfMonth(first) }
}

/** 1 to 12; 0: no month. "mar" is a Tuesday. */
const monthOf = (word: string): number =>
  /^(?:ene(?:ro)?|feb(?:rero)?|marzo|abr(?:il)?|mayo?|jun(?:io)?|jul(?:io)?|ago(?:sto)?|sep(?:t|tiembre)?|oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?)$/.test(
    word,
  )
    ? MONTHS.indexOf(word.slice(0, 3)) + 1
    : 0

function firstOfMonth(year: number, month: number): LocalDate {
  return new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
}

function lastOfMonth(day: LocalDate): LocalDate {
  return addDays(firstOfMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)) + 1), -1)
}
