/** Another card for a subscription: by a link in a mail without logging in, or from one's own account (payments study section 2; docs/domain.md V33). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, pesosWire, refusals } from './endpoint.ts'
import { cardFields, processorToken, purchase } from './sales.ts'

/** As the link carries it. */
const token = z.string().regex(/^[\w.-]{1,200}$/)
const proof = processorToken.nullish()

/** What the link shows: no log-in, and nothing of the person but the first name. */
export const cardLinkView = z.object({
  name: z.string(),
  title: z.string(),
  /** What is charged now when it is overdue, otherwise next. */
  amount: pesosWire,
  past_due: z.boolean(),
  /** The bank wants its customer to confirm what is overdue: `confirm` gives the question. */
  confirm_charge: z.boolean(),
  /** "Visa ···4242": the card that is charged until now. */
  card_label: z.string().nullable(),
  /** The next charge, wall clock written as UTC; none while it is overdue. */
  next_date: instant.nullable(),
  /** Whose fields take the new card; null when none can be drawn. */
  card: cardFields.nullable(),
})
export type CardLinkView = z.infer<typeof cardLinkView>

/**
 * What came of an overdue charge that was tried again. `paid`: nothing is overdue any more. `clientSecret`: the bank asks its customer about that
 * charge (3-D Secure); once it was answered, `confirm` says what came of it. `declined`: the bank's no, of which another card may know better.
 */
export const overdueTry = z.object({ paid: z.boolean(), clientSecret: z.string().nullable(), declined: z.boolean() })
export type OverdueTry = z.infer<typeof overdueTry>

/**
 * `changed`: the new card is charged from now on. `paid`: nothing is overdue any more. `setup`: confirm it, then call again with its id.
 * `clientSecret`: the card is changed, and the bank asks about the overdue charge itself.
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
  /** What the link in the mail leads to; the signed link is the permission. Reading changes nothing. */
  shown: endpoint('GET', '/subscription_card/{token}', 'public', 'Suscripciones', 'Cambiar mi tarjeta con un enlace')
    .input(z.object({ token }))
    .errors(refusals('CARD_LINK_INVALID', 'CARD_LINK_GONE'))
    .output(z.object({ subscription: cardLinkView })),
  /** Gives the subscription another card; what is overdue is tried at once. The link works until a card was changed with it. */
  change: endpoint('POST', '/subscription_card/{token}', 'public', 'Suscripciones', 'Dar otra tarjeta con un enlace')
    .input(z.object({ token, token_id: proof, setup_id: proof }))
    .errors(refusals('CARD_LINK_INVALID', 'CARD_LINK_GONE', 'PAYMENT_SOURCE_FAILED', 'PAYMENT_METHOD_UNAVAILABLE'))
    .output(cardChange),
  /**
   * Tries what is overdue again with the card that it has, its customer being there: the bank may ask them about that same charge. Called again
   * after the bank, it says what came of it. One invoice is charged once, however often it is called.
   */
  confirm: endpoint('POST', '/subscription_card/{token}/confirm', 'public', 'Suscripciones', 'Confirmar un cargo pendiente con un enlace')
    .input(z.object({ token }))
    .errors(refusals('CARD_LINK_INVALID', 'CARD_LINK_GONE', 'PAYMENT_METHOD_UNAVAILABLE', 'PAYMENT_TRY_LATER'))
    .output(overdueTry),
  /** The link of my own overdue subscription, where its charge is confirmed or its card changed: the page that may load the processor's script. */
  ownLink: endpoint('POST', '/purchases/{id}/card_link', 'customer', 'Suscripciones', 'Enlace para pagar lo pendiente de mi suscripción')
    .input(z.object({ id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_CANCELLABLE'))
    .output(z.object({ path: z.string() })),
  /** From now on my subscription charges one of my saved cards; what is overdue is tried at once, and may be for me to confirm (`confirm_charge`). */
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
