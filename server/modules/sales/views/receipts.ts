/** Receipts of what was paid: for their customer, for the studio, and with the mail (V35). */

import { subscriptionPeriodText } from '#contract/copy/names.ts'
import { refuse } from '#contract/errors.ts'
import { type Language, languageFor } from '#contract/language.ts'
import { type Centavos, formatMoney } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { fitPicture } from '#server/adapters/files/icons.ts'
import { publicPicture } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isLate, subscriptionPlan } from '#server/modules/sales/rules.ts'
import { findBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { findOwn, type InvoiceRow, listInvoices, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import { findView, type PurchaseView } from '#server/modules/sales/store/view-store.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import type { ReceiptFacts, receiptPdf } from './receipt-pdf.ts'
import { purchaseHere } from './visible-sales.ts'

/** Nothing for what gives no classes: a sign-up fee, a single place. */
const classes = (amount: number) =>
  amount === 0 ? [] : [amount === -1 ? 'Clases ilimitadas' : amount === 1 ? '1 clase' : `${amount} clases`]

/** What is charged after a trial, from what was frozen: "Después: $1,450.00 cada mes desde el 26 nov 2026." */
function afterTrial({ zone }: Ctx, purchase: PurchaseRow): string[] {
  const plan = subscriptionPlan(purchase, zone)
  if (!plan?.trialEnd) return []
  const every = subscriptionPeriodText(plan.every.unit, plan.every.count).toLowerCase()
  const day = formatInstant(plan.trialEnd, zone, 'date')
  const { amount, firstAmount } = plan
  return [
    firstAmount === undefined
      ? `Después: ${formatMoney(amount)} ${every} desde el ${day}.`
      : `Después: ${formatMoney(firstAmount)} el ${day}, luego ${formatMoney(amount)} ${every}.`,
  ]
}

/** What a charge is made of, where it has tax. */
function taxLines(charge: InvoiceRow | null): ReceiptFacts['lines'] {
  if (!charge?.tax_rate) return []
  return [
    { label: 'Antes de IVA', amount: `${formatMoney(charge.net_centavos)} MXN` },
    { label: `IVA ${charge.tax_rate / 100} %`, amount: `${formatMoney(charge.tax_centavos)} MXN` },
  ]
}

/** The contents of a receipt, from the purchase and its charge; null = it cost nothing. */
function factsOf(
  ctx: Ctx,
  { purchase, buyer, email, method, attempt }: PurchaseView,
  charge: InvoiceRow | null,
  logo: ReceiptFacts['logo'],
  /** What of a sale at the counter is still to be paid. */
  left: Centavos,
  language: Language,
): ReceiptFacts {
  const { settings, zone } = ctx
  const at = charge?.paidAt ?? charge?.createdAt ?? purchase.createdAt
  const total = charge?.total_centavos ?? 0
  // Only the first charge had the discount in it; a renewal costs what it costs.
  const isFirst = charge !== null && total === purchase.total_centavos && purchase.discount_centavos > 0
  const label = charge?.label ?? (charge ? (attempt?.instrument.label ?? method) : null)
  const refunded = charge?.refunded_centavos ?? 0
  return {
    studio: settings,
    logo,
    language,
    taxpayer: [settings.business_legal_name, settings.business_rfc && `RFC ${settings.business_rfc}`].filter(Boolean),
    contact: [settings.email, settings.location].filter(Boolean),
    folio: charge ? `00${purchase.purchase_id}-${charge.invoice_id}` : `00${purchase.purchase_id}`,
    day: formatInstant(at, zone, 'date'),
    customer: { name: `${buyer.name} ${buyer.last_name}`.trim(), email },
    title: purchase.title,
    details: [...classes(purchase.class_amount), `Orden #00${purchase.purchase_id}`],
    lines: [
      ...(isFirst
        ? [
            { label: 'Precio', amount: `${formatMoney(purchase.amount_centavos)} MXN` },
            { label: 'Descuento', amount: `-${formatMoney(purchase.discount_centavos)} MXN` },
          ]
        : []),
      ...taxLines(charge),
    ],
    total: `${formatMoney(total)} MXN`,
    notes: [
      charge === null
        ? purchase.is_gift
          ? 'Es un regalo del estudio.'
          : left > 0
            ? 'Sin pagos todavía.'
            : 'Sin costo.'
        : label
          ? `Pagado con ${label}.`
          : 'Pagado.',
      ...(charge?.reference ? [`Referencia ${charge.reference}.`] : []),
      ...(charge === null && !purchase.is_gift ? afterTrial(ctx, purchase) : []),
      ...(left > 0 ? [`Queda por pagar ${formatMoney(left)} MXN.`] : []),
      ...(refunded > 0 ? [`Se devolvieron ${formatMoney(refunded)} MXN.`] : []),
    ],
    at,
  }
}

/** The studio's logo when it is an uploaded image: addresses of other hosts are never fetched. */
export async function loadLogo(ctx: Ctx): Promise<ReceiptFacts['logo']> {
  const picture = await publicPicture(ctx, ctx.settings.navbar_logo)
  return picture && fitPicture(picture, { width: 528, height: 144 })
}

/** Reading fonts and decoding a logo takes a good part of a second. */
const drawPdf = onWorkerThread<typeof receiptPdf>(new URL('./receipt-pdf.ts', import.meta.url), 'receiptPdf')

/** The charges of a purchase with several payments, combined into one for its receipt. */
function together(charges: readonly InvoiceRow[], last: InvoiceRow): InvoiceRow {
  const sum = (of: (row: InvoiceRow) => number) => charges.reduce((all, row) => all + of(row), 0)
  return {
    ...last,
    total_centavos: sum((row) => row.total_centavos),
    refunded_centavos: sum((row) => row.refunded_centavos),
    net_centavos: sum((row) => row.net_centavos),
    tax_centavos: sum((row) => row.tax_centavos),
    label: [...new Set(charges.flatMap((row) => row.label ?? []))].join(' y ') || null,
    reference: charges.length === 1 ? last.reference : null,
  }
}

async function draw(
  ctx: Ctx,
  view: PurchaseView,
  which: { invoice_id?: number | undefined; period?: string },
  language: Language = 'es-MX',
  known?: readonly InvoiceRow[],
): Promise<File> {
  const charges = known ?? (await listInvoices(ctx.db, view.purchase.purchase_id))
  const good = charges.filter((row) => !isLate(row.period))
  const charge =
    which.invoice_id !== undefined
      ? charges.find((row) => row.invoice_id === which.invoice_id)
      : which.period !== undefined
        ? good.find((row) => row.period === which.period)
        : good.at(-1)
  const isSale = view.purchase.sale_id !== null
  const left = isSale ? Math.max(0, view.purchase.total_centavos - good.reduce((sum, row) => sum + row.total_centavos, 0)) : 0
  const { status } = view.purchase
  if ((which.invoice_id !== undefined && !charge) || (!charge && status !== 'active' && status !== 'completed'))
    throw refuse('RECEIPT_NONE')
  const logo = await loadLogo(ctx)
  const facts = factsOf(
    ctx,
    view,
    charge && (isSale || view.purchase.gift_card_id !== null) && which.invoice_id === undefined ? together(good, charge) : (charge ?? null),
    logo,
    left,
    language,
  )
  const name = language === 'en' ? `receipt-${facts.folio}.pdf` : `comprobante-${facts.folio}.pdf`
  return new File([await drawPdf(facts)], name, {
    type: 'application/pdf',
    lastModified: facts.at.getTime(),
  })
}

/** The receipt of one of my purchases: of one charge of it, the latest unless named. PURCHASE_NOT_FOUND, RECEIPT_NONE. */
export async function myReceipt(ctx: Ctx, input: { id: number; invoice_id?: number | undefined }): Promise<File> {
  const purchase = await findOwn(ctx.db, ctx.customer.customer_id, input.id)
  if (!purchase) throw refuse('PURCHASE_NOT_FOUND')
  const view = await findView(ctx.db, purchase.purchase_id)
  // The receipt of a gift has its price: only its giver gets it (S10).
  if (view.giver) throw refuse('RECEIPT_NONE')
  return draw(
    ctx,
    view,
    { invoice_id: input.invoice_id },
    languageFor((await findBuyer(ctx.db, purchase.customer_id)).language, ctx.settings),
  )
}

/** The same for reception, in Spanish. PURCHASE_NOT_FOUND, RECEIPT_NONE. */
export async function studioReceipt(ctx: Ctx, input: { purchase_id: number; invoice_id?: number | undefined }): Promise<File> {
  await purchaseHere(ctx, input.purchase_id)
  return draw(ctx, await findView(ctx.db, input.purchase_id), { invoice_id: input.invoice_id })
}

/** The receipt attached to the mail of a period, in the mail's language. `charges`: all of the purchase. */
export async function receiptFor(
  ctx: Ctx,
  view: PurchaseView,
  period: string,
  language: Language,
  charges: readonly InvoiceRow[],
): Promise<{ filename: string; type: string; content: Uint8Array }> {
  const file = await draw(ctx, view, { period }, language, charges)
  return { filename: file.name, type: file.type, content: new Uint8Array(await file.arrayBuffer()) }
}
