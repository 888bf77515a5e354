/**
 * Mexico's time zones by rule, without a library, to check contract/time.ts. Since October 2022 only the northern border has daylight
 * saving time, that of the United States: from the second Sunday of March until the first of November, at 02:00 (settled 1).
 */

/** Offset from UTC in winter in minutes, and whether there is daylight saving time: the country's twelve zones. */
const RULES = {
  'America/Mexico_City': { winter: -360, summer: false },
  'America/Merida': { winter: -360, summer: false },
  'America/Monterrey': { winter: -360, summer: false },
  'America/Chihuahua': { winter: -360, summer: false },
  'America/Bahia_Banderas': { winter: -360, summer: false },
  'America/Cancun': { winter: -300, summer: false },
  'America/Hermosillo': { winter: -420, summer: false },
  'America/Mazatlan': { winter: -420, summer: false },
  'America/Matamoros': { winter: -360, summer: true },
  'America/Ojinaga': { winter: -360, summer: true },
  'America/Ciudad_Juarez': { winter: -420, summer: true },
  'America/Tijuana': { winter: -480, summer: true },
}
export type MexicanZone = keyof typeof RULES
export const MEXICAN_ZONES = Object.keys(RULES) as MexicanZone[]
/** The zones with daylight saving time. */
export const BORDER = MEXICAN_ZONES.filter((zone) => RULES[zone].summer)

const MINUTE = 60_000

/** 02:00 of the nth Sunday of a month (0-11), at the given offset from UTC in minutes. */
function sunday(year: number, month: number, nth: number, offset: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay()
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1), 2) - offset * MINUTE
}

/** Offset from UTC at an instant, in minutes. */
export function offsetByRule(at: Date, zone: MexicanZone): number {
  const { winter, summer } = RULES[zone]
  if (!summer) return winter
  const year = new Date(at.getTime() + winter * MINUTE).getUTCFullYear()
  const inSummer = at.getTime() >= sunday(year, 2, 2, winter) && at.getTime() < sunday(year, 10, 1, winter + 60)
  return inSummer ? winter + 60 : winter
}

/** The instant of a local time "2027-03-14T07:00"; the first one when it is repeated, null when it is skipped. */
export function instantByRule(wall: string, zone: MexicanZone): Date | null {
  const { winter } = RULES[zone]
  const asUtc = Date.parse(`${wall}Z`)
  for (const offset of [winter + 60, winter]) {
    const at = new Date(asUtc - offset * MINUTE)
    if (offsetByRule(at, zone) === offset) return at
  }
  return null
}
