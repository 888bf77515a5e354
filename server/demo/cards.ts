/**
 * Card purchases of the demo's regular customer, written both to the sandbox processor and to the studio's books: a refunded package, a
 * package of last week, a subscription in its second month, and the card that it charges. Nothing is due when it is written.
 */
import { eq } from 'drizzle-orm'
import { chargeAfter } from '#contract/billing.ts'
import { CARD_PAYMENT_METHOD_ID } from '#contract/catalogue.ts'
import { basePrice } from '#contract/money.ts'
import { defaultSettings } from '#contract/settings.ts'
import { endOfDay, expiryAfter, localDate } from '#contract/time.ts'
import { cardLabel, fingerprint, type TestCard } from '#server/adapters/payments/sandbox/cards.ts'
import { newId } from '#server/adapters/payments/sandbox/payments.ts'
import {
  sandboxCard,
  sandboxCustomer,
  sandboxLedger,
  sandboxPayment,
  sandboxSubscription,
} from '#server/adapters/payments/sandbox/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { refund } from '#server/modules/sales/aftersales-tables.ts'
import { taxFacts } from '#server/modules/sales/sales.ts'
import { invoice, paymentAttempt, paymentSource, providerCustomer, purchase } from '#server/modules/sales/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand, DemoPackage } from './brand.ts'
import { everydayPackages } from './crowd.ts'
import { zoneOfBrand } from './week.ts'
import { type BrandIds, findRows, ONE_OFF } from './write.ts'

const DAY = 86_400_000
const GATEWAY = 'sandbox'
const ACTOR = 'system:demo'

/** The paying customer and their card. */
interface Payer {
  tx: Tx
  ctx: Ctx
  customer_id: number
  buyer: string
  card: TestCard
  saved_card: string
  payment_source_id: number
}

/** A package as it is sold, with its key in the brand. */
interface Sold {
  classPackage: DemoPackage
  class_package_id: number
  total: number
}

/**
 * Writes all card purchases. Only for a studio whose cards the sandbox processor charges: other processors would not know these payments.
 */
export async function payByCard(ctx: Ctx, tx: Tx, brand: Brand, brandIds: BrandIds, customer_id: number): Promise<void> {
  const sold = (key: string | undefined): Sold => {
    const classPackage = key === undefined ? undefined : brand.packages[key]
    if (!classPackage || key === undefined) throw new Error(`${brand.key} does not sell what the regular buys with a card.`)
    return {
      classPackage,
      class_package_id: findRows(brandIds.packages, key),
      total: basePrice(classPackage.price_centavos, classPackage.sale_price_centavos ?? null),
    }
  }
  const everyday = everydayPackages(brand)
  const sale = sold(everyday.find((key) => brand.packages[key]?.class_amount === 1))
  const five = sold(everyday.find((key) => brand.packages[key]?.class_amount === 5))
  const monthly = sold(
    Object.keys(brand.packages).find((key) => {
      const classPackage = brand.packages[key]
      return classPackage?.is_subscription && classPackage.class_amount > 0 && !classPackage.free_trial_length
    }),
  )
  const at = (days: number) => new Date(ctx.now.getTime() - days * DAY)

  const payer = await saveCard(ctx, tx, customer_id, at(76))
  const payment = await payOnce(payer, five, zoneOfBrand(brand), at(76))
  await refundCharge(payer, payment, at(74))
  await subscribe(payer, monthly, zoneOfBrand(brand), at(42))
  await payOnce(payer, sale, zoneOfBrand(brand), at(8))
}

async function saveCard(ctx: Ctx, tx: Tx, customer_id: number, at: Date): Promise<Payer> {
  const [buyer, saved_card] = [newId('cus'), newId('card')]
  const card: TestCard = { behaviour: 'ok', brand: 'visa', last4: '4242', exp: `08/${ctx.now.getUTCFullYear() + 4}` }
  await tx.insert(sandboxCustomer).values({ id: buyer, customer_id })
  await tx.insert(sandboxCard).values({ id: saved_card, buyer, card, createdAt: at })
  await tx.insert(providerCustomer).values({ customer_id, gateway: GATEWAY, provider_id: buyer })
  const [source] = await tx
    .insert(paymentSource)
    .values({
      customer_id,
      gateway: GATEWAY,
      provider_card: saved_card,
      card_type: card.brand,
      last_digits: card.last4,
      exp: card.exp,
      fingerprint: fingerprint(card),
      createdAt: at,
    })
    .returning({ id: paymentSource.payment_source_id })
  if (!source) throw new Error('The card of the demo was not stored.')
  return { tx, ctx, customer_id, buyer, card, saved_card, payment_source_id: source.id }
}

/** The purchase and its only attempt, paid with the saved card. */
async function writeSale(
  { tx, customer_id, card, payment_source_id }: Payer,
  { classPackage, class_package_id, total }: Sold,
  sale: Pick<typeof purchase.$inferInsert, 'is_subscription' | 'status' | 'createdAt'> & Partial<typeof purchase.$inferInsert>,
  ref: Pick<typeof paymentAttempt.$inferInsert, 'ref_kind' | 'ref_id'>,
): Promise<number> {
  const [row] = await tx
    .insert(purchase)
    .values({
      customer_id,
      class_package_id,
      title: classPackage.title,
      amount_centavos: total,
      total_centavos: total,
      class_amount: classPackage.class_amount,
      expiration_days: classPackage.expiration_days,
      payment_method_id: CARD_PAYMENT_METHOD_ID,
      gateway: GATEWAY,
      holds_stock: true,
      request_hash: 'demo',
      updatedAt: sale.createdAt,
      completedAt: sale.createdAt,
      ...sale,
    })
    .returning({ id: purchase.purchase_id })
  if (!row) throw new Error('A purchase of the demo was not stored.')
  await tx.insert(paymentAttempt).values({
    purchase_id: row.id,
    n: 1,
    gateway: GATEWAY,
    ...ref,
    state: 'paid',
    createdAt: sale.createdAt,
    updatedAt: sale.createdAt,
    instrument: { by: 'saved-card', card: payment_source_id, label: cardLabel(card), brand: card.brand, last4: card.last4 },
  })
  return row.id
}

/** A successful charge and what it gave: the money movement, the invoice and the credits. */
async function charge(
  { tx, customer_id, card }: Payer,
  { classPackage, class_package_id, total }: Sold,
  payment: { purchase_id: number; object: string; at: Date; period: { from: Date; to: Date } | null; expires_at: Date },
) {
  const { purchase_id, object, at, expires_at } = payment
  const movement = newId('mov')
  const period = payment.period?.from.toISOString() ?? ONE_OFF
  await tx.insert(sandboxLedger).values({
    id: movement,
    kind: 'charge',
    object,
    purchase_id,
    amount: total,
    at,
    periodFrom: payment.period?.from ?? null,
    periodTo: payment.period?.to ?? null,
  })
  const [bill] = await tx
    .insert(invoice)
    .values({
      purchase_id,
      customer_id,
      gateway: GATEWAY,
      provider_payment: movement,
      period,
      total_centavos: total,
      ...taxFacts(defaultSettings, total),
      status: 'paid',
      label: cardLabel(card),
      paidAt: at,
      createdAt: at,
    })
    .returning({ id: invoice.invoice_id })
  const [creditLot] = await tx
    .insert(availableClass)
    .values({
      customer_id,
      class_package_id,
      purchase_id,
      period,
      title: classPackage.title,
      unlimited: false,
      granted: classPackage.class_amount,
      balance: 0,
      expires_at,
      createdAt: at,
    })
    .returning({ id: availableClass.available_class_id })
  if (!bill || !creditLot) throw new Error('A charge of the demo was not stored.')
  await tx.insert(creditMovement).values({
    available_class_id: creditLot.id,
    customer_id,
    kind: 'grant',
    amount: classPackage.class_amount,
    actor: ACTOR,
    createdAt: at,
  })
  return { purchase_id, object, movement, invoice_id: bill.id, available_class_id: creditLot.id, total, credits: classPackage.class_amount }
}

type Charged = Awaited<ReturnType<typeof charge>>

async function payOnce(payer: Payer, sold: Sold, zone: string, at: Date): Promise<Charged> {
  const { tx, ctx, buyer, card, saved_card } = payer
  const id = newId('pay')
  const purchase_id = await writeSale(
    payer,
    sold,
    { is_subscription: false, status: 'completed', createdAt: at },
    { ref_kind: 'payment', ref_id: id },
  )
  await tx.insert(sandboxPayment).values({
    id,
    key: `${purchase_id}:pay:1`,
    request_hash: 'demo',
    purchase_id,
    buyer,
    amount: sold.total,
    title: sold.classPackage.title,
    state: 'paid',
    by: 'saved-card',
    card,
    saved_card,
    secret: `${id}_secret_${newId('s')}`,
    return_url: `${ctx.studio.publicUrl}/gracias/${purchase_id}`,
    expiresAt: new Date(at.getTime() + DAY / 48),
    createdAt: at,
    updatedAt: at,
  })
  const expires_at = expiryAfter(at, sold.classPackage.expiration_days, zone)
  return charge(payer, sold, { purchase_id, object: id, at, period: null, expires_at })
}

/** A subscription with two paid months; the next charge is more than two weeks away. */
async function subscribe(payer: Payer, sold: Sold, zone: string, at: Date): Promise<void> {
  const { tx, ctx, buyer, card, saved_card, payment_source_id } = payer
  const { subscription_period: unit, subscription_interval } = sold.classPackage
  if (!unit) throw new Error('The subscription of the demo has no period.')
  const every = subscription_interval ?? 1
  const [first, second, next] = [at, chargeAfter(at, unit, every), chargeAfter(at, unit, 2 * every)]
  const id = newId('sub')
  const purchase_id = await writeSale(
    payer,
    sold,
    {
      is_subscription: true,
      status: 'active',
      subscription_id: id,
      subscription_period: unit,
      subscription_interval: every,
      next_total_centavos: sold.total,
      benefits_until: next,
      payment_source_id,
      createdAt: first,
      updatedAt: second,
    },
    { ref_kind: 'subscription', ref_id: id },
  )
  await tx.insert(sandboxSubscription).values({
    id,
    key: `${purchase_id}:pay:1`,
    request_hash: 'demo',
    purchase_id,
    buyer,
    title: sold.classPackage.title,
    unit,
    every,
    amount: sold.total,
    first_amount: sold.total,
    state: 'paid',
    by: 'saved-card',
    card,
    saved_card,
    secret: `${id}_secret_${newId('s')}`,
    return_url: `${ctx.studio.publicUrl}/gracias/${purchase_id}`,
    anchorAt: first,
    periods: 2,
    nextAt: next,
    endsAt: next,
    expiresAt: new Date(first.getTime() + DAY / 48),
    createdAt: first,
    updatedAt: second,
  })
  for (const [from, to] of [
    [first, second],
    [second, next],
  ] as const)
    await charge(payer, sold, { purchase_id, object: id, at: from, period: { from, to }, expires_at: endOfDay(localDate(to, zone), zone) })
}

/** A full refund, which also revoked the credits (V23). */
async function refundCharge({ tx, customer_id }: Payer, charge: Charged, at: Date): Promise<void> {
  const { purchase_id, object, total, invoice_id, available_class_id } = charge
  const [refundRequest] = await tx
    .insert(refund)
    .values({
      purchase_id,
      invoice_id,
      amount_centavos: total,
      by_hand: false,
      reason: 'Compró el paquete dos veces',
      state: 'done',
      doneAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .returning({ id: refund.refund_id })
  if (!refundRequest) throw new Error('The refund of the demo was not stored.')
  await tx.insert(sandboxLedger).values({
    id: newId('mov'),
    kind: 'refund',
    object,
    purchase_id,
    amount: total,
    charge: charge.movement,
    key: `${purchase_id}:refund-${refundRequest.id}:1`,
    at,
  })
  await tx.update(sandboxPayment).set({ updatedAt: at }).where(eq(sandboxPayment.id, object))
  await tx.update(invoice).set({ refunded_centavos: total, status: 'refunded' }).where(eq(invoice.invoice_id, invoice_id))
  await tx
    .update(purchase)
    .set({ status: 'revoked', holds_stock: false, limit_slot: null, updatedAt: at })
    .where(eq(purchase.purchase_id, purchase_id))
  await tx.update(availableClass).set({ revokedAt: at }).where(eq(availableClass.available_class_id, available_class_id))
  await tx.insert(creditMovement).values({
    available_class_id,
    customer_id,
    kind: 'revoke',
    amount: -charge.credits,
    actor: ACTOR,
    reason: 'el dinero se devolvió',
    createdAt: at,
  })
}
