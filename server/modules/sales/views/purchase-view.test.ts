/** A purchase as its owner reads it, over HTTP: what they may do with it, what came with it, and its state (docs/domain.md V38, V39). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true, paypal_enabled: true } })
  await s.make.paymentMethod({ name: 'Efectivo' })
})
afterAll(() => s.close())

const month = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const
const buy = async (person: Person, classPackage: Parameters<TestStudio['make']['package']>[0], payment_method: string) => {
  const { class_package_id } = await s.make.package(classPackage)
  return s.as(person).sales.attempt({ class_package_id, payment_method })
}
const mine = async (person: Person) => (await s.as(person).sales.list()).purchases

test('GET /purchases has every field of the customer area, with the package’s file (S2-3.18, S1-7.42)', async () => {
  const ana = await s.make.customer()
  const classPackage = { ...month, title: 'Mes con guía', downloadable: '/archivos/guia-de-postura.pdf' }
  const { purchase_id } = await buy(ana, classPackage, 'tok_ok')
  const answer = await fetch(`${s.url}/api/purchases`, { headers: { authorization: `Bearer ${ana.token}` } })
  const { purchases } = (await answer.json()) as { purchases: Record<string, unknown>[] }
  expect(purchases).toMatchObject([
    {
      purchase_id,
      class_package: {
        title: 'Mes con guía',
        downloadable: { name: 'guia-de-postura.pdf', type: 'application/pdf' },
        file_url: '/archivos/guia-de-postura.pdf',
      },
      subscription_id: expect.any(String),
      status: 'active',
      amount: '2190.00',
      total_payment: '2190.00',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      cancelledAt: null,
      subscription_interval: 1,
      subscription_period: 'month',
    },
  ])
  // What is no longer theirs is no longer offered.
  await s.as(await s.make.staff('reception')).studioSales.revokeAccess({ purchase_id })
  expect(await mine(ana)).toMatchObject([{ status: 'revoked', class_package: { file_url: null } }])
  // The address of the file is visible to buyers only.
  expect(JSON.stringify(await s.as(null).catalogue.packages())).not.toContain('guia-de-postura')
})

test('only a live subscription that charges a card can change its card', async () => {
  const ana = await s.make.customer()
  await buy(ana, month, 'tok_ok')
  await buy(ana, {}, 'tok_ok')
  const wallet = await s.make.package(month)
  const { subscriptionID } = await s.as(ana).checkout.paypal({ class_package_id: wallet.class_package_id })
  expect((await mine(ana)).map(({ can_change_card }) => can_change_card)).toEqual([false, false, true])
  expect(subscriptionID).toBeTruthy()
  const live = (await mine(ana)).at(-1)
  await s.as(ana).sales.cancel({ id: live?.purchase_id ?? 0, reason: 'Me mudo' })
  expect((await mine(ana)).at(-1)).toMatchObject({ status: 'cancelled', can_change_card: false, can_cancel: false })
})

test('an abandoned purchase is marked and can be given up; one that only waits for money is not', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package()
  const [cash] = await s.sql<{ payment_method_id: number }>(`select payment_method_id from payment_method where name = 'Efectivo'`)
  const payment = await s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_3ds' })
  expect(payment.clientSecret).toBeTruthy()
  expect(await mine(ana)).toMatchObject([{ status: 'pending', unfinished: true }])
  await s.as(ana).sales.giveUp({ purchase_id: payment.purchase_id })
  expect(await mine(ana)).toMatchObject([{ status: 'cancelled', unfinished: false }])
  // A refused card without a further attempt.
  const luis = await s.make.customer()
  const no = await refusalOf(s.as(luis).sales.attempt({ class_package_id, payment_method: 'tok_funds' }))
  expect(no.code).toBe('CARD_INSUFFICIENT_FUNDS')
  expect(await mine(luis)).toMatchObject([{ status: 'pending', unfinished: true, failure: { code: 'CARD_INSUFFICIENT_FUNDS' } }])
  await s.as(ana).sales.checkout({ class_package_id, payment_method_id: cash?.payment_method_id ?? 0 })
  expect((await mine(ana))[0]).toMatchObject({ status: 'pending', unfinished: false, voucher: { kind: 'efectivo' } })
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: 2_000_000_000 }))).toMatchObject({ code: 'PURCHASE_NOT_FOUND' })
})

test('each kind of package can be bought: in person, online, special event, free trial, one-off, subscription (S1-1.13)', async () => {
  const ana = await s.make.customer()
  const kinds = {
    presencial: {},
    online: { is_online: true },
    'evento especial': { is_special_event: true, capacity: 5 },
    prueba: { is_trial: true, price_centavos: 0, class_amount: 1, limit_per_customer: 1 },
    ilimitado: { class_amount: -1 },
    suscripción: month,
    'suscripción con prueba': { ...month, free_trial_length: 7, free_trial_period: 'day' },
  } as const
  for (const [title, kind] of Object.entries(kinds)) {
    const { class_package_id } = await s.make.package({ title, ...kind })
    const free = 'price_centavos' in kind
    const { status } = free
      ? await s.as(ana).sales.checkout({ class_package_id })
      : await s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    expect([title, status]).toEqual([title, 'is_subscription' in kind ? 'active' : 'completed'])
  }
  const { available_classes, summary } = await s.as(ana).credits.list()
  expect(available_classes).toHaveLength(Object.keys(kinds).length)
  expect(summary.has_unlimited).toBe(true)
})

test('POST /purchases/cancel/{id} ends a subscription with the reason of the body (S1-7.44)', async () => {
  const ana = await s.make.customer()
  const { purchase_id } = await buy(ana, month, 'tok_ok')
  const cancel = async (body: object) => {
    const answer = await fetch(`${s.url}/api/purchases/cancel/${purchase_id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }
  expect(await cancel({})).toMatchObject({ status: 400, body: { code: 'CANCEL_REASON_REQUIRED' } })
  expect(await cancel({ reason: 'Me mudo' })).toMatchObject({ status: 200, body: { purchase: { purchase_id, status: 'cancelled' } } })
  expect(await s.sql('select cancel_reason from purchase where purchase_id = $1', [purchase_id])).toEqual([{ cancel_reason: 'Me mudo' }])
})
