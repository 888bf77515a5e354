/**
 * Payments at the counter beside a charge of a processor: held while the order waits, taken once it is paid, released when it fails or
 * expires (S15).
 */
import type { Ctx } from '#server/modules/ctx.ts'
import { listAllPaymentMethods, lockOpenSessions } from '#server/modules/sales/store/cash-session-store.ts'
import { findSale, lockCounterParts, lockSalePurchases, updateSalePayment } from '#server/modules/sales/store/sale-store.ts'
import type { Tx } from '#server/platform/db.ts'
import { lockPayingCards, releaseCardOfPayment } from './gift-cards.ts'
import { counterGateway, spreadPayment } from './received-parts.ts'

/**
 * Takes the held payments of an order that the processor charged: writes their charges, into the receiver's currently open till. Needs the
 * locks of the order.
 */
export async function takeCounterParts(tx: Tx, ctx: Ctx, sale_id: number): Promise<void> {
  const parts = await lockCounterParts(tx, sale_id)
  if (parts.length === 0) return
  const [sale, methods, purchases] = await Promise.all([findSale(tx, sale_id), listAllPaymentMethods(tx), lockSalePurchases(tx, sale_id)])
  const location_id = sale?.location_id ?? null
  for (const payment of parts) {
    const method = methods.find((method) => method.payment_method_id === payment.payment_method_id)
    const kind = payment.gift_card_id === null ? (method?.kind ?? 'other') : 'gift_card'
    const tills = kind === 'gift_card' ? [] : await lockOpenSessions(tx, { staff_id: payment.staff_id })
    const state = kind === 'transfer' ? 'pending' : 'received'
    await updateSalePayment(tx, payment.sale_payment_id, { state, createdAt: ctx.now })
    const left = await spreadPayment(
      tx,
      ctx,
      purchases,
      { ...payment, state },
      {
        gateway: counterGateway(kind),
        method: method?.name ?? 'Tarjeta de regalo',
        location_id,
        cash_session_id: tills.find((till) => till.location_id === location_id)?.cash_session_id ?? null,
        receivedBy: `staff:${payment.staff_id}`,
      },
    )
    if (left > 0) throw new Error(`The payment ${payment.sale_payment_id} is more than its order costs.`)
  }
}

/** Releases what a failed or expired order held: the balances of gift cards; other money was never received. Idempotent. */
export async function releaseCounterParts(tx: Tx, ctx: Ctx, sale_id: number | null): Promise<void> {
  const parts = sale_id === null ? [] : await lockCounterParts(tx, sale_id)
  await lockPayingCards(
    tx,
    parts.flatMap(({ gift_card_id }) => gift_card_id ?? []),
  )
  for (const { sale_payment_id, gift_card_id, amount_centavos: amount } of parts) {
    await updateSalePayment(tx, sale_payment_id, { state: 'released' })
    if (gift_card_id !== null) await releaseCardOfPayment(tx, ctx, { gift_card_id, sale_payment_id, amount })
  }
}
