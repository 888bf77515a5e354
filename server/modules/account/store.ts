/** Queries across lower modules; writes nothing. */
import { and, asc, desc, eq, gt, inArray, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { UseCount } from '#contract/errors.ts'
import { CUSTOMER_INVOICES, CUSTOMER_RESERVATIONS } from '#contract/people.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { classPackage, classType, instructor } from '#server/modules/catalogue/tables.ts'
import type { FileRow } from '#server/modules/content/content.ts'
import { acceptedPage, announcement, form, formAnswer, page } from '#server/modules/content/tables.ts'
import { isVisit, pastVisits } from '#server/modules/people/people.ts'
import { customer } from '#server/modules/people/tables.ts'
import { salePayment } from '#server/modules/sales/counter-tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { setting } from '#server/modules/settings/tables.ts'
import { program, video } from '#server/modules/videos/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { countUses } from '#server/platform/references.ts'

/** The locations whose records are read; null = all. */
type Locations = readonly number[] | null

const isThere = (location_id: SQL, locations: readonly number[]): SQL => sql`${location_id} = any(${`{${locations.join(',')}}`}::integer[])`

/** A customer's purchases, newest first, for limits and the sign-up fee: those of the locations, and online ones (E14). */
export async function listPurchaseFacts(
  db: Reader,
  customer_id: number,
  locations: Locations,
): Promise<{ class_package_id: number; purchase_id: number; status: string }[]> {
  const rows = await db
    .select({ class_package_id: purchase.class_package_id, purchase_id: purchase.purchase_id, status: purchase.status })
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, customer_id),
        locations === null
          ? undefined
          : or(
              isNull(purchase.location_id),
              isThere(sql`${purchase.location_id}`, locations),
              sql`exists (select 1 from invoice i where i.purchase_id = ${purchase.purchase_id} and ${isThere(sql`i.location_id`, locations)})`,
            ),
      ),
    )
    .orderBy(desc(purchase.createdAt), desc(purchase.purchase_id))
  // A single place (V45) is not a package: it counts against no limit.
  return rows.flatMap(({ class_package_id, ...row }) => (class_package_id === null ? [] : [{ class_package_id, ...row }]))
}

/** The customer's reservations of classes at the locations that have not ended, with the guest's name, next one first. */
export async function listUpcomingReservations(db: Reader, customer_id: number, now: Date, locations: Locations) {
  const guest = alias(classReservation, 'guest')
  return db
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      single_class_id: classReservation.single_class_id,
      starts_at: singleClass.starts_at,
      spot: classReservation.spot,
      room_id: singleClass.room_id,
      spot_map: singleClass.spot_map,
      guest: guest.guest,
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .leftJoin(guest, and(eq(guest.host_reservation_id, classReservation.class_reservation_id), isNull(guest.deletedAt)))
    .where(
      and(
        eq(classReservation.customer_id, customer_id),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        gt(singleClass.ends_at, now),
        locations === null ? undefined : inArray(singleClass.location_id, [...locations]),
      ),
    )
    .orderBy(asc(singleClass.starts_at), asc(classReservation.class_reservation_id))
    .limit(CUSTOMER_RESERVATIONS)
}

/** Received at one of the locations, or online for a purchase of one of them or of none. */
function chargeAt(locations: readonly number[]): SQL {
  const at = sql`coalesce(${invoice.location_id}, ${purchase.location_id})`
  return sql`(${at} is null or ${isThere(at, locations)})`
}

/** A customer's latest charges at the locations and online, newest first, without those of gifts paid by others (S10, E14). */
export async function listLatestInvoices(db: Reader, customer_id: number, locations: Locations) {
  return db
    .select({
      invoice_id: invoice.invoice_id,
      purchase_id: invoice.purchase_id,
      total_centavos: invoice.total_centavos,
      status: invoice.status,
      createdAt: invoice.createdAt,
    })
    .from(invoice)
    .innerJoin(purchase, eq(purchase.purchase_id, invoice.purchase_id))
    .where(
      and(
        eq(invoice.customer_id, customer_id),
        locations === null ? undefined : chargeAt(locations),
        notInArray(invoice.status, ['pending', 'void']),
        sql`not exists (select 1 from purchase p join sale s using (sale_id) where p.purchase_id = ${invoice.purchase_id} and s.customer_id <> p.customer_id)`,
      ),
    )
    .orderBy(desc(invoice.createdAt), desc(invoice.invoice_id))
    .limit(CUSTOMER_INVOICES)
}

/**
 * The 1st, 10th, 25th, 50th and every 100th class that a customer attended, with its start (P18), behind those of another system (IM16).
 * Guests do not count.
 */
export async function listMilestones(db: Reader, customer_id: number): Promise<{ classes: number; reached_at: Date }[]> {
  const past = await db.execute<{ visits: number }>(sql`select ${pastVisits(sql`${customer_id}::integer`)} as visits`)
  const before = past.rows[0]?.visits ?? 0
  const attended = db
    .select({
      classes:
        sql<number>`row_number() over (order by ${singleClass.starts_at}, ${classReservation.class_reservation_id})::integer + ${before}::integer`.as(
          'classes',
        ),
      reached_at: singleClass.starts_at,
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(and(eq(classReservation.customer_id, customer_id), isVisit(sql`${classReservation}`, sql`${singleClass}`)))
    .as('taken')
  return db
    .select()
    .from(attended)
    .where(or(inArray(attended.classes, [1, 10, 25, 50]), sql`${attended.classes} % 100 = 0`))
    .orderBy(asc(attended.classes))
}

/**
 * Counts of what shows or holds a file, by table (IN_USE). Public files are found by their names in addresses and texts, private ones by
 * their ids.
 */
export function listFileUses(tx: Tx, { file_id, customer_id, is_public, key }: FileRow): Promise<UseCount[]> {
  const name = `%${key.slice(key.indexOf('/') + 1).replace(/_/g, '\\_')}%`
  if (!is_public)
    return countUses(tx, [
      ['class_package', sql`select count(*) from ${classPackage} where "deletedAt" is null and downloadable like ${name}`],
      ['customer', sql`select count(*) from ${customer} where photo_file_id = ${file_id} or id_file_id = ${file_id}`],
      ['video', sql`select count(*) from ${video} where ${file_id} in (file_id, sample_file_id) and "deletedAt" is null`],
      ['sale', sql`select count(*) from ${salePayment} where proof_file_id = ${file_id}`],
      [
        'form_answer',
        sql`select count(*) from ${formAnswer} where customer_id = ${customer_id}
            and jsonb_path_exists(answers, '$.**.file_id ? (@ == $id)', jsonb_build_object('id', ${file_id}::integer))`,
      ],
    ])
  return countUses(tx, [
    ['class_type', sql`select count(*) from ${classType} where image like ${name} or icon like ${name}`],
    ['single_class', sql`select count(*) from ${singleClass} where icon like ${name}`],
    ['instructor', sql`select count(*) from ${instructor} where photo like ${name} or short_bio like ${name}`],
    [
      'class_package',
      sql`select count(*) from ${classPackage}
          where image like ${name} or receipt_file like ${name} or downloadable like ${name} or description like ${name}`,
    ],
    [
      'page',
      sql`select count(*) from ${page} where (content like ${name} or source like ${name})
          and ("deletedAt" is null or exists (select 1 from ${acceptedPage} where ${acceptedPage.page_id} = ${page.page_id}))`,
    ],
    ['announcement', sql`select count(*) from ${announcement} where content like ${name} or source like ${name}`],
    ['setting', sql`select count(*) from ${setting} where value::text like ${name}`],
    [
      'video',
      sql`select count(*) from ${video} where "deletedAt" is null and (${file_id} in (file_id, sample_file_id) or thumbnail like ${name})`,
    ],
    ['program', sql`select count(*) from ${program} where image like ${name}`],
  ])
}

/** Which of these form and package ids do not exist. */
export async function listMissing(db: Reader, named: { forms: readonly number[]; packages: readonly number[] }) {
  const [forms, packages] = await Promise.all([
    named.forms.length
      ? db
          .select({ id: form.form_id })
          .from(form)
          .where(inArray(form.form_id, [...named.forms]))
      : [],
    named.packages.length
      ? db
          .select({ id: classPackage.class_package_id })
          .from(classPackage)
          .where(and(inArray(classPackage.class_package_id, [...named.packages]), isNull(classPackage.deletedAt)))
      : [],
  ])
  const missing = (ids: readonly number[], found: readonly { id: number }[]) => ids.filter((id) => !found.some((row) => row.id === id))
  return { forms: missing(named.forms, forms), packages: missing(named.packages, packages) }
}
