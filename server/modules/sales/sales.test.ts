/** Buying over HTTP, as the browser does (docs/domain.md, "Sales"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio()
  const gateway = s.studio.ports.gateways.get('sandbox')
  if (!(gateway instanceof Sandbox)) throw new Error('no sandbox')
  bank = gateway
})
afterAll(() => s.close())

const visit = () => randomUUID()

test('a card that pays: the purchase is completed, charged once and granted once (S1-4.13, V8, V9)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const answer = await s.as(ana, visit()).sales.attempt({ class_package_id: pack.class_package_id, payment_method: 'tok_ok' })
  expect(answer).toMatchObject({ status: 'completed', clientSecret: null, session: null })
  expect(await bank.ledger(answer.purchase_id)).toMatchObject([{ kind: 'charge', amount: 219_000 }])
  const { summary } = await s.as(ana).credits.list()
  expect(summary.available).toBe(10)
})
