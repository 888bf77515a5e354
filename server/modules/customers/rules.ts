/** What a customer is to the studio, and when they usually come. Pure: docs/domain.md, "Customers for the staff". */
import type { CustomerHabits, CustomerState } from '#contract/customer-file.ts'

const DAY_MS = 86_400_000
/** Days back in which a visit makes somebody active, and new. */
const ACTIVE_DAYS = 30
const LOST_DAYS = 90
/** Days ahead within which credits count as about to end. */
const EXPIRING_DAYS = 7
/** A customer is at risk after twice their own median gap between visits, and never before these days. */
const MIN_RISK_DAYS = 10

/** A credit lot as the state needs it. */
export interface StateCreditLot {
  isAlive: boolean
  /** Null: no end is known yet. */
  expires_at: Date | null
  /** When it stopped being good, by expiry or revocation; null while it is good, or was used up. */
  endedAt: Date | null
  isTrial: boolean
}

export interface StateFacts {
  now: Date
  createdAt: Date
  /** Starts of the classes that they came to, the earliest first. */
  visits: readonly Date[]
  lots: readonly StateCreditLot[]
  /** A subscription that is not cancelled. */
  hasSubscription: boolean
  /** A subscription whose next charge will be made: neither cancelled nor paused. */
  renews: boolean
  /** The last renewal was refused. */
  isPastDue: boolean
}

const daysBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS

/** The median of the days between one visit and the next; null with fewer than two visits. */
export function medianGap(visits: readonly Date[]): number | null {
  const gaps = visits.slice(1).map((at, n) => daysBetween(visits[n] ?? at, at))
  if (gaps.length === 0) return null
  gaps.sort((a, b) => a - b)
  const middle = gaps.length >> 1
  const [low, high] = [gaps[middle - 1] ?? 0, gaps[middle] ?? 0]
  return gaps.length % 2 ? high : (low + high) / 2
}

/** The first state that holds, from the worst to the best (X3). */
export function stateOf(facts: StateFacts): CustomerState {
  const { now, createdAt, visits, lots } = facts
  const lastVisit = visits.at(-1) ?? null
  const firstVisit = visits[0] ?? null
  const alive = lots.filter((lot) => lot.isAlive)
  const sinceVisit = lastVisit ? daysBetween(lastVisit, now) : null
  const isActive = (sinceVisit !== null && sinceVisit <= ACTIVE_DAYS) || alive.length > 0 || facts.hasSubscription
  const lastSigns = [createdAt, lastVisit, ...lots.map((lot) => lot.endedAt)].flatMap((at) => at ?? [])
  const quietDays = Math.min(...lastSigns.map((at) => daysBetween(at, now)))
  if (!isActive && quietDays > LOST_DAYS) return 'lost'
  if (!isActive && quietDays > ACTIVE_DAYS) return 'inactive'
  const gap = medianGap(visits)
  const isLate = gap !== null && sinceVisit !== null && sinceVisit > Math.max(MIN_RISK_DAYS, 2 * gap)
  if (facts.isPastDue || (alive.length > 0 && isLate)) return 'at_risk'
  const until = new Date(now.getTime() + EXPIRING_DAYS * DAY_MS)
  if (isActive && !facts.renews && !alive.some((lot) => lot.expires_at === null || lot.expires_at > until)) return 'expiring'
  if (lots.length > 0 && lots.every((lot) => lot.isTrial)) return 'trial'
  if (daysBetween(firstVisit ?? createdAt, now) <= ACTIVE_DAYS) return 'new'
  return isActive ? 'active' : 'inactive'
}

/** A visit with where and when it was, on the clocks of its location. */
export interface HabitVisit {
  /** The class's start on the clocks of its location, written as UTC. */
  wall: Date
  location: string
  coach: string | null
}

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']
/** So many visits at one hour of one weekday make a habit. */
const HABIT_VISITS = 3

/** The key that occurs most often, the first one of several, and how often. */
function mostFrequent(keys: readonly string[]): { key: string; n: number } | null {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  let best: { key: string; n: number } | null = null
  for (const [key, n] of counts) if (!best || n > best.n) best = { key, n }
  return best
}

/** When somebody usually comes; null when no weekday and hour occurs three times. */
export function habitsOf(visits: readonly HabitVisit[]): CustomerHabits | null {
  const slotOf = ({ wall }: HabitVisit) => `${wall.getUTCDay()} ${wall.toISOString().slice(11, 16)}`
  const usual = mostFrequent(visits.map(slotOf))
  const location = mostFrequent(visits.map((visit) => visit.location))
  if (!usual || usual.n < HABIT_VISITS || !location) return null
  const [day = '0', hour = ''] = usual.key.split(' ')
  const coach = mostFrequent(visits.filter((visit) => slotOf(visit) === usual.key).flatMap((visit) => visit.coach ?? []))
  return { weekday: WEEKDAYS[Number(day)] ?? '', hour, coach: coach?.key ?? null, location: location.key }
}
