import { and, asc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { CUSTOMER_TAG } from '#contract/customer-file.ts'
import { genericPlanParam, prepared, type Reader, type Tx } from '#server/platform/db.ts'
import {
  classCategory,
  classPackage,
  classPackageType,
  classType,
  eventClasses,
  instructor,
  location,
  paymentMethod,
  tag,
} from './tables.ts'

export type PackageRow = typeof classPackage.$inferSelect
export type PackageTypeRow = Pick<typeof classPackageType.$inferSelect, 'class_type_id' | 'class_amount' | 'expiration_days'> & {
  name: string
}
export type LocationRow = typeof location.$inferSelect
export type ClassTypeRow = typeof classType.$inferSelect
export type InstructorRow = typeof instructor.$inferSelect
export type PaymentMethodRow = typeof paymentMethod.$inferSelect

/**
 * A package with its credits per class type, the names of the only locations where it is valid and, for a special event on the calendar,
 * its last class.
 */
export type PackageWithTypes = PackageRow & { types: PackageTypeRow[]; locations: string[]; event: { last_class_at: Date | null } | null }

const onSale = and(eq(classPackage.available, true), isNull(classPackage.deletedAt))

/** K2: the studio's order, then fewest classes first, unlimited last, then by price. */
export const bySize = [
  asc(classPackage.sort),
  asc(sql`case when ${classPackage.class_amount} = -1 then 2147483647 else ${classPackage.class_amount} end`),
  asc(classPackage.price_centavos),
  asc(classPackage.class_package_id),
]

const typesOf = prepared('catalogue.packageTypes', (on: Reader) =>
  on
    .select({
      class_package_id: classPackageType.class_package_id,
      class_type_id: classPackageType.class_type_id,
      name: classType.name,
      class_amount: classPackageType.class_amount,
      expiration_days: classPackageType.expiration_days,
    })
    .from(classPackageType)
    .innerJoin(classType, eq(classType.class_type_id, classPackageType.class_type_id))
    .where(sql`${classPackageType.class_package_id} = any(${genericPlanParam('packs', 'integer[]')}::integer[])`)
    .orderBy(asc(classType.sort), asc(classType.class_type_id)),
)

const listTypesOf = (db: Reader, ids: readonly number[]) => typesOf(db).execute({ packs: `{${ids.join(',')}}` })

export function withTypes(db: Reader, classPackages: PackageRow[]): Promise<PackageWithTypes[]> {
  const ids = classPackages.map((classPackage) => classPackage.class_package_id)
  return ids.length ? combine(db, classPackages, listTypesOf(db, ids)) : Promise.resolve([])
}

async function combine(db: Reader, classPackages: PackageRow[], reading: ReturnType<typeof listTypesOf>): Promise<PackageWithTypes[]> {
  const types = await reading
  const events = await listEventClasses(
    db,
    classPackages.filter((classPackage) => classPackage.is_special_event).map((classPackage) => classPackage.class_package_id),
  )
  const only = [...new Set(classPackages.flatMap(({ location_ids }) => location_ids ?? []))]
  const names = only.length ? (await listLocations(db)).filter(({ location_id }) => only.includes(location_id)) : []
  return classPackages.map((classPackage) => ({
    ...classPackage,
    locations: names.filter(({ location_id }) => classPackage.location_ids?.includes(location_id)).map(({ name }) => name),
    event: events.find((event) => event.class_package_id === classPackage.class_package_id) ?? null,
    types: types.filter((type) => type.class_package_id === classPackage.class_package_id).map(({ class_package_id: _, ...type }) => type),
  }))
}

async function listEventClasses(db: Reader, ids: number[]) {
  return ids.length ? db.select().from(eventClasses).where(inArray(eventClasses.class_package_id, ids)) : []
}

/** Packages on sale, ordered (K2); includes events that are over. */
export async function listPackages(db: Reader, where?: SQL): Promise<PackageWithTypes[]> {
  return withTypes(
    db,
    await db
      .select()
      .from(classPackage)
      .where(and(onSale, where))
      .orderBy(...bySize),
  )
}

/** The named lists of packages: the columns that define them (K3). */
export const packageLists = {
  presenciales: eq(classPackage.is_online, false),
  online: eq(classPackage.is_online, true),
  especiales: eq(classPackage.is_special_event, true),
  home: eq(classPackage.is_home, true),
} as const

const onePackage = prepared('catalogue.package', (on: Reader) =>
  on
    .select()
    .from(classPackage)
    .where(eq(classPackage.class_package_id, sql.placeholder('class_package_id'))),
)

/** A package, also one that is no longer sold: purchases and credit lots reference it. */
export async function findPackageRow(db: Reader, class_package_id: number): Promise<PackageWithTypes | null> {
  // In one round trip inside a transaction.
  const [rows, types] = await Promise.all([onePackage(db).execute({ class_package_id }), listTypesOf(db, [class_package_id])])
  const [found] = await combine(db, rows, Promise.resolve(types))
  return found ?? null
}

/** Locks a package's row, which serializes changes of its stock. Lock order: class, lot, package, discount. */
export async function lockPackageRow(tx: Tx, class_package_id: number): Promise<PackageRow | null> {
  const [found] = await tx.select().from(classPackage).where(eq(classPackage.class_package_id, class_package_id)).for('update')
  return found ?? null
}

const takenOne = prepared('catalogue.takeOne', (on: Tx) =>
  on
    .update(classPackage)
    .set({ sold: sql`${classPackage.sold} + 1` })
    .where(
      and(
        eq(classPackage.class_package_id, sql.placeholder('class_package_id')),
        or(isNull(classPackage.capacity), lt(classPackage.sold, classPackage.capacity)),
      ),
    )
    .returning({ id: classPackage.class_package_id }),
)

/** Counts one more sold if stock is left, by one conditional update: of two requests for the last one, one gets false. */
export async function takeOne(tx: Tx, class_package_id: number): Promise<boolean> {
  return (await takenOne(tx).execute({ class_package_id })).length === 1
}

export async function returnOne(tx: Tx, class_package_id: number): Promise<void> {
  await tx
    .update(classPackage)
    .set({ sold: sql`${classPackage.sold} - 1` })
    .where(eq(classPackage.class_package_id, class_package_id))
}

export async function listLocations(db: Reader): Promise<LocationRow[]> {
  return db
    .select()
    .from(location)
    .where(and(isNull(location.deletedAt), isNull(location.archivedAt)))
    .orderBy(asc(location.sort), asc(location.location_id))
}

export async function listClassTypes(db: Reader): Promise<ClassTypeRow[]> {
  return db
    .select()
    .from(classType)
    .where(and(isNull(classType.deletedAt), isNull(classType.archivedAt)))
    .orderBy(asc(classType.sort), asc(classType.class_type_id))
}

export async function listInstructors(db: Reader, only: { home: boolean }): Promise<InstructorRow[]> {
  return db
    .select()
    .from(instructor)
    .where(and(isNull(instructor.deletedAt), isNull(instructor.archivedAt), only.home ? eq(instructor.is_home, true) : undefined))
    .orderBy(asc(instructor.sort), asc(instructor.instructor_id))
}

export async function findInstructor(db: Reader, instructor_id: number): Promise<InstructorRow | null> {
  const [found] = await db
    .select()
    .from(instructor)
    .where(and(eq(instructor.instructor_id, instructor_id), isNull(instructor.deletedAt)))
  return found ?? null
}

export async function listClassCategories(db: Reader, only: { available: boolean }) {
  return db
    .select()
    .from(classCategory)
    .where(and(isNull(classCategory.archivedAt), only.available ? eq(classCategory.available, true) : undefined))
    .orderBy(asc(classCategory.sort), asc(classCategory.class_category_id))
}

export async function findClassCategory(db: Reader, class_category_id: number) {
  const [found] = await db.select().from(classCategory).where(eq(classCategory.class_category_id, class_category_id))
  return found ?? null
}

/** Tags of customers are internal: no public list includes them. */
const publicTag = ne(tag.type, CUSTOMER_TAG)

export async function listTags(db: Reader, type: string | undefined) {
  return db
    .select()
    .from(tag)
    .where(and(publicTag, isNull(tag.archivedAt), type === undefined ? undefined : eq(tag.type, type)))
    .orderBy(asc(tag.type), asc(tag.sort), asc(tag.name))
}

export async function findTag(db: Reader, tag_id: number) {
  const [found] = await db
    .select()
    .from(tag)
    .where(and(publicTag, eq(tag.tag_id, tag_id)))
  return found ?? null
}

export async function findPaymentMethod(db: Reader, payment_method_id: number): Promise<PaymentMethodRow | null> {
  const [found] = await db
    .select()
    .from(paymentMethod)
    .where(and(eq(paymentMethod.payment_method_id, payment_method_id), isNull(paymentMethod.deletedAt)))
  return found ?? null
}

const preparedPaymentMethods = prepared('catalogue.paymentMethods', (on: Reader) =>
  on.select().from(paymentMethod).where(isNull(paymentMethod.deletedAt)).orderBy(asc(paymentMethod.payment_method_id)),
)

export function listPaymentMethods(db: Reader): Promise<PaymentMethodRow[]> {
  return preparedPaymentMethods(db).execute()
}

/** Inserts the two payment methods that every studio has, if missing: id 1 and the one named 'Efectivo'. */
export async function insertPaymentMethods(
  tx: Tx,
  card: { payment_method_id: number; name: string; description: string; kind: 'online' },
  cash: { name: string; description: string; kind: 'cash' },
) {
  await tx.insert(paymentMethod).values(card).onConflictDoNothing()
  await tx.execute(
    sql`select setval(pg_get_serial_sequence('payment_method', 'payment_method_id'), (select max(payment_method_id) from payment_method))`,
  )
  const [known] = await tx.select({ id: paymentMethod.payment_method_id }).from(paymentMethod).where(eq(paymentMethod.name, cash.name))
  if (!known) await tx.insert(paymentMethod).values(cash)
}
