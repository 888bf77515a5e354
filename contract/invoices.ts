/** 'Mis Cargos': a customer's charges (spec 1 sections 2, 3 and 7; spec 2 section 2). */
import * as z from 'zod'
import { classPackage } from './catalogue.ts'
import { endpoint, id, instant, pageNumber, pathId, pesosWire, refusals } from './endpoint.ts'

/** Charges per page of a list. */
export const INVOICES_PER_PAGE = 50

/**
 * State of a charge: `paid`; `refunded` completely or in part; `disputed` while the card holder's bank examines it, `lost` when the bank
 * took the money back; `failed` and `void` brought no money.
 */
export const invoiceStatus = z.enum(['pending', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed', 'lost', 'void'])
export type InvoiceStatus = z.infer<typeof invoiceStatus>

/** One charge: money that a processor or the counter received (S1-3.30). A free purchase and the start of a trial have none. */
export const invoice = z.object({
  invoice_id: id,
  purchase_id: id,
  /** Null for a single place in a class. */
  class_package: classPackage.pick({ class_package_id: true, title: true, image: true }).nullable(),
  purchase: z.object({ purchase_id: id, title: z.string(), status: z.string(), subscription_id: z.string().nullable() }),
  total_payment: pesosWire,
  /** The part of it that was refunded. */
  refunded: pesosWire,
  /** The part of it whose refund failed: the studio still owes it. */
  refund_owed: pesosWire,
  /** When the money was taken. */
  createdAt: instant,
  /** The same as a wall clock written as UTC, for display (settled 2). */
  created_date: instant,
  status: invoiceStatus,
  /** How it was paid: "Visa ···4242", "Efectivo". */
  payment_method: z.object({ name: z.string() }).nullable(),
})
export type Invoice = z.infer<typeof invoice>

export const invoices = {
  /** My charges, newest first (S1-7.41); `total` counts them all. */
  list: endpoint('GET', '/invoices', 'customer', 'Compras', 'Mis cargos')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(z.object({ invoices: z.array(invoice), total: z.int() })),
  /** The receipt of a purchase as a PDF: of the named charge, default the latest. Not a CFDI (Mexican tax invoice). */
  receipt: endpoint('GET', '/purchases/{id}/receipt', 'customer', 'Compras', 'Comprobante de una compra')
    .input(z.object({ id: pathId, invoice_id: pathId.optional() }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'RECEIPT_NONE'))
    .output(z.file()),
}
