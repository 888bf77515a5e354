/** Queries of products and of their pieces by location; the only writes to them. */
import { and, asc, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { product, productStock } from './tables.ts'

export type ProductRow = typeof product.$inferSelect
export type ProductStockRow = typeof productStock.$inferSelect

/** Products by order and name; `archived` undefined: all of them. */
export function listProducts(db: Reader, { archived }: { archived: boolean | undefined }): Promise<ProductRow[]> {
  const where = archived === undefined ? undefined : archived ? sql`${product.archivedAt} is not null` : isNull(product.archivedAt)
  return db
    .select()
    .from(product)
    .where(where)
    .orderBy(asc(product.sort), asc(sql`lower(${product.name})`), asc(product.product_id))
}

export function listStock(db: Reader, product_ids: readonly number[]): Promise<ProductStockRow[]> {
  return db
    .select()
    .from(productStock)
    .where(inArray(productStock.product_id, [...product_ids]))
    .orderBy(asc(productStock.product_id), asc(productStock.location_id))
}

export async function findProduct(db: Reader, product_id: number): Promise<ProductRow | null> {
  const [row] = await db.select().from(product).where(eq(product.product_id, product_id))
  return row ?? null
}

export async function lockProduct(tx: Tx, product_id: number): Promise<ProductRow | null> {
  const [row] = await tx.select().from(product).where(eq(product.product_id, product_id)).for('no key update')
  return row ?? null
}

export async function insertProduct(tx: Tx, values: typeof product.$inferInsert): Promise<ProductRow> {
  return singleRow(await tx.insert(product).values(values).returning())
}

export async function updateProduct(tx: Tx, product_id: number, set: Partial<typeof product.$inferInsert>): Promise<ProductRow> {
  return singleRow(await tx.update(product).set(set).where(eq(product.product_id, product_id)).returning())
}

/** Sets the pieces of a product at a location; null: they are not counted there. */
export async function upsertStock(
  tx: Tx,
  { product_id, location_id, quantity }: { product_id: number; location_id: number; quantity: number | null },
): Promise<void> {
  if (quantity === null)
    await tx.delete(productStock).where(and(eq(productStock.product_id, product_id), eq(productStock.location_id, location_id)))
  else
    await tx
      .insert(productStock)
      .values({ product_id, location_id, quantity })
      .onConflictDoUpdate({ target: [productStock.product_id, productStock.location_id], set: { quantity } })
}

/** Takes pieces if enough are left, by one conditional update: of two sales of the last piece one gets false. */
export async function takePiecesIfLeft(tx: Tx, of: { product_id: number; location_id: number; quantity: number }): Promise<boolean> {
  const existing = await tx
    .update(productStock)
    .set({ quantity: sql`${productStock.quantity} - ${of.quantity}` })
    .where(
      and(
        eq(productStock.product_id, of.product_id),
        eq(productStock.location_id, of.location_id),
        gte(productStock.quantity, of.quantity),
      ),
    )
    .returning({ product_id: productStock.product_id })
  return existing.length === 1
}

/** Returns pieces to a location where they are counted. */
export async function returnPieces(tx: Tx, of: { product_id: number; location_id: number; quantity: number }): Promise<void> {
  await tx
    .update(productStock)
    .set({ quantity: sql`${productStock.quantity} + ${of.quantity}` })
    .where(and(eq(productStock.product_id, of.product_id), eq(productStock.location_id, of.location_id)))
}
