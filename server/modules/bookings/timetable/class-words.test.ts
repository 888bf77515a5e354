import { describe, expect, test } from 'vitest'
import { classWords, isClassNamed } from './class-words.ts'

const instructor = { instructor_id: 1, name: 'Renata', last_name: 'Núñez', nick_name: 'Ren', birthdate: null, file: null }
/** Ciclo on Tuesday 24 November 2026 at 19:00 with Ren in Roma Norte. */
const shown = {
  class_date: '2026-11-24T19:00:00.000Z',
  class_type: { class_type_id: 1, name: 'Ciclo Rítmico', icon: null, spot_map: null, image: null },
  class_instructors: [{ instructor }],
  location: { location_id: 1, name: 'Roma Norte', address: '' },
} as unknown as Parameters<typeof isClassNamed>[1]
const days = { today: '2026-11-23', tomorrow: '2026-11-24' }
const isNamed = (typed: string) => {
  const words = classWords(typed)
  return words !== null && isClassNamed(words, shown, days)
}

describe('which class a text names (Z3)', () => {
  test.each([
    'ciclo mar 19',
    'CICLO',
    'ritmico',
    'rítm 24',
    'ren 7pm',
    'Núñez',
    'renata martes',
    'roma noviembre 24',
    'mañana 19:00',
    '19:0',
    '7PM',
    '  ciclo   mañana ',
  ])('%s is this class', (typed) => {
    expect(isNamed(typed)).toBe(true)
  })
  test.each(['ciclo lun', 'ciclo 20', 'hoy ciclo', '7am', '9:00', 'iclo', 'yoga', '19', '24 19', '#24', '', '%', '_____'])(
    '%j is not',
    (typed) => {
      expect(isNamed(typed)).toBe(false)
    },
  )
})
