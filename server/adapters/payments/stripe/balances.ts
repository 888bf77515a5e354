/** Money of bank transfers in a customer's cash balance at Stripe that no payment accounts for (docs/domain.md V40). */
import type { Stripe } from 'stripe'
import type { CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import type { Facts, Ref } from '#server/adapters/payments/port.ts'
import type { StripeClient } from './client.ts'
import type { StripeMemo } from './facts.ts'

export class StripeBalances {
  readonly #client: StripeClient
  readonly #memory: CallJournal<StripeMemo>

  constructor(client: StripeClient, memory: CallJournal<StripeMemo>) {
    this.#client = client
    this.#memory = memory
  }

  /** Facts of a customer's balance (`cus_…`); none for a customer of another installation. */
  async facts(id: string): Promise<Facts> {
    const ref: Ref = { gateway: 'stripe', kind: 'payment', id }
    const found = await this.#client.read((sdk) => sdk.customers.retrieve(id, { expand: ['cash_balance'] }))
    const empty: Facts = { ref, state: 'ended', next: null, payments: [] }
    if (found.deleted || found.metadata.app !== (await this.#memory.installation())) return empty
    const amount = found.cash_balance?.available?.mxn ?? 0
    if (amount <= 0) return empty
    const last = await this.#last(id)
    return last ? { ...empty, unclaimed: { id: last.id, customer_id: Number(found.metadata.customer_id), amount, isBalance: true } } : empty
  }

  /**
   * Sends a balance back to the bank account that it came from; Stripe asks the customer by mail if it does not know the account. Only if
   * `movement` is still the last one: money received or used since must be examined first. Idempotent by key.
   */
  async giveBack(id: string, movement: string): Promise<Facts> {
    const { unclaimed } = await this.facts(id)
    if (!unclaimed?.amount || unclaimed.id !== movement) return this.facts(id)
    const { amount } = unclaimed
    const app = await this.#memory.installation()
    await this.#client.charge(`${app}:balance:${movement}`, (sdk, options) =>
      sdk.refunds.create(
        {
          origin: 'customer_balance',
          customer: id,
          amount,
          currency: 'mxn',
          metadata: { app, customer_id: String(unclaimed.customer_id) },
        },
        options,
      ),
    )
    return this.facts(id)
  }

  async #last(id: string): Promise<Stripe.CustomerCashBalanceTransaction | undefined> {
    return (await this.#client.read((sdk) => sdk.customers.listCashBalanceTransactions(id, { limit: 1 }))).data[0]
  }
}
