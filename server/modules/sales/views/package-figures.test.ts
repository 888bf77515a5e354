/** GET /admin/class_packages/{id}/figures: the current holders of a package, and its sales of the last 30 days. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let manager: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())

const DAY = 86_400_000

test('counts people with credits left or a live subscription once each, and sales and money of the last 30 days', async () => {
  const { class_package_id } = await s.make.package({ class_amount: 10 })
  const ago = (days: number) => new Date(s.clock.now().getTime() - days * DAY)
  const purchase = async (createdAt: Date, more: { subscription?: boolean; status?: string; customer_id?: number } = {}) => {
    const customer_id = more.customer_id ?? (await s.make.customer()).customer_id
    const [row] = await s.sql<{ id: number }>(
      `insert into purchase (customer_id, title, class_package_id, amount_centavos, total_centavos, class_amount, expiration_days, is_subscription, gateway, status, request_hash,
         "createdAt", "updatedAt") values ($1, 'Diez', $2, 1000, 1000, 10, 30, $3, 'sandbox', $4, 'x', $5, $5) returning purchase_id as id`,
      [customer_id, class_package_id, more.subscription ?? false, more.status ?? 'completed', createdAt],
    )
    return { customer_id, purchase_id: row?.id ?? 0 }
  }
  const charge = (
    { customer_id, purchase_id }: { customer_id: number; purchase_id: number },
    centavos: number,
    refunded: number,
    at: Date,
  ) =>
    s.sql(
      `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
       values ($1, $2, 'sandbox', $3, 'once', $4, $5, $6, 0, $4, 0, $7, $7)`,
      [purchase_id, customer_id, `pay_${purchase_id}_${centavos}`, centavos, refunded, refunded ? 'partially_refunded' : 'paid', at],
    )
  const creditLot = (customer_id: number, balance: number, expires_at: Date) =>
    s
      .sql(
        `insert into available_class (customer_id, class_package_id, title, unlimited, granted, balance, is_courtesy, is_online, guests_use_credit, allowed_times, expires_at, "createdAt")
       values ($1, $2, 'Diez', false, $3, 0, false, false, true, '[]', $4, now()) returning available_class_id as id`,
        [customer_id, class_package_id, Math.max(balance, 1), expires_at],
      )
      .then(([row]) =>
        balance
          ? s.sql(
              `insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt") values ($1, $2, 'grant', $3, 'system:x', now())`,
              [(row as { id: number }).id, customer_id, balance],
            )
          : [],
      )
  const recent = await purchase(ago(10))
  await charge(recent, 200_000, 50_000, ago(10))
  await creditLot(recent.customer_id, 3, ago(-20))
  await creditLot(recent.customer_id, 2, ago(-20))
  const old = await purchase(ago(40))
  await charge(old, 100_000, 0, ago(40))
  await creditLot(old.customer_id, 4, ago(1))
  await purchase(ago(50), { subscription: true, status: 'active' })
  await purchase(ago(5), { status: 'failed' })

  expect(await s.as(owner).studioPackages.figures({ class_package_id })).toEqual({
    holders: 2,
    sold: 1,
    collected: '1500.00',
    sold_ever: 3,
    collected_ever: '2500.00',
    prices: [expect.objectContaining({ price: expect.any(String) })],
  })
  expect(await codeOf(s.as(owner).studioPackages.figures({ class_package_id: 999_999 }))).toBe('PACKAGE_NOT_FOUND')
  expect(await s.as(manager).studioPackages.figures({ class_package_id })).toMatchObject({ holders: 2 })

  // Staff of one location see what was sold and received there, and online.
  const [here, there] = [await s.make.location(), await s.make.location()]
  const local = await s.make.staff('manager')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [local.uid, here.location_id])
  await s.sql(`insert into staff_right select staff_id, 'reports.money', true from staff where uid = $1 on conflict do nothing`, [
    local.uid,
  ])
  await s.sql('update purchase set location_id = $2 where purchase_id = $1', [recent.purchase_id, there.location_id])
  await s.sql('update purchase set location_id = $2 where purchase_id = $1', [old.purchase_id, here.location_id])
  await s.sql('update invoice set location_id = $2 where purchase_id = $1', [recent.purchase_id, there.location_id])
  await s.sql('update invoice set location_id = $2 where purchase_id = $1', [old.purchase_id, here.location_id])
  expect(await s.as(local).studioPackages.figures({ class_package_id })).toMatchObject({
    holders: 2,
    sold: 0,
    collected: '0.00',
    sold_ever: 2,
    collected_ever: '1000.00',
  })
})
