/** What an erased person is known by, now and earlier, and the texts about other things that name them (docs/domain.md X13). */
import { type SQL, sql } from 'drizzle-orm'
import { ERASED_NAME } from '#contract/copy/customer-erasure.ts'
import type { Tx } from '#server/platform/db.ts'

/** Addresses and telephones of one person. */
export interface KnownBy {
  emails: string[]
  phones: string[]
}

/** Fewer digits would be found in other numbers. */
const FEWEST_DIGITS = 8

/**
 * The addresses and telephones of a customer: the current ones and those that the audit trail recorded for this record. One that another
 * customer has now, as in a family, is left out.
 */
export async function findKnownBy(
  tx: Tx,
  { customer_id, email, phone }: { customer_id: number; email: string | null; phone: string | null },
): Promise<KnownBy> {
  const { rows } = await tx.execute<{ kind: 'email' | 'phone'; value: string }>(sql`
    select distinct kind, lower(value #>> '{}') as value from audit a cross join unnest(array['email', 'phone']) as kind
      cross join lateral (select jsonb_path_query(coalesce(a.before, '{}'), ('$.**.' || kind)::jsonpath) union all
        select jsonb_path_query(coalesce(a.after, '{}'), ('$.**.' || kind)::jsonpath) union all
        select one from unnest(array[a.before, a.after]) as one where a.action = 'customer.email' and kind = 'email') as found (value)
    where a.customer_id = ${customer_id} and a.entity = 'customer' and a.action not in ('customer.merge', 'customer.merged_into', 'customer.separate', 'customer.distinct')
      and jsonb_typeof(value) = 'string' and not exists (select from customer c
        where c.customer_id <> ${customer_id} and c."deletedAt" is null and lower(case kind when 'email' then c.email else c.phone end) = lower(value #>> '{}'))`)
  const all = (kind: 'email' | 'phone', now: string | null) => [
    ...new Set([...(now === null ? [] : [now]), ...rows.flatMap((row) => (row.kind === kind ? [row.value] : []))]),
  ]
  return {
    emails: all('email', email).filter((text) => text.includes('@')),
    phones: all('phone', phone).filter((text) => text.replace(/\D/g, '').length >= FEWEST_DIGITS),
  }
}

/**
 * Deletes mails and WhatsApp messages that the studio keeps instead of sending: to any of their addresses, and those of their messages,
 * wherever these went.
 */
export async function deleteOutboxOf(tx: Tx, customer_id: number, { emails, phones }: KnownBy): Promise<void> {
  await tx.execute(sql`
    delete from mail_outbox where message_id in (
      select replace(m.event, '_', '-') || '-' || m.message_id || case when n > 0 then '-' || n else '' end
      from message m cross join generate_series(0, m.resends) as n where m.customer_id = ${customer_id} and m.channel = 'mail')`)
  for (const email of emails) await tx.execute(sql`delete from mail_outbox where lower("to") = lower(${email})`)
  for (const phone of phones) await tx.execute(sql`delete from whatsapp_outbox where "to" = ${`52${phone}`}`)
}

const SAME: Readonly<Record<string, string>> = { a: '[aáÁ]', e: '[eéÉ]', i: '[iíÍ]', o: '[oóÓ]', u: '[uúüÚÜ]', n: '[nñÑ]' }
/**
 * A sign within a name, such as an apostrophe, may be written otherwise, as an entity of HTML or not at all. Never a quote or backslash,
 * which end a text of JSON.
 */
const SIGN = '(?:&#?\\w+;|[^a-z0-9"\\\\])?'
const wordPattern = (word: string): string =>
  [...word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((sign) => SAME[sign] ?? (/[\p{L}0-9]/u.test(sign) ? sign : SIGN))
    .join('')

/**
 * A regular expression of PostgreSQL for a person's name in a text: the first name with the first last name, with or without the others.
 * Null without a last name: a first name alone is that of many.
 */
export function namePattern({ name, last_name }: { name: string | null; last_name: string | null }): string | null {
  const [first, ...middle] = (name ?? '').split(/\s+/).filter(Boolean).map(wordPattern)
  const [last, ...rest] = (last_name ?? '').split(/\s+/).filter(Boolean).map(wordPattern)
  if (first === undefined || last === undefined || (first + last).length < 4) return null
  const optional = (words: string[]) => words.map((word) => `(?:\\s+${word})?`).join('')
  return `\\m${first}${optional(middle)}\\s+${last}${optional(rest)}\\M`
}

const OF_PURCHASE = '(select p.customer_id from purchase p where p.purchase_id = t.purchase_id)'
const OF_SALE = '(select e.customer_id from sale e where e.sale_id = t.sale_id)'
const OF_GIFT_CARD = '(select p.customer_id from gift_card g join purchase p using (purchase_id) where g.gift_card_id = t.gift_card_id)'
interface NamingText {
  table: string
  column: string
  /** SQL of the customer who owns the row; absent: the row has no owner. */
  owner?: string
  isJson?: true
  /** What the text becomes where a trigger allows nothing else. */
  becomes?: string | null
}
const texts = (table: string, columns: string, owner?: string): NamingText[] =>
  columns.split(' ').map((column) => ({ table, column, ...(owner === undefined ? {} : { owner }) }))

/**
 * Texts that staff write and messages that name a customer: those about another record, or without one, may name this customer. Those of
 * their own records are erased anyway. What other customers said in their own profile, forms, ratings and gifts is theirs and stays.
 */
export const namingTexts: readonly NamingText[] = [
  ...texts('bulk_job', 'reason'),
  ...texts('cash_movement', 'reason'),
  ...texts('cash_session', 'note approval_note reopen_reason'),
  ...texts('class_reservation', 'comment guest', 't.customer_id'),
  ...texts('class_reservation_penalty', 'reason forgive_reason', 't.customer_id'),
  { table: 'credit_movement', column: 'reason', owner: 't.customer_id', becomes: null },
  ...texts('customer_note', 'text', 't.customer_id'),
  { table: 'gift_card_movement', column: 'reason', owner: OF_GIFT_CARD, becomes: 'Ajuste' },
  ...texts('instructor_absence', 'reason'),
  ...texts('invoice', 'reference', 't.customer_id'),
  ...texts('mail_outbox', 'subject html text'),
  ...texts('past_purchase', 'title', 't.customer_id'),
  ...texts('purchase', 'note title cancel_reason', 't.customer_id'),
  ...texts('refund', 'reason', OF_PURCHASE),
  ...texts('sale', 'note owe_reason', 't.customer_id'),
  ...texts('sale_line', 'title price_reason over_limit_reason', OF_SALE),
  ...texts('sale_payment', 'reference decide_reason', OF_SALE),
  ...texts('segment', 'name'),
  ...texts('single_class', 'cancel_reason'),
  ...texts('substitution', 'reason'),
  ...texts('task_state', 'reason'),
  ...texts('webhook_attempt', 'response'),
  ...texts('whatsapp_outbox', 'text'),
  { table: 'message', column: 'words', owner: 't.customer_id', isJson: true },
  { table: 'webhook_delivery', column: 'payload', isJson: true },
  { table: 'whatsapp_outbox', column: 'blanks', isJson: true },
]

/** Pages of 8 kB that one statement reads: a large table takes longer than a statement may. */
const PAGES_AT_ONCE = 4_000

/** Calls `run` with the conditions of consecutive parts of a table (alias `t`). Rows that it changes are not in a later part. */
async function inParts(tx: Tx, table: string, run: (part: SQL) => Promise<unknown>): Promise<void> {
  const { rows } = await tx.execute<{ pages: number }>(sql`select (pg_relation_size(${table}) / 8192)::int as pages`)
  for (let from = 0; from < (rows[0]?.pages ?? 0); from += PAGES_AT_ONCE)
    await run(sql`t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${from + PAGES_AT_ONCE},0)`}::tid`)
}

/**
 * Empties entries of the audit trail with one of the addresses, telephones or the name; entries of customers with the same name
 * (`namesakes`) stay.
 */
async function emptyTrail(tx: Tx, { emails, phones }: KnownBy, pattern: string | null, namesakes: SQL): Promise<void> {
  const all = sql`concat(t.before, t.after, t.reason)`
  const conditions = [...emails, ...phones].map((text) => sql`position(lower(${text}) in lower(${all})) > 0`)
  if (pattern !== null) conditions.push(sql`(${all} ~* ${pattern} and coalesce(t.customer_id not in ${namesakes}, true))`)
  if (conditions.length === 0) return
  await inParts(tx, 'audit', (part) =>
    tx.execute(sql`update audit t set before = null, after = null, reason = null where ${part} and (${sql.join(conditions, sql` or `)})`),
  )
}

/**
 * Replaces a person's name where a text about something else has it, deletes stored answers that have it, and empties entries of the trail
 * that have it or an address of theirs. Rows of a customer of the same name stay: they are about them.
 */
export async function eraseNames(tx: Tx, customer_id: number, known: KnownBy): Promise<void> {
  const { rows } = await tx.execute<{ name: string | null; last_name: string | null }>(
    sql`select name, last_name from customer where customer_id = ${customer_id}`,
  )
  const pattern = rows[0] ? namePattern(rows[0]) : null
  const namesakes = sql`(select c.customer_id from customer c
    where c.customer_id <> ${customer_id} and c."deletedAt" is null and concat_ws(' ', c.name, c.last_name) ~* ${pattern})`
  await emptyTrail(tx, known, pattern, namesakes)
  if (pattern === null) return
  await tx.execute(sql`delete from idempotency where answer::text ~* ${pattern}`)
  // The summary of a customer has the titles of what they bought.
  await tx.execute(sql`insert into customer_change (customer_id)
    select distinct t.customer_id from purchase t where t.title ~* ${pattern} and t.customer_id not in ${namesakes}`)
  for (const text of namingTexts) await inParts(tx, text.table, (part) => replaceIn(tx, text, { part, pattern, namesakes }))
}

async function replaceIn(
  tx: Tx,
  { table, column, owner, isJson, becomes }: NamingText,
  { part, pattern, namesakes }: { part: SQL; pattern: string; namesakes: SQL },
): Promise<void> {
  const at = sql.raw(isJson ? `t.${column}::text` : `t.${column}`)
  const instead = column === 'guest' ? 'Invitado' : `${ERASED_NAME.name} ${ERASED_NAME.last_name}`
  const value = becomes === undefined ? sql`regexp_replace(${at}, ${pattern}, ${instead}, 'gi')` : sql`${becomes}`
  await tx.execute(sql`
    update ${sql.raw(table)} t set ${sql.raw(column)} = ${isJson ? sql`(${value})::jsonb` : value}
    where ${part} and ${at} ~* ${pattern} ${owner === undefined ? sql`` : sql`and coalesce(${sql.raw(owner)} not in ${namesakes}, true)`}`)
}

/**
 * Ends the archives of the whole studio: they have the data of all customers. One that is being made is started again, because it compares
 * the erasures at its end with those of its rows (server/modules/imports/studio-export.ts); behind the same lock.
 */
export async function endStoredExports(tx: Tx, now: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('studio_export'))`)
  await tx.execute(sql`
    update studio_export set "expiresAt" = ${now.toISOString()} where state = 'done' and ("expiresAt" is null or "expiresAt" > ${now.toISOString()})`)
}
