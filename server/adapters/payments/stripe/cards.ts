/** Saved cards at Stripe: a SetupIntent that the browser confirms, or the card of a payment that was made to keep it. */
import { randomUUID } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import { expiry, normalizeBrand } from '#server/adapters/payments/card-label.ts'
import { paymentInvalid, processorUnavailable } from '#server/adapters/payments/failures.ts'
import { type Buyer, type Card, type CardRef, type Next, PaymentError } from '#server/adapters/payments/port.ts'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { isStripeError, type StripeClient } from './client.ts'
import { expanded, idOf, type StripeMemo } from './facts.ts'
import { isConfirmation } from './requests.ts'

const failed = (cause?: unknown) => paymentInvalid('PAYMENT_SOURCE_FAILED', { cause })

export class StripeCards {
  readonly #client: StripeClient
  readonly #memory: CallJournal<StripeMemo>
  readonly #customer: (buyer: Buyer) => Promise<string>

  constructor(client: StripeClient, memory: CallJournal<StripeMemo>, customer: (buyer: Buyer) => Promise<string>) {
    this.#client = client
    this.#memory = memory
    this.#customer = customer
  }

  /** With a token the card is verified at once; the bank may still require a challenge. PAYMENT_SOURCE_FAILED. */
  async begin(buyer: Buyer, token?: string): Promise<{ next: Next | null; setup: string }> {
    assertNotInTransaction('Stripe')
    const [customer, app] = [await this.#customer(buyer), await this.#memory.installation()]
    const setup = await this.#client
      .prepare((sdk) =>
        sdk.setupIntents.create(
          {
            customer,
            usage: 'off_session',
            allowed_payment_method_types: ['card'],
            metadata: { app, customer_id: String(buyer.customer_id) },
            ...(token === undefined ? {} : { payment_method: token, confirm: true, use_stripe_sdk: true }),
          },
          { idempotencyKey: `${app}:si:${buyer.customer_id}:${randomUUID()}` },
        ),
      )
      .catch((error: unknown) => {
        if (error instanceof PaymentError && (error.kind === 'invalid' || error.kind === 'declined')) throw failed(error)
        throw error
      })
    if (setup.status === 'succeeded') return { next: null, setup: setup.id }
    if (!setup.client_secret) throw processorUnavailable()
    if (token !== undefined && setup.status !== 'requires_action') throw failed()
    return { next: { do: 'confirm', clientSecret: setup.client_secret, intent: 'setup' }, setup: setup.id }
  }

  /** `proof`: a SetupIntent, a payment or a subscription that saved its card, or a card's token. PAYMENT_SOURCE_FAILED. */
  async finish(buyer: Buyer, proof: string): Promise<Card> {
    assertNotInTransaction('Stripe')
    const customer = await this.#customer(buyer)
    const method = await this.#method(customer, proof).catch((error: unknown) => {
      if (error instanceof PaymentError && (error.kind === 'invalid' || error.kind === 'declined')) throw failed(error)
      throw error
    })
    const { card } = method
    if (!card || idOf(method.customer) !== customer) throw failed()
    return {
      id: method.id,
      buyer: customer,
      brand: normalizeBrand(card.brand),
      last4: card.last4,
      exp: expiry(card.exp_month, card.exp_year),
      fingerprint: card.fingerprint ?? null,
    }
  }

  /** The fingerprint of the card behind a token: reading a PaymentMethod or a ConfirmationToken does not use it up. */
  identify = async (token: string): Promise<string | null> => {
    assertNotInTransaction('Stripe')
    if (isConfirmation(token)) {
      const { payment_method_preview: preview } = await this.#client.read((sdk) => sdk.confirmationTokens.retrieve(token))
      return preview?.card?.fingerprint ?? null
    }
    if (!token.startsWith('pm_')) return null
    const { card } = await this.#client.read((sdk) => sdk.paymentMethods.retrieve(token))
    return card?.fingerprint ?? null
  }

  /** Verified by reading it at Stripe: the object, its customer, and that it succeeded. */
  async #method(customer: string, proof: string): Promise<Stripe.PaymentMethod> {
    if (proof.startsWith('pm_')) return this.#client.prepare((sdk) => sdk.paymentMethods.attach(proof, { customer }))
    const id = await this.#saved(customer, proof)
    if (!id) throw failed()
    return this.#client.read((sdk) => sdk.paymentMethods.retrieve(id))
  }

  async #saved(customer: string, proof: string): Promise<string | undefined> {
    if (proof.startsWith('seti_')) {
      const setup = await this.#client.read((sdk) => sdk.setupIntents.retrieve(proof))
      return setup.status === 'succeeded' && idOf(setup.customer) === customer ? idOf(setup.payment_method) : undefined
    }
    if (proof.startsWith('cs_')) {
      const session = await this.#client.read((sdk) => sdk.checkout.sessions.retrieve(proof))
      const inner = idOf(session.payment_intent) ?? idOf(session.subscription)
      return inner ? this.#saved(customer, inner) : undefined
    }
    if (proof.startsWith('sub_')) {
      const subscription = await this.#client.read((sdk) => sdk.subscriptions.retrieve(proof))
      return idOf(subscription.customer) === customer ? idOf(subscription.default_payment_method) : undefined
    }
    if (!proof.startsWith('pi_')) return undefined
    const intent = await this.#client.read((sdk) => sdk.paymentIntents.retrieve(proof))
    return intent.status === 'succeeded' && intent.setup_future_usage && idOf(intent.customer) === customer
      ? idOf(intent.payment_method)
      : undefined
  }

  /** Removed once Stripe agreed; what is removed already counts as agreed. */
  async remove(card: CardRef): Promise<void> {
    assertNotInTransaction('Stripe')
    const found = await this.#client
      .read((sdk) => sdk.paymentMethods.retrieve(card.id))
      .catch((error: unknown) => {
        if (error instanceof PaymentError && isStripeError(error.cause) && error.cause.code === 'resource_missing') return null
        throw error
      })
    const owner = idOf(
      expanded<Stripe.Customer | Stripe.DeletedCustomer>(found?.customer) ?? (typeof found?.customer === 'string' ? found.customer : null),
    )
    if (!found || !owner) return
    if (card.buyer !== null && owner !== card.buyer) throw paymentInvalid('PAYMENT_SOURCE_FAILED')
    await this.#client
      .prepare((sdk) => sdk.paymentMethods.detach(card.id))
      .catch((error: unknown) => {
        if (!(error instanceof PaymentError) || !isStripeError(error.cause) || error.cause.type !== 'StripeInvalidRequestError') throw error
      })
  }
}
