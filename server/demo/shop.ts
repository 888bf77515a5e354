/**
 * What the counter of a demo with its history sold besides packages: products from the shelf, gift cards and what they paid, private
 * classes that are still owed, and an unconfirmed transfer. Each is a sale with its row, its payment and its purchase.
 */
import { sql } from 'drizzle-orm'
import { formatMoney } from '#contract/money.ts'
import { defaultSettings } from '#contract/settings.ts'
import { addDays, type LocalDate, localDate } from '#contract/time.ts'
import { cashPayment } from '#server/adapters/payments/counter/tables.ts'
import { product, productStock } from '#server/modules/catalogue/tables.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { sale, saleItem, salePayment } from '#server/modules/sales/counter-tables.ts'
import { giftCard, giftCardMovement } from '#server/modules/sales/gift-card-tables.ts'
import { createGiftCard, NO_TAX, taxFacts } from '#server/modules/sales/sales.ts'
import { invoice, paymentAttempt, purchase } from '#server/modules/sales/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand } from './brand.ts'
import { insertMany, newIds, numbers } from './bulk.ts'
import { Chance } from './chance.ts'
import type { Crowd, PlannedReservation } from './crowd.ts'
import type { Receipt, Tills } from './tills.ts'
import { zoneOfBrand } from './week.ts'
import { type BrandIds, findRows, ONE_OFF } from './write.ts'

const DAY = 86_400_000

/** The shelf of each brand: name and price, in centavos, and how often it is sold, in hundredths of all its sales. */
const SHELF: Readonly<Record<Brand['key'], readonly (readonly [name: string, price: number, share: number])[]>> = {
  vaiven: [
    ['Botella de agua', 2_500, 46],
    ['Calcetines con antiderrapante', 22_000, 24],
    ['Toalla de algodón', 18_000, 8],
    ['Banda de resistencia', 15_000, 7],
    ['Barra de amaranto', 3_500, 11],
    ['Playera Vaivén', 39_000, 4],
  ],
  fragua: [
    ['Agua mineral', 3_000, 44],
    ['Vendas de 4.5 m', 16_000, 22],
    ['Guantes de 12 oz', 129_000, 4],
    ['Protector bucal', 12_000, 9],
    ['Electrolitos', 4_500, 17],
    ['Playera Fragua', 35_000, 4],
  ],
}
/** Of a thousand visits to a class, the number followed by a purchase. */
const BUY = 26
/** Gift cards: around which days of the year they are sold, as month-day, and for how much. */
const GIFTS = [
  ['12-18', 100_000],
  ['12-21', 50_000],
  ['12-23', 150_000],
  ['02-12', 80_000],
  ['02-14', 50_000],
  ['05-08', 100_000],
  ['05-09', 60_000],
  ['05-10', 100_000],
  ['08-20', 50_000],
  ['10-03', 75_000],
  ['11-11', 100_000],
] as const
/** Private classes that are owed: days ago, price, what was paid, and in how many days from now the rest is due. */
const OWED = [
  { daysAgo: 16, total: 65_000, paid: 30_000, due: -2, reason: 'Paga el resto en su quincena' },
  { daysAgo: 5, total: 130_000, paid: 65_000, due: 9, reason: 'Mitad ahora y mitad al terminar' },
  { daysAgo: 2, total: 65_000, paid: 20_000, due: 12, reason: 'No traía su tarjeta' },
] as const
const PENDING = [
  { daysAgo: 1.2, total: 65_000, reference: '4417' },
  { daysAgo: 0.6, total: 130_000, reference: '8052' },
] as const

interface ShopSale {
  customer_id: number
  location_id: number
  at: Date
  kind: 'product' | 'gift_card' | 'other'
  product_id: number | null
  title: string
  quantity: number
  total: number
  paid: number
  owed: { until: LocalDate; reason: string } | null
  pending: string | null
  /** The sale of the gift card that pays it. */
  byCard: ShopSale | null
}

export async function planShop(
  ctx: Ctx,
  tx: Tx,
  brand: Brand,
  brandIds: BrandIds,
  crowd: Crowd,
  tills: Tills,
): Promise<{ write(): Promise<void> }> {
  const chance = new Chance(19_750_620)
  const { now } = ctx
  const zone = zoneOfBrand(brand)
  const shelf = SHELF[brand.key]
  const products = await tx
    .insert(product)
    .values(shelf.map(([name, price_centavos], sort) => ({ name, price_centavos, sort, createdAt: now, updatedAt: now })))
    .returning({ product_id: product.product_id })
  await insertMany(
    tx,
    productStock,
    products.flatMap(({ product_id }, n) =>
      Object.values(brandIds.locations).map((location_id) => ({
        product_id,
        location_id,
        quantity: Math.floor(chance.between(n === 2 ? 0 : 4, 38)),
      })),
    ),
  )

  const came = crowd.reservations.filter(
    ({ attend, host, cls }) => attend === true && host === null && cls.ends_at.getTime() < now.getTime() - DAY / 4,
  )
  const after = ({ customer_id, cls }: PlannedReservation) => ({
    customer_id,
    location_id: findRows(brandIds.locations, cls.location),
    at: new Date(cls.ends_at.getTime() + chance.between(3, 14) * 60_000),
    owed: null,
    pending: null,
    byCard: null,
    product_id: null,
    quantity: 1,
  })
  const sales: ShopSale[] = []
  for (const reservation of came) {
    if (!chance.happens(BUY / 1_000)) continue
    const drawn = chance.between(0, 100)
    const index = shelf.findIndex((_, n) => drawn < shelf.slice(0, n + 1).reduce((sum, [, , share]) => sum + share, 0))
    const [name, price] = shelf[index] ?? shelf[0] ?? ['', 0]
    const quantity = price < 5_000 && chance.happens(0.2) ? 2 : 1
    const product_id = products[index]?.product_id ?? products[0]?.product_id ?? null
    sales.push({
      ...after(reservation),
      kind: 'product',
      product_id,
      title: name,
      quantity,
      total: price * quantity,
      paid: price * quantity,
    })
  }
  const reservationNear = (at: number) => came.find(({ cls }) => cls.ends_at.getTime() >= at)
  const cards = giftDays(now).flatMap(({ at, amount }): ShopSale[] => {
    const reservation = reservationNear(at)
    return reservation
      ? [{ ...after(reservation), kind: 'gift_card', title: `Tarjeta de regalo de ${formatMoney(amount)}`, total: amount, paid: amount }]
      : []
  })
  // Every second card paid something some weeks later, once for each card.
  for (const [n, card] of cards.entries()) {
    if (n % 2 === 1) continue
    const paid = sales.find(
      (sale) => !sale.byCard && sale.at.getTime() > card.at.getTime() + 9 * DAY && sale.total <= card.total && sale.total > 10_000,
    )
    if (paid) paid.byCard = card
  }
  sales.push(...cards)
  for (const { daysAgo, total, paid, due, reason } of OWED) {
    const reservation = reservationNear(now.getTime() - daysAgo * DAY)
    if (reservation)
      sales.push({
        ...after(reservation),
        kind: 'other',
        title: total > 100_000 ? 'Dos clases privadas' : 'Clase privada',
        total,
        paid,
        owed: { until: addDays(localDate(now, zone), due), reason },
      })
  }
  for (const { daysAgo, total, reference } of PENDING) {
    const reservation = reservationNear(now.getTime() - daysAgo * DAY)
    if (reservation) sales.push({ ...after(reservation), kind: 'other', title: 'Clase privada', total, paid: total, pending: reference })
  }
  sales.sort((a, b) => a.at.getTime() - b.at.getTime())
  const inTill = sales.filter((sale) => !sale.byCard && sale.pending === null)
  const receipts = await tills.receive(
    tx,
    inTill.map(({ location_id, at, paid }) => ({ location_id, at, total: paid })),
  )
  const receiptOf = new Map(inTill.flatMap((sale, n) => (receipts[n] ? [[sale, receipts[n]] as const] : [])))
  return { write: () => writeShop(ctx, tx, brand, { sales, cards, receiptOf, tills }) }
}

/** The days of the last year on which gift cards were sold. */
function giftDays(now: Date): { at: number; amount: number }[] {
  return GIFTS.flatMap(([monthDay, amount]) =>
    [0, 1].map((ago) => ({ at: Date.parse(`${now.getUTCFullYear() - ago}-${monthDay}T18:00:00Z`), amount })),
  )
    .filter(({ at }) => at < now.getTime() - 2 * DAY && at > now.getTime() - 360 * DAY)
    .sort((a, b) => a.at - b.at)
}

interface Shop {
  sales: readonly ShopSale[]
  cards: readonly ShopSale[]
  receiptOf: ReadonlyMap<ShopSale, Receipt>
  tills: Tills
}
type NumberedSale = Awaited<ReturnType<typeof numberSales>>[number]

async function writeShop(ctx: Ctx, tx: Tx, brand: Brand, shop: Shop): Promise<void> {
  const all = await numberSales(tx, brand, shop)
  await insertMany(
    tx,
    sale,
    all.map(({ sale_id, customer_id, location_id, staff_id, total, paid, owed, at }) => ({
      sale_id,
      customer_id,
      location_id,
      staff_id,
      total_centavos: total,
      owed_centavos: total - paid,
      owe_until: owed?.until ?? null,
      owe_reason: owed?.reason ?? null,
      createdAt: at,
    })),
  )
  await insertMany(
    tx,
    saleItem,
    all.map(({ sale_line_id, sale_id, kind, product_id, title, quantity, total, facts }) => ({
      sale_line_id,
      sale_id,
      n: 1,
      kind,
      product_id,
      restocked: 0,
      title,
      quantity,
      list_centavos: total,
      total_centavos: total,
      ...facts,
    })),
  )
  await insertMany(
    tx,
    purchase,
    all.map(({ purchase_id, customer_id, title, total, gateway, method, sale_id, sale_line_id, location_id, staff_id, at }) => ({
      purchase_id,
      customer_id,
      title,
      amount_centavos: total,
      discount_centavos: 0,
      total_centavos: total,
      class_amount: 0,
      expiration_days: 0,
      is_subscription: false,
      payment_method_id: method?.payment_method_id ?? null,
      gateway,
      status: 'completed',
      holds_stock: false,
      request_hash: 'demo',
      sale_id,
      sale_line_id,
      location_id,
      staff_id,
      createdAt: at,
      updatedAt: at,
      completedAt: at,
    })),
  )
  const cardOf = new Map<ShopSale, number>()
  for (const card of shop.cards) {
    const sold = all.find(({ source }) => source === card)
    if (!sold) continue
    const then = new Ctx({ ...ctx.studio, clock: () => sold.at }, { actor: ctx.actor })
    await createGiftCard(tx, then, { purchase_id: sold.purchase_id, amount: sold.total })
    const [row] = await tx.select({ id: giftCard.gift_card_id }).from(giftCard).where(sql`${giftCard.purchase_id} = ${sold.purchase_id}`)
    if (row) cardOf.set(card, row.id)
  }
  await insertMany(
    tx,
    salePayment,
    all.map(({ sale_payment_id, sale_id, method, byCard, paid, pending, reference, staff_id, at }) => ({
      sale_payment_id,
      sale_id,
      n: 1,
      payment_method_id: method?.payment_method_id ?? null,
      gift_card_id: byCard ? cardOf.get(byCard) : null,
      amount_centavos: paid,
      reference,
      state: pending ? 'pending' : 'received',
      staff_id,
      createdAt: at,
    })),
  )
  const spent = all.flatMap((sale) =>
    sale.byCard ? [{ ...sale, gift_card_id: cardOf.get(sale.byCard), left: sale.byCard.total - sale.paid }] : [],
  )
  if (spent.length > 0)
    await insertMany(
      tx,
      giftCardMovement,
      spent.map(({ gift_card_id, paid, left, sale_payment_id, staff_id, at }) => ({
        gift_card_id,
        n: 2,
        kind: 'spent',
        amount_centavos: -paid,
        balance_centavos: left,
        sale_payment_id,
        staff_id,
        createdAt: at,
      })),
    )
  await writeCharges(tx, all)
}

/** The sales with the ids and amounts of their rows. */
async function numberSales(tx: Tx, brand: Brand, { sales, receiptOf, tills }: Shop) {
  const settings = { ...defaultSettings, ...brand.settings }
  const [saleIds, itemIds, paymentIds, cardIds] = [
    await newIds(tx, sale, 'sale_id', sales.length),
    await newIds(tx, saleItem, 'sale_line_id', sales.length),
    await newIds(tx, salePayment, 'sale_payment_id', sales.length),
    await numbers(tx, sql`nextval('order_number')`, sales.length * 2),
  ]
  return sales.map((sale, n) => {
    const receipt = receiptOf.get(sale)
    const pending = sale.pending !== null
    const gateway = sale.byCard ? 'regalo' : pending ? 'mostrador' : (receipt?.gateway ?? 'efectivo')
    const method = sale.byCard ? null : pending ? tills.methods.transfer : (receipt?.method ?? tills.methods.cash)
    const purchase_id = cardIds[2 * n] ?? 0
    return {
      ...sale,
      pending,
      reference: sale.pending,
      gateway,
      method,
      purchase_id,
      payment_id: cardIds[2 * n + 1] ?? 0,
      sale_id: saleIds[n] ?? 0,
      sale_line_id: itemIds[n] ?? 0,
      sale_payment_id: paymentIds[n] ?? 0,
      staff_id: tills.sellerAt(sale.location_id),
      cash_session_id: receipt?.cash_session_id ?? null,
      money: `${pending ? 'TR' : 'EF'}-DEMO-${purchase_id}`,
      facts: taxFacts(settings, sale.total, sale.kind === 'gift_card' ? NO_TAX : null),
      paidFacts: taxFacts(settings, sale.paid, sale.kind === 'gift_card' ? NO_TAX : null),
      source: sale,
    }
  })
}

/** What was paid for the sales: attempts, payments at the counter and charges. */
async function writeCharges(tx: Tx, all: readonly NumberedSale[]): Promise<void> {
  const received = all.filter(({ pending }) => !pending)
  await insertMany(
    tx,
    paymentAttempt,
    received.map(({ payment_id, purchase_id, gateway, money, method, paid, at }) => ({
      payment_id,
      purchase_id,
      n: 1,
      gateway,
      ref_kind: 'payment',
      ref_id: money,
      state: 'paid',
      part_centavos: paid,
      instrument: { by: 'hand', label: method?.name ?? 'Tarjeta de regalo' },
      createdAt: at,
      updatedAt: at,
    })),
  )
  await insertMany(
    tx,
    cashPayment,
    received.map(({ money, gateway, purchase_id, customer_id, paid, staff_id, at }) => ({
      reference: money,
      gateway,
      key: `${purchase_id}:pay:1`,
      purchase_id,
      customer_id,
      amount: paid,
      refunded: 0,
      state: 'paid',
      receivedBy: `staff:${staff_id}`,
      paidAt: at,
      expiresAt: new Date(at.getTime() + 2 * DAY),
      createdAt: at,
      updatedAt: at,
    })),
  )
  await insertMany(
    tx,
    invoice,
    all.map(({ purchase_id, customer_id, gateway, money, paid, pending, reference, method, paidFacts, ...sale }) => ({
      purchase_id,
      customer_id,
      gateway,
      provider_payment: money,
      period: ONE_OFF,
      total_centavos: paid,
      refunded_centavos: 0,
      currency: 'MXN',
      status: pending ? 'pending' : 'paid',
      label: method?.name ?? 'Tarjeta de regalo',
      payment_method_id: method?.payment_method_id ?? null,
      location_id: sale.location_id,
      staff_id: sale.staff_id,
      reference,
      cash_session_id: sale.cash_session_id,
      sale_payment_id: sale.sale_payment_id,
      ...paidFacts,
      paidAt: pending ? null : sale.at,
      createdAt: sale.at,
    })),
  )
}
