/**
 * Orders of the counter that a processor charges: on a saved card of the customer now, or by a link on their own device (docs/domain.md
 * S7 to S10).
 */
import * as z from 'zod'
import { PLAN_REFUSALS, paymentSent, saleItemSent } from './counter-sales.ts'
import { amountSent, endpoint, id, instant, pageNumber, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { savedCard } from './sales.ts'
import { studioPurchase } from './studio-sales.ts'

/** Orders per page of the list. */
export const COUNTER_ORDERS_PER_PAGE = 50

const TAG = 'Ventas en recepción'
const reason = singleLine(300).min(3, 'Escribe el motivo.')
/** The signed token of the link. */
const token = z.string().regex(/^[\w.-]{1,200}$/)

/** The link with which the customer pays on their own device. */
const link = z.object({
  url: z.string().describe('El enlace, para enviarlo a la persona.'),
  until: instant.describe('Hasta cuándo se puede pagar.'),
})
export type PaymentLink = z.infer<typeof link>

/**
 * `paid`: charged, and what was bought was given. `processing`: the processor has not answered yet; the order settles itself. `waiting`:
 * its customer pays it with the link (also when their bank wants them to confirm the charge of a saved card).
 */
export const orderState = z.enum(['paid', 'processing', 'waiting'])

/** An item of an order. */
const orderItem = z.object({
  title: z.string().describe('Qué se vende.'),
  quantity: z.int().describe('Cuántas piezas.'),
  total: pesosWire.describe('Lo que cuesta con su descuento.'),
})

export const counterOrder = z.object({
  /** In an order of several items: the first one with a price; the order is known by its id. */
  purchase: studioPurchase,
  lines: z.array(orderItem.extend({ purchase_id: id })).describe('Todo lo que se cobra junto, cada cosa con su compra.'),
  total: pesosWire.describe('Lo que cuesta todo.'),
  charge: pesosWire.describe('Lo que cobra el procesador: el total menos lo que se paga en recepción.'),
  payments: z
    .array(
      z.object({
        name: z.string().describe('Cómo se paga: efectivo, terminal, tarjeta de regalo.'),
        amount: pesosWire.describe('Cuánto se paga así.'),
        change: pesosWire.describe('El cambio que se entrega.'),
      }),
    )
    .describe('Lo que se paga en recepción; cuenta cuando el procesador cobra el resto.'),
  gift_cards: z
    .array(z.object({ purchase_id: id, title: z.string(), code: z.string() }))
    .describe('Códigos de las tarjetas de regalo que se vendieron; vacío mientras no se pague.'),
  sale_id: id.nullable().describe('La venta en recepción que es, ya pagada; null: todavía no, o es de un solo paquete.'),
  state: orderState.describe('Pagada, en proceso con el banco, o en espera de que la persona pague con el enlace.'),
  link: link.nullable().describe('El enlace de pago; null: no hace falta.'),
})
export type CounterOrder = z.infer<typeof counterOrder>

/** What a payment link shows. It needs no log-in, so the only personal data is the first name. */
export const paymentLinkView = z.object({
  name: z.string(),
  title: z.string(),
  amount: pesosWire,
  by_gift_card: pesosWire.describe('Lo que ya paga una tarjeta de regalo; `amount` es el resto.'),
  lines: z.array(orderItem).describe('Todo lo que se paga junto.'),
  /** Later charges of a subscription and how often; null for a single payment. */
  renews: z.object({ amount: pesosWire, period: z.enum(['day', 'month', 'year']), interval: z.int() }).nullable(),
  state: z.enum(['open', 'processing', 'paid']).describe('Por pagar, en proceso con el banco, o pagada.'),
  until: instant.describe('Hasta cuándo se puede pagar.'),
  failure: z.string().nullable().describe('Por qué no pasó el último intento, en palabras; null: no hubo o no falló.'),
})
export type PaymentLinkView = z.infer<typeof paymentLinkView>

const PAYING = ['PAYMENT_METHOD_UNAVAILABLE', 'PAYMENT_TRY_LATER', 'PAYMENT_IN_PROGRESS', 'AMOUNT_OUT_OF_RANGE'] as const

/** Refusals of an order, with those of the bank. */
export const ORDER_REFUSALS = [
  ...PAYING,
  ...PLAN_REFUSALS,
  ...(['NOT_FOUND', 'PRICE_CHANGED', 'PACKAGE_NOT_FOUND', 'PACKAGE_SOLD_OUT', 'PRODUCT_SOLD_OUT', 'OVER_LIMIT_REASON'] as const),
  'CUSTOMER_EMAIL_REQUIRED',
  'DISCOUNT_NOT_FOR_ACCOUNT',
  ...(['DISCOUNT_INVALID', 'DISCOUNT_EXHAUSTED', 'PAYMENT_SOURCE_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'SUBSCRIPTION_REPEATED'] as const),
  ...(['PAYMENT_FAILED', 'CARD_DECLINED', 'CARD_INSUFFICIENT_FUNDS', 'CARD_EXPIRED', 'CARD_LOST_OR_STOLEN'] as const),
  ...(['CARD_INCORRECT_CVC', 'CARD_INCORRECT_NUMBER', 'CARD_SUSPICIOUS', 'CARD_FORMAT', 'CARD_CONFIRMATION'] as const),
] as const

export const counterOrders = {
  /**
   * Sells what a processor charges: one package (a subscription then renews), or a basket of packages, products, gift cards and other items
   * with one charge, all of it or nothing; a subscription in a basket is one period. `payment_source_id`: charges this saved card of the
   * customer now; a refusal of the bank leaves nothing sold. Without it the order waits for its customer, who pays it with `link` until
   * then. With `payments` staff receive a part (never a subscription that renews): it counts once the processor charged the rest, and what
   * is refused or expires leaves nothing. The same `Idempotency-Key` is charged once, however often it is repeated.
   */
  open: endpoint('POST', '/admin/orders', 'staff:sales.sell', TAG, 'Cobrar con tarjeta guardada o con enlace')
    .input(
      z.object({
        customer_id: id,
        location_id: id,
        lines: z.array(saleItemSent).min(1).max(50).describe('Lo que se vende, con un solo cobro.'),
        payment_source_id: id.nullish(),
        payments: z
          .array(paymentSent)
          .max(10)
          .default([])
          .describe('Lo que se paga en recepción; el procesador cobra el resto. Con un enlace, solo tarjetas de regalo.'),
        shown: z.object({ total: amountSent }),
      }),
    )
    .errors(
      refusals(
        ...ORDER_REFUSALS,
        ...(['PAYMENTS_DIFFER', 'CASH_SESSION_REQUIRED', 'CASH_SESSION_CLOSED', 'GIFT_CARD_NOT_FOUND', 'GIFT_CARD_BALANCE'] as const),
      ),
    )
    .output(counterOrder),
  /** Orders that wait for their customer, the one that expires first at the top. */
  list: endpoint('GET', '/admin/orders', 'staff:sales.sell', TAG, 'Enlaces de pago por cobrar')
    .input(z.object({ page: pageNumber.default(1), customer_id: pathId.optional(), location_id: pathId.optional() }))
    .output(
      z.object({
        orders: z.array(counterOrder).describe('Órdenes que esperan su pago, la que vence primero arriba.'),
        total: z.int().describe('Órdenes que esperan.'),
      }),
    ),
  /** Sends the payment link by email again. Another channel takes the `url` itself. */
  send: endpoint('POST', '/admin/orders/{purchase_id}/send', 'staff:sales.sell', TAG, 'Enviar un enlace de pago por correo')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'CUSTOMER_EMAIL_REQUIRED'))
    .output(counterOrder),
  /** Cancels an order that was not paid; its link stops working. */
  cancel: endpoint('POST', '/admin/orders/{purchase_id}/cancel', 'staff:sales.sell', TAG, 'Cancelar un enlace de pago')
    .input(z.object({ purchase_id: pathId, reason }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS'))
    .output(z.object({ purchase: studioPurchase })),
  /** Saved cards of a customer, newest first; none where the studio saves no cards. */
  cards: endpoint('GET', '/admin/customers/{customer_id}/cards', 'staff:sales.sell', TAG, 'Tarjetas guardadas de una persona')
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        payment_sources: z.array(savedCard).describe('Tarjetas guardadas, la más nueva primero.'),
        takes_links: z.boolean().describe('Si se puede pagar en línea con un enlace.'),
      }),
    ),
}

export const paymentLinks = {
  /** The items and amount of a payment link; the signed link is the permission. */
  shown: endpoint('GET', '/payment_link/{token}', 'public', 'Ventas en recepción', 'Ver un enlace de pago')
    .input(z.object({ token }))
    .errors(refusals('PAYMENT_LINK_INVALID', 'PAYMENT_LINK_GONE'))
    .output(z.object({ order: paymentLinkView })),
  /**
   * Begins or continues the payment: leads to the page of the processor, which returns to the link. `url` null: nothing is left to pay, or
   * it is in process.
   */
  pay: endpoint('POST', '/payment_link/{token}', 'public', 'Ventas en recepción', 'Pagar con un enlace')
    .input(z.object({ token }))
    .errors(refusals('PAYMENT_LINK_INVALID', 'PAYMENT_LINK_GONE', ...PAYING, 'PAYMENT_FAILED', 'TOO_MANY_CARDS'))
    .output(
      z.object({
        url: z.string().nullable().describe('La página del procesador donde se paga; null: no hay nada que pagar ahora.'),
        order: paymentLinkView,
      }),
    ),
}
