/**
 * The instants at which the browser suite runs: whatever depends on the weekday, the hour, a month's end or a change of the clocks fails at one of
 * them, on whichever day it is run. Far enough ahead that the true time is before all of them.
 */
export const INSTANTS = {
  monday: '2031-02-10T12:00:00-06:00',
  tuesday: '2031-02-11T12:00:00-06:00',
  wednesday: '2031-02-12T12:00:00-06:00',
  thursday: '2031-02-13T12:00:00-06:00',
  friday: '2031-02-14T12:00:00-06:00',
  // Ten minutes into a week in Mexico City, still Sunday in Tijuana.
  'monday-0010': '2031-02-10T00:10:00-06:00',
  // The evening of a month's last day in Mexico City, in UTC the next month already; a Saturday.
  'month-end': '2031-05-31T20:30:00-06:00',
  // A Sunday in Mexico City, and in Tijuana the Saturday evening before its clocks go forward at 02:00.
  'tijuana-clocks': '2031-03-09T00:30:00-06:00',
}

/** The instant of `npm test` on a developer's machine. */
export const USUAL_INSTANT = 'wednesday'

/** The two instants of one run of CI, which change with the commit: one for the phone's tests, another for the desktop's. */
export function instantsOfCommit(commit) {
  const names = Object.keys(INSTANTS)
  const first = Number.parseInt(commit.slice(0, 8), 16) % names.length
  // Neighbours in the list would always meet the same neighbour: the step depends on the commit too, and is never 0.
  const step = 1 + (Number.parseInt(commit.slice(8, 16), 16) % (names.length - 1))
  return [names[first], names[(first + step) % names.length]]
}
