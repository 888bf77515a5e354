/** Reservations: a place's whole life. Every verb that takes or frees a place passes the class's lock first (docs/domain.md, "Reservations"). */
import { pageCount, RESERVATIONS_PER_PAGE, type Reservation, type Reserve } from '#contract/bookings.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { pendingDocuments } from '#server/modules/content/content.ts'
import { giveBack, type LotRow, recordSpends, spendCredit, spendGuestCredit, usableLots } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ClassCore, lockClass } from '#server/modules/schedule/schedule.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import {
  bringsGuest,
  cancelWindow,
  type Personal,
  policy,
  reservationActions,
  whyNotGuestName,
  whyNotOpen,
  whyNotReserve,
  whyNotRoom,
  whyNotSpot,
} from './rules.ts'
import {
  cancelPlaces,
  changePlace,
  countCancels,
  type Filter,
  findPlace,
  findReservation,
  insertPlace,
  listClashes,
  listReservationRows,
  lockCustomer,
  type ReservationRow,
} from './store.ts'
import { type ClassFacts, timetable } from './timetable.ts'

/**
 * Takes a place for the signed-in customer, and one for a guest (R1-R6, R10-R12). Repeating it with the same Idempotency-Key answers
 * the same reservation. Refuses with the codes of the contract; nothing is written then.
 */
export async function reserve(ctx: Ctx, ask: Reserve): Promise<{ class_reservation: Reservation }> {
  const { customer_id } = ctx.customer
  const facts = await timetable(ctx.studio).glance(ask.single_class_id)
  if (!facts) throw refuse('CLASS_NOT_FOUND')
  let fresh: { row: ReservationRow; cls: ClassFacts } | null = null
  const made = await ctx.once('bookings.reserve', ask, async (tx) => {
    fresh = null
    const cls = await lockClass(tx, ctx, ask.single_class_id)
    const no = whyNotReserve(cls, ask, ctx.settings, ctx.now)
    if (no) throw await alreadyMine(tx, customer_id, cls, no)
    await lockCustomer(tx, customer_id)
    const clashes = await listClashes(tx, customer_id, cls)
    if (clashes.length) throw refuse(clashes.includes(cls.single_class_id) ? 'ALREADY_RESERVED' : 'OVERLAPPING_RESERVATION')
    await demandDocuments(tx, customer_id)
    const [host, guest] = await spendCredit(tx, ctx, { customer_id, cls, guest: bringsGuest(ask), chosen: ask.available_class_id ?? null })
    if (!host) throw new Error('Nothing paid and nothing was refused.')

    const place = { single_class_id: cls.single_class_id, customer_id, now: ctx.now }
    const class_reservation_id = await insertPlace(tx, {
      ...place,
      host_reservation_id: null,
      guest: null,
      spot: ask.spot ?? null,
      available_class_id: host.lot.available_class_id,
    })
    const spends = [{ ...host, class_reservation_id }]
    if (guest) {
      const id = await insertPlace(tx, {
        ...place,
        host_reservation_id: class_reservation_id,
        guest: ask.guest ?? '',
        spot: ask.guest_spot ?? null,
        available_class_id: guest.lot.available_class_id,
      })
      spends.push({ ...guest, class_reservation_id: id })
    }
    await recordSpends(tx, ctx, spends)
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id } })
    tellOthers(tx, cls)
    fresh = {
      row: newRow(ctx, cls, ask, { customer_id, class_reservation_id, lot: host.lot }),
      cls: withTaken(facts, cls, spends.length),
    }
    return { class_reservation_id }
  })
  return fresh ? { class_reservation: await presentFresh(ctx, fresh) } : oneReservation(ctx, made)
}

/** The row just written, as reading it would answer: a booking should not cost another two readings. */
function newRow(
  ctx: Ctx,
  cls: ClassCore,
  ask: Reserve,
  made: { customer_id: number; class_reservation_id: number; lot: Pick<LotRow, 'available_class_id' | 'title' | 'guests_use_credit'> },
): ReservationRow {
  return {
    class_reservation_id: made.class_reservation_id,
    single_class_id: cls.single_class_id,
    customer_id: made.customer_id,
    host_reservation_id: null,
    available_class_id: made.lot.available_class_id,
    paid_with: made.lot.title,
    guests_free: !made.lot.guests_use_credit,
    starts_at: cls.starts_at,
    ends_at: cls.ends_at,
    spot: ask.spot ?? null,
    guest: ask.guest ?? null,
    guest_spot: ask.guest_spot ?? null,
    is_cash: false,
    is_paid: true,
    attend: null,
    class_stars: null,
    coach_stars: null,
    comment: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
    cancelled_by: null,
    cancelled_late: null,
    source: 'customer',
    pay_until: null,
    remindedAt: null,
    excuse: null,
  }
}

/** Facts of a class with what the lock saw of its places, and some more taken. */
function withTaken(facts: ClassFacts, locked: ClassCore, more: number): ClassFacts {
  const taken = locked.taken + more
  const places_left = Math.max(0, locked.places_left - more)
  return { ...facts, taken, places_left, shown: { ...facts.shown, taken: taken + locked.held, places_left } }
}

/** A class that is full because I am in it says so: the other sentence would only frighten. */
async function alreadyMine(tx: Tx, customer_id: number, cls: ClassCore, no: Refusal): Promise<Refusal> {
  if (no.code !== 'CLASS_FULL') return no
  const clashes = await listClashes(tx, customer_id, cls)
  return clashes.includes(cls.single_class_id) ? refuse('ALREADY_RESERVED') : no
}

async function demandDocuments(tx: Tx, customer_id: number): Promise<void> {
  const [first] = await pendingDocuments(tx, customer_id)
  if (first) throw refuse('DOCUMENTS_REQUIRED', { page_id: first.page_id })
}

function tellOthers(tx: Tx, cls: ClassCore): void {
  tx.notify({ topic: 'class', single_class_id: cls.single_class_id, class_date: cls.wall.toISOString(), only: 'places' })
}

/** A place of the signed-in customer with its class, locked in that order. Another's is RESERVATION_NOT_FOUND. */
async function lockMyPlace(tx: Tx, ctx: Ctx, class_reservation_id: number) {
  const { customer_id } = ctx.customer
  const seen = await findPlace(tx, class_reservation_id, customer_id)
  if (!seen) throw refuse('RESERVATION_NOT_FOUND')
  const cls = await lockClass(tx, ctx, seen.single_class_id)
  await lockCustomer(tx, customer_id)
  // What was seen before the lock may have changed while waiting for it.
  const place = await findPlace(tx, class_reservation_id, customer_id)
  if (!place) throw refuse('RESERVATION_NOT_FOUND')
  if (place.deletedAt) throw refuse('RESERVATION_CANCELLED')
  return { cls, place }
}

export interface Change {
  class_reservation_id: number
  spot?: string | undefined
  guest?: string | undefined
  guest_spot?: string | undefined
}

/** Changes the seat, the guest's name or seat, or brings a guest along (R6, R14). */
export async function changeReservation(ctx: Ctx, ask: Change): Promise<{ class_reservation: Reservation }> {
  const changed = await ctx.once('bookings.update', ask, async (tx) => {
    const { cls, place } = await lockMyPlace(tx, ctx, ask.class_reservation_id)
    if (cls.cancelled) throw refuse('CLASS_CANCELLED')
    if (cls.starts_at <= ctx.now) throw refuse('CLASS_STARTED')
    const spot = ask.spot ?? place.spot
    const moves = ask.spot !== undefined && ask.spot !== place.spot
    const no =
      (moves ? whyNotSpot(cls, ask.spot) : null) ??
      (place.guest_id === null ? whyNotBring(ctx, cls, ask, spot) : whyNotChangeGuest(cls, ask))
    if (no) throw no

    // Both seats are left before either is taken, so that host and guest can change places.
    if (moves && place.guest_id !== null && ask.guest_spot !== undefined) await changePlace(tx, place.guest_id, { spot: null }, ctx.now)
    if (moves) await changePlace(tx, place.class_reservation_id, { spot: spot ?? null }, ctx.now)
    if (place.guest_id !== null) {
      const guest = {
        ...(ask.guest === undefined ? {} : { guest: ask.guest }),
        ...(ask.guest_spot === undefined ? {} : { spot: ask.guest_spot }),
      }
      if (Object.keys(guest).length) await changePlace(tx, place.guest_id, guest, ctx.now)
    } else if (bringsGuest(ask)) await bringGuest(tx, ctx, cls, place, ask)
    tellOthers(tx, cls)
    return { class_reservation_id: place.class_reservation_id }
  })
  return oneReservation(ctx, changed)
}

function whyNotChangeGuest(cls: ClassCore, ask: Change): Refusal | null {
  return (
    (ask.guest === undefined ? null : whyNotGuestName(ask.guest)) ?? (ask.guest_spot === undefined ? null : whyNotSpot(cls, ask.guest_spot))
  )
}

/** A guest where there was none is a new place: the rules of reserving hold. `spot`: the host's seat. */
function whyNotBring(ctx: Ctx, cls: ClassCore, ask: Change, spot: string | null): Refusal | null {
  if (!bringsGuest(ask)) return null
  if (!ctx.settings.allow_class_guests) return refuse('GUESTS_NOT_ALLOWED')
  return (
    whyNotGuestName(ask.guest) ??
    whyNotOpen(cls, ctx.settings, ctx.now) ??
    whyNotRoom(cls, 1) ??
    whyNotSpot(cls, ask.guest_spot) ??
    (spot !== null && spot === ask.guest_spot ? refuse('SPOT_TAKEN') : null)
  )
}

async function bringGuest(
  tx: Tx,
  ctx: Ctx,
  cls: ClassCore,
  host: { class_reservation_id: number; available_class_id: number | null },
  ask: Change,
): Promise<void> {
  const { customer_id } = ctx.customer
  const paid =
    host.available_class_id === null
      ? (await spendCredit(tx, ctx, { customer_id, cls, guest: false, chosen: null }))[0]
      : await spendGuestCredit(tx, ctx, { customer_id, cls, hostLot: host.available_class_id })
  if (!paid) throw refuse('NO_CREDITS')
  const class_reservation_id = await insertPlace(tx, {
    single_class_id: cls.single_class_id,
    customer_id,
    now: ctx.now,
    host_reservation_id: host.class_reservation_id,
    guest: ask.guest ?? '',
    spot: ask.guest_spot ?? null,
    available_class_id: paid.lot.available_class_id,
  })
  await recordSpends(tx, ctx, [{ ...paid, class_reservation_id }])
}

/**
 * Gives a place up, its guest's with it (R7-R9). In time the credit comes back, once whatever happens; late it does not.
 * RESERVATION_CANCELLED when it was given up before.
 */
export async function cancelReservation(
  ctx: Ctx,
  ask: { class_reservation_id: number },
): Promise<{ class_reservation: Reservation; credit: 'returned' | 'courtesy' | 'kept' | 'none' }> {
  const done = await ctx.once('bookings.cancel', ask, async (tx) => {
    const { cls, place } = await lockMyPlace(tx, ctx, ask.class_reservation_id)
    const cancels = await cancelsOf(tx, ctx, [place.available_class_id])
    const how = cancelWindow(cls, ctx.settings, ctx.now, cancels.get(place.available_class_id ?? 0) ?? 0)
    if (typeof how !== 'string') throw how
    const ids = place.guest_id === null ? [place.class_reservation_id] : [place.class_reservation_id, place.guest_id]
    const freed = await cancelPlaces(tx, ids, { at: ctx.now, by: 'customer', late: how === 'late' })
    const credit = how === 'late' ? ('kept' as const) : await giveBack(tx, ctx, freed)
    tellOthers(tx, cls)
    return { class_reservation_id: place.class_reservation_id, credit }
  })
  return { ...(await oneReservation(ctx, done)), credit: done.credit }
}

/** Cancels per lot, asked only when the studio limits them (decision 25). */
async function cancelsOf(on: Reader, ctx: Ctx, lots: readonly (number | null)[]): Promise<Map<number, number>> {
  if (ctx.settings.max_cancels_per_available_class === null) return new Map()
  return countCancels(on, [...new Set(lots.filter((lot) => lot !== null))])
}

/** My reservations, newest class first, a page of fifty (R13; S2-7.62, S2-9.01). Pages count from 1. */
export async function listReservations(
  ctx: Ctx,
  ask: { page: number; filter: Filter },
): Promise<{ class_reservations: Reservation[]; total: number; pages: number; policy: ReturnType<typeof policy> }> {
  const page = { size: RESERVATIONS_PER_PAGE, number: ask.page }
  const { rows, total } = await listReservationRows(ctx.db, ctx.customer.customer_id, ask.filter, ctx.now, page)
  return { class_reservations: await present(ctx, rows), total, pages: pageCount(total), policy: policy(ctx.settings) }
}

/** One reservation of mine. RESERVATION_NOT_FOUND, also for another's. */
export async function oneReservation(ctx: Ctx, ask: { class_reservation_id: number }): Promise<{ class_reservation: Reservation }> {
  const row = await findReservation(ctx.db, ask.class_reservation_id, ctx.customer.customer_id)
  const [class_reservation] = row ? await present(ctx, [row]) : []
  if (!class_reservation) throw refuse('RESERVATION_NOT_FOUND')
  return { class_reservation }
}

async function presentFresh(ctx: Ctx, { row, cls }: { row: ReservationRow; cls: ClassFacts }): Promise<Reservation> {
  const [shown] = await present(ctx, [row], [cls])
  if (!shown) throw new Error('A reservation could not be shown.')
  return shown
}

async function present(ctx: Ctx, rows: readonly ReservationRow[], known?: readonly ClassFacts[]): Promise<Reservation[]> {
  const [classes, lots, cancels] = await Promise.all([
    known ?? timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))]),
    // Lots matter only for "+1".
    ctx.settings.allow_class_guests && rows.some((row) => row.deletedAt === null && row.starts_at > ctx.now)
      ? usableLots(ctx, ctx.db, ctx.customer.customer_id)
      : [],
    cancelsOf(
      ctx.db,
      ctx,
      rows.map((row) => row.available_class_id),
    ),
  ])
  const byId = new Map(classes.map((cls) => [cls.single_class_id, cls]))
  const me: Personal = { places: [], lots, cancels }
  return rows.flatMap((row) => {
    const cls = byId.get(row.single_class_id)
    return cls ? [presentOne(ctx, row, cls, me)] : []
  })
}

function presentOne(ctx: Ctx, row: ReservationRow, cls: ClassFacts, me: Personal): Reservation {
  const { class_reservations: _, ...shown } = cls.shown
  return {
    class_reservation_id: row.class_reservation_id,
    single_class_id: row.single_class_id,
    customer_id: row.customer_id,
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    is_cash: row.is_cash,
    is_paid: row.is_paid,
    attend: row.attend,
    spot: row.spot,
    guest: row.guest,
    guest_spot: row.guest_spot,
    class_stars: row.class_stars,
    coach_stars: row.coach_stars,
    comment: row.comment,
    paid_with: row.paid_with,
    ...reservationActions(row, cls, me, ctx.settings, ctx.now, ctx.zone),
    single_class: { ...shown, opens_at: null },
  }
}
