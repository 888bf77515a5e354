/**
 * Writes a planned demo studio in bulk: thousands of rows in a few statements, under the same constraints as all other writes. The verbs of
 * the modules take some milliseconds for each sale and booking, which the first start cannot spend
 * (docs/decisions/023-the-demo-writes-in-bulk.md).
 */
import { asc, sql } from 'drizzle-orm'
import { basePrice, priceAfter } from '#contract/money.ts'
import { defaultSettings } from '#contract/settings.ts'
import { cashPayment, cashRefund } from '#server/adapters/payments/counter/tables.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { discount } from '#server/modules/catalogue/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import { refund } from '#server/modules/sales/aftersales-tables.ts'
import { taxFacts } from '#server/modules/sales/sales.ts'
import { discountUse, invoice, paymentAttempt, purchase } from '#server/modules/sales/tables.ts'
import { classInstructor, classTag, singleClass } from '#server/modules/schedule/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand, DemoPackage } from './brand.ts'
import { insertMany, newIds, numbers } from './bulk.ts'
import type { Crowd, PlannedCreditLot, PlannedReservation } from './crowd.ts'
import { readCounter, Tills } from './tills.ts'
import { type PlannedClass, zoneOfBrand } from './week.ts'

/** Ids of inserted records, by their keys in the brand. */
export interface BrandIds {
  locations: Record<string, number>
  types: Record<string, number>
  coaches: Record<string, number>
  packages: Record<string, number>
  tags: Record<string, number>
}

export function findRows(ids: Record<string, number>, key: string): number {
  const id = ids[key]
  if (id === undefined) throw new Error(`The demo names "${key}", which it never made.`)
  return id
}

/** Inserts classes with their instructors and tags; returns their ids by class. `takenOf`: their places, when no trigger counts them. */
export async function writeClasses(
  tx: Tx,
  brandIds: BrandIds,
  classes: readonly PlannedClass[],
  now: Date,
  takenOf: ReadonlyMap<PlannedClass, number> | null = null,
): Promise<Map<PlannedClass, number>> {
  const ids = await newIds(tx, singleClass, 'single_class_id', classes.length)
  const idOf = new Map(classes.map((cls, i) => [cls, ids[i] ?? 0]))
  await insertMany(
    tx,
    singleClass,
    classes.map((cls) => ({
      single_class_id: idOf.get(cls),
      class_type_id: findRows(brandIds.types, cls.type),
      location_id: findRows(brandIds.locations, cls.location),
      class_package_id: cls.package === null ? null : findRows(brandIds.packages, cls.package),
      starts_at: cls.starts_at,
      ends_at: cls.ends_at,
      description: cls.description,
      capacity: cls.capacity,
      taken: takenOf?.get(cls) ?? 0,
      held: 0,
      spot_map: cls.spot_map,
      closed_spots: [],
      cancelledAt: cls.calledOff === null ? null : now,
      cancel_reason: cls.calledOff,
      substitutes_for: cls.substitutesFor === undefined ? null : findRows(brandIds.coaches, cls.substitutesFor),
      // The rosters of past classes are closed, as the plan decided attendance.
      settledAt: cls.ends_at < now ? now : null,
      createdAt: now,
      updatedAt: now,
    })),
  )
  await insertMany(
    tx,
    classInstructor,
    classes.flatMap((cls) =>
      cls.coaches.map((coach, sort) => ({ single_class_id: idOf.get(cls), instructor_id: findRows(brandIds.coaches, coach), sort })),
    ),
  )
  await insertMany(
    tx,
    classTag,
    classes.flatMap((cls) => (cls.tag === null ? [] : [{ single_class_id: idOf.get(cls), tag_id: findRows(brandIds.tags, cls.tag) }])),
  )
  return idOf
}

/** The period of a purchase that is paid once, as the sales module writes it. */
export const ONE_OFF = '0'

/**
 * Where each lot was sold: at the location of its first class, otherwise of any class of its customer, otherwise at the first location.
 */
function locationsOfCreditLots(brandIds: BrandIds, { creditLots, reservations }: Crowd): number[] {
  const locationNames = new Map<PlannedCreditLot | number, string>()
  for (const { creditLot, customer_id, cls } of reservations)
    for (const key of [creditLot, customer_id]) if (!locationNames.has(key)) locationNames.set(key, cls.location)
  const [home = ''] = Object.keys(brandIds.locations)
  return creditLots.map((creditLot) =>
    findRows(brandIds.locations, locationNames.get(creditLot) ?? locationNames.get(creditLot.customer_id) ?? home),
  )
}

/** A planned order: one package, or a subscription with all its periods. */
export interface Order {
  creditLot: PlannedCreditLot
  classPackage: DemoPackage
  class_package_id: number
  /** Before and after the discount, in centavos. */
  list: number
  total: number
  code: { discount_id: number; code: string } | null
  purchase_id: number
  payment_id: number
  at: Date
  location_id: number
}

/** The columns of a purchase that are the same however it was paid. */
export function purchaseOf({
  creditLot,
  classPackage,
  class_package_id,
  list,
  total,
  code,
  purchase_id,
  at,
}: Omit<Order, 'location_id' | 'payment_id'>) {
  return {
    purchase_id,
    customer_id: creditLot.customer_id,
    class_package_id,
    title: classPackage.title,
    amount_centavos: list,
    discount_centavos: list - total,
    total_centavos: total,
    discount_id: code?.discount_id ?? null,
    discount_code: code?.code ?? null,
    class_amount: classPackage.class_amount,
    expiration_days: classPackage.expiration_days,
    status: creditLot.refundedAt ? 'revoked' : 'completed',
    holds_stock: !creditLot.refundedAt,
    limit_slot: classPackage.limit_per_customer && !creditLot.refundedAt ? 1 : null,
    request_hash: 'demo',
    createdAt: at,
    updatedAt: creditLot.refundedAt ?? at,
    completedAt: at,
  }
}

/** The orders of the plan: one for each lot, and one for each subscription. */
async function ordersOf(tx: Tx, brand: Brand, brandIds: BrandIds, crowd: Crowd): Promise<Order[]> {
  const locations = locationsOfCreditLots(brandIds, crowd)
  const creditLots = crowd.creditLots.map((creditLot, i) => ({ creditLot, location_id: locations[i] ?? 0 }))
  const first = creditLots.filter(
    ({ creditLot }) => !creditLot.subscription || creditLot.subscription.plan.periods[0] === creditLot.subscription.period,
  )
  const ids = await numbers(tx, sql`nextval('order_number')`, first.length * 2)
  const [code] = await tx.select().from(discount).orderBy(asc(discount.discount_id)).limit(1)
  return first.map(({ creditLot, location_id }, i) => {
    const classPackage = brand.packages[creditLot.package]
    if (!classPackage) throw new Error(`The demo sells no ${creditLot.package}.`)
    const list = basePrice(classPackage.price_centavos, classPackage.sale_price_centavos ?? null)
    const used = creditLot.withCode && code?.is_percent ? code : null
    return {
      creditLot,
      classPackage,
      location_id,
      list,
      at: creditLot.boughtAt,
      class_package_id: findRows(brandIds.packages, creditLot.package),
      total: used ? priceAfter(list, { percentBp: used.amount }) : list,
      code: used,
      purchase_id: ids[2 * i] ?? 0,
      payment_id: ids[2 * i + 1] ?? 0,
    }
  })
}

/** Writes the orders that the counter received: purchase, attempt, money, charge, and what went back. */
async function writeAtCounter(
  tx: Tx,
  brand: Brand,
  brandIds: BrandIds,
  orders: readonly Order[],
  history: WrittenHistory | null,
  now: Date,
): Promise<void> {
  const counter = await readCounter(tx, Object.values(brandIds.locations), zoneOfBrand(brand))
  const tills = new Tills(counter, now, history !== null)
  const shop = history ? await history.planShop(tills) : null
  const receipts = await tills.receive(tx, orders)
  const sales = orders.flatMap((order, i) => {
    const receipt = receipts[i]
    return receipt ? [{ ...order, ...receipt, reference: `EF-DEMO-${order.purchase_id}` }] : []
  })
  await insertMany(
    tx,
    purchase,
    sales.map(({ method, gateway, location_id, staff_id, ...order }) => ({
      ...purchaseOf(order),
      is_subscription: false,
      payment_method_id: method.payment_method_id,
      gateway,
      location_id,
      staff_id,
    })),
  )
  await insertMany(
    tx,
    paymentAttempt,
    sales.map(({ purchase_id, payment_id, reference, at, gateway, method }) => ({
      payment_id,
      purchase_id,
      n: 1,
      gateway,
      ref_kind: 'payment',
      ref_id: reference,
      state: 'paid',
      instrument: { by: 'hand', label: method.name },
      createdAt: at,
      updatedAt: at,
    })),
  )
  await insertMany(
    tx,
    cashPayment,
    sales.map(({ creditLot, purchase_id, reference, total, at, gateway, staff_id }) => ({
      reference,
      gateway,
      key: `${purchase_id}:pay:1`,
      purchase_id,
      customer_id: creditLot.customer_id,
      amount: total,
      refunded: creditLot.refundedAt ? total : 0,
      state: 'paid',
      receivedBy: staff_id === null ? 'demo' : `staff:${staff_id}`,
      paidAt: at,
      expiresAt: new Date(at.getTime() + 2 * 86_400_000),
      createdAt: at,
      updatedAt: creditLot.refundedAt ?? at,
    })),
  )
  const invoices = await newIds(tx, invoice, 'invoice_id', sales.length)
  const charges = sales.map(
    ({ creditLot, purchase_id, reference, total, at, gateway, method, location_id, staff_id, cash_session_id }, i) => ({
      invoice_id: invoices[i] ?? 0,
      purchase_id,
      customer_id: creditLot.customer_id,
      gateway,
      location_id,
      staff_id,
      cash_session_id,
      provider_payment: reference,
      period: ONE_OFF,
      total_centavos: total,
      refunded_centavos: creditLot.refundedAt ? total : 0,
      currency: 'MXN',
      status: creditLot.refundedAt ? 'refunded' : 'paid',
      label: method.name,
      payment_method_id: method.payment_method_id,
      ...taxFacts({ ...defaultSettings, ...brand.settings }, total),
      paidAt: at,
      createdAt: at,
    }),
  )
  const back = sales.flatMap((sale, i) => {
    const { creditLot, kind, total, purchase_id, reference, location_id, staff_id, method } = sale
    if (!creditLot.refundedAt) return []
    const refund = tills.giveBack(location_id, { total, kind, at: creditLot.refundedAt })
    const at = refund?.at ?? creditLot.refundedAt
    return [{ purchase_id, invoice_id: invoices[i] ?? 0, total, reference, staff_id, method, at, till: refund?.till ?? null }]
  })
  await tills.write(tx, charges, (rows) => insertMany(tx, invoice, rows))
  const refunds = await newIds(tx, refund, 'refund_id', back.length)
  await insertMany(
    tx,
    refund,
    back.map(({ purchase_id, invoice_id, total, staff_id, method, at, till }, i) => ({
      refund_id: refunds[i],
      purchase_id,
      invoice_id,
      amount_centavos: total,
      by_hand: false,
      reason: 'Se cobró dos veces',
      state: 'done',
      staff_id,
      payment_method_id: method.payment_method_id,
      cash_session_id: till,
      doneAt: at,
      createdAt: at,
      updatedAt: at,
    })),
  )
  await insertMany(
    tx,
    cashRefund,
    back.map(({ purchase_id, reference, total, at }, i) => ({
      key: `${purchase_id}:refund-${refunds[i]}:1`,
      reference,
      amount: total,
      createdAt: at,
    })),
  )
  if (shop) await shop.write()
}

/** Writes the planned purchases and how they were paid. Returns the purchase of every lot. */
async function writePurchases(
  tx: Tx,
  brand: Brand,
  brandIds: BrandIds,
  crowd: Crowd,
  history: WrittenHistory | null,
  now: Date,
): Promise<Map<PlannedCreditLot, number>> {
  const orders = await ordersOf(tx, brand, brandIds, crowd)
  const isOnline = ({ creditLot }: Order) => creditLot.online !== undefined || creditLot.subscription !== undefined
  await writeAtCounter(
    tx,
    brand,
    brandIds,
    orders.filter((order) => !isOnline(order)),
    history,
    now,
  )
  if (history) await history.writeOnline(orders.filter(isOnline))
  const coded = orders.filter(({ code }) => code)
  await insertMany(
    tx,
    discountUse,
    coded.map(({ purchase_id, code, creditLot, at }) => ({
      purchase_id,
      discount_id: code?.discount_id,
      customer_id: creditLot.customer_id,
      slot: 1,
      state: 'used',
      createdAt: at,
      updatedAt: at,
    })),
  )
  if (coded.length > 0)
    await tx.execute(
      sql`update discount d set used = (select count(*) from discount_use u where u.discount_id = d.discount_id and u.state <> 'released')`,
    )
  await tx.execute(sql`
    update class_package p set sold = (select count(*) from purchase b where b.class_package_id = p.class_package_id and b.status in ('active', 'completed'))`)
  const bySubscription = new Map(orders.map(({ creditLot, purchase_id }) => [creditLot.subscription?.plan ?? creditLot, purchase_id]))
  return new Map(crowd.creditLots.map((creditLot) => [creditLot, bySubscription.get(creditLot.subscription?.plan ?? creditLot) ?? 0]))
}

/** What a demo with its history writes besides: what the counter sold from its shelf, and what was paid on the site. */
export interface WrittenHistory {
  /** Plans the shelf's sales into the tills; `write` writes them once the tills are written. */
  planShop(tills: Tills): Promise<{ write(): Promise<void> }>
  writeOnline(orders: readonly Order[]): Promise<void>
}

/** Writes the plan: purchases, credit lots, reservations, and the ledger movements of every lot. */
export async function writeCrowd(
  tx: Tx,
  brand: Brand,
  brandIds: BrandIds,
  crowd: Crowd,
  classIds: ReadonlyMap<PlannedClass, number>,
  now: Date,
  history: WrittenHistory | null = null,
): Promise<Map<PlannedReservation, number>> {
  const { creditLots, reservations } = crowd
  if (creditLots.length === 0) return new Map()
  const purchases = await writePurchases(tx, brand, brandIds, crowd, history, now)
  const creditLotIds = await newIds(tx, availableClass, 'available_class_id', creditLots.length)
  const creditLotId = new Map(creditLots.map((creditLot, i) => [creditLot, creditLotIds[i] ?? 0]))
  await insertMany(
    tx,
    availableClass,
    creditLots.map((creditLot) => ({
      available_class_id: creditLotId.get(creditLot),
      customer_id: creditLot.customer_id,
      class_package_id: findRows(brandIds.packages, creditLot.package),
      purchase_id: purchases.get(creditLot),
      period: creditLot.subscription?.period.from.toISOString() ?? ONE_OFF,
      title: brand.packages[creditLot.package]?.title,
      unlimited: creditLot.granted === null,
      granted: creditLot.granted,
      // With its history the triggers are off: the plan has the sums.
      balance: creditLot.granted === null ? null : history ? (creditLot.refundedAt ? 0 : creditLot.balance) : 0,
      is_courtesy: false,
      is_online: brand.packages[creditLot.package]?.is_online ?? false,
      guests_use_credit: true,
      class_type_ids: creditLot.types?.map((type) => findRows(brandIds.types, type)) ?? null,
      allowed_times: [],
      expires_at: creditLot.expires_at,
      revokedAt: creditLot.refundedAt ?? null,
      createdAt: creditLot.boughtAt,
    })),
  )

  const ids = await newIds(tx, classReservation, 'class_reservation_id', reservations.length)
  const idOf = new Map<PlannedReservation, number>(reservations.map((reservation, i) => [reservation, ids[i] ?? 0]))
  await insertMany(
    tx,
    classReservation,
    reservations.map((reservation) => ({
      class_reservation_id: idOf.get(reservation),
      single_class_id: classIds.get(reservation.cls),
      customer_id: reservation.customer_id,
      host_reservation_id: reservation.host ? idOf.get(reservation.host) : null,
      guest: reservation.guest,
      spot: reservation.spot,
      available_class_id: creditLotId.get(reservation.creditLot),
      is_cash: false,
      is_paid: true,
      attend: reservation.attend,
      class_stars: reservation.class_stars,
      coach_stars: reservation.coach_stars,
      comment: reservation.comment,
      createdAt: reservation.createdAt,
      updatedAt: reservation.deletedAt ?? reservation.createdAt,
      deletedAt: reservation.deletedAt,
      cancelled_by: reservation.deletedAt ? 'customer' : null,
      cancelled_late: reservation.deletedAt ? reservation.late : null,
      source: reservation.fromWaitlist ? 'waitlist' : 'customer',
    })),
  )

  const movement = (
    creditLot: PlannedCreditLot,
    kind: string,
    amount: number,
    reservation: PlannedReservation | null,
    at: Date,
    reason: string | null = null,
  ) => ({
    available_class_id: creditLotId.get(creditLot),
    customer_id: creditLot.customer_id,
    kind,
    amount: creditLot.granted === null ? 0 : amount,
    class_reservation_id: reservation ? idOf.get(reservation) : null,
    actor: 'system:demo',
    reason,
    createdAt: at,
  })
  const grants = creditLots.map((creditLot) => movement(creditLot, 'grant', creditLot.granted ?? 0, null, creditLot.boughtAt))
  // A returned credit is spent and returned before the next one is spent, so that no balance is ever below zero.
  const returned = reservations
    .filter((reservation) => reservation.deletedAt && !reservation.late)
    .flatMap((reservation) => [
      movement(reservation.creditLot, 'spend', -1, reservation, reservation.createdAt),
      ...(reservation.creditLot.granted === null
        ? []
        : [movement(reservation.creditLot, 'give_back', 1, reservation, reservation.deletedAt ?? reservation.createdAt)]),
    ])
  const spent = reservations
    .filter((reservation) => !reservation.deletedAt || reservation.late)
    .map((reservation) => movement(reservation.creditLot, 'spend', -1, reservation, reservation.createdAt))
  const revoked = creditLots.flatMap((creditLot) =>
    creditLot.refundedAt
      ? [movement(creditLot, 'revoke', -(creditLot.granted ?? 0), null, creditLot.refundedAt, 'el dinero se devolvió')]
      : [],
  )
  const batches = [grants, returned, spent, revoked]
  // Without triggers they are written in the order in which they happened.
  if (history)
    await insertMany(
      tx,
      creditMovement,
      batches.flat().sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    )
  else for (const batch of batches) await insertMany(tx, creditMovement, batch)
  // Updates statistics after the bulk insert: otherwise the first queries would be planned for empty tables.
  await tx.execute(
    sql`analyze single_class, class_instructor, class_reservation, available_class, credit_movement, purchase, invoice, customer`,
  )
  return idOf
}
