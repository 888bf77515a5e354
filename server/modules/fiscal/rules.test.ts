/**
 * Drafts and documents: sums, order, cadena original; the sandbox's matrix of errors accepts what these rules make and refuses what
 * breaks them.
 */
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taxIn } from '#contract/money.ts'
import { originalChain, structureProblems, TFD_NAMESPACE } from '#server/adapters/pac/cfdi-structure.ts'
import { brokenRule } from '#server/adapters/pac/sandbox/matrix.ts'
import { TEST_TAXPAYERS } from '#server/adapters/pac/sandbox/taxpayers.ts'
import { type Element, element, parse, serialize, XmlError } from '#server/adapters/pac/xml.ts'
import {
  type ChargeFacts,
  creditReceiver,
  type Draft,
  isWithinRate,
  largestForm,
  normalizeReceiver,
  publicReceiver,
  type Receiver,
  satPaymentForm,
  sumTotals,
  toComprobante,
  toCreditItem,
  toItem,
  toTicketItem,
  verificationUrl,
  whyNotInvoiceable,
  withholds,
} from './rules.ts'

const CERTIFICATE = { number: '30001000000500003416', base64: 'TUlJ' }
const KARLA: Receiver = { rfc: 'FUNK671228PH6', name: 'KARLA FUENTE NOLASCO', postalCode: '01160', regime: '612', use: 'G03' }
const ISSUER = { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', postalCode: '42501', regime: '601' } as const

let next = 1
function charge(total: number, more: Partial<ChargeFacts> = {}): ChargeFacts {
  const { net, tax } = taxIn(total, more.rate ?? 1600)
  const n = next++
  return {
    invoice_id: n,
    purchase_id: 1000 + n,
    title: 'Paquete 10',
    kept: total,
    lost: 0,
    total,
    net,
    tax,
    rate: 1600,
    exempt: false,
    productKey: '91101504',
    unitKey: 'E48',
    ...more,
  }
}
const draftOf = (charges: readonly ChargeFacts[], more: Partial<Draft> = {}): Draft => ({
  type: 'I',
  series: 'F',
  folio: 7,
  issuedAt: '2026-11-26T10:00:00',
  placeOfIssue: '42501',
  paymentForm: '04',
  global: null,
  relation: null,
  issuer: ISSUER,
  receiver: KARLA,
  lines: charges.map((charge) => toItem(charge, false)),
  ...more,
})
const comprobante = (draft: Draft) => toComprobante(draft, CERTIFICATE, 'c2VsbG8=')
const registry = new Map(TEST_TAXPAYERS.map((taxpayer) => [taxpayer.rfc, taxpayer]))
const facts = { taxpayer: (rfc: string) => registry.get(rfc) ?? null }
const verdict = (root: Element) => structureProblems(root)[0] ?? brokenRule(root, facts)?.code ?? 'ok'
const codeOf = (draft: Draft) => verdict(comprobante(draft))
const globalOf = (charges: readonly ChargeFacts[], more: Partial<Draft> = {}) =>
  draftOf(charges, {
    receiver: publicReceiver('42501'),
    global: { period: '04', months: '11', year: 2026 },
    lines: charges.map((charge) => toTicketItem(toItem(charge, false))),
    ...more,
  })
/** A copy of the document in which attributes of the elements with a name are replaced. */
const changed = (root: Element, name: string, attributes: Record<string, string>): Element => ({
  ...root,
  attributes: root.name === name ? { ...root.attributes, ...attributes } : root.attributes,
  children: root.children.map((child) => changed(child, name, attributes)),
})

describe('sums', () => {
  test('$1,450.00, $999.00 and $0.01 split as their charge', () => {
    const totals = [145_000, 99_900, 1].map((total) => sumTotals([toItem(charge(total), false)]))
    expect(totals.map(({ subtotal, tax }) => [subtotal, tax])).toEqual([
      [125_000, 20_000],
      [86_121, 13_779],
      [1, 0],
    ])
  })

  test('exempt is no rate of 0 %: it has no rate and no amount, and without other lines there is no total of taxes', () => {
    const [exempt, zero] = [charge(50_000, { rate: 0, exempt: true }), charge(20_000, { rate: 0 })]
    const [alone, both] = [comprobante(draftOf([exempt])), serialize(comprobante(draftOf([exempt, zero])))]
    expect(verdict(alone)).toBe('ok')
    expect(serialize(alone)).toContain('TipoFactor="Exento"')
    expect(serialize(alone)).not.toMatch(/TasaOCuota|TotalImpuestosTrasladados/)
    expect(both).toContain('TotalImpuestosTrasladados="0.00"')
    expect(both.match(/TipoFactor="Exento"/g)).toHaveLength(2)
    expect(both.match(/TasaOCuota="0.000000"/g)).toHaveLength(2)
    expect(verdict(comprobante(draftOf([exempt, zero, charge(11_600)])))).toBe('ok')
    expect(toCreditItem(exempt, 10_000, 'refund')).toMatchObject({ base: 10_000, tax: 0, exempt: true })
    expect(toTicketItem(toItem(exempt, false))).toMatchObject({ exempt: true })
  })

  test('every total to $10,000.00 is inside the limits of the SAT at 16 % and 8 %', () => {
    for (const rate of [1600, 800])
      for (let total = 1; total <= 1_000_000; total++) {
        const { net, tax } = taxIn(total, rate)
        if (net + tax !== total || !isWithinRate(net, tax, rate)) throw new Error(`${total} at ${rate}: ${net} + ${tax}`)
      }
  })

  test('5,000 tickets of $100.00 make a global of $500,000.00', () => {
    const charges = Array.from({ length: 5000 }, () => charge(10_000))
    const root = comprobante(globalOf(charges))
    expect(root.attributes.Total).toBe('500000.00')
    expect(verdict(root)).toBe('ok')
  })

  test('any mix of amounts, rates and refunds adds up to the centavo and is accepted', () => {
    const line = fc.record({
      total: fc.integer({ min: 1, max: 10_000_000 }),
      rate: fc.constantFrom(0, 800, 1600),
      back: fc.nat({ max: 100 }),
      exempt: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.boolean(), (rows, isGlobal) => {
        const charges = rows.map(({ total, rate, back, exempt }) =>
          charge(total, { rate: exempt ? 0 : rate, exempt, kept: Math.max(1, total - Math.floor((total * back) / 101)) }),
        )
        const draft = isGlobal ? globalOf(charges) : draftOf(charges)
        const root = comprobante(draft)
        const net = charges.reduce((sum, charge) => sum + charge.kept, 0)
        expect(root.attributes.Total).toBe((net / 100).toFixed(2))
        expect(verdict(parse(serialize(root)))).toBe('ok')
      }),
      { numRuns: 150 },
    )
  })

  test('a charge whose frozen tax left the limits when a price was split is computed again, with the same total', () => {
    const odd = { ...charge(10_000), net: 8_619, tax: 1_381 }
    expect(isWithinRate(odd.net, odd.tax, 1600)).toBe(false)
    const line = toItem(odd, false)
    expect(line.base + line.tax).toBe(10_000)
    expect(codeOf(draftOf([odd]))).toBe('ok')
  })

  test('a credit note of a part has the tax of that part; two parts are never more than the whole', () => {
    const whole = charge(145_000)
    const [a, b] = [toCreditItem(whole, 50_000, 'refund'), toCreditItem(whole, 95_000, 'refund')]
    expect([a.base, a.tax]).toEqual([43_103, 6_897])
    expect(a.base + a.tax + b.base + b.tax).toBe(145_000)
    const note = draftOf([], {
      type: 'E',
      receiver: creditReceiver(KARLA),
      relation: { type: '01', uuids: [crypto.randomUUID()] },
      lines: [a],
    })
    expect(codeOf(note)).toBe('ok')
  })

  test('a company withholds 1.25 % from a person in RESICO, in the line and in the summary', () => {
    const cecilia = { rfc: 'MISC491214B86', name: 'CECILIA MIRANDA SANCHEZ', postalCode: '01010', regime: '626' } as const
    const xenon: Receiver = { rfc: 'XIA190128J61', name: 'XENON INDUSTRIAL ARTICLES', postalCode: '76343', regime: '601', use: 'G03' }
    expect(withholds(cecilia, xenon)).toBe(true)
    expect(withholds(cecilia, KARLA)).toBe(false)
    const draft = draftOf([], { issuer: cecilia, receiver: xenon, placeOfIssue: '01010', lines: [toItem(charge(116_000), true)] })
    const root = comprobante(draft)
    expect(root.attributes).toMatchObject({ SubTotal: '1000.00', Total: '1147.50' })
    expect(verdict(root)).toBe('ok')
    expect(codeOf({ ...draft, lines: [toItem(charge(116_000), false)] })).toBe('CFDI140225')
  })
})

describe('the document', () => {
  test('cadena original: attributes in their order, without seal and certificate, blanks collapsed', () => {
    const root = comprobante(draftOf([{ ...charge(145_000, { title: 'Baño  & "sauna"' }), invoice_id: 3, purchase_id: 1010 }]))
    const expected = [
      '4.0',
      'F',
      '7',
      '2026-11-26T10:00:00',
      '04',
      '30001000000500003416',
      '1250.00',
      'MXN',
      '1450.00',
      'I',
      '01',
      'PUE',
      '42501',
      'EKU9003173C9',
      'ESCUELA KEMPER URGATE',
      '601',
      'FUNK671228PH6',
      'KARLA FUENTE NOLASCO',
      '01160',
      '612',
      'G03',
      '91101504',
      '001010-3',
      '1',
      'E48',
      'Baño & "sauna"',
      '1250.00',
      '1250.00',
      '02',
      '1250.00',
      '002',
      'Tasa',
      '0.160000',
      '200.00',
      '1250.00',
      '002',
      'Tasa',
      '0.160000',
      '200.00',
      '200.00',
    ]
    expect(originalChain(root)).toBe(`||${expected.join('|')}||`)
    expect(originalChain(parse(serialize(root)))).toBe(originalChain(root))
  })

  test('withheld rows come before the transferred ones in the summary, and each before its total', () => {
    const root = comprobante(draftOf([], { lines: [toItem(charge(116_000), true)] }))
    expect(originalChain(root)).toMatch(/\|001\|12\.50\|12\.50\|1000\.00\|002\|Tasa\|0\.160000\|160\.00\|160\.00\|\|$/)
  })

  test('the address of the QR code has the total and the last eight characters of the seal', () => {
    const url = verificationUrl({ uuid: 'A1B2', issuer: 'EKU9003173C9', receiver: 'FUNK671228PH6', total: 145_000, seal: 'abcdefghij==' })
    expect(url).toBe(
      'https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=A1B2&re=EKU9003173C9&rr=FUNK671228PH6&tt=1450.00&fe=efghij%3D%3D',
    )
  })

  test.each([
    ['a text outside elements', '<a>b</a>'],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an unknown entity', '<a b="&nbsp;"/>'],
    ['a tag that is closed as another', '<a><b></a></b>'],
    ['something after the document', '<a/><b/>'],
    ['an angle bracket in a value', '<a b="<"/>'],
    ['a control character', '<a b="\u0001"/>'],
    ['half of a character', '<a b="\ud800"/>'],
    ['an entity that is none of XML', '<a b="&#xFFFE;"/>'],
    ['half of a character as an entity', '<a b="&#xD83D;"/>'],
  ])('%s is no document', (_, text) => {
    expect(() => parse(text)).toThrow(XmlError)
  })

  test('a name and a title have nothing that XML cannot have', () => {
    const typed = { ...KARLA, name: 'Ana\ufffe|\u0007 \ud800Ruiz' }
    expect(normalizeReceiver(typed, '42501').name).toBe('ANA     RUIZ')
    expect(toItem(charge(100, { title: 'Agua\uffff \udc00fría😀' }), false).title).toBe('Agua fría😀')
  })
})

describe('the matrix of errors', () => {
  const good = draftOf([charge(145_000), charge(99_900)])
  const root = comprobante(good)

  test('a good document breaks no rule', () => expect(verdict(root)).toBe('ok'))

  test.each<[string, Element, string | RegExp]>([
    ['a pipe in a name', changed(root, 'cfdi:Receptor', { Nombre: 'KARLA | FUENTE' }), /@Nombre/],
    ['an unknown attribute', changed(root, 'cfdi:Emisor', { Curp: 'X' }), /@Curp: unknown/],
    ['seven decimals', changed(root, 'cfdi:Concepto', { Importe: '1250.0000001' }), /@Importe/],
    ['the 30th of February', changed(root, 'cfdi:Comprobante', { Fecha: '2026-02-30T10:00:00' }), /@Fecha/],
    ['the namespace of CFDI 3.3', changed(root, 'cfdi:Comprobante', { 'xmlns:cfdi': 'http://www.sat.gob.mx/cfd/3' }), /@xmlns:cfdi/],
    ['another namespace further in', changed(root, 'cfdi:Emisor', { 'xmlns:cfdi': 'urn:otro' }), /Emisor@xmlns:cfdi/],
    ['elements in another order', { ...root, children: [...root.children].reverse() }, /not allowed here|missing/],
    ['three decimals in the total', changed(root, 'cfdi:Comprobante', { Total: '2449.000' }), 'CFDI40107'],
    ['another subtotal', changed(root, 'cfdi:Comprobante', { SubTotal: '2111.22' }), 'CFDI40108'],
    ['another total', changed(root, 'cfdi:Comprobante', { Total: '2449.01' }), 'CFDI40119'],
    ['payment to come, in one payment', changed(root, 'cfdi:Comprobante', { FormaPago: '99' }), 'CFDI40105'],
    ['no price', changed(root, 'cfdi:Concepto', { ValorUnitario: '0.00' }), 'CFDI40166'],
    ['a key of no segment', changed(root, 'cfdi:Concepto', { ClaveProdServ: '99999999' }), 'CFDI40162'],
    ['no object of tax but a tax', changed(root, 'cfdi:Concepto', { ObjetoImp: '01' }), 'CFDI40172'],
    ['a rate of 15 %', changed(root, 'cfdi:Traslado', { TasaOCuota: '0.150000' }), 'CFDI40179'],
    ['another name of the issuer', changed(root, 'cfdi:Emisor', { Nombre: 'ESCUELA KEMPER' }), 'CFDI40139'],
    ['a regime of persons for a company', changed(root, 'cfdi:Emisor', { RegimenFiscal: '612' }), 'CFDI40140'],
    ['an unknown RFC', changed(root, 'cfdi:Receptor', { Rfc: 'AAA010101AAA' }), 'CFDI40143'],
    ['a name with its kind of company', changed(root, 'cfdi:Receptor', { Nombre: 'KARLA FUENTE NOLASCO SA DE CV' }), 'CFDI40145'],
    ['the postal code of another town', changed(root, 'cfdi:Receptor', { DomicilioFiscalReceptor: '64000' }), 'CFDI40148'],
    ['a regime of companies for a person', changed(root, 'cfdi:Receptor', { RegimenFiscalReceptor: '601' }), 'CFDI40158'],
    ['605 with G03', changed(root, 'cfdi:Receptor', { RegimenFiscalReceptor: '605' }), 'CFDI40161'],
    ['global data for a person', globalDataOf(root), 'CFDI40130'],
  ])('%s is refused', (_, document, code) => {
    if (typeof code === 'string') expect(verdict(document)).toBe(code)
    else expect(verdict(document)).toMatch(code)
  })

  test('a stamp needs its namespace, on itself or further out, as the schema of the SAT says', () => {
    const uuid = crypto.randomUUID()
    const stamped = (stamp: Record<string, string>, outer: Record<string, string> = {}) => {
      const attributes = {
        ...stamp,
        Version: '1.1',
        UUID: uuid,
        FechaTimbrado: '2026-11-26T10:01:00',
        RfcProvCertif: 'SPR190613I52',
        SelloCFD: 'c2VsbG8=',
        NoCertificadoSAT: '30001000000500003416',
        SelloSAT: 'c2VsbG8=',
      }
      const complement = element('cfdi:Complemento', outer, [element('tfd:TimbreFiscalDigital', attributes)])
      return structureProblems({ ...root, children: [...root.children, complement] })
    }
    expect(stamped({ 'xmlns:tfd': TFD_NAMESPACE })).toEqual([])
    expect(stamped({}, { 'xmlns:tfd': TFD_NAMESPACE })).toEqual([])
    expect(stamped({})).toEqual([expect.stringMatching(/TimbreFiscalDigital@xmlns:tfd/)])
    expect(stamped({ 'xmlns:tfd': 'urn:otro' })).toEqual([expect.stringMatching(/TimbreFiscalDigital@xmlns:tfd/)])
  })

  test('a global: public, its own keys, months that fit, two months only for 621', () => {
    const draft = globalOf([charge(10_000)])
    expect(codeOf(draft)).toBe('ok')
    expect(codeOf({ ...draft, global: null })).toBe('CFDI40130')
    expect(codeOf(draftOf([charge(10_000)], { receiver: draft.receiver, global: draft.global }))).toBe('CFDI40163')
    expect(verdict(changed(comprobante(draft), 'cfdi:InformacionGlobal', { Periodicidad: '05', Meses: '18' }))).toBe('CFDI40132')
    expect(verdict(changed(comprobante(draft), 'cfdi:InformacionGlobal', { Meses: '13' }))).toBe('CFDI40134')
    expect(verdict(changed(comprobante(draft), 'cfdi:InformacionGlobal', { Año: '2024' }))).toBe('CFDI40136')
    expect(codeOf({ ...draft, receiver: { ...draft.receiver, postalCode: '01000' } })).toBe('CFDI40149')
  })

  test('a foreigner has the postal code of the place of issue and 616', () => {
    const typed: Receiver = { rfc: 'XEXX010101000', name: 'Jane Doe', postalCode: '', regime: '616', use: 'S01' }
    const receiver = normalizeReceiver(typed, '42501')
    expect(receiver).toMatchObject({ name: 'JANE DOE', postalCode: '42501' })
    expect(codeOf(draftOf([charge(50_000)], { receiver }))).toBe('ok')
  })
})

function globalDataOf(root: Element): Element {
  const information: Element = {
    name: 'cfdi:InformacionGlobal',
    attributes: { Periodicidad: '04', Meses: '11', Año: '2026' },
    children: [],
  }
  return { ...root, children: [information, ...root.children] }
}

describe('forms of payment', () => {
  const CHOSEN = { invoice_form_card: '04', invoice_form_oxxo: '01', invoice_form_wallet: '31', invoice_form_other: '03' } as const
  const form = (more: object, chosen: object = {}) =>
    satPaymentForm({ gateway: 'stripe', kind: null, funding: null, by: null, voucher: null, ...more }, { ...CHOSEN, ...chosen })

  test('the form of payment is that of what took the money', () => {
    expect(form({ funding: 'debit' })).toBe('28')
    expect(form({ funding: 'prepaid' })).toBe('28')
    expect(form({ funding: 'credit' })).toBe('04')
    expect(form({ voucher: 'spei' })).toBe('03')
    expect(form({ voucher: 'oxxo' })).toBe('01')
    expect(form({ gateway: 'efectivo' })).toBe('01')
    expect(form({ gateway: 'mostrador', kind: 'terminal', funding: 'debit' })).toBe('28')
    expect(form({ gateway: 'mostrador', kind: 'transfer' })).toBe('03')
    expect(form({ gateway: 'paypal' })).toBe('31')
    expect(form({ gateway: 'sandbox', by: 'wallet' })).toBe('31')
    expect(form({ gateway: 'otro' })).toBe('03')
    expect(form({ gateway: 'regalo' })).toBe('05')
    expect(form({ gateway: 'mostrador', kind: 'other' })).toBe('03')
  })

  test('where the way of paying does not decide, by the settings', () => {
    const chosen = { invoice_form_card: '28', invoice_form_oxxo: '31', invoice_form_wallet: '06', invoice_form_other: '02' }
    expect(form({}, chosen)).toBe('28')
    expect(form({ funding: 'credit' }, chosen)).toBe('04')
    expect(form({ voucher: 'oxxo' }, chosen)).toBe('31')
    expect(form({ gateway: 'paypal' }, chosen)).toBe('06')
    expect(form({ gateway: 'mostrador', kind: 'other' }, chosen)).toBe('02')
    expect(form({ kind: 'cash' }, chosen)).toBe('01')
  })

  test('of several forms of payment the one of the largest sum counts', () => {
    const parts = [
      { amount: 60_000, form: '01' as const },
      { amount: 45_000, form: '28' as const },
      { amount: 45_000, form: '28' as const },
    ]
    expect(largestForm(parts)).toBe('28')
    expect(largestForm(parts.slice(0, 2))).toBe('01')
  })

  test('what cannot be invoiced says why', () => {
    const paid = { status: 'paid', kept: 100, rate: 1600, isGiftCard: false }
    expect(whyNotInvoiceable(paid)).toBeNull()
    for (const more of [
      { status: 'pending' },
      { status: 'void' },
      { status: 'failed' },
      { status: 'disputed' },
      { status: 'lost', kept: 0 },
      { kept: 0 },
      { rate: 1100 },
      { isGiftCard: true },
    ])
      expect(whyNotInvoiceable({ ...paid, ...more })).toMatch(/\.$/)
    for (const status of ['partially_refunded', 'lost']) expect(whyNotInvoiceable({ ...paid, status, kept: randomInt(1, 100) })).toBeNull()
  })
})
