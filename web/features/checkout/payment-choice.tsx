import { IconBuildingStore, IconCash, IconCreditCard, IconTransfer, IconWallet } from '@tabler/icons-react'
import type { PaymentOption } from '#contract/payment-options.ts'
import type { SavedCard } from '#contract/sales.ts'
import './payment-choice.css'

/** A row of the payment options: one that the studio offers, or a saved card. */
export type PaymentOptionRow = PaymentOption | `source-${number}`

const BRANDS: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', other: 'Tarjeta' }
export const brandName = (type: string): string => BRANDS[type] ?? 'Tarjeta'

/** The brand of a card as a small picture; brands other than Mastercard and Visa look like Amex (S2-2.59). `decorative`: a text beside it names the brand. */
export function CardBrand({ type, decorative = false }: { type: string; decorative?: boolean }) {
  const named = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': brandName(type) }
  if (type === 'mastercard')
    return (
      <span className="card-brand" {...named}>
        <svg viewBox="0 0 38 24" aria-hidden="true">
          <circle cx="15" cy="12" r="8" fill="#eb001b" />
          <circle cx="23" cy="12" r="8" fill="#f79e1b" />
          <path d="M19 5.1a8 8 0 0 1 0 13.8 8 8 0 0 1 0-13.8z" fill="#ff5f00" />
        </svg>
      </span>
    )
  return (
    <span className={`card-brand card-brand-${type === 'visa' ? 'visa' : 'amex'}`} {...named}>
      {type === 'visa' ? 'VISA' : 'AMEX'}
    </span>
  )
}

const PICTURES = {
  card: IconCreditCard,
  page: IconCreditCard,
  paypal: IconWallet,
  oxxo: IconBuildingStore,
  spei: IconTransfer,
  cash: IconCash,
}

/** The icon of a payment option. */
export function PaymentOptionIcon({ way }: { way: PaymentOption }) {
  const Icon = PICTURES[way]
  return (
    <span className="card-brand card-brand-plain">
      <Icon className="icon" aria-hidden="true" />
    </span>
  )
}

/** "Visa terminada en 4242" */
export const cardTitle = (card: Pick<SavedCard, 'card_type' | 'last_digits'>): string =>
  `${brandName(card.card_type)} terminada en ${card.last_digits}`
