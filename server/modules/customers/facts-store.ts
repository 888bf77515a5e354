/** What the figures of a customer are made from, read across lower modules; writes nothing. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { classReservation, reservationPenalty } from '#server/modules/bookings/tables.ts'
import { classPackage, classType, location } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/** Own places in classes of which it is known who came, the earliest first. `attend` null: nobody used the list, so they came (A4). */
export async function listAttendance(db: Reader, customer_id: number, now: Date) {
  return db
    .select({
      starts_at: singleClass.starts_at,
      attend: classReservation.attend,
      excuse: classReservation.excuse,
      location: location.name,
      timezone: location.timezone,
      coach: sql<
        string | null
      >`(select coalesce(nullif(trim(i.nick_name), ''), i.name) from class_instructor ci join instructor i using (instructor_id)
        where ci.single_class_id = ${singleClass.single_class_id} order by ci.sort, ci.instructor_id limit 1)`,
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(
      and(
        eq(classReservation.customer_id, customer_id),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        lte(singleClass.starts_at, now),
        or(isNotNull(classReservation.attend), isNotNull(singleClass.settledAt)),
      ),
    )
    .orderBy(asc(singleClass.starts_at), asc(classReservation.class_reservation_id))
}

/** Every credit lot that a customer ever had, and whether it came from a trial. */
export async function listCreditLotFacts(db: Reader, customer_id: number) {
  return db
    .select({
      title: availableClass.title,
      unlimited: availableClass.unlimited,
      balance: availableClass.balance,
      expires_at: availableClass.expires_at,
      frozenAt: availableClass.frozenAt,
      revokedAt: availableClass.revokedAt,
      purchase_id: availableClass.purchase_id,
      is_trial: sql<boolean>`coalesce(${classPackage.is_trial}, false)`,
    })
    .from(availableClass)
    .leftJoin(classPackage, eq(classPackage.class_package_id, availableClass.class_package_id))
    .where(eq(availableClass.customer_id, customer_id))
    .orderBy(sql`${availableClass.expires_at} asc nulls last`, asc(availableClass.available_class_id))
}

/** Subscriptions that are not cancelled. */
export async function listSubscriptions(db: Reader, customer_id: number) {
  return db
    .select({
      purchase_id: purchase.purchase_id,
      title: purchase.title,
      past_due_since: purchase.past_due_since,
      paused_since: purchase.paused_since,
    })
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), eq(purchase.status, 'active'), eq(purchase.is_subscription, true)))
    .orderBy(asc(purchase.purchase_id))
}

/** What a customer paid, without what went back or was lost to a bank, and what sales at the counter still wait for; centavos. */
export async function sumMoney(db: Reader, customer_id: number): Promise<{ spent: number; owed: number }> {
  const [paid] = await db
    .select({ spent: sql<number>`coalesce(sum(${invoice.total_centavos} - ${invoice.refunded_centavos}), 0)::float8` })
    .from(invoice)
    .where(and(eq(invoice.customer_id, customer_id), inArray(invoice.status, ['paid', 'refunded', 'partially_refunded', 'disputed'])))
  const [debt] = await db
    .select({
      owed: sql<number>`coalesce(sum(greatest(0, ${purchase.total_centavos} - coalesce((select sum(i.total_centavos) from invoice i
        where i.purchase_id = ${purchase.purchase_id} and i.status <> 'void'), 0))), 0)::float8`,
    })
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), isNotNull(purchase.sale_id), inArray(purchase.status, ['completed', 'active'])))
  return { spent: paid?.spent ?? 0, owed: debt?.owed ?? 0 }
}

/** Places in cash that nobody paid yet, guests' too, with the prices that decide what each costs. */
export async function listUnpaidReservations(db: Reader, customer_id: number) {
  return db
    .select({
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
        eq(classReservation.customer_id, customer_id),
        isNull(classReservation.deletedAt),
        eq(classReservation.is_cash, true),
        eq(classReservation.is_paid, false),
      ),
    )
    .orderBy(asc(singleClass.starts_at))
}

/** The penalty in force that ends last; null = none. */
export async function findPenalty(db: Reader, customer_id: number, now: Date) {
  const [found] = await db
    .select({ ends_at: reservationPenalty.ends_at, reason: reservationPenalty.reason })
    .from(reservationPenalty)
    .where(
      and(
        eq(reservationPenalty.customer_id, customer_id),
        isNull(reservationPenalty.forgivenAt),
        lte(reservationPenalty.starts_at, now),
        gt(reservationPenalty.ends_at, now),
      ),
    )
    .orderBy(sql`${reservationPenalty.ends_at} desc`)
    .limit(1)
  return found ?? null
}
