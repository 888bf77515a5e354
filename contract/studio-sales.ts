/** What the studio does with sales: lists, refunds, access given and taken, subscriptions paused (spec 1 sections 6 and 7; payments study section 2). */
import * as z from 'zod'
import { received } from './counter.ts'
import { endpoint, id, instant, localDay, pageNumber, paragraph, pathId, pesosWire, refusals, singleLine, unlessNull } from './endpoint.ts'
import { invoice, invoiceStatus } from './invoices.ts'
import { purchase, purchaseStatus } from './sales.ts'

/** Rows per page of the studio's lists. */
export const STUDIO_SALES_PER_PAGE = 50

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const whose = z.object({ customer_id: id, name: z.string(), last_name: z.string(), email: z.string() })

/** A purchase as the studio sees it. */
export const studioPurchase = purchase.extend({
  customer: whose,
  gateway: z.string(),
  cancel_reason: z.string().nullable(),
  /** A bank looks into one of its charges: what it gave rests. */
  disputed: z.boolean(),
  /** Where it was sold and by whom of the staff; null when it was bought online. */
  location_id: id.nullable(),
  staff_id: id.nullable(),
  /** Something that a person must look at. */
  alarm: z.string().nullable(),
})
export type StudioPurchase = z.infer<typeof studioPurchase>

export const studioInvoice = invoice.extend({
  customer: whose,
  /** What took the money: a processor, `efectivo` for cash, `mostrador` for a terminal or a transfer at the counter. */
  gateway: z.string(),
  payment_method_id: id.nullable(),
  /** Where it was received and by whom of the staff; null when it was charged online. */
  location_id: id.nullable(),
  staff_id: id.nullable(),
  /** What the slip of the terminal or the transfer says. */
  reference: z.string().nullable(),
  /** The till that it was received in. */
  cash_session_id: id.nullable(),
  /** Frozen with the charge: the rate in percent, and the pesos before tax and of tax. */
  tax: z.object({ rate: z.number(), net: pesosWire, amount: pesosWire }),
})
export type StudioInvoice = z.infer<typeof studioInvoice>

/** Money given back by staff: `asked` while the processor works on it, `refused` when it would not. */
export const refund = z.object({
  refund_id: id,
  invoice_id: id,
  amount: pesosWire,
  reason: z.string(),
  by_hand: z.boolean(),
  state: z.enum(['asked', 'done', 'refused']),
  /** How the money went back. */
  payment_method_id: id.nullable(),
  /** The till that it was given back from. */
  cash_session_id: id.nullable(),
  staff_id: id.nullable(),
  createdAt: instant,
  created_date: instant,
  /** When the money went back, and on the studio's clocks: the day on which it counts. */
  doneAt: instant.nullable(),
  done_date: instant.nullable(),
  /** When it came back to the studio because the processor could not deliver it (V37). */
  returnedAt: instant.nullable(),
})
export type Refund = z.infer<typeof refund>

const answer = z.object({ purchase: studioPurchase })
/** Studio-local days, both included. */
const days = { from: localDay.optional(), to: localDay.optional() }
const query = singleLine(120).optional()
/** How it was paid, where and by whom of the staff. */
const counter = { payment_method_id: pathId.optional(), location_id: pathId.optional(), staff_id: pathId.optional() }
const till = { cash_session_id: pathId.optional() }
const byWay = {
  gateway: z.string(),
  payment_method_id: id.nullable(),
  /** What the studio calls the way of paying; null for a processor's own. */
  name: z.string().nullable(),
}

export const studioSales = {
  /**
   * Purchases, newest first, with sums of all that the filter finds. `query`: words in name, e-mail, telephone, title, discount's code or
   * number of the order, in any order and without accents.
   */
  purchases: endpoint('GET', '/admin/purchases', 'staff:sales.sell', 'Compras del estudio', 'Compras')
    .input(
      z.object({
        page: pageNumber.default(1),
        status: purchaseStatus.optional(),
        customer_id: pathId.optional(),
        class_package_id: pathId.optional(),
        gateway: singleLine(30).optional(),
        ...counter,
        query,
        ...days,
      }),
    )
    .output(
      z.object({
        purchases: z.array(studioPurchase),
        total: z.int(),
        sum: z.object({
          total: z.string(),
          by_status: z.array(z.object({ status: purchaseStatus, count: z.int(), total: z.string() })),
          by_way: z.array(z.object({ ...byWay, count: z.int(), total: z.string() })),
        }),
      }),
    ),
  /** One purchase with its charges and what was given back of them. */
  purchase: endpoint('GET', '/admin/purchases/{purchase_id}', 'staff:sales.sell', 'Compras del estudio', 'Una compra')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND'))
    .output(z.object({ purchase: studioPurchase, invoices: z.array(studioInvoice), refunds: z.array(refund) })),
  /** The receipt of a purchase as a PDF. */
  receipt: endpoint('GET', '/admin/purchases/{purchase_id}/receipt', 'staff:sales.sell', 'Compras del estudio', 'Comprobante')
    .input(z.object({ purchase_id: pathId, invoice_id: pathId.optional() }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'RECEIPT_NONE'))
    .output(z.file()),
  /**
   * Charges, newest first, with the sums of all that the filter finds. With days, the sums are what happened on them: charges taken, money
   * given back and money lost, whatever day its charge was on, so that those of a day that is over never change.
   */
  invoices: endpoint('GET', '/admin/invoices', 'staff:sales.sell', 'Compras del estudio', 'Cargos')
    .input(
      z.object({
        page: pageNumber.default(1),
        status: invoiceStatus.optional(),
        customer_id: pathId.optional(),
        purchase_id: pathId.optional(),
        gateway: singleLine(30).optional(),
        ...counter,
        ...till,
        query,
        ...days,
      }),
    )
    .output(
      z.object({
        invoices: z.array(studioInvoice),
        total: z.int(),
        /**
         * `lost`: what banks took back and was not refunded before; what is kept is charged less refunded and lost. `tax`: IVA of what was charged.
         * `disputed` is no movement: what banks look into now, of the charges that are found.
         */
        sum: z.object({
          charged: z.string(),
          tax: z.string(),
          refunded: z.string(),
          lost: z.string(),
          disputed: z.string(),
          by_status: z.array(z.object({ status: invoiceStatus, count: z.int(), charged: z.string() })),
          by_way: z.array(z.object({ ...byWay, count: z.int(), charged: z.string(), refunded: z.string(), lost: z.string() })),
        }),
      }),
    ),
  /**
   * What was given back, by the day on which it went back: latest first. One that a processor could not deliver is found on its day and on
   * the day on which it came back, where it counts in `returned`.
   */
  refunds: endpoint('GET', '/admin/refunds', 'staff:sales.sell', 'Compras del estudio', 'Devoluciones')
    .input(
      z.object({
        page: pageNumber.default(1),
        customer_id: pathId.optional(),
        purchase_id: pathId.optional(),
        gateway: singleLine(30).optional(),
        ...counter,
        ...till,
        query,
        ...days,
      }),
    )
    .output(
      z.object({
        refunds: z.array(
          refund.extend({ customer: whose, gateway: z.string(), purchase: z.object({ purchase_id: id, title: z.string() }) }),
        ),
        total: z.int(),
        sum: z.object({ refunded: z.string(), returned: z.string() }),
      }),
    ),
  /**
   * Gives money back: the rest of a charge, or `amount` of it. Through the processor that took it, or `by_hand` when it went another way.
   * A whole refund takes back what it bought; a part takes nothing. A subscription goes on unless `cancel_subscription`.
   */
  refund: endpoint('POST', '/admin/purchases/{purchase_id}/refund', 'staff:sales.refund', 'Compras del estudio', 'Devolver dinero')
    .input(
      z.object({
        purchase_id: pathId,
        /** Needed when the purchase has several charges with money left. */
        invoice_id: id.optional(),
        /** Pesos, "350" or "350.50". */
        amount: singleLine(12).optional(),
        reason,
        by_hand: z.boolean().default(false),
        /** How it is given back by hand; cash when nothing is said. */
        payment_method_id: id.nullish(),
        cancel_subscription: z.boolean().default(false),
      }),
    )
    .errors(
      refusals(
        'PURCHASE_NOT_FOUND',
        'REFUND_NOTHING_LEFT',
        'REFUND_TOO_MUCH',
        'REFUND_REFUSED',
        'CHARGE_DISPUTED',
        'PAYMENT_METHOD_UNAVAILABLE',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(z.object({ purchase: studioPurchase, refund })),
  /** Suspends the charges of a subscription: what is paid lasts until its end, nothing is charged or given until it goes on. */
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
  /** Gives a package to a customer (S1-7.11): as a gift, or paid to the studio. `package_days`: other days of life than the package's. */
  giveAccess: endpoint('POST', '/customer/giveAccess', 'staff:sales.sell', 'Compras del estudio', 'Dar acceso')
    .input(
      z.object({
        customer_id: id,
        class_package_id: id,
        package_days: z.int().min(1).max(3_650).nullish(),
        is_gift: z.boolean().nullish(),
        ...received,
        /** Whether the money is written down as a charge of today (default), or was already elsewhere. Gifts have none. */
        bill: z.boolean().nullish(),
        /** Beyond `limit_per_customer` all the same: with a `reason`. */
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
    .output(answer),
  /** Takes a purchase's access away at once (S1-7.12): credits, places to come, the subscription. No money goes back. Twice answers the same. */
  revokeAccess: endpoint('PUT', '/customer/revokeAccess', 'staff:credits.edit', 'Compras del estudio', 'Quitar acceso')
    .input(z.object({ purchase_id: id, reason: unlessNull(paragraph(300)) }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS'))
    .output(answer),
  /** Subtracts classes from what a customer has (S1-7.13), from what would be spent first. */
  removeClasses: endpoint('PUT', '/customer/removeClasses', 'staff:credits.edit', 'Compras del estudio', 'Restar clases')
    .input(z.object({ customer_id: id, amount: z.int().min(1).max(1_000), reason: unlessNull(singleLine(300)) }))
    .errors(refusals('NOT_FOUND', 'NOT_ENOUGH_CLASSES', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ removed: z.int(), available: z.int() })),
}
