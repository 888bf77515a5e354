/** Whether a class matches typed words: "ciclo mar 19", "hoy 7pm", "yoga 24 nov" (docs/domain.md Z1 to Z4). */
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { formatWall } from '#contract/time.ts'
import { searchWords } from '#server/platform/search.ts'
import type { PublicClassFacts } from './timetable.ts'

/** The typed words, or null when they name no class: numbers alone are everything at that hour. */
export function classWords(typed: string): readonly string[] | null {
  const words = searchWords(typed)
  return words.some((word) => /[a-z]/.test(word) || /^\d{1,2}:\d{0,2}$/.test(word)) ? words : null
}

/** The hour of the day that "7pm" names; null for everything else. */
function hourOf(word: string): number | null {
  const [, hour = '', half] = /^(\d{1,2})(am|pm)$/.exec(word) ?? []
  const n = Number(hour)
  return half && n >= 1 && n <= 12 ? (n % 12) + (half === 'pm' ? 12 : 0) : null
}

/**
 * Whether every typed word names something of the class: the beginning of a word of its type, coach, location, weekday or month, "hoy" or
 * "mañana"; a number its day or hour. `today`: the studio's date, with `tomorrow`.
 */
export function isClassNamed(
  words: readonly string[],
  shown: Pick<PublicClassFacts, 'class_date' | 'class_type' | 'class_instructors' | 'location'>,
  days: { today: string; tomorrow: string },
): boolean {
  const { class_date, class_type, class_instructors, location } = shown
  const date = class_date.slice(0, 10)
  const [hour, minute] = [Number(class_date.slice(11, 13)), class_date.slice(14, 16)]
  const names = searchWords(
    [
      class_type.name,
      location.name,
      ...class_instructors.map(({ instructor }) => instructorFullName(instructor)),
      ...class_instructors.map(({ instructor }) => instructor.name),
      formatWall(class_date, 'long'),
      date === days.today ? 'hoy' : '',
      date === days.tomorrow ? 'mañana' : '',
    ].join(' '),
  ).filter((name) => !/^\d+$/.test(name))
  const isNumber = (word: string) => Number(word) === Number(date.slice(8)) || Number(word) === hour
  return words.every((word) => {
    if (/^\d{1,2}$/.test(word)) return isNumber(word)
    const named = hourOf(word)
    if (named !== null) return named === hour
    if (word.includes(':')) return `${hour}:${minute}`.startsWith(word.replace(/^0(?=\d)/, ''))
    return names.some((name) => name.startsWith(word))
  })
}
