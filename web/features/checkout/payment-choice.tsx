import { IconCash, IconCreditCard } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PaymentOption } from '#contract/payment-options.ts'
import type { SavedCard } from '#contract/sales.ts'
import './payment-choice.css'

/** A row of the payment options: one that the studio offers, or a saved card. */
export type PaymentOptionRow = PaymentOption | `source-${number}`

const BRANDS: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', other: 'Tarjeta' }
export const brandName = (type: string): string => BRANDS[type] ?? 'Tarjeta'

/**
 * The brand of a card as a small picture; brands other than Mastercard and Visa get that of Amex (S2-2.59). `decorative`: a text beside it
 * names the brand.
 */
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

/** The accepted brands, in a card field that is still empty. */
export function AcceptedBrands() {
  return (
    <span className="card-brands" role="img" aria-label="Visa, Mastercard y American Express">
      {['visa', 'mastercard', 'amex'].map((type) => (
        <CardBrand key={type} type={type} decorative />
      ))}
    </span>
  )
}

/** The logos of payment options that have one, drawn for this size; icons for the others. */
const PICTURES: Record<PaymentOption, ReactNode> = {
  card: <IconCreditCard className="icon" aria-hidden="true" />,
  page: <IconCreditCard className="icon" aria-hidden="true" />,
  paypal: (
    <svg viewBox="0 0 38 26" aria-hidden="true">
      <path d="M14.6 3h6.6c3.3 0 5.1 1.8 4.6 4.7-.5 3.2-2.9 4.9-6.2 4.9h-2.3l-1 6.1h-4.3z" fill="#003087" />
      <path d="M17.9 7.3h6.2c3.2 0 4.7 1.8 4.2 4.5-.5 3-2.8 4.7-6 4.7h-2.2l-1 6.1h-4z" fill="#0070e0" />
      <path d="M17.9 7.3h6.2c.6 0 1.1 0 1.6.2-.6 3.1-2.9 5.1-6.1 5.1h-2.3l-.4 2.5z" fill="#001c64" />
    </svg>
  ),
  oxxo: (
    <svg viewBox="0 0 38 26" aria-hidden="true">
      <path d="M2 5h34v2.5H2zM2 18.5h34V21H2z" fill="#fbb034" />
      <path d="M2 7.5h34v11H2z" fill="#da1f2c" />
      <circle cx="8" cy="13" r="3" fill="none" stroke="#fff" strokeWidth="1.8" />
      <path d="M13.2 10l4.6 6m0-6l-4.6 6M20.2 10l4.6 6m0-6l-4.6 6" stroke="#fff" strokeWidth="1.8" />
      <circle cx="30" cy="13" r="3" fill="none" stroke="#fff" strokeWidth="1.8" />
    </svg>
  ),
  spei: (
    <svg viewBox="0 0 38 26" aria-hidden="true">
      <path
        d="M9.3 9.6q-1-.8-2.6-.8-2.2 0-2.2 1.6c0 2.4 5 1.2 5 4.1 0 1.7-1.2 2.6-3.1 2.6-1.4 0-2.4-.5-3.1-1.2"
        fill="none"
        stroke="#1b4c8c"
        strokeWidth="1.9"
      />
      <path
        d="M13 18V8.8h2.8q2.9 0 2.9 2.7t-2.9 2.7H13M28.4 8.8h-5v8.3h5m-5-4.3h4.3M32.6 8.2V18"
        fill="none"
        stroke="#1b4c8c"
        strokeWidth="1.9"
      />
      <path d="M3 21.6h32" stroke="#4bb04f" strokeWidth="1.8" />
    </svg>
  ),
  cash: <IconCash className="icon" aria-hidden="true" />,
}
/** Options whose picture is a logo, on white. */
const LOGOS: readonly PaymentOption[] = ['paypal', 'oxxo', 'spei']

/** The logo or icon of a payment option; its text is beside it. */
export function PaymentOptionIcon({ way }: { way: PaymentOption }) {
  return <span className={`card-brand ${LOGOS.includes(way) ? '' : 'card-brand-plain'}`}>{PICTURES[way]}</span>
}

/** "Visa terminada en 4242" */
export const cardTitle = (card: Pick<SavedCard, 'card_type' | 'last_digits'>): string =>
  `${brandName(card.card_type)} terminada en ${card.last_digits}`
