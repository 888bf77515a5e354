/** The behaviour that every gateway must have. Each implementation's test calls this. */
import { afterAll, describe, expect, test } from 'vitest'
import { BadSignature, type Charge, type Facts, type Instrument, PaymentError, type Plan } from './port.ts'
import type { Abilities, Bench, Tools } from './suite-bench.ts'
import { cardSuite } from './suite-cards.ts'
import { subscriptionSuite } from './suite-subscriptions.ts'

let purchases = 5_000

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
      const { gateway, waiting, centavosTaken } = await bench()
      const input = await charge(waiting)
      const facts = await gateway.start(input)
      expect(facts).toMatchObject({
        state: 'waiting',
        purchaseId: input.key.purchase,
        payments: [],
        ref: { gateway: gateway.id, kind: 'payment' },
      })
      expect(facts.next).not.toBeNull()
      expect(await centavosTaken(input.key.purchase)).toBe(0)
    })

    test('the same key is the same payment, twenty times at once', async () => {
      const { gateway, waiting } = await bench()
      const input = await charge(waiting)
      const all = await Promise.all(Array.from({ length: 20 }, () => gateway.start(input)))
      expect(new Set(all.map(({ ref }) => ref.id)).size).toBe(1)
      const next = await gateway.start({ ...input, key: { ...input.key, n: 2 } })
      expect(next.ref.id).not.toBe(all[0]?.ref.id)
    })

    test('the same key with another amount is refused and takes nothing', async () => {
      const { gateway, waiting, centavosTaken } = await bench()
      const input = await charge(waiting)
      await gateway.start(input)
      await expect(gateway.start({ ...input, amount: 1_500 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
      expect(await centavosTaken(input.key.purchase)).toBe(0)
    })

    test('a key finds its payment, and nothing where there is none', async () => {
      const { gateway, waiting } = await bench()
      const input = await charge(waiting)
      expect(await gateway.find(input.key)).toBeNull()
      const { ref } = await gateway.start(input)
      expect((await gateway.find(input.key))?.ref).toEqual(ref)
    })

    test('what was paid is read the same any number of times, and taken once', async () => {
      const { gateway, waiting, pay, centavosTaken } = await bench()
      const input = await charge(waiting)
      const { ref } = await gateway.start(input)
      await pay(ref)
      const reads: Facts[] = []
      for (let n = 0; n < 3; n++) reads.push(await gateway.settle(ref, { approved: true }))
      for (const facts of reads)
        expect(facts).toMatchObject({ state: 'paid', next: null, payments: [{ amount: 145_000, refunded: 0, currency: 'MXN' }] })
      expect(new Set(reads.map(({ payments }) => payments[0]?.id)).size).toBe(1)
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
    })

    test('what was given up stays given up', async () => {
      const { gateway, waiting, centavosTaken } = await bench()
      const input = await charge(waiting)
      const { ref } = await gateway.start(input)
      expect((await gateway.stop(ref, 'now', 'otra forma de pago')).state).toBe('ended')
      expect((await gateway.stop(ref, 'now', 'otra vez')).state).toBe('ended')
      expect((await gateway.settle(ref, { approved: true })).state).toBe('ended')
      expect(await centavosTaken(input.key.purchase)).toBe(0)
    })

    test('giving up what was paid meanwhile says that it was paid', async () => {
      const { gateway, waiting, pay, centavosTaken } = await bench()
      const input = await charge(waiting)
      const { ref } = await gateway.start(input)
      await pay(ref)
      await gateway.settle(ref, { approved: true })
      expect((await gateway.stop(ref, 'now', 'tarde')).state).toBe('paid')
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
    })

    test('a payment that is not made in time expires', async () => {
      const { gateway, waiting, now, advance } = await bench()
      const { ref } = await gateway.start(await charge(waiting, { expiresAt: new Date(now().getTime() + 60_000) }))
      advance(61_000)
      expect((await gateway.settle(ref)).state).toBe('expired')
    })

    test('money goes back in parts, once per key, never more than came', async () => {
      const { gateway, waiting, pay, centavosTaken } = await bench()
      const input = await charge(waiting)
      const { ref } = await gateway.start(input)
      await pay(ref)
      const [paid] = (await gateway.settle(ref, { approved: true })).payments
      const key = { ...input.key, step: 'refund' }
      for (let n = 0; n < 2; n++)
        expect((await gateway.refund(ref, paid?.id ?? '', 45_000, key)).payments).toMatchObject([{ refunded: 45_000 }])
      await expect(gateway.refund(ref, paid?.id ?? '', 100_001, { ...key, n: 2 })).rejects.toBeInstanceOf(PaymentError)
      expect((await gateway.refund(ref, paid?.id ?? '', 100_000, { ...key, n: 3 })).payments).toMatchObject([{ refunded: 145_000 }])
      expect(await centavosTaken(input.key.purchase)).toBe(0)
    })

    test('everything that changed since an instant is listed, and nothing older', async () => {
      const { gateway, waiting, now, advance } = await bench()
      const { ref: old } = await gateway.start(await charge(waiting))
      advance(1_000)
      const from = now()
      const { ref } = await gateway.start(await charge(waiting))
      const changed: string[] = []
      for await (const facts of gateway.since(from)) changed.push(facts.ref.id)
      expect(changed).toContain(ref.id)
      expect(changed).not.toContain(old.id)
    })

    test('an object that it does not know is an error, not a payment', async () => {
      const { gateway } = await bench()
      await expect(gateway.settle({ gateway: gateway.id, kind: 'payment', id: 'pay_nadie' })).rejects.toBeInstanceOf(PaymentError)
    })

    test('a notice that it did not sign is refused', async () => {
      const { gateway } = await bench()
      const body = new TextEncoder().encode('{"id":"evt_1","about":[]}')
      await expect(gateway.verifyWebhook({ headers: {}, body })).rejects.toBeInstanceOf(BadSignature)
      await expect(
        gateway.verifyWebhook({ headers: { 'sandbox-signature': `t=1,v1=${'0'.repeat(64)}`, 'stripe-signature': 't=1,v1=0' }, body }),
      ).rejects.toBeInstanceOf(BadSignature)
    })

    const has: Tools['has'] = async (what) => {
      const part = (await bench())[what]
      if (!part) throw new Error(`The bench of ${name} has no ${what}.`)
      return part as never
    }

    if (can.signsEvents)
      test('its notices name what to look at, and not with another body or another time', async () => {
        const { gateway, waiting, advance, now } = await bench()
        const deliverEvent = await has('signedEvent')
        await gateway.stop((await gateway.start(await charge(waiting))).ref, 'now', 'aviso')
        const { headers, body } = await deliverEvent()
        const event = await gateway.verifyWebhook({ headers, body })
        expect(event.about.length).toBeGreaterThan(0)
        expect(event.eventId).not.toBe('')
        const changed = Uint8Array.from(body)
        changed[changed.length - 2] = (changed[changed.length - 2] ?? 0) ^ 1
        await expect(gateway.verifyWebhook({ headers, body: changed })).rejects.toBeInstanceOf(BadSignature)
        if (can.signsEvents === 'timeless') return
        const before = now()
        advance(301_000)
        await expect(gateway.verifyWebhook({ headers, body })).rejects.toBeInstanceOf(BadSignature)
        advance(before.getTime() - now().getTime())
      })

    if (can.vouchers)
      test('a voucher has a reference and an end, is paid once, and expires with its hold', async () => {
        const { gateway, now, advance, centavosTaken } = await bench()
        const { pay } = await has('vouchers')
        for (const kind of ['oxxo', 'spei'] as const) {
          const input = await charge({ by: 'voucher', kind }, { expiresAt: new Date(now().getTime() + 72 * 3_600_000) })
          const voucherCall = await gateway.start(input)
          if (voucherCall.next?.do !== 'show') throw new Error('No voucher.')
          const { voucher } = voucherCall.next
          expect(voucher.kind).toBe(kind)
          expect(voucher.reference || voucher.clabe).toBeTruthy()
          expect(voucher.expiresAt > now() && voucher.expiresAt <= input.expiresAt).toBe(true)
          expect((await gateway.start(input)).next).toEqual(voucherCall.next)
          expect(await centavosTaken(input.key.purchase)).toBe(0)
          await pay(voucherCall.ref)
          for (let n = 0; n < 2; n++) expect((await gateway.settle(voucherCall.ref)).state).toBe('paid')
          expect(await centavosTaken(input.key.purchase)).toBe(145_000)
        }
        expect(gateway.refuses({ instrument: 'voucher', amount: 1_000_001 })).toBe('AMOUNT_OUT_OF_RANGE')
        const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
        expect(gateway.refuses({ instrument: 'voucher', amount: 145_000, plan: monthly })).toBe('PAYMENT_METHOD_UNAVAILABLE')
        const left = await gateway.start(
          await charge({ by: 'voucher', kind: 'spei' }, { expiresAt: new Date(now().getTime() + 3_600_000) }),
        )
        advance(3_601_000)
        // Some processors wait until it is stopped; then it cannot be paid any more.
        const late = await gateway.settle(left.ref)
        expect(late.state === 'waiting' ? (await gateway.stop(left.ref, 'now', 'venció')).state : late.state).toMatch(/^(expired|ended)$/)
        advance(-3_601_000)
      })

    if (can.disputes)
      test('a dispute is open, then won or lost, and what is lost stays lost', async () => {
        const { gateway, waiting, pay } = await bench()
        const dispute = await has('dispute')
        for (const outcome of ['won', 'lost'] as const) {
          const { ref } = await gateway.start(await charge(waiting))
          await pay(ref)
          const paid = await gateway.settle(ref, { approved: true })
          expect(paid.payments[0]?.disputed).toBeUndefined()
          for (const state of ['open', outcome] as const) {
            await dispute(paid, state)
            expect((await gateway.settle(ref)).payments).toMatchObject([{ id: paid.payments[0]?.id, disputed: state }])
          }
        }
      })

    if (can.disputes)
      test('a dispute of a part says how much, apart from what was refunded, where the processor says it (V24)', async () => {
        const { gateway, waiting, pay, reportsDisputedAmount } = await bench()
        const dispute = await has('dispute')
        for (const outcome of ['won', 'lost'] as const) {
          const { ref } = await gateway.start(await charge(waiting))
          await pay(ref)
          const paid = await gateway.settle(ref, { approved: true })
          for (const state of ['open', outcome] as const) {
            await dispute(paid, state, 30_050)
            const [payment] = (await gateway.settle(ref)).payments
            expect(payment).toMatchObject({ refunded: 0, disputed: state })
            expect(payment?.disputedAmount).toBe(reportsDisputedAmount && state !== 'won' ? 30_050 : undefined)
          }
        }
      })

    if (can.failingRefunds)
      test('a refund that does not arrive is money that came back: its key says so, and another gives it back anew (V37)', async () => {
        const { gateway, waiting, pay, centavosTaken, advance } = await bench()
        const failRefund = await has('failRefund')
        const input = await charge(waiting)
        const { ref } = await gateway.start(input)
        await pay(ref)
        const paid = await gateway.settle(ref, { approved: true })
        const [id, key] = [paid.payments[0]?.id ?? '', { ...input.key, step: 'refund' }]
        await gateway.refund(ref, id, 45_000, key)
        advance(1_000)
        await gateway.refund(ref, id, 20_000, { ...key, n: 2 })
        await failRefund(paid)
        expect((await gateway.settle(ref)).payments).toMatchObject([{ refunded: 45_000 }])
        for (let n = 0; n < 2; n++)
          await expect(gateway.refund(ref, id, 20_000, { ...key, n: 2 })).rejects.toMatchObject({
            kind: 'declined',
            code: 'REFUND_REFUSED',
          })
        expect((await gateway.refund(ref, id, 45_000, key)).payments).toMatchObject([{ refunded: 45_000 }])
        expect((await gateway.refund(ref, id, 100_000, { ...key, n: 3 })).payments).toMatchObject([{ refunded: 145_000 }])
        expect(await centavosTaken(input.key.purchase)).toBe(0)
      })

    const tools: Tools = { bench, charge, has }
    if (can.cards) cardSuite(tools)
    if (can.plans) subscriptionSuite(tools)
  })
}
