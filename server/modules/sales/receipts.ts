/** Receipts of what was paid: for their customer, for the studio, and with the mail (V35). */
import { refuse } from '#contract/errors.ts'
import { formatMoney } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ReceiptFacts, receiptPdf } from './receipt-pdf.ts'
import { isLate } from './rules.ts'
import { findOwn, findPurchase, type InvoiceRow, listInvoices } from './store.ts'
import { findView, type PurchaseView } from './view-store.ts'

const classes = (amount: number) => (amount === -1 ? 'Clases ilimitadas' : amount === 1 ? '1 clase' : `${amount} clases`)

/** What a receipt says, from the purchase and the charge that it is for; null = it cost nothing. */
function factsOf(ctx: Ctx, { purchase, buyer, email, method, attempt }: PurchaseView, charge: InvoiceRow | null): ReceiptFacts {
  const { settings, zone } = ctx
  const at = charge?.paidAt ?? charge?.createdAt ?? purchase.createdAt
  const total = charge?.total_centavos ?? 0
  // Only the first charge had the discount in it; a renewal costs what it costs.
  const isFirst = charge !== null && total === purchase.total_centavos && purchase.discount_centavos > 0
  const label = charge?.label ?? (charge ? (attempt?.instrument.label ?? method) : null)
  const refunded = charge?.refunded_centavos ?? 0
  return {
    studio: settings,
    contact: [settings.email, settings.location].filter(Boolean),
    folio: charge ? `00${purchase.purchase_id}-${charge.invoice_id}` : `00${purchase.purchase_id}`,
    day: formatInstant(at, zone, 'date'),
    customer: { name: `${buyer.name} ${buyer.last_name}`.trim(), email },
    title: purchase.title,
    details: [classes(purchase.class_amount), `Orden #00${purchase.purchase_id}`],
    lines: isFirst
      ? [
          { label: 'Precio', amount: `${formatMoney(purchase.amount_centavos)} MXN` },
          { label: 'Descuento', amount: `-${formatMoney(purchase.discount_centavos)} MXN` },
        ]
      : [],
    total: `${formatMoney(total)} MXN`,
    notes: [
      charge === null ? (purchase.is_gift ? 'Es un regalo del estudio.' : 'Sin costo.') : label ? `Pagado con ${label}.` : 'Pagado.',
      ...(refunded > 0 ? [`Se devolvieron ${formatMoney(refunded)} MXN.`] : []),
    ],
    at,
  }
}

async function draw(ctx: Ctx, view: PurchaseView, which: { invoice_id?: number | undefined; period?: string }): Promise<File> {
  const charges = await listInvoices(ctx.db, view.purchase.purchase_id)
  const good = charges.filter((row) => !isLate(row.period))
  const charge =
    which.invoice_id !== undefined
      ? charges.find((row) => row.invoice_id === which.invoice_id)
      : which.period !== undefined
        ? good.find((row) => row.period === which.period)
        : good.at(-1)
  const { status } = view.purchase
  if ((which.invoice_id !== undefined && !charge) || (!charge && status !== 'active' && status !== 'completed'))
    throw refuse('RECEIPT_NONE')
  const facts = factsOf(ctx, view, charge ?? null)
  return new File([await receiptPdf(facts)], `comprobante-${facts.folio}.pdf`, {
    type: 'application/pdf',
    lastModified: facts.at.getTime(),
  })
}

/** The receipt of one of my purchases: of one charge of it, the latest unless named. PURCHASE_NOT_FOUND, RECEIPT_NONE. */
export async function myReceipt(ctx: Ctx, ask: { id: number; invoice_id?: number | undefined }): Promise<File> {
  const sale = await findOwn(ctx.db, ctx.customer.customer_id, ask.id)
  if (!sale) throw refuse('PURCHASE_NOT_FOUND')
  return draw(ctx, await findView(ctx.db, sale.purchase_id), { invoice_id: ask.invoice_id })
}

/** The same for reception. PURCHASE_NOT_FOUND, RECEIPT_NONE. */
export async function studioReceipt(ctx: Ctx, ask: { purchase_id: number; invoice_id?: number | undefined }): Promise<File> {
  if (!(await findPurchase(ctx.db, ask.purchase_id))) throw refuse('PURCHASE_NOT_FOUND')
  return draw(ctx, await findView(ctx.db, ask.purchase_id), { invoice_id: ask.invoice_id })
}

/** The receipt that goes with the mail of a period. */
export async function receiptFor(
  ctx: Ctx,
  view: PurchaseView,
  period: string,
): Promise<{ filename: string; type: string; content: Uint8Array }> {
  const file = await draw(ctx, view, { period })
  return { filename: file.name, type: file.type, content: new Uint8Array(await file.arrayBuffer()) }
}
