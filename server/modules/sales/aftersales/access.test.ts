/** Access that staff give and take, and their lists, over HTTP (docs/domain.md V28, V29, C22; S1-7.11 to S1-7.13). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let reception: Person
let terminal: number
beforeAll(async () => {
  s = await studio()
  reception = await s.make.staff('reception')
  await s.make.paymentMethod({ name: 'Efectivo' })
  terminal = (await s.make.paymentMethod({ name: 'Terminal del mostrador' })).payment_method_id
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

type Calls = ReturnType<TestStudio['as']>['studioSales']
const desk = (key?: string) => s.as(reception, key).studioSales
const give = (input: Parameters<Calls['giveAccess']>[0], key?: string) => desk(key).giveAccess(input)
const creditLots = (purchase_id: number) =>
  s.sql<{ balance: number; expires_at: Date; class_type_ids: number[] | null }>(
    'select balance, expires_at, class_type_ids from available_class where purchase_id = $1 order by available_class_id',
    [purchase_id],
  )
const trail = async (purchase_id: number) =>
  (
    await s.sql<{ action: string }>(`select action from audit where entity = 'purchase' and entity_id = $1 order by audit_id`, [
      String(purchase_id),
    ])
  ).map(({ action }) => action)

describe('granting access (S1-1.18, S1-6.04, S1-7.11, V28)', () => {
  test('as a gift costs nothing, grants the package for the given days, and is audited', async () => {
    const { customer_id, ...rest } = await s.make.customer()
    const person = { customer_id, ...rest }
    const { class_package_id } = await s.make.package({ class_amount: 5 })
    const { purchase } = await give({ customer_id, class_package_id, is_gift: true, package_days: 10, reason: 'Cumpleaños' })
    expect(purchase).toMatchObject({ status: 'completed', is_gift: true, total_payment: '0.00', expiration_days: 10, payment_method: null })
    expect(await creditLots(purchase.purchase_id)).toMatchObject([{ balance: 5, expires_at: new Date('2026-11-30T05:59:59Z') }])
    expect((await s.as(person).invoices.list({})).total).toBe(0)
    expect((await s.as(person).sales.list()).purchases).toMatchObject([{ is_gift: true, status: 'completed' }])
    expect(await trail(purchase.purchase_id)).toEqual(['access.gift'])
  })

  test('paid at the counter is a charge of today with its payment method, and passes reconciliation', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({ price_centavos: 145_000, sale_price_centavos: 120_000 })
    const { purchase } = await give({ customer_id: customer.customer_id, class_package_id, payment_method_id: terminal })
    expect(purchase).toMatchObject({
      status: 'completed',
      is_gift: false,
      total_payment: '1200.00',
      gateway: 'mostrador',
      payment_method: { name: 'Terminal del mostrador' },
    })
    await reconcile(s.system())
    expect((await s.as(customer).invoices.list({})).invoices).toMatchObject([
      { total_payment: '1200.00', status: 'paid', payment_method: { name: 'Terminal del mostrador' } },
    ])
    expect((await s.as(customer).credits.list()).summary.available).toBe(10)
    expect(await trail(purchase.purchase_id)).toEqual(['purchase.completed', 'access.give'])
  })

  test('recorded elsewhere has no charge here', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package()
    const { purchase } = await give({ customer_id: customer.customer_id, class_package_id, bill: false })
    expect(purchase).toMatchObject({ status: 'completed', total_payment: '2190.00' })
    expect((await s.as(customer).invoices.list({})).total).toBe(0)
  })

  test('other days apply to every class type of a package, also when it is paid', async () => {
    const { customer_id } = await s.make.customer()
    const { class_package_id } = await s.make.package()
    for (const n of [1, 2])
      await s.sql(
        'insert into class_package_type (class_package_id, class_type_id, class_amount, expiration_days) values ($1, $2, $3, 30)',
        [class_package_id, (await s.make.classType()).class_type_id, n],
      )
    for (const is_gift of [true, false]) {
      const { purchase } = await give({ customer_id, class_package_id, is_gift, package_days: 7 })
      const newCreditLots = await creditLots(purchase.purchase_id)
      expect(newCreditLots.map(({ balance }) => balance)).toEqual([1, 2])
      expect(newCreditLots.map(({ expires_at }) => expires_at.toISOString())).toEqual([
        '2026-11-27T05:59:59.000Z',
        '2026-11-27T05:59:59.000Z',
      ])
    }
  })

  test('of a subscription’s package is one period without renewal', async () => {
    const { customer_id } = await s.make.customer()
    const { class_package_id } = await s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
    const { purchase } = await give({ customer_id, class_package_id })
    expect(purchase).toMatchObject({
      status: 'completed',
      subscription_id: null,
      expiration_days: 30,
      next_charge: null,
      can_cancel: false,
    })
  })

  test('twice with one key is once; out of stock, for an unknown package or customer it is refused', async () => {
    const { customer_id } = await s.make.customer()
    const { class_package_id } = await s.make.package({ capacity: 1 })
    const key = randomUUID()
    const [first, second] = [await give({ customer_id, class_package_id }, key), await give({ customer_id, class_package_id }, key)]
    expect(second.purchase.purchase_id).toBe(first.purchase.purchase_id)
    const again = { customer_id, class_package_id }
    expect((await refusalOf(give(again))).code).toBe('PACKAGE_SOLD_OUT')
    expect((await refusalOf(give({ ...again, class_package_id: 999_999 }))).code).toBe('PACKAGE_NOT_FOUND')
    expect((await refusalOf(give({ ...again, customer_id: 999_999 }))).code).toBe('NOT_FOUND')
    expect((await refusalOf(give({ ...again, payment_method_id: 999_999 }))).code).toBe('PAYMENT_METHOD_UNAVAILABLE')
    expect((await refusalOf(give({ ...again, package_days: 0 }))).code).toBe('INVALID_INPUT')
  })

  test('above the limit is refused, also concurrently, unless staff give a reason (V3)', async () => {
    const [customer, { class_package_id }] = [await s.make.customer(), await s.make.package({ limit_per_customer: 1 })]
    const { customer_id } = customer
    const at = { customer_id, class_package_id }
    const results = await Promise.all(
      Array.from({ length: 6 }, () =>
        give(at).then(
          () => 'given',
          (error) => error.code,
        ),
      ),
    )
    expect(results.sort()).toEqual([...Array(5).fill('OVER_LIMIT_REASON'), 'given'])
    expect(await refusalOf(give({ ...at, over_limit: true }))).toMatchObject({
      code: 'OVER_LIMIT_REASON',
      status: 409,
      message: 'Esta persona ya llegó al límite de este paquete: 1. Para darle otro, confírmalo y escribe el motivo.',
    })
    expect((await refusalOf(give({ ...at, reason: 'Cortesía' }))).code).toBe('OVER_LIMIT_REASON')
    expect((await refusalOf(give({ ...at, is_gift: true }))).code).toBe('OVER_LIMIT_REASON')
    expect((await s.as(customer).invoices.list({})).total).toBe(1)
    const { purchase } = await give({ ...at, over_limit: true, reason: 'Se le fue la primera por lesión' })
    expect(purchase.status).toBe('completed')
    const [row] = await s.sql<{ reason: string; after: object }>(
      `select reason, after from audit where action = 'access.give' and entity_id = $1`,
      [String(purchase.purchase_id)],
    )
    expect(row).toMatchObject({ reason: 'Se le fue la primera por lesión', after: { over_limit: true } })
  })
})

describe('revoking access (S1-1.18, S1-7.12, V28)', () => {
  test('revokes credits and upcoming reservations at once without a refund; idempotent', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({ capacity: 1 })
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    const cls = await s.make.class()
    await s.as(customer).bookings.reserve({ single_class_id: cls.single_class_id })
    for (let n = 0; n < 2; n++)
      expect((await desk().revokeAccess({ purchase_id, reason: 'Incumplió el reglamento' })).purchase).toMatchObject({
        status: 'revoked',
        refunded: '0.00',
      })
    await doJobs(s)
    expect((await s.as(customer).credits.list()).summary.available).toBe(0)
    expect((await s.as(customer).bookings.list({})).class_reservations).toMatchObject([{ status: 'Cancelada' }])
    expect(await s.sql('select taken from single_class where single_class_id = $1', [cls.single_class_id])).toEqual([{ taken: 0 }])
    expect(await s.sql('select sold from class_package where class_package_id = $1', [class_package_id])).toEqual([{ sold: 0 }])
    expect(await trail(purchase_id)).toEqual(['purchase.open', 'purchase.completed', 'access.revoke'])
    expect((await refusalOf(desk().revokeAccess({ purchase_id: 999_999 }))).code).toBe('PURCHASE_NOT_FOUND')
  })

  test('ends a subscription at its processor; a pending purchase is given up', async () => {
    const customer = await s.make.customer()
    const monthly = await s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
    const sub = await s.as(customer, randomUUID()).sales.attempt({ class_package_id: monthly.class_package_id, payment_method: 'tok_ok' })
    expect((await desk().revokeAccess({ purchase_id: sub.purchase_id })).purchase).toMatchObject({ status: 'revoked', next_charge: null })
    s.clock.advance({ days: 40 })
    await reconcile(s.system())
    expect((await s.as(customer).invoices.list({})).total).toBe(1)

    await s.change({ cash_checkout_enabled: true })
    const { class_package_id } = await s.make.package()
    const waiting = await s.as(customer, randomUUID()).sales.checkout({ class_package_id })
    expect((await desk().revokeAccess({ purchase_id: waiting.purchase_id })).purchase.status).toBe('cancelled')
    await s.change({ cash_checkout_enabled: false })
  })
})

describe('subtracting classes (S1-1.19, S1-7.13, C22)', () => {
  test('subtracts in the order of spending, with the reason in the ledger, never below zero', async () => {
    const customer = await s.make.customer()
    const soon = await s.make.lot(customer, { granted: 2, expires_at: new Date('2026-11-25T05:59:59Z') })
    const later = await s.make.lot(customer, { granted: 3 })
    await s.make.lot(customer, { unlimited: true })
    expect(await desk().removeClasses({ customer_id: customer.customer_id, amount: 3, reason: 'Se contaron de más' })).toMatchObject({
      removed: 3,
      available: 2,
    })
    const left = await s.sql('select available_class_id, balance from available_class where available_class_id = any($1) order by 1', [
      [soon.available_class_id, later.available_class_id],
    ])
    expect(left).toEqual([
      { available_class_id: soon.available_class_id, balance: 0 },
      { available_class_id: later.available_class_id, balance: 2 },
    ])
    expect(
      await s.sql(`select amount, reason from credit_movement where customer_id = $1 and kind = 'remove' order by 1`, [
        customer.customer_id,
      ]),
    ).toEqual([
      { amount: -2, reason: 'Se contaron de más' },
      { amount: -1, reason: 'Se contaron de más' },
    ])
    expect(await refusalOf(desk().removeClasses({ customer_id: customer.customer_id, amount: 3 }))).toMatchObject({
      code: 'NOT_ENOUGH_CLASSES',
      status: 412,
      message: 'Clases por usar de esta persona: 2. No se pueden restar más.',
    })
    expect((await refusalOf(desk().removeClasses({ customer_id: 999_999, amount: 1 }))).code).toBe('NOT_FOUND')
    expect((await refusalOf(desk().removeClasses({ customer_id: customer.customer_id, amount: 0 }))).code).toBe('INVALID_INPUT')
    expect((await s.as(customer).credits.list()).summary.available).toBe(2)
  })

  test('twice with one key is once', async () => {
    const customer = await s.make.customer()
    await s.make.lot(customer)
    const key = randomUUID()
    for (let n = 0; n < 2; n++) await desk(key).removeClasses({ customer_id: customer.customer_id, amount: 4 })
    expect((await s.as(customer).credits.list()).summary.available).toBe(6)
  })
})

describe('the studio’s lists (V29)', () => {
  test('the studio’s lists of sales find purchases and charges by customer, status, method, days and words, by page', async () => {
    const ana = await s.make.customer({ name: 'Zoraida', last_name: 'Xicoténcatl' })
    const classPackage = await s.make.package({ title: 'Bono 100%' })
    const { class_package_id } = classPackage
    const bought = []
    for (let n = 0; n < 3; n++) {
      bought.push((await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })).purchase_id)
      s.clock.advance({ days: 1 })
    }
    await desk().revokeAccess({ purchase_id: bought[0] ?? 0 })
    const found = async (input: Parameters<Calls['purchases']>[0]) =>
      (await desk().purchases(input)).purchases.map((purchase) => purchase.purchase_id)
    const newest = [...bought].reverse()
    expect(await found({ customer_id: ana.customer_id })).toEqual(newest)
    expect(await found({ query: 'xicoténcatl' })).toEqual(newest)
    expect(await found({ query: 'Bono 100%' })).toEqual(newest)
    expect(await found({ query: '100_' })).toEqual([])
    expect(await found({ query: `#00${bought[1]}` })).toEqual([bought[1]])
    expect(await found({ class_package_id, status: 'revoked' })).toEqual([bought[0]])
    expect(await found({ class_package_id, gateway: 'efectivo' })).toEqual([])
    expect(await found({ class_package_id, from: '2026-11-20', to: '2026-11-20' })).toEqual([bought[1]])
    expect(await found({ class_package_id, page: 2 })).toEqual([])
    expect((await refusalOf(desk().purchases({ from: '2026-02-30' }))).code).toBe('INVALID_INPUT')

    const charges = await desk().invoices({ customer_id: ana.customer_id })
    // Reception has no sums (V29).
    expect(charges).toMatchObject({ total: 3, sum: null })
    const owner = s.as(await s.make.staff('owner')).studioSales
    const sums = { charged: '6570.00', refunded: '0.00', lost: '0.00', disputed: '0.00' }
    expect((await owner.invoices({ customer_id: ana.customer_id })).sum).toMatchObject(sums)
    expect(charges.invoices[0]).toMatchObject({ gateway: 'sandbox', customer: { name: 'Zoraida', email: ana.email } })
    expect((await owner.invoices({ customer_id: ana.customer_id, from: '2026-11-21' })).sum?.charged).toBe('2190.00')
    expect((await desk().invoices({ customer_id: ana.customer_id, status: 'refunded' })).total).toBe(0)
  })

  test('the studio’s lists of sales show one purchase with all its details, or PURCHASE_NOT_FOUND', async () => {
    const ana = await s.make.customer()
    const { class_package_id } = await s.make.package()
    const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    const shown = await desk().purchase({ purchase_id })
    expect(shown).toMatchObject({ purchase: { purchase_id, disputed: false, alarm: null }, invoices: [{ purchase_id }], refunds: [] })
    expect((await refusalOf(desk().purchase({ purchase_id: 999_999 }))).code).toBe('PURCHASE_NOT_FOUND')
  })
})
