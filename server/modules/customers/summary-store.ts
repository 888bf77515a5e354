/** Queries of the list of customers and of the summaries that it reads. */
import { and, asc, eq, getTableColumns, gt, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CatalogueTag } from '#contract/catalogue.ts'
import { CUSTOMER_STATES, type CustomerSort, type CustomerState, type SubscriptionState } from '#contract/copy/customer-list.ts'
import { location } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { isOneOf, type Reader, type Tx } from '#server/platform/db.ts'
import { escapeLike, hasPatterns, plainText } from '#server/platform/search.ts'
import { activeCustomers } from './active.ts'
import { customerChange, customerStateTotal, customerSummary } from './tables.ts'

const s = customerSummary
const t = customerStateTotal
export type SummaryRow = typeof customerSummary.$inferSelect

/** Whether any summary is out of date. */
export async function hasPendingSummaries(db: Reader, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ pending: boolean }>(
    sql`select exists (select from ${customerChange}) or exists (select from ${s} where ${s.stale_at} <= ${now.toISOString()}::timestamptz) as pending`,
  )
  return rows[0]?.pending ?? false
}

/** Makes this transaction the only one that writes summaries; others wait for it. */
export async function lockSummaries(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('customer_summary'))`)
}

/**
 * At most `limit` customers whose summary is out of date by a change, and as many by time, and removes them from the changed entries. The
 * last changed come first, so that a change that was just made is in the list even while many others are pending.
 */
export async function takeChangedCustomers(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const { rows } = await tx.execute<{ customer_id: number }>(sql`
    with changed as (
      select distinct customer_id from (select customer_id from customer_change order by customer_change_id desc limit ${limit}) latest
    ), taken as (
      delete from customer_change where customer_id in (select customer_id from changed) returning customer_id
    )
    select customer_id from changed
    union select customer_id from (select customer_id from customer_summary where stale_at <= ${now.toISOString()}::timestamptz limit ${limit}) stale
    order by customer_id`)
  return rows.map((row) => row.customer_id)
}

/** The summary's columns that come from the customer row; deleted customers are missing. */
export async function listLivingCustomers(tx: Reader, customer_ids: number[]) {
  return tx
    .select({
      customer_id: customer.customer_id,
      search: sql<string>`${customer.search}`,
      sort_name: plainText(sql`trim(concat_ws(' ', ${customer.name}, ${customer.last_name}))`).mapWith(String),
      has_account: sql<boolean>`${customer.uid} is not null`,
      birth_month: sql<number | null>`extract(month from ${customer.birthdate})::int`,
      createdAt: customer.createdAt,
      archivedAt: customer.archivedAt,
    })
    .from(customer)
    .where(and(isOneOf(customer.customer_id, customer_ids), isNull(customer.deletedAt)))
    .orderBy(asc(customer.customer_id))
}

const COLUMNS = sql.raw(
  Object.keys(getTableColumns(s))
    .map((key) => `"${key}"`)
    .join(', '),
)
const REPLACED = sql.raw(
  Object.keys(getTableColumns(s))
    .filter((key) => key !== 'customer_id' && key !== 'state_since')
    .map((key) => `"${key}" = excluded."${key}"`)
    .join(', '),
)

/**
 * Writes summaries as one value: a parameter for each field of a hundred rows was most of the work of deriving them. The state of one that
 * is there began now if it is another, otherwise when it did.
 */
export async function upsertSummaries(tx: Tx, rows: SummaryRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into customer_summary as s (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::customer_summary, ${JSON.stringify(rows)}::json)
    on conflict (customer_id) do update set ${REPLACED},
      state_since = case when s.state = excluded.state then s.state_since else ${now.toISOString()}::timestamptz end`)
}

export async function deleteSummaries(tx: Tx, customer_ids: number[]): Promise<void> {
  if (customer_ids.length) await tx.delete(s).where(inArray(s.customer_id, customer_ids))
}

interface Range {
  min: number | undefined
  max: number | undefined
}

/** Filters of the list, with days converted to instants. */
export interface SummaryFilter {
  patterns: readonly string[]
  state: readonly CustomerState[]
  tag_id: number | undefined
  location_id: number | undefined
  class_package_id: number | undefined
  last_class_before: Date | undefined
  expires_before: Date | undefined
  birthday_month: number | undefined
  owes: boolean | undefined
  penalised: boolean | undefined
  has_account: boolean | undefined
  consent: boolean | undefined
  subscription: SubscriptionState | undefined
  documents_missing: boolean | undefined
  created_from: Date | undefined
  created_before: Date | undefined
  /** Whether they have a place in a class that has not begun. */
  has_next_class: boolean | undefined
  /** Both ends included. */
  visits_30: Range
  spent_centavos: Range
  /** Active customers or the others, at some locations or at all (null). */
  active: { wanted: boolean; locations: readonly number[] | null } | undefined
  /** The filter of a segment, which has to hold too. */
  segment: SummaryFilter | null
}

const isBetween = (column: PgColumn, { min, max }: Range): SQL | undefined =>
  and(min === undefined ? undefined : gte(column, min), max === undefined ? undefined : lte(column, max))

/** Customers in a set of ids, read once per query however many rows are compared with it. */
const isIn = (ids: SQL, wanted = true) => (wanted ? sql`${s.customer_id} in (${ids})` : sql`${s.customer_id} not in (${ids})`)

/** Customers with a subscription that is not cancelled, in one of the states, or in any. */
function subscribers(state: Exclude<SubscriptionState, 'none'> | 'any'): SQL {
  const states = {
    active: sql`and p.past_due_since is null and p.paused_since is null`,
    past_due: sql`and p.past_due_since is not null`,
    paused: sql`and p.paused_since is not null`,
    any: sql``,
  }
  return sql`select p.customer_id from purchase p where p.status = 'active' and p.is_subscription and p.customer_id is not null ${states[state]}`
}

/** Documents that every customer must accept (T3): the condition of `listPendingDocuments` of the content module. */
const IS_DOCUMENT = sql`(g.required or g.required_signup) and g.content is not null and g."deletedAt" is null and g.published`

/** Customers who have not accepted the current version of every document, or those who have. */
function lacksDocuments(missing: boolean): SQL {
  const documents = sql`select count(*) from page g where ${IS_DOCUMENT}`
  const complete = sql`select a.customer_id from accepted_page a join page g using (page_id, version) where ${IS_DOCUMENT}
    group by a.customer_id having count(*) = (${documents})`
  return missing ? sql`((${documents}) > 0 and ${isIn(complete, false)})` : sql`((${documents}) = 0 or ${isIn(complete)})`
}

function fits(filter: SummaryFilter, now: Date): SQL | undefined {
  const { state, tag_id, location_id, class_package_id, last_class_before, expires_before, birthday_month, owes, penalised } = filter
  return and(
    hasPatterns(sql`${s.search}`, filter.patterns),
    state.length ? inArray(s.state, [...state]) : undefined,
    tag_id === undefined ? undefined : isIn(sql`select ct.customer_id from customer_tag ct where ct.tag_id = ${tag_id}`),
    location_id === undefined ? undefined : eq(s.home_location_id, location_id),
    class_package_id === undefined ? undefined : sql`${s.class_package_ids} @> array[${class_package_id}]::int[]`,
    last_class_before && lt(s.last_class_at, last_class_before),
    expires_before && lt(s.next_expiration, expires_before),
    birthday_month === undefined ? undefined : eq(s.birth_month, birthday_month),
    owes === undefined ? undefined : owes ? gt(s.owed_centavos, 0) : lte(s.owed_centavos, 0),
    penalised === undefined
      ? undefined
      : penalised
        ? gt(s.penalised_until, now)
        : or(isNull(s.penalised_until), lte(s.penalised_until, now)),
    filter.has_account === undefined ? undefined : eq(s.has_account, filter.has_account),
    filter.consent === undefined
      ? undefined
      : isIn(sql`select mc.customer_id from message_consent mc where mc.channel = 'whatsapp' and mc.allowed`, filter.consent),
    filter.subscription && (filter.subscription === 'none' ? isIn(subscribers('any'), false) : isIn(subscribers(filter.subscription))),
    filter.created_from && gte(s.createdAt, filter.created_from),
    filter.created_before && lt(s.createdAt, filter.created_before),
    filter.has_next_class === undefined
      ? undefined
      : filter.has_next_class
        ? gt(s.next_class_at, now)
        : or(isNull(s.next_class_at), lte(s.next_class_at, now)),
    isBetween(s.visits_30, filter.visits_30),
    isBetween(s.spent_centavos, filter.spent_centavos),
    filter.documents_missing === undefined ? undefined : lacksDocuments(filter.documents_missing),
    filter.active && isIn(activeCustomers(now, filter.active.locations), filter.active.wanted),
    filter.segment ? fits(filter.segment, now) : undefined,
  )
}

const SORTED: Readonly<Record<Exclude<CustomerSort, `-${string}`>, PgColumn | SQL>> = {
  name: s.sort_name,
  state: sql`array_position(array[${sql.join(
    CUSTOMER_STATES.map((state) => sql`${state}`),
    sql`, `,
  )}], ${s.state})`,
  expires: s.next_expiration,
  last_class: s.last_class_at,
  next_class: s.next_class_at,
  visits_30: s.visits_30,
  visits: s.visits,
  spent: s.spent_centavos,
  owed: s.owed_centavos,
  created: s.createdAt,
}

/** Nulls of the sort column are last in either direction. */
function orderOf(sort: CustomerSort): SQL[] {
  const key = (sort.startsWith('-') ? sort.slice(1) : sort) as keyof typeof SORTED
  return [sql`${SORTED[key]} ${sql.raw(sort.startsWith('-') ? 'desc nulls last' : 'asc')}`, asc(s.customer_id)]
}

export interface Sums {
  total: number
  /** Centavos. */
  spent: number
  owed: number
}

/**
 * One page of summaries; nulls of the sort column are last in either direction. With `sums` also the count and sums of all matches, by the
 * same scan: cheaper when few rows match, more expensive when nearly all do.
 */
export async function listSummaries(
  db: Reader,
  filter: SummaryFilter,
  { sort, now, limit, offset, sums }: { sort: CustomerSort; now: Date; limit: number; offset: number; sums: boolean },
) {
  const chosen = await db
    .select({
      customer_id: s.customer_id,
      total: sums ? sql<number>`(count(*) over ())::int` : sql<number>`0`,
      spent: sums ? sql<number>`(sum(${s.spent_centavos}) over ())::float8` : sql<number>`0`,
      owed: sums ? sql<number>`(sum(${s.owed_centavos}) over ())::float8` : sql<number>`0`,
    })
    .from(s)
    .where(fits(filter, now))
    .orderBy(...orderOf(sort))
    .limit(limit)
    .offset(offset)
  // The rows are read after the page is chosen: sorting carries ids, not texts and lists.
  const rows = await listSummariesById(
    db,
    chosen.map((row) => row.customer_id),
  )
  const byId = new Map(chosen.map(({ customer_id, ...sums }) => [customer_id, sums]))
  return rows.map((row) => ({ row, sums: byId.get(row.customer_id) ?? { total: 0, spent: 0, owed: 0 } }))
}

/** At most `limit` customers that match, in the order of the list, and how many match. */
export async function listSummaryIds(
  db: Reader,
  filter: SummaryFilter,
  { sort, now, limit }: { sort: CustomerSort; now: Date; limit: number },
): Promise<{ ids: number[]; total: number }> {
  const matching = fits(filter, now)
  const rows = await db
    .select({ customer_id: s.customer_id })
    .from(s)
    .where(matching)
    .orderBy(...orderOf(sort))
    .limit(limit)
  const total = rows.length < limit ? rows.length : await db.$count(s, matching)
  return { ids: rows.map((row) => row.customer_id), total }
}

/** Summaries in the order of `ids`. */
export async function listSummariesById(db: Reader, ids: readonly number[]): Promise<SummaryRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select()
    .from(s)
    .where(inArray(s.customer_id, [...ids]))
  const byId = new Map(rows.map((row) => [row.customer_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * The first customers whose summary has all patterns: those whose name begins with `first` before the others, then by name. The former are
 * read in the order of the index; only when they are too few for the page all others are searched.
 */
export async function searchSummaries(
  db: Reader,
  { first, patterns, limit }: { first: string; patterns: readonly string[]; limit: number },
) {
  const begins = sql`${s.sort_name} like ${`${escapeLike(first)}%`}`
  const matching = (only: SQL, most: number) => {
    const found = db
      .select({ customer_id: s.customer_id, sort_name: s.sort_name })
      .from(s)
      .where(and(only, hasPatterns(sql`${s.search}`, patterns)))
      .orderBy(asc(s.sort_name), asc(s.customer_id))
      .limit(most)
      .as('found')
    return db
      .select({
        customer_id: customer.customer_id,
        name: customer.name,
        last_name: customer.last_name,
        email: customer.email,
        phone: customer.phone,
      })
      .from(found)
      .innerJoin(customer, eq(customer.customer_id, found.customer_id))
      .where(isNull(customer.deletedAt))
      .orderBy(asc(found.sort_name), asc(found.customer_id))
  }
  const beginning = await matching(begins, limit)
  return beginning.length === limit ? beginning : [...beginning, ...(await matching(sql`not ${begins}`, limit - beginning.length))]
}

/** What the rows of one page show beside their summaries: names, addresses, tags and usual locations, by customer. */
export async function listSummaryDetails(db: Reader, customer_ids: number[]) {
  if (customer_ids.length === 0) return []
  return db
    .select({
      customer_id: customer.customer_id,
      name: customer.name,
      last_name: customer.last_name,
      email: customer.email,
      phone: customer.phone,
      photo_file_id: customer.photo_file_id,
      home_location: { location_id: location.location_id, name: location.name },
      tags: sql<CatalogueTag[]>`coalesce((
        select json_agg(json_build_object('tag_id', t.tag_id, 'name', t.name, 'type', t.type, 'color', t.color) order by t.name, t.tag_id)
        from customer_tag ct join tag t using (tag_id) where ct.customer_id = ${customer.customer_id}), '[]'::json)`,
    })
    .from(customer)
    .leftJoin(s, eq(s.customer_id, customer.customer_id))
    .leftJoin(location, eq(location.location_id, s.home_location_id))
    .where(inArray(customer.customer_id, customer_ids))
}

/** The same sums per state, of all matches. */
export async function sumByState(db: Reader, filter: SummaryFilter, now: Date): Promise<(Sums & { state: CustomerState })[]> {
  return db
    .select({
      state: s.state,
      total: sql<number>`count(*)::int`,
      spent: sql<number>`sum(${s.spent_centavos})::float8`,
      owed: sql<number>`sum(${s.owed_centavos})::float8`,
    })
    .from(s)
    .where(fits(filter, now))
    .groupBy(s.state)
}

/** A query of the ids of all customers that match. */
export const matchingIds = (filter: SummaryFilter, now: Date): SQL =>
  sql`select ${s.customer_id} from ${s} where ${fits(filter, now) ?? sql`true`}`

/** Whether a summary that was just derived, and need not be stored, matches a filter. */
export async function isMatch(db: Reader, filter: SummaryFilter, summary: SummaryRow, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from json_populate_record(null::customer_summary, ${JSON.stringify(summary)}::json) as customer_summary where ${fits(filter, now) ?? sql`true`}`)
  return rows.length > 0
}

/** How many customers match each of some filters, by one scan. */
export async function countMatches(db: Reader, filters: readonly SummaryFilter[], now: Date): Promise<number[]> {
  if (filters.length === 0) return []
  const counts = filters.map((filter) => sql`count(*) filter (where ${fits(filter, now) ?? sql`true`})::int`)
  const { rows } = await db.execute<{ counts: number[] }>(sql`select array[${sql.join(counts, sql`, `)}] as counts from ${s}`)
  return rows[0]?.counts ?? []
}

/** The sums of all customers per state, which a trigger keeps (X6). */
export async function stateTotals(db: Reader): Promise<(Sums & { state: CustomerState })[]> {
  return db.select({ state: t.state, total: t.customers, spent: t.spent_centavos, owed: t.owed_centavos }).from(t).where(gt(t.customers, 0))
}
