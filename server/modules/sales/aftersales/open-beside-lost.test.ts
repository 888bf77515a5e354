/**
 * Banks that took a part of a charge and dispute another part of it: what may be refunded, invoiced and used meanwhile (docs/domain.md
 * V24, C21, FA2).
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { readDispute } from '#server/adapters/payments/stripe/facts.ts'
import { chargesOfPurchase } from '#server/modules/fiscal/charge-store.ts'
import { whyNotInvoiceable } from '#server/modules/fiscal/rules.ts'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { applyOnlyForward } from '#server/modules/sales/settlement/regressions.ts'
import { spreadDispute } from '#server/modules/sales/settlement/shared-charges.ts'
import type { InvoiceRow } from '#server/modules/sales/store/store.ts'
import { decideChanges, disputedPart, isOpen, openPart, type PurchaseFacts } from '#server/modules/sales/verdict-rules.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  bank = s.bank()
  bank.held = true
  owner = await s.make.staff('owner')
})
afterAll(async () => {
  expect(await wrongMoney(s, true)).toEqual({})
  await s.close()
})

const TOTAL = 219_000
async function deliverWebhooks() {
  bank.held = false
  await bank.tick()
  bank.held = true
  await deliverPendingWebhooks(s)
  await doJobs(s)
  await reconcile(s.system())
  await doJobs(s)
}

const amount = fc.integer({ min: 1, max: TOTAL - 1 })
const nothing = fc.constant(0)
/** What the bank took and what it disputes, less than the charge together. */
const state = fc.record({ lost: fc.oneof(nothing, amount), open: fc.oneof(nothing, amount) }).map(({ lost, open }) => ({
  lost,
  open: Math.min(open, TOTAL - 1 - lost),
}))

test('whatever a bank takes and disputes: nothing is refunded, invoiced or used of a charge that it looks into, and the sums say both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 4 }), async (states) => {
      const customer = await s.make.customer()
      const { class_package_id } = await s.make.package({ price_centavos: TOTAL, class_amount: 10 })
      const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
      const [attempt] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
      for (const { lost, open } of states) {
        const ref = attempt?.ref_id ?? ''
        if (lost > 0) await bank.dispute(ref, 'lost', lost, open > 0 ? open : null)
        else if (open > 0) await bank.dispute(ref, 'open', open)
        else await bank.dispute(ref, 'won')
        await deliverWebhooks()
        const { sum } = await s.as(owner).studioSales.invoices({ purchase_id })
        const { purchase } = await s.as(owner).studioSales.purchase({ purchase_id })
        const [charge] = await chargesOfPurchase(s.studio.db.read, s.studio.settings(), purchase_id)
        const refused = await refusalOf(s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '1', reason: 'Prueba' })).catch(
          () => null,
        )
        expect({
          lost: Number(sum?.lost),
          disputed: Number(sum?.disputed),
          isDisputed: purchase.disputed,
          status: purchase.status,
          available: (await s.as(customer).credits.list()).summary.available,
          invoice: charge && whyNotInvoiceable(charge),
          kept: charge?.kept,
          refund: lost > 0 || open > 0 ? refused?.code : null,
        }).toEqual({
          lost: lost / 100,
          disputed: open / 100,
          isDisputed: open > 0,
          status: 'completed',
          available: open > 0 ? 0 : 10,
          invoice: open > 0 ? 'el banco lo está revisando.' : null,
          kept: lost === 0 && open === 0 ? expect.any(Number) : TOTAL - lost,
          refund: lost > 0 || open > 0 ? 'CHARGE_DISPUTED' : null,
        })
        // A refund that was done: the charge has another amount left than the states to come are about.
        if (lost === 0 && open === 0) return
      }
    }),
    { numRuns: 8 },
  )
})

const fact = fc
  .record({
    amount: fc.integer({ min: 1, max: 300_000 }),
    disputed: fc.constantFrom('open' as const, 'lost' as const, 'won' as const, undefined),
    disputedAmount: fc.option(fc.integer({ min: 0, max: 400_000 }), { nil: undefined }),
    openAmount: fc.option(fc.integer({ min: 0, max: 400_000 }), { nil: undefined }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ part, disputed, disputedAmount, openAmount, ...rest }) => ({
    ...rest,
    id: 'mov_a',
    currency: 'MXN',
    at: new Date(0),
    refunded: Math.floor(rest.amount * part),
    ...(disputed ? { disputed } : {}),
    ...(disputedAmount === undefined ? {} : { disputedAmount }),
    ...(openAmount === undefined ? {} : { openAmount }),
  }))

test('what was refunded, what the bank took and what it disputes are never more than the charge; it rests while something is open', () => {
  fc.assert(
    fc.property(fact, (of) => {
      const [lost, open] = [disputedPart(of), openPart(of)]
      expect(Math.min(lost, open)).toBeGreaterThanOrEqual(0)
      expect(of.refunded + lost + open).toBeLessThanOrEqual(of.amount)
      const known = { id: of.id, period: '0', refunded: of.refunded, status: 'paid' as const, isOpen: false }
      const purchase: PurchaseFacts = {
        purchase_id: 1,
        status: 'completed',
        is_subscription: false,
        total_centavos: of.amount,
        next_total_centavos: null,
        createdAt: new Date(0),
        buyerRef: null,
        known: [known],
      } as PurchaseFacts
      const facts = { ref: { gateway: 'sandbox', kind: 'payment', id: 'pay_a' }, state: 'paid', next: null, payments: [of] } as const
      const verdict = decideChanges(purchase, facts as never)
      const isGone = of.refunded + (of.disputed === 'lost' ? lost : 0) >= of.amount
      expect(verdict.freezes).toEqual(isOpen(of) && !isGone ? ['0'] : [])
      // Once it rests it does so until nothing is open.
      const later = decideChanges({ ...purchase, known: [{ ...known, isOpen: true }] }, facts as never)
      expect(later.thaws).toEqual(!isOpen(of) && !isGone ? ['0'] : [])
    }),
  )
})

test('what is disputed beside what was lost of several items is divided to the centavo, at most what is left of each', () => {
  const share = fc.record({ left: fc.integer({ min: 0, max: 100_000 }), known: nothing })
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 6 }), amount, amount, (shares, lost, open) => {
      const took = spreadDispute(lost, shares)
      const rest = shares.map(({ left }, at) => ({ left: left - (took[at] ?? 0), known: 0 }))
      for (const [at, part] of spreadDispute(open, rest).entries()) {
        expect(part).toBeGreaterThanOrEqual(0)
        expect(part + (took[at] ?? 0)).toBeLessThanOrEqual(shares[at]?.left ?? 0)
      }
    }),
  )
})

test('Stripe: a lost dispute hides no open one, and an amount in another currency is all that is left', () => {
  const dispute = (status: string, amount: number, currency = 'mxn') =>
    ({ status, amount, currency }) as Parameters<typeof readDispute>[0][number]
  expect(readDispute([dispute('lost', 30_050), dispute('under_review', 20_000)], 'mxn')).toEqual({
    disputed: 'lost',
    disputedAmount: 30_050,
    openAmount: 20_000,
  })
  expect(readDispute([dispute('lost', 30_050), dispute('won', 20_000)], 'mxn')).toEqual({ disputed: 'lost', disputedAmount: 30_050 })
  expect(readDispute([dispute('lost', 30_050), dispute('warning_under_review', 20_000)], 'mxn').openAmount).toBeUndefined()
  const { openAmount } = readDispute([dispute('lost', 30_050), dispute('needs_response', 1_000, 'usd')], 'mxn')
  expect(openPart({ amount: TOTAL, refunded: 0, disputed: 'lost', disputedAmount: 30_050, openAmount: openAmount ?? 0 })).toBe(
    TOTAL - 30_050,
  )
})

test('a read without the open dispute that our books have beside a lost one is confirmed first (V37)', () => {
  const row = {
    invoice_id: 1,
    gateway: 'sandbox',
    provider_payment: 'mov_a',
    refunded_centavos: 0,
    status: 'lost',
    disputed_centavos: 30_050,
    open_dispute_centavos: 20_000,
  } as InvoiceRow
  const seen = {
    id: 'mov_a',
    amount: TOTAL,
    refunded: 0,
    currency: 'MXN',
    at: new Date(0),
    disputed: 'lost' as const,
    disputedAmount: 30_050,
  }
  const facts = { ref: { gateway: 'sandbox', kind: 'payment', id: 'pay_a' }, state: 'paid' as const, next: null, payments: [seen] }
  const { facts: forward, regressions } = applyOnlyForward([row], facts as never, new Map())
  expect(forward.payments).toEqual([{ ...seen, openAmount: 20_000 }])
  expect(applyOnlyForward([row], facts as never, regressions).facts.payments).toEqual([seen])
  // The second one was lost too: more than our books, so nothing is confirmed.
  const both = { ...facts, payments: [{ ...seen, disputedAmount: 50_050 }] }
  expect(applyOnlyForward([row], both as never, new Map()).facts.payments).toEqual(both.payments)
})
