/** Rules for the state and habits of a customer. Pure: docs/domain.md, "Customers for the staff". */
import type { CustomerState } from '#contract/copy/customer-list.ts'
import type { CustomerHabits } from '#contract/customer-file.ts'

const DAY_MS = 86_400_000
/** A customer with a visit in this many past days is active; one created within them is new. */
const ACTIVE_DAYS = 30
const LOST_DAYS = 90
/** Days ahead within which credits count as expiring. */
const EXPIRING_DAYS = 7
/** A customer is at risk after twice their own median gap between visits, at the earliest after so many days. */
const MIN_RISK_DAYS = 10

/** The fields of a credit lot that determine the state. */
export interface StateCreditLot {
  isAlive: boolean
  /** Null: no expiry is set yet. */
  expires_at: Date | null
  /** When it became unusable by expiry or revocation; null while it is usable, or when it was used up. */
  endedAt: Date | null
  isTrial: boolean
}

export interface StateFacts {
  now: Date
  createdAt: Date
  /** Since when the customer is archived, without activity since; null: not archived (X19). */
  archivedAt: Date | null
  /** Starts of the classes that they attended, earliest first. */
  visits: readonly Date[]
  /** Visits at another system before those, of which an import knows the number and perhaps the last day; null: none. */
  past: { last_at: Date | null } | null
  creditLots: readonly StateCreditLot[]
  /** A subscription that is not cancelled. */
  hasSubscription: boolean
  /** A subscription whose next charge will be made: neither cancelled nor paused. */
  renews: boolean
  /** The last renewal charge was refused. */
  isPastDue: boolean
}

const daysBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS

/** The median number of days between consecutive visits; null with fewer than two visits. */
export function medianGap(visits: readonly Date[]): number | null {
  const gaps = visits.slice(1).map((at, n) => daysBetween(visits[n] ?? at, at))
  if (gaps.length === 0) return null
  gaps.sort((a, b) => a - b)
  const middle = gaps.length >> 1
  const [low, high] = [gaps[middle - 1] ?? 0, gaps[middle] ?? 0]
  return gaps.length % 2 ? high : (low + high) / 2
}

const lastVisitOf = ({ visits, past }: StateFacts): Date | null => {
  const here = visits.at(-1) ?? null
  return past?.last_at && (here === null || past.last_at > here) ? past.last_at : here
}

/** Since when they count as new; null: unknown, because they came before. A sign-up after the last visit is the day of the import. */
function newSince({ visits, past, createdAt }: StateFacts): Date | null {
  if (past === null) return visits[0] ?? createdAt
  return past.last_at !== null && createdAt <= past.last_at ? createdAt : null
}

/** The state of a customer: the first one that applies, from worst to best (X3). */
export function customerState(facts: StateFacts): CustomerState {
  if (facts.archivedAt !== null) return 'lost'
  const { now, createdAt, visits, creditLots } = facts
  const lastVisit = lastVisitOf(facts)
  const alive = creditLots.filter((creditLot) => creditLot.isAlive)
  const sinceVisit = lastVisit ? daysBetween(lastVisit, now) : null
  const isActive = (sinceVisit !== null && sinceVisit <= ACTIVE_DAYS) || alive.length > 0 || facts.hasSubscription
  const lastSigns = [createdAt, lastVisit, ...creditLots.map((creditLot) => creditLot.endedAt)].flatMap((at) => at ?? [])
  const quietDays = Math.min(...lastSigns.map((at) => daysBetween(at, now)))
  if (!isActive && quietDays > LOST_DAYS) return 'lost'
  if (!isActive && quietDays > ACTIVE_DAYS) return 'inactive'
  const gap = medianGap(visits)
  const isLate = gap !== null && sinceVisit !== null && sinceVisit > Math.max(MIN_RISK_DAYS, 2 * gap)
  if (facts.isPastDue || (alive.length > 0 && isLate)) return 'at_risk'
  const until = new Date(now.getTime() + EXPIRING_DAYS * DAY_MS)
  if (isActive && !facts.renews && !alive.some((creditLot) => creditLot.expires_at === null || creditLot.expires_at > until))
    return 'expiring'
  if (creditLots.length > 0 && creditLots.every((creditLot) => creditLot.isTrial)) return 'trial'
  const since = newSince(facts)
  if (since !== null && daysBetween(since, now) <= ACTIVE_DAYS) return 'new'
  return isActive ? 'active' : 'inactive'
}

/**
 * How long the result of `customerState` is valid without a change of its input: the earliest future instant at which one of its limits is
 * passed. Never later than the real change, sometimes earlier. Null: the state does not change by itself.
 */
export function stateHoldsUntil(facts: StateFacts): Date | null {
  const { now, createdAt, visits, creditLots } = facts
  const after = (at: Date | null | undefined, days: number) => (at ? [at.getTime() + days * DAY_MS] : [])
  const gap = medianGap(visits)
  const limits = [
    ...[createdAt, lastVisitOf(facts), ...creditLots.map((creditLot) => creditLot.endedAt)].flatMap((at) => [
      ...after(at, ACTIVE_DAYS),
      ...after(at, LOST_DAYS),
    ]),
    ...after(visits[0], ACTIVE_DAYS),
    ...(gap === null ? [] : after(lastVisitOf(facts), Math.max(MIN_RISK_DAYS, 2 * gap))),
    ...creditLots.flatMap((creditLot) => [...after(creditLot.expires_at, 0), ...after(creditLot.expires_at, -EXPIRING_DAYS)]),
  ]
  // Some limits are passed at their instant, others right after it.
  const ahead = limits.flatMap((at) => [Math.ceil(at), Math.floor(at) + 1]).filter((at) => at > now.getTime())
  return ahead.length ? new Date(Math.min(...ahead)) : null
}

/** A visit with location and local time. */
export interface HabitVisit {
  /** The class's start in the zone of its location, written as UTC. */
  wall: Date
  location: string
  coach: string | null
  /** Of their spot, counted from the front; null: without a spot. */
  row: number | null
}

/** By their number in JavaScript and in PostgreSQL's `dow`. */
export const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']
/** Number of visits at the same weekday and hour that make a habit. */
const HABIT_VISITS = 3

/** The most frequent key (the first one on a tie) and its count. */
export function mostFrequent(keys: readonly string[]): { key: string; n: number } | null {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  let best: { key: string; n: number } | null = null
  for (const [key, n] of counts) if (!best || n > best.n) best = { key, n }
  return best
}

/** When and where in the room a customer usually comes; null when no weekday and hour occurs three times. */
export function detectHabits(visits: readonly HabitVisit[]): Omit<CustomerHabits, 'next'> | null {
  const slotOf = ({ wall }: HabitVisit) => `${wall.getUTCDay()} ${wall.toISOString().slice(11, 16)}`
  const usual = mostFrequent(visits.map(slotOf))
  const location = mostFrequent(visits.map((visit) => visit.location))
  if (!usual || usual.n < HABIT_VISITS || !location) return null
  const [day = '0', hour = ''] = usual.key.split(' ')
  const coach = mostFrequent(visits.filter((visit) => slotOf(visit) === usual.key).flatMap((visit) => visit.coach ?? []))
  const at = (number: number) => visits.filter((visit) => slotOf(visit) === `${number} ${hour}`)
  const days = [1, 2, 3, 4, 5, 6, 0].filter((number) => at(number).length >= HABIT_VISITS)
  const rows = days.flatMap(at).flatMap((visit) => visit.row ?? [])
  const row = mostFrequent(rows.map(String))
  return {
    weekday: WEEKDAYS[Number(day)] ?? '',
    weekdays: days.map((number) => WEEKDAYS[number] ?? ''),
    hour,
    coach: coach?.key ?? null,
    location: location.key,
    row: row && row.n >= HABIT_VISITS && row.n > rows.length / 2 ? Number(row.key) : null,
  }
}

/** Whether two texts differ by one sign: one changed, one too many, or two neighbours swapped. Equal texts do not. */
export function differByOneSign(first: string, other: string): boolean {
  const [short, long] = first.length <= other.length ? [first, other] : [other, first]
  if (long.length - short.length > 1 || first === other) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const sameAfter = (ofShort: number, ofLong: number) => short.slice(ofShort) === long.slice(ofLong)
  if (short.length < long.length) return sameAfter(start, start + 1)
  const swapped = short[start] === long[start + 1] && short[start + 1] === long[start] && sameAfter(start + 2, start + 2)
  return swapped || sameAfter(start + 1, start + 1)
}
