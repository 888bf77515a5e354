/** The contents of an invoice (CFDI 4.0): from charges to a draft, from the draft to the document. Pure (docs/domain.md, "Invoices"). */
import { type Centavos, pesos, taxIn } from '#contract/money.ts'
import { type CardProcessor, isCardProcessor, isWalletProcessor, type WalletProcessor } from '#contract/processors.ts'
import { cleanRfc, FOREIGN_RFC, GENERIC_RFC, isCompany, isRfc } from '#contract/rfc.ts'
import {
  CREDIT_NOTE_KEY,
  GOODS_KEY,
  IVA_RATES,
  type PaymentForm,
  REGIMES,
  type RegimeCode,
  regimesOf,
  type UseCode,
  usesOf,
} from '#contract/sat-catalogues.ts'
import type { LocalDate } from '#contract/time.ts'
import { CFDI_NAMESPACE, CFDI_SCHEMA, XSI_NAMESPACE } from '#server/adapters/pac/cfdi-structure.ts'
import { type Element, element } from '#server/adapters/pac/xml.ts'

export interface Taxpayer {
  rfc: string
  name: string
  postalCode: string
  regime: RegimeCode
}
export interface Receiver extends Taxpayer {
  use: UseCode
}

export interface DraftItem {
  /** Our folio of the charge. */
  id: string
  title: string
  productKey: string
  unitKey: string
  base: Centavos
  tax: Centavos
  /** Hundredths of a percent. */
  rate: number
  /** Exempt from IVA, with the rate 0: TipoFactor is Exento. */
  exempt?: true | undefined
  /** ISR withheld by a company, for an issuer in RESICO. */
  withheld: Centavos
}

export interface Draft {
  type: 'I' | 'E'
  series: string
  folio: number
  /** On the clocks of the place of issue: "2026-11-26T10:00:00". */
  issuedAt: string
  placeOfIssue: string
  paymentForm: PaymentForm
  global: { period: '01' | '04'; months: string; year: number } | null
  relation: { type: '01' | '04'; uuids: string[] } | null
  issuer: Taxpayer
  receiver: Receiver
  lines: DraftItem[]
}

export const PUBLIC_NAME = 'PUBLICO EN GENERAL'

/** The receiver of a global invoice. */
export const publicReceiver = (issuePostalCode: string, use: UseCode = 'S01'): Receiver => ({
  rfc: GENERIC_RFC,
  name: PUBLIC_NAME,
  postalCode: issuePostalCode,
  regime: '616',
  use,
})

/** What no XML document or seal may have: the pipe of the seal, control characters, halves of a character, and two that are none. */
const UNWRITABLE = /[|\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** A name as the SAT has it: capitals, nothing unwritable. Nothing else of it is corrected: it must be as in the constancia. */
export const cleanName = (text: string): string => text.replace(UNWRITABLE, ' ').trim().toUpperCase()

const clean = (text: string): string => text.replace(UNWRITABLE, ' ').replace(/\s+/g, ' ').trim()

export interface Issue {
  path: 'rfc' | 'name' | 'postal_code' | 'regime' | 'use'
  message: string
}

const COMPANY_ENDING = /,?\s+S\.?\s*(?:A\.?|DE\s+R\.?\s*L\.?|A\.?P\.?I\.?|C\.?)(?:\s+DE\s+C\.?\s*V\.?)?\.?$/u

/** Problems in the data of a receiver that are known before the SAT checks it. */
export function receiverIssues({ rfc, name, postalCode, regime, use }: Receiver): Issue[] {
  const issues: Issue[] = []
  if (!isRfc(rfc)) return [{ path: 'rfc', message: 'Un RFC tiene 12 o 13 caracteres, como ABC010203XY9.' }]
  if (rfc === GENERIC_RFC) return [{ path: 'rfc', message: 'Ese RFC es el del público en general. Escribe el tuyo.' }]
  const called = cleanName(name).replace(/\s+/g, ' ')
  if (called === '') issues.push({ path: 'name', message: 'Escribe el nombre como está en la constancia de situación fiscal.' })
  else if (isCompany(rfc) && COMPANY_ENDING.test(name))
    issues.push({ path: 'name', message: 'Escribe la razón social sin el tipo de sociedad: sin “S.A. de C.V.” ni parecidos.' })
  // CFDI40146: the global invoice's.
  if (called.normalize('NFD').replace(/\p{M}/gu, '') === PUBLIC_NAME)
    issues.push({ path: 'name', message: 'Ese nombre es el del público en general. Escribe el de la constancia de situación fiscal.' })
  if (!/^\d{5}$/.test(postalCode)) issues.push({ path: 'postal_code', message: 'El código postal tiene cinco dígitos.' })
  // The catalogue of the SAT begins with 01000.
  else if (postalCode < '01000')
    issues.push({ path: 'postal_code', message: 'Ese código postal no existe en México. Escribe el de la constancia.' })
  if (rfc === FOREIGN_RFC ? regime !== '616' : !regimesOf(rfc).includes(regime))
    issues.push({ path: 'regime', message: `Ese régimen no es de ${isCompany(rfc) ? 'personas morales' : 'personas físicas'}.` })
  else if (!(usesOf(regime) as readonly string[]).includes(use))
    issues.push({ path: 'use', message: `Con el régimen ${regime} el uso es ${usesOf(regime).join(' o ')}.` })
  return issues
}

/** The data of a receiver as they go into the document: foreigners get the postal code of the place of issue. */
export function normalizeReceiver(typed: Receiver, issuePostalCode: string): Receiver {
  const rfc = cleanRfc(typed.rfc)
  return {
    rfc,
    name: cleanName(typed.name),
    regime: typed.regime,
    use: typed.use,
    postalCode: rfc === FOREIGN_RFC ? issuePostalCode : typed.postalCode.trim(),
  }
}

/** A natural person in RESICO who invoices a company: it withholds ISR. */
export const withholds = (issuer: Taxpayer, receiver: Taxpayer): boolean =>
  issuer.regime === '626' && !isCompany(issuer.rfc) && isCompany(receiver.rfc)
const RESICO_BP = 125

export interface ChargeFacts {
  invoice_id: number
  purchase_id: number
  title: string
  /** What the studio keeps of it. */
  kept: Centavos
  /** What a bank took of it, also before an invoice. */
  lost: Centavos
  total: Centavos
  net: Centavos
  tax: Centavos
  rate: number
  exempt: boolean
  productKey: string
  unitKey: string
}

/** IVA is the rate of its base, as far as the rounding of the base to the centavo leaves open (CFDI40180). */
export function isWithinRate(base: Centavos, tax: Centavos, rate: number): boolean {
  // In two-hundredths of a centavo times 10,000: (base ± ½ centavo) × rate.
  const [low, high] = [(2 * base - 1) * rate, (2 * base + 1) * rate]
  return tax >= Math.floor(low / 20_000) && tax <= Math.ceil(high / 20_000)
}

/** The item of a charge: with its frozen tax when nothing was refunded, otherwise the remaining amount with the tax of its rate. */
export function toItem(charge: ChargeFacts, isWithheld: boolean): DraftItem {
  const isWhole = charge.kept === charge.total && charge.net > 0 && isWithinRate(charge.net, charge.tax, charge.rate)
  const { net, tax } = isWhole ? charge : taxIn(charge.kept, charge.rate)
  return {
    id: formatFolio(charge),
    title: clean(charge.title).slice(0, 1000) || 'Clases',
    productKey: charge.productKey,
    unitKey: charge.unitKey,
    base: net,
    tax,
    rate: charge.rate,
    ...(charge.exempt ? { exempt: true as const } : {}),
    withheld: isWithheld ? Math.round((net * RESICO_BP) / 10_000) : 0,
  }
}

/** The folio of a charge, as on its receipt. */
export const formatFolio = ({ purchase_id, invoice_id }: Pick<ChargeFacts, 'purchase_id' | 'invoice_id'>): string =>
  `00${purchase_id}-${invoice_id}`

/** The item of a ticket in a global invoice. */
export const toTicketItem = (line: DraftItem): DraftItem => ({
  ...line,
  title: 'Venta',
  productKey: GOODS_KEY,
  unitKey: 'ACT',
  withheld: 0,
})

const CREDIT_TITLES = { refund: 'Devolución de', loss: 'Contracargo de', invoiced: 'Facturado aparte:' }

/** The item of a credit note: for a refund, a lost dispute, or a charge that leaves a global invoice. */
export function toCreditItem(charge: ChargeFacts, amount: Centavos, of: keyof typeof CREDIT_TITLES): DraftItem {
  const { net, tax } = amount === charge.total && isWithinRate(charge.net, charge.tax, charge.rate) ? charge : taxIn(amount, charge.rate)
  const title = `${CREDIT_TITLES[of]} ${charge.title}`
  return {
    id: formatFolio(charge),
    title: clean(title).slice(0, 1000),
    productKey: CREDIT_NOTE_KEY,
    unitKey: 'ACT',
    base: net,
    tax,
    rate: charge.rate,
    withheld: 0,
    ...(charge.exempt ? { exempt: true as const } : {}),
  }
}

/** Why a charge cannot be in an invoice, as the end of a sentence; null when it can. */
export function whyNotInvoiceable(charge: { status: string; kept: Centavos; rate: number; isGiftCard: boolean }): string | null {
  if (charge.isGiftCard) return 'una tarjeta de regalo se factura cuando se usa.'
  if (charge.status === 'pending') return 'todavía no está confirmado.'
  if (charge.status === 'failed' || charge.status === 'void') return 'no se cobró.'
  if (charge.status === 'disputed') return 'el banco lo está revisando.'
  if (charge.kept <= 0) return charge.status === 'lost' ? 'el banco se llevó el dinero.' : 'se devolvió completo.'
  return IVA_RATES.includes(charge.rate) ? null : `su tasa de IVA, ${charge.rate / 100} %, no es una del SAT.`
}

/** Forms of payment that the studio's accountant decides. */
export interface ChosenForms {
  invoice_form_card: PaymentForm
  invoice_form_oxxo: PaymentForm
  invoice_form_wallet: PaymentForm
  invoice_form_other: PaymentForm
}

const FUNDING_FORMS = { credit: '04', debit: '28', prepaid: '28' } as const

/** What decides the form of a charge of each processor that was not paid with its wallet. */
const FORMS_OF_PROCESSORS: Readonly<Record<CardProcessor | WalletProcessor, 'card' | 'wallet'>> = {
  sandbox: 'card',
  stripe: 'card',
  conekta: 'card',
  paypal: 'wallet',
}

/** c_FormaPago of a charge. A stored gateway that this version does not have gets the form that the owner chose for other payments. */
export function satPaymentForm(
  charge: {
    gateway: string
    kind: string | null
    funding: 'credit' | 'debit' | 'prepaid' | null
    by: string | null
    voucher: string | null
  },
  chosen: ChosenForms,
): PaymentForm {
  const card = charge.funding === null ? chosen.invoice_form_card : FUNDING_FORMS[charge.funding]
  if (charge.gateway === 'regalo') return '05'
  if (charge.kind === 'cash') return '01'
  if (charge.kind === 'terminal') return card
  if (charge.kind === 'transfer') return '03'
  if (charge.gateway === 'efectivo') return '01'
  if (charge.gateway === 'mostrador') return chosen.invoice_form_other
  if (charge.voucher === 'oxxo' || charge.voucher === 'efectivo') return chosen.invoice_form_oxxo
  if (charge.voucher === 'spei') return '03'
  if (charge.by === 'wallet') return chosen.invoice_form_wallet
  // Nothing was paid.
  if (charge.gateway === 'gratis') return card
  if (!isCardProcessor(charge.gateway) && !isWalletProcessor(charge.gateway)) return chosen.invoice_form_other
  return FORMS_OF_PROCESSORS[charge.gateway] === 'wallet' ? chosen.invoice_form_wallet : card
}

/** The form of the largest part; of equal ones the first. */
export function largestForm(parts: readonly { amount: Centavos; form: PaymentForm }[]): PaymentForm {
  const sums = new Map<PaymentForm, Centavos>()
  for (const { amount, form } of parts) sums.set(form, (sums.get(form) ?? 0) + amount)
  let best: [PaymentForm, Centavos] = ['01', -1]
  for (const entry of sums) if (entry[1] > best[1]) best = entry
  return best[0]
}

const sumOf = (lines: readonly DraftItem[], of: (line: DraftItem) => Centavos): Centavos => lines.reduce((sum, line) => sum + of(line), 0)

export interface Totals {
  subtotal: Centavos
  tax: Centavos
  withheld: Centavos
  total: Centavos
}
export function sumTotals(lines: readonly DraftItem[]): Totals {
  const [subtotal, tax, withheld] = [
    sumOf(lines, (line) => line.base),
    sumOf(lines, (line) => line.tax),
    sumOf(lines, (line) => line.withheld),
  ]
  return { subtotal, tax, withheld, total: subtotal + tax - withheld }
}

const rateText = (rate: number): string => (rate / 10_000).toFixed(6)

function conceptOf(line: DraftItem): Element {
  const base = pesos(line.base)
  return element(
    'cfdi:Concepto',
    {
      ClaveProdServ: line.productKey,
      NoIdentificacion: line.id,
      Cantidad: '1',
      ClaveUnidad: line.unitKey,
      Descripcion: line.title,
      ValorUnitario: base,
      Importe: base,
      ObjetoImp: '02',
    },
    [
      element('cfdi:Impuestos', {}, [
        element('cfdi:Traslados', {}, [
          element('cfdi:Traslado', {
            Base: base,
            Impuesto: '002',
            ...(line.exempt ? { TipoFactor: 'Exento' } : { TipoFactor: 'Tasa', TasaOCuota: rateText(line.rate), Importe: pesos(line.tax) }),
          }),
        ]),
        line.withheld > 0
          ? element('cfdi:Retenciones', {}, [
              element('cfdi:Retencion', {
                Base: base,
                Impuesto: '001',
                TipoFactor: 'Tasa',
                TasaOCuota: rateText(RESICO_BP),
                Importe: pesos(line.withheld),
              }),
            ])
          : null,
      ]),
    ],
  )
}

function summaryOf(lines: readonly DraftItem[]): Element {
  const { tax, withheld } = sumTotals(lines)
  const exempt = lines.filter((line) => line.exempt)
  const taxed = lines.filter((line) => !line.exempt)
  const rates = [...new Set(taxed.map((line) => line.rate))].sort((a, b) => b - a)
  return element(
    'cfdi:Impuestos',
    {
      TotalImpuestosRetenidos: withheld > 0 ? pesos(withheld) : undefined,
      // Exempt lines have no tax: without others there is no total of it (CFDI40204).
      TotalImpuestosTrasladados: taxed.length > 0 ? pesos(tax) : undefined,
    },
    [
      withheld > 0 ? element('cfdi:Retenciones', {}, [element('cfdi:Retencion', { Impuesto: '001', Importe: pesos(withheld) })]) : null,
      element('cfdi:Traslados', {}, [
        ...rates.map((rate) => {
          const those = taxed.filter((line) => line.rate === rate)
          return element('cfdi:Traslado', {
            Base: pesos(sumOf(those, (line) => line.base)),
            Impuesto: '002',
            TipoFactor: 'Tasa',
            TasaOCuota: rateText(rate),
            Importe: pesos(sumOf(those, (line) => line.tax)),
          })
        }),
        exempt.length > 0
          ? element('cfdi:Traslado', { Base: pesos(sumOf(exempt, (line) => line.base)), Impuesto: '002', TipoFactor: 'Exento' })
          : null,
      ]),
    ],
  )
}

/** The document without its seal. */
export function toComprobante(draft: Draft, certificate: { number: string; base64: string }, sealed?: string): Element {
  const { subtotal, total } = sumTotals(draft.lines)
  const { global, relation, issuer, receiver } = draft
  return element(
    'cfdi:Comprobante',
    {
      'xmlns:cfdi': CFDI_NAMESPACE,
      'xmlns:xsi': XSI_NAMESPACE,
      'xsi:schemaLocation': CFDI_SCHEMA,
      Version: '4.0',
      Serie: draft.series || undefined,
      Folio: String(draft.folio),
      Fecha: draft.issuedAt,
      Sello: sealed ?? '',
      FormaPago: draft.paymentForm,
      NoCertificado: certificate.number,
      Certificado: certificate.base64,
      SubTotal: pesos(subtotal),
      Moneda: 'MXN',
      Total: pesos(total),
      TipoDeComprobante: draft.type,
      Exportacion: '01',
      MetodoPago: 'PUE',
      LugarExpedicion: draft.placeOfIssue,
    },
    [
      global && element('cfdi:InformacionGlobal', { Periodicidad: global.period, Meses: global.months, Año: String(global.year) }),
      relation &&
        element(
          'cfdi:CfdiRelacionados',
          { TipoRelacion: relation.type },
          relation.uuids.map((uuid) => element('cfdi:CfdiRelacionado', { UUID: uuid })),
        ),
      element('cfdi:Emisor', { Rfc: issuer.rfc, Nombre: issuer.name, RegimenFiscal: issuer.regime }),
      element('cfdi:Receptor', {
        Rfc: receiver.rfc,
        Nombre: receiver.name,
        DomicilioFiscalReceptor: receiver.postalCode,
        RegimenFiscalReceptor: receiver.regime,
        UsoCFDI: receiver.use,
      }),
      element('cfdi:Conceptos', {}, draft.lines.map(conceptOf)),
      summaryOf(draft.lines),
    ],
  )
}

/** The receiver of a credit note: that of the invoice, with the use of credit notes where the regime has it. */
export const creditReceiver = (receiver: Receiver): Receiver => ({
  ...receiver,
  use: REGIMES[receiver.regime].deducts || receiver.regime === '616' ? 'G02' : 'S01',
})

/**
 * The last day on which the SAT cancels a document: the month of the yearly return of the year after its issue, March for companies and
 * April for natural persons.
 */
export const lastCancelDay = (draft: Pick<Draft, 'issuedAt' | 'issuer'>): LocalDate =>
  `${Number(draft.issuedAt.slice(0, 4)) + 1}-${isCompany(draft.issuer.rfc) ? '03-31' : '04-30'}`

/** The SAT accepts a document for this long after its date. */
const STAMPED_WITHIN_MS = 72 * 3_600_000

/** From when on a document without an answer can be given up: after that time no provider stamps it. */
export const giveUpFrom = ({ createdAt }: { createdAt: Date }): Date => new Date(createdAt.getTime() + STAMPED_WITHIN_MS)

/** Address of the SAT's check of a document: the text of the QR code. */
export function verificationUrl(of: { uuid: string; issuer: string; receiver: string; total: Centavos; seal: string }): string {
  const query = new URLSearchParams({ id: of.uuid, re: of.issuer, rr: of.receiver, tt: pesos(of.total), fe: of.seal.slice(-8) })
  return `https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?${query}`
}
