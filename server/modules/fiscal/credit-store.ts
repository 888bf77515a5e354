/** Queries of what credit notes are owed for, and of those that are owed no more. */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'
import { coversCharge, lostOf } from './charge-store.ts'
import { type InvoicedCharge, owedCreditsOf } from './credit-rules.ts'
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

/** Whether a credit note of a document is being stamped. */
export async function isCreditInProgress(on: Tx, related_id: number): Promise<boolean> {
  const rows = await on
    .select({ id: fiscalDocument.fiscal_document_id })
    .from(fiscalDocument)
    .where(and(eq(fiscalDocument.kind, 'credit'), eq(fiscalDocument.related_id, related_id), eq(fiscalDocument.state, 'stamping')))
    .limit(1)
  return rows.length > 0
}

export interface OwedCredit {
  /** Null: a bank took it back. */
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

/**
 * A document `d` that can have a credit note. One whose cancellation the SAT has not answered yet waits for the answer: when it is
 * cancelled, the note would remain without its invoice.
 */
const canBeCredited = sql`d.state = 'valid' and d."cancelAskedAt" is null`

/** Centavos in live credit notes about a charge's line `f` of a document `d`; `only`: in some of them. */
const creditedOf = (only: SQL = sql`true`): SQL => sql`coalesce((select sum(c.base_centavos + c.tax_centavos)
  from fiscal_line c join fiscal_document e on e.fiscal_document_id = c.fiscal_document_id
  where c.invoice_id = f.invoice_id and c.live and e.kind = 'credit' and e.related_id = d.fiscal_document_id and ${only}), 0)::int`

interface InvoicedRow extends Record<string, unknown>, InvoicedCharge {
  fiscal_document_id: number
  invoice_id: number
}

/** Candidates that are read at once: charges of which the invoice has more than the studio keeps. */
const CANDIDATES = 1000

/**
 * Refunds and lost disputes of invoiced charges without a credit note; also refunds that were made at the processor, which have a row too.
 * `of`: one charge only.
 */
export async function listOwedCredits(
  on: Reader | Tx,
  now: Date,
  isTest: boolean,
  limit: number,
  of?: Pick<OwedCredit, 'invoice_id' | 'fiscal_document_id'>,
): Promise<OwedCredit[]> {
  const { rows } = await on.execute<InvoicedRow>(sql`
    select f.invoice_id, d.fiscal_document_id, i.total_centavos as total, f.base_centavos + f.tax_centavos as invoiced, f.lost_before_centavos as "lostBefore",
      ${lostOf} as lost, ${creditedOf()} as credited, ${creditedOf(sql`c.is_loss`)} as "lossesCredited", z.refunds,
      not ${notRefusedLately(now, sql`x.invoice_id = i.invoice_id and x.is_loss`)} as "lossWaits"
    from (select invoice_id from refund where state = 'done' union select invoice_id from invoice where status = 'lost' and disputed_centavos > 0) back
      join fiscal_line f on f.invoice_id = back.invoice_id and ${coversCharge}
      join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id join invoice i on i.invoice_id = f.invoice_id
      join lateral (select coalesce(sum(r.amount_centavos), 0) as sum, coalesce(json_agg(json_build_object('refund_id', r.refund_id, 'amount', r.amount_centavos,
          'isDone', r.state = 'done', 'isCredited', exists (select from fiscal_line c where c.refund_id = r.refund_id and c.live),
          'waits', not ${notRefusedLately(now, sql`x.refund_id = r.refund_id`)}) order by r.refund_id), '[]'::json) as refunds
        from refund r where r.invoice_id = f.invoice_id and r.state in ('asked', 'done')) z on true
    where ${canBeCredited} and d.is_test = ${isTest} ${of ? sql`and f.invoice_id = ${of.invoice_id} and d.fiscal_document_id = ${of.fiscal_document_id}` : sql``}
      and f.base_centavos + f.tax_centavos - ${creditedOf()} > greatest(i.total_centavos - ${lostOf} - z.sum, 0)
    order by f.invoice_id limit ${CANDIDATES}`)
  return rows
    .flatMap(({ invoice_id, fiscal_document_id, ...charge }) =>
      owedCreditsOf(charge).map((owed) => ({ ...owed, invoice_id, fiscal_document_id })),
    )
    .slice(0, limit)
}

/** A line of a global invoice whose charge has an invoice of its own now. */
export interface OwedTakeOut extends Record<string, unknown> {
  /** The global invoice. */
  fiscal_document_id: number
  invoice_id: number
  line_id: number
  /** What is left of the item after the credit notes of refunds and lost disputes, in centavos. */
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
      where n.live and not n.takes_out and o.state in ('valid', 'cancelling') and ${canBeCredited} and d.is_test = ${isTest}
        ${global_id === undefined ? sql`` : sql`and d.fiscal_document_id = ${global_id}`}
        and not exists (select from fiscal_line t where t.replaces_id = g.fiscal_line_id and t.takes_out and t.live)
        and ${notRefusedLately(now, sql`x.replaces_id = g.fiscal_line_id and x.takes_out`)}) owed
    where amount > 0 order by fiscal_document_id, invoice_id limit ${limit}`)
  return rows
}

/**
 * Valid credit notes of refunds that did not reach the customer after all, and of lost disputes beyond what the bank has: it returned the
 * money of one. Of a charge that is in another invoice by now only where the two together do not exceed what the studio keeps of it.
 */
export async function listVoidCredits(on: Reader, limit: number): Promise<DocumentRow[]> {
  // Of several losses the one of that amount, otherwise the last ones; what is too much then is credited again.
  const losses = sql`(select v.fiscal_line_id from (
      select n.fiscal_line_id, n.excess, sum(n.amount) over (partition by n.invoice_id, n.related_id
        order by n.is_asked desc, (n.amount = n.excess) desc, n.fiscal_line_id desc) - n.amount as others
      from (select c.fiscal_line_id, c.invoice_id, e.related_id, e."cancelAskedAt" is not null as is_asked, c.base_centavos + c.tax_centavos as amount,
          sum(c.base_centavos + c.tax_centavos) over (partition by c.invoice_id, e.related_id) - ${lostOf} as excess
        from fiscal_line c join fiscal_document e on e.fiscal_document_id = c.fiscal_document_id join invoice i on i.invoice_id = c.invoice_id
        where c.live and c.is_loss) n) v
    where v.others < v.excess)`
  const those = sql`(select n.fiscal_document_id from fiscal_line n join fiscal_document m on m.fiscal_document_id = n.fiscal_document_id
      join invoice i on i.invoice_id = n.invoice_id left join refund r on r.refund_id = n.refund_id
      join fiscal_line f on f.invoice_id = n.invoice_id and ${coversCharge} join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id
    where n.live and (r.state = 'refused' or n.is_loss and n.fiscal_line_id in ${losses})
      and (m.related_id = d.fiscal_document_id or f.base_centavos + f.tax_centavos - ${creditedOf()} + n.base_centavos + n.tax_centavos
        <= i.total_centavos - i.refunded_centavos - ${lostOf}))`
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
