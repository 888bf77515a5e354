/** Source data for the figures of customers, read across lower modules for any number of customers at once; read-only. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { CustomerHabits } from '#contract/customer-file.ts'
import { classReservation, reservationPenalty } from '#server/modules/bookings/tables.ts'
import { classPackage, classType, instructor, location } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { restOfPurchase } from '#server/modules/sales/sales.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import { isOneOf, type Reader } from '#server/platform/db.ts'

/**
 * Customers' own places in past classes whose attendance is known, earliest first. `attend` null: the roster was not used, which counts as
 * attended (A4).
 */
export async function listAttendance(db: Reader, customer_ids: number[], now: Date) {
  return db
    .select({
      customer_id: classReservation.customer_id,
      starts_at: singleClass.starts_at,
      attend: classReservation.attend,
      excuse: classReservation.excuse,
      single_class_id: singleClass.single_class_id,
      spot: classReservation.spot,
      location_id: location.location_id,
      location: location.name,
      timezone: location.timezone,
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(
      and(
        isOneOf(classReservation.customer_id, customer_ids),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        lte(singleClass.starts_at, now),
        or(isNotNull(classReservation.attend), isNotNull(singleClass.settledAt)),
      ),
    )
    .orderBy(asc(singleClass.starts_at), asc(classReservation.class_reservation_id))
}

/** The first coach of each of these classes, by the name that customers know. */
export async function listFirstCoaches(db: Reader, single_class_ids: number[]): Promise<ReadonlyMap<number, string>> {
  if (single_class_ids.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([classInstructor.single_class_id], {
      single_class_id: classInstructor.single_class_id,
      coach: sql<string>`coalesce(nullif(trim(${instructor.nick_name}), ''), ${instructor.name})`,
    })
    .from(classInstructor)
    .innerJoin(instructor, eq(instructor.instructor_id, classInstructor.instructor_id))
    .where(inArray(classInstructor.single_class_id, single_class_ids))
    .orderBy(classInstructor.single_class_id, asc(classInstructor.sort), asc(classInstructor.instructor_id))
  return new Map(rows.map((row) => [row.single_class_id, row.coach]))
}

/** The start of the next class in which each of these customers has an own place. */
export async function listNextClasses(db: Reader, customer_ids: number[], now: Date) {
  return db
    .select({
      customer_id: classReservation.customer_id,
      starts_at: sql<Date>`min(${singleClass.starts_at})`.mapWith(singleClass.starts_at),
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        isOneOf(classReservation.customer_id, customer_ids),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        gt(singleClass.starts_at, now),
      ),
    )
    .groupBy(classReservation.customer_id)
}

/** Every credit lot that these customers ever had, and whether it came from a trial. */
export async function listCreditLotFacts(db: Reader, customer_ids: number[]) {
  return db
    .select({
      customer_id: availableClass.customer_id,
      class_package_id: availableClass.class_package_id,
      is_online: availableClass.is_online,
      title: availableClass.title,
      unlimited: availableClass.unlimited,
      balance: availableClass.balance,
      expires_at: availableClass.expires_at,
      frozenAt: availableClass.frozenAt,
      revokedAt: availableClass.revokedAt,
      purchase_id: availableClass.purchase_id,
      createdAt: availableClass.createdAt,
      is_trial: sql<boolean>`coalesce(${classPackage.is_trial}, false)`,
    })
    .from(availableClass)
    .leftJoin(classPackage, eq(classPackage.class_package_id, availableClass.class_package_id))
    .where(isOneOf(availableClass.customer_id, customer_ids))
    .orderBy(sql`${availableClass.expires_at} asc nulls last`, asc(availableClass.available_class_id))
}

/** Subscriptions that are not cancelled. */
export async function listSubscriptions(db: Reader, customer_ids: number[]) {
  return db
    .select({
      customer_id: purchase.customer_id,
      purchase_id: purchase.purchase_id,
      title: purchase.title,
      past_due_since: purchase.past_due_since,
      paused_since: purchase.paused_since,
    })
    .from(purchase)
    .where(and(isOneOf(purchase.customer_id, customer_ids), eq(purchase.status, 'active'), eq(purchase.is_subscription, true)))
    .orderBy(asc(purchase.purchase_id))
}

/**
 * What these customers paid, without what went back or was lost to a bank (`spent`), and what sales at the counter still wait for (`owed`),
 * in centavos. Customers with neither are missing.
 */
export async function sumMoney(db: Reader, customer_ids: number[]): Promise<ReadonlyMap<number, { spent: number; owed: number }>> {
  const paid = await db
    .select({
      customer_id: invoice.customer_id,
      spent: sql<number>`coalesce(sum(${invoice.total_centavos} - ${invoice.refunded_centavos}
        - case when ${invoice.status} = 'lost' then ${invoice.disputed_centavos} else 0 end), 0)::float8`,
    })
    .from(invoice)
    .where(
      and(
        isOneOf(invoice.customer_id, customer_ids),
        inArray(invoice.status, ['paid', 'refunded', 'partially_refunded', 'disputed', 'lost']),
        ne(invoice.gateway, 'regalo'),
      ),
    )
    .groupBy(invoice.customer_id)
  const debts = await db
    .select({
      customer_id: purchase.customer_id,
      owed: sql<number>`coalesce(sum(${restOfPurchase('purchase')}), 0)::float8`,
    })
    .from(purchase)
    .where(and(isOneOf(purchase.customer_id, customer_ids), isNotNull(purchase.sale_id), inArray(purchase.status, ['completed', 'active'])))
    .groupBy(purchase.customer_id)
  const sums = new Map<number, { spent: number; owed: number }>()
  for (const { customer_id, spent } of paid) sums.set(customer_id, { spent, owed: 0 })
  for (const { customer_id, owed } of debts) sums.set(customer_id, { spent: sums.get(customer_id)?.spent ?? 0, owed })
  return sums
}

/** Reservations to be paid in cash that are not paid yet, including those of guests, with the prices that determine the amount of each. */
export async function listUnpaidReservations(db: Reader, customer_ids: number[]) {
  return db
    .select({
      customer_id: classReservation.customer_id,
      price: classReservation.price_centavos,
      class_price: singleClass.price_centavos,
      type_price: classType.price_centavos,
      type: classType.name,
      starts_at: singleClass.starts_at,
      timezone: location.timezone,
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .innerJoin(classType, eq(classType.class_type_id, singleClass.class_type_id))
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(
      and(
        isOneOf(classReservation.customer_id, customer_ids),
        isNull(classReservation.deletedAt),
        eq(classReservation.is_cash, true),
        eq(classReservation.is_paid, false),
      ),
    )
    .orderBy(asc(singleClass.starts_at))
}

/** The penalties in force, of each of these customers the one that ends last. */
export async function listPenalties(db: Reader, customer_ids: number[], now: Date) {
  return db
    .selectDistinctOn([reservationPenalty.customer_id], {
      customer_id: reservationPenalty.customer_id,
      ends_at: reservationPenalty.ends_at,
      reason: reservationPenalty.reason,
    })
    .from(reservationPenalty)
    .where(
      and(
        isOneOf(reservationPenalty.customer_id, customer_ids),
        isNull(reservationPenalty.forgivenAt),
        lte(reservationPenalty.starts_at, now),
        gt(reservationPenalty.ends_at, now),
      ),
    )
    .orderBy(reservationPenalty.customer_id, sql`${reservationPenalty.ends_at} desc`)
}

interface HabitSlot {
  customer_id: number
  now: Date
  until: Date
  /** The studio's zone, for locations without their own. */
  zone: string
  /** Locations of the reader; null = all. */
  locations: readonly number[] | null
  /** 0 = Sunday. */
  weekday: number
  hour: string
  location: string
  coach: string | null
}

/**
 * The next class at a weekday and hour of a location's clocks with a free spot that the customer has not booked; the usual coach's
 * before others.
 */
export async function findHabitClass(db: Reader, slot: HabitSlot): Promise<NonNullable<CustomerHabits['next']> | null> {
  const { customer_id, now, until, zone, locations, weekday, hour, location: name, coach } = slot
  const wall = sql`(sc.starts_at at time zone coalesce(l.timezone, ${zone}))`
  const { rows } = await db.execute<NonNullable<CustomerHabits['next']> & Record<string, unknown>>(sql`
    select sc.single_class_id, ct.name as class_type, sc.capacity - sc.taken - sc.held as places_left,
      to_char(${wall}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as class_date
    from single_class sc join class_type ct using (class_type_id) join location l using (location_id)
    where sc.starts_at > ${now.toISOString()}::timestamptz and sc.starts_at <= ${until.toISOString()}::timestamptz and sc."cancelledAt" is null
      and sc.capacity > sc.taken + sc.held and l.name = ${name} and extract(dow from ${wall}) = ${weekday} and to_char(${wall}, 'HH24:MI') = ${hour}
      ${locations === null ? sql`` : sql`and sc.location_id = any(${`{${locations.join(',')}}`}::integer[])`}
      and not exists (select 1 from class_reservation r where r.single_class_id = sc.single_class_id and r.customer_id = ${customer_id} and r."deletedAt" is null)
    order by sc.starts_at, exists (
      select 1 from class_instructor ci join instructor i using (instructor_id)
      where ci.single_class_id = sc.single_class_id and coalesce(nullif(trim(i.nick_name), ''), i.name) = ${coach}) desc, sc.single_class_id
    limit 1`)
  return rows[0] ?? null
}

/** A package that this customer never paid for, while it is on sale: the sign-up fee (V2). Null: paid, or not on sale. */
export async function findUnpaidFee(db: Reader, customer_id: number, class_package_id: number) {
  const [row] = await db
    .select({
      title: classPackage.title,
      price_centavos: sql<number>`coalesce(class_package.sale_price_centavos, class_package.price_centavos)`,
    })
    .from(classPackage)
    .where(
      and(
        eq(classPackage.class_package_id, class_package_id),
        eq(classPackage.available, true),
        isNull(classPackage.deletedAt),
        sql`not exists (select 1 from purchase p where p.customer_id = ${customer_id}
          and p.class_package_id = ${class_package_id} and p.status in ('active', 'completed'))`,
      ),
    )
  return row ?? null
}

/**
 * Packages on sale of which this customer already has as many as one person may (V3). Of a trial that is given once (`isTrialOnce`, V41)
 * every purchase that was ever completed counts, of other packages those that are live. `isTrialPackage` of the contract in SQL.
 */
export async function listLimitsReached(db: Reader, customer_id: number, isTrialOnce: boolean) {
  const isTrial = sql`(${classPackage.is_trial} or (${classPackage.class_amount} = 1 and ${classPackage.limit_per_customer} = 1))`
  return db
    .select({
      class_package_id: classPackage.class_package_id,
      title: classPackage.title,
      limit: sql<number>`${classPackage.limit_per_customer}`,
    })
    .from(classPackage)
    .where(
      and(
        eq(classPackage.available, true),
        isNull(classPackage.deletedAt),
        isNotNull(classPackage.limit_per_customer),
        sql`(select count(*) from purchase p where p.customer_id = ${customer_id} and p.class_package_id = ${classPackage.class_package_id}
          and (p.status in ('pending', 'active', 'completed') or (${isTrial} and ${isTrialOnce} and p."completedAt" is not null)))
          >= ${classPackage.limit_per_customer}`,
      ),
    )
    .orderBy(asc(classPackage.title), asc(classPackage.class_package_id))
}
