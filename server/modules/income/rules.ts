/** Income that is recognised as credits are used. Pure: docs/domain.md, "Recognised income". */
import { addDays, type LocalDate, localDate, startOfDay } from '#contract/time.ts'

/** The credits of a purchase, at some instants in order. */
export interface IncomeCreditLot {
  unlimited: boolean
  /** Null for an unlimited one. */
  granted: number | null
  /** Net number of credits spent for good until each instant: corrections may make it negative, or more than what was granted. */
  used: readonly number[]
  createdAt: Date
  /** Null: its clock has not begun. */
  expires_at: Date | null
  frozenAt: Date | null
  revokedAt: Date | null
}

/** Payments of one period of a purchase, and its credits. Centavos without tax. */
export interface IncomeUnit {
  /** Paid until each instant, and the part of it that was refunded or lost in disputes. */
  paid: readonly number[]
  back: readonly number[]
  creditLots: readonly IncomeCreditLot[]
  /** The package gives credits: without lots they are still to come. Otherwise it is recognised at once. */
  givesCredits: boolean
}

const limited = (share: number) => Math.min(1, Math.max(0, share))

/** Whether the lot is over: it expired or was revoked. A frozen lot does not expire. */
function hasEnded({ expires_at, frozenAt, revokedAt }: IncomeCreditLot, at: Date): boolean {
  if (revokedAt && revokedAt <= at) return true
  if (frozenAt && frozenAt <= at) return false
  return expires_at !== null && expires_at <= at
}

/** The used part of a lot, 0 to 1: credits of a counted one, days of an unlimited one; 1 once it ended. */
function usedShare(creditLot: IncomeCreditLot, at: Date, n: number): number {
  if (creditLot.createdAt > at) return 0
  if (hasEnded(creditLot, at)) return 1
  if (!creditLot.unlimited) return creditLot.granted ? limited((creditLot.used[n] ?? 0) / creditLot.granted) : 1
  if (!creditLot.expires_at) return 0
  const until = creditLot.frozenAt && creditLot.frozenAt < at ? creditLot.frozenAt : at
  const whole = creditLot.expires_at.getTime() - creditLot.createdAt.getTime()
  return whole > 0 ? limited((until.getTime() - creditLot.createdAt.getTime()) / whole) : 1
}

/**
 * The recognised part of a period at the n-th instant, 0 to 1: its lots weighted by their credits, or equally where one of them is not
 * counted.
 */
export function earnedShare({ creditLots, givesCredits }: Pick<IncomeUnit, 'creditLots' | 'givesCredits'>, at: Date, n: number): number {
  if (creditLots.length === 0) return givesCredits ? 0 : 1
  const isCounted = creditLots.every(({ unlimited, granted }) => !unlimited && (granted ?? 0) > 0)
  const weightOf = ({ granted }: IncomeCreditLot) => (isCounted ? (granted ?? 0) : 1)
  const whole = creditLots.reduce((sum, creditLot) => sum + weightOf(creditLot), 0)
  return creditLots.reduce((sum, creditLot) => sum + weightOf(creditLot) * usedShare(creditLot, at, n), 0) / whole
}

export interface Income {
  paid: number
  back: number
  /** Paid less refunds and losses, times the used part. */
  recognised: number
  /** Not recognised yet. `recognised + deferred + back = paid`, always. */
  deferred: number
}

/** The income of a unit at the n-th instant. */
export function recognisedIncome(unit: IncomeUnit, at: Date, n: number): Income {
  const [paid, back] = [unit.paid[n] ?? 0, unit.back[n] ?? 0]
  const net = paid - back
  const recognised = Math.round(net * earnedShare(unit, at, n))
  return { paid, back, recognised, deferred: net - recognised }
}

/** A unit with the instants of its past and known future events, in ms since 1970. */
export interface IncomeHistory {
  money: readonly { at: number; paid: number; back: number }[]
  creditLots: readonly (Omit<IncomeCreditLot, 'used'> & { spent: readonly { at: number; used: number }[] })[]
  givesCredits: boolean
}

/** The change of a unit's income on a day: at the end of the day less at the beginning. */
export interface IncomeDay {
  day: LocalDate
  /**
   * The first and the last event of the day: before the first its income is that of the beginning of the day, after the last that of its
   * end. In ms since 1970.
   */
  first: number
  last: number
  paid: number
  back: number
  recognised: number
}

const DAY_MS = 86_400_000
/** A package is valid for ten years at most. */
const MAX_DAYS = 4_000
const MIN_INSTANT = Date.UTC(1990, 0, 1)
const MAX_INSTANT = Date.UTC(2200, 0, 1)

/** Days on the clocks of a zone; the beginning of each is computed once. */
export function dayClock(zone: string) {
  const starts = new Map<LocalDate, number>()
  return {
    zone,
    dayOf: (at: number): LocalDate => localDate(new Date(at), zone),
    startOf(day: LocalDate): number {
      const known = starts.get(day)
      if (known !== undefined) return known
      const start = startOfDay(day, zone).getTime()
      starts.set(day, start)
      return start
    },
  }
}
export type DayClock = ReturnType<typeof dayClock>

/** The sums of the events before each of some ascending instants. */
function sumsBefore<E extends { at: number }>(instants: readonly number[], events: readonly E[], amount: (event: E) => number): number[] {
  const inOrder = [...events].sort((a, b) => a.at - b.at)
  let [n, sum] = [0, 0]
  return instants.map((instant) => {
    for (let event = inOrder[n]; event && event.at < instant; event = inOrder[++n]) sum += amount(event)
    return sum
  })
}

/**
 * The instants of a lot's dates. The change applies at the instant itself, and an instant at the beginning of a day counts for the day
 * before: both are included.
 */
const datesOf = ({ createdAt, expires_at, frozenAt, revokedAt }: Omit<IncomeCreditLot, 'used'>): number[] =>
  [createdAt, expires_at, frozenAt, revokedAt].flatMap((date) => (date ? [date.getTime() - 1, date.getTime()] : []))

/** The changes of a unit on every day with an event, in order. Null: too many days, or some that are centuries away. */
export function incomeDays({ money, creditLots, givesCredits }: IncomeHistory, { dayOf, startOf }: DayClock): IncomeDay[] | null {
  const days = new Map<LocalDate, { first: number; last: number }>()
  const touch = (day: LocalDate, first: number, last: number) => {
    const known = days.get(day)
    days.set(day, known ? { first: Math.min(known.first, first), last: Math.max(known.last, last) } : { first, last })
  }
  const instants = [
    ...money.map(({ at }) => at),
    ...creditLots.flatMap((creditLot) => [...creditLot.spent.map(({ at }) => at), ...datesOf(creditLot)]),
  ]
  if (!instants.every((at) => at > MIN_INSTANT && at < MAX_INSTANT)) return null
  for (const at of instants) touch(dayOf(at), at, at)
  for (const { unlimited, createdAt, expires_at, frozenAt, revokedAt } of creditLots) {
    if (!unlimited || !expires_at) continue
    // Used continuously until the first of these dates.
    const until = Math.min(...[expires_at, frozenAt, revokedAt].map((date) => date?.getTime() ?? MAX_INSTANT))
    if (until - createdAt.getTime() > MAX_DAYS * DAY_MS) return null
    let day = dayOf(createdAt.getTime())
    while (startOf(day) < until) {
      const next = addDays(day, 1)
      touch(day, startOf(day), startOf(next))
      day = next
    }
  }
  if (days.size > MAX_DAYS) return null
  const inOrder = [...days].sort(([a], [b]) => (a < b ? -1 : 1))
  const ends = inOrder.map(([day]) => startOf(addDays(day, 1)))
  const unit: IncomeUnit = {
    paid: sumsBefore(ends, money, ({ paid }) => paid),
    back: sumsBefore(ends, money, ({ back }) => back),
    creditLots: creditLots.map(({ spent, ...creditLot }) => ({ ...creditLot, used: sumsBefore(ends, spent, ({ used }) => used) })),
    givesCredits,
  }
  let before = { paid: 0, back: 0, recognised: 0 }
  return inOrder.map(([day, { first, last }], n) => {
    const { paid, back, recognised } = recognisedIncome(unit, new Date(ends[n] ?? 0), n)
    const moved = { paid: paid - before.paid, back: back - before.back, recognised: recognised - before.recognised }
    before = { paid, back, recognised }
    return { day, first, last, ...moved }
  })
}
