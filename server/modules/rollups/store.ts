/** Queries that derive the rollups, and the fragments with which reports read them. */
import { type SQL, sql } from 'drizzle-orm'
import { hadPastVisits, isVisit } from '#server/modules/people/people.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'

/** A visit: a person's own place `r` in a class `c`. */
export const VISITED = isVisit(sql`r`, sql`c`)

/** A reservation `r` that was undone, moved, or cancelled with its class was not made, as far as reports are concerned. */
export const MADE = sql`(r."deletedAt" is null or r.cancelled_by not in ('undo', 'move', 'studio'))`
const LATE = sql`r."deletedAt" is not null and coalesce(r.cancelled_late, false)`

/** The outcome of reservations `r`: each is in exactly one column besides the first. */
export const ENDED = sql`
  count(*) as reservations,
  count(*) filter (where r."deletedAt" is null and r.attend) as attended,
  count(*) filter (where r."deletedAt" is null and not r.attend and r.excuse is null) as absent,
  count(*) filter (where r."deletedAt" is null and not r.attend and r.excuse is not null) as excused,
  count(*) filter (where r."deletedAt" is null and r.attend is null) as unmarked,
  count(*) filter (where ${LATE}) as late,
  count(*) filter (where r."deletedAt" is not null and not (${LATE})) as cancelled`

/** A rating with at most this number of stars is a complaint. */
export const LOW_STARS = 3

/**
 * Whether a customer `w` has a spot in the class. It is looked for among their own reservations: `+ 0` keeps the index of the class out
 * of it.
 */
export const HAS_SPOT = sql`exists (select from class_reservation p
  where p.single_class_id + 0 = w.single_class_id and p.customer_id = w.customer_id and p."deletedAt" is null)`

/**
 * Who wanted a place in the classes whose id is narrowed by `where`, each once per class: whether they got in, and whether they stood in
 * line for it.
 */
export const wantedSpots = (where: (single_class_id: SQL) => SQL): SQL => sql`
  select w.single_class_id, w.customer_id, bool_or(w.is_booked) or ${HAS_SPOT} as got_in, bool_or(w.stood) as stood
  from (
    select q.single_class_id, q.customer_id, q.status = 'booked' as is_booked, true as stood from waitlist q where ${where(sql`q.single_class_id`)}
    union all select f.single_class_id, f.customer_id, false, false from class_refusal f where ${where(sql`f.single_class_id`)}
  ) w group by 1, 2`

/**
 * When the first place of a class was taken, and when as many as it has were taken for the first time. A place that is given back is free
 * from then on.
 */
const fillings = (where: (single_class_id: SQL) => SQL): SQL => sql`
  select n.single_class_id, min(n.at) as first_at, min(n.at) filter (where n.taken >= c.capacity and c.capacity > 0) as filled_at
  from (
    select s.single_class_id, s.at, sum(s.step) over (partition by s.single_class_id order by s.at, s.step) as taken
    from (
      select r.single_class_id, r."createdAt" as at, 1 as step from class_reservation r where ${where(sql`r.single_class_id`)}
      union all select r.single_class_id, r."deletedAt", -1 from class_reservation r where r."deletedAt" is not null and ${where(sql`r.single_class_id`)}
    ) s
  ) n join single_class c using (single_class_id) group by 1`

const stars = (column: SQL) => sql`${column} filter (where r."deletedAt" is null)`
const ENDED_COLUMNS = sql.raw(['reservations', 'attended', 'absent', 'excused', 'unmarked', 'late', 'cancelled'].map(counted).join(', '))
const STAR_COLUMNS = sql.raw(['ratings', 'stars', 'low', 'class_ratings', 'class_stars'].map(counted).join(', '))
function counted(name: string): string {
  return `coalesce(e.${name}, 0) as ${name}`
}

/**
 * Of the classes whose `single_class_id` is narrowed by `where`: the columns of `class_rollup`, from their reservations, waitlists
 * and refusals.
 */
const classCounts = (where: (single_class_id: SQL) => SQL): SQL => sql`
  select single_class_id, ${ENDED_COLUMNS}, ${STAR_COLUMNS}, coalesce(q.waited, 0) as waited, coalesce(q.outside, '{}') as outside,
    coalesce(q.refused, 0) as refused, f.first_at, f.filled_at
  from (
    select r.single_class_id, ${ENDED}, ${stars(sql`count(r.coach_stars)`)} as ratings, ${stars(sql`sum(r.coach_stars)`)} as stars,
      count(*) filter (where r."deletedAt" is null and r.coach_stars <= ${sql.raw(String(LOW_STARS))}) as low,
      ${stars(sql`count(r.class_stars)`)} as class_ratings, ${stars(sql`sum(r.class_stars)`)} as class_stars
    from class_reservation r where ${MADE} and ${where(sql`r.single_class_id`)} group by 1) e
  full join (
    select d.single_class_id, count(*) as waited, array_agg(d.customer_id order by d.customer_id) filter (where not d.got_in) as outside,
      count(*) filter (where not d.got_in and not d.stood) as refused
    from (${wantedSpots(where)}) d
    group by 1) q using (single_class_id)
  full join (${fillings(where)}) f using (single_class_id)`

const monthIn = (zone: string): SQL => sql`date_trunc('month', c.starts_at at time zone ${zone})::date`

/** Of customers whose reservations `r` are narrowed by `where`: the columns of `visit_month`. */
const visitMonths = (where: SQL, zone: string): SQL => sql`
  select r.customer_id, ${monthIn(zone)} as month, c.location_id, count(*)::integer as visits, min(c.starts_at) as first_at, max(c.starts_at) as last_at
  from class_reservation r join single_class c using (single_class_id) where ${VISITED} and ${where} group by 1, 2, 3`

/** The same: the columns of `visit_first`. */
const firstVisits = (where: SQL): SQL => sql`
  select distinct on (v.customer_id, v.location_id) v.*
  from (select r.customer_id, c.location_id, c.starts_at, r.single_class_id, r.class_reservation_id,
      min(c.starts_at) over (partition by r.customer_id order by c.starts_at desc
        range between unbounded preceding and interval '1 microsecond' preceding) as next_at
    from class_reservation r join single_class c using (single_class_id) where ${VISITED} and ${where}) v
  order by v.customer_id, v.location_id, v.starts_at, v.single_class_id`

/** Makes this transaction the only one that derives; false: another one does. */
export async function tryLockRollups(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ is_ours: boolean }>(sql`select pg_try_advisory_xact_lock(hashtext('rollups')) as is_ours`)
  return rows[0]?.is_ours ?? false
}

/** Keeps the months of another zone from now on: every customer is out of date where it was another one. */
export async function saveZone(tx: Tx, zone: string): Promise<void> {
  const { rows } = await tx.execute<{ zone: string }>(sql`select zone from rollup_zone`)
  if (rows[0]?.zone === zone) return
  await tx.execute(sql`insert into rollup_change (customer_id) select distinct customer_id from visit_first`)
  await tx.execute(sql`insert into rollup_zone (zone) values (${zone}) on conflict (is_only) do update set zone = excluded.zone`)
}

/** Takes at most `limit` entries off the record of changes, the oldest first: the classes and customers to derive. */
export async function takeChanged(tx: Tx, limit: number): Promise<{ taken: number; classes: number[]; customers: number[] }> {
  const { rows } = await tx.execute<{ single_class_id: number | null; customer_id: number | null }>(sql`
    delete from rollup_change where rollup_change_id in (select rollup_change_id from rollup_change order by rollup_change_id limit ${limit})
    returning single_class_id, customer_id`)
  return {
    taken: rows.length,
    classes: [...new Set(rows.flatMap((row) => row.single_class_id ?? []))],
    customers: [...new Set(rows.flatMap((row) => row.customer_id ?? []))],
  }
}

export async function hasChanges(db: Reader): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(sql`select exists (select from rollup_change) as has`)
  return rows[0]?.has ?? false
}

/** Derives the rollups of some classes again. */
export async function deriveClasses(tx: Tx, classes: readonly number[]): Promise<void> {
  if (classes.length === 0) return
  await tx.execute(sql`delete from class_rollup where single_class_id = any(${integerArray(classes)})`)
  await tx.execute(sql`insert into class_rollup ${classCounts((id) => sql`${id} = any(${integerArray(classes)})`)}`)
}

/** Derives the visits of some customers again. */
export async function deriveCustomers(tx: Tx, customers: readonly number[], zone: string): Promise<void> {
  if (customers.length === 0) return
  const those = sql`r.customer_id = any(${integerArray(customers)})`
  await tx.execute(sql`delete from visit_month where customer_id = any(${integerArray(customers)})`)
  await tx.execute(sql`insert into visit_month ${visitMonths(those, zone)}`)
  await tx.execute(sql`delete from visit_first where customer_id = any(${integerArray(customers)})`)
  await tx.execute(sql`insert into visit_first ${firstVisits(those)}`)
}

/** Says that everything is out of date; reports count all of it again until it is derived. */
export async function markEverything(tx: Tx): Promise<void> {
  await tx.execute(sql`insert into rollup_change (single_class_id) select single_class_id from single_class order by 1`)
  await tx.execute(sql`insert into rollup_change (customer_id) select customer_id from customer order by 1`)
}

/** Ids in a range, the last one included. */
export interface IdRange {
  from: number
  to: number
}

/** The highest ids that there are: of classes and of customers. */
export async function highestIds(db: Reader): Promise<{ classes: number; customers: number }> {
  const { rows } = await db.execute<{ classes: number; customers: number }>(sql`
    select greatest((select max(single_class_id) from single_class), (select max(single_class_id) from class_rollup), 0) as classes,
      greatest((select max(customer_id) from customer), (select max(customer_id) from visit_month), 0) as customers`)
  return rows[0] ?? { classes: 0, customers: 0 }
}

const differing = (expected: SQL, stored: SQL, key: SQL): SQL => sql`
  with expected as (${expected}), kept as (${stored})
  select distinct d.${key} as id from ((select * from expected except select * from kept) union all (select * from kept except select * from expected)) d
  where not exists (select from rollup_change q where q.${key} = d.${key}) order by 1`

/** Classes of a range whose stored counts differ from their reservations, although they are not marked as out of date. */
export async function listWrongClasses(db: Reader, { from, to }: IdRange): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(
    differing(
      classCounts((id) => sql`${id} between ${from} and ${to}`),
      sql`select * from class_rollup where single_class_id between ${from} and ${to}`,
      sql`single_class_id`,
    ),
  )
  return rows.map(({ id }) => id)
}

/** The same for customers and their visits, in the zone of the stored months. */
export async function listWrongCustomers(db: Reader, { from, to }: IdRange, zone: string): Promise<number[]> {
  const those = sql`r.customer_id between ${from} and ${to}`
  const found = await Promise.all(
    [
      [visitMonths(those, zone), sql`select * from visit_month where customer_id between ${from} and ${to}`] as const,
      [firstVisits(those), sql`select * from visit_first where customer_id between ${from} and ${to}`] as const,
    ].map(([expected, stored]) => db.execute<{ id: number }>(differing(expected, stored, sql`customer_id`))),
  )
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id)))].sort((a, b) => a - b)
}

export async function markClasses(tx: Tx, classes: readonly number[]): Promise<void> {
  await tx.execute(sql`insert into rollup_change (single_class_id) select unnest(${integerArray(classes)})`)
}

export async function markCustomers(tx: Tx, customers: readonly number[]): Promise<void> {
  await tx.execute(sql`insert into rollup_change (customer_id) select unnest(${integerArray(customers)})`)
}

/**
 * Common table expressions for one statement of a report. A statement reads changes, rollups and reservations as of the same instant: what
 * is not out of date comes from the rollups, the rest from the reservations. `classes`: a query of the ids of the classes that are needed.
 */
export const countsOfClasses = (classes: SQL): SQL => sql`
  changed_class as materialized (
    select distinct q.single_class_id from rollup_change q where q.single_class_id in (${classes})
  ), class_counts as (
    select k.* from class_rollup k where not exists (select from changed_class q where q.single_class_id = k.single_class_id)
    union all ${classCounts((id) => sql`${id} in (select single_class_id from changed_class)`)}
  )`

/** Customers whose visits are out of date; all of them where the rollups are stored by the months of another zone. */
const changedCustomers = (zone: string): SQL => sql`changed_customer as materialized (
  select q.customer_id from rollup_change q where q.customer_id is not null
  union select v.customer_id from visit_first v where (select zone from rollup_zone) is distinct from ${zone})`

const UNCHANGED = sql`not exists (select from changed_customer q where q.customer_id = v.customer_id)`
const CHANGED = sql`r.customer_id in (select customer_id from changed_customer)`

/** Narrows a column with the id of a location; nothing where all of them count. */
type AtLocations = (location_id: SQL) => SQL

/**
 * The same for `first_visit`: of each customer whose first visit, of all or of those `there`, was within some instants, that visit, with
 * the columns of `visit_first`. Customers with visits in the previous system (IM16) are left out.
 */
export function firstVisitsWithin(stretch: { from: Date; until: Date }, there: AtLocations, zone: string): SQL {
  const within = sql`v.starts_at >= ${stretch.from.toISOString()}::timestamptz and v.starts_at < ${stretch.until.toISOString()}::timestamptz`
  const isFirst = (table: SQL) => sql`${within} ${there(sql`v.location_id`)} and not exists (select from ${table} e
    where e.customer_id = v.customer_id and (e.starts_at, e.single_class_id) < (v.starts_at, v.single_class_id) ${there(sql`e.location_id`)}) and not ${hadPastVisits(sql`v.customer_id`)}`
  const columns = sql`v.customer_id, v.location_id, v.starts_at, v.single_class_id, v.class_reservation_id, v.next_at`
  return sql`
    ${changedCustomers(zone)}, changed_first as materialized (${firstVisits(CHANGED)}), first_visit as (
      select ${columns} from visit_first v where ${UNCHANGED} and ${isFirst(sql`visit_first`)}
      union all select ${columns} from changed_first v where ${isFirst(sql`changed_first`)}
    )`
}

/**
 * The same for `visited_before`, after a `candidate` with a `customer_id`: those of them with a visit before an instant, of all or of those
 * `there`, each once.
 */
export function visitedBefore(instant: Date, there: AtLocations, zone: string): SQL {
  const before = (starts_at: SQL) => sql`${starts_at} < ${instant.toISOString()}::timestamptz`
  const isCandidate = (customer_id: SQL) => sql`${customer_id} in (select customer_id from candidate)`
  return sql`
    ${changedCustomers(zone)}, visited_before as materialized (
      select v.customer_id from visit_first v where ${isCandidate(sql`v.customer_id`)} and ${UNCHANGED} and ${before(sql`v.starts_at`)} ${there(sql`v.location_id`)}
      union select r.customer_id from class_reservation r join single_class c using (single_class_id)
        where ${CHANGED} and ${isCandidate(sql`r.customer_id`)} and ${VISITED} and ${before(sql`c.starts_at`)} ${there(sql`c.location_id`)}
      union select v.customer_id from past_visit v where ${isCandidate(sql`v.customer_id`)} and ${before(sql`coalesce(v.last_at, v.until_at)`)}
    )`
}

/**
 * The same for `member_month`, after `firstVisitsWithin` and a `member` with a `customer_id`: their visits before an instant by month and
 * location. A mark before a class begins is a future visit: such a month is counted again.
 */
export function monthsOfMembers(until: Date, there: AtLocations, zone: string): SQL {
  const end = sql`${until.toISOString()}::timestamptz`
  const here = sql`r.customer_id in (select customer_id from member) and c.starts_at < ${end} ${there(sql`c.location_id`)}`
  return sql`kept_month as materialized (
      select v.* from member join visit_month v using (customer_id) where ${UNCHANGED} and v.first_at < ${end} ${there(sql`v.location_id`)}
    ), member_month as (
      select v.customer_id, v.month, v.visits, v.first_at, v.last_at from kept_month v where v.last_at < ${end}
      union all select w.customer_id, w.month, w.visits, w.first_at, w.last_at from kept_month v
        cross join lateral (${visitMonths(
          sql`r.customer_id = v.customer_id and c.location_id = v.location_id and c.starts_at >= v.first_at
          and c.starts_at < ${end}`,
          zone,
        )}) w
      where v.last_at >= ${end} and w.month = v.month
      union all select w.customer_id, w.month, w.visits, w.first_at, w.last_at from (${visitMonths(sql`${CHANGED} and ${here}`, zone)}) w
    )`
}
