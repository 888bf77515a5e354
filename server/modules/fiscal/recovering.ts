/** Documents without an answer: found again, sent again, or given up. */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import type { FiscalDocument, fiscal as wire } from '#contract/fiscal.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { followCancellation } from './cancelling.ts'
import { documentHere, serializeDocument } from './fiscal.ts'
import { giveUpFrom } from './rules.ts'
import { applyFact, callToStamp, hasItsAccount, stampDocument } from './stamping.ts'
import { changeDocument, type DocumentRow, freeItems, freeTestItems, listUnanswered, lockDocument, returnToGlobals } from './store.ts'

/** After this a document is too old to be stamped (the SAT accepts 72 hours). */
const STAMP_MS = 71 * 3_600_000
const AT_ONCE = 50

/**
 * Reads the state of documents without an answer, and sends again those that never arrived. Items of test documents become free for real
 * invoices (FA17).
 */
export async function recoverDocuments(ctx: Ctx): Promise<void> {
  if (ctx.ports.pac?.isSandbox === false) await ctx.tx(freeTestItems)
  for (const row of await listUnanswered(ctx.db, { pacs: [...ctx.ports.pacs.values()], now: ctx.now }, AT_ONCE))
    try {
      await (row.state === 'stamping' ? recoverStamp(ctx, row) : followCancellation(ctx, row))
    } catch (error) {
      // It does not stop the others, and goes to the end of the queue.
      const { fiscal_document_id } = row
      ctx.studio.log.error({ error, fiscal_document_id }, 'fiscal.not_recovered')
      await ctx.tx((tx) => changeDocument(tx, fiscal_document_id, { updatedAt: ctx.now }))
    }
}

async function recoverStamp(ctx: Ctx, row: DocumentRow): Promise<void> {
  const found = await callToStamp(ctx, row, 'find')
  if (found.state === 'absent' && ctx.now.getTime() - row.createdAt.getTime() < STAMP_MS) await stampDocument(ctx, row.fiscal_document_id)
  else await applyFact(ctx, row, found)
}

type GiveUpInput = z.output<NonNullable<(typeof wire)['giveUp']['~orpc']['inputSchema']>>

/**
 * POST /admin/fiscal_documents/{fiscal_document_id}/give_up. NOT_FOUND, INVOICE_MAY_BE_STAMPED. Reads the state at the provider first, and
 * stores it if there is one. When it cannot be read (another account is configured, or its keys are refused), the document's error message
 * says so.
 */
export async function giveUpInvoice(ctx: Ctx, { fiscal_document_id, reason }: GiveUpInput): Promise<{ fiscal_document: FiscalDocument }> {
  const row = await documentHere(ctx, fiscal_document_id)
  if (row.state !== 'stamping') return { fiscal_document: await serializeDocument(ctx, row) }
  const no = (why: string) => refuse('INVOICE_MAY_BE_STAMPED', { why })
  const from = giveUpFrom(row)
  if (ctx.now < from) throw no(`todavía se intenta timbrar. Se puede desde el ${formatInstant(from, ctx.zone, 'class')}.`)
  const fact = hasItsAccount(ctx, row) ? await callToStamp(ctx, row, 'find') : null
  if (fact && fact.state !== 'unknown') return { fiscal_document: await serializeDocument(ctx, await applyFact(ctx, row, fact)) }
  if (fact && !fact.isOver && !fact.isUnsent) throw no('tu proveedor de timbrado no dijo qué pasó con ella. Intenta más tarde.')
  const explanation = !fact ? UNASKED.account : fact.isUnsent ? UNASKED.keys : ''
  const set = {
    state: 'refused',
    error_code: GIVEN_UP,
    error_message: `Se dio por no timbrada.${explanation}`,
    updatedAt: ctx.now,
  } as const
  await ctx.tx(async (tx) => {
    if ((await lockDocument(tx, fiscal_document_id))?.state !== 'stamping') throw no('cambió mientras tanto. Vuelve a abrirla.')
    await changeDocument(tx, fiscal_document_id, set)
    await freeItems(tx, fiscal_document_id)
    await returnToGlobals(tx, fiscal_document_id)
    await ctx.audit(tx, {
      action: 'fiscal_document.give_up',
      entity: 'fiscal_document',
      entity_id: String(fiscal_document_id),
      before: { state: row.state },
      after: { state: set.state, folio: `${row.series}-${row.folio}`, is_asked: explanation === '' },
      reason,
    })
  })
  return { fiscal_document: await serializeDocument(ctx, { ...row, ...set }) }
}
const GIVEN_UP = 'SIN TIMBRE'
const UNASKED = {
  account: ' No se le pudo preguntar al proveedor de timbrado: la cuenta con la que se envió ya no es la de Ajustes.',
  keys: ' No se le pudo preguntar al proveedor de timbrado: no acepta las llaves de la cuenta.',
} as const
