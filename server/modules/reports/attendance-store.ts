/** Queries of attendance, absences and cancellations; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { GroupKey } from '#contract/copy/reports.ts'
import type { LocalDate } from '#contract/time.ts'
import { countsOfClasses, ENDED, MADE } from '#server/modules/rollups/rollups.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, coachName, customerName, sqlClasses, sqlWallClock, typeName } from './occupancy-store.ts'
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

const KEYS = ['reservations', 'attended', 'absent', 'excused', 'unmarked', 'late', 'cancelled'] as const
/** The sums over rows `m` that have counts. */
const SUMS = sql.join(
  KEYS.map((key) => sql.raw(`coalesce(sum(m.${key}), 0)::float8 as ${key}`)),
  sql`, `,
)

/** The classes of a period as `c`, with their location's `location` and `wall`. */
const classes = (period: Period, filter: ClassFilter, zone: string): SQL => sql`
  c as materialized (select c.single_class_id, c.class_type_id, c.location_id, c.starts_at, l.name as location, ${sqlWallClock(zone)} as wall
    from ${sqlClasses(period, filter, zone)})`

/** The same, and the counts of those that have reservations. */
const counted = (period: Period, filter: ClassFilter, zone: string): SQL =>
  sql`${classes(period, filter, zone)}, ${countsOfClasses(sql`select single_class_id from c`)}`

export type AttendanceDay = AttendanceSums & { day: LocalDate; id: number; name: string }

/**
 * By day on the clocks of the studio's zone and class type: every class is in one of them, so that days, types and the whole period are
 * sums of them.
 */
export async function attendanceByDayAndType(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<AttendanceDay[]> {
  const { rows } = await db.execute<AttendanceDay>(sql`
    with ${counted(period, filter, zone)}
    select d.day, d.id, t.name, d.reservations, d.attended, d.absent, d.excused, d.unmarked, d.late, d.cancelled
    from (select to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, c.class_type_id as id, ${SUMS}
      from c join class_counts m using (single_class_id) group by 1, 2) d join class_type t on t.class_type_id = d.id
    order by 1, 2`)
  return rows
}

export type AttendanceGroup = AttendanceSums & { id: number; name: string; detail: string | null }

const GROUPED: Readonly<Partial<Record<GroupKey, { id: SQL; name: SQL; detail?: SQL; join?: SQL }>>> = {
  location: { id: sql`c.location_id`, name: sql`c.location` },
  coach: {
    id: sql`o.instructor_id`,
    name: sql`o.name`,
    join: sql`join lateral (select t.instructor_id, coalesce(nullif(t.nick_name, ''), t.name) as name
      from class_instructor ci join instructor t using (instructor_id) where ci.single_class_id = c.single_class_id) o on true`,
  },
  class: {
    id: sql`c.single_class_id`,
    name: sql`to_char(c.wall, 'YYYY-MM-DD"T"HH24:MI')`,
    detail: sql`concat_ws(' · ', ${typeName}, ${coachName}, c.location)`,
  },
}

const FIRST_THE_WORST = sql`order by absent desc, late desc, 2, 1`

/** By person, from the reservations themselves. */
const byPerson = (period: Period, filter: ClassFilter, zone: string): SQL => sql`
  with ${classes(period, filter, zone)}
  select m.customer_id as id, ${customerName} as name, null as detail, ${sql.join(
    KEYS.map((key) => sql.raw(`m.${key}::float8`)),
    sql`, `,
  )}
  from (select r.customer_id, ${ENDED} from c join class_reservation r using (single_class_id) where ${MADE} group by 1) m
    join customer u using (customer_id) ${FIRST_THE_WORST}`

/**
 * By type, coach, location, class or person: those with the most absences and late cancellations first. A class with two coaches counts
 * for both.
 */
export async function attendanceByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: GroupKey,
): Promise<AttendanceGroup[]> {
  if (group === 'person') return (await db.execute<AttendanceGroup>(byPerson(period, filter, zone))).rows
  const by = GROUPED[group]
  if (!by) throw new Error(`Attendance is not grouped by ${group}.`)
  const { rows } = await db.execute<AttendanceGroup>(sql`
    with ${counted(period, filter, zone)}
    select ${by.id} as id, ${by.name} as name, ${by.detail ?? sql`null`} as detail, ${SUMS}
    from c join class_counts m using (single_class_id) ${by.join ?? sql``}
    group by 1, 2, 3 ${group === 'class' ? sql`order by 2 desc, 1` : FIRST_THE_WORST}`)
  return rows
}
