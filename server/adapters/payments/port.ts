/**
 * The port to every payment processor. No provider's text or type crosses it: the core relies only on `Facts`, read from the processor. A
 * declined payment is a fact (`refused` + `why`); an exception means that the operation was impossible or its outcome is unknown.
 * docs/adding-a-processor.md lists what a new processor needs outside of its folder.
 */
import type { ErrorCode } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import type { WalletButton } from '#contract/payment-options.ts'
import type { CardProcessor, WalletProcessor } from '#contract/processors.ts'
import type { CardFields } from '#contract/sales.ts'
import type { Settings } from '#contract/settings.ts'
import type { PeriodUnit } from '#contract/time.ts'

export type GatewayId = CardProcessor | WalletProcessor | 'efectivo' | 'mostrador' | 'regalo'

/** A provider's object; opaque outside the adapter. */
export interface Ref {
  gateway: GatewayId
  kind: 'payment' | 'subscription'
  id: string
}

/**
 * Identifies a call, so that a repetition is recognized: the adapter derives the provider's idempotency key from it. `n` grows only after a
 * definite refusal or a changed request.
 */
export interface Key {
  purchase: number
  step: string
  n: number
}

/** The payer. `ref` is our customer at this provider, once it has one. */
export interface Buyer {
  customer_id: number
  ref: string | null
  email: string
  name: string
  phone: string | null
}

/** A saved card as the adapter knows it. */
export interface CardRef {
  id: string
  buyer: string | null
}

export interface Card extends CardRef {
  brand: 'visa' | 'mastercard' | 'amex' | 'other'
  last4: string
  /** MM/YYYY */
  exp: string | null
  fingerprint: string | null
}

export type Instrument =
  /** `link`: the token is of Stripe's Link, which is a method of its own. */
  | { by: 'card-token'; token: string; link?: true }
  | { by: 'saved-card'; card: CardRef }
  | { by: 'hosted-page' }
  | { by: 'wallet' }
  | { by: 'voucher'; kind: 'oxxo' | 'spei' }
  | { by: 'hand' }

export interface Charge {
  key: Key
  amount: Centavos
  currency: 'MXN'
  title: string
  buyer: Buyer
  instrument: Instrument
  /** Until when the purchase is held; vouchers and hosted pages end no later. */
  expiresAt: Date
  returnUrl: string
  saveCard?: boolean
}

export interface Plan {
  every: { unit: PeriodUnit; count: number }
  amount: Centavos
  /** When the first period has another price. */
  firstAmount?: Centavos
  trialEnd?: Date
  /** The studio's time zone: it determines the day on which a trial ends. */
  zone?: string
}

export interface Voucher {
  kind: 'oxxo' | 'spei' | 'efectivo'
  reference: string
  expiresAt: Date
  url: string | null
  clabe: string | null
  /** What is still to be sent, when part of a transfer arrived. */
  missing?: Centavos
}

/** The customer's next step. */
export type Next =
  | { do: 'confirm'; clientSecret: string; intent: 'payment' | 'setup' }
  | { do: 'go'; url: string; id: string }
  /** `url`: the wallet's page to approve it on, where the wallet's script does not run. */
  | { do: 'approve'; token: string; planId?: string; url?: string }
  | { do: 'show'; voucher: Voucher }

export type PaymentState = 'waiting' | 'processing' | 'paid' | 'trialing' | 'past_due' | 'refused' | 'expired' | 'ended'

export interface PaymentFact {
  /** The provider's id of this payment. */
  id: string
  amount: Centavos
  refunded: Centavos
  currency: string
  at: Date
  period?: { from: Date; to: Date }
  disputed?: 'open' | 'lost' | 'won'
  /** The disputed or lost part of it; absent: all that was not refunded, or the processor reports no amount. */
  disputedAmount?: Centavos
  /** Beside what it took (`lost`), how much of the rest the bank disputes now, in another dispute. */
  openAmount?: Centavos
}

/** State of one of a provider's objects, read just now. */
export interface Facts {
  ref: Ref
  state: PaymentState
  /** Also with `past_due`: a renewal that the customer must confirm with the bank. */
  next: Next | null
  payments: PaymentFact[]
  /** From the metadata that we attached. */
  purchaseId?: number
  buyerRef?: string
  /** When a subscription's benefits end. */
  endsAt?: Date
  cancelled?: boolean
  /** A subscription whose charges are suspended until it is resumed. */
  paused?: boolean
  method?: { label: string; brand?: string; last4?: string }
  why?: PaymentError
  /**
   * Of a subscription: the processor's fingerprint of the card (or of the wallet's account) that it charges, the same for every buyer.
   * Absent while unknown.
   */
  plastic?: string
  /**
   * Money of one of our customers that no payment accounts for (a transfer of too much, too little, or too late), in the customer's balance
   * or on the order that it was sent to. `id`: the movement that left it there; `amount` null: the provider does not report it.
   * `isBalance`: the customer's next transfer uses it.
   */
  unclaimed?: { id: string; customer_id: number; amount: Centavos | null; isBalance: boolean }
}

export type StopTime = 'now' | 'period-end' | 'unless-paid'

/** Whether a subscription has been charged and is not cancelled. */
export const isPaidFor = ({ state, cancelled }: Facts): boolean => (state === 'paid' || state === 'past_due') && !cancelled

export interface PaymentGateway {
  readonly id: GatewayId
  /** The card fields for our page; null: it takes no cards there, or its public key is not set. */
  cardFields(settings: Settings): CardFields | null
  /** The wallet's button for our page; null: it has none. */
  walletButton(settings: Settings): WalletButton | null
  /** Refusal before charging, for limits and unsupported terms (a period, an amount); null = fine. */
  refuses(what: { instrument: Instrument['by']; amount: Centavos; plan?: Plan; saveCard?: boolean }): ErrorCode | null
  /** Creates or resumes: the same key gives the same object. */
  start(charge: Charge, plan?: Plan): Promise<Facts>
  /** Reads the state; also captures an approved wallet order. Safe to repeat. */
  settle(ref: Ref, how?: { approved?: boolean }): Promise<Facts>
  /** Finds the object of a key whose response was lost; null when the provider never created it. */
  find(key: Key): Promise<Facts | null>
  /**
   * Gives up an unpaid payment or ends a subscription. If it was paid meanwhile, the facts have that state; `unless-paid` then leaves a
   * subscription running, because ending it would take away what the customer has just paid for.
   */
  stop(ref: Ref, at: StopTime, reason: string): Promise<Facts>
  /** Once per key. Throws `declined` when a refund of this key could not be delivered after all: its money is not counted as refunded. */
  refund(ref: Ref, paymentId: string, amount: Centavos, key: Key): Promise<Facts>
  /**
   * Charges a subscription to another card of the same buyer from now on; an overdue charge is retried at once, with the customer present
   * to answer the bank's challenge (`next`). Absent: not supported.
   */
  changeCard?(ref: Ref, card: CardRef): Promise<Facts>
  /**
   * Retries the overdue charge of a subscription on its current card with the customer present: `next` is the bank's challenge for that
   * charge, `why` the bank's refusal. Absent: not supported.
   */
  payOverdue?(ref: Ref): Promise<Facts>
  /** Suspends or resumes a subscription's charges. Absent: not supported. */
  pause?(ref: Ref, paused: boolean): Promise<Facts>
  /**
   * Sends `unclaimed` money back to the account that it came from, once per movement. Absent: possible only in the processor's own
   * dashboard.
   */
  returnUnclaimed?(ref: Ref, movement: string): Promise<Facts>
  readonly cards: {
    /**
     * Starts saving a card. With the `token` of a card form the card is verified at once: `next` is null when nothing is left to confirm,
     * and `finish` takes `setup`. Without one the browser gives the card to the processor itself.
     */
    begin(buyer: Buyer, token?: string): Promise<{ next: Next | null; setup: string }>
    /** The card of a finished setup, of a token that needs no confirmation, or of a payment that was made to save its card. */
    finish(buyer: Buyer, proof: string): Promise<Card>
    remove(card: CardRef): Promise<void>
    /**
     * The processor's fingerprint of the card behind a token, the same for every buyer and token, without using the token up; null when it
     * has none. Absent: this processor gives none beforehand (`Facts.plastic` does, once a subscription has started), and the fingerprints
     * of its saved cards cannot be compared across buyers.
     */
    identify?(token: string): Promise<string | null>
  }
  /** Verifies a webhook event and returns the objects to read again; throws BadSignature. */
  verifyWebhook(delivery: {
    headers: Record<string, string | string[] | undefined>
    body: Uint8Array
  }): Promise<{ eventId: string; at: Date; about: Ref[] }>
  /** Facts of everything that changed since, for reconciliation. */
  since(from: Date): AsyncIterable<Facts>
}

/** A webhook event without a valid signature of the provider. */
export class BadSignature extends Error {}

export type PaymentErrorKind = 'declined' | 'invalid' | 'unsupported' | 'busy' | 'unavailable' | 'unknown_outcome' | 'config'

/** A provider's failure in our terms. `code` is the refusal shown to the customer. */
export class PaymentError extends Error {
  readonly kind: PaymentErrorKind
  readonly code: ErrorCode
  readonly retry: 'new-instrument' | 'same-key' | 'later' | 'never'
  /** For our log; never shown. */
  readonly provider: { code?: string; requestId?: string }
  constructor(facts: {
    kind: PaymentErrorKind
    code: ErrorCode
    retry: PaymentError['retry']
    provider?: PaymentError['provider']
    message?: string
    cause?: unknown
  }) {
    super(facts.message ?? facts.code, { cause: facts.cause })
    this.name = 'PaymentError'
    this.kind = facts.kind
    this.code = facts.code
    this.retry = facts.retry
    this.provider = facts.provider ?? {}
  }
}
