/**
 * Credit notes (egresos): for money that went back, or was lost to a bank, after its charge was invoiced, and for charges that leave a
 * global invoice.
 */
import { localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { requestCancellation } from './cancelling.ts'
import { missingForInvoices, readyToInvoice } from './certificates.ts'
import { type ChargeRow, listCharges } from './charge-store.ts'
import { findCreditState, listOwedCredits, listOwedTakeOuts, listVoidCredits, type OwedCredit } from './credit-store.ts'
import { replaceGlobals } from './global-invoices.ts'
import { formatIssuedAt, listStudioOrigins, originAmong } from './origins.ts'
import { creditReceiver, type DraftItem, largestForm, lastCancelDay, publicReceiver, toCreditItem } from './rules.ts'
import { getPac, stampDocument, writeDocument } from './stamping.ts'
import { type DocumentRow, findDocument, lockDocument } from './store.ts'

const AT_ONCE = 100

/** Test documents get test credit notes, and real ones real credit notes: a provider only knows its own documents. */
const isTest = ({ ports }: Ctx): boolean => ports.pac?.isSandbox ?? false

/** Issues what is owed and cancels what is owed no more; one that cannot be written does not stop the others. */
export async function issueCreditNotes(ctx: Ctx): Promise<void> {
  await cancelVoidCredits(ctx)
  await replaceGlobals(ctx)
  const owed = await listOwedCredits(ctx.db, ctx.now, isTest(ctx), AT_ONCE)
  if (owed.length > 0 && (await missingForInvoices(ctx)).missing.length > 0) return
  for (const credit of owed)
    await logged(ctx, { refund_id: credit.refund_id, invoice_id: credit.invoice_id }, () => issueCreditNote(ctx, credit))
  await takeOutOfGlobals(ctx)
}

/**
 * Takes charges with an invoice of their own out of their global invoices: by one credit note per global invoice, or where the studio wants
 * that (`global_leave`) the global one is cancelled and issued again without them.
 */
export async function takeOutOfGlobals(ctx: Ctx): Promise<void> {
  const owed = await listOwedTakeOuts(ctx.db, ctx.now, isTest(ctx), AT_ONCE)
  if (owed.length === 0 || (await missingForInvoices(ctx)).missing.length > 0) return
  for (const id of new Set(owed.map((owedTakeOut) => owedTakeOut.fiscal_document_id)))
    await logged(ctx, { fiscal_document_id: id }, async () => {
      if (ctx.settings.global_leave === 'credit' || !(await replace(ctx, id))) await takeOutOf(ctx, id)
    })
}

/**
 * Cancels a global invoice (04) and issues it again; false where only a credit note is left: it has one, or the term of the SAT is over.
 */
async function replace(ctx: Ctx, global_id: number): Promise<boolean> {
  const [row, { has_credits, is_busy }] = await Promise.all([findDocument(ctx.db, global_id), findCreditState(ctx.db, global_id)])
  // A cancellation without an answer is requested again by `followCancellation`.
  if (row?.state === 'valid' && row.cancelAskedAt) return true
  if (row?.state !== 'valid' || !row.uuid || has_credits || localDate(ctx.now, ctx.zone) > lastCancelDay(row.draft)) return false
  // A credit note in progress might be refused, and its charge would then be in no invoice: the next run decides.
  if (is_busy) return true
  const { fact } = await requestCancellation(ctx, row, { motive: '04', substitute: null })
  if (fact.state === 'refused') return false
  await replaceGlobals(ctx)
  return true
}

async function logged(ctx: Ctx, about: object, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    ctx.studio.log.error({ error, ...about }, 'fiscal.credit_note_failed')
  }
}

/** What is read before the transaction that writes a credit note. */
const readyToCredit = async (ctx: Ctx) => ({ ...(await readyToInvoice(ctx)), origins: await listStudioOrigins(ctx), pac: getPac(ctx) })

interface CreditNote {
  ready: Awaited<ReturnType<typeof readyToCredit>>
  key: string
  invoice: DocumentRow & { uuid: string }
  charges: readonly [ChargeRow, ...ChargeRow[]]
  items: DraftItem[]
  lines: Parameters<typeof writeDocument>[2]['lines']
}

/** Writes a credit note of an invoice: to the public when that is a global one. */
async function writeCreditNote(tx: Tx, ctx: Ctx, { ready, key, invoice, charges, items, lines }: CreditNote): Promise<DocumentRow> {
  const { issuer, certificate, origins, pac } = ready
  const [first] = charges
  const { placeOfIssue, receiver } = invoice.draft
  return writeDocument(
    tx,
    ctx,
    {
      kind: 'credit',
      certificate,
      key,
      customer_id: invoice.customer_id,
      location_id: first.location_id,
      related_id: invoice.fiscal_document_id,
      lines,
      draft: {
        type: 'E',
        issuedAt: formatIssuedAt(ctx, originAmong(origins, first)),
        placeOfIssue,
        global: null,
        issuer,
        lines: items,
        relation: { type: '01', uuids: [invoice.uuid] },
        paymentForm: largestForm(charges.map(({ form, kept }) => ({ form, amount: kept }))),
        receiver: invoice.kind === 'global' ? publicReceiver(placeOfIssue, 'G02') : creditReceiver(receiver),
      },
    },
    pac,
  )
}

async function stampCreditNote(ctx: Ctx, written: DocumentRow | null): Promise<void> {
  if (!written) return
  const { fiscal_document_id } = written
  await stampDocument(ctx, fiscal_document_id)
  const row = await findDocument(ctx.db, fiscal_document_id)
  if (row?.state === 'refused') ctx.studio.log.error({ fiscal_document_id, code: row.error_code }, 'fiscal.credit_note_refused')
}

async function issueCreditNote(ctx: Ctx, { refund_id, invoice_id, fiscal_document_id }: OwedCredit): Promise<void> {
  const why = refund_id === null ? 'loss' : 'refund'
  const ready = await readyToCredit(ctx)
  const written = await ctx.tx(async (tx) => {
    // Behind the lock of the invoice: its cancellation may have been requested meanwhile, and then it needs no credit note.
    const invoice = await lockDocument(tx, fiscal_document_id)
    const [charge] = await listCharges(tx, ctx.settings, [invoice_id])
    if (invoice?.state !== 'valid' || !invoice.uuid || !charge) return null
    // Read again: another credit note of the same charge may have been written since.
    const owed = await listOwedCredits(tx, ctx.now, ready.pac.isSandbox, AT_ONCE, { invoice_id, fiscal_document_id })
    const amount = owed.find((credit) => credit.refund_id === refund_id)?.amount
    if (amount === undefined) return null
    return writeCreditNote(tx, ctx, {
      ready,
      key: `${why}-${refund_id ?? invoice_id}-${crypto.randomUUID()}`,
      invoice: { ...invoice, uuid: invoice.uuid },
      charges: [charge],
      items: [toCreditItem(charge, amount, why)],
      lines: [{ invoice_id, refund_id, is_loss: why === 'loss' }],
    })
  })
  await stampCreditNote(ctx, written)
}

async function takeOutOf(ctx: Ctx, global_id: number): Promise<void> {
  const ready = await readyToCredit(ctx)
  const written = await ctx.tx(async (tx) => {
    const invoice = await lockDocument(tx, global_id)
    if (invoice?.state !== 'valid' || !invoice.uuid) return null
    // Read again behind its lock: another process may have taken them out.
    const owed = await listOwedTakeOuts(tx, ctx.now, ready.pac.isSandbox, AT_ONCE, global_id)
    const charges = await listCharges(
      tx,
      ctx.settings,
      owed.map((owedTakeOut) => owedTakeOut.invoice_id),
    )
    const both = owed.flatMap((owedTakeOut) => {
      const charge = charges.find(({ invoice_id }) => invoice_id === owedTakeOut.invoice_id)
      return charge ? [{ ...owedTakeOut, charge }] : []
    })
    const [first, ...rest] = both.map(({ charge }) => charge)
    if (!first) return null
    return writeCreditNote(tx, ctx, {
      ready,
      key: `global-${global_id}-${crypto.randomUUID()}`,
      invoice: { ...invoice, uuid: invoice.uuid },
      charges: [first, ...rest],
      items: both.map(({ charge, amount }) => toCreditItem(charge, amount, 'invoiced')),
      lines: both.map(({ invoice_id, line_id }) => ({ invoice_id, refund_id: null, replaces_id: line_id, takes_out: true })),
    })
  })
  await stampCreditNote(ctx, written)
}

/**
 * Cancels credit notes whose refund did not reach the customer, or whose dispute was won after all: the operation did not take place (03).
 */
async function cancelVoidCredits(ctx: Ctx): Promise<void> {
  for (const row of await listVoidCredits(ctx.db, AT_ONCE))
    await logged(ctx, { fiscal_document_id: row.fiscal_document_id }, async () => {
      await requestCancellation(ctx, row, { motive: '03', substitute: null })
    })
}
