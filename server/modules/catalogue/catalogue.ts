/**
 * What can be sold and taught: packages and their stock, class types, instructors, locations, payment methods (docs/domain.md,
 * "Catalogue").
 */
import { and } from 'drizzle-orm'
import {
  CARD_PAYMENT_METHOD_ID,
  CASH_PAYMENT_METHOD_NAME,
  type CatalogueTag,
  type ClassCategory,
  type ClassPackage,
  type ClassType,
  type Instructor,
  type Location,
} from '#contract/catalogue.ts'
import { normalCode } from '#contract/discounts.ts'
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import { type DiscountRow, findDiscountByCode, returnUse, takeDiscountUse } from './discount-store.ts'

export { findDiscount } from './discount-store.ts'

import {
  photoOf,
  serializeClassType,
  serializeFile,
  serializeInstructor,
  serializeLocation,
  serializePackage,
  serializeTag,
  validImage,
  whyNotDiscount,
  whyNotEvent,
  whyNotSold,
  zoneOf,
} from './rules.ts'
import {
  findClassCategory,
  findInstructor,
  findPackageRow,
  findPaymentMethod,
  findTag,
  insertPaymentMethods,
  listClassCategories,
  listClassTypes,
  listInstructors,
  listLocations,
  listPackages,
  listPaymentMethods,
  listTags,
  lockPackageRow,
  type PackageRow,
  type PackageWithTypes,
  packageLists,
  returnOne,
  takeOne,
} from './store.ts'

export { ensureByName, eraseUnused, onlyLocation } from './by-name.ts'
/** Saved here; removed by the schedule module, which knows whether a class still needs them (K8). */
export {
  addImportedCoach,
  completeCoach,
  emptyCoach,
  eraseImportedCoach,
  type KnownCoach,
  listKnownCoaches,
  missingOf,
} from './imported-coaches.ts'
export { classTypeList, instructorList, locationList, roomList, serializeRoomMap } from './lists.ts'
export { removePackage } from './packages.ts'
export { type ProductRow, productForSale, returnProduct, takeProduct } from './products.ts'
export { lockRoom, updateRoomMap } from './room-store.ts'
export type { DiscountRow, PackageRow, PackageWithTypes }
export { photoOf, serializeFile, validImage, whyNotDiscount, whyNotEvent, whyNotSold, zoneOf }

/** Serializes a package, with its description sanitised. */
async function packageOnWire(ctx: Ctx, classPackage: PackageWithTypes): Promise<ClassPackage> {
  return serializePackage(classPackage, await sanitizeHtml(classPackage.description), ctx.settings)
}

type PackageList = keyof typeof packageLists

/** Packages on sale that belong to all the given lists, ordered (K2, K3, K13). Behind `GET /class_packages` and the endpoints like it. */
export async function packages(ctx: Ctx, ...lists: PackageList[]): Promise<{ class_packages: ClassPackage[] }> {
  const rows = await listPackages(ctx.db, and(...lists.map((list) => packageLists[list])))
  const sold = rows.filter((row) => whyNotSold(row, ctx.settings, ctx.now) === null)
  return { class_packages: await Promise.all(sold.map((row) => packageOnWire(ctx, row))) }
}

/** One package on sale. PACKAGE_NOT_FOUND also for one that is no longer sold (K3); EVENT_OVER, EVENT_CANCELLED (K13). */
export async function onePackage(ctx: Ctx, input: { class_package_id: number }): Promise<{ class_package: ClassPackage }> {
  return { class_package: await packageOnWire(ctx, await purchasablePackage(ctx, input.class_package_id)) }
}

/** The row of a package that can be bought now, with its types. PACKAGE_NOT_FOUND (K3), EVENT_OVER, EVENT_CANCELLED (K13). */
export async function purchasablePackage(ctx: Ctx, class_package_id: number, db: Reader = ctx.db): Promise<PackageWithTypes> {
  const found = await findPackageRow(db, class_package_id)
  const no = whyNotSold(found, ctx.settings, ctx.now)
  if (no || !found) throw no ?? refuse('PACKAGE_NOT_FOUND')
  return found
}

/** The row of a package, also of one that is no longer sold: purchases and credit lots reference it. Null for an unknown id. */
export async function findPackage(db: Reader, class_package_id: number): Promise<PackageWithTypes | null> {
  return findPackageRow(db, class_package_id)
}

/**
 * Locks a package's row, which serializes changes of its stock. Lock order: class, customer, lot, package, discount. Null for an unknown
 * id.
 */
export async function lockPackage(tx: Tx, class_package_id: number): Promise<PackageRow | null> {
  return lockPackageRow(tx, class_package_id)
}

/** Counts one more sold. PACKAGE_SOLD_OUT when none is left (K4). */
export async function takeStock(tx: Tx, class_package_id: number): Promise<void> {
  if (!(await takeOne(tx, class_package_id))) throw refuse('PACKAGE_SOLD_OUT')
}

/** Decrements the number sold: a purchase that reserved stock failed or expired (K4). */
export async function returnStock(tx: Tx, class_package_id: number): Promise<void> {
  await returnOne(tx, class_package_id)
}

/** The discount of a code as the customer typed it; null when there is none. */
export async function discountNamed(db: Reader, typed: string): Promise<DiscountRow | null> {
  return findDiscountByCode(db, normalCode(typed))
}

/** Counts one more use of a discount. DISCOUNT_EXHAUSTED when none is left (D4). */
export async function takeDiscount(tx: Tx, discount_id: number): Promise<void> {
  if (!(await takeDiscountUse(tx, discount_id))) throw refuse('DISCOUNT_EXHAUSTED')
}

/** Decrements the number of uses: the purchase that held one failed or expired (D4). */
export async function returnDiscount(tx: Tx, discount_id: number): Promise<void> {
  await returnUse(tx, discount_id)
}

/** Locations, in the studio's order. */
export async function locations(ctx: Ctx): Promise<{ locations: Location[] }> {
  return { locations: (await listLocations(ctx.db)).map((location) => serializeLocation(location, ctx.settings)) }
}

/** Class types, in the studio's order. */
export async function classTypes(ctx: Ctx): Promise<{ class_types: ClassType[] }> {
  return { class_types: (await listClassTypes(ctx.db)).map(serializeClassType) }
}

/** Instructors, in the studio's order; `home`: those of the landing page (K5). */
export async function instructors(ctx: Ctx, only: { home: boolean } = { home: false }): Promise<{ instructors: Instructor[] }> {
  return { instructors: (await listInstructors(ctx.db, only)).map(serializeInstructor) }
}

/** One instructor. NOT_FOUND. */
export async function oneInstructor(ctx: Ctx, input: { instructor_id: number }): Promise<{ instructor: Instructor }> {
  const found = await findInstructor(ctx.db, input.instructor_id)
  if (!found) throw refuse('NOT_FOUND')
  return { instructor: serializeInstructor(found) }
}

/** The studio's payment methods: id 1 means card, the one named 'Efectivo' cash (K6). */
export async function paymentMethods(ctx: Ctx) {
  const rows = await listPaymentMethods(ctx.db)
  return { payment_methods: rows.map(({ payment_method_id, name, description, kind }) => ({ payment_method_id, name, description, kind })) }
}

/** One payment method. NOT_FOUND. */
export async function onePaymentMethod(ctx: Ctx, input: { payment_method_id: number }) {
  const found = await findPaymentMethod(ctx.db, input.payment_method_id)
  if (!found) throw refuse('NOT_FOUND')
  const { payment_method_id, name, description } = found
  return { payment_method: { payment_method_id, name, description } }
}

/** Class categories; `available`: those that are offered now. */
export async function classCategories(
  ctx: Ctx,
  only: { available: boolean } = { available: false },
): Promise<{ class_categories: ClassCategory[] }> {
  return { class_categories: await listClassCategories(ctx.db, only) }
}

/** One category. NOT_FOUND. */
export async function oneClassCategory(ctx: Ctx, input: { class_category_id: number }): Promise<{ class_category: ClassCategory }> {
  const found = await findClassCategory(ctx.db, input.class_category_id)
  if (!found) throw refuse('NOT_FOUND')
  return { class_category: found }
}

/** Tags, of one type or of all. */
export async function tags(ctx: Ctx, input: { type?: string | undefined }): Promise<{ tags: CatalogueTag[] }> {
  return { tags: (await listTags(ctx.db, input.type)).map(serializeTag) }
}

/** One tag. NOT_FOUND. */
export async function oneTag(ctx: Ctx, input: { tag_id: number }): Promise<{ tag: CatalogueTag }> {
  const found = await findTag(ctx.db, input.tag_id)
  if (!found) throw refuse('NOT_FOUND')
  return { tag: serializeTag(found) }
}

/** Creates the two payment methods that every studio has, card and cash (K6). Runs at every start; idempotent. */
export async function ensurePaymentMethods(tx: Tx): Promise<void> {
  const card = {
    payment_method_id: CARD_PAYMENT_METHOD_ID,
    name: 'Tarjeta',
    description: 'Tarjeta de crédito o débito',
    kind: 'online' as const,
  }
  await insertPaymentMethods(tx, card, { name: CASH_PAYMENT_METHOD_NAME, description: 'Pagas en recepción', kind: 'cash' })
}
