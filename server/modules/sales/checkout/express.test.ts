/** Wallets of the browser through Stripe (docs/domain.md V59): when they are offered, what is charged, and how the purchase names them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '#server/modules/sales/jobs.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let stripe: StripeFake
beforeAll(async () => {
  stripe = await new StripeFake({ now: () => new Date('2026-11-19T16:00:00Z') }).listen()
  s = await studio({
    env: { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET, STRIPE_API_BASE: stripe.url },
    settings: { stripe_public: 'pk_test_twin', express_checkout_enabled: true },
  })
})
afterAll(async () => {
  await s.close()
  await stripe.close()
})

/** What the Express Checkout Element returns for a wallet: another one each time. */
const wallet = (name: string): string => `ctoken_twin_${name}_${randomUUID().slice(0, 8)}`

const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const

test('offered for what is charged once and by card, and only where the studio wants it', async () => {
  const ana = await s.make.customer()
  const [once, sub, free] = [await s.make.package(), await s.make.package(monthly), await s.make.package({ price_centavos: 0 })]
  const offered = async ({ class_package_id }: { class_package_id: number }) =>
    (await s.as(ana).checkout.ways({ class_package_id })).express
  expect([await offered(once), await offered(sub), await offered(free)]).toEqual([true, false, false])
  await s.change({ stripe_checkout_mode: 'session' })
  expect(await offered(once)).toBe(false)
  await s.change({ stripe_checkout_mode: 'embedded', express_checkout_enabled: false })
  expect(await offered(once)).toBe(false)
  await s.change({ express_checkout_enabled: true })
})

test("charges the server's price and names the wallet; nothing is saved", async () => {
  const ana = await s.make.customer()
  const buy = async (input: { payment_method: string; link?: boolean }) => {
    const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
    const { purchase_id, status } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, ...input })
    const { purchase } = await s.as(ana).sales.one({ id: purchase_id })
    return [status, stripe.taken(purchase_id), purchase.payment_method?.name]
  }
  expect(await buy({ payment_method: wallet('applePay') })).toEqual(['completed', 50_000, 'Visa terminada en 4242 (Apple Pay)'])
  expect(await buy({ payment_method: wallet('googlePay') })).toEqual(['completed', 50_000, 'Mastercard terminada en 4444 (Google Pay)'])
  expect(await buy({ payment_method: wallet('link'), link: true })).toEqual(['completed', 50_000, 'Link'])
  expect((await s.as(ana).sales.cards()).payment_sources).toEqual([])
  const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
  const shown = { today: '400.00', total: '400.00', next_total: null }
  const attempt = s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: wallet('applePay'), shown })
  expect(await refusalOf(attempt)).toMatchObject({ code: 'PRICE_CHANGED' })
  expect(stripe.complaints).toEqual([])
})

test('a declined wallet refuses as a card does, and the same purchase is paid with another', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
  const key = randomUUID()
  const pay = (payment_method: string) => s.as(ana, key).sales.attempt({ class_package_id, payment_method })
  expect(await refusalOf(pay(wallet('googlePayDeclined')))).toMatchObject({ code: 'CARD_INSUFFICIENT_FUNDS' })
  const { purchase_id, status } = await pay(wallet('applePay'))
  expect([status, stripe.taken(purchase_id)]).toEqual(['completed', 50_000])
  expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toHaveLength(1)
})

test('beside a card attempt that waits for its bank the wallet pays the same purchase, once; while one is processing nothing is charged (V5)', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
  const pay = (payment_method: string) => s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method })
  const waiting = await pay('pm_card_threeDSecure2Required')
  const paid = await pay(wallet('applePay'))
  expect(paid).toMatchObject({ purchase_id: waiting.purchase_id, status: 'completed' })
  // The bank's window of the first one is answered too late.
  stripe.books.authenticate(waiting.clientSecret ?? '', true)
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  expect(stripe.movements(paid.purchase_id)).toEqual(['charge 50000'])

  const eva = await s.make.customer()
  const buy = (payment_method: string) => s.as(eva, randomUUID()).sales.attempt({ class_package_id, payment_method })
  await buy('pm_twin_processing')
  expect((await refusalOf(buy(wallet('googlePay')))).code).toBe('PURCHASE_IN_PROGRESS')
})

test('what a wallet returned pays one purchase, once; the same request again charges nothing', async () => {
  const ana = await s.make.customer()
  const token = wallet('applePay')
  const key = randomUUID()
  const buy = async (again: string) => {
    const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
    return s.as(ana, again).sales.attempt({ class_package_id, payment_method: token })
  }
  const { purchase_id, status } = await buy(key)
  expect([status, stripe.movements(purchase_id)]).toEqual(['completed', ['charge 50000']])
  expect((await refusalOf(buy(randomUUID()))).code).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(stripe.movements(purchase_id)).toEqual(['charge 50000'])
  expect((await s.sql('select 1 from purchase where customer_id = $1 and status = $2', [ana.customer_id, 'completed'])).length).toBe(1)
})
