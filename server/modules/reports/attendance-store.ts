/** Queries of who came, who did not and who cancelled; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { GroupKey } from '#contract/copy/reports.ts'
import type { LocalDate } from '#contract/time.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, classesOf, coachName, customerName, typeName, wallOf } from './occupancy-store.ts'
import type { Period } from './rules.ts'

/** Each reservation that was made is in exactly one of the others. */
export interface AttendanceSums extends Record<string, unknown> {
  reservations: number
  attended: number
  /** Not excused. */
  absent: number
  excused: number
  /** Without a mark: the list was not used, or the class is to come. */
  unmarked: number
  late: number
  /** In time. */
  cancelled: number
}

/** A reservation that was undone, moved, or cancelled with its class was not made, as far as this report is concerned. */
const MADE = sql`(r."deletedAt" is null or r.cancelled_by not in ('undo', 'move', 'studio'))`
const LATE = sql`r."deletedAt" is not null and coalesce(r.cancelled_late, false)`
const SUMS = sql`
  count(*)::float8 as reservations,
  (count(*) filter (where r."deletedAt" is null and r.attend))::float8 as attended,
  (count(*) filter (where r."deletedAt" is null and not r.attend and r.excuse is null))::float8 as absent,
  (count(*) filter (where r."deletedAt" is null and not r.attend and r.excuse is not null))::float8 as excused,
  (count(*) filter (where r."deletedAt" is null and r.attend is null))::float8 as unmarked,
  (count(*) filter (where ${LATE}))::float8 as late,
  (count(*) filter (where r."deletedAt" is not null and not (${LATE})))::float8 as cancelled`

/** The reservations of the classes of a period, as `r`, with their class `c` and its location's `location` and `wall`. */
const reservations = (period: Period, filter: ClassFilter, zone: string): SQL => sql`(
  select c.single_class_id, c.class_type_id, c.location_id, c.starts_at, l.name as location, ${wallOf(zone)} as wall
  from ${classesOf(period, filter, zone)}) c
  join class_reservation r on r.single_class_id = c.single_class_id and ${MADE}`

export type AttendanceDay = AttendanceSums & { day: LocalDate; id: number; name: string }

/** By day on the clocks of the studio's zone and class type: every class is in one of them, so that days, types and the whole period are sums of them. */
export async function attendanceByDayAndType(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<AttendanceDay[]> {
  const { rows } = await db.execute<AttendanceDay>(sql`
    select d.day, d.id, t.name, d.reservations, d.attended, d.absent, d.excused, d.unmarked, d.late, d.cancelled
    from (select to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, c.class_type_id as id, ${SUMS}
      from ${reservations(period, filter, zone)} group by 1, 2) d join class_type t on t.class_type_id = d.id
    order by 1, 2`)
  return rows
}

export type AttendanceGroup = AttendanceSums & { id: number; name: string; detail: string | null }

const GROUPED: Readonly<Partial<Record<GroupKey, { id: SQL; name: SQL; detail?: SQL; join?: SQL }>>> = {
  location: { id: sql`c.location_id`, name: sql`c.location` },
  coach: {
    ...{ id: sql`o.instructor_id`, name: sql`o.name` },
    join: sql`join lateral (select t.instructor_id, coalesce(nullif(t.nick_name, ''), t.name) as name
      from class_instructor ci join instructor t using (instructor_id) where ci.single_class_id = c.single_class_id) o on true`,
  },
  class: {
    ...{ id: sql`c.single_class_id`, name: sql`to_char(c.wall, 'YYYY-MM-DD"T"HH24:MI')` },
    detail: sql`concat_ws(' · ', ${typeName}, ${coachName}, c.location)`,
  },
  person: { id: sql`r.customer_id`, name: customerName, join: sql`join customer u on u.customer_id = r.customer_id` },
}

/** By type, coach, location, class or person: those with the most absences and late cancellations first. A class with two coaches counts for both. */
export async function attendanceByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: GroupKey,
): Promise<AttendanceGroup[]> {
  const by = GROUPED[group]
  if (!by) throw new Error(`Attendance is not grouped by ${group}.`)
  const { rows } = await db.execute<AttendanceGroup>(sql`
    select ${by.id} as id, ${by.name} as name, ${by.detail ?? sql`null`} as detail, ${SUMS}
    from ${reservations(period, filter, zone)} ${by.join ?? sql``}
    group by 1, 2, 3 ${group === 'class' ? sql`order by 2 desc, 1` : sql`order by absent desc, late desc, 2, 1`}`)
  return rows
}
