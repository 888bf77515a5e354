/**
 * A timetable pasted from a chat or a spreadsheet: "Lun 7:00 Ciclo Sofía", days as headings with hours below them, or a table with a column
 * for each day. Pure.
 */
import { foldText } from '#contract/text.ts'
import { isSameName } from './week-painting.ts'

export interface PastedClass {
  day: number
  time: string
  type: string
  coach: string | null
}

export interface PastedWeek {
  classes: PastedClass[]
  /** Lines that could not be read, counted from 1, with what is missing. */
  problems: { line: number; text: string; why: string }[]
}

interface Known {
  types: readonly string[]
  coaches: readonly string[]
}

// biome-ignore format: whole names, then short ones
const DAY_NAMES: Readonly<Record<string, number>> = {
  lunes: 1, martes: 2, miercoles: 3, jueves: 4, viernes: 5, sabado: 6, sabados: 6, domingo: 7, domingos: 7,
  lun: 1, mar: 2, mie: 3, jue: 4, vie: 5, sab: 6, dom: 7, lu: 1, ma: 2, mi: 3, ju: 4, vi: 5, sa: 6, do: 7, l: 1, x: 3, j: 4, v: 5, s: 6, d: 7,
}

const DAY_NAME =
  '(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bados?|domingos?|lun|mar|mi[eé]|jue|vie|s[aá]b|dom|lu|ma|mi|ju|vi|sa|do|[lxjvsd])'
const DAYS = new RegExp(
  `^(?:los\\s+|el\\s+)?(${DAY_NAME}\\.?(?:\\s*(?:,|/|-|–|\\by\\b|\\ba\\b|\\bal\\b)\\s*${DAY_NAME}\\.?)*)(?![\\p{L}])[\\s:,.–-]*`,
  'iu',
)
const HOUR = '\\d{1,2}(?:\\s*[:.h]\\s*\\d{2})?\\s*(?:a\\.?\\s?m\\.?|p\\.?\\s?m\\.?|hrs?\\.?|h\\b)?'
const TIMES = new RegExp(
  `^(?:a\\s+las\\s+|de\\s+)?(${HOUR}(?:\\s*(?:,|\\by\\b|/)\\s*${HOUR})*)(\\s*(?:-|–|a|a las)\\s*${HOUR})?(?![\\p{L}\\d])[\\s:,.–-]*`,
  'iu',
)

/** "lun, mié y vie", "lunes a viernes" in numbers; empty when a word is no day. */
function daysIn(text: string): number[] {
  const days = new Set<number>()
  for (const part of foldText(text)
    .split(/\s*(?:,|\/|\by\b)\s*/)
    .filter(Boolean)) {
    const [from = '', to] = part.split(/\s*(?:-|–|\bal?\b)\s*/).map((word) => word.trim().replace(/\.$/, ''))
    const [first, last] = [DAY_NAMES[from], to === undefined ? DAY_NAMES[from] : DAY_NAMES[to]]
    if (first === undefined || last === undefined) return []
    for (let day = first; day !== last; day = (day % 7) + 1) days.add(day)
    days.add(last)
  }
  return [...days].sort()
}

/** "7", "7:00", "7 pm", "19h30" as "19:00"; null when there is no such hour. */
function hourOf(text: string): string | null {
  const [, hours = '', minutes = '00', half] = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2}))?\s*([ap])?/i.exec(text.trim()) ?? []
  if (hours === '') return null
  const number = Number(hours)
  const hour = half ? (number % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : number
  return hour > 23 || Number(minutes) > 59 ? null : `${String(hour).padStart(2, '0')}:${minutes}`
}

const canonical = (name: string, known: readonly string[]): string => {
  const whole = known.find((other) => isSameName(other, name))
  if (whole) return whole
  const begun = known.filter((candidate) => foldText(candidate).startsWith(`${foldText(name)} `))
  return begun.length === 1 && begun[0] ? begun[0] : name
}

/** Class and coach of "Ciclo 45 con Sofía", "Reformer - Ana", "Barre (Ximena)", "Vinyasa Mariana". */
function classAndCoach(text: string, { types, coaches }: Known): { type: string; coach: string | null } {
  const clean = text.trim().replace(/[.,;]+$/, '')
  const named = (type: string, coach: string | null) => ({
    type: canonical(type.trim(), types),
    coach: coach?.trim() ? canonical(coach.trim(), coaches) : null,
  })
  const split = /^(.+?)\s*(?:\bcon\b|\bcoach\b|\s[-–|/]\s|\t|,|\()\s*(?:coach\s+)?([^)]+)\)?$/iu.exec(clean)
  if (split?.[1] && split[2]) return named(split[1], split[2])
  const folded = foldText(clean)
  const type = types
    .filter((type) => folded === foldText(type) || folded.startsWith(`${foldText(type)} `))
    .sort((a, b) => b.length - a.length)[0]
  if (type) return named(type, clean.slice(type.length))
  const coach = coaches.find(
    (coach) => folded.endsWith(` ${foldText(coach)}`) || folded.endsWith(` ${foldText(coach.split(' ')[0] ?? coach)}`),
  )
  if (coach) {
    const ending = folded.endsWith(` ${foldText(coach)}`) ? coach : (coach.split(' ')[0] ?? coach)
    return { type: canonical(clean.slice(0, -ending.length).trim(), types), coach }
  }
  const words = clean.split(/\s+/)
  const last = words.at(-1) ?? ''
  // A capitalised word at the end, after the class, is the coach: a number ("Ciclo 45") is not.
  return words.length > 1 && /^\p{Lu}\p{L}+$/u.test(last) ? named(words.slice(0, -1).join(' '), last) : named(clean, null)
}

/** The columns of a table by day; null: the first line is no heading of days. */
function columnsOf(line: string): (number | null)[] | null {
  const columns = line.split('\t').map((cell) => daysIn(cell)[0] ?? null)
  return columns.filter(Boolean).length > 1 ? columns : null
}

export function readPastedWeek(text: string, known: Known): PastedWeek {
  const week: PastedWeek = { classes: [], problems: [] }
  let heading: number[] = []
  let columns: (number | null)[] | null = null
  const add = (days: readonly number[], times: readonly string[], what: string) => {
    const { type, coach } = classAndCoach(what, known)
    for (const day of days) for (const time of times) week.classes.push({ day, time, type, coach })
  }
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    // Asterisks and underscores are the bold and italic of chats.
    const line = raw
      .replace(/[*_]/g, '')
      .replace(/^[\s•·]+/, raw.startsWith('\t') ? '\t' : '')
      .trimEnd()
    const refuse = (why: string) => week.problems.push({ line: at + 1, text: raw.trim(), why })
    if (line.trim() === '') continue
    const found = columnsOf(line)
    if (found) {
      columns = found
      continue
    }
    if (columns && line.includes('\t')) {
      const cells = line.split('\t')
      const time = hourOf(cells[0] ?? '')
      if (time === null) refuse('Falta la hora.')
      else for (const [column, cell] of cells.entries()) if (columns[column] && cell.trim()) add([columns[column]], [time], cell)
      continue
    }
    let rest = line.trim().replace(/\t/g, ' ')
    const days = DAYS.exec(rest)
    const own = days?.[1] ? daysIn(days[1]) : []
    if (days && own.length > 0) {
      rest = rest.slice(days[0].length)
      if (rest === '') {
        heading = own
        continue
      }
    }
    const times = TIMES.exec(rest)
    const hours = (times?.[1] ?? '').split(/\s*(?:,|\by\b|\/)\s*/).map(hourOf)
    const read = hours.flatMap((hour) => hour ?? [])
    if (!times || read.length !== hours.length) {
      refuse('Falta la hora.')
      continue
    }
    const what = rest.slice(times[0].length).trim()
    if (own.length === 0 && heading.length === 0) refuse('Falta el día.')
    else if (what === '') refuse('Falta la clase.')
    else add(own.length > 0 ? own : heading, read, what)
  }
  return week
}
