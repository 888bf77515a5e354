/**
 * What a purchase holds while it waits for its money: stock, a slot of the customer's limit, the use of a discount, a part of a gift card,
 * a spot in a class. Until when, released when it closes, taken again when money arrives late (V4, V10, V13).
 */
import { Refusal } from '#contract/errors.ts'
import type { Facts, Voucher } from '#server/adapters/payments/port.ts'
import { findPackage, returnStock, takeStock, whyNotEvent } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { endOfNextBankDay } from '#server/modules/sales/business-days.ts'
import { CHALLENGE_HOLD_MS, freeSlot } from '#server/modules/sales/rules.ts'
import { listLive, type PurchaseRow, updatePurchase } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { markDiscountUsedAgain, releaseDiscountUse, returnUseTakenAgain } from './discounts.ts'
import { holdGiftCard, releaseGiftCard } from './gift-cards.ts'

/** Until when a voucher's payment may be confirmed: cash paid at OXXO on the last evening is confirmed by the next bank day (V10). */
const confirmedUntil = ({ kind, expiresAt }: Voucher, zone: string): Date =>
  kind === 'oxxo' ? endOfNextBankDay(expiresAt, zone) : expiresAt

/** The extended hold of a purchase that waits for its customer or bank (V10). */
export function extendedHold(ctx: Ctx, purchase: PurchaseRow, facts: Facts): Date {
  const until =
    facts.next?.do === 'show'
      ? confirmedUntil(facts.next.voucher, ctx.zone)
      : facts.next?.do === 'confirm' || facts.state === 'processing'
        ? new Date((facts.state === 'processing' ? ctx.now : purchase.createdAt).getTime() + CHALLENGE_HOLD_MS)
        : null
  const current = purchase.hold_until ?? ctx.now
  return until && until > current ? until : current
}

/**
 * Releases a purchase's stock and limit slot, its discount use and gift card if nothing was paid with it, and the spots held for it (V4,
 * D4, I12, W12).
 */
export async function releasePurchaseHolds(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<Partial<PurchaseRow>> {
  if (purchase.holds_stock && purchase.class_package_id !== null) await returnStock(tx, purchase.class_package_id)
  await releaseDiscountUse(tx, ctx, purchase.purchase_id)
  await releaseGiftCard(tx, ctx, purchase)
  if (purchase.wanted_class) await tx.send({ name: 'bookings.release-payment-hold', data: { purchase_id: purchase.purchase_id } })
  return { holds_stock: false, limit_slot: null }
}

/**
 * Late money for a closed purchase: takes stock, limit slot, discount use and the part of a gift card again, if available (V13). Not for a
 * past event (K13).
 */
export async function retakePurchaseHolds(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<{ limit_slot: number | null } | null> {
  const { class_package_id, sale_id } = purchase
  // An order is given completely or not at all (S12).
  if (class_package_id === null || sale_id !== null) return null
  const classPackage = await findPackage(tx, class_package_id)
  if (!classPackage || whyNotEvent(classPackage, ctx.settings, ctx.now)) return null
  const live = await listLive(tx, purchase.customer_id, class_package_id)
  if (classPackage.limit_per_customer !== null && live.length >= classPackage.limit_per_customer) return null
  try {
    await takeStock(tx, class_package_id)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
  try {
    await markDiscountUsedAgain(tx, ctx, purchase.purchase_id)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await returnStock(tx, class_package_id)
    return null
  }
  try {
    await holdGiftCard(tx, ctx, purchase)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await returnStock(tx, class_package_id)
    await returnUseTakenAgain(tx, ctx, purchase.purchase_id)
    return null
  }
  return {
    limit_slot: freeSlot(
      live.map((purchase) => purchase.limit_slot),
      classPackage.limit_per_customer,
    ),
  }
}

/** Closes a pending purchase and releases what it held. */
export async function closePending(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  to: { status: 'failed' | 'cancelled'; reason: string },
): Promise<PurchaseRow> {
  const { purchase_id, customer_id } = purchase
  const closed = await updatePurchase(tx, purchase_id, {
    ...(await releasePurchaseHolds(tx, ctx, purchase)),
    status: to.status,
    ...(to.status === 'cancelled' ? { cancelledAt: ctx.now, cancel_reason: to.reason } : {}),
    updatedAt: ctx.now,
  })
  await ctx.audit(tx, {
    action: `purchase.${to.status}`,
    entity: 'purchase',
    entity_id: purchase_id,
    before: { status: purchase.status },
    after: { status: to.status },
    reason: to.reason,
  })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  return closed
}
