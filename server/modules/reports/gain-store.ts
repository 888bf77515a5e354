/** Queries of what classes brought in; read-only. */
import { sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { incomeOfClasses, requireClassIncome } from '#server/modules/income/income.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { type ClassFilter, sqlClasses, sqlWallClock } from './occupancy-store.ts'
import type { Period } from './rules.ts'

export interface ClassIncome extends Record<string, unknown> {
  single_class_id: number
  /** On the clocks of the studio. */
  day: LocalDate
  /** On the clock of the location, written as UTC. */
  wall: string
  /** "4-18:00", on the clock of the location. */
  slot: string
  class_type_id: number
  type: string
  /** The first coach, for its name. */
  coach: string | null
  coaches: { id: number; name: string }[]
  location_id: number
  location: string
  /** 0: none. */
  room_id: number
  room: string
  /** Null: without a limit. */
  capacity: number | null
  /** Centavos. */
  income: number
}

/** The classes of a period that are over and were not cancelled, the latest first, with the income of each. INCOME_BEING_PREPARED. */
export async function listClassIncome(db: Reader, period: Period, filter: ClassFilter, zone: string, now: Date): Promise<ClassIncome[]> {
  await requireClassIncome(db, zone)
  const { rows } = await db.execute<ClassIncome>(sql`
    with given as materialized (
      select c.single_class_id, c.class_type_id, c.location_id, c.room_id, c.starts_at, c.capacity, ${sqlWallClock(zone)} as wall, l.name as location
      from ${sqlClasses(period, filter, zone)} and c.ends_at <= ${instantValue(now)}
    ), coach as (
      select ci.single_class_id, json_agg(json_build_object('id', i.instructor_id, 'name', coalesce(nullif(i.nick_name, ''), i.name))
        order by ci.sort, ci.instructor_id) as coaches
      from class_instructor ci join instructor i using (instructor_id) where ci.single_class_id in (select single_class_id from given) group by 1
    ), ${incomeOfClasses(sql`select single_class_id from given`, zone)}
    select c.single_class_id, to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, to_char(c.wall, 'YYYY-MM-DD"T"HH24:MI') as wall,
      to_char(c.wall, 'ID-HH24:MI') as slot, c.class_type_id, y.name as type, k.coaches -> 0 ->> 'name' as coach, coalesce(k.coaches, '[]') as coaches,
      c.location_id, c.location, coalesce(c.room_id, 0) as room_id, coalesce(r.name || ' · ' || c.location, 'Sin sala') as room, c.capacity,
      coalesce(n.income, 0)::float8 as income
    from given c join class_type y using (class_type_id) left join coach k using (single_class_id) left join class_income n using (single_class_id)
      left join room r on r.room_id = c.room_id
    order by c.starts_at desc, c.single_class_id`)
  return rows
}
