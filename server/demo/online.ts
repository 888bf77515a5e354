/** Writes what customers of a demo's history paid on the site, to the sandbox processor and to the studio's books, in a few statements. */
import { CARD_PAYMENT_METHOD_ID } from '#contract/catalogue.ts'
import { defaultSettings } from '#contract/settings.ts'
import { cardLabel, fingerprint, type TestCard } from '#server/adapters/payments/sandbox/cards.ts'
import { newId } from '#server/adapters/payments/sandbox/payments.ts'
import {
  sandboxCard,
  sandboxCustomer,
  sandboxLedger,
  sandboxPayment,
  sandboxSubscription,
} from '#server/adapters/payments/sandbox/tables.ts'
import { refund } from '#server/modules/sales/aftersales-tables.ts'
import { taxFacts } from '#server/modules/sales/sales.ts'
import { invoice, paymentAttempt, paymentSource, providerCustomer, purchase } from '#server/modules/sales/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand } from './brand.ts'
import { insertMany, newIds } from './bulk.ts'
import { Chance } from './chance.ts'
import type { OnlineOption, PlannedSubscription } from './crowd.ts'
import { ONE_OFF, type Order, purchaseOf } from './write.ts'

const DAY = 86_400_000
const GATEWAY = 'sandbox'
const LABELS: Readonly<Record<Exclude<OnlineOption, 'card'>, string>> = { oxxo: 'OXXO', spei: 'SPEI', paypal: 'PayPal' }

/** How the instrument of a payment is stored, by its option. */
const BY: Readonly<Record<OnlineOption, 'card' | 'saved-card' | 'voucher' | 'wallet'>> = {
  card: 'saved-card',
  oxxo: 'voucher',
  spei: 'voucher',
  paypal: 'wallet',
}

interface Buyer {
  id: string
  card: TestCard
  saved_card: string
  payment_source_id: number
  since: Date
}

/** Writes orders that were paid on the site: one-off ones with one of four options, subscriptions by card. */
export async function writeOnlineOrders(
  tx: Tx,
  brand: Brand,
  orders: readonly Order[],
  site: { publicUrl: string; now: Date },
): Promise<void> {
  const buyers = await writeBuyers(tx, orders, site.now)
  const buyerOf = ({ creditLot }: Order): Buyer => {
    const found = buyers.get(creditLot.customer_id)
    if (!found) throw new Error(`Customer ${creditLot.customer_id} is unknown to the processor.`)
    return found
  }
  const sold = orders.map((order) => ({ ...order, buyer: buyerOf(order), object: newId(order.creditLot.subscription ? 'sub' : 'pay') }))
  await writeOneOff(
    tx,
    brand,
    sold.filter(({ creditLot }) => !creditLot.subscription),
    site,
  )
  await writeSubscriptions(tx, brand, sold, site)
}

/** The customers at the processor, each with a saved card. Cards of overdue subscriptions refuse renewals. */
async function writeBuyers(tx: Tx, orders: readonly Order[], now: Date): Promise<Map<number, Buyer>> {
  const chance = new Chance(19_420_518)
  const first = new Map<number, Order>()
  for (const order of orders) if (!first.has(order.creditLot.customer_id)) first.set(order.creditLot.customer_id, order)
  const overdue = new Set(
    orders.flatMap(({ creditLot }) => (creditLot.subscription?.plan.state === 'past_due' ? [creditLot.customer_id] : [])),
  )
  const ids = await newIds(tx, paymentSource, 'payment_source_id', first.size)
  const all = [...first.values()].map((order, n) => {
    const customer_id = order.creditLot.customer_id
    const isMastercard = chance.happens(0.45)
    const card: TestCard = {
      behaviour: overdue.has(customer_id) ? 'renew_fail' : 'ok',
      brand: isMastercard ? 'mastercard' : 'visa',
      last4: String(1_000 + Math.floor(chance.next() * 9_000)),
      exp: `${String(1 + Math.floor(chance.next() * 12)).padStart(2, '0')}/${now.getUTCFullYear() + 1 + Math.floor(chance.next() * 4)}`,
    }
    const buyer: Buyer = { id: newId('cus'), card, saved_card: newId('card'), payment_source_id: ids[n] ?? 0, since: order.at }
    return { customer_id, buyer }
  })
  await insertMany(
    tx,
    sandboxCustomer,
    all.map(({ customer_id, buyer }) => ({ id: buyer.id, customer_id })),
  )
  await insertMany(
    tx,
    providerCustomer,
    all.map(({ customer_id, buyer }) => ({ customer_id, gateway: GATEWAY, provider_id: buyer.id })),
  )
  await insertMany(
    tx,
    sandboxCard,
    all.map(({ buyer }) => ({ id: buyer.saved_card, buyer: buyer.id, card: buyer.card, createdAt: buyer.since })),
  )
  await insertMany(
    tx,
    paymentSource,
    all.map(({ customer_id, buyer: { card, saved_card, payment_source_id, since } }) => ({
      payment_source_id,
      customer_id,
      gateway: GATEWAY,
      provider_card: saved_card,
      card_type: card.brand,
      last_digits: card.last4,
      exp: card.exp,
      fingerprint: fingerprint(card),
      createdAt: since,
    })),
  )
  return new Map(all.map(({ customer_id, buyer }) => [customer_id, buyer]))
}

type Sold = Order & { buyer: Buyer; object: string }

async function writeOneOff(tx: Tx, brand: Brand, sold: readonly Sold[], { publicUrl }: { publicUrl: string }): Promise<void> {
  const labelOf = ({ creditLot, buyer }: Sold) =>
    creditLot.online && creditLot.online !== 'card' ? LABELS[creditLot.online] : cardLabel(buyer.card)
  const paymentOptionOf = ({ creditLot }: Sold): OnlineOption => creditLot.online ?? 'card'
  const methodOf = (purchase: Sold) => (paymentOptionOf(purchase) === 'card' ? CARD_PAYMENT_METHOD_ID : null)
  await insertMany(
    tx,
    purchase,
    sold.map((purchase) => ({ ...purchaseOf(purchase), is_subscription: false, payment_method_id: methodOf(purchase), gateway: GATEWAY })),
  )
  await insertMany(
    tx,
    paymentAttempt,
    sold.map((purchase) => ({
      payment_id: purchase.payment_id,
      purchase_id: purchase.purchase_id,
      n: 1,
      gateway: GATEWAY,
      ref_kind: 'payment',
      ref_id: purchase.object,
      state: 'paid',
      instrument:
        paymentOptionOf(purchase) === 'card'
          ? {
              by: 'saved-card',
              card: purchase.buyer.payment_source_id,
              label: labelOf(purchase),
              brand: purchase.buyer.card.brand,
              last4: purchase.buyer.card.last4,
            }
          : { by: BY[paymentOptionOf(purchase)], label: labelOf(purchase) },
      createdAt: purchase.at,
      updatedAt: purchase.at,
    })),
  )
  await insertMany(
    tx,
    sandboxPayment,
    sold.map((purchase) => {
      const paymentOption = paymentOptionOf(purchase)
      const isCard = paymentOption === 'card'
      const number = String(purchase.purchase_id)
      return {
        id: purchase.object,
        key: `${purchase.purchase_id}:pay:1`,
        request_hash: 'demo',
        purchase_id: purchase.purchase_id,
        buyer: purchase.buyer.id,
        amount: purchase.total,
        title: purchase.classPackage.title,
        state: 'paid',
        by: BY[paymentOption],
        step: null,
        card: isCard ? purchase.buyer.card : null,
        save_card: false,
        saved_card: isCard ? purchase.buyer.saved_card : null,
        secret: `${purchase.object}_secret`,
        approved: false,
        return_url: `${publicUrl}/gracias/${number}`,
        voucher:
          paymentOption === 'oxxo'
            ? { kind: 'oxxo', reference: `9800${number.padStart(10, '0')}`, url: null, clabe: null }
            : paymentOption === 'spei'
              ? { kind: 'spei', reference: number.padStart(7, '0'), url: null, clabe: null }
              : null,
        expiresAt: new Date(purchase.at.getTime() + 3 * DAY),
        createdAt: purchase.at,
        updatedAt: purchase.creditLot.refundedAt ?? purchase.at,
      }
    }),
  )
  const charges = sold.map((purchase) => ({ purchase, movement: newId('mov') }))
  await insertMany(tx, sandboxLedger, [
    ...charges.map(({ purchase, movement }) => ledgerRow(purchase, { id: movement, kind: 'charge', at: purchase.at })),
  ])
  const invoices = await newIds(tx, invoice, 'invoice_id', sold.length)
  await insertMany(
    tx,
    invoice,
    charges.map(({ purchase, movement }, n) => ({
      invoice_id: invoices[n],
      purchase_id: purchase.purchase_id,
      customer_id: purchase.creditLot.customer_id,
      gateway: GATEWAY,
      provider_payment: movement,
      period: ONE_OFF,
      total_centavos: purchase.total,
      refunded_centavos: purchase.creditLot.refundedAt ? purchase.total : 0,
      currency: 'MXN',
      status: purchase.creditLot.refundedAt ? 'refunded' : 'paid',
      label: labelOf(purchase),
      payment_method_id: methodOf(purchase),
      ...taxFacts({ ...defaultSettings, ...brand.settings }, purchase.total),
      paidAt: purchase.at,
      createdAt: purchase.at,
    })),
  )
  const back = charges.flatMap(({ purchase, movement }, n) =>
    purchase.creditLot.refundedAt ? [{ purchase, movement, invoice_id: invoices[n], at: purchase.creditLot.refundedAt }] : [],
  )
  const refunds = await newIds(tx, refund, 'refund_id', back.length)
  await insertMany(
    tx,
    refund,
    back.map(({ purchase, invoice_id, at }, n) => ({
      refund_id: refunds[n],
      purchase_id: purchase.purchase_id,
      invoice_id,
      amount_centavos: purchase.total,
      by_hand: false,
      reason: 'Se cobró dos veces',
      state: 'done',
      doneAt: at,
      createdAt: at,
      updatedAt: at,
    })),
  )
  await insertMany(
    tx,
    sandboxLedger,
    back.map(({ purchase, movement, at }, n) =>
      ledgerRow(purchase, {
        id: newId('mov'),
        kind: 'refund',
        charge: movement,
        key: `${purchase.purchase_id}:refund-${refunds[n]}:1`,
        at,
      }),
    ),
  )
}

const ledgerRow = (
  { object, purchase_id, total }: Pick<Sold, 'object' | 'purchase_id' | 'total'>,
  more: { id: string; kind: 'charge' | 'refund'; at: Date; charge?: string; key?: string; period?: { from: Date; to: Date } },
) => ({
  id: more.id,
  kind: more.kind,
  object,
  purchase_id,
  amount: total,
  charge: more.charge ?? null,
  key: more.key ?? null,
  periodFrom: more.period?.from ?? null,
  periodTo: more.period?.to ?? null,
  at: more.at,
})

const STATUS = { active: 'active', paused: 'active', past_due: 'active', ending: 'cancelled', ended: 'cancelled' } as const
const AT_PROCESSOR = { active: 'paid', paused: 'paid', past_due: 'past_due', ending: 'paid', ended: 'ended' } as const

async function writeSubscriptions(
  tx: Tx,
  brand: Brand,
  sold: readonly Sold[],
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<void> {
  const all = sold.flatMap((purchase) => {
    const plan = purchase.creditLot.subscription?.plan
    const end = plan?.periods.at(-1)?.to
    return plan && end ? [{ ...purchase, plan, end, changedAt: changeOf(plan, end, now) }] : []
  })
  await insertMany(
    tx,
    purchase,
    all.map((item) => {
      const { plan, classPackage, end, changedAt, buyer, object, total } = item
      const isOver = STATUS[plan.state] === 'cancelled'
      return {
        ...purchaseOf(item),
        status: STATUS[plan.state],
        holds_stock: !isOver,
        is_subscription: true,
        payment_method_id: CARD_PAYMENT_METHOD_ID,
        gateway: GATEWAY,
        subscription_id: object,
        subscription_period: classPackage.subscription_period,
        subscription_interval: classPackage.subscription_interval,
        next_total_centavos: total,
        benefits_until: end,
        payment_source_id: buyer.payment_source_id,
        updatedAt: changedAt,
        cancelledAt: isOver ? changedAt : null,
        cancel_reason: isOver ? 'la canceló su cliente' : null,
        paused_since: plan.state === 'paused' ? changedAt : null,
        past_due_since: plan.state === 'past_due' ? changedAt : null,
      }
    }),
  )
  await insertMany(
    tx,
    paymentAttempt,
    all.map(({ plan, payment_id, purchase_id, object, buyer, at, changedAt }) => ({
      payment_id,
      purchase_id,
      n: 1,
      gateway: GATEWAY,
      ref_kind: 'subscription',
      ref_id: object,
      state: AT_PROCESSOR[plan.state],
      instrument: {
        by: 'saved-card',
        card: buyer.payment_source_id,
        label: cardLabel(buyer.card),
        brand: buyer.card.brand,
        last4: buyer.card.last4,
      },
      createdAt: at,
      updatedAt: changedAt,
    })),
  )
  await insertMany(
    tx,
    sandboxSubscription,
    all.map(({ plan, classPackage, purchase_id, object, buyer, total, at, end, changedAt }) => ({
      id: object,
      key: `${purchase_id}:pay:1`,
      request_hash: 'demo',
      purchase_id,
      buyer: buyer.id,
      title: classPackage.title,
      unit: classPackage.subscription_period,
      every: classPackage.subscription_interval,
      amount: total,
      first_amount: total,
      state: AT_PROCESSOR[plan.state],
      by: 'saved-card',
      card: buyer.card,
      save_card: false,
      saved_card: buyer.saved_card,
      secret: `${object}_secret`,
      return_url: `${publicUrl}/gracias/${purchase_id}`,
      anchorAt: at,
      periods: plan.periods.length,
      nextAt: plan.state === 'ended' ? null : plan.state === 'past_due' ? new Date(end.getTime() + DAY) : end,
      tries: plan.state === 'past_due' ? 1 : 0,
      cancelled: STATUS[plan.state] === 'cancelled',
      paused: plan.state === 'paused',
      endsAt: end,
      expiresAt: new Date(at.getTime() + DAY / 48),
      createdAt: at,
      updatedAt: changedAt,
    })),
  )
  const charges = all.flatMap((purchase) => purchase.plan.periods.map((period) => ({ purchase, period, movement: newId('mov') })))
  await insertMany(
    tx,
    sandboxLedger,
    charges.map(({ purchase, period, movement }) => ledgerRow(purchase, { id: movement, kind: 'charge', at: period.from, period })),
  )
  await insertMany(
    tx,
    invoice,
    charges.map(({ purchase, period, movement }) => ({
      purchase_id: purchase.purchase_id,
      customer_id: purchase.creditLot.customer_id,
      gateway: GATEWAY,
      provider_payment: movement,
      period: period.from.toISOString(),
      total_centavos: purchase.total,
      refunded_centavos: 0,
      currency: 'MXN',
      status: 'paid',
      label: cardLabel(purchase.buyer.card),
      payment_method_id: CARD_PAYMENT_METHOD_ID,
      ...taxFacts({ ...defaultSettings, ...brand.settings }, purchase.total),
      paidAt: period.from,
      createdAt: period.from,
    })),
  )
}

/** When a subscription last changed: its last charge, its pause, its refused renewal, or its cancellation. */
function changeOf(plan: PlannedSubscription, end: Date, now: Date): Date {
  const last = plan.periods.at(-1)?.from ?? plan.startedAt
  if (plan.state === 'ended' || plan.state === 'past_due') return end
  if (plan.state === 'active') return last
  return new Date(Math.max(last.getTime() + 60_000, now.getTime() - 4 * DAY))
}
