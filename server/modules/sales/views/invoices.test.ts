/** 'Mis Cargos' and the studio's list of charges (docs/domain.md V21). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sweep } from '#server/modules/sales/jobs.ts'
import { START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

test('each of the customer’s charges is one row with its title, newest first; a free purchase has none (S1-3.30, S1-7.41, V21)', async () => {
  const [ana, eva] = [await s.make.customer(), await s.make.customer()]
  const [classPackage, free] = [await s.make.package({ title: 'Diez clases' }), await s.make.package({ price_centavos: 0 })]
  const monthly = await s.make.package({
    title: 'Mensual',
    price_centavos: 145_000,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const answer = await s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' })
  await s.as(ana, randomUUID()).sales.checkout({ class_package_id: free.class_package_id })
  s.clock.advance({ minutes: 1 })
  const sub = await s.as(ana, randomUUID()).sales.attempt({ class_package_id: monthly.class_package_id, payment_method: 'tok_ok' })
  await s.as(eva, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' })
  s.clock.advance({ days: 31 })
  await sweep(s.system())

  const { invoices, total } = await s.as(ana).invoices.list({})
  expect(total).toBe(3)
  expect(invoices.map(({ purchase_id, total_payment, status }) => [purchase_id, total_payment, status])).toEqual([
    [sub.purchase_id, '1450.00', 'paid'],
    [sub.purchase_id, '1450.00', 'paid'],
    [answer.purchase_id, '2190.00', 'paid'],
  ])
  expect(invoices[2]).toMatchObject({
    invoice_id: expect.any(Number),
    class_package: { class_package_id: classPackage.class_package_id, title: 'Diez clases', image: null },
    purchase: { purchase_id: answer.purchase_id, title: 'Diez clases', status: 'completed', subscription_id: null },
    refunded: '0.00',
    createdAt: '2026-11-19T16:00:00.000Z',
    created_date: '2026-11-19T10:00:00.000Z',
    payment_method: { name: expect.stringMatching(/4242/) },
  })
  expect(invoices[0]?.purchase).toMatchObject({ status: 'active', subscription_id: expect.stringMatching(/^sub_/) })
  expect((await s.as(ana).invoices.list({ page: 2 })).invoices).toEqual([])
})
