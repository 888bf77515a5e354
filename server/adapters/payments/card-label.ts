import type { Card } from './port.ts'

const NAMES: Record<Card['brand'], string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', other: 'Tarjeta' }

/** Maps a processor's name of a card brand to ours. */
export function normalizeBrand(name: string | null | undefined): Card['brand'] {
  const plain = (name ?? '').toLowerCase().replace(/[^a-z]/g, '')
  return plain === 'visa' ? 'visa' : plain === 'mastercard' || plain === 'mc' ? 'mastercard' : plain.startsWith('am') ? 'amex' : 'other'
}

/** The wallets that a card is paid through, by Stripe's names. */
const WALLETS: Readonly<Record<string, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay', link: 'Link' }
export const walletName = (type: string | null | undefined): string | null => WALLETS[type ?? ''] ?? null

/**
 * Display name of a card payment, "Visa terminada en 4242", as far as the processor gave the details; with the wallet that it was paid
 * through, "Visa terminada en 4242 (Apple Pay)".
 */
export function cardMethod(
  brand: string | null | undefined,
  last4: string | null | undefined,
  wallet: string | null = null,
): { label: string; brand?: string; last4?: string } {
  const known = normalizeBrand(brand)
  const label = [NAMES[known], last4 && `terminada en ${last4}`, wallet && `(${wallet})`].filter(Boolean).join(' ')
  return last4 ? { label, brand: known, last4 } : { label, brand: known }
}

/** "08/2030" from a month and a year in any length; null when one is missing. */
export function expiry(month: string | number | null | undefined, year: string | number | null | undefined): string | null {
  if (!month || !year) return null
  const full = Number(year) < 100 ? 2000 + Number(year) : Number(year)
  return `${String(month).padStart(2, '0')}/${full}`
}
