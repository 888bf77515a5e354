/** Texts and sums of the till. */
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'

/** Pattern of a typed amount in pesos. */
export const AMOUNT = /^\d{1,7}(\.\d{1,2})?$/
export const AMOUNT_HINT = 'Escribe una cantidad, como 500 o 500.50.'

export type Denomination = keyof NonNullable<CashSession['cash']>

export const BILLS: readonly Denomination[] = ['1000', '500', '200', '100', '50', '20']
export const COINS: readonly Denomination[] = ['10', '5', '2', '1', '0.50']

/** The typed number of bills and coins, by denomination. */
export type TypedCash = Partial<Record<Denomination, string>>

const countOf = (typed: string | undefined): number | null =>
  typed === undefined || typed === '' ? 0 : /^\d{1,5}$/.test(typed) ? Number(typed) : null

/** The sum of bills and coins in centavos; null if a count is not a number. */
export function cashTotal(cash: TypedCash): number | null {
  let total = 0
  for (const [value, typed] of Object.entries(cash)) {
    const count = countOf(typed)
    if (count === null) return null
    total += count * (parsePesos(value) ?? 0)
  }
  return total
}

/** The counts in the format of the API; empty ones are left out. */
export function cashSent(cash: TypedCash): NonNullable<CashSession['cash']> {
  return Object.fromEntries(Object.entries(cash).flatMap(([value, typed]) => (countOf(typed) ? [[value, countOf(typed)]] : [])))
}

/** "Cuadra", "Faltan $60.00", "Sobran $20.00". */
export function cashDiscrepancyText(discrepancy: string): string {
  const centavos = parsePesos(discrepancy.replace('-', '')) ?? 0
  if (centavos === 0) return 'Cuadra'
  return `${discrepancy.startsWith('-') ? 'Faltan' : 'Sobran'} ${formatMoney(centavos)}`
}

/** A signed amount for display: "−$60.00"; a dash for null. */
export function signedAmount(amount: string | null): string {
  if (amount === null) return '—'
  return amount.startsWith('-') ? `−${formatPesos(amount.slice(1))}` : formatPesos(amount)
}
