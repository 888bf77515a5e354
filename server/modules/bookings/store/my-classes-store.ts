/** Queries of Mis clases; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import type { Reader } from '#server/platform/db.ts'

const among = (ids: readonly number[]): SQL => sql`r.single_class_id = any(${`{${ids.join(',')}}`}::integer[])
  and r."deletedAt" is null and r.host_reservation_id is null`

/** How many people have no earlier class at the studio, by class; classes without any are left out. */
export async function countFirstTimers(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ single_class_id: number; people: number }>(sql`
    select r.single_class_id, count(*)::int as people from class_reservation r join single_class c using (single_class_id)
    where ${among(ids)} and not exists (
      select 1 from class_reservation e join single_class o using (single_class_id)
      where e.customer_id = r.customer_id and e."deletedAt" is null and e.host_reservation_id is null
        and o."cancelledAt" is null and o.starts_at < c.starts_at)
    group by 1`)
  return new Map(rows.map((row) => [row.single_class_id, row.people]))
}

export interface BirthdayRow extends Record<string, unknown> {
  single_class_id: number
  name: string
  last_name: string
  birthdate: LocalDate
}

/** The people of some classes whose birthday is known. */
export async function listBirthdates(db: Reader, ids: readonly number[]): Promise<BirthdayRow[]> {
  if (ids.length === 0) return []
  const { rows } = await db.execute<BirthdayRow>(sql`
    select r.single_class_id, p.name, p.last_name, p.birthdate::text as birthdate from class_reservation r join customer p using (customer_id)
    where ${among(ids)} and p.birthdate is not null order by p.name, p.customer_id`)
  return rows
}

/** The latest comments about a coach's classes since an instant, with the day of the class. */
export async function listComments(
  db: Reader,
  input: { instructor_id: number; since: Date; zone: string; limit: number },
): Promise<{ text: string; date: LocalDate }[]> {
  const { rows } = await db.execute<{ text: string; date: LocalDate }>(sql`
    select trim(r.comment) as text, to_char(c.starts_at at time zone coalesce(l.timezone, ${input.zone}), 'YYYY-MM-DD') as date
    from class_reservation r join single_class c using (single_class_id) join location l using (location_id)
    where r.coach_stars is not null and nullif(trim(r.comment), '') is not null and c.starts_at >= ${input.since.toISOString()}
      and exists (select 1 from class_instructor i where i.single_class_id = c.single_class_id and i.instructor_id = ${input.instructor_id})
    order by c.starts_at desc, r.class_reservation_id desc limit ${input.limit}`)
  return rows
}
