import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { wallClock } from '#contract/time.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'
import { creditLotFacts } from '#server/testing/credit-lot-facts.ts'
import { whyPenalised } from './person-rules.ts'
import {
  cancelPolicyText,
  cancelWindow,
  firstFreeSpot,
  freeUntil,
  type Mine,
  overlaps,
  type ReservationFacts,
  reservationActions,
  undoUntil,
  type ViewerFacts,
  viewerState,
  whyNotMove,
  whyNotReserve,
} from './rules.ts'

const ZONE = 'America/Mexico_City'
/** Friday 20 November 2026, 18:00 in Mexico City. */
const STARTS = new Date('2026-11-21T00:00:00.000Z')
const HOUR = 3_600_000
const ahead = (hours: number) => new Date(STARTS.getTime() - hours * HOUR)

function cls(values: Partial<ClassCore> = {}): ClassCore {
  const starts_at = values.starts_at ?? STARTS
  const zone = values.zone ?? ZONE
  return {
    single_class_id: 1,
    class_type_id: 1,
    location_id: 1,
    class_package_id: null,
    starts_at,
    ends_at: new Date(starts_at.getTime() + 50 * 60_000),
    wall: wallClock(starts_at, zone),
    zone,
    capacity: 10,
    taken: 0,
    held: 0,
    places_left: 10,
    spot_map: null,
    closed_spots: [],
    cancelled: false,
    movedAt: null,
    ...values,
  }
}

const theCreditLot = creditLotFacts({ available_class_id: 5 })
const mine: Mine = {
  class_reservation_id: 3,
  single_class_id: 1,
  starts_at: STARTS,
  ends_at: new Date(STARTS.getTime() + 50 * 60_000),
  spot: null,
  guest: null,
  guest_spot: null,
  attend: null,
  available_class_id: 5,
  guests_free: false,
  createdAt: ahead(24 * 30),
  guest_since: null,
}
const withoutCredits: ViewerFacts = { reservations: [], creditLots: [], cancels: new Map(), waits: [], penalty: null }
const ana: ViewerFacts = { ...withoutCredits, creditLots: [theCreditLot] }
const set = (values: Partial<Settings> = {}): Settings => ({ ...defaultSettings, ...values })
const guests = set({ allow_class_guests: true })
const no = (at: ClassCore, input: Parameters<typeof whyNotReserve>[1], settings: Settings, now: Date) =>
  whyNotReserve(at, input, settings, now)?.code ?? null
const map = { spot_map: '5,7,6', closed_spots: ['2-3'] }

describe('why a spot cannot be booked (R1 to R6)', () => {
  test.each<[string, ClassCore, Parameters<typeof whyNotReserve>[1], Settings, Date, string | null]>([
    ['an ordinary class', cls(), {}, set(), ahead(24), null],
    ['a second before it begins', cls(), {}, set(), new Date(STARTS.getTime() - 1000), null],
    ['as it begins', cls(), {}, set(), STARTS, 'CLASS_STARTED'],
    ['cancelled by the studio', cls({ cancelled: true }), {}, set(), ahead(24), 'CLASS_CANCELLED'],
    ['full', cls({ places_left: 0 }), {}, set(), ahead(24), 'CLASS_FULL'],
    ['a seat where there is no map', cls(), { spot: '1-1' }, set(), ahead(24), 'SPOT_UNKNOWN'],
    ['no seat where there is a map', cls(map), {}, set(), ahead(24), 'SPOT_REQUIRED'],
    ['the last seat of the middle row', cls(map), { spot: '2-7' }, set(), ahead(24), null],
    ['a seat off its row', cls(map), { spot: '1-6' }, set(), ahead(24), 'SPOT_UNKNOWN'],
    ['a row off the map', cls(map), { spot: '4-1' }, set(), ahead(24), 'SPOT_UNKNOWN'],
    ['a seat out of order', cls(map), { spot: '2-3' }, set(), ahead(24), 'SPOT_OUT_OF_ORDER'],
    ['a guest without the switch', cls(), { guest: 'Jimena' }, set(), ahead(24), 'GUESTS_NOT_ALLOWED'],
    ['a guest', cls(), { guest: 'Jo' }, guests, ahead(24), null],
    ['a guest of one letter (S2-5.06)', cls(), { guest: 'J' }, guests, ahead(24), 'GUEST_NAME_REQUIRED'],
    ['a guest whose name was forgotten', cls(), { guest: '' }, guests, ahead(24), 'GUEST_NAME_REQUIRED'],
    ['a seat for a guest without a name', cls(map), { spot: '1-1', guest_spot: '1-2' }, guests, ahead(24), 'GUEST_NAME_REQUIRED'],
    ['a guest for the last place', cls({ places_left: 1 }), { guest: 'Jimena' }, guests, ahead(24), 'CLASS_FULL'],
    ['a guest without a seat', cls(map), { spot: '1-1', guest: 'Jimena' }, guests, ahead(24), 'SPOT_REQUIRED'],
    ['a guest on the same seat', cls(map), { spot: '1-1', guest: 'Jimena', guest_spot: '1-1' }, guests, ahead(24), 'SPOT_TAKEN'],
    ['host and guest', cls(map), { spot: '1-1', guest: 'Jimena', guest_spot: '1-2' }, guests, ahead(24), null],
  ])('%s', (_what, at, input, settings, now, code) => expect(no(at, input, settings, now)).toBe(code))

  test.each([
    ['a second late', new Date(ahead(1.5).getTime() + 1000), 'CLASS_CLOSED'],
    ['at the last moment', ahead(1.5), null],
    ['early', ahead(2), null],
  ])('a cut-off of 1 h 30 min, %s (R3, S2-5.12)', (_what, now, code) => {
    expect(no(cls(), {}, set({ reservation_timeframe_hours: 1, reservation_timeframe_minutes: 30 }), now)).toBe(code)
  })

  test('opens seven days before, at the local hour of the class (R2)', () => {
    const week = set({ reservation_opens_days: 7 })
    expect(no(cls(), {}, week, ahead(7 * 24))).toBe(null)
    const early = whyNotReserve(cls(), {}, week, new Date(ahead(7 * 24).getTime() - 1000))
    expect(early?.message).toBe('Las reservas abren el vie 13 nov, 18:00.')
    // In Tijuana clocks went back on 1 November: seven days by the clock are an hour more.
    const tijuana = cls({ starts_at: new Date('2026-11-04T02:00:00.000Z'), zone: 'America/Tijuana' })
    expect(no(tijuana, {}, week, new Date('2026-10-28T01:00:00.000Z'))).toBe(null)
    expect(no(tijuana, {}, week, new Date('2026-10-28T00:59:59.000Z'))).toBe('CLASS_NOT_OPEN')
  })
})

describe('cancelling (R7 to R9)', () => {
  const window = { cancel_timeframe_value: 12, cancel_timeframe_unit: 'hours' } as const
  const outcome = (settings: Settings, now: Date, cancels = 0) => {
    const how = cancelWindow(cls(), settings, now, { createdAt: mine.createdAt, cancels })
    return typeof how === 'string' ? how : how.code
  }
  test.each([
    ['no window: free until it begins (S2-4.15)', set(), 0.01, 0, 'free'],
    ['once it began', set({ allow_cancel_after_treshold: true }), 0, 0, 'CLASS_STARTED'],
    ['at the window (S2-4.13)', set(window), 12, 0, 'free'],
    ['a little after the window', set(window), 11.99, 0, 'CANCEL_TOO_LATE'],
    ['after the window, where late is allowed (S2-4.14)', set({ ...window, allow_cancel_after_treshold: true }), 11.99, 0, 'late'],
    ['before the window, where late is allowed', set({ ...window, allow_cancel_after_treshold: true }), 12, 0, 'free'],
    ['where cancelling is off (S2-8.08)', set({ allow_cancel_reservations: false }), 100, 0, 'CANCEL_NOT_ALLOWED'],
    [
      'where only late is on, early',
      set({ ...window, allow_cancel_reservations: false, allow_cancel_after_treshold: true }),
      100,
      0,
      'free',
    ],
    ['where only late is on, late', set({ ...window, allow_cancel_reservations: false, allow_cancel_after_treshold: true }), 1, 0, 'late'],
    ['the last one that the lot allows (settled 25)', set({ max_cancels_per_available_class: 2 }), 24, 1, 'free'],
    ['one more than the lot allows', set({ max_cancels_per_available_class: 2 }), 24, 2, 'CANCEL_LIMIT'],
  ])('%s', (_what, settings, hours, cancels, expected) => expect(outcome(settings, ahead(hours), cancels)).toBe(expected))

  test('days count in local time, hours in real time (R8, settled 3)', () => {
    // The clocks of Tijuana go back in the night to 1 November: the day has 25 hours.
    const sunday = cls({ starts_at: new Date('2026-11-02T02:00:00.000Z'), zone: 'America/Tijuana' })
    const day = freeUntil(sunday, set({ cancel_timeframe_value: 1, cancel_timeframe_unit: 'days' }))
    const hours = freeUntil(sunday, set({ cancel_timeframe_value: 24, cancel_timeframe_unit: 'hours' }))
    expect(day?.toISOString()).toBe('2026-11-01T01:00:00.000Z')
    expect(hours?.toISOString()).toBe('2026-11-01T02:00:00.000Z')
  })

  const strict = set({ ...window, max_cancels_per_available_class: 0, undo_minutes: 5 })
  test.each([
    ['five minutes after booking', strict, 4, 4 + 5 / 60, null, 'free'],
    ['a minute later', strict, 4, 4 + 6 / 60, null, 'CANCEL_TOO_LATE'],
    ['where the studio gives no time to undo', { ...strict, undo_minutes: 0 }, 4, 4, null, 'CANCEL_TOO_LATE'],
    ['booked before the hour changed (B7)', strict, 4, 30, 20, 'free'],
    ['booked after the hour changed', strict, 4, 20, 30, 'CANCEL_TOO_LATE'],
  ])('taken back %s (R16)', (_what, settings, now, booked, moved, expected) => {
    const at = cls({ movedAt: moved === null ? null : ahead(moved) })
    const how = cancelWindow(at, settings, ahead(now), { createdAt: ahead(booked), cancels: 9 })
    expect(typeof how === 'string' ? how : how.code).toBe(expected)
  })

  test('the time to undo ends with the start of the class (R16)', () => {
    expect(undoUntil(cls(), ahead(0.01), strict)).toEqual(STARTS)
    expect(undoUntil(cls(), ahead(1), strict)).toEqual(ahead(1 - 5 / 60))
    expect(undoUntil(cls(), ahead(1), { ...strict, undo_minutes: 0 })).toBeNull()
  })

  test('moving is possible only while cancelling would be free (R18)', () => {
    const reservation = { createdAt: mine.createdAt, cancels: 0 }
    const late = set({ ...window, allow_cancel_after_treshold: true })
    expect(whyNotMove(cls(), set(window), ahead(13), reservation)).toBeNull()
    expect(whyNotMove(cls(), late, ahead(11), reservation)).toMatchObject({ code: 'MOVE_TOO_LATE', data: { window: '12 horas' } })
    expect(whyNotMove(cls(), set(window), ahead(11), reservation)?.code).toBe('CANCEL_TOO_LATE')
    expect(whyNotMove(cls(), set(), STARTS, reservation)?.code).toBe('CLASS_STARTED')
  })

  test('states the policy in the spec’s sentences (S2-8.07 to S2-8.09, S2-2.48)', () => {
    expect(cancelPolicyText(set(window)).cancel).toBe('Solo puedes cancelar clases con 12 horas de anticipacion')
    expect(cancelPolicyText(set({ cancel_timeframe_value: 1, cancel_timeframe_unit: 'days' })).cancel).toBe(
      'Solo puedes cancelar clases con 1 día de anticipacion',
    )
    expect(cancelPolicyText(set({ allow_cancel_reservations: false })).cancel).toBe('Tus clases son transferibles y no son cancelables')
    expect(cancelPolicyText(set({ max_cancels_per_available_class: 1 })).limit).toBe(
      'Solo puedes cancelar hasta 1 vez por cada crédito de clase.',
    )
    expect(cancelPolicyText(set({ max_cancels_per_available_class: 3 })).limit).toBe(
      'Solo puedes cancelar hasta 3 veces por cada crédito de clase.',
    )
    expect(cancelPolicyText(set()).limit).toBeNull()
  })
})

describe('the state of a class (H5)', () => {
  const reservation: ViewerFacts = { ...ana, reservations: [mine] }
  test.each<[string, ClassCore, ViewerFacts | null, Settings, Date, string, string | null, string | null]>([
    ['a visitor', cls(), null, set(), ahead(24), 'available', 'sign_in', null],
    ['somebody with credits', cls(), ana, set(), ahead(24), 'available', 'ok', null],
    ['somebody without', cls(), withoutCredits, set(), ahead(24), 'available', 'buy_credits', 'NO_CREDITS'],
    [
      'somebody whose credits are for others',
      cls(),
      { ...withoutCredits, creditLots: [{ ...theCreditLot, class_type_ids: [9] }] },
      set(),
      ahead(24),
      'available',
      'buy_credits',
      'NO_MATCHING_CREDITS',
    ],
    [
      'a class sold as a package, to a visitor',
      cls({ class_package_id: 4 }),
      null,
      set(),
      ahead(24),
      'available',
      'buy',
      'CLASS_SOLD_AS_PACKAGE',
    ],
    [
      'a class sold as a package, bought',
      cls({ class_package_id: 4 }),
      { ...withoutCredits, creditLots: [{ ...theCreditLot, class_package_id: 4 }] },
      set(),
      ahead(24),
      'available',
      'ok',
      null,
    ],
    ['full', cls({ places_left: 0 }), ana, set(), ahead(24), 'full', null, 'CLASS_FULL'],
    ['mine', cls({ places_left: 0 }), reservation, set(), ahead(24), 'reserved', null, null],
    [
      'mine, too late to cancel',
      cls(),
      reservation,
      set({ cancel_timeframe_value: 2, cancel_timeframe_unit: 'days' }),
      ahead(24),
      'reserved',
      null,
      'CANCEL_TOO_LATE',
    ],
    [
      'at the hours of another class of mine',
      cls({ single_class_id: 2 }),
      reservation,
      set(),
      ahead(24),
      'available',
      null,
      'OVERLAPPING_RESERVATION',
    ],
    ['cancelled, though mine', cls({ cancelled: true }), reservation, set(), ahead(24), 'cancelled', null, 'CLASS_CANCELLED'],
    ['past, though mine', cls(), reservation, set(), ahead(-1), 'past', null, 'CLASS_STARTED'],
    ['going on', cls(), ana, set(), ahead(-0.5), 'closed', null, 'CLASS_STARTED'],
    ['not open yet', cls({ places_left: 0 }), ana, set({ reservation_opens_days: 1 }), ahead(25), 'not_open', null, 'CLASS_NOT_OPEN'],
    ['after the cut-off', cls(), ana, set({ reservation_timeframe_hours: 2 }), ahead(1), 'closed', null, 'CLASS_CLOSED'],
  ])('%s', (_what, at, me, settings, now, state, reserve, why) => {
    const found = viewerState(at, me, settings, now, ZONE)
    expect([found.state, found.actions.reserve, found.why_not?.code ?? null]).toEqual([state, reserve, why])
  })

  const waits = { waitlist_id: 8, single_class_id: 1, status: 'waiting' as const, offer_until: null }
  const offered = { ...waits, status: 'offered' as const, offer_until: ahead(23) }
  const withWaitlist = set({ waitlist_enabled: true })
  test.each<[string, ClassCore, ViewerFacts | null, string, object]>([
    ['a full class, to a visitor', cls({ places_left: 0 }), null, 'full', { join_waitlist: true }],
    ['a full class', cls({ places_left: 0 }), ana, 'full', { join_waitlist: true, reserve: null }],
    [
      'in its line',
      cls({ places_left: 0 }),
      { ...ana, waits: [waits] },
      'waitlisted',
      { join_waitlist: false, leave_waitlist: true, reserve: null },
    ],
    [
      'a place is held for me',
      cls({ places_left: 0 }),
      { ...ana, waits: [offered] },
      'waitlisted',
      { reserve: 'ok', leave_waitlist: true },
    ],
    [
      'its clock ran out',
      cls({ places_left: 0 }),
      { ...ana, waits: [{ ...offered, offer_until: ahead(24) }] },
      'waitlisted',
      { reserve: null },
    ],
    ['places again while I wait', cls(), { ...ana, waits: [waits] }, 'available', { reserve: 'ok', leave_waitlist: true }],
    ['with a penalty', cls(), { ...ana, penalty: ahead(-100) }, 'penalised', { reserve: null }],
    [
      'full, with a penalty',
      cls({ places_left: 0 }),
      { ...ana, penalty: ahead(-100), waits: [waits] },
      'penalised',
      { join_waitlist: false, leave_waitlist: true },
    ],
  ])('%s (W1, W4, A7)', (_what, at, me, state, actions) => {
    const found = viewerState(at, me, withWaitlist, ahead(24), ZONE)
    expect(found).toMatchObject({ state, actions, waitlist_id: me?.waits[0]?.waitlist_id ?? null })
  })

  test('a penalty shows its end (S2-4.24); existing reservations stay (A7)', () => {
    const me = { ...ana, penalty: new Date('2026-11-24T06:00:00.000Z') }
    const found = viewerState(cls(), me, withWaitlist, ahead(24), ZONE)
    expect(found).toMatchObject({ why_not: { code: 'PENALTY_ACTIVE' }, opens_at: '2026-11-24T00:00:00.000Z' })
    expect(whyPenalised(me.penalty, ZONE)?.data).toEqual({ resumes_at: '2026-11-24T06:00:00.000Z', resumes_on: '24 nov 2026' })
    expect(viewerState(cls(), { ...me, reservations: [mine] }, withWaitlist, ahead(24), ZONE).state).toBe('reserved')
  })

  test('shows no waitlist where the studio has none', () => {
    expect(viewerState(cls({ places_left: 0 }), ana, set(), ahead(24), ZONE).actions.join_waitlist).toBe(false)
  })

  test('shows +1 only where a guest could be added (R6)', () => {
    const plus = (at: ClassCore, me: ViewerFacts, settings = guests) => viewerState(at, me, settings, ahead(24), ZONE).actions.add_guest
    expect(plus(cls(), reservation)).toBe(true)
    expect(plus(cls(), reservation, set())).toBe(false)
    expect(plus(cls({ places_left: 0 }), reservation)).toBe(false)
    expect(plus(cls(), { ...reservation, creditLots: [] })).toBe(false)
    expect(plus(cls(), { ...reservation, creditLots: [], reservations: [{ ...mine, guests_free: true }] })).toBe(true)
    expect(plus(cls(), { ...reservation, reservations: [{ ...mine, guest: 'Jimena' }] })).toBe(false)
  })

  test('a card offers "reserve" exactly when booking would succeed', () => {
    const facts = fc.record({
      places_left: fc.integer({ min: 0, max: 2 }),
      cancelled: fc.boolean(),
      hours: fc.integer({ min: -3, max: 60 }),
      opens: fc.integer({ min: 0, max: 3 }),
      cut: fc.integer({ min: 0, max: 5 }),
      has: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, ({ places_left, cancelled, hours, opens, cut, has }) => {
        const settings = set({ reservation_opens_days: opens, reservation_timeframe_hours: cut })
        const at = cls({ places_left, cancelled })
        const offered = viewerState(at, has ? ana : withoutCredits, settings, ahead(hours), ZONE).actions.reserve
        expect(offered === 'ok').toBe(has && whyNotReserve(at, {}, settings, ahead(hours)) === null)
      }),
      { numRuns: 500 },
    )
  })
})

test('one class may begin when the other ends (R10)', () => {
  const at = (from: number, to: number) => ({ starts_at: new Date(from), ends_at: new Date(to) })
  expect(overlaps(at(0, 10), at(10, 20))).toBe(false)
  expect(overlaps(at(0, 10), at(9, 20))).toBe(true)
  expect(overlaps(at(0, 30), at(10, 20))).toBe(true)
})

describe('status and actions of a reservation (R13)', () => {
  const row: ReservationFacts = { ...mine, paid: null, guest_paid: null, deletedAt: null, is_cash: false, is_paid: true, coach_stars: null }
  const shown = (values: Partial<ReservationFacts>, now: Date, settings = set()) =>
    reservationActions({ ...row, ...values }, cls(), withoutCredits, settings, now, ZONE)
  test.each([
    ['given up, whatever else', { deletedAt: ahead(30), is_cash: true, is_paid: false, attend: true }, ahead(-5), 'Cancelada'],
    ['cash that never came', { is_cash: true, is_paid: false, attend: true }, ahead(-5), 'Pago en Efectivo Incompleto'],
    ['did not come', { attend: false }, ahead(-5), 'No Asistí'],
    ['marked absent before it ended', { attend: false }, ahead(-0.1), 'Próxima'],
    ['came', { attend: true }, ahead(-5), 'Exitosa'],
    ['to come', {}, ahead(5), 'Próxima'],
  ])('%s (S2-4.01 to S2-4.06)', (_what, values, now, status) => expect(shown(values, now).status).toBe(status))

  test('rating, code and cancelling are offered only while possible (S2-4.07, S2-4.12, S2-2.50)', () => {
    expect(shown({ attend: true }, ahead(-5)).actions).toMatchObject({ rate: true, access_code: false, cancel: null })
    expect(shown({ attend: true, coach_stars: 5 }, ahead(-5)).actions.rate).toBe(false)
    expect(shown({ attend: true }, ahead(-5), set({ reservation_rating_enabled: false })).actions.rate).toBe(false)
    expect(shown({}, ahead(5)).actions).toMatchObject({ rate: false, access_code: true, cancel: 'free' })
    expect(shown({}, ahead(5), set({ qrcode_enabled: false })).actions.access_code).toBe(false)
    expect(shown({ deletedAt: ahead(6) }, ahead(5)).actions).toMatchObject({ access_code: false, cancel: null })
    expect(shown({}, ahead(5), set({ cancel_timeframe_value: 1, cancel_timeframe_unit: 'days' })).why_not?.code).toBe('CANCEL_TOO_LATE')
  })
})

describe('the result of a cancellation, shown before it is confirmed (C8, C9, S2-5.10, S2-5.11)', () => {
  const creditLot = { unlimited: false, revokedAt: null, expires_at: ahead(-1_000), amount: 1 as const }
  const row: ReservationFacts = {
    ...mine,
    paid: creditLot,
    guest_paid: null,
    deletedAt: null,
    is_cash: false,
    is_paid: true,
    coach_stars: null,
  }
  const window = { cancel_timeframe_value: 12, cancel_timeframe_unit: 'hours' as const, allow_cancel_after_treshold: true, undo_minutes: 0 }
  const brings = (values: Partial<ReservationFacts>, now = ahead(24)) =>
    reservationActions({ ...row, ...values }, cls(), withoutCredits, set(window), now, ZONE).comes_back
  const withGuest = { guest: 'Jimena', guest_since: ahead(30) }
  test.each<[string, Partial<ReservationFacts>, Date, object | null]>([
    ['in time', {}, ahead(24), { returned: 1, courtesy: 0, kept: 0 }],
    ['late', {}, ahead(2), { returned: 0, courtesy: 0, kept: 1 }],
    ['with a guest', { ...withGuest, guest_paid: creditLot }, ahead(24), { returned: 2, courtesy: 0, kept: 0 }],
    ['with a guest, late', { ...withGuest, guest_paid: creditLot }, ahead(2), { returned: 0, courtesy: 0, kept: 2 }],
    [
      'with a guest who came for nothing',
      { ...withGuest, guest_paid: { ...creditLot, amount: 0 } },
      ahead(24),
      { returned: 1, courtesy: 0, kept: 0 },
    ],
    ['unlimited', { paid: { ...creditLot, unlimited: true, amount: 0 } }, ahead(24), { returned: 0, courtesy: 0, kept: 0 }],
    ['of a lot that expired', { paid: { ...creditLot, expires_at: ahead(25) } }, ahead(24), { returned: 0, courtesy: 1, kept: 0 }],
    ['of a lot that was taken away', { paid: { ...creditLot, revokedAt: ahead(25) } }, ahead(24), { returned: 0, courtesy: 0, kept: 0 }],
    ['in cash', { paid: null, is_cash: true }, ahead(24), { returned: 0, courtesy: 0, kept: 0 }],
    ['given up already', { deletedAt: ahead(25) }, ahead(24), null],
    ['once it began', {}, ahead(0), null],
  ])('%s', (_what, values, now, expected) => expect(brings(values, now)).toEqual(expected))

  test('the guest has a window and a credit of their own', () => {
    const both = { ...row, ...withGuest, guest_paid: { ...creditLot, expires_at: ahead(25) } }
    const shown = reservationActions(both, cls(), withoutCredits, set(window), ahead(24), ZONE)
    expect(shown.guest_comes_back).toEqual({ returned: 0, courtesy: 1, kept: 0 })
    expect(reservationActions(row, cls(), withoutCredits, set(window), ahead(24), ZONE).guest_comes_back).toBeNull()
  })
})

test('"elige por mí" chooses the first free spot from the front, never a closed one', () => {
  const room = { spot_map: '2,3', closed_spots: ['1-2'] }
  expect(firstFreeSpot(room, [])).toBe('1-1')
  expect(firstFreeSpot(room, ['1-1'])).toBe('2-1')
  expect(firstFreeSpot(room, ['1-1', '2-1', '2-2', '2-3'])).toBeNull()
  expect(firstFreeSpot({ spot_map: null, closed_spots: [] }, [])).toBeNull()
})
