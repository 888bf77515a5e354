/**
 * A renewal that its customer confirms at the bank (docs/domain.md V33): notified by email and in their area, confirmed by the link,
 * charged once.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let stripe: StripeFake
beforeAll(async () => {
  let clock = () => new Date('2026-11-19T16:00:00Z')
  stripe = await new StripeFake({ now: () => clock() }).listen()
  s = await studio({
    env: { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET, STRIPE_API_BASE: stripe.url },
  })
  clock = s.clock.now
  stripe.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status
})
afterAll(async () => {
  await s.close()
  await stripe.close()
  expect(stripe.complaints).toEqual([])
})

const deliverWebhooks = async () => {
  await stripe.deliver()
  await deliverPendingWebhooks(s)
}
const purchaseOf = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase

/** A subscription whose renewal waits for its customer, with the link of its mail. */
async function overdue() {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({
    title: 'Membresía 8',
    price_centavos: 145_000,
    class_amount: 8,
    expiration_days: 30,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const bought = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'pm_card_authenticationRequired' })
  stripe.books.authenticate(bought.clientSecret ?? '', true)
  await deliverWebhooks()
  await doJobs(s)
  expect((await purchaseOf(ana, bought.purchase_id)).status).toBe('active')
  const [sale] = await s.sql<{ benefits_until: Date }>('select benefits_until from purchase where purchase_id = $1', [bought.purchase_id])
  s.clock.set(sale?.benefits_until ?? '')
  stripe.tick()
  await deliverWebhooks()
  await doJobs(s)
  const [mail] = await s.sql<{ words: { title: string; action: { label: string; path: string } } }>(
    `select words from message where customer_id = $1 and event = 'payment_failed' and channel = 'app'`,
    [ana.customer_id],
  )
  return { ana, purchase_id: bought.purchase_id, words: mail?.words, token: mail?.words.action.path.replace('/tarjeta/', '') ?? '' }
}

test('the email leads to the bank’s challenge for that invoice; confirmed, it is paid once and its credits are granted', async () => {
  const { ana, purchase_id, words, token } = await overdue()
  expect(words).toMatchObject({ title: 'Confirma con tu banco el cargo de Membresía 8', action: { label: 'Confirmar el cargo' } })
  expect(await purchaseOf(ana, purchase_id)).toMatchObject({ past_due: true, confirm_charge: true })
  expect((await s.as(null).cardLinks.shown({ token })).subscription).toMatchObject({
    past_due: true,
    confirm_charge: true,
    amount: '1450.00',
  })
  const payment = await s.as(null).cardLinks.confirm({ token })
  expect(payment).toEqual({ paid: false, declined: false, clientSecret: expect.stringMatching(/^pi_.+_secret_/) })
  expect((await s.as(null).cardLinks.confirm({ token })).clientSecret).toBe(payment.clientSecret)
  stripe.books.authenticate(payment.clientSecret ?? '', true)
  expect(await s.as(null).cardLinks.confirm({ token })).toEqual({ paid: true, declined: false, clientSecret: null })
  await deliverWebhooks()
  expect(await purchaseOf(ana, purchase_id)).toMatchObject({ past_due: false, confirm_charge: false })
  expect(stripe.movements(purchase_id)).toEqual(['charge 145000', 'charge 145000'])
  expect(await s.sql('select 1 from invoice where purchase_id = $1', [purchase_id])).toHaveLength(2)
  expect(await s.sql('select 1 from available_class where purchase_id = $1', [purchase_id])).toHaveLength(2)
  expect(await refusalOf(s.as(null).cardLinks.confirm({ token }))).toMatchObject({ code: 'CARD_LINK_GONE' })
})

test('the customer’s area links to the own challenge only', async () => {
  const { ana, purchase_id } = await overdue()
  const eva = await s.make.customer()
  expect(await refusalOf(s.as(eva).cardLinks.ownLink({ id: purchase_id }))).toMatchObject({ code: 'PURCHASE_NOT_FOUND' })
  const { path } = await s.as(ana).cardLinks.ownLink({ id: purchase_id })
  const payment = await s.as(null).cardLinks.confirm({ token: path.replace('/tarjeta/', '') })
  stripe.books.authenticate(payment.clientSecret ?? '', true)
  await deliverWebhooks()
  expect(await purchaseOf(ana, purchase_id)).toMatchObject({ past_due: false, confirm_charge: false })
})

test('declining the challenge keeps the link valid; another card with a challenge is for the same invoice', async () => {
  const { ana, purchase_id, token } = await overdue()
  const payment = await s.as(null).cardLinks.confirm({ token })
  stripe.books.authenticate(payment.clientSecret ?? '', false)
  await deliverWebhooks()
  expect(await purchaseOf(ana, purchase_id)).toMatchObject({ past_due: true, confirm_charge: false })
  const change = await s.as(null).cardLinks.change({ token, token_id: 'pm_card_authenticationRequired' })
  stripe.books.authenticate(change.setup?.clientSecret ?? '', true)
  const changed = await s.as(null).cardLinks.change({ token, setup_id: change.setup?.id ?? '' })
  expect(changed).toMatchObject({ changed: true, paid: false, setup: null, clientSecret: expect.any(String) })
  expect(await purchaseOf(ana, purchase_id)).toMatchObject({ past_due: true, confirm_charge: true })
  stripe.books.authenticate(changed.clientSecret ?? '', true)
  expect((await s.as(null).cardLinks.confirm({ token })).paid).toBe(true)
  expect(stripe.movements(purchase_id)).toEqual(['charge 145000', 'charge 145000'])
})

test('a declined card is reported, and nothing is charged', async () => {
  const { token, purchase_id } = await overdue()
  const changed = await s.as(null).cardLinks.change({ token, token_id: 'pm_card_chargeCustomerFail' })
  expect(changed).toMatchObject({ changed: true, paid: false, clientSecret: null })
  expect(await s.as(null).cardLinks.confirm({ token })).toEqual({ paid: false, declined: true, clientSecret: null })
  expect(stripe.movements(purchase_id)).toEqual(['charge 145000'])
})
