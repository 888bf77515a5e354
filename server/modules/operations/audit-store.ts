/** Queries of the audit trail: a page of entries, and the names of what they are about. */
import { type SQL, sql } from 'drizzle-orm'
import type { AuditEntity } from '#contract/copy/audit-entities.ts'
import type { Reader } from '#server/platform/db.ts'
import { hasPatterns } from '#server/platform/search.ts'

export interface AuditRow extends Record<string, unknown> {
  audit_id: number
  at: string
  actor: string
  actor_id: number | null
  action: string
  entity: string
  entity_id: string | null
  before: unknown
  after: unknown
  reason: string | null
  /** Of the staff member or the API key. */
  staff_name: string | null
  customer_name: string | null
}

export interface AuditFilter {
  audit_id?: number | undefined
  staff_id?: number | undefined
  action?: string | undefined
  entity?: string | undefined
  entity_id?: string | undefined
  customer_id?: number | undefined
  from?: Date | undefined
  /** Exclusive. */
  until?: Date | undefined
  /** LIKE patterns over the customer's name, e-mail and telephone; with `number`, either. */
  patterns: readonly string[]
  number: string | null
  /** Locations of the reader; null = all. */
  locations: readonly number[] | null
  sort: 'at' | '-at'
}

/** The condition of a filter on `a`, the audit table. */
function matches(filter: AuditFilter): SQL {
  const { audit_id, staff_id, action, entity, entity_id, customer_id, from, until, patterns, number, locations } = filter
  const named = hasPatterns(sql`s.search`, patterns)
  const conditions = [
    audit_id !== undefined && sql`a.audit_id = ${audit_id}`,
    staff_id !== undefined && sql`a.actor_id = ${staff_id} and a.actor like 'staff:%'`,
    action !== undefined && sql`a.action = ${action}`,
    entity !== undefined && sql`a.entity = ${entity}`,
    entity_id !== undefined && sql`a.entity_id = ${entity_id}`,
    customer_id !== undefined && sql`a.customer_id = ${customer_id}`,
    from && sql`a.at >= ${from.toISOString()}::timestamptz`,
    until && sql`a.at < ${until.toISOString()}::timestamptz`,
    named &&
      sql`(a.customer_id in (select s.customer_id from customer_summary s where ${named})${number === null ? sql`` : sql` or a.entity_id = ${number}`})`,
    locations && sql`(a.location_id is null or a.location_id in (select unnest(${`{${locations.join(',')}}`}::integer[])))`,
  ].filter((condition) => condition !== false && condition !== undefined && condition !== null)
  return conditions.length ? sql.join(conditions as SQL[], sql` and `) : sql`true`
}

/** A page of entries in the order of `sort`. The page is chosen by index before names and values are read. */
export async function listAudit(on: Reader, filter: AuditFilter, page: { number: number; size: number }): Promise<AuditRow[]> {
  const order = filter.sort === 'at' ? sql`a.audit_id` : sql`a.audit_id desc`
  const { rows } = await on.execute<AuditRow>(sql`
    with page as materialized (
      select a.audit_id from audit a where ${matches(filter)} order by ${order} limit ${page.size} offset ${(page.number - 1) * page.size})
    select a.audit_id::float8 as audit_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, a.actor, a.actor_id, a.action,
      a.entity, a.entity_id, a.before, a.after, a.reason, coalesce(s.name, k.name) as staff_name, trim(concat_ws(' ', c.name, c.last_name)) as customer_name
    from page join audit a using (audit_id)
      left join staff s on a.actor like 'staff:%' and s.staff_id = a.actor_id
      left join api_key k on a.actor = 'api_key' and k.api_key_id = a.actor_id
      left join customer c on a.actor = 'customer' and c.customer_id = a.actor_id
    order by ${order}`)
  return rows
}

/** The number of entries, counted up to `limit`. */
export async function countAudit(on: Reader, filter: AuditFilter, limit: number): Promise<number> {
  const { rows } = await on.execute<{ total: number }>(
    sql`select count(*)::float8 as total from (select 1 from audit a where ${matches(filter)} limit ${limit}) counted`,
  )
  return rows[0]?.total ?? 0
}

/** The actions that were recorded, each with the entity of its last entry: one look-up in the index for each. */
export async function listRecordedActions(on: Reader): Promise<{ action: string; entity: string }[]> {
  const { rows } = await on.execute<{ action: string; entity: string }>(sql`
    with recursive recorded as (
      (select a.action, a.entity from audit a order by a.action desc, a.audit_id desc limit 1)
      union all
      select before.action, before.entity from recorded cross join lateral (
        select a.action, a.entity from audit a where a.action < recorded.action order by a.action desc, a.audit_id desc limit 1) before)
    select action, entity from recorded`)
  return rows
}

/** What an entry is about: `name`, the person beside it, and the class's start for what belongs to a class. */
export interface SubjectRow extends Record<string, unknown> {
  entity: AuditEntity
  id: string
  name: string | null
  person: string | null
  location: string | null
  starts_at: string | null
  zone: string | null
  /** The row whose screen shows it. */
  link_id: number | null
}

const PERSON = sql`trim(concat_ws(' ', u.name, u.last_name))`
const none = sql`null::text`
const CLASS = {
  name: sql`t.name`,
  location: sql`l.name`,
  zone: sql`l.timezone`,
  starts_at: sql`to_char(c.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
}
const OF_CLASS = sql`join single_class c using (single_class_id) join class_type t using (class_type_id) join location l using (location_id)`

interface Subject {
  id: string
  from: SQL
  name: SQL
  person?: SQL
  location?: SQL
  starts_at?: SQL
  zone?: SQL
  link_id?: SQL
}

/** Plain records: the table is named like the entity, its id `<table>_id`. */
const record = (table: string, name = 'name', alias = 'x'): Subject => ({
  id: `${alias}.${table}_id`,
  from: sql.raw(`${table} ${alias}`),
  name: sql.raw(`${alias}.${name}`),
})

/** How each entity is found by its id and named. Entities without a row of their own are not here. */
const SUBJECTS: Partial<Record<AuditEntity, Subject>> = {
  customer: { id: 'u.customer_id', from: sql`customer u`, name: PERSON, link_id: sql`u.customer_id` },
  purchase: {
    id: 'p.purchase_id',
    from: sql`purchase p join customer u using (customer_id)`,
    name: sql`p.title`,
    person: PERSON,
    link_id: sql`p.purchase_id`,
  },
  sale: {
    id: 's.sale_id',
    from: sql`sale s join customer u using (customer_id)`,
    name: PERSON,
    link_id: sql`case when u.is_anonymous then null else s.customer_id end`,
  },
  available_class: {
    id: 'a.available_class_id',
    from: sql`available_class a join customer u using (customer_id)`,
    name: sql`a.title`,
    person: PERSON,
    link_id: sql`a.customer_id`,
  },
  class_reservation: {
    id: 'r.class_reservation_id',
    from: sql`class_reservation r join customer u using (customer_id) ${OF_CLASS}`,
    ...CLASS,
    person: PERSON,
    link_id: sql`r.class_reservation_id`,
  },
  waitlist: {
    id: 'w.waitlist_id',
    from: sql`waitlist w join customer u using (customer_id) ${OF_CLASS}`,
    ...CLASS,
    person: PERSON,
    link_id: sql`w.single_class_id`,
  },
  single_class: {
    id: 'c.single_class_id',
    from: sql`single_class c join class_type t using (class_type_id) join location l using (location_id)`,
    ...CLASS,
    link_id: sql`c.single_class_id`,
  },
  class_reservation_penalty: {
    id: 'p.class_reservation_penalty_id',
    from: sql`class_reservation_penalty p join customer u using (customer_id)`,
    name: PERSON,
    link_id: sql`p.customer_id`,
  },
  cash_session: {
    id: 'k.cash_session_id',
    from: sql`cash_session k join staff f using (staff_id) join location l using (location_id)`,
    name: sql`f.name`,
    location: sql`l.name`,
    link_id: sql`k.cash_session_id`,
  },
  staff: { ...record('staff'), link_id: sql`x.staff_id` },
  class_package: record('class_package', 'title'),
  discount: record('discount', 'code'),
  product: record('product'),
  fiscal_document: { id: 'x.fiscal_document_id', from: sql`fiscal_document x`, name: sql`x.series || '-' || x.folio` },
  gift_card: { id: 'x.gift_card_id', from: sql`gift_card x`, name: sql`'•••• ' || x.last_four` },
  class_type: record('class_type'),
  class_category: record('class_category'),
  instructor: { ...record('instructor'), name: sql`trim(concat_ws(' ', x.name, x.last_name))` },
  location: record('location'),
  room: record('room'),
  holiday: record('holiday'),
  instructor_absence: {
    id: 'b.instructor_absence_id',
    from: sql`instructor_absence b join instructor i using (instructor_id)`,
    name: sql`trim(concat_ws(' ', i.name, i.last_name))`,
  },
  tag: record('tag'),
  segment: record('segment'),
  payment_method: record('payment_method'),
  page: record('page', 'title'),
  announcement: record('announcement', 'title'),
  broadcast: record('broadcast', 'subject'),
  automation: record('automation', 'subject'),
  form: record('form'),
  video: record('video'),
  video_type: record('video_type'),
  program: record('program'),
  file: record('file'),
}

/** The names of the subjects of a page of entries, in one query. Rows that are gone are missing. */
export async function listSubjects(on: Reader, wanted: ReadonlyMap<AuditEntity, readonly number[]>): Promise<SubjectRow[]> {
  const parts = [...wanted].flatMap(([entity, ids]) => {
    const of = SUBJECTS[entity]
    if (!of || ids.length === 0) return []
    return [
      sql`select ${entity}::text as entity, ${sql.raw(of.id)}::text as id, (${of.name})::text as name, (${of.person ?? none})::text as person,
        (${of.location ?? none})::text as location, (${of.starts_at ?? none})::text as starts_at, (${of.zone ?? none})::text as zone,
        (${of.link_id ?? sql`null`})::integer as link_id
      from ${of.from} where ${sql.raw(of.id)} in (select unnest(${`{${ids.join(',')}}`}::integer[]))`,
    ]
  })
  if (parts.length === 0) return []
  const { rows } = await on.execute<SubjectRow>(sql.join(parts, sql` union all `))
  return rows
}
