/** The printed representation of an invoice. */

import { refuse } from '#contract/errors.ts'
import { formatMoney, pesos } from '#contract/money.ts'
import { PAYMENT_FORMS, REGIMES, USES } from '#contract/sat-catalogues.ts'
import { stampChain } from '#server/adapters/pac/cfdi-structure.ts'
import { findChild, parse } from '#server/adapters/pac/xml.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import { amountInWords } from './amount-in-words.ts'
import { documentHere, fileName, myDocument } from './fiscal.ts'
import type { invoicePdf as draw, InvoicePage } from './invoice-pdf.ts'
import { sumTotals, verificationUrl } from './rules.ts'
import type { DocumentRow } from './store.ts'

const drawPdf = onWorkerThread<typeof draw>(new URL('./invoice-pdf.ts', import.meta.url), 'invoicePdf')
const drawMany = onWorkerThread<typeof draw>(new URL('./invoice-pdf.ts', import.meta.url), 'invoicePdf', 'files')

const KINDS = { income: 'Factura', global: 'Factura global', credit: 'Nota de crédito' } as const
const MAX_LINES = 400

/** The contents of the printed representation, from the stamped document. */
export function toInvoicePage(ctx: Ctx, row: DocumentRow): InvoicePage {
  const { draft } = row
  const document = parse(row.xml ?? '')
  const stamp = findChild(findChild(document, 'cfdi:Complemento'), 'tfd:TimbreFiscalDigital')
  if (!stamp || row.uuid === null) throw refuse('NOT_FOUND')
  const of = (name: string) => stamp.attributes[name] ?? ''
  const { Sello: sealed = '', NoCertificado = '' } = document.attributes
  const totals = sumTotals(draft.lines)
  const rates = [...new Set(draft.lines.flatMap((line) => (line.exempt ? [] : line.rate)))].sort((a, b) => b - a)
  const { issuer, receiver } = draft
  const shown = draft.lines.slice(0, MAX_LINES)
  return {
    studio: ctx.settings,
    title: `${KINDS[row.kind]} ${row.series}-${row.folio}`,
    isCancelled: row.state === 'cancelled',
    isTest: row.is_test,
    at: row.stampedAt ?? row.createdAt,
    facts: [
      { label: 'Folio fiscal (UUID)', text: row.uuid },
      { label: 'Expedida', text: `${draft.issuedAt.replace('T', ' ')}, C.P. ${draft.placeOfIssue}` },
      { label: 'Certificada', text: of('FechaTimbrado').replace('T', ' ') },
      { label: 'Certificado del emisor', text: NoCertificado },
      { label: 'Certificado del SAT', text: of('NoCertificadoSAT') },
      { label: 'RFC del proveedor de certificación', text: of('RfcProvCertif') },
      { label: 'Efecto del comprobante', text: draft.type === 'I' ? 'I · Ingreso' : 'E · Egreso' },
      { label: 'Forma de pago', text: `${draft.paymentForm} · ${PAYMENT_FORMS[draft.paymentForm]}` },
      { label: 'Método de pago', text: 'PUE · Pago en una sola exhibición' },
      { label: 'Moneda y exportación', text: 'MXN · Peso mexicano, 01 · No aplica' },
      ...(draft.global
        ? [
            {
              label: 'Periodo',
              text: `${draft.global.period === '01' ? '01 · Diario' : '04 · Mensual'}, mes ${draft.global.months} de ${draft.global.year}`,
            },
          ]
        : []),
      ...(draft.relation ? [{ label: `CFDI relacionado (${draft.relation.type})`, text: draft.relation.uuids.join(', ') }] : []),
    ],
    issuer: [issuer.name, `RFC ${issuer.rfc}`, `${issuer.regime} · ${REGIMES[issuer.regime].label}`],
    receiver: [
      receiver.name,
      `RFC ${receiver.rfc} · C.P. ${receiver.postalCode}`,
      `${receiver.regime} · ${REGIMES[receiver.regime].label}`,
      `Uso: ${receiver.use} · ${USES[receiver.use]}`,
    ],
    lines: shown.map((line) => ({
      title: line.title,
      detail: `${line.productKey} · ${line.unitKey} · ${line.id} · 02 · ${line.exempt ? 'IVA exento' : `IVA ${line.rate / 100} % ${formatMoney(line.tax)}`}`,
      amount: formatMoney(line.base),
    })),
    more: draft.lines.length - shown.length,
    totals: [
      { label: 'Subtotal', amount: formatMoney(totals.subtotal) },
      ...rates.map((rate) => ({
        label: `IVA ${rate / 100} %`,
        amount: formatMoney(draft.lines.filter((line) => line.rate === rate).reduce((sum, line) => sum + line.tax, 0)),
      })),
      ...(draft.lines.some((line) => line.exempt)
        ? [{ label: 'Exento de IVA', amount: formatMoney(draft.lines.reduce((sum, line) => (line.exempt ? sum + line.base : sum), 0)) }]
        : []),
      ...(totals.withheld > 0 ? [{ label: 'ISR retenido 1.25 %', amount: `-${formatMoney(totals.withheld)}` }] : []),
    ],
    total: `${formatMoney(totals.total)} MXN`,
    amountInWords: amountInWords(pesos(totals.total)),
    seals: [
      { label: 'Sello digital del CFDI', text: sealed },
      { label: 'Sello digital del SAT', text: of('SelloSAT') },
      { label: 'Cadena original del complemento de certificación digital del SAT', text: stampChain(stamp) },
    ],
    url: verificationUrl({ uuid: row.uuid, issuer: issuer.rfc, receiver: receiver.rfc, total: totals.total, seal: sealed }),
  }
}

async function pdfFile(ctx: Ctx, row: DocumentRow): Promise<File> {
  if (row.xml === null) throw refuse('NOT_FOUND')
  const page = toInvoicePage(ctx, row)
  return new File([await drawPdf(page)], `${fileName(row)}.pdf`, { type: 'application/pdf', lastModified: page.at.getTime() })
}

/** The files of a stamped document: XML, PDF and, of a cancelled one, the receipt of its cancellation. */
interface DocumentFiles {
  xml: Uint8Array
  pdf: Uint8Array
  receipt: Uint8Array | null
}

/** `many`: for an archive, on the thread of files, so that no single PDF waits for it. NOT_FOUND before it is stamped. */
export async function loadDocumentFiles(ctx: Ctx, row: DocumentRow, { many = false } = {}): Promise<DocumentFiles> {
  if (row.xml === null) throw refuse('NOT_FOUND')
  return {
    xml: Buffer.from(row.xml),
    pdf: await (many ? drawMany : drawPdf)(toInvoicePage(ctx, row)),
    receipt: row.cancel_receipt === null ? null : Buffer.from(row.cancel_receipt),
  }
}

/** GET /admin/fiscal_documents/{fiscal_document_id}/pdf. NOT_FOUND before it is stamped. */
export const invoicePdf = async (ctx: Ctx, { fiscal_document_id }: { fiscal_document_id: number }): Promise<File> =>
  pdfFile(ctx, await documentHere(ctx, fiscal_document_id))

/** GET /invoices/{invoice_id}/fiscal/pdf. NOT_FOUND for a charge of another customer, or without an invoice. */
export const myInvoicePdf = async (ctx: Ctx, { invoice_id }: { invoice_id: number }): Promise<File> =>
  pdfFile(ctx, await myDocument(ctx, invoice_id))
