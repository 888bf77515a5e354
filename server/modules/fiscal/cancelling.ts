/** Cancelling documents: asked for with a motive that is kept until the SAT says what became of it, and what others cancelled in its portal. */
import { refuse } from '#contract/errors.ts'
import { keyOfText } from '#server/adapters/pac/certificate.ts'
import type { PacFact, PacPort } from '#server/adapters/pac/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { applyFact, NO_CANCELLATION, pacOfDocument } from './stamping.ts'
import { changeDocument, type DocumentRow, findByUuid, findDocument, listToCheck, lockDocument, markChecked } from './store.ts'
import { type CertificateRow, findCertificate } from './taxpayer-store.ts'

/** Asks whoever stamped a document to cancel it. */
const cancelAtPac = (ctx: Ctx, row: DocumentRow, motive: string, substitute?: string): Promise<PacFact> =>
  pacOfDocument(ctx, row).cancel({
    ...{ uuid: row.uuid ?? '', xml: row.xml ?? '', rfc: row.draft.issuer.rfc, motive, substitute },
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
 * Before anything is written: INVOICING_NOT_READY where a document cannot be cancelled, without the keys of its provider or the certificate of its issuer
 * (which the sandbox does not need).
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
 * Asks to cancel a valid document, and stores the answer; what was asked is written before, with `noted` in the same transaction. A refusal leaves nothing of it,
 * unless it was asked for before: the SAT may have refused this one only because it has the first, which `followCancellation` asks about. Throws
 * INVOICING_NOT_READY and INVOICE_NOT_CANCELLABLE (asked for with another motive or substitute) before anything is written.
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
    // The first request may have arrived: another motive would be none of the SAT's.
    if (now.cancelAskedAt !== null && (now.cancel_motive !== motive || now.substitute_id !== substitute_id))
      throw refuse('INVOICE_NOT_CANCELLABLE', { why: `ya se pidió con el motivo ${now.cancel_motive} y el SAT no contesta todavía.` })
    const request = { cancel_motive: motive, substitute_id, cancelAskedAt: now.cancelAskedAt ?? ctx.now }
    await changeDocument(tx, fiscal_document_id, { ...request, error_code: null, error_message: null, updatedAt: ctx.now })
    return now.cancelAskedAt
  })
  const fact = await cancelAtPac(ctx, row, motive, substitute?.uuid ?? undefined)
  if (fact.state !== 'refused') return { fact, row: await applyFact(ctx, row, fact) }
  return ctx.tx(async (tx) => {
    const now = (await lockDocument(tx, fiscal_document_id)) ?? row
    // Asked again meanwhile, it is the later request that is answered for.
    if (first !== null || now.state !== 'valid' || now.updatedAt > ctx.now) return { fact, row: now }
    await changeDocument(tx, fiscal_document_id, { ...NO_CANCELLATION, updatedAt: ctx.now })
    return { fact, row: { ...now, ...NO_CANCELLATION } }
  })
}

/** The SAT may show a request this late. Until then it may refuse another one only because it has the first. */
const SHOWN_MS = 3_600_000

/** Reads what became of a cancellation, and asks again with the same motive and substitute where the SAT knows of none. */
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

/** How far back is asked what others cancelled; the job runs every hour. */
const PORTAL_MS = 48 * 3_600_000
/** Documents that the SAT is asked about in one run, where the provider has no list of cancellations. */
const CHECKED_AT_ONCE = 120

/** Learns of documents that were cancelled in the SAT's portal. */
export async function readCancelled(ctx: Ctx): Promise<void> {
  const { business_rfc: rfc } = ctx.settings
  if (rfc === '') return
  for (const pac of ctx.ports.pacs.values()) {
    async function* candidates() {
      for (const { fiscal_document_id, uuid, xml } of await listToCheck(ctx.db, { pac: pac.id, now: ctx.now }, CHECKED_AT_ONCE)) {
        // Each when it is asked about: where the SAT is silent, the others stay first in the next run.
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
