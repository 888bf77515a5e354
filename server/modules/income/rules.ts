/** Income that is earned as credits are used. Pure: docs/domain.md, "Recognised income". */

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

/** What was paid for one period of a purchase, and what it gave. Centavos without tax. */
export interface IncomeUnit {
  /** Paid until each instant, and of that given back or lost to banks. */
  paid: readonly number[]
  back: readonly number[]
  lots: readonly IncomeCreditLot[]
  /** It gives credits: without lots they are still to come. Otherwise it is earned at once. */
  givesCredits: boolean
}

const limited = (share: number) => Math.min(1, Math.max(0, share))

/** Whether nothing can be used any more: it expired or was revoked. A frozen lot does not expire. */
function hasEnded({ expires_at, frozenAt, revokedAt }: IncomeCreditLot, at: Date): boolean {
  if (revokedAt && revokedAt <= at) return true
  if (frozenAt && frozenAt <= at) return false
  return expires_at !== null && expires_at <= at
}

/** The part of a lot that is used up: credits of a counted one, days of an unlimited one; all of it once it ended. */
function usedShare(lot: IncomeCreditLot, at: Date, n: number): number {
  if (lot.createdAt > at) return 0
  if (hasEnded(lot, at)) return 1
  if (!lot.unlimited) return lot.granted ? limited((lot.used[n] ?? 0) / lot.granted) : 1
  if (!lot.expires_at) return 0
  const until = lot.frozenAt && lot.frozenAt < at ? lot.frozenAt : at
  return limited((until.getTime() - lot.createdAt.getTime()) / (lot.expires_at.getTime() - lot.createdAt.getTime()))
}

/** The part of a purchase's period that is earned at the n-th instant: its lots by their credits, in equal parts where one has none to count. */
export function earnedShare({ lots, givesCredits }: Pick<IncomeUnit, 'lots' | 'givesCredits'>, at: Date, n: number): number {
  if (lots.length === 0) return givesCredits ? 0 : 1
  const isCounted = lots.every(({ unlimited, granted }) => !unlimited && (granted ?? 0) > 0)
  const weightOf = ({ granted }: IncomeCreditLot) => (isCounted ? (granted ?? 0) : 1)
  const whole = lots.reduce((sum, lot) => sum + weightOf(lot), 0)
  return lots.reduce((sum, lot) => sum + weightOf(lot) * usedShare(lot, at, n), 0) / whole
}

export interface Income {
  paid: number
  back: number
  /** Earned: paid, less what went back, in the part that was used. */
  recognised: number
  /** What is still to be earned. `recognised + deferred + back = paid`, always. */
  deferred: number
}

/** What is earned of a unit at the n-th instant. */
export function incomeOf(unit: IncomeUnit, at: Date, n: number): Income {
  const [paid, back] = [unit.paid[n] ?? 0, unit.back[n] ?? 0]
  const kept = paid - back
  const recognised = Math.round(kept * earnedShare(unit, at, n))
  return { paid, back, recognised, deferred: kept - recognised }
}
