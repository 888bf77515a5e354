/** Queries of invoices for taxes; the only writes to them. */
import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { FISCAL_SORTS } from '#contract/fiscal.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { fiscalDocument, fiscalItem, fiscalSeries } from './tables.ts'

export type DocumentRow = typeof fiscalDocument.$inferSelect

export async function nextFolio(tx: Tx, series: string): Promise<number> {
  const [row] = await tx
    .insert(fiscalSeries)
    .values({ series, next_folio: 2 })
    .onConflictDoUpdate({ target: fiscalSeries.series, set: { next_folio: sql`${fiscalSeries.next_folio} + 1` } })
    .returning({ next: fiscalSeries.next_folio })
  return (row?.next ?? 2) - 1
}

export async function insertDocument(tx: Tx, row: typeof fiscalDocument.$inferInsert): Promise<DocumentRow> {
  return singleRow(await tx.insert(fiscalDocument).values(row).returning())
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
export async function listItemCounts(on: Reader, ids: readonly number[]): Promise<Map<number, { count: number; purchase_ids: number[] }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await on.execute<{ id: number; count: number; purchase_ids: number[] | null }>(sql`
    select f.fiscal_document_id as id, count(*)::int as count, case when d.kind <> 'global' then array_agg(distinct i.purchase_id) end as purchase_ids
    from fiscal_line f join fiscal_document d using (fiscal_document_id) join invoice i using (invoice_id)
    where f.fiscal_document_id = any(${`{${ids.join(',')}}`}::integer[]) group by 1, d.kind`)
  return new Map(rows.map(({ id, count, purchase_ids }) => [id, { count, purchase_ids: purchase_ids ?? [] }]))
}

/** The documents of some charges: invoices, credit notes and attempts, the last first. A global one also has other charges. */
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

/** Documents that staff of some locations see: theirs, and those of online purchases; global ones of all locations need access to all. */
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

const ORDERS = { created: [], total: [fiscalDocument.total_centavos] }

export async function listDocuments(
  on: Reader,
  filter: DocumentFilter,
  page: { limit: number; offset: number },
  sort: (typeof FISCAL_SORTS)[number],
) {
  const where = matching(filter)
  const [rows, [sums]] = await Promise.all([
    on
      .select()
      .from(fiscalDocument)
      .where(where)
      .orderBy(...orderBy(sort, ORDERS, fiscalDocument.fiscal_document_id))
      .limit(page.limit)
      .offset(page.offset),
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

/** A month on the studio's clocks, at one location or at those where the caller works. */
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
export async function listUuids(on: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await on
    .select({ id: fiscalDocument.fiscal_document_id, uuid: fiscalDocument.uuid })
    .from(fiscalDocument)
    .where(inArray(fiscalDocument.fiscal_document_id, [...ids]))
  return new Map(rows.flatMap(({ id, uuid }) => (uuid === null ? [] : [[id, uuid] as const])))
}

const interval = (ms: number): SQL => sql`make_interval(secs => ${ms / 1000}::float8)`
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The account of documents that were sent before accounts were stored: unknown, one of the keys at that time. */
export const UNKNOWN_ACCOUNT = 'unknown'

/** The providers that can be called, each with its account. */
export interface Reachable {
  pacs: readonly { id: string; account: string }[]
  now: Date
}

/**
 * Documents whose answer is missing, also that of a cancellation, the oldest first. The intervals between two reads grow with the wait,
 * from one minute to one hour (ten minutes while a document can be stamped); after seven days, which three business days never exceed, to
 * one day. One that was sent with another account is left out.
 */
export function listUnanswered(on: Reader, { pacs, now }: Reachable, limit: number): Promise<DocumentRow[]> {
  const { state, createdAt, updatedAt, cancelAskedAt, cancel_motive, pac, pac_account } = fiscalDocument
  const at = sql`${now.toISOString()}::timestamptz`
  const since = sql`case when ${state} = 'stamping' then ${createdAt} else coalesce(${cancelAskedAt}, ${createdAt}) end`
  const longest = sql`case when ${state} = 'stamping' and ${since} > ${at} - ${interval(3 * DAY_MS)} then ${interval(10 * MINUTE_MS)}
    when ${since} > ${at} - ${interval(7 * DAY_MS)} then ${interval(HOUR_MS)} else ${interval(DAY_MS)} end`
  return on
    .select()
    .from(fiscalDocument)
    .where(
      and(
        or(inArray(state, ['stamping', 'cancelling']), and(eq(state, 'valid'), isNotNull(cancel_motive))),
        inArray(
          pac,
          pacs.map(({ id }) => id),
        ),
        or(ne(state, 'stamping'), isNull(pac_account), inArray(pac_account, [...pacs.map(({ account }) => account), UNKNOWN_ACCOUNT])),
        sql`${at} - ${updatedAt} > least(greatest(${updatedAt} - ${since}, ${interval(MINUTE_MS)}), ${longest})`,
      ),
    )
    .orderBy(asc(updatedAt))
    .limit(limit)
}

/** Real documents without an answer that were sent with an account of one of these providers, the oldest first. */
export const listSent = (
  on: Reader,
  pacs: readonly string[],
): Promise<Pick<DocumentRow, 'series' | 'folio' | 'pac' | 'pac_account' | 'createdAt'>[]> =>
  on
    .select({
      series: fiscalDocument.series,
      folio: fiscalDocument.folio,
      pac: fiscalDocument.pac,
      pac_account: fiscalDocument.pac_account,
      createdAt: fiscalDocument.createdAt,
    })
    .from(fiscalDocument)
    .where(
      and(
        eq(fiscalDocument.state, 'stamping'),
        eq(fiscalDocument.is_test, false),
        inArray(fiscalDocument.pac, [...pacs]),
        isNotNull(fiscalDocument.pac_account),
      ),
    )
    .orderBy(asc(fiscalDocument.fiscal_document_id))

/** "F-12" by document. */
export async function listFolios(on: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await on
    .select({ id: fiscalDocument.fiscal_document_id, series: fiscalDocument.series, folio: fiscalDocument.folio })
    .from(fiscalDocument)
    .where(inArray(fiscalDocument.fiscal_document_id, [...ids]))
  return new Map(rows.map(({ id, series, folio }) => [id, `${series}-${folio}`]))
}

export async function findByUuid(on: Reader, uuid: string): Promise<DocumentRow | null> {
  const [row] = await on.select().from(fiscalDocument).where(eq(fiscalDocument.uuid, uuid))
  return row ?? null
}

/** A document is checked again after an eighth of its age, but not within this time. */
const SHORTEST_MS = 6 * HOUR_MS
/** Maximum time between two checks, at any age. */
const LONGEST_MS = 60 * DAY_MS

/**
 * Valid documents of a provider that may have been cancelled elsewhere: first those that were never checked, then those whose check is most
 * overdue for their age. Most cancellations follow soon after the stamp.
 */
export function listToCheck(on: Reader, { pac, now }: { pac: string; now: Date }, limit: number): Promise<DocumentRow[]> {
  const { stampedAt, checkedAt, fiscal_document_id } = fiscalDocument
  const at = sql`${now.toISOString()}::timestamptz`
  const age = sql`(${at} - ${stampedAt})`
  const pause = sql`least(greatest(${age} / 8, ${interval(SHORTEST_MS)}), ${interval(LONGEST_MS)})`
  return on
    .select()
    .from(fiscalDocument)
    .where(
      and(
        eq(fiscalDocument.pac, pac),
        eq(fiscalDocument.state, 'valid'),
        isNull(fiscalDocument.cancel_motive),
        or(isNull(checkedAt), sql`${at} - ${checkedAt} >= ${pause}`),
      ),
    )
    .orderBy(
      sql`${checkedAt} is null desc`,
      sql`extract(epoch from ${at} - ${checkedAt}) / extract(epoch from ${pause}) desc nulls first`,
      desc(fiscal_document_id),
    )
    .limit(limit)
}

export async function markChecked(tx: Tx, fiscal_document_id: number, now: Date): Promise<void> {
  await tx.update(fiscalDocument).set({ checkedAt: now }).where(eq(fiscalDocument.fiscal_document_id, fiscal_document_id))
}
