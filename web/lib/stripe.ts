/**
 * Types of the part of Stripe's browser script that is used. Stripe requires the script to be loaded from its own address, so there is no
 * package to import; it is loaded when a customer is about to type a card.
 */
import { accountErrors } from '#contract/copy/errors-account.ts'
import { fromScript, loadProviderScript } from './provider-script.ts'

interface StripeProblem {
  code?: string
  decline_code?: string
  message?: string
}

export interface StripeField {
  mount(into: HTMLElement): void
  on(event: 'change', listener: (now: { complete: boolean; empty: boolean; error?: { message: string }; brand?: string }) => void): void
  destroy(): void
}

interface StripeFields {
  create(kind: 'cardNumber' | 'cardExpiry' | 'cardCvc', options: object): StripeField
}

/** The wallets of the Express Checkout Element that are used. */
export const EXPRESS_WALLETS = ['applePay', 'googlePay', 'link'] as const
type ExpressWallet = (typeof EXPRESS_WALLETS)[number]

interface ExpressEvents {
  /** Which buttons are drawn, also at first; `paymentMethods` undefined: none. */
  availablepaymentmethodschange: { paymentMethods?: Partial<Record<ExpressWallet, { available: boolean }>> }
  loaderror: object
  /** A button was tapped. The wallet opens only when `resolve` is called within a second. */
  click: { resolve(sheet: { business: { name: string }; lineItems: { name: string; amount: number }[] }): void }
  confirm: {
    expressPaymentType: 'apple_pay' | 'google_pay' | 'link'
    /** Reports to the wallet's own window that the payment failed. */
    paymentFailed(why?: { reason: 'fail' }): void
  }
}

/** Buttons of the browser's wallets, drawn by Stripe. */
export interface StripeExpress {
  mount(into: HTMLElement): void
  on<K extends keyof ExpressEvents>(event: K, listener: (now: ExpressEvents[K]) => void): void
  destroy(): void
}

/** Elements without a payment yet: the server makes it with what the wallet returns. */
export interface StripeGroup {
  create(
    kind: 'expressCheckout',
    options: {
      buttonHeight: number
      buttonType: { applePay: 'plain'; googlePay: 'plain' }
      layout: { maxColumns: number; maxRows: number; overflow: 'auto' | 'never' }
      paymentMethods: Record<'applePay' | 'googlePay' | 'link', 'auto'> & Record<'amazonPay' | 'klarna' | 'paypal', 'never'>
    },
  ): StripeExpress
  update(changes: { amount: number }): void
  /** Validates what was entered; has to be called before anything else once the customer confirmed. */
  submit(): Promise<{ error?: StripeProblem }>
}

/** The global `Stripe` object, one per public key. */
export interface Stripe {
  elements(options: {
    locale: string
    mode: 'payment'
    amount: number
    currency: 'mxn'
    allowedPaymentMethodTypes: ('card' | 'link')[]
    appearance: object
  }): StripeGroup
  elements(options: { locale: string }): StripeFields
  createPaymentMethod(card: {
    type: 'card'
    card: StripeField
    billing_details: { name: string }
  }): Promise<{ paymentMethod?: { id: string }; error?: StripeProblem }>
  createConfirmationToken(group: { elements: StripeGroup }): Promise<{ confirmationToken?: { id: string }; error?: StripeProblem }>
  confirmCardPayment(secret: string): Promise<{ error?: StripeProblem }>
  confirmCardSetup(secret: string): Promise<{ error?: StripeProblem }>
}

const opened = new Map<string, Promise<Stripe>>()

/** Loads the Stripe script that matches the server's API version and opens it with the studio's public key. */
export function openStripe(site: string, publicKey: string): Promise<Stripe> {
  const pending = opened.get(publicKey)
  if (pending) return pending
  const opening = loadProviderScript(`${site}/endive/stripe.js`).then(() => fromScript<(key: string) => Stripe>('Stripe')(publicKey))
  opening.catch(() => opened.delete(publicKey))
  opened.set(publicKey, opening)
  return opening
}

/** Stripe's codes of a card that did not become a payment method, mapped to ours; other codes show Stripe's own message (S1-8.27). */
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

/** Converts an error of Stripe to the shape of our refusals. */
export function stripeRefusal(problem: StripeProblem): { code: string; status: number; message: string; data: object } {
  const code = CODES[problem.code ?? '']
  if (code) return { code, status: 402, message: accountErrors[code].message, data: {} }
  return { code: 'STRIPE', status: 402, message: problem.message ?? accountErrors.PAYMENT_FAILED.message, data: {} }
}

/** Shows the bank's 3-D Secure challenge in Stripe's window. Returns null when it was passed, otherwise the reason in Spanish. */
export async function confirmWithBank(stripe: Stripe, secret: string, intent: 'payment' | 'setup'): Promise<string | null> {
  const { error } = await (intent === 'setup' ? stripe.confirmCardSetup(secret) : stripe.confirmCardPayment(secret))
  return error ? (error.message ?? 'Tu banco no autorizó el pago.') : null
}
