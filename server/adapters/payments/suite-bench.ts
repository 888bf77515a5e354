/** What the port's suite is run on. */
import type { Buyer, Charge, Facts, Instrument, PaymentError, PaymentGateway, Ref } from './port.ts'

/** A gateway with its surroundings: the customer, the clerk at the shop, the clock. */
export interface Bench {
  gateway: PaymentGateway
  buyer: Buyer
  /** Another customer. */
  stranger: Buyer
  /** The instrument of a payment that waits for its customer. */
  waiting: Instrument
  /** Pays what waits. */
  pay(ref: Ref): Promise<void>
  /** Centavos that were really taken for a purchase, less what was given back. */
  centavosTaken(purchase: number): Promise<number>
  now(): Date
  advance(ms: number): void
  /** Instruments that are decided at once, by result; a gateway without cards has none. */
  cards?: {
    paid: Instrument
    declined: { instrument: Instrument; code: PaymentError['code'] }[]
    lostButPaid: Instrument
    lostAndUnpaid: Instrument
    /** A proof with which a card can be saved. */
    proof: string
    /** A card with a challenge of the bank; `answer`: whether its owner passes it. */
    challenged: { instrument: Instrument; answer(challenged: Facts, yes: boolean): Promise<void> }
    /** Tokens that begin saving a card: verified at once, refused, and with the bank's challenge where it has one. */
    setupTokens: { atOnce: string; refused: string; challenged?: { token: string; answer(clientSecret: string): Promise<void> } }
  }
  /** Pays a voucher at the shop, or by transfer. */
  vouchers?: { pay(ref: Ref): Promise<void> }
  /** A bank opens a dispute of a payment or a part of it, or decides it. Resolves once its event was delivered. */
  dispute?(paid: Facts, state: 'open' | 'won' | 'lost', amount?: number): Promise<void>
  /** Whether the processor reports the disputed amount. */
  reportsDisputedAmount?: true
  /** The newest refund of a payment does not arrive, and its money is the studio's again. */
  failRefund?(paid: Facts): Promise<void>
  /** Whether it sells subscriptions; a card that pays first and fails later. */
  plans?: {
    failsLater: Instrument
    tick(): Promise<void>
    /** What pays for one where it is not a card. */
    pays?: Instrument
    /** What the customer still does after `start`; `fails`: later payments will not come. */
    approve?(ref: Ref, fails: boolean): Promise<void>
    /** The processor waits for ever for one that is not paid. */
    neverGivesUp?: true
    /** Its customer changes what pays at the processor itself. */
    changesPaymentItself?: true
  }
  /** Requests that the real processor would have refused for their form: a list of the fake, which must stay empty. */
  complaints?: readonly string[]
  /** A signed notice about something that changed. */
  signedEvent?: () => Promise<{ headers: Record<string, string>; body: Uint8Array }>
}

/** What a gateway can do beyond waiting and being paid: tests of what it cannot do do not exist. */
export interface Abilities {
  cards: boolean
  plans: boolean
  vouchers: boolean
  disputes: boolean
  /** Whether a refund can fail after it was accepted. */
  failingRefunds: boolean
  /** `timeless`: its notices carry no time that they could be too old by. */
  signsEvents: boolean | 'timeless'
}

/** What the parts of the suite work with. */
export interface Tools {
  bench(): Promise<Bench>
  /** The next purchase of one's own, held for fifteen minutes. */
  charge(instrument: Instrument, more?: Partial<Charge>): Promise<Charge>
  has<K extends 'cards' | 'plans' | 'signedEvent' | 'vouchers' | 'dispute' | 'failRefund'>(what: K): Promise<NonNullable<Bench[K]>>
}
