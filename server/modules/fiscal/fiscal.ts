/** Invoices for taxes (CFDI 4.0): requested by staff or by the customer, cancelled, listed (docs/domain.md, "Invoices"). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { FISCAL_DOCUMENTS_PER_PAGE, type FiscalDocument, type FiscalReceiver, type fiscal as wire } from '#contract/fiscal.ts'
import { pesos } from '#contract/money.ts'
import { FOREIGN_RFC } from '#contract/rfc.ts'
import type { UseCode } from '#contract/sat-catalogues.ts'
import { REGIMES, type RegimeCode } from '#contract/sat-catalogues.ts'
import { addDays, addMonths, localDate, startOfDay } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { requestCancellation } from './cancelling.ts'
import { missingForInvoices, readyToInvoice } from './certificates.ts'
import { type ChargeRow, chargesOfPurchase, isPurchaseAt, listCharges, lockCharges } from './charge-store.ts'
import { takeOutOfGlobals } from './credit-notes.ts'
import { formatIssuedAt, listStudioOrigins, originAmong } from './origins.ts'
import {
  giveUpFrom,
  largestForm,
  lastCancelDay,
  normalizeReceiver,
  type Receiver,
  receiverIssues,
  toItem,
  whyNotInvoiceable,
  withholds,
} from './rules.ts'
import { getPac, stampDocument, writeDocument } from './stamping.ts'
import {
  type DocumentRow,
  documentsOfCharges,
  findDocument,
  leaveGlobals,
  listDocuments,
  listFolios,
  listItemCounts,
  lockDocument,
} from './store.ts'
import { lastProfile, type ProfileRow, saveProfile } from './taxpayer-store.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>
type ReceiverSent = Input<'issue'>['receiver']

export async function serializeDocuments(ctx: Ctx, rows: readonly DocumentRow[]): Promise<FiscalDocument[]> {
  const [lines, substitutes] = await Promise.all([
    listItemCounts(
      ctx.db,
      rows.map((row) => row.fiscal_document_id),
    ),
    listFolios(
      ctx.db,
      rows.flatMap((row) => row.substitute_id ?? []),
    ),
  ])
  return rows.map((row) => {
    const { draft, fiscal_document_id, kind, state, series, folio, uuid, cancel_motive, is_test } = row
    const { rfc, name, postalCode, regime, use } = draft.receiver
    const about = lines.get(fiscal_document_id)
    return {
      fiscal_document_id,
      kind,
      state,
      series,
      folio,
      uuid,
      cancel_motive,
      is_test,
      payment_form: draft.paymentForm,
      receiver: { rfc, name, postal_code: postalCode, regime, use },
      total: pesos(row.total_centavos),
      tax: pesos(row.tax_centavos),
      issued_date: `${draft.issuedAt}.000Z`,
      stampedAt: row.stampedAt?.toISOString() ?? null,
      cancelledAt: row.cancelledAt?.toISOString() ?? null,
      cancel_asked_at: row.cancelAskedAt?.toISOString() ?? null,
      substitute: row.substitute_id === null ? null : (substitutes.get(row.substitute_id) ?? null),
      give_up_from: state === 'stamping' ? giveUpFrom(row).toISOString() : null,
      error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
      cancel_warning: row.state === 'valid' && isPastCancelling(ctx, row) ? LATE_CANCELLING : null,
      purchase_ids: about?.purchase_ids ?? [],
      charges: about?.count ?? 0,
    }
  })
}
const LATE_CANCELLING =
  'Ya pasó el plazo del SAT para cancelarla, el mes de la declaración anual. Cancelarla ahora puede costar una multa de 5 a 10 % de su monto.'

/** Whether the term for cancelling a document is over, on the studio's clocks. */
const isPastCancelling = (ctx: Ctx, { draft }: Pick<DocumentRow, 'draft'>): boolean => localDate(ctx.now, ctx.zone) > lastCancelDay(draft)

export async function serializeDocument(ctx: Ctx, row: DocumentRow): Promise<FiscalDocument> {
  const [out] = await serializeDocuments(ctx, [row])
  if (!out) throw refuse('NOT_FOUND')
  return out
}

const profileOut = (row: ProfileRow | null): FiscalReceiver | null =>
  row && row.regime in REGIMES
    ? { rfc: row.rfc, name: row.name, postal_code: row.postal_code, regime: row.regime as RegimeCode, use: row.use as UseCode }
    : null

/** Until when a customer may request the invoice of a charge: the end of its month, or of its year. */
function selfInvoiceEnd({ zone, settings }: Ctx, paidAt: Date): Date {
  const day = localDate(paidAt, zone)
  return settings.self_invoice_until === 'year'
    ? startOfDay(`${Number(day.slice(0, 4)) + 1}-01-01`, zone)
    : startOfDay(addMonths(`${day.slice(0, 8)}01`, 1), zone)
}

/** How often a customer may try in an hour. */
const ATTEMPTS = { max: 20, seconds: 3_600 }

/** Why its customer cannot invoice a charge; staff can at any time. */
function whyNotMine(ctx: Ctx, charge: ChargeRow): string | null {
  if (!ctx.settings.self_invoice) return 'pídela en recepción.'
  const isYear = ctx.settings.self_invoice_until === 'year'
  if (ctx.now >= selfInvoiceEnd(ctx, charge.paidAt))
    return isYear ? 'el año en que pagaste ya terminó. Pregunta en recepción.' : 'el mes en que pagaste ya terminó. Pregunta en recepción.'
  return charge.document_kind === 'global' && !isYear ? 'ya está en la factura global de su periodo. Pregunta en recepción.' : null
}

/** Why a charge that is in a global invoice cannot leave it now. */
const whyNotLeave = (charge: ChargeRow): string | null =>
  charge.document_kind === 'global' && charge.document_state !== 'valid'
    ? 'su factura global se está timbrando. Intenta en unos minutos.'
    : null

async function toInvoiceOut(
  ctx: Ctx,
  charges: readonly ChargeRow[],
  customer_id: number | undefined,
  isMine: boolean,
): Answer<'ofPurchase'> {
  const [{ missing }, rows, profile] = await Promise.all([
    missingForInvoices(ctx),
    documentsOfCharges(
      ctx.db,
      charges.map((charge) => charge.invoice_id),
    ),
    customer_id === undefined ? null : lastProfile(ctx.db, customer_id),
  ])
  // A customer sees neither global invoices nor failed attempts.
  const documents = await serializeDocuments(
    ctx,
    rows.filter((row) => (isMine ? row.kind !== 'global' && row.state !== 'refused' : !isElsewhere(ctx, row))),
  )
  const { pac } = ctx.ports
  return {
    charges: charges.map((charge) => {
      const no = whyNotInvoiceable(charge) ?? whyNotLeave(charge) ?? (isMine ? whyNotMine(ctx, charge) : null)
      return {
        invoice_id: charge.invoice_id,
        title: charge.title,
        amount: pesos(charge.kept),
        why_not: no === null ? null : `No se puede facturar: ${no}`,
        in_global: charge.document_kind === 'global',
        fiscal_document: documents.find((document) => document.fiscal_document_id === charge.document_id) ?? null,
      }
    }),
    documents,
    receiver: profileOut(profile),
    ready: missing.length === 0,
    missing: isMine ? [] : missing,
    is_test: pac?.isSandbox ?? false,
    test_receivers: (pac?.testTaxpayers ?? []).map(
      (taxpayer) => `${taxpayer.rfc} · ${taxpayer.name} · ${taxpayer.postalCode} · ${taxpayer.regimes.join(', ')}`,
    ),
  }
}

/** GET /admin/purchases/{purchase_id}/fiscal. PURCHASE_NOT_FOUND for one of another location too. */
export async function fiscalOfPurchase(ctx: Ctx, { purchase_id }: Input<'ofPurchase'>): Answer<'ofPurchase'> {
  if (!(await isPurchaseAt(ctx.db, purchase_id, ctx.locationIds))) throw refuse('PURCHASE_NOT_FOUND')
  const charges = await chargesOfPurchase(ctx.db, ctx.settings, purchase_id)
  return toInvoiceOut(ctx, charges, charges[0]?.customer_id, false)
}

async function myCharge(ctx: Ctx, invoice_id: number): Promise<ChargeRow> {
  const [charge] = await listCharges(ctx.db, ctx.settings, [invoice_id])
  if (!charge || charge.customer_id !== ctx.customer.customer_id) throw refuse('NOT_FOUND')
  return charge
}

/** GET /invoices/{invoice_id}/fiscal. NOT_FOUND for a charge of another customer. */
export async function myFiscal(ctx: Ctx, { invoice_id }: Input<'mine'>): Answer<'mine'> {
  return toInvoiceOut(ctx, [await myCharge(ctx, invoice_id)], ctx.customer.customer_id, true)
}

/** POST /admin/fiscal_documents. NOT_FOUND, INVOICING_NOT_READY, CHARGE_NOT_INVOICEABLE, CHARGE_INVOICED, INVOICE_REFUSED. */
export async function issueInvoice(ctx: Ctx, input: Input<'issue'>): Answer<'issue'> {
  const ids = [...new Set(input.invoice_ids)]
  const charges = await listCharges(ctx.db, ctx.settings, ids)
  const here = await Promise.all(charges.map((charge) => isPurchaseAt(ctx.db, charge.purchase_id, ctx.locationIds)))
  if (charges.length !== ids.length || here.includes(false)) throw refuse('NOT_FOUND')
  return issue(ctx, charges, input.receiver, 'fiscal.issue')
}

/** POST /invoices/{invoice_id}/fiscal. The same, until the end of the month in which it was paid. */
export async function issueMyInvoice(ctx: Ctx, { invoice_id, receiver }: Input<'issueMine'>): Answer<'issueMine'> {
  const charge = await myCharge(ctx, invoice_id)
  const no = charge.document_kind === 'income' ? null : whyNotMine(ctx, charge)
  if (no) throw refuse('CHARGE_NOT_INVOICEABLE', { why: no })
  // Each attempt uses a folio and a query at the SAT.
  await ctx.throttle({ name: 'self-invoice', subject: String(ctx.customer.customer_id), ...ATTEMPTS })
  return issue(ctx, [charge], receiver, 'fiscal.issue_mine')
}

async function issue(ctx: Ctx, read: readonly ChargeRow[], sent: ReceiverSent, operation: string): Answer<'issue'> {
  const { issuer, certificate } = await readyToInvoice(ctx)
  const pac = getPac(ctx)
  const typed: Receiver = { rfc: sent.rfc, name: sent.name, postalCode: sent.postal_code, regime: sent.regime, use: sent.use }
  const invoice_ids = read.map((charge) => charge.invoice_id)
  const origin = originAmong(await listStudioOrigins(ctx), read[0] ?? { origin_id: null })
  const receiver = normalizeReceiver(typed, origin.postalCode)
  const issues = receiverIssues(receiver)
  if (issues.length > 0)
    throw refuse('INVALID_INPUT', { issues: issues.map(({ path, message }) => ({ path: `receiver.${path}`, message })) })
  const isWithheld = withholds(issuer, receiver)
  if (isWithheld && !ctx.staff)
    throw refuse('CHARGE_NOT_INVOICEABLE', { why: 'a una persona moral se le retiene ISR. Pídela en recepción.' })
  const { fiscal_document_id } = await ctx.once(operation, { invoice_ids, sent }, async (tx) => {
    const charges = await lockCharges(tx, ctx.settings, invoice_ids)
    const [first] = charges
    if (!first) throw refuse('NOT_FOUND')
    for (const charge of charges) {
      if (charge.document_id !== null && charge.document_kind === 'income') throw refuse('CHARGE_INVOICED')
      const no =
        whyNotInvoiceable(charge) ??
        whyNotLeave(charge) ??
        (charge.customer_id === first.customer_id ? null : 'los cargos son de personas distintas.')
      if (no) throw refuse('CHARGE_NOT_INVOICEABLE', { why: no })
    }
    const lines = charges.map(({ invoice_id, document_kind, line_id, lost }) => ({
      invoice_id,
      refund_id: null,
      replaces_id: document_kind === 'global' ? line_id : null,
      lost_before_centavos: lost,
    }))
    await leaveGlobals(
      tx,
      lines.flatMap(({ replaces_id }) => replaces_id ?? []),
    )
    const row = await writeDocument(
      tx,
      ctx,
      {
        kind: 'income',
        certificate,
        customer_id: first.customer_id,
        location_id: first.location_id,
        key: crypto.randomUUID(),
        draft: {
          type: 'I',
          issuedAt: formatIssuedAt(ctx, origin),
          placeOfIssue: origin.postalCode,
          global: null,
          relation: null,
          issuer,
          receiver,
          paymentForm: largestForm(charges.map((charge) => ({ amount: charge.kept, form: charge.form }))),
          lines: charges.map((charge) => toItem(charge, isWithheld)),
        },
        lines,
      },
      pac,
    )
    const { rfc, name, postalCode, regime, use } = receiver
    if (!first.isWithoutCustomer)
      await saveProfile(tx, first.customer_id, {
        rfc,
        name,
        regime,
        use,
        now: ctx.now,
        postal_code: rfc === FOREIGN_RFC ? '' : postalCode,
      })
    await ctx.audit(tx, {
      action: 'fiscal_document.issue',
      entity: 'fiscal_document',
      entity_id: String(row.fiscal_document_id),
      after: { folio: `${row.series}-${row.folio}`, total: row.total_centavos },
    })
    return { fiscal_document_id: row.fiscal_document_id }
  })
  const row = await stampDocument(ctx, fiscal_document_id)
  if (row.state === 'valid' && read.some((charge) => charge.document_kind === 'global')) await takeOutOfGlobals(ctx)
  if (row.state === 'refused') throw refuse('INVOICE_REFUSED', { code: row.error_code ?? '', why: row.error_message ?? '' })
  return { fiscal_document: await serializeDocument(ctx, row) }
}

async function documentHere(ctx: Ctx, fiscal_document_id: number): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, fiscal_document_id)
  if (!row || (row.location_id !== null && !ctx.worksAt(row.location_id)) || isElsewhere(ctx, row)) throw refuse('NOT_FOUND')
  return row
}

/** The global invoice of the tax domicile has the sales of several locations, so staff of some locations do not see it. */
const isElsewhere = (ctx: Ctx, { kind, location_id }: Pick<DocumentRow, 'kind' | 'location_id'>): boolean =>
  kind === 'global' && location_id === null && ctx.locationIds !== null

/** GET /admin/fiscal_documents, of the caller's locations and of online purchases; global ones only for staff of all locations. */
export async function listFiscalDocuments(ctx: Ctx, { state, kind, from, to, query, sort, page }: Input<'list'>): Answer<'list'> {
  const { rows, total, sum } = await listDocuments(
    ctx.db,
    {
      state,
      kind,
      query: query || undefined,
      location_ids: ctx.locationIds,
      from: from === undefined ? undefined : startOfDay(from, ctx.zone),
      until: to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone),
    },
    { limit: FISCAL_DOCUMENTS_PER_PAGE, offset: (page - 1) * FISCAL_DOCUMENTS_PER_PAGE },
    sort,
  )
  return { fiscal_documents: await serializeDocuments(ctx, rows), total, sum: ctx.may('reports.money') ? pesos(sum) : null }
}

/** POST /admin/fiscal_documents/{fiscal_document_id}/cancel. NOT_FOUND, INVOICE_NOT_CANCELLABLE. */
export async function cancelInvoice(ctx: Ctx, { fiscal_document_id, motive, substitute_id, late }: Input<'cancel'>): Answer<'cancel'> {
  const row = await documentHere(ctx, fiscal_document_id)
  const no = (why: string) => refuse('INVOICE_NOT_CANCELLABLE', { why })
  if (row.state === 'cancelled' || row.state === 'cancelling') return { fiscal_document: await serializeDocument(ctx, row) }
  if (row.state !== 'valid' || row.uuid === null) throw no('todavía no está timbrada.')
  if (isPastCancelling(ctx, row) && !late) throw no('ya pasó el plazo del SAT y puede costar una multa. Confirma que quieres cancelarla.')
  if (motive === '01' && substitute_id === undefined) throw no('con el motivo 01 se dice qué factura la sustituye.')
  if (substitute_id === fiscal_document_id) throw no('una factura no se sustituye a sí misma.')
  const substitute = substitute_id === undefined ? null : await documentHere(ctx, substitute_id)
  if (substitute_id !== undefined && (motive !== '01' || substitute?.state !== 'valid' || !substitute.uuid))
    throw no(motive === '01' ? 'la factura que la sustituye no está vigente.' : 'solo con el motivo 01 otra factura la sustituye.')
  if (substitute?.cancelAskedAt) throw no('ya se pidió cancelar la factura que la sustituye.')
  const { fact, row: after } = await requestCancellation(ctx, row, { motive, substitute }, async (tx) => {
    const now = await lockDocument(tx, fiscal_document_id)
    if (now?.state !== 'valid') throw no('cambió mientras tanto. Vuelve a abrirla.')
    await ctx.audit(tx, {
      action: 'fiscal_document.cancel',
      entity: 'fiscal_document',
      entity_id: String(fiscal_document_id),
      after: { folio: `${row.series}-${row.folio}`, motive },
    })
  })
  if (fact.state === 'refused') throw no(fact.refusal.message)
  return { fiscal_document: await serializeDocument(ctx, after) }
}

/** The stamped document, byte for byte. NOT_FOUND before it is stamped. */
function xmlFile(row: DocumentRow): File {
  if (row.xml === null) throw refuse('NOT_FOUND')
  return new File([row.xml], `${fileName(row)}.xml`, { type: 'application/xml', lastModified: row.stampedAt?.getTime() ?? 0 })
}
export const fileName = (row: Pick<DocumentRow, 'series' | 'folio' | 'uuid'>): string => `${row.series}-${row.folio}_${row.uuid}`

export const invoiceXml = async (ctx: Ctx, input: Input<'xml'>): Promise<File> => xmlFile(await documentHere(ctx, input.fiscal_document_id))

/** My charge's own invoice: the one that is valid, or the last one. */
export async function myDocument(ctx: Ctx, invoice_id: number): Promise<DocumentRow> {
  const charge = await myCharge(ctx, invoice_id)
  const rows = (await documentsOfCharges(ctx.db, [invoice_id])).filter((row) => row.kind === 'income' && row.xml !== null)
  const row = rows.find((row) => row.fiscal_document_id === charge.document_id) ?? rows[0]
  if (!row) throw refuse('NOT_FOUND')
  return row
}
export const myInvoiceXml = async (ctx: Ctx, { invoice_id }: Input<'myXml'>): Promise<File> => xmlFile(await myDocument(ctx, invoice_id))
export { documentHere }
