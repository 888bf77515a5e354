/** The global invoice: what nobody asked an invoice for, once its day or month is over, one document per form of payment. */
import { addDays, addMonths, type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { missingForInvoices, readyToInvoice } from './certificates.ts'
import { issuedAtOf } from './fiscal.ts'
import { itemOf, publicReceiver, ticketOf, whyNotInvoiceable } from './rules.ts'
import { pacOf, stampDocument, writeDocument } from './stamping.ts'
import { type ChargeRow, listOpenCharges, lockCharges, lockGlobals } from './store.ts'

/** Transfers and vouchers of the last evening are known by then; the SAT wants the document within a day. */
const AFTER_CLOSE_MS = 20 * 3_600_000
/** The most lines of a document. */
const LARGEST = 5_000

export interface GlobalPeriod {
  /** "2026-11-25" or "2026-11". */
  name: string
  from: LocalDate
  /** The day after its last one. */
  until: LocalDate
  code: '01' | '04'
}

/** The last period that is over. */
export function lastPeriod(today: LocalDate, every: 'day' | 'month'): GlobalPeriod {
  if (every === 'day') {
    const from = addDays(today, -1)
    return { name: from, from, until: today, code: '01' }
  }
  const until = `${today.slice(0, 8)}01`
  const from = addMonths(until, -1)
  return { name: from.slice(0, 7), from, until, code: '04' }
}

/** Runs every hour: a period that was not written yet, or what was learned of it since. */
export async function issueGlobals(ctx: Ctx): Promise<void> {
  const every = ctx.settings.global_invoice
  if (every === 'off') return
  const { zone } = ctx
  const period = lastPeriod(localDate(ctx.now, zone), every)
  const [from, until] = [startOfDay(period.from, zone), startOfDay(period.until, zone)]
  if (ctx.now.getTime() < until.getTime() + AFTER_CLOSE_MS) return
  if ((await missingForInvoices(ctx)).missing.length > 0) return
  for (;;) {
    const charges = await listOpenCharges(ctx.db, from, until, LARGEST)
    const open = charges.filter((charge) => whyNotInvoiceable(charge) === null)
    if (open.length === 0) return
    const form = open[0]?.form
    await issueGlobal(
      ctx,
      period,
      open.filter((charge) => charge.form === form),
    )
    if (charges.length < LARGEST && open.every((charge) => charge.form === form)) return
  }
}

async function issueGlobal(ctx: Ctx, period: GlobalPeriod, charges: readonly ChargeRow[]): Promise<void> {
  const { issuer, certificate } = await readyToInvoice(ctx)
  const { isSandbox } = pacOf(ctx)
  const ids = charges.map((charge) => charge.invoice_id)
  const written = await ctx.tx(async (tx) => {
    await lockGlobals(tx)
    const open = (await lockCharges(tx, ids)).filter((charge) => charge.document_id === null && whyNotInvoiceable(charge) === null)
    const form = open[0]?.form
    if (!form) return null
    return writeDocument(
      tx,
      ctx,
      {
        ...{ kind: 'global', certificate, key: crypto.randomUUID(), customer_id: null, location_id: null, period: period.name },
        lines: open.map(({ invoice_id }) => ({ invoice_id, refund_id: null })),
        draft: {
          ...{ type: 'I', issuedAt: issuedAtOf(ctx), placeOfIssue: issuer.postalCode, paymentForm: form, relation: null, issuer },
          global: { period: period.code, months: period.from.slice(5, 7), year: Number(period.from.slice(0, 4)) },
          receiver: publicReceiver(issuer.postalCode),
          lines: open.map((charge) => ticketOf(itemOf(charge, false))),
        },
      },
      isSandbox,
    )
  })
  if (!written) return
  const row = await stampDocument(ctx, written.fiscal_document_id)
  if (row.state === 'refused') throw new Error(`The global invoice of ${period.name} was refused: ${row.error_code} ${row.error_message}`)
}
