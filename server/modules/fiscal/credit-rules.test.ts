/** Credit notes of refunds and lost disputes in any order, before and after the invoice (docs/domain.md FA10). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type InvoicedCharge, owedCreditsOf } from './credit-rules.ts'

type Step = { do: 'invoice' | 'regain' } | { do: 'lose' | 'refund' | 'ask'; amount: number } | { do: 'arrive' | 'refuse'; which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'invoice' }, { do: 'regain' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('lose' as const, 'refund' as const, 'ask' as const),
      amount: fc.integer({ min: 1, max: 60_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('arrive' as const, 'refuse' as const), which: fc.nat(5) }) },
)

const TOTAL = 100_000

/** A charge, its invoice and its credit notes, of which those of refused refunds and returned losses are cancelled first. */
class Books {
  lost = 0
  refunds: { refund_id: number; amount: number; state: 'asked' | 'done' | 'refused' }[] = []
  invoiced: { amount: number; lostBefore: number } | null = null
  notes: { refund_id: number | null; amount: number }[] = []
  /** Money came back that the invoice had left out. */
  isShort = false

  sum = (state: 'asked' | 'done') => this.refunds.reduce((all, refund) => all + (refund.state === state ? refund.amount : 0), 0)
  get credited() {
    return this.notes.reduce((all, note) => all + note.amount, 0)
  }
  get kept() {
    return TOTAL - this.sum('done') - this.lost
  }

  take(now: Step): void {
    const free = this.kept - this.sum('asked')
    if ('which' in now) {
      const arrives = now.do === 'arrive'
      const refund = this.refunds.filter(({ state }) => !arrives || state === 'asked').at(now.which)
      if (!refund || (arrives && refund.amount > this.kept)) return
      if (!arrives && this.invoiced) this.isShort ||= !this.notes.some(({ refund_id }) => refund_id === refund.refund_id)
      refund.state = arrives ? 'done' : 'refused'
    } else if ('amount' in now) {
      if (now.do === 'lose') this.lost += Math.min(now.amount, this.kept)
      else if (free > 0) {
        const state = now.do === 'ask' ? 'asked' : 'done'
        this.refunds.push({ refund_id: this.refunds.length + 1, amount: Math.min(now.amount, free), state })
      }
    } else if (now.do === 'regain') {
      if (this.invoiced && this.invoiced.lostBefore > 0 && this.lost > 0) this.isShort = true
      this.lost = 0
    } else if (!this.invoiced && free > 0) this.invoiced = { amount: free, lostBefore: this.lost }
  }

  charge(): InvoicedCharge {
    const refunds = this.refunds
      .filter(({ state }) => state !== 'refused')
      .map(({ refund_id, amount, state }) => ({
        refund_id,
        amount,
        isDone: state === 'done',
        waits: false,
        isCredited: this.notes.some((note) => note.refund_id === refund_id),
      }))
    return {
      total: TOTAL,
      invoiced: this.invoiced?.amount ?? 0,
      lostBefore: this.invoiced?.lostBefore ?? 0,
      lost: this.lost,
      credited: this.credited,
      refunds,
      lossWaits: false,
      lossesCredited: this.notes.reduce((all, note) => all + (note.refund_id === null ? note.amount : 0), 0),
    }
  }

  settle(): void {
    if (!this.invoiced) return
    this.notes = this.notes.filter(
      ({ refund_id }) =>
        !(refund_id === null && this.lost === 0) &&
        !this.refunds.some((refund) => refund.refund_id === refund_id && refund.state === 'refused'),
    )
    this.notes.push(...owedCreditsOf(this.charge()))
  }
}

test('never more is credited than invoiced, what stays invoiced is never more than the studio keeps, and nothing is credited twice', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const books = new Books()
      for (const step of steps) {
        books.take(step)
        books.settle()
        if (!books.invoiced) continue
        const stays = books.invoiced.amount - books.credited
        expect(stays).toBeGreaterThanOrEqual(0)
        expect(stays).toBeLessThanOrEqual(Math.max(0, books.kept))
        // Refunds in progress are in none of the two, or in both.
        if (!books.isShort && books.sum('asked') === 0) expect(stays).toBe(Math.min(books.invoiced.amount, books.kept))
        expect(owedCreditsOf(books.charge())).toEqual([])
      }
    }),
    { numRuns: 3000 },
  )
})

test('two losses of one charge are two credit notes; what was lost before the invoice is none', () => {
  const books = new Books()
  for (const step of [{ do: 'lose', amount: 10_000 }, { do: 'invoice' }, { do: 'lose', amount: 30_000 }] as const) books.take(step)
  books.settle()
  books.take({ do: 'lose', amount: 20_000 })
  books.settle()
  expect([books.invoiced?.amount, books.notes.map(({ amount }) => amount)]).toEqual([90_000, [30_000, 20_000]])
})

test('a refused credit note is not issued again at once, and another one does not take its amount', () => {
  const refund = { amount: 40_000, isDone: true, isCredited: false }
  const charge = { total: TOTAL, invoiced: TOTAL, lostBefore: 0, lost: 30_000, credited: 0, lossesCredited: 0 }
  expect(owedCreditsOf({ ...charge, lossWaits: false, refunds: [{ ...refund, refund_id: 1, waits: true }] })).toEqual([
    { refund_id: null, amount: 30_000 },
  ])
  expect(owedCreditsOf({ ...charge, lossWaits: true, refunds: [{ ...refund, refund_id: 1, waits: false }] })).toEqual([
    { refund_id: 1, amount: 40_000 },
  ])
})
