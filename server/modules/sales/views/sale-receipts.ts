/** The receipt of a whole sale at the counter (docs/domain.md S16). */
import type { CounterSale } from '#contract/counter-sales.ts'
import { refuse } from '#contract/errors.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { sumRefundedOfSale } from '#server/modules/sales/store/sale-store.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import { loadLogo } from './receipts.ts'
import type { SaleReceiptFacts, saleReceiptPdf } from './sale-receipt-pdf.ts'
import { readSales } from './sale-view.ts'

const drawPdf = onWorkerThread<typeof saleReceiptPdf>(new URL('./sale-receipt-pdf.ts', import.meta.url), 'saleReceiptPdf')

const isNothing = (amount: string): boolean => Number(amount) === 0

/** A sale of the caller's locations; for a job of any. NOT_FOUND. */
export async function saleHere(ctx: Ctx, sale_id: number): Promise<CounterSale> {
  const [sale] = (await readSales(ctx.db, { sale_ids: [sale_id], locations: ctx.locationIds }, { number: 1, size: 1 })).sales
  if (!sale) throw refuse('NOT_FOUND')
  return sale
}

/** The receipt of a sale with all its items and payments, as a PDF. NOT_FOUND, also for a sale of another location. */
export async function saleReceipt(ctx: Ctx, { sale_id }: { sale_id: number }): Promise<File> {
  return drawSaleReceipt(ctx, sale_id, await saleHere(ctx, sale_id))
}

export async function drawSaleReceipt(ctx: Ctx, sale_id: number, sale: CounterSale): Promise<File> {
  const { settings, zone } = ctx
  const [refunded, logo] = await Promise.all([sumRefundedOfSale(ctx.db, sale_id), loadLogo(ctx)])
  const at = new Date(sale.createdAt)
  const listed = sale.lines.reduce((sum, item) => sum + (parsePesos(item.list) ?? 0), 0)
  const discount = listed - (parsePesos(sale.total) ?? 0)
  const facts: SaleReceiptFacts = {
    studio: settings,
    logo,
    at,
    folio: sale.folio ?? '',
    about: `${formatInstant(at, zone, 'date')} · ${sale.location.name} · Atendió ${sale.staff.name}`,
    customer: sale.customer ? `${sale.customer.name} ${sale.customer.last_name}`.trim() : 'Público en general',
    items: sale.lines.map(({ title, quantity, list, gift_to }) => ({
      label: `${quantity > 1 ? `${quantity} × ` : ''}${title}${gift_to ? ` para ${gift_to.name}` : ''}`,
      amount: formatPesos(list),
    })),
    sums: [
      ...(discount > 0 ? [{ label: 'Descuento', amount: `-${formatMoney(discount)}` }] : []),
      ...(isNothing(sale.iva) ? [] : [{ label: 'IVA incluido', amount: formatPesos(sale.iva) }]),
    ],
    total: `${formatPesos(sale.total)} MXN`,
    payments: [
      ...sale.payments
        .filter(({ state }) => state !== 'void')
        .map(({ name, last_digits, amount, state }) => ({
          label: `${name}${last_digits ? ` ···${last_digits}` : ''}${state === 'pending' ? ' (por confirmar)' : ''}`,
          amount: formatPesos(amount),
        })),
      ...(isNothing(sale.change) ? [] : [{ label: 'Cambio', amount: formatPesos(sale.change) }]),
      ...(isNothing(sale.owed) ? [] : [{ label: 'Queda por pagar', amount: formatPesos(sale.owed) }]),
    ],
    notes: refunded > 0 ? [`Se devolvieron ${formatMoney(refunded)} MXN.`] : [],
    taxpayer: [settings.business_legal_name, settings.business_rfc && `RFC ${settings.business_rfc}`].filter(Boolean),
    contact: [settings.email, settings.location].filter(Boolean),
  }
  return new File([await drawPdf(facts)], `comprobante-${facts.folio}.pdf`, { type: 'application/pdf', lastModified: at.getTime() })
}
