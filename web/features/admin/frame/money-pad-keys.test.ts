import { describe, expect, test } from 'vitest'
import { type AmountShape, type PadKey, withKey } from './money-pad-keys.ts'

const typed = (from: string, keys: readonly PadKey[], shape?: AmountShape) => keys.reduce((value, key) => withKey(value, key, shape), from)

describe('the money pad', () => {
  test('types pesos and centavos', () => {
    expect(typed('', ['7', '0', '0'])).toBe('700')
    expect(typed('', ['1', '2', '.', '5', '0'])).toBe('12.50')
    expect(typed('', ['.', '5'])).toBe('0.5')
    expect(typed('', ['1', '.', '.', '5'])).toBe('1.5')
  })

  test('begins another amount after one with its centavos, and never a number that begins with 0', () => {
    expect(typed('651.00', ['7', '0', '0'])).toBe('700')
    expect(typed('651.00', ['.', '5'])).toBe('0.5')
    expect(typed('0', ['5'])).toBe('5')
    expect(typed('', ['0', '0'])).toBe('0')
  })

  test('deletes the last sign of whatever is there', () => {
    expect(typed('651.00', ['delete'])).toBe('651.0')
    expect(typed('', ['delete'])).toBe('')
  })

  test('stops at 9,999,999 pesos', () => {
    expect(typed('9999999', ['9'])).toBe('9999999')
    expect(typed('9999999', ['.', '9'])).toBe('9999999.9')
  })

  test('counts pieces without a point', () => {
    expect(typed('', ['1', '.', '2'], { whole: true })).toBe('12')
    expect(typed('', ['1', '2', '3', '4', '5', '6'], { whole: true, longest: 5 })).toBe('12345')
  })

  test('begins another amount in a field that has just got the focus, except to delete', () => {
    expect(withKey('700', '5', {}, true)).toBe('5')
    expect(withKey('12.5', '.', {}, true)).toBe('0.')
    expect(withKey('12345', '6', { whole: true, longest: 5 }, true)).toBe('6')
    expect(withKey('700', 'delete', {}, true)).toBe('70')
  })
})
