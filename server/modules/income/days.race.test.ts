/**
 * Income that is derived while two processes book and cancel, classes move, lots are extended and refunds are made: the stored income is
 * correct at any time.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { listPurchaseIncome, readIncome, refreshIncome } from './days.ts'
import { refreshAllIncome, wrongIncome } from './income.ts'
import { recognisedIncome } from './rules.ts'
import { listIncomeUnits } from './store.ts'

const ZONE = 'America/Mexico_City'
const NONE = { purchases: [], days: [], classes: [] }
const where = { there: () => sql``, zone: ZONE }

let s: TestStudio
let other: SecondProcess
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
})
afterAll(async () => {
  await other.close()
  await s.close()
})

const at = (n: number, person: Person) => (n % 2 === 0 ? s.as(person) : other.as(person))

/** A person who paid for ten credits yesterday. */
async function payer(class_package_id: number): Promise<{ who: Person; purchase_id: number; invoice_id: number }> {
  const customer = await s.make.customer()
  const paidAt = new Date(s.clock.now().getTime() - 86_400_000)
  const [sold] = await s.sql<{ purchase_id: number }>(
    `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash,
       "completedAt", "createdAt", "updatedAt") values ($1, $2, 'Diez', 100000, 100000, 10, 60, 'sandbox', 'completed', 'race', $3, $3, $3) returning purchase_id`,
    [customer.customer_id, class_package_id, paidAt],
  )
  const purchase_id = sold?.purchase_id ?? 0
  const [charge] = await s.sql<{ invoice_id: number }>(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
     values ($1, $2, 'sandbox', $3, 'once', 100000, 'paid', 0, 100000, 0, $4, $4) returning invoice_id`,
    [purchase_id, customer.customer_id, `race-${purchase_id}`, paidAt],
  )
  await s.make.lot(customer, { purchase_id, period: 'once', class_package_id, createdAt: paidAt })
  return { who: customer, purchase_id, invoice_id: charge?.invoice_id ?? 0 }
}

test('bookings, cancellations, moved classes, longer lots and refunds against the job', async () => {
  const { class_package_id } = await s.make.package()
  const people = await Promise.all(Array.from({ length: 6 }, () => payer(class_package_id)))
  const classes: number[] = []
  for (let hour = 0; hour < 4; hour++)
    classes.push((await s.make.class({ starts_at: new Date(s.clock.now().getTime() + (26 + hour) * 3_600_000) })).single_class_id)
  await refreshAllIncome(s.system())
  let done = false
  let looked = 0
  const ends = [new Date(s.clock.now().getTime() - 3 * 86_400_000), new Date(s.clock.now().getTime() + 3 * 86_400_000)] as const
  const deriving = (async () => {
    while (!done) {
      await refreshIncome(s.system(), 5)
      expect(await wrongIncome(s.system())).toEqual(NONE)
      // All was paid within the stretch: what is recognised, to be recognised and went back is what was paid, whatever is being written.
      const [packageIncome] = await readIncome(s.studio.db.read, ends, where)
      expect(packageIncome?.at[0]).toEqual({ paid: 0, back: 0, recognised: 0, deferred: 0 })
      expect(packageIncome?.at[1]?.paid).toBe(people.length * 100_000)
      looked++
      await setTimeout(1)
    }
  })()
  /** One after the other of a person, all of them at once. */
  const lives = people.map(async ({ who, purchase_id, invoice_id }, n) => {
    for (let round = 0; round < 6; round++) {
      const single_class_id = classes[(n + round) % classes.length] ?? 0
      const { class_reservation } = await at(n + round, who).bookings.reserve({ single_class_id })
      const { class_reservation_id } = class_reservation
      if (round % 2)
        await s.sql(
          `update single_class set starts_at = starts_at + $2 * interval '1 minute', ends_at = ends_at + $2 * interval '1 minute' where single_class_id = $1`,
          [single_class_id, n % 2 ? 1 : -1],
        )
      if (round === 2)
        await s.sql(`update available_class set expires_at = expires_at + interval '1 day' where purchase_id = $1`, [purchase_id])
      if (round === 3)
        await s.sql(
          `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt")
           values ($1, $2, 1000, true, 'prueba', 'done', $3, $3, $3)`,
          [purchase_id, invoice_id, s.clock.now()],
        )
      if (round < 5) await at(n, who).bookings.cancel({ class_reservation_id })
    }
  })
  await Promise.all(lives)
  done = true
  await deriving
  expect(looked).toBeGreaterThan(3)
  while ((await refreshIncome(s.system())) > 0);
  expect(await wrongIncome(s.system())).toEqual(NONE)
  expect(await s.sql('select 1 from income_change')).toEqual([])

  const { rows, count } = await listPurchaseIncome(s.studio.db.read, ends, { ...where, limit: 100 })
  expect(count).toBe(people.length)
  // One class of ten was taken, of 100,000 less 1,000.
  for (const row of rows) expect(row.at[1]).toEqual({ paid: 100_000, back: 1_000, recognised: 9_900, deferred: 89_100 })
  const slow = (await listIncomeUnits(s.studio.db.read, ends, where.there)).map((unit) => ({
    purchase_id: unit.purchase_id,
    period: unit.period,
    title: unit.title,
    at: ends.map((end, n) => recognisedIncome(unit, end, n)),
  }))
  expect(rows).toEqual(slow)
  expect((await listPurchaseIncome(s.studio.db.read, ends, { ...where, limit: 2 })).rows).toEqual(slow.slice(0, 2))
  expect(await findBrokenInvariants(s)).toEqual({})
})
