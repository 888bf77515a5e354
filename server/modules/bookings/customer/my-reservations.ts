/** The signed-in customer's reservations and credit movements, as their pages show them. */
import { RESERVATIONS_PER_PAGE, type Reservation } from '#contract/bookings.ts'
import { type CreditMovement, MOVEMENTS_PER_PAGE } from '#contract/credits.ts'
import { refuse } from '#contract/errors.ts'
import { pageCount } from '#contract/paging.ts'
import { wallClock } from '#contract/time.ts'
import {
  cancelPolicyText,
  isUndo,
  type Paid,
  type ReservationInput,
  reservationActions,
  type ViewerFacts,
} from '#server/modules/bookings/rules.ts'
import type { CreatedReservation } from '#server/modules/bookings/spots/reserving.ts'
import { countCancels, listMovements, ownsCreditLot } from '#server/modules/bookings/store/credit-history-store.ts'
import { findPenalty } from '#server/modules/bookings/store/penalty-store.ts'
import { type Filter, findReservation, listReservationRows, type ReservationRow } from '#server/modules/bookings/store/store.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { spendableCreditLots } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ClassCore, seatLabelsOf } from '#server/modules/schedule/schedule.ts'
import type { Reader } from '#server/platform/db.ts'

/** My reservations, those to come first, a page of fifty (R13; S2-7.62, S2-9.01). Pages count from 1. */
export async function listReservations(
  ctx: Ctx,
  input: { page: number; filter: Filter },
): Promise<{ class_reservations: Reservation[]; total: number; pages: number; policy: ReturnType<typeof cancelPolicyText> }> {
  const page = { size: RESERVATIONS_PER_PAGE, number: input.page }
  const { rows, total } = await listReservationRows(ctx.db, ctx.customer.customer_id, input.filter, ctx.now, page)
  return {
    class_reservations: await serializeReservations(ctx, rows),
    total,
    pages: pageCount(total, RESERVATIONS_PER_PAGE),
    policy: cancelPolicyText(ctx.settings),
  }
}

/** One reservation of the signed-in customer. RESERVATION_NOT_FOUND, also for another customer's. */
export async function oneReservation(ctx: Ctx, input: { class_reservation_id: number }): Promise<{ class_reservation: Reservation }> {
  const row = await findReservation(ctx.db, input.class_reservation_id, ctx.customer.customer_id)
  const [class_reservation] = row ? await serializeReservations(ctx, [row]) : []
  if (!class_reservation) throw refuse('RESERVATION_NOT_FOUND')
  return { class_reservation }
}

/** Cancellations per credit lot; queried only when the studio limits them (settled 25). */
export async function countCancellationsByCreditLot(
  on: Reader,
  ctx: Ctx,
  creditLots: readonly (number | null)[],
): Promise<Map<number, number>> {
  if (ctx.settings.max_cancels_per_available_class === null) return new Map()
  return countCancels(on, [...new Set(creditLots.filter((creditLot) => creditLot !== null))])
}

/** Serializes a reservation that was just written, without reading it again; its customer has no penalty, or booking had been refused. */
export async function serializeNewReservation(
  ctx: Ctx,
  facts: ClassFacts,
  created: CreatedReservation,
  input: ReservationInput,
): Promise<Reservation> {
  const row: ReservationRow = {
    class_reservation_id: created.class_reservation_id,
    single_class_id: created.cls.single_class_id,
    customer_id: ctx.customer.customer_id,
    host_reservation_id: null,
    available_class_id: created.creditLot?.available_class_id ?? null,
    paid_with: created.creditLot?.title ?? null,
    lot: created.creditLot,
    guest_lot: created.guest_lot,
    guests_free: created.creditLot ? !created.creditLot.guests_use_credit : false,
    starts_at: created.cls.starts_at,
    ends_at: created.cls.ends_at,
    spot: input.spot ?? null,
    guest: input.guest ?? null,
    guest_spot: input.guest_spot ?? null,
    guest_since: created.spots > 1 ? ctx.now : null,
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
    price_centavos: null,
    purchase_id: null,
    remindedAt: null,
    excuse: null,
    markedAt: null,
    marked_by: null,
  }
  // A booking that can still be undone does not count against its credit lot's cancel limit (R16).
  const counting = isUndo(created.cls, row.createdAt, ctx.settings, ctx.now) ? [] : [row.available_class_id]
  const me: ViewerFacts = {
    reservations: [],
    creditLots: created.creditLots,
    cancels: await countCancellationsByCreditLot(ctx.db, ctx, counting),
    waits: [],
    penalty: null,
  }
  return serializeReservation(ctx, row, withTaken(facts, created.cls, created.spots), me)
}

/** Class facts with the place counts read behind the lock, minus the places just taken. */
function withTaken(facts: ClassFacts, locked: ClassCore, more: number): ClassFacts {
  const spotsTaken = locked.taken + more
  const places_left = Math.max(0, locked.places_left - more)
  return { ...facts, taken: spotsTaken, places_left, shown: { ...facts.shown, taken: spotsTaken + locked.held, places_left } }
}

async function serializeReservations(ctx: Ctx, rows: readonly ReservationRow[]): Promise<Reservation[]> {
  const coming = rows.some((row) => row.deletedAt === null && row.starts_at > ctx.now)
  const [classes, creditLots, cancels, penalty] = await Promise.all([
    timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))]),
    // Credit lots are needed only to decide whether a guest can be added.
    coming && ctx.settings.allow_class_guests ? spendableCreditLots(ctx.db, ctx, ctx.customer.customer_id) : [],
    countCancellationsByCreditLot(
      ctx.db,
      ctx,
      rows.map((row) => row.available_class_id),
    ),
    coming ? findPenalty(ctx.db, ctx, ctx.customer.customer_id) : null,
  ])
  const byId = new Map(classes.map((cls) => [cls.single_class_id, cls]))
  const me: ViewerFacts = { reservations: [], creditLots, cancels, waits: [], penalty }
  return rows.flatMap((row) => {
    const cls = byId.get(row.single_class_id)
    return cls ? [serializeReservation(ctx, row, cls, me)] : []
  })
}

/** The credits that paid for a reservation and its guest's (C4, C5). */
function pricesOf({ lot, guest_lot, guests_free }: ReservationRow): { paid: Paid; guest_paid: Paid } {
  return {
    paid: lot && { ...lot, amount: lot.unlimited ? 0 : 1 },
    guest_paid: guest_lot && { ...guest_lot, amount: guest_lot.unlimited || guests_free ? 0 : 1 },
  }
}

function serializeReservation(ctx: Ctx, row: ReservationRow, cls: ClassFacts, me: ViewerFacts): Reservation {
  const { class_reservations: _, ...shown } = cls.shown
  return {
    class_reservation_id: row.class_reservation_id,
    single_class_id: row.single_class_id,
    customer_id: row.customer_id,
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    cancelled_by: row.cancelled_by,
    is_cash: row.is_cash,
    is_paid: row.is_paid,
    attend: row.attend,
    spot: row.spot,
    guest: row.guest,
    guest_spot: row.guest_spot,
    ...seatLabelsOf(cls.seats, row),
    class_stars: row.class_stars,
    coach_stars: row.coach_stars,
    comment: row.comment,
    paid_with: row.paid_with,
    ...reservationActions({ ...row, ...pricesOf(row) }, cls, me, ctx.settings, ctx.now, ctx.zone),
    single_class: { ...shown, opens_at: null },
  }
}

/**
 * The customer's credit movements, newest first, fifty per page; of one credit lot if given. CREDIT_NOT_FOUND, also for another customer's.
 */
export async function myMovements(
  ctx: Ctx,
  input: { page: number; available_class_id?: number | undefined },
): Promise<{ movements: CreditMovement[]; total: number }> {
  const { available_class_id } = input
  if (available_class_id !== undefined && !(await ownsCreditLot(ctx.db, ctx.customer.customer_id, available_class_id)))
    throw refuse('CREDIT_NOT_FOUND')
  const { rows, total } = await movementRows(ctx, ctx.customer.customer_id, input.page, available_class_id)
  return { movements: rows.map(({ actor, ...row }) => row), total }
}

/**
 * Credit movements of one customer for the screen. The author as in the ledger: `staff:{staff_id}`, `customer:{customer_id}`,
 * `system:{job}`.
 */
export async function movementRows(
  ctx: Ctx,
  customer_id: number,
  page: number,
  available_class_id?: number,
): Promise<{ rows: (CreditMovement & { actor: string })[]; total: number }> {
  const { rows, total } = await listMovements(ctx.db, customer_id, available_class_id, { size: MOVEMENTS_PER_PAGE, number: page })
  return {
    rows: rows.map(({ starts_at, timezone, createdAt, ...row }) => ({
      ...row,
      class_date: starts_at && wallClock(starts_at, timezone ?? ctx.zone).toISOString(),
      createdAt: createdAt.toISOString(),
    })),
    total,
  }
}
