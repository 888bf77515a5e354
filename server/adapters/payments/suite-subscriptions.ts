/** The port's suite, for gateways that sell subscriptions: periods by the calendar, trials, ends, other cards and suspensions. */
import { describe, expect, test } from 'vitest'
import type { Charge, Facts, Plan } from './port.ts'
import type { Tools } from './suite-bench.ts'

const DAY = 86_400_000

export function subscriptionSuite({ bench, charge, has }: Tools): void {
  describe('subscriptions', () => {
    const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
    const sold = () => has('plans')
    const card = async () => (await sold()).pays ?? (await has('cards')).paid

    /** Starts one and does what its customer has to do. */
    async function begin(input: Charge, plan: Plan, fails = false): Promise<Facts> {
      const [{ gateway }, { approve }] = [await bench(), await sold()]
      const started = await gateway.start(input, plan)
      if (!approve) return started
      expect(started).toMatchObject({ state: 'waiting', payments: [] })
      await approve(started.ref, fails)
      return gateway.settle(started.ref, { approved: true })
    }

    test('each period is charged once, by the calendar, the first at its own price', async () => {
      const { gateway, now, advance, centavosTaken } = await bench()
      const plans = await sold()
      const input = await charge(await card(), { amount: 116_000 })
      const { ref } = await begin(input, { ...monthly, firstAmount: 116_000 })
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
      expect(await centavosTaken(input.key.purchase)).toBe(116_000 + 3 * 145_000)
      advance(start - now().getTime())
    })

    test('a trial takes nothing until it is over, and ends at once when it is stopped', async () => {
      const { gateway, now, advance, centavosTaken } = await bench()
      const plans = await sold()
      const trialEnd = new Date(now().getTime() + 7 * DAY)
      const [continued, stopped] = [await charge(await card()), await charge(await card())]
      const first = await begin(continued, { ...monthly, trialEnd })
      const second = await begin(stopped, { ...monthly, trialEnd })
      expect(first).toMatchObject({ state: 'trialing', payments: [] })
      expect(await gateway.stop(second.ref, 'period-end', 'no me gustó')).toMatchObject({ state: 'ended', cancelled: true })
      advance(8 * DAY)
      await plans.tick()
      expect(await gateway.settle(first.ref)).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }] })
      expect(await centavosTaken(stopped.key.purchase)).toBe(0)
      advance(-8 * DAY)
    })

    test('one that is stopped runs to the end of what was paid and is not charged again', async () => {
      const { gateway, advance, centavosTaken } = await bench()
      const plans = await sold()
      const input = await charge(await card())
      const { ref, payments } = await begin(input, monthly)
      const stopped = await gateway.stop(ref, 'period-end', 'me mudo')
      expect(stopped).toMatchObject({ state: 'paid', cancelled: true })
      expect(stopped.endsAt).toEqual(payments[0]?.period?.to)
      advance(40 * DAY)
      await plans.tick()
      expect((await gateway.settle(ref)).state).toBe('ended')
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
      advance(-40 * DAY)
    })

    test('a renewal that fails is past due, is tried again, and then it is over', async () => {
      const { gateway, advance, centavosTaken } = await bench()
      const plans = await sold()
      const input = await charge(plans.failsLater)
      const { ref } = await begin(input, monthly, true)
      advance(32 * DAY)
      await plans.tick()
      expect((await gateway.settle(ref)).state).toBe('past_due')
      advance(10 * DAY)
      await plans.tick()
      if (plans.neverGivesUp) await gateway.stop(ref, 'now', 'no se pudo cobrar')
      expect((await gateway.settle(ref)).state).toBe('ended')
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
      advance(-42 * DAY)
    })

    test('another card pays the overdue amount at once and the following ones; another customer’s card never does', async () => {
      const { gateway, buyer, stranger, advance, centavosTaken } = await bench()
      const plans = await sold()
      if (plans.changesPaymentItself) return expect(gateway.changeCard).toBeUndefined()
      const cards = await has('cards')
      const [mine, theirs] = [await gateway.cards.finish(buyer, cards.proof), await gateway.cards.finish(stranger, cards.proof)]
      const input = await charge(plans.failsLater)
      const { ref } = await begin(input, monthly, true)
      await expect(gateway.changeCard?.(ref, theirs)).rejects.toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
      advance(32 * DAY)
      await plans.tick()
      expect((await gateway.settle(ref)).state).toBe('past_due')
      const changed = await gateway.changeCard?.(ref, mine)
      expect(changed).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }, { amount: 145_000 }] })
      expect(changed?.method?.last4).toBe(mine.last4)
      await plans.tick()
      expect(await centavosTaken(input.key.purchase)).toBe(2 * 145_000)
      advance(31 * DAY)
      await plans.tick()
      expect((await gateway.settle(ref)).payments).toHaveLength(3)
      expect(await centavosTaken(input.key.purchase)).toBe(3 * 145_000)
      await gateway.stop(ref, 'now', 'fin')
      advance(-63 * DAY)
    })

    test('a suspended subscription takes nothing until it resumes, and is not overdue', async () => {
      const { gateway, advance, centavosTaken } = await bench()
      const plans = await sold()
      const input = await charge(await card())
      const { ref } = await begin(input, monthly)
      const suspended = await gateway.pause?.(ref, true)
      expect(suspended).toMatchObject({ state: 'paid', paused: true, cancelled: false })
      expect((await gateway.pause?.(ref, true))?.paused).toBe(true)
      advance(70 * DAY)
      await plans.tick()
      expect(await gateway.settle(ref)).toMatchObject({ state: 'paid', paused: true, payments: [{ amount: 145_000 }] })
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
      expect((await gateway.pause?.(ref, false))?.paused ?? false).toBe(false)
      advance(31 * DAY)
      await plans.tick()
      const after = await gateway.settle(ref)
      expect(after.payments).toHaveLength(2)
      // What it was suspended for was not given: the second period is not the one after the first.
      expect((after.payments[1]?.period?.from.getTime() ?? 0) > (after.payments[0]?.period?.to.getTime() ?? 0)).toBe(true)
      expect(await centavosTaken(input.key.purchase)).toBe(2 * 145_000)
      await gateway.stop(ref, 'now', 'fin')
      advance(-101 * DAY)
    })

    test('a paid subscription is not stopped by a call that gives up unpaid ones', async () => {
      const { gateway } = await bench()
      await sold()
      const { ref } = await begin(await charge(await card()), monthly)
      const after = await gateway.stop(ref, 'unless-paid', 'otra forma de pago')
      expect(after.state).toBe('paid')
      expect(after.cancelled ?? false).toBe(false)
      expect(await gateway.settle(ref)).toMatchObject({ state: 'paid', payments: [expect.anything()] })
    })

    test('one that is ended at once is over at once; money of a period goes back in parts', async () => {
      const { gateway, advance, centavosTaken } = await bench()
      const plans = await sold()
      const input = await charge(await card())
      const begun = await begin(input, monthly)
      const { ref } = begun
      const payment = begun.payments[0]?.id ?? ''
      const key = { ...input.key, step: 'refund' }
      for (let n = 0; n < 2; n++)
        expect((await gateway.refund(ref, payment, 45_000, key)).payments).toMatchObject([{ id: payment, refunded: 45_000 }])
      await expect(gateway.refund(ref, payment, 100_001, { ...key, n: 2 })).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
      expect((await gateway.refund(ref, payment, 100_000, { ...key, n: 3 })).payments).toMatchObject([{ refunded: 145_000 }])
      expect(await centavosTaken(input.key.purchase)).toBe(0)
      expect((await gateway.settle(ref)).state).toBe('paid')
      expect(await gateway.stop(ref, 'now', 'cierre')).toMatchObject({ state: 'ended', cancelled: true })
      advance(40 * DAY)
      await plans.tick()
      expect((await gateway.settle(ref)).state).toBe('ended')
      expect(await centavosTaken(input.key.purchase)).toBe(0)
      advance(-40 * DAY)
    })
  })
}
