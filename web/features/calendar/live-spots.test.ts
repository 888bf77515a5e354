import { describe, expect, test } from 'vitest'
import type { CardClass } from './class-facts.ts'
import { applyClassEvent, changesOffer } from './live-spots.ts'

const cls = (single_class_id: number, changes: Partial<CardClass> = {}): CardClass => ({
  single_class_id,
  class_date: '2026-11-18T18:00:00.000Z',
  duration_minutes: 50,
  capacity: 12,
  taken: 4,
  places_left: 8,
  location_id: 1,
  class_package_id: null,
  class_category_id: null,
  tags: [],
  icon: null,
  state: 'available',
  actions: { reserve: 'ok', cancel: null, add_guest: false, join_waitlist: false, leave_waitlist: false },
  why_not: null,
  opens_at: null,
  mine: null,
  waitlist_id: null,
  class_type: { class_type_id: 1, name: 'Barre' },
  location: { name: 'Roma Norte' },
  class_instructors: [],
  ...changes,
})
const event = (single_class_id: number, places_left: number, changes = {}) => ({
  single_class_id,
  taken: 12 - places_left,
  places_left,
  cancelled: false,
  class_date: '2026-11-18T18:00:00.000Z',
  ...changes,
})

describe('events about occupancy (H7)', () => {
  test('events about occupancy change the class that they are about; every other class and day stays the same object', () => {
    const [first, second, other] = [cls(1), cls(2), cls(3)]
    const days = [
      { date: '2026-11-18', classes: [first, second] },
      { date: '2026-11-19', classes: [other] },
    ]
    const drawn = applyClassEvent(days, new Map([[2, event(2, 3)]]))
    expect(drawn[0]?.classes[1]).toEqual({ ...second, taken: 9, places_left: 3 })
    expect(drawn[0]?.classes[0]).toBe(first)
    expect(drawn[1]).toBe(days[1])
  })

  test('events without a difference change no object', () => {
    const known = cls(1)
    expect(applyClassEvent([{ date: '2026-11-18', classes: [known] }], new Map([[1, event(1, 8)]]))[0]?.classes[0]).toBe(known)
  })

  test.each([
    ['another number of places', cls(1), event(1, 3), false],
    ['the last place went', cls(1), event(1, 0), true],
    ['a full class has a place', cls(1, { state: 'full', taken: 12, places_left: 0 }), event(1, 1), true],
    ['my own class is full, or no longer', cls(1, { state: 'reserved', taken: 12, places_left: 0 }), event(1, 1), true],
    ['cancelled', cls(1), event(1, 8, { cancelled: true }), true],
    ['no longer cancelled', cls(1, { state: 'cancelled' }), event(1, 8), true],
    ['another hour', cls(1), event(1, 8, { class_date: '2026-11-18T19:00:00.000Z' }), true],
  ])('%s: whether the week must be reloaded', (_what, known, event, reloads) => {
    expect(changesOffer(known, event)).toBe(reloads)
  })
})
