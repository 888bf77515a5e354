/**
 * Banks that dispute or take only a part of a charge, over HTTP: the lost part is stored apart from refunds (docs/domain.md V24, V29, V37).
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Facts, PaymentFact } from '#server/adapters/payments/port.ts'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { applyOnlyForward } from '#server/modules/sales/settlement/regressions.ts'
import { spreadDispute } from '#server/modules/sales/settlement/shared-charges.ts'
import type { InvoiceRow } from '#server/modules/sales/store/store.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { monthlyPackage } from '#server/testing/subscribers.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'] as const

let s: TestStudio
let bank: Sandbox
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  bank = s.bank()
  bank.held = true
  owner = await s.make.staff('owner')
})
beforeEach(() => s.clock.set(START))
afterAll(async () => {
  expect(await wrongMoney(s, true)).toEqual({})
  await s.close()
})

/** A customer who bought ten classes for 2,190 pesos by card on the first day of the test. */
async function buyer() {
  s.clock.set(`${DAYS[0]}T12:00:00-06:00`)
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ title: 'Diez clases', price_centavos: 219_000 })
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const [attempt] = await s.sql<{ ref_id: string; payment: string }>(
    'select a.ref_id, i.provider_payment as payment from payment_attempt a join invoice i using (purchase_id) where purchase_id = $1',
    [purchase_id],
  )
  return { customer, purchase_id, class_package_id, ref_id: attempt?.ref_id ?? '', payment: attempt?.payment ?? '' }
}
const on = (day: (typeof DAYS)[number]) => s.clock.set(`${day}T12:00:00-06:00`)
async function deliverWebhooks() {
  bank.held = false
  await bank.tick()
  bank.held = true
  await deliverPendingWebhooks(s)
  await doJobs(s)
}
/** Charged, refunded and lost of a purchase on each of the days, and what is in dispute now, in pesos. */
async function sumsOf(purchase_id: number) {
  const of = async (more: { from?: string; to?: string }) => {
    const { sum } = await s.as(owner).studioSales.invoices({ purchase_id, ...more })
    if (!sum) throw new Error('The owner has no sums.')
    return sum
  }
  const { charged, refunded, lost, disputed } = await of({})
  const days = await Promise.all(DAYS.map((day) => of({ from: day, to: day })))
  return {
    all: [charged, refunded, lost, disputed].map(Number),
    days: days.map((sum) => Number(sum.charged) - Number(sum.refunded) - Number(sum.lost)),
  }
}
const spentBy = async (customer_id: number) => (await s.as(owner).customerFile.one({ customer_id })).figures.spent

describe('a dispute of a part of a charge', () => {
  test('lost, is not credited to a change of plan (V53)', async () => {
    const { purchase_id, ref_id } = await buyer()
    on(DAYS[1])
    const class_package_id = await monthlyPackage(s, { title: 'Ilimitada', price_centavos: 290_000, class_amount: -1 })
    const credit = async () => {
      const { quote } = await s.as(owner, randomUUID()).studioSubscriptions.changePlan({ purchase_id, class_package_id, dry_run: true })
      return Number(quote?.credit)
    }
    const before = await credit()
    await bank.dispute(ref_id, 'open', 30_050)
    await bank.dispute(ref_id, 'lost')
    await deliverWebhooks()
    expect([before > 1_900, Math.round(((await credit()) / before) * 10_000)]).toEqual([true, Math.round((1_889.5 / 2_190) * 10_000)])
  })

  test('lost twice on different days, counts each loss on its own day, also in what the studio collected (V29)', async () => {
    const { purchase_id, ref_id } = await buyer()
    on(DAYS[1])
    await bank.dispute(ref_id, 'open', 30_050)
    await bank.dispute(ref_id, 'lost')
    await deliverWebhooks()
    on(DAYS[2])
    await bank.dispute(ref_id, 'lost', 30_050, 20_000)
    await deliverWebhooks()
    expect(await sumsOf(purchase_id)).toEqual({ all: [2190, 0, 300.5, 200], days: [2190, -300.5, 0, 0, 0] })
    on(DAYS[3])
    await bank.dispute(ref_id, 'lost', 50_050)
    await deliverWebhooks()
    const twice = { all: [2190, 0, 500.5, 0], days: [2190, -300.5, 0, -200, 0] }
    expect(await sumsOf(purchase_id)).toEqual(twice)
    await reconcile(s.system())
    expect(await sumsOf(purchase_id)).toEqual(twice)
    const moved = 'select amount_centavos from dispute_movement join invoice using (invoice_id) where purchase_id = $1 order by 1'
    expect(await s.sql(moved, [purchase_id])).toEqual([{ amount_centavos: 20_000 }, { amount_centavos: 30_050 }])
    await expect(s.sql('update dispute_movement set amount_centavos = 1')).rejects.toThrow('never changed')
  })

  test('lost, takes that part of the books and is no refund; the customer keeps what it bought until the rest went back', async () => {
    const { customer, purchase_id, ref_id, payment, class_package_id } = await buyer()
    on(DAYS[1])
    await bank.dispute(ref_id, 'open', 30_050)
    await deliverWebhooks()
    expect(await sumsOf(purchase_id)).toEqual({ all: [2190, 0, 0, 300.5], days: [2190, 0, 0, 0, 0] })
    expect((await s.as(customer).credits.list()).summary.available).toBe(0)
    await bank.dispute(ref_id, 'lost')
    await deliverWebhooks()
    const lost = { all: [2190, 0, 300.5, 0], days: [2190, -300.5, 0, 0, 0] }
    expect(await sumsOf(purchase_id)).toEqual(lost)
    expect((await s.as(owner).studioSales.purchase({ purchase_id })).purchase).toMatchObject({
      status: 'completed',
      refunded: '0.00',
      disputed: false,
    })
    expect((await s.as(customer).credits.list()).summary.available).toBe(10)
    expect((await s.as(owner).studioSales.purchase({ purchase_id })).invoices).toMatchObject([{ status: 'lost', lost: '300.50' }])
    expect(await spentBy(customer.customer_id)).toBe('1889.50')
    expect((await s.as(owner).studioPackages.figures({ class_package_id })).collected_ever).toBe('1889.50')
    expect(await refusalOf(s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Prueba' }))).toMatchObject({
      code: 'CHARGE_DISPUTED',
    })
    await reconcile(s.system())
    expect(await sumsOf(purchase_id)).toEqual(lost)

    // The studio gives the rest back in the processor's panel.
    on(DAYS[3])
    await bank.refund({ gateway: 'sandbox', kind: 'payment', id: ref_id }, payment, 188_950, { purchase: purchase_id, step: 'panel', n: 1 })
    await deliverWebhooks()
    expect(await sumsOf(purchase_id)).toEqual({ all: [2190, 1889.5, 300.5, 0], days: [2190, -300.5, 0, -1889.5, 0] })
    expect((await s.as(owner).studioSales.purchase({ purchase_id })).purchase).toMatchObject({ status: 'revoked', refunded: '1889.50' })
    expect((await s.as(customer).credits.list()).summary.available).toBe(0)
    expect(await spentBy(customer.customer_id)).toBe('0.00')
    await reconcile(s.system())
    expect((await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)).toEqual([])
  })

  test('after a refund, is about what was left at most', async () => {
    const { purchase_id, ref_id } = await buyer()
    on(DAYS[1])
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '2000', reason: 'Prueba' })
    await bank.dispute(ref_id, 'open', 30_050)
    await bank.dispute(ref_id, 'lost')
    await deliverWebhooks()
    expect(await sumsOf(purchase_id)).toEqual({ all: [2190, 2000, 190, 0], days: [2190, -2190, 0, 0, 0] })
  })

  test.each([
    ['a part', 30_050, 300.5],
    ['all', undefined, 2190],
  ])('%s that was lost and won after all, and a refund after that, change no day that is over (V29)', async (_, amount, pesos) => {
    const { purchase_id, ref_id, payment } = await buyer()
    on(DAYS[1])
    await bank.dispute(ref_id, 'open', amount)
    await bank.dispute(ref_id, 'lost')
    await deliverWebhooks()
    on(DAYS[2])
    await bank.dispute(ref_id, 'won')
    await deliverWebhooks()
    expect(await sumsOf(purchase_id)).toEqual({ all: [2190, 0, 0, 0], days: [2190, -pesos, pesos, 0, 0] })
    on(DAYS[4])
    await bank.refund({ gateway: 'sandbox', kind: 'payment', id: ref_id }, payment, 150_000, { purchase: purchase_id, step: 'panel', n: 1 })
    await deliverWebhooks()
    expect(await sumsOf(purchase_id)).toEqual({ all: [2190, 1500, 0, 0], days: [2190, -pesos, pesos, 0, -1500] })
  })
})

test('a bank that took a part of the sale of a gift card takes that part of its balance, and returns it', async () => {
  await s.having({ gift_cards_on_site: true, gift_card_amounts: '500' }, async () => {
    const { path, purchase_id } = await s.as(await s.make.customer(), randomUUID()).giftCardOrders.buy({ amount: '500' })
    const { url } = await s.as(null).paymentLinks.pay({ token: path.split('/').at(-1) ?? '' })
    await bank.giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', 'tok_ok')
    await deliverWebhooks()
    const [attempt] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
    const balance = async () =>
      (
        await s.sql<{ balance: number }>(
          'select balance_centavos as balance from gift_card_movement join gift_card g using (gift_card_id) where g.purchase_id = $1 order by n desc limit 1',
          [purchase_id],
        )
      )[0]?.balance
    const balances: unknown[] = [await balance()]
    for (const state of ['open', 'lost', 'won', 'lost'] as const) {
      await bank.dispute(attempt?.ref_id ?? '', state, 30_050)
      await deliverWebhooks()
      await reconcile(s.system())
      balances.push(await balance())
    }
    expect(balances).toEqual([50_000, 0, 19_950, 50_000, 19_950])
  })
})

describe('what a bank takes of a charge of several items', () => {
  const share = fc.record({ left: fc.integer({ min: 0, max: 300_000 }), known: fc.constant(0) })

  test('what a bank takes of a charge of several items is divided to the centavo, at most what is left of each', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 3_000_000 }), (shares, disputed) => {
        const parts = spreadDispute(disputed, shares)
        const left = shares.reduce((sum, share) => sum + share.left, 0)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Math.min(disputed, left))
        for (const [at, part] of parts.entries()) {
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(shares[at]?.left ?? 0)
        }
        // Read again after a refund that leaves room for it, it stays where it is.
        const later = parts.map((known, at) => ({ known, left: Math.max(known, (shares[at]?.left ?? 0) - 7) }))
        if (disputed <= left) expect(spreadDispute(disputed, later)).toEqual(parts)
      }),
    )
  })
})

describe('a read without the dispute that our books have', () => {
  const fact: PaymentFact = { id: 'mov_a', amount: 219_000, refunded: 0, currency: 'MXN', at: new Date(START) }
  const facts = (payment: PaymentFact): Facts => ({
    ref: { gateway: 'sandbox', kind: 'payment', id: 'pay_a' },
    state: 'paid',
    next: null,
    payments: [payment],
    purchaseId: 1,
  })
  const row = (values: Partial<InvoiceRow>) =>
    ({ invoice_id: 1, gateway: 'sandbox', provider_payment: 'mov_a', refunded_centavos: 0, ...values }) as InvoiceRow

  test.each([
    ['disputed', 'open'],
    ['lost', 'lost'],
  ] as const)('leaves the part that is %s as it is until it is confirmed (V37)', (status, disputed) => {
    const charge = row({ status, disputed_centavos: 30_050 })
    const { facts: forward, regressions } = applyOnlyForward([charge], facts(fact), new Map())
    expect(forward.payments).toEqual([{ ...fact, disputed, disputedAmount: 30_050 }])
    expect(applyOnlyForward([charge], facts(fact), regressions).facts.payments).toEqual([fact])
  })
})
