/** The port's suite, for gateways that charge and keep cards. */
import { describe, expect, test } from 'vitest'
import { type Instrument, PaymentError } from './port.ts'
import type { Tools } from './suite-bench.ts'

export function cardSuite({ bench, charge, has }: Tools): void {
  describe('cards', () => {
    const cards = () => has('cards')

    test('a card that pays is charged at once, and once with the same key', async () => {
      const { gateway, centavosTaken } = await bench()
      const input = await charge((await cards()).paid)
      const all = await Promise.all(Array.from({ length: 10 }, () => gateway.start(input)))
      for (const facts of all) expect(facts).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }] })
      expect(all[0]?.method?.last4).toMatch(/^\d{4}$/)
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
    })

    test('each no of the bank is a fact with its code, and takes nothing', async () => {
      const { gateway, centavosTaken } = await bench()
      for (const { instrument, code } of (await cards()).declined) {
        const input = await charge(instrument)
        const facts = await gateway.start(input)
        expect({ state: facts.state, code: facts.why?.code, next: facts.next }).toEqual({ state: 'refused', code, next: null })
        expect((await gateway.stop(facts.ref, 'now', 'rechazada')).state).toBe('refused')
        expect(await centavosTaken(input.key.purchase)).toBe(0)
      }
    })

    test('the bank asks: yes pays, no is a refusal with a sentence of its own, and asking again changes nothing', async () => {
      const { gateway, centavosTaken } = await bench()
      const { challenged: card } = await cards()
      for (const yes of [true, false]) {
        const input = await charge(card.instrument)
        const challenged = await gateway.start(input)
        expect(challenged).toMatchObject({ state: 'waiting', payments: [] })
        expect(['confirm', 'go']).toContain(challenged.next?.do)
        expect((await gateway.start(input)).ref).toEqual(challenged.ref)
        expect(await centavosTaken(input.key.purchase)).toBe(0)
        await card.answer(challenged, yes)
        for (let n = 0; n < 2; n++) {
          const after = await gateway.settle(challenged.ref)
          expect({ state: after.state, code: after.why?.code, next: after.next }).toEqual({
            state: yes ? 'paid' : 'refused',
            code: yes ? undefined : 'CARD_CONFIRMATION',
            next: null,
          })
        }
        expect(await centavosTaken(input.key.purchase)).toBe(yes ? 145_000 : 0)
      }
    })

    test('saving a card begins with its token: saved at once, after the bank’s challenge, or not at all', async () => {
      const { gateway, buyer, stranger } = await bench()
      const { setupTokens } = await cards()
      const atOnce = await gateway.cards.begin(buyer, setupTokens.atOnce)
      expect(atOnce.next).toBeNull()
      const savedCard = await gateway.cards.finish(buyer, atOnce.setup)
      expect(savedCard).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/), exp: expect.stringMatching(/^\d{2}\/20\d{2}$/) })
      expect((await gateway.start(await charge({ by: 'saved-card', card: savedCard }))).state).toBe('paid')
      const refused = gateway.cards.begin(buyer, setupTokens.refused).then(({ setup }) => gateway.cards.finish(buyer, setup))
      await expect(refused).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
      await expect(gateway.cards.finish(buyer, 'nadie')).rejects.toBeInstanceOf(PaymentError)
      const open = await gateway.cards.begin(buyer)
      expect(open.next).toMatchObject({ do: 'confirm', intent: 'setup', clientSecret: expect.any(String) })
      if (!setupTokens.challenged) return
      const challenged = await gateway.cards.begin(buyer, setupTokens.challenged.token)
      if (challenged.next?.do !== 'confirm') throw new Error('The bank did not ask.')
      await expect(gateway.cards.finish(buyer, challenged.setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
      await setupTokens.challenged.answer(challenged.next.clientSecret)
      await expect(gateway.cards.finish(stranger, challenged.setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
      const confirmed = await gateway.cards.finish(buyer, challenged.setup)
      expect((await gateway.cards.finish(buyer, challenged.setup)).id).toBe(confirmed.id)
    })

    test('an answer that was lost after the charge is found again, without a second one', async () => {
      const { gateway, centavosTaken } = await bench()
      const input = await charge((await cards()).lostButPaid)
      await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unknown_outcome', retry: 'same-key' })
      expect(await gateway.find(input.key)).toMatchObject({ state: 'paid' })
      expect(await gateway.start(input)).toMatchObject({ state: 'paid' })
      expect(await centavosTaken(input.key.purchase)).toBe(145_000)
    })

    test('a request that never arrived leaves nothing behind', async () => {
      const { gateway, centavosTaken } = await bench()
      const input = await charge((await cards()).lostAndUnpaid)
      await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unknown_outcome' })
      expect(await gateway.find(input.key)).toBeNull()
      expect(await centavosTaken(input.key.purchase)).toBe(0)
    })

    test('a saved card pays for its owner only, until it is removed', async () => {
      const { gateway, buyer, stranger, centavosTaken } = await bench()
      const card = await gateway.cards.finish(buyer, (await cards()).proof)
      expect(card.last4).toMatch(/^\d{4}$/)
      const instrument: Instrument = { by: 'saved-card', card }
      const mine = await charge(instrument)
      expect((await gateway.start(mine)).state).toBe('paid')
      const theirs = await charge(instrument, { buyer: stranger })
      await expect(gateway.start(theirs)).rejects.toBeInstanceOf(PaymentError)
      expect(await centavosTaken(theirs.key.purchase)).toBe(0)
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

    test('an amount that it cannot charge is refused before the call', async () => {
      const { gateway, centavosTaken } = await bench()
      const { paid } = await cards()
      expect(gateway.refuses({ instrument: paid.by, amount: 1 })).toBe('AMOUNT_OUT_OF_RANGE')
      expect(gateway.refuses({ instrument: paid.by, amount: 145_000 })).toBeNull()
      const input = await charge(paid, { amount: 1 })
      await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unsupported' })
      expect(await centavosTaken(input.key.purchase)).toBe(0)
    })
  })
}
