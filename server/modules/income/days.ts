/** Income by day for the reports: derived again when something changed, checked every night (docs/decisions/025-rollups.md). */
import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { refuse } from '#contract/errors.ts'
import type { LocalDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { listCustomersOf, readCustomers } from './classes-store.ts'
import {
  type Amounts,
  addTotalsAgain,
  countChanges,
  countCharges,
  deriveIncome,
  isStoredIn,
  listTotalDays,
  listWrongDays,
  listWrongPurchases,
  markAllIncome,
  markPurchases,
  purchasesOfIncome,
  readPurchases,
  readTotals,
  saveZone,
  takeChanged,
  tryLockIncome,
} from './days-store.ts'
import { dayClock, type Income, recognisedIncome } from './rules.ts'
import { addClassesAgain, lastClassOfIncome, listWrongClasses, listWrongSpotValues } from './spot-value-store.ts'
import { type AtLocations, type IncomeUnitRow, listIncomeUnits } from './store.ts'

/**
 * Maximum number of entries of the record of changes per transaction, each of a purchase with all of its periods: their days are
 * computed in one go.
 */
const BATCH = 100
/** Number of purchases per comparing statement, and of days of totals. */
const RANGE = 200
const DAY_RANGE = 60
/** Number of classes whose totals are compared in one statement. */
const CLASS_RANGE = 5_000
/** Maximum number of differing ones that are named in the log. */
const NAMED = 20
/** With more changed purchases than this all income is computed, which is faster than combining those purchases with the stored rest. */
const MAX_CHANGES = 2_000
/** With more charges than this computing all income exceeds the time of a request: reports wait until it is derived. */
const MAX_COMPUTED = 50_000
/** Maximum of the counted pending changes, which the waiting screen shows. */
const MAX_COUNTED = 1_000_000

/**
 * Derives at most `limit` changed entries in one transaction; returns their number. Entries are deleted before deriving: a change that
 * commits later has an entry of its own, which stays, so that reports compute it themselves until the next run.
 */
export function refreshIncome(ctx: Ctx, limit = BATCH): Promise<number> {
  return ctx.tx(async (tx) => {
    if (!(await tryLockIncome(tx))) return 0
    await saveZone(tx, ctx.zone)
    const { taken, purchases } = await takeChanged(tx, limit)
    await deriveIncome(tx, purchases, dayClock(ctx.zone))
    return taken
  })
}

/** Derives everything that is out of date; returns the number of entries. */
export async function refreshAllIncome(ctx: Ctx): Promise<number> {
  let total = 0
  for (;;) {
    const count = await refreshIncome(ctx)
    if (count === 0) return total
    total += count
  }
}

/** The purchases whose stored income differs, and the days and classes whose totals do. */
export interface WrongIncome {
  purchases: number[]
  days: LocalDate[]
  classes: number[]
}

/** Compares the stored income that is not out of date with charges, lots, movements and places. */
export async function wrongIncome({ db, zone }: Pick<Ctx, 'db' | 'zone'>): Promise<WrongIncome> {
  const clock = dayClock(zone)
  const purchases: number[] = []
  const ids = await purchasesOfIncome(db)
  if (ids)
    for (let from = ids.from; from <= ids.to; from += RANGE) {
      const range = { from, to: Math.min(ids.to, from + RANGE - 1) }
      const [units, spots] = await Promise.all([listWrongPurchases(db, range, clock), listWrongSpotValues(db, range, zone)])
      purchases.push(...new Set([...units, ...spots].sort((a, b) => a - b)))
    }
  const starts = (await listTotalDays(db)).filter((_, n) => n % DAY_RANGE === 0)
  const days: LocalDate[] = []
  // Over all time, so that days without a total are compared too.
  for (let n = 0; n < Math.max(1, starts.length); n++)
    days.push(...(await listWrongDays(db, { from: (n > 0 && starts[n]) || '-infinity', until: starts[n + 1] ?? 'infinity' })))
  const classes: number[] = []
  const lastClass = (await lastClassOfIncome(db)) ?? 0
  for (let from = 1; from <= lastClass; from += CLASS_RANGE)
    classes.push(...(await listWrongClasses(db, { from, to: from + CLASS_RANGE - 1 })))
  return { purchases, days, classes }
}

/**
 * Derives differing purchases again, which changes the totals of their days and classes by the difference, then computes the totals that
 * still differ.
 */
async function repair(ctx: Ctx, wrong: readonly number[]): Promise<void> {
  if (wrong.length > 0) await ctx.tx((tx) => markPurchases(tx, wrong))
  await refreshAllIncome(ctx)
  const { days, classes } = await wrongIncome(ctx)
  for (let from = 0; from < days.length; from += DAY_RANGE)
    await ctx.tx(async (tx) => {
      // Skipped while another process derives: totals must not change meanwhile. It is compared again the next night.
      if (await tryLockIncome(tx)) await addTotalsAgain(tx, days.slice(from, from + DAY_RANGE))
    })
  for (let from = 0; from < classes.length; from += CLASS_RANGE)
    await ctx.tx(async (tx) => {
      if (await tryLockIncome(tx)) await addClassesAgain(tx, classes.slice(from, from + CLASS_RANGE))
    })
}

/** Derives everything again, and waits for entries that another process derives. Reports compute it until then. */
export async function rebuildIncome(ctx: Ctx): Promise<void> {
  await ctx.tx(markAllIncome)
  while ((await countChanges(ctx.db, 1)) > 0) if ((await refreshAllIncome(ctx)) === 0) await setTimeout(100)
  const { purchases } = await wrongIncome(ctx)
  await repair(ctx, purchases)
}

/** Compares everything, logs differences and derives them again. */
export async function checkIncome(ctx: Ctx): Promise<WrongIncome> {
  await refreshAllIncome(ctx)
  const wrong = await wrongIncome(ctx)
  const { purchases, days, classes } = wrong
  if (purchases.length + days.length + classes.length === 0) return wrong
  const some = { some_purchases: purchases.slice(0, NAMED), some_days: days.slice(0, NAMED), some_classes: classes.slice(0, NAMED) }
  ctx.studio.log.error({ purchases: purchases.length, days: days.length, classes: classes.length, ...some }, 'income.differed')
  await repair(ctx, purchases)
  return wrong
}

/** The purchases that count, and the zone of days. */
export interface IncomeScope {
  there: AtLocations
  zone: string
}

const incomeFrom = ({ paid, back, recognised }: Amounts): Income => ({ paid, back, recognised, deferred: paid - back - recognised })

/** The income of a package (null: sold without one) at each instant. */
export interface PackageIncome {
  class_package_id: number | null
  at: Income[]
}

/**
 * Reads the stored income, if it is nearly complete and by the days of the zone; null: all has to be computed. INCOME_BEING_PREPARED: that
 * would take too long.
 */
async function readStored<T>(db: Reader, read: () => Promise<T | null>): Promise<T | null> {
  const stored = (await countChanges(db, MAX_CHANGES + 1)) > MAX_CHANGES ? null : await read()
  if (stored === null) await requireComputable(db)
  return stored
}

/** INCOME_BEING_PREPARED: there is too much to compute. */
async function requireComputable(db: Reader): Promise<void> {
  if ((await countCharges(db, MAX_COMPUTED + 1)) > MAX_COMPUTED)
    throw refuse('INCOME_BEING_PREPARED', { left: Math.max(1, await countChanges(db, MAX_COUNTED)) })
}

/** INCOME_BEING_PREPARED before what the classes of a long period brought in can be read within the time of a request. */
export async function requireClassIncome(db: Reader, zone: string): Promise<void> {
  if ((await countChanges(db, MAX_CHANGES + 1)) > MAX_CHANGES || !(await isStoredIn(db, zone))) await requireComputable(db)
}

/** Income at instants in order by package: the stored days, and the outdated purchases computed now. INCOME_BEING_PREPARED. */
export async function readIncome(db: Reader, instants: readonly Date[], { there, zone }: IncomeScope): Promise<PackageIncome[]> {
  const totals = await readStored(db, () => readTotals(db, instants, there, zone))
  const units = totals?.units ?? (await listIncomeUnits(db, instants, there))
  const packages = new Map<number, Amounts[]>()
  const amountsOf = (class_package_id: number): Amounts[] => {
    const known = packages.get(class_package_id)
    if (known) return known
    const sums = instants.map(() => ({ paid: 0, back: 0, recognised: 0 }))
    packages.set(class_package_id, sums)
    return sums
  }
  const add = (class_package_id: number, n: number, { paid, back, recognised }: Amounts) => {
    const sum = amountsOf(class_package_id)[n]
    if (!sum) return
    sum.paid += paid
    sum.back += back
    sum.recognised += recognised
  }
  for (const { n, class_package_id, ...moved } of totals?.steps ?? [])
    for (let later = n; later < instants.length; later++) add(class_package_id, later, moved)
  for (const { n, class_package_id, ...moved } of totals?.inside ?? []) add(class_package_id, n, moved)
  for (const unit of units) for (const [n, at] of instants.entries()) add(unit.class_package_id ?? 0, n, recognisedIncome(unit, at, n))
  return [...packages]
    .sort(([a], [b]) => a - b)
    .map(([class_package_id, sums]) => ({ class_package_id: class_package_id || null, at: sums.map(incomeFrom) }))
}

/** A period of a purchase, and its income at two instants. */
export interface PurchaseIncome {
  purchase_id: number
  period: string
  title: string
  at: readonly [Income, Income]
}

const purchaseIncome = (unit: IncomeUnitRow, [from, until]: readonly [Date, Date]): PurchaseIncome => ({
  purchase_id: unit.purchase_id,
  period: unit.period,
  title: unit.title,
  at: [recognisedIncome(unit, from, 0), recognisedIncome(unit, until, 1)],
})

/** Whether there is deferred income at one of the instants or a change between them. */
const hasMoved = ({ at: [before, after] }: PurchaseIncome): boolean =>
  before.deferred !== 0 || after.deferred !== 0 || (['paid', 'back', 'recognised'] as const).some((key) => before[key] !== after[key])

/**
 * The same by period of a purchase at two instants, where there is deferred income or a change: the last purchases, at most `limit`;
 * `count`: all of them.
 */
export async function listPurchaseIncome(
  db: Reader,
  ends: readonly [Date, Date],
  { there, zone, limit }: IncomeScope & { limit: number },
): Promise<{ rows: PurchaseIncome[]; count: number }> {
  const stored = await readStored(db, () => readPurchases(db, ends, there, { zone, limit }))
  const units = stored?.units ?? (await listIncomeUnits(db, ends, there))
  const computed = units.map((unit) => purchaseIncome(unit, ends)).filter(hasMoved)
  const read = (stored?.rows ?? []).map(
    ({ purchase_id, period, title, ...sums }): PurchaseIncome => ({
      purchase_id,
      period,
      title,
      at: [
        incomeFrom({ paid: sums.paid0, back: sums.back0, recognised: sums.recognised0 }),
        incomeFrom({ paid: sums.paid1, back: sums.back1, recognised: sums.recognised1 }),
      ],
    }),
  )
  const rows = [...read, ...computed]
    .sort((a, b) => b.purchase_id - a.purchase_id || (a.period < b.period ? -1 : a.period > b.period ? 1 : 0))
    .slice(0, limit)
  return { rows, count: (stored?.count ?? 0) + computed.length }
}

/**
 * What was recognised until an instant of all purchases of some customers, in centavos; those without any have no entry. `customers` as in
 * `readCustomers`, with `chosen` again. INCOME_BEING_PREPARED.
 */
export async function readCustomerIncome(db: Reader, at: Date, customers: SQL, zone: string): Promise<Map<number, number>> {
  const stored = await readStored(db, () => readCustomers(db, at, customers, zone))
  // Without what is kept, of everybody: all that moved since the beginning.
  const units = stored?.units ?? (await listIncomeUnits(db, [new Date(0), at], () => sql``))
  const n = stored ? 0 : 1
  const customerOf = await listCustomersOf(db, [...new Set(units.map(({ purchase_id }) => purchase_id))])
  const totals = new Map((stored?.rows ?? []).map(({ customer_id, recognised }) => [customer_id, recognised]))
  for (const unit of units) {
    const customer_id = customerOf.get(unit.purchase_id)
    if (customer_id !== undefined) totals.set(customer_id, (totals.get(customer_id) ?? 0) + recognisedIncome(unit, at, n).recognised)
  }
  return totals
}
