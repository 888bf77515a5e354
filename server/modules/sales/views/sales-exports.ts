/** The lists of sales as files (docs/domain.md V50): what the caller's list shows with the same filter, all pages. */
import type * as z from 'zod'
import { orderNumber } from '#contract/copy/order-number.ts'
import { purchaseStatusText } from '#contract/copy/purchase-texts.ts'
import type { listExports as wire } from '#contract/list-exports.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { contactColumns, type ExportColumn, exportList, momentColumns, pesosCell, rowsByPage } from '#server/modules/list-export.ts'
import { listInvoiceViews, listRefundViews } from '#server/modules/sales/store/invoice-store.ts'
import { listStudioViews } from '#server/modules/sales/store/studio-lists-store.ts'
import { groupSubscriptions, listSubscriptionViews } from '#server/modules/sales/store/subscription-list-store.ts'
import type { PurchaseView } from '#server/modules/sales/store/view-store.ts'
import { serializePurchase } from './purchase-view.ts'
import { toInstants, visibleLocations } from './studio-lists.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

const fullName = ({ name, last_name }: { name: string; last_name: string }): string => `${name} ${last_name}`.trim()

/** The columns of a purchase. */
function purchaseColumns<T>(ctx: Ctx, of: (row: T) => PurchaseView): ExportColumn<T>[] {
  const wire = (row: T) => serializePurchase(of(row), ctx)
  return [
    { header: 'Orden', cell: (row) => orderNumber(of(row).purchase.purchase_id) },
    { header: 'Cliente', cell: (row) => fullName(of(row).buyer) },
    ...contactColumns<T>(ctx, (row) => ({ email: of(row).email, phone: of(row).buyer.phone })),
    { header: 'Paquete', cell: (row) => of(row).purchase.title },
    { header: 'Código', cell: (row) => of(row).purchase.discount_code },
    { header: 'Método', cell: (row) => wire(row).payment_method?.name ?? (of(row).purchase.is_gift ? 'Regalo' : null) },
    ...momentColumns<T>('Fecha', (row) => of(row).purchase.createdAt, ctx.zone),
    { header: 'Precio', isMoney: true, cell: (row) => pesosCell(of(row).purchase.amount_centavos) },
    { header: 'Descuento', isMoney: true, cell: (row) => pesosCell(of(row).purchase.discount_centavos) },
    { header: 'Total', isMoney: true, cell: (row) => pesosCell(of(row).purchase.total_centavos) },
    { header: 'Devuelto', isMoney: true, cell: (row) => pesosCell(of(row).money.refunded) },
    { header: 'Estado', cell: (row) => purchaseStatusText(of(row).purchase.status, null) },
  ]
}

/** Purchases as a file. FORBIDDEN for another location, EXPORT_TOO_LARGE. */
export function exportPurchases(ctx: Ctx, input: Input<'purchases'>): Promise<File> {
  const filter = { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }
  return exportList(ctx, {
    name: 'compras',
    title: 'Compras',
    input,
    columns: purchaseColumns<PurchaseView>(ctx, (view) => view),
    rows: rowsByPage<PurchaseView>(
      (view) => view.purchase.purchase_id,
      (page) => listStudioViews(ctx.db, filter, page, input.sort),
    ),
  })
}

const CHARGE_STATES = {
  pending: 'Por confirmar',
  paid: 'Cobrado',
  failed: 'Fallido',
  refunded: 'Devuelto',
  partially_refunded: 'Devuelto en parte',
  disputed: 'En disputa',
  lost: 'Perdido',
  void: 'Anulado',
} as const

/** Charges as a file. FORBIDDEN for another location, EXPORT_TOO_LARGE. */
export function exportInvoices(ctx: Ctx, input: Input<'invoices'>): Promise<File> {
  const filter = { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }
  type Row = Awaited<ReturnType<typeof listInvoiceViews>>['rows'][number]
  const columns: ExportColumn<Row>[] = [
    { header: 'Orden', cell: ({ purchase }) => orderNumber(purchase.purchase_id) },
    { header: 'Cliente', cell: ({ customer }) => fullName(customer) },
    ...contactColumns<Row>(ctx, ({ customer }) => customer, ['email']),
    { header: 'Paquete', cell: ({ purchase }) => purchase.title },
    { header: 'Método', cell: ({ invoice }) => invoice.label },
    { header: 'Referencia', cell: ({ invoice }) => invoice.reference },
    ...momentColumns<Row>('Fecha', ({ invoice }) => invoice.paidAt ?? invoice.createdAt, ctx.zone),
    { header: 'Cobrado', isMoney: true, cell: ({ invoice }) => pesosCell(invoice.total_centavos) },
    { header: 'Antes de IVA', isMoney: true, cell: ({ invoice }) => pesosCell(invoice.net_centavos) },
    { header: 'IVA', isMoney: true, cell: ({ invoice }) => pesosCell(invoice.tax_centavos) },
    { header: 'Devuelto', isMoney: true, cell: ({ invoice }) => pesosCell(invoice.refunded_centavos) },
    { header: 'Perdido', isMoney: true, cell: ({ invoice }) => pesosCell(invoice.status === 'lost' ? invoice.disputed_centavos : 0) },
    { header: 'Estado', cell: ({ invoice }) => CHARGE_STATES[invoice.status] },
  ]
  return exportList(ctx, {
    name: 'cargos',
    title: 'Cargos',
    input,
    columns,
    rows: rowsByPage<Row>(
      ({ invoice }) => invoice.invoice_id,
      (page) => listInvoiceViews(ctx.db, filter, page, input.sort),
    ),
  })
}

/** Refunds as a file. FORBIDDEN for another location, EXPORT_TOO_LARGE. */
export function exportRefunds(ctx: Ctx, input: Input<'refunds'>): Promise<File> {
  const filter = { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }
  type Row = Awaited<ReturnType<typeof listRefundViews>>['rows'][number]
  const columns: ExportColumn<Row>[] = [
    { header: 'Orden', cell: ({ purchase }) => orderNumber(purchase.purchase_id) },
    { header: 'Cliente', cell: ({ customer }) => fullName(customer) },
    ...contactColumns<Row>(ctx, ({ customer }) => customer, ['email']),
    { header: 'Paquete', cell: ({ purchase }) => purchase.title },
    { header: 'Motivo', cell: ({ refund }) => refund.reason },
    ...momentColumns<Row>('Fecha', ({ refund }) => refund.doneAt, ctx.zone),
    ...momentColumns<Row>('Regresó al estudio', ({ refund }) => refund.returnedAt, ctx.zone),
    { header: 'Devuelto', isMoney: true, cell: ({ refund }) => pesosCell(refund.amount_centavos) },
    { header: 'Por otro medio', cell: ({ refund }) => (refund.by_hand ? 'Sí' : 'No') },
  ]
  return exportList(ctx, {
    name: 'devoluciones',
    title: 'Devoluciones',
    input,
    columns,
    rows: rowsByPage<Row>(
      ({ refund }) => refund.refund_id,
      (page) => listRefundViews(ctx.db, filter, page, input.sort),
    ),
  })
}

const STATES = { active: 'Activa', trial: 'En prueba', past_due: 'Atrasada', paused: 'Pausada', ending: 'Por terminar' } as const

/** Live subscriptions as a file. FORBIDDEN for another location, EXPORT_TOO_LARGE. */
export function exportSubscriptions(ctx: Ctx, input: Input<'subscriptions'>): Promise<File> {
  const { state, format: _, sort, ...rest } = input
  const filter = { ...rest, ...visibleLocations(ctx, input) }
  type Row = Awaited<ReturnType<typeof listSubscriptionViews>>[number]
  const columns: ExportColumn<Row>[] = [
    ...purchaseColumns<Row>(ctx, ({ view }) => view).slice(0, -1),
    { header: 'Estado', cell: (row) => STATES[row.state] },
    { header: 'Próximo cobro', isMoney: true, cell: ({ view }) => chargeOf(ctx, view) },
    ...momentColumns<Row>('Pagada hasta', ({ view }) => view.purchase.benefits_until, ctx.zone),
  ]
  return exportList(ctx, {
    name: 'suscripciones',
    title: 'Suscripciones',
    input,
    columns,
    rows: rowsByPage<Row>(
      ({ view }) => view.purchase.purchase_id,
      async (page) => {
        const [rows, groups] = await Promise.all([
          listSubscriptionViews(ctx.db, filter, state, ctx.now, page, sort),
          groupSubscriptions(ctx.db, filter, ctx.now),
        ])
        return { rows, total: groups.reduce((sum, group) => sum + (state === undefined || group.state === state ? group.count : 0), 0) }
      },
    ),
  })
}

const chargeOf = (ctx: Ctx, view: PurchaseView): number | null => {
  const next = serializePurchase(view, ctx).next_charge
  return next && Number(next.amount)
}
