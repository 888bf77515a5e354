import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { wallClock } from '#contract/time.ts'
import { isQuiet } from '#server/modules/messages/messages.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'
import { closesAt } from './rules.ts'
import { currentWaitlistMode, offerUntil, takesWithoutAsking, whyNotJoin } from './waitlist-rules.ts'

const ZONE = 'America/Mexico_City'
/** Friday 20 November 2026, 18:00 in Mexico City. */
const STARTS = new Date('2026-11-21T00:00:00.000Z')
const HOUR = 3_600_000
const ahead = (hours: number) => new Date(STARTS.getTime() - hours * HOUR)
const set = (values: Partial<Settings> = {}): Settings => ({ ...defaultSettings, waitlist_enabled: true, ...values })

function cls(values: Partial<ClassCore> = {}): ClassCore {
  const starts_at = values.starts_at ?? STARTS
  return {
    single_class_id: 1,
    class_type_id: 1,
    location_id: 1,
    class_package_id: null,
    starts_at,
    ends_at: new Date(starts_at.getTime() + 50 * 60_000),
    wall: wallClock(starts_at, values.zone ?? ZONE),
    zone: ZONE,
    capacity: 10,
    taken: 10,
    held: 0,
    places_left: 0,
    spot_map: null,
    closed_spots: [],
    cancelled: false,
    movedAt: null,
    ...values,
  }
}

describe('who may join (W1)', () => {
  test.each<[string, ClassCore, Partial<Settings>, Date, string | null]>([
    ['a full class', cls(), {}, ahead(24), null],
    ['a class without capacity (settled 20)', cls({ capacity: null }), {}, ahead(24), null],
    ['a class whose last place is held for another', cls({ taken: 9, held: 1 }), {}, ahead(24), null],
    ['a class with a place', cls({ places_left: 1 }), {}, ahead(24), 'WAITLIST_CLASS_HAS_PLACES'],
    ['where there are no lists', cls(), { waitlist_enabled: false }, ahead(24), 'WAITLIST_DISABLED'],
    ['a class that began', cls(), {}, STARTS, 'CLASS_STARTED'],
    ['one that the studio cancelled', cls({ cancelled: true }), {}, ahead(24), 'CLASS_CANCELLED'],
    ['after the cut-off', cls(), { reservation_timeframe_hours: 2 }, ahead(1), 'CLASS_CLOSED'],
    ['before it opens', cls(), { reservation_opens_days: 1 }, ahead(30), 'CLASS_NOT_OPEN'],
  ])('%s', (_what, at, settings, now, code) => expect(whyNotJoin(at, set(settings), now)?.code ?? null).toBe(code))
})

describe('whose turn it is (W3, W6, W7)', () => {
  test.each<[string, Partial<Settings>, number, string]>([
    ['as the studio says', { waitlist_mode: 'oferta' }, 24, 'oferta'],
    ['everybody, when booking closes within the hour', { waitlist_mode: 'oferta' }, 1, 'todos'],
    ['a minute before that', { waitlist_mode: 'oferta' }, 1.02, 'oferta'],
    ['counted from the cut-off', { waitlist_mode: 'oferta', reservation_timeframe_hours: 6 }, 6.5, 'todos'],
    ['never, where the studio does not want that', { waitlist_mode: 'oferta', waitlist_tell_all_minutes: 0 }, 0.1, 'oferta'],
    ['the default (settled 22)', {}, 24, 'todos'],
  ])('%s', (_what, settings, hours, mode) => expect(currentWaitlistMode(cls(), set(settings), ahead(hours))).toBe(mode))

  test.each<[string, Partial<Settings>, boolean, number, boolean]>([
    ['who said so', {}, true, 24, true],
    ['who did not', {}, false, 24, false],
    ['not once giving it up would cost the credit', { cancel_timeframe_value: 12 }, true, 11, false],
    ['while it would not', { cancel_timeframe_value: 12 }, true, 12, true],
    ['not in another mode', { waitlist_mode: 'oferta' }, true, 24, false],
  ])('without asking: %s (W7)', (_what, settings, auto, hours, isTaken) => {
    expect(takesWithoutAsking(cls(), { auto }, set({ waitlist_mode: 'auto', ...settings }), ahead(hours))).toBe(isTaken)
  })
})

describe('how long a spot is held (W5)', () => {
  const until = (settings: Partial<Settings>, now: Date, at = cls()) => offerUntil(at, set(settings), now, ZONE).toISOString()
  test.each([
    ['half an hour by day', {}, '2026-11-19T18:00:00.000Z', '2026-11-19T18:30:00.000Z'],
    ['at most 15 % of the time left', {}, '2026-11-20T22:00:00.000Z', '2026-11-20T22:18:00.000Z'],
    ['never under ten minutes', {}, '2026-11-20T23:00:00.000Z', '2026-11-20T23:10:00.000Z'],
    ['never past the end of booking', { reservation_timeframe_minutes: 55 }, '2026-11-20T23:00:00.000Z', '2026-11-20T23:05:00.000Z'],
    ['in the evening, on into the morning', {}, '2026-11-20T03:50:00.000Z', '2026-11-20T14:20:00.000Z'],
    ['at night, from the morning on', {}, '2026-11-20T08:00:00.000Z', '2026-11-20T14:30:00.000Z'],
  ])('%s', (_what, settings, now, expected) => expect(until(settings, new Date(now))).toBe(expected))

  test('an offer at night before a class at six in the morning does not wait for the end of the quiet hours', () => {
    const early = cls({ starts_at: new Date('2026-11-20T12:00:00.000Z') })
    expect(until({}, new Date('2026-11-20T05:00:00.000Z'), early)).toBe('2026-11-20T05:30:00.000Z')
  })

  test('in every zone and season an offer ends in the future, not after booking closes, and by day unless it is urgent', () => {
    const zones = [
      'America/Mexico_City',
      'America/Cancun',
      'America/Tijuana',
      'America/Ciudad_Juarez',
      'America/Matamoros',
      'America/Hermosillo',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2028-01-01T00:00:00Z'), noInvalidDate: true }),
        fc.integer({ min: 11, max: 60 * 72 }),
        fc.integer({ min: 5, max: 240 }),
        (zone, now, minutesAhead, waitlist_offer_minutes) => {
          const settings = set({ waitlist_offer_minutes })
          const at = cls({ starts_at: new Date(now.getTime() + minutesAhead * 60_000), zone })
          const ends = offerUntil(at, settings, now, zone)
          expect(ends > now && ends <= closesAt(at, settings)).toBe(true)
          if (minutesAhead > 24 * 60) expect(isQuiet(new Date(ends.getTime() - 1), settings, zone)).toBe(false)
        },
      ),
      { numRuns: 300 },
    )
  })
})
