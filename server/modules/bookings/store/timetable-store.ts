/**
 * Queries of the timetable. The classes are read as one text of JSON values: a tenth of the time of one row per class, and a class whose
 * text is the same as before is not parsed again.
 */
import { sql } from 'drizzle-orm'
import { genericPlanParam, prepared, type Reader, singleRow } from '#server/platform/db.ts'

/** A class as stored, parsed from its text; instants in milliseconds. */
export interface ClassRow {
  single_class_id: number
  class_type_id: number
  location_id: number
  room_id: number | null
  class_category_id: number | null
  class_package_id: number | null
  starts: number
  ends: number
  description: string
  icon: string | null
  capacity: number | null
  taken: number
  held: number
  spot_map: string | null
  closed_spots: string[]
  substitutes_for: number | null
  price_centavos: number | null
  cancelled: boolean
  moved: number | null
  cancel_reason: string | null
  coaches: number[] | null
  tags: number[] | null
  spots: string[] | null
}

/** All rows that classes refer to: some dozens that change rarely. */
export interface Names {
  types: { class_type_id: number; name: string; icon: string | null; spot_map: string | null; image: string | null }[]
  locations: { location_id: number; name: string; address: string; timezone: string | null; archived: boolean }[]
  coaches: {
    instructor_id: number
    name: string
    last_name: string
    nick_name: string | null
    birthdate: string | null
    photo: string | null
  }[]
  tags: { tag_id: number; name: string; color: string | null }[]
  rooms: { room_id: number; map: unknown }[]
  /** Days without classes that customers see. */
  holidays: { name: string; from_day: string; to_day: string; location_ids: number[] | null }[]
}

const literal = sql`(select 1) as one`
const fields = sql`
  c.single_class_id, c.class_type_id, c.location_id, c.room_id, c.class_category_id, c.class_package_id,
  (extract(epoch from c.starts_at) * 1000)::bigint as starts, (extract(epoch from c.ends_at) * 1000)::bigint as ends,
  c.description, c.icon, c.capacity, c.taken, c.held, c.spot_map, c.closed_spots, c.substitutes_for, c.price_centavos, c."cancelledAt" is not null as cancelled,
  (extract(epoch from c."movedAt") * 1000)::bigint as moved, c.cancel_reason,
  (select array_agg(i.instructor_id order by i.sort, i.instructor_id) from class_instructor i where i.single_class_id = c.single_class_id) as coaches,
  (select array_agg(t.tag_id order by t.tag_id) from class_tag t where t.single_class_id = c.single_class_id) as tags,
  case when c.spot_map is not null then
    (select array_agg(r.spot) from class_reservation r where r.single_class_id = c.single_class_id and r."deletedAt" is null and r.spot is not null) end as spots`

/** Everything that classes refer to, deleted rows included: an old class still shows its names. */
const names = {
  names: sql<string>`(select json_build_object(
    'types', (select coalesce(json_agg(t), '[]') from (select class_type_id, name, icon, spot_map, image from class_type) t),
    'locations', (select coalesce(json_agg(l), '[]') from (select location_id, name, address, timezone, "deletedAt" is not null as archived from location) l),
    'coaches', (select coalesce(json_agg(i), '[]') from (select instructor_id, name, last_name, nick_name, birthdate, photo from instructor) i),
    'tags', (select coalesce(json_agg(g), '[]') from (select tag_id, name, color from tag) g),
    'rooms', (select coalesce(json_agg(o), '[]') from (select room_id, map from room) o),
    'holidays', (select coalesce(json_agg(h), '[]') from (
      select name, from_day, to_day, location_ids from holiday where public order by from_day, holiday_id) h))::text)`,
}

/** Separates the classes: a control character, which JSON escapes. */
const SEPARATOR = '\u001e'
const texts = sql.raw(`string_agg(row_to_json(f)::text, E'\\x1e')`)

const between = {
  classes: sql<string | null>`(select ${texts} from (
    select ${fields} from single_class c join location l using (location_id)
    where c.starts_at >= ${genericPlanParam('start', 'date')} - interval '15 hours' and c.starts_at < ${genericPlanParam('end', 'date')} + interval '39 hours'
      and (c.starts_at at time zone coalesce(l.timezone, ${sql.placeholder('zone')}))::date between ${genericPlanParam('start', 'date')} and ${genericPlanParam('end', 'date')}
    order by c.starts_at, c.single_class_id) f)`,
}
const byId = {
  classes: sql<string | null>`(select ${texts} from (
    select ${fields} from single_class c where c.single_class_id = any(${genericPlanParam('ids', 'integer[]')}::integer[])) f)`,
}

const readBetween = prepared('timetable.between', (on: Reader) => on.select(between).from(literal))
const readBetweenNamed = prepared('timetable.betweenNamed', (on: Reader) => on.select({ ...between, ...names }).from(literal))
const readById = prepared('timetable.byId', (on: Reader) => on.select(byId).from(literal))
const readByIdNamed = prepared('timetable.byIdNamed', (on: Reader) => on.select({ ...byId, ...names }).from(literal))

/** Which classes: by ids, or of a range of days, each in the location's time zone (`zone` for a location without one). */
export type Which = { ids: readonly number[] } | { start: string; end: string; zone: string }

/** The texts of classes, each a `ClassRow` as JSON that begins with its id. */
export async function listClasses(on: Reader, which: Which): Promise<string[]> {
  const [row] = await ('ids' in which ? readById(on).execute({ ids: `{${which.ids.join(',')}}` }) : readBetween(on).execute(which))
  return row?.classes?.split(SEPARATOR) ?? []
}

/** The same with everything that classes point at (`Names` as JSON), in one query. */
export async function listClassesAndNames(on: Reader, which: Which): Promise<{ classes: string[]; names: string }> {
  const { classes, names } = singleRow(
    await ('ids' in which ? readByIdNamed(on).execute({ ids: `{${which.ids.join(',')}}` }) : readBetweenNamed(on).execute(which)),
  )
  return { classes: classes?.split(SEPARATOR) ?? [], names }
}

const ID_AT = '{"single_class_id":'.length

/** The id at the beginning of a class's text. */
export const idInText = (text: string): number => Number.parseInt(text.slice(ID_AT, ID_AT + 10), 10)
