/** Products of the counter and their pieces by location (docs/domain.md, "Products"). Their sales belong to the sales module. */
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import type { Product, products as wire } from '#contract/products.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import {
  findProduct,
  insertProduct,
  listProducts,
  listStock,
  lockProduct,
  type ProductRow,
  returnPieces,
  takePiecesIfLeft,
  updateProduct,
  upsertStock,
} from './product-store.ts'
import { listLocations } from './store.ts'

export type { ProductRow }

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type StockSent = NonNullable<Input<'create'>['stock']>

/** Products with the pieces of the caller's locations (I1). */
export async function allProducts(ctx: Ctx, { archived = false }: Input<'list'>): Promise<{ products: Product[] }> {
  return { products: await onWire(ctx, ctx.db, await listProducts(ctx.db, { archived: archived ? undefined : false })) }
}

/** Creates a product (I1). ALREADY_EXISTS for a name in use; NOT_FOUND for a location, FORBIDDEN where the caller does not work. */
export async function createProduct(ctx: Ctx, input: Input<'create'>): Promise<{ product: Product }> {
  const { name, price, tax_rate, tax_exempt = false, sort, stock = [] } = input
  await assertLocations(ctx, stock)
  const product_id = await ctx.once('products.create', input, async (tx) => {
    const row = await insertProduct(tx, {
      name,
      price_centavos: parsePesos(price) ?? 0,
      tax_rate: tax_exempt ? null : basisPoints(tax_rate),
      tax_exempt,
      sort: sort ?? 0,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    for (const location of stock) await upsertStock(tx, { product_id: row.product_id, ...location })
    await ctx.audit(tx, { action: 'product.create', entity: 'product', entity_id: row.product_id, after: { ...row, stock } })
    return row.product_id
  })
  return oneProduct(ctx, product_id)
}

/**
 * Changes the fields sent, archives or offers again (I1); `stock` is what was counted now (I2). NOT_FOUND for product and location,
 * ALREADY_EXISTS for a name in use, FORBIDDEN for a location where the caller does not work.
 */
export async function changeProduct(
  ctx: Ctx,
  { product_id, stock = [], if_updatedAt, ...input }: Input<'update'>,
): Promise<{ product: Product }> {
  await assertLocations(ctx, stock)
  await ctx.tx(async (tx) => {
    const row = await lockProduct(tx, product_id)
    if (!row) throw refuse('NOT_FOUND')
    await assertUnchanged(tx, ctx, { entity: 'product', id: product_id, updatedAt: row.updatedAt }, if_updatedAt)
    const pieces = (await listStock(tx, [product_id])).map(({ location_id, quantity }) => ({ location_id, quantity }))
    const { name, price, tax_rate, tax_exempt, sort, archived } = input
    const set = {
      ...(name === undefined ? {} : { name }),
      ...(price === undefined ? {} : { price_centavos: parsePesos(price) ?? 0 }),
      ...(tax_rate === undefined ? {} : { tax_rate: basisPoints(tax_rate) }),
      // An exempt product has no rate; one that is given a rate is no longer exempt.
      ...(tax_exempt === undefined ? (tax_rate == null ? {} : { tax_exempt: false }) : { tax_exempt }),
      ...(tax_exempt ? { tax_rate: null } : {}),
      ...(sort === undefined ? {} : { sort }),
      ...(archived === undefined ? {} : { archivedAt: archived ? (row.archivedAt ?? ctx.now) : null }),
    }
    const isCounted = stock.every(({ location_id, quantity }) =>
      pieces.some((piece) => piece.location_id === location_id && piece.quantity === quantity),
    )
    if (isCounted && isDeepStrictEqual({ ...row, ...set }, row)) return
    const after = await updateProduct(tx, product_id, { ...set, updatedAt: ctx.now })
    for (const location of stock) await upsertStock(tx, { product_id, ...location })
    await ctx.audit(tx, {
      action: 'product.change',
      entity: 'product',
      entity_id: product_id,
      before: { ...row, stock: pieces },
      after: { ...after, stock: stock.length > 0 ? stock : pieces },
    })
  })
  return oneProduct(ctx, product_id)
}

/**
 * Corrects the pieces of a location with a reason (I2). NOT_FOUND for product and location, and for a change where pieces are not counted;
 * PRODUCT_SOLD_OUT when more would be taken away than there are; INVALID_INPUT unless one of `change` and `counted` is sent; FORBIDDEN
 * where the caller does not work.
 */
export async function correctStock(ctx: Ctx, input: Input<'correct'>): Promise<{ product: Product }> {
  const { product_id, location_id, change, counted, reason } = input
  if ((change == null) === (counted == null) || change === 0) throw refuse('INVALID_INPUT', { field: 'change' })
  await assertLocations(ctx, [{ location_id, quantity: null }])
  await ctx.once('products.correct', input, async (tx) => {
    const row = await lockProduct(tx, product_id)
    if (!row) throw refuse('NOT_FOUND')
    const known = (await listStock(tx, [product_id])).find((stock) => stock.location_id === location_id)
    if (!known && counted == null) throw refuse('NOT_FOUND')
    if (counted != null) await upsertStock(tx, { product_id, location_id, quantity: counted })
    else if ((change ?? 0) > 0) await returnPieces(tx, { product_id, location_id, quantity: change ?? 0 })
    else await takeProduct(tx, { product_id, location_id, quantity: -(change ?? 0) })
    const now = (await listStock(tx, [product_id])).find((now) => now.location_id === location_id)
    await ctx.audit(tx, {
      action: 'product.stock',
      entity: 'product',
      entity_id: product_id,
      reason,
      before: { location_id, quantity: known?.quantity ?? null },
      after: { location_id, quantity: now?.quantity ?? null },
    })
    return product_id
  })
  return oneProduct(ctx, product_id)
}

const basisPoints = (percent: number | null | undefined): number | null => (percent == null ? null : Math.round(percent * 100))

async function assertLocations(ctx: Ctx, stock: StockSent): Promise<void> {
  const known = await listLocations(ctx.db)
  for (const { location_id } of stock) {
    if (!known.some((location) => location.location_id === location_id)) throw refuse('NOT_FOUND')
    ctx.requireLocation('catalogue.edit', location_id)
  }
}

async function oneProduct(ctx: Ctx, product_id: number): Promise<{ product: Product }> {
  const row = await findProduct(ctx.db, product_id)
  const [product] = row ? await onWire(ctx, ctx.db, [row]) : []
  if (!product) throw refuse('NOT_FOUND')
  return { product }
}

async function onWire(ctx: Ctx, db: Reader, rows: readonly ProductRow[]): Promise<Product[]> {
  if (rows.length === 0) return []
  const stock = await listStock(
    db,
    rows.map((row) => row.product_id),
  )
  return rows.map((row) => ({
    product_id: row.product_id,
    name: row.name,
    price: pesos(row.price_centavos),
    tax_rate: row.tax_rate === null ? null : row.tax_rate / 100,
    tax_exempt: row.tax_exempt,
    sort: row.sort,
    archived: row.archivedAt !== null,
    updatedAt: row.updatedAt.toISOString(),
    stock: stock
      .filter((stock) => stock.product_id === row.product_id && ctx.worksAt(stock.location_id))
      .map(({ location_id, quantity }) => ({ location_id, quantity })),
  }))
}

/** A product that is on sale. NOT_FOUND for an archived one too. */
export async function productForSale(tx: Tx, product_id: number): Promise<ProductRow> {
  const row = await findProduct(tx, product_id)
  if (!row || row.archivedAt !== null) throw refuse('NOT_FOUND')
  return row
}

/** Takes pieces out of a location's stock, where they are counted (I2). PRODUCT_SOLD_OUT with the name and what is left. */
export async function takeProduct(tx: Tx, of: { product_id: number; location_id: number; quantity: number }): Promise<void> {
  if (await takePiecesIfLeft(tx, of)) return
  const counted = (await listStock(tx, [of.product_id])).find((counted) => counted.location_id === of.location_id)
  if (!counted) return
  const row = await findProduct(tx, of.product_id)
  throw refuse('PRODUCT_SOLD_OUT', { product_id: of.product_id, name: row?.name ?? '', left: counted.quantity })
}

/** Returns pieces that a customer gave back to a location's stock, where they are counted (I3). */
export async function returnProduct(tx: Tx, of: { product_id: number; location_id: number; quantity: number }): Promise<void> {
  await returnPieces(tx, of)
}
