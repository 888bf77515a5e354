/** Sales for staff: lists, refunds, access granted and revoked, subscriptions paused (spec 1 sections 6 and 7). */
import * as z from 'zod'
import { received } from './counter.ts'
import {
  anyOf,
  endpoint,
  id,
  instant,
  localDay,
  numberBetween,
  pageNumber,
  paragraph,
  pathId,
  pesosWire,
  refusals,
  singleLine,
  unlessNull,
  yesOrNo,
} from './endpoint.ts'
import { invoice, invoiceStatus } from './invoices.ts'
import { purchase, purchaseStatus } from './sales.ts'
import { actUndo } from './undo-act.ts'

/** Default and maximum number of rows per page of the studio's lists. */
export const STUDIO_SALES_PER_PAGE = 50
export const STUDIO_SALES_PER_PAGE_MAX = 200

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const whose = z.object({ customer_id: id, name: z.string(), last_name: z.string(), email: z.string().nullable() })

/** A purchase for staff. */
export const studioPurchase = purchase.extend({
  customer: whose.extend({
    phone: z.string().nullable(),
    has_file: z.boolean().describe('Si tiene ficha: no la tienen el público en general ni quien pidió borrar sus datos.'),
  }),
  gift_from: z
    .object({ customer_id: id, name: z.string(), last_name: z.string() })
    .nullable()
    .describe('Quien la compró en recepción para regalarla; null: no es de regalo.'),
  gateway: z.string(),
  cancel_reason: z.string().nullable(),
  can_change_plan: z.boolean().describe('Si se puede cambiar a otra suscripción.'),
  /** One of its charges is disputed: its credits are suspended. */
  disputed: z.boolean(),
  /** Location and staff member of the sale; null when it was bought online. */
  location_id: id.nullable(),
  staff_id: id.nullable(),
  /** Something that staff have to check. */
  alarm: z.string().nullable(),
})
export type StudioPurchase = z.infer<typeof studioPurchase>

/** A change of a purchase to another plan. */
const planChange = z.object({
  state: z.enum(['scheduled', 'waiting', 'done', 'failed']).describe('Programado, por cobrar, hecho o sin cobrar.'),
  class_package_id: id,
  title: z.string().describe('El plan nuevo.'),
  total: pesosWire.describe('Lo que se cobra al empezar.'),
  starts_at: instant.nullable().describe('Cuándo empieza, si está programado.'),
  replaced_by: id.nullable().describe('La compra del plan nuevo; null: todavía no empieza.'),
})
export type PlanChange = z.infer<typeof planChange>

export const studioInvoice = invoice.extend({
  customer: whose,
  /** Where the money was taken: a processor, `efectivo` for cash, `mostrador` for a terminal or a transfer at the counter. */
  gateway: z.string(),
  payment_method_id: id.nullable(),
  /** Location and staff member that received it; null when it was charged online. */
  location_id: id.nullable(),
  staff_id: id.nullable(),
  /** Reference on the terminal's slip or of the transfer. */
  reference: z.string().nullable(),
  /** The cash session that received it. */
  cash_session_id: id.nullable(),
  /** The part of it that a bank took; 0.00 while it is not `lost`. */
  lost: pesosWire.describe('Lo que un banco se llevó de este cargo, en pesos.'),
  /** Frozen with the charge: the rate in percent, and the net and tax amounts in pesos. */
  tax: z.object({
    rate: z.number(),
    exempt: z.boolean().describe('Exento de IVA, que no es una tasa de 0 %.'),
    net: pesosWire,
    amount: pesosWire,
  }),
})
export type StudioInvoice = z.infer<typeof studioInvoice>

/** A refund by staff: `asked` while the processor works on it, `refused` when it failed. */
export const refund = z.object({
  refund_id: id,
  invoice_id: id,
  amount: pesosWire,
  reason: z.string(),
  by_hand: z.boolean(),
  state: z.enum(['asked', 'done', 'refused']),
  /** How the money was refunded. */
  payment_method_id: id.nullable(),
  /** The cash session that paid it out. */
  cash_session_id: id.nullable(),
  staff_id: id.nullable(),
  createdAt: instant,
  created_date: instant,
  /** When the money was refunded, also as local day: the day on which it counts. */
  doneAt: instant.nullable(),
  done_date: instant.nullable(),
  /** When the processor reported that it could not be delivered (V37). */
  returnedAt: instant.nullable(),
})
export type Refund = z.infer<typeof refund>

const answer = z.object({ purchase: studioPurchase })
const undo = actUndo.nullable().describe('Cómo se deshace; null: no se puede.')
/** Input of a refund by staff. */
export const refundInput = z.object({
  purchase_id: pathId,
  /** Required when the purchase has several charges with money left. */
  invoice_id: id.optional(),
  /** Pesos, "350" or "350.50". */
  amount: singleLine(12).optional(),
  reason,
  by_hand: z.boolean().default(false),
  /** Payment method of a refund by hand; default: cash. */
  payment_method_id: id.nullish(),
  /** Pieces of a product that the customer gave back. */
  restock: z.int().min(0).max(50).default(0),
  cancel_subscription: z.boolean().default(false),
})
/** Studio-local days, both included. */
const days = { from: localDay.optional(), to: localDay.optional() }
const query = singleLine(120).optional()
/** Payment method, location and staff member. */
const counter = { payment_method_id: pathId.optional(), location_id: pathId.optional(), staff_id: pathId.optional() }
const till = { cash_session_id: pathId.optional() }
const pages = {
  page: pageNumber.default(1),
  per_page: numberBetween(1, STUDIO_SALES_PER_PAGE_MAX).default(STUDIO_SALES_PER_PAGE),
}
/** Sums of a whole list add up what the studio took in, which `reports.money` shows (E2). */
const SUMS = 'Sumas de todo lo que coincide, en pesos; null: la persona no ve el dinero del estudio.'
const teamNames = z
  .array(z.object({ staff_id: id, name: z.string() }))
  .describe('Quienes trabajan o trabajaron aquí, por nombre, para filtrar y nombrar a quien vendió.')
const SORT = 'El orden: por una columna; con `-`, al revés.'

/** What a list of purchases is narrowed by. */
export const purchaseFilter = {
  status: anyOf(purchaseStatus).optional().describe('Estados; se repite la clave para varios.'),
  customer_id: pathId.optional(),
  class_package_id: pathId.optional(),
  gateway: singleLine(30).optional(),
  discount_id: pathId.optional().describe('Con este código de descuento.'),
  past_due: yesOrNo.optional().describe('Si una renovación no pasó.'),
  paused: yesOrNo.optional().describe('Si sus cobros están en pausa.'),
  sold: yesOrNo
    .optional()
    .describe('Solo las vendidas: sin regalos ni intentos, con los días por el de su venta y no por el de su creación.'),
  with_online: yesOrNo.optional().describe('Con `location_id`: también las que no son de ningún estudio, como las hechas en línea.'),
  ...counter,
  ...till,
  query,
  ...days,
  sort: z.enum(['created', '-created', 'total', '-total', 'name', '-name']).default('-created').describe(SORT),
}
/** What a list of charges is narrowed by. */
export const invoiceFilter = {
  status: anyOf(invoiceStatus).optional().describe('Estados; se repite la clave para varios. Sin ella, los que cobraron dinero.'),
  customer_id: pathId.optional(),
  purchase_id: pathId.optional(),
  class_package_id: pathId.optional(),
  gateway: singleLine(30).optional(),
  ...counter,
  ...till,
  query,
  ...days,
  sort: z.enum(['taken', '-taken', 'total', '-total', 'name', '-name']).default('-taken').describe(SORT),
}
/** What a list of refunds is narrowed by. */
export const refundFilter = {
  customer_id: pathId.optional(),
  purchase_id: pathId.optional(),
  class_package_id: pathId.optional(),
  gateway: singleLine(30).optional(),
  ...counter,
  ...till,
  query,
  ...days,
  sort: z.enum(['done', '-done', 'amount', '-amount', 'name', '-name']).default('-done').describe(SORT),
}
const byPaymentMethod = {
  gateway: z.string(),
  payment_method_id: id.nullable(),
  /** The studio's name of the payment method; null for a processor's own. */
  name: z.string().nullable(),
}

/** Reservations that one purchase shows of those that it paid. */
export const PAID_RESERVATIONS_SHOWN = 50

const purchaseGrants = z.object({
  lots: z
    .array(
      z.object({
        available_class_id: id,
        title: z.string().describe('Cómo se llama lo que dio.'),
        state: z.enum(['alive', 'frozen', 'used_up', 'expired', 'revoked']).describe('Vigente, congelado, usado, vencido o retirado.'),
        granted: z.int().describe('Clases que dio; -1: ilimitadas.'),
        available_classes: z.int().describe('Clases que quedan; -1: ilimitadas.'),
        expiration_date: instant.nullable().describe('Hasta cuándo se puede usar, en el reloj del estudio; null: su plazo no ha empezado.'),
      }),
    )
    .describe('Los créditos que dio, los primeros primero.'),
  class_reservations: z
    .array(
      z.object({
        class_reservation_id: id,
        class_type: z.string().describe('Tipo de clase.'),
        class_date: instant.describe('Cuándo es, en el reloj de su estudio.'),
        location: z.string().describe('Estudio (sucursal).'),
        guest: z.string().nullable().describe('El invitado al que se le pagó; null: fue para la persona.'),
        status: z.enum(['reserved', 'attended', 'absent', 'cancelled']).describe('Reservada, llegó, no asistió o cancelada.'),
      }),
    )
    .describe('Los lugares que se pagaron con ella, la última clase primero; hasta 50.'),
  class_reservations_total: z.int().describe('Cuántos lugares se pagaron con ella.'),
})
export type PurchaseGrants = z.infer<typeof purchaseGrants>

export const studioSales = {
  /**
   * Purchases of the caller's locations and online ones, with sums of all that match (E14). `query`: words in name, email, phone, title,
   * discount code or order number, in any order and without accents.
   */
  purchases: endpoint('GET', '/admin/purchases', 'staff:sales.sell', 'Compras del estudio', 'Compras')
    .input(z.object({ ...pages, ...purchaseFilter }))
    .output(
      z.object({
        purchases: z.array(studioPurchase),
        total: z.int(),
        people: teamNames,
        sum: z
          .object({
            total: z.string(),
            by_status: z.array(z.object({ status: purchaseStatus, count: z.int(), total: z.string() })),
            by_way: z.array(z.object({ ...byPaymentMethod, count: z.int(), total: z.string() })),
          })
          .nullable()
          .describe(SUMS),
      }),
    ),
  /** One purchase with its charges and refunds, its grants and the reservations that were paid with them. */
  purchase: endpoint('GET', '/admin/purchases/{purchase_id}', 'staff:sales.sell', 'Compras del estudio', 'Una compra')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND'))
    .output(
      z.object({
        purchase: studioPurchase,
        invoices: z.array(studioInvoice),
        refunds: z.array(refund),
        grants: purchaseGrants.describe('Lo que dio y qué pasó con ello.'),
        plan_change: planChange.nullable().describe('El cambio de plan más reciente de la compra; null: ninguno.'),
        sale_id: id.nullable().describe('La venta en recepción de la que es parte; null: ninguna, o una orden que aún no se paga.'),
        note: z.string().nullable().describe('Nota de quienes trabajan en el estudio; la de su venta, si se hizo en recepción.'),
      }),
    ),
  /**
   * Writes, changes or removes the note of a purchase; of one sold at the counter, that of its whole sale. The audit trail has
   * every change.
   */
  note: endpoint('PUT', '/admin/purchases/{purchase_id}/note', 'staff:sales.sell', 'Compras del estudio', 'Escribir la nota de una compra')
    .input(
      z.object({
        purchase_id: pathId,
        note: paragraph(1_000).nullable().describe('La nota; null o vacía la quita.'),
      }),
    )
    .errors(refusals('PURCHASE_NOT_FOUND'))
    .output(z.object({ note: z.string().nullable().describe('La nota como quedó.') })),
  /** The receipt of a purchase as a PDF. */
  receipt: endpoint('GET', '/admin/purchases/{purchase_id}/receipt', 'staff:sales.sell', 'Compras del estudio', 'Comprobante')
    .input(z.object({ purchase_id: pathId, invoice_id: pathId.optional() }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'RECEIPT_NONE'))
    .output(z.file()),
  /**
   * Charges with the sums of all that match. With days, the sums are of what happened on them (charges, refunds and lost
   * disputes, whatever the day of the charge), so that the sums of past days never change.
   */
  invoices: endpoint('GET', '/admin/invoices', 'staff:sales.sell', 'Compras del estudio', 'Cargos')
    .input(z.object({ ...pages, ...invoiceFilter }))
    .output(
      z.object({
        invoices: z.array(studioInvoice),
        total: z.int(),
        people: teamNames,
        /**
         * `lost`: lost in disputes and not refunded before; revenue is charged less refunded and lost. `tax`: IVA of the charges.
         * `disputed` is not a movement: charges in dispute now, among those that match.
         */
        sum: z
          .object({
            charged: z.string(),
            tax: z.string(),
            refunded: z.string(),
            lost: z.string(),
            disputed: z.string(),
            by_status: z.array(z.object({ status: invoiceStatus, count: z.int(), charged: z.string() })),
            by_way: z.array(z.object({ ...byPaymentMethod, count: z.int(), charged: z.string(), refunded: z.string(), lost: z.string() })),
          })
          .nullable()
          .describe(SUMS),
      }),
    ),
  /**
   * Refunds by the day on which they were made. One that the processor could not deliver is listed on its day and on the day of that
   * report, where it counts in `returned`.
   */
  refunds: endpoint('GET', '/admin/refunds', 'staff:sales.sell', 'Compras del estudio', 'Devoluciones')
    .input(z.object({ ...pages, ...refundFilter }))
    .output(
      z.object({
        refunds: z.array(
          refund.extend({ customer: whose, gateway: z.string(), purchase: z.object({ purchase_id: id, title: z.string() }) }),
        ),
        total: z.int(),
        people: teamNames,
        sum: z.object({ refunded: z.string(), returned: z.string() }).nullable().describe(SUMS),
      }),
    ),
  /**
   * Refunds money: the remainder of a charge, or `amount` of it. Through the processor that took it, or `by_hand` by another payment
   * method. A full refund revokes what was bought; a partial one revokes nothing. A subscription continues unless `cancel_subscription`.
   */
  refund: endpoint('POST', '/admin/purchases/{purchase_id}/refund', 'staff:sales.refund', 'Compras del estudio', 'Devolver dinero')
    .input(refundInput)
    .errors(
      refusals(
        'PURCHASE_NOT_FOUND',
        'REFUND_NOTHING_LEFT',
        'REFUND_TOO_MUCH',
        'REFUND_REFUSED',
        'REFUND_IN_PROGRESS',
        'CHARGE_DISPUTED',
        'GIFT_CARD_BALANCE',
        'PAYMENT_METHOD_UNAVAILABLE',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(z.object({ purchase: studioPurchase, refund })),
  /** Pauses the charges of a subscription: the paid period lasts until its end; no charges and no credits until it is resumed. */
  pause: endpoint(
    'POST',
    '/admin/purchases/{purchase_id}/pause',
    'staff:subscriptions.edit',
    'Compras del estudio',
    'Pausar una suscripción',
  )
    .input(z.object({ purchase_id: pathId, reason }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_PAUSABLE'))
    .output(answer),
  resume: endpoint(
    'POST',
    '/admin/purchases/{purchase_id}/resume',
    'staff:subscriptions.edit',
    'Compras del estudio',
    'Reanudar una suscripción',
  )
    .input(z.object({ purchase_id: pathId, reason }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_PAUSABLE'))
    .output(answer),
  /**
   * Grants a package to a customer (S1-7.11): as a gift, or paid at the studio. `package_days`: days of validity other than the package's.
   * What was given without recording money can be taken back for ten minutes, while nothing was done with it.
   */
  giveAccess: endpoint('POST', '/customer/giveAccess', 'staff:sales.sell', 'Compras del estudio', 'Dar acceso')
    .input(
      z.object({
        customer_id: id,
        class_package_id: id,
        package_days: z.int().min(1).max(3_650).nullish(),
        is_gift: z.boolean().nullish(),
        ...received,
        /** Whether the money is recorded as a charge of today (default), or was recorded elsewhere. Gifts have no charge. */
        bill: z.boolean().nullish(),
        /** Allows exceeding `limit_per_customer`; requires a `reason`. */
        over_limit: z.boolean().nullish(),
        reason: unlessNull(singleLine(300)),
      }),
    )
    .errors(
      refusals(
        'NOT_FOUND',
        'PACKAGE_NOT_FOUND',
        'PACKAGE_SOLD_OUT',
        'PAYMENT_METHOD_UNAVAILABLE',
        'PURCHASE_CLOSED',
        'PAYMENT_IN_PROGRESS',
        'OVER_LIMIT_REASON',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(answer.extend({ undo })),
  /** Revokes a purchase's access at once (S1-7.12): credits, upcoming reservations, the subscription. No refund. Idempotent. */
  revokeAccess: endpoint('PUT', '/customer/revokeAccess', 'staff:credits.edit', 'Compras del estudio', 'Quitar acceso')
    .input(z.object({ purchase_id: id, reason: unlessNull(paragraph(300)) }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS'))
    .output(answer),
  /** Subtracts classes from a customer's credits (S1-7.13), in the order in which they would be spent. */
  removeClasses: endpoint('PUT', '/customer/removeClasses', 'staff:credits.edit', 'Compras del estudio', 'Restar clases')
    .input(z.object({ customer_id: id, amount: z.int().min(1).max(1_000), reason: unlessNull(singleLine(300)) }))
    .errors(refusals('NOT_FOUND', 'NOT_ENOUGH_CLASSES', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ removed: z.int(), available: z.int(), undo })),
}
