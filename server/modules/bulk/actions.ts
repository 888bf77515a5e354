/** The change that a bulk action writes for one record, and its undo. Each call is inside a transaction of its own. */
import type { BulkAction } from '#contract/bulk-actions.ts'
import { endOfDay } from '#contract/time.ts'
import { bookAgain, cancelForStaff, moveForStaff } from '#server/modules/bookings/bookings.ts'
import {
  type CreditLotChange,
  changeCreditsOfCustomer,
  grantCredits,
  restoreCreditLots,
  revokeUnspent,
} from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { archiveCustomer, inviteCustomer, setCustomerTag, unarchiveCustomer } from '#server/modules/customers/customers.ts'
import { customerById } from '#server/modules/people/people.ts'
import { markPaid, ONE_OFF, pauseWithCustomer } from '#server/modules/sales/sales.ts'
import type { Tx } from '#server/platform/db.ts'
import type { BulkJobRow } from './store.ts'

type Job = Pick<BulkJobRow, 'bulk_job_id' | 'action' | 'params' | 'reason'>

/** What undoing it needs: plain JSON. */
type Undo =
  | { granted: number; amount: number }
  | { creditLots: CreditLotChange[] }
  | { tag: true }
  | { archived: true }
  | { cancelled: Parameters<typeof bookAgain>[2] | null }
  | {
      moved: { class_reservation_id: number; customer_id: number; single_class_id: number; spot: string | null; guest_spot: string | null }
    }
  | { final: true }

/** A record with what its action needs to know. */
export interface Subject {
  id: number
  /** Of a reservation. */
  customer_id?: number
  /** Of a purchase: the period of its latest charge. */
  period?: string | null
}

const UNDONE = 'se deshizo un cambio a muchos'

/**
 * Changes one record, after the check in the same transaction that it changes. Returns what undoing it needs; null when nothing was left to
 * change.
 */
export async function applyTo(tx: Tx, ctx: Ctx, job: Job, { id: record_id, ...facts }: Subject): Promise<Undo | null> {
  const { action, params, reason } = job
  const text = reason ?? ''
  switch (action) {
    case 'tags.add':
    case 'tags.remove':
      return (await setCustomerTag(tx, ctx, { customer_id: record_id, tag_id: params.tag_id ?? 0, has: action === 'tags.add' }))
        ? { tag: true }
        : null
    case 'credits.give': {
      const amount = params.amount ?? 0
      const [creditLot] = await grantCredits(tx, ctx, {
        kind: 'courtesy',
        customer_id: record_id,
        title: 'Cortesía del estudio',
        class_amount: amount,
        days: 0,
        reason: text,
        until: endOfDay(params.expiration_date ?? '', ctx.zone),
        like: { class_package_id: null, class_type_ids: null, location_ids: null, allowed_times: [], guests_use_credit: true },
      })
      const granted = creditLot?.available_class_id ?? 0
      const after = { available_classes: amount, expiration_date: params.expiration_date, available_class_ids: [granted] }
      await ctx.audit(tx, { action: 'credits.give', entity: 'customer', entity_id: record_id, after, reason: text })
      return { granted, amount }
    }
    case 'credits.extend':
    case 'credits.freeze':
    case 'credits.thaw': {
      const kind = action === 'credits.extend' ? 'extend' : action === 'credits.freeze' ? 'freeze' : 'thaw'
      const change = kind === 'extend' ? ({ kind, days: params.days ?? 0 } as const) : ({ kind } as const)
      const creditLots = await changeCreditsOfCustomer(tx, ctx, { customer_id: record_id, change, reason: text })
      // Its subscriptions were paused or resumed before, by `applyOutside`.
      return creditLots.length || isOutside(action) ? { creditLots } : null
    }
    case 'customers.invite':
      await inviteCustomer(tx, ctx, await customerById(tx, record_id))
      return { final: true }
    case 'customers.archive':
      await archiveCustomer(tx, ctx, { customer_id: record_id, reason: text })
      return { archived: true }
    case 'reservations.cancel': {
      const reservation = { class_reservation_id: record_id, customer_id: facts.customer_id ?? 0 }
      const cancelled = await cancelForStaff(tx, ctx, { ...reservation, reason: text, credit: params.credit ?? 'return' })
      return { cancelled: reservationToRestore(cancelled, reservation.customer_id) }
    }
    case 'reservations.move': {
      const from = { class_reservation_id: record_id, customer_id: facts.customer_id ?? 0 }
      const { class_reservation_id, place } = await moveForStaff(tx, ctx, { ...from, single_class_id: params.single_class_id ?? 0, reason })
      const { single_class_id, spot, guest_spot } = place
      return { moved: { class_reservation_id, customer_id: from.customer_id, single_class_id, spot, guest_spot } }
    }
    case 'purchases.receipt':
      await tx.send({
        name: 'sales.receipt',
        data: { purchase_id: record_id, period: facts.period ?? ONE_OFF, again: `b${job.bulk_job_id}` },
      })
      return { final: true }
    case 'purchases.mark_paid':
      // The money was received before, by `applyOutside`.
      return { final: true }
  }
}

/** A cancelled reservation that an undo can book again: paid by a credit that was returned. */
function reservationToRestore({ place, credit }: Awaited<ReturnType<typeof cancelForStaff>>, customer_id: number) {
  const { single_class_id, spot, guest, guest_spot, available_class_id } = place
  if (available_class_id === null || credit === 'kept') return null
  return { customer_id, single_class_id, spot, guest, guest_spot, available_class_id }
}

/** Whether a part of an action calls other services. */
export const isOutside = (action: BulkAction): boolean =>
  action === 'purchases.mark_paid' || action === 'credits.freeze' || action === 'credits.thaw'

/** The part of an action that calls other services, before its transaction; idempotent. */
export async function applyOutside(ctx: Ctx, { action, params, reason }: Job, id: number): Promise<void> {
  if (action === 'credits.freeze' || action === 'credits.thaw')
    return pauseWithCustomer(ctx, { customer_id: id, paused: action === 'credits.freeze', reason: reason ?? '' })
  const { payment_method_id, location_id } = params
  await markPaid(ctx, { purchase_id: id, ...(payment_method_id ? { payment_method_id } : {}), ...(location_id ? { location_id } : {}) })
}

/** The same for taking an action back, after its transaction. */
export async function undoOutside(ctx: Ctx, { action }: Job, id: number): Promise<void> {
  if (action === 'credits.freeze' || action === 'credits.thaw')
    await pauseWithCustomer(ctx, { customer_id: id, paused: action === 'credits.thaw', reason: UNDONE })
}

/** Undoes the change of one record. False, and nothing is written, when it was changed since or cannot be undone. */
export async function undoFor(tx: Tx, ctx: Ctx, { action, params }: Job, record_id: number, undo: unknown): Promise<boolean> {
  const data = undo as Undo
  if ('granted' in data) return revokeUnspent(tx, ctx, { available_class_id: data.granted, amount: data.amount, reason: UNDONE })
  if ('creditLots' in data) return restoreCreditLots(tx, ctx, data.creditLots, UNDONE)
  if ('archived' in data) return unarchiveCustomer(tx, ctx, record_id)
  if ('cancelled' in data) {
    if (data.cancelled === null) return false
    await bookAgain(tx, ctx, data.cancelled)
    return true
  }
  if ('moved' in data) {
    await moveForStaff(tx, ctx, {
      ...data.moved,
      spot: data.moved.spot ?? undefined,
      guest_spot: data.moved.guest_spot ?? undefined,
      reason: UNDONE,
    })
    return true
  }
  if ('final' in data) return false
  return setCustomerTag(tx, ctx, { customer_id: record_id, tag_id: params.tag_id ?? 0, has: action === 'tags.remove' })
}
