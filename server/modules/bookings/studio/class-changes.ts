/** The studio changes, cancels, restores or deletes a class (docs/domain.md, "Classes that change"). */
import { type Refusal, refuse } from '#contract/errors.ts'
import type { ChangedClass, SingleClass } from '#contract/schedule.ts'
import { isSpotOn } from '#contract/spots.ts'
import { addDays, localDate } from '#contract/time.ts'
import { whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import { closesAt, firstFreeSpot, overlaps, viewerState, whyNotOpen } from '#server/modules/bookings/rules.ts'
import { loadPersonFactsForStaff } from '#server/modules/bookings/spots/person-guards.ts'
import { oweRefundsForReservations, withdrawRefundOfReservation } from '#server/modules/bookings/spots/spot-sales.ts'
import { offerFreedSpots } from '#server/modules/bookings/spots/waitlist-offers.ts'
import { listActiveReservations } from '#server/modules/bookings/store/attendance-store.ts'
import { endInvites } from '#server/modules/bookings/store/guest-invite-store.ts'
import { endPaymentHolds } from '#server/modules/bookings/store/payment-hold-store.ts'
import {
  cancelReservations,
  forgetReminders,
  hasHistory,
  insertReservation,
  listCancelledWith,
  listHoursTaken,
  lockCustomer,
  type ReservationRecord,
  updateReservation,
} from '#server/modules/bookings/store/store.ts'
import { capHolds, closeWaitlist, listWaitlist, reopenWaitlist } from '#server/modules/bookings/store/waitlist-store.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { creditLotsToRespend, getSpends, recordSpends, returnCreditsForStudio } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  changeClass,
  eraseUnbooked,
  findRoomMap,
  type LockedClass,
  lockClass,
  markCancelled,
  type OwnClassFields,
  requireFreeRooms,
  roomSeats,
  type Seating,
  seatingAfter,
  spotsLeft,
  UNDO_MS,
} from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

async function classOut(ctx: Ctx, single_class_id: number): Promise<SingleClass> {
  const [cls] = await timetable(ctx.studio).byId([single_class_id])
  if (!cls) throw refuse('CLASS_NOT_FOUND')
  return { ...cls.shown, ...viewerState(cls, null, ctx.settings, ctx.now, ctx.zone) }
}

/** Locks a class that can still be changed. CLASS_NOT_FOUND, CLASS_CANCELLED, CLASS_STARTED. */
async function lockComing(tx: Tx, ctx: Ctx, single_class_id: number): Promise<LockedClass> {
  const cls = await lockClass(tx, ctx, single_class_id)
  const no = whyNotChangeable(cls, ctx.now)
  if (no) throw no
  return cls
}

/** Why a class can no longer be changed: CLASS_CANCELLED, CLASS_STARTED; null when it can. */
export function whyNotChangeable(cls: { cancelled: boolean; starts_at: Date }, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.starts_at <= now ? refuse('CLASS_STARTED') : null
}

/** Whether a change may bring a class into a room, or a room to another time. */
export const occupiesAnew = (fields: Partial<ChangedClass>): boolean =>
  [fields.room_id, fields.class_date, fields.duration_minutes, fields.location_id].some((value) => value !== undefined)

/**
 * Changes a class (B6-B8). Customers with a reservation or waitlist entry are notified of another hour, location or instructor; added
 * places are offered to the waitlist. Refuses with the codes of the contract; then nothing changes.
 */
export async function updateClass(ctx: Ctx, input: ChangedClass): Promise<{ single_class: SingleClass; told: number }> {
  const { single_class_id } = input
  const notified = await ctx.tx(async (tx) => {
    const cls = await lockComing(tx, ctx, single_class_id)
    const informed = await applyClassUpdate(tx, ctx, cls, input, { own_changes: cls.class_series_id !== null })
    if (occupiesAnew(input)) await requireFreeRooms(tx, ctx, [single_class_id])
    return informed
  })
  return { single_class: await classOut(ctx, single_class_id), told: notified.size }
}

/**
 * The change of `updateClass` in the caller's transaction, to a class that it locked. Returns the customers who are notified; `silent`
 * suppresses the notification of another instructor; `seating`: the seats that it gets, instead of those of its room. FORBIDDEN for a
 * location of others, NOT_FOUND, INVALID_INPUT, CAPACITY_BELOW_TAKEN, SPOTS_IN_USE: refused before anything is written.
 */
export async function applyClassUpdate(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  input: ChangedClass,
  {
    own_changes = cls.own_changes,
    silent = false,
    substitutes_for,
    seating,
  }: OwnClassFields & { silent?: boolean; seating?: Seating } = {},
): Promise<ReadonlySet<number>> {
  const { single_class_id } = cls
  ctx.requireLocation('schedule.edit', cls.location_id)
  if (input.location_id !== undefined) ctx.requireLocation('schedule.edit', input.location_id)
  const reservations = await listActiveReservations(tx, single_class_id)
  const { changes, ...room } = seating ? { ...seating, changes: true } : await seatingAfter(tx, cls, input)
  const capacity = input.capacity === undefined ? cls.capacity : input.capacity
  const no = whyNotFit({ ...cls, ...room, capacity }, reservations)
  if (no) throw no.code === 'SPOTS_IN_USE' ? await namedSpots(tx, cls, no) : no
  const changed = await changeClass(tx, ctx, cls, {
    ...input,
    own_changes,
    ...(substitutes_for === undefined ? {} : { substitutes_for }),
    ...(changes ? room : {}),
  })
  await seatAll(tx, ctx, reservations, room)
  if (changed.moved) await forgetReminders(tx, single_class_id)
  const now = await lockClass(tx, ctx, single_class_id)
  if (changed.moved) await capHolds(tx, single_class_id, closesAt(now, ctx.settings))
  // Other changes (a description) must not offer places again to entries whose hold expired (W3).
  if (changed.moved || now.places_left > cls.places_left) await offerFreedSpots(tx, ctx, cls)
  await ctx.audit(tx, {
    action: 'class.change',
    entity: 'single_class',
    entity_id: single_class_id,
    after: input,
    before: {
      starts_at: cls.starts_at,
      location_id: cls.location_id,
      capacity: cls.capacity,
      spot_map: cls.spot_map,
      closed_spots: cls.closed_spots,
      room_id: cls.room_id,
    },
  })
  if (!changed.moved && (!changed.coaches || silent)) return new Set()
  const { before, moved, coaches } = changed
  await tx.send({ name: 'class-changed', data: { single_class_id, at: ctx.now.toISOString(), before, moved, coaches } })
  const waiting = await listWaitlist(tx, single_class_id)
  return new Set([...reservations, ...waiting].map((person) => person.customer_id))
}

/** The refusal with the seats as the class's room calls them (L18). */
async function namedSpots(tx: Tx, { room_id, spot_map }: LockedClass, no: Refusal): Promise<Refusal> {
  const map = room_id === null ? null : await findRoomMap(tx, room_id)
  const seats = map && roomSeats(map)
  if (seats?.spot_map !== spot_map) return no
  const spots = String(no.data?.spots).split(', ')
  return refuse('SPOTS_IN_USE', { spots: spots.map((spot) => seats.labels.get(spot) ?? spot).join(', ') })
}

/** Why a change does not fit the existing reservations (B6): fewer places than are taken or held, or a taken spot removed. */
function whyNotFit(
  cls: { capacity: number | null; taken: number; held: number; spot_map: string | null; closed_spots: string[] },
  reservations: readonly ReservationRecord[],
): Refusal | null {
  const { closed_spots, spot_map, capacity } = cls
  if (!closed_spots.every((spot) => isSpotOn(spot_map, spot))) return refuse('INVALID_INPUT', { field: 'closed_spots' })
  const spots = reservations.flatMap(({ spot }) =>
    spot !== null && spot_map !== null && (!isSpotOn(spot_map, spot) || closed_spots.includes(spot)) ? [spot] : [],
  )
  if (spots.length) return refuse('SPOTS_IN_USE', { spots: spots.join(', ') })
  const busy = cls.taken + cls.held
  const size = spotsLeft({ capacity, taken: 0, held: 0, spot_map, closed_spots })
  return busy > size ? refuse('CAPACITY_BELOW_TAKEN', { taken: busy }) : null
}

/** Assigns spots, from the front, when the room gets a map; removes them when it loses it. */
async function seatAll(
  tx: Tx,
  ctx: Ctx,
  reservations: readonly ReservationRecord[],
  room: { spot_map: string | null; closed_spots: string[] },
): Promise<void> {
  const takenSpots = reservations.flatMap((reservation) => reservation.spot ?? [])
  for (const { class_reservation_id, spot } of reservations) {
    if (room.spot_map === null) {
      if (spot !== null) await updateReservation(tx, class_reservation_id, { spot: null }, ctx.now)
      continue
    }
    if (spot !== null) continue
    const free = firstFreeSpot(room, takenSpots)
    await updateReservation(tx, class_reservation_id, { spot: free }, ctx.now)
    if (free) takenSpots.push(free)
  }
}

/**
 * The studio cancels a class (B1-B4): every reservation is cancelled, its credit returns to a credit lot that is valid long enough, the
 * waitlist closes, and customers are notified with three alternatives. CLASS_NOT_FOUND, CLASS_CANCELLED, CLASS_STARTED.
 */
export async function cancelClass(ctx: Ctx, input: { single_class_id: number; reason?: string | undefined }) {
  const { single_class_id, reason = '' } = input
  const { released, notified } = await ctx.tx(async (tx) => applyClassCancel(tx, ctx, await lockComing(tx, ctx, single_class_id), reason))
  return {
    released,
    told: notified.size,
    single_class: await classOut(ctx, single_class_id),
    undo_until: new Date(ctx.now.getTime() + UNDO_MS).toISOString(),
  }
}

/** The cancelling of `cancelClass` in the caller's transaction, of a class that it locked. FORBIDDEN for a location of others. */
export async function applyClassCancel(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  reason: string,
): Promise<{
  /** Ended reservations, guests included; notified customers, and how many of them got a credit back. */
  released: number
  notified: ReadonlySet<number>
  refunded: readonly number[]
}> {
  const { single_class_id } = cls
  ctx.requireLocation('schedule.edit', cls.location_id)
  const reservations = await listActiveReservations(tx, single_class_id)
  const ids = reservations.map((reservation) => reservation.class_reservation_id)
  await cancelReservations(tx, ids, { at: ctx.now, by: 'studio', late: false })
  const back = await returnCreditsForStudio(tx, ctx, ids)
  await oweRefundsForReservations(tx, ctx, ids)
  await endPaymentHolds(tx, single_class_id, ctx.now, 'all')
  await endInvites(tx, single_class_id, ctx.now, 'all')
  const waiting = await closeWaitlist(tx, single_class_id, ctx.now)
  await markCancelled(tx, ctx, cls, reason)
  await ctx.audit(tx, {
    action: 'class.cancel',
    entity: 'single_class',
    entity_id: single_class_id,
    reason,
    before: { places: ids, waiting },
  })
  await tx.send({ name: 'class-cancelled', data: { single_class_id, at: ctx.now.toISOString() } })
  return {
    released: ids.length,
    notified: new Set([...reservations.map((reservation) => reservation.customer_id), ...waiting]),
    refunded: [...back.keys()],
  }
}

/**
 * Deletes a class that never had a reservation or waitlist entry (B9): unlike a cancelled class, it disappears from calendars.
 * CLASS_NOT_FOUND, CLASS_HAS_HISTORY.
 */
export async function eraseClass(ctx: Ctx, input: { single_class_id: number }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    await applyClassErase(tx, ctx, await lockClass(tx, ctx, input.single_class_id))
    return { ok: true as const }
  })
}

/** The deletion of `eraseClass` in the caller's transaction, of a class that it locked. FORBIDDEN, CLASS_HAS_HISTORY. */
export async function applyClassErase(tx: Tx, ctx: Ctx, cls: LockedClass): Promise<void> {
  const { single_class_id, starts_at, class_type_id, location_id, capacity } = cls
  ctx.requireLocation('schedule.edit', location_id)
  if (await hasHistory(tx, single_class_id)) throw refuse('CLASS_HAS_HISTORY')
  await eraseUnbooked(tx, cls)
  await ctx.audit(tx, {
    action: 'class.erase',
    entity: 'single_class',
    entity_id: single_class_id,
    before: { starts_at, class_type_id, location_id, capacity },
  })
}

/**
 * Restores a cancelled class within ten minutes (B5): its reservations and spots, paid by the same credit lots, and its waitlist. Returns
 * the reservations that could not be restored, each with the reason. UNDO_TOO_LATE.
 */
export async function restoreClass(ctx: Ctx, input: { single_class_id: number }) {
  const { single_class_id } = input
  const done = await ctx.tx(async (tx) => applyClassRestore(tx, ctx, await lockClass(tx, ctx, single_class_id)))
  return { ...done, single_class: await classOut(ctx, single_class_id) }
}

/**
 * The restoring of `restoreClass` in the caller's transaction, of a class that it locked. FORBIDDEN, UNDO_TOO_LATE: before anything
 * is written.
 */
export async function applyClassRestore(tx: Tx, ctx: Ctx, cls: LockedClass) {
  const { single_class_id } = cls
  ctx.requireLocation('schedule.edit', cls.location_id)
  const at = cls.cancelledAt
  if (!at || ctx.now.getTime() - at.getTime() > UNDO_MS || cls.starts_at <= ctx.now) throw refuse('UNDO_TOO_LATE')
  await markCancelled(tx, ctx, cls, null)
  const rows = await listCancelledWith(tx, single_class_id, at)
  const lost: { customer_id: number; name: string; why_not: { code: string; message: string } }[] = []
  const back: number[] = []
  // A class cancelled twice within one millisecond yields the rows of both: restore no more than fit.
  const room = { left: cls.places_left, spots: new Set<string>() }
  for (const host of rows.filter((row) => row.host_reservation_id === null)) {
    const guest = rows.find((row) => row.host_reservation_id === host.class_reservation_id)
    const no = await restoreReservation(tx, ctx, cls, guest ? [host, guest] : [host], room)
    if (no)
      lost.push({
        customer_id: host.customer_id,
        name: `${host.name} ${host.last_name}`,
        why_not: { code: no.code, message: no.message },
      })
    else back.push(host.customer_id)
  }
  await reopenWaitlist(tx, single_class_id, at, ctx.now)
  await offerFreedSpots(tx, ctx, { ...cls, places_left: 0 })
  // Without names: an entry about a class is not found by the erasure of a customer.
  const recorded = { back, lost: lost.map(({ name: _, ...customer }) => customer) }
  await ctx.audit(tx, { action: 'class.restore', entity: 'single_class', entity_id: single_class_id, after: recorded })
  await tx.send({
    name: 'class-restored',
    data: { single_class_id, at: at.toISOString(), back, lost: lost.map((customer) => customer.customer_id) },
  })
  return { restored: back.length, lost }
}

/**
 * Restores a reservation and its guest's (`rows`, the host first) as new rows, so that the ledger shows both events; null = done. `room`:
 * the remaining free spots, updated.
 */
async function restoreReservation(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  rows: readonly [ReservationRecord, ...ReservationRecord[]],
  room: { left: number; spots: Set<string> },
): Promise<Refusal | null> {
  const [host] = rows
  await lockCustomer(tx, host.customer_id)
  const no = whyNotPerson(await loadPersonFactsForStaff(tx, cls, host.customer_id), cls, ctx.zone)
  if (no) return no
  const spots = rows.flatMap((row) => row.spot ?? [])
  if (spots.some((spot) => room.spots.has(spot))) return refuse('SPOT_TAKEN')
  if (room.left < rows.length) return refuse('CLASS_FULL')
  const spends = await getSpends(
    tx,
    rows.map((row) => row.class_reservation_id),
  )
  const paid = await creditLotsToRespend(tx, ctx, spends, cls)
  if (!paid) return refuse('NO_CREDITS')
  let host_reservation_id: number | null = null
  const again = new Map<number, number>()
  for (const row of rows) {
    const { class_reservation_id, customer_id, guest: name, spot, available_class_id, is_cash, pay_until, price_centavos } = row
    const is_paid = await withdrawRefundOfReservation(tx, ctx, row)
    const reservation = await insertReservation(tx, {
      single_class_id: cls.single_class_id,
      customer_id,
      host_reservation_id,
      guest: name,
      spot,
      available_class_id,
      is_cash,
      is_paid,
      pay_until,
      price_centavos,
      purchase_id: is_paid ? row.purchase_id : null,
      source: 'restored',
      now: ctx.now,
    })
    again.set(class_reservation_id, reservation)
    host_reservation_id ??= reservation
  }
  await recordSpends(
    tx,
    ctx,
    spends.flatMap(({ class_reservation_id }, n) => {
      const spend = paid[n]
      return spend ? [{ ...spend, class_reservation_id: again.get(class_reservation_id) ?? 0 }] : []
    }),
  )
  room.left -= rows.length
  for (const spot of spots) room.spots.add(spot)
  return null
}

/** How many alternatives are offered, and how far ahead they are searched. */
const ALTERNATIVES = 3
const DAYS = 10

/**
 * Other classes of the same type with a free spot that can be booked now: the same location first, then the nearest hour. For each of the
 * given people (or for none), without classes that overlap theirs (B4). `without`: classes that end in the same step.
 */
export async function alternativesTo(
  ctx: Ctx,
  cls: ClassFacts,
  customer_ids: readonly number[],
  without: ReadonlySet<number> = new Set(),
): Promise<(customer_id: number | null) => ClassFacts[]> {
  const today = localDate(ctx.now, ctx.zone)
  const from = addDays(cls.date, -DAYS)
  const start = from > today ? from : today
  const found = await timetable(ctx.studio).between({ start, end: addDays(cls.date, DAYS), today })
  const far = (other: ClassFacts) => Math.abs(other.starts_at.getTime() - cls.starts_at.getTime())
  const open = found
    .filter(
      (other) =>
        other.single_class_id !== cls.single_class_id &&
        !without.has(other.single_class_id) &&
        other.class_type_id === cls.class_type_id &&
        other.class_package_id === null &&
        other.places_left > 0 &&
        whyNotOpen(other, ctx.settings, ctx.now) === null,
    )
    .sort((a, b) => Number(b.location_id === cls.location_id) - Number(a.location_id === cls.location_id) || far(a) - far(b))
  const busyHours = await listHoursTaken(ctx.db, customer_ids, open)
  return (customer_id) =>
    open
      .filter((other) => !busyHours.some((reservation) => reservation.customer_id === customer_id && overlaps(reservation, other)))
      .slice(0, ALTERNATIVES)
}

/** What the messages of some classes would offer if the studio cancelled them together with `without` (B4). */
export async function alternativesToMany(ctx: Ctx, ids: readonly number[], without: ReadonlySet<number>) {
  const classes = (await timetable(ctx.studio).byId(ids)).sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
  return Promise.all(
    classes.map(async (cls) => ({
      single_class_id: cls.single_class_id,
      name: cls.shown.class_type.name,
      class_date: cls.shown.class_date,
      others: (await alternativesTo(ctx, cls, [], without))(null).map((other) => ({
        single_class_id: other.single_class_id,
        class_date: other.shown.class_date,
        location: other.shown.location.name,
        places_left: other.places_left,
      })),
    })),
  )
}

/** Alternatives for the caller, serialized. CLASS_NOT_FOUND. */
export async function alternatives(ctx: Ctx, input: { single_class_id: number }) {
  const [cls] = await timetable(ctx.studio).byId([input.single_class_id])
  if (!cls) throw refuse('CLASS_NOT_FOUND')
  const me = ctx.customerOrNull?.customer_id ?? null
  const others = await alternativesTo(ctx, cls, me === null ? [] : [me])
  return { classes: others(me).map((other) => other.shown) }
}
