import { and, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { classPackage, discount } from './tables.ts'

export type DiscountRow = typeof discount.$inferSelect

const there = isNull(discount.deletedAt)

export async function findDiscountByCode(db: Reader, code: string): Promise<DiscountRow | null> {
  const [row] = await db
    .select()
    .from(discount)
    .where(and(eq(discount.code, code), there))
  return row ?? null
}

export async function findDiscount(db: Reader, discount_id: number): Promise<DiscountRow | null> {
  const [row] = await db
    .select()
    .from(discount)
    .where(and(eq(discount.discount_id, discount_id), there))
  return row ?? null
}

/** Newest first; `part` is a part of the code. */
export async function listDiscounts(db: Reader, part: string | null): Promise<DiscountRow[]> {
  return db
    .select()
    .from(discount)
    .where(and(there, part ? sql`position(${part} in ${discount.code}) > 0` : undefined))
    .orderBy(desc(discount.createdAt), desc(discount.discount_id))
}

/**
 * Totals in centavos of the purchases that used each discount; `locations`: sold there, online, or partly paid there; null = everywhere.
 */
export async function listDiscountIncome(db: Reader, locations: readonly number[] | null): Promise<ReadonlyMap<number, number>> {
  const ids = sql`${`{${(locations ?? []).join(',')}}`}::integer[]`
  const there =
    locations === null
      ? sql``
      : sql`and (p.location_id is null or p.location_id = any(${ids})
          or exists (select 1 from invoice i where i.purchase_id = p.purchase_id and i.location_id = any(${ids})))`
  const { rows } = await db.execute<{ discount_id: number; income: string }>(sql`
    select u.discount_id, sum(p.total_centavos) as income from discount_use u join purchase p on p.purchase_id = u.purchase_id
    where u.state = 'used' ${there} group by u.discount_id`)
  return new Map(rows.map((row) => [row.discount_id, Number(row.income)]))
}

export async function lockDiscount(tx: Tx, discount_id: number): Promise<DiscountRow | null> {
  const [row] = await tx
    .select()
    .from(discount)
    .where(and(eq(discount.discount_id, discount_id), there))
    .for('update')
  return row ?? null
}

export async function insertDiscount(tx: Tx, values: typeof discount.$inferInsert): Promise<DiscountRow> {
  return singleRow(await tx.insert(discount).values(values).returning())
}

export async function insertDiscounts(tx: Tx, values: (typeof discount.$inferInsert)[]): Promise<void> {
  await tx.insert(discount).values(values)
}

/** Lets one transaction at a time create a series of this name. */
export async function lockSeries(tx: Tx, series: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`discount-series:${series}`}))`)
}

export async function hasSeries(tx: Tx, series: string): Promise<boolean> {
  const rows = await tx
    .select({ id: discount.discount_id })
    .from(discount)
    .where(and(eq(discount.series, series), there))
    .limit(1)
  return rows.length > 0
}

/** Changes the codes of a series that were not used; how many. */
export async function updateSeries(tx: Tx, series: string, set: { available: boolean; updatedAt: Date }): Promise<number> {
  const rows = await tx
    .update(discount)
    .set(set)
    .where(and(eq(discount.series, series), eq(discount.used, 0), ne(discount.available, set.available), there))
    .returning({ id: discount.discount_id })
  return rows.length
}

export async function updateDiscount(tx: Tx, discount_id: number, set: Partial<typeof discount.$inferInsert>): Promise<DiscountRow> {
  const [row] = await tx.update(discount).set(set).where(eq(discount.discount_id, discount_id)).returning()
  if (!row) throw new Error(`There is no discount ${discount_id}.`)
  return row
}

/** Takes one use if any is left, by one conditional update: of two requests for the last use one gets false (D4). */
export async function takeDiscountUse(tx: Tx, discount_id: number): Promise<boolean> {
  const existing = await tx
    .update(discount)
    .set({ used: sql`${discount.used} + 1` })
    .where(and(eq(discount.discount_id, discount_id), or(isNull(discount.max_uses), lt(discount.used, discount.max_uses))))
    .returning({ discount_id: discount.discount_id })
  return existing.length === 1
}

export async function returnUse(tx: Tx, discount_id: number): Promise<void> {
  await tx
    .update(discount)
    .set({ used: sql`${discount.used} - 1` })
    .where(eq(discount.discount_id, discount_id))
}

/** Which of these package ids do not exist or were removed. */
export async function missingPackages(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const found = await tx
    .select({ id: classPackage.class_package_id })
    .from(classPackage)
    .where(and(inArray(classPackage.class_package_id, [...ids]), isNull(classPackage.deletedAt)))
  return ids.filter((id) => !found.some((row) => row.id === id))
}
