/**
 * Sales at the counter: packages, single places and other items in one sale, with one or several payment methods (docs/domain.md, "Sales at
 * the counter").
 */
import * as z from 'zod'
import { rosterReservation } from './attendance.ts'
import { RESERVE_REFUSALS } from './bookings.ts'
import { terminalSlip } from './counter.ts'
import {
  amountSent,
  done,
  endpoint,
  id,
  instant,
  localDay,
  pageNumber,
  paragraph,
  pathId,
  pesosWire,
  priceSent,
  refusals,
  singleLine,
} from './endpoint.ts'
import { file } from './files.ts'
import { giftCardCode } from './gift-cards.ts'
import { studioPurchase } from './studio-sales.ts'

/** Sales per page of the list. */
export const COUNTER_SALES_PER_PAGE = 50
/** A package may start this many days before or after the day of its sale. */
export const STARTS_WITHIN_DAYS = 60

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const fundings = z.enum(['credit', 'debit', 'prepaid'])

/** An item of the sale. At most one of `discountCode`, `discount` and `price`. */
export const saleItemSent = z.object({
  kind: z.enum(['package', 'class', 'product', 'gift_card', 'other']),
  class_package_id: id.nullish(),
  single_class_id: id.nullish(),
  spot: singleLine(10).nullish(),
  product_id: id.nullish(),
  title: singleLine(120).nullish(),
  amount: priceSent.nullish(),
  quantity: z.int().min(1).max(50).default(1),
  discountCode: singleLine(60).nullish(),
  discount: z.object({ percent: z.number().gt(0).max(100).nullish(), amount: priceSent.nullish(), reason }).nullish(),
  price: z.object({ amount: amountSent, reason }).nullish(),
  starts_on: localDay.nullish(),
  package_days: z.int().min(1).max(3_650).nullish(),
  over_limit: z.object({ reason }).nullish(),
  replaces: z
    .object({
      purchase_id: id.describe('La compra del plan de ahora.'),
      prorate: z.boolean().default(true).describe('Si lo que le queda pagado se descuenta del plan nuevo.'),
    })
    .nullish()
    .describe('Cambio de plan: el paquete, una suscripción, toma el lugar de otra compra de la persona desde hoy.'),
  gift_to: id.nullish().describe('De regalo: la persona que recibe el paquete; quien compra es el cliente de la venta.'),
  with_credit: z
    .boolean()
    .default(false)
    .describe('El lugar en la clase se paga con un crédito: el de un paquete de esta venta o uno que ya tenía.'),
})

/** Why a package cannot take the place of another plan. */
export const PLAN_REFUSALS = [
  'PURCHASE_NOT_FOUND',
  'PLAN_NOT_CHANGEABLE',
  'PLAN_CHANGE_WAITING',
  'PLAN_RENEWS_SOON',
  'PLAN_CREDIT_TOO_HIGH',
] as const

/** A payment that staff receive: by a method of the counter, or with a gift card. */
export const paymentSent = z.object({
  /** Required unless a gift card pays. */
  payment_method_id: id.nullish(),
  gift_card_code: giftCardCode.nullish(),
  amount: priceSent,
  received: priceSent.nullish(),
  reference: singleLine(80).nullish(),
  ...terminalSlip,
  funding: fundings.nullish(),
  proof_file_id: id.nullish().describe('Foto o PDF del comprobante de una transferencia, ya subido (`POST /files`) y sin publicar.'),
})

const person = z.object({ staff_id: id, name: z.string() })

export const counterSale = z.object({
  /** Null in a `dry_run`. */
  sale_id: id.nullable(),
  folio: z.string().nullable(),
  createdAt: instant,
  staff: person,
  location: z.object({ location_id: id, name: z.string() }),
  /** Null: sold without a customer (Público en general). */
  customer: z.object({ customer_id: id, name: z.string(), last_name: z.string(), email: z.string().nullable() }).nullable(),
  total: pesosWire,
  /** Amounts received, awaiting confirmation, and still owed. */
  paid: pesosWire,
  pending: pesosWire,
  owed: pesosWire,
  owe_until: z.string().nullable(),
  owe_reason: z.string().nullable(),
  change: pesosWire,
  iva: pesosWire,
  note: z.string().nullable(),
  lines: z.array(
    z.object({
      kind: saleItemSent.shape.kind,
      title: z.string(),
      quantity: z.int(),
      list: pesosWire,
      total: pesosWire,
      price_reason: z.string().nullable(),
      over_limit_reason: z.string().nullable(),
      tax: z.object({
        rate: z.number(),
        exempt: z.boolean().describe('Exento de IVA, que no es una tasa de 0 %.'),
        net: pesosWire,
        amount: pesosWire,
      }),
      purchase_id: id.nullable(),
      class_reservation_id: id.nullable(),
      /** Credits that it grants: how many (-1 = unlimited) and until when (null: counted from the first class). */
      /** The card that was sold; null in lists, only the answer of the sale itself has its code. */
      gift_card: z.object({ gift_card_id: id, last_four: z.string(), code: z.string() }).nullable(),
      gives: z.object({ class_amount: z.int(), expires_at: instant.nullable() }).nullable(),
      gift_to: z
        .object({ customer_id: id, name: z.string(), last_name: z.string() })
        .nullable()
        .describe('Quien recibe el paquete; null: quien lo compró.'),
    }),
  ),
  payments: z.array(
    z.object({
      /** Null: paid with a gift card. */
      payment_method_id: id.nullable(),
      name: z.string(),
      amount: pesosWire,
      received: pesosWire.nullable(),
      change: pesosWire,
      reference: z.string().nullable(),
      card_brand: z.string().nullable(),
      last_digits: z.string().nullable(),
      authorisation: z.string().nullable(),
      funding: fundings.nullable(),
      has_proof: z.boolean().describe('Si tiene foto del comprobante: `GET /admin/invoices/{invoice_id}/proof`.'),
      state: z.enum(['received', 'pending', 'void']),
      staff: person,
      createdAt: instant,
      /** The charges that the payment was divided into: a transfer is confirmed by any of them. */
      invoice_ids: z.array(id),
    }),
  ),
})
export type CounterSale = z.infer<typeof counterSale>

const TAG = 'Ventas en recepción'
const saleOutput = z.object({ sale: counterSale })
const PAYING = [
  'PAYMENTS_DIFFER',
  'PAYMENT_METHOD_UNAVAILABLE',
  'CASH_SESSION_REQUIRED',
  'CASH_SESSION_CLOSED',
  'GIFT_CARD_NOT_FOUND',
  'GIFT_CARD_BALANCE',
] as const

export const counterSales = {
  /**
   * Sells a basket to a customer in one transaction: all of it or nothing. `shown.total` is the total that the cashier saw. Payments plus
   * the amount left owed must equal the total. `dry_run` writes nothing and answers the same sale without ids; it needs no `shown`, and
   * what its payments leave open counts as owed. Create a new customer first with `POST /customer`; without one (null) only products and
   * other items are sold, paid in full.
   */
  sell: endpoint('POST', '/admin/sales', 'staff:sales.sell', TAG, 'Nueva venta')
    .input(
      z.object({
        customer_id: id.nullable(),
        location_id: id,
        lines: z.array(saleItemSent).min(1).max(50),
        payments: z.array(paymentSent).max(10).default([]),
        owe: z.object({ until: localDay, reason }).nullish(),
        note: paragraph(1_000).nullish(),
        shown: z.object({ total: amountSent }).nullish(),
        dry_run: z.boolean().default(false),
      }),
    )
    .errors(
      refusals(
        ...PAYING,
        ...(['NOT_FOUND', 'PRICE_CHANGED', 'PRICE_MISSING', 'PACKAGE_NOT_FOUND', 'PACKAGE_SOLD_OUT', 'PURCHASE_LIMIT'] as const),
        ...(['CUSTOMER_REQUIRED', 'PRODUCT_SOLD_OUT'] as const),
        ...PLAN_REFUSALS,
        'DISCOUNT_NOT_FOR_ACCOUNT',
        ...(['OVER_LIMIT_REASON', 'DISCOUNT_INVALID', 'DISCOUNT_EXHAUSTED', 'PAYMENT_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const),
        ...RESERVE_REFUSALS,
      ),
    )
    .output(z.object({ sale: counterSale, purchases: z.array(studioPurchase), class_reservations: z.array(rosterReservation) })),
  /** Sales, latest first: all, those with an amount owed, or those with a transfer to confirm. */
  list: endpoint('GET', '/admin/sales', 'staff:sales.sell', TAG, 'Ventas en recepción')
    .input(
      z.object({
        page: pageNumber.default(1),
        customer_id: pathId.optional(),
        location_id: pathId.optional(),
        staff_id: pathId.optional(),
        state: z.enum(['owed', 'pending']).optional(),
        from: localDay.optional(),
        to: localDay.optional(),
      }),
    )
    .output(z.object({ sales: z.array(counterSale), total: z.int() })),
  one: endpoint('GET', '/admin/sales/{sale_id}', 'staff:sales.sell', TAG, 'Una venta')
    .input(z.object({ sale_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(saleOutput),
  /** Receives the amount a sale still owes, or part of it. */
  pay: endpoint('POST', '/admin/sales/{sale_id}/payments', 'staff:sales.sell', TAG, 'Cobrar un adeudo')
    .input(z.object({ sale_id: pathId, location_id: id.nullish(), payments: z.array(paymentSent).min(1).max(10) }))
    .errors(refusals('NOT_FOUND', ...PAYING, 'IDEMPOTENCY_KEY_REUSED'))
    .output(saleOutput),
  /** The receipt of a whole sale as a PDF: every item and every payment. */
  receipt: endpoint('GET', '/admin/sales/{sale_id}/receipt', 'staff:sales.sell', TAG, 'Comprobante de una venta')
    .input(z.object({ sale_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
  /**
   * Mails the receipt of a whole sale, also again or to another address, 20 times an hour for each sale. CUSTOMER_WITHOUT_EMAIL when no
   * address is given and its customer has none.
   */
  mailReceipt: endpoint(
    'POST',
    '/admin/sales/{sale_id}/receipt/mail',
    'staff:sales.sell',
    TAG,
    'Enviar por correo el comprobante de una venta',
  )
    .input(
      z.object({
        sale_id: pathId,
        email: z.email('Escribe un correo válido.').max(254).optional().describe('A qué correo; ausente: al de quien compró.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'CUSTOMER_WITHOUT_EMAIL', 'IDEMPOTENCY_KEY_REUSED'))
    .output(done),
  /** An address that opens the receipt of a sale without a log-in for 30 days, to send it with WhatsApp, and the name of its customer. */
  receiptLink: endpoint('GET', '/admin/sales/{sale_id}/receipt/link', 'staff:sales.sell', TAG, 'Enlace al comprobante de una venta')
    .input(z.object({ sale_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        url: z.string().describe('La dirección del PDF.'),
        until: instant.describe('Hasta cuándo abre.'),
        to: z
          .object({
            name: z.string().describe('Cómo se llama quien compró.'),
            email: z.string().nullable().describe('Su correo.'),
            phone: z.string().nullable().describe('Su teléfono.'),
          })
          .nullable()
          .describe('Quien compró; null: público en general.'),
      }),
    ),
  /** The receipt of a whole sale by its signed link. NOT_FOUND for an invalid or expired one. */
  receiptByLink: endpoint('GET', '/sale_receipts/{token}', 'public', TAG, 'Comprobante de una venta, con un enlace')
    .input(z.object({ token: z.string().min(1).max(200).describe('El enlace.') }))
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
  /** The photo of a transfer's proof, with a signed address that works for some minutes. NOT_FOUND where there is none. */
  proof: endpoint('GET', '/admin/invoices/{invoice_id}/proof', 'staff:sales.sell', TAG, 'Comprobante de una transferencia')
    .input(z.object({ invoice_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ file: file.describe('Foto o PDF, con una dirección que abre por unos minutos.') })),
  /** Confirms that a transfer arrived: the whole payment that the charge is part of counts from now on. */
  confirm: endpoint('POST', '/admin/invoices/{invoice_id}/confirm', 'staff:sales.sell', TAG, 'Confirmar una transferencia')
    .input(z.object({ invoice_id: pathId, reference: singleLine(80).nullish() }))
    .errors(refusals('NOT_FOUND', 'PAYMENT_DECIDED', 'CASH_SESSION_CLOSED'))
    .output(saleOutput),
  /** Records that a transfer never arrived: its amount is owed again. */
  reject: endpoint('POST', '/admin/invoices/{invoice_id}/reject', 'staff:sales.sell', TAG, 'Una transferencia no llegó')
    .input(z.object({ invoice_id: pathId, reason }))
    .errors(refusals('NOT_FOUND', 'PAYMENT_DECIDED'))
    .output(saleOutput),
}
