/** The behaviour that every provider of stamps must have. Each one's test calls this. */
import { afterAll, describe, expect, test } from 'vitest'
import type { PacFact, PacPort, SealPair } from './port.ts'
import { findChild, parse } from './xml.ts'

export interface PacBench {
  pac: PacPort
  issuer: string
  /** A sealed document of this total, in pesos. */
  sealed(total: number, more?: { substitutes?: string; credits?: string }): Promise<string>
  seal: () => Promise<SealPair>
  /** What goes wrong with the next stamp: nothing arrives, or its answer is lost. */
  lose(when: 'before' | 'after'): void
  mend(): void
  /** How many documents are stamped. */
  stamped(): Promise<number>
  /** The receiver answers a cancellation. */
  answer(uuid: string, accepts: boolean): Promise<void>
  cancelAtPortal(uuid: string): Promise<void>
  advance(by: { days?: number }): void
  close(): Promise<void>
}

const stampIn = (xml: string) => findChild(findChild(parse(xml), 'cfdi:Complemento'), 'tfd:TimbreFiscalDigital')?.attributes ?? {}

function valid(fact: PacFact): Extract<PacFact, { state: 'valid' }> {
  if (fact.state !== 'valid') throw new Error(`It is not valid: ${JSON.stringify(fact)}`)
  return fact
}

export function pacSuite(name: string, open: () => Promise<PacBench>): void {
  describe(name, () => {
    let shared: Promise<PacBench> | undefined
    const bench = () => (shared ??= open())
    afterAll(async () => (await shared)?.close())

    async function stamp(total: number, more?: Parameters<PacBench['sealed']>[1]) {
      const { pac, sealed } = await bench()
      return valid(await pac.stamp({ xml: await sealed(total, more), key: crypto.randomUUID() }))
    }
    async function cancel({ uuid, xml }: { uuid: string; xml: string }, motive = '02', substitute?: string) {
      const { pac, issuer, seal } = await bench()
      return pac.cancel({ uuid, xml, rfc: issuer, motive, substitute, seal })
    }

    test('the same key twenty times at once is one stamp, and later the same again', async () => {
      const { pac, sealed, stamped } = await bench()
      const before = await stamped()
      const input = { xml: await sealed(1_450), key: crypto.randomUUID() }
      const all = (await Promise.all(Array.from({ length: 20 }, () => pac.stamp(input)))).map(valid)
      expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(1)
      expect(valid(await pac.stamp(input)).uuid).toBe(all[0]?.uuid)
      expect(await stamped()).toBe(before + 1)
      const { xml, uuid } = valid(await pac.find(input))
      expect(stampIn(xml)).toMatchObject({ UUID: uuid, SelloCFD: parse(input.xml).attributes.Sello })
      expect(parse(xml).attributes).toEqual(parse(input.xml).attributes)
    })

    test('another document under a used key is refused, and the first one stays', async () => {
      const { pac, sealed, stamped } = await bench()
      const first = { xml: await sealed(500), key: crypto.randomUUID() }
      const { uuid } = valid(await pac.stamp(first))
      const before = await stamped()
      expect((await pac.stamp({ ...first, xml: await sealed(600) })).state).toBe('refused')
      expect(await stamped()).toBe(before)
      expect(valid(await pac.find(first)).uuid).toBe(uuid)
    })

    test('a stamp whose answer is lost is found, with one UUID', async () => {
      const { pac, sealed, lose, mend, stamped } = await bench()
      const input = { xml: await sealed(700), key: crypto.randomUUID() }
      const before = await stamped()
      lose('after')
      expect((await pac.stamp(input)).state).toBe('unknown')
      mend()
      const found = valid(await pac.find(input))
      expect(valid(await pac.stamp(input)).uuid).toBe(found.uuid)
      expect(await stamped()).toBe(before + 1)
    })

    test('a document that never arrived is stamped once when it is sent again', async () => {
      const { pac, sealed, lose, mend, stamped } = await bench()
      const input = { xml: await sealed(710), key: crypto.randomUUID() }
      const before = await stamped()
      lose('before')
      expect((await pac.stamp(input)).state).toBe('unknown')
      mend()
      expect(['absent', 'valid']).toContain((await pac.find(input)).state)
      valid(await pac.stamp(input))
      expect(await stamped()).toBe(before + 1)
    })

    test('a document that breaks a rule is refused with its code, also when it is looked for', async () => {
      const { pac, sealed, stamped } = await bench()
      const before = await stamped()
      const xml = (await sealed(800)).replace('KARLA FUENTE NOLASCO', 'KARLA FUENTE')
      expect(await pac.stamp({ xml, key: crypto.randomUUID() })).toMatchObject({ state: 'refused', refusal: { code: 'CFDI40102' } })
      expect(await pac.stamp({ xml: '<a/>', key: crypto.randomUUID() })).toMatchObject({ state: 'refused', refusal: { code: '301' } })
      expect(await stamped()).toBe(before)
    })

    test('up to $1,000 is cancelled at once, with a receipt, and stays so', async () => {
      const { pac } = await bench()
      const document = await stamp(1_000)
      const fact = await cancel(document)
      expect(fact).toMatchObject({ state: 'cancelled', uuid: document.uuid, receipt: expect.stringContaining(document.uuid) })
      expect((await cancel(document)).state).toBe('cancelled')
      expect(await pac.read({ ...document, isCancelling: false })).toMatchObject({
        state: 'cancelled',
        receipt: expect.stringContaining(document.uuid),
      })
    })

    test('more than that waits for its receiver: refused it stays valid, accepted it is cancelled', async () => {
      const { pac, answer, advance } = await bench()
      const [first, other] = [await stamp(1_450), await stamp(1_460)]
      advance({ days: 4 })
      expect(await cancel(first)).toMatchObject({ state: 'valid', cancellation: 'requested' })
      expect(await pac.read({ ...first, isCancelling: true })).toMatchObject({ state: 'valid', cancellation: 'requested' })
      await answer(first.uuid, false)
      expect(await pac.read({ ...first, isCancelling: true })).toMatchObject({ state: 'valid', cancellation: 'rejected' })
      await cancel(other)
      await answer(other.uuid, true)
      expect((await pac.read({ ...other, isCancelling: true })).state).toBe('cancelled')
    })

    test('01 names what replaces it, and nothing else does', async () => {
      const document = await stamp(900)
      expect((await cancel(document, '01')).state).toBe('refused')
      expect((await cancel(document, '02', crypto.randomUUID())).state).toBe('refused')
      expect((await cancel(document, '05')).state).toBe('refused')
      const next = await stamp(950, { substitutes: document.uuid })
      expect((await cancel(document, '01', next.uuid)).state).toBe('cancelled')
    })

    test('one with a valid credit note is not cancelled', async () => {
      const document = await stamp(980)
      await stamp(100, { credits: document.uuid })
      expect(await cancel(document)).toMatchObject({ state: 'refused', refusal: { code: 'CANC108' } })
    })

    test('what is cancelled in the portal is found', async () => {
      const { pac, issuer, cancelAtPortal } = await bench()
      const [first, other] = [await stamp(300), await stamp(310)]
      await cancelAtPortal(first.uuid)
      async function* candidates() {
        yield first
        yield other
      }
      const found = await pac.cancelledSince({ rfc: issuer, from: new Date(0), candidates })
      expect(found).toContain(first.uuid)
      expect(found).not.toContain(other.uuid)
      expect((await pac.read({ ...first, isCancelling: false })).state).toBe('cancelled')
    })

    test('it answers and accepts its keys', async () => expect(await (await bench()).pac.check()).toBe('ok'))
  })
}
