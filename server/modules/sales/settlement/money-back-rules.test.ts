/** What a refund or dispute changes in a purchase (docs/domain.md V23, V24). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Facts, PaymentFact } from '#server/adapters/payments/port.ts'
import { LATE, ONE_OFF } from '#server/modules/sales/rules.ts'
import { decideChanges, type PurchaseFacts, type Verdict } from '#server/modules/sales/verdict-rules.ts'

const at = new Date('2026-11-19T16:00:00Z')
const AMOUNT = 145_000

const sale = (values: Partial<PurchaseFacts> = {}): PurchaseFacts => ({
  purchase_id: 1001,
  status: 'completed',
  is_subscription: false,
  total_centavos: AMOUNT,
  next_total_centavos: null,
  createdAt: at,
  buyerRef: null,
  known: [{ id: 'mov_a', period: ONE_OFF, refunded: 0, status: 'paid' }],
  ...values,
})
const charge = (values: Partial<PaymentFact> = {}): PaymentFact => ({
  id: 'mov_a',
  amount: AMOUNT,
  refunded: 0,
  currency: 'MXN',
  at,
  ...values,
})
const facts = (payments: PaymentFact[], values: Partial<Facts> = {}): Facts => ({
  ref: { gateway: 'sandbox', kind: 'payment', id: 'pay_a' },
  state: 'paid',
  next: null,
  payments,
  purchaseId: 1001,
  ...values,
})
const disputed: PurchaseFacts['known'] = [{ id: 'mov_a', period: ONE_OFF, refunded: 0, status: 'disputed' }]

describe('a purchase that was paid once', () => {
  test('facts that are already known change nothing', () => {
    expect(decideChanges(sale(), facts([charge()]))).toMatchObject({
      status: null,
      grants: [],
      invoices: [],
      late: null,
      takenBack: [],
      frozen: null,
    })
  })

  test('a partial refund is recorded and revokes nothing; a full one revokes everything', () => {
    expect(decideChanges(sale(), facts([charge({ refunded: 45_000 })]))).toMatchObject({
      status: null,
      invoices: [{ refunded: 45_000 }],
      takenBack: [],
      alarm: null,
    })
    expect(decideChanges(sale(), facts([charge({ refunded: AMOUNT })]))).toMatchObject({
      status: 'revoked',
      takenBack: [ONE_OFF],
      alarm: null,
    })
  })

  test('a dispute suspends what it bought until it is decided', () => {
    expect(decideChanges(sale(), facts([charge({ disputed: 'open' })]))).toMatchObject({ status: null, freezes: [ONE_OFF], frozen: true })
    // A second read of the same dispute freezes nothing: staff may have thawed it meanwhile.
    expect(decideChanges(sale({ known: disputed }), facts([charge({ disputed: 'open' })]))).toMatchObject({
      freezes: [],
      thaws: [],
      frozen: true,
    })
    for (const after of [charge({ disputed: 'won' }), charge()])
      expect(decideChanges(sale({ known: disputed }), facts([after]))).toMatchObject({
        thaws: [ONE_OFF],
        frozen: false,
        invoices: [{ id: 'mov_a' }],
      })
    expect(decideChanges(sale({ known: disputed }), facts([charge({ disputed: 'lost' })]))).toMatchObject({
      status: 'revoked',
      takenBack: [ONE_OFF],
    })
  })

  test('money that was refunded before it was known buys nothing', () => {
    for (const fact of [charge({ refunded: AMOUNT }), charge({ disputed: 'lost' })])
      expect(decideChanges(sale({ status: 'pending', known: [] }), facts([fact]))).toMatchObject({ status: 'failed', grants: [] })
  })

  test('a refund of money that bought nothing revokes nothing', () => {
    const late: PurchaseFacts['known'] = [{ id: 'mov_a', period: LATE, refunded: 0, status: 'paid' }]
    expect(decideChanges(sale({ status: 'failed', known: late }), facts([charge({ refunded: AMOUNT })]))).toMatchObject({
      takenBack: [],
      status: null,
    })
  })
})

describe('a subscription', () => {
  const month = (n: number, values: Partial<PaymentFact> = {}) =>
    charge({
      id: `mov_${n}`,
      period: { from: new Date(Date.UTC(2026, 10 + n, 19, 16)), to: new Date(Date.UTC(2026, 11 + n, 19, 16)) },
      ...values,
    })
  const periodOf = (fact: PaymentFact) => fact.period?.from.toISOString() ?? ''
  const known = [month(0), month(1)].map((fact) => ({ id: fact.id, period: periodOf(fact), refunded: 0, status: 'paid' as const }))
  const member = (values: Partial<PurchaseFacts> = {}) =>
    sale({ is_subscription: true, next_total_centavos: AMOUNT, status: 'active', known, ...values })
  const sub = (payments: PaymentFact[], values: Partial<Facts> = {}) =>
    facts(payments, { ref: { gateway: 'sandbox', kind: 'subscription', id: 'sub_a' }, ...values })

  test('a refunded period is revoked, and the subscription continues', () => {
    expect(decideChanges(member(), sub([month(0), month(1, { refunded: AMOUNT })]))).toMatchObject({
      status: null,
      takenBack: [periodOf(month(1))],
      ends: false,
    })
  })

  test('a lost dispute ends it, at the processor too', () => {
    expect(decideChanges(member(), sub([month(0, { disputed: 'lost' }), month(1)]))).toMatchObject({ status: 'revoked', ends: true })
    expect(decideChanges(member({ status: 'cancelled' }), sub([month(0, { disputed: 'lost' }), month(1)]))).toMatchObject({
      status: 'revoked',
      ends: false,
    })
  })

  test('a period refunded before it was known is not granted', () => {
    expect(decideChanges(member(), sub([month(0), month(1), month(2, { refunded: AMOUNT })])).grants).toEqual([])
  })
})

describe('a bank that takes a part of a charge (V24)', () => {
  const part = (more: Partial<PaymentFact> = {}) => charge({ disputed: 'lost', disputedAmount: 45_000, ...more })
  const lostPart = (refunded = 0): PurchaseFacts['known'] => [
    { id: 'mov_a', period: ONE_OFF, refunded, status: 'lost', left: AMOUNT - 45_000 - refunded },
  ]

  test('a bank that takes a part of a charge has the effect of a partial refund: the suspension ends and nothing is revoked', () => {
    expect(decideChanges(sale({ known: disputed }), facts([part()]))).toMatchObject({
      status: null,
      takenBack: [],
      thaws: [ONE_OFF],
      frozen: false,
    })
    expect(decideChanges(sale({ known: lostPart() }), facts([part()]))).toMatchObject({
      status: null,
      takenBack: [],
      thaws: [],
      freezes: [],
    })
  })

  test('and the rest that is refunded, or was before, is all of it', () => {
    for (const known of [lostPart(), [{ id: 'mov_a', period: ONE_OFF, refunded: 100_000, status: 'disputed' as const }]])
      expect(decideChanges(sale({ known }), facts([part({ refunded: 100_000 })]))).toMatchObject({
        status: 'revoked',
        takenBack: [ONE_OFF],
      })
  })

  test('a bank that takes a part of a charge does not revoke a purchase of which another part is paid, also after the rest was refunded', () => {
    const card: PurchaseFacts['known'] = [{ id: 'regalo_1', period: ONE_OFF, refunded: 0, status: 'paid' }]
    for (const [known, fact] of [
      [disputed, part()],
      [lostPart(), part({ refunded: 100_000 })],
      [lostPart(100_000), part({ refunded: 100_000 })],
    ] as const)
      expect(decideChanges(sale({ known: [...known, ...card] }), facts([fact]))).toMatchObject({ status: null, takenBack: [] })
    // Of which a bank took only a part, as well.
    const other = [{ id: 'mov_b', period: ONE_OFF, refunded: 0, status: 'lost' as const, left: 1 }]
    expect(decideChanges(sale({ known: [...(sale().known ?? []), ...other] }), facts([charge({ refunded: AMOUNT })]))).toMatchObject({
      status: null,
    })
  })

  test('never ends a subscription, nor does the refund of the rest after it', () => {
    const start = '2026-11-19T16:00:00.000Z'
    const month = (more: Partial<PaymentFact>) =>
      facts([part({ period: { from: new Date(start), to: new Date('2026-12-19T16:00:00Z') }, ...more })], {
        ref: { gateway: 'sandbox', kind: 'subscription', id: 'sub_a' },
      })
    const member = (known: PurchaseFacts['known']) =>
      sale({ status: 'active', is_subscription: true, known: known.map((knownCharge) => ({ ...knownCharge, period: start })) })
    for (const known of [disputed, lostPart()])
      expect(decideChanges(member(known), month({}))).toMatchObject({ status: null, ends: false, takenBack: [] })
    for (const known of [lostPart(), lostPart(100_000)])
      expect(decideChanges(member(known), month({ refunded: 100_000 }))).toMatchObject({ status: null, ends: false, takenBack: [start] })
    expect(decideChanges(member(lostPart()), month({ disputedAmount: AMOUNT }))).toMatchObject({ status: 'revoked', ends: true })
  })
})

test('in any order of facts, a purchase is revoked exactly when its money is gone, and then for good', () => {
  const word = fc.record({
    refunded: fc.constantFrom(0, 45_000, AMOUNT),
    disputed: fc.constantFrom<PaymentFact['disputed']>(undefined, 'open', 'won', 'lost'),
  })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 10 }), (words) => {
      let now = sale({ status: 'pending', known: [] })
      let [granted, revoked, back] = [0, 0, 0]
      for (const { refunded, disputed: about } of words) {
        // A processor never un-gives.
        back = Math.max(back, refunded)
        const decision: Verdict = decideChanges(now, facts([charge({ refunded: back, ...(about ? { disputed: about } : {}) })]))
        granted += decision.grants.length
        revoked += decision.status === 'revoked' ? 1 : 0
        const row = decision.invoices[0]
        const status = about === 'lost' ? 'lost' : about === 'open' ? 'disputed' : back === AMOUNT ? 'refunded' : 'paid'
        now = {
          ...now,
          status: decision.status ?? now.status,
          known: row ? [{ id: row.id, period: row.period, refunded: back, status }] : now.known,
        }
      }
      const isGone = (sample: (typeof words)[number]) => sample.refunded === AMOUNT || sample.disputed === 'lost'
      const first = words.findIndex(isGone)
      expect({ given: granted, taken: revoked, status: now.status }).toEqual(
        first < 0
          ? { given: 1, taken: 0, status: 'completed' }
          : first === 0
            ? { given: 0, taken: 0, status: 'failed' }
            : { given: 1, taken: 1, status: 'revoked' },
      )
    }),
  )
})
