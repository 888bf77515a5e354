/** The providers of stamps: each keeps the suite; and SW's own answers (docs/domain.md FA17). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { taxIn } from '#contract/money.ts'
import { readCertificate, readKey, seal } from '#server/adapters/pac/certificate.ts'
import { originalChain } from '#server/adapters/pac/cfdi-structure.ts'
import type { PacPort } from '#server/adapters/pac/port.ts'
import { PacSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import { type PacBench, pacSuite } from '#server/adapters/pac/suite.ts'
import { SwPac } from '#server/adapters/pac/sw/sw.ts'
import { serialize } from '#server/adapters/pac/xml.ts'
import { SW_FAKE_PASSWORD, SW_FAKE_USER, SwFake } from '#server/testing/fakes/sw.ts'
import { studio } from '#server/testing/studio.ts'
import { creditReceiver, type Draft, toComprobante, toCreditItem, toItem } from './rules.ts'

const ISSUER = { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', postalCode: '42501', regime: '601' } as const
const KARLA = { rfc: 'FUNK671228PH6', name: 'KARLA FUENTE NOLASCO', postalCode: '01160', regime: '612', use: 'G03' } as const

/** What both benches have: the sandbox's books, a certificate of its authority, sealed documents. */
async function world() {
  const s = await studio()
  let at = new Date('2026-11-18T16:00:00Z')
  const now = () => at
  const books = new PacSandbox({ db: s.studio.db, now })
  const credentials = await books.issueTestCertificate({ ...ISSUER, regimes: ['601'] })
  const [facts, key] = [readCertificate(credentials.certificate), readKey(credentials.key, credentials.password)]
  if (!facts || !key) throw new Error('No certificate.')
  let folio = 0
  const sealed: PacBench['sealed'] = async (total, { substitutes, credits } = {}) => {
    const centavos = total * 100
    const charge = {
      invoice_id: ++folio,
      purchase_id: folio,
      title: 'Paquete',
      kept: centavos,
      lost: 0,
      total: centavos,
      ...taxIn(centavos, 1600),
      rate: 1600,
      exempt: false,
      productKey: '91101504',
      unitKey: 'E48',
    }
    const draft: Draft = {
      type: credits ? 'E' : 'I',
      series: 'F',
      folio,
      issuedAt: new Date(at.getTime() - 6 * 3_600_000).toISOString().slice(0, 19),
      placeOfIssue: '42501',
      paymentForm: '04',
      global: null,
      issuer: ISSUER,
      receiver: credits ? creditReceiver(KARLA) : KARLA,
      relation: credits ? { type: '01', uuids: [credits] } : substitutes ? { type: '04', uuids: [substitutes] } : null,
      lines: [credits ? toCreditItem(charge, centavos, 'refund') : toItem(charge, false)],
    }
    const by = { number: facts.number, base64: facts.base64 }
    return serialize(toComprobante(draft, by, seal(originalChain(toComprobante(draft, by)), key)))
  }
  return {
    s,
    now,
    books,
    sealed,
    issuer: ISSUER.rfc,
    seal: async () => ({ certificate: facts.base64, key }),
    answer: (uuid: string, accepts: boolean) => books.answerCancellation(uuid, accepts),
    cancelAtPortal: (uuid: string) => books.cancelAtPortal(uuid),
    advance: ({ days = 0, minutes = 0 }: { days?: number; minutes?: number }) => {
      at = new Date(at.getTime() + days * 86_400_000 + minutes * 60_000)
    },
  }
}

pacSuite('the sandbox', async () => {
  const w = await world()
  return {
    ...w,
    pac: w.books,
    lose: (when) => {
      w.books.fault = when
    },
    mend: () => {
      w.books.fault = 'none'
    },
    stamped: async () => (await w.s.sql<{ n: number }>('select count(*)::int as n from pac_sandbox_stamp'))[0]?.n ?? 0,
    close: () => w.s.close(),
  }
})

async function swWorld() {
  const w = await world()
  const sw = await new SwFake({ now: w.now, sat: w.books }).listen()
  const bases = { services: sw.url, storage: sw.url, sat: sw.url }
  const pac = (password: string = SW_FAKE_PASSWORD): PacPort =>
    new SwPac({ user: SW_FAKE_USER, password, environment: 'produccion', now: w.now, bases, timeoutMs: 1_500 })
  const close = async () => {
    expect(sw.complaints).toEqual([])
    await sw.close()
    await w.s.close()
  }
  return { ...w, sw, pac, close }
}

pacSuite('SW', async () => {
  const w = await swWorld()
  return {
    ...w,
    pac: w.pac(),
    lose: (when) => w.sw.break(when === 'before' ? 'hang before' : 'hang after', 'POST /v4/cfdi33/stamp'),
    mend: () => w.sw.mend(),
    stamped: () => w.sw.stamped(),
  }
})

describe('SW, its own answers', () => {
  let w: Awaited<ReturnType<typeof swWorld>>
  beforeAll(async () => {
    w = await swWorld()
  })
  afterAll(() => w.close())
  beforeEach(() => {
    w.sw.mend()
    w.sw.onlyStamps = false
  })
  const input = async (total: number) => ({ xml: await w.sealed(total), key: crypto.randomUUID() })

  test('one token serves many requests; after two hours another is asked for, and one that is refused earlier is replaced once', async () => {
    const pac = w.pac()
    const before = w.sw.countOf('POST /security/authenticate')
    await Promise.all([pac.stamp(await input(100)), pac.stamp(await input(110))])
    expect(w.sw.countOf('POST /security/authenticate')).toBe(before + 1)
    w.advance({ minutes: 121 })
    expect((await pac.stamp(await input(120))).state).toBe('valid')
    expect(w.sw.countOf('POST /security/authenticate')).toBe(before + 2)
    w.sw.forgetTokens()
    expect((await pac.stamp(await input(130))).state).toBe('valid')
    expect(w.sw.countOf('POST /security/authenticate')).toBe(before + 3)
  })

  test('a wrong password leaves the document waiting, and the connection says so', async () => {
    const pac = w.pac('otra-clave')
    expect(await pac.check()).toBe('refused')
    const fact = await pac.stamp(await input(140))
    expect(fact.state).toBe('unknown')
    expect(JSON.stringify(fact)).not.toContain('otra-clave')
  })

  test.each(['429', '500 before', '500 after', 'drop before', 'drop after', 'strange'] as const)(
    'after %s the same document has one stamp',
    async (fault) => {
      const pac = w.pac()
      const document = await input(150)
      const before = await w.sw.stamped()
      w.sw.break(fault, 'POST /v4/cfdi33/stamp')
      expect((await pac.stamp(document)).state).toBe('unknown')
      expect((await pac.find(document)).state).toBe('valid')
      expect(await w.sw.stamped()).toBe(before + 1)
    },
  )

  test('used up stamps leave the document waiting until there are some', async () => {
    const pac = w.pac()
    const document = await input(160)
    const left = w.sw.stampsLeft
    w.sw.stampsLeft = 0
    expect((await pac.stamp(document)).state).toBe('unknown')
    w.sw.stampsLeft = left
    expect((await pac.find(document)).state).toBe('valid')
  })

  test('a repeated document whose answer has the stamp alone is put together, seal by seal', async () => {
    const pac = w.pac()
    const document = await input(170)
    const first = await pac.stamp(document)
    w.sw.onlyStamps = true
    const again = await pac.stamp(document)
    expect(again).toMatchObject({ state: 'valid', uuid: first.state === 'valid' ? first.uuid : '' })
    expect(again.state === 'valid' && again.xml).toContain('<tfd:TimbreFiscalDigital')
  })

  test('a document for whose date it is too late is refused when it is sent, and stays open when it is looked for', async () => {
    const pac = w.pac()
    const document = await input(180)
    w.advance({ days: 4 })
    expect(await pac.stamp(document)).toMatchObject({ state: 'refused', refusal: { code: '401' } })
    expect(await pac.find(document)).toMatchObject({ state: 'unknown', isOver: true })
  })

  test('the private key leaves under a password of its own, which is another each time', async () => {
    const pac = w.pac()
    const sent: string[] = []
    w.sw.onRequest = ({ path, raw }) => {
      if (path === '/cfdi33/cancel/csd') sent.push((JSON.parse(raw) as { password: string }).password)
    }
    for (const total of [190, 200]) {
      const document = await pac.stamp(await input(total))
      if (document.state !== 'valid') throw new Error('Not stamped.')
      await pac.cancel({ uuid: document.uuid, xml: document.xml, rfc: w.issuer, motive: '02', seal: w.seal })
    }
    w.sw.onRequest = null
    expect(new Set(sent).size).toBe(2)
  })

  test('a cancellation of another issuer is refused; a broken answer of the SAT and a silent one leave the state unknown', async () => {
    const pac = w.pac()
    const document = await pac.stamp(await input(210))
    if (document.state !== 'valid') throw new Error('Not stamped.')
    const { uuid, xml } = document
    expect(await pac.cancel({ uuid, xml, rfc: 'AAA010101AAA', motive: '02', seal: w.seal })).toMatchObject({
      state: 'refused',
      refusal: { code: 'CACFDI33', message: expect.stringContaining('CA305') },
    })
    w.sw.break('hang before', 'POST /ConsultaCFDIService.svc')
    expect((await pac.read({ uuid, xml, isCancelling: false })).state).toBe('unknown')
    w.sw.break('drop after', 'POST /cfdi33/cancel/csd')
    expect((await pac.cancel({ uuid, xml, rfc: w.issuer, motive: '02', seal: w.seal })).state).toBe('unknown')
    expect((await pac.cancel({ uuid, xml, rfc: w.issuer, motive: '02', seal: w.seal })).state).toBe('cancelled')
  })
})
