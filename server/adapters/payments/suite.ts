/** What every gateway must do, whatever processor stands behind it (payments study section 5). Each implementation's test calls this. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  BadSignature,
  type Buyer,
  type Charge,
  type Facts,
  type Instrument,
  PaymentError,
  type PaymentGateway,
  type Plan,
  type Ref,
} from './port.ts'

/** A gateway with somebody at the other end: the customer, the clerk, the clock. */
export interface Bench {
  gateway: PaymentGateway
  buyer: Buyer
  /** Another customer. */
  stranger: Buyer
  /** How a payment is asked for that waits for somebody. */
  waiting: Instrument
  /** Pays what waits. */
  pay(ref: Ref): Promise<void>
  /** Centavos that were really taken for a purchase, less what was given back. */
  taken(purchase: number): Promise<number>
  now(): Date
  advance(ms: number): void
  /** Instruments that are decided at once, by what becomes of them; a gateway without cards has none. */
  cards?: {
    paid: Instrument
    declined: { instrument: Instrument; code: PaymentError['code'] }[]
    lostButPaid: Instrument
    lostAndUnpaid: Instrument
    /** A proof with which a card can be kept. */
    proof: string
  }
  /** Whether it sells subscriptions; a card that pays first and fails later. */
  plans?: {
    failsLater: Instrument
    tick(): Promise<void>
    /** What pays for one where it is not a card. */
    pays?: Instrument
    /** What the customer still does after `start`; `fails`: later payments will not come. */
    approve?(ref: Ref, fails: boolean): Promise<void>
    /** The processor waits for ever for one that is not paid. */
    neverGivesUp?: true
  }
  /** What the processor would have refused for its form: a stand-in's list, which must stay empty. */
  complaints?: readonly string[]
  /** A signed notice about something that changed. */
  notice?: () => Promise<{ headers: Record<string, string>; body: Uint8Array }>
}

const DAY = 86_400_000
let purchases = 5_000

/** What a gateway can do beyond waiting and being paid: tests of what it cannot do do not exist. */
export interface Abilities {
  cards: boolean
  plans: boolean
  /** `timeless`: its notices carry no time that they could be too old by. */
  notices: boolean | 'timeless'
}

/** Runs the suite; `open` makes a fresh bench before the first test. */
export function gatewaySuite(name: string, can: Abilities, open: () => Promise<Bench>): void {
  describe(name, () => {
    let shared: Promise<Bench> | undefined
    const bench = () => (shared ??= open())
    afterAll(async () => expect((await shared)?.complaints ?? []).toEqual([]))

    async function charge(instrument: Instrument, more: Partial<Charge> = {}): Promise<Charge> {
      const { buyer, now } = await bench()
      return {
        key: { purchase: ++purchases, step: 'pay', n: 1 },
        amount: 145_000,
        currency: 'MXN',
        title: 'Ocho clases',
        buyer,
        instrument,
        expiresAt: new Date(now().getTime() + 900_000),
        returnUrl: 'http://localhost:3000/gracias/1',
        ...more,
      }
    }

    test('a waiting payment is of this purchase, has a next step and took nothing', async () => {
      const { gateway, waiting, taken } = await bench()
      const ask = await charge(waiting)
      const facts = await gateway.start(ask)
      expect(facts).toMatchObject({
        state: 'waiting',
        purchaseId: ask.key.purchase,
        payments: [],
        ref: { gateway: gateway.id, kind: 'payment' },
      })
      expect(facts.next).not.toBeNull()
      expect(await taken(ask.key.purchase)).toBe(0)
    })

    test('the same key is the same payment, twenty times at once', async () => {
      const { gateway, waiting } = await bench()
      const ask = await charge(waiting)
      const all = await Promise.all(Array.from({ length: 20 }, () => gateway.start(ask)))
      expect(new Set(all.map(({ ref }) => ref.id)).size).toBe(1)
      const next = await gateway.start({ ...ask, key: { ...ask.key, n: 2 } })
      expect(next.ref.id).not.toBe(all[0]?.ref.id)
    })

    test('the same key with another amount is refused and takes nothing', async () => {
      const { gateway, waiting, taken } = await bench()
      const ask = await charge(waiting)
      await gateway.start(ask)
      await expect(gateway.start({ ...ask, amount: 1_500 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
      expect(await taken(ask.key.purchase)).toBe(0)
    })

    test('a key finds its payment, and nothing where there is none', async () => {
      const { gateway, waiting } = await bench()
      const ask = await charge(waiting)
      expect(await gateway.find(ask.key)).toBeNull()
      const { ref } = await gateway.start(ask)
      expect((await gateway.find(ask.key))?.ref).toEqual(ref)
    })

    test('what was paid is read the same any number of times, and taken once', async () => {
      const { gateway, waiting, pay, taken } = await bench()
      const ask = await charge(waiting)
      const { ref } = await gateway.start(ask)
      await pay(ref)
      const reads: Facts[] = []
      for (let n = 0; n < 3; n++) reads.push(await gateway.settle(ref, { approved: true }))
      for (const facts of reads)
        expect(facts).toMatchObject({ state: 'paid', next: null, payments: [{ amount: 145_000, refunded: 0, currency: 'MXN' }] })
      expect(new Set(reads.map(({ payments }) => payments[0]?.id)).size).toBe(1)
      expect(await taken(ask.key.purchase)).toBe(145_000)
    })

    test('what was given up stays given up', async () => {
      const { gateway, waiting, taken } = await bench()
      const ask = await charge(waiting)
      const { ref } = await gateway.start(ask)
      expect((await gateway.stop(ref, 'now', 'otra forma de pago')).state).toBe('ended')
      expect((await gateway.stop(ref, 'now', 'otra vez')).state).toBe('ended')
      expect((await gateway.settle(ref, { approved: true })).state).toBe('ended')
      expect(await taken(ask.key.purchase)).toBe(0)
    })

    test('giving up what was paid meanwhile says that it was paid', async () => {
      const { gateway, waiting, pay, taken } = await bench()
      const ask = await charge(waiting)
      const { ref } = await gateway.start(ask)
      await pay(ref)
      await gateway.settle(ref, { approved: true })
      expect((await gateway.stop(ref, 'now', 'tarde')).state).toBe('paid')
      expect(await taken(ask.key.purchase)).toBe(145_000)
    })

    test('what nobody pays in time expires', async () => {
      const { gateway, waiting, now, advance } = await bench()
      const { ref } = await gateway.start(await charge(waiting, { expiresAt: new Date(now().getTime() + 60_000) }))
      advance(61_000)
      expect((await gateway.settle(ref)).state).toBe('expired')
    })

    test('money goes back in parts, once per key, never more than came', async () => {
      const { gateway, waiting, pay, taken } = await bench()
      const ask = await charge(waiting)
      const { ref } = await gateway.start(ask)
      await pay(ref)
      const [paid] = (await gateway.settle(ref, { approved: true })).payments
      const key = { ...ask.key, step: 'refund' }
      for (let n = 0; n < 2; n++)
        expect((await gateway.refund(ref, paid?.id ?? '', 45_000, key)).payments).toMatchObject([{ refunded: 45_000 }])
      await expect(gateway.refund(ref, paid?.id ?? '', 100_001, { ...key, n: 2 })).rejects.toBeInstanceOf(PaymentError)
      expect((await gateway.refund(ref, paid?.id ?? '', 100_000, { ...key, n: 3 })).payments).toMatchObject([{ refunded: 145_000 }])
      expect(await taken(ask.key.purchase)).toBe(0)
    })

    test('everything that changed is told since an instant, and nothing older', async () => {
      const { gateway, waiting, now, advance } = await bench()
      const { ref: old } = await gateway.start(await charge(waiting))
      advance(1_000)
      const from = now()
      const { ref } = await gateway.start(await charge(waiting))
      const told: string[] = []
      for await (const facts of gateway.since(from)) told.push(facts.ref.id)
      expect(told).toContain(ref.id)
      expect(told).not.toContain(old.id)
    })

    test('an object that it does not know is an error, not a payment', async () => {
      const { gateway } = await bench()
      await expect(gateway.settle({ gateway: gateway.id, kind: 'payment', id: 'pay_nadie' })).rejects.toBeInstanceOf(PaymentError)
    })

    test('a notice that it did not sign is refused', async () => {
      const { gateway } = await bench()
      const body = new TextEncoder().encode('{"id":"evt_1","about":[]}')
      await expect(gateway.hear({ headers: {}, body })).rejects.toBeInstanceOf(BadSignature)
      await expect(
        gateway.hear({ headers: { 'sandbox-signature': `t=1,v1=${'0'.repeat(64)}`, 'stripe-signature': 't=1,v1=0' }, body }),
      ).rejects.toBeInstanceOf(BadSignature)
    })

    const has = async <K extends 'cards' | 'plans' | 'notice'>(what: K): Promise<NonNullable<Bench[K]>> => {
      const given = (await bench())[what]
      if (!given) throw new Error(`The bench of ${name} has no ${what}.`)
      return given
    }

    if (can.notices)
      test('its notices name what to look at, and not with another body or another time', async () => {
        const { gateway, waiting, advance, now } = await bench()
        const notice = await has('notice')
        await gateway.stop((await gateway.start(await charge(waiting))).ref, 'now', 'aviso')
        const { headers, body } = await notice()
        const heard = await gateway.hear({ headers, body })
        expect(heard.about.length).toBeGreaterThan(0)
        expect(heard.eventId).not.toBe('')
        const changed = Uint8Array.from(body)
        changed[changed.length - 2] = (changed[changed.length - 2] ?? 0) ^ 1
        await expect(gateway.hear({ headers, body: changed })).rejects.toBeInstanceOf(BadSignature)
        if (can.notices === 'timeless') return
        const before = now()
        advance(301_000)
        await expect(gateway.hear({ headers, body })).rejects.toBeInstanceOf(BadSignature)
        advance(before.getTime() - now().getTime())
      })

    if (can.cards)
      describe('cards', () => {
        const cards = () => has('cards')

        test('a card that pays is charged at once, and once with the same key', async () => {
          const { gateway, taken } = await bench()
          const ask = await charge((await cards()).paid)
          const all = await Promise.all(Array.from({ length: 10 }, () => gateway.start(ask)))
          for (const facts of all) expect(facts).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }] })
          expect(all[0]?.method?.last4).toMatch(/^\d{4}$/)
          expect(await taken(ask.key.purchase)).toBe(145_000)
        })

        test('each no of the bank is a fact with its code, and takes nothing', async () => {
          const { gateway, taken } = await bench()
          for (const { instrument, code } of (await cards()).declined) {
            const ask = await charge(instrument)
            const facts = await gateway.start(ask)
            expect({ state: facts.state, code: facts.why?.code, next: facts.next }).toEqual({ state: 'refused', code, next: null })
            expect((await gateway.stop(facts.ref, 'now', 'rechazada')).state).toBe('refused')
            expect(await taken(ask.key.purchase)).toBe(0)
          }
        })

        test('an answer that was lost after the charge is found again, without a second one', async () => {
          const { gateway, taken } = await bench()
          const ask = await charge((await cards()).lostButPaid)
          await expect(gateway.start(ask)).rejects.toMatchObject({ kind: 'unknown_outcome', retry: 'same-key' })
          expect(await gateway.find(ask.key)).toMatchObject({ state: 'paid' })
          expect(await gateway.start(ask)).toMatchObject({ state: 'paid' })
          expect(await taken(ask.key.purchase)).toBe(145_000)
        })

        test('a request that never arrived leaves nothing behind', async () => {
          const { gateway, taken } = await bench()
          const ask = await charge((await cards()).lostAndUnpaid)
          await expect(gateway.start(ask)).rejects.toMatchObject({ kind: 'unknown_outcome' })
          expect(await gateway.find(ask.key)).toBeNull()
          expect(await taken(ask.key.purchase)).toBe(0)
        })

        test('a kept card pays for its owner, and for nobody else, until it is removed', async () => {
          const { gateway, buyer, stranger, taken } = await bench()
          const card = await gateway.cards.finish(buyer, (await cards()).proof)
          expect(card.last4).toMatch(/^\d{4}$/)
          const instrument: Instrument = { by: 'saved-card', card }
          const mine = await charge(instrument)
          expect((await gateway.start(mine)).state).toBe('paid')
          const theirs = await charge(instrument, { buyer: stranger })
          await expect(gateway.start(theirs)).rejects.toBeInstanceOf(PaymentError)
          expect(await taken(theirs.key.purchase)).toBe(0)
          await gateway.cards.remove(card)
          await gateway.cards.remove(card)
          await expect(gateway.start(await charge(instrument))).rejects.toBeInstanceOf(PaymentError)
        })

        test('a payment can keep its card', async () => {
          const { gateway, buyer } = await bench()
          const facts = await gateway.start(await charge((await cards()).paid, { saveCard: true }))
          const card = await gateway.cards.finish(buyer, facts.ref.id)
          expect((await gateway.start(await charge({ by: 'saved-card', card }))).state).toBe('paid')
        })

        test('an amount that it cannot charge is said before', async () => {
          const { gateway, taken } = await bench()
          const { paid } = await cards()
          expect(gateway.refuses({ instrument: paid.by, amount: 1 })).toBe('AMOUNT_OUT_OF_RANGE')
          expect(gateway.refuses({ instrument: paid.by, amount: 145_000 })).toBeNull()
          const ask = await charge(paid, { amount: 1 })
          await expect(gateway.start(ask)).rejects.toMatchObject({ kind: 'unsupported' })
          expect(await taken(ask.key.purchase)).toBe(0)
        })
      })

    if (can.plans)
      describe('subscriptions', () => {
        const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
        const sold = () => has('plans')
        const card = async () => (await sold()).pays ?? (await has('cards')).paid

        /** Starts one and does what its customer has to do. */
        async function begin(ask: Charge, plan: Plan, fails = false): Promise<Facts> {
          const [{ gateway }, { approve }] = [await bench(), await sold()]
          const started = await gateway.start(ask, plan)
          if (!approve) return started
          expect(started).toMatchObject({ state: 'waiting', payments: [] })
          await approve(started.ref, fails)
          return gateway.settle(started.ref, { approved: true })
        }

        test('each period is charged once, by the calendar, the first at its own price', async () => {
          const { gateway, now, advance, taken } = await bench()
          const plans = await sold()
          const ask = await charge(await card(), { amount: 116_000 })
          const { ref } = await begin(ask, { ...monthly, firstAmount: 116_000 })
          expect(ref.kind).toBe('subscription')
          expect((await gateway.settle(ref)).payments).toMatchObject([{ amount: 116_000 }])
          const start = now().getTime()
          for (let month = 1; month <= 3; month++) {
            advance(31 * DAY)
            await plans.tick()
            await plans.tick()
          }
          const { payments } = await gateway.settle(ref)
          expect(payments.map(({ amount }) => amount)).toEqual([116_000, 145_000, 145_000, 145_000])
          const periods = payments.map(({ period }) => period)
          for (const [at, period] of periods.entries()) expect(period?.to).toEqual(periods[at + 1]?.from ?? period?.to)
          expect(await taken(ask.key.purchase)).toBe(116_000 + 3 * 145_000)
          advance(start - now().getTime())
        })

        test('a trial takes nothing until it is over, and ends at once when it is stopped', async () => {
          const { gateway, now, advance, taken } = await bench()
          const plans = await sold()
          const trialEnd = new Date(now().getTime() + 7 * DAY)
          const [kept, stopped] = [await charge(await card()), await charge(await card())]
          const first = await begin(kept, { ...monthly, trialEnd })
          const second = await begin(stopped, { ...monthly, trialEnd })
          expect(first).toMatchObject({ state: 'trialing', payments: [] })
          expect(await gateway.stop(second.ref, 'period-end', 'no me gustó')).toMatchObject({ state: 'ended', cancelled: true })
          advance(8 * DAY)
          await plans.tick()
          expect(await gateway.settle(first.ref)).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }] })
          expect(await taken(stopped.key.purchase)).toBe(0)
          advance(-8 * DAY)
        })

        test('one that is stopped runs to the end of what was paid and is not charged again', async () => {
          const { gateway, advance, taken } = await bench()
          const plans = await sold()
          const ask = await charge(await card())
          const { ref, payments } = await begin(ask, monthly)
          const stopped = await gateway.stop(ref, 'period-end', 'me mudo')
          expect(stopped).toMatchObject({ state: 'paid', cancelled: true })
          expect(stopped.endsAt).toEqual(payments[0]?.period?.to)
          advance(40 * DAY)
          await plans.tick()
          expect((await gateway.settle(ref)).state).toBe('ended')
          expect(await taken(ask.key.purchase)).toBe(145_000)
          advance(-40 * DAY)
        })

        test('a renewal that fails is past due, is tried again, and then it is over', async () => {
          const { gateway, advance, taken } = await bench()
          const plans = await sold()
          const ask = await charge(plans.failsLater)
          const { ref } = await begin(ask, monthly, true)
          advance(32 * DAY)
          await plans.tick()
          expect((await gateway.settle(ref)).state).toBe('past_due')
          advance(10 * DAY)
          await plans.tick()
          if (plans.neverGivesUp) await gateway.stop(ref, 'now', 'no se pudo cobrar')
          expect((await gateway.settle(ref)).state).toBe('ended')
          expect(await taken(ask.key.purchase)).toBe(145_000)
          advance(-42 * DAY)
        })
      })
  })
}
