/**
 * Offers freed places along a class's waitlist. Every source of free places calls `offerFreedSpots` in its own transaction, behind the
 * class's lock, so that no other booking takes the place in between (settled 22; docs/domain.md, "Waitlist").
 */
import type { ErrorCode, Refusal } from '#contract/errors.ts'
import { whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import { whyNotOpen } from '#server/modules/bookings/rules.ts'
import { endInvites } from '#server/modules/bookings/store/guest-invite-store.ts'
import { endPaymentHolds } from '#server/modules/bookings/store/payment-hold-store.ts'
import {
  type EntryRow,
  insertOpening,
  lastOpening,
  listWaitlist,
  markNotified,
  updateEntry,
} from '#server/modules/bookings/store/waitlist-store.ts'
import { currentWaitlistMode, offerUntil, takesWithoutAsking } from '#server/modules/bookings/waitlist-rules.ts'
import { isPayable, spendableCreditLots, whyNoCredit } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ClassCore, type LockedClass, lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { loadPersonFacts } from './person-guards.ts'

/** How long a hold waits for the job that books it automatically. */
const AUTO_MINUTES = 10

/** Publishes an event: the place counts of a class changed (open calendars reload it). */
export function notifyOthers(tx: Tx, cls: Pick<ClassCore, 'single_class_id' | 'wall'>): void {
  tx.notify({ topic: 'class', single_class_id: cls.single_class_id, class_date: cls.wall.toISOString(), only: 'places' })
}

/**
 * Offers the places of a class that became free. `before`: the class as it was locked, before the change. Called by every source:
 * cancellations by customer, staff or the system, removed guests, more capacity or spots, moves, restored classes.
 */
export async function offerFreedSpots(tx: Tx, ctx: Ctx, before: ClassCore): Promise<void> {
  notifyOthers(tx, before)
  if (!ctx.settings.waitlist_enabled) return
  const entries = await listWaitlist(tx, before.single_class_id)
  if (entries.length === 0) return
  await offerSpots(tx, ctx, before, entries, true)
}

/** `fresh`: a new place became free (a new opening); otherwise a hold passes on to the next entry in the same opening (W3). */
async function offerSpots(tx: Tx, ctx: Ctx, before: ClassCore, entries: readonly EntryRow[], isNewOpening: boolean): Promise<void> {
  const cls = await lockClass(tx, ctx, before.single_class_id)
  if (cls.places_left < 1 || whyNotOpen(cls, ctx.settings, ctx.now)) return
  if (currentWaitlistMode(cls, ctx.settings, ctx.now) === 'todos') {
    // Notify only when the class was full before: while it had places, the waitlist already knew.
    if (before.places_left > 0) return
    const opening = await insertOpening(tx, cls.single_class_id, ctx.now)
    await markNotified(tx, cls.single_class_id, opening)
    await tx.send({ name: 'waitlist.open', data: { opening } })
    return
  }
  const opening = isNewOpening ? await insertOpening(tx, cls.single_class_id, ctx.now) : await lastOpening(tx, cls.single_class_id)
  const waiting = entries.filter((entry) => entry.status === 'waiting' && entry.opening < opening)
  // In batches of as many entries as there are places: their checks share one round trip while the class is locked.
  for (let left = cls.places_left; left > 0 && waiting.length > 0; ) {
    const next = waiting.splice(0, left)
    const refusals = await Promise.all(next.map((entry) => whyNotOffer(tx, ctx, cls, entry)))
    for (const [n, entry] of next.entries()) {
      const no = refusals[n]
      if (no) await skipWaitlistEntry(tx, ctx, entry, no.code)
      else {
        await hold(tx, ctx, cls, entry, opening)
        left--
      }
    }
  }
}

/** Why an entry is skipped (W8): the refusal of booking. Read without the customer's lock; booking checks again behind it. */
async function whyNotOffer(tx: Tx, ctx: Ctx, cls: LockedClass, { customer_id }: EntryRow): Promise<Refusal | null> {
  const [facts, creditLots] = await Promise.all([loadPersonFacts(tx, ctx, cls, customer_id), spendableCreditLots(tx, ctx, customer_id)])
  const no = whyNotPerson(facts, cls, ctx.zone)
  if (no) return no
  return isPayable(creditLots, cls, ctx.zone) ? null : whyNoCredit(creditLots, cls, ctx.now)
}

/** Skips an entry, which keeps its position; the customer is notified, once per reason. */
export async function skipWaitlistEntry(
  tx: Tx,
  ctx: Ctx,
  entry: Pick<EntryRow, 'waitlist_id' | 'skip_code'>,
  code: ErrorCode,
): Promise<void> {
  if (entry.skip_code === code) return
  await updateEntry(tx, entry.waitlist_id, { skip_code: code, skippedAt: ctx.now, updatedAt: ctx.now })
  await tx.send({ name: 'waitlist.skipped', data: { waitlist_id: entry.waitlist_id, code } })
}

/** Holds a place for an entry. The database counts holds with the places taken and refuses one too many. */
async function hold(tx: Tx, ctx: Ctx, cls: LockedClass, entry: EntryRow, opening: number): Promise<void> {
  const auto = takesWithoutAsking(cls, entry, ctx.settings, ctx.now)
  const offers = entry.offers + 1
  await updateEntry(tx, entry.waitlist_id, {
    status: 'offered',
    offers,
    opening,
    offer_until: auto ? new Date(ctx.now.getTime() + AUTO_MINUTES * 60_000) : offerUntil(cls, ctx.settings, ctx.now, ctx.zone),
    skip_code: null,
    skippedAt: null,
    updatedAt: ctx.now,
  })
  await tx.send({ name: auto ? 'waitlist.promote' : 'waitlist.offer', data: { waitlist_id: entry.waitlist_id, offers } })
}

/**
 * Ends a hold without a booking: the next entry gets the offer, in the same opening. `as`: the entry's new status, and why it is skipped.
 */
export async function endHold(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  entry: Pick<EntryRow, 'waitlist_id' | 'skip_code'>,
  as: { status: 'waiting' | 'passed' | 'left'; code?: ErrorCode },
): Promise<void> {
  const opening = await lastOpening(tx, cls.single_class_id)
  await updateEntry(tx, entry.waitlist_id, { status: as.status, offer_until: null, opening, updatedAt: ctx.now })
  if (as.code) await skipWaitlistEntry(tx, ctx, entry, as.code)
  notifyOthers(tx, cls)
  if (ctx.settings.waitlist_enabled) await offerSpots(tx, ctx, cls, await listWaitlist(tx, cls.single_class_id), false)
}

/** Passes a class's expired holds on to the next entries (W5, W12, R30). Returns the class afterwards. The caller holds its lock. */
export async function endLapsed(tx: Tx, ctx: Ctx, cls: LockedClass): Promise<LockedClass> {
  if (cls.held === 0) return cls
  const [entries, unpaid, unanswered] = await Promise.all([
    listWaitlist(tx, cls.single_class_id),
    endPaymentHolds(tx, cls.single_class_id, ctx.now, 'expired'),
    endInvites(tx, cls.single_class_id, ctx.now, 'expired'),
  ])
  const lapsed = entries.filter((entry) => entry.offer_until !== null && entry.offer_until <= ctx.now)
  const freed = unpaid + unanswered
  if (lapsed.length === 0 && freed === 0) return cls
  for (const entry of lapsed) await endHold(tx, ctx, await lockClass(tx, ctx, cls.single_class_id), entry, { status: 'waiting' })
  if (freed > 0) await offerFreedSpots(tx, ctx, cls)
  return lockClass(tx, ctx, cls.single_class_id)
}
