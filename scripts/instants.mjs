/**
 * The instants at which the browser suite runs: code that depends on the weekday, the hour, a month's end or a DST change fails at one of
 * them, whatever the day of the run. Far enough in the future that the real time is before all of them.
 */
export const INSTANTS = {
  monday: '2031-02-10T12:00:00-06:00',
  tuesday: '2031-02-11T12:00:00-06:00',
  wednesday: '2031-02-12T12:00:00-06:00',
  thursday: '2031-02-13T12:00:00-06:00',
  friday: '2031-02-14T12:00:00-06:00',
  // Ten minutes into a week in Mexico City, still Sunday in Tijuana.
  'monday-0010': '2031-02-10T00:10:00-06:00',
  // A Saturday evening, the last day of a month in Mexico City; in UTC already the next month.
  'month-end': '2031-05-31T20:30:00-06:00',
  // A Sunday in Mexico City; in Tijuana the Saturday evening before its clocks go forward at 02:00.
  'tijuana-clocks': '2031-03-09T00:30:00-06:00',
}

/** The instant of `npm test` on a developer's machine. */
export const USUAL_INSTANT = 'wednesday'

/** The two instants of a CI run, derived from the commit: one for the phone's tests, the other for the desktop's. */
export function instantsOfCommit(commit) {
  const names = Object.keys(INSTANTS)
  const first = Number.parseInt(commit.slice(0, 8), 16) % names.length
  // The step depends on the commit too, so that all pairs occur; it is never 0.
  const step = 1 + (Number.parseInt(commit.slice(8, 16), 16) % (names.length - 1))
  return [names[first], names[(first + step) % names.length]]
}
