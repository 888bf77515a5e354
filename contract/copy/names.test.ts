import { expect, test } from 'vitest'
import { spotInSentence, spotName, spotsName } from './names.ts'

test.each([
  ['1-1', '1-2', 'Fila 1, lugares 1 y 2'],
  ['2-10', '2-9', 'Fila 2, lugares 9 y 10'],
  ['2-1', '1-8', 'Fila 1, lugar 8 y fila 2, lugar 1'],
  ['1-3', '11-3', 'Fila 1, lugar 3 y fila 11, lugar 3'],
])('the spots %s and %s are "%s"', (a, b, text) => expect(spotsName(a, b)).toBe(text))

test('a spot is capitalised at the start of a sentence and lower case within one', () => {
  expect(spotName('2-5')).toBe('Fila 2, lugar 5')
  expect(spotInSentence('2-5')).toBe('fila 2, lugar 5')
})

test('a seat with a number in its room is called by it (L18)', () => {
  expect(spotName('2-5', '17')).toBe('Lugar 17')
  expect(spotInSentence('2-5', 'A4')).toBe('lugar A4')
  expect(spotsName('2-5', '2-6', ['17', '18'])).toBe('Lugares 17 y 18')
  expect(spotsName('2-5', '2-6', [undefined, '18'])).toBe('Fila 2, lugares 5 y 6')
})
