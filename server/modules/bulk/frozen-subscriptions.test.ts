/** Freezing a subscriber at Stripe: its own pause of collection, and nothing charged until the thaw (docs/domain.md C25). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let stripe: StripeFake
let desk: Person
beforeAll(async () => {
  let clock = () => new Date('2026-11-19T16:00:00Z')
  stripe = await new StripeFake({ now: () => clock() }).listen()
  s = await studio({
    env: { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET, STRIPE_API_BASE: stripe.url },
  })
  clock = s.clock.now
  stripe.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status
  desk = await s.make.staff('reception')
})
afterAll(async () => {
  await s.close()
  await stripe.close()
  expect(stripe.complaints).toEqual([])
})

/** The processor's clock moves and its webhooks arrive. */
async function days(n: number) {
  s.clock.advance({ days: n })
  stripe.tick()
  await stripe.deliver()
  await deliverPendingWebhooks(s)
  await doJobs(s)
}

async function run(action: 'credits.freeze' | 'credits.thaw', customer_id: number) {
  const { job_id } = await s.as(desk, randomUUID()).bulk.start({ action, ids: [customer_id], params: {}, reason: 'Lesión' })
  await doJobs(s)
  return s.as(desk).bulk.job({ job_id: job_id ?? 0 })
}

test('pauses collection, charges nothing for two periods, and charges again after the thaw', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({
    price_centavos: 145_000,
    class_amount: 8,
    expiration_days: 30,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'pm_card_visa' })
  await days(0)
  expect(stripe.movements(purchase_id)).toEqual(['charge 145000'])

  expect(await run('credits.freeze', ana.customer_id)).toMatchObject({ changed: 1, refused_total: 0 })
  await days(62)
  expect(stripe.movements(purchase_id)).toEqual(['charge 145000'])
  expect((await s.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({ status: 'active', paused: true, next_charge: null })

  expect(await run('credits.thaw', ana.customer_id)).toMatchObject({ changed: 1, refused_total: 0 })
  await days(31)
  expect(stripe.movements(purchase_id)).toEqual(['charge 145000', 'charge 145000'])
  expect((await s.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({ status: 'active', paused: false })
})
