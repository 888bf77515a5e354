/** Credit notes (egresos) for money that went back after its charge was invoiced. */
import type { Ctx } from '#server/modules/ctx.ts'
import { missingForInvoices, readyToInvoice } from './certificates.ts'
import { issuedAtOf } from './fiscal.ts'
import { creditItemOf, creditReceiver, publicReceiver } from './rules.ts'
import { pacOf, stampDocument, writeDocument } from './stamping.ts'
import { findDocument, listCharges, listOwedCredits, lockDocument, type OwedCredit } from './store.ts'

const AT_ONCE = 100

/** Issues what is owed; one that cannot be written does not stop the others. */
export async function issueCreditNotes(ctx: Ctx): Promise<void> {
  const owed = await listOwedCredits(ctx.db, AT_ONCE)
  if (owed.length === 0 || (await missingForInvoices(ctx)).missing.length > 0) return
  for (const one of owed) {
    try {
      await issueCreditNote(ctx, one)
    } catch (error) {
      ctx.studio.log.error({ error, refund_id: one.refund_id }, 'fiscal.credit_note_failed')
    }
  }
}

async function issueCreditNote(ctx: Ctx, { refund_id, invoice_id, amount, fiscal_document_id }: OwedCredit): Promise<void> {
  const { issuer, certificate } = await readyToInvoice(ctx)
  const { isSandbox } = pacOf(ctx)
  const written = await ctx.tx(async (tx) => {
    // Behind the lock of the invoice: it may be cancelled meanwhile, and then needs no credit note.
    const invoice = await lockDocument(tx, fiscal_document_id)
    const [charge] = await listCharges(tx, [invoice_id])
    if (invoice?.state !== 'valid' || !invoice.uuid || !charge) return null
    const { receiver } = invoice.draft
    return writeDocument(
      tx,
      ctx,
      {
        ...{ kind: 'credit', certificate, key: `refund-${refund_id}-${crypto.randomUUID()}`, customer_id: invoice.customer_id },
        ...{ location_id: charge.location_id, related_id: fiscal_document_id, lines: [{ invoice_id, refund_id }] },
        draft: {
          ...{ type: 'E', issuedAt: issuedAtOf(ctx), placeOfIssue: issuer.postalCode, global: null, issuer },
          ...{ relation: { type: '01', uuids: [invoice.uuid] }, paymentForm: charge.form, lines: [creditItemOf(charge, amount)] },
          receiver: invoice.kind === 'global' ? publicReceiver(issuer.postalCode, 'G02') : creditReceiver(receiver),
        },
      },
      isSandbox,
    )
  })
  if (!written) return
  await stampDocument(ctx, written.fiscal_document_id)
  const row = await findDocument(ctx.db, written.fiscal_document_id)
  if (row?.state === 'refused') ctx.studio.log.error({ refund_id, code: row.error_code }, 'fiscal.credit_note_refused')
}
