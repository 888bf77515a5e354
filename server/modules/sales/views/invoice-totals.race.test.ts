/**
 * The stored sums of charges against the sums of the charges themselves, after random sales and while they are written
 * (docs/decisions/025-rollups.md).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { Chance } from '#server/demo/chance.ts'
import { makeWorld, randomWalk } from '#server/testing/random-walk.ts'
import { makeShop, moneySteps } from '#server/testing/random-walk-money.ts'
import { type Client, studio, type TestStudio } from '#server/testing/studio.ts'
import { checkTotals, mergeTotals, rebuildTotals } from './invoice-totals.ts'

const STEPS = 260
const SEED = Number(process.env.SEED ?? 3)

const opened: TestStudio[] = []
afterAll(async () => {
  for (const s of opened) await s.close()
})
const open = async (settings: object = {}) => {
  const s = await studio({ settings: { cash_session_required: false, ...settings } })
  opened.push(s)
  return s
}

type Filter = NonNullable<Parameters<Client['studioSales']['invoices']>[0]>

/** The number and sums of the charges that match: as stored, and added up from the charges, which any range of days does. */
async function bothSums(person: Client, filter: Filter) {
  const read = async (days: object) => {
    const { total, sum } = await person.studioSales.invoices({ ...filter, ...days })
    const sorted = <T>(rows: readonly T[] = []) => rows.map((row) => JSON.stringify(row)).sort()
    return { total, ...sum, by_status: sorted(sum?.by_status), by_way: sorted(sum?.by_way) }
  }
  return { stored: await read({}), added: await read({ from: '2000-01-01', to: '2100-01-01' }) }
}

test(`after ${STEPS} random sales, refunds, disputes and cancellations the stored sums equal those of the charges (V29)`, {
  timeout: 240_000,
}, async () => {
  const s = await open({
    discounts_enabled: true,
    cash_checkout_enabled: true,
    paypal_enabled: true,
    oxxo_enabled: true,
    spei_enabled: true,
    payment_sources_enabled: true,
    subscription_grace_days: 20,
  })
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  bank.held = true
  const world = await makeWorld(s, { people: 6, classes: 2 })
  const all = moneySteps(s, world, await makeShop(s), bank)
  const luck = new Chance(SEED)
  const { location_id } = await s.make.location()
  const elsewhere = (await s.make.location()).location_id
  const owner = await s.make.staff('owner')
  const manager = await s.make.staff('manager')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [manager.uid, location_id])
  const [method] = await s.sql<{ id: number }>('select payment_method_id as id from payment_method order by 1 limit 1')
  const filters: Filter[] = [
    {},
    { location_id },
    { payment_method_id: method?.id ?? 0 },
    { gateway: 'sandbox' },
    { gateway: 'efectivo' },
    { status: ['paid'] },
    { status: ['refunded', 'partially_refunded'] },
    { status: ['disputed', 'lost'] },
    { status: ['pending', 'void'] },
  ] as Filter[]
  const seen = new Set<string>()
  for (let n = 0; n < STEPS; n++) {
    await randomWalk(all, world, luck, (person) => s.as(person))
    if (n % 20 !== 19) continue
    // Some of what was bought online belongs to the location of a limited manager.
    if (n % 40 === 19) {
      await s.sql('update purchase set location_id = $1 where purchase_id % 5 = $2 and location_id is null', [location_id, n % 5])
      // Others were sold at another location, and some of their charges were received here.
      await s.sql('update purchase set location_id = $1 where purchase_id % 5 = $2', [elsewhere, (n + 2) % 5])
      await s.sql('update invoice set location_id = $1 where purchase_id % 3 = $2 and location_id is null', [location_id, n % 3])
      await s.sql('update invoice set location_id = null where purchase_id % 7 = $1', [n % 7])
    }
    if (n % 60 === 59) await mergeTotals(s.system())
    // What a limited manager sees of purchases, with the condition as it is defined: every charge of every purchase is looked at (E14).
    const { total, sum } = await s.as(manager).studioSales.purchases({})
    const [slow] = await s.sql<{ total: number; sum: string }>(
      `select count(*)::integer as total, coalesce(sum(total_centavos), 0)::text as sum from purchase p
       where p.location_id is null or p.location_id = $1 or exists (select 1 from invoice i where i.purchase_id = p.purchase_id and i.location_id = $1)`,
      [location_id],
    )
    expect({ n, total, sum: sum?.total.replace('.', '').replace(/^0+(?=\d)/, '') }).toEqual({ n, ...slow })
    for (const person of [owner, manager])
      for (const filter of filters) {
        const { stored, added } = await bothSums(s.as(person), filter)
        expect({ n, filter, ...stored }).toEqual({ n, filter, ...added })
        for (const status of stored.by_status) seen.add(JSON.parse(status).status)
      }
  }
  // Some purchases of the other location are seen by a charge, some are not, and some pairs are of charges that moved on.
  const [kinds] = await s.sql<{ seen: number; hidden: number; gone: number }>(
    `select count(*) filter (where here)::integer as seen, count(*) filter (where not here)::integer as hidden, count(*) filter (where not here and noted)::integer as gone
     from (select exists (select 1 from invoice i where i.purchase_id = p.purchase_id and i.location_id = $1) as here,
       exists (select 1 from purchase_paid_elsewhere e where e.purchase_id = p.purchase_id and e.location_id = $1) as noted
       from purchase p where p.location_id = $2) of_elsewhere`,
    [location_id, elsewhere],
  )
  expect(Object.values(kinds ?? {}).every((count) => count > 0)).toBe(true)
  // Sums of charges that are all paid prove little.
  expect(seen.size).toBeGreaterThan(3)
  expect(await checkTotals(s.system())).toBe(0)
})

test('charges and refunds during merging and deriving leave no group different', async () => {
  const s = await open()
  const [owner, { location_id }] = [await s.make.staff('owner'), await s.make.location()]
  const { class_package_id } = await s.make.package({ price_centavos: 45_000 })
  const customers = await Promise.all(Array.from({ length: 6 }, () => s.make.customer()))
  const { payment_method_id } = await s.make.paymentMethod({ name: 'Terminal bancaria' })
  let done = false
  let compared = 0
  const merging = (async () => {
    while (!done) {
      await Promise.all([mergeTotals(s.system()), mergeTotals(s.system()), ...(compared % 3 === 0 ? [rebuildTotals(s.system())] : [])])
      expect(await checkTotals(s.system())).toBe(0)
      compared++
      await setTimeout(1)
    }
  })()
  await Promise.all(
    customers.map(async ({ customer_id }, n) => {
      for (let round = 0; round < 5; round++) {
        const input = { customer_id, class_package_id, location_id, payment_method_id }
        const { purchase } = await s.as(owner, randomUUID()).studioSales.giveAccess(input)
        if ((n + round) % 2 === 0)
          await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: purchase.purchase_id, amount: '100', reason: 'Se equivocó' })
      }
    }),
  ).finally(() => {
    done = true
  })
  await merging
  expect(compared).toBeGreaterThan(2)
  const [rows] = await s.sql<{ charges: number; groups: number }>(
    'select (select sum(invoices)::int from invoice_total) as charges, (select count(*)::int from invoice_total) as groups',
  )
  expect(rows?.charges).toBe(30)
  await mergeTotals(s.system())
  const [merged] = await s.sql<{ groups: number }>('select count(*)::int as groups from invoice_total')
  expect(merged?.groups).toBe(2)
})

test('charges without triggers are found by the comparison, logged and added up', async () => {
  const s = await open()
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 45_000 })
  await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  expect(await checkTotals(s.system())).toBe(0)
  await s.sql(`alter table invoice disable trigger user`)
  await s.sql(`update invoice set status = 'disputed', disputed_centavos = 20000`)
  await s.sql(`alter table invoice enable trigger user`)
  const owner = s.as(await s.make.staff('owner'))
  expect((await owner.studioSales.invoices({})).sum?.disputed).toBe('0.00')
  expect(await checkTotals(s.system())).toBe(2)
  expect(s.logged.some((line) => line.includes('invoice_totals.differed'))).toBe(true)
  expect((await owner.studioSales.invoices({})).sum?.disputed).toBe('200.00')
  expect(await checkTotals(s.system())).toBe(0)
})
