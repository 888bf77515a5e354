/** Queries of invoices for taxes; the only writes to them. */
import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { CLASSES_KEY, GOODS_KEY, type PaymentForm } from '#contract/sat-catalogues.ts'
import { only, type Reader, type Tx } from '#server/platform/db.ts'
import { type ChargeFacts, type ChosenForms, paymentFormOf } from './rules.ts'
import { fiscalCertificate, fiscalDocument, fiscalItem, fiscalProfile, fiscalSeries } from './tables.ts'

export type DocumentRow = typeof fiscalDocument.$inferSelect
export type ProfileRow = typeof fiscalProfile.$inferSelect
export type CertificateRow = typeof fiscalCertificate.$inferSelect

export async function findCertificate(on: Reader): Promise<CertificateRow | null> {
  const [row] = await on.select().from(fiscalCertificate).orderBy(desc(fiscalCertificate.createdAt)).limit(1)
  return row ?? null
}

export async function putCertificate(tx: Tx, row: typeof fiscalCertificate.$inferInsert): Promise<void> {
  const { number: _, ...set } = row
  await tx.insert(fiscalCertificate).values(row).onConflictDoUpdate({ target: fiscalCertificate.number, set })
}

export async function nextFolio(tx: Tx, series: string): Promise<number> {
  const [row] = await tx
    .insert(fiscalSeries)
    .values({ series, next_folio: 2 })
    .onConflictDoUpdate({ target: fiscalSeries.series, set: { next_folio: sql`${fiscalSeries.next_folio} + 1` } })
    .returning({ next: fiscalSeries.next_folio })
  return (row?.next ?? 2) - 1
}

/** A charge with what its invoice needs. */
export interface ChargeRow extends ChargeFacts {
  /** Who paid it: the buyer, also of a package that somebody else received (S10). */
  customer_id: number
  /** Whose tax data are not kept: a sale without a customer, and a deleted one. */
  isNobody: boolean
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
  net: number
  tax: number
  rate: number
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

/** A line `f` of a live invoice, its own or a global one, that has the charge itself: not a part of it that went back, nor one that left. */
const coversCharge = sql`f.live and f.refund_id is null and not f.takes_out and not f.is_loss`

/** Charges `i` of purchases `p` that a condition names. What was or is being given back of one is not invoiced. */
async function readCharges(on: Reader | Tx, chosen: ChosenForms, where: SQL, tail = sql``): Promise<ChargeRow[]> {
  const { rows } = await on.execute<ChargeQueryRow>(sql`
    select i.invoice_id, i.purchase_id, u.customer_id, u."deletedAt" is not null as is_nobody, i.location_id, i.status, p.title, i.total_centavos as total, i.gateway, i.funding,
      i.total_centavos - i.refunded_centavos - coalesce((select sum(r.amount_centavos) from refund r where r.invoice_id = i.invoice_id and r.state = 'asked'), 0)::int as kept,
      i.net_centavos as net, i.tax_centavos as tax, i.tax_rate as rate, k.sat_key, coalesce(s.kind = 'product', false) as is_product,
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
    isNobody: is_nobody,
    form: paymentFormOf({ gateway, kind, funding, by, voucher }, chosen),
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

/** A line `g` of a global invoice `o` that was cancelled because other charges left it, and whose own charge did not: it belongs into the one that replaces it. */
const isToReplace = sql`o.kind = 'global' and o.state = 'cancelled' and o.cancel_motive = '04' and g.refund_id is null
  and not exists (select from fiscal_line n where n.replaces_id = g.fiscal_line_id and not n.takes_out)`

/** Global invoices that were cancelled because charges left them, with the charges that are in no live invoice since. */
export async function listUnreplaced(on: Reader, limit: number): Promise<{ fiscal_document_id: number; invoice_ids: number[] }[]> {
  const { rows } = await on.execute<{ fiscal_document_id: number; invoice_ids: number[] }>(sql`
    select o.fiscal_document_id, array_agg(g.invoice_id order by g.invoice_id) as invoice_ids
    from fiscal_document o join fiscal_line g using (fiscal_document_id) join invoice i on i.invoice_id = g.invoice_id
    where ${isToReplace} and i.status in ('paid', 'partially_refunded')
      and not exists (select from fiscal_line f where f.invoice_id = g.invoice_id and ${coversCharge})
    group by 1 order by 1 desc limit ${limit}`)
  return rows
}

/** Whether a global invoice has a live credit note, or charges that are leaving it for one that is not stamped yet. */
export async function leavingOf(on: Reader, global_id: number): Promise<{ has_credits: boolean; is_busy: boolean }> {
  const { rows } = await on.execute<{ has_credits: boolean; is_busy: boolean }>(sql`
    select exists (select from fiscal_document e where e.related_id = ${global_id} and e.kind = 'credit' and e.state in ('stamping', 'valid', 'cancelling')) as has_credits,
      exists (select from fiscal_line g join fiscal_line n on n.replaces_id = g.fiscal_line_id join fiscal_document d on d.fiscal_document_id = n.fiscal_document_id
        where g.fiscal_document_id = ${global_id} and n.live and d.state = 'stamping') as is_busy`)
  return rows[0] ?? { has_credits: false, is_busy: false }
}

/** Charges of a place of issue that nobody asked an invoice for, paid from an instant until another one. */
export const listOpenCharges = (
  on: Reader,
  chosen: ChosenForms,
  { origin_id, from, until, limit }: { origin_id: number | null; from: Date; until: Date; limit: number },
): Promise<ChargeRow[]> =>
  readCharges(
    on,
    chosen,
    sql`l.location_id is not distinct from ${origin_id}::integer and coalesce(i."paidAt", i."createdAt") >= ${from.toISOString()}::timestamptz and coalesce(i."paidAt", i."createdAt") < ${until.toISOString()}::timestamptz
      and i.status in ('paid', 'partially_refunded') and f.fiscal_line_id is null
      and not exists (select from fiscal_line g join fiscal_document o using (fiscal_document_id) where g.invoice_id = i.invoice_id and ${isToReplace})`,
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

export async function insertDocument(tx: Tx, row: typeof fiscalDocument.$inferInsert): Promise<DocumentRow> {
  return only(await tx.insert(fiscalDocument).values(row).returning())
}
export async function insertItems(tx: Tx, rows: (typeof fiscalItem.$inferInsert)[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000) await tx.insert(fiscalItem).values(rows.slice(at, at + 1000))
}

export async function findDocument(on: Reader | Tx, fiscal_document_id: number): Promise<DocumentRow | null> {
  const [row] = await on.select().from(fiscalDocument).where(eq(fiscalDocument.fiscal_document_id, fiscal_document_id))
  return row ?? null
}

export async function lockDocument(tx: Tx, fiscal_document_id: number): Promise<DocumentRow | null> {
  const [row] = await tx.select().from(fiscalDocument).where(eq(fiscalDocument.fiscal_document_id, fiscal_document_id)).for('update')
  return row ?? null
}

export async function changeDocument(tx: Tx, fiscal_document_id: number, set: Partial<typeof fiscalDocument.$inferInsert>): Promise<void> {
  await tx.update(fiscalDocument).set(set).where(eq(fiscalDocument.fiscal_document_id, fiscal_document_id))
}

/** The charges of a document may be in another one from now on. */
export async function freeItems(tx: Tx, fiscal_document_id: number): Promise<void> {
  await tx.update(fiscalItem).set({ live: false }).where(eq(fiscalItem.fiscal_document_id, fiscal_document_id))
}

/** The charges of test documents may be in real ones from now on. */
export async function freeTestItems(tx: Tx): Promise<void> {
  const ofTests = tx.select({ id: fiscalDocument.fiscal_document_id }).from(fiscalDocument).where(eq(fiscalDocument.is_test, true))
  await tx
    .update(fiscalItem)
    .set({ live: false })
    .where(and(eq(fiscalItem.live, true), inArray(fiscalItem.fiscal_document_id, ofTests)))
}

/** Charges leave their global invoice for one of their own. */
export async function leaveGlobals(tx: Tx, line_ids: readonly number[]): Promise<void> {
  if (line_ids.length > 0)
    await tx
      .update(fiscalItem)
      .set({ live: false })
      .where(inArray(fiscalItem.fiscal_line_id, [...line_ids]))
}

/** The charges of a refused or cancelled invoice are in their global invoice again, unless a credit note took them out of it. */
export async function returnToGlobals(tx: Tx, fiscal_document_id: number): Promise<void> {
  await tx.execute(sql`
    update fiscal_line g set live = true from fiscal_line n, fiscal_document d
    where n.fiscal_document_id = ${fiscal_document_id} and not n.takes_out and g.fiscal_line_id = n.replaces_id
      and d.fiscal_document_id = g.fiscal_document_id and d.state in ('valid', 'cancelling')
      and not exists (select from fiscal_line t where t.replaces_id = g.fiscal_line_id and t.takes_out and t.live)`)
}

/** How many lines each document has, and the purchases that they are about. */
export async function itemsOf(on: Reader, ids: readonly number[]): Promise<Map<number, { count: number; purchase_ids: number[] }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await on.execute<{ id: number; count: number; purchase_ids: number[] | null }>(sql`
    select f.fiscal_document_id as id, count(*)::int as count, case when d.kind <> 'global' then array_agg(distinct i.purchase_id) end as purchase_ids
    from fiscal_line f join fiscal_document d using (fiscal_document_id) join invoice i using (invoice_id)
    where f.fiscal_document_id = any(${`{${ids.join(',')}}`}::integer[]) group by 1, d.kind`)
  return new Map(rows.map(({ id, count, purchase_ids }) => [id, { count, purchase_ids: purchase_ids ?? [] }]))
}

/** The documents of some charges: invoices, credit notes and attempts, the last first. A global one is of nobody's charges alone. */
export async function documentsOfCharges(on: Reader, invoice_ids: readonly number[]): Promise<DocumentRow[]> {
  if (invoice_ids.length === 0) return []
  const those = on
    .select({ id: fiscalItem.fiscal_document_id })
    .from(fiscalItem)
    .where(inArray(fiscalItem.invoice_id, [...invoice_ids]))
  return on
    .select()
    .from(fiscalDocument)
    .where(inArray(fiscalDocument.fiscal_document_id, those))
    .orderBy(desc(fiscalDocument.fiscal_document_id))
}

export interface DocumentFilter {
  state?: DocumentRow['state'][] | undefined
  kind?: DocumentRow['kind'] | undefined
  from?: Date | undefined
  until?: Date | undefined
  query?: string | undefined
  location_ids: readonly number[] | null
}

/** Documents that staff of some locations see: theirs, and what was bought online; global ones of all locations only who works at all. */
const visibleAt = (location_ids: readonly number[] | null): SQL | undefined =>
  location_ids === null
    ? undefined
    : or(and(isNull(fiscalDocument.location_id), ne(fiscalDocument.kind, 'global')), inArray(fiscalDocument.location_id, [...location_ids]))

function matching({ state, kind, from, until, query, location_ids }: DocumentFilter) {
  const like = query === undefined ? null : `%${query.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return and(
    state && inArray(fiscalDocument.state, state),
    kind && eq(fiscalDocument.kind, kind),
    from && sql`${fiscalDocument.createdAt} >= ${from.toISOString()}::timestamptz`,
    until && lt(fiscalDocument.createdAt, until),
    visibleAt(location_ids),
    like === null
      ? undefined
      : sql`(${fiscalDocument.draft}->'receiver'->>'rfc' || ' ' || (${fiscalDocument.draft}->'receiver'->>'name') || ' ' || coalesce(${fiscalDocument.uuid}, '') || ' '
          || ${fiscalDocument.series} || ${fiscalDocument.folio} || ' ' || ${fiscalDocument.series} || '-' || ${fiscalDocument.folio}) ilike ${like}`,
  )
}

export async function listDocuments(on: Reader, filter: DocumentFilter, page: { limit: number; offset: number }) {
  const where = matching(filter)
  const [rows, [sums]] = await Promise.all([
    on.select().from(fiscalDocument).where(where).orderBy(desc(fiscalDocument.fiscal_document_id)).limit(page.limit).offset(page.offset),
    on
      .select({
        total: sql<number>`count(*)::int`,
        sum: sql<number>`coalesce(sum(case when ${fiscalDocument.kind} = 'credit' then -1 else 1 end * ${fiscalDocument.total_centavos})
          filter (where ${fiscalDocument.state} in ('valid', 'cancelling')), 0)::float8`,
      })
      .from(fiscalDocument)
      .where(where),
  ])
  return { rows, total: sums?.total ?? 0, sum: sums?.sum ?? 0 }
}

/** A month on the studio's clocks, at one location or at those where somebody works. */
export interface MonthFilter {
  /** "2026-11" */
  month: string
  from: Date
  until: Date
  location_id: number | undefined
  location_ids: readonly number[] | null
}

/** Places of issue may be a day ahead of the studio's clocks, or behind. */
const CLOCKS_MS = 48 * 3_600_000

/** The stamped documents that are dated in a month or were cancelled in it, at most `limit` of them, and how many there are. */
export async function listMonthIds(
  on: Reader,
  { month, from, until, location_id, location_ids }: MonthFilter,
  limit: number,
): Promise<{ ids: number[]; total: number }> {
  const { createdAt, cancelledAt, draft } = fiscalDocument
  const isDated = and(
    gt(createdAt, new Date(from.getTime() - CLOCKS_MS)),
    lt(createdAt, new Date(until.getTime() + CLOCKS_MS)),
    sql`left(${draft}->>'issuedAt', 7) = ${month}`,
  )
  const where = and(
    isNotNull(fiscalDocument.xml),
    or(isDated, and(gte(cancelledAt, from), lt(cancelledAt, until))),
    location_id === undefined ? visibleAt(location_ids) : eq(fiscalDocument.location_id, location_id),
  )
  const [rows, total] = await Promise.all([
    on
      .select({ id: fiscalDocument.fiscal_document_id })
      .from(fiscalDocument)
      .where(where)
      .orderBy(asc(fiscalDocument.fiscal_document_id))
      .limit(limit),
    on.$count(fiscalDocument, where),
  ])
  return { ids: rows.map(({ id }) => id), total }
}

const { xml: _xml, signed_xml: _signed, ...listed } = getTableColumns(fiscalDocument)
export type ListedDocument = Omit<DocumentRow, 'xml' | 'signed_xml'>

/** Documents without their XML, by their ids, in their order. */
export const listWithoutXml = (on: Reader, ids: readonly number[]): Promise<ListedDocument[]> =>
  on
    .select(listed)
    .from(fiscalDocument)
    .where(inArray(fiscalDocument.fiscal_document_id, [...ids]))
    .orderBy(asc(fiscalDocument.fiscal_document_id))

/** The UUIDs of documents. */
export async function uuidsOf(on: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await on
    .select({ id: fiscalDocument.fiscal_document_id, uuid: fiscalDocument.uuid })
    .from(fiscalDocument)
    .where(inArray(fiscalDocument.fiscal_document_id, [...ids]))
  return new Map(rows.flatMap(({ id, uuid }) => (uuid === null ? [] : [[id, uuid] as const])))
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
      and i.status in ('paid', 'partially_refunded', 'disputed') and f.fiscal_line_id is null and ${at} and i.invoice_id > ${after}`,
    sql`order by i.invoice_id limit ${limit}`,
  )
}

/** Documents whose answer is missing, also that of a cancellation, unchanged since an instant, the oldest first. */
export const listUnanswered = (on: Reader, before: Date, pacs: string[], limit: number): Promise<DocumentRow[]> =>
  on
    .select()
    .from(fiscalDocument)
    .where(
      and(
        or(
          inArray(fiscalDocument.state, ['stamping', 'cancelling']),
          and(eq(fiscalDocument.state, 'valid'), isNotNull(fiscalDocument.cancel_motive)),
        ),
        inArray(fiscalDocument.pac, pacs),
        lt(fiscalDocument.updatedAt, before),
      ),
    )
    .orderBy(asc(fiscalDocument.updatedAt))
    .limit(limit)

export async function lastProfile(on: Reader, customer_id: number): Promise<ProfileRow | null> {
  const [row] = await on
    .select()
    .from(fiscalProfile)
    .where(eq(fiscalProfile.customer_id, customer_id))
    .orderBy(desc(fiscalProfile.usedAt))
    .limit(1)
  return row ?? null
}

/** Keeps the data that a customer used, one row per RFC. */
export async function keepProfile(
  tx: Tx,
  customer_id: number,
  { now, ...data }: Pick<ProfileRow, 'rfc' | 'name' | 'postal_code' | 'regime' | 'use'> & { now: Date },
): Promise<void> {
  const updated = await tx
    .update(fiscalProfile)
    .set({ ...data, usedAt: now })
    .where(and(eq(fiscalProfile.customer_id, customer_id), eq(fiscalProfile.rfc, data.rfc)))
    .returning({ id: fiscalProfile.fiscal_profile_id })
  if (updated.length === 0) await tx.insert(fiscalProfile).values({ ...data, customer_id, createdAt: now, usedAt: now })
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

/**
 * Money that went back of charges that were invoiced, without its credit note: refunds, whoever made them (one in a processor's panel has its row, too), and lost
 * disputes. With what of each is in the invoice: it has neither what was given back before nor what was on its way back then. By amounts, because the clocks of
 * simultaneous requests do not say which one had the lock first.
 */
export async function listOwedCredits(on: Reader, now: Date, isTest: boolean, limit: number): Promise<OwedCredit[]> {
  const { rows } = await on.execute<OwedCredit>(sql`
    select r.refund_id, r.invoice_id, least(r.amount_centavos, o.over)::int as amount, f.fiscal_document_id
    from refund r join fiscal_line f on f.invoice_id = r.invoice_id and ${coversCharge}
      join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id join invoice i on i.invoice_id = r.invoice_id
      join lateral (select sum(e.amount_centavos) - (${notInvoiced}) as over from refund e
        where e.invoice_id = r.invoice_id and e.state in ('asked', 'done') and e.refund_id <= r.refund_id) o on o.over > 0
    where r.state = 'done' and d.state = 'valid' and d.is_test = ${isTest}
      and not exists (select from fiscal_line c where c.refund_id = r.refund_id and c.live)
      and ${notRefusedLately(now, sql`x.refund_id = r.refund_id`)}
    union all
    select null, i.invoice_id, least(i.total_centavos - i.refunded_centavos, f.base_centavos + f.tax_centavos)::int, f.fiscal_document_id
    from invoice i join fiscal_line f on f.invoice_id = i.invoice_id and ${coversCharge}
      join fiscal_document d on d.fiscal_document_id = f.fiscal_document_id
    where i.status = 'lost' and d.state = 'valid' and d.is_test = ${isTest} and i.refunded_centavos < i.total_centavos
      and not exists (select from fiscal_line c where c.invoice_id = i.invoice_id and c.is_loss and c.live)
      and ${notRefusedLately(now, sql`x.invoice_id = i.invoice_id and x.is_loss`)}
    order by 2, 1 limit ${limit}`)
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
    .where(and(eq(fiscalDocument.kind, 'credit'), eq(fiscalDocument.state, 'valid'), sql`${fiscalDocument.fiscal_document_id} in ${those}`))
    .orderBy(asc(fiscalDocument.updatedAt))
    .limit(limit)
}

export async function findByUuid(on: Reader, uuid: string): Promise<DocumentRow | null> {
  const [row] = await on.select().from(fiscalDocument).where(eq(fiscalDocument.uuid, uuid))
  return row ?? null
}

/** Valid documents of a provider, those whose state at the SAT is known for longest first. */
export const listToCheck = (on: Reader, pac: string, limit: number): Promise<DocumentRow[]> =>
  on
    .select()
    .from(fiscalDocument)
    .where(and(eq(fiscalDocument.pac, pac), eq(fiscalDocument.state, 'valid')))
    .orderBy(sql`${fiscalDocument.checkedAt} asc nulls first`, asc(fiscalDocument.fiscal_document_id))
    .limit(limit)

export async function markChecked(tx: Tx, fiscal_document_id: number, now: Date): Promise<void> {
  await tx.update(fiscalDocument).set({ checkedAt: now }).where(eq(fiscalDocument.fiscal_document_id, fiscal_document_id))
}

/** One global invoice is written at a time. */
export const lockGlobals = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('fiscal_global'))`)
