/** Credits: credit lots and the ledger of their movements, whose sums the database maintains. Granting, spending, returning. */
import { Refusal } from '#contract/errors.ts'
import type { ClassDetail, CreditSpend } from '#contract/schedule.ts'
import { endOfDay, expiryAfter, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { actorLabel, newMovement } from './ledger.ts'
import {
  type CreditLotFacts,
  canPayForClass,
  compareCreditLots,
  creditToReturn,
  expiryForStudio,
  expiryOnceSpent,
  isAlive,
  type PayableClass,
  planGuest,
  planPayment,
  summarizePlan,
  usableFor,
  whyNoCredit,
} from './rules.ts'
import {
  type CreditLotRow,
  findTerms,
  insertCreditLots,
  insertMovements,
  listCreditLots,
  listSpends,
  lockCreditLots,
  lockCreditLotsById,
  type NamedCreditLot,
  setExpiry,
  shortenCreditLots,
  stopClock,
} from './store.ts'
import { onlineCreditLots, serializeCreditLot } from './summaries.ts'

export { type CreditLotChange, changeCreditsOfCustomer, restoreCreditLots, revokeUnspent } from './customer-credits.ts'
export { eraseGranted, freezeGranted } from './imported.ts'
export {
  countRemainingCredits,
  extendLivingCredits,
  freezeCredits,
  revokeCredits,
  setLastDay,
  subtractClasses,
  thawCredits,
} from './revoking.ts'
export {
  type CreditLotFacts,
  creditLotState,
  creditsLeft,
  creditToReturn,
  isAlive,
  isPayable,
  usableFor,
  whyNoCredit,
} from './rules.ts'
export type { CreditLotRow, NamedCreditLot } from './store.ts'
export {
  creditSummaries,
  creditSummary,
  onlineCreditLots,
  serializeCreditLot,
  summarise,
  usableCreditLots,
} from './summaries.ts'
export { isAsGranted, takeBackCredits, takeBackRevocation, takeBackSubtraction } from './taking-back.ts'

/** A grant of a package's credits: on the terms frozen in the purchase, otherwise on the package's. */
export interface PackageGrant {
  kind: 'package'
  customer_id: number
  class_package_id: number
  /** The purchase and its period: the same pair is granted once. Null: granted without a purchase. */
  purchase_id: number | null
  period: string | null
  /** When the days begin to count. */
  from: Date
  /** Frozen on the purchase; the package's present ones otherwise. Ignored where the package counts by class type. */
  class_amount?: number
  expiration_days?: number
  title?: string
  /** The end of a period, instead of counting days: usable until 23:59:59 of that day on the studio's clocks (C1). */
  until?: Date
  reason?: string
}

/** A grant of credits without a package: a courtesy. */
export interface CourtesyGrant {
  kind: 'courtesy'
  customer_id: number
  title: string
  /** -1 = unlimited. */
  class_amount: number
  days: number
  /** The expiry, instead of a number of days. */
  until?: Date
  reason: string
  /** Valid for the same classes as this credit lot. */
  like?: Pick<CreditLotFacts, 'class_package_id' | 'class_type_ids' | 'location_ids' | 'allowed_times' | 'guests_use_credit'>
  class_reservation_id?: number
}

/**
 * Gives credits (C10-C12): one lot per class type that the package restricts, or one for all. Repeating the grant of a
 * (purchase, period) adds nothing. Returns the new lots. Throws when the package does not exist.
 */
export async function grantCredits(tx: Tx, ctx: Ctx, input: PackageGrant | CourtesyGrant): Promise<{ available_class_id: number }[]> {
  const base = { customer_id: input.customer_id, createdAt: ctx.now }
  const amounts = (class_amount: number) =>
    class_amount === -1 ? { unlimited: true, granted: null, balance: null } : { unlimited: false, granted: class_amount, balance: 0 }
  const creditLots =
    input.kind === 'courtesy'
      ? await insertCreditLots(tx, [
          {
            ...base,
            ...amounts(input.class_amount),
            title: input.title,
            is_courtesy: true,
            expires_at: input.until ?? expiryAfter(ctx.now, input.days, ctx.zone),
            class_package_id: input.like?.class_package_id ?? null,
            class_type_ids: input.like?.class_type_ids ?? null,
            location_ids: input.like?.location_ids ?? null,
            allowed_times: input.like?.allowed_times ?? [],
            guests_use_credit: input.like?.guests_use_credit ?? true,
          },
        ])
      : await insertCreditLots(tx, await creditLotsOf(tx, ctx, input, base, amounts))
  if (creditLots.length)
    await insertMovements(
      tx,
      creditLots.map((creditLot) => ({
        available_class_id: creditLot.available_class_id,
        customer_id: creditLot.customer_id,
        kind: 'grant' as const,
        amount: creditLot.granted ?? 0,
        class_reservation_id: input.kind === 'courtesy' ? (input.class_reservation_id ?? null) : null,
        actor: actorLabel(ctx),
        reason: input.reason ?? null,
        createdAt: ctx.now,
      })),
    )
  return creditLots.map(({ available_class_id }) => ({ available_class_id }))
}

async function creditLotsOf(
  tx: Tx,
  ctx: Ctx,
  input: PackageGrant,
  base: { customer_id: number; createdAt: Date },
  amounts: (class_amount: number) => { unlimited: boolean; granted: number | null; balance: number | null },
) {
  const terms = await findTerms(tx, input.class_package_id)
  if (!terms) throw new Error(`There is no package ${input.class_package_id}.`)
  const { pack, types } = terms
  const clock = (days: number) => {
    if (input.until) return { expires_at: endOfDay(localDate(input.until, ctx.zone), ctx.zone) }
    if (pack.clock_starts === 'first_class') return { expires_at: null, days_from_first_class: days }
    return { expires_at: expiryAfter(input.from, days, ctx.zone) }
  }
  const creditLot = {
    ...base,
    class_package_id: input.class_package_id,
    purchase_id: input.purchase_id,
    period: input.period,
    title: input.title ?? pack.title,
    is_online: pack.is_online,
    guests_use_credit: pack.guests_use_credit,
    location_ids: pack.location_ids,
    allowed_times: pack.allowed_times,
  }
  if (types.length)
    return types.map((type) => ({
      ...creditLot,
      ...amounts(type.class_amount),
      ...clock(type.expiration_days),
      class_type_ids: [type.class_type_id],
    }))
  const class_amount = input.class_amount ?? pack.class_amount
  // For example a sign-up fee gives no classes, and so no lot.
  return class_amount === 0 ? [] : [{ ...creditLot, ...amounts(class_amount), ...clock(input.expiration_days ?? pack.expiration_days) }]
}

/** A planned payment: the reservation is inserted with the credit lot, then `recordSpends` writes the movement. */
export interface Paid {
  creditLot: CreditLotRow
  amount: 0 | 1
}

/**
 * The credit lots that may pay for a customer's reservations, locked until the transaction ends. The caller holds the class's and the
 * customer's locks.
 */
export function lockSpendable(tx: Tx, ctx: Ctx, customer_id: number): Promise<CreditLotRow[]> {
  return lockCreditLots(tx, customer_id, ctx.now, null)
}

/**
 * The same lots unlocked, for lists and announcements: whether one fits a class is decided on the class's own clocks (C2), not
 * by `isAlive`.
 */
export function spendableCreditLots(on: Reader, ctx: Ctx, customer_id: number): Promise<NamedCreditLot[]> {
  return listCreditLots(on, customer_id, ctx.now)
}

/**
 * Chooses what pays for a place, and for its guest's (C3-C6), among lots that `lockSpendable` has locked.
 * Throws NO_CREDITS, NO_MATCHING_CREDITS or CREDIT_NOT_USABLE.
 */
export async function spendCredit(
  tx: Tx,
  ctx: Ctx,
  creditLots: readonly CreditLotRow[],
  input: { cls: PayableClass; guest: boolean; chosen: number | null },
): Promise<Paid[]> {
  const plan = planPayment(creditLots, input.cls, { guest: input.guest, chosen: input.chosen, zone: ctx.zone, now: ctx.now })
  if (plan instanceof Refusal) throw plan
  await startClocks(tx, ctx, plan, input.cls)
  return plan
}

interface GuestSpendInput {
  customer_id: number
  cls: PayableClass
  /** The lot that paid for the host's place; null in cash. */
  hostCreditLot: number | null
}

/**
 * What pays for a guest that joins a place already booked (C5). Throws NO_CREDITS; beside a place paid in cash also NO_MATCHING_CREDITS and
 * CLASS_SOLD_AS_PACKAGE.
 */
export async function spendGuestCredit(tx: Tx, ctx: Ctx, input: GuestSpendInput): Promise<Paid> {
  const { cls, hostCreditLot } = input
  const creditLots = await lockCreditLots(tx, input.customer_id, ctx.now, hostCreditLot)
  const paid = planGuest(creditLots, cls, { hostCreditLot, zone: ctx.zone })
  if (!paid) throw hostCreditLot === null ? whyNoCredit(creditLots, cls, ctx.now) : new Refusal('NO_CREDITS')
  await startClocks(tx, ctx, [paid], cls)
  return paid
}

/** What `spendGuestCredit` would take now, announced before it is confirmed; null when it would refuse. */
export async function previewGuestSpend(ctx: Ctx, input: GuestSpendInput): Promise<CreditSpend | null> {
  const { cls, hostCreditLot } = input
  const creditLots = await listCreditLots(ctx.db, input.customer_id, ctx.now, hostCreditLot)
  const paid = planGuest(creditLots, cls, { hostCreditLot, zone: ctx.zone })
  return paid && (summarizePlan([paid])[0] ?? null)
}

/**
 * The lots that could pay for a class, the one that would be used first, each with what `spendCredit` takes when it is chosen (settled 18).
 */
export function previewSpends(ctx: Ctx, creditLots: readonly NamedCreditLot[], cls: PayableClass): ClassDetail['credits'] {
  return usableFor(creditLots, cls, ctx.zone).map((creditLot) => {
    const spends = (guest: boolean) => {
      const plan = planPayment(creditLots, cls, { guest, chosen: creditLot.available_class_id, zone: ctx.zone, now: ctx.now })
      return plan instanceof Refusal ? null : summarizePlan(plan)
    }
    return { ...serializeCreditLot(creditLot, ctx.zone), spends: { alone: spends(false) ?? [], with_guest: spends(true) } }
  })
}

async function startClocks(tx: Tx, ctx: Ctx, plan: readonly Paid[], cls: PayableClass) {
  for (const { creditLot } of plan) {
    const expires_at = expiryOnceSpent(creditLot, cls, ctx.zone)
    if (expires_at?.getTime() !== creditLot.expires_at?.getTime()) await setExpiry(tx, creditLot.available_class_id, expires_at)
  }
}

/** Writes what left the lots, one movement per reservation: the same reservation is never charged twice. */
export async function recordSpends(tx: Tx, ctx: Ctx, spends: readonly (Paid & { class_reservation_id: number })[]): Promise<void> {
  await insertMovements(
    tx,
    spends.map(({ creditLot, amount, class_reservation_id }) => ({
      available_class_id: creditLot.available_class_id,
      customer_id: creditLot.customer_id,
      kind: 'spend' as const,
      amount: amount === 0 ? 0 : -1,
      class_reservation_id,
      actor: actorLabel(ctx),
      createdAt: ctx.now,
    })),
  )
}

/**
 * Returns the credits of these reservations (C8, C9, settled 19), exactly once. The result: `returned` to the lot, `courtesy` credit
 * because the lot expired, or `none` because nothing had been paid.
 */
export async function returnCredits(tx: Tx, ctx: Ctx, reservations: readonly number[]): Promise<'returned' | 'courtesy' | 'none'> {
  let answer: 'returned' | 'courtesy' | 'none' = 'none'
  for (const { class_reservation_id, amount, creditLot } of await listSpends(tx, reservations)) {
    const back = creditToReturn(creditLot, -amount, ctx.now)
    if (back === 'courtesy')
      await grantCredits(tx, ctx, {
        kind: 'courtesy',
        customer_id: creditLot.customer_id,
        title: 'Cortesía por cancelación',
        class_amount: 1,
        days: ctx.settings.courtesy_days,
        reason: 'se canceló a tiempo y el lote ya había vencido',
        like: creditLot,
        ...(class_reservation_id === null ? {} : { class_reservation_id }),
      })
    else if (!creditLot.revokedAt) {
      await insertMovements(tx, [
        {
          available_class_id: creditLot.available_class_id,
          customer_id: creditLot.customer_id,
          kind: 'give_back',
          amount: -amount,
          class_reservation_id,
          actor: actorLabel(ctx),
          createdAt: ctx.now,
        },
      ])
      if (creditLot.days_from_first_class !== null) await stopClock(tx, creditLot.available_class_id)
    }
    if (back !== 'none') answer = back
  }
  return answer
}

/**
 * Lets a purchase's credits expire at an instant, if they would have lasted longer (C14). Existing reservations are handled by bookings.
 */
export async function endCredits(tx: Tx, ctx: Ctx, purchase_id: number, at: Date, reason: string): Promise<void> {
  const ended = await shortenCreditLots(tx, purchase_id, at)
  await insertMovements(
    tx,
    ended.map((creditLot) => ({ ...creditLot, kind: 'extend' as const, amount: 0, actor: actorLabel(ctx), reason, createdAt: ctx.now })),
  )
}

/**
 * Returns the credits of a class that the studio cancelled to their lots, whose expiry is extended where necessary (C15). Returns until
 * when each customer can use the returned credits; null where none were returned.
 */
export async function returnCreditsForStudio(tx: Tx, ctx: Ctx, reservations: readonly number[]): Promise<Map<number, Date | null>> {
  const spends = await listSpends(tx, reservations)
  const back = new Map<number, Date | null>()
  const creditLots = await lockCreditLotsById(tx, [...new Set(spends.map(({ creditLot }) => creditLot.available_class_id))])
  for (const creditLot of creditLots) {
    const expires_at = expiryForStudio(creditLot, ctx.now, ctx.settings.courtesy_days, ctx.zone)
    if (expires_at?.getTime() !== creditLot.expires_at?.getTime()) {
      await setExpiry(tx, creditLot.available_class_id, expires_at)
      await insertMovements(tx, [
        { ...newMovement(ctx, creditLot), kind: 'extend', amount: 0, class_reservation_id: null, reason: 'el estudio canceló una clase' },
      ])
    }
    const returned = spends.some((spend) => spend.creditLot.available_class_id === creditLot.available_class_id && spend.amount !== 0)
    if (returned && !creditLot.revokedAt) back.set(creditLot.customer_id, expires_at)
  }
  await returnCredits(tx, ctx, reservations)
  return back
}

/**
 * The lots that paid for a reservation, locked to pay for it again when the studio undoes its cancellation (B5). Null when one of them is
 * empty, deleted or no longer valid for the class. `recordSpends` writes the spent credits.
 */
export async function creditLotsToRespend(
  tx: Tx,
  ctx: Ctx,
  spends: readonly { available_class_id: number; amount: 0 | 1 }[],
  cls: PayableClass,
): Promise<Paid[] | null> {
  const creditLots = await lockCreditLotsById(tx, [...new Set(spends.map((spend) => spend.available_class_id))])
  const left = new Map(
    creditLots.map((creditLot) => [creditLot.available_class_id, creditLot.unlimited ? Number.MAX_SAFE_INTEGER : (creditLot.balance ?? 0)]),
  )
  const paid: Paid[] = []
  for (const { available_class_id, amount } of spends) {
    const creditLot = creditLots.find((creditLot) => creditLot.available_class_id === available_class_id)
    const rest = (left.get(available_class_id) ?? 0) - amount
    if (!creditLot || !canPayForClass(creditLot, cls, ctx.zone) || rest < 0) return null
    left.set(available_class_id, rest)
    paid.push({ creditLot, amount })
  }
  return paid
}

/** The credits that some reservations took from which lots: 0 for an unlimited lot or a free guest. */
export async function getSpends(tx: Tx, reservations: readonly number[]) {
  return (await listSpends(tx, reservations)).map(({ class_reservation_id, amount, creditLot }) => ({
    class_reservation_id: class_reservation_id ?? 0,
    available_class_id: creditLot.available_class_id,
    amount: amount === 0 ? (0 as const) : (1 as const),
  }))
}

/** The first video starts the clock of an online lot that waits for it, unless another one opens the videos already (C7, O7). */
export async function startOnlineClock(tx: Tx, ctx: Ctx, customer_id: number): Promise<void> {
  const creditLots = await onlineCreditLots(ctx, tx, customer_id)
  if (creditLots.length === 0 || creditLots.some((creditLot) => creditLot.expires_at !== null)) return
  const locked = (await lockCreditLots(tx, customer_id, ctx.now, null))
    .filter((creditLot) => creditLot.is_online && isAlive(creditLot, ctx.now))
    .sort(compareCreditLots)
  const [first] = locked
  if (!first || first.days_from_first_class === null || locked.some((creditLot) => creditLot.expires_at !== null)) return
  await setExpiry(tx, first.available_class_id, expiryAfter(ctx.now, first.days_from_first_class, ctx.zone))
  await insertMovements(tx, [{ ...newMovement(ctx, first), kind: 'extend', amount: 0, class_reservation_id: null, reason: 'primer video' }])
}
