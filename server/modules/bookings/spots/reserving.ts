/** Books and releases places, for every operation that does: by the customer, by staff, from a waitlist, weekly repeats, moves. */
import { type Refusal, refuse } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import { factsForGuest, whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import {
  bringsGuest,
  hasHold,
  type ReservationInput,
  whyNotOpen,
  whyNotReserve,
  whyNotReserveByStaff,
} from '#server/modules/bookings/rules.ts'
import { endPaymentHold, listHoldsOfCustomer } from '#server/modules/bookings/store/payment-hold-store.ts'
import { cancelReservations, findOwnReservation, insertReservation, lockCustomer } from '#server/modules/bookings/store/store.ts'
import { type EntryRow, findActiveEntry, updateEntry } from '#server/modules/bookings/store/waitlist-store.ts'
import { type CreditLotRow, creditsLeft, lockSpendable, recordSpends, returnCredits, spendCredit } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ClassCore, type LockedClass, lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { loadPersonFacts, loadPersonFactsForJoining, loadPersonFactsForStaff } from './person-guards.ts'
import { oweRefundsForReservations } from './spot-sales.ts'
import { endLapsed, notifyOthers, offerFreedSpots } from './waitlist-offers.ts'

export interface Taking {
  customer_id: number
  input: ReservationInput & { available_class_id?: number | null | undefined }
  source: 'customer' | 'staff' | 'waitlist' | 'repeat' | 'move'
  /** Done by staff although `source` is not `staff`: the rules for staff apply (R21). */
  byStaff?: true
  /**
   * Paid at the counter. `until`: deadline; null = the place stays even unpaid. `price`: centavos per place. `sale`: the sale that
   * already paid.
   */
  cash?: { until: Date | null; price: Centavos; sale?: number }
}

const isByStaff = ({ source, byStaff }: Taking): boolean => source === 'staff' || byStaff === true

export interface CreatedReservation {
  /** The class as it was when the place was taken. */
  cls: ClassCore
  class_reservation_id: number
  /** The lot that paid; null in cash. */
  creditLot: CreditLotRow | null
  /** The lot that paid for the guest; null without one. */
  guest_lot: CreditLotRow | null
  /** Every lot that could have paid, as it is now. */
  creditLots: readonly CreditLotRow[]
  spots: number
}

/**
 * Books a place, and one for a guest, in a class that the caller has locked (R1-R6, R10-R12). For staff the windows, documents and
 * penalties are not checked. A place held for this customer counts as free for them, and their waitlist entry becomes the reservation.
 */
export async function createReservation(tx: Tx, ctx: Ctx, locked: LockedClass, taking: Taking): Promise<CreatedReservation> {
  const { customer_id, input, source, cash } = taking
  const byStaff = isByStaff(taking)
  const own = locked.held > 0 ? await ownHold(tx, ctx, locked, customer_id) : null
  const cls = own?.cls ?? locked
  const no = (byStaff ? whyNotReserveByStaff : whyNotReserve)(cls, input, ctx.settings, ctx.now)
  if (no) throw await refusalToShow(tx, ctx, cls, taking, no)
  // Pipelined, but executed in order: the customer is locked before their facts and credit lots are read.
  const guest = bringsGuest(input)
  const [ids, entry, facts, creditLots] = await Promise.all([
    lockCustomer(tx, customer_id, guest ? 2 : 1),
    own || !ctx.settings.waitlist_enabled ? (own?.entry ?? null) : findActiveEntry(tx, cls.single_class_id, customer_id),
    byStaff ? loadPersonFactsForStaff(tx, cls, customer_id) : loadPersonFacts(tx, ctx, cls, customer_id),
    cash ? [] : lockSpendable(tx, ctx, customer_id),
  ])
  const refusal = whyNotPerson(facts, cls, ctx.zone)
  if (refusal) throw refusal
  const paid = cash ? [] : await spendCredit(tx, ctx, creditLots, { cls, guest, chosen: input.available_class_id ?? null })
  if (!cash && !paid[0]) throw new Error('Nothing paid and nothing was refused.')
  const [class_reservation_id, guest_reservation_id] = ids
  if (class_reservation_id === undefined) throw new Error('The customer is gone.')

  const reservation = {
    single_class_id: cls.single_class_id,
    customer_id,
    source,
    now: ctx.now,
    is_cash: cash !== undefined,
    is_paid: cash?.sale !== undefined || cash === undefined,
    pay_until: cash?.until ?? null,
    price_centavos: cash?.price ?? null,
    purchase_id: cash?.sale ?? null,
  }
  const creditLotOf = (n: number) => paid[n]?.creditLot.available_class_id ?? null
  // Not awaited: what the database refuses here is the error of the whole transaction.
  const host = { class_reservation_id, host_reservation_id: null, guest: null, spot: input.spot ?? null }
  tx.fireAndForget(insertReservation(tx, { ...reservation, ...host, available_class_id: creditLotOf(0) }))
  if (guest_reservation_id !== undefined) {
    const about = { host_reservation_id: class_reservation_id, guest: input.guest ?? '', spot: input.guest_spot ?? null }
    tx.fireAndForget(
      insertReservation(tx, { ...reservation, ...about, class_reservation_id: guest_reservation_id, available_class_id: creditLotOf(1) }),
    )
  }
  await recordSpends(
    tx,
    ctx,
    paid.map((spend, n) => ({ ...spend, class_reservation_id: ids[n] ?? 0 })),
  )
  if (entry) await updateEntry(tx, entry.waitlist_id, { status: 'booked', offer_until: null, class_reservation_id, updatedAt: ctx.now })
  notifyOthers(tx, cls)
  // A spot that was held for a guest who does not come is offered like any other freed one.
  if (own && own.spots > ids.length) await offerFreedSpots(tx, ctx, locked)
  return {
    cls,
    class_reservation_id,
    spots: ids.length,
    creditLot: paid[0]?.creditLot ?? null,
    guest_lot: paid[1]?.creditLot ?? null,
    creditLots: creditsLeft(creditLots, paid),
  }
}

/** Passes a class's expired holds on first, then counts the places held for this customer as free for them (W4, W12). */
async function ownHold(
  tx: Tx,
  ctx: Ctx,
  locked: LockedClass,
  customer_id: number,
): Promise<{ cls: LockedClass; entry: EntryRow | null; spots: number }> {
  const cls = await endLapsed(tx, ctx, locked)
  const [entry, holds] = await Promise.all([findActiveEntry(tx, cls.single_class_id, customer_id), listHoldsOfCustomer(tx, customer_id)])
  const paying = holds.filter((hold) => hold.single_class_id === cls.single_class_id)
  for (const hold of paying) await endPaymentHold(tx, hold.payment_hold_id, ctx.now)
  const offered = entry !== null && hasHold(entry, ctx.now)
  if (offered) await updateEntry(tx, entry.waitlist_id, { status: 'waiting', offer_until: null, updatedAt: ctx.now })
  if (!offered && paying.length === 0) return { cls, entry, spots: 0 }
  const heldSpots = paying.reduce((sum, hold) => sum + hold.places, offered ? 1 : 0)
  return { cls: await lockClass(tx, ctx, cls.single_class_id), entry, spots: heldSpots }
}

/**
 * Which refusal to show when the class itself refuses: for an open class, a penalty comes first; for a full one, ALREADY_RESERVED replaces
 * "full" when the customer has a place in it, since "full" would suggest that they have none.
 */
async function refusalToShow(tx: Tx, ctx: Ctx, cls: ClassCore, taking: Taking, no: Refusal): Promise<Refusal> {
  const byStaff = isByStaff(taking)
  const isFull = no.code === 'CLASS_FULL'
  if (byStaff ? !isFull : whyNotOpen(cls, ctx.settings, ctx.now)) return no
  const facts = await loadPersonFactsForJoining(tx, ctx, cls, { customer_id: taking.customer_id, byStaff })
  return whyNotPerson(isFull ? facts : factsForGuest(facts), cls, ctx.zone) ?? no
}

/** Locks the class, then reads the customer's reservation. RESERVATION_NOT_FOUND, also for another customer's; RESERVATION_CANCELLED. */
export async function lockReservation(tx: Tx, ctx: Ctx, input: { class_reservation_id: number; customer_id: number; also?: number }) {
  const { class_reservation_id, customer_id, also } = input
  const seen = await findOwnReservation(tx, class_reservation_id, customer_id)
  if (!seen) throw refuse('RESERVATION_NOT_FOUND')
  // Two classes are locked in the order of their ids, so that two opposite moves cannot deadlock.
  const first = also !== undefined && also < seen.single_class_id ? await lockClass(tx, ctx, also) : null
  const cls = await lockClass(tx, ctx, seen.single_class_id)
  const other = first ?? (also === undefined || also === seen.single_class_id ? null : await lockClass(tx, ctx, also))
  await lockCustomer(tx, customer_id)
  // Read again: the row may have changed while this transaction waited for the lock.
  const reservation = await findOwnReservation(tx, class_reservation_id, customer_id)
  if (!reservation) throw refuse('RESERVATION_NOT_FOUND')
  if (reservation.deletedAt) throw refuse('RESERVATION_CANCELLED')
  return { cls, place: reservation, other }
}

export type ReturnedCredit = 'returned' | 'courtesy' | 'kept' | 'none'

/**
 * Releases reservations of one locked class: returns their credits unless the cancellation is late, owes the refund of money paid at the
 * counter, and offers the freed places to the waitlist. `retainsPayment`: the money moves to another reservation. Returns the
 * credits returned.
 */
export async function releaseReservations(
  tx: Tx,
  ctx: Ctx,
  cls: ClassCore,
  ids: readonly number[],
  how: { by: 'customer' | 'staff' | 'system' | 'undo' | 'move'; late: boolean; retainsPayment?: boolean },
): Promise<ReturnedCredit> {
  const freed = await cancelReservations(tx, ids, { at: ctx.now, by: how.by, late: how.late })
  const back = how.late ? 'kept' : await returnCredits(tx, ctx, freed)
  if (!how.late && !how.retainsPayment) await oweRefundsForReservations(tx, ctx, freed)
  await offerFreedSpots(tx, ctx, cls)
  return back
}

/** A host's place and their guest's. */
export const withGuest = (reservation: { class_reservation_id: number; guest_id: number | null }): number[] =>
  reservation.guest_id === null ? [reservation.class_reservation_id] : [reservation.class_reservation_id, reservation.guest_id]
