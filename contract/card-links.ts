/** Changing the card of a subscription: through a link in a mail without logging in, or in the customer's account (docs/domain.md V33). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, pesosWire, refusals } from './endpoint.ts'
import { cardFields, processorToken, purchase } from './sales.ts'

/** The signed token of the link. */
const token = z.string().regex(/^[\w.-]{1,200}$/)
const proof = processorToken.nullish()

/** What the link shows. It needs no log-in, so the only personal data is the first name. */
export const cardLinkView = z.object({
  name: z.string(),
  title: z.string(),
  /** The amount charged now when it is overdue, otherwise the next charge. */
  amount: pesosWire,
  past_due: z.boolean(),
  /** The bank requires the customer to confirm the overdue charge: `confirm` returns its challenge. */
  confirm_charge: z.boolean(),
  /** "Visa ···4242": the card charged at present. */
  card_label: z.string().nullable(),
  /** The next charge, wall clock written as UTC; null while it is overdue. */
  next_date: instant.nullable(),
  /** The processor whose fields take the new card; null when none can be shown. */
  card: cardFields.nullable(),
})
export type CardLinkView = z.infer<typeof cardLinkView>

/**
 * Result of retrying an overdue charge. `paid`: nothing is overdue any more. `clientSecret`: the bank requires the customer to confirm that
 * charge (3-D Secure); call `confirm` afterwards for the result. `declined`: the bank refused; another card may work.
 */
export const overdueTry = z.object({ paid: z.boolean(), clientSecret: z.string().nullable(), declined: z.boolean() })
export type OverdueTry = z.infer<typeof overdueTry>

/**
 * `changed`: the new card is charged from now on. `paid`: nothing is overdue any more. `setup`: confirm it, then call again with its id.
 * `clientSecret`: the card is changed, and the bank requires the customer to confirm the overdue charge.
 */
export const cardChange = z.object({
  changed: z.boolean(),
  paid: z.boolean(),
  card_label: z.string().nullable(),
  setup: z.object({ id: z.string(), clientSecret: z.string() }).nullable(),
  clientSecret: z.string().nullable(),
})
export type CardChange = z.infer<typeof cardChange>

export const cardLinks = {
  /** What the mailed link shows; the signed link is the permission. Reading changes nothing. */
  shown: endpoint('GET', '/subscription_card/{token}', 'public', 'Suscripciones', 'Cambiar mi tarjeta con un enlace')
    .input(z.object({ token }))
    .errors(refusals('CARD_LINK_INVALID', 'CARD_LINK_GONE'))
    .output(z.object({ subscription: cardLinkView })),
  /** Gives the subscription another card and retries an overdue charge at once. The link works until it was used to change the card. */
  change: endpoint('POST', '/subscription_card/{token}', 'public', 'Suscripciones', 'Dar otra tarjeta con un enlace')
    .input(z.object({ token, token_id: proof, setup_id: proof }))
    .errors(refusals('CARD_LINK_INVALID', 'CARD_LINK_GONE', 'PAYMENT_SOURCE_FAILED', 'PAYMENT_METHOD_UNAVAILABLE'))
    .output(cardChange),
  /**
   * Retries the overdue charge on the current card while the customer is present, so that the bank may ask them to confirm it. Called again
   * after the bank's challenge, it returns the result. An invoice is charged once, however often this is called.
   */
  confirm: endpoint('POST', '/subscription_card/{token}/confirm', 'public', 'Suscripciones', 'Confirmar un cargo pendiente con un enlace')
    .input(z.object({ token }))
    .errors(refusals('CARD_LINK_INVALID', 'CARD_LINK_GONE', 'PAYMENT_METHOD_UNAVAILABLE', 'PAYMENT_TRY_LATER'))
    .output(overdueTry),
  /** The card link of the customer's own overdue subscription. It leads to the page whose policy allows the processor's script. */
  ownLink: endpoint('POST', '/purchases/{id}/card_link', 'customer', 'Suscripciones', 'Enlace para pagar lo pendiente de mi suscripción')
    .input(z.object({ id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_CANCELLABLE'))
    .output(z.object({ path: z.string() })),
  /**
   * Charges the customer's subscription to one of their saved cards from now on; an overdue charge is retried at once and may need
   * `confirm_charge`.
   */
  own: endpoint('POST', '/purchases/{id}/card', 'customer', 'Suscripciones', 'Cambiar la tarjeta de mi suscripción')
    .input(z.object({ id: pathId, payment_source_id: id }))
    .errors(
      refusals(
        'PURCHASE_NOT_FOUND',
        'PAYMENT_SOURCE_NOT_FOUND',
        'PAYMENT_SOURCE_FAILED',
        'PAYMENT_METHOD_UNAVAILABLE',
        'SUBSCRIPTION_NOT_CANCELLABLE',
      ),
    )
    .output(z.object({ purchase })),
}
