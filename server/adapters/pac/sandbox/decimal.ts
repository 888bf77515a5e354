/** Decimal numbers of up to twelve decimals without rounding errors: a bigint of millionths of millionths. */
export type Decimal = bigint

const DECIMALS = 12
const ONE = 10n ** BigInt(DECIMALS)

export function decimal(text: string): Decimal {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(part.padEnd(DECIMALS, '0').slice(0, DECIMALS))
}

export const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0
export const times = (a: Decimal, b: Decimal): Decimal => (a * b) / ONE
export const sum = (values: readonly Decimal[]): Decimal => values.reduce((all, value) => all + value, 0n)

const step = (decimals: number) => 10n ** BigInt(DECIMALS - decimals)
/** Half up to so many decimals. */
export const round = (value: Decimal, decimals: number): Decimal => ((value + step(decimals) / 2n) / step(decimals)) * step(decimals)
export const floor = (value: Decimal, decimals: number): Decimal => (value / step(decimals)) * step(decimals)
export const ceil = (value: Decimal, decimals: number): Decimal => floor(value + step(decimals) - 1n, decimals)
/** Half a unit of the last decimal of a number. */
export const halfUnit = (decimals: number): Decimal => step(decimals) / 2n

/** Whether a tax is the rate of its base, within what the rounding of the base leaves open (CFDI40180). */
export function isTax(tax: string, base: string, rate: string): boolean {
  const half = halfUnit(decimalsOf(base))
  const decimals = decimalsOf(tax)
  const [from, to] = [times(decimal(base) - half, decimal(rate)), times(decimal(base) + half - 1n, decimal(rate))]
  const value = decimal(tax)
  return value >= floor(from, decimals) && value <= ceil(to, decimals)
}
