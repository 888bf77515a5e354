/** Queries of what credit notes are owed for, and of those that are owed no more. */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'
import { coversCharge } from './charge-store.ts'
import type { DocumentRow } from './store.ts'
import { fiscalDocument } from './tables.ts'

/** Whether a global invoice has a live credit note, or charges that are leaving it for one that is not stamped yet. */
export async function findCreditState(on: Reader, global_id: number): Promise<{ has_credits: boolean; is_busy: boolean }> {
  const { rows } = await on.execute<{ has_credits: boolean; is_busy: boolean }>(sql`
    select exists (select from fiscal_document e where e.related_id = ${global_id} and e.kind = 'credit' and e.state in ('stamping', 'valid', 'cancelling')) as has_credits,
      exists (select from fiscal_line g join fiscal_line n on n.replaces_id = g.fiscal_line_id join fiscal_document d on d.fiscal_document_id = n.fiscal_document_id
        where g.fiscal_document_id = ${global_id} and n.live and d.state = 'stamping') as is_busy`)
  return rows[0] ?? { has_credits: false, is_busy: false }
}

export interface OwedCredit extends Record<string, unknown> {
  /** Null: a bank took back what was left of the charge. */
  refund_id: number | null
  invoice_id: number
  amount: number
  fiscal_document_id: number
}

/** A credit note that the SAT refused is tried again a day later. */
const notRefusedLately = (
  now: Date,
  which: SQL,
) => sql`not exists (select from fiscal_line x join fiscal_document y using (fiscal_document_id)
  where ${which} and y.kind = 'credit' and y.state = 'refused' and y."createdAt" > ${new Date(now.getTime() - 86_400_000).toISOString()}::timestamptz)`

/** Centavos of a charge `i` that its invoice, of which it is the line `f`, does not have: they went back before it. */
const notInvoiced = sql`i.total_centavos - f.base_centavos - f.tax_centavos`

/** Centavos of a charge's line `f` that no live credit note of its document `d` has. */
const uncredited = sql`f.base_centavos + f.tax_centavos - coalesce((select sum(c.base_centavos + c.tax_centavos)
  from fiscal_line c join fiscal_document e on e.fiscal_document_id = c.fiscal_document_id
  where c.invoice_id = f.invoice_id and c.live and e.kind = 'credit' and e.related_id = d.fiscal_document_id), 0)`

/** Centavos of a charge in its invoice that no credit note has; 0 where it is in it no more. */
export async function uncreditedOf(tx: Tx, fiscal_document_id: number, invoice_id: number): Promise<number> {
  const { rows } = await tx.execute<{ left: number }>(sql`
    select (${uncredited})::int as left from fiscal_line f join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id
    where d.fiscal_document_id = ${fiscal_document_id} and f.invoice_id = ${invoice_id} and ${coversCharge}`)
  return rows[0]?.left ?? 0
}

/**
 * Money that went back of charges that were invoiced, without its credit note: refunds, whoever made them (one in a processor's panel has its row, too), and lost
 * disputes. With what of each is in the invoice: it has neither what was given back before nor what was on its way back then. By amounts, because the clocks of
 * simultaneous requests do not say which one had the lock first. Never more than the invoice has without its credit notes: a refund may still arrive
 * after the bank took everything.
 */
export async function listOwedCredits(on: Reader, now: Date, isTest: boolean, limit: number): Promise<OwedCredit[]> {
  const { rows } = await on.execute<OwedCredit>(sql`
    select * from (
      select r.refund_id, r.invoice_id, least(r.amount_centavos, o.over, ${uncredited})::int as amount, f.fiscal_document_id
      from refund r join fiscal_line f on f.invoice_id = r.invoice_id and ${coversCharge}
        join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id join invoice i on i.invoice_id = r.invoice_id
        join lateral (select sum(e.amount_centavos) - (${notInvoiced}) as over from refund e
          where e.invoice_id = r.invoice_id and e.state in ('asked', 'done') and e.refund_id <= r.refund_id) o on o.over > 0
      where r.state = 'done' and d.state = 'valid' and d.is_test = ${isTest}
        and not exists (select from fiscal_line c where c.refund_id = r.refund_id and c.live)
        and ${notRefusedLately(now, sql`x.refund_id = r.refund_id`)}
      union all
      select null, i.invoice_id, least(i.disputed_centavos, ${uncredited})::int, f.fiscal_document_id
      from invoice i join fiscal_line f on f.invoice_id = i.invoice_id and ${coversCharge}
        join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id
      where i.status = 'lost' and d.state = 'valid' and d.is_test = ${isTest} and i.disputed_centavos > 0
        and not exists (select from fiscal_line c where c.invoice_id = i.invoice_id and c.is_loss and c.live)
        and ${notRefusedLately(now, sql`x.invoice_id = i.invoice_id and x.is_loss`)}) owed
    where amount > 0 order by invoice_id, refund_id limit ${limit}`)
  return rows
}

/** A line of a global invoice whose charge has an invoice of its own now. */
export interface OwedTakeOut extends Record<string, unknown> {
  /** The global invoice. */
  fiscal_document_id: number
  invoice_id: number
  line_id: number
  /** What is left of the line after the credit notes of refunds and lost disputes. */
  amount: number
}

/** Charges that left a global invoice without the credit note that takes them out of it. */
export async function listOwedTakeOuts(
  on: Reader | Tx,
  now: Date,
  isTest: boolean,
  limit: number,
  global_id?: number,
): Promise<OwedTakeOut[]> {
  const { rows } = await on.execute<OwedTakeOut>(sql`
    select * from (
      select g.fiscal_document_id, g.invoice_id, g.fiscal_line_id as line_id, g.base_centavos + g.tax_centavos - coalesce((
          select sum(c.base_centavos + c.tax_centavos) from fiscal_line c join fiscal_document e using (fiscal_document_id)
          where c.invoice_id = g.invoice_id and (c.refund_id is not null or c.is_loss) and c.live and e.related_id = g.fiscal_document_id), 0)::int as amount
      from fiscal_line n join fiscal_document o on o.fiscal_document_id = n.fiscal_document_id
        join fiscal_line g on g.fiscal_line_id = n.replaces_id join fiscal_document d on d.fiscal_document_id = g.fiscal_document_id
      where n.live and not n.takes_out and o.state in ('valid', 'cancelling') and d.state = 'valid' and d.is_test = ${isTest}
        ${global_id === undefined ? sql`` : sql`and d.fiscal_document_id = ${global_id}`}
        and not exists (select from fiscal_line t where t.replaces_id = g.fiscal_line_id and t.takes_out and t.live)
        and ${notRefusedLately(now, sql`x.replaces_id = g.fiscal_line_id and x.takes_out`)}) owed
    where amount > 0 order by fiscal_document_id, invoice_id limit ${limit}`)
  return rows
}

/** Valid credit notes of refunds that did not reach the customer after all, and of disputes whose loss the bank took back. */
export async function listVoidCredits(on: Reader, limit: number): Promise<DocumentRow[]> {
  const those = sql`(select c.fiscal_document_id from fiscal_line c left join refund r using (refund_id) join invoice i on i.invoice_id = c.invoice_id
    where c.live and (r.state = 'refused' or (c.is_loss and i.status <> 'lost')))`
  return on
    .select()
    .from(fiscalDocument)
    .where(
      and(
        eq(fiscalDocument.kind, 'credit'),
        eq(fiscalDocument.state, 'valid'),
        isNull(fiscalDocument.cancelAskedAt),
        sql`${fiscalDocument.fiscal_document_id} in ${those}`,
      ),
    )
    .orderBy(asc(fiscalDocument.updatedAt))
    .limit(limit)
}
