/** Refunds that a processor accepts and cannot deliver, and words that only seem to take something back (docs/domain.md V37, V13). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { unsupported } from '#server/adapters/payments/failures.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { apply } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'
import { resumeRefunds } from './refunds.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
beforeAll(async () => {
  s = await studio()
  const gateway = s.studio.ports.gateways.get('sandbox')
  if (!(gateway instanceof Sandbox)) throw new Error('no sandbox')
  bank = gateway
  bank.held = true
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

async function buyer() {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ capacity: 1 })
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
  return { who: customer, purchase_id, ref: bank.refOf(row?.ref_id ?? '') }
}
const refund = (purchase_id: number, more: { amount?: string; by_hand?: boolean } = {}) =>
  s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Se mudó', ...more })
const detail = (purchase_id: number) => s.as(owner).studioSales.purchase({ purchase_id })
const available = async (person: Person) => (await s.as(person).credits.list()).summary.available
const discrepancies = async (purchase_id: number) =>
  (await s.as(owner).differences.list()).money_differences.filter((discrepancy) => discrepancy.purchase_id === purchase_id)
/** What the customer reads: of the purchase, of its charge, and in the notices of their own area. */
const read = async (person: Person, purchase_id: number) => {
  await doJobs(s)
  const mine = s.as(person)
  const { messages } = await mine.messages.list({})
  return {
    owed: [(await mine.sales.one({ id: purchase_id })).purchase.refund_owed, (await mine.invoices.list({})).invoices[0]?.refund_owed],
    said: messages
      .filter(({ event }) => event === 'refund_owed' || event === 'payment_refunded')
      .map(({ title, lines }) => [title, lines[1]]),
  }
}
const PROMISED = 'Regresa a la forma de pago que usaste; tu banco puede tardar unos días en mostrarlo.'
const OWED = 'No se pudo entregar en la forma de pago que usaste. El dinero sigue en el estudio y es tuyo: te lo damos por otro medio.'
async function deliverWebhooks() {
  bank.held = false
  await bank.tick()
  bank.held = true
  await deliverPendingWebhooks(s)
}

test.each(['a notice', 'reconciling'])(
  'a whole refund that comes back, told by %s: the money is owed, the credits stay gone, the owner is told',
  async (by) => {
    const { who, purchase_id, ref } = await buyer()
    expect((await refund(purchase_id)).purchase).toMatchObject({ status: 'revoked', refunded: '2190.00' })
    const promised = ['Te devolvimos $2,190.00', PROMISED]
    expect(await read(who, purchase_id)).toEqual({ owed: ['0.00', '0.00'], said: [promised] })
    await bank.failRefund(ref.id)
    if (by === 'a notice') await deliverWebhooks()
    else await reconcile(s.system())
    const failed = ['Tu reembolso de $2,190.00 no llegó', OWED]
    expect(await read(who, purchase_id)).toEqual({ owed: ['2190.00', '2190.00'], said: [failed, promised] })
    const { purchase, invoices, refunds } = await detail(purchase_id)
    expect([purchase.status, purchase.refunded, invoices[0]?.status, refunds[0]?.state]).toEqual(['revoked', '0.00', 'paid', 'refused'])
    expect(await available(who)).toBe(0)
    const owed = { kind: 'refund_failed', closedAt: null, details: { amount: 219_000, their_refund: 0, our_refund: 219_000 } }
    expect(await discrepancies(purchase_id)).toMatchObject([owed])
    // A repeated delivery sends no second message, and reconciliation finds no other discrepancy.
    await deliverWebhooks()
    await reconcile(s.system())
    expect(await discrepancies(purchase_id)).toMatchObject([owed])
    expect(await s.sql(`select 1 from audit where action = 'money.refund_failed' and entity_id = $1`, [String(purchase_id)])).toHaveLength(
      1,
    )
    // It goes back at the counter: that closes it.
    s.clock.advance({ days: 1 })
    expect((await refund(purchase_id, { by_hand: true })).refund).toMatchObject({ state: 'done', amount: '2190.00' })
    expect((await detail(purchase_id)).purchase.refunded).toBe('2190.00')
    // Its customer reads so at once, and not that a bank brings it this time.
    const refundTexts = ['Te devolvimos $2,190.00', 'Lo recibes del estudio.']
    expect(await read(who, purchase_id)).toEqual({ owed: ['0.00', '0.00'], said: [refundTexts, failed, promised] })
    await reconcile(s.system())
    expect(await discrepancies(purchase_id)).toMatchObject([{ kind: 'refund_failed', closed_by: 'mended' }])
    expect(await available(who)).toBe(0)
  },
)

test('a failed partial refund can be made again through the processor; other refunds stay', async () => {
  const { who, purchase_id, ref } = await buyer()
  await refund(purchase_id, { amount: '300' })
  s.clock.advance({ minutes: 1 })
  await refund(purchase_id, { amount: '500' })
  await bank.failRefund(ref.id)
  await deliverWebhooks()
  const { purchase, invoices, refunds } = await detail(purchase_id)
  expect([purchase.status, purchase.refunded, invoices[0]?.status]).toEqual(['completed', '300.00', 'partially_refunded'])
  expect(refunds.map(({ amount, state }) => `${amount} ${state}`)).toEqual(['500.00 refused', '300.00 done'])
  expect(await available(who)).toBe(10)
  expect((await read(who, purchase_id)).owed).toEqual(['500.00', '500.00'])
  expect((await refund(purchase_id)).refund).toMatchObject({ amount: '1890.00', state: 'done' })
  expect(await available(who)).toBe(0)
  await reconcile(s.system())
  expect(await discrepancies(purchase_id)).toMatchObject([{ closed_by: 'mended' }])
})

test('a failed refund of the processor’s panel is owed as well', async () => {
  const { purchase_id, ref } = await buyer()
  const [payment] = (await bank.settle(ref)).payments
  await bank.refund(ref, payment?.id ?? '', 219_000, { purchase: 1, step: `panel-${ref.id}`, n: 1 })
  await deliverWebhooks()
  expect((await detail(purchase_id)).purchase.status).toBe('revoked')
  await bank.failRefund(ref.id)
  await deliverWebhooks()
  expect((await detail(purchase_id)).invoices).toMatchObject([{ status: 'paid', refunded: '0.00' }])
  expect(await discrepancies(purchase_id)).toMatchObject([{ kind: 'refund_failed', details: { amount: 219_000 } }])
})

test('a failed refund with an unknown outcome is refused by the job, and the customer is notified', async () => {
  const { who, purchase_id, ref } = await buyer()
  const real = bank.refund.bind(bank)
  const lost = vi.spyOn(bank, 'refund').mockImplementationOnce(async (...input) => {
    await real(...input)
    throw new Error('the line was cut')
  })
  expect((await refund(purchase_id, { amount: '100' })).refund.state).toBe('asked')
  lost.mockRestore()
  await bank.failRefund(ref.id)
  s.clock.advance({ minutes: 3 })
  await resumeRefunds(s.system(), 10)
  expect((await detail(purchase_id)).refunds).toMatchObject([{ state: 'refused' }])
  expect(await discrepancies(purchase_id)).toMatchObject([{ kind: 'refund_failed', details: { amount: 10_000 } }])
  // Closed by hand, because it was settled otherwise, it is owed no more.
  expect((await read(who, purchase_id)).owed[0]).toBe('100.00')
  const [open] = await discrepancies(purchase_id)
  await s.as(owner).differences.close({ money_difference_id: open?.money_difference_id ?? 0, reason: 'Se le dio una clase' })
  expect((await read(who, purchase_id)).owed[0]).toBe('0.00')
})

test('an older read of the processor does not undo a refund or dispute', async () => {
  const { who, purchase_id, ref } = await buyer()
  const before = await bank.settle(ref)
  await refund(purchase_id)
  await apply(s.system(), before, null)
  expect((await detail(purchase_id)).invoices).toMatchObject([{ status: 'refunded', refunded: '2190.00' }])
  expect(await discrepancies(purchase_id)).toEqual([])

  const other = await buyer()
  const calm = await bank.settle(other.ref)
  await bank.dispute(other.ref.id, 'open')
  const open = await bank.settle(other.ref)
  await deliverWebhooks()
  await apply(s.system(), calm, null)
  expect((await detail(other.purchase_id)).purchase.disputed).toBe(true)
  await bank.dispute(other.ref.id, 'lost')
  await deliverWebhooks()
  await doJobs(s)
  for (const older of [calm, open]) {
    await apply(s.system(), older, null)
    expect((await detail(other.purchase_id)).invoices).toMatchObject([{ status: 'lost' }])
  }
  expect(await available(who)).toBe(0)
})

test('a regression that cannot be confirmed waits for the next read', async () => {
  const { purchase_id, ref } = await buyer()
  await refund(purchase_id)
  await bank.failRefund(ref.id)
  const facts = await bank.settle(ref)
  const cut = vi.spyOn(bank, 'settle').mockRejectedValueOnce(new Error('the line was cut'))
  await apply(s.system(), facts, null)
  cut.mockRestore()
  expect((await detail(purchase_id)).invoices).toMatchObject([{ status: 'refunded' }])
  await deliverWebhooks()
  expect((await detail(purchase_id)).invoices).toMatchObject([{ status: 'paid' }])
})

test('late money that the processor cannot refund is notified once and not retried every minute (V13)', async () => {
  const { who, purchase_id, ref } = await (async () => {
    const person = await s.make.customer()
    const { class_package_id } = await s.make.package({ capacity: 1 })
    const answer = await s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_3ds' })
    await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [answer.purchase_id])
    const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [answer.purchase_id])
    return { who: person, purchase_id: answer.purchase_id, ref: bank.refOf(row?.ref_id ?? '') }
  })()
  const refundCall = vi.spyOn(bank, 'refund').mockRejectedValue(unsupported('PAYMENT_METHOD_UNAVAILABLE'))
  await bank.authorize(ref.id, true)
  await deliverWebhooks()
  for (let minute = 0; minute < 3; minute++) {
    s.clock.advance({ minutes: 1 })
    await sweep(s.system())
  }
  expect(refundCall).toHaveBeenCalledTimes(1)
  refundCall.mockRestore()
  expect((await detail(purchase_id)).purchase).toMatchObject({ status: 'failed', alarm: 'late_payment' })
  expect(await discrepancies(purchase_id)).toMatchObject([{ kind: 'refund_failed', details: { amount: 219_000 } }])
  expect(await available(who)).toBe(0)
  expect(await read(who, purchase_id)).toMatchObject({
    owed: ['2190.00', '2190.00'],
    said: [['Tu pago de $2,190.00 llegó tarde', expect.stringContaining('La orden ya estaba cerrada')]],
  })
  await refund(purchase_id, { by_hand: true })
  await reconcile(s.system())
  expect(await discrepancies(purchase_id)).toMatchObject([{ closed_by: 'mended' }])
})
