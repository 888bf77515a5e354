/** Hours in which credits can be used: the rule, and its words. Without schemas: pages use it in the browser. */
import type { AllowedTime } from './credits.ts'

const DAYS = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']
const SHORT_DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom']

/**
 * Whether one of the ranges contains the start of a class (its wall clock written as UTC): including its beginning, excluding its end. No
 * range: always.
 */
export function isWithinTimes(times: readonly AllowedTime[], wall: Date): boolean {
  if (times.length === 0) return true
  const day = wall.getUTCDay() || 7
  const hour = wall.toISOString().slice(11, 16)
  return times.some((time) => time.days.includes(day) && time.from <= hour && hour < time.to)
}

/** "lunes, martes y sábado"; three or more in a row as "lunes a viernes". */
function daysText(days: readonly number[], names: readonly string[]): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b)
  const runs: number[][] = []
  for (const day of sorted) {
    const last = runs.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  const nameOf = (day: number | undefined) => names[(day ?? 0) - 1] ?? ''
  const parts = runs.flatMap((run) => (run.length > 2 ? [`${nameOf(run[0])} a ${nameOf(run.at(-1))}`] : run.map(nameOf)))
  return joined(parts)
}

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} y ${names.at(-1)}`

/** "lunes a viernes de 07:00 a 12:00 y sábado de 08:00 a 10:00". */
export const timesText = (times: readonly AllowedTime[]): string =>
  joined(times.map(({ days, from, to }) => `${daysText(days, DAYS)} de ${from} a ${to}`))

/** What limits the credits of a package, short enough for a row on a phone: "Solo lun a vie, 07:00–12:00", "Solo en Roma Norte". */
export function limitTexts({
  allowed_times,
  locations,
}: {
  allowed_times: readonly AllowedTime[]
  locations: readonly string[]
}): string[] {
  return [
    ...(allowed_times.length
      ? [`Solo ${joined(allowed_times.map(({ days, from, to }) => `${daysText(days, SHORT_DAYS)}, ${from}–${to}`))}`]
      : []),
    ...(locations.length ? [`Solo en ${joined(locations)}`] : []),
  ]
}
