/** Invoices that staff and customers issue: their contents, the rights, once per charge (docs/domain.md, FA1 to FA5, FA8, FA9). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readCertificate, verifySeal } from '#server/adapters/pac/certificate.ts'
import { originalChain, stampChain, structureProblems } from '#server/adapters/pac/cfdi-structure.ts'
import { findChild, parse } from '#server/adapters/pac/xml.ts'
import { invoicing, KARLA, sha256 } from '#server/testing/invoicing.ts'
import { codeOf, refusalOf } from '#server/testing/studio.ts'
import { recoverDocuments } from './recovering.ts'

const { s, desk, ana, cash, location_id, pac, soldAs, reset, paid, refund, issue, xmlOf, byFolio, liveLines } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

describe('an invoice at the counter', () => {
  test('an invoice at the counter has the sums of its charge and valid seals, and its file is the stored XML (FA3, FA13)', async () => {
    const { invoice_id, purchase_id } = await paid(ana, 145_000, { sat_key: '91101501' })
    const document = await issue([invoice_id])
    expect(document).toMatchObject({ state: 'valid', total: '1450.00', tax: '200.00', payment_form: '01', kind: 'income', is_test: true })
    expect(document.purchase_ids).toEqual([purchase_id])
    const xml = await xmlOf(document)
    const root = parse(xml)
    expect(structureProblems(root)).toEqual([])
    expect(root.attributes).toMatchObject({ SubTotal: '1250.00', Total: '1450.00', LugarExpedicion: '42501', Fecha: '2026-11-19T10:00:00' })
    expect(xml).toContain('ClaveProdServ="91101501"')
    const certificate = readCertificate(Buffer.from(root.attributes.Certificado ?? '', 'base64'))
    expect(certificate).toMatchObject({ rfc: 'EKU9003173C9', isSeal: true, number: root.attributes.NoCertificado })
    expect(verifySeal(originalChain(root), root.attributes.Sello ?? '', root.attributes.Certificado ?? '')).toBe(true)
    const stamp = findChild(findChild(root, 'cfdi:Complemento'), 'tfd:TimbreFiscalDigital')
    expect(stamp?.attributes).toMatchObject({ Version: '1.1', UUID: document.uuid, SelloCFD: root.attributes.Sello })
    const [authority] = await s.sql<{ value: string }>(`select value from pac_sandbox_value where name = 'stamp_certificate'`)
    expect(stamp && verifySeal(stampChain(stamp), stamp.attributes.SelloSAT ?? '', authority?.value ?? '')).toBe(true)
    const [stored] = await s.sql<{ xml: string }>('select xml from fiscal_document where uuid = $1', [document.uuid])
    expect(sha256(xml)).toBe(sha256(stored?.xml ?? ''))
  })

  test('an invoice at the counter is downloaded as a PDF named by folio and UUID', async () => {
    const document = await issue([(await paid(ana)).invoice_id])
    const file = await desk.fiscal.pdf({ fiscal_document_id: document.fiscal_document_id })
    expect(file.name).toBe(`F-${document.folio}_${document.uuid}.pdf`)
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test('covers several charges of one person with the form of payment of the largest; charges of two persons are refused (FA6)', async () => {
    const [a, b] = [await paid(ana), await paid(ana, 99_900)]
    await s.sql(`update invoice set gateway = 'stripe', payment_method_id = null, funding = 'debit' where invoice_id = $1`, [a.invoice_id])
    const document = await issue([a.invoice_id, b.invoice_id])
    expect(document).toMatchObject({ total: '2449.00', charges: 2, payment_form: '28' })
    const other = await paid(await s.make.customer())
    const refusal = await refusalOf(issue([(await paid(ana)).invoice_id, other.invoice_id]))
    expect(refusal.message).toBe('Este cargo no se puede facturar: los cargos son de personas distintas.')
  })

  test('takes the next folio, and the receiver of the last invoice is proposed for the next (FA4, FA5)', async () => {
    const first = await issue([(await paid(ana)).invoice_id])
    const second = await issue([(await paid(ana)).invoice_id], { rfc: ' funk-671228ph6 ' })
    expect(second.folio).toBe(first.folio + 1)
    const { receiver, charges, documents, ready } = await desk.fiscal.ofPurchase({ purchase_id: second.purchase_ids[0] ?? 0 })
    expect(receiver).toEqual({ ...KARLA, name: 'KARLA FUENTE NOLASCO' })
    expect(charges[0]?.fiscal_document?.uuid).toBe(second.uuid)
    expect(documents).toHaveLength(1)
    expect(ready).toBe(true)
    expect(await s.sql('select 1 from fiscal_profile where customer_id = $1', [ana.customer_id])).toHaveLength(1)
  })

  test("an invoice at the counter is refused while the issuer's data are incomplete, naming what is missing (FA4)", async () => {
    await s.change({ business_postal_code: '', business_regime: '' })
    const refusal = await refusalOf(issue([(await paid(ana)).invoice_id]))
    expect(refusal).toMatchObject({ code: 'INVOICING_NOT_READY', status: 409 })
    expect(refusal.message).toBe('El estudio todavía no puede facturar. Falta el código postal fiscal y el régimen fiscal.')
  })

  test.each<[string, object, string]>([
    ['an RFC of the wrong form', { rfc: 'XX' }, 'receiver.rfc'],
    ['the RFC of the public', { rfc: 'XAXX010101000' }, 'receiver.rfc'],
    ['605 with G03', { regime: '605' }, 'receiver.use'],
    ['a postal code of four digits', { postal_code: '1160' }, 'receiver.postal_code'],
  ])('refuses %s with its field, and stamps nothing (FA5)', async (_, receiver, path) => {
    const { invoice_id } = await paid(ana)
    const refusal = await refusalOf(issue([invoice_id], receiver))
    expect(refusal.code).toBe('INVALID_INPUT')
    expect(refusal.data).toMatchObject({ issues: [{ path }] })
    expect(await liveLines(invoice_id)).toBe(0)
  })

  test.each<[string, object, string]>([
    ['a name that is not that of the RFC', { name: 'Karla Fuentes Nolasco' }, 'CFDI40145'],
    ['the postal code of another town', { postal_code: '64000' }, 'CFDI40148'],
    ['an RFC that does not exist', { rfc: 'GOLM850101AA1' }, 'CFDI40143'],
  ])(
    '%s is refused by the SAT: the charge can be invoiced again, and the refused document keeps the error (FA2)',
    async (_, receiver, code) => {
      const { invoice_id, purchase_id } = await paid(ana)
      const refusal = await refusalOf(issue([invoice_id], receiver))
      expect(refusal).toMatchObject({ code: 'INVOICE_REFUSED', status: 422, data: { code } })
      const about = await desk.fiscal.ofPurchase({ purchase_id })
      expect(about.charges[0]).toMatchObject({ why_not: null, fiscal_document: null })
      expect(about.documents[0]).toMatchObject({ state: 'refused', error: { code } })
      expect((await issue([invoice_id])).state).toBe('valid')
    },
  )

  test.each(['A\ud800B', 'A\ufffeB', 'A\u202eB', 'A\u200bB', '😀'.repeat(150), '=cmd|x', '"><script>&amp;'])(
    'refuses a name like %j, and the charge can still be invoiced (FA5)',
    async (name) => {
      const { invoice_id } = await paid(ana)
      expect(['INVOICE_REFUSED', 'INVALID_INPUT']).toContain(await codeOf(issue([invoice_id], { name })))
      expect((await issue([invoice_id])).state).toBe('valid')
    },
  )

  test('leaves out what was refunded before; a charge that was refunded wholly has no invoice (FA1)', async () => {
    const { invoice_id, purchase_id } = await paid(ana)
    await refund({ purchase_id, invoice_id }, '500.00')
    expect(await issue([invoice_id])).toMatchObject({ total: '950.00', tax: '131.03' })
    const purchase = await paid(ana)
    await refund(purchase, '1450.00')
    expect((await refusalOf(issue([purchase.invoice_id]))).message).toBe('Este cargo no se puede facturar: se devolvió completo.')
  })
})

describe('a charge is invoiced once', () => {
  test('by twenty calls at once (FA2)', async () => {
    const { invoice_id } = await paid(ana)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => issue([invoice_id])))
    const stamped = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.uuid] : []))
    expect(new Set(stamped).size).toBe(1)
    expect(await liveLines(invoice_id)).toBe(1)
    expect(await codeOf(issue([invoice_id]))).toBe('CHARGE_INVOICED')
  })

  test('by two calls with the same Idempotency-Key', async () => {
    const person = await s.make.staff('reception')
    const key = randomUUID()
    const input = { invoice_ids: [(await paid(ana)).invoice_id], receiver: KARLA }
    const [a, b] = [await s.as(person, key).fiscal.issue(input), await s.as(person, key).fiscal.issue(input)]
    expect(b.fiscal_document.uuid).toBe(a.fiscal_document.uuid)
  })

  test("when the PAC's answer is lost after the stamp: the job finds its UUID (FA8)", async () => {
    const { invoice_id } = await paid(ana)
    pac.fault = 'after'
    const document = await issue([invoice_id])
    expect(document).toMatchObject({ state: 'stamping', uuid: null })
    pac.fault = 'none'
    expect(await codeOf(issue([invoice_id]))).toBe('CHARGE_INVOICED')
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    const found = await byFolio(document.folio)
    const ledger = await s.sql<{ uuid: string }>(
      'select uuid from pac_sandbox_stamp where key = (select key from fiscal_document where fiscal_document_id = $1)',
      [document.fiscal_document_id],
    )
    expect(ledger).toEqual([{ uuid: found?.uuid }])
    expect(found?.state).toBe('valid')
  })

  test('when the request never arrives: it is sent again, given up after three days, and the charge can be invoiced (FA8)', async () => {
    const { invoice_id } = await paid(ana)
    pac.fault = 'before'
    const document = await issue([invoice_id])
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect((await byFolio(document.folio))?.state).toBe('stamping')
    s.clock.advance({ days: 3 })
    await recoverDocuments(s.system())
    expect((await byFolio(document.folio))?.state).toBe('refused')
    expect(await liveLines(invoice_id)).toBe(0)
  })
})

describe('an invoice by its customer', () => {
  test('an invoice by its customer is issued until the end of the month of the payment, and no other customer reads it (FA9)', async () => {
    const mine = await paid(ana)
    const { invoice_id } = mine
    const client = s.as(ana)
    expect((await client.fiscal.mine({ invoice_id })).charges[0]).toMatchObject({ why_not: null, amount: '1450.00' })
    const { fiscal_document } = await client.fiscal.issueMine({ invoice_id, receiver: KARLA })
    expect(fiscal_document.state).toBe('valid')
    expect(await (await client.fiscal.myXml({ invoice_id })).text()).toContain(String(fiscal_document.uuid))
    expect((await client.fiscal.myPdf({ invoice_id })).type).toBe('application/pdf')
    const eva = s.as(await s.make.customer())
    expect(await codeOf(eva.fiscal.mine({ invoice_id }))).toBe('NOT_FOUND')
    expect(await codeOf(eva.fiscal.myXml({ invoice_id }))).toBe('NOT_FOUND')
    expect(await codeOf(eva.fiscal.issueMine({ invoice_id, receiver: KARLA }))).toBe('NOT_FOUND')
  })

  test('an invoice by its customer is refused after that month and with `self_invoice` off; staff still issue it (FA9)', async () => {
    const { invoice_id } = await paid(ana)
    s.clock.set('2026-12-01T00:00:00-06:00')
    expect((await refusalOf(s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA }))).message).toMatch(
      /el mes en que pagaste ya terminó/,
    )
    expect((await issue([invoice_id])).state).toBe('valid')
    const again = await paid(ana)
    await s.change({ self_invoice: false })
    expect((await s.as(ana).fiscal.mine({ invoice_id: again.invoice_id })).charges[0]?.why_not).toMatch(/pídela en recepción/)
  })

  test('an invoice by its customer is tried at most twenty times an hour (FA9)', async () => {
    const eva = await s.make.customer()
    const { invoice_id } = await paid(eva)
    const attempt = () => codeOf(s.as(eva).fiscal.issueMine({ invoice_id, receiver: { ...KARLA, name: 'Nadie' } }))
    const codes = []
    for (let n = 0; n < 21; n++) codes.push(await attempt())
    expect([codes[0], codes[19], codes[20]]).toEqual(['INVOICE_REFUSED', 'INVOICE_REFUSED', 'TOO_MANY_REQUESTS'])
  })
})

describe('sales at the counter', () => {
  beforeEach(() => s.change({ cash_session_required: false }))
  const counterSale = async (customer_id: number | null, line: object, total: string) => {
    const { purchases } = await s.as(await s.make.staff('owner'), randomUUID()).counterSales.sell({
      customer_id,
      location_id,
      lines: [line] as never,
      shown: { total },
      payments: [{ payment_method_id: cash, amount: total }],
    })
    return await soldAs(purchases[0]?.purchase_id ?? 0)
  }

  test('a gift package is invoiced by its buyer only, and its recipient sees neither price nor tax data (S10, FA9)', async () => {
    const [buyer, friend] = [await s.make.customer(), await s.make.customer()]
    const { class_package_id } = await s.make.package({ price_centavos: 15_000 })
    const { invoice_id } = await counterSale(buyer.customer_id, { kind: 'package', class_package_id, gift_to: friend.customer_id }, '150')
    expect(await codeOf(s.as(friend).fiscal.mine({ invoice_id }))).toBe('NOT_FOUND')
    expect(await codeOf(s.as(friend).fiscal.issueMine({ invoice_id, receiver: KARLA }))).toBe('NOT_FOUND')
    expect((await s.as(buyer).fiscal.mine({ invoice_id })).charges[0]).toMatchObject({ amount: '150.00', why_not: null })
    await issue([invoice_id])
    const own = await paid(friend)
    expect((await s.as(friend).fiscal.mine({ invoice_id: own.invoice_id })).receiver).toBeNull()
    expect((await s.as(buyer).fiscal.mine({ invoice_id })).receiver?.rfc).toBe(KARLA.rfc)
    expect(await codeOf(s.as(friend).fiscal.myXml({ invoice_id }))).toBe('NOT_FOUND')
  })

  test('the tax data of a sale without a customer are not proposed for the next (FA9)', async () => {
    const item = { kind: 'other', title: 'Agua', amount: '25' }
    await issue([(await counterSale(null, item, '25')).invoice_id])
    const next = await counterSale(null, item, '25')
    expect((await desk.fiscal.ofPurchase({ purchase_id: next.purchase_id })).receiver).toBeNull()
  })
})

test('the list is in the order that is asked for: by date or total, up or down, the last ones first otherwise', async () => {
  for (const price of [90_000, 145_000, 30_000]) await issue([(await paid(ana, price)).invoice_id])
  const totals = async (sort?: 'created' | 'total' | '-total') =>
    (await desk.fiscal.list(sort ? { sort } : {})).fiscal_documents.slice(0, 3).map(({ total }) => total)
  const all = (await desk.fiscal.list({ sort: 'total' })).fiscal_documents.map(({ total }) => Number(total))
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(await totals()).toEqual(['300.00', '1450.00', '900.00'])
  expect(Number((await totals('-total'))[0])).toBeGreaterThanOrEqual(1450)
  const ids = (await desk.fiscal.list({ sort: 'created' })).fiscal_documents.map(({ fiscal_document_id }) => fiscal_document_id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
})
