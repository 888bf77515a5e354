/** Who deletes their account is charged nothing any more (docs/domain.md V42, P14). */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { leaveAccount } from '#server/modules/people/people.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import type { Person } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

const { s, bank, attempt } = await openCheckoutStudio({ paypal_enabled: true })
afterAll(() => s.close())

const monthly = (more = {}) =>
  s.make.package({
    price_centavos: 145_000,
    expiration_days: 31,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    ...more,
  })
const statuses = (person: Person) =>
  s.sql<{ status: string }>('select status from purchase where customer_id = $1 order by purchase_id', [person.customer_id])

test('live subscriptions end with the paid period, a trial at once, and unstarted ones are given up', async () => {
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const [classPackage, trial, wallet] = [
    await monthly(),
    await monthly({ free_trial_length: 7, free_trial_period: 'day' }),
    await monthly(),
  ]
  const paid = await attempt(ana, classPackage.class_package_id, 'tok_ok')
  const free = await attempt(ana, trial.class_package_id, 'tok_ok')
  const { subscriptionID } = await s.as(ana, randomUUID()).checkout.paypal({ class_package_id: wallet.class_package_id })
  const other = await attempt(luis, classPackage.class_package_id, 'tok_ok')
  await leaveAccount(s.system(), { uid: ana.uid })
  await doJobs(s)
  await doJobs(s)
  expect(await statuses(ana)).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }, { status: 'cancelled' }])
  expect(await s.sql('select cancel_reason from purchase where purchase_id = $1', [paid.purchase_id])).toEqual([
    { cancel_reason: 'la cuenta se eliminó' },
  ])
  await bank.approve(subscriptionID ?? '', true).catch(() => {})
  // What was paid lasts as it would have; nothing more is taken, of others it is.
  expect(await s.sql(`select 1 from available_class where purchase_id = $1 and expires_at > now()`, [paid.purchase_id])).toHaveLength(1)
  s.clock.advance({ days: 70 })
  await bank.tick()
  await sweep(s.system())
  const charges = async (purchase_id: number) => (await bank.ledger(purchase_id)).filter(({ kind }) => kind === 'charge').length
  expect(await Promise.all([paid, free, other].map(({ purchase_id }) => charges(purchase_id)))).toEqual([1, 0, 3])
})

test('without an answer of the processor the job fails and is retried', async () => {
  const [eva, { class_package_id }] = [await s.make.customer(), await monthly()]
  expect(await attempt(eva, class_package_id, 'tok_timeout_unpaid')).toMatchObject({ status: 'pending' })
  await leaveAccount(s.system(), { uid: eva.uid })
  await expect(doJobs(s)).rejects.toThrow(/cannot be ended yet/)
})
