/** Money received at the counter: method, location and staff, stored with the sale in one transaction (V15, V28, V29). */
import { CASH_PAYMENT_METHOD_NAME, type PaymentMethodKind } from '#contract/catalogue.ts'
import { refuse } from '#contract/errors.ts'
import { type CounterGateway, receiveWaiting, recordReceipt } from '#server/adapters/payments/counter/counter.ts'
import { locations, paymentMethods } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { CARD_HOLD_MS } from '#server/modules/sales/rules.ts'
import { applyInside } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { lockOpenSessions } from '#server/modules/sales/store/cash-session-store.ts'
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

/** How money was received. Defaults: cash, the studio's only location, no reference. */
export interface ReceivedInput {
  payment_method_id?: number | null | undefined
  location_id?: number | null | undefined
  reference?: string | null | undefined
  /** The card data on a terminal's slip. */
  card_brand?: string | null | undefined
  last_digits?: string | null | undefined
  authorisation?: string | null | undefined
}

/** The field of a terminal's slip that the studio requires and that is missing; null: none (`payment_terminal_fields_required`). */
export function listMissingSlipFields(
  { settings }: Pick<Ctx, 'settings'>,
  kind: PaymentMethodKind | undefined,
  { last_digits, authorisation }: Pick<ReceivedInput, 'last_digits' | 'authorisation'>,
): 'last_digits' | 'authorisation' | null {
  if (kind !== 'terminal' || !settings.payment_terminal_fields_required) return null
  return !last_digits ? 'last_digits' : !authorisation ? 'authorisation' : null
}

/** The reference of a charge with the data of the slip: "Visa ···4417 · autorización 083512"; null: nothing was typed. */
const referenceOf = ({ reference, card_brand, last_digits, authorisation }: ReceivedInput): string | null =>
  [reference, [card_brand, last_digits && `···${last_digits}`].filter(Boolean).join(' '), authorisation && `autorización ${authorisation}`]
    .filter(Boolean)
    .join(' · ') || null

/** Money received at the counter. */
export interface Received extends Receipt {
  gateway: CounterGateway
  /** The name of the payment method. */
  method: string
  /** The staff member who received it, for the counter's ledger. */
  receivedBy: string
  /** Whether cash needs an open till where the studio requires one (`cash_session_required`, J2). */
  needsTill: boolean
}

/**
 * Reads how money was received. PAYMENT_METHOD_UNAVAILABLE; INVALID_INPUT for a location that the studio does not have, FORBIDDEN where
 * the caller does not work, and for a missing field of a terminal's slip. `needsTill` false:
 * the specification's own call, which takes cash without an open till as well. `needsSlip` false: no card was taken.
 */
export async function readReceived(ctx: Ctx, input: ReceivedInput, { needsTill = true, needsSlip = true } = {}): Promise<Received> {
  const { payment_methods } = await paymentMethods(ctx)
  const method = payment_methods.find((paymentMethod) =>
    input.payment_method_id == null
      ? paymentMethod.name === CASH_PAYMENT_METHOD_NAME
      : paymentMethod.payment_method_id === input.payment_method_id,
  )
  if (!method && input.payment_method_id != null) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const missing = needsSlip ? listMissingSlipFields(ctx, method?.kind, input) : null
  if (missing) throw refuse('INVALID_INPUT', { field: missing })
  const name = method?.name ?? CASH_PAYMENT_METHOD_NAME
  return {
    gateway: name === CASH_PAYMENT_METHOD_NAME ? 'efectivo' : 'mostrador',
    payment_method_id: method?.payment_method_id ?? null,
    method: name,
    location_id: await locationOf(ctx, input.location_id ?? null),
    staff_id: ctx.staff?.staff_id ?? null,
    reference: referenceOf(input),
    cash_session_id: null,
    needsTill,
    receivedBy: ctx.staff ? `staff:${ctx.staff.staff_id}` : 'system',
  }
}

/** The given location; otherwise the only one of the studio, or the only one where the caller works. FORBIDDEN elsewhere (E14). */
async function locationOf(ctx: Ctx, location_id: number | null): Promise<number | null> {
  const all = (await locations(ctx)).locations
  const here = all.filter((location) => ctx.worksAt(location.location_id))
  if (location_id === null) return here.length === 1 ? (here[0]?.location_id ?? null) : null
  if (!all.some((location) => location.location_id === location_id)) throw refuse('INVALID_INPUT', { field: 'location_id' })
  ctx.requireLocation('sales.sell', location_id)
  return location_id
}

/**
 * The till for money received at the counter: the receiver's open one at that location (J2). Without a location it is the only one that
 * they have open. Cash without one is CASH_SESSION_REQUIRED. The till cannot be closed until the transaction ends.
 */
export async function assignTill<R extends Received>(tx: Tx, ctx: Ctx, received: R): Promise<R> {
  const { staff_id, location_id, gateway, needsTill } = received
  if (staff_id === null) return received
  const open = await lockOpenSessions(tx, { staff_id })
  const session =
    location_id === null ? (open.length === 1 ? open[0] : undefined) : open.find((session) => session.location_id === location_id)
  if (!session && needsTill && gateway === 'efectivo' && ctx.settings.cash_session_required) throw refuse('CASH_SESSION_REQUIRED')
  if (!session) return received
  return { ...received, cash_session_id: session.cash_session_id, location_id: session.location_id }
}

/**
 * The open till that pays a refund (J6): the caller's, at the charge's location or the only one that they have open; otherwise
 * the only one that is open at the charge's location. Null without any.
 */
export async function tillOfRefund(tx: Tx, ctx: Ctx, charge: { location_id: number | null }): Promise<number | null> {
  const own = ctx.staff ? await lockOpenSessions(tx, { staff_id: ctx.staff.staff_id }) : []
  const mine = own.find((session) => session.location_id === charge.location_id) ?? (own.length === 1 ? own[0] : undefined)
  if (mine) return mine.cash_session_id
  if (charge.location_id === null) return null
  const there = await lockOpenSessions(tx, { location_id: charge.location_id })
  return there.length === 1 ? (there[0]?.cash_session_id ?? null) : null
}

type NewSale = Pick<typeof purchase.$inferInsert, 'customer_id' | 'title' | 'class_amount' | 'expiration_days' | 'request_hash'> &
  Partial<typeof purchase.$inferInsert> & { total_centavos: number }

/** Sells something that is paid at this moment: purchase, attempt, receipt and charge, behind the customer's lock. Returns the purchase. */
export async function sellReceived(tx: Tx, ctx: Ctx, purchase: NewSale, by: Received): Promise<PurchaseRow> {
  const received = await assignTill(tx, ctx, by)
  const { gateway, method, location_id, staff_id, payment_method_id } = received
  const { purchase_id, customer_id, total_centavos } = await insertPurchase(tx, {
    ...purchase,
    amount_centavos: purchase.amount_centavos ?? purchase.total_centavos,
    gateway,
    payment_method_id,
    location_id,
    staff_id,
    status: 'pending',
    hold_until: new Date(ctx.now.getTime() + CARD_HOLD_MS),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  const attempt = await insertAttempt(tx, {
    purchase_id,
    n: 1,
    gateway,
    ref_kind: 'payment',
    state: 'created',
    now: ctx.now,
    instrument: { by: 'hand', label: method },
  })
  const facts = await recordReceipt(tx, gateway, {
    key: { purchase: purchase_id, step: 'pay', n: attempt.n },
    customer_id,
    amount: total_centavos,
    receivedBy: received.receivedBy,
    now: ctx.now,
  })
  const done = await applyInside(tx, ctx, facts, attempt, { confirmed: new Map(), received })
  if (done?.purchase.status !== 'completed') throw new Error(`The sale ${purchase_id} was not completed by its own receipt.`)
  return done.purchase
}

/** Receives the money of a purchase that waits for cash, by any payment method, behind the customer's and the purchase's lock. */
export async function receiveFor(tx: Tx, ctx: Ctx, purchase: PurchaseRow, by: Received): Promise<void> {
  const received = await assignTill(tx, ctx, by)
  const attempt = (await listAttempts(tx, purchase.purchase_id)).find(
    (attempt) => attempt.gateway === 'efectivo' && attempt.ref_id !== null,
  )
  if (!attempt?.ref_id) throw refuse('PURCHASE_CLOSED')
  const { gateway, payment_method_id, method, location_id } = received
  await updatePurchase(tx, purchase.purchase_id, { gateway, payment_method_id, location_id, updatedAt: ctx.now })
  const moved = await updateAttempt(tx, attempt.payment_id, {
    gateway,
    instrument: { ...attempt.instrument, label: method },
    updatedAt: ctx.now,
  })
  const facts = await receiveWaiting(tx, attempt.ref_id, { gateway, receivedBy: received.receivedBy, now: ctx.now })
  await applyInside(tx, ctx, facts, moved, { confirmed: new Map(), received })
}
