/** Stripe's test payment methods by their result, and some of our own (`pm_twin_…`) for network faults. */
export interface TestCard {
  brand: string
  last4: string
  /** The wallet that it is paid through. */
  wallet?: 'apple_pay' | 'google_pay'
  /** A payment with Link, which shows no card. */
  isLink?: true
  /** The bank's decline on every charge. */
  decline?: { code: string; decline_code?: string }
  /** Number of successful charges before it is declined. */
  pays?: number
  /** The bank's challenge: always, or until the card was set up for charges without its owner. */
  challenge?: 'always' | 'until-set-up'
  processing?: true
  /** The connection breaks whenever a request names it. */
  lost?: 'before' | 'after'
}

const visa = (last4: string, more: Omit<TestCard, 'brand' | 'last4'> = {}): TestCard => ({ brand: 'visa', last4, ...more })
const declined = (last4: string, decline_code: string) => visa(last4, { decline: { code: 'card_declined', decline_code } })

export const CARDS: Readonly<Record<string, TestCard>> = {
  pm_card_visa: visa('4242'),
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_amex: { brand: 'amex', last4: '8431' },
  pm_card_threeDSecure2Required: visa('3220', { challenge: 'until-set-up' }),
  pm_card_authenticationRequiredOnSetup: visa('3155', { challenge: 'until-set-up' }),
  pm_card_authenticationRequired: visa('3184', { challenge: 'always' }),
  pm_card_chargeDeclined: declined('0002', 'generic_decline'),
  pm_card_chargeDeclinedInsufficientFunds: declined('9995', 'insufficient_funds'),
  pm_card_chargeDeclinedLostCard: declined('9987', 'lost_card'),
  pm_card_chargeDeclinedStolenCard: declined('9979', 'stolen_card'),
  pm_card_chargeDeclinedFraudulent: declined('0019', 'fraudulent'),
  pm_card_pickupCard: declined('9961', 'pickup_card'),
  pm_card_chargeDeclinedExpiredCard: visa('0069', { decline: { code: 'expired_card' } }),
  pm_card_chargeDeclinedIncorrectCvc: visa('0127', { decline: { code: 'incorrect_cvc' } }),
  pm_card_incorrectNumber: visa('0101', { decline: { code: 'incorrect_number' } }),
  pm_card_chargeDeclinedProcessingError: visa('0119', { decline: { code: 'processing_error' } }),
  pm_card_chargeCustomerFail: visa('0341', { pays: 0 }),
  pm_twin_applePay: visa('4242', { wallet: 'apple_pay' }),
  pm_twin_googlePay: { brand: 'mastercard', last4: '4444', wallet: 'google_pay' },
  pm_twin_googlePayDeclined: visa('9995', { wallet: 'google_pay', decline: { code: 'card_declined', decline_code: 'insufficient_funds' } }),
  pm_twin_link: visa('0000', { isLink: true }),
  pm_twin_failsLater: visa('0341', { pays: 1 }),
  pm_twin_processing: visa('3038', { processing: true }),
  pm_twin_lostBefore: visa('4242', { lost: 'before' }),
  pm_twin_lostAfter: visa('4242', { lost: 'after' }),
}
