/** One free trial per person: per customer and per card, each a setting (docs/domain.md V41). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { PriceShownToCustomer } from '#contract/sales.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { ledgerTexts } from '#server/testing/sandbox-bank.ts'
import { type Person, refusalOf, START, studio } from '#server/testing/studio.ts'

const { s, bank, attempt } = await openCheckoutStudio({ discounts_enabled: true })
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const TRIAL = {
  price_centavos: 145_000,
  expiration_days: 31,
  is_subscription: true,
  subscription_period: 'month',
  subscription_interval: 1,
  free_trial_length: 7,
  free_trial_period: 'day',
} as const
const withTrial = () => s.make.package(TRIAL)
const FREE: PriceShownToCustomer = { today: '0.00', total: '1450.00', next_total: '1450.00' }
const PAID: PriceShownToCustomer = { today: '1450.00', total: '1450.00', next_total: '1450.00' }
/** A card that is typed: the same plastic each time, another token. */
const card = (last4: string, behaviour = 'ok') => `tok_${behaviour}~visa~${last4}~122030~${randomUUID().slice(0, 8)}`
const subscribe = (person: Person, class_package_id: number, shown: PriceShownToCustomer, payment_method = card('1111')) =>
  s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method, shown })
const freeTrial = async (person: Person | null, class_package_id: number) =>
  (await s.as(person).checkout.ways({ class_package_id })).free_trial
const purchases = (person: Person) => s.sql('select 1 from purchase where customer_id = $1', [person.customer_id])

test('after a cancelled trial the next subscription of any package starts paid, and the checkout says so before', async () => {
  const [ana, trial, other] = [await s.make.customer(), await withTrial(), await withTrial()]
  expect([await freeTrial(null, trial.class_package_id), await freeTrial(ana, trial.class_package_id)]).toEqual([true, true])
  const first = await subscribe(ana, trial.class_package_id, FREE, card('2001'))
  expect([first.status, await ledgerTexts(s, first.purchase_id)]).toEqual(['active', []])
  s.clock.advance({ days: 6 })
  await s.as(ana).sales.cancel({ id: first.purchase_id, reason: 'Me mudo' })
  for (const { class_package_id } of [trial, other]) {
    expect(await freeTrial(ana, class_package_id)).toBe(false)
    expect(await refusalOf(subscribe(ana, class_package_id, FREE, card('2002')))).toMatchObject({
      code: 'TRIAL_USED',
      status: 409,
      message: 'La prueba gratis es una por persona, y ya se usó: hoy pagas $1,450.00. No te cobramos nada; revísalo y confirma de nuevo.',
      data: PAID,
    })
    const paid = await subscribe(ana, class_package_id, PAID, card('2002'))
    expect([paid.status, await ledgerTexts(s, paid.purchase_id)]).toEqual(['active', ['charge 145000']])
    expect((await s.as(ana).sales.one({ id: paid.purchase_id })).purchase).toMatchObject({ free_trial_length: null, trial_ends_date: null })
  }
  expect(await purchases(ana)).toHaveLength(3)
})

test('a limit of one does not bring the trial back, and a caller that shows no price pays the server’s', async () => {
  const [ana, { class_package_id }] = [await s.make.customer(), await s.make.package({ ...TRIAL, limit_per_customer: 1 })]
  for (const expected of [[], ['charge 145000'], ['charge 145000']]) {
    const { purchase_id } = await attempt(ana, class_package_id, card('2003'))
    expect(await ledgerTexts(s, purchase_id)).toEqual(expected)
    s.clock.advance({ days: 1 })
    await s.as(ana).sales.cancel({ id: purchase_id, reason: 'Me mudo' })
    s.clock.advance({ days: 40 })
    await bank.tick()
  }
})

test('the same card gives no second trial to another account: typed, saved, or as the next card of a purchase', async () => {
  const [ana, luis, eva, { class_package_id }] = [
    await s.make.customer(),
    await s.make.customer(),
    await s.make.customer(),
    await withTrial(),
  ]
  await subscribe(ana, class_package_id, FREE, card('3001'))
  // Not known before the card is given.
  expect(await freeTrial(luis, class_package_id)).toBe(true)
  expect(await refusalOf(subscribe(luis, class_package_id, FREE, card('3001')))).toMatchObject({ code: 'TRIAL_USED', data: PAID })
  expect(await purchases(luis)).toEqual([])
  const { payment_source } = await s.as(luis).cards.keep({ token_id: card('3001') })
  const saved = { class_package_id, payment_source_id: payment_source?.payment_source_id ?? 0 }
  expect((await refusalOf(s.as(luis, randomUUID()).sales.attempt({ ...saved, shown: FREE }))).code).toBe('TRIAL_USED')
  const visit = randomUUID()
  const next = (token: string, shown = FREE) => s.as(eva, visit).sales.attempt({ class_package_id, payment_method: token, shown })
  expect((await refusalOf(next(card('3002', 'funds')))).code).toBe('CARD_INSUFFICIENT_FUNDS')
  expect((await refusalOf(next(card('3001')))).code).toBe('TRIAL_USED')
  const paid = await next(card('3001'), PAID)
  expect([paid.status, await ledgerTexts(s, paid.purchase_id)]).toEqual(['active', ['charge 145000']])
  // Another card has its trial.
  expect(await ledgerTexts(s, (await subscribe(luis, class_package_id, FREE, card('3003'))).purchase_id)).toEqual([])
})

test('ten accounts concurrently with one card: one trial', async () => {
  const [customers, { class_package_id }] = [await Promise.all(Array.from({ length: 10 }, () => s.make.customer())), await withTrial()]
  const results = await Promise.all(
    customers.map((person) =>
      subscribe(person, class_package_id, FREE, card('4001')).then(
        ({ status }) => status,
        (error) => error.code,
      ),
    ),
  )
  expect(results.filter((outcome) => outcome === 'active')).toHaveLength(1)
  expect(results.filter((outcome) => outcome !== 'active' && outcome !== 'TRIAL_USED' && outcome !== 'PAYMENT_IN_PROGRESS')).toEqual([])
})

test('one customer who starts trials of ten packages concurrently gets one', async () => {
  const ana = await s.make.customer()
  const classPackages = await Promise.all(Array.from({ length: 10 }, withTrial))
  await Promise.allSettled(classPackages.map(({ class_package_id }, n) => subscribe(ana, class_package_id, FREE, card(`50${10 + n}`))))
  expect(await s.sql(`select 1 from available_class where customer_id = $1 and period = 'trial'`, [ana.customer_id])).toHaveLength(1)
})

test('a trial with a declined card, or abandoned, does not count', async () => {
  const [ana, luis, { class_package_id }] = [await s.make.customer(), await s.make.customer(), await withTrial()]
  await refusalOf(subscribe(ana, class_package_id, FREE, card('6001', 'funds')))
  const { purchase_id } = await subscribe(ana, class_package_id, FREE, card('6002', '3ds'))
  expect((await refusalOf(subscribe(luis, class_package_id, FREE, card('6002', '3ds')))).code).toBe('TRIAL_USED')
  await s.as(ana).sales.giveUp({ purchase_id })
  expect(await subscribe(luis, class_package_id, FREE, card('6002', '3ds'))).toMatchObject({ status: 'pending' })
  expect(await subscribe(ana, class_package_id, FREE, card('6003'))).toMatchObject({ status: 'active' })
})

test('both rules can be switched off', async () => {
  const [ana, luis, { class_package_id }] = [await s.make.customer(), await s.make.customer(), await withTrial()]
  await s.having({ trial_once_per_card: false }, async () => {
    for (const person of [ana, luis])
      expect(await ledgerTexts(s, (await subscribe(person, class_package_id, FREE, card('7001'))).purchase_id)).toEqual([])
  })
  await s.having({ trial_once_per_customer: false }, async () => {
    const other = await withTrial()
    expect(await ledgerTexts(s, (await subscribe(ana, other.class_package_id, FREE, card('7002'))).purchase_id)).toEqual([])
  })
})

test('a refunded trial package cannot be bought again, unless the studio allows it', async () => {
  const [ana, owner, { class_package_id }] = [
    await s.make.customer(),
    await s.make.staff('owner'),
    await s.make.package({ is_trial: true, class_amount: 1, limit_per_customer: 1 }),
  ]
  const { purchase_id } = await attempt(ana, class_package_id, 'tok_ok')
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'No pudo venir', by_hand: false, cancel_subscription: false })
  s.clock.advance({ days: 1 })
  expect((await refusalOf(attempt(ana, class_package_id, 'tok_ok'))).code).toBe('PURCHASE_LIMIT')
  await s.having({ trial_once_per_customer: false }, async () => {
    expect(await attempt(ana, class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  })
})

test('Stripe: the card is read before anything is created, and its token still pays', async () => {
  const fake = await new StripeFake({ now: s.clock.now }).listen()
  const on = await studio({
    env: {
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: fake.url,
    },
  })
  const [ana, luis, { class_package_id }] = [await on.make.customer(), await on.make.customer(), await on.make.package(TRIAL)]
  const buy = (person: Person, shown: PriceShownToCustomer) =>
    on.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'pm_card_visa', shown })
  expect(await buy(ana, FREE)).toMatchObject({ status: 'active' })
  expect((await refusalOf(buy(luis, FREE))).code).toBe('TRIAL_USED')
  const paid = await buy(luis, PAID)
  expect([paid.status, fake.taken(paid.purchase_id)]).toEqual(['active', 145_000])
  await on.close()
  await fake.close()
  expect(fake.complaints).toEqual([])
})
