/** Opening hours as the studio writes them ("Lunes a viernes de 6:30 a 21:30."), read for search engines. */

import { foldText } from './text.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
type Day = (typeof DAYS)[number]

// biome-ignore format: whole names, then short ones
const NAMES: Readonly<Record<string, number>> = {
  lunes: 0, martes: 1, miercoles: 2, jueves: 3, viernes: 4, sabado: 5, sabados: 5, domingo: 6, domingos: 6,
  lun: 0, mar: 1, mie: 2, jue: 3, vie: 4, sab: 5, dom: 6,
}

export interface OpeningHours {
  dayOfWeek: Day[]
  /** "06:30" in the location's time zone */
  opens: string
  closes: string
}

const RANGE = /(\d{1,2})(?::(\d{2}))?\s*(?:a|-|–)\s*(?:las\s+)?(\d{1,2})(?::(\d{2}))?\s*(?:hrs?\.?|h\.?|horas)?/

/** Parses "lunes a viernes", "sabado y domingo", "todos los dias"; null when a word is not a day. */
function daysOf(input: string): Day[] | null {
  const text = input.replace(/\b(?:de|del|los|las|el)\b/g, ' ').trim()
  if (/^(?:todos\s+dias|diario|diariamente)$/.test(text)) return [...DAYS]
  const found = new Set<number>()
  for (const part of text.split(/\s*,\s*|\s+y\s+/).filter(Boolean)) {
    const [from = '', to, ...rest] = part.split(/\s+a\s+|\s*[-–]\s*/).map((word) => word.trim())
    const first = NAMES[from]
    const last = to === undefined ? first : NAMES[to]
    if (first === undefined || last === undefined || last < first || rest.length) return null
    for (let day = first; day <= last; day++) found.add(day)
  }
  return found.size ? DAYS.filter((_, at) => found.has(at)) : null
}

function clock(hours: string | undefined, minutes = '00'): string | null {
  const [hour, minute] = [Number(hours), Number(minutes)]
  return hour > 24 || minute > 59 || (hour === 24 && minute > 0) ? null : `${String(hour).padStart(2, '0')}:${minutes}`
}

/**
 * The hours of a location (S1-2.12) when every sentence names days, an opening and a closing time; null when one does not: no hours are
 * better than incomplete ones. Pure.
 */
export function openingHours(written: string): OpeningHours[] | null {
  const sentences = foldText(written)
    .split(/[\n;]|\.(?:\s|$)/)
    .map((sentence) => sentence.trim())
    .filter(Boolean)
  const all: OpeningHours[] = []
  for (const sentence of sentences) {
    const range = RANGE.exec(sentence)
    if (!range || sentence.slice(range.index + range[0].length).trim()) return null
    const dayOfWeek = daysOf(
      sentence
        .slice(0, range.index)
        .replace(/[:\s]+$/, '')
        .replace(/\s+de(?:\s+las)?$/, ''),
    )
    const opens = clock(range[1], range[2])
    const closes = clock(range[3], range[4])
    if (!dayOfWeek || !opens || !closes || opens >= closes) return null
    all.push({ dayOfWeek, opens, closes: closes === '24:00' ? '23:59' : closes })
  }
  return all.length ? all : null
}
