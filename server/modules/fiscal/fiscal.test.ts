/** Invoices through the API, with the sandbox's PAC: issued, refused, lost on the way, cancelled, given back, global (docs/domain.md, FA1 to FA12). */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FiscalDocument } from '#contract/fiscal.ts'
import { isSealOf, readCertificate } from '#server/adapters/pac/certificate.ts'
import { originalChain, stampChain, structureProblems } from '#server/adapters/pac/cfdi-structure.ts'
import type { PacSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import { childOf, parse } from '#server/adapters/pac/xml.ts'
import { type Client, codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { readCancelled, recoverDocuments } from './stamping.ts'

const ISSUER = {
  ...{ business_rfc: 'EKU9003173C9', business_legal_name: 'Escuela Kemper Urgate', business_postal_code: '42501' },
  business_regime: '601',
} as const
const KARLA = { rfc: 'FUNK671228PH6', name: 'Karla Fuente Nolasco', postal_code: '01160', regime: '612', use: 'G03' } as const

let s: TestStudio
let desk: Client
let boss: Client
let ana: Person
let cash: number
let location_id: number
beforeAll(async () => {
  s = await studio()
  desk = s.as(await s.make.staff('reception'))
  boss = s.as(await s.make.staff('owner'))
  ana = await s.make.customer()
  cash = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
  location_id = (await s.make.location()).location_id
})
afterAll(() => s.close())
beforeEach(async () => {
  await s.reset(ISSUER)
  pac().fault = 'none'
})

const pac = () => s.studio.ports.pac as PacSandbox
/** A package that somebody paid in cash: its purchase and charge. */
async function paid(person: Person, price = 145_000, more: object = {}) {
  const { class_package_id } = await s.make.package({ title: 'Paquete 10', price_centavos: price, class_amount: 10, ...more })
  const { purchase } = await boss.studioSales.giveAccess({
    ...{ customer_id: person.customer_id, class_package_id, payment_method_id: cash, location_id },
  })
  const [row] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchase.purchase_id])
  return { purchase_id: purchase.purchase_id, invoice_id: row?.invoice_id ?? 0 }
}
const issue = (invoice_ids: number[], receiver: object = KARLA, client = desk) =>
  client.fiscal.issue({ invoice_ids, receiver: { ...KARLA, ...receiver } }).then(({ fiscal_document }) => fiscal_document)
const xmlOf = async ({ fiscal_document_id }: FiscalDocument) => (await desk.fiscal.xml({ fiscal_document_id })).text()
const one = async (folio: number) => (await desk.fiscal.list({ query: `F-${folio}` })).fiscal_documents.find((row) => row.folio === folio)
const liveLines = (invoice_id: number) =>
  s.sql<{ n: number }>('select count(*)::int as n from fiscal_line where invoice_id = $1 and live and refund_id is null', [invoice_id])

describe('an invoice at the counter', () => {
  test('is stamped: its sums are those of the charge, its seals are right, and its file is what was stored (cases 1, 39)', async () => {
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
    expect(isSealOf(originalChain(root), root.attributes.Sello ?? '', root.attributes.Certificado ?? '')).toBe(true)
    const stamp = childOf(childOf(root, 'cfdi:Complemento'), 'tfd:TimbreFiscalDigital')
    expect(stamp?.attributes).toMatchObject({ Version: '1.1', UUID: document.uuid, SelloCFD: root.attributes.Sello })
    const [authority] = await s.sql<{ value: string }>(`select value from pac_sandbox_value where name = 'stamp_certificate'`)
    expect(stamp && isSealOf(stampChain(stamp), stamp.attributes.SelloSAT ?? '', authority?.value ?? '')).toBe(true)
    const [stored] = await s.sql<{ xml: string }>('select xml from fiscal_document where uuid = $1', [document.uuid])
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(digest(xml)).toBe(digest(stored?.xml ?? ''))
  })

  test('a pdf with the document', async () => {
    const document = await issue([(await paid(ana)).invoice_id])
    const file = await desk.fiscal.pdf({ fiscal_document_id: document.fiscal_document_id })
    expect(file.name).toBe(`F-${document.folio}_${document.uuid}.pdf`)
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test('several charges of one person are one invoice, by the form of the largest part; of two persons they are refused', async () => {
    const [a, b] = [await paid(ana), await paid(ana, 99_900)]
    await s.sql(`update invoice set gateway = 'stripe', payment_method_id = null, funding = 'debit' where invoice_id = $1`, [a.invoice_id])
    const document = await issue([a.invoice_id, b.invoice_id])
    expect(document).toMatchObject({ total: '2449.00', charges: 2, payment_form: '28' })
    const other = await paid(await s.make.customer())
    const refusal = await refusalOf(issue([(await paid(ana)).invoice_id, other.invoice_id]))
    expect(refusal.message).toBe('Este cargo no se puede facturar: los cargos son de personas distintas.')
  })

  test('the next folio, and the data of the last time', async () => {
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

  test('what the studio has to say first', async () => {
    await s.change({ business_postal_code: '', business_regime: '' })
    const refusal = await refusalOf(issue([(await paid(ana)).invoice_id]))
    expect(refusal).toMatchObject({ code: 'INVOICING_NOT_READY', status: 409 })
    expect(refusal.message).toBe('El estudio todavía no puede facturar. Falta el código postal fiscal y el régimen fiscal.')
  })

  test.each<[string, object, string]>([
    ['an RFC of the wrong form', { rfc: 'XX' }, 'receiver.rfc'],
    ['the RFC of the public (case 15)', { rfc: 'XAXX010101000' }, 'receiver.rfc'],
    ['605 with G03 (case 12)', { regime: '605' }, 'receiver.use'],
    ['a postal code of four digits', { postal_code: '1160' }, 'receiver.postal_code'],
  ])('%s is said with its field and stamps nothing', async (_, receiver, path) => {
    const { invoice_id } = await paid(ana)
    const refusal = await refusalOf(issue([invoice_id], receiver))
    expect(refusal.code).toBe('INVALID_INPUT')
    expect(refusal.data).toMatchObject({ issues: [{ path }] })
    expect(await liveLines(invoice_id)).toEqual([{ n: 0 }])
  })

  test.each<[string, object, string]>([
    ['a name that is not that of the RFC (case 10)', { name: 'Karla Fuentes Nolasco' }, 'CFDI40145'],
    ['the postal code of another town (case 11)', { postal_code: '64000' }, 'CFDI40148'],
    ['an RFC that does not exist', { rfc: 'GOLM850101AA1' }, 'CFDI40143'],
  ])('%s is refused by the SAT; the charge stays open and the data are kept', async (_, receiver, code) => {
    const { invoice_id, purchase_id } = await paid(ana)
    const refusal = await refusalOf(issue([invoice_id], receiver))
    expect(refusal).toMatchObject({ code: 'INVOICE_REFUSED', status: 422, data: { code } })
    const about = await desk.fiscal.ofPurchase({ purchase_id })
    expect(about.charges[0]).toMatchObject({ why_not: null, fiscal_document: null })
    expect(about.documents[0]).toMatchObject({ state: 'refused', error: { code } })
    expect((await issue([invoice_id])).state).toBe('valid')
  })

  test('what was given back before is not in it; a charge of which nothing is left has none (case 31)', async () => {
    const { invoice_id, purchase_id } = await paid(ana)
    await boss.studioSales.refund({ purchase_id, invoice_id, amount: '500.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    expect(await issue([invoice_id])).toMatchObject({ total: '950.00', tax: '131.03' })
    const gone = await paid(ana)
    await boss.studioSales.refund({ ...gone, amount: '1450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    expect((await refusalOf(issue([gone.invoice_id]))).message).toBe('Este cargo no se puede facturar: se devolvió completo.')
  })
})

describe('once only', () => {
  test('twenty clicks are one invoice (case 4)', async () => {
    const { invoice_id } = await paid(ana)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => issue([invoice_id])))
    const stamped = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.uuid] : []))
    expect(new Set(stamped).size).toBe(1)
    expect(await liveLines(invoice_id)).toEqual([{ n: 1 }])
    expect(await codeOf(issue([invoice_id]))).toBe('CHARGE_INVOICED')
  })

  test('the same Idempotency-Key gives the same invoice', async () => {
    const person = await s.make.staff('reception')
    const key = crypto.randomUUID()
    const input = { invoice_ids: [(await paid(ana)).invoice_id], receiver: KARLA }
    const [a, b] = [await s.as(person, key).fiscal.issue(input), await s.as(person, key).fiscal.issue(input)]
    expect(b.fiscal_document.uuid).toBe(a.fiscal_document.uuid)
  })

  test('an answer that is lost after the stamp is found again: one UUID (cases 6, 8)', async () => {
    const { invoice_id } = await paid(ana)
    pac().fault = 'after'
    const document = await issue([invoice_id])
    expect(document).toMatchObject({ state: 'stamping', uuid: null })
    pac().fault = 'none'
    expect(await codeOf(issue([invoice_id]))).toBe('CHARGE_INVOICED')
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    const found = await one(document.folio)
    const ledger = await s.sql<{ uuid: string }>(
      'select uuid from pac_sandbox_stamp where key = (select key from fiscal_document where fiscal_document_id = $1)',
      [document.fiscal_document_id],
    )
    expect(ledger).toEqual([{ uuid: found?.uuid }])
    expect(found?.state).toBe('valid')
  })

  test('one that never arrived is sent again, and given up after three days: the charge is open again (case 7)', async () => {
    const { invoice_id } = await paid(ana)
    pac().fault = 'before'
    const document = await issue([invoice_id])
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect((await one(document.folio))?.state).toBe('stamping')
    s.clock.advance({ days: 3 })
    await recoverDocuments(s.system())
    expect((await one(document.folio))?.state).toBe('refused')
    expect(await liveLines(invoice_id)).toEqual([{ n: 0 }])
  })
})

describe('by its customer', () => {
  test('until the end of the month in which it was paid; nobody else sees it (case 40)', async () => {
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

  test('afterwards only at the desk; switched off, never', async () => {
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
})

describe('cancelling', () => {
  const cancel = (document: FiscalDocument, motive: '01' | '02' | '03' = '02', more: object = {}) =>
    boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive, ...more }).then((answer) => answer.fiscal_document)

  test('to $1,000 at once, and the charge can be invoiced again (case 33)', async () => {
    const { invoice_id } = await paid(ana, 90_000)
    const document = await issue([invoice_id])
    s.clock.advance({ days: 10 })
    expect(await cancel(document)).toMatchObject({ state: 'cancelled', cancel_motive: '02' })
    expect((await issue([invoice_id])).state).toBe('valid')
  })

  test('more than that waits for its receiver: refused it stays valid, silence of three business days cancels (cases 34, 35)', async () => {
    const [a, b, c] = [
      await issue([(await paid(ana)).invoice_id]),
      await issue([(await paid(ana)).invoice_id]),
      await issue([(await paid(ana)).invoice_id]),
    ]
    expect((await cancel(c)).state).toBe('cancelled')
    s.clock.set('2026-11-26T10:00:00-06:00')
    expect((await cancel(a)).state).toBe('cancelling')
    expect((await cancel(b)).state).toBe('cancelling')
    await pac().answerCancellation(a.uuid ?? '', false)
    // Over a weekend.
    s.clock.set('2026-11-29T10:00:00-06:00')
    await recoverDocuments(s.system())
    expect([(await one(a.folio))?.state, (await one(b.folio))?.state]).toEqual(['valid', 'cancelling'])
    s.clock.set('2026-12-01T11:00:00-06:00')
    await recoverDocuments(s.system())
    expect((await one(b.folio))?.state).toBe('cancelled')
  })

  test('01 names the invoice that replaces it (case 36)', async () => {
    const document = await issue([(await paid(ana)).invoice_id])
    expect((await refusalOf(cancel(document, '01'))).message).toMatch(/se dice qué factura la sustituye/)
    const other = await issue([(await paid(ana)).invoice_id])
    expect((await refusalOf(cancel(document, '01', { substitute_id: other.fiscal_document_id }))).code).toBe('INVOICE_NOT_CANCELLABLE')
    expect((await one(document.folio))?.state).toBe('valid')
  })
})

describe('a cancellation', () => {
  const cancel = ({ fiscal_document_id }: FiscalDocument, motive: '01' | '02' | '03' = '02', more: object = {}) =>
    boss.fiscal.cancel({ fiscal_document_id, motive, ...more }).then((answer) => answer.fiscal_document)

  test('whose answer is lost is read again: the document ends, and its charge is free', async () => {
    const { invoice_id } = await paid(ana, 90_000)
    const document = await issue([invoice_id])
    const real = pac().cancel.bind(pac())
    const lost = vi.spyOn(pac(), 'cancel').mockImplementation(async (input) => {
      await real(input)
      throw new Error('killed')
    })
    await cancel(document).catch(() => null)
    lost.mockRestore()
    expect((await one(document.folio))?.state).toBe('valid')
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect((await one(document.folio))?.state).toBe('cancelled')
    expect((await issue([invoice_id])).state).toBe('valid')
  })

  test('that never arrived or was refused leaves no motive; a document does not replace itself', async () => {
    const document = await issue([(await paid(ana)).invoice_id])
    const dead = vi.spyOn(pac(), 'cancel').mockRejectedValue(new Error('killed'))
    await cancel(document).catch(() => null)
    dead.mockRestore()
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect(await one(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null })
    const self = { substitute_id: document.fiscal_document_id }
    expect((await refusalOf(cancel(document, '01', self))).message).toMatch(/no se sustituye a sí misma/)
    const other = await issue([(await paid(ana)).invoice_id])
    expect((await refusalOf(cancel(document, '01', { substitute_id: other.fiscal_document_id }))).code).toBe('INVOICE_NOT_CANCELLABLE')
    expect(await one(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null })
  })
})

describe('given back after its invoice', () => {
  test('a credit note per refund, once, with the IVA of that part; the invoice then cannot be cancelled (case 30)', async () => {
    const { invoice_id, purchase_id } = await paid(ana)
    const document = await issue([invoice_id])
    s.clock.advance({ hours: 1 })
    await boss.studioSales.refund({ purchase_id, invoice_id, amount: '500.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    s.clock.advance({ minutes: 1 })
    await Promise.all([issueCreditNotes(s.system()), issueCreditNotes(s.system())])
    const { documents } = await desk.fiscal.ofPurchase({ purchase_id })
    const notes = documents.filter((one) => one.kind === 'credit' && one.state === 'valid')
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatchObject({ total: '500.00', tax: '68.97', receiver: { use: 'G02' } })
    const xml = await xmlOf(notes[0] as FiscalDocument)
    expect(xml).toContain(`<cfdi:CfdiRelacionados TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${document.uuid}"/>`)
    const refusal = await refusalOf(boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive: '02' }))
    expect(refusal.message).toMatch(/otro comprobante vigente está relacionado/)
  })
})

describe('given back at the same time', () => {
  const back = (of: { purchase_id: number; invoice_id: number }, amount: string) =>
    boss.studioSales.refund({ ...of, amount, by_hand: true, reason: 'Prueba', payment_method_id: cash })
  const notesOf = async (purchase_id: number) =>
    (await desk.fiscal.ofPurchase({ purchase_id })).documents.filter(({ kind }) => kind === 'credit').map(({ total }) => total)

  test('a refund that began before the invoice and was written after it has its credit note', async () => {
    const sold = await paid(ana)
    await issue([sold.invoice_id])
    s.clock.advance({ seconds: -2 })
    await back(sold, '500.00')
    s.clock.advance({ minutes: 1 })
    await issueCreditNotes(s.system())
    expect(await notesOf(sold.purchase_id)).toEqual(['500.00'])
  })

  test('what a refused refund kept out of the invoice is not credited again', async () => {
    const sold = await paid(ana)
    await back(sold, '500.00')
    const [row] = await s.sql<{ refund_id: number }>('select refund_id from refund where invoice_id = $1', [sold.invoice_id])
    await issue([sold.invoice_id])
    // The processor took back what it had accepted.
    await s.sql(`update refund set state = 'refused' where refund_id = $1`, [row?.refund_id])
    await s.sql('update invoice set refunded_centavos = 0 where invoice_id = $1', [sold.invoice_id])
    s.clock.advance({ hours: 1 })
    await back(sold, '600.00')
    await issueCreditNotes(s.system())
    expect(await notesOf(sold.purchase_id)).toEqual(['100.00'])
  })
})

describe('the global invoice', () => {
  test('of a month: what nobody asked for, by form of payment, once, after twenty hours (cases 20, 23, 24)', async () => {
    s.clock.set('2027-01-31T23:30:00-06:00')
    await s.change({ global_invoice: 'month' })
    const [late, asked, card] = [await paid(ana), await paid(ana), await paid(ana, 30_000)]
    await s.sql(`update invoice set gateway = 'stripe', payment_method_id = null, funding = 'credit' where invoice_id = $1`, [
      card.invoice_id,
    ])
    await issue([asked.invoice_id])
    s.clock.set('2027-02-01T00:10:00-06:00')
    const february = await paid(ana)
    await issueGlobals(s.system())
    const globals = async () => (await desk.fiscal.list({ kind: 'global', from: '2027-02-01' })).fiscal_documents
    expect(await globals()).toEqual([])
    s.clock.set('2027-02-01T20:10:00-06:00')
    await Promise.all([issueGlobals(s.system()), issueGlobals(s.system())])
    await issueGlobals(s.system())
    const made = await globals()
    expect(made.map(({ payment_form, total, charges }) => [payment_form, total, charges]).sort()).toEqual([
      ['01', '1450.00', 1],
      ['04', '300.00', 1],
    ])
    const xml = await xmlOf(made[0] as FiscalDocument)
    expect(xml).toContain('<cfdi:InformacionGlobal Periodicidad="04" Meses="01" Año="2027"/>')
    expect(xml).toContain('Rfc="XAXX010101000" Nombre="PUBLICO EN GENERAL" DomicilioFiscalReceptor="42501"')
    expect(await liveLines(late.invoice_id)).toEqual([{ n: 1 }])
    expect(await liveLines(february.invoice_id)).toEqual([{ n: 0 }])
  })

  test('a refund after it is a credit note to the public (global guide, case I)', async () => {
    s.clock.set('2027-03-09T12:00:00-06:00')
    await s.change({ global_invoice: 'day' })
    const sold = await paid(ana)
    s.clock.set('2027-03-10T20:30:00-06:00')
    await issueGlobals(s.system())
    s.clock.advance({ hours: 1 })
    await boss.studioSales.refund({ ...sold, amount: '1450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    s.clock.advance({ minutes: 1 })
    await issueCreditNotes(s.system())
    const [note] = (await desk.fiscal.list({ kind: 'credit', from: '2027-03-10' })).fiscal_documents
    expect(note).toMatchObject({ state: 'valid', total: '1450.00', receiver: { rfc: 'XAXX010101000', use: 'G02' } })
  })
})

describe('whose it is', () => {
  beforeEach(() => s.change({ cash_session_required: false }))
  const counterSale = async (customer_id: number | null, line: object, total: string) => {
    const { sale, purchases } = await s.as(await s.make.staff('owner'), crypto.randomUUID()).counterSales.sell({
      ...{ customer_id, location_id, lines: [line] as never, shown: { total } },
      payments: [{ payment_method_id: cash, amount: total }],
    })
    const [row] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchases[0]?.purchase_id])
    return { sale, purchase_id: purchases[0]?.purchase_id ?? 0, invoice_id: row?.invoice_id ?? 0 }
  }

  test('a package that somebody else received is invoiced by who paid it; its price and tax data stay with them (S10)', async () => {
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

  test('the tax data of a sale without a customer are not proposed to the next one', async () => {
    const item = { kind: 'other', title: 'Agua', amount: '25' }
    await issue([(await counterSale(null, item, '25')).invoice_id])
    const next = await counterSale(null, item, '25')
    expect((await desk.fiscal.ofPurchase({ purchase_id: next.purchase_id })).receiver).toBeNull()
  })

  test('who works at one location neither sees nor cancels a global invoice, which has the sales of all', async () => {
    await s.change({ global_invoice: 'day' })
    s.clock.set('2027-04-06T12:00:00-06:00')
    const sold = await paid(ana)
    s.clock.set('2027-04-07T20:30:00-06:00')
    await issueGlobals(s.system())
    const [{ fiscal_document_id = 0 } = {}] = (await boss.fiscal.list({ kind: 'global', from: '2027-04-07' })).fiscal_documents
    const person = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
    const here = s.as(person)
    expect((await here.fiscal.list({ kind: 'global' })).fiscal_documents).toEqual([])
    expect(await codeOf(here.fiscal.xml({ fiscal_document_id }))).toBe('NOT_FOUND')
    expect(await codeOf(here.fiscal.pdf({ fiscal_document_id }))).toBe('NOT_FOUND')
    expect(await codeOf(here.fiscal.cancel({ fiscal_document_id, motive: '02' }))).toBe('NOT_FOUND')
    const { charges, documents } = await here.fiscal.ofPurchase({ purchase_id: sold.purchase_id })
    expect(documents).toEqual([])
    expect(charges[0]).toMatchObject({ fiscal_document: null, in_global: true, why_not: null })
    expect((await boss.fiscal.ofPurchase({ purchase_id: sold.purchase_id })).documents).toHaveLength(1)
  })

  test('a customer tries twenty times an hour', async () => {
    const eva = await s.make.customer()
    const { invoice_id } = await paid(eva)
    const attempt = () => codeOf(s.as(eva).fiscal.issueMine({ invoice_id, receiver: { ...KARLA, name: 'Nadie' } }))
    const codes = []
    for (let n = 0; n < 21; n++) codes.push(await attempt())
    expect([codes[0], codes[19], codes[20]]).toEqual(['INVOICE_REFUSED', 'INVOICE_REFUSED', 'TOO_MANY_REQUESTS'])
  })

  test.each(['A\ud800B', 'A\ufffeB', 'A\u202eB', 'A\u200bB', '😀'.repeat(150), '=cmd|x', '"><script>&amp;'])(
    'a name like %j is refused by the SAT and breaks nothing',
    async (name) => {
      const { invoice_id } = await paid(ana)
      expect(['INVOICE_REFUSED', 'INVALID_INPUT']).toContain(await codeOf(issue([invoice_id], { name })))
      expect((await issue([invoice_id])).state).toBe('valid')
    },
  )
})

describe('the global invoice and what comes after it', () => {
  /** A sale of a day in April 2027, in the global invoice of that day, which was written the evening after. */
  async function inGlobal(day: string, price = 145_000) {
    s.clock.set(`2027-04-${day}T12:00:00-06:00`)
    await s.change({ global_invoice: 'day' })
    const sold = await paid(ana, price)
    const other = await paid(ana, 30_000)
    s.clock.advance({ days: 1 })
    s.clock.advance({ hours: 9 })
    await issueGlobals(s.system())
    const { documents } = await boss.fiscal.ofPurchase({ purchase_id: sold.purchase_id })
    const [made] = documents.filter((one) => one.kind === 'global')
    if (!made) throw new Error('no global invoice')
    return { sold, other, global: made }
  }
  const notesOf = async (purchase_id: number) =>
    (await boss.fiscal.ofPurchase({ purchase_id })).documents.filter((one) => one.kind === 'credit')

  test('two locations with a postal code are two documents, each by its own code and clocks (cases 26, 27)', async () => {
    const tijuana = await s.make.location({ name: 'Tijuana', timezone: 'America/Tijuana', postal_code: '22000' })
    const roma = await s.make.location({ name: 'Roma', postal_code: '06700' })
    const at = async (location_id: number) => {
      const sold = await paid(ana)
      await s.sql('update invoice set location_id = $1 where invoice_id = $2', [location_id, sold.invoice_id])
      return sold
    }
    // 23:30 of the last of February in Tijuana, where it is an hour and a half into March in Mexico City.
    s.clock.set('2027-02-28T23:30:00-08:00')
    await s.change({ global_invoice: 'month' })
    const [late, march] = [await at(tijuana.location_id), await at(roma.location_id)]
    const own = await at(tijuana.location_id)
    const document = await issue([own.invoice_id])
    expect(document.issued_date).toBe('2027-02-28T23:30:00.000Z')
    expect(await xmlOf(document)).toContain('LugarExpedicion="22000"')
    s.clock.set('2027-03-01T20:05:00-08:00')
    await issueGlobals(s.system())
    const globalOf = async ({ purchase_id }: { purchase_id: number }) =>
      (await boss.fiscal.ofPurchase({ purchase_id })).documents.find((one) => one.kind === 'global')
    const first = await globalOf(late)
    expect(await (await boss.fiscal.xml({ fiscal_document_id: first?.fiscal_document_id ?? 0 })).text()).toMatch(
      /Fecha="2027-03-01T20:05:00".*LugarExpedicion="22000".*Meses="02" Año="2027".*DomicilioFiscalReceptor="22000"/s,
    )
    expect(await globalOf(march)).toBeUndefined()
    s.clock.set('2027-04-01T20:05:00-06:00')
    await issueGlobals(s.system())
    const second = await globalOf(march)
    expect(await (await boss.fiscal.xml({ fiscal_document_id: second?.fiscal_document_id ?? 0 })).text()).toMatch(
      /LugarExpedicion="06700".*Meses="03".*DomicilioFiscalReceptor="06700"/s,
    )
    await s.sql('update location set postal_code = null')
  })

  test('an invoice asked for after it: its own, and a credit note that takes it out of the global one; the sums stay (case 28)', async () => {
    const { sold, other, global } = await inGlobal('05')
    const document = await issue([sold.invoice_id])
    expect(document).toMatchObject({ state: 'valid', total: '1450.00' })
    const [note, ...more] = await notesOf(sold.purchase_id)
    expect(more).toEqual([])
    expect(note).toMatchObject({ state: 'valid', total: '1450.00', tax: '200.00', receiver: { rfc: 'XAXX010101000', use: 'G02' } })
    const xml = await xmlOf(note as FiscalDocument)
    expect(xml).toContain(`TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${global.uuid}"/>`)
    expect(xml).toContain(`NoIdentificacion="00${sold.purchase_id}-${sold.invoice_id}"`)
    await issueCreditNotes(s.system())
    expect(await notesOf(sold.purchase_id)).toHaveLength(1)
    expect(await codeOf(issue([sold.invoice_id]))).toBe('CHARGE_INVOICED')
    expect(await liveLines(other.invoice_id)).toEqual([{ n: 1 }])
    // What goes back now is of its own invoice.
    s.clock.advance({ minutes: 1 })
    await boss.studioSales.refund({ ...sold, amount: '450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    await issueCreditNotes(s.system())
    const refunded = (await notesOf(sold.purchase_id)).find((one) => one.total === '450.00')
    expect(refunded?.receiver.rfc).toBe(KARLA.rfc)
  })

  test('or, where the studio wants that, the global one is cancelled (04) and issued again without it, related to it (case 29)', async () => {
    const { sold, other, global } = await inGlobal('06')
    await s.change({ global_leave: 'replace' })
    expect((await issue([sold.invoice_id])).state).toBe('valid')
    expect(await notesOf(sold.purchase_id)).toEqual([])
    const globalsOf = async (purchase_id: number) =>
      (await boss.fiscal.ofPurchase({ purchase_id })).documents.filter((one) => one.kind === 'global')
    const [made, ...more] = (await globalsOf(other.purchase_id)).filter((one) => one.state === 'valid')
    expect(more).toEqual([])
    expect(made).toMatchObject({ total: '300.00', charges: 1, payment_form: global.payment_form })
    const xml = await xmlOf(made as FiscalDocument)
    expect(xml).toContain(`TipoRelacion="04"><cfdi:CfdiRelacionado UUID="${global.uuid}"/>`)
    expect(xml).toContain('Periodicidad="01" Meses="04" Año="2027"')
    expect((await globalsOf(sold.purchase_id)).map((one) => [one.state, one.cancel_motive])).toEqual([['cancelled', '04']])
    // The jobs find nothing left to do.
    await issueCreditNotes(s.system())
    await issueGlobals(s.system())
    expect((await globalsOf(other.purchase_id)).map((one) => one.state)).toEqual(['valid', 'cancelled'])
    expect([await liveLines(sold.invoice_id), await liveLines(other.invoice_id)]).toEqual([[{ n: 1 }], [{ n: 1 }]])
  })

  test('a replacement that was cut off after the cancellation is written later, by no other global; with a credit note there is none', async () => {
    const { sold, other, global } = await inGlobal('09')
    await s.change({ global_leave: 'replace' })
    const real = pac().stamp.bind(pac())
    // The own invoice is stamped; what replaces the global one is not.
    const dead = vi
      .spyOn(pac(), 'stamp')
      .mockImplementation((input) => (input.xml.includes('InformacionGlobal') ? Promise.reject(new Error('killed')) : real(input)))
    await issue([sold.invoice_id])
    dead.mockRestore()
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    await issueGlobals(s.system())
    const rows = await s.sql<{ state: string; related_id: number | null }>(
      `select d.state, d.related_id from fiscal_document d join fiscal_line f using (fiscal_document_id) where f.invoice_id = $1 order by 1`,
      [other.invoice_id],
    )
    expect(rows.map(({ state }) => state)).toEqual(['cancelled', 'valid'])
    expect(rows[1]?.related_id).toBe(global.fiscal_document_id)
    const next = await inGlobal('10')
    await boss.studioSales.refund({ ...next.other, amount: '100.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    s.clock.advance({ minutes: 1 })
    await issueCreditNotes(s.system())
    await issue([next.sold.invoice_id])
    expect(await notesOf(next.sold.purchase_id)).toHaveLength(1)
    expect((await one(next.global.folio))?.state).toBe('valid')
  })

  test('what went back to the public before is not taken out twice', async () => {
    const { sold } = await inGlobal('08')
    await boss.studioSales.refund({ ...sold, amount: '450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    s.clock.advance({ minutes: 1 })
    await issueCreditNotes(s.system())
    expect(await issue([sold.invoice_id])).toMatchObject({ total: '1000.00' })
    await issueCreditNotes(s.system())
    expect((await notesOf(sold.purchase_id)).map((one) => [one.total, one.receiver.rfc]).sort()).toEqual([
      ['1000.00', 'XAXX010101000'],
      ['450.00', 'XAXX010101000'],
    ])
  })

  test('refused, or cancelled before its credit note, the charge is in the global invoice as before', async () => {
    const { sold, global } = await inGlobal('11')
    expect(await codeOf(issue([sold.invoice_id], { name: 'Otra Persona' }))).toBe('INVOICE_REFUSED')
    const about = await boss.fiscal.ofPurchase({ purchase_id: sold.purchase_id })
    expect(about.charges[0]).toMatchObject({ in_global: true, why_not: null, fiscal_document: { uuid: global.uuid } })
    expect(await notesOf(sold.purchase_id)).toEqual([])
    expect((await issue([sold.invoice_id])).state).toBe('valid')
    expect(await notesOf(sold.purchase_id)).toHaveLength(1)
  })

  test('its customer does it until the year ends, where the studio allows it', async () => {
    const { sold } = await inGlobal('14')
    s.clock.set('2027-06-01T10:00:00-06:00')
    const { invoice_id } = sold
    expect(await codeOf(s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA }))).toBe('CHARGE_NOT_INVOICEABLE')
    await s.change({ self_invoice_until: 'year' })
    expect((await s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA })).fiscal_document.state).toBe('valid')
    expect(await notesOf(sold.purchase_id)).toHaveLength(1)
  })

  test('days that passed without a certificate are written when there is one again (case 41)', async () => {
    s.clock.set('2027-05-03T12:00:00-06:00')
    await s.change({ global_invoice: 'day' })
    const first = await paid(ana)
    s.clock.set('2027-05-04T12:00:00-06:00')
    const second = await paid(ana)
    await s.change({ business_regime: '' })
    s.clock.set('2027-05-06T21:00:00-06:00')
    await issueGlobals(s.system())
    expect(await liveLines(first.invoice_id)).toEqual([{ n: 0 }])
    await s.change({ business_regime: '601' })
    await issueGlobals(s.system())
    const rows = await s.sql<{ period: string }>(
      'select distinct period from fiscal_document join fiscal_line using (fiscal_document_id) where invoice_id = any($1) and live order by 1',
      [[first.invoice_id, second.invoice_id]],
    )
    expect(rows.map(({ period }) => period)).toEqual(['2027-05-03', '2027-05-04'])
  })

  test('a refund that failed after its credit note: the note is cancelled, and the charge can be credited again (case 32)', async () => {
    s.clock.set('2027-06-10T12:00:00-06:00')
    const { invoice_id, purchase_id } = await paid(ana)
    await issue([invoice_id])
    s.clock.advance({ hours: 1 })
    await boss.studioSales.refund({ purchase_id, invoice_id, amount: '500.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    await issueCreditNotes(s.system())
    expect((await notesOf(purchase_id)).map((one) => one.state)).toEqual(['valid'])
    // As the news of a processor does that could not deliver it (V37).
    await s.sql(`update refund set state = 'refused' where invoice_id = $1`, [invoice_id])
    await s.sql('update invoice set refunded_centavos = 0 where invoice_id = $1', [invoice_id])
    await issueCreditNotes(s.system())
    expect((await notesOf(purchase_id)).map((one) => [one.state, one.cancel_motive])).toEqual([['cancelled', '03']])
  })
})

describe('what others do, and what comes late', () => {
  test('cancelled in the portal of the SAT: found, and told in Hoy (case 37)', async () => {
    s.clock.set('2027-07-01T12:00:00-06:00')
    const { invoice_id } = await paid(ana)
    const document = await issue([invoice_id])
    await pac().cancelAtPortal(document.uuid ?? '')
    await readCancelled(s.system())
    expect(await one(document.folio)).toMatchObject({ state: 'cancelled', cancel_motive: null })
    expect(await liveLines(invoice_id)).toEqual([{ n: 0 }])
    const told = async (who: Client) => (await who.today.read({})).tasks.find((task) => task.title.includes(`F-${document.folio} `))
    expect(await told(boss)).toMatchObject({ kind: 'invoice_cancelled', link: `/admin/ventas?ver=facturas&q=F-${document.folio}` })
    expect(await told(desk)).toBeUndefined()
    const asked = await issue([invoice_id])
    await boss.fiscal.cancel({ fiscal_document_id: asked.fiscal_document_id, motive: '02' })
    await readCancelled(s.system())
    expect((await boss.today.read({})).tasks.find((task) => task.title.includes(`F-${asked.folio} `))).toBeUndefined()
  })

  test('after the month of the yearly return its fine is said, and it is cancelled only when that is confirmed (case 38)', async () => {
    s.clock.set('2027-08-01T12:00:00-06:00')
    const document = await issue([(await paid(ana, 90_000)).invoice_id])
    const read = async () => (await one(document.folio))?.cancel_warning
    s.clock.set('2028-03-31T12:00:00-06:00')
    expect(await read()).toBeNull()
    s.clock.set('2028-04-01T12:00:00-06:00')
    expect(await read()).toMatch(/multa de 5 a 10 %/)
    const cancel = (late?: boolean) =>
      boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive: '02', ...(late === undefined ? {} : { late }) })
    expect((await refusalOf(cancel())).message).toMatch(/ya pasó el plazo del SAT/)
    expect((await cancel(true)).fiscal_document.state).toBe('cancelled')
  })
})

describe('the certificate', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  test('is checked with its key and password, and nothing of it comes back or stays readable (case 40)', async () => {
    const made = await pac().issueTestCertificate({
      rfc: 'EKU9003173C9',
      name: 'ESCUELA KEMPER URGATE',
      postalCode: '42501',
      regimes: ['601'],
    })
    const other = await pac().issueTestCertificate({
      rfc: 'XIA190128J61',
      name: 'XENON INDUSTRIAL ARTICLES',
      postalCode: '76343',
      regimes: ['601'],
    })
    const save = (more: object = {}) =>
      boss.fiscal.saveCertificate({ certificate: base64(made.certificate), key: base64(made.key), password: made.password, ...more })
    s.clock.advance({ minutes: 1 })
    const paths = async (more: object) => {
      const { issues } = (await refusalOf(save(more))).data as { issues: { path: string }[] }
      return issues.map(({ path }) => path)
    }
    expect(await paths({ certificate: 'AAAA' })).toEqual(['certificate'])
    expect(await paths({ certificate: base64(other.certificate) })).toEqual(['certificate'])
    expect(await paths({ password: 'otra' })).toEqual(['password'])
    expect(await paths({ key: base64(other.key), password: other.password })).toEqual(['key'])
    const { certificate } = await save()
    expect(certificate).toMatchObject({ rfc: 'EKU9003173C9', state: 'valid' })
    expect((await boss.fiscal.setup()).certificate?.number).toBe(certificate.number)
    const [row] = await s.sql<{ sealed_key: string }>('select sealed_key from fiscal_certificate where number = $1', [certificate.number])
    expect(row?.sealed_key).toMatch(/^v1\./)
    const trail = await s.sql<{ text: string }>(`select (after::text) as text from audit where action = 'fiscal_certificate.save'`)
    expect(JSON.stringify([trail, s.logged])).not.toContain(made.password)
    expect((await issue([(await paid(ana)).invoice_id])).state).toBe('valid')
  })

  test('near its end the owner is told; afterwards nothing is lost: it waits for the next one (case 41)', async () => {
    const certificate = async () => (await boss.fiscal.setup()).certificate
    const told = async (who = boss) => (await who.today.read({})).tasks.find(({ kind }) => kind === 'certificate_ending')
    const { invoice_id } = await paid(ana)
    await issue([invoice_id])
    expect((await certificate())?.state).toBe('valid')
    expect(await told()).toBeUndefined()
    await s.sql(`update fiscal_certificate set "validUntil" = '2026-12-10T12:00:00-06:00'`)
    expect((await certificate())?.state).toBe('ending')
    expect(await told()).toMatchObject({ link: '/admin/ajustes/pagos?ajuste=invoice_series' })
    expect((await told())?.detail).toContain('10 dic 2026')
    expect(await told(desk)).toBeUndefined()
    s.clock.set('2026-12-11T10:00:00-06:00')
    expect(await told()).toMatchObject({ title: 'Venció el certificado de tus facturas' })
    expect((await certificate())?.state).toBe('expired')
    await s.change({ business_rfc: 'XIA190128J61' })
    expect((await certificate())?.state).toBe('other_rfc')
  })
})
