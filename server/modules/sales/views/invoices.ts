/** A customer's charges: 'Mis Cargos' (S1-2.90, S1-7.41; docs/domain.md V21). */
import { INVOICES_PER_PAGE, type Invoice } from '#contract/invoices.ts'
import { pesos } from '#contract/money.ts'
import { wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type InvoiceView, listInvoiceViews } from '#server/modules/sales/store/invoice-store.ts'

/** A charge as its customer sees it. `zone`: the studio's time zone. */
export function serializeInvoice({ invoice, owed, purchase, pack }: InvoiceView, zone: string): Invoice {
  const takenAt = invoice.paidAt ?? invoice.createdAt
  return {
    invoice_id: invoice.invoice_id,
    purchase_id: invoice.purchase_id,
    class_package: pack && { ...pack, image: pack.image ? { src: pack.image } : null },
    purchase,
    total_payment: pesos(invoice.total_centavos),
    refunded: pesos(invoice.refunded_centavos),
    refund_owed: pesos(owed),
    createdAt: takenAt.toISOString(),
    created_date: wallClock(takenAt, zone).toISOString(),
    status: invoice.status,
    payment_method: invoice.label ? { name: invoice.label } : null,
  }
}

/** The caller's charges, newest first, fifty a page (S1-7.41), without those of gifts to them (S10). */
export async function myInvoices(ctx: Ctx, input: { page: number }): Promise<{ invoices: Invoice[]; total: number }> {
  const mine = { customer_id: ctx.customer.customer_id, isOwn: true }
  const { rows, total } = await listInvoiceViews(ctx.db, mine, { number: input.page, size: INVOICES_PER_PAGE })
  return { invoices: rows.map((row) => serializeInvoice(row, ctx.zone)), total }
}
