/** Subscriptions through the sandbox, from the first charge to the end (docs/domain.md V9, V16, V17). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, sendReceipt, sweep } from '#server/modules/sales/jobs.ts'
import { passDays } from '#server/testing/sandbox-bank.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio()
  bank = s.bank()
  bank.held = true
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const monthly = (values: Partial<Parameters<TestStudio['make']['package']>[0]> = {}) =>
  s.make.package({
    title: 'Membresía 8',
    price_centavos: 145_000,
    class_amount: 8,
    expiration_days: 30,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    ...values,
  })
const buy = (person: Person, class_package_id: number, payment_method = 'tok_ok') =>
  s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method })
const purchaseOf = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
const creditLots = (purchase_id: number) =>
  s.sql<{ period: string; balance: number; expires_at: Date }>(
    'select period, balance, expires_at from available_class where purchase_id = $1 order by expires_at',
    [purchase_id],
  )
/** 19 December at 23:59:59 in Mexico City: the end of the last day of what was bought on 19 November at 10:00. */
const LAST_SECOND = new Date('2026-12-20T05:59:59Z')

test('a subscription is active once paid, and each period is charged and granted once (S1-4.29, V9, V16)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly()]
  const answer = await buy(ana, classPackage.class_package_id)
  expect(answer.status).toBe('active')
  expect(await purchaseOf(ana, answer.purchase_id)).toMatchObject({
    status: 'active',
    subscription_id: expect.stringMatching(/^sub_/),
    subscription_period: 'month',
    subscription_interval: 1,
    next_charge: { amount: '1450.00', date: '2026-12-19T10:00:00.000Z' },
  })
  expect(await creditLots(answer.purchase_id)).toMatchObject([{ balance: 8, expires_at: LAST_SECOND }])
  await passDays(s, 31)
  await sweep(s.system())
  await reconcile(s.system())
  expect(await creditLots(answer.purchase_id)).toHaveLength(2)
  expect((await bank.ledger(answer.purchase_id)).map(({ amount }) => amount)).toEqual([145_000, 145_000])
  expect(await s.sql('select total_centavos from invoice where purchase_id = $1', [answer.purchase_id])).toHaveLength(2)
  expect((await purchaseOf(ana, answer.purchase_id)).next_charge?.date).toBe('2027-01-19T10:00:00.000Z')
})

test('a subscription is usable until 23:59:59 of its last paid day, also after cancelling; the next period’s credits are there before (C1, S1-2.02)', async () => {
  const [ana, eva, classPackage] = [await s.make.customer(), await s.make.customer(), await monthly({ class_amount: -1 })]
  const [renews, ends] = [await buy(ana, classPackage.class_package_id), await buy(eva, classPackage.class_package_id)]
  await s.as(eva).sales.cancel({ id: ends.purchase_id, reason: 'Me mudo' })
  const credit = async (person: Person) => (await s.as(person).credits.list()).available_classes.map((creditLot) => creditLot.expires_at)
  // The evening of the last day: the period ended at ten in the morning.
  s.clock.set('2026-12-20T03:00:00Z')
  bank.held = false
  await bank.tick()
  bank.held = true
  await deliverPendingWebhooks(s)
  await sweep(s.system())
  expect(await credit(eva)).toEqual([LAST_SECOND.toISOString()])
  expect((await purchaseOf(eva, ends.purchase_id)).benefits_until_date).toBe('2026-12-19T10:00:00.000Z')
  expect(await credit(ana)).toEqual([LAST_SECOND.toISOString(), '2027-01-20T05:59:59.000Z'])
  expect((await purchaseOf(ana, renews.purchase_id)).status).toBe('active')
  s.clock.set('2026-12-20T06:00:00Z')
  expect(await credit(eva)).toEqual([])
  expect(await credit(ana)).toEqual(['2027-01-20T05:59:59.000Z'])
})

test('a trial lasts until 23:59:59 of its last day, also when the charge after it is late (C1, S1-2.02)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly({ free_trial_length: 7, free_trial_period: 'day' })]
  const { purchase_id } = await buy(ana, classPackage.class_package_id)
  expect((await creditLots(purchase_id)).map((creditLot) => creditLot.expires_at)).toEqual([new Date('2026-11-27T05:59:59Z')])
})

test('the sweeper finds a renewal whose event was lost', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly()]
  const { purchase_id } = await buy(ana, classPackage.class_package_id)
  s.clock.advance({ days: 31 })
  await sweep(s.system())
  expect(await creditLots(purchase_id)).toHaveLength(2)
})

test('a trial costs nothing now, is charged at its end, and its receipt says so (S1-2.80, settled 35)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly({ free_trial_length: 7, free_trial_period: 'day' })]
  const { purchase_id, status } = await buy(ana, classPackage.class_package_id)
  expect(status).toBe('active')
  expect(await bank.ledger(purchase_id)).toEqual([])
  expect(await purchaseOf(ana, purchase_id)).toMatchObject({ next_charge: { amount: '1450.00', date: '2026-11-26T10:00:00.000Z' } })
  expect(await creditLots(purchase_id)).toMatchObject([{ period: 'trial', balance: 8 }])
  await sendReceipt(s.system(), purchase_id, 'trial')
  const [mail] = await s.sql<{ text: string }>('select text from mail_outbox where "to" = $1', [ana.email])
  expect(mail?.text).toContain('hoy pagas $0.00. El 26 nov 2026 se cobran $1,450.00')
  await passDays(s, 8)
  expect(await bank.ledger(purchase_id)).toMatchObject([{ amount: 145_000 }])
  expect(await creditLots(purchase_id)).toHaveLength(2)
})

test('a trial begins only once the bank has confirmed the card (V16)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly({ free_trial_length: 7, free_trial_period: 'day' })]
  const payment = await buy(ana, classPackage.class_package_id, 'tok_3ds')
  expect(payment).toMatchObject({ status: 'pending', intent: 'setup' })
  expect(await creditLots(payment.purchase_id)).toEqual([])
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  expect((await purchaseOf(ana, payment.purchase_id)).status).toBe('active')
  expect(await creditLots(payment.purchase_id)).toHaveLength(1)
})

test('cancelling requires a reason, keeps the paid period, stops charges and cannot be undone (S1-4.23 to S1-4.27, V17)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly({ capacity: 1 })]
  const { purchase_id } = await buy(ana, classPackage.class_package_id)
  for (const reason of [undefined, '', '   '])
    expect(await refusalOf(s.as(ana).sales.cancel({ id: purchase_id, reason }))).toMatchObject({
      code: 'CANCEL_REASON_REQUIRED',
      status: 400,
      message: 'Debes indicar un motivo de cancelación.',
    })
  for (let n = 0; n < 2; n++)
    expect((await s.as(ana).sales.cancel({ id: purchase_id, reason: 'Me mudo' })).purchase).toMatchObject({
      status: 'cancelled',
      cancelled_date: '2026-11-19T10:00:00.000Z',
      next_charge: null,
    })
  expect(await s.sql('select cancel_reason, benefits_until from purchase where purchase_id = $1', [purchase_id])).toEqual([
    { cancel_reason: 'Me mudo', benefits_until: new Date('2026-12-19T16:00:00Z') },
  ])
  expect((await s.as(ana).credits.list()).summary.available).toBe(8)
  expect((await creditLots(purchase_id)).map((creditLot) => creditLot.expires_at)).toEqual([LAST_SECOND])
  await passDays(s, 40)
  expect(await bank.ledger(purchase_id)).toHaveLength(1)
  expect(await s.sql('select sold from class_package where class_package_id = $1', [classPackage.class_package_id])).toEqual([{ sold: 0 }])
  const trail = await s.sql<{ action: string }>(`select action from audit where entity = 'purchase' and entity_id = $1 order by audit_id`, [
    String(purchase_id),
  ])
  expect(trail.map(({ action }) => action)).toEqual(['purchase.open', 'purchase.active', 'subscription.cancel', 'purchase.cancelled'])
})

test('cancelled in its trial it ends at once with its credits, and is never charged (S1-4.24, C14)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly({ free_trial_length: 1, free_trial_period: 'month' })]
  const { purchase_id } = await buy(ana, classPackage.class_package_id)
  expect((await s.as(ana).sales.cancel({ id: purchase_id, reason: 'No me gustó' })).purchase.status).toBe('cancelled')
  expect(await s.sql('select benefits_until from purchase where purchase_id = $1', [purchase_id])).toEqual([
    { benefits_until: s.clock.now() },
  ])
  expect((await creditLots(purchase_id)).map((creditLot) => creditLot.expires_at)).toEqual([s.clock.now()])
  await passDays(s, 40)
  expect(await bank.ledger(purchase_id)).toEqual([])
})

test('with a failing renewal it stays active without new credits, and ends when the retries are over', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly()]
  const { purchase_id } = await buy(ana, classPackage.class_package_id, 'tok_renew_fail')
  await passDays(s, 31)
  expect((await purchaseOf(ana, purchase_id)).status).toBe('active')
  expect(await s.sql('select past_due_since is not null as late from purchase where purchase_id = $1', [purchase_id])).toEqual([
    { late: true },
  ])
  expect(await creditLots(purchase_id)).toHaveLength(1)
  await passDays(s, 6)
  expect((await purchaseOf(ana, purchase_id)).status).toBe('cancelled')
  expect(await bank.ledger(purchase_id)).toHaveLength(1)
})

test('a subscription is refused for cash, with the setting off, and for one-off purchases', async () => {
  const [ana, classPackage, oneOff] = [await s.make.customer(), await monthly(), await s.make.package()]
  await s.change({ cash_checkout_enabled: true })
  expect(await refusalOf(s.as(ana, randomUUID()).sales.checkout({ class_package_id: classPackage.class_package_id }))).toMatchObject({
    code: 'PAYMENT_METHOD_UNAVAILABLE',
  })
  await s.change({ cash_checkout_enabled: false, subscriptions_enabled: false })
  expect(await refusalOf(buy(ana, classPackage.class_package_id))).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE', status: 412 })
  await s.change({ subscriptions_enabled: true })
  const { purchase_id } = await buy(ana, oneOff.class_package_id)
  expect(await refusalOf(s.as(ana).sales.cancel({ id: purchase_id, reason: 'x' }))).toMatchObject({
    code: 'SUBSCRIPTION_NOT_CANCELLABLE',
    status: 409,
  })
})

test('a first period at no cost is a trial of that period', async () => {
  const [ana, classPackage] = [await s.make.customer(), await monthly({ price_centavos: 145_000, sale_price_centavos: 0 })]
  // Nothing now and nothing later: no processor sells that.
  expect(await refusalOf(buy(ana, classPackage.class_package_id))).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
})
