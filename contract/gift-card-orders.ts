/** Gift cards that customers buy on the site, for themselves or as a gift (docs/domain.md I9 to I11). */
import * as z from 'zod'
import { endpoint, id, localDay, paragraph, pesosWire, priceSent, refusals, singleLine } from './endpoint.ts'
import { type Centavos, parsePesos } from './money.ts'

/** The amounts of the setting `gift_card_amounts` ("500, 1000"), in centavos, smallest first. */
export const giftCardAmounts = (setting: string): Centavos[] =>
  [...new Set(setting.split(',').map((text) => parsePesos(text.trim()) ?? 0))].filter((amount) => amount > 0).sort((a, b) => a - b)

const TAG = 'Tarjetas de regalo'

export const giftCardOrders = {
  /** The amounts that are sold on the site; none while the studio sells no gift cards there. */
  offer: endpoint('GET', '/gift_cards', 'public', TAG, 'Tarjetas de regalo que se venden en el sitio').output(
    z.object({ amounts: z.array(pesosWire).describe('Cantidades a la venta, la menor primero; vacío: no se venden en el sitio.') }),
  ),
  /**
   * Opens the purchase of a gift card of one of the studio's amounts. It is paid at `path`, like an order of the counter; once it is paid,
   * its code is mailed to the recipient on the day of delivery, or to the buyer.
   */
  buy: endpoint('POST', '/gift_cards', 'customer', TAG, 'Comprar una tarjeta de regalo')
    .input(
      z.object({
        amount: priceSent.describe('Una de las cantidades a la venta.'),
        recipient: z
          .object({
            name: singleLine(80).min(1, 'Escribe su nombre.').describe('Cómo se llama.'),
            email: z.email('Escribe un correo válido.').max(254).describe('Adónde se envía el código.'),
          })
          .nullish()
          .describe('Quien recibe la tarjeta; null: el código llega a quien la compra.'),
        message: paragraph(500).nullish().describe('Dedicatoria para quien la recibe.'),
        deliver_on: localDay.nullish().describe('Día en que se envía; null: en cuanto se paga.'),
      }),
    )
    .errors(
      refusals('GIFT_CARDS_CLOSED', 'CHECKOUT_DISABLED', 'PAYMENT_METHOD_UNAVAILABLE', 'AMOUNT_OUT_OF_RANGE', 'IDEMPOTENCY_KEY_REUSED'),
    )
    .output(z.object({ purchase_id: id, path: z.string().describe('La página donde se paga.') })),
}
