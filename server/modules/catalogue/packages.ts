/** Packages as staff manage them (docs/domain.md, K10 to K12). Their public form is in catalogue.ts. */
import { isDeepStrictEqual } from 'node:util'
import { refuse, type UseCount } from '#contract/errors.ts'
import { type PackageChange, type PackageInput, packageIssues, type StudioPackage } from '#contract/studio-packages.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import { attachFile, signedFileLink } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import { areThere, listEveryPackage, lockPackageOrder, type PackageValues, reorderPackages, upsertPackage } from './package-store.ts'
import { serializePackage } from './rules.ts'
import { findPackageRow, lockPackageRow, type PackageWithTypes } from './store.ts'

/** All packages, on sale or not (K2, S1-7.18), or the archived ones. */
export async function everyPackage(
  ctx: Ctx,
  input: { query?: string | undefined; archived?: boolean | undefined },
): Promise<{ class_packages: StudioPackage[] }> {
  const rows = await listEveryPackage(ctx.db, input.query || null, input.archived === true)
  return { class_packages: await Promise.all(rows.map((row) => shown(ctx, row))) }
}

/** Creates a package (K10). INVALID_INPUT with an issue per field; NOT_FOUND for an unknown location or class type. */
export async function createPackage(ctx: Ctx, input: PackageInput): Promise<{ class_package: StudioPackage }> {
  const values = { ...(await columns(input)), createdAt: ctx.now, updatedAt: ctx.now }
  const { class_package_id } = await ctx.once('packages.create', input, async (tx) => {
    const saved = await save(tx, ctx, null, input, values)
    return { class_package_id: saved.class_package_id }
  })
  const row = await findPackageRow(ctx.db, class_package_id)
  if (!row) throw new Error(`Package ${class_package_id} was not stored.`)
  return { class_package: await shown(ctx, row) }
}

/** Changes the given fields (K10); purchases keep the terms that were frozen on them. PACKAGE_NOT_FOUND, NOT_FOUND, BELOW_USED. */
export async function changePackage(
  ctx: Ctx,
  { class_package_id, if_updatedAt, ...input }: PackageChange,
): Promise<{ class_package: StudioPackage }> {
  const values = { ...(await columns(input)), updatedAt: ctx.now }
  const after = await ctx.tx(async (tx) => {
    const before = await lock(tx, class_package_id)
    await assertUnchanged(tx, ctx, { entity: 'class_package', id: class_package_id, updatedAt: before.updatedAt }, if_updatedAt)
    if (input.capacity != null && input.capacity < before.sold) throw refuse('BELOW_USED', { used: before.sold })
    const isSame = Object.entries(values).every(
      ([key, value]) => key === 'updatedAt' || isDeepStrictEqual(value, before[key as keyof typeof before]),
    )
    if (isSame && input.class_package_types === undefined) return before
    return save(tx, ctx, before, { ...asInput(before), ...onlyGiven(input) }, values, input.class_package_types !== undefined)
  })
  return { class_package: await shown(ctx, after) }
}

/** Adds a package to the landing page or removes it (S1-7.25, S1-7.26). Idempotent. PACKAGE_NOT_FOUND. */
export async function setHome(ctx: Ctx, input: { class_package_id: number }, is_home: boolean): Promise<{ class_package: StudioPackage }> {
  const row = await ctx.tx(async (tx) => {
    const before = await lock(tx, input.class_package_id)
    if (before.is_home === is_home) return before
    const after = await upsertPackage(tx, before.class_package_id, { is_home }, undefined)
    await ctx.audit(tx, {
      action: is_home ? 'class_package.add_to_home' : 'class_package.remove_from_home',
      entity: 'class_package',
      entity_id: before.class_package_id,
      before: { is_home: before.is_home },
      after: { is_home },
    })
    tx.notify({ topic: 'catalogue' })
    return after
  })
  return { class_package: await shown(ctx, row) }
}

/**
 * Archives a package; its purchases stay (K11). PACKAGE_NOT_FOUND; IN_USE while it is the sign-up fee or a higher module lists uses of it.
 */
export async function removePackage(ctx: Ctx, class_package_id: number, listUses: (tx: Tx) => Promise<UseCount[]>): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const before = await lock(tx, class_package_id)
    const uses = await listUses(tx)
    if (ctx.settings.signup_fee === class_package_id) uses.push({ kind: 'signup_fee', count: 1 })
    if (uses.length > 0) throw refuse('IN_USE', { uses })
    await upsertPackage(tx, class_package_id, { deletedAt: ctx.now }, undefined)
    await ctx.audit(tx, { action: 'class_package.remove', entity: 'class_package', entity_id: class_package_id, before })
    tx.notify({ topic: 'catalogue' })
    return { ok: true }
  })
}

/** Restores an archived package (K11). PACKAGE_NOT_FOUND also for one that is not archived. */
export async function restorePackage(
  ctx: Ctx,
  { class_package_id }: { class_package_id: number },
): Promise<{ class_package: StudioPackage }> {
  const row = await ctx.tx(async (tx) => {
    const before = await lockPackageRow(tx, class_package_id)
    if (!before?.deletedAt) throw refuse('PACKAGE_NOT_FOUND')
    const after = await upsertPackage(tx, class_package_id, { deletedAt: null }, undefined)
    await ctx.audit(tx, { action: 'class_package.restore', entity: 'class_package', entity_id: class_package_id, after })
    tx.notify({ topic: 'catalogue' })
    return after
  })
  return { class_package: await shown(ctx, row) }
}

/** Puts these packages first, in this order, and the others after them in theirs (K2). PACKAGE_NOT_FOUND. */
export async function orderPackages(ctx: Ctx, { ids }: { ids: readonly number[] }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const before = await lockPackageOrder(tx)
    const first = [...new Set(ids)]
    if (first.some((id) => !before.includes(id))) throw refuse('PACKAGE_NOT_FOUND')
    const after = [...first, ...before.filter((id) => !first.includes(id))]
    await reorderPackages(tx, after)
    await ctx.audit(tx, {
      action: 'class_package.order',
      entity: 'class_package',
      entity_id: null,
      before: { ids: before },
      after: { ids: after },
    })
    tx.notify({ topic: 'catalogue' })
    return { ok: true }
  })
}

async function lock(tx: Tx, class_package_id: number): Promise<PackageWithTypes> {
  const row = await lockPackageRow(tx, class_package_id)
  const found = row && !row.deletedAt ? await findPackageRow(tx, class_package_id) : null
  if (!found) throw refuse('PACKAGE_NOT_FOUND')
  return found
}

async function save(
  tx: Tx,
  ctx: Ctx,
  before: PackageWithTypes | null,
  whole: PackageInput,
  values: PackageValues,
  setsTypes = true,
): Promise<PackageWithTypes> {
  const issues = packageIssues(whole)
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
  const types = whole.class_package_types ?? []
  const named = {
    location_ids: values.location_ids ?? [],
    class_type_ids: setsTypes ? types.map((type) => type.class_type_id) : [],
  }
  if (!(await areThere(tx, named))) throw refuse('NOT_FOUND')
  if (values.downloadable && values.downloadable !== before?.downloadable)
    values.downloadable = await attachFile(tx, ctx, values.downloadable, 'downloadable')
  const after = await upsertPackage(tx, before?.class_package_id ?? null, values, setsTypes ? types : undefined)
  await ctx.audit(tx, {
    action: before ? 'class_package.change' : 'class_package.create',
    entity: 'class_package',
    entity_id: after.class_package_id,
    before,
    after,
  })
  tx.notify({ topic: 'catalogue' })
  return after
}

/** The given fields as columns. HTML is sanitised here. */
async function columns(input: Partial<PackageInput>): Promise<PackageValues> {
  const { price, sale_price, image, receipt_file, downloadable, description, tax_rate, class_package_types: _, ...same } = input
  return onlyGiven({
    ...same,
    price_centavos: price,
    sale_price_centavos: sale_price,
    // An exempt package has no rate; one that is given a rate is no longer exempt.
    tax_rate: same.tax_exempt ? null : tax_rate == null ? tax_rate : Math.round(tax_rate * 100),
    tax_exempt: same.tax_exempt ?? (tax_rate == null ? undefined : false),
    image: image === null ? null : image?.src,
    receipt_file: receipt_file === null ? null : receipt_file?.src,
    downloadable: downloadable === null ? null : downloadable?.src,
    description: description === undefined ? undefined : await sanitizeHtml(description),
  })
}

/** A stored package as input, so that a change can be merged into it. */
function asInput(row: PackageWithTypes): PackageInput {
  return {
    ...row,
    tax_rate: row.tax_rate === null ? null : row.tax_rate / 100,
    price: row.price_centavos,
    sale_price: row.sale_price_centavos,
    image: row.image === null ? null : { src: row.image },
    receipt_file: row.receipt_file === null ? null : { src: row.receipt_file },
    downloadable: row.downloadable === null ? null : { src: row.downloadable },
    class_package_types: row.types,
  }
}

/** Without the fields that the request did not send. */
function onlyGiven<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

async function shown(ctx: Ctx, row: PackageWithTypes): Promise<StudioPackage> {
  const { capacity, sold, guests_use_credit, available } = row
  const file = row.downloadable === null ? null : await signedFileLink(ctx.db, ctx, row.downloadable)
  return {
    ...serializePackage(row, await sanitizeHtml(row.description), ctx.settings),
    downloadable: row.downloadable === null ? null : { src: file?.src ?? row.downloadable, name: file?.name ?? null },
    capacity,
    sold,
    guests_use_credit,
    available,
    tax_rate: row.tax_rate === null ? null : row.tax_rate / 100,
    tax_exempt: row.tax_exempt,
    sat_key: row.sat_key,
    archived: row.deletedAt !== null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
