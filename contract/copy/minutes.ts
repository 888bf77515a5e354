/** How long something takes, as people say it. */

const parts = (whole: number, wholeText: string, rest: number, restText: string): string =>
  rest === 0 ? `${whole} ${wholeText}` : `${whole} ${wholeText} ${rest} ${restText}`

/** "45 min", "3 h 20 min", from two days on "2 días 4 h". */
export function minutesText(minutes: number): string {
  const whole = Math.round(minutes)
  if (whole < 60) return `${whole} min`
  if (whole < 48 * 60) return parts(Math.floor(whole / 60), 'h', whole % 60, 'min')
  const hours = Math.round(whole / 60)
  return parts(Math.floor(hours / 24), 'días', hours % 24, 'h')
}
