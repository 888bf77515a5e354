/** Builds requests to Stripe. Pure; times are those of the call's first attempt, so that a repetition is identical. */
import type { Stripe } from 'stripe'
import type { Call } from '#server/adapters/payments/call-journal/memory.ts'
import { unsupported } from '#server/adapters/payments/failures.ts'
import type { Charge } from '#server/adapters/payments/port.ts'
import { type StripeMemo, secondsOf } from './facts.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Mexico City has had a constant offset since 2022: OXXO's vouchers end there at 23:59. */
const MEXICO_MS = 6 * 3_600_000
const MOST_OXXO_DAYS = 7

export const expiresAt = (call: Call<StripeMemo>) => new Date(call.memo.until ?? call.createdAt)

/** A ConfirmationToken of the Express Checkout Element, which Stripe accepts once, with all data of the wallet. */
export const isConfirmation = (token: string): boolean => token.startsWith('ctoken_')

const methodOf = (token: string): Partial<Stripe.PaymentIntentCreateParams> =>
  isConfirmation(token) ? { confirmation_token: token } : { payment_method: token }

/** The request's parameters for an instrument. */
export function howPaid(charge: Charge, call: Call<StripeMemo>): Partial<Stripe.PaymentIntentCreateParams> {
  const { instrument } = charge
  if (instrument.by === 'voucher' && instrument.kind === 'oxxo') {
    const days = oxxoDays(call.createdAt, expiresAt(call))
    if (days < 1) throw unsupported('PAYMENT_METHOD_UNAVAILABLE')
    const name = voucherName(charge.buyer.name)
    if (!name) throw unsupported('VOUCHER_NAME')
    return {
      allowed_payment_method_types: ['oxxo'],
      payment_method_data: { type: 'oxxo', billing_details: { name, email: charge.buyer.email } },
      payment_method_options: { oxxo: { expires_after_days: days } },
    }
  }
  if (instrument.by === 'voucher')
    return {
      allowed_payment_method_types: ['customer_balance'],
      payment_method_data: { type: 'customer_balance' },
      payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'mx_bank_transfer' } } },
    }
  if (instrument.by !== 'card-token' && instrument.by !== 'saved-card') throw unsupported('PAYMENT_METHOD_UNAVAILABLE')
  return {
    allowed_payment_method_types: [instrument.by === 'card-token' && instrument.link ? 'link' : 'card'],
    ...methodOf(instrument.by === 'card-token' ? instrument.token : instrument.card.id),
    use_stripe_sdk: true,
    return_url: charge.returnUrl,
    ...(charge.saveCard && instrument.by === 'card-token' ? { setup_future_usage: 'off_session' as const } : {}),
  }
}

/**
 * A name as OXXO accepts it: first and last name of at least two letters each, so initials are dropped. Null when fewer than two names are
 * left.
 */
export function voucherName(name: string): string | null {
  const parts = name.split(/\s+/).filter((part) => part.replace(/[^\p{L}]/gu, '').length >= 2)
  return parts.length < 2 ? null : parts.join(' ')
}

/** Parameters common to all of Stripe's hosted pages. */
export function pageParams(
  charge: Charge,
  call: Call<StripeMemo>,
  customer: string,
  metadata: Record<string, string>,
): Stripe.Checkout.SessionCreateParams {
  // Stripe accepts 30 minutes to 24 hours; for a shorter hold we end the page ourselves.
  const createdAt = call.createdAt.getTime()
  const until = Math.min(Math.max(expiresAt(call).getTime(), createdAt + 31 * MINUTE_MS), createdAt + DAY_MS - MINUTE_MS)
  return {
    customer,
    client_reference_id: String(charge.key.purchase),
    allowed_payment_method_types: ['card'],
    expires_at: secondsOf(new Date(until)),
    success_url: charge.returnUrl,
    cancel_url: charge.returnUrl,
    locale: 'es-419',
    metadata,
  }
}

/** Whole days until a voucher ends at 23:59 in Mexico City, no later than `until`; 0 when even tomorrow is too late. */
export function oxxoDays(createdAt: Date, until: Date): number {
  const day = (date: Date) => Math.floor((date.getTime() - MEXICO_MS) / DAY_MS)
  // The last day whose last second is not after `until`.
  const last = day(new Date(until.getTime() + 1_000)) - 1
  return Math.max(0, Math.min(MOST_OXXO_DAYS, last - day(createdAt)))
}
