/** Rules of credits: what a credit lot can pay for, in which order, and what is returned. Pure: docs/domain.md, "Credits". */
import { isWithinTimes } from '#contract/allowed-times.ts'
import type { AllowedTime } from '#contract/credits.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import type { CreditSpend } from '#contract/schedule.ts'
import { expiryAfter, wallClock } from '#contract/time.ts'

/** A credit lot as the rules need it. */
export interface CreditLotFacts {
  available_class_id: number
  class_package_id: number | null
  title: string
  unlimited: boolean
  granted: number | null
  /** Null when unlimited. */
  balance: number | null
  is_courtesy: boolean
  is_online: boolean
  /** Comes from a special event: good only for classes sold as that package. */
  is_event: boolean
  guests_use_credit: boolean
  class_type_ids: number[] | null
  location_ids: number[] | null
  allowed_times: AllowedTime[]
  expires_at: Date | null
  days_from_first_class: number | null
  frozenAt: Date | null
  revokedAt: Date | null
  createdAt: Date
}

/** The facts of a class that decide which credits can pay for it. */
export interface PayableClass {
  starts_at: Date
  /** Its start on its own studio's clocks, written as UTC. */
  wall: Date
  class_type_id: number
  location_id: number
  /** The package that it is sold as, when it is. */
  class_package_id: number | null
}

/** Whether a credit lot can be used at `now` (C1). */
export function isAlive(
  creditLot: Pick<CreditLotFacts, 'revokedAt' | 'frozenAt' | 'expires_at' | 'unlimited' | 'balance'>,
  now: Date,
): boolean {
  if (creditLot.revokedAt || creditLot.frozenAt) return false
  if (creditLot.expires_at && creditLot.expires_at < now) return false
  return creditLot.unlimited || (creditLot.balance ?? 0) > 0
}

/**
 * Whether a credit lot is valid for a class, regardless of its balance (C2): its date on the class's clocks, type, hours, location, and
 * whether the class is sold as a package. `zone`: the studio's.
 */
export function canPayForClass(creditLot: CreditLotFacts, cls: PayableClass, zone: string): boolean {
  if (creditLot.revokedAt || creditLot.frozenAt || creditLot.is_online) return false
  if (cls.class_package_id !== null ? creditLot.class_package_id !== cls.class_package_id : creditLot.is_event) return false
  if (creditLot.class_type_ids && !creditLot.class_type_ids.includes(cls.class_type_id)) return false
  if (creditLot.location_ids && !creditLot.location_ids.includes(cls.location_id)) return false
  if (creditLot.expires_at && cls.wall > wallClock(creditLot.expires_at, zone)) return false
  return isWithinTimes(creditLot.allowed_times, cls.wall)
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** How unrestricted a credit lot is, as numbers to compare in turn: the smaller, the more restrictive. */
function breadth(creditLot: CreditLotFacts): [number, number, number, number] {
  const restrictions =
    Number(creditLot.class_type_ids !== null) + Number(creditLot.location_ids !== null) + Number(creditLot.allowed_times.length > 0)
  const week = creditLot.allowed_times.reduce((sum, time) => sum + time.days.length * (minutes(time.to) - minutes(time.from)), 0)
  return [-restrictions, creditLot.class_type_ids?.length ?? 0, creditLot.location_ids?.length ?? 0, week]
}

/** The order in which lots are spent (C3, settled 18): unlimited, courtesy, soonest expiry, most restrictive, oldest. */
export function compareCreditLots(a: CreditLotFacts, b: CreditLotFacts): number {
  if (a.unlimited !== b.unlimited) return a.unlimited ? -1 : 1
  if (a.is_courtesy !== b.is_courtesy) return a.is_courtesy ? -1 : 1
  const soonest = (a.expires_at?.getTime() ?? Number.MAX_VALUE) - (b.expires_at?.getTime() ?? Number.MAX_VALUE)
  if (soonest !== 0) return soonest
  const [wide, wider] = [breadth(a), breadth(b)]
  for (let i = 0; i < wide.length; i++) {
    const gap = (wide[i] ?? 0) - (wider[i] ?? 0)
    if (gap !== 0) return gap
  }
  return a.createdAt.getTime() - b.createdAt.getTime() || a.available_class_id - b.available_class_id
}

const hasCreditFor = (creditLot: CreditLotFacts, cls: PayableClass, zone: string): boolean =>
  canPayForClass(creditLot, cls, zone) && (creditLot.unlimited || (creditLot.balance ?? 0) > 0)

/** The credit lots that could pay one place in a class, in the order in which they are spent (C3). */
export function usableFor<L extends CreditLotFacts>(creditLots: readonly L[], cls: PayableClass, zone: string): L[] {
  return creditLots.filter((creditLot) => hasCreditFor(creditLot, cls, zone)).sort(compareCreditLots)
}

/** Whether any credit lot could pay one place in a class: without the order, for the weeks of classes that a calendar shows. */
export function isPayable(creditLots: readonly CreditLotFacts[], cls: PayableClass, zone: string): boolean {
  return creditLots.some((creditLot) => hasCreditFor(creditLot, cls, zone))
}

/** One paid spot: the lot, and the number of credits spent (1, or 0 when it is unlimited or the guest is free). */
export interface Payment<L extends CreditLotFacts = CreditLotFacts> {
  creditLot: L
  amount: 0 | 1
}

/**
 * Which credit lots pay for a place and its guest's (C3-C5), or the refusal. `chosen`: the lot that the customer named; it pays the host's
 * place or the answer is CREDIT_NOT_USABLE, and the guest's too while it can.
 */
export function planPayment<L extends CreditLotFacts>(
  creditLots: readonly L[],
  cls: PayableClass,
  input: { guest: boolean; chosen: number | null; zone: string; now: Date },
): Payment<L>[] | Refusal {
  const usable = usableFor(creditLots, cls, input.zone)
  const host = input.chosen === null ? usable[0] : usable.find((creditLot) => creditLot.available_class_id === input.chosen)
  if (!host) return input.chosen === null ? whyNoCredit(creditLots, cls, input.now) : refuse('CREDIT_NOT_USABLE')
  const paid: Payment<L>[] = [{ creditLot: host, amount: host.unlimited ? 0 : 1 }]
  if (input.guest) {
    const more = payGuest(usable, host, 1)
    if (!more) return refuse('NO_CREDITS', { needed: 2 })
    paid.push(more)
  }
  return paid
}

/**
 * Which credit lot pays for the guest of a place that `host` paid (C5): that lot first while it can; null when none can.
 * `usable`: what could pay another place in the class. `spent`: credits of `host` just used.
 */
export function payGuest<L extends CreditLotFacts>(usable: readonly L[], host: L, spent = 0): Payment<L> | null {
  if (!host.guests_use_credit) return { creditLot: host, amount: 0 }
  const isHost = (creditLot: L) => creditLot.available_class_id === host.available_class_id
  const order = [...usable.filter(isHost), ...usable.filter((creditLot) => !isHost(creditLot))]
  const theCreditLot = order.find((creditLot) => creditLot.unlimited || (creditLot.balance ?? 0) - (isHost(creditLot) ? spent : 0) > 0)
  return theCreditLot ? { creditLot: theCreditLot, amount: theCreditLot.unlimited ? 0 : 1 } : null
}

/**
 * Which credit lot pays for a guest added to an existing reservation (C5): as with the host, or the first lot in order when the place was
 * paid in cash or its lot was taken away. `creditLots` includes `hostCreditLot` even when nothing is left in it. Null when nothing pays.
 */
export function planGuest<L extends CreditLotFacts>(
  creditLots: readonly L[],
  cls: PayableClass,
  input: { hostCreditLot: number | null; zone: string },
): Payment<L> | null {
  const usable = usableFor(creditLots, cls, input.zone)
  const host = creditLots.find((creditLot) => creditLot.available_class_id === input.hostCreditLot)
  if (host) return payGuest(usable, host)
  return usable[0] ? { creditLot: usable[0], amount: usable[0].unlimited ? 0 : 1 } : null
}

/** A plan of payment as the customer reads it before booking: per lot, the places it pays for and what it loses. */
export function summarizePlan(plan: readonly Payment[]): CreditSpend[] {
  const creditLots = new Map(plan.map(({ creditLot }) => [creditLot.available_class_id, creditLot]))
  return [...creditLots.values()].map((creditLot) => {
    const paid = plan.filter((payment) => payment.creditLot.available_class_id === creditLot.available_class_id)
    const credits = paid.reduce((sum, payment) => sum + payment.amount, 0)
    return {
      available_class_id: creditLot.available_class_id,
      title: creditLot.title,
      places: paid.length,
      credits,
      left: creditLot.unlimited ? -1 : (creditLot.balance ?? 0) - credits,
    }
  })
}

/** The credit lots after some places have been paid from them. */
export function creditsLeft<L extends CreditLotFacts>(creditLots: readonly L[], paid: readonly Payment<L>[]): L[] {
  const spent = (creditLot: L) =>
    paid.reduce((sum, payment) => sum + (payment.creditLot.available_class_id === creditLot.available_class_id ? payment.amount : 0), 0)
  return creditLots.map((creditLot) =>
    creditLot.balance === null ? creditLot : { ...creditLot, balance: creditLot.balance - spent(creditLot) },
  )
}

/** NO_CREDITS, or no credits for this class: different messages, because the customer fixes them differently (C6). */
export function whyNoCredit(creditLots: readonly CreditLotFacts[], cls: Pick<PayableClass, 'class_package_id'>, now: Date): Refusal {
  if (cls.class_package_id !== null) return refuse('CLASS_SOLD_AS_PACKAGE', { class_package_id: cls.class_package_id })
  return refuse(creditLots.some((creditLot) => isAlive(creditLot, now) && !creditLot.is_online) ? 'NO_MATCHING_CREDITS' : 'NO_CREDITS')
}

/**
 * The expiry of a credit lot once it has paid for a class (C7): a clock that starts at the first class follows the earliest class booked.
 */
export function expiryOnceSpent(creditLot: CreditLotFacts, cls: PayableClass, zone: string): Date | null {
  if (creditLot.days_from_first_class === null) return creditLot.expires_at
  const fromHere = expiryAfter(cls.starts_at, creditLot.days_from_first_class, zone)
  return creditLot.expires_at && creditLot.expires_at < fromHere ? creditLot.expires_at : fromHere
}

/**
 * What is returned for a place cancelled in time (C8, C9, settled 19): the credit to its lot, a courtesy credit when the lot has expired
 * meanwhile, nothing when nothing was paid or the lot was revoked.
 */
export function creditToReturn(
  creditLot: Pick<CreditLotFacts, 'revokedAt' | 'expires_at' | 'unlimited'>,
  amount: number,
  now: Date,
): 'returned' | 'courtesy' | 'none' {
  if (creditLot.revokedAt) return 'none'
  const expired = creditLot.expires_at !== null && creditLot.expires_at < now
  if (creditLot.unlimited || amount === 0) return 'none'
  return expired ? 'courtesy' : 'returned'
}

/** The state of a credit lot, for lists (C1). */
export function creditLotState(
  creditLot: Pick<CreditLotFacts, 'revokedAt' | 'expires_at' | 'unlimited' | 'balance' | 'frozenAt'>,
  now: Date,
): 'alive' | 'frozen' | 'used_up' | 'expired' | 'revoked' {
  if (creditLot.revokedAt) return 'revoked'
  if (creditLot.expires_at && creditLot.expires_at < now) return 'expired'
  if (!creditLot.unlimited && (creditLot.balance ?? 0) === 0) return 'used_up'
  return creditLot.frozenAt ? 'frozen' : 'alive'
}

/**
 * The expiry of a lot whose class the studio cancelled (C15, settled 19): a returned credit can be used for some more days. An unlimited
 * lot loses no credit and stays as it is; one whose clock has not started has all the time.
 */
export function expiryForStudio(creditLot: CreditLotFacts, now: Date, days: number, zone: string): Date | null {
  if (creditLot.unlimited || creditLot.revokedAt || creditLot.expires_at === null) return creditLot.expires_at
  const least = expiryAfter(now, days, zone)
  return creditLot.expires_at < least ? least : creditLot.expires_at
}

/** The expiry of a thawed lot: later by the number of frozen days, rounded up (C17). */
export function expiryOnceThawed(creditLot: Pick<CreditLotFacts, 'expires_at' | 'frozenAt'>, now: Date, zone: string): Date | null {
  if (!creditLot.expires_at || !creditLot.frozenAt) return creditLot.expires_at
  const days = Math.ceil((now.getTime() - creditLot.frozenAt.getTime()) / 86_400_000)
  return expiryAfter(creditLot.expires_at, days, zone)
}
