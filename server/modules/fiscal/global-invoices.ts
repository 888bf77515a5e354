/** The global invoice: charges without a requested invoice, once their day or month is over, one document per form of payment. */
import { addDays, addMonths, type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { settingHistory } from '#server/modules/settings/settings.ts'
import { missingForInvoices, readyToInvoice } from './certificates.ts'
import { type ChargeRow, listCharges, listOpenCharges, listUnreplaced, lockCharges, lockGlobals } from './charge-store.ts'
import { formatIssuedAt, listStudioOrigins, type Origin } from './origins.ts'
import { publicReceiver, toItem, toTicketItem, whyNotInvoiceable } from './rules.ts'
import { getPac, stampDocument, writeDocument } from './stamping.ts'
import { type DocumentRow, findDocument } from './store.ts'

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

const periodAt = (day: LocalDate, every: 'day' | 'month'): GlobalPeriod => {
  if (every === 'day') return { name: day, from: day, until: addDays(day, 1), code: '01' }
  const from = `${day.slice(0, 8)}01`
  return { name: from.slice(0, 7), from, until: addMonths(from, 1), code: '04' }
}

/** The last period that is over. */
export const lastPeriod = (today: LocalDate, every: 'day' | 'month'): GlobalPeriod =>
  periodAt(addDays(periodAt(today, every).from, -1), every)

/** Past days that are searched for periods without their invoice, for example because a certificate was missing. */
const BACKLOG_DAYS = 62

/** When global invoices were switched on the last time; null: it is not known, so only the last period counts. */
async function switchedOnAt(ctx: Ctx): Promise<Date | null> {
  const { changes } = await settingHistory(ctx, { key: 'global_invoice' })
  const on = changes.find(({ before }) => before === 'off' || before === null)
  return on ? new Date(on.at) : null
}

/** Runs every hour, for each place of issue: periods that were not written yet, or what was learned of them since. */
export async function issueGlobals(ctx: Ctx): Promise<void> {
  const every = ctx.settings.global_invoice
  if (every === 'off' || (await missingForInvoices(ctx)).missing.length > 0) return
  const since = await switchedOnAt(ctx)
  await replaceGlobals(ctx)
  const failed: unknown[] = []
  for (const origin of await listStudioOrigins(ctx)) failed.push(...(await issueAt(ctx, origin, every, since)))
  if (failed.length > 0) throw new AggregateError(failed, 'Global invoices were refused.')
}

/** The instants between which charges of a place are due; null: nothing is. */
function dueAt(ctx: Ctx, { zone }: Origin, every: 'day' | 'month', since: Date | null): { from: Date; until: Date } | null {
  let period = lastPeriod(localDate(ctx.now, zone), every)
  if (ctx.now.getTime() < startOfDay(period.until, zone).getTime() + AFTER_CLOSE_MS) period = lastPeriod(period.from, every)
  const earliest = since ? periodAt(localDate(since, zone), every) : lastPeriod(localDate(ctx.now, zone), every)
  const floor = addDays(localDate(ctx.now, zone), -BACKLOG_DAYS)
  const from = earliest.from < floor ? periodAt(floor, every).from : earliest.from
  return from < period.until ? { from: startOfDay(from, zone), until: startOfDay(period.until, zone) } : null
}

/** What could not be written is returned, and does not stop the rest. */
async function issueAt(ctx: Ctx, origin: Origin, every: 'day' | 'month', since: Date | null): Promise<unknown[]> {
  const due = dueAt(ctx, origin, every, since)
  if (!due) return []
  const failed: unknown[] = []
  for (;;) {
    const charges = await listOpenCharges(ctx.db, ctx.settings, {
      ...due,
      origin_id: origin.location_id,
      isTest: isTest(ctx),
      limit: LARGEST,
    })
    const groups = Map.groupBy(
      charges.filter((charge) => whyNotInvoiceable(charge) === null),
      (charge) => `${periodAt(localDate(charge.paidAt, origin.zone), every).name} ${charge.form}`,
    )
    for (const [first, ...rest] of groups.values()) {
      if (!first) continue
      try {
        await issueGlobal(ctx, origin, periodAt(localDate(first.paidAt, origin.zone), every), [first, ...rest])
      } catch (error) {
        failed.push(error)
      }
    }
    if (charges.length < LARGEST || groups.size === 0 || failed.length > 0) return failed
  }
}

/** How many cancelled ones are replaced at once. */
const REPLACED = 100

const isTest = ({ ports }: Ctx): boolean => ports.pac?.isSandbox ?? false

/** Writes the global invoices that replace those which were cancelled because charges left them (motive and relation 04). */
export async function replaceGlobals(ctx: Ctx): Promise<void> {
  const cancelled = await listUnreplaced(ctx.db, isTest(ctx), REPLACED)
  if (cancelled.length === 0 || (await missingForInvoices(ctx)).missing.length > 0) return
  const [domicile, ...others] = await listStudioOrigins(ctx)
  for (const { fiscal_document_id, invoice_ids } of cancelled) {
    const [row, charges] = await Promise.all([findDocument(ctx.db, fiscal_document_id), listCharges(ctx.db, ctx.settings, invoice_ids)])
    if (!row?.period) continue
    const origin = others.find(({ location_id }) => location_id === row.location_id) ?? domicile
    const isMonth = row.period.length === 'yyyy-mm'.length
    try {
      await issueGlobal(ctx, origin, periodAt(isMonth ? `${row.period}-01` : row.period, isMonth ? 'month' : 'day'), charges, row)
    } catch (error) {
      ctx.studio.log.error({ error, fiscal_document_id }, 'fiscal.global_not_replaced')
    }
  }
}

/** `replaced`: the cancelled one whose place it takes. */
async function issueGlobal(
  ctx: Ctx,
  origin: Origin,
  period: GlobalPeriod,
  charges: readonly ChargeRow[],
  replaced?: DocumentRow,
): Promise<void> {
  const { issuer, certificate } = await readyToInvoice(ctx)
  const pac = getPac(ctx)
  const ids = charges.map((charge) => charge.invoice_id)
  const written = await ctx.tx(async (tx) => {
    await lockGlobals(tx)
    const open = (await lockCharges(tx, ctx.settings, ids)).filter(
      (charge) => charge.document_id === null && whyNotInvoiceable(charge) === null,
    )
    const form = replaced?.draft.paymentForm ?? open[0]?.form
    if (!form || open.length === 0) return null
    const relation = replaced?.uuid ? { type: '04' as const, uuids: [replaced.uuid] } : null
    return writeDocument(
      tx,
      ctx,
      {
        kind: 'global',
        certificate,
        key: crypto.randomUUID(),
        customer_id: null,
        location_id: origin.location_id,
        period: period.name,
        ...(replaced ? { related_id: replaced.fiscal_document_id } : {}),
        lines: open.map(({ invoice_id, lost }) => ({ invoice_id, refund_id: null, lost_before_centavos: lost })),
        draft: {
          type: 'I',
          issuedAt: formatIssuedAt(ctx, origin),
          placeOfIssue: origin.postalCode,
          paymentForm: form,
          relation,
          issuer,
          global: { period: period.code, months: period.from.slice(5, 7), year: Number(period.from.slice(0, 4)) },
          receiver: publicReceiver(origin.postalCode),
          lines: open.map((charge) => toTicketItem(toItem(charge, false))),
        },
      },
      pac,
    )
  })
  if (!written) return
  const row = await stampDocument(ctx, written.fiscal_document_id)
  if (row.state === 'refused') throw new Error(`The global invoice of ${period.name} was refused: ${row.error_code} ${row.error_message}`)
}
