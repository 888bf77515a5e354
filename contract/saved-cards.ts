/** Saving and removing cards, under the spec's two names for the same thing (S1-7.59 to S1-7.64; settled 13, 14, 39). */
import * as z from 'zod'
import { done, endpoint, pathId, refusals } from './endpoint.ts'
import { processorToken, savedCard } from './sales.ts'

/** A saved card as the first flow names it (S1-3.38, S1-3.39); `token_id` is our own opaque id. */
export const metodoPago = z.object({
  payment_source_id: savedCard.shape.payment_source_id,
  token_id: z.string(),
  card_type: z.string(),
  last_digits: z.string(),
  saveCard: z.literal(true),
})
export type MetodoPago = z.infer<typeof metodoPago>

/**
 * Either the card is saved, or the browser continues: it passes `clientSecret` to the processor's script and calls again with `setup_id`.
 */
export const savedCardAnswer = z.object({
  payment_source: savedCard.nullable(),
  setup: z.object({ id: z.string(), clientSecret: z.string() }).nullable(),
})
export type SavedCardAnswer = z.infer<typeof savedCardAnswer>

const proof = processorToken.nullish()
const failures = refusals('PAYMENT_SOURCE_FAILED')
const removing = refusals('PAYMENT_SOURCE_NOT_FOUND', 'PAYMENT_SOURCE_IN_USE', 'PAYMENT_SOURCE_FAILED')
/** A card's id, or its opaque id on the wire. */
const cardId = z.union([pathId, z.string().regex(/^fuente-[1-9]\d{0,8}$/)])

export const cards = {
  /**
   * Saves a card (S1-7.63). `{}` starts: the browser gives the card to the processor itself and confirms `setup.clientSecret`. With a
   * `token_id` of the processor's fields the card is verified at once. `setup_id` finishes. Brand and digits come from the processor.
   * PAYMENT_SOURCE_FAILED.
   */
  keep: endpoint('POST', '/payment_sources', 'customer', 'Compras', 'Guardar una tarjeta')
    .input(z.object({ setup_id: proof, token_id: proof, source_id: proof }))
    .errors(failures)
    .output(savedCardAnswer),
  /** Removes a card, at its processor first (S1-7.64). PAYMENT_SOURCE_IN_USE while a live subscription charges it. */
  remove: endpoint('DELETE', '/payment_sources/{id}', 'customer', 'Compras', 'Quitar una tarjeta')
    .input(z.object({ id: cardId }))
    .errors(removing)
    .output(done),
  /** The first flow's list of saved cards (S1-7.59). */
  metodos: endpoint('GET', '/metodosPago', 'customer', 'Compras', 'Mis tarjetas (primer flujo)').output(
    z.object({ metodos_pago: z.array(metodoPago) }),
  ),
  /** Saves the card of a token (S1-7.60). Brand, digits and `saveCard` in the body are ignored (settled 13). */
  saveMetodo: endpoint('POST', '/metodosPago', 'customer', 'Compras', 'Guardar una tarjeta (primer flujo)')
    .input(
      z.object({
        token_id: processorToken,
        card_type: z.unknown().optional(),
        last_digits: z.unknown().optional(),
        saveCard: z.unknown().optional(),
      }),
    )
    .errors(failures)
    .output(z.object({ metodo_pago: metodoPago.nullable(), setup: savedCardAnswer.shape.setup })),
  removeMetodo: endpoint('DELETE', '/metodosPago/{id}', 'customer', 'Compras', 'Quitar una tarjeta (primer flujo)')
    .input(z.object({ id: cardId }))
    .errors(removing)
    .output(done),
}
