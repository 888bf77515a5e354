/**
 * A generated studio whose income by day is compared with that of its charges, lots and movements, for tests of what is derived and stored.
 */
import { type SQL, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { startOfDay } from '#contract/time.ts'
import { listPurchaseIncome, type PackageIncome, readIncome } from '#server/modules/income/days.ts'
import { type Income, recognisedIncome } from '#server/modules/income/rules.ts'
import { listIncomeUnits } from '#server/modules/income/store.ts'
import { generateStudio } from './generated-studio.ts'
import { type Person, START, studio, type TestStudio } from './studio.ts'

export const ZONE = 'America/Mexico_City'
/** What the check of the night answers when nothing is wrong. */
export const NOTHING_WRONG = { purchases: [], days: [], classes: [] }

/** `instants`: some at which something happens, just before and after them, and beginnings of days, in order. */
export interface IncomeStudio {
  s: TestStudio
  owner: Person
  location_id: number
  instants: Date[]
}

export async function incomeStudio(): Promise<IncomeStudio> {
  const s = await studio()
  s.clock.set(START)
  const owner = await s.make.staff('owner')
  const [, location_id] = (await generateStudio(s, 'chaotic', 11)).locations
  await addUnusual(s)
  const rows = await s.sql<{ at: Date }>(`
    select at from (
      select "paidAt" as at from invoice union select "doneAt" from refund union select "createdAt" from available_class union select expires_at from available_class
      union select "revokedAt" from available_class union select "frozenAt" from available_class union select starts_at from single_class) events
    where at between '2026-08-01' and '2026-12-15' order by 1`)
  // Each costs two parts of a statement.
  const some = rows.filter((_, n) => n % Math.ceil(rows.length / 16) === 0)
  const around = some.flatMap(({ at }) => [-1, 0, 1].map((ms) => new Date(at.getTime() + ms)))
  const days = ['2026-07-30', '2026-09-01', '2026-10-01', '2026-11-19', '2026-11-20', '2026-12-20'].map((day) => startOfDay(day, ZONE))
  const instants = [...around, ...days, s.clock.now()].sort((a, b) => a.getTime() - b.getTime())
  expect(instants.length).toBeGreaterThan(40)
  return { s, owner, location_id, instants }
}

/** Purchases that the generated studio does not have. */
async function addUnusual(s: TestStudio): Promise<void> {
  const customer = await s.make.customer()
  const classPackage = await s.make.package()
  const at = new Date('2026-09-15T18:00:00Z')
  const sold = async (class_package_id: number | null, total: number) => {
    const [row] = await s.sql<{ purchase_id: number }>(
      `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash,
         "completedAt", "createdAt", "updatedAt") values ($1, $2, 'Raro', $3, $3, 10, 60, 'sandbox', 'completed', 'raro', $4, $4, $4) returning purchase_id`,
      [customer.customer_id, class_package_id, total, at],
    )
    const purchase_id = row?.purchase_id ?? 0
    await s.sql(
      `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
       values ($1, $2, 'sandbox', $5, 'once', $3, 'paid', 0, $3, 0, $4, $4)`,
      [purchase_id, customer.customer_id, total, at, `raro-${purchase_id}`],
    )
    return purchase_id
  }
  const gives = (purchase_id: number, values: Parameters<typeof s.make.lot>[1]) =>
    s.make.lot(customer, { purchase_id, period: 'once', class_package_id: classPackage.class_package_id, createdAt: at, ...values })
  // Paid, and its credits are still to come; a place or a product; one whose clock has not begun; one whose credits came long after.
  await sold(classPackage.class_package_id, 70_001)
  await sold(null, 25_000)
  await gives(await sold(classPackage.class_package_id, 90_000), { expires_at: null, days_from_first_class: 30 })
  await gives(await sold(classPackage.class_package_id, 80_000), { createdAt: new Date('2026-11-02T06:00:00Z') })
  // Two lots, of which one ended long before the other; unlimited until the next century, whose days are not stored.
  const two = await sold(classPackage.class_package_id, 60_000)
  await gives(two, { granted: 3, expires_at: startOfDay('2026-09-20', ZONE), class_type_ids: [1] })
  await gives(two, { granted: 5, createdAt: new Date('2026-11-03T06:00:00Z'), class_type_ids: [2] })
  await gives(await sold(classPackage.class_package_id, 100_000_000), { unlimited: true, expires_at: new Date('2101-01-01T00:00:00Z') })
  // What pays a gift card is no income.
  await s.sql(
    `insert into gift_card (nonce, code_hash, last_four, amount_centavos, purchase_id, "createdAt") values ('raro', 'raro', '0000', 50000, $1, $2)`,
    [await sold(null, 50_000), at],
  )
}

const where = (location_id: number | undefined) => ({
  there: (column: SQL) => (location_id === undefined ? sql`` : sql`and ${column} = ${location_id}`),
  zone: ZONE,
})

/** Of each package what is to be recognised at each instant, and what moved since the first one; those without any are left out. */
function movedOf(packages: readonly PackageIncome[]) {
  const zero: Income = { paid: 0, back: 0, recognised: 0, deferred: 0 }
  return packages
    .map(({ class_package_id, at }) => {
      const first = at[0] ?? zero
      return {
        class_package_id,
        at: at.map(({ paid, back, recognised, deferred }) => [
          paid - first.paid,
          back - first.back,
          recognised - first.recognised,
          deferred,
        ]),
      }
    })
    .filter(({ at }) => at.flat().some((amount) => amount !== 0))
    .sort((a, b) => (a.class_package_id ?? 0) - (b.class_package_id ?? 0))
}

/** The same computed from all units, none of which is stored. */
async function slowly({ s, instants }: IncomeStudio, location_id?: number): Promise<PackageIncome[]> {
  const units = await listIncomeUnits(s.studio.db.read, instants, where(location_id).there)
  return [...new Set(units.map((unit) => unit.class_package_id))].map((class_package_id) => ({
    class_package_id,
    at: instants.map((at, n) => {
      const sum: Income = { paid: 0, back: 0, recognised: 0, deferred: 0 }
      for (const unit of units)
        if (unit.class_package_id === class_package_id) {
          const income = recognisedIncome(unit, at, n)
          sum.paid += income.paid
          sum.back += income.back
          sum.recognised += income.recognised
          sum.deferred += income.deferred
        }
      return sum
    }),
  }))
}

/**
 * Purchase by purchase between instants that are near and far from each other: which have moved, how many they are, and the last five
 * of them.
 */
async function expectExactPurchases({ s, instants }: IncomeStudio) {
  const scope = where(undefined)
  for (const [n, from] of instants.entries()) {
    const until = instants[n + (n % 2 ? 1 : 9)]
    if (!until || from >= until) continue
    const ends = [from, until] as const
    const found = await listPurchaseIncome(s.studio.db.read, ends, { ...scope, limit: 10_000 })
    const slow = (await listIncomeUnits(s.studio.db.read, ends, scope.there))
      .map((unit) => ({ ...unit, at: [recognisedIncome(unit, from, 0), recognisedIncome(unit, until, 1)] as const }))
      .filter(
        ({ at: [a, b] }) => a.deferred !== 0 || b.deferred !== 0 || a.paid !== b.paid || a.back !== b.back || a.recognised !== b.recognised,
      )
      .sort((a, b) => b.purchase_id - a.purchase_id || (a.period < b.period ? -1 : 1))
      .map(({ purchase_id, period, title, at }) => ({ purchase_id, period, title, at }))
    expect(found).toEqual({ rows: slow, count: slow.length })
    expect(await listPurchaseIncome(s.studio.db.read, ends, { ...scope, limit: 5 })).toEqual({ rows: slow.slice(0, 5), count: slow.length })
  }
}

/** Compares what is read with what all charges, lots and movements make, of all locations and of one. */
export async function expectExact(income: IncomeStudio): Promise<void> {
  const { s, instants, location_id: there } = income
  await expectExactPurchases(income)
  for (const location_id of [undefined, there]) {
    const found = movedOf(await readIncome(s.studio.db.read, instants, where(location_id)))
    expect(found).toEqual(movedOf(await slowly(income, location_id)))
    expect(found.length).toBeGreaterThan(1)
  }
}
