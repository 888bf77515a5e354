/** Reconciliation of the books with the processors (docs/domain.md V31). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, salesJobs, sweep } from '#server/modules/sales/jobs.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { compareBooks } from './reconciliation.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true } })
  await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
  await s.make.paymentMethod({ payment_method_id: 2, name: 'Efectivo' })
  bank = s.bank()
  // Every notice is lost.
  bank.held = true
})
afterAll(() => s.close())
beforeEach(() => s.sql('delete from money_difference'))

const compare = () => reconcile(s.system())
const open = async () =>
  (
    await s.sql<{ kind: string; about: string; purchase_id: number | null }>(
      'select * from money_difference where "closedAt" is null order by 1',
    )
  ).map(({ kind, about, purchase_id }) => ({ kind, about, purchase_id }))
const closed = () => s.sql<{ closed_by: string }>('select closed_by from money_difference where "closedAt" is not null')
async function bought(card = 'tok_ok', more: Parameters<TestStudio['make']['package']>[0] = {}) {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package(more)]
  const { purchase_id } = await s
    .as(ana, randomUUID())
    .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: card })
  const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
  const [paid] = await s.sql<{ provider_payment: string }>('select provider_payment from invoice where purchase_id = $1', [purchase_id])
  return { ana, purchase_id, id: row?.ref_id ?? '', payment: paid?.provider_payment ?? '' }
}
const status = async (purchase_id: number) =>
  (await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [purchase_id]))[0]?.status

test('runs every minute, every quarter of an hour and every day', () => {
  const every = Object.fromEntries(salesJobs.flatMap((job) => (job.every ? [[job.name, job.every]] : [])))
  expect(every).toMatchObject({ 'sales.sweep': '* * * * *', 'sales.reconcile-recent': '*/15 * * * *', 'sales.reconcile': '40 9 * * *' })
})

test('matching books have no discrepancies: paid, refused, pending, refunded, cash, free, trial', async () => {
  await bought()
  await bought('tok_3ds')
  const [ana, classPackage, free] = [await s.make.customer(), await s.make.package(), await s.make.package({ price_centavos: 0 })]
  await refusalOf(s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_funds' }))
  await s.as(ana, randomUUID()).sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: 2 })
  await s.as(ana, randomUUID()).sales.checkout({ class_package_id: free.class_package_id })
  const month = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const
  await bought('tok_ok', month)
  await bought('tok_ok', { ...month, free_trial_length: 7, free_trial_period: 'day' })
  // A sign-up fee gives no classes (C12).
  await bought('tok_ok', { class_amount: 0, expiration_days: 0 })
  const back = await bought()
  await bank.refund(bank.refOf(back.id), back.payment, 45_000, { purchase: back.purchase_id, step: 'panel', n: 1 })
  // What the counter gave back is in our books only.
  const counter = await bought()
  const refund = { purchase_id: counter.purchase_id, amount: '100.00', by_hand: true, reason: 'En efectivo' }
  await s.as(await s.make.staff('owner')).studioSales.refund(refund)
  await compare()
  expect(await open()).toEqual([])
  // What was given back at the processor itself is known here now, though no notice came.
  const [row] = await s.sql<{ refunded_centavos: number }>('select refunded_centavos from invoice where purchase_id = $1', [
    back.purchase_id,
  ])
  expect(row?.refunded_centavos).toBe(45_000)
  for (const purchase of [await bought('tok_3ds')]) {
    await bank.authorize(purchase.id, true)
    expect(await status(purchase.purchase_id)).toBe('pending')
    await compareBooks(s.system(), 3_600_000)
    expect(await status(purchase.purchase_id)).toBe('completed')
  }
  expect(await open()).toEqual([])
})

test('money that no purchase knows is reported once, and closed by the owner with a reason', async () => {
  const facts = await bank.start({
    key: { purchase: 1_900_000_001, step: 'pay', n: 1 },
    amount: 145_000,
    currency: 'MXN',
    title: 'De otra base de datos',
    buyer: { customer_id: 1_900_000_001, ref: null, email: 'x@ejemplo.mx', name: 'X', phone: null },
    instrument: { by: 'card-token', token: 'tok_ok' },
    expiresAt: new Date(s.clock.now().getTime() + 900_000),
    returnUrl: 'http://localhost:3000/gracias/1',
  })
  for (let n = 0; n < 2; n++) await compare()
  expect(await open()).toEqual([{ kind: 'unknown_object', about: facts.ref.id, purchase_id: null }])
  expect(s.logged.filter((line) => line.includes('reconciliation.discrepancy_found')).length).toBe(1)
  const [owner, reception] = [await s.make.staff('owner'), await s.make.staff('reception')]
  expect(await refusalOf(s.as(reception).differences.list())).toMatchObject({ code: 'FORBIDDEN' })
  const [listed] = (await s.as(owner).differences.list()).money_differences
  expect(listed).toMatchObject({ kind: 'unknown_object', gateway: 'sandbox', details: { paid: 145_000, said_purchase: 1_900_000_001 } })
  const money_difference_id = listed?.money_difference_id ?? 0
  const { money_difference } = await s.as(owner).differences.close({ money_difference_id, reason: 'Era de la copia de pruebas' })
  expect(money_difference).toMatchObject({ closed_by: 'staff' })
  expect(await refusalOf(s.as(owner).differences.close({ money_difference_id, reason: 'Otra vez' }))).toMatchObject({ code: 'NOT_FOUND' })
  const [audit] = await s.sql<{ reason: string }>(`select reason from audit where action = 'money.close'`)
  expect(audit?.reason).toBe('Era de la copia de pruebas')
  await bank.refund(facts.ref, facts.payments[0]?.id ?? '', 145_000, { purchase: 1_900_000_001, step: 'panel', n: 1 })
})

test('another amount, money without its grant, and grants without money are reported, and corrected ones close', async () => {
  const [other, lost, unpaid] = [await bought(), await bought(), await bought()]
  await s.sql('update invoice set total_centavos = total_centavos + 100, net_centavos = net_centavos + 100 where purchase_id = $1', [
    other.purchase_id,
  ])
  const creditLots = await s.sql('select * from available_class where purchase_id = $1', [lost.purchase_id])
  expect(creditLots.length).toBe(1)
  await s.sql('update available_class set purchase_id = null where purchase_id = $1', [lost.purchase_id])
  await s.sql(`update sandbox_ledger set object = 'pay_otra' where object = $1`, [unpaid.id])
  const found = [
    { kind: 'amount_differs', about: other.payment, purchase_id: other.purchase_id },
    { kind: 'paid_no_grant', about: lost.payment, purchase_id: lost.purchase_id },
    { kind: 'grant_no_money', about: unpaid.payment, purchase_id: unpaid.purchase_id },
  ]
  for (let n = 0; n < 2; n++) {
    await compare()
    expect((await open()).sort((a, b) => (a.purchase_id ?? 0) - (b.purchase_id ?? 0))).toEqual(found)
  }
  // Older than every window, and still there.
  s.clock.advance({ days: 10 })
  await compare()
  expect((await open()).length).toBe(3)
  await s.sql('update invoice set total_centavos = total_centavos - 100, net_centavos = net_centavos - 100 where purchase_id = $1', [
    other.purchase_id,
  ])
  await s.sql('update available_class set purchase_id = $1 where available_class_id = $2', [
    lost.purchase_id,
    (creditLots[0] as { available_class_id: number }).available_class_id,
  ])
  await s.sql(`update sandbox_ledger set object = $1 where object = 'pay_otra'`, [unpaid.id])
  await compare()
  expect(await open()).toEqual([])
  expect((await closed()).map(({ closed_by }) => closed_by)).toEqual(['mended', 'mended', 'mended'])
})

test('a charge of another amount than the purchase is an alarm and a discrepancy, and grants nothing (V11)', async () => {
  const payment = await bought('tok_3ds')
  await s.sql('update sandbox_payment set amount = 100 where id = $1', [payment.id])
  await bank.authorize(payment.id, true)
  await compare()
  expect(await open()).toMatchObject([{ kind: 'amount_differs', purchase_id: payment.purchase_id }])
  expect(await s.sql('select 1 from available_class where purchase_id = $1', [payment.purchase_id])).toEqual([])
})

test('an unreachable processor does not block the others', async () => {
  const payment = await bought('tok_3ds')
  await bank.authorize(payment.id, true)
  const cash = s.studio.ports.gateways.get('efectivo')
  if (!cash) throw new Error('no cash')
  const since = cash.since
  cash.since = async function* () {
    yield* []
    throw new Error('away')
  }
  await compare()
  cash.since = since
  expect(await status(payment.purchase_id)).toBe('completed')
  expect(s.logged.some((line) => line.includes('reconciliation.failed'))).toBe(true)
  await sweep(s.system())
})

test('a trial paused past its end is no grant without money (V31, V34)', async () => {
  const reception = await s.make.staff('reception')
  const { class_package_id } = await s.make.package({
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    free_trial_length: 7,
    free_trial_period: 'day',
  })
  const ana = await s.make.customer()
  const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  s.clock.advance({ days: 6 })
  await s.as(reception).studioSales.pause({ purchase_id, reason: 'De viaje' })
  for (const days of [1, 1, 8, 30]) {
    s.clock.advance({ days })
    await bank.tick()
    await compare()
    expect((await open()).filter((purchase) => purchase.purchase_id === purchase_id)).toEqual([])
  }
})
