/** What a refund would do, counted by the server before it is made (docs/domain.md V51). */
import * as z from 'zod'
import { endpoint, id, pesosWire, refusals } from './endpoint.ts'
import { refundInput } from './studio-sales.ts'

export const refundPreview = z.object({
  amount: pesosWire,
  to: z.string().describe('Por dónde regresa el dinero, en palabras.'),
  /**
   * `processor`: to the card or account that paid, which takes days; `till`: out of the till; `gift_card`: back to the card; `hand`:
   * outside of the till.
   */
  by: z
    .enum(['processor', 'till', 'gift_card', 'hand'])
    .describe('Quién lo devuelve: el procesador, la caja, la tarjeta de regalo, o a mano.'),
  cash_session_id: id.nullable().describe('La caja de la que sale; null: de ninguna.'),
  left: pesosWire.describe('Lo que quedaría por devolver de ese cobro.'),
  revokes: z.boolean().describe('Si se retira lo que se compró.'),
  credits: z.int().describe('Clases sin usar que se retiran.'),
  unlimited: z.boolean().describe('Si se retira un acceso ilimitado.'),
  class_reservations: z.int().describe('Reservaciones por venir que se liberan.'),
  pieces: z.int().describe('Piezas que se vendieron y no han vuelto al inventario; 0: no es un producto.'),
  subscription: z
    .enum(['ends', 'continues'])
    .nullable()
    .describe('Si la suscripción termina o se sigue cobrando; null: no hay ninguna viva.'),
})
export type RefundPreview = z.infer<typeof refundPreview>

export const refundPreviews = {
  /** The consequences of a refund, with the same input and the same refusals; nothing is written and no money moves. */
  show: endpoint(
    'POST',
    '/admin/purchases/{purchase_id}/refund_preview',
    'staff:sales.refund',
    'Compras del estudio',
    'Qué haría una devolución',
  )
    .input(refundInput.partial({ reason: true }))
    .errors(
      refusals(
        ...(['PURCHASE_NOT_FOUND', 'REFUND_NOTHING_LEFT', 'REFUND_TOO_MUCH', 'CHARGE_DISPUTED', 'GIFT_CARD_BALANCE'] as const),
        ...(['REFUND_IN_PROGRESS', 'PAYMENT_METHOD_UNAVAILABLE'] as const),
      ),
    )
    .output(z.object({ preview: refundPreview })),
}
