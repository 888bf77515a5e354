/**
 * Writes a planned demo studio in bulk: thousands of rows in a few statements, under the same constraints as all other writes. The verbs of the
 * modules take some milliseconds for each sale and booking, which the first start cannot spend (docs/decisions/023-the-demo-writes-in-bulk.md).
 */
import { sql } from 'drizzle-orm'
import { basePrice } from '#contract/money.ts'
import { defaultSettings } from '#contract/settings.ts'
import { cashPayment } from '#server/adapters/payments/counter/tables.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import { taxFacts } from '#server/modules/sales/sales.ts'
import { invoice, paymentAttempt, purchase } from '#server/modules/sales/tables.ts'
import { classInstructor, classTag, singleClass } from '#server/modules/schedule/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand } from './brand.ts'
import { insertMany, newIds, numbers } from './bulk.ts'
import type { Crowd, PlannedCreditLot, PlannedReservation } from './crowd.ts'
import { readCounter, Tills } from './tills.ts'
import { type PlannedClass, zoneOfBrand } from './week.ts'

/** Ids of inserted records, by their keys in the brand. */
export interface Made {
  places: Record<string, number>
  types: Record<string, number>
  coaches: Record<string, number>
  packages: Record<string, number>
  tags: Record<string, number>
}

export function findRows(made: Record<string, number>, key: string): number {
  const id = made[key]
  if (id === undefined) throw new Error(`The demo names "${key}", which it never made.`)
  return id
}

/** Inserts classes with their instructors and tags; returns their ids by class. */
export async function writeClasses(tx: Tx, made: Made, classes: readonly PlannedClass[], now: Date): Promise<Map<PlannedClass, number>> {
  const ids = await newIds(tx, singleClass, 'single_class_id', classes.length)
  const idOf = new Map(classes.map((cls, i) => [cls, ids[i] ?? 0]))
  await insertMany(
    tx,
    singleClass,
    classes.map((cls) => ({
      single_class_id: idOf.get(cls),
      class_type_id: findRows(made.types, cls.type),
      location_id: findRows(made.places, cls.place),
      class_package_id: cls.package === null ? null : findRows(made.packages, cls.package),
      starts_at: cls.starts_at,
      ends_at: cls.ends_at,
      description: cls.description,
      capacity: cls.capacity,
      taken: 0,
      held: 0,
      spot_map: cls.spot_map,
      closed_spots: [],
      cancelledAt: cls.calledOff === null ? null : now,
      cancel_reason: cls.calledOff,
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
      cls.coaches.map((coach, sort) => ({ single_class_id: idOf.get(cls), instructor_id: findRows(made.coaches, coach), sort })),
    ),
  )
  await insertMany(
    tx,
    classTag,
    classes.flatMap((cls) => (cls.tag === null ? [] : [{ single_class_id: idOf.get(cls), tag_id: findRows(made.tags, cls.tag) }])),
  )
  return idOf
}

/** The period of a purchase that is paid once, as the sales module writes it. */
export const ONE_OFF = '0'

/**
 * Where each lot was sold: at the location of its first class, otherwise of any class of its customer, otherwise at the first location.
 */
function locationsOfLots(made: Made, { lots, reservations }: Crowd): number[] {
  const places = new Map<PlannedCreditLot | number, string>()
  for (const { lot, customer_id, cls } of reservations)
    for (const key of [lot, customer_id]) if (!places.has(key)) places.set(key, cls.place)
  const [home = ''] = Object.keys(made.places)
  return lots.map((lot) => findRows(made.places, places.get(lot) ?? places.get(lot.customer_id) ?? home))
}

/** Writes the planned purchases, paid at the counter: purchase, attempt, money, charge and till. Returns the purchase of every lot. */
async function writePurchases(tx: Tx, brand: Brand, made: Made, crowd: Crowd, now: Date): Promise<Map<PlannedCreditLot, number>> {
  const creditLots = crowd.lots
  const locations = locationsOfLots(made, crowd)
  const ids = await numbers(tx, sql`nextval('order_number')`, creditLots.length * 2)
  const planned = creditLots.map((creditLot, i) => {
    const classPackage = brand.packages[creditLot.package]
    if (!classPackage) throw new Error(`The demo sells no ${creditLot.package}.`)
    const total = basePrice(classPackage.price_centavos, classPackage.sale_price_centavos ?? null)
    const purchase_id = ids[2 * i] ?? 0
    return {
      lot: creditLot,
      pack: classPackage,
      total,
      purchase_id,
      payment_id: ids[2 * i + 1] ?? 0,
      reference: `EF-DEMO-${purchase_id}`,
      at: creditLot.boughtAt,
      location_id: locations[i] ?? 0,
    }
  })
  const tills = new Tills(await readCounter(tx, Object.values(made.places), zoneOfBrand(brand)), now)
  const receipts = await tills.receive(tx, planned)
  const sales = planned.flatMap((one, i) => {
    const receipt = receipts[i]
    return receipt ? [{ ...one, ...receipt }] : []
  })
  await insertMany(
    tx,
    purchase,
    sales.map(({ lot, pack, total, purchase_id, at, gateway, method, location_id, staff_id }) => ({
      purchase_id,
      customer_id: lot.customer_id,
      class_package_id: findRows(made.packages, lot.package),
      title: pack.title,
      amount_centavos: total,
      discount_centavos: 0,
      total_centavos: total,
      class_amount: pack.class_amount,
      expiration_days: pack.expiration_days,
      is_subscription: false,
      payment_method_id: method.payment_method_id,
      ...{ gateway, location_id, staff_id },
      status: 'completed',
      limit_slot: pack.limit_per_customer ? 1 : null,
      holds_stock: true,
      request_hash: 'demo',
      createdAt: at,
      updatedAt: at,
      completedAt: at,
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
    sales.map(({ lot, purchase_id, reference, total, at, gateway, staff_id }) => ({
      reference,
      gateway,
      key: `${purchase_id}:pay:1`,
      purchase_id,
      customer_id: lot.customer_id,
      amount: total,
      refunded: 0,
      state: 'paid',
      receivedBy: staff_id === null ? 'demo' : `staff:${staff_id}`,
      paidAt: at,
      expiresAt: new Date(at.getTime() + 2 * 86_400_000),
      createdAt: at,
      updatedAt: at,
    })),
  )
  const charges = sales.map(({ lot, purchase_id, reference, total, at, gateway, method, location_id, staff_id, cash_session_id }) => ({
    purchase_id,
    customer_id: lot.customer_id,
    ...{ gateway, location_id, staff_id, cash_session_id },
    provider_payment: reference,
    period: ONE_OFF,
    total_centavos: total,
    refunded_centavos: 0,
    currency: 'MXN',
    status: 'paid',
    label: method.name,
    payment_method_id: method.payment_method_id,
    ...taxFacts({ ...defaultSettings, ...brand.settings }, total),
    paidAt: at,
    createdAt: at,
  }))
  await tills.write(tx, charges, (rows) => insertMany(tx, invoice, rows))
  await tx.execute(sql`
    update class_package p set sold = (select count(*) from purchase b where b.class_package_id = p.class_package_id and b.status in ('active', 'completed'))`)
  return new Map(sales.map(({ lot, purchase_id }) => [lot, purchase_id]))
}

/** Writes the plan: purchases, credit lots, reservations, and the ledger movements of every lot. */
export async function writeCrowd(
  tx: Tx,
  brand: Brand,
  made: Made,
  crowd: Crowd,
  classIds: ReadonlyMap<PlannedClass, number>,
  now: Date,
): Promise<void> {
  const { lots, reservations } = crowd
  if (lots.length === 0) return
  const purchases = await writePurchases(tx, brand, made, crowd, now)
  const lotIds = await newIds(tx, availableClass, 'available_class_id', lots.length)
  const lotId = new Map(lots.map((creditLot, i) => [creditLot, lotIds[i] ?? 0]))
  await insertMany(
    tx,
    availableClass,
    lots.map((creditLot) => ({
      available_class_id: lotId.get(creditLot),
      customer_id: creditLot.customer_id,
      class_package_id: findRows(made.packages, creditLot.package),
      purchase_id: purchases.get(creditLot),
      period: ONE_OFF,
      title: brand.packages[creditLot.package]?.title,
      unlimited: creditLot.granted === null,
      granted: creditLot.granted,
      balance: creditLot.granted === null ? null : 0,
      is_courtesy: false,
      is_online: brand.packages[creditLot.package]?.is_online ?? false,
      guests_use_credit: true,
      class_type_ids: creditLot.types?.map((type) => findRows(made.types, type)) ?? null,
      allowed_times: [],
      expires_at: creditLot.expires_at,
      createdAt: creditLot.boughtAt,
    })),
  )

  const ids = await newIds(tx, classReservation, 'class_reservation_id', reservations.length)
  const idOf = new Map<PlannedReservation, number>(reservations.map((place, i) => [place, ids[i] ?? 0]))
  await insertMany(
    tx,
    classReservation,
    reservations.map((place) => ({
      class_reservation_id: idOf.get(place),
      single_class_id: classIds.get(place.cls),
      customer_id: place.customer_id,
      host_reservation_id: place.host ? idOf.get(place.host) : null,
      guest: place.guest,
      spot: place.spot,
      available_class_id: lotId.get(place.lot),
      is_cash: false,
      is_paid: true,
      attend: place.attend,
      class_stars: place.class_stars,
      coach_stars: place.coach_stars,
      comment: place.comment,
      createdAt: place.createdAt,
      updatedAt: place.deletedAt ?? place.createdAt,
      deletedAt: place.deletedAt,
      cancelled_by: place.deletedAt ? 'customer' : null,
      cancelled_late: place.deletedAt ? place.late : null,
    })),
  )

  const movement = (creditLot: PlannedCreditLot, kind: string, amount: number, place: PlannedReservation | null, at: Date) => ({
    available_class_id: lotId.get(creditLot),
    customer_id: creditLot.customer_id,
    kind,
    amount: creditLot.granted === null ? 0 : amount,
    class_reservation_id: place ? idOf.get(place) : null,
    actor: 'system:demo',
    createdAt: at,
  })
  const grants = lots.map((creditLot) => movement(creditLot, 'grant', creditLot.granted ?? 0, null, creditLot.boughtAt))
  // A returned credit is spent and returned before the next one is spent, so that no balance is ever below zero.
  const returned = reservations
    .filter((place) => place.deletedAt && !place.late)
    .flatMap((place) => [
      movement(place.lot, 'spend', -1, place, place.createdAt),
      ...(place.lot.granted === null ? [] : [movement(place.lot, 'give_back', 1, place, place.deletedAt ?? place.createdAt)]),
    ])
  const kept = reservations
    .filter((place) => !place.deletedAt || place.late)
    .map((place) => movement(place.lot, 'spend', -1, place, place.createdAt))
  for (const batch of [grants, returned, kept]) await insertMany(tx, creditMovement, batch)
  // Updates statistics after the bulk insert: otherwise the first queries would be planned for empty tables.
  await tx.execute(
    sql`analyze single_class, class_instructor, class_reservation, available_class, credit_movement, purchase, invoice, customer`,
  )
}
