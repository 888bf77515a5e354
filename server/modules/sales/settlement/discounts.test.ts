/** Discounts over HTTP: the code's price, and the state of its use as the purchase changes (docs/domain.md, "Discounts"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { embeddedFormErrors } from '#contract/copy/errors-account.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { ledgerAmounts, passDays } from '#server/testing/sandbox-bank.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true, cash_checkout_enabled: true } })
  bank = s.bank()
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

type PackageInput = Partial<Parameters<TestStudio['make']['package']>[0]>
const PLUS: PackageInput = { price_centavos: 145_000, class_amount: 8, expiration_days: 30 }
const MONTHLY: PackageInput = { ...PLUS, is_subscription: true, subscription_period: 'month', subscription_interval: 1 }

const findByCode = (person: Person | null, code: string, class_package_id: number) =>
  s.as(person).discounts.byCode({ code, class_package_id })
const pay = (person: Person, class_package_id: number, discountCode: string | null, payment_method = 'tok_ok', key = randomUUID()) =>
  s.as(person, key).sales.attempt({ class_package_id, discountCode, payment_method, again: true })
const shown = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
const used = async (discount_id: number) =>
  (await s.sql<{ used: number }>('select used from discount where discount_id = $1', [discount_id]))[0]?.used
const stateOf = async (purchase_id: number) =>
  (await s.sql<{ state: string }>('select state from discount_use where purchase_id = $1', [purchase_id]))[0]?.state
const sold = async (class_package_id: number) =>
  (await s.sql<{ sold: number }>('select sold from class_package where class_package_id = $1', [class_package_id]))[0]?.sold

describe('the price with a code (S1-7.53, D3)', () => {
  test('the price with a code is returned to signed-in customers, and equals what the browser computes (S1-3.31, S1-4.17, S1-5.19)', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package({ ...PLUS, sale_price_centavos: 99_900 })]
    const { code, discount_id } = await s.make.discount({ code: 'BIENVENIDA' })
    const shown = await findByCode(ana, ' bienvenida ', classPackage.class_package_id)
    expect(shown).toEqual({
      discount: { discount_id, code, amount: '10.00', is_percent: true, first_invoice_only: false },
      quote: { subtotal: '999.00', discount: '99.90', total: '899.10', old_price: '1450.00', next_total: null },
    })
    const { class_package } = await s.as(null).catalogue.package({ class_package_id: classPackage.class_package_id })
    expect(quoteOnWire(class_package, shown.discount)).toEqual({
      amount: 99_900,
      discount: 9_990,
      total: 89_910,
      old: 145_000,
      nextTotal: null,
    })
    expect(await refusalOf(findByCode(null, code, classPackage.class_package_id))).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
    expect(await used(discount_id)).toBe(0)
  })

  test('first invoice only: the price of later periods is returned too (S1-5.22)', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package(MONTHLY)]
    const { code } = await s.make.discount({ amount: 10_000, is_percent: false, first_invoice_only: true })
    expect((await findByCode(ana, code, classPackage.class_package_id)).quote).toEqual({
      subtotal: '1450.00',
      discount: '100.00',
      total: '1350.00',
      old_price: '1450.00',
      next_total: '1450.00',
    })
  })

  test('every reason except exhaustion is the same 404 with the same message (S1-8.34, settled 15)', async () => {
    const ana = await s.make.customer()
    const [classPackage, other, gratis, monthly] = [
      await s.make.package(PLUS),
      await s.make.package(PLUS),
      await s.make.package({ ...PLUS, price_centavos: 0 }),
      await s.make.package(MONTHLY),
    ]
    const off = await s.make.discount({ available: false })
    const deletedDiscount = await s.make.discount({ deletedAt: new Date(START) })
    const early = await s.make.discount({ starts_on: '2026-11-20' })
    const late = await s.make.discount({ ends_on: '2026-11-18' })
    const bound = await s.make.discount({ class_package_ids: [other.class_package_id] })
    const whole = await s.make.discount({ amount: 10_000 })
    const cases: [string, number][] = [
      ['NO-EXISTE', classPackage.class_package_id],
      [off.code, classPackage.class_package_id],
      [deletedDiscount.code, classPackage.class_package_id],
      [early.code, classPackage.class_package_id],
      [late.code, classPackage.class_package_id],
      [bound.code, classPackage.class_package_id],
      [whole.code, gratis.class_package_id],
      // A subscription that would never be charged.
      [whole.code, monthly.class_package_id],
    ]
    for (const [code, class_package_id] of cases) {
      expect(await refusalOf(findByCode(ana, code, class_package_id)), code).toMatchObject({
        code: 'DISCOUNT_INVALID',
        status: 404,
        message: 'Lo sentimos, ese descuento no es válido.',
      })
      expect(await refusalOf(pay(ana, class_package_id, code)), code).toMatchObject({ code: 'DISCOUNT_INVALID' })
    }
    expect(await refusalOf(findByCode(ana, whole.code, 2_000_000_000))).toMatchObject({ code: 'PACKAGE_NOT_FOUND', status: 404 })
    expect((await findByCode(ana, bound.code, other.class_package_id)).quote.total).toBe('1305.00')
    expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
    expect(embeddedFormErrors('DISCOUNT_EXHAUSTED')).toBe('Lo sentimos. No puedes usar este descuento')
  })

  test('its days are local days of the studio, both included', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package(PLUS)]
    const { code } = await s.make.discount({ starts_on: '2026-11-20', ends_on: '2026-11-21' })
    const at = async (instant: string) => {
      s.clock.set(instant)
      return findByCode(ana, code, classPackage.class_package_id).then(
        () => 'good',
        () => 'no',
      )
    }
    expect(await at('2026-11-19T23:59:59-06:00')).toBe('no')
    expect(await at('2026-11-20T00:00:00-06:00')).toBe('good')
    expect(await at('2026-11-21T23:59:59-06:00')).toBe('good')
    expect(await at('2026-11-22T00:00:00-06:00')).toBe('no')
  })

  test('switched off, no code is valid, also at the payment (S1-2.64)', async () => {
    const [ana, classPackage, { code }] = [await s.make.customer(), await s.make.package(PLUS), await s.make.discount()]
    await s.having({ discounts_enabled: false }, async () => {
      expect(await refusalOf(findByCode(ana, code, classPackage.class_package_id))).toMatchObject({ code: 'DISCOUNT_INVALID' })
      expect(await refusalOf(pay(ana, classPackage.class_package_id, code))).toMatchObject({ code: 'DISCOUNT_INVALID' })
    })
    expect((await findByCode(ana, code, classPackage.class_package_id)).quote.total).toBe('1305.00')
  })

  test('limits guesses of codes', async () => {
    const [eva, classPackage] = [await s.make.customer(), await s.make.package(PLUS)]
    for (let n = 0; n < 60; n++)
      expect((await refusalOf(findByCode(eva, `ADIVINA${n}`, classPackage.class_package_id))).code).toBe('DISCOUNT_INVALID')
    expect(await refusalOf(findByCode(eva, 'ADIVINA61', classPackage.class_package_id))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      status: 429,
    })
  })
})

describe('the use of a code (D4)', () => {
  test('the use of a code is frozen on the purchase, held while it is pending and used once it is paid (V1)', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package(PLUS)]
    const { code, discount_id } = await s.make.discount({ amount: 1_550 })
    const waits = await pay(ana, classPackage.class_package_id, code, 'tok_3ds')
    expect(waits.status).toBe('pending')
    expect([await used(discount_id), await stateOf(waits.purchase_id)]).toEqual([1, 'held'])
    // The discount changes and goes; the purchase keeps its price.
    await s.sql('update discount set amount = 100, "deletedAt" = now() where discount_id = $1', [discount_id])
    const paid = await pay(await s.make.customer(), classPackage.class_package_id, null)
    expect(paid.status).toBe('completed')
    expect(await stateOf(paid.purchase_id)).toBeUndefined()
    expect(await shown(ana, waits.purchase_id)).toMatchObject({ amount: '1450.00', discount: '224.75', total_payment: '1225.25' })
  })

  test('a code is used by a paying card, and the processor charges the discounted amount', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package(PLUS)]
    const { code, discount_id } = await s.make.discount({ max_uses: 1 })
    const { purchase_id, status } = await pay(ana, classPackage.class_package_id, code.toLowerCase())
    expect(status).toBe('completed')
    expect(await bank.ledger(purchase_id)).toMatchObject([{ kind: 'charge', amount: 130_500 }])
    expect([await used(discount_id), await stateOf(purchase_id)]).toEqual([1, 'used'])
    const no = { code: 'DISCOUNT_EXHAUSTED', status: 412, message: 'Lo sentimos, ya has agotado este descuento.' }
    const luis = await s.make.customer()
    expect(await refusalOf(findByCode(luis, code, classPackage.class_package_id))).toMatchObject(no)
    expect(await refusalOf(pay(luis, classPackage.class_package_id, code))).toMatchObject(no)
    expect(await s.sql('select 1 from purchase where customer_id = $1', [luis.customer_id])).toEqual([])
    // What the refused visit had taken of the stock went back.
    expect(await sold(classPackage.class_package_id)).toBe(1)
  })

  test('the use of a code is released when the purchase is given up or expires', async () => {
    const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package(PLUS)]
    const { code, discount_id } = await s.make.discount({ max_uses: 1 })
    const { purchase_id } = await pay(ana, classPackage.class_package_id, code, 'tok_3ds')
    expect(await refusalOf(findByCode(luis, code, classPackage.class_package_id))).toMatchObject({ code: 'DISCOUNT_EXHAUSTED' })
    await s.as(ana).sales.giveUp({ purchase_id })
    expect([await used(discount_id), await stateOf(purchase_id)]).toEqual([0, 'released'])
    const late = await s.as(luis, randomUUID()).sales.checkout({ class_package_id: classPackage.class_package_id, discountCode: code })
    expect([late.status, await used(discount_id)]).toEqual(['pending', 1])
    s.clock.advance({ days: 10 })
    await sweep(s.system())
    expect([(await shown(luis, late.purchase_id)).status, await used(discount_id)]).toEqual(['failed', 0])
  })

  test('per customer: a second purchase of the same customer is refused, another customer’s is not', async () => {
    const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package(PLUS)]
    const { code, discount_id } = await s.make.discount({ max_uses_per_customer: 1 })
    expect((await pay(ana, classPackage.class_package_id, code)).status).toBe('completed')
    expect(await refusalOf(findByCode(ana, code, classPackage.class_package_id))).toMatchObject({ code: 'DISCOUNT_EXHAUSTED', status: 412 })
    expect(await refusalOf(pay(ana, classPackage.class_package_id, code))).toMatchObject({ code: 'DISCOUNT_EXHAUSTED' })
    expect((await pay(luis, classPackage.class_package_id, code)).status).toBe('completed')
    expect(await used(discount_id)).toBe(2)
  })

  test('the customer’s own pending purchase releases it for the next visit, whatever is bought (D4)', async () => {
    const [ana, classPackage, other] = [await s.make.customer(), await s.make.package(PLUS), await s.make.package(PLUS)]
    const { code, discount_id } = await s.make.discount({ max_uses: 1, max_uses_per_customer: 1 })
    const first = await pay(ana, classPackage.class_package_id, code, 'tok_3ds')
    expect((await findByCode(ana, code, other.class_package_id)).quote.total).toBe('1305.00')
    const second = await pay(ana, other.class_package_id, code)
    expect([second.status, (await shown(ana, first.purchase_id)).status]).toEqual(['completed', 'cancelled'])
    expect([await used(discount_id), await stateOf(first.purchase_id), await stateOf(second.purchase_id)]).toEqual([1, 'released', 'used'])
  })

  test('the same visit’s next card pays the same purchase and takes no second use (V5)', async () => {
    const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(PLUS), randomUUID()]
    const { code, discount_id } = await s.make.discount({ max_uses: 1 })
    expect(await refusalOf(pay(ana, classPackage.class_package_id, code, 'tok_funds', key))).toMatchObject({
      code: 'CARD_INSUFFICIENT_FUNDS',
    })
    expect(await used(discount_id)).toBe(1)
    expect((await pay(ana, classPackage.class_package_id, ` ${code.toLowerCase()} `, 'tok_ok', key)).status).toBe('completed')
    expect(await used(discount_id)).toBe(1)
    expect(await refusalOf(pay(ana, classPackage.class_package_id, null, 'tok_ok', key))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  })

  test('a discount to zero makes the purchase free, under the same limits (V14)', async () => {
    const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package(PLUS)]
    const { code, discount_id } = await s.make.discount({ amount: 200_000, is_percent: false, max_uses: 1 })
    const free = await s.as(ana, randomUUID()).sales.checkout({ class_package_id: classPackage.class_package_id, discountCode: code })
    expect(free.status).toBe('completed')
    expect(await shown(ana, free.purchase_id)).toMatchObject({ amount: '1450.00', discount: '1450.00', total_payment: '0.00' })
    expect(await bank.ledger(free.purchase_id)).toEqual([])
    expect((await s.as(ana).credits.list()).summary.available).toBe(8)
    expect([await used(discount_id), await stateOf(free.purchase_id)]).toEqual([1, 'used'])
    expect(
      await refusalOf(s.as(luis).sales.checkout({ class_package_id: classPackage.class_package_id, discountCode: code })),
    ).toMatchObject({
      code: 'DISCOUNT_EXHAUSTED',
    })
  })
})

describe('subscriptions (D2)', () => {
  async function days(n: number) {
    await passDays(s, n)
    await reconcile(s.system())
  }

  test('the first invoice only: discounted once, full price from then on; the use stays used', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package(MONTHLY)]
    const { code, discount_id } = await s.make.discount({ amount: 10_000, is_percent: false, first_invoice_only: true, max_uses: 1 })
    const { purchase_id, status } = await pay(ana, classPackage.class_package_id, code)
    expect(status).toBe('active')
    expect(await shown(ana, purchase_id)).toMatchObject({ total_payment: '1350.00', next_charge: { amount: '1450.00' } })
    await days(31)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([135_000, 145_000])
    expect((await shown(ana, purchase_id)).status).toBe('active')
    await s.as(ana).sales.cancel({ id: purchase_id, reason: 'Me mudo' })
    expect([await used(discount_id), await stateOf(purchase_id)]).toEqual([1, 'used'])
  })

  test('otherwise every period is discounted', async () => {
    const [ana, classPackage, { code }] = [await s.make.customer(), await s.make.package(MONTHLY), await s.make.discount()]
    const { purchase_id } = await pay(ana, classPackage.class_package_id, code)
    await days(31)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([130_500, 130_500])
  })

  test('after a free trial the first charge is the discounted one', async () => {
    const ana = await s.make.customer()
    const classPackage = await s.make.package({ ...MONTHLY, free_trial_length: 7, free_trial_period: 'day' })
    const { code } = await s.make.discount({ first_invoice_only: true })
    const { purchase_id } = await pay(ana, classPackage.class_package_id, code)
    expect(await shown(ana, purchase_id)).toMatchObject({ next_charge: { amount: '1305.00', date: '2026-11-26T10:00:00.000Z' } })
    await days(8)
    await days(31)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([130_500, 145_000])
  })

  test('a free first period is one period at no cost, after the trial when there is one; then the full price', async () => {
    const whole = await s.make.discount({ amount: 10_000, first_invoice_only: true })
    for (const [trial, date] of [
      [{}, '2026-12-19T10:00:00.000Z'],
      [{ free_trial_length: 7, free_trial_period: 'day' as const }, '2026-12-26T10:00:00.000Z'],
    ] as const) {
      s.clock.set(START)
      const [ana, classPackage] = [await s.make.customer(), await s.make.package({ ...MONTHLY, ...trial })]
      const { purchase_id, status } = await pay(ana, classPackage.class_package_id, whole.code)
      expect(status).toBe('active')
      expect(await shown(ana, purchase_id)).toMatchObject({ total_payment: '0.00', next_charge: { amount: '1450.00', date } })
      await days(38)
      expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000])
    }
  })

  test('a subscription with a declined card holds its use until it expires', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package(MONTHLY)]
    const { code, discount_id } = await s.make.discount({ max_uses: 1 })
    const no = await refusalOf(pay(ana, classPackage.class_package_id, code, 'tok_funds'))
    expect([no.code, await used(discount_id)]).toEqual(['CARD_INSUFFICIENT_FUNDS', 1])
    s.clock.advance({ hours: 2 })
    await sweep(s.system())
    expect(await used(discount_id)).toBe(0)
  })
})

test('a refund, partial or full, releases no use; the stock is free again (D4, V4, V23)', async () => {
  const [owner, ana, classPackage] = [await s.make.staff('owner'), await s.make.customer(), await s.make.package({ ...PLUS, capacity: 1 })]
  const { code, discount_id } = await s.make.discount({ max_uses: 5, max_uses_per_customer: 1 })
  const { purchase_id } = await pay(ana, classPackage.class_package_id, code)
  const back = (amount?: string) =>
    s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Se mudó', ...(amount ? { amount } : {}) })
  for (const [amount, status, left] of [
    ['100.00', 'completed', 1],
    [undefined, 'revoked', 0],
  ] as const) {
    expect((await back(amount)).purchase.status).toBe(status)
    expect([await used(discount_id), await stateOf(purchase_id), await sold(classPackage.class_package_id)]).toEqual([1, 'used', left])
  }
  expect((await refusalOf(findByCode(ana, code, classPackage.class_package_id))).code).toBe('DISCOUNT_EXHAUSTED')
  expect((await refusalOf(pay(ana, classPackage.class_package_id, code))).code).toBe('DISCOUNT_EXHAUSTED')
})

test('the code is stored on the purchase as it was named then, and the studio finds purchases by it (D5, V29)', async () => {
  const [owner, ana, classPackage] = [await s.make.staff('owner'), await s.make.customer(), await s.make.package(PLUS)]
  const { code, discount_id } = await s.make.discount({ code: 'VERANO26' })
  const [{ purchase_id }, plain] = [
    await pay(ana, classPackage.class_package_id, ' verano26 '),
    await pay(ana, classPackage.class_package_id, null),
  ]
  await s.sql(`update discount set code = 'OTRO', "deletedAt" = now() where discount_id = $1`, [discount_id])
  const { purchases } = await s.as(ana).sales.list()
  expect(purchases.map((purchase) => [purchase.purchase_id, purchase.discount_code])).toEqual([
    [plain.purchase_id, null],
    [purchase_id, code],
  ])
  for (const query of ['VERANO26', 'verano'])
    expect((await s.as(owner).studioSales.purchases({ query })).purchases).toMatchObject([{ purchase_id, discount_code: 'VERANO26' }])
  expect((await s.as(owner).studioSales.purchase({ purchase_id })).purchase.discount_code).toBe('VERANO26')
})

test('late money for a released use takes it again, or is refunded when it is taken (V13)', async () => {
  const classPackage = await s.make.package(PLUS)
  for (const isTaken of [false, true]) {
    const [ana, luis] = [await s.make.customer(), await s.make.customer()]
    const { code, discount_id } = await s.make.discount({ max_uses: 1 })
    const { purchase_id, clientSecret } = await pay(ana, classPackage.class_package_id, code, 'tok_3ds')
    // Closed by hand, so that the provider still takes the money.
    await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [purchase_id])
    await s.sql(`update class_package set sold = sold - 1 where class_package_id = $1`, [classPackage.class_package_id])
    await s.sql(`update discount_use set state = 'released' where purchase_id = $1`, [purchase_id])
    await s.sql(`update discount set used = 0 where discount_id = $1`, [discount_id])
    if (isTaken) expect((await pay(luis, classPackage.class_package_id, code)).status).toBe('completed')
    await bank.authorize(clientSecret?.split('_secret_')[0] ?? '', true)
    await reconcile(s.system())
    expect((await shown(ana, purchase_id)).status).toBe(isTaken ? 'failed' : 'completed')
    expect([await used(discount_id), await stateOf(purchase_id)]).toEqual([1, isTaken ? 'released' : 'used'])
    const balance = (await bank.ledger(purchase_id)).reduce((sum, { kind, amount }) => sum + (kind === 'charge' ? amount : -amount), 0)
    expect(balance).toBe(isTaken ? 0 : 130_500)
  }
})

describe('series and uses (D7)', () => {
  test('each code of a series is used once, by any customer; the list of uses shows by whom and the amount', async () => {
    const owner = await s.make.staff('owner')
    const [ana, eva, classPackage] = [await s.make.customer({ name: 'Ana' }), await s.make.customer(), await s.make.package(PLUS)]
    const key = randomUUID()
    const create = (count = 3, with_key = key) =>
      s.as(owner, with_key).discounts.createSeries({ prefix: 'navidad', count, amount: '20', is_percent: true })
    const { series, codes } = await create()
    expect([series, new Set(codes).size]).toEqual(['NAVIDAD', 3])
    for (const code of codes) expect(code).toMatch(/^NAVIDAD-[2-9A-HJKMNP-Z]{8}$/)
    expect((await create()).codes).toEqual(codes)
    expect(await refusalOf(create(3, randomUUID()))).toMatchObject({ code: 'ALREADY_EXISTS' })

    const [first = '', second = ''] = codes
    await pay(ana, classPackage.class_package_id, first)
    expect(await refusalOf(findByCode(eva, first, classPackage.class_package_id))).toMatchObject({ code: 'DISCOUNT_EXHAUSTED' })
    const all = (await s.as(owner).discounts.all({ query: 'NAVIDAD' })).descuentos
    expect(all.map(({ series: of, used: n, max_uses }) => [of, n, max_uses]).sort()).toEqual([
      ['NAVIDAD', 0, 1],
      ['NAVIDAD', 0, 1],
      ['NAVIDAD', 1, 1],
    ])
    expect(all.map(({ income }) => income).sort()).toEqual(['0.00', '0.00', '1160.00'])
    expect((await s.as(await s.make.staff('reception')).discounts.all({ query: 'NAVIDAD' })).descuentos[0]?.income).toBeNull()
    const discount_id = all.find((discount) => discount.code === first)?.discount_id ?? 0
    expect(await s.as(owner).discounts.uses({ discount_id })).toMatchObject({
      uses: [{ customer: { name: 'Ana' }, state: 'used', discount: '290.00', total: '1160.00' }],
      total: 1,
      pages: 1,
      income: '1160.00',
    })
    expect(await refusalOf(s.as(owner).discounts.update({ discount_id, max_uses: 5 }))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { issues: [{ path: 'max_uses' }] },
    })

    expect(await s.as(owner).discounts.switchSeries({ series: 'navidad', available: false })).toEqual({ changed: 2 })
    expect(await refusalOf(findByCode(eva, second, classPackage.class_package_id))).toMatchObject({ code: 'DISCOUNT_INVALID' })
    await s.as(owner).discounts.switchSeries({ series: 'NAVIDAD', available: true })
    expect((await findByCode(eva, second, classPackage.class_package_id)).quote.total).toBe('1160.00')
    expect(await refusalOf(s.as(owner).discounts.switchSeries({ series: 'NADA', available: true }))).toMatchObject({
      code: 'DISCOUNT_NOT_FOUND',
    })
  })

  test('staff of one location read the uses there and online (E14)', async () => {
    const owner = await s.make.staff('owner')
    const [here, there] = [(await s.make.location()).location_id, (await s.make.location()).location_id]
    const reception = await s.make.staff('reception')
    await s.sql(`insert into staff_location (staff_id, location_id) select staff_id, $2 from staff where uid = $1`, [reception.uid, there])
    const { discount_id, code } = await s.make.discount()
    const [online, counter, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package(PLUS)]
    await pay(online, classPackage.class_package_id, code)
    const { purchase_id } = await pay(counter, classPackage.class_package_id, code)
    await s.sql('update purchase set location_id = $2 where purchase_id = $1', [purchase_id, here])
    expect(await s.as(owner).discounts.uses({ discount_id })).toMatchObject({ total: 2, income: expect.stringMatching(/^[1-9]/) })
    expect(await s.as(reception).discounts.uses({ discount_id })).toMatchObject({ total: 1, income: null })
    expect((await s.as(reception).discounts.uses({ discount_id })).uses.map(({ customer }) => customer.customer_id)).toEqual([
      online.customer_id,
    ])
  })
})
