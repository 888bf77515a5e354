/**
 * Bank transfers of the Stripe fake, reconciled as Stripe does: money first funds the customer's cash balance, then the payments that wait
 * for it: the one with the given reference first, then the oldest. Money that no payment takes stays in the balance until it is returned.
 */

import { clabe, newId } from './fake.ts'
import type { StripeAccount } from './stripe-account.ts'
import { type CashTransaction, type PaymentIntent, type Refund, wrong } from './stripe-objects.ts'

export class StripeBalance {
  readonly #books: StripeAccount
  /** The permanent CLABE of each customer. */
  readonly #clabes = new Map<string, string>()

  constructor(books: StripeAccount) {
    this.#books = books
    books.intentCancelled = (intent) => this.#unapply(intent)
  }

  clabeOf(customer: string): string {
    const known = this.#clabes.get(customer) ?? clabe('646')
    this.#clabes.set(customer, known)
    return known
  }

  transactions(customer: string): CashTransaction[] {
    return [...this.#books.all.cash.values()].filter((cashTransaction) => cashTransaction.customer === customer).reverse()
  }

  available(customer: string): number {
    return this.transactions(customer)[0]?.ending_balance ?? 0
  }

  /** A transfer to a customer's CLABE: any amount, at any time. */
  transfer(customer: string, amount: number, reference: string | null = null): void {
    this.#books.get('customers', customer)
    this.#move(customer, 'funded', amount, { funded: { bank_transfer: { type: 'mx_bank_transfer', reference } } })
    this.reconcile(customer, reference)
    if (this.available(customer) > 0)
      this.#books.emit('cash_balance.funds_available', { id: customer, object: 'cash_balance', customer } as { id: string })
  }

  /** Funds the payments that wait for this customer's money. */
  reconcile(customer: string, reference: string | null = null): void {
    const waiting = [...this.#books.all.intents.values()].filter(
      (intent) =>
        intent.customer === customer && intent.status === 'requires_action' && intent.next_action?.display_bank_transfer_instructions,
    )
    const named = (paymentIntent: PaymentIntent) => paymentIntent.next_action?.display_bank_transfer_instructions?.reference === reference
    for (const intent of [...waiting.filter(named), ...waiting.filter((paymentIntent) => !named(paymentIntent))])
      this.#fund(intent, customer)
  }

  #fund(intent: PaymentIntent, customer: string): void {
    const bank = intent.next_action?.display_bank_transfer_instructions
    const part = Math.min(this.available(customer), bank?.amount_remaining ?? 0)
    if (!bank || part === 0) return
    this.#move(customer, 'applied_to_payment', -part, { applied_to_payment: { payment_intent: intent.id } })
    intent.hidden.funded = (intent.hidden.funded ?? 0) + part
    bank.amount_remaining = intent.amount - intent.hidden.funded
    if (bank.amount_remaining === 0) this.#books.succeed(intent)
    else this.#books.emit('payment_intent.partially_funded', intent)
  }

  /** A cancelled payment returns its funds to the balance. */
  #unapply(intent: PaymentIntent): void {
    const { funded = 0 } = intent.hidden
    if (funded === 0 || !intent.customer) return
    intent.hidden.funded = 0
    this.#move(intent.customer, 'unapplied_from_payment', funded, { unapplied_from_payment: { payment_intent: intent.id } })
  }

  /** Money of the balance is returned to the bank account that it came from. */
  giveBack(customer: string, amount: number, metadata: Record<string, string>): Refund {
    this.#books.get('customers', customer, 'customer')
    if (amount > this.available(customer))
      throw wrong(`Refund amount (${amount}) is greater than the customer's available cash balance.`, { param: 'amount' })
    const refund: Refund = {
      id: newId('pyr_'),
      object: 'refund',
      amount,
      charge: null,
      created: this.#books.seconds,
      currency: 'mxn',
      metadata,
      payment_intent: null,
      reason: null,
      status: 'pending',
    }
    this.#books.all.refunds.set(refund.id, refund)
    this.#move(customer, 'return_initiated', -amount, {})
    this.#books.emit('refund.created', refund)
    return refund
  }

  /** A return without a known bank account is cancelled: the money is in the balance again. */
  cancelReturn(refund: string, customer: string): void {
    const found = this.#books.get('refunds', refund)
    found.status = 'canceled'
    this.#move(customer, 'return_canceled', found.amount, {})
    this.#books.emit('refund.failed', found)
  }

  #move(customer: string, type: CashTransaction['type'], net_amount: number, more: Partial<CashTransaction>): void {
    const cashTransaction: CashTransaction = {
      id: newId('ccsbtxn_'),
      object: 'customer_cash_balance_transaction',
      created: this.#books.seconds,
      currency: 'mxn',
      customer,
      customer_account: null,
      ending_balance: this.available(customer) + net_amount,
      livemode: false,
      net_amount,
      type,
      ...more,
    }
    this.#books.all.cash.set(cashTransaction.id, cashTransaction)
    this.#books.emit('customer_cash_balance_transaction.created', cashTransaction)
  }
}
