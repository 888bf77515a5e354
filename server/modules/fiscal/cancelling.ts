/** Cancelling documents: the motive is stored until the SAT answers; also reads which documents were cancelled in the SAT's portal. */
import { refuse } from '#contract/errors.ts'
import { keyOfText } from '#server/adapters/pac/certificate.ts'
import type { PacFact, PacPort } from '#server/adapters/pac/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { isCreditInProgress } from './credit-store.ts'
import { applyFact, NO_CANCELLATION, pacOfDocument } from './stamping.ts'
import { changeDocument, type DocumentRow, findByUuid, findDocument, listToCheck, lockDocument, markChecked } from './store.ts'
import { type CertificateRow, findCertificate } from './taxpayer-store.ts'

/** Requests the cancellation at the provider that stamped the document. */
const cancelAtPac = (ctx: Ctx, row: DocumentRow, motive: string, substitute?: string): Promise<PacFact> =>
  pacOfDocument(ctx, row).cancel({
    uuid: row.uuid ?? '',
    xml: row.xml ?? '',
    rfc: row.draft.issuer.rfc,
    motive,
    substitute,
    seal: async () => {
      const { certificate, number, sealed_key } = await certificateFor(ctx, row)
      return { certificate, key: keyOfText(ctx.studio.openFiscalKey(number, sealed_key)) }
    },
  })

async function certificateFor(ctx: Ctx, { draft }: DocumentRow): Promise<CertificateRow> {
  const own = await findCertificate(ctx.db)
  if (own?.rfc !== draft.issuer.rfc) throw refuse('INVOICING_NOT_READY', { missing: 'el certificado de sello digital de su emisor' })
  return own
}

/**
 * Before anything is written: INVOICING_NOT_READY where a document cannot be cancelled, without the keys of its provider or the certificate
 * of its issuer (which the sandbox does not need).
 */
export async function assertCancellable(ctx: Ctx, row: DocumentRow): Promise<void> {
  if (pacOfDocument(ctx, row).id !== 'sandbox') await certificateFor(ctx, row)
}

interface CancelRequest {
  motive: string
  /** The valid document that takes its place; only with motive 01. */
  substitute: DocumentRow | null
}

/**
 * Requests the cancellation of a valid document, and stores the answer. The request is written before the call, with `noted` in the same
 * transaction. A refusal clears it, unless there was an earlier request: the SAT may refuse this one because it already has the first,
 * which `followCancellation` reads. Throws INVOICING_NOT_READY and INVOICE_NOT_CANCELLABLE (requested with another motive or substitute, or
 * a credit note of it is being stamped) before anything is written.
 */
export async function requestCancellation(
  ctx: Ctx,
  row: DocumentRow,
  { motive, substitute }: CancelRequest,
  noted?: (tx: Tx) => Promise<void>,
): Promise<{ fact: PacFact; row: DocumentRow }> {
  const { fiscal_document_id } = row
  await assertCancellable(ctx, row)
  const substitute_id = substitute?.fiscal_document_id ?? null
  const first = await ctx.tx(async (tx) => {
    await noted?.(tx)
    const now = await lockDocument(tx, fiscal_document_id)
    if (!now) throw refuse('NOT_FOUND')
    // The first request may have arrived, with its motive: the SAT would not know of another one.
    if (now.cancelAskedAt !== null && (now.cancel_motive !== motive || now.substitute_id !== substitute_id))
      throw refuse('INVOICE_NOT_CANCELLABLE', { why: `ya se pidió con el motivo ${now.cancel_motive} y el SAT no contesta todavía.` })
    if (await isCreditInProgress(tx, fiscal_document_id))
      throw refuse('INVOICE_NOT_CANCELLABLE', { why: 'se está timbrando una nota de crédito de ella.' })
    const request = { cancel_motive: motive, substitute_id, cancelAskedAt: now.cancelAskedAt ?? ctx.now }
    await changeDocument(tx, fiscal_document_id, { ...request, error_code: null, error_message: null, updatedAt: ctx.now })
    return now.cancelAskedAt
  })
  const fact = await cancelAtPac(ctx, row, motive, substitute?.uuid ?? undefined)
  if (fact.state !== 'refused') return { fact, row: await applyFact(ctx, row, fact) }
  return ctx.tx(async (tx) => {
    const now = (await lockDocument(tx, fiscal_document_id)) ?? row
    // A later request was written meanwhile: its own answer decides.
    if (first !== null || now.state !== 'valid' || now.updatedAt > ctx.now) return { fact, row: now }
    await changeDocument(tx, fiscal_document_id, { ...NO_CANCELLATION, updatedAt: ctx.now })
    return { fact, row: { ...now, ...NO_CANCELLATION } }
  })
}

/** The SAT shows a request with a delay of up to this time. Until then a refusal may only mean that it already has the first one. */
const SHOWN_MS = 3_600_000

/** Reads the state of a cancellation. When the SAT does not know of it, requests it again with the same motive and substitute. */
export async function followCancellation(ctx: Ctx, row: DocumentRow): Promise<void> {
  const { fiscal_document_id, cancel_motive, substitute_id, cancelAskedAt } = row
  const fact = await readAtPac(pacOfDocument(ctx, row), row)
  await applyFact(ctx, row, fact)
  if (fact.state !== 'valid' || fact.cancellation !== 'none' || cancel_motive === null) return
  const substitute = substitute_id === null ? null : await findDocument(ctx.db, substitute_id)
  const again = await cancelAtPac(ctx, row, cancel_motive, substitute?.uuid ?? undefined)
  if (again.state !== 'refused') {
    await applyFact(ctx, row, again)
    return
  }
  if (ctx.now.getTime() - (cancelAskedAt?.getTime() ?? 0) < SHOWN_MS) return
  const { code, message } = again.refusal
  await ctx.tx((tx) =>
    changeDocument(tx, fiscal_document_id, {
      ...NO_CANCELLATION,
      error_code: code,
      error_message: `No se canceló. ${message}`,
      updatedAt: ctx.now,
    }),
  )
}

/** The period for which cancellations in the portal are read; the job runs every hour. */
const PORTAL_MS = 48 * 3_600_000
/** Documents whose state is read per run, where the provider has no list of cancellations. */
const CHECKED_AT_ONCE = 120

/** Applies cancellations that were made in the SAT's portal. */
export async function readCancelled(ctx: Ctx): Promise<void> {
  const { business_rfc: rfc } = ctx.settings
  if (rfc === '') return
  for (const pac of ctx.ports.pacs.values()) {
    async function* candidates() {
      for (const { fiscal_document_id, uuid, xml } of await listToCheck(ctx.db, { pac: pac.id, now: ctx.now }, CHECKED_AT_ONCE)) {
        // Marked before each check: when the SAT does not answer, the remaining ones come first in the next run.
        await ctx.tx((tx) => markChecked(tx, fiscal_document_id, ctx.now))
        if (uuid && xml) yield { uuid, xml }
      }
    }
    for (const uuid of await pac.cancelledSince({ rfc, from: new Date(ctx.now.getTime() - PORTAL_MS), candidates })) {
      const row = await findByUuid(ctx.db, uuid)
      if (row && row.state !== 'cancelled') await applyFact(ctx, row, await readAtPac(pac, row))
    }
  }
}

const readAtPac = (pac: PacPort, { uuid, xml, state }: DocumentRow): Promise<PacFact> =>
  pac.read({ uuid: uuid ?? '', xml: xml ?? '', isCancelling: state === 'cancelling' })
