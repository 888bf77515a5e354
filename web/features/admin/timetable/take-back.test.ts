import { expect, test } from 'vitest'
import { undoneText } from './take-back.ts'

const stayed = (day: number) => ({
  name: 'Ciclo',
  class_date: `2026-11-${day}T19:00:00.000Z`,
  code: 'CLASS_HAS_HISTORY',
  message: 'Alguien ya la reservó.',
})

test('says what was undone, and each class that stayed, with the reason', () => {
  expect(undoneText({ undone: 3, refused: [] })).toBe('Deshecho.')
  expect(undoneText({ undone: 2, refused: [stayed(24)] })).toBe(
    'Se deshicieron 2 cambios. Una clase se quedó como está: Ciclo, mar 24 nov, 19:00: Alguien ya la reservó.',
  )
  expect(undoneText({ undone: 1, refused: [24, 25, 26, 27, 28].map(stayed) })).toBe(
    'Se deshizo 1 cambio. 5 clases se quedaron como están: Ciclo, mar 24 nov, 19:00: Alguien ya la reservó. ' +
      'Ciclo, mié 25 nov, 19:00: Alguien ya la reservó. Ciclo, jue 26 nov, 19:00: Alguien ya la reservó. Y 2 clases más.',
  )
  expect(undoneText({ undone: 0, refused: [stayed(24)] })).toBe(
    'No se pudo deshacer. Una clase se quedó como está: Ciclo, mar 24 nov, 19:00: Alguien ya la reservó.',
  )
})
