import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { bySize, findPackageRow, type PackageWithTypes, withTypes } from './store.ts'
import { classPackage, classPackageType, classType, location } from './tables.ts'

export type PackageValues = Partial<typeof classPackage.$inferInsert>
export type TypeValues = Omit<typeof classPackageType.$inferInsert, 'class_package_id'>

/** Packages, on sale or not, ordered (K2), or the archived ones; `part` is a part of the title, case-insensitive. */
export async function listEveryPackage(db: Reader, part: string | null, archived: boolean): Promise<PackageWithTypes[]> {
  const named = part ? sql`position(lower(${part}) in lower(${classPackage.title})) > 0` : undefined
  return withTypes(
    db,
    await db
      .select()
      .from(classPackage)
      .where(and(archived ? isNotNull(classPackage.deletedAt) : isNull(classPackage.deletedAt), named))
      .orderBy(...(archived ? [desc(classPackage.deletedAt), desc(classPackage.class_package_id)] : bySize)),
  )
}

/** Inserts (`class_package_id` null) or updates a package. `types` undefined leaves its credits per class type unchanged. */
export async function upsertPackage(
  tx: Tx,
  class_package_id: number | null,
  values: PackageValues,
  types: readonly TypeValues[] | undefined,
): Promise<PackageWithTypes> {
  const id = class_package_id ?? (await insert(tx, values))
  if (class_package_id !== null && Object.keys(values).length)
    await tx.update(classPackage).set(values).where(eq(classPackage.class_package_id, id))
  if (types) {
    await tx.delete(classPackageType).where(eq(classPackageType.class_package_id, id))
    if (types.length) await tx.insert(classPackageType).values(types.map((type) => ({ ...type, class_package_id: id })))
  }
  const stored = await findPackageRow(tx, id)
  if (!stored) throw new Error(`The package ${id} was not stored.`)
  return stored
}

/** Ids of the packages that are not archived, in their order (K2); locks them. */
export async function lockPackageOrder(tx: Tx): Promise<number[]> {
  const rows = await tx
    .select({ id: classPackage.class_package_id })
    .from(classPackage)
    .where(isNull(classPackage.deletedAt))
    .orderBy(...bySize)
    .for('update')
  return rows.map(({ id }) => id)
}

/** Positions count from 1, so that a package without one, which is new, comes first. */
export async function reorderPackages(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`update ${classPackage} p set sort = o.position
    from unnest(${`{${ids.join(',')}}`}::integer[]) with ordinality o(id, position) where p.class_package_id = o.id`)
}

async function insert(tx: Tx, values: PackageValues): Promise<number> {
  return singleRow(
    await tx
      .insert(classPackage)
      .values(values as typeof classPackage.$inferInsert)
      .returning({ id: classPackage.class_package_id }),
  ).id
}

/**
 * Whether these locations and class types exist; locks them until the transaction ends, so that removing one waits and then sees the
 * package (K8).
 */
export async function areThere(tx: Tx, named: { location_ids: readonly number[]; class_type_ids: readonly number[] }): Promise<boolean> {
  const locations = named.location_ids.length
    ? await tx
        .select({ id: location.location_id })
        .from(location)
        .where(and(inArray(location.location_id, [...named.location_ids]), isNull(location.deletedAt)))
        .for('key share')
    : []
  const types = named.class_type_ids.length
    ? await tx
        .select({ id: classType.class_type_id })
        .from(classType)
        .where(and(inArray(classType.class_type_id, [...named.class_type_ids]), isNull(classType.deletedAt)))
        .for('key share')
    : []
  return locations.length === new Set(named.location_ids).size && types.length === new Set(named.class_type_ids).size
}
