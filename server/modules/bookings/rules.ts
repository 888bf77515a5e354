/**
 * Rules of reservations. The same functions compute the actions that lists show and guard the actions themselves. docs/domain.md,
 * "Reservations".
 */
import { type CreditsReturned, statusOf } from '#contract/bookings.ts'
import { type Refusal, refuse, sentence } from '#contract/errors.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { bookingCutoffMs, type Settings } from '#contract/settings.ts'
import { allSpots, isSpotOn } from '#contract/spots.ts'
import { before, formatWall, formatWindow, wallClock } from '#contract/time.ts'
import { type CreditLotFacts, creditToReturn, isPayable, whyNoCredit } from '#server/modules/credits/credits.ts'
import { type ClassCore, type RoomSeats, seatLabelsOf } from '#server/modules/schedule/schedule.ts'
import { factsForGuest, type PersonFacts, whyNotPerson, whyPenalised } from './person-rules.ts'

/** Minimum length of a guest's name, in characters (S2-5.06). */
const GUEST_NAME = 2

const MINUTE = 60_000

/** When booking opens (R2); null = it is open from the day the class is published. */
export function opensAt(cls: Pick<ClassCore, 'starts_at' | 'zone'>, settings: Settings): Date | null {
  const days = settings.reservation_opens_days
  return days > 0 ? before(cls.starts_at, days, 'days', cls.zone) : null
}

/** When booking closes (R3): at the start, or the cut-off before it. */
export function closesAt(cls: Pick<ClassCore, 'starts_at'>, settings: Settings): Date {
  return new Date(cls.starts_at.getTime() - bookingCutoffMs(settings))
}

/**
 * Why a class cannot be booked now, capacity aside (R1-R3). Booking is possible up to and including the cut-off, but not at the
 * start itself.
 */
export function whyNotOpen(cls: ClassCore, settings: Settings, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  if (cls.starts_at <= now) return refuse('CLASS_STARTED')
  const opens = opensAt(cls, settings)
  if (opens && now < opens) return refuse('CLASS_NOT_OPEN', { opens: onTheCard(opens, cls) })
  const closes = closesAt(cls, settings)
  if (now > closes) return refuse('CLASS_CLOSED', { closed: onTheCard(closes, cls) })
  return null
}

const onTheCard = (at: Date, cls: Pick<ClassCore, 'zone'>) => formatWall(wallClock(at, cls.zone), 'class')

export interface ReservationInput {
  spot?: string | null | undefined
  guest?: string | null | undefined
  guest_spot?: string | null | undefined
  /** A reservation above the capacity without a spot of the map; only the front desk's verb sets it (Q7). */
  withoutSpot?: boolean
}

/** Whether the input requests a guest. An empty name counts as a request: the name was forgotten. */
export function bringsGuest(input: ReservationInput): boolean {
  return (input.guest ?? null) !== null || (input.guest_spot ?? null) !== null
}

/** Why a guest cannot be brought (R6). */
export function whyNotGuest(input: ReservationInput, settings: Settings): Refusal | null {
  if (!bringsGuest(input)) return null
  if (!settings.allow_class_guests) return refuse('GUESTS_NOT_ALLOWED')
  return whyNotGuestName(input.guest)
}

/** Why a guest's name is not accepted (S2-5.06). */
export function whyNotGuestName(name: string | null | undefined): Refusal | null {
  return (name ?? '').trim().length < GUEST_NAME ? refuse('GUEST_NAME_REQUIRED') : null
}

/** Why a class cannot take that many more reservations (R4, settled 20). */
export function whyNotRoom(cls: Pick<ClassCore, 'places_left'>, reservations: number): Refusal | null {
  return cls.places_left < reservations ? refuse('CLASS_FULL', { left: cls.places_left }) : null
}

/** Why a spot cannot be chosen in this room, ignoring whether it is taken (R5, settled 23). Null: no spot is requested. */
export function whyNotSpot(cls: Pick<ClassCore, 'spot_map' | 'closed_spots'>, spot: string | null | undefined): Refusal | null {
  if (cls.spot_map === null) return (spot ?? null) === null ? null : refuse('SPOT_UNKNOWN')
  if ((spot ?? null) === null) return refuse('SPOT_REQUIRED')
  if (!isSpotOn(cls.spot_map, spot as string)) return refuse('SPOT_UNKNOWN')
  return cls.closed_spots.includes(spot as string) ? refuse('SPOT_OUT_OF_ORDER') : null
}

/** Why a place (and a guest's) cannot be booked, credits and taken spots aside (R1-R6); null = allowed. */
export function whyNotReserve(cls: ClassCore, input: ReservationInput, settings: Settings, now: Date): Refusal | null {
  return whyNotOpen(cls, settings, now) ?? whyNotTake(cls, input, settings)
}

/** The same for staff (R21): no opening day and no cut-off, so that a customer at the counter can still be booked. */
export function whyNotReserveByStaff(cls: ClassCore, input: ReservationInput, settings: Settings, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.ends_at <= now ? refuse('CLASS_STARTED') : whyNotTake(cls, input, settings)
}

/** Capacity, guest and spots (R4-R6), regardless of the time. */
function whyNotTake(cls: ClassCore, input: ReservationInput, settings: Settings): Refusal | null {
  const guest = bringsGuest(input)
  // A reservation without a spot is limited by the capacity, which was raised for it, not by the map.
  const room = input.withoutSpot ? { places_left: (cls.capacity ?? 0) - cls.taken - cls.held } : cls
  return (
    whyNotRoom(room, 1) ??
    whyNotGuest(input, settings) ??
    whyNotRoom(room, guest ? 2 : 1) ??
    whyNotSeat(cls, input, input.spot) ??
    (guest
      ? (whyNotSeat(cls, input, input.guest_spot) ?? (input.spot && input.spot === input.guest_spot ? refuse('SPOT_TAKEN') : null))
      : null)
  )
}

const whyNotSeat = (cls: ClassCore, { withoutSpot = false }: ReservationInput, spot: string | null | undefined): Refusal | null =>
  withoutSpot && (spot ?? null) === null ? null : whyNotSpot(cls, spot)

/** Until when cancelling gives the credit back (R8); null = no window is set. */
export function freeUntil(cls: Pick<ClassCore, 'starts_at' | 'zone'>, settings: Settings): Date | null {
  const value = settings.cancel_timeframe_value
  return value ? before(cls.starts_at, value, settings.cancel_timeframe_unit, cls.zone) : null
}

/** Until when a booking can be undone for free after it was made (R16); null = the studio grants no such time. */
export function undoUntil(cls: Pick<ClassCore, 'starts_at'>, bookedAt: Date, settings: Settings): Date | null {
  if (settings.undo_minutes === 0) return null
  const until = new Date(bookedAt.getTime() + settings.undo_minutes * MINUTE)
  return until < cls.starts_at ? until : cls.starts_at
}

/** Whether cancelling now counts as undoing the booking (R16). */
export function isUndo(cls: Pick<ClassCore, 'starts_at'>, bookedAt: Date, settings: Settings, now: Date): boolean {
  const until = undoUntil(cls, bookedAt, settings)
  return until !== null && now <= until && now < cls.starts_at
}

/** What the cancel rules need of a reservation. `cancels`: earlier cancellations paid by the same credit lot; null = not limited. */
export interface CancellableReservation {
  createdAt: Date
  cancels: number | null
}

/**
 * Whether a reservation can be cancelled now (R7-R9): `free` returns the credit, `late` forfeits it. Right after booking (R16), and when
 * the hour or location changed since (B7), it is free regardless of the windows.
 */
export function cancelWindow(
  cls: ClassCore,
  settings: Settings,
  now: Date,
  reservation: CancellableReservation,
): 'free' | 'late' | Refusal {
  if (cls.starts_at <= now) return refuse('CLASS_STARTED')
  if (isUndo(cls, reservation.createdAt, settings, now) || (cls.movedAt && reservation.createdAt < cls.movedAt)) return 'free'
  const { cancels } = reservation
  const until = freeUntil(cls, settings)
  const early = until === null || now <= until
  if (!(settings.allow_cancel_reservations && early) && !settings.allow_cancel_after_treshold)
    return settings.allow_cancel_reservations ? refuse('CANCEL_TOO_LATE', { window: windowOf(settings) }) : refuse('CANCEL_NOT_ALLOWED')
  const max = settings.max_cancels_per_available_class
  if (max !== null && cancels !== null && cancels >= max) return refuse('CANCEL_LIMIT', { n: max, times: timesOf(max) })
  return early ? 'free' : 'late'
}

const windowOf = (settings: Settings) => formatWindow(settings.cancel_timeframe_value ?? 0, settings.cancel_timeframe_unit)
const timesOf = (n: number) => (n === 1 ? 'vez' : 'veces')

/** The cancel policy as text, for the page header and the dialog (S2-8.07 to S2-8.09). */
export function cancelPolicyText(settings: Settings): { cancel: string; limit: string | null; window: string | null } {
  const max = settings.max_cancels_per_available_class
  const possible = settings.allow_cancel_reservations || settings.allow_cancel_after_treshold
  const cancel = !possible
    ? sentence('CANCEL_NOT_ALLOWED')
    : settings.cancel_timeframe_value
      ? sentence('CANCEL_TOO_LATE', { window: windowOf(settings) })
      : 'Puedes cancelar tus clases hasta que comiencen.'
  return {
    cancel,
    limit: max === null ? null : sentence('CANCEL_LIMIT', { n: max, times: timesOf(max) }),
    window: settings.cancel_timeframe_value ? windowOf(settings) : null,
  }
}

/**
 * The cancel terms of a booking made now (R7, R8): until when the credit is returned (null when that time is over or cancelling is not
 * possible), and the policy's text, which then says what cancelling costs.
 */
export function cancellingFrom(cls: Pick<ClassCore, 'starts_at' | 'zone'>, settings: Settings, now: Date) {
  const terms = cancelPolicyText(settings)
  const until = settings.allow_cancel_reservations || settings.allow_cancel_after_treshold ? freeUntil(cls, settings) : null
  if (until === null || until > now) return { until, policy: terms }
  const late = `Faltan menos de ${terms.window}: si cancelas, tu crédito no regresa.`
  return { until: null, policy: settings.allow_cancel_after_treshold ? { ...terms, cancel: late } : terms }
}

/** A reservation of the viewer, as the rules need it. */
export interface Mine {
  class_reservation_id: number
  single_class_id: number
  starts_at: Date
  ends_at: Date
  spot: string | null
  guest: string | null
  guest_spot: string | null
  attend: boolean | null
  available_class_id: number | null
  /** Whether the credit lot that paid includes free guests. */
  guests_free: boolean
  createdAt: Date
  /** When the guest's place was booked; null without a guest. */
  guest_since: Date | null
}

/** A waitlist entry of the viewer. */
export interface Waits {
  waitlist_id: number
  single_class_id: number
  status: 'waiting' | 'offered'
  /** Until when a place is held for this entry; null without a hold. */
  offer_until: Date | null
}

/** The viewer's reservations around these days, credit lots, cancellations per lot, waitlist entries and penalty. */
export interface ViewerFacts {
  reservations: readonly Mine[]
  creditLots: readonly CreditLotFacts[]
  cancels: ReadonlyMap<number, number>
  waits: readonly Waits[]
  /** When booking is possible again, with an active penalty; null without. */
  penalty: Date | null
}

/** Whether two time ranges overlap; one that begins exactly when the other ends does not (R10). */
export function overlaps(a: { starts_at: Date; ends_at: Date }, b: { starts_at: Date; ends_at: Date }): boolean {
  return a.starts_at < b.ends_at && b.starts_at < a.ends_at
}

/** The facts that lists show beforehand: documents and the profile are checked only when the viewer books. */
const factsForViewer = (me: Pick<ViewerFacts, 'penalty' | 'reservations'>, cls: ClassCore): PersonFacts => ({
  penalty: me.penalty,
  documents: [],
  incomplete: null,
  clashes: me.reservations.filter((reservation) => overlaps(reservation, cls)).map(({ single_class_id }) => single_class_id),
})

/** Whether nothing about the viewer prevents another reservation beside their own in a class: a guest's, or another class in its place. */
const mayTakeMore = (me: ViewerFacts, cls: ClassCore, zone: string): boolean =>
  whyNotPerson(factsForGuest(factsForViewer(me, cls)), cls, zone) === null

/**
 * Whether the viewer can add a guest to a reservation (R6, A7): the class is open and has a place, a credit lot can pay, no
 * penalty applies.
 */
export function mayAddGuest(cls: ClassCore, mine: Mine, me: ViewerFacts, settings: Settings, now: Date, zone: string): boolean {
  if (mine.guest !== null || !settings.allow_class_guests || cls.places_left < 1 || whyNotOpen(cls, settings, now)) return false
  return mayTakeMore(me, cls, zone) && (mine.guests_free || isPayable(me.creditLots, cls, zone))
}

/** How the viewer can cancel their reservation of a class. */
function windowOfMine(cls: ClassCore, mine: Mine, me: ViewerFacts, settings: Settings, now: Date): 'free' | 'late' | Refusal {
  return cancelWindow(cls, settings, now, { createdAt: mine.createdAt, cancels: me.cancels.get(mine.available_class_id ?? 0) ?? 0 })
}

type StateForViewer = Pick<SingleClass, 'state' | 'actions' | 'why_not' | 'opens_at' | 'mine' | 'waitlist_id'>

const NOTHING: SingleClass['actions'] = { reserve: null, cancel: null, add_guest: false, join_waitlist: false, leave_waitlist: false }

/** What a class is for the viewer (H5): its state, the actions possible now and why others are not. `me` null: a visitor. */
export function viewerState(
  cls: ClassCore & { seats?: RoomSeats | null },
  me: ViewerFacts | null,
  settings: Settings,
  now: Date,
  zone: string,
): StateForViewer {
  const mine = me?.reservations.find((reservation) => reservation.single_class_id === cls.single_class_id) ?? null
  const shown = mine && {
    class_reservation_id: mine.class_reservation_id,
    spot: mine.spot,
    guest: mine.guest,
    guest_spot: mine.guest_spot,
    ...seatLabelsOf(cls.seats, mine),
    attend: mine.attend,
  }
  const answer = (
    state: StateForViewer['state'],
    why: Refusal | null,
    actions: Partial<StateForViewer['actions']> = {},
    opens: Date | null = null,
  ): StateForViewer => ({
    state,
    actions: { ...NOTHING, ...actions },
    why_not: why && { code: why.code, message: why.message },
    opens_at: opens && wallClock(opens, cls.zone).toISOString(),
    mine: shown,
    waitlist_id: me?.waits.find((entry) => entry.single_class_id === cls.single_class_id)?.waitlist_id ?? null,
  })

  const closed = whyNotOpen(cls, settings, now)
  if (cls.cancelled) return answer('cancelled', closed)
  if (cls.ends_at <= now) return answer('past', closed)
  if (mine && me) {
    const cancel = windowOfMine(cls, mine, me, settings, now)
    const add_guest = mayAddGuest(cls, mine, me, settings, now, zone)
    return typeof cancel === 'string' ? answer('reserved', null, { cancel, add_guest }) : answer('reserved', cancel, { add_guest })
  }
  if (closed?.code === 'CLASS_NOT_OPEN') return answer('not_open', closed, {}, opensAt(cls, settings))
  if (closed) return answer('closed', closed, {}, closesAt(cls, settings))
  const waits = me?.waits.find((entry) => entry.single_class_id === cls.single_class_id) ?? null
  const leave_waitlist = waits !== null
  const penalty = me && whyPenalised(me.penalty, zone)
  if (penalty) return answer('penalised', penalty, { leave_waitlist }, me.penalty)
  const holdsSpot = hasHold(waits, now)
  const full = holdsSpot ? null : whyNotRoom(cls, 1)
  if (full && waits) return answer('waitlisted', full, { leave_waitlist })
  if (full) return answer('full', full, { join_waitlist: settings.waitlist_enabled })

  const state = holdsSpot ? 'waitlisted' : 'available'
  const person = me && whyNotPerson(factsForViewer(me, cls), cls, zone)
  if (person) return answer(state, person, { leave_waitlist })
  if (me && isPayable(me.creditLots, cls, zone)) return answer(state, null, { reserve: 'ok', leave_waitlist })
  if (cls.class_package_id !== null) return answer(state, whyNoCredit([], cls, now), { reserve: 'buy', leave_waitlist })
  if (!me) return answer(state, null, { reserve: 'sign_in' })
  return answer(state, whyNoCredit(me.creditLots, cls, now), { reserve: 'buy_credits', leave_waitlist })
}

/** Whether a waitlist entry has a hold now (W4). */
export function hasHold(waits: { status: string; offer_until: Date | null } | null, now: Date): boolean {
  return waits?.status === 'offered' && waits.offer_until !== null && waits.offer_until > now
}

/** The credit lot that paid for a place, and the amount: 1 credit or 0 (unlimited, or a free guest); null when paid in cash. */
export type Paid = (Pick<CreditLotFacts, 'revokedAt' | 'expires_at' | 'unlimited'> & { amount: 0 | 1 }) | null

/** The credits that cancelling now would return (C8, C9), shown before the customer confirms. */
export function countCreditsReturned(how: 'free' | 'late', reservations: readonly Paid[], now: Date): CreditsReturned {
  const back = { returned: 0, courtesy: 0, kept: 0 }
  for (const reservation of reservations) {
    if (!reservation?.amount) continue
    const what = how === 'late' ? 'kept' : creditToReturn(reservation, reservation.amount, now)
    if (what !== 'none') back[what]++
  }
  return back
}

export interface ReservationFacts extends Mine {
  paid: Paid
  guest_paid: Paid
  deletedAt: Date | null
  is_cash: boolean
  is_paid: boolean
  coach_stars: number | null
}

/** What can be done with a reservation now (R7, R13; S2-4.07, S2-4.12 to S2-4.15), and its display status. */
export function reservationActions(row: ReservationFacts, cls: ClassCore, me: ViewerFacts, settings: Settings, now: Date, zone: string) {
  const past = cls.ends_at <= now
  const over = row.deletedAt !== null || cls.cancelled || past
  const status = statusOf({ ...row, past })
  const cancel = over ? null : windowOfMine(cls, row, me, settings, now)
  const guest = over || row.guest_since === null ? null : cancelWindow(cls, settings, now, { createdAt: row.guest_since, cancels: null })
  const undo = over || !isUndo(cls, row.createdAt, settings, now) ? null : undoUntil(cls, row.createdAt, settings)
  return {
    status,
    actions: {
      cancel: typeof cancel === 'string' ? cancel : null,
      rate: whyNotRate(row, cls, settings, now) === null,
      access_code: settings.qrcode_enabled && !over,
      add_guest: !row.deletedAt && mayAddGuest(cls, row, me, settings, now, zone),
      remove_guest: typeof guest === 'string' ? guest : null,
      move: cancel === 'free' && mayTakeMore(me, cls, zone),
    },
    undo_until: undo?.toISOString() ?? null,
    late_window: cancel === 'late' ? windowOf(settings) : null,
    why_not: cancel && typeof cancel !== 'string' ? { code: cancel.code, message: cancel.message } : null,
    comes_back: typeof cancel === 'string' ? countCreditsReturned(cancel, [row.paid, row.guest_paid], now) : null,
    guest_comes_back: typeof guest === 'string' ? countCreditsReturned(guest, [row.guest_paid], now) : null,
  }
}

/** Why a class cannot be rated (R17; S2-4.07): only attended classes, once, while the studio has ratings on. */
export function whyNotRate(
  row: Pick<ReservationFacts, 'deletedAt' | 'is_cash' | 'is_paid' | 'attend' | 'coach_stars'>,
  cls: Pick<ClassCore, 'ends_at'>,
  settings: Settings,
  now: Date,
): Refusal | null {
  const status = statusOf({ ...row, past: cls.ends_at <= now })
  if (status !== 'Exitosa' || !settings.reservation_rating_enabled) return refuse('RATING_NOT_ALLOWED')
  return row.coach_stars === null ? null : refuse('ALREADY_RATED')
}

/** Why a reservation cannot be moved to another class (R18): only while cancelling would return the credit. */
export function whyNotMove(cls: ClassCore, settings: Settings, now: Date, reservation: CancellableReservation): Refusal | null {
  const how = cancelWindow(cls, settings, now, reservation)
  if (how === 'free') return null
  return how === 'late' ? refuse('MOVE_TOO_LATE', { window: windowOf(settings) }) : how
}

/** The spot for a reservation without a chosen one: the first free one of the map, front row first; null without a map or a free spot. */
export function firstFreeSpot(cls: Pick<ClassCore, 'spot_map' | 'closed_spots'>, takenSpots: readonly string[]): string | null {
  return allSpots(cls.spot_map).find((spot) => !cls.closed_spots.includes(spot) && !takenSpots.includes(spot)) ?? null
}
