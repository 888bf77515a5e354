/** Counter sales: a basket of packages, places in classes and other items, in one transaction (docs/domain.md, "Sales at the counter"). */
import type * as z from 'zod'
import type { RosterReservation } from '#contract/attendance.ts'
import { COUNTER_SALES_PER_PAGE, type CounterSale, type counterSales as wire } from '#contract/counter-sales.ts'
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { addDays, localDate, startOfDay } from '#contract/time.ts'
import {
  createReservation,
  demandPrice,
  describeReservation,
  recordingFullClass,
  rosterReservation,
} from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { anonymousCustomer, customerById } from '#server/modules/people/people.ts'
import {
  assertLocation,
  endOpenOrders,
  type ItemInput,
  lockBuyer,
  mayDiscountFreely,
  priceItems,
  type ReadPayment,
  readPayments,
  readSales,
  soldCards,
  studioPurchase,
  writeSale,
} from '#server/modules/sales/sales.ts'
import { type LockedClass, lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type SaleInput = Input<'sell'>

export interface SaleAnswer {
  sale: CounterSale
  purchases: StudioPurchase[]
  class_reservations: RosterReservation[]
}

/** Thrown at the end of a dry run with its result, to roll the transaction back. */
class Tried extends Error {
  readonly sale: CounterSale
  constructor(sale: CounterSale) {
    super('A sale was tried.')
    this.sale = sale
  }
}

/** The buyer, and the validated payments. */
interface ReadSale {
  buyer: { customer_id: number; isAnonymous: boolean }
  payments: readonly ReadPayment[]
}

/** The rows that a sale wrote. */
interface Written {
  sale_id: number
  purchases: number[]
  class_reservations: number[]
}

/**
 * Sells a basket (S1 to S3): prices it, books its places, takes its payments, all or nothing. A `dry_run` returns the same and writes
 * nothing. NOT_FOUND for customer, product and location, PRICE_CHANGED when the total differs from the one shown, PAYMENTS_DIFFER,
 * CASH_SESSION_REQUIRED, FORBIDDEN for a discount or debt above this person's limit, and the refusals of packages, codes and bookings.
 */
export async function sell(ctx: Ctx, input: SaleInput): Promise<SaleAnswer> {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  if (input.customer_id !== null) await customerById(ctx.db, input.customer_id)
  await assertLocation(ctx, input.location_id)
  assertComplete(ctx, input)
  for (const gift_to of giftsOf(input)) await customerById(ctx.db, gift_to)
  const payments = await readPayments(ctx, ctx.db, input.payments)
  const buyer = await buyerOf(ctx, input.customer_id)
  const packages = [...new Set(input.lines.flatMap((line) => (line.gift_to ? [] : (line.class_package_id ?? []))))]
  if (input.dry_run) return { sale: await tried(ctx, input, { buyer, payments, packages }), purchases: [], class_reservations: [] }
  // The customer's open online orders of the same packages are ended before the sale; a refused sale ends none (V28).
  await endOpenOrders(ctx, { customer_id: buyer.customer_id, packages }, (ending) =>
    tried(ctx, input, { buyer, payments, packages }, ending),
  )
  const written = await ctx.once('counter.sell', input, (tx) => write(tx, ctx, input, { buyer, payments }, []))
  return answer(ctx, written)
}

/** The customers who receive packages of the basket as gifts. */
const giftsOf = ({ lines }: Pick<SaleInput, 'lines'>): number[] => [...new Set(lines.flatMap(({ gift_to }) => gift_to ?? []))]

/** The customer, or the record of sales without one (S6). */
async function buyerOf(ctx: Ctx, customer_id: number | null): Promise<ReadSale['buyer']> {
  if (customer_id !== null) return { customer_id, isAnonymous: false }
  return { customer_id: (await ctx.tx((tx) => anonymousCustomer(tx, ctx.now))).customer_id, isAnonymous: true }
}

/** The sale as it would be: runs it in a transaction that is rolled back. */
async function tried(
  ctx: Ctx,
  input: SaleInput,
  { packages, ...of }: ReadSale & { packages: number[] },
  ending?: number[],
): Promise<CounterSale> {
  const open = ending ?? (await endOpenOrders(ctx, { customer_id: of.buyer.customer_id, packages }, null))
  try {
    await ctx.tx(async (tx) => {
      const { sale_id } = await write(tx, ctx, input, of, open)
      const [sale] = (await readSales(tx, { sale_ids: [sale_id] }, { number: 1, size: 1 })).sales
      if (!sale) throw new Error('The sale that was tried is not there.')
      throw new Tried(sale)
    })
  } catch (error) {
    if (error instanceof Tried) return withoutIds(error.sale)
    throw error
  }
  throw new Error('A sale that was tried was kept.')
}

const withoutIds = (sale: CounterSale): CounterSale => ({
  ...sale,
  sale_id: null,
  folio: null,
  lines: sale.lines.map((line) => ({ ...line, purchase_id: null, class_reservation_id: null })),
  payments: sale.payments.map((payment) => ({ ...payment, invoice_ids: [] })),
})

/**
 * CUSTOMER_REQUIRED for a debt, a package or a place without a customer; INVALID_INPUT for an item with a missing or contradictory field
 * and for a sale without the total that was shown; FORBIDDEN for a debt without the right to allow it, INVALID_INPUT for one due in
 * the past.
 */
function assertComplete(ctx: Ctx, { customer_id, lines, payments, owe, shown, dry_run }: SaleInput): void {
  if (customer_id === null && (owe || lines.some(({ kind }) => kind === 'package' || kind === 'class'))) throw refuse('CUSTOMER_REQUIRED')
  if (!shown && !dry_run) throw refuse('INVALID_INPUT', { field: 'shown' })
  for (const [n, line] of lines.entries()) {
    const missing =
      line.kind === 'package'
        ? !line.class_package_id && 'class_package_id'
        : line.kind === 'class'
          ? (!line.single_class_id && 'single_class_id') || (line.quantity > 1 && 'quantity')
          : line.kind === 'product'
            ? !line.product_id && 'product_id'
            : (line.kind === 'other' && !line.title && 'title') || (!line.amount && 'amount')
    if (missing) throw refuse('INVALID_INPUT', { field: `lines.${n}.${missing}` })
    if (line.gift_to && (line.kind !== 'package' || line.gift_to === customer_id))
      throw refuse('INVALID_INPUT', { field: `lines.${n}.gift_to` })
    if (line.with_credit && (line.kind !== 'class' || line.discount || line.price))
      throw refuse('INVALID_INPUT', { field: `lines.${n}.with_credit` })
  }
  // A place that a credit pays is booked with a sale; without one it is a reservation.
  if (lines.every(({ with_credit }) => with_credit)) throw refuse('INVALID_INPUT', { field: 'lines.0.with_credit' })
  if (lines.some(({ kind }) => kind === 'gift_card')) {
    // A card is worth money from its sale on, so it is paid in full, and not with another card.
    if (owe) throw refuse('INVALID_INPUT', { field: 'owe' })
    const n = payments.findIndex(({ gift_card_code }) => gift_card_code)
    if (n >= 0) throw refuse('INVALID_INPUT', { field: `payments.${n}.gift_card_code` })
  }
  if (!owe) return
  if (!mayDiscountFreely(ctx)) throw refuse('FORBIDDEN', { needs: 'sales.discount_free' })
  if (owe.until < localDate(ctx.now, ctx.zone)) throw refuse('INVALID_INPUT', { field: 'owe.until' })
}

/** Writes the sale, locking in this order: classes, customer, packages, discounts, purchases, till. */
async function write(
  tx: Tx,
  ctx: Ctx,
  input: SaleInput,
  { buyer: { customer_id, isAnonymous }, payments }: ReadSale,
  ending: readonly number[],
): Promise<Written> {
  const { location_id, lines, owe } = input
  const classes = new Map<number, LockedClass>()
  for (const id of lines.flatMap((line) => (line.kind === 'class' ? (line.single_class_id ?? []) : [])).sort((a, b) => a - b))
    classes.set(id, classes.get(id) ?? (await lockClass(tx, ctx, id)))
  for (const id of [customer_id, ...giftsOf(input)].sort((a, b) => a - b)) await lockBuyer(tx, id)
  const inputs: ItemInput[] = []
  for (const line of lines) {
    const cls = line.kind === 'class' ? classes.get(line.single_class_id ?? 0) : undefined
    if (cls) inputs.push({ ...line, title: await describeReservation(tx, cls), list: await demandPrice(tx, ctx, cls) })
    else inputs.push(line.kind === 'other' || line.kind === 'gift_card' ? { ...line, list: parsePesos(line.amount ?? '') ?? 0 } : line)
  }
  const items = await priceItems(tx, ctx, customer_id, inputs, ending)
  const total = items.reduce((sum, item) => sum + item.total, 0)
  if (input.shown && parsePesos(input.shown.total) !== total) throw refuse('PRICE_CHANGED', { price: pesos(total), total: pesos(total) })
  const owed = total - payments.reduce((sum, payment) => sum + payment.amount, 0)
  if (owed < 0 || (owed > 0 && !owe && !input.dry_run)) throw refuse('PAYMENTS_DIFFER', { missing: pesos(owed), total: pesos(total) })
  const { sale_id, purchases } = await writeSale(tx, ctx, {
    customer_id,
    isAnonymous,
    location_id,
    items,
    payments,
    total,
    owed,
    note: input.note || null,
    // A dry run may leave a part unpaid.
    owe: owed > 0 ? (owe ?? { until: localDate(ctx.now, ctx.zone), reason: 'Sin cobrar todavía' }) : null,
  })
  const class_reservations: number[] = []
  const reserve = async (cls: LockedClass, taking: Omit<Parameters<typeof createReservation>[3], 'customer_id' | 'source'>) => {
    const book = () => createReservation(tx, ctx, cls, { ...taking, customer_id, source: 'staff' })
    const { single_class_id } = cls
    const { class_reservation_id } = await (input.dry_run ? book() : recordingFullClass(ctx, { single_class_id, customer_id }, book))
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id } })
    class_reservations.push(class_reservation_id)
  }
  for (const { at, purchase_id, total_centavos } of purchases) {
    const line = lines[at]
    const cls = line?.kind === 'class' ? classes.get(line.single_class_id ?? 0) : undefined
    if (cls) await reserve(cls, { input: { spot: line?.spot }, cash: { until: null, price: total_centavos, sale: purchase_id } })
  }
  // After the items: their packages may be what pays.
  for (const line of lines) {
    const cls = line.with_credit ? classes.get(line.single_class_id ?? 0) : undefined
    if (cls) await reserve(cls, { input: { spot: line.spot } })
  }
  return { sale_id, purchases: purchases.map((purchase) => purchase.purchase_id), class_reservations }
}

async function answer(ctx: Ctx, { sale_id, purchases, class_reservations }: Written): Promise<SaleAnswer> {
  const [sale] = (await readSales(ctx.db, { sale_ids: [sale_id] }, { number: 1, size: 1 })).sales
  if (!sale) throw new Error(`There is no sale ${sale_id}.`)
  const [bought, reservations] = await Promise.all([
    Promise.all(purchases.map((purchase_id) => studioPurchase(ctx, purchase_id))),
    Promise.all(class_reservations.map(async (id) => (await rosterReservation(ctx, id)).class_reservation)),
  ])
  const cards = await soldCards(
    ctx,
    ctx.db,
    sale.lines.flatMap(({ kind, purchase_id }) => (kind === 'gift_card' && purchase_id !== null ? [purchase_id] : [])),
  )
  let next = 0
  const lines = sale.lines.map((line) =>
    line.kind === 'class'
      ? { ...line, class_reservation_id: class_reservations[next++] ?? null }
      : { ...line, gift_card: cards.get(line.purchase_id ?? 0) ?? null },
  )
  return { sale: { ...sale, lines }, purchases: bought, class_reservations: reservations }
}

/** Sales of the caller's locations, latest first. FORBIDDEN for another location. */
export async function listCounterSales(ctx: Ctx, input: Input<'list'>): Promise<{ sales: CounterSale[]; total: number }> {
  const { page, from, to, ...filter } = input
  if (filter.location_id !== undefined) ctx.requireLocation('sales.sell', filter.location_id)
  const days = {
    from: from === undefined ? undefined : startOfDay(from, ctx.zone),
    until: to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone),
  }
  return readSales(ctx.db, { ...filter, ...days, locations: ctx.locationIds }, { number: page, size: COUNTER_SALES_PER_PAGE })
}
