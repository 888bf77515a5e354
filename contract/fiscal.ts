/** Invoices for taxes (CFDI 4.0): a charge's, the global one, credit notes (docs/domain.md, "Invoices"). */
import * as z from 'zod'
import { anyOf, done, endpoint, id, instant, localDay, pageNumber, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { CANCEL_MOTIVE_CODES, REGIME_CODES, USE_CODES } from './sat-catalogues.ts'

const DESK = 'staff:sales.invoice' as const
const TAG = 'Facturas'

/** The orders of the list. */
export const FISCAL_SORTS = ['created', '-created', 'total', '-total'] as const

export const FISCAL_DOCUMENTS_PER_PAGE = 50
/** From this many days before its end, the studio is asked to renew its certificate. */
export const CERTIFICATE_WARNING_DAYS = 30
/** Maximum number of charges in one requested invoice. */
export const MAX_INVOICED_TOGETHER = 50
/** Documents in the archive of one month. */
export const MAX_MONTH_DOCUMENTS = 5_000

/** `stamping`: sent, and the answer is not known yet. `cancelling`: its receiver has to accept. */
const fiscalState = z.enum(['stamping', 'valid', 'cancelling', 'cancelled', 'refused'])
const fiscalKind = z.enum(['income', 'global', 'credit'])

const regime = z.enum(REGIME_CODES as [(typeof REGIME_CODES)[number], ...typeof REGIME_CODES])

const receiver = z.object({
  rfc: z.string().describe('RFC de quien recibe la factura.'),
  name: z.string().describe('Su nombre o razón social, como está en el SAT.'),
  postal_code: z.string().describe('Código postal de su domicilio fiscal.'),
  regime: regime.describe('Clave de su régimen fiscal.'),
  use: z.enum(['G03', 'S01', 'G02']).describe('Clave del uso que le dará a la factura.'),
})
export type FiscalReceiver = z.infer<typeof receiver>

const receiverSent = z.object({
  rfc: singleLine(20).describe('RFC de quien recibe la factura; los espacios y las minúsculas se corrigen.'),
  name: singleLine(300).describe('Nombre o razón social como está en la constancia de situación fiscal, sin el tipo de sociedad.'),
  postal_code: singleLine(10).describe('Código postal del domicilio fiscal; de extranjeros no cuenta.'),
  regime: regime.describe('Clave del régimen fiscal.'),
  use: z.enum(USE_CODES).describe('Clave del uso que se le dará.'),
})

export const fiscalDocument = z.object({
  fiscal_document_id: id.describe('La factura.'),
  kind: fiscalKind.describe('`income` de una venta, `global` del público en general, `credit` de una devolución.'),
  state: fiscalState.describe('En qué va.'),
  series: z.string().describe('Serie.'),
  folio: z.int().describe('Folio dentro de la serie.'),
  uuid: z.string().nullable().describe('Folio fiscal del SAT; null: sin timbre.'),
  receiver: receiver.describe('Quién la recibe.'),
  total: pesosWire.describe('Total, en pesos.'),
  tax: pesosWire.describe('IVA, en pesos.'),
  payment_form: z.string().describe('Clave de la forma de pago.'),
  issued_date: instant.describe('Cuándo se expidió, en el reloj del lugar de expedición, escrito como UTC.'),
  stampedAt: instant.nullable().describe('Cuándo la timbró el SAT.'),
  cancelledAt: instant.nullable().describe('Cuándo quedó cancelada.'),
  cancel_motive: z.string().nullable().describe('Clave del motivo con que se canceló o se pidió cancelar.'),
  cancel_asked_at: instant.nullable().describe('Cuándo se pidió cancelarla; null: no se ha pedido.'),
  substitute: z.string().nullable().describe('Serie y folio de la factura que la sustituye; null: ninguna.'),
  give_up_from: instant.nullable().describe('Desde cuándo se puede dar por no timbrada; null: ya se sabe si se timbró.'),
  error: z
    .object({ code: z.string().describe('Código del SAT.'), message: z.string().describe('Qué pasó, en una oración.') })
    .nullable()
    .describe('Por qué no se aceptó; null: no hubo error.'),
  cancel_warning: z.string().nullable().describe('Lo que cuesta cancelarla ahora, en una oración; null: nada.'),
  purchase_ids: z.array(id).describe('Las compras cuyos cargos tiene; vacío en una global.'),
  charges: z.int().describe('Cuántos cargos o devoluciones tiene.'),
  is_test: z.boolean().describe('Si se timbró en pruebas: no tiene validez fiscal.'),
})
export type FiscalDocument = z.infer<typeof fiscalDocument>

const chargeToInvoice = z.object({
  invoice_id: id.describe('El cargo.'),
  title: z.string().describe('Qué se vendió.'),
  amount: pesosWire.describe('Lo que se facturaría: lo cobrado menos lo devuelto, en pesos.'),
  why_not: z.string().nullable().describe('Por qué no se puede facturar, en una oración; null: sí se puede.'),
  in_global: z.boolean().describe('Si está en la factura global: al facturarlo sale de ella.'),
  fiscal_document: fiscalDocument.nullable().describe('La factura que lo tiene; null: ninguna.'),
})
export type ChargeToInvoice = z.infer<typeof chargeToInvoice>

const toInvoice = z.object({
  charges: z.array(chargeToInvoice).describe('Los cargos de la compra.'),
  documents: z.array(fiscalDocument).describe('Sus facturas, notas de crédito e intentos, lo último primero.'),
  receiver: receiver.nullable().describe('Los datos fiscales de la última vez; null: no hay.'),
  ready: z.boolean().describe('Si el estudio ya puede facturar.'),
  missing: z.array(z.string()).describe('Lo que le falta al estudio para facturar.'),
  is_test: z.boolean().describe('Si se timbra en pruebas.'),
  test_receivers: z.array(z.string()).describe('En pruebas: los contribuyentes que existen, con RFC, nombre, código postal y régimen.'),
})
export type ToInvoice = z.infer<typeof toInvoice>

const ISSUE_REFUSALS = ['INVOICING_NOT_READY', 'CHARGE_NOT_INVOICEABLE', 'CHARGE_INVOICED', 'INVOICE_REFUSED'] as const
const documentPath = z.object({ fiscal_document_id: pathId })
const ofCharge = z.object({ invoice_id: pathId })

/** The input of the archive of a month. */
export const monthOfInvoices = z.object({
  month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'Elige un mes, como 2026-11.'),
  location_id: pathId.optional().describe('Solo lo de este estudio.'),
})

const certificate = z.object({
  number: z.string().describe('Número del certificado.'),
  rfc: z.string().describe('RFC de su dueño.'),
  name: z.string().describe('Nombre de su dueño.'),
  valid_from: instant.describe('Desde cuándo vale.'),
  valid_until: instant.describe('Hasta cuándo vale.'),
  state: z
    .enum(['valid', 'ending', 'expired', 'early', 'other_rfc'])
    .describe('`ending`: vence en 30 días o menos; `early`: todavía no empieza; `other_rfc`: no es del RFC del estudio.'),
})
export type FiscalCertificate = z.infer<typeof certificate>

export const fiscal = {
  /** What a purchase's invoices would be, and those that it has. */
  ofPurchase: endpoint('GET', '/admin/purchases/{purchase_id}/fiscal', DESK, TAG, 'Lo que se puede facturar de una compra')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND'))
    .output(toInvoice),
  /** Stamps an invoice of charges of one customer. The same Idempotency-Key gives the same invoice. */
  issue: endpoint('POST', '/admin/fiscal_documents', DESK, TAG, 'Facturar')
    .input(
      z.object({
        invoice_ids: z.array(id).min(1).max(MAX_INVOICED_TOGETHER).describe('Los cargos, de un mismo cliente.'),
        receiver: receiverSent.describe('Quién recibe la factura.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', ...ISSUE_REFUSALS))
    .output(z.object({ fiscal_document: fiscalDocument.describe('La factura, como quedó.') })),
  list: endpoint('GET', '/admin/fiscal_documents', DESK, TAG, 'Facturas')
    .input(
      z.object({
        state: anyOf(fiscalState).optional().describe('Estados; se repite la clave para varios.'),
        kind: fiscalKind.optional().describe('Clase de documento.'),
        from: localDay.optional().describe('Expedidas desde este día.'),
        to: localDay.optional().describe('Expedidas hasta este día.'),
        query: singleLine(100).optional().describe('RFC, nombre, folio fiscal, o serie y folio.'),
        sort: z.enum(FISCAL_SORTS).default('-created').describe('El orden: por fecha o total; con `-`, al revés.'),
        page: pageNumber.default(1),
      }),
    )
    .output(
      z.object({
        fiscal_documents: z.array(fiscalDocument).describe('Facturas, en el orden pedido.'),
        total: z.int().describe('Cuántas son.'),
        sum: pesosWire
          .nullable()
          .describe('Suma de las vigentes, en pesos; las notas de crédito restan. null: la persona no ve el dinero del estudio.'),
      }),
    ),
  /** Asks the SAT to cancel a valid invoice. Motive 01 names the invoice that replaces it. */
  cancel: endpoint('POST', '/admin/fiscal_documents/{fiscal_document_id}/cancel', DESK, TAG, 'Cancelar una factura')
    .input(
      z.object({
        fiscal_document_id: pathId,
        motive: z.enum(CANCEL_MOTIVE_CODES as ['01', ...typeof CANCEL_MOTIVE_CODES]).describe('Clave del motivo.'),
        late: z.boolean().optional().describe('Que se cancele aunque ya pasó el plazo del SAT y pueda costar una multa.'),
        substitute_id: id.optional().describe('La factura que la sustituye; solo con el motivo 01.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'INVOICE_NOT_CANCELLABLE', 'INVOICING_NOT_READY'))
    .output(z.object({ fiscal_document: fiscalDocument.describe('La factura, como quedó.') })),
  /**
   * Gives up a document whose answer was lost, 72 hours after it was made; its charges can be invoiced again. Its state is read at the
   * provider first, and stored if there is one. INVOICE_MAY_BE_STAMPED when the provider gives no state. When it cannot be read (another
   * account is configured, or its keys are refused), `error` says so.
   */
  giveUp: endpoint(
    'POST',
    '/admin/fiscal_documents/{fiscal_document_id}/give_up',
    'staff:settings.code',
    TAG,
    'Dar por no timbrada una factura',
  )
    .input(
      z.object({
        fiscal_document_id: pathId,
        reason: singleLine(300).min(3, 'Escribe el motivo.').describe('Por qué se da por no timbrada.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'INVOICE_MAY_BE_STAMPED'))
    .output(z.object({ fiscal_document: fiscalDocument.describe('La factura, como quedó.') })),
  xml: endpoint('GET', '/admin/fiscal_documents/{fiscal_document_id}/xml', DESK, TAG, 'XML de una factura')
    .input(documentPath)
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
  pdf: endpoint('GET', '/admin/fiscal_documents/{fiscal_document_id}/pdf', DESK, TAG, 'PDF de una factura')
    .input(documentPath)
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
  /**
   * Mails the files of a stamped document, also one that was mailed before. CUSTOMER_WITHOUT_EMAIL when no address is given and its
   * person has none.
   */
  mail: endpoint('POST', '/admin/fiscal_documents/{fiscal_document_id}/mail', DESK, TAG, 'Enviar una factura por correo')
    .input(
      z.object({
        fiscal_document_id: pathId,
        email: z.email('Escribe un correo válido.').max(254).optional().describe('A qué correo; ausente: al de la persona.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'CUSTOMER_WITHOUT_EMAIL', 'IDEMPOTENCY_KEY_REUSED'))
    .output(done),
  /**
   * A ZIP for the accountant: a list (CSV), and XML, PDF and cancellation receipt of every document that was issued or cancelled in the
   * month; a second list has the charges of the month without an invoice. EXPORT_TOO_LARGE above 5,000 documents.
   */
  month: endpoint('GET', '/admin/exports/fiscal_documents', DESK, TAG, 'Facturas de un mes para la contabilidad')
    .input(monthOfInvoices)
    .errors(refusals('EXPORT_TOO_LARGE'))
    .output(z.file()),
  setup: endpoint('GET', '/admin/fiscal_setup', 'staff:settings.edit', TAG, 'Lo que hace falta para facturar').output(
    z.object({
      ready: z.boolean().describe('Si ya se puede facturar.'),
      missing: z.array(z.string()).describe('Lo que falta.'),
      is_test: z.boolean().describe('Si se timbra en pruebas.'),
      rfc: z.string().describe('RFC del estudio, con el que tiene que coincidir el del certificado; vacío: falta.'),
      certificate: certificate.nullable().describe('El certificado de sello digital; null: no hay.'),
    }),
  ),
  /** Replaces the certificate of digital seal. The key is stored encrypted and is never sent back; the password is not stored. */
  saveCertificate: endpoint('PUT', '/admin/fiscal_certificate', 'staff:settings.code', TAG, 'Guardar el certificado de sello digital')
    .input(
      z.object({
        certificate: z.string().max(8_000).describe('Archivo .cer en Base64.'),
        key: z.string().max(8_000).describe('Archivo .key en Base64.'),
        password: z.string().max(200).describe('Contraseña de la llave.'),
      }),
    )
    .errors(refusals('RECENT_SIGN_IN_REQUIRED'))
    .output(z.object({ certificate: certificate.describe('El certificado que se guardó.') })),
  /** One of my charges: its invoice, or what is needed for one. */
  mine: endpoint('GET', '/invoices/{invoice_id}/fiscal', 'customer', TAG, 'La factura de un cargo mío')
    .input(ofCharge)
    .errors(refusals('NOT_FOUND'))
    .output(toInvoice),
  issueMine: endpoint('POST', '/invoices/{invoice_id}/fiscal', 'customer', TAG, 'Facturar un cargo mío')
    .input(z.object({ invoice_id: pathId, receiver: receiverSent.describe('Quién recibe la factura.') }))
    .errors(refusals('NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', ...ISSUE_REFUSALS))
    .output(z.object({ fiscal_document: fiscalDocument.describe('La factura, como quedó.') })),
  myXml: endpoint('GET', '/invoices/{invoice_id}/fiscal/xml', 'customer', TAG, 'XML de la factura de un cargo mío')
    .input(ofCharge)
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
  myPdf: endpoint('GET', '/invoices/{invoice_id}/fiscal/pdf', 'customer', TAG, 'PDF de la factura de un cargo mío')
    .input(ofCharge)
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
}
