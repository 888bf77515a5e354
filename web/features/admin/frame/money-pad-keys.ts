/** What a key of the money pad makes of a typed amount. */

export type PadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'delete'

/** Digits before the point: 9,999,999 pesos. */
const LONGEST = 7

/** The amount after a key. One that has its centavos is complete: the next digit begins another. `whole`: a number of pieces, without a point. */
export function withKey(value: string, key: PadKey, whole = false): string {
  if (key === 'delete') return value.slice(0, -1)
  const before = /\.\d\d$/.test(value) ? '' : value
  if (key === '.') return whole || before.includes('.') ? value : `${before || '0'}.`
  if (before === '' || before === '0') return key
  return !before.includes('.') && before.length >= LONGEST ? value : before + key
}
