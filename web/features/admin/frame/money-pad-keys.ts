/** What a key of the money pad makes of a typed amount. */

export type PadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'delete'

export interface AmountShape {
  /** a number of pieces, without a point */
  whole?: boolean
  /** digits before the point; 7 are 9,999,999 pesos */
  longest?: number
}

/**
 * The amount after a key. One that has its centavos is complete: the next digit begins another, as it does in a field that has just got the
 * focus (`isFresh`), whose text is selected.
 */
export function withKey(value: string, key: PadKey, { whole = false, longest = 7 }: AmountShape = {}, isFresh = false): string {
  if (key === 'delete') return value.slice(0, -1)
  const before = isFresh || /\.\d\d$/.test(value) ? '' : value
  if (key === '.') return whole || before.includes('.') ? value : `${before || '0'}.`
  if (before === '' || before === '0') return key
  return !before.includes('.') && before.length >= longest ? value : before + key
}
