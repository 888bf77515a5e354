/** What we use of Stripe's browser script, typed by hand: it is loaded from Stripe when a card is typed (payments study section 1.2). */
import { accountErrors } from '#contract/copy/errors-account.ts'
import { fromScript, loadProviderScript } from './provider-script.ts'

interface StripeProblem {
  code?: string
  decline_code?: string
  message?: string
}

export interface StripeField {
  mount(into: HTMLElement): void
  on(event: 'change', hear: (now: { complete: boolean; empty: boolean; error?: { message: string }; brand?: string }) => void): void
  destroy(): void
}

interface StripeFields {
  create(kind: 'cardNumber' | 'cardExpiry' | 'cardCvc', look: object): StripeField
}

/** The processor's object; one per public key. */
export interface Stripe {
  elements(options: { locale: string }): StripeFields
  createPaymentMethod(card: {
    type: 'card'
    card: StripeField
    billing_details: { name: string }
  }): Promise<{ paymentMethod?: { id: string }; error?: StripeProblem }>
  confirmCardPayment(secret: string): Promise<{ error?: StripeProblem }>
  confirmCardSetup(secret: string): Promise<{ error?: StripeProblem }>
}

const opened = new Map<string, Promise<Stripe>>()

/** Stripe's script of the API version that the server speaks, with the studio's public key. */
export function openStripe(site: string, publicKey: string): Promise<Stripe> {
  const known = opened.get(publicKey)
  if (known) return known
  const made = loadProviderScript(`${site}/endive/stripe.js`).then(() => fromScript<(key: string) => Stripe>('Stripe')(publicKey))
  made.catch(() => opened.delete(publicKey))
  opened.set(publicKey, made)
  return made
}

/** Stripe's codes of a card that could not even become a payment method, as ours; others keep Stripe's own words (S1-8.27). */
const CODES: Readonly<Record<string, keyof typeof accountErrors>> = {
  incorrect_number: 'CARD_INCORRECT_NUMBER',
  invalid_number: 'CARD_INCORRECT_NUMBER',
  expired_card: 'CARD_EXPIRED',
  invalid_expiry_year: 'CARD_EXPIRED',
  invalid_expiry_month: 'CARD_EXPIRED',
  incorrect_cvc: 'CARD_INCORRECT_CVC',
  invalid_cvc: 'CARD_INCORRECT_CVC',
  card_declined: 'CARD_DECLINED',
}

/** What Stripe said no with, in the shape of a refusal of ours. */
export function stripeRefusal(problem: StripeProblem): { code: string; status: number; message: string; data: object } {
  const code = CODES[problem.code ?? '']
  if (code) return { code, status: 402, message: accountErrors[code].message, data: {} }
  return { code: 'STRIPE', status: 402, message: problem.message ?? accountErrors.PAYMENT_FAILED.message, data: {} }
}

/** The bank's question through Stripe's own window: null when it was answered, otherwise why not. */
export async function confirmWithBank(stripe: Stripe, secret: string, intent: 'payment' | 'setup'): Promise<string | null> {
  const { error } = await (intent === 'setup' ? stripe.confirmCardSetup(secret) : stripe.confirmCardPayment(secret))
  return error ? (error.message ?? 'Tu banco no autorizó el pago.') : null
}
