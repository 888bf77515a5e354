import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openingHours } from './opening-hours.ts'

const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

describe('hours of a place for search engines (S1-2.12)', () => {
  it('reads what studios write', () => {
    expect(openingHours('Lunes a viernes de 6:30 a 21:30. Sábado y domingo de 8:00 a 13:00.')).toEqual([
      { dayOfWeek: week, opens: '06:30', closes: '21:30' },
      { dayOfWeek: ['Saturday', 'Sunday'], opens: '08:00', closes: '13:00' },
    ])
    expect(openingHours('Lun a vie: 7 a 22 hrs\nSáb: 8 - 14 h')).toEqual([
      { dayOfWeek: week, opens: '07:00', closes: '22:00' },
      { dayOfWeek: ['Saturday'], opens: '08:00', closes: '14:00' },
    ])
    expect(openingHours('Todos los días de las 6:00 a las 24:00')?.[0]).toMatchObject({ opens: '06:00', closes: '23:59' })
    expect(openingHours('De lunes a miércoles, viernes de 9 a 18')?.[0]?.dayOfWeek).toEqual(['Monday', 'Tuesday', 'Wednesday', 'Friday'])
  })

  it('says nothing rather than half of it', () => {
    for (const text of [
      '',
      'Con cita',
      'Lunes a viernes de 6:30 a 21:30. Festivos según aviso.',
      'Lunes de 20:00 a 6:00',
      'Lunes de 6:75 a 8:00',
      'Lunes de 7:00 a 11:00 y de 17:00 a 21:00',
      'Viernes a lunes de 8 a 10',
      'Lunch de 8 a 10',
      'Lunes de 6 a 9 pm',
    ])
      expect([text, openingHours(text)]).toEqual([text, null])
  })

  it('never fails, and what it reads is a stretch of one day', () => {
    const fragment = fc.constantFrom('lunes', 'a', 'viernes', 'y', 'de', '6:30', '21', '.', '\n', ',', 'sábado', '-', '24:00', ' ')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fragment).map((all) => all.join(' ')),
        ),
        (text) => {
          for (const { dayOfWeek, opens, closes } of openingHours(text) ?? []) {
            expect(dayOfWeek.length).toBeGreaterThan(0)
            expect(opens < closes).toBe(true)
            expect(`${opens} ${closes}`).toMatch(/^(?:[01]\d|2[0-4]):[0-5]\d (?:[01]\d|2[0-3]):[0-5]\d$/)
          }
        },
      ),
    )
  })
})
