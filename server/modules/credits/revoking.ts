/** Revokes credits with a refund, freezes them during a dispute, and subtracts credits for staff (C18, C20-C22). */
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { newMovement } from './ledger.ts'
import { compareCreditLots, expiryOnceThawed, isAlive } from './rules.ts'
import { extendCreditLots, insertMovements, lockCreditLots, lockCreditLotsOfPurchase, updateCreditLot } from './store.ts'

/** Rows of one insert: a statement has at most 65,535 parameters. */
const MOVEMENTS_AT_ONCE = 1_000

/** Which lots of a purchase: those of one period, or all of them. */
export interface CreditLotFilter {
  purchase_id: number
  period: string | null
}

/**
 * Revokes the remaining credits of a purchase (C20). Existing reservations are handled by bookings. Returns how many credit lots were
 * revoked; a repeated call returns 0.
 */
export async function revokeCredits(tx: Tx, ctx: Ctx, of: CreditLotFilter, reason: string): Promise<number> {
  const creditLots = (await lockCreditLotsOfPurchase(tx, of)).filter((creditLot) => !creditLot.revokedAt)
  for (const creditLot of creditLots) await updateCreditLot(tx, creditLot.available_class_id, { revokedAt: ctx.now })
  await insertMovements(
    tx,
    creditLots.map((creditLot) => ({
      ...newMovement(ctx, creditLot),
      kind: 'revoke' as const,
      amount: -(creditLot.balance ?? 0),
      class_reservation_id: null,
      reason,
    })),
  )
  return creditLots.length
}

/** The unused credits of a purchase's usable lots and those granted with them, whether one is unlimited, and when the last one expires. */
export async function countRemainingCredits(
  tx: Tx,
  of: CreditLotFilter,
  now: Date,
): Promise<{ credits: number; granted: number; unlimited: boolean; expires_at: Date | null }> {
  const creditLots = (await lockCreditLotsOfPurchase(tx, of)).filter(
    (creditLot) => !creditLot.revokedAt && (creditLot.expires_at === null || creditLot.expires_at > now),
  )
  const ends = creditLots.map(({ expires_at }) => expires_at?.getTime() ?? Number.POSITIVE_INFINITY)
  const last = Math.max(...ends)
  return {
    credits: creditLots.reduce((sum, creditLot) => sum + (creditLot.balance ?? 0), 0),
    granted: creditLots.reduce((sum, creditLot) => sum + (creditLot.granted ?? 0), 0),
    unlimited: creditLots.some((creditLot) => creditLot.unlimited),
    expires_at: Number.isFinite(last) ? new Date(last) : null,
  }
}

/** Freezes a purchase's credits while its charge is disputed (C21): they cannot be spent; existing reservations stay. */
export async function freezeCredits(tx: Tx, ctx: Ctx, of: CreditLotFilter): Promise<void> {
  for (const creditLot of await lockCreditLotsOfPurchase(tx, of))
    if (!creditLot.revokedAt && !creditLot.frozenAt) await updateCreditLot(tx, creditLot.available_class_id, { frozenAt: ctx.now })
}

/**
 * Unfreezes credits and extends them by the days that they were frozen (C17, C21). Lots frozen before `since` stay frozen: for
 * another reason.
 */
export async function thawCredits(tx: Tx, ctx: Ctx, of: CreditLotFilter, since: Date): Promise<void> {
  const creditLots = (await lockCreditLotsOfPurchase(tx, of)).filter(
    (creditLot) => !creditLot.revokedAt && creditLot.frozenAt && creditLot.frozenAt >= since,
  )
  for (const creditLot of creditLots) {
    const expires_at = expiryOnceThawed(creditLot, ctx.now, ctx.zone)
    await updateCreditLot(tx, creditLot.available_class_id, { frozenAt: null, expires_at })
    if (expires_at?.getTime() !== creditLot.expires_at?.getTime())
      await insertMovements(tx, [
        {
          ...newMovement(ctx, creditLot),
          kind: 'extend',
          amount: 0,
          class_reservation_id: null,
          reason: 'el banco dio la razón al estudio',
        },
      ])
  }
}

/**
 * Subtracts classes of a customer, from the lots that would be spent first (C22, S1-7.13). Unlimited ones cannot be subtracted from.
 * NOT_ENOUGH_CLASSES with how many there are; nothing is taken then. Returns the amounts per lot.
 */
export async function subtractClasses(
  tx: Tx,
  ctx: Ctx,
  input: { customer_id: number; amount: number; reason: string },
): Promise<{ available_class_id: number; amount: number }[]> {
  const creditLots = (await lockCreditLots(tx, input.customer_id, ctx.now, null))
    .filter((creditLot) => !creditLot.unlimited && isAlive(creditLot, ctx.now))
    .sort(compareCreditLots)
  const there = creditLots.reduce((sum, creditLot) => sum + (creditLot.balance ?? 0), 0)
  if (there < input.amount) throw refuse('NOT_ENOUGH_CLASSES', { left: there })
  let open = input.amount
  const subtracted: { available_class_id: number; amount: number }[] = []
  for (const creditLot of creditLots) {
    const amount = Math.min(open, creditLot.balance ?? 0)
    if (amount === 0) continue
    open -= amount
    subtracted.push({ available_class_id: creditLot.available_class_id, amount })
    await insertMovements(tx, [
      { ...newMovement(ctx, creditLot), kind: 'remove', amount: -amount, class_reservation_id: null, reason: input.reason },
    ])
  }
  return subtracted
}

/** Sets the expiry of a purchase's credits, as staff chose when giving access (V28). */
export async function setLastDay(tx: Tx, ctx: Ctx, purchase_id: number, until: Date): Promise<void> {
  for (const creditLot of await lockCreditLotsOfPurchase(tx, { purchase_id, period: null }))
    if (creditLot.expires_at?.getTime() !== until.getTime()) {
      await updateCreditLot(tx, creditLot.available_class_id, { expires_at: until, days_from_first_class: null })
      await insertMovements(tx, [
        { ...newMovement(ctx, creditLot), kind: 'extend', amount: 0, class_reservation_id: null, reason: 'días que dio el estudio' },
      ])
    }
}

/**
 * Extends by some days every lot that is valid at an instant, usable at one of these locations (null: anywhere), neither revoked nor frozen
 * (C23): the studio is closed then. Answers how many; with a movement of 0 each.
 */
export async function extendLivingCredits(
  tx: Tx,
  ctx: Ctx,
  { validAt, location_ids, days, reason }: { validAt: Date; location_ids: readonly number[] | null; days: number; reason: string },
): Promise<number> {
  const extended = await extendCreditLots(tx, { validAt, location_ids, days, now: ctx.now, zone: ctx.zone })
  for (let at = 0; at < extended.length; at += MOVEMENTS_AT_ONCE)
    await insertMovements(
      tx,
      extended.slice(at, at + MOVEMENTS_AT_ONCE).map((creditLot) => ({
        ...newMovement(ctx, creditLot),
        kind: 'extend' as const,
        amount: 0,
        class_reservation_id: null,
        reason,
      })),
    )
  return extended.length
}
