/** Purchases, charges, refunds, counter sales and discrepancies by the locations of the staff member (docs/domain.md E14, N1, N5). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let terminal: number
let transfer: number
/** One staff member of each role who works at one of two locations only, and sales of both. */
let norte: Branch
let sur: Branch
let online: { purchase_id: number; waiting: number; subscription: number }

interface Branch {
  location_id: number
  reception: Person
  manager: Person
  purchase_id: number
  waiting: number
  refunded: number
  subscription: number
  debt: { sale_id: number; purchase_id: number }
  transfer: { sale_id: number; invoice_id: number }
  money_difference_id: number
}

const PRICE = 50_000
const subscriptionPackage = () => s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })

async function makeBranch(): Promise<Branch> {
  const { location_id } = await s.make.location()
  const limited = async (role: 'reception' | 'manager') => {
    const person = await s.make.staff(role)
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
    return person
  }
  const { class_package_id } = await s.make.package({ price_centavos: PRICE })
  const sell = () => sellAt(location_id, class_package_id)
  const refunded = await sell()
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: refunded, amount: '100', reason: 'Se equivocó' })
  const basket = async (rest: object) =>
    s.as(owner, randomUUID()).counterSales.sell({
      customer_id: (await s.make.customer()).customer_id,
      location_id,
      shown: { total: '25.00' },
      lines: [{ kind: 'other', title: 'Agua', amount: '25.00' }],
      payments: [],
      ...rest,
    })
  const debt = await basket({ owe: { until: '2099-01-01', reason: 'Paga luego' } })
  const sent = await basket({ payments: [{ payment_method_id: transfer, amount: '25.00' }] })
  const waiting = await cashOrder()
  const subscription = await subscribe()
  await s.sql('update purchase set location_id = $1 where purchase_id = any($2)', [location_id, [waiting, subscription]])
  const purchase_id = await sell()
  const [discrepancy] = await s.sql<{ id: number }>(
    `insert into money_difference (kind, gateway, about, details, purchase_id, "foundAt")
     values ('amount_differs', 'sandbox', $1, '{"amount": 100}', $2, now()) returning money_difference_id as id`,
    [`pay_${location_id}`, purchase_id],
  )
  return {
    location_id,
    purchase_id,
    refunded,
    waiting,
    subscription,
    reception: await limited('reception'),
    manager: await limited('manager'),
    debt: { sale_id: debt.sale.sale_id ?? 0, purchase_id: debt.purchases[0]?.purchase_id ?? 0 },
    transfer: { sale_id: sent.sale.sale_id ?? 0, invoice_id: sent.sale.payments[0]?.invoice_ids[0] ?? 0 },
    money_difference_id: discrepancy?.id ?? 0,
  }
}

async function sellAt(location_id: number, class_package_id: number): Promise<number> {
  const { customer_id } = await s.make.customer()
  const input = { customer_id, class_package_id, payment_method_id: terminal, location_id }
  return (await s.as(owner, randomUUID()).studioSales.giveAccess(input)).purchase.purchase_id
}

async function cashOrder(): Promise<number> {
  const { class_package_id } = await s.make.package({ price_centavos: PRICE })
  return (await s.as(await s.make.customer(), randomUUID()).sales.checkout({ class_package_id })).purchase_id
}

async function subscribe(): Promise<number> {
  const { class_package_id } = await subscriptionPackage()
  return (await s.as(await s.make.customer(), randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })).purchase_id
}

beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true, cash_session_required: false, pos_refund_max: '1000' } })
  owner = await s.make.staff('owner')
  await s.make.paymentMethod({ name: 'Efectivo' })
  terminal = (await s.make.paymentMethod({ name: 'Terminal bancaria' })).payment_method_id
  transfer = (await s.make.paymentMethod({ name: 'Transferencia' })).payment_method_id
  norte = await makeBranch()
  sur = await makeBranch()
  const { class_package_id } = await s.make.package({ price_centavos: PRICE })
  const bought = await s.as(await s.make.customer(), randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  online = { purchase_id: bought.purchase_id, waiting: await cashOrder(), subscription: await subscribe() }
})
afterAll(() => s.close())

const purchasesOf = (at: Branch) => [at.purchase_id, at.waiting, at.refunded, at.subscription, at.debt.purchase_id]
const everyOnline = () => Object.values(online)
const sumOf = (rows: readonly { total_payment: string }[]) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row.total_payment) * 100), 0) / 100
const roles = ['reception', 'manager'] as const

describe('lists show the caller’s locations and online sales, and their sums add up only those (E14)', () => {
  test.each(roles)('for %s: purchases, charges, refunds and counter sales', async (role) => {
    for (const [here, there] of [
      [norte, sur],
      [sur, norte],
    ] as const) {
      const desk = s.as(here[role])
      const bought = await desk.studioSales.purchases({})
      const ids = bought.purchases.map((row) => row.purchase_id)
      expect(ids).toEqual(expect.arrayContaining([...purchasesOf(here), ...everyOnline()]))
      expect(ids.filter((id) => purchasesOf(there).includes(id))).toEqual([])
      expect(bought.total).toBe(ids.length)
      const seesSums = role === 'manager'
      expect(bought.sum && Number(bought.sum.total)).toBe(seesSums ? sumOf(bought.purchases) : null)
      expect(bought.sum?.by_status.reduce((sum, row) => sum + row.count, 0)).toBe(seesSums ? ids.length : undefined)

      const charged = await desk.studioSales.invoices({})
      const charges = charged.invoices.map((row) => row.purchase_id)
      expect(charges).toEqual(expect.arrayContaining([here.purchase_id, here.refunded, here.subscription, online.purchase_id]))
      expect(charges.filter((id) => purchasesOf(there).includes(id))).toEqual([])
      expect(charged.total).toBe(charges.length)
      expect(charged.sum && Number(charged.sum.charged)).toBe(seesSums ? sumOf(charged.invoices) : null)
      expect(charged.sum?.refunded).toBe(seesSums ? '100.00' : undefined)

      const back = await desk.studioSales.refunds({})
      expect(back).toMatchObject({
        total: 1,
        sum: seesSums ? { refunded: '100.00' } : null,
        refunds: [{ purchase: { purchase_id: here.refunded } }],
      })

      const subscribed = await desk.studioSubscriptions.list({})
      expect(subscribed.subscriptions.map((row) => row.purchase_id).sort()).toEqual([here.subscription, online.subscription].sort())
      expect(subscribed).toMatchObject({ total: 2, sum: { states: { active: 2 } } })

      const sales = await desk.counterSales.list({})
      expect(sales.sales.map((row) => row.sale_id).sort()).toEqual([here.debt.sale_id, here.transfer.sale_id].sort())
      expect(sales.total).toBe(2)
      expect((await desk.counterSales.list({ state: 'owed' })).sales.map((row) => row.sale_id)).toEqual([here.debt.sale_id])
    }
  })

  test('without a limit everything is there, and a filter by location is refused only elsewhere', async () => {
    const all = await s.as(owner).studioSales.purchases({})
    expect(all.purchases.map((row) => row.purchase_id)).toEqual(
      expect.arrayContaining([...purchasesOf(norte), ...purchasesOf(sur), ...everyOnline()]),
    )
    for (const role of roles) {
      const { studioSales, studioSubscriptions, counterSales } = s.as(norte[role])
      const { purchases, invoices, refunds } = studioSales
      for (const list of [purchases, invoices, refunds, studioSubscriptions.list, counterSales.list]) {
        await list({ location_id: norte.location_id })
        expect(await refusalOf(list({ location_id: sur.location_id }))).toMatchObject({
          code: 'FORBIDDEN',
          data: { needs: 'sales.sell', location_id: sur.location_id },
        })
      }
    }
  })

  test('discrepancies are those of the caller’s locations, and only those are closed', async () => {
    const { differences } = s.as(norte.manager)
    const found = (await differences.list()).money_differences.map((row) => row.money_difference_id)
    expect(found).toContain(norte.money_difference_id)
    expect(found).not.toContain(sur.money_difference_id)
    const close = (money_difference_id: number) => differences.close({ money_difference_id, reason: 'Revisada' })
    expect(await refusalOf(close(sur.money_difference_id))).toMatchObject({ code: 'NOT_FOUND' })
    expect((await s.as(owner).differences.list()).money_differences).toContainEqual(
      expect.objectContaining({ money_difference_id: sur.money_difference_id, closedAt: null }),
    )
  })
})

describe('by its id, a sale of another location does not exist (E14)', () => {
  test.each(roles)('for %s, to read, print, change or pay', async (role) => {
    const before = await s.sql('select purchase_id, status, "updatedAt" from purchase order by 1')
    const money = await s.sql('select count(*)::int as n, sum(total_centavos)::int as sum from invoice')
    const { studioSales, studioSubscriptions, counterSales, sales } = s.as(norte[role], randomUUID())
    const reason = 'Prueba de otro estudio'
    const { purchase_id } = sur
    const refused = {
      PURCHASE_NOT_FOUND: [
        () => studioSales.purchase({ purchase_id }),
        () => studioSales.receipt({ purchase_id }),
        () => studioSales.revokeAccess({ purchase_id, reason }),
        () => studioSales.pause({ purchase_id: sur.subscription, reason }),
        () => studioSales.resume({ purchase_id: sur.subscription, reason }),
        () => studioSubscriptions.cancel({ purchase_id: sur.subscription, reason, dry_run: true }),
        () => studioSubscriptions.retry({ purchase_id: sur.subscription }),
        () => studioSubscriptions.cardLink({ purchase_id: sur.subscription }),
        () => sales.markPaid({ purchase_id: sur.waiting }),
        ...(role === 'manager'
          ? [() => studioSales.refund({ purchase_id, reason }), () => studioSales.refund({ purchase_id, reason, by_hand: true })]
          : []),
      ],
      NOT_FOUND: [
        () => counterSales.one({ sale_id: sur.debt.sale_id }),
        () => counterSales.pay({ sale_id: sur.debt.sale_id, payments: [{ payment_method_id: terminal, amount: '25' }] }),
        () => counterSales.confirm({ invoice_id: sur.transfer.invoice_id }),
        () => counterSales.reject({ invoice_id: sur.transfer.invoice_id, reason }),
      ],
      FORBIDDEN: [
        () => sales.markPaid({ purchase_id: norte.waiting, location_id: sur.location_id }),
        () =>
          counterSales.pay({
            sale_id: norte.debt.sale_id,
            location_id: sur.location_id,
            payments: [{ payment_method_id: terminal, amount: '25' }],
          }),
        async () =>
          studioSales.giveAccess({
            customer_id: (await s.make.customer()).customer_id,
            location_id: sur.location_id,
            class_package_id: (await s.make.package()).class_package_id,
          }),
      ],
    }
    for (const [code, calls] of Object.entries(refused))
      for (const call of calls) expect([String(call), (await refusalOf(call())).code]).toEqual([String(call), code])
    expect(await s.sql('select purchase_id, status, "updatedAt" from purchase order by 1')).toEqual(before)
    expect(await s.sql('select count(*)::int as n, sum(total_centavos)::int as sum from invoice')).toEqual(money)
  })

  test.each(roles)('for %s, those of their own location and online ones are read and changed', async (role) => {
    const own = await makeBranch()
    const { studioSales, counterSales, sales } = s.as(own[role], randomUUID())
    for (const purchase_id of [...purchasesOf(own), ...everyOnline()])
      expect((await studioSales.purchase({ purchase_id })).purchase.purchase_id).toBe(purchase_id)
    expect((await studioSales.receipt({ purchase_id: own.purchase_id })).type).toBe('application/pdf')
    expect((await sales.markPaid({ purchase_id: own.waiting })).purchase.status).toBe('completed')
    const { sale } = await counterSales.pay({ sale_id: own.debt.sale_id, payments: [{ payment_method_id: terminal, amount: '25' }] })
    expect(sale.owed).toBe('0.00')
    expect((await counterSales.confirm({ invoice_id: own.transfer.invoice_id })).sale.pending).toBe('0.00')
    expect((await studioSales.pause({ purchase_id: own.subscription, reason: 'Viaje' })).purchase.paused).toBe(true)
  })
})

test('money received without naming a location belongs to the only one where its receiver works (E14)', async () => {
  const { reception, location_id } = norte
  const purchase_id = await cashOrder()
  await s.as(reception, randomUUID()).sales.markPaid({ purchase_id, payment_method_id: terminal })
  const { purchase, invoices } = await s.as(owner).studioSales.purchase({ purchase_id })
  expect([purchase.location_id, invoices.map((row) => row.location_id)]).toEqual([location_id, [location_id]])
  expect((await refusalOf(s.as(sur.reception).studioSales.purchase({ purchase_id }))).code).toBe('PURCHASE_NOT_FOUND')
})

test('a sale that was partly paid at a second location is read at both (E14)', async () => {
  const { debt } = await makeBranch()
  await s.as(owner, randomUUID()).counterSales.pay({
    sale_id: debt.sale_id,
    location_id: norte.location_id,
    payments: [{ payment_method_id: terminal, amount: '10' }],
  })
  const desk = s.as(norte.reception)
  expect((await desk.studioSales.purchase({ purchase_id: debt.purchase_id })).invoices).toHaveLength(1)
  expect((await desk.counterSales.one({ sale_id: debt.sale_id })).sale.owed).toBe('15.00')
  expect((await desk.studioSales.invoices({ purchase_id: debt.purchase_id })).total).toBe(1)
  expect((await refusalOf(s.as(sur.reception).studioSales.purchase({ purchase_id: debt.purchase_id }))).code).toBe('PURCHASE_NOT_FOUND')
})

test.each(roles)('Hoy, its tasks and the audit trail name nothing of another location, for %s (E14, N1, N5)', async (role) => {
  const desk = s.as(norte[role])
  const latest = await sellAt(sur.location_id, (await s.make.package()).class_package_id)
  const { purchases, tasks } = await desk.today.read({ period: 'day' })
  expect(purchases.filter((row) => [latest, ...purchasesOf(sur)].includes(row.purchase_id))).toEqual([])
  expect((await s.as(owner).today.read({ period: 'day' })).purchases[0]?.purchase_id).toBe(latest)
  expect(tasks.filter((task) => task.location_id === sur.location_id)).toEqual([])
  expect(tasks.filter((task) => task.location_id === norte.location_id).length).toBeGreaterThan(0)
  if (role !== 'manager') return
  const { entries } = await desk.auditLog.list({ entity: 'purchase' })
  // Entries from before an order was taken to the counter belong to no location.
  const sold = [sur.purchase_id, sur.refunded, sur.debt.purchase_id]
  expect(entries.filter((entry) => sold.includes(Number(entry.entity_id)))).toEqual([])
  expect(entries.map((entry) => Number(entry.entity_id))).toContain(norte.refunded)
})
