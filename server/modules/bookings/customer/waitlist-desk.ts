/** Waitlist actions of staff for a customer: join, leave, and take a spot at once (docs/domain.md, "The front desk"). */
import { refuse } from '#contract/errors.ts'
import { firstFreeSpot, hasHold } from '#server/modules/bookings/rules.ts'
import { loadPersonFactsForJoining } from '#server/modules/bookings/spots/person-guards.ts'
import { createReservation } from '#server/modules/bookings/spots/reserving.ts'
import { endHold, endLapsed } from '#server/modules/bookings/spots/waitlist-offers.ts'
import { listTakenSpots } from '#server/modules/bookings/store/store.ts'
import { findActiveEntry, findEntry, insertEntry, updateEntry } from '#server/modules/bookings/store/waitlist-store.ts'
import { rosterReservation } from '#server/modules/bookings/studio/roster-view.ts'
import { whyNotJoinAs } from '#server/modules/bookings/waitlist-rules.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

/** Adds a customer to the waitlist of a full class (Q5, W1, W2); penalties do not prevent it. Idempotent. */
export async function joinWaitlistFor(ctx: Ctx, input: { customer_id: number; single_class_id: number }): Promise<{ waitlist_id: number }> {
  const { customer_id, single_class_id } = input
  await customerById(ctx.db, customer_id)
  const waitlist_id = await ctx.once('frontDesk.joinWaitlist', input, async (tx) => {
    const locked = await lockClass(tx, ctx, single_class_id)
    ctx.requireLocation('roster.all', locked.location_id)
    const cls = await endLapsed(tx, ctx, locked)
    const existing = await findActiveEntry(tx, single_class_id, customer_id)
    if (existing) return existing.waitlist_id
    const facts = await loadPersonFactsForJoining(tx, ctx, cls, { customer_id, byStaff: true })
    const no = whyNotJoinAs(facts, cls, ctx.settings, ctx.now, ctx.zone)
    if (no) throw no
    const entry = await insertEntry(tx, { single_class_id, customer_id, auto: false, createdAt: ctx.now, updatedAt: ctx.now })
    if (!entry) throw refuse('WAITLIST_ALREADY')
    await ctx.audit(tx, { action: 'waitlist.join', entity: 'waitlist', entity_id: entry.waitlist_id, after: input })
    return entry.waitlist_id
  })
  return { waitlist_id }
}

/** A live waitlist entry, behind its class's lock. WAITLIST_NOT_FOUND. */
async function lockEntry(tx: Tx, ctx: Ctx, waitlist_id: number) {
  const seen = await findEntry(tx, waitlist_id)
  if (!seen) throw refuse('WAITLIST_NOT_FOUND')
  const cls = await lockClass(tx, ctx, seen.single_class_id)
  ctx.requireLocation('roster.all', cls.location_id)
  const entry = await findEntry(tx, waitlist_id)
  if (!entry) throw refuse('WAITLIST_NOT_FOUND')
  return { cls, entry }
}

/** Removes a customer from the waitlist; a spot held for them is offered to the next (Q5). Idempotent. */
export async function leaveWaitlistFor(ctx: Ctx, input: { waitlist_id: number }): Promise<{ waitlist_id: number }> {
  const { waitlist_id } = input
  await ctx.tx(async (tx) => {
    const { cls, entry } = await lockEntry(tx, ctx, waitlist_id)
    if (entry.status !== 'offered' && entry.status !== 'waiting') return
    if (entry.status === 'offered') await endHold(tx, ctx, cls, entry, { status: 'left' })
    else await updateEntry(tx, waitlist_id, { status: 'left', updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'waitlist.leave', entity: 'waitlist', entity_id: waitlist_id, before: { status: entry.status } })
  })
  return { waitlist_id }
}

/**
 * Books a spot for a customer on the waitlist, as a booking by staff would (Q5, R21): the spot held for them, or a free one. Idempotent.
 * WAITLIST_NOT_FOUND for an entry that was removed, and the refusals of booking.
 */
export async function promoteFromWaitlist(ctx: Ctx, input: { waitlist_id: number; spot?: string | null | undefined }) {
  const class_reservation_id = await ctx.once('frontDesk.promote', input, async (tx) => {
    const { cls, entry } = await lockEntry(tx, ctx, input.waitlist_id)
    if (entry.status === 'booked' && entry.class_reservation_id !== null) return entry.class_reservation_id
    if (entry.status !== 'waiting' && !hasHold(entry, ctx.now) && entry.status !== 'offered') throw refuse('WAITLIST_NOT_FOUND')
    const spot = input.spot ?? firstFreeSpot(cls, await listTakenSpots(tx, cls.single_class_id))
    const created = await createReservation(tx, ctx, cls, {
      customer_id: entry.customer_id,
      input: { spot },
      source: 'waitlist',
      byStaff: true,
    })
    await ctx.audit(tx, {
      action: 'waitlist.promote',
      entity: 'waitlist',
      entity_id: entry.waitlist_id,
      after: { class_reservation_id: created.class_reservation_id },
    })
    await tx.send({ name: 'waitlist.booked', data: { class_reservation_id: created.class_reservation_id } })
    return created.class_reservation_id
  })
  return rosterReservation(ctx, class_reservation_id)
}
