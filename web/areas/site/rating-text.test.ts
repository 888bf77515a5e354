import { expect, test } from 'vitest'
import { ratingText } from './rating-text.ts'

test('an average has its decimal, and many ratings their comma', () => {
  expect(ratingText({ average: 5, ratings: 1204 })).toBe('5.0 de 5 en 1,204 calificaciones')
  expect(ratingText({ average: 4.9, ratings: 20 })).toBe('4.9 de 5 en 20 calificaciones')
})
