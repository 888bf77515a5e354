/** Which package costs the least for how often a customer wants to come: a comparison of prices, nothing else. */
import type { Centavos } from '#contract/money.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import type { CardPackage } from './card-package.ts'

export interface AdviceInput {
  /** classes per week */
  perWeek: number
  /** brings a guest each time: two credits per visit */
  withGuest: boolean
  /** whether it may renew by itself; null: does not matter */
  renews: boolean | null
}

export interface Advice<P extends CardPackage = CardPackage> {
  classPackage: P
  /** cost of a month with that many visits */
  perMonth: Centavos
  /** cost of one class, with those that expire unused */
  perClass: Centavos
}

const DAYS_PER_MONTH = 365 / 12
const PERIOD_DAYS = { day: 1, month: DAYS_PER_MONTH, year: 365 } as const

/** For how many days one payment is valid. */
function validDays({ is_subscription, subscription_period, subscription_interval, expiration_days }: CardPackage): number {
  if (is_subscription && subscription_period) return PERIOD_DAYS[subscription_period] * (subscription_interval ?? 1)
  return expiration_days
}

/** The cost per class of one package; null if it does not fit: no classes, sold out, or unlimited for two people. */
function costPerClass(classPackage: CardPackage, { perWeek, withGuest, renews }: AdviceInput): number | null {
  const { class_amount, is_subscription, left } = classPackage
  if (left === 0 || class_amount === 0 || classPackage.is_special_event) return null
  if (renews !== null && renews !== is_subscription) return null
  // An unlimited package is personal: whether it has guests is the studio's choice, and not part of its card.
  if (class_amount < 0 && withGuest) return null
  const wanted = (perWeek * (withGuest ? 2 : 1) * validDays(classPackage)) / 7
  const used = class_amount < 0 ? wanted : Math.min(class_amount, wanted)
  return used < 1 ? null : quoteOnWire(classPackage, null).amount / used
}

/** The package that costs the least for these answers; null if none fits. Of equal ones the first in the studio's order. */
function cheapest<P extends CardPackage>(packages: readonly P[], input: AdviceInput): Advice<P> | null {
  const perMonth = (input.perWeek * (input.withGuest ? 2 : 1) * DAYS_PER_MONTH) / 7
  let best: { classPackage: P; cost: number } | null = null
  for (const classPackage of packages) {
    const cost = costPerClass(classPackage, input)
    if (cost !== null && (best === null || cost < best.cost)) best = { classPackage, cost }
  }
  return best && { classPackage: best.classPackage, perMonth: Math.round(best.cost * perMonth), perClass: Math.round(best.cost) }
}

const isLimited = ({ limits }: CardPackage): boolean => limits.length > 0

/** The cheapest package that is valid at every hour and location. */
export const cheapestPackage = <P extends CardPackage>(packages: readonly P[], input: AdviceInput): Advice<P> | null =>
  cheapest(
    packages.filter((classPackage) => !isLimited(classPackage)),
    input,
  )

/**
 * A package that is cheaper still, but limited to some hours or locations: whether the customer can come then is unknown, so it is only
 * mentioned. Null if there is none.
 */
export function cheaperWithLimits<P extends CardPackage>(packages: readonly P[], input: AdviceInput): Advice<P> | null {
  const limited = cheapest(packages.filter(isLimited), input)
  const free = cheapestPackage(packages, input)
  return limited && (free === null || limited.perClass < free.perClass) ? limited : null
}
