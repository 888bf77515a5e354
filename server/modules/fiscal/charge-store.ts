/** Queries of charges that are or could be in an invoice. */
import { type SQL, sql } from 'drizzle-orm'
import { CLASSES_KEY, GOODS_KEY, type PaymentForm } from '#contract/sat-catalogues.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { type ChargeFacts, type ChosenForms, satPaymentForm } from './rules.ts'
import type { DocumentRow, MonthFilter } from './store.ts'

/** A charge with what its invoice needs. */
export interface ChargeRow extends ChargeFacts {
  /** The buyer, also of a gift (S10). */
  customer_id: number
  /** Without tax data: a sale without a customer, or of a deleted one. */
  isWithoutCustomer: boolean
  location_id: number | null
  status: string
  isGiftCard: boolean
  form: PaymentForm
  paidAt: Date
  /** The live document that has it. */
  document_id: number | null
  document_kind: 'income' | 'global' | null
  document_state: DocumentRow['state'] | null
  /** Its line in that document. */
  line_id: number | null
  /** The location whose postal code is the place of issue; null = the studio's tax domicile. */
  origin_id: number | null
}

interface ChargeQueryRow extends Record<string, unknown> {
  invoice_id: number
  purchase_id: number
  customer_id: number
  location_id: number | null
  status: string
  title: string
  total: number
  kept: number
  lost: number
  net: number
  tax: number
  rate: number
  exempt: boolean
  sat_key: string | null
  is_product: boolean
  is_gift_card: boolean
  is_nobody: boolean
  gateway: string
  kind: string | null
  funding: 'credit' | 'debit' | 'prepaid' | null
  by: string | null
  voucher: string | null
  paid_at: string
  document_id: number | null
  document_kind: 'income' | 'global' | null
  document_state: DocumentRow['state'] | null
  line_id: number | null
  origin_id: number | null
}

/**
 * A line `f` of a live invoice, its own or a global one, that has the charge itself: not a part of it that went back, nor one that left.
 */
export const coversCharge = sql`f.live and f.refund_id is null and not f.takes_out and not f.is_loss`

/** Centavos that a bank took of a charge `i`. */
export const lostOf = sql`case when i.status = 'lost' then i.disputed_centavos else 0 end`

/** Charges `i` of which the studio still has money, and that no bank disputes now. */
const hasMoneyLeft = sql`(i.status in ('paid', 'partially_refunded') or i.status = 'lost' and i.open_dispute_centavos = 0 and i.refunded_centavos + i.disputed_centavos < i.total_centavos)`

/**
 * Charges `i` of purchases `p` that a condition names. What was or is being given back of one, or was lost to a bank, is not invoiced. The
 * charge has a refund before its row is done (`finalizeRefund`), so an amount that both have counts once.
 */
async function readCharges(on: Reader | Tx, chosen: ChosenForms, where: SQL, tail = sql``): Promise<ChargeRow[]> {
  const { rows } = await on.execute<ChargeQueryRow>(sql`
    select i.invoice_id, i.purchase_id, u.customer_id, u."deletedAt" is not null as is_nobody, i.location_id, case when i.open_dispute_centavos > 0 then 'disputed' else i.status end as status, p.title, i.total_centavos as total, i.gateway, i.funding,
      i.total_centavos - ${lostOf} - greatest(i.refunded_centavos, (select coalesce(sum(r.amount_centavos), 0) from refund r
        where r.invoice_id = i.invoice_id and r.state in ('asked', 'done')))::int as kept,
      ${lostOf} as lost,
      i.net_centavos as net, i.tax_centavos as tax, i.tax_rate as rate, i.tax_exempt as exempt, k.sat_key, coalesce(s.kind = 'product', false) as is_product,
      (exists (select from gift_card g where g.purchase_id = i.purchase_id) or exists (select from gift_card_order o where o.purchase_id = i.purchase_id)) as is_gift_card,
      m.kind, a.by, a.voucher, coalesce(i."paidAt", i."createdAt") as paid_at, d.fiscal_document_id as document_id, d.kind as document_kind,
      d.state as document_state, f.fiscal_line_id as line_id, l.location_id as origin_id
    from invoice i join purchase p using (purchase_id) left join class_package k using (class_package_id)
      left join sale b on b.sale_id = p.sale_id join customer u on u.customer_id = coalesce(b.customer_id, i.customer_id)
      left join sale_line s on s.sale_line_id = p.sale_line_id left join payment_method m on m.payment_method_id = i.payment_method_id
      left join lateral (select t.instrument->>'by' as by, t.voucher->>'kind' as voucher from payment_attempt t
        where t.purchase_id = i.purchase_id and t.gateway = i.gateway order by t.state = 'paid' desc, t.n desc limit 1) a on true
      left join location l on l.location_id = i.location_id and l.postal_code is not null
      left join fiscal_line f on f.invoice_id = i.invoice_id and ${coversCharge}
      left join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id
    where ${where} ${tail}`)
  return rows.map(({ sat_key, is_product, is_gift_card, is_nobody, gateway, kind, funding, by, voucher, paid_at, ...row }) => ({
    ...row,
    productKey: sat_key ?? (is_product ? GOODS_KEY : CLASSES_KEY),
    unitKey: is_product ? 'H87' : 'E48',
    isGiftCard: is_gift_card,
    isWithoutCustomer: is_nobody,
    form: satPaymentForm({ gateway, kind, funding, by, voucher }, chosen),
    paidAt: new Date(paid_at),
  }))
}

const among = (invoice_ids: readonly number[]) => sql`i.invoice_id = any(${`{${invoice_ids.join(',')}}`}::integer[])`

/** Charges by their ids, in their order. */
export const listCharges = (on: Reader | Tx, chosen: ChosenForms, invoice_ids: readonly number[]): Promise<ChargeRow[]> =>
  invoice_ids.length === 0 ? Promise.resolve([]) : readCharges(on, chosen, among(invoice_ids), sql`order by i.invoice_id`)

/** The same behind the lock of their purchases, which refunds take too. */
export async function lockCharges(tx: Tx, chosen: ChosenForms, invoice_ids: readonly number[]): Promise<ChargeRow[]> {
  await tx.execute(sql`
    select from purchase where purchase_id in (select i.purchase_id from invoice i where ${among(invoice_ids)}) order by purchase_id for update`)
  return listCharges(tx, chosen, invoice_ids)
}

export const chargesOfPurchase = (on: Reader, chosen: ChosenForms, purchase_id: number): Promise<ChargeRow[]> =>
  readCharges(on, chosen, sql`i.purchase_id = ${purchase_id}`, sql`order by i.invoice_id`)

/**
 * A line `g` of a global invoice `o` that was cancelled because other charges left it, and whose own charge did not: it belongs into the
 * one that replaces it. Test documents are replaced by test documents only.
 */
const isToReplace = (
  isTest: boolean,
) => sql`o.kind = 'global' and o.is_test = ${isTest} and o.state = 'cancelled' and o.cancel_motive = '04' and g.refund_id is null
  and not exists (select from fiscal_line n where n.replaces_id = g.fiscal_line_id and not n.takes_out)`

/** Global invoices that were cancelled because charges left them, with the charges that are in no live invoice since. */
export async function listUnreplaced(
  on: Reader,
  isTest: boolean,
  limit: number,
): Promise<{ fiscal_document_id: number; invoice_ids: number[] }[]> {
  const { rows } = await on.execute<{ fiscal_document_id: number; invoice_ids: number[] }>(sql`
    select o.fiscal_document_id, array_agg(g.invoice_id order by g.invoice_id) as invoice_ids
    from fiscal_document o join fiscal_line g using (fiscal_document_id) join invoice i on i.invoice_id = g.invoice_id
    where ${isToReplace(isTest)} and ${hasMoneyLeft}
      and not exists (select from fiscal_line f where f.invoice_id = g.invoice_id and ${coversCharge})
    group by 1 order by 1 desc limit ${limit}`)
  return rows
}

/** Charges of a place of issue without a requested invoice, paid in a range of time. */
export const listOpenCharges = (
  on: Reader,
  chosen: ChosenForms,
  { origin_id, from, until, isTest, limit }: { origin_id: number | null; from: Date; until: Date; isTest: boolean; limit: number },
): Promise<ChargeRow[]> =>
  readCharges(
    on,
    chosen,
    sql`l.location_id is not distinct from ${origin_id}::integer and coalesce(i."paidAt", i."createdAt") >= ${from.toISOString()}::timestamptz and coalesce(i."paidAt", i."createdAt") < ${until.toISOString()}::timestamptz
      and ${hasMoneyLeft} and f.fiscal_line_id is null
      and not exists (select from fiscal_line g join fiscal_document o using (fiscal_document_id) where g.invoice_id = i.invoice_id and ${isToReplace(isTest)})`,
    sql`order by i.invoice_id limit ${limit}`,
  )

/** A place of issue: its location, or null for the studio's tax domicile, with what of it is its own. */
export interface OriginRow {
  location_id: number
  postal_code: string
  timezone: string | null
}
/** The locations that issue invoices by their own postal code. */
export async function listOrigins(on: Reader): Promise<OriginRow[]> {
  const { rows } = await on.execute<OriginRow & Record<string, unknown>>(sql`
    select location_id, postal_code, timezone from location where postal_code is not null order by location_id`)
  return rows
}

/** Whether staff of some locations may see a purchase: one of theirs, or one that was made online. */
export async function isPurchaseAt(on: Reader, purchase_id: number, location_ids: readonly number[] | null): Promise<boolean> {
  const where =
    location_ids === null ? sql`true` : sql`(location_id is null or location_id = any(${`{${location_ids.join(',')}}`}::integer[]))`
  const { rows } = await on.execute(sql`select from purchase where purchase_id = ${purchase_id} and ${where}`)
  return rows.length > 0
}

/** Charges of a month without a live invoice, in the order of their ids, after one of them. */
export function listUninvoiced(
  on: Reader,
  chosen: ChosenForms,
  { from, until, location_id, location_ids, after, limit }: Omit<MonthFilter, 'month'> & { after: number; limit: number },
): Promise<ChargeRow[]> {
  const at =
    location_id !== undefined
      ? sql`i.location_id = ${location_id}`
      : location_ids === null
        ? sql`true`
        : sql`(i.location_id is null or i.location_id = any(${`{${location_ids.join(',')}}`}::integer[]))`
  return readCharges(
    on,
    chosen,
    sql`coalesce(i."paidAt", i."createdAt") >= ${from.toISOString()}::timestamptz and coalesce(i."paidAt", i."createdAt") < ${until.toISOString()}::timestamptz
      and (${hasMoneyLeft} or i.status = 'disputed' or i.open_dispute_centavos > 0) and f.fiscal_line_id is null and ${at} and i.invoice_id > ${after}`,
    sql`order by i.invoice_id limit ${limit}`,
  )
}

/** One global invoice is written at a time. */
export const lockGlobals = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('fiscal_global'))`)
