import { describe, expect, test } from 'vitest'
import { type ClassRecords, mayBeClass, parseClass } from './parse-class.ts'

const records: ClassRecords = {
  types: [
    { class_type_id: 1, name: 'Ciclo 45' },
    { class_type_id: 2, name: 'Ciclo 60' },
    { class_type_id: 3, name: 'Reformer' },
    { class_type_id: 4, name: 'Reformer Avanzado' },
  ],
  coaches: [
    { instructor_id: 7, name: 'Sofía', last_name: 'Ríos', nick_name: null },
    { instructor_id: 8, name: 'Diego', last_name: 'Luna', nick_name: 'Dido' },
  ],
  locations: [
    { location_id: 5, name: 'Providencia' },
    { location_id: 6, name: 'Roma Norte' },
  ],
  rooms: [
    { room_id: 11, location_id: 5, name: 'Sala 1' },
    { room_id: 12, location_id: 6, name: 'Sala 2' },
  ],
}
// A Thursday.
const proposed = (typed: string, now = '2026-11-26T12:00') => parseClass(typed, records, now)

describe('a class from typed words (Z14)', () => {
  test('several days of the week are a series that begins on the next of them', () => {
    expect(proposed('ciclo 45 lun mié vie 7:15 Sofía Providencia')).toMatchObject({
      class_type_id: 1,
      location_id: 5,
      coach: 7,
      minutes: null,
      weekdays: [1, 3, 5],
      day: '2026-11-27',
      hour: '07:15',
      label: 'Nueva clase: Ciclo 45, vie 27 nov, 07:15',
      detail: 'Sofía Ríos · Providencia · cada lun, mié y vie',
    })
  })

  test('one day is one class; with "cada" it repeats', () => {
    expect(proposed('reformer mar 18:00 sofía')).toMatchObject({
      class_type_id: 3,
      coach: 7,
      weekdays: [],
      day: '2026-12-01',
      hour: '18:00',
    })
    expect(proposed('reformer cada martes 18:00')).toMatchObject({ weekdays: [2], day: '2026-12-01' })
  })

  test('without a day it is today, or tomorrow when the hour has passed', () => {
    expect(proposed('reformer 18:00')?.day).toBe('2026-11-26')
    expect(proposed('reformer 11:00')?.day).toBe('2026-11-27')
    expect(proposed('reformer jue 11:00')?.day).toBe('2026-12-03')
    expect(proposed('reformer mañana 18:00')?.day).toBe('2026-11-27')
  })

  test('dates are the next ones; "mar" after a day number is March', () => {
    expect(proposed('reformer 24 de diciembre 9h')).toMatchObject({ day: '2026-12-24', hour: '09:00' })
    expect(proposed('reformer 3 mar 9h')?.day).toBe('2027-03-03')
  })

  test('hours in every way, with an end and with a length', () => {
    expect(proposed('reformer 7 pm')?.hour).toBe('19:00')
    expect(proposed('reformer 12am')?.hour).toBe('00:00')
    expect(proposed('reformer 18:00-19:15')).toMatchObject({ hour: '18:00', minutes: 75 })
    expect(proposed('reformer 18:00 50 min')).toMatchObject({ minutes: 50 })
  })

  test('the nick name finds a coach; a room brings its location; the fuller name wins', () => {
    expect(proposed('reformer avanzado 18:00 dido sala 2')).toMatchObject({ class_type_id: 4, coach: 8, room_id: 12, location_id: 6 })
    expect(proposed('reformer 18:00')?.class_type_id).toBe(3)
  })

  test('words that are not understood are reported', () => {
    expect(proposed('reformer 18:00 zoraida')?.detail).toBe('sin entender: zoraida')
  })

  test('typed words without a type or an hour make no class', () => {
    for (const typed of ['roma 5:35', 'ciclo lun', 'reformer 25:00', '18:00', '', '<b>reformer</b>', '45 18:00'])
      expect(proposed(typed), typed).toBeNull()
    expect([mayBeClass('ciclo 7:15'), mayBeClass('ciclo'), mayBeClass('5587650001')]).toEqual([true, false, false])
  })
})
