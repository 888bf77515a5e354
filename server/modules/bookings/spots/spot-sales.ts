/** Single places sold at the counter: price, sale, and the refund that is owed when the place is cancelled (V45, R22). */

import { refuse } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import { type CashReservation, listCashReservations, markReservationPaid } from '#server/modules/bookings/store/attendance-store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { oweReservationRefund, type Received, sellReceived, withdrawReservationRefund } from '#server/modules/sales/sales.ts'
import { type LockedClass, typeOfClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

/** The price of a single place: the class's, else its type's, else the setting's. Null when none is set. */
export function singleReservationPrice(
  cls: { price_centavos: number | null },
  type: { price_centavos: number | null },
  settings: Ctx['settings'],
): Centavos | null {
  return cls.price_centavos ?? type.price_centavos ?? (settings.drop_in_price === '' ? null : parsePesos(settings.drop_in_price))
}

/** The same for a locked class. PRICE_MISSING when none is set. */
export async function demandPrice(tx: Tx, ctx: Ctx, cls: LockedClass): Promise<Centavos> {
  const price = singleReservationPrice(cls, await typeOfClass(tx, cls.class_type_id), ctx.settings)
  if (price === null) throw refuse('PRICE_MISSING')
  return price
}

/** The title of a single place as a sale item. */
export async function describeReservation(tx: Tx, cls: LockedClass): Promise<string> {
  const { name } = await typeOfClass(tx, cls.class_type_id)
  return `${name}, ${formatWall(cls.wall.toISOString(), 'class')}`
}

/**
 * Receives the money of a customer's places in one class: one sale with its charge for those still unpaid, in the caller's transaction and
 * behind the class's and the customer's lock. `shown`: the amount that the cashier saw. PRICE_MISSING, PRICE_CHANGED.
 */
export async function sellReservations(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  input: { customer_id: number; ids: readonly number[]; received: Received; shown: Centavos | null },
): Promise<void> {
  const owed = (await listCashReservations(tx, input.ids)).filter((reservation) => !reservation.is_paid)
  if (owed.length === 0) return
  const missing = owed.some((reservation) => reservation.price_centavos === null) ? await demandPrice(tx, ctx, cls) : 0
  const prices = owed.map((reservation) => reservation.price_centavos ?? missing)
  const total = prices.reduce((sum, price) => sum + price, 0)
  if (input.shown !== null && input.shown !== total) throw refuse('PRICE_CHANGED', { price: pesos(total), total: pesos(total) })
  const { purchase_id } = await sellReceived(
    tx,
    ctx,
    {
      customer_id: input.customer_id,
      class_package_id: null,
      class_amount: 0,
      expiration_days: 0,
      request_hash: 'place',
      title: `${await describeReservation(tx, cls)}${owed.length > 1 ? ` (${owed.length} lugares)` : ''}`,
      total_centavos: total,
    },
    { ...input.received, location_id: input.received.location_id ?? cls.location_id },
  )
  for (const [n, reservation] of owed.entries())
    await markReservationPaid(tx, reservation.class_reservation_id, { purchase_id, price_centavos: prices[n] ?? missing }, ctx.now)
}

/** Sums of prices by the sale that paid; places without a sale are left out. */
function bySale(reservations: readonly CashReservation[]): Map<number, Centavos> {
  const sums = new Map<number, Centavos>()
  for (const { purchase_id, is_paid, price_centavos } of reservations)
    if (purchase_id !== null && is_paid) sums.set(purchase_id, (sums.get(purchase_id) ?? 0) + (price_centavos ?? 0))
  return sums
}

/** After cancellations in time: money paid at the counter is owed to the customers, who are notified (V37). */
export async function oweRefundsForReservations(tx: Tx, ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (const [purchase_id, amount] of bySale(await listCashReservations(tx, ids)))
    await oweReservationRefund(tx, ctx, { purchase_id, amount })
}

/**
 * A restored place: its refund is no longer owed. False when the sale's money was refunded meanwhile, so that the place has to be
 * paid again.
 */
export function withdrawRefundOfReservation(tx: Tx, ctx: Ctx, reservation: CashReservation): Promise<boolean> {
  if (reservation.purchase_id === null || !reservation.is_paid) return Promise.resolve(reservation.is_paid)
  return withdrawReservationRefund(tx, ctx, { purchase_id: reservation.purchase_id, amount: reservation.price_centavos ?? 0 })
}

/**
 * The payment that a cash reservation takes along to another class: its price and sale, or its deadline. Null when it and its guest's are
 * paid differently, or when it has no stored price (older rows).
 */
export async function cashThatMoves(
  tx: Tx,
  ids: readonly number[],
): Promise<{ until: Date | null; price: Centavos; sale?: number } | null> {
  const reservations = await listCashReservations(tx, ids)
  const [host] = reservations
  if (!host || host.price_centavos === null || reservations.length < ids.length) return null
  if (
    reservations.some(
      (reservation) =>
        reservation.is_paid !== host.is_paid ||
        reservation.purchase_id !== host.purchase_id ||
        reservation.price_centavos !== host.price_centavos,
    )
  )
    return null
  if (host.is_paid && host.purchase_id === null) return null
  return { until: host.pay_until, price: host.price_centavos, ...(host.purchase_id === null ? {} : { sale: host.purchase_id }) }
}
