/** Stamping documents at the PAC: written with their seal before the call, and looked up when the answer is missing. */
import { refuse } from '#contract/errors.ts'
import { keyOfText, seal } from '#server/adapters/pac/certificate.ts'
import { originalChain } from '#server/adapters/pac/cfdi-structure.ts'
import type { PacFact, PacPort } from '#server/adapters/pac/port.ts'
import { serialize } from '#server/adapters/pac/xml.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { type Draft, sumTotals, toComprobante } from './rules.ts'
import {
  changeDocument,
  type DocumentRow,
  findDocument,
  freeItems,
  insertDocument,
  insertItems,
  lockDocument,
  nextFolio,
  returnToGlobals,
  UNKNOWN_ACCOUNT,
} from './store.ts'
import type { CertificateRow } from './taxpayer-store.ts'

export interface NewDocument {
  kind: DocumentRow['kind']
  draft: Omit<Draft, 'series' | 'folio'>
  certificate: CertificateRow
  /** The key of the PAC: the same one never gives two stamps. */
  key: string
  customer_id: number | null
  location_id: number | null
  lines: {
    invoice_id: number
    refund_id: number | null
    replaces_id?: number | null
    takes_out?: boolean
    is_loss?: boolean
    lost_before_centavos?: number
  }[]
  related_id?: number
  period?: string
}

/** Writes a document with its seal, in state `stamping`. A charge that is in another live one violates a unique index. */
export async function writeDocument(tx: Tx, ctx: Ctx, input: NewDocument, pac: Pick<PacPort, 'id' | 'isSandbox'>): Promise<DocumentRow> {
  const series = ctx.settings.invoice_series
  const draft: Draft = { ...input.draft, series, folio: await nextFolio(tx, series) }
  const { certificate } = input
  const by = { number: certificate.number, base64: certificate.certificate }
  const key = keyOfText(ctx.studio.openFiscalKey(certificate.number, certificate.sealed_key))
  const signed = serialize(toComprobante(draft, by, seal(originalChain(toComprobante(draft, by)), key)))
  const totals = sumTotals(draft.lines)
  const row = await insertDocument(tx, {
    kind: input.kind,
    state: 'stamping',
    series,
    folio: draft.folio,
    key: input.key,
    customer_id: input.customer_id,
    staff_id: ctx.staff?.staff_id ?? null,
    location_id: input.location_id,
    draft,
    signed_xml: signed,
    is_test: pac.isSandbox,
    pac: pac.id,
    total_centavos: totals.total,
    tax_centavos: totals.tax,
    related_id: input.related_id ?? null,
    period: input.period ?? null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await insertItems(
    tx,
    input.lines.map((line, at) => ({
      ...line,
      fiscal_document_id: row.fiscal_document_id,
      base_centavos: draft.lines[at]?.base ?? 0,
      tax_centavos: draft.lines[at]?.tax ?? 0,
    })),
  )
  return row
}

/** Job: sends the message about a document that was stamped or cancelled. */
export const NOTIFY_JOB = 'fiscal.notify'

export function getPac(ctx: Ctx): PacPort {
  const { pac } = ctx.ports
  if (!pac) throw refuse('INVOICING_NOT_READY', { missing: 'un proveedor de timbrado (PAC)' })
  return pac
}

/** The provider of a document, or the current one: another provider does not know the document. */
export function pacOfDocument(ctx: Ctx, { pac: id }: Pick<DocumentRow, 'pac'>): PacPort {
  const pac = ctx.ports.pacs.get(id)
  if (!pac) throw refuse('INVOICING_NOT_READY', { missing: 'las llaves del proveedor que timbró esta factura' })
  return pac
}

/** Sends a written document, and stores the answer. Sending it again is harmless: the PAC answers as before. */
export async function stampDocument(ctx: Ctx, fiscal_document_id: number): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, fiscal_document_id)
  if (!row) throw refuse('NOT_FOUND')
  if (row.state !== 'stamping') return row
  return applyFact(ctx, row, await callToStamp(ctx, row, 'stamp'))
}

/** Whether the account that a document was sent with, if any, is the current one. */
export function hasItsAccount(ctx: Ctx, { pac, pac_account }: Pick<DocumentRow, 'pac' | 'pac_account'>): boolean {
  const account = ctx.ports.pacs.get(pac)?.account
  return account !== undefined && (pac_account === null || pac_account === UNKNOWN_ACCOUNT || pac_account === account)
}

/**
 * Sends a document, or reads its state, with the account that it was sent with before: another account would stamp it again.
 * INVOICING_NOT_READY without the keys of that account.
 */
export async function callToStamp(ctx: Ctx, row: DocumentRow, how: 'stamp' | 'find'): Promise<PacFact> {
  const pac = pacOfDocument(ctx, row)
  const { fiscal_document_id, pac_account, signed_xml: xml, key } = row
  if (!hasItsAccount(ctx, row))
    throw refuse('INVOICING_NOT_READY', { missing: 'la cuenta del proveedor de timbrado con la que se envió esta factura' })
  const saveAccount = (account: string | null) => ctx.tx((tx) => changeDocument(tx, fiscal_document_id, { pac_account: account }))
  // Before it leaves: its answer may be lost.
  if (pac_account !== pac.account) await saveAccount(pac.account)
  const fact = await pac[how]({ xml, key })
  if (pac_account === null && fact.state === 'unknown' && fact.isUnsent) await saveAccount(null)
  return fact
}

/** Stores a document's state as the PAC reports it. */
export function applyFact(ctx: Ctx, { fiscal_document_id }: DocumentRow, fact: PacFact): Promise<DocumentRow> {
  return ctx.tx(async (tx) => {
    const row = await lockDocument(tx, fiscal_document_id)
    if (!row) throw refuse('NOT_FOUND')
    const set = changesOf(ctx, row, fact)
    // Also an unknown answer: the oldest ones are read again first.
    await changeDocument(tx, fiscal_document_id, { ...set, updatedAt: ctx.now })
    if (set.state === 'refused' || set.state === 'cancelled') {
      await freeItems(tx, fiscal_document_id)
      await returnToGlobals(tx, fiscal_document_id)
    }
    if (set.state && set.state !== row.state)
      await ctx.audit(tx, {
        action: 'fiscal_document.change',
        entity: 'fiscal_document',
        entity_id: String(fiscal_document_id),
        before: { state: row.state },
        after: { state: set.state, uuid: set.uuid ?? row.uuid, code: set.error_code ?? null },
      })
    const event = set.state === 'cancelled' ? 'cancelled' : set.uuid ? 'issued' : null
    if (event && row.customer_id !== null) await tx.send({ name: NOTIFY_JOB, data: { fiscal_document_id, event } })
    return { ...row, ...set, updatedAt: ctx.now }
  })
}

function changesOf(ctx: Ctx, row: DocumentRow, fact: PacFact): Partial<DocumentRow> {
  switch (fact.state) {
    case 'unknown':
      ctx.studio.log.warn({ fiscal_document_id: row.fiscal_document_id, why: fact.why }, 'pac.answer_missing')
      return {}
    case 'absent':
      return row.state === 'stamping' ? refusedBy('absent', 'El proveedor de timbrado no la recibió.') : {}
    case 'refused':
      // A document that is valid stays so, whatever a later question is answered with.
      return row.state === 'stamping' ? refusedBy(fact.refusal.code, fact.refusal.message) : {}
    case 'valid': {
      const stamped = row.uuid === null ? { uuid: fact.uuid, xml: fact.xml, stampedAt: ctx.now } : {}
      if (row.state === 'cancelled' || row.state === 'refused') return {}
      if (fact.cancellation === 'requested') return { ...stamped, state: 'cancelling' }
      // The SAT knows of no request: the stored one is sent again (recoverDocuments). A request that the receiver refused is over.
      return { ...stamped, state: 'valid', ...(fact.cancellation === 'none' ? {} : NO_CANCELLATION) }
    }
    case 'cancelled':
      if (row.state === 'cancelled') return {}
      return {
        ...(row.uuid === null ? { uuid: fact.uuid, xml: fact.xml, stampedAt: ctx.now } : {}),
        state: 'cancelled',
        cancelledAt: ctx.now,
        cancel_receipt: fact.receipt,
      }
  }
}

/** Columns of a document without a requested cancellation. */
export const NO_CANCELLATION = { cancel_motive: null, substitute_id: null, cancelAskedAt: null } satisfies Partial<DocumentRow>

const refusedBy = (error_code: string, error_message: string): Partial<DocumentRow> => ({ state: 'refused', error_code, error_message })
