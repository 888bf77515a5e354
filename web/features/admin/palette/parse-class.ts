/** Parses a new class from typed words: "ciclo 45 lun mié vie 7:15 Sofía Providencia". Pure. */
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { foldText } from '#contract/text.ts'
import { addDays, formatWall, isLocalDate, isoWeekday, type LocalDate, twoDigits } from '#contract/time.ts'
import { NEW_CLASS, type NewClassLink } from '#web/features/admin/timetable/new-class-link.ts'

export interface ClassRecords {
  types: readonly { class_type_id: number; name: string }[]
  coaches: readonly { instructor_id: number; name: string; last_name: string; nick_name: string | null }[]
  locations: readonly { location_id: number; name: string }[]
  rooms: readonly { room_id: number; location_id: number; name: string }[]
}

export interface ProposedClass extends NewClassLink {
  day: LocalDate
  hour: string
  label: string
  detail: string
}

const WEEKDAYS: Readonly<Record<string, number>> = {
  lun: 1,
  lunes: 1,
  mar: 2,
  martes: 2,
  mie: 3,
  mier: 3,
  miercoles: 3,
  jue: 4,
  jueves: 4,
  vie: 5,
  viernes: 5,
  sab: 6,
  sabado: 6,
  sabados: 6,
  dom: 7,
  domingo: 7,
  domingos: 7,
}
export const SHORT_DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom']
export const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']
/** Words that mean nothing here. */
export const FILLERS = new Set('a al clase con cada de del el en h hrs la las los min minutos nueva por todos y'.split(' '))
const LEAST_MINUTES = 10
const MOST_MINUTES = 240

/** Whether it can be a class at all: words and an hour. */
export const mayBeClass = (typed: string): boolean => /[a-zñáéíóú]{3}/i.test(typed) && /\d/.test(typed) && typed.trim().includes(' ')

/** The class that the words mean; null where they do not name a type of class and an hour. `now`: the studio's wall clock. */
export function parseClass(typed: string, records: ClassRecords, now: string): ProposedClass | null {
  const words = foldText(typed)
    .split(/[\s,;]+/)
    .filter(Boolean)
  const isWeekly = words.some((word) => word === 'cada' || word === 'todos')
  const hours = takeHours(words)
  if (!hours) return null
  const type = removeMatch(words, records.types, ({ name }) => name)
  if (!type) return null
  const date = takeDate(words, now.slice(0, 10))
  const weekdays = takeWeekdays(words)
  const coach = removeMatch(words, records.coaches, (word) => `${word.nick_name ?? ''} ${word.name} ${word.last_name}`)
  const named = removeMatch(words, records.locations, ({ name }) => name)
  const room = removeMatch(
    words,
    records.rooms.filter(({ location_id }) => !named || location_id === named.location_id),
    ({ name }) => name,
  )
  const minutes = hours.minutes ?? takeMinutes(words)
  const unknown = words.filter((word) => !FILLERS.has(word))
  const repeats = weekdays.length > 1 || (isWeekly && weekdays.length > 0)
  const day = date ?? nextDay(weekdays, hours.hour, now)
  const location = named ?? records.locations.find(({ location_id }) => location_id === room?.location_id)
  const where = [room?.name, location?.name].filter(Boolean).join(', ')
  return {
    ...NEW_CLASS,
    class_type_id: type.class_type_id,
    location_id: location?.location_id ?? null,
    room_id: room?.room_id ?? null,
    coach: coach?.instructor_id ?? null,
    minutes,
    weekdays: repeats ? weekdays : [],
    day,
    hour: hours.hour,
    label: `Nueva clase: ${type.name}, ${formatWall(`${day}T${hours.hour}:00Z`, 'class')}`,
    detail: [
      coach && instructorFullName(coach),
      where,
      minutes && `${minutes} min`,
      repeats && `cada ${new Intl.ListFormat('es-MX').format(weekdays.map((weekday) => SHORT_DAYS[weekday - 1] ?? ''))}`,
      unknown.length > 0 && `sin entender: ${unknown.join(' ')}`,
    ]
      .filter(Boolean)
      .join(' · '),
  }
}

/** "7:15", "18h", "7 pm", "18:00-19:15": removed from the words. */
export function takeHours(words: string[]): { hour: string; minutes: number | null } | null {
  for (const [at, word] of words.entries()) {
    const [begins = '', ends] = word.split(/[-–]/)
    const next = words[at + 1] ?? ''
    const own = minuteOf(begins, /^[ap]m$/.test(next) ? next : '')
    if (own === null) continue
    words.splice(at, /^[ap]m$/.test(next) && !/[apm]$/.test(begins) ? 2 : 1)
    const end = ends === undefined ? null : minuteOf(/[:.h]|[ap]m$/.test(ends) ? ends : `${ends}h`, '')
    const minutes = end === null ? null : end - own
    return { hour: `${twoDigits(Math.floor(own / 60))}:${twoDigits(own % 60)}`, minutes: minutes !== null && minutes >= 5 ? minutes : null }
  }
  return null
}

/** Minutes since midnight; null: the word is no hour. A bare number is one only before "am" or "pm". */
function minuteOf(word: string, half: string): number | null {
  const found = /^(\d{1,2})(?:[:.](\d{2}))?(h|hrs|am|pm)?$/.exec(word)
  if (!found) return null
  const [, hours = '', minutes, suffix = half] = found
  if (minutes === undefined && !suffix) return null
  const isHalf = /^[ap]m$/.test(suffix)
  const hour = isHalf ? (Number(hours) % 12) + (suffix === 'pm' ? 12 : 0) : Number(hours)
  return hour > 23 || (isHalf && Number(hours) > 12) || Number(minutes ?? 0) > 59 ? null : hour * 60 + Number(minutes ?? 0)
}

/** "45", "45 min", "45min" */
function takeMinutes(words: string[]): number | null {
  const at = words.findIndex((word) => {
    const minutes = Number(/^(\d{2,3})(?:min)?$/.exec(word)?.[1])
    return minutes >= LEAST_MINUTES && minutes <= MOST_MINUTES
  })
  return at < 0 ? null : Number.parseInt(words.splice(at, 1)[0] ?? '', 10)
}

export function takeWeekdays(words: string[]): number[] {
  const found = words.flatMap((word) => WEEKDAYS[word] ?? [])
  for (const word of words.filter((word) => word in WEEKDAYS)) words.splice(words.indexOf(word), 1)
  return [...new Set(found)].sort()
}

/** "hoy", "mañana", "24 nov", "24 de noviembre": the next one. */
export function takeDate(words: string[], today: LocalDate): LocalDate | null {
  const near = words.findIndex((word) => word === 'hoy' || word === 'manana')
  if (near >= 0) return words.splice(near, 1)[0] === 'hoy' ? today : addDays(today, 1)
  for (const [at, word] of words.entries()) {
    if (!/^\d{1,2}$/.test(word)) continue
    const length = words[at + 1] === 'de' ? 3 : 2
    const name = words[at + length - 1] ?? ''
    const month = name.length < 3 ? -1 : MONTHS.findIndex((month) => name.startsWith(month))
    const ofYear = (year: number) => `${year}-${twoDigits(month + 1)}-${twoDigits(Number(word))}`
    const year = Number(today.slice(0, 4))
    const day = [ofYear(year), ofYear(year + 1)].find((day) => isLocalDate(day) && day >= today)
    if (month < 0 || !day) continue
    words.splice(at, length)
    return day
  }
  return null
}

/** The next day of these weekdays on which the hour has not passed; of all days without them. */
function nextDay(weekdays: readonly number[], hour: string, now: string): LocalDate {
  const today = now.slice(0, 10)
  const first = hour > now.slice(11, 16) ? today : addDays(today, 1)
  const days = Array.from({ length: 7 }, (_, n) => addDays(first, n))
  return days.find((day) => weekdays.length === 0 || weekdays.includes(isoWeekday(day))) ?? first
}

/** The record that most of the words name, each by the beginning of one of its words; those words are removed. Numbers must be equal. */
export function removeMatch<One>(words: string[], records: readonly One[], nameOf: (record: One) => string): One | null {
  let best: { one: One; taken: string[]; left: number } | null = null
  for (const record of records) {
    const own = foldText(nameOf(record))
      .split(/[^a-z0-9ñ]+/)
      .filter(Boolean)
    const left = [...own]
    const used = words.filter((word) => {
      if (FILLERS.has(word)) return false
      const at = left.findIndex((name) => name === word || (word.length >= 3 && !/^\d/.test(word) && name.startsWith(word)))
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
    if (!used.some((word) => /[a-z]/.test(word))) continue
    if (!best || used.length > best.taken.length || (used.length === best.taken.length && left.length < best.left))
      best = { one: record, taken: used, left: left.length }
  }
  for (const word of best?.taken ?? []) words.splice(words.indexOf(word), 1)
  return best?.one ?? null
}
