import { describe, expect, test } from 'vitest'
import type { ClassRecords } from './parse-class.ts'
import { mayBeSelection, parseSelection } from './parse-selection.ts'

const records: ClassRecords = {
  types: [
    { class_type_id: 1, name: 'Ciclo 45' },
    { class_type_id: 3, name: 'Reformer' },
  ],
  coaches: [
    { instructor_id: 7, name: 'Sofía', last_name: 'Ríos', nick_name: null },
    { instructor_id: 8, name: 'Diego', last_name: 'Luna', nick_name: 'Dido' },
  ],
  locations: [{ location_id: 5, name: 'Providencia' }],
  rooms: [{ room_id: 11, location_id: 5, name: 'Sala 1' }],
}
// A Thursday.
const selected = (typed: string) => parseSelection(typed, records, '2026-11-26')

describe('a selection of classes from typed words (Z14)', () => {
  test('typed words select the classes of the coach and the month', () => {
    expect(selected('todas las de Sofía en diciembre')).toEqual({
      query: {
        semana: '2026-11-30',
        coach: '7',
        tipo: null,
        sala: null,
        estudio: null,
        todas: '2026-12-01',
        hasta: '2026-12-31',
        los: null,
        alas: null,
      },
      label: 'Seleccionar clases: Sofía Ríos',
      detail: '01 dic a 31 dic',
    })
  })

  test('a month that is running begins today, one that is over is that of next year', () => {
    expect(selected('todas las de dido en noviembre')?.query).toMatchObject({ coach: '8', todas: '2026-11-26', hasta: '2026-11-30' })
    expect(selected('todas las de ciclo en febrero')?.query).toMatchObject({ tipo: '1', todas: '2027-02-01', hasta: '2027-02-28' })
  })

  test('weekdays, hours, places and weeks', () => {
    expect(selected('todos los martes y jueves a las 7:00 providencia')?.query).toMatchObject({
      estudio: '5',
      los: '24',
      alas: '07:00',
      todas: '2026-11-26',
      hasta: '2026-12-23',
    })
    expect(selected('todas las reformer de la próxima semana')?.query).toMatchObject({
      tipo: '3',
      todas: '2026-11-30',
      hasta: '2026-12-06',
    })
    expect(selected('todas las de esta semana')?.query).toMatchObject({ todas: '2026-11-26', hasta: '2026-11-29' })
    expect(selected('todas las de mañana')?.query).toMatchObject({ todas: '2026-11-27', hasta: '2026-11-27' })
    expect(selected('todas las clases del próximo mes')?.query).toMatchObject({ todas: '2026-12-01', hasta: '2026-12-31' })
  })

  test('says what it did not understand; words that name nothing propose nothing', () => {
    expect(selected('todas las de sofía con tapete')?.detail).toMatch(/ · sin entender: tapete$/)
    expect(selected('todas las ventas')).toBeNull()
    expect(mayBeSelection('toda la semana')).toBe(false)
  })
})
