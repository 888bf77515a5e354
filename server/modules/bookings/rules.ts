/** What one may do with a place in a class, now. The same functions say "may I?" in lists and guard "do it". docs/domain.md, "Reservations". */
import { type CreditsReturned, statusOf } from '#contract/bookings.ts'
import { type Refusal, refuse, sentence } from '#contract/errors.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { bookingCutoffMs, type Settings } from '#contract/settings.ts'
import { allSpots, isSpotOn } from '#contract/spots.ts'
import { before, formatWall, formatWindow, wallClock } from '#contract/time.ts'
import { type CreditLotFacts, creditToReturn, usableFor, whyNoCredit } from '#server/modules/credits/credits.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'

/** The shortest name that a guest may have (S2-5.06). */
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

/** Whether the class is one that can be booked now, places aside (R1-R3). The last moment of the cut-off still counts; the start does not. */
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
  /** Over capacity one stands where there is no seat left: only the front desk's verb says so (Q7). */
  standing?: boolean
}

/** Whether a guest is asked for: an empty name is one that was forgotten, not none. */
export function bringsGuest(input: ReservationInput): boolean {
  return (input.guest ?? null) !== null || (input.guest_spot ?? null) !== null
}

/** Whether somebody may come along (R6). */
export function whyNotGuest(input: ReservationInput, settings: Settings): Refusal | null {
  if (!bringsGuest(input)) return null
  if (!settings.allow_class_guests) return refuse('GUESTS_NOT_ALLOWED')
  return whyNotGuestName(input.guest)
}

/** Whether a guest has a name (S2-5.06). */
export function whyNotGuestName(name: string | null | undefined): Refusal | null {
  return (name ?? '').trim().length < GUEST_NAME ? refuse('GUEST_NAME_REQUIRED') : null
}

/** Whether that many places are left (R4, settled 20). */
export function whyNotRoom(cls: Pick<ClassCore, 'places_left'>, reservations: number): Refusal | null {
  return cls.places_left < reservations ? refuse('CLASS_FULL', { left: cls.places_left }) : null
}

/** Whether a seat can be had in this room, whoever sits there (R5, settled 23). Null asks for no seat. */
export function whyNotSpot(cls: Pick<ClassCore, 'spot_map' | 'closed_spots'>, spot: string | null | undefined): Refusal | null {
  if (cls.spot_map === null) return (spot ?? null) === null ? null : refuse('SPOT_UNKNOWN')
  if ((spot ?? null) === null) return refuse('SPOT_REQUIRED')
  if (!isSpotOn(cls.spot_map, spot as string)) return refuse('SPOT_UNKNOWN')
  return cls.closed_spots.includes(spot as string) ? refuse('SPOT_OUT_OF_ORDER') : null
}

/** Why a place (and a guest's) cannot be taken, credits and other people's seats aside (R1-R6); null = go on. */
export function whyNotReserve(cls: ClassCore, input: ReservationInput, settings: Settings, now: Date): Refusal | null {
  return whyNotOpen(cls, settings, now) ?? whyNotTake(cls, input, settings)
}

/** The same for staff (R21): no opening day and no cut-off, and whoever stands at the counter may still come in. */
export function whyNotReserveByStaff(cls: ClassCore, input: ReservationInput, settings: Settings, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.ends_at <= now ? refuse('CLASS_STARTED') : whyNotTake(cls, input, settings)
}

/** Places, guest and seats (R4-R6), whatever the hour. */
function whyNotTake(cls: ClassCore, input: ReservationInput, settings: Settings): Refusal | null {
  const guest = bringsGuest(input)
  // Who stands needs none of the room's seats; the capacity was raised for them.
  const room = input.standing ? { places_left: (cls.capacity ?? 0) - cls.taken - cls.held } : cls
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

const whyNotSeat = (cls: ClassCore, { standing = false }: ReservationInput, spot: string | null | undefined): Refusal | null =>
  standing && (spot ?? null) === null ? null : whyNotSpot(cls, spot)

/** Until when cancelling gives the credit back (R8); null = no window is set. */
export function freeUntil(cls: Pick<ClassCore, 'starts_at' | 'zone'>, settings: Settings): Date | null {
  const value = settings.cancel_timeframe_value
  return value ? before(cls.starts_at, value, settings.cancel_timeframe_unit, cls.zone) : null
}

/** Until when a booking can be taken back as if it had not been made (R16); null = the studio gives no such time. */
export function undoUntil(cls: Pick<ClassCore, 'starts_at'>, bookedAt: Date, settings: Settings): Date | null {
  if (settings.undo_minutes === 0) return null
  const until = new Date(bookedAt.getTime() + settings.undo_minutes * MINUTE)
  return until < cls.starts_at ? until : cls.starts_at
}

/** Whether giving the place up now is taking the booking back (R16). */
export function isUndo(cls: Pick<ClassCore, 'starts_at'>, bookedAt: Date, settings: Settings, now: Date): boolean {
  const until = undoUntil(cls, bookedAt, settings)
  return until !== null && now <= until && now < cls.starts_at
}

/** A place as far as giving it up is concerned. `cancels`: how many places paid by the same lot were given up before; null = that does not count. */
export interface CancellableReservation {
  createdAt: Date
  cancels: number | null
}

/**
 * Whether a place can be given up now (R7-R9): `free` gives the credit back, `late` does not. Right after booking (R16), and when hour or
 * place changed since (B7), it is free whatever the windows say.
 */
export function cancelWindow(cls: ClassCore, settings: Settings, now: Date, held: CancellableReservation): 'free' | 'late' | Refusal {
  if (cls.starts_at <= now) return refuse('CLASS_STARTED')
  if (isUndo(cls, held.createdAt, settings, now) || (cls.movedAt && held.createdAt < cls.movedAt)) return 'free'
  const { cancels } = held
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

/** The policy in words, for the header line and the dialog (S2-8.07 to S2-8.09). */
export function policy(settings: Settings): { cancel: string; limit: string | null; window: string | null } {
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
 * What a booking made now says of cancelling (R7, R8): until when the credit comes back, null once that is over or where there is no
 * cancelling, and the policy, which then says what giving the place up would cost.
 */
export function cancellingFrom(cls: Pick<ClassCore, 'starts_at' | 'zone'>, settings: Settings, now: Date) {
  const said = policy(settings)
  const until = settings.allow_cancel_reservations || settings.allow_cancel_after_treshold ? freeUntil(cls, settings) : null
  if (until === null || until > now) return { until, policy: said }
  const late = `Faltan menos de ${said.window}: si cancelas, tu crédito no regresa.`
  return { until: null, policy: settings.allow_cancel_after_treshold ? { ...said, cancel: late } : said }
}

/** A place that is mine, as the rules need it. */
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
  /** Whether the lot that paid lets guests come for nothing. */
  guests_free: boolean
  createdAt: Date
  /** When the guest's place was taken; null without a guest. */
  guest_since: Date | null
}

/** A line that somebody stands in. */
export interface Waits {
  waitlist_id: number
  single_class_id: number
  status: 'waiting' | 'offered'
  /** Until when a place is held for them. */
  offer_until: Date | null
}

/** Who is looking: their places around these days, their lots, how often they gave up places that each lot paid, their lines, their penalty. */
export interface ViewerFacts {
  places: readonly Mine[]
  lots: readonly CreditLotFacts[]
  cancels: ReadonlyMap<number, number>
  waits: readonly Waits[]
  /** When booking is possible again for who has a penalty. */
  penalty: Date | null
}

/** Whether somebody may book at all (A7; S2-4.22, S2-8.10). The sentence is the spec's; the date goes beside it. */
export function whyPenalised(resumes: Date | null, zone: string): Refusal | null {
  return (
    resumes && refuse('PENALTY_ACTIVE', { resumes_at: resumes.toISOString(), resumes_on: formatWall(wallClock(resumes, zone), 'date') })
  )
}

/** What may keep a person from one class, apart from credits. */
export interface PersonFacts {
  /** When booking is possible again for who has a penalty. */
  penalty: Date | null
  /** Classes at the same hours in which the person has a place, this one included. */
  clashes: readonly number[]
  /** Documents that the person has still to accept. */
  documents: readonly { page_id: number }[]
  /** PROFILE_INCOMPLETE, where the studio asks for a whole profile. */
  incomplete: Refusal | null
}

/**
 * Why a person cannot have a place in a class, credits aside, the first reason that holds: PENALTY_ACTIVE (A7), ALREADY_RESERVED or
 * OVERLAPPING_RESERVATION (R10), DOCUMENTS_REQUIRED (R11), PROFILE_INCOMPLETE (P10). Null = go on.
 */
export function whyNotPerson(facts: PersonFacts, cls: { single_class_id: number }, zone: string): Refusal | null {
  const { penalty, clashes, documents, incomplete } = facts
  if (penalty) return whyPenalised(penalty, zone)
  if (clashes.length) return refuse(clashes.includes(cls.single_class_id) ? 'ALREADY_RESERVED' : 'OVERLAPPING_RESERVATION')
  return documents[0] ? refuse('DOCUMENTS_REQUIRED', { page_id: documents[0].page_id }) : incomplete
}

/** Whether two stretches of time have a moment in common; one may begin when the other ends (R10). */
export function overlaps(a: { starts_at: Date; ends_at: Date }, b: { starts_at: Date; ends_at: Date }): boolean {
  return a.starts_at < b.ends_at && b.starts_at < a.ends_at
}

/** Whether +1 is possible on a place of mine (R6, A7): the class is open, has a place, something pays, and nothing holds me back. */
export function mayAddGuest(cls: ClassCore, mine: Mine, me: ViewerFacts, settings: Settings, now: Date, zone: string): boolean {
  if (mine.guest !== null || me.penalty || !settings.allow_class_guests || cls.places_left < 1 || whyNotOpen(cls, settings, now))
    return false
  return mine.guests_free || usableFor(me.lots, cls, zone).length > 0
}

/** How somebody's own place in a class can be given up. */
function windowOfMine(cls: ClassCore, mine: Mine, me: ViewerFacts, settings: Settings, now: Date): 'free' | 'late' | Refusal {
  return cancelWindow(cls, settings, now, { createdAt: mine.createdAt, cancels: me.cancels.get(mine.available_class_id ?? 0) ?? 0 })
}

type Standing = Pick<SingleClass, 'state' | 'actions' | 'why_not' | 'opens_at' | 'mine' | 'waitlist_id'>

const NOTHING: SingleClass['actions'] = { reserve: null, cancel: null, add_guest: false, join_waitlist: false, leave_waitlist: false }

/** Where a class stands for who is looking (H5): its state, what can be done now and, when something cannot, why. `me` null: a visitor. */
export function viewerState(cls: ClassCore, me: ViewerFacts | null, settings: Settings, now: Date, zone: string): Standing {
  const mine = me?.places.find((reservation) => reservation.single_class_id === cls.single_class_id) ?? null
  const shown = mine && {
    class_reservation_id: mine.class_reservation_id,
    spot: mine.spot,
    guest: mine.guest,
    guest_spot: mine.guest_spot,
    attend: mine.attend,
  }
  const answer = (
    state: Standing['state'],
    why: Refusal | null,
    actions: Partial<Standing['actions']> = {},
    opens: Date | null = null,
  ): Standing => ({
    state,
    actions: { ...NOTHING, ...actions },
    why_not: why && { code: why.code, message: why.message },
    opens_at: opens && wallClock(opens, cls.zone).toISOString(),
    mine: shown,
    waitlist_id: me?.waits.find((line) => line.single_class_id === cls.single_class_id)?.waitlist_id ?? null,
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
  const waits = me?.waits.find((line) => line.single_class_id === cls.single_class_id) ?? null
  const leave_waitlist = waits !== null
  const penalty = me && whyPenalised(me.penalty, zone)
  if (penalty) return answer('penalised', penalty, { leave_waitlist }, me.penalty)
  const held = hasHold(waits, now)
  const full = held ? null : whyNotRoom(cls, 1)
  if (full && waits) return answer('waitlisted', full, { leave_waitlist })
  if (full) return answer('full', full, { join_waitlist: settings.waitlist_enabled })

  const state = held ? 'waitlisted' : 'available'
  if (me?.places.some((reservation) => overlaps(reservation, cls)))
    return answer(state, refuse('OVERLAPPING_RESERVATION'), { leave_waitlist })
  if (me && usableFor(me.lots, cls, zone).length > 0) return answer(state, null, { reserve: 'ok', leave_waitlist })
  if (cls.class_package_id !== null) return answer(state, whyNoCredit([], cls, now), { reserve: 'buy', leave_waitlist })
  if (!me) return answer(state, null, { reserve: 'sign_in' })
  return answer(state, whyNoCredit(me.lots, cls, now), { reserve: 'buy_credits', leave_waitlist })
}

/** Whether a place is held for somebody now (W4). */
export function hasHold(waits: { status: string; offer_until: Date | null } | null, now: Date): boolean {
  return waits?.status === 'offered' && waits.offer_until !== null && waits.offer_until > now
}

/** What a place cost: which lot paid, and 1 credit or 0 (unlimited, or a guest who came for nothing); null in cash. */
export type Paid = (Pick<CreditLotFacts, 'revokedAt' | 'expires_at' | 'unlimited'> & { amount: 0 | 1 }) | null

/** What giving places up now would bring (C8, C9), said before it is confirmed. */
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
      move: cancel === 'free' && !me.penalty,
    },
    undo_until: undo?.toISOString() ?? null,
    why_not: cancel && typeof cancel !== 'string' ? { code: cancel.code, message: cancel.message } : null,
    comes_back: typeof cancel === 'string' ? countCreditsReturned(cancel, [row.paid, row.guest_paid], now) : null,
    guest_comes_back: typeof guest === 'string' ? countCreditsReturned(guest, [row.guest_paid], now) : null,
  }
}

/** Whether a class can be rated (R17; S2-4.07): only one that was attended, once, while the studio asks for it. */
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

/** Why another class cannot be taken instead (R18): only while giving up would give the credit back. */
export function whyNotMove(cls: ClassCore, settings: Settings, now: Date, held: CancellableReservation): Refusal | null {
  const how = cancelWindow(cls, settings, now, held)
  if (how === 'free') return null
  return how === 'late' ? refuse('MOVE_TOO_LATE', { window: windowOf(settings) }) : how
}

/** The seat that somebody gets who did not choose one: the first free one of the map, front row first; null without a map or without one free. */
export function firstFreeSpot(cls: Pick<ClassCore, 'spot_map' | 'closed_spots'>, taken: readonly string[]): string | null {
  return allSpots(cls.spot_map).find((spot) => !cls.closed_spots.includes(spot) && !taken.includes(spot)) ?? null
}
