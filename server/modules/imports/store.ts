/** Queries of imports. */
import { and, asc, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { ImportField, ImportKind, ImportRowState, ImportSource } from '#contract/imports.ts'
import { staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { plainText } from '#server/platform/search.ts'
import { externalRef, importJob, importMapping, importRow, type PackageChoice } from './tables.ts'

export type ImportJobRow = typeof importJob.$inferSelect
export type ImportRowRow = typeof importRow.$inferSelect

export const insertImport = async (tx: Tx, values: typeof importJob.$inferInsert): Promise<number> =>
  singleRow(await tx.insert(importJob).values(values).returning({ id: importJob.import_id })).id

export async function listImports(on: Reader, import_id?: number): Promise<(ImportJobRow & { created_by: string; uid: string | null })[]> {
  const rows = await on
    .select({ row: importJob, created_by: staff.name, uid: staff.uid })
    .from(importJob)
    .innerJoin(staff, eq(staff.staff_id, importJob.staff_id))
    .where(import_id === undefined ? undefined : eq(importJob.import_id, import_id))
    .orderBy(desc(importJob.import_id))
    .limit(100)
  return rows.map(({ row, created_by, uid }) => ({ ...row, created_by, uid }))
}

export async function lockImport(tx: Tx, import_id: number): Promise<ImportJobRow | null> {
  const [row] = await tx.select().from(importJob).where(eq(importJob.import_id, import_id)).for('update')
  return row ?? null
}

export async function updateImport(tx: Tx, import_id: number, change: Partial<typeof importJob.$inferInsert>): Promise<void> {
  await tx.update(importJob).set(change).where(eq(importJob.import_id, import_id))
}

export async function deleteImport(tx: Tx, import_id: number): Promise<void> {
  await tx.delete(importJob).where(eq(importJob.import_id, import_id))
}

export async function deleteOldDrafts(tx: Tx, before: Date): Promise<void> {
  await tx.delete(importJob).where(and(eq(importJob.state, 'draft'), lt(importJob.createdAt, before)))
}

/** Rows in one statement. */
const AT_ONCE = 2_000

/** Replaces the rows of an import by those of a file. */
export async function insertRows(
  tx: Tx,
  import_id: number,
  rows: readonly { n: number; cells: string[]; isTotal: boolean }[],
): Promise<void> {
  await tx.delete(importRow).where(eq(importRow.import_id, import_id))
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await tx.execute(sql`
      insert into import_row (import_id, n, cells, is_total, state)
      select ${import_id}, (r ->> 'n')::integer, r -> 'cells', case when (r ->> 'isTotal')::boolean then 1 else 0 end, 'new'
      from jsonb_array_elements(${JSON.stringify(rows.slice(from, from + AT_ONCE))}::jsonb) r`)
}

export const listRows = (on: Reader, import_id: number): Promise<ImportRowRow[]> =>
  on.select().from(importRow).where(eq(importRow.import_id, import_id)).orderBy(asc(importRow.n))

/** The rows that wait for somebody: errors, and duplicates without a decision. */
export const listOpenRows = (on: Reader, import_id: number): Promise<ImportRowRow[]> =>
  on
    .select()
    .from(importRow)
    .where(and(eq(importRow.import_id, import_id), inArray(importRow.state, ['error', 'duplicate'])))
    .orderBy(asc(importRow.n))

/** Some rows, in the order of the file. */
export const listRowsAt = (on: Reader, import_id: number, numbers: readonly number[]): Promise<ImportRowRow[]> =>
  on
    .select()
    .from(importRow)
    .where(and(eq(importRow.import_id, import_id), inArray(importRow.n, [...numbers])))
    .orderBy(asc(importRow.n))

export async function findRow(on: Reader, import_id: number, n: number): Promise<ImportRowRow | null> {
  const [row] = await on
    .select()
    .from(importRow)
    .where(and(eq(importRow.import_id, import_id), eq(importRow.n, n)))
  return row ?? null
}

export async function pageOfRows(
  on: Reader,
  import_id: number,
  state: ImportRowState | undefined,
  page: { number: number; size: number },
): Promise<{ rows: ImportRowRow[]; total: number }> {
  const where = and(eq(importRow.import_id, import_id), state === undefined ? undefined : eq(importRow.state, state))
  const [rows, counted] = await Promise.all([
    on
      .select()
      .from(importRow)
      .where(where)
      .orderBy(asc(importRow.n))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ n: count() }).from(importRow).where(where),
  ])
  return { rows, total: singleRow(counted).n }
}

export type CheckedRow = Pick<ImportRowRow, 'n' | 'state' | 'person' | 'record' | 'issues' | 'match'>

export async function replaceChecks(tx: Tx, import_id: number, rows: readonly CheckedRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await tx.execute(sql`
      update import_row u set state = r ->> 'state', person = nullif(r -> 'person', 'null'::jsonb), record = nullif(r -> 'record', 'null'::jsonb), issues = r -> 'issues', match = nullif(r -> 'match', 'null'::jsonb)
      from jsonb_array_elements(${JSON.stringify(rows.slice(from, from + AT_ONCE))}::jsonb) r
      where u.import_id = ${import_id} and u.n = (r ->> 'n')::integer`)
}

export async function updateRow(tx: Tx, import_id: number, n: number, change: Partial<typeof importRow.$inferInsert>): Promise<void> {
  await tx
    .update(importRow)
    .set(change)
    .where(and(eq(importRow.import_id, import_id), eq(importRow.n, n)))
}

export async function lockRow(tx: Tx, import_id: number, n: number): Promise<ImportRowRow | null> {
  const [row] = await tx
    .select()
    .from(importRow)
    .where(and(eq(importRow.import_id, import_id), eq(importRow.n, n)))
    .for('update')
  return row ?? null
}

/** Rows in some states: in the order of the file, or backwards. `follows`: it completes what an earlier row makes. */
export async function nextRows(
  on: Reader,
  import_id: number,
  states: readonly ImportRowState[],
  order: 'first' | 'last',
  limit: number,
): Promise<{ n: number; follows: boolean }[]> {
  return on
    .select({
      n: importRow.n,
      follows: sql<boolean>`coalesce(${importRow.match} ->> 'row', '') <> '' or coalesce(${importRow.decision} = 'new', false)`,
    })
    .from(importRow)
    .where(and(eq(importRow.import_id, import_id), inArray(importRow.state, [...states])))
    .orderBy(order === 'first' ? asc(importRow.n) : desc(importRow.n))
    .limit(limit)
}

/** People of an import who can be invited to create their account, in the order of the file, and how many were invited. */
export async function listInvitable(
  on: Reader,
  import_id: number,
  { since, limit }: { since: Date; limit: number },
): Promise<{ total: number; invited: number; customer_ids: number[] }> {
  const { rows } = await on.execute<{ total: number; invited: number; customer_ids: number[] }>(sql`
    with person as (
      select r.customer_id, min(r.n) as n from import_row r where r.import_id = ${import_id} and r.state = 'done' and r.customer_id is not null
      group by r.customer_id
    ), standing as (
      select p.n, p.customer_id, c.uid is null and c.email is not null and c."archivedAt" is null as reachable, (
        select max(m."createdAt") from message m where m.customer_id = p.customer_id and m.event = 'account_invite' and m.channel = 'mail') as invited_at
      from person p join customer c on c.customer_id = p.customer_id where c."deletedAt" is null
    ), next as (
      select * from standing where reachable and (invited_at is null or invited_at <= ${since.toISOString()}::timestamptz)
    )
    select (select count(*)::int from next) as total, (select count(*)::int from standing where invited_at is not null) as invited,
      coalesce((select array_agg(customer_id order by n) from (select * from next order by n limit ${limit}) wave), '{}') as customer_ids`)
  return singleRow(rows)
}

export async function countStates(on: Reader, import_id: number): Promise<{ state: ImportRowState; rows: number; credits: number }[]> {
  const { rows } = await on.execute<{ state: ImportRowState; rows: number; credits: number }>(sql`
    select state, count(*)::int as rows, coalesce(sum(greatest((person ->> 'credits')::int, 0)), 0)::int as credits
    from import_row where import_id = ${import_id} group by state`)
  return rows
}

export interface KnownCustomer extends Record<string, unknown> {
  customer_id: number
  name: string
  last_name: string
  email: string | null
  phone: string | null
  birthdate: string | null
  plain_name: string
  has_account: boolean
  /** Milliseconds. */
  created_at: number
  /** Channels that they answered about, with yes or no. */
  answered: string[]
  /** Visits at another system were written down before. */
  has_past_visits: boolean
}

/** Customers who may be one of these people. */
export async function listKnown(
  on: Reader,
  by: { emails: string[]; phones: string[]; names: string[]; ids: number[] },
): Promise<KnownCustomer[]> {
  const name = plainText(sql`concat_ws(' ', c.name, c.last_name)`)
  const list = (values: readonly (string | number)[]) => sql`(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
  const { rows } = await on.execute<KnownCustomer>(sql`
    select c.customer_id, c.name, c.last_name, c.email, c.phone, c.birthdate::text as birthdate, ${name} as plain_name, c.uid is not null as has_account,
      (extract(epoch from c."createdAt") * 1000)::float8 as created_at,
      array(select mc.channel from message_consent mc where mc.customer_id = c.customer_id) as answered,
      exists (select from past_visit v where v.customer_id = c.customer_id) as has_past_visits from customer c
    where c."deletedAt" is null and (c.email in ${list(by.emails)} or c.phone in ${list(by.phones)} or c.customer_id::text in ${list(by.ids)}
      or (c.birthdate is not null and ${name} in ${list(by.names)}))`)
  return rows
}

/** The customers of refs of a source. */
export async function listRefs(on: Reader, source: ImportSource, refs: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await on.execute<{ ref: string; customer_id: number }>(sql`
    select r.ref, coalesce(c.merged_into, r.customer_id) as customer_id from external_ref r join customer c using (customer_id)
    where r.source = ${source} and r.ref in (select jsonb_array_elements_text(${JSON.stringify(refs)}::jsonb))
      and (c."deletedAt" is null or c.merged_into is not null)`)
  return new Map(rows.map(({ ref, customer_id }) => [ref, customer_id]))
}

/** Records that something was imported; false when it was already. */
export async function upsertRef(tx: Tx, values: typeof externalRef.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(externalRef).values(values).onConflictDoNothing().returning({ ref: externalRef.ref })
  return inserted.length > 0
}

export async function deleteRefs(tx: Tx, source: ImportSource, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await tx.delete(externalRef).where(and(eq(externalRef.source, source), inArray(externalRef.ref, [...refs])))
}

export async function findMapping(on: Reader, source: ImportSource, kind: ImportKind): Promise<typeof importMapping.$inferSelect | null> {
  const [row] = await on
    .select()
    .from(importMapping)
    .where(and(eq(importMapping.source, source), eq(importMapping.kind, kind)))
  return row ?? null
}

export async function upsertMapping(
  tx: Tx,
  values: { source: ImportSource; kind: ImportKind; fields: Record<string, ImportField | null>; packages: Record<string, PackageChoice> },
): Promise<void> {
  await tx
    .insert(importMapping)
    .values(values)
    .onConflictDoUpdate({ target: [importMapping.source, importMapping.kind], set: { fields: values.fields, packages: values.packages } })
}

/** Packages with their titles, for guessing which is which, and their price for so many classes (-1: unlimited). */
export async function listPackageTitles(
  on: Reader,
): Promise<{ class_package_id: number; title: string; is_subscription: boolean; price_centavos: number; class_amount: number }[]> {
  const { rows } = await on.execute<{
    class_package_id: number
    title: string
    is_subscription: boolean
    price_centavos: number
    class_amount: number
  }>(
    sql`select class_package_id, title, is_subscription, price_centavos, class_amount from class_package where "deletedAt" is null order by class_package_id desc`,
  )
  return rows
}

/**
 * Whether a customer that an import created is in use: has an account, a reservation, a purchase, a waitlist entry, a saved card, or
 * credits other than `granted`.
 */
export async function isUsed(on: Reader, customer_id: number, granted: readonly number[]): Promise<boolean> {
  const { rows } = await on.execute<{ used: boolean }>(sql`
    select (select uid is not null from customer where customer_id = ${customer_id})
      or exists (select 1 from class_reservation where customer_id = ${customer_id})
      or exists (select 1 from purchase where customer_id = ${customer_id})
      or exists (select 1 from waitlist where customer_id = ${customer_id})
      or exists (select 1 from payment_source where customer_id = ${customer_id})
      or exists (select 1 from available_class where customer_id = ${customer_id}
        and available_class_id::text not in (select jsonb_array_elements_text(${JSON.stringify(granted)}::jsonb))) as used`)
  return rows[0]?.used ?? true
}
