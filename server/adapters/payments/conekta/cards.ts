/**
 * Cards saved at Conekta. A token from its frame can be used once, so it is turned into a payment source of our customer (S1-7.59 ff).
 */
import { createHash } from 'node:crypto'
import type { CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { cardMethod, expiry, normalizeBrand } from '#server/adapters/payments/card-label.ts'
import { paymentInvalid, processorUnavailable } from '#server/adapters/payments/failures.ts'
import { type Buyer, type Card, type CardRef, type Key, type Next, PaymentError } from '#server/adapters/payments/port.ts'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { type ConektaClient, describeFailure } from './client.ts'
import type { ConektaMemo } from './facts.ts'

interface Source {
  id: string
  parent_id?: string | undefined
  brand?: string | undefined
  last4?: string | undefined
  bin?: string | undefined
  exp_month?: string | undefined
  exp_year?: string | undefined
}

const failed = (cause?: unknown) => paymentInvalid('PAYMENT_SOURCE_FAILED', { cause })

/**
 * Identifies a physical card across buyers. Conekta publishes no fingerprint, but the first and last digits, the brand and the expiry. Two
 * cards of one bank share all of these once in many thousands. Stored as a hash.
 */
function plasticOf({ bin, last4, brand, exp_month, exp_year }: Source): { plastic?: string } {
  if (!bin || !last4) return {}
  const facts = [bin, last4, normalizeBrand(brand), expiry(exp_month, exp_year)]
  return { plastic: createHash('sha256').update(facts.join('|')).digest('base64url').slice(0, 22) }
}

export class ConektaCards {
  readonly #client: ConektaClient
  readonly #memory: CallJournal<ConektaMemo>
  readonly #customer: (buyer: Buyer) => Promise<string>

  constructor(client: ConektaClient, memory: CallJournal<ConektaMemo>, customer: (buyer: Buyer) => Promise<string>) {
    this.#client = client
    this.#memory = memory
    this.#customer = customer
  }

  /** Prepares Conekta's frame for taking a card. The token that it returns is the `proof` for `finish`. */
  async begin(buyer: Buyer, token?: string): Promise<{ next: Next | null; setup: string }> {
    assertNotInTransaction('Conekta')
    if (token !== undefined) return { next: null, setup: token }
    await this.#customer(buyer)
    const tokenResponse = await this.#client.prepare(({ tokens }) =>
      tokens.createToken({ checkout: { returns_control_on: 'Token' } }, 'es'),
    )
    const frame = tokenResponse.checkout?.id
    if (!frame) throw processorUnavailable()
    return { next: { do: 'confirm', clientSecret: frame, intent: 'setup' }, setup: tokenResponse.id }
  }

  /** `proof`: a token, or the order or subscription that was paid to save its card. Throws PAYMENT_SOURCE_FAILED. */
  async finish(buyer: Buyer, proof: string): Promise<Card> {
    assertNotInTransaction('Conekta')
    const customer = await this.#customer(buyer)
    if (proof.startsWith('tok_')) return this.#card(await this.keep(customer, proof), customer)
    const call = await this.#memory.madeBy(proof)
    if (!call?.memo.card || call.buyer !== customer) throw failed()
    const found = await this.#saved(customer, call.memo.card)
    if (!found) throw failed()
    return this.#card(found, customer)
  }

  async #saved(customer: string, card: string): Promise<Source | null> {
    const list = await this.#client.read(({ cards }) => cards.getCustomerPaymentMethods(customer, 'es', undefined, 100))
    return (list.data?.find(({ id }) => id === card) as Source | undefined) ?? null
  }

  /** Display name of a saved card; null when it does not exist. */
  async methodOf(customer: string, card: string): Promise<ReturnType<typeof cardMethod> | null> {
    const found = await this.#saved(customer, card)
    return found ? cardMethod(found.brand, found.last4 ?? '') : null
  }

  /**
   * The payment source of a call's token, created and noted once. A token works for one request only: a repeated call (after a crash, or
   * under the same key) uses the noted source.
   */
  async saveOnce(key: Key, noted: string | undefined, customer: string, token: string): Promise<string> {
    if (noted) return noted
    const source = await this.keep(customer, token)
    await this.#memory.keep(key, { memo: { card: source.id, ...plasticOf(source) } })
    return source.id
  }

  /** The hash that identifies a saved card, in the form of a note. */
  async plasticOf(customer: string, card: string): Promise<Pick<Partial<ConektaMemo>, 'plastic'>> {
    const found = await this.#saved(customer, card)
    return found ? plasticOf(found) : {}
  }

  /** Turns a token into a payment source. */
  async keep(customer: string, token: string): Promise<Source> {
    const method = await this.#client
      .prepare(({ cards }) => cards.createCustomerPaymentMethods(customer, { type: 'card', token_id: token }, 'es'))
      .catch((error: unknown) => {
        if (error instanceof PaymentError && (error.kind === 'invalid' || error.kind === 'config')) throw failed(error)
        throw error
      })
    if (!method.id) throw failed()
    return method as Source
  }

  #card(source: Source, customer: string): Card {
    const exp = expiry(source.exp_month, source.exp_year)
    const brand = normalizeBrand(source.brand)
    if (!source.last4) throw failed()
    // Conekta gives no fingerprint: the same digits, expiry and brand of one customer count as the same card.
    return { id: source.id, buyer: customer, brand, last4: source.last4, exp, fingerprint: `${brand}-${source.last4}-${exp ?? ''}` }
  }

  async remove(card: CardRef): Promise<void> {
    assertNotInTransaction('Conekta')
    const { buyer } = card
    if (!buyer) return
    await this.#client
      .prepare(({ cards }) => cards.deleteCustomerPaymentMethods(buyer, card.id, 'es'))
      .catch((error: unknown) => {
        if (describeFailure(error)?.status !== 404) throw error
      })
  }
}
