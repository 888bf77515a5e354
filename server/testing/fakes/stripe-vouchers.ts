/** OXXO vouchers of the Stripe fake: paid in a shop, confirmed on the next working day, expired when unpaid. */

import { workingDayAfter } from './fake.ts'
import type { StripeAccount } from './stripe-account.ts'
import type { PaymentIntent } from './stripe-objects.ts'

export class StripeVouchers {
  readonly #books: StripeAccount

  constructor(books: StripeAccount) {
    this.#books = books
  }

  /** A customer pays in a shop, which also accepts an expired voucher. */
  payInShop(intent: PaymentIntent): void {
    if (!intent.hidden.voucher) throw new Error(`${intent.id} has no voucher.`)
    intent.hidden.paidAt = this.#books.seconds
  }

  tick(): void {
    for (const intent of this.#books.all.intents.values()) {
      const { paidAt } = intent.hidden
      if (paidAt === undefined) this.#expire(intent)
      else if (this.#books.seconds >= workingDayAfter(paidAt)) this.#confirm(intent)
    }
  }

  /** A payment in a shop is reported; for a cancelled voucher it is a charge that no longer changes its payment. */
  #confirm(intent: PaymentIntent): void {
    const books = this.#books
    delete intent.hidden.paidAt
    if (intent.status === 'requires_action') books.succeed(intent)
    if (intent.status === 'succeeded') return
    const charge = books.record(intent, books.get('methods', intent.hidden.voucher), true)
    intent.latest_charge = charge.id
    books.outside.moved('charge', intent.amount, intent.id, books.metadataOf(intent))
    books.emit('charge.succeeded', charge)
  }

  #expire(intent: PaymentIntent): void {
    const until = intent.next_action?.oxxo_display_details?.expires_after
    if (intent.status !== 'requires_action' || !until || until > this.#books.seconds) return
    Object.assign(intent, {
      status: 'requires_payment_method',
      next_action: null,
      last_payment_error: {
        type: 'invalid_request_error',
        code: 'payment_intent_payment_attempt_expired',
        message: 'The voucher expired.',
      },
    })
    this.#books.emit('payment_intent.payment_failed', intent)
  }
}
