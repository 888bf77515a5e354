/** Rules of docs/domain.md, "Sales". */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodsAfter } from '#contract/billing.ts'
import { defaultSettings } from '#contract/settings.ts'
import { endOfDay, localDate } from '#contract/time.ts'
import type { Facts, PaymentFact, PaymentState } from '#server/adapters/payments/port.ts'
import {
  type AttemptState,
  type BuyerFacts,
  creditsEnd,
  freeSlot,
  isFree,
  LATE,
  mayBecome,
  ONE_OFF,
  type PackageFacts,
  quotePrice,
  readMethod,
  subscriptionPlan,
  TRIAL,
  webhookRetryDelayMs,
  whyNotBuy,
  whyNotCut,
} from './rules.ts'
import { decideChanges, type InvoiceFact, type PurchaseFacts } from './verdict-rules.ts'

const ZONE = 'America/Mexico_City'
const at = new Date('2026-11-19T16:00:00Z')

const classPackage = (values: Partial<PackageFacts> = {}): PackageFacts => ({
  class_package_id: 7,
  price_centavos: 145_000,
  sale_price_centavos: null,
  class_amount: 8,
  is_trial: false,
  is_subscription: false,
  subscription_period: null,
  subscription_interval: null,
  free_trial_length: null,
  free_trial_period: null,
  limit_per_customer: null,
  ...values,
})
const buyer: BuyerFacts = { pendingDocuments: 0, signupFee: null, live: 0 }

describe('price (V1)', () => {
  test('a discount that takes nothing off is refused, and one that leaves a subscription never charged (D3)', () => {
    const no = (values: Partial<PackageFacts>, amount: number, first_invoice_only = false) => {
      const cut = { amount, is_percent: true, first_invoice_only }
      return whyNotCut(classPackage(values), quotePrice(classPackage(values), cut))?.code ?? null
    }
    expect(no({}, 1_000)).toBeNull()
    expect(no({}, 10_000)).toBeNull()
    expect(no({ price_centavos: 0 }, 1_000)).toBe('DISCOUNT_INVALID')
    expect(no({ price_centavos: 100 }, 1)).toBe('DISCOUNT_INVALID')
    expect(no({ is_subscription: true }, 10_000)).toBe('DISCOUNT_INVALID')
    expect(no({ is_subscription: true }, 10_000, true)).toBeNull()
  })

  test('only a one-off at no cost is free (V14, S1-2.68)', () => {
    expect(isFree(classPackage(), quotePrice(classPackage({ price_centavos: 0 }), null))).toBe(true)
    expect(isFree(classPackage({ is_subscription: true }), quotePrice(classPackage({ price_centavos: 0 }), null))).toBe(false)
    expect(isFree(classPackage(), quotePrice(classPackage(), null))).toBe(false)
  })
})

describe('who may buy (V2, V3)', () => {
  const code = (values: Partial<PackageFacts>, more: Partial<BuyerFacts> = {}) =>
    whyNotBuy(classPackage(values), { ...buyer, ...more }, defaultSettings)?.code ?? null

  test('refuses with a closed checkout, missing documents and a reached limit', () => {
    expect(code({})).toBeNull()
    expect(whyNotBuy(classPackage(), buyer, { ...defaultSettings, checkout_disabled: true })?.code).toBe('CHECKOUT_DISABLED')
    expect(code({}, { pendingDocuments: 1 })).toBe('DOCUMENTS_REQUIRED')
    expect(code({ limit_per_customer: 1 }, { live: 1 })).toBe('PURCHASE_LIMIT')
    expect(code({ limit_per_customer: 2 }, { live: 1 })).toBeNull()
    expect(whyNotBuy(classPackage({ is_subscription: true }), buyer, { ...defaultSettings, subscriptions_enabled: false })?.code).toBe(
      'PAYMENT_METHOD_UNAVAILABLE',
    )
  })

  test('requires the sign-up fee first, except for trials and itself (S1-5.23, S1-5.24, S1-9.09)', () => {
    const unpaid = { signupFee: { class_package_id: 3, paid: false } }
    expect(whyNotBuy(classPackage(), { ...buyer, ...unpaid }, defaultSettings)).toMatchObject({
      code: 'SIGNUP_FEE_REQUIRED',
      data: { class_package_id: 3 },
    })
    expect(code({ class_package_id: 3 }, unpaid)).toBeNull()
    expect(code({ is_trial: true }, unpaid)).toBeNull()
    expect(code({ class_amount: 1, limit_per_customer: 1 }, unpaid)).toBeNull()
    expect(code({}, { signupFee: { class_package_id: 3, paid: true } })).toBeNull()
  })

  test('slots are the smallest free ones', () => {
    expect(freeSlot([], null)).toBeNull()
    expect(freeSlot([], 3)).toBe(1)
    expect(freeSlot([1, 3, null], 3)).toBe(2)
    expect(freeSlot([2], 2)).toBe(1)
  })
})

test('reads the instrument from the spec’s request formats (S1-7.45, S1-7.49, settled 14)', () => {
  const embedded = { stripe_checkout_mode: 'embedded' } as const
  const token = { by: 'card-token', token: 'tok_ok' }
  expect(readMethod({ payment_method: 'tok_ok' }, embedded)).toEqual(token)
  expect(readMethod({ payment_method: { id: 'tok_ok' } }, embedded)).toEqual(token)
  expect(readMethod({ payment_method: 1, payment_method_id: 'tok_ok' }, embedded)).toEqual(token)
  expect(readMethod({ payment_method: 'card' }, embedded)).toBeNull()
  expect(readMethod({ payment_method: 1, payment_method_id: 1 }, embedded)).toBeNull()
  expect(readMethod({ payment_method: '1' }, embedded)).toBeNull()
  expect(readMethod({}, { stripe_checkout_mode: 'session' })).toEqual({ by: 'hosted-page' })
  expect(readMethod({ payment_source_id: 12, payment_method: 'tok_ok' }, embedded)).toEqual({ by: 'saved-card', payment_source_id: 12 })
  expect(readMethod({ payment_method: 'fuente-12' }, embedded)).toEqual({ by: 'saved-card', payment_source_id: 12 })
  expect(readMethod({ payment_method: 'fuente-0' }, embedded)).toEqual({ by: 'card-token', token: 'fuente-0' })
})

const frozen = {
  is_subscription: true,
  subscription_period: 'month' as const,
  subscription_interval: 2,
  free_trial_length: null,
  free_trial_period: null,
  total_centavos: 116_000,
  next_total_centavos: 145_000,
  createdAt: at,
}

describe('periods (V16, settled 35)', () => {
  test('the 31st becomes the last day of the month, at the same local hour', () => {
    expect(periodsAfter(new Date('2026-01-31T18:00:00Z'), 'month', 1, ZONE).toISOString()).toBe('2026-02-28T18:00:00.000Z')
    expect(periodsAfter(new Date('2026-01-31T18:00:00Z'), 'month', 2, ZONE).toISOString()).toBe('2026-03-31T18:00:00.000Z')
    // 20:00 in the studio is already tomorrow in UTC.
    expect(periodsAfter(new Date('2026-02-01T02:00:00Z'), 'month', 1, ZONE).toISOString()).toBe('2026-03-01T02:00:00.000Z')
    // Tijuana changes its clocks: the hour of the day stays.
    expect(periodsAfter(new Date('2026-03-01T18:00:00Z'), 'month', 1, 'America/Tijuana').toISOString()).toBe('2026-04-01T17:00:00.000Z')
  })

  test('the plan at the processor follows from the frozen terms', () => {
    expect(subscriptionPlan({ ...frozen, is_subscription: false }, ZONE)).toBeUndefined()
    expect(subscriptionPlan(frozen, ZONE)).toEqual({ every: { unit: 'month', count: 2 }, amount: 145_000, firstAmount: 116_000 })
    expect(subscriptionPlan({ ...frozen, total_centavos: 145_000, free_trial_length: 7, free_trial_period: 'day' }, ZONE)).toEqual({
      every: { unit: 'month', count: 2 },
      amount: 145_000,
      trialEnd: new Date('2026-11-26T16:00:00Z'),
      zone: ZONE,
    })
    // A first period that costs nothing is a trial of that period.
    expect(subscriptionPlan({ ...frozen, total_centavos: 0 }, ZONE)?.trialEnd).toEqual(new Date('2027-01-19T16:00:00Z'))
  })
})

const sale = (values: Partial<PurchaseFacts> = {}): PurchaseFacts => ({
  purchase_id: 1001,
  status: 'pending',
  is_subscription: false,
  total_centavos: 145_000,
  next_total_centavos: null,
  createdAt: at,
  buyerRef: null,
  known: [],
  ...values,
})
const paid = (values: Partial<PaymentFact> = {}): PaymentFact => ({
  id: 'mov_a',
  amount: 145_000,
  refunded: 0,
  currency: 'MXN',
  at,
  ...values,
})
/** A payment as it is known once it was written down. */
const known = ({ id, period, refunded }: InvoiceFact): PurchaseFacts['known'][number] => ({ id, period, refunded, status: 'paid' })
const facts = (state: PaymentState, payments: PaymentFact[] = [], values: Partial<Facts> = {}): Facts => ({
  ref: { gateway: 'sandbox', kind: 'payment', id: 'pay_a' },
  state,
  next: null,
  payments,
  purchaseId: 1001,
  ...values,
})

describe('what a processor’s facts change in a one-off purchase (V8, V9, V11, V13)', () => {
  test('only money completes it, and grants its single period', () => {
    for (const state of ['waiting', 'processing', 'refused', 'expired', 'ended'] as const)
      expect(decideChanges(sale(), facts(state))).toMatchObject({ status: null, grants: [], invoices: [], late: null })
    const decision = decideChanges(sale(), facts('paid', [paid()]))
    expect(decision).toMatchObject({ status: 'completed', attempt: 'paid', alarm: null, late: null })
    expect(decision.grants).toEqual([{ period: ONE_OFF, from: at, until: null }])
    expect(decision.invoices).toMatchObject([{ id: 'mov_a', period: ONE_OFF }])
    // "Paid" without a payment is nothing.
    expect(decideChanges(sale(), facts('paid')).status).toBeNull()
  })

  test('another amount, currency, purchase or customer grants nothing', () => {
    const wrong: [Facts, string][] = [
      [facts('paid', [paid({ amount: 100 })]), 'other_amount'],
      [facts('paid', [paid({ currency: 'USD' })]), 'other_amount'],
      [facts('paid', [paid()], { purchaseId: 1002 }), 'other_purchase'],
      [facts('paid', [paid()], { buyerRef: 'cus_b' }), 'other_customer'],
    ]
    for (const [facts, alarm] of wrong)
      expect(decideChanges(sale({ buyerRef: 'cus_a' }), facts)).toMatchObject({ alarm, status: null, grants: [], invoices: [] })
  })

  test('money for a closed purchase reserves stock again; a second payment does not', () => {
    for (const status of ['failed', 'cancelled'] as const)
      expect(decideChanges(sale({ status }), facts('paid', [paid()]))).toMatchObject({
        status: null,
        grants: [],
        late: { reopens: true },
        invoices: [{ period: LATE }],
      })
    const other: PurchaseFacts['known'] = [{ id: 'mov_other', period: ONE_OFF, refunded: 0, status: 'paid' }]
    expect(decideChanges(sale({ status: 'completed', known: other }), facts('paid', [paid()]))).toMatchObject({
      late: { reopens: false },
      grants: [],
    })
    expect(decideChanges(sale({ status: 'revoked' }), facts('paid', [paid()]))).toMatchObject({ late: { reopens: false } })
    // A late payment stays late, and is not decided again.
    expect(
      decideChanges(
        sale({ status: 'failed', known: [{ id: 'mov_a', period: LATE, refunded: 0, status: 'paid' }] }),
        facts('paid', [paid()]),
      ),
    ).toMatchObject({ late: null, invoices: [] })
  })

  test('facts in any order, repeated, end in one grant and one status', () => {
    const words = [
      facts('waiting'),
      facts('processing'),
      facts('paid', [paid()]),
      facts('refused'),
      facts('paid', [paid()]),
      facts('expired'),
    ]
    void fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }), (facts) => {
        let now = sale()
        let grants = 0
        for (const word of facts) {
          const decision = decideChanges(now, word)
          grants += decision.grants.length
          now = {
            ...now,
            status: decision.status ?? now.status,
            known: [...now.known, ...decision.invoices.map(known)],
          }
        }
        const hasPaid = facts.some(({ state }) => state === 'paid')
        expect({ grants, status: now.status }).toEqual({ grants: hasPaid ? 1 : 0, status: hasPaid ? 'completed' : 'pending' })
      }),
    )
  })
})

describe('what a processor’s facts change in a subscription (V9, V16, V17)', () => {
  const member = (values: Partial<PurchaseFacts> = {}) =>
    sale({ is_subscription: true, total_centavos: 116_000, next_total_centavos: 145_000, ...values })
  const month = (n: number, amount: number): PaymentFact => {
    const from = periodsAfter(at, 'month', n, ZONE)
    return paid({ id: `mov_${n}`, amount, at: from, period: { from, to: periodsAfter(at, 'month', n + 1, ZONE) } })
  }
  const sub = (state: PaymentState, payments: PaymentFact[] = [], values: Partial<Facts> = {}) =>
    facts(state, payments, { ref: { gateway: 'sandbox', kind: 'subscription', id: 'sub_a' }, ...values })

  test('the first payment activates it, each later one grants its own period', () => {
    const first = decideChanges(member(), sub('paid', [month(0, 116_000)]))
    expect(first).toMatchObject({ status: 'active', grants: [{ period: at.toISOString(), until: month(0, 0).period?.to }] })
    expect(first.benefitsUntil).toEqual(month(0, 0).period?.to)
    const renewed = decideChanges(
      member({ status: 'active', known: first.invoices.map(known) }),
      sub('paid', [month(1, 145_000), month(0, 116_000)]),
    )
    expect(renewed).toMatchObject({ status: null, grants: [{ period: month(1, 0).period?.from.toISOString() }] })
    expect(renewed.invoices.map(({ id }) => id)).toEqual(['mov_1'])
  })

  test('a renewal at another price grants nothing', () => {
    expect(decideChanges(member({ status: 'active' }), sub('paid', [month(0, 116_000), month(1, 116_000)]))).toMatchObject({
      alarm: 'other_amount',
      grants: [],
    })
  })

  test('a trial is active and granted once, and paid when it is over', () => {
    const endsAt = new Date(at.getTime() + 7 * 86_400_000)
    expect(decideChanges(member(), sub('trialing', [], { endsAt }))).toMatchObject({
      status: 'active',
      grants: [{ period: TRIAL, until: endsAt }],
      benefitsUntil: endsAt,
    })
    expect(decideChanges(member({ status: 'active' }), sub('trialing', [], { endsAt })).grants).toEqual([])
    // A trial whose card is not verified yet is nothing.
    expect(decideChanges(member(), sub('waiting'))).toMatchObject({ status: null, grants: [] })
  })

  test('a paid period lasts to the end of its last day; a revoked one ends at once (C1, C14)', () => {
    const sold = { ...frozen, total_centavos: 145_000, createdAt: at }
    const [bought, day] = [month(0, 145_000), 86_400_000]
    const to = bought.period?.to ?? at
    const endOfLastDay = endOfDay(localDate(to, ZONE), ZONE)
    for (const until of [to, new Date(to.getTime() + 3 * day), new Date(Math.floor(to.getTime() / 1000) * 1000)])
      expect(creditsEnd(sold, sub('ended', [bought]), until, ZONE)).toEqual(endOfLastDay)
    const early = new Date(to.getTime() - day)
    expect(creditsEnd(sold, sub('ended', [bought]), early, ZONE)).toEqual(early)
    const trial = { ...sold, free_trial_length: 7, free_trial_period: 'day' as const }
    const trialEnd = new Date(at.getTime() + 7 * day)
    expect(creditsEnd(trial, sub('ended'), new Date(at.getTime() + day), ZONE)).toEqual(new Date(at.getTime() + day))
    expect(creditsEnd(trial, sub('ended'), trialEnd, ZONE)).toEqual(endOfDay(localDate(trialEnd, ZONE), ZONE))
  })

  test('past due stays active without a new grant; cancelled keeps its end; ended is over', () => {
    const known: PurchaseFacts['known'] = [{ id: 'mov_0', period: at.toISOString(), refunded: 0, status: 'paid' }]
    expect(decideChanges(member({ status: 'active', known }), sub('past_due', [month(0, 116_000)]))).toMatchObject({
      status: null,
      pastDue: true,
      grants: [],
    })
    const endsAt = month(0, 0).period?.to ?? at
    expect(decideChanges(member({ status: 'active', known }), sub('paid', [month(0, 116_000)], { cancelled: true, endsAt }))).toMatchObject(
      {
        status: 'cancelled',
        benefitsUntil: endsAt,
      },
    )
    expect(decideChanges(member({ status: 'active', known }), sub('ended', [month(0, 116_000)], { endsAt }))).toMatchObject({
      status: 'cancelled',
      benefitsUntil: endsAt,
    })
    expect(decideChanges(member({ status: 'cancelled', known }), sub('ended', [month(0, 116_000)], { endsAt }))).toMatchObject({
      status: null,
      late: null,
    })
  })

  test('money after it was given up is refunded', () => {
    expect(decideChanges(member({ status: 'failed' }), sub('paid', [month(0, 116_000)]))).toMatchObject({
      status: null,
      grants: [],
      late: { reopens: false },
    })
  })
})

test('an attempt never leaves paid, and may always become paid (V8)', () => {
  const states: AttemptState[] = [
    'created',
    'waiting',
    'processing',
    'unknown',
    'refused',
    'expired',
    'ended',
    'cancelled',
    'paid',
    'trialing',
    'past_due',
  ]
  for (const from of states) {
    if (from !== 'paid') expect(mayBecome(from, 'paid'), from).toBe(true)
    for (const to of ['created', 'waiting', 'processing', 'unknown', 'refused', 'expired', 'cancelled'] as const)
      expect(mayBecome('paid', to), to).toBe(false)
    expect(mayBecome(from, from)).toBe(false)
  }
  expect(mayBecome('refused', 'waiting')).toBe(false)
  expect(mayBecome('cancelled', 'processing')).toBe(false)
})

test('the retry delay of a webhook event doubles, up to an hour (V18)', () => {
  expect([0, 1, 2, 20].map(webhookRetryDelayMs)).toEqual([10_000, 20_000, 40_000, 3_600_000])
})
