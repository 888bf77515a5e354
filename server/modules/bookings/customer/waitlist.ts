/** The customer's side of the waitlist: joining, leaving, holds and the answer to an offer (docs/domain.md, "Waitlist"). */

import type * as z from 'zod'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { isErrorCode, Refusal, refuse, sentence } from '#contract/errors.ts'
import { messagePaths } from '#contract/paths.ts'
import { allSpots } from '#contract/spots.ts'
import { wallClock } from '#contract/time.ts'
import type { WaitlistEntry, waitlistOfferView } from '#contract/waitlist.ts'
import { firstFreeSpot, hasHold, whyNotOpen } from '#server/modules/bookings/rules.ts'
import { loadPersonFactsForJoining } from '#server/modules/bookings/spots/person-guards.ts'
import { createReservation } from '#server/modules/bookings/spots/reserving.ts'
import { endHold, endLapsed } from '#server/modules/bookings/spots/waitlist-offers.ts'
import { endInvites, listStaleInvites } from '#server/modules/bookings/store/guest-invite-store.ts'
import { endPaymentHolds, listStaleHolds } from '#server/modules/bookings/store/payment-hold-store.ts'
import { listTakenSpots } from '#server/modules/bookings/store/store.ts'
import {
  closeWaitlist,
  type EntryRow,
  findActiveEntry,
  findEntry,
  insertEntry,
  listMine,
  listStale,
  listUnpromoted,
  listWaitlistWithNames,
  type MyEntry,
  updateEntry,
} from '#server/modules/bookings/store/waitlist-store.ts'
import { demandTeaching } from '#server/modules/bookings/studio/roster-view.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { currentWaitlistMode, offerUntil, takesWithoutAsking, whyNotJoinAs } from '#server/modules/bookings/waitlist-rules.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

/** The purpose that offer links are signed for. */
const USE = 'waitlist-offer'

/** The path of the page that answers an offer; its token grants access without a log-in. */
export function offerPath(ctx: Ctx, entry: { waitlist_id: number; offers: number }): string {
  return messagePaths.offer(ctx.studio.signer.sign(USE, `${entry.waitlist_id}-${entry.offers}`))
}

/** The customer's waitlist entries, soonest class first (S2-7.07). */
export async function listMyWaitlists(ctx: Ctx) {
  const rows = await listMine(ctx.db, ctx.customer.customer_id, ctx.now)
  return { waitlists: await serializeEntries(ctx, rows), mode: ctx.settings.waitlist_mode }
}

/** One waitlist entry of the customer, also an ended one (S2-7.08). WAITLIST_NOT_FOUND, also for another customer's. */
export async function getWaitlistEntry(ctx: Ctx, input: { waitlist_id: number }): Promise<{ waitlist: WaitlistEntry }> {
  const [waitlist] = await serializeEntries(ctx, await listMine(ctx.db, ctx.customer.customer_id, ctx.now, input.waitlist_id))
  if (!waitlist) throw refuse('WAITLIST_NOT_FOUND')
  return { waitlist }
}

async function serializeEntries(ctx: Ctx, rows: readonly MyEntry[]): Promise<WaitlistEntry[]> {
  const classes = await timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))])
  const byId = new Map(classes.map((cls) => [cls.single_class_id, cls]))
  return rows.flatMap((row) => {
    const cls = byId.get(row.single_class_id)
    if (!cls) return []
    const { class_reservations: _, ...facts } = cls.shown
    const hold = serializeHold(ctx, row, cls)
    return [
      {
        ...entryOut(ctx, row, cls, row.position),
        offer: hold && { ...hold, path: offerPath(ctx, row) },
        single_class: { ...facts, opens_at: null },
      },
    ]
  })
}

function entryOut(ctx: Ctx, row: EntryRow, cls: ClassFacts, position: number) {
  const active = row.status === 'waiting' || row.status === 'offered'
  const code = row.skip_code && isErrorCode(row.skip_code) ? row.skip_code : null
  return {
    waitlist_id: row.waitlist_id,
    single_class_id: row.single_class_id,
    customer_id: row.customer_id,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    // In mode `todos` the first to book gets the place: a position would promise an order that does not count.
    position: active && currentWaitlistMode(cls, ctx.settings, ctx.now) !== 'todos' ? position : null,
    auto: row.auto,
    skipped: code && row.skippedAt ? { code, message: sentence(code), at: row.skippedAt.toISOString() } : null,
  }
}

function serializeHold(ctx: Ctx, row: EntryRow, cls: ClassFacts): { until: string; until_wall: string } | null {
  if (!hasHold(row, ctx.now) || !row.offer_until) return null
  return { until: row.offer_until.toISOString(), until_wall: wallClock(row.offer_until, cls.zone).toISOString() }
}

/** Joins a waitlist, or changes the entry whose id is given (S2-4.19). INVALID_INPUT when that one is of another class. */
export async function saveEntry(
  ctx: Ctx,
  input: { waitlist_id: number | null; single_class_id: number; auto?: boolean | undefined },
): Promise<{ waitlist: WaitlistEntry }> {
  const { waitlist_id, single_class_id, auto } = input
  if (waitlist_id === null) return joinClassWaitlist(ctx, { single_class_id, auto })
  const found = await getWaitlistEntry(ctx, { waitlist_id })
  if (found.waitlist.single_class_id !== single_class_id) throw refuse('INVALID_INPUT', { field: 'single_class_id' })
  return auto === undefined ? found : changeEntry(ctx, { waitlist_id, auto })
}

/** Joins the waitlist of a full class (W1, W2; S2-4.17). Joining twice returns the same entry. Refuses with the codes of the contract. */
async function joinClassWaitlist(
  ctx: Ctx,
  input: { single_class_id: number; auto?: boolean | undefined },
): Promise<{ waitlist: WaitlistEntry }> {
  const { customer_id } = ctx.customer
  const { single_class_id, auto = false } = input
  const waitlist_id = await ctx.tx(async (tx) => {
    const cls = await endLapsed(tx, ctx, await lockClass(tx, ctx, single_class_id))
    const serializeEntries = await findActiveEntry(tx, single_class_id, customer_id)
    if (serializeEntries) return serializeEntries.waitlist_id
    const facts = await loadPersonFactsForJoining(tx, ctx, cls, { customer_id, byStaff: false })
    const no = whyNotJoinAs(facts, cls, ctx.settings, ctx.now, ctx.zone)
    if (no) throw no
    const entry = await insertEntry(tx, { single_class_id, customer_id, auto, createdAt: ctx.now, updatedAt: ctx.now })
    if (!entry) throw refuse('WAITLIST_ALREADY')
    return entry.waitlist_id
  })
  return getWaitlistEntry(ctx, { waitlist_id })
}

/** The customer's entry, behind its class's lock. WAITLIST_NOT_FOUND, also for another customer's. */
async function lockMine(tx: Tx, ctx: Ctx, waitlist_id: number) {
  const seen = await findEntry(tx, waitlist_id)
  if (!seen || seen.customer_id !== ctx.customer.customer_id) throw refuse('WAITLIST_NOT_FOUND')
  const cls = await lockClass(tx, ctx, seen.single_class_id)
  const entry = await findEntry(tx, waitlist_id)
  if (!entry) throw refuse('WAITLIST_NOT_FOUND')
  return { cls, entry }
}

/** Switches automatic booking of a freed place on or off for an entry (W7; S2-7.10). */
export async function changeEntry(
  ctx: Ctx,
  input: { waitlist_id: number; auto?: boolean | undefined },
): Promise<{ waitlist: WaitlistEntry }> {
  await ctx.tx(async (tx) => {
    const { entry } = await lockMine(tx, ctx, input.waitlist_id)
    if (input.auto !== undefined && (entry.status === 'waiting' || entry.status === 'offered'))
      await updateEntry(tx, entry.waitlist_id, { auto: input.auto, updatedAt: ctx.now })
  })
  return getWaitlistEntry(ctx, input)
}

/** Leaves the waitlist; a held place passes to the next entry (S2-4.18, S2-7.11). Idempotent. */
export async function leaveWaitlist(ctx: Ctx, input: { waitlist_id: number }): Promise<{ waitlist: WaitlistEntry }> {
  await ctx.tx(async (tx) => {
    const { cls, entry } = await lockMine(tx, ctx, input.waitlist_id)
    if (entry.status === 'offered') await endHold(tx, ctx, cls, entry, { status: 'left' })
    else if (entry.status === 'waiting') await updateEntry(tx, entry.waitlist_id, { status: 'left', updatedAt: ctx.now })
  })
  return getWaitlistEntry(ctx, input)
}

/** The waitlist entry of a link's token, and the number of the offer. OFFER_INVALID when the signature is wrong. */
function readToken(ctx: Ctx, token: string): { waitlist_id: number; offers: number } {
  const subject = ctx.studio.signer.read(USE, token)
  const [waitlist_id, offers] = (subject ?? '').split('-').map(Number)
  if (!subject || !waitlist_id || !offers) throw refuse('OFFER_INVALID')
  return { waitlist_id, offers }
}

const isOpen = (entry: EntryRow, offers: number, now: Date) => entry.offers === offers && hasHold(entry, now)

/** What the link in a message shows (W9). Reading changes nothing, so that mail scanners that open links do not answer the offer. */
export async function getOffer(ctx: Ctx, input: { token: string }): Promise<{ offer: z.infer<typeof waitlistOfferView> }> {
  await slowDown(ctx)
  return { offer: await showOffer(ctx, readToken(ctx, input.token)) }
}

/** Tokens cannot be guessed; this only limits the load from one address. */
const slowDown = (ctx: Ctx) => ctx.throttle({ name: 'offer', subject: ctx.ip, max: 600, seconds: 60 })

async function showOffer(
  ctx: Ctx,
  { waitlist_id, offers }: { waitlist_id: number; offers: number },
): Promise<z.infer<typeof waitlistOfferView>> {
  const entry = await findEntry(ctx.db, waitlist_id)
  const [cls] = entry ? await timetable(ctx.studio).byId([entry.single_class_id]) : []
  if (!entry || !cls) throw refuse('OFFER_INVALID')
  const [person, takenSpots] = await Promise.all([customerById(ctx.db, entry.customer_id), listTakenSpots(ctx.db, entry.single_class_id)])
  const open = isOpen(entry, offers, ctx.now) && whyNotOpen(cls, ctx.settings, ctx.now) === null
  const until = open ? entry.offer_until : null
  return {
    state: open ? 'open' : entry.status === 'booked' && entry.offers === offers ? 'booked' : 'gone',
    name: person.name,
    class_type: cls.shown.class_type.name,
    class_date: cls.shown.class_date,
    location: cls.shown.location.name,
    coaches: cls.shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y '),
    until: until?.toISOString() ?? null,
    until_wall: until && wallClock(until, cls.zone).toISOString(),
    spots: open ? allSpots(cls.spot_map).filter((spot) => !takenSpots.includes(spot) && !cls.closed_spots.includes(spot)) : [],
    spot_map: cls.spot_map,
    seats: cls.seats && [...cls.seats.marks],
    closed_spots: [...cls.closed_spots],
  }
}

/**
 * Accepts or declines a held place by its link, without a log-in (W9). Repeating the same answer returns the result; the opposite answer is
 * OFFER_GONE. When the rules of booking refuse, the hold stays until it expires, so that the customer can fix the reason.
 */
export async function answerOffer(ctx: Ctx, input: { token: string; accept: boolean; spot?: string | null | undefined }) {
  await slowDown(ctx)
  const { waitlist_id, offers } = readToken(ctx, input.token)
  const by = new Ctx(ctx.studio, { actor: { kind: 'system', job: 'waitlist-link' }, requestId: ctx.requestId })
  const class_reservation_id = await by.tx(async (tx) => {
    const seen = await findEntry(tx, waitlist_id)
    if (!seen) throw refuse('OFFER_INVALID')
    const cls = await lockClass(tx, by, seen.single_class_id)
    const entry = await findEntry(tx, waitlist_id)
    if (!entry) throw refuse('OFFER_INVALID')
    if (entry.offers === offers && input.accept && entry.status === 'booked') return entry.class_reservation_id
    if (entry.offers === offers && !input.accept && entry.status === 'passed') return null
    if (!isOpen(entry, offers, by.now)) throw refuse('OFFER_GONE')
    if (!input.accept) {
      await endHold(tx, by, cls, entry, { status: 'passed' })
      return null
    }
    const spot = input.spot ?? firstFreeSpot(cls, await listTakenSpots(tx, cls.single_class_id))
    const created = await createReservation(tx, by, cls, { customer_id: entry.customer_id, input: { spot }, source: 'waitlist' })
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id: created.class_reservation_id } })
    return created.class_reservation_id
  })
  return { offer: await showOffer(ctx, { waitlist_id, offers }), class_reservation_id }
}

/**
 * Job: books a held place automatically (W7). If the rules of booking refuse, the hold passes to the next entry and the customer is
 * notified why.
 */
export async function convertHoldToReservation(ctx: Ctx, input: { waitlist_id: number; offers: number }): Promise<void> {
  const lockOffered = async (tx: Tx) => {
    const seen = await findEntry(tx, input.waitlist_id)
    if (!seen) return null
    const cls = await lockClass(tx, ctx, seen.single_class_id)
    const entry = await findEntry(tx, input.waitlist_id)
    return entry?.status === 'offered' && entry.offers === input.offers ? { cls, entry } : null
  }
  try {
    await ctx.tx(async (tx) => {
      const found = await lockOffered(tx)
      if (!found) return
      const { cls, entry } = found
      if (!takesWithoutAsking(cls, entry, ctx.settings, ctx.now)) {
        // Cancelling would cost a credit by now: send an offer instead of booking automatically.
        await updateEntry(tx, entry.waitlist_id, { offer_until: offerUntil(cls, ctx.settings, ctx.now, ctx.zone), updatedAt: ctx.now })
        return tx.send({ name: 'waitlist.offer', data: input })
      }
      // Extend the hold by a minute: it waits for this job, and its expiry must not count against the customer.
      await updateEntry(tx, entry.waitlist_id, { offer_until: new Date(ctx.now.getTime() + 60_000) })
      const spot = firstFreeSpot(cls, await listTakenSpots(tx, cls.single_class_id))
      const created = await createReservation(tx, ctx, cls, { customer_id: entry.customer_id, input: { spot }, source: 'waitlist' })
      await tx.send({ name: 'waitlist.booked', data: { class_reservation_id: created.class_reservation_id } })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code } = error
    await ctx.tx(async (tx) => {
      const found = await lockOffered(tx)
      if (found) await endHold(tx, ctx, found.cls, found.entry, { status: 'waiting', code })
    })
  }
}

/** Passes expired holds on and closes waitlists of classes that began or were cancelled: once a minute, and on every booking (W5). */
export async function sweepWaitlists(ctx: Ctx): Promise<void> {
  const each = async <T>(rows: readonly T[], work: (row: T) => Promise<unknown>) => {
    for (const row of rows) await work(row).catch((error: unknown) => ctx.studio.log.warn({ error, row }, 'waitlist.offer_failed'))
  }
  if (ctx.settings.waitlist_mode === 'auto')
    await each(await listUnpromoted(ctx.db, new Date(ctx.now.getTime() - 60_000), 100), (entry) => convertHoldToReservation(ctx, entry))
  const found = await Promise.all([listStale, listStaleHolds, listStaleInvites].map((list) => list(ctx.db, ctx.now, 100)))
  const stale = new Set(found.flat())
  await each([...stale], (single_class_id) =>
    ctx.tx(async (tx) => {
      const cls = await lockClass(tx, ctx, single_class_id)
      if (!cls.cancelled && cls.starts_at > ctx.now) return void (await endLapsed(tx, ctx, cls))
      await endPaymentHolds(tx, single_class_id, ctx.now, 'all')
      await endInvites(tx, single_class_id, ctx.now, 'all')
      await closeWaitlist(tx, single_class_id, ctx.now)
    }),
  )
}

/** After a booking: places held for the customer in overlapping classes pass to the next entries (W10). */
export async function releaseOverlappingHolds(ctx: Ctx, holds: readonly { waitlist_id: number; single_class_id: number }[]): Promise<void> {
  for (const { waitlist_id, single_class_id } of holds)
    await ctx.tx(async (tx) => {
      const cls = await lockClass(tx, ctx, single_class_id)
      const entry = await findEntry(tx, waitlist_id)
      if (entry?.status === 'offered') await endHold(tx, ctx, cls, entry, { status: 'waiting', code: 'OVERLAPPING_RESERVATION' })
    })
}

/** The waitlist of a class, for the studio. CLASS_NOT_FOUND, NOT_YOUR_CLASS. */
export async function getWaitlistOfClass(ctx: Ctx, input: { single_class_id: number }) {
  const [cls] = await timetable(ctx.studio).byId([input.single_class_id])
  if (!cls) throw refuse('CLASS_NOT_FOUND')
  await demandTeaching(ctx, cls)
  const rows = await listWaitlistWithNames(ctx.db, input.single_class_id)
  return {
    // Without the offer's link: only the customer may answer it.
    waitlists: rows.map(({ name, last_name, ...row }, n) => ({
      ...entryOut(ctx, row, cls, n + 1),
      offer: serializeHold(ctx, row, cls),
      name,
      last_name,
      priority: row.priority,
    })),
  }
}

/** Changes the priority of a waitlist entry; the reason is stored in the audit trail (W3). WAITLIST_NOT_FOUND. */
export async function prioritise(ctx: Ctx, input: { waitlist_id: number; priority: number; reason: string }) {
  const { waitlist_id, priority, reason } = input
  await ctx.tx(async (tx) => {
    const seen = await findEntry(tx, waitlist_id)
    if (!seen) throw refuse('WAITLIST_NOT_FOUND')
    const cls = await lockClass(tx, ctx, seen.single_class_id)
    ctx.requireLocation('roster.all', cls.location_id)
    await updateEntry(tx, waitlist_id, { priority, updatedAt: ctx.now })
    await ctx.audit(tx, {
      action: 'waitlist.prioritise',
      entity: 'waitlist',
      entity_id: waitlist_id,
      reason,
      before: { priority: seen.priority },
      after: { priority },
    })
  })
  return { waitlist_id, priority }
}
