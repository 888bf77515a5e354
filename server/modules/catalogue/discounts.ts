/** Discounts as staff manage them (docs/domain.md, "Discounts"). Their uses belong to the sales module. */
import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type DiscountChange,
  type DiscountInput,
  discountIssues,
  normalCode,
  SERIES_SIGNS,
  type SeriesInput,
  type StudioDiscount,
} from '#contract/discounts.ts'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import {
  type DiscountRow,
  findDiscount,
  hasSeries,
  insertDiscount,
  insertDiscounts,
  listDiscountIncome,
  listDiscounts,
  lockDiscount,
  lockSeries,
  missingPackages,
  updateDiscount,
  updateSeries,
} from './discount-store.ts'

/** One discount. DISCOUNT_NOT_FOUND. */
export async function oneDiscount(ctx: Ctx, input: { discount_id: number }): Promise<{ discount: StudioDiscount }> {
  const row = await findDiscount(ctx.db, input.discount_id)
  if (!row) throw refuse('DISCOUNT_NOT_FOUND')
  return { discount: shown(row) }
}

/** Discounts, newest first; `query` is a part of the code (S1-7.54). */
export async function allDiscounts(ctx: Ctx, input: { query?: string | undefined }): Promise<{ descuentos: StudioDiscount[] }> {
  const rows = await listDiscounts(ctx.db, normalCode(input.query ?? '') || null)
  if (!ctx.may('reports.money')) return { descuentos: rows.map((row) => shown(row)) }
  const income = await listDiscountIncome(ctx.db, ctx.locationIds)
  return { descuentos: rows.map((row) => shown(row, income.get(row.discount_id) ?? 0)) }
}

/** Creates a discount (D1). ALREADY_EXISTS, PACKAGE_NOT_FOUND, SEGMENT_NOT_FOUND, INVALID_INPUT with an issue per field. */
export async function createDiscount(ctx: Ctx, input: DiscountInput): Promise<{ discount: StudioDiscount }> {
  assertValid(input)
  return ctx.once('discounts.create', input, async (tx) => {
    await packagesExist(tx, input.class_package_ids)
    const row = await insertDiscount(tx, { ...input, createdAt: ctx.now, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'discount.create', entity: 'discount', entity_id: row.discount_id, after: row })
    return { discount: shown(row) }
  })
}

/**
 * Changes the given fields; purchases keep the price that was frozen on them (D5). DISCOUNT_NOT_FOUND, ALREADY_EXISTS, BELOW_USED,
 * SEGMENT_NOT_FOUND.
 */
export async function changeDiscount(
  ctx: Ctx,
  { discount_id, if_updatedAt, ...input }: DiscountChange,
): Promise<{ discount: StudioDiscount }> {
  return ctx.tx(async (tx) => {
    const before = await lockDiscount(tx, discount_id)
    if (!before) throw refuse('DISCOUNT_NOT_FOUND')
    await assertUnchanged(tx, ctx, { entity: 'discount', id: discount_id, updatedAt: before.updatedAt }, if_updatedAt)
    const set = onlyGiven(input)
    assertValid({ ...before, ...set })
    if (before.series !== null && set.max_uses !== undefined && set.max_uses !== 1)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'max_uses', message: 'Un código de una serie se usa una sola vez.' }] })
    if (set.max_uses != null && set.max_uses < before.used) throw refuse('BELOW_USED', { used: before.used })
    await packagesExist(tx, set.class_package_ids)
    if (isDeepStrictEqual({ ...before, ...set }, before)) return { discount: shown(before) }
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
    // A removed code keeps no segment from being removed.
    await updateDiscount(tx, before.discount_id, { segment_id: null, deletedAt: ctx.now, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'discount.remove', entity: 'discount', entity_id: before.discount_id, before })
    return { ok: true }
  })
}

/** Signs of a code that no two fonts confuse: no 0, O, 1, I or L. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const randomSigns = (length: number): string => Array.from({ length }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** Creates a series of single-use codes (D7). ALREADY_EXISTS, PACKAGE_NOT_FOUND, SEGMENT_NOT_FOUND, INVALID_INPUT with an issue per field. */
export async function createSeries(ctx: Ctx, { prefix, count, ...input }: SeriesInput): Promise<{ series: string; codes: string[] }> {
  assertValid(input)
  return ctx.once('discounts.series', { prefix, count, ...input }, async (tx) => {
    await packagesExist(tx, input.class_package_ids)
    await lockSeries(tx, prefix)
    if (await hasSeries(tx, prefix)) throw refuse('ALREADY_EXISTS')
    const codes = new Set<string>()
    while (codes.size < count) codes.add(`${prefix}-${randomSigns(SERIES_SIGNS)}`)
    const common = { ...input, series: prefix, max_uses: 1, max_uses_per_customer: 1, createdAt: ctx.now, updatedAt: ctx.now }
    await insertDiscounts(
      tx,
      [...codes].map((code) => ({ ...common, code })),
    )
    await ctx.audit(tx, { action: 'discount.series', entity: 'discount', entity_id: null, after: { ...input, series: prefix, count } })
    return { series: prefix, codes: [...codes] }
  })
}

/** Makes the codes of a series usable or not; those that were used stay as they are. DISCOUNT_NOT_FOUND. */
export async function switchSeries(ctx: Ctx, { series, available }: { series: string; available: boolean }): Promise<{ changed: number }> {
  return ctx.tx(async (tx) => {
    const name = normalCode(series)
    if (!(await hasSeries(tx, name))) throw refuse('DISCOUNT_NOT_FOUND')
    const changed = await updateSeries(tx, name, { available, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'discount.series_switch', entity: 'discount', entity_id: null, after: { series: name, available } })
    return { changed }
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

/** `income`: centavos; null = not shown. */
function shown(row: DiscountRow, income: number | null = null): StudioDiscount {
  return {
    discount_id: row.discount_id,
    updatedAt: row.updatedAt.toISOString(),
    code: row.code,
    amount: pesos(row.amount),
    is_percent: row.is_percent,
    first_invoice_only: row.first_invoice_only,
    class_package_ids: row.class_package_ids,
    segment_id: row.segment_id,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    max_uses: row.max_uses,
    max_uses_per_customer: row.max_uses_per_customer,
    used: row.used,
    available: row.available,
    income: income === null ? null : pesos(income),
    series: row.series,
    createdAt: row.createdAt.toISOString(),
  }
}
