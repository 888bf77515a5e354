import { expect, test } from 'vitest'
import { spotInSentence, spotName, spotsName } from './names.ts'

test.each([
  ['1-1', '1-2', 'Fila 1, lugares 1 y 2'],
  ['2-10', '2-9', 'Fila 2, lugares 9 y 10'],
  ['2-1', '1-8', 'Fila 1, lugar 8 y fila 2, lugar 1'],
  ['1-3', '11-3', 'Fila 1, lugar 3 y fila 11, lugar 3'],
])('the spots %s and %s are "%s"', (a, b, words) => expect(spotsName(a, b)).toBe(words))

test('a spot begins a sentence, or stands in one', () => {
  expect(spotName('2-5')).toBe('Fila 2, lugar 5')
  expect(spotInSentence('2-5')).toBe('fila 2, lugar 5')
})
