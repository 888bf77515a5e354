/** Money that staff receive at the counter: how, where and by whom, written down with the sale in one transaction (V15, V28, V29). */
import { CASH_PAYMENT_METHOD_NAME } from '#contract/catalogue.ts'
import { refuse } from '#contract/errors.ts'
import { type CounterGateway, receiveWaiting, recordReceipt } from '#server/adapters/payments/counter/counter.ts'
import { locations, paymentMethods } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { CARD_HOLD_MS } from '#server/modules/sales/rules.ts'
import { applyInside } from '#server/modules/sales/settlement/apply-processor-state.ts'
import type { Receipt } from '#server/modules/sales/store/charge-store.ts'
import {
  insertAttempt,
  insertPurchase,
  listAttempts,
  type PurchaseRow,
  updateAttempt,
  updatePurchase,
} from '#server/modules/sales/store/store.ts'
import type { purchase } from '#server/modules/sales/tables.ts'
import type { Tx } from '#server/platform/db.ts'

/** How staff say that money was received. Cash, the only location and no reference where nothing is said. */
export interface ReceivedInput {
  payment_method_id?: number | null | undefined
  location_id?: number | null | undefined
  reference?: string | null | undefined
}

/** Money received at the counter. */
export interface Received extends Receipt {
  gateway: CounterGateway
  /** What staff call the way of paying. */
  method: string
  /** Who received it, for the counter's ledger. */
  receivedBy: string
}

/** Reads how money was received. PAYMENT_METHOD_UNAVAILABLE; INVALID_INPUT for a location that the studio does not have. */
export async function readReceived(ctx: Ctx, input: ReceivedInput): Promise<Received> {
  const { payment_methods } = await paymentMethods(ctx)
  const method = payment_methods.find((one) =>
    input.payment_method_id == null ? one.name === CASH_PAYMENT_METHOD_NAME : one.payment_method_id === input.payment_method_id,
  )
  if (!method && input.payment_method_id != null) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const name = method?.name ?? CASH_PAYMENT_METHOD_NAME
  return {
    gateway: name === CASH_PAYMENT_METHOD_NAME ? 'efectivo' : 'mostrador',
    payment_method_id: method?.payment_method_id ?? null,
    method: name,
    location_id: await locationOf(ctx, input.location_id ?? null),
    staff_id: ctx.staff?.staff_id ?? null,
    reference: input.reference || null,
    receivedBy: ctx.staff ? `staff:${ctx.staff.staff_id}` : 'system',
  }
}

/** The location that is named, or the only one that the studio has. */
async function locationOf(ctx: Ctx, location_id: number | null): Promise<number | null> {
  const all = (await locations(ctx)).locations
  if (location_id === null) return all.length === 1 ? (all[0]?.location_id ?? null) : null
  if (!all.some((one) => one.location_id === location_id)) throw refuse('INVALID_INPUT', { field: 'location_id' })
  return location_id
}

type NewSale = Pick<typeof purchase.$inferInsert, 'customer_id' | 'title' | 'class_amount' | 'expiration_days' | 'request_hash'> &
  Partial<typeof purchase.$inferInsert> & { total_centavos: number }

/** Sells something that is paid at this moment: purchase, attempt, receipt and charge, behind the customer's lock. Answers the purchase. */
export async function sellReceived(tx: Tx, ctx: Ctx, purchase: NewSale, received: Received): Promise<PurchaseRow> {
  const { gateway, method, location_id, staff_id, payment_method_id } = received
  const { purchase_id, customer_id, total_centavos } = await insertPurchase(tx, {
    ...purchase,
    amount_centavos: purchase.amount_centavos ?? purchase.total_centavos,
    ...{ gateway, payment_method_id, location_id, staff_id },
    status: 'pending',
    hold_until: new Date(ctx.now.getTime() + CARD_HOLD_MS),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  const attempt = await insertAttempt(tx, {
    ...{ purchase_id, n: 1, gateway, ref_kind: 'payment', state: 'created', now: ctx.now },
    instrument: { by: 'hand', label: method },
  })
  const facts = await recordReceipt(tx, gateway, {
    key: { purchase: purchase_id, step: 'pay', n: attempt.n },
    ...{ customer_id, amount: total_centavos, receivedBy: received.receivedBy, now: ctx.now },
  })
  const done = await applyInside(tx, ctx, facts, attempt, { believed: new Map(), received })
  if (done?.purchase.status !== 'completed') throw new Error(`The sale ${purchase_id} was not completed by its own receipt.`)
  return done.purchase
}

/** The money of a purchase that waits in cash is there, by whatever way it came, behind the customer's and the purchase's lock. */
export async function receiveFor(tx: Tx, ctx: Ctx, purchase: PurchaseRow, received: Received): Promise<void> {
  const attempt = (await listAttempts(tx, purchase.purchase_id)).find((one) => one.gateway === 'efectivo' && one.ref_id !== null)
  if (!attempt?.ref_id) throw refuse('PURCHASE_CLOSED')
  const { gateway, payment_method_id, method, location_id } = received
  await updatePurchase(tx, purchase.purchase_id, { gateway, payment_method_id, location_id, updatedAt: ctx.now })
  const moved = await updateAttempt(tx, attempt.payment_id, {
    gateway,
    instrument: { ...attempt.instrument, label: method },
    updatedAt: ctx.now,
  })
  const facts = await receiveWaiting(tx, attempt.ref_id, { gateway, receivedBy: received.receivedBy, now: ctx.now })
  await applyInside(tx, ctx, facts, moved, { believed: new Map(), received })
}
