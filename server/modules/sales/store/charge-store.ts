/** The only writes to charges (`invoice`), and the bookkeeping of their refunds. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { taxIn } from '#contract/money.ts'
import type { Settings } from '#contract/settings.ts'
import { classPackage, location } from '#server/modules/catalogue/tables.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { disputeMovement, refund } from '#server/modules/sales/aftersales-tables.ts'
import { saleItem } from '#server/modules/sales/counter-tables.ts'
import { giftCardOrder } from '#server/modules/sales/gift-card-tables.ts'
import { isLate } from '#server/modules/sales/rules.ts'
import { invoice } from '#server/modules/sales/tables.ts'
import { disputedPart, type InvoiceFact, openPart } from '#server/modules/sales/verdict-rules.ts'
import { prepared, type Tx } from '#server/platform/db.ts'
import { preparedWrite } from '#server/platform/prepared-writes.ts'
import type { InvoiceRow, PurchaseRow } from './store.ts'

/** The fields of a charge that record how the counter received it. */
export type Receipt = Pick<InvoiceRow, 'payment_method_id' | 'location_id' | 'staff_id' | 'reference' | 'cash_session_id'>

/** The tax of what is sold: its own rate in hundredths of a percent, or exempt. */
export interface OwnTax {
  tax_rate: number | null
  tax_exempt: boolean
}

/** Of a gift card: what is paid with it has IVA (I5). */
export const NO_TAX: OwnTax = { tax_rate: 0, tax_exempt: false }

/**
 * Tax facts of a total, frozen with the charge (V46): what is sold may be exempt or have a rate of its own; otherwise the rate of the
 * location counts (`locationRate`, hundredths of a percent), then the studio's.
 */
export function taxFacts(
  { tax_included, tax_rate }: Pick<Settings, 'tax_included' | 'tax_rate'>,
  total: number,
  own: OwnTax | null = null,
  locationRate: number | null = null,
) {
  if (own?.tax_exempt) return taxAt({ tax_rate: 0, tax_exempt: true }, total)
  const rate = tax_included ? (own?.tax_rate ?? locationRate ?? Math.round(tax_rate * 100)) : 0
  return taxAt({ tax_rate: rate, tax_exempt: false }, total)
}

function taxAt({ tax_rate, tax_exempt }: { tax_rate: number; tax_exempt: boolean }, total: number) {
  const { net, tax } = taxIn(total, tax_rate)
  return { tax_rate, tax_exempt, net_centavos: net, tax_centavos: tax }
}

const rateOfLocation = prepared('sales.locationTaxRate', (on: Tx) =>
  on
    .select({ tax_rate: location.tax_rate })
    .from(location)
    .where(eq(location.location_id, sql.placeholder('location_id'))),
)

/** The rate of what is charged at a location; null = the studio's, also where a charge has no location. */
export async function locationTaxRate(tx: Tx, location_id: number | null): Promise<number | null> {
  if (location_id === null) return null
  const [row] = await rateOfLocation(tx).execute({ location_id })
  return row?.tax_rate ?? null
}

const packageRate = prepared('sales.packageTaxRate', (on: Tx) =>
  on
    .select({ tax_rate: classPackage.tax_rate, tax_exempt: classPackage.tax_exempt })
    .from(classPackage)
    .where(eq(classPackage.class_package_id, sql.placeholder('class_package_id'))),
)

function taxRateOf(
  tx: Tx,
  { sale_line_id, class_package_id, purchase_id }: Pick<PurchaseRow, 'sale_line_id' | 'class_package_id' | 'purchase_id'>,
): Promise<OwnTax[]> {
  // An item of a sale froze its rate when it was priced.
  if (sale_line_id !== null)
    return tx
      .select({ tax_rate: saleItem.tax_rate, tax_exempt: saleItem.tax_exempt })
      .from(saleItem)
      .where(eq(saleItem.sale_line_id, sale_line_id))
  if (class_package_id !== null) return packageRate(tx).execute({ class_package_id })
  // A gift card has no IVA: what is paid with it has (I5).
  return tx
    .select({ tax_rate: sql<number>`0`, tax_exempt: sql<boolean>`false` })
    .from(giftCardOrder)
    .where(eq(giftCardOrder.purchase_id, purchase_id))
}

const statusOf = (fact: InvoiceFact): InvoiceRow['status'] => {
  if (fact.disputed === 'lost') return 'lost'
  if (fact.disputed === 'open') return 'disputed'
  return fact.refunded >= fact.amount ? 'refunded' : fact.refunded > 0 ? 'partially_refunded' : 'paid'
}

const putCharge = preparedWrite('sales.putCharge', invoice, (tx, row: typeof invoice.$inferInsert) =>
  tx
    .insert(invoice)
    .values(row)
    .onConflictDoUpdate({
      target: [invoice.gateway, invoice.provider_payment, invoice.purchase_id],
      set: {
        refunded_centavos: sql`excluded.refunded_centavos`,
        disputed_centavos: sql`excluded.disputed_centavos`,
        open_dispute_centavos: sql`excluded.open_dispute_centavos`,
        status: sql`excluded.status`,
      },
    })
    .returning({
      invoice_id: invoice.invoice_id,
      refunded: invoice.refunded_centavos,
      lost: sql<number>`(select coalesce(sum(d.amount_centavos), 0)::int from dispute_movement d where d.invoice_id = invoice.invoice_id)`,
    }),
)

/**
 * Inserts a charge once per processor payment and purchase, behind its purchase's lock. A later call only updates what was refunded, or
 * returned after a failed refund (V37). What a bank took or returned since is a movement of today (V29). `before`: how much of it our books
 * had as refunded. Returns the charge when more of it was refunded than was known.
 */
export async function upsertCharge(
  tx: Tx,
  ctx: Ctx,
  purchase: Pick<
    PurchaseRow,
    'purchase_id' | 'customer_id' | 'class_package_id' | 'gateway' | 'payment_method_id' | 'location_id' | 'sale_line_id'
  >,
  {
    gateway,
    fact,
    label,
    received,
    before,
  }: { gateway: string; fact: InvoiceFact; label: string | null; received?: Receipt; before: number },
): Promise<{ invoice_id: number; refunded: number; before: number } | null> {
  const status = statusOf(fact)
  const online: Receipt = {
    payment_method_id: purchase.gateway === gateway ? purchase.payment_method_id : null,
    // An order of the counter belongs to its location, even when it is paid online.
    location_id: purchase.location_id,
    staff_id: null,
    reference: null,
    cash_session_id: null,
  }
  const { payment_method_id, location_id, staff_id, reference, cash_session_id } = received ?? online
  const [sold] = await taxRateOf(tx, purchase)
  const [row] = await putCharge(tx, {
    purchase_id: purchase.purchase_id,
    customer_id: purchase.customer_id,
    gateway,
    provider_payment: fact.id,
    period: fact.period,
    total_centavos: fact.amount,
    refunded_centavos: fact.refunded,
    disputed_centavos: disputedPart(fact),
    status,
    label,
    open_dispute_centavos: openPart(fact),
    payment_method_id,
    location_id,
    staff_id,
    reference,
    cash_session_id,
    ...(purchase.sale_line_id === null
      ? taxFacts(ctx.settings, fact.amount, sold, await locationTaxRate(tx, location_id))
      : taxAt({ tax_rate: sold?.tax_rate ?? 0, tax_exempt: sold?.tax_exempt ?? false }, fact.amount)),
    paidAt: fact.at,
    createdAt: ctx.now,
  })
  if (!row) return null
  const moved = (status === 'lost' ? disputedPart(fact) : 0) - row.lost
  if (moved !== 0) await tx.insert(disputeMovement).values({ invoice_id: row.invoice_id, amount_centavos: moved, createdAt: ctx.now })
  if (row.refunded > 0) await bookRefunds(tx, row.invoice_id, ctx.now)
  return row.refunded > before ? { invoice_id: row.invoice_id, refunded: row.refunded, before } : null
}

/**
 * Adds a refund row for money that was refunded without a request from here (in the processor's own panel, or money that bought nothing),
 * dated now, so that the rows of a day are all of its refunds. Open refunds of ours are subtracted first.
 */
export async function bookRefunds(tx: Tx, invoice_id: number, now: Date): Promise<void> {
  const [charge] = await tx.select().from(invoice).where(eq(invoice.invoice_id, invoice_id))
  const [known] = await tx
    .select({ sum: sql<number>`coalesce(sum(${refund.amount_centavos}), 0)::int` })
    .from(refund)
    .where(and(eq(refund.invoice_id, invoice_id), inArray(refund.state, ['asked', 'done'])))
  const amount = (charge?.refunded_centavos ?? 0) - (known?.sum ?? 0)
  if (!charge || amount <= 0) return
  await tx.insert(refund).values({
    purchase_id: charge.purchase_id,
    invoice_id,
    amount_centavos: amount,
    by_hand: false,
    state: 'done',
    reason: isLate(charge.period) ? 'El pago llegó tarde' : 'Devuelto desde el procesador',
    payment_method_id: charge.payment_method_id,
    doneAt: now,
    createdAt: now,
    updatedAt: now,
  })
}
