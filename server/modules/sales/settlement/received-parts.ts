/** Money, or the balance of a gift card, that pays a purchase or a part of it, in the ledger of the counter. */
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { type Centavos, taxIn } from '#contract/money.ts'
import { type CounterGateway, newReference, recordReceipt } from '#server/adapters/payments/counter/counter.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { ONE_OFF, unpaidOf } from '#server/modules/sales/rules.ts'
import { type ChargedPurchase, insertPart, type SalePaymentRow } from '#server/modules/sales/store/sale-store.ts'
import { insertAttempt, listAttempts, updateAttempt } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

/**
 * Records received money in the counter's ledger and as an attempt of the purchase; returns the reference in the ledger. `n`: the attempt's
 * number, the next one unless given.
 */
export async function recordPart(
  tx: Tx,
  ctx: Ctx,
  { purchase_id, customer_id }: { purchase_id: number; customer_id: number },
  part: { amount: number; gateway: CounterGateway; method: string; receivedBy: string; reference?: string; n?: number },
): Promise<string> {
  const { amount, gateway, method, receivedBy, reference } = part
  const n = part.n ?? ((await listAttempts(tx, purchase_id))[0]?.n ?? 0) + 1
  const attempt = await insertAttempt(tx, {
    purchase_id,
    n,
    gateway,
    ref_kind: 'payment',
    state: 'created',
    now: ctx.now,
    instrument: { by: 'hand', label: method },
  })
  const { ref } = await recordReceipt(tx, gateway, {
    key: { purchase: purchase_id, step: 'pay', n },
    customer_id,
    amount,
    receivedBy,
    now: ctx.now,
    ...(reference ? { reference } : {}),
  })
  await updateAttempt(tx, attempt.payment_id, { state: 'paid', ref_id: ref.id, part_centavos: amount, updatedAt: ctx.now })
  return ref.id
}

/** The ledger that a payment of a kind is recorded in. */
export const counterGateway = (kind: PaymentMethodKind | 'gift_card'): CounterGateway =>
  kind === 'cash' ? 'efectivo' : kind === 'gift_card' ? 'regalo' : 'mostrador'

/** How a payment of a sale was received. */
export interface PaymentReceipt {
  gateway: CounterGateway
  /** The name of the payment method. */
  method: string
  location_id: number | null
  cash_session_id: number | null
  receivedBy: string
}

/**
 * Spreads a payment of a sale over the purchases in their order, each up to its price: one charge for each. A part's tax is the increase of
 * its purchase's tax, so that the parts of a paid purchase add up to the tax of its item. Returns what no purchase took.
 */
export async function spreadPayment(
  tx: Tx,
  ctx: Ctx,
  purchases: readonly ChargedPurchase[],
  payment: SalePaymentRow,
  by: PaymentReceipt,
): Promise<Centavos> {
  const waits = payment.state === 'pending'
  const { gateway, method, location_id, receivedBy } = by
  const { payment_method_id, sale_payment_id, staff_id, reference, funding } = payment
  let left = payment.amount_centavos
  for (const member of purchases) {
    const { purchase, tax_rate, tax_exempt } = member
    const part = Math.min(left, unpaidOf(purchase, member.charged))
    if (part <= 0) continue
    left -= part
    const tax = Math.max(0, Math.min(part, taxIn(member.charged + part, tax_rate).tax - member.tax))
    const provider_payment = waits
      ? newReference('mostrador')
      : await recordPart(tx, ctx, purchase, { amount: part, gateway, method, receivedBy })
    const { customer_id, purchase_id } = purchase
    await insertPart(tx, {
      purchase_id,
      customer_id,
      gateway,
      provider_payment,
      period: ONE_OFF,
      total_centavos: part,
      status: waits ? 'pending' : 'paid',
      label: method,
      payment_method_id,
      location_id,
      staff_id,
      reference,
      cash_session_id: waits ? null : by.cash_session_id,
      sale_payment_id,
      funding,
      tax_rate,
      tax_exempt,
      net_centavos: part - tax,
      tax_centavos: tax,
      paidAt: waits ? null : ctx.now,
      createdAt: ctx.now,
    })
    member.charged += part
    member.tax += tax
  }
  return left
}
