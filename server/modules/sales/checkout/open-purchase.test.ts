/**
 * One customer has one open purchase of a package: a second visit joins it, ends it first, or has to wait; repeating a finished one needs a
 * confirmation (V5, V6).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sweep } from '#server/modules/sales/jobs.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { type Person, refusalOf, START } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

const { s, bank, attempt } = await openCheckoutStudio({
  cash_checkout_enabled: true,
  oxxo_enabled: true,
  spei_enabled: true,
  paypal_enabled: true,
  discounts_enabled: true,
})
afterAll(() => s.close())
beforeEach(async () => {
  s.clock.set(START)
})

const statuses = async (person: Person) => (await s.as(person).sales.list()).purchases.map(({ status }) => status)
/** What a customer was charged at the processor, in centavos. */
const charged = async (person: Person) =>
  (
    await s.sql<{ amount: number }>(
      `select l.amount from sandbox_ledger l join purchase p using (purchase_id) where l.kind = 'charge' and p.customer_id = $1`,
      [person.customer_id],
    )
  ).map(({ amount }) => amount)
/** What its processor still has of a customer's money, after what was given back: centavos. */
const moneyHeldBy = async (person: Person) =>
  Number(
    (
      await s.sql<{ sum: string }>(
        `select coalesce(sum(case l.kind when 'charge' then l.amount when 'refund' then -l.amount end), 0) as sum
         from sandbox_ledger l join purchase p using (purchase_id) where p.customer_id = $1`,
        [person.customer_id],
      )
    )[0]?.sum,
  )
const refOf = async (purchase_id: number) =>
  (
    await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1 and ref_id is not null order by n desc', [
      purchase_id,
    ])
  )[0]?.ref_id ?? ''

test('two tabs: one has a challenge, the other pays with another card, then the challenge is confirmed: one charge (V5)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const first = await attempt(ana, class_package_id, 'tok_3ds')
  const second = await attempt(ana, class_package_id, 'tok_ok')
  expect(second).toMatchObject({ purchase_id: first.purchase_id, status: 'completed' })
  await bank.authorize(first.clientSecret?.split('_secret_')[0] ?? '', true)
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  expect(await charged(ana)).toEqual([219_000])
  expect(await s.balance(ana)).toBe(10)
})

test('a tab whose purchase another tab paid gets that purchase for its own key, on every request (V5)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const [first, two] = [randomUUID(), randomUUID()]
  const { purchase_id } = await attempt(ana, class_package_id, 'tok_3ds', first)
  await attempt(ana, class_package_id, 'tok_ok', two)
  s.clock.advance({ days: 1 })
  for (const key of [first, two])
    expect(await attempt(ana, class_package_id, 'tok_ok', key)).toMatchObject({ purchase_id, status: 'completed' })
  expect(await charged(ana)).toHaveLength(1)
})

test('while a payment is processing nothing else is charged by any method, and the message says what to do (V5, V7)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const { purchase_id } = await attempt(ana, class_package_id, 'tok_async')
  const me = () => s.as(ana, randomUUID())
  for (const call of [
    () => me().sales.attempt({ class_package_id, payment_method: 'tok_ok' }),
    () => me().sales.attempt({ class_package_id, payment_method: 'oxxo' }),
    () => me().sales.checkout({ class_package_id, payment_method_id: 2 }),
    () => me().checkout.paypal({ class_package_id }),
    () => s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok~visa~1881~122030~b' }),
  ])
    expect(await refusalOf(call())).toMatchObject({
      code: 'PURCHASE_IN_PROGRESS',
      status: 409,
      message: 'Ya tienes una compra en proceso de este paquete. Revisa cómo va en Mis Compras antes de pagar otra vez.',
      data: { purchase_id },
    })
  const code = (await s.make.discount({})).code
  expect(await refusalOf(me().sales.attempt({ class_package_id, payment_method: 'tok_ok', discountCode: code }))).toMatchObject({
    code: 'PURCHASE_IN_PROGRESS',
  })
  expect(await attempt(ana, class_package_id, 'tok_async')).toMatchObject({ purchase_id, status: 'pending' })
  expect(await statuses(ana)).toEqual(['pending'])
})

test.each(['oxxo', 'spei', 'cash', 'wallet'] as const)(
  '%s waits, then a card pays: the processor takes nothing for the first any more (V5, V12)',
  async (how) => {
    const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
    const me = s.as(ana, randomUUID())
    const first =
      how === 'cash'
        ? await me.sales.checkout({ class_package_id, payment_method_id: 2 })
        : how === 'wallet'
          ? await me.checkout.paypal({ class_package_id })
          : await me.sales.attempt({ class_package_id, payment_method: how })
    const old = await refOf(first.purchase_id)
    expect(await attempt(ana, class_package_id, 'tok_ok')).toMatchObject({ purchase_id: first.purchase_id, status: 'completed' })
    if (how === 'cash') {
      const reception = await s.make.staff('reception')
      expect((await refusalOf(s.as(reception).sales.markPaid({ purchase_id: first.purchase_id }))).code).toBe('PURCHASE_CLOSED')
    } else if (how === 'wallet') {
      await bank.approve(old, true).catch(() => {})
      await s
        .as(ana)
        .checkout.capture({ orderID: old })
        .catch(() => {})
    } else await bank.payVoucher(old).catch(() => {})
    // The webhook event of late money arrives before the sweep that handles it, which takes those of some seconds ago.
    await bank.post()
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    await doJobs(s)
    // A shop may take money for a voucher that was given up: it goes back (V13).
    expect(await moneyHeldBy(ana)).toBe(219_000)
    expect(await s.balance(ana)).toBe(10)
  },
)

test('a voucher requested in two tabs is the same voucher (V5)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const [first, two] = [await attempt(ana, class_package_id, 'oxxo'), await attempt(ana, class_package_id, 'oxxo')]
  expect(two).toMatchObject({ purchase_id: first.purchase_id, voucher: first.voucher })
})

test('another code, or a changed price, ends the pending purchase and starts a new one on the new terms (V5, V36)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const code = (await s.make.discount({ amount: 50_000, is_percent: false })).code
  await attempt(ana, class_package_id, 'oxxo')
  const withCode = s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'oxxo', discountCode: code })
  expect(await withCode).toMatchObject({ status: 'pending' })
  expect(await statuses(ana)).toEqual(['pending', 'cancelled'])
  await s.sql('update class_package set price_centavos = 100000 where class_package_id = $1', [class_package_id])
  expect(await attempt(ana, class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  expect(await statuses(ana)).toEqual(['completed', 'cancelled', 'cancelled'])
  expect(await charged(ana)).toEqual([100_000])
})

test('a purchase paid while it was being ended is not charged again under another code (V5, V12)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const code = (await s.make.discount({})).code
  const first = await attempt(ana, class_package_id, 'oxxo')
  await bank.payVoucher(await refOf(first.purchase_id))
  const again = s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok', discountCode: code })
  expect(await refusalOf(again)).toMatchObject({ code: 'PURCHASE_REPEATED', data: { purchase_id: first.purchase_id } })
  expect(await charged(ana)).toEqual([219_000])
})

test('the next visit continues a purchase with a declined card (V5)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  await refusalOf(attempt(ana, class_package_id, 'tok_declined'))
  await attempt(ana, class_package_id, 'tok_ok')
  expect(await statuses(ana)).toEqual(['completed'])
})

test('the same purchase a moment later needs confirmation; confirmed, or two minutes later, it is another (V6)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const { purchase_id } = await attempt(ana, class_package_id, 'tok_ok')
  expect(await refusalOf(attempt(ana, class_package_id, 'tok_ok'))).toMatchObject({
    code: 'PURCHASE_REPEATED',
    status: 409,
    message: 'Acabas de comprar este paquete. Si quieres otro igual, confírmalo.',
    data: { purchase_id },
  })
  const again = { class_package_id, payment_method: 'tok_ok', again: true }
  const key = randomUUID()
  const [second, repeat] = [await s.as(ana, key).sales.attempt(again), await s.as(ana, key).sales.attempt(again)]
  expect(repeat.purchase_id).toBe(second.purchase_id)
  expect(await charged(ana)).toHaveLength(2)
  s.clock.advance({ minutes: 2 })
  await attempt(ana, class_package_id, 'tok_ok')
  expect(await charged(ana)).toHaveLength(3)
})

test('without a key a repeated request a moment later is the same purchase, also with `again` (V6)', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package()]
  const buy = (again = false) => s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok', again })
  const { purchase_id } = await buy()
  expect(await buy()).toMatchObject({ purchase_id, status: 'completed' })
  expect(await buy(true)).toMatchObject({ purchase_id })
  expect(await charged(ana)).toHaveLength(1)
  s.clock.advance({ minutes: 2 })
  expect((await buy()).purchase_id).not.toBe(purchase_id)
})

test('a live subscription needs confirmation at any time; a cancelled one does not (V6)', async () => {
  const [ana, { class_package_id }] = [
    await s.make.customer(),
    await s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 }),
  ]
  const { purchase_id } = await attempt(ana, class_package_id, 'tok_ok')
  s.clock.advance({ days: 5 })
  expect(await refusalOf(attempt(ana, class_package_id, 'tok_ok'))).toMatchObject({
    code: 'SUBSCRIPTION_REPEATED',
    message: 'Ya tienes esta suscripción. Si quieres otra igual, confírmalo.',
    data: { purchase_id },
  })
  expect(await charged(ana)).toHaveLength(1)
  await s.as(ana).sales.cancel({ id: purchase_id, reason: 'Me mudo' })
  expect(await attempt(ana, class_package_id, 'tok_ok')).toMatchObject({ status: 'active' })
})

test('a counter sale ends the buyer’s open purchase, and is refused while a bank processes it (V28)', async () => {
  const [ana, reception, { class_package_id }] = [await s.make.customer(), await s.make.staff('reception'), await s.make.package()]
  const give = () => s.as(reception, randomUUID()).studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id })
  const { purchase_id } = await attempt(ana, class_package_id, 'oxxo')
  await give()
  expect(await statuses(ana)).toEqual(['completed', 'cancelled'])
  expect(await s.sql('select state from sandbox_payment where id = $1', [await refOf(purchase_id)])).toEqual([{ state: 'ended' }])
  s.clock.advance({ minutes: 3 })
  await attempt(ana, class_package_id, 'tok_async')
  expect((await refusalOf(give())).code).toBe('PAYMENT_IN_PROGRESS')
})

test('cash is refused for a purchase whose card has an open challenge (V15)', async () => {
  const [ana, reception, { class_package_id }] = [await s.make.customer(), await s.make.staff('reception'), await s.make.package()]
  const { purchase_id } = await s.as(ana, randomUUID()).sales.checkout({ class_package_id, payment_method_id: 2 })
  const card = await attempt(ana, class_package_id, 'tok_3ds')
  expect((await s.as(reception).sales.markPaid({ purchase_id })).purchase.status).toBe('completed')
  await bank.authorize(card.clientSecret?.split('_secret_')[0] ?? '', true)
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  expect(await charged(ana)).toEqual([])
  expect(await s.balance(ana)).toBe(10)
})
