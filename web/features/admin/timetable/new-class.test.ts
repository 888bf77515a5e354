import { describe, expect, test } from 'vitest'
import { countDates, endHour, ofType, seriesDates, startedForm, toCreation } from './class-form.ts'
import { NEW_CLASS, newClassOf, newClassQuery } from './new-class-link.ts'
import { hoursAfterKey } from './use-free-hours.ts'
import { hoursBetween, weekLayout } from './week-layout.ts'

const { bands } = weekLayout([[{ key: 'a', start: 600, minutes: 60 }], [{ key: 'b', start: 900, minutes: 60 }]])

describe('hours that are marked', () => {
  test('hours that are marked go from quarter to quarter in either direction, at least one', () => {
    // 10:00 to 11:00 and 15:00 to 16:00 are drawn at 72 px an hour, with a fold of 36 px between.
    expect(hoursBetween(0, 36, bands)).toEqual({ minute: 600, minutes: 30 })
    expect(hoursBetween(72 + 36 + 54, 72 + 36, bands)).toEqual({ minute: 900, minutes: 45 })
    expect(hoursBetween(20, 21, bands)).toEqual({ minute: 615, minutes: 15 })
  })

  test('hours that are marked move and grow by the arrow keys and stay within the day', () => {
    const hours = { minute: 1080, minutes: 60 }
    expect(hoursAfterKey(hours, 'ArrowDown', false)).toEqual({ minute: 1095, minutes: 60 })
    expect(hoursAfterKey(hours, 'ArrowUp', true)).toEqual({ minute: 1080, minutes: 45 })
    expect(hoursAfterKey({ minute: 1380, minutes: 60 }, 'ArrowDown', false)).toEqual({ minute: 1380, minutes: 60 })
    expect(hoursAfterKey({ minute: 0, minutes: 15 }, 'ArrowUp', false)).toEqual({ minute: 0, minutes: 15 })
    expect(hoursAfterKey({ minute: 0, minutes: 15 }, 'ArrowUp', true)).toEqual({ minute: 0, minutes: 15 })
    expect(hoursAfterKey({ minute: 1380, minutes: 60 }, 'ArrowDown', true)).toEqual({ minute: 1380, minutes: 60 })
    expect(hoursAfterKey(hours, 'Enter', false)).toBeNull()
  })
})

describe('what is known of a new class', () => {
  const known = { ...NEW_CLASS, class_type_id: 3, room_id: 12, coach: 7, minutes: 75, weekdays: [1, 3] }

  test('goes through the URL; what is unreadable is missing', () => {
    const query = new URLSearchParams(
      Object.entries(newClassQuery(known)).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    )
    expect(newClassOf(query)).toEqual(known)
    expect(newClassOf(new URLSearchParams('que=-1&en=x&con=1e3&dura=99999&dias=890'))).toEqual(NEW_CLASS)
  })

  const records = {
    types: [{ class_type_id: 3, duration_minutes: 50, spot_map: '4,4' }],
    rooms: [{ room_id: 12, location_id: 6, capacity: 10, seats: null, spot_map: null }],
    location_ids: [5, 6],
  }
  const at = { day: '2026-11-30', hour: '18:00' }

  test('fills the form: room with its location and capacity, type with its map, marked hours before the length of the type', () => {
    const form = startedForm({ ...at, ...known }, records, 5)
    expect(form).toMatchObject({
      class_type_id: '3',
      location_id: '6',
      room_id: '12',
      minutes: '75',
      coaches: ['7'],
      rows: '4, 4',
      capacity: '8',
    })
    expect(toCreation(form, null)).toMatchObject({ series: { weekdays: [1, 3], every_weeks: 1 } })
    expect(startedForm({ ...at, class_type_id: 3 }, records, 5)).toMatchObject({ location_id: '5', minutes: '50', repeats: false })
  })

  test('a room with a map keeps it, and records that are gone are left out', () => {
    const withMap = { ...records, rooms: [{ room_id: 12, location_id: 6, capacity: null, seats: 12, spot_map: '6,6' }] }
    expect(startedForm({ ...at, ...known }, withMap, null)).toMatchObject({ rows: '6, 6', capacity: '12' })
    expect(startedForm({ ...at, class_type_id: 99, room_id: 99, location_id: 99 }, records, 5)).toMatchObject({
      class_type_id: '',
      room_id: '',
      location_id: '5',
      minutes: '',
    })
    expect(ofType({ class_type_id: 3, duration_minutes: 50, spot_map: null }, undefined, '9')).toEqual({
      minutes: '50',
      rows: '',
      capacity: '9',
    })
  })

  test('the end of the class is shown', () => {
    expect(endHour({ hour: '18:30', minutes: '45' })).toBe('19:15')
    expect(endHour({ hour: '23:30', minutes: '60' })).toBe('00:30')
    expect([endHour({ hour: '', minutes: '45' }), endHour({ hour: '18:30', minutes: '' })]).toEqual([null, null])
  })
})

describe('the dates of a series', () => {
  const form = { day: '2026-12-16', weekdays: [5, 3], every: '1', until: '2027-01-06', except: ['2026-12-18'], location_id: '1' }
  const holidays = [
    { name: 'Navidad', from: '2026-12-24', to: '2026-12-25', location_ids: null },
    { name: 'Obras', from: '2026-12-30', to: '2026-12-30', location_ids: [2] },
  ]
  const text = (days: ReturnType<typeof seriesDates>) =>
    days.map(({ day, holiday, isExcept }) => `${day.slice(5)}${holiday ? ` ${holiday}` : ''}${isExcept ? ' no' : ''}`)

  test('the dates of a series are in order, with the holidays of its location and the days left out; only the others are counted', () => {
    const days = seriesDates(form, holidays)
    expect(text(days)).toEqual(['12-16', '12-18 no', '12-23', '12-25 Navidad', '12-30', '01-01', '01-06'])
    expect(countDates(days)).toBe(5)
    expect(countDates(seriesDates({ ...form, location_id: '2' }, holidays))).toBe(4)
    expect(text(seriesDates({ ...form, every: '2' }, []))).toEqual(['12-16', '12-18 no', '12-30', '01-01'])
  })

  test('the dates of a series are the first ones without an end, and none while a field is not readable', () => {
    expect(seriesDates({ ...form, until: '' }, [])).toHaveLength(12)
    expect(seriesDates({ ...form, weekdays: [] }, [])).toEqual([])
    expect(seriesDates({ ...form, until: '2026-12-15' }, [])).toEqual([])
    expect(seriesDates({ ...form, day: '' }, [])).toEqual([])
  })
})
