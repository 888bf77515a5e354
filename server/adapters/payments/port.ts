/**
 * The port to every processor of money (payments study section 5). No provider's word crosses it: `Facts` are the only thing the
 * core believes. A decline is a fact (`refused` + `why`); an exception means "could not do" or "do not know".
 * docs/adding-a-processor.md has what a new one touches outside of its folder.
 */
import type { ErrorCode } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import type { WalletButton } from '#contract/payment-options.ts'
import type { CardProcessor, WalletProcessor } from '#contract/processors.ts'
import type { CardFields } from '#contract/sales.ts'
import type { Settings } from '#contract/settings.ts'
import type { PeriodUnit } from '#contract/time.ts'

export type GatewayId = CardProcessor | WalletProcessor | 'efectivo' | 'mostrador'

/** A provider's object; opaque outside the adapter. */
export interface Ref {
  gateway: GatewayId
  kind: 'payment' | 'subscription'
  id: string
}

/** What makes a repeated call the same call: the adapter turns it into the provider's key. `n` grows only after a definite refusal or a changed request. */
export interface Key {
  purchase: number
  step: string
  n: number
}

/** Who pays. `ref` is our customer at this provider, once it has one. */
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
  | { by: 'card-token'; token: string }
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
  /** When the first period costs something else. */
  firstAmount?: Centavos
  trialEnd?: Date
  /** The studio's zone: on its clocks lies the day on which a trial ends. */
  zone?: string
}

export interface Voucher {
  kind: 'oxxo' | 'spei' | 'efectivo'
  reference: string
  expiresAt: Date
  url: string | null
  clabe: string | null
  /** What is still to be sent, when a part of a transfer came. */
  missing?: Centavos
}

/** What the customer has to do next. */
export type Next =
  | { do: 'confirm'; clientSecret: string; intent: 'payment' | 'setup' }
  | { do: 'go'; url: string; id: string }
  /** `url`: the wallet's own page for it, where no script of the wallet runs. */
  | { do: 'approve'; token: string; planId?: string; url?: string }
  | { do: 'show'; voucher: Voucher }

export type PaymentState = 'waiting' | 'processing' | 'paid' | 'trialing' | 'past_due' | 'refused' | 'expired' | 'ended'

export interface PaymentFact {
  /** The provider's id of this movement of money. */
  id: string
  amount: Centavos
  refunded: Centavos
  currency: string
  at: Date
  period?: { from: Date; to: Date }
  disputed?: 'open' | 'lost' | 'won'
}

/** What a provider says about one of its objects, read just now. */
export interface Facts {
  ref: Ref
  state: PaymentState
  /** `past_due` too: a renewal that waits for its customer to confirm it with the bank. */
  next: Next | null
  payments: PaymentFact[]
  /** From the metadata that we gave it. */
  purchaseId?: number
  buyerRef?: string
  /** When a subscription's benefits end. */
  endsAt?: Date
  cancelled?: boolean
  /** A subscription whose charges are suspended: nothing is taken until it goes on. */
  paused?: boolean
  method?: { label: string; brand?: string; last4?: string }
  why?: PaymentError
  /**
   * Of a subscription: its processor's fingerprint of what it will charge, the same for every buyer (a card's, or the account of a wallet). Absent
   * while it is not known.
   */
  plastic?: string
  /**
   * Money of one of our customers that no payment took (a transfer of too much, of too little, too late), whether it lies in a balance of theirs or
   * on the order that it was sent to. `id`: the movement that left it there; `amount` null: the provider does not say how much. `isBalance`: their
   * next transfer uses it.
   */
  unclaimed?: { id: string; customer_id: number; amount: Centavos | null; isBalance: boolean }
}

export type StopTime = 'now' | 'period-end' | 'unless-paid'

/** Whether a subscription has been charged and lives on. */
export const isPaidFor = ({ state, cancelled }: Facts): boolean => (state === 'paid' || state === 'past_due') && !cancelled

export interface PaymentGateway {
  readonly id: GatewayId
  /** What draws the fields of a new card on our page; null: it takes no cards there, or its public key is not set. */
  cardFields(settings: Settings): CardFields | null
  /** What its wallet shows on our page; null: it has none. */
  walletButton(settings: Settings): WalletButton | null
  /** Limits and what it cannot do (a period, an amount) are said before charging: null = fine. */
  refuses(what: { instrument: Instrument['by']; amount: Centavos; plan?: Plan; saveCard?: boolean }): ErrorCode | null
  /** Creates or resumes: the same key gives the same object. */
  start(charge: Charge, plan?: Plan): Promise<Facts>
  /** Reads; also captures an approved wallet order. Safe any number of times. */
  settle(ref: Ref, how?: { approved?: boolean }): Promise<Facts>
  /** Finds the object of a key whose answer was lost; null when the provider never had it. */
  find(key: Key): Promise<Facts | null>
  /**
   * Gives up an unpaid payment or ends a subscription. If it was paid meanwhile, the facts say so; `unless-paid` then leaves a subscription alone,
   * because ending it would take away what its customer has just paid for.
   */
  stop(ref: Ref, at: StopTime, reason: string): Promise<Facts>
  /** Once per key. A refund of this key that the processor could not deliver after all throws `declined`: its money is not counted as refunded. */
  refund(ref: Ref, paymentId: string, amount: Centavos, key: Key): Promise<Facts>
  /**
   * From now on a subscription charges another card of the same buyer; what is overdue is tried again at once, and its customer is there to
   * answer the bank (`next`). Absent: cannot be done here.
   */
  changeCard?(ref: Ref, card: CardRef): Promise<Facts>
  /**
   * Tries what a subscription owes again, with the card that it has and its customer there: `next` is the bank's question about that same
   * charge, `why` the bank's no. Absent: cannot be done here.
   */
  payOverdue?(ref: Ref): Promise<Facts>
  /** Suspends a subscription's charges, or lets them go on. Absent: cannot be done here. */
  pause?(ref: Ref, paused: boolean): Promise<Facts>
  /** Sends `unclaimed` money back to the account that it came from, once per movement. Absent: only its owner's panel can. */
  returnUnclaimed?(ref: Ref, movement: string): Promise<Facts>
  readonly cards: {
    /**
     * Starts keeping a card. With the `token` of a card form the card is verified at once: `next` is null when nothing is left to
     * confirm, and `finish` takes `setup`. Without one the browser gives the card to the processor itself.
     */
    begin(buyer: Buyer, token?: string): Promise<{ next: Next | null; setup: string }>
    /** The card behind a finished setup, a token that needs no confirmation, or a payment that was made to keep its card. */
    finish(buyer: Buyer, proof: string): Promise<Card>
    remove(card: CardRef): Promise<void>
    /**
     * The processor's fingerprint of the plastic behind a token, the same for every buyer and every token, without using the token up; null when
     * it has none. Absent: this processor tells no such thing beforehand (`Facts.plastic` does, once a subscription has begun), and the fingerprints of its
     * saved cards say nothing across buyers either.
     */
    identify?(token: string): Promise<string | null>
  }
  /** Verifies a notice and says which objects to look at again; throws BadSignature. */
  hear(notice: {
    headers: Record<string, string | string[] | undefined>
    body: Uint8Array
  }): Promise<{ eventId: string; at: Date; about: Ref[] }>
  /** Everything that changed since, for reconciliation. */
  since(from: Date): AsyncIterable<Facts>
}

/** A notice that the provider did not sign. */
export class BadSignature extends Error {}

export type PaymentErrorKind = 'declined' | 'invalid' | 'unsupported' | 'busy' | 'unavailable' | 'unknown_outcome' | 'config'

/** Something went wrong with a provider, in our words. `code` is the refusal that the customer reads. */
export class PaymentError extends Error {
  readonly kind: PaymentErrorKind
  readonly code: ErrorCode
  readonly retry: 'new-instrument' | 'same-key' | 'later' | 'never'
  /** For our log: never shown. */
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
