/** Changes of all credits of a customer at once, and taking them back: extend, freeze, thaw (C24). */
import { addDays, endOfDay, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { newMovement } from './ledger.ts'
import { expiryOnceThawed, isAlive } from './rules.ts'
import { type CreditLotRow, insertMovements, listAllCreditLots, lockCreditLotsById, updateCreditLot } from './store.ts'

/** Days to add to the last day of credits that have one, or freezing, or thawing. */
export type CustomerCreditsChange = { kind: 'extend'; days: number } | { kind: 'freeze' } | { kind: 'thaw' }

interface Validity {
  expires_at: string | null
  frozenAt: string | null
}

/** What changed of one lot; plain JSON. */
export interface CreditLotChange {
  available_class_id: number
  before: Validity
  after: Validity
}

const validityOf = (creditLot: Pick<CreditLotRow, 'expires_at' | 'frozenAt'>): Validity => ({
  expires_at: creditLot.expires_at?.toISOString() ?? null,
  frozenAt: creditLot.frozenAt?.toISOString() ?? null,
})

async function lockCreditLotsOfCustomer(tx: Tx, customer_id: number): Promise<CreditLotRow[]> {
  const all = await listAllCreditLots(tx, customer_id)
  return lockCreditLotsById(
    tx,
    all.map((creditLot) => creditLot.available_class_id),
  )
}

function changed(ctx: Ctx, creditLot: CreditLotRow, change: CustomerCreditsChange): Pick<CreditLotRow, 'expires_at' | 'frozenAt'> | null {
  const { expires_at, frozenAt } = creditLot
  if (change.kind === 'thaw') {
    if (!frozenAt || creditLot.revokedAt) return null
    return { frozenAt: null, expires_at: expiryOnceThawed(creditLot, ctx.now, ctx.zone) }
  }
  if (!isAlive(creditLot, ctx.now)) return null
  if (change.kind === 'freeze') return { frozenAt: ctx.now, expires_at }
  return expires_at && { frozenAt, expires_at: endOfDay(addDays(localDate(expires_at, ctx.zone), change.days), ctx.zone) }
}

async function write(tx: Tx, ctx: Ctx, creditLot: CreditLotRow, to: Validity, reason: string): Promise<CreditLotChange> {
  const { available_class_id } = creditLot
  const change = { available_class_id, before: validityOf(creditLot), after: to }
  const instant = (text: string | null) => (text === null ? null : new Date(text))
  await updateCreditLot(tx, available_class_id, { expires_at: instant(to.expires_at), frozenAt: instant(to.frozenAt) })
  if (change.before.expires_at !== to.expires_at)
    await insertMovements(tx, [{ ...newMovement(ctx, creditLot), kind: 'extend', amount: 0, class_reservation_id: null, reason }])
  const recorded = ({ expires_at, frozenAt }: Validity) => ({ expires_at, frozen: frozenAt !== null })
  await ctx.audit(tx, {
    action: 'credits.change',
    entity: 'available_class',
    entity_id: available_class_id,
    reason,
    before: recorded(change.before),
    after: recorded(to),
  })
  return change
}

/** Changes all credits of a customer that the change applies to, and returns what changed. */
export async function changeCreditsOfCustomer(
  tx: Tx,
  ctx: Ctx,
  { customer_id, change, reason }: { customer_id: number; change: CustomerCreditsChange; reason: string },
): Promise<CreditLotChange[]> {
  const changes: CreditLotChange[] = []
  for (const creditLot of await lockCreditLotsOfCustomer(tx, customer_id)) {
    const to = changed(ctx, creditLot, change)
    if (to) changes.push(await write(tx, ctx, creditLot, validityOf(to), reason))
  }
  return changes
}

/** Gives lots back what they had before these changes. False, and nothing is written, when one of them changed since or was revoked. */
export async function restoreCreditLots(tx: Tx, ctx: Ctx, changes: readonly CreditLotChange[], reason: string): Promise<boolean> {
  const creditLots = await lockCreditLotsById(
    tx,
    changes.map((change) => change.available_class_id),
  )
  const byId = new Map(creditLots.map((creditLot) => [creditLot.available_class_id, creditLot]))
  const isUntouched = changes.every(({ available_class_id, after }) => {
    const creditLot = byId.get(available_class_id)
    if (!creditLot || creditLot.revokedAt) return false
    const is = validityOf(creditLot)
    return is.expires_at === after.expires_at && is.frozenAt === after.frozenAt
  })
  if (!isUntouched) return false
  for (const { available_class_id, before } of changes) {
    const creditLot = byId.get(available_class_id)
    if (creditLot) await write(tx, ctx, creditLot, before, reason)
  }
  return true
}

/**
 * Revokes granted credits of which none was spent (`amount` null: an unlimited lot, whose use the caller checks). False when some were, or
 * they were revoked already.
 */
export async function revokeUnspent(
  tx: Tx,
  ctx: Ctx,
  { available_class_id, amount, reason }: { available_class_id: number; amount: number | null; reason: string },
): Promise<boolean> {
  const [creditLot] = await lockCreditLotsById(tx, [available_class_id])
  if (!creditLot || creditLot.revokedAt || creditLot.balance !== amount) return false
  await updateCreditLot(tx, available_class_id, { revokedAt: ctx.now })
  await insertMovements(tx, [
    { ...newMovement(ctx, creditLot), kind: 'revoke', amount: -(amount ?? 0), class_reservation_id: null, reason },
  ])
  const before = { balance: creditLot.balance, expires_at: creditLot.expires_at?.toISOString() ?? null }
  await ctx.audit(tx, { action: 'credits.revoke', entity: 'available_class', entity_id: available_class_id, before, reason })
  return true
}
