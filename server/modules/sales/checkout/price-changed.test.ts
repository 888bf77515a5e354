/** The owner changes a price while a checkout is open: the charged amount is always the one shown (docs/domain.md V36). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pesos } from '#contract/money.ts'
import { displayedPrice, quoteOnWire } from '#contract/pricing.ts'
import type { PriceShownToCustomer } from '#contract/sales.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { ledgerTexts } from '#server/testing/sandbox-bank.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true, cash_checkout_enabled: true, paypal_enabled: true, oxxo_enabled: true } })
  const gateway = s.studio.ports.gateways.get('sandbox')
  if (!(gateway instanceof Sandbox)) throw new Error('no sandbox')
  bank = gateway
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

/** The owner saves a package; every page shows it a moment later. */
async function saves(class_package_id: number, change: { price?: string; sale_price?: string; free_trial_length?: null }) {
  await s.as(owner).studioPackages.update({ class_package_id, ...change })
  const shown = async () => (await s.as(null).catalogue.package({ class_package_id })).class_package
  await expect.poll(shown).toMatchObject(change)
}
/** What the page shows, computed as the page does. */
async function page(class_package_id: number, person: Person, code: string | null = null): Promise<NonNullable<PriceShownToCustomer>> {
  const { class_package: classPackage } = await s.as(null).catalogue.package({ class_package_id })
  const discount = code === null ? null : (await s.as(person).discounts.byCode({ code, class_package_id })).discount
  const { today, total, nextTotal } = displayedPrice(
    quoteOnWire(classPackage, discount),
    Boolean(classPackage.is_subscription && classPackage.free_trial_length),
  )
  return { today: pesos(today), total: pesos(total), next_total: nextTotal === null ? null : pesos(nextTotal) }
}
const purchases = (person: Person) => s.sql<{ status: string }>('select status from purchase where customer_id = $1', [person.customer_id])

test('a changed price is refused by card, in cash, by voucher and in the wallet, with the new price; nothing is written or charged', async () => {
  const ana = await s.make.customer()
  const classPackage = await s.make.package()
  const shown = await page(classPackage.class_package_id, ana)
  await saves(classPackage.class_package_id, { price: '2500.00' })
  const input = { class_package_id: classPackage.class_package_id, shown }
  const me = () => s.as(ana, randomUUID())
  for (const call of [
    () => me().sales.attempt({ ...input, payment_method: 'tok_ok' }),
    () => me().sales.attempt({ ...input, payment_method: 'oxxo' }),
    () => me().sales.checkout({ ...input, payment_method_id: null }),
    () => me().checkout.paypal(input),
  ])
    expect(await refusalOf(call())).toMatchObject({
      code: 'PRICE_CHANGED',
      status: 409,
      message: 'El precio cambió mientras comprabas: ahora es $2,500.00. No te cobramos nada; revísalo y confirma de nuevo.',
      data: { today: '2500.00', total: '2500.00', next_total: null },
    })
  expect(await purchases(ana)).toEqual([])
  const { purchase_id, status } = await me().sales.attempt({
    ...input,
    payment_method: 'tok_ok',
    shown: await page(classPackage.class_package_id, ana),
  })
  expect([status, await ledgerTexts(s, purchase_id)]).toEqual(['completed', ['charge 250000']])
})

test('a lower price, free, and no longer free are changed prices too', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package()
  for (const price of ['1000.00', '0.00', '2190.00']) {
    const shown = await page(class_package_id, ana)
    await saves(class_package_id, { price })
    const refusal = await refusalOf(s.as(ana).sales.checkout({ class_package_id, payment_method_id: null, shown }))
    expect([refusal.code, refusal.data]).toEqual(['PRICE_CHANGED', expect.objectContaining({ total: price })])
  }
  expect(await purchases(ana)).toEqual([])
})

test('a changed discount, later charge or trial is a changed price; the same price from other parts is not', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({
    price_centavos: 145_000,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    free_trial_length: 7,
    free_trial_period: 'day',
  })
  const { code, discount_id } = await s.make.discount({ first_invoice_only: true })
  const buy = (shown: PriceShownToCustomer) =>
    s.as(ana, randomUUID()).sales.attempt({ class_package_id, discountCode: code, payment_method: 'tok_ok', shown })
  const shown = await page(class_package_id, ana, code)
  expect(shown).toEqual({ today: '0.00', total: '1305.00', next_total: '1450.00' })
  for (const [change, back] of [
    ['update discount set amount = 500 where discount_id = $1', 'update discount set amount = 1000 where discount_id = $1'],
    [
      'update discount set first_invoice_only = false where discount_id = $1',
      'update discount set first_invoice_only = true where discount_id = $1',
    ],
  ] as const) {
    await s.sql(change, [discount_id])
    expect((await refusalOf(buy(shown))).code).toBe('PRICE_CHANGED')
    await s.sql(back, [discount_id])
  }
  await saves(class_package_id, { free_trial_length: null })
  expect(await refusalOf(buy(shown))).toMatchObject({ code: 'PRICE_CHANGED', data: { today: '1305.00', total: '1305.00' } })
  expect(await purchases(ana)).toEqual([])
  await saves(class_package_id, { price: '1900.00', sale_price: '1450.00' })
  const { purchase_id } = await buy({ today: '1305.00', total: '1305.00', next_total: '1450.00' })
  expect(await ledgerTexts(s, purchase_id)).toEqual(['charge 130500'])
})

test('a visit pending at the old price: a declined attempt is given up, and the new price is charged once it was shown', async () => {
  const [ana, key] = [await s.make.customer(), randomUUID()]
  const { class_package_id } = await s.make.package({ capacity: 1 })
  const old = await page(class_package_id, ana)
  const buy = (payment_method: string, shown: PriceShownToCustomer) =>
    s.as(ana, key).sales.attempt({ class_package_id, payment_method, shown })
  expect((await refusalOf(buy('tok_funds', old))).code).toBe('CARD_INSUFFICIENT_FUNDS')
  await saves(class_package_id, { price: '2500.00' })
  // The page still shows the old price, which is the one that the purchase froze.
  expect((await refusalOf(buy('tok_stolen', old))).code).toBe('CARD_LOST_OR_STOLEN')
  const shown = await page(class_package_id, ana)
  const paid = await buy('tok_ok', shown)
  expect([paid.status, await ledgerTexts(s, paid.purchase_id)]).toEqual(['completed', ['charge 250000']])
  expect((await purchases(ana)).map(({ status }) => status).sort()).toEqual(['cancelled', 'completed'])
  expect(await s.sql('select sold from class_package where class_package_id = $1', [class_package_id])).toEqual([{ sold: 1 }])
})

test('a challenge at the old price is cancelled before the new one; a processing payment is not', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package()
  for (const [card, after] of [
    ['tok_3ds', ['cancelled', 'completed']],
    ['tok_async', ['pending']],
  ] as const) {
    const [luis, key] = [await s.make.customer(), randomUUID()]
    const old = await page(class_package_id, ana)
    const buy = (payment_method: string, shown: PriceShownToCustomer) =>
      s.as(luis, key).sales.attempt({ class_package_id, payment_method, shown })
    const first = await buy(card, old)
    expect(first.status).toBe('pending')
    await saves(class_package_id, { price: card === 'tok_3ds' ? '2200.00' : '2210.00' })
    const second = await buy('tok_ok', await page(class_package_id, ana))
    expect((await purchases(luis)).map(({ status }) => status).sort()).toEqual(after)
    if (card === 'tok_3ds') {
      await bank.authorize(first.clientSecret?.split('_secret_')[0] ?? '', true)
      expect(await ledgerTexts(s, first.purchase_id)).toEqual([])
      expect((await ledgerTexts(s, second.purchase_id)).length).toBe(1)
    } else expect(second.purchase_id).toBe(first.purchase_id)
  }
})

test('an invalid amount is refused, and without a shown price the server’s price is charged', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package()
  for (const total of ['-1.00', '1e3', '2190', '2190.000', '٢١٩٠.٠٠', '', '99999999.00', 'NaN']) {
    const shown = { today: '2190.00', total, next_total: null }
    const refusal = await refusalOf(s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok', shown }))
    expect([total, refusal.code, refusal.status]).toEqual([total, 'INVALID_INPUT', 400])
  }
  for (const total of ['9999999.00', '0.00', '2190.01'])
    expect(
      (
        await refusalOf(
          s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok', shown: { today: total, total, next_total: null } }),
        )
      ).code,
    ).toBe('PRICE_CHANGED')
  const { purchase_id } = await s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  expect(await ledgerTexts(s, purchase_id)).toEqual(['charge 219000'])
})
