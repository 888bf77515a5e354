/** Discounts as staff manage them (docs/domain.md, "Discounts"). Their uses belong to the sales module. */
import { type DiscountChange, type DiscountInput, discountIssues, normalCode, type StudioDiscount } from '#contract/discounts.ts'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import {
  type DiscountRow,
  findDiscount,
  insertDiscount,
  listDiscounts,
  lockDiscount,
  missingPackages,
  updateDiscount,
} from './discount-store.ts'

/** One discount. DISCOUNT_NOT_FOUND. */
export async function oneDiscount(ctx: Ctx, input: { discount_id: number }): Promise<{ discount: StudioDiscount }> {
  const row = await findDiscount(ctx.db, input.discount_id)
  if (!row) throw refuse('DISCOUNT_NOT_FOUND')
  return { discount: shown(row) }
}

/** Discounts, newest first; `query` is a part of the code (S1-7.54). */
export async function allDiscounts(ctx: Ctx, input: { query?: string | undefined }): Promise<{ descuentos: StudioDiscount[] }> {
  return { descuentos: (await listDiscounts(ctx.db, normalCode(input.query ?? '') || null)).map(shown) }
}

/** Creates a discount (D1). ALREADY_EXISTS, PACKAGE_NOT_FOUND, INVALID_INPUT with an issue per field. */
export async function createDiscount(ctx: Ctx, input: DiscountInput): Promise<{ discount: StudioDiscount }> {
  assertValid(input)
  return ctx.tx(async (tx) => {
    await packagesExist(tx, input.class_package_ids)
    const row = await insertDiscount(tx, { ...input, createdAt: ctx.now, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'discount.create', entity: 'discount', entity_id: row.discount_id, after: row })
    return { discount: shown(row) }
  })
}

/** Changes the given fields; purchases keep the price that was frozen on them (D5). DISCOUNT_NOT_FOUND, ALREADY_EXISTS, BELOW_USED. */
export async function changeDiscount(ctx: Ctx, { discount_id, ...input }: DiscountChange): Promise<{ discount: StudioDiscount }> {
  return ctx.tx(async (tx) => {
    const before = await lockDiscount(tx, discount_id)
    if (!before) throw refuse('DISCOUNT_NOT_FOUND')
    const set = onlyGiven(input)
    assertValid({ ...before, ...set })
    if (set.max_uses != null && set.max_uses < before.used) throw refuse('BELOW_USED', { used: before.used })
    await packagesExist(tx, set.class_package_ids)
    const after = await updateDiscount(tx, discount_id, { ...set, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'discount.change', entity: 'discount', entity_id: discount_id, before, after })
    return { discount: shown(after) }
  })
}

/** Removes a discount and frees its code; purchases keep their price, also pending ones (D5). DISCOUNT_NOT_FOUND. */
export async function removeDiscount(ctx: Ctx, input: { discount_id: number }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const before = await lockDiscount(tx, input.discount_id)
    if (!before) throw refuse('DISCOUNT_NOT_FOUND')
    await updateDiscount(tx, before.discount_id, { deletedAt: ctx.now, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'discount.remove', entity: 'discount', entity_id: before.discount_id, before })
    return { ok: true }
  })
}

/** Throws INVALID_INPUT with the issues of the discount as it would be after the change. */
function assertValid(draft: Parameters<typeof discountIssues>[0]): void {
  const issues = discountIssues(draft)
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
}

async function packagesExist(tx: Tx, ids: readonly number[] | null | undefined): Promise<void> {
  if (ids && (await missingPackages(tx, ids)).length) throw refuse('PACKAGE_NOT_FOUND')
}

/** Without the fields that the request did not send. */
function onlyGiven<T extends object>(input: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

function shown(row: DiscountRow): StudioDiscount {
  return {
    discount_id: row.discount_id,
    code: row.code,
    amount: pesos(row.amount),
    is_percent: row.is_percent,
    first_invoice_only: row.first_invoice_only,
    class_package_ids: row.class_package_ids,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    max_uses: row.max_uses,
    max_uses_per_customer: row.max_uses_per_customer,
    used: row.used,
    available: row.available,
    createdAt: row.createdAt.toISOString(),
  }
}
