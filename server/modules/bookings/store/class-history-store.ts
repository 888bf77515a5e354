/** The query of a class's history: reservations, attendance marks, waitlist and changes of the class itself, newest first. */
import { sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'

export interface HistoryRow {
  at: string
  action: string
  class_reservation_id: number | null
  customer_id: number | null
  name: string | null
  guest: string | null
  /** The name of the staff member. */
  staff: string | null
  actor: string | null
  source: string | null
  reason: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Maximum number of rows: a class of 30 with a full waitlist has some hundred. */
const MOST = 500

/**
 * Bookings and cancellations come from the reservations' own rows; the staff member who made them, and every other event, from the audit
 * trail. Times are text with the database's microseconds, so that events of the same millisecond stay in order.
 */
export async function listClassHistory(on: Reader, single_class_id: number): Promise<HistoryRow[]> {
  const { rows } = await on.execute<HistoryRow & Record<string, unknown>>(sql`
    with place as (
      select r.*, trim(concat_ws(' ', c.name, c.last_name)) as person from class_reservation r join customer c using (customer_id)
      where r.single_class_id = ${single_class_id}),
    entry as (
      select w.*, trim(concat_ws(' ', c.name, c.last_name)) as person from waitlist w join customer c using (customer_id)
      where w.single_class_id = ${single_class_id}),
    trail as (
      select a.*, s.name as staff from audit a left join staff s on s.staff_id = a.actor_id and a.actor like 'staff%'
      where (a.entity = 'class_reservation' and a.entity_id in (select class_reservation_id::text from place))
        or (a.entity = 'waitlist' and a.entity_id in (select waitlist_id::text from entry))
        or (a.entity = 'single_class' and a.entity_id = ${String(single_class_id)})),
    told as (
      select p."createdAt" as at, 'booked' as action, p.class_reservation_id, p.customer_id, p.person as name, p.guest,
        (select t.staff from trail t where t.action in ('reservation.create', 'reservation.move') and t.entity_id = p.class_reservation_id::text limit 1) as staff,
        null as actor, p.source, (select t.reason from trail t where t.action = 'reservation.move' and t.entity_id = p.class_reservation_id::text limit 1) as reason,
        null::jsonb as before, jsonb_build_object('spot', p.spot) as after
      from place p
      union all
      select p."deletedAt", 'cancelled', p.class_reservation_id, p.customer_id, p.person, p.guest,
        (select t.staff from trail t where t.action = 'reservation.cancel' and t.entity_id = p.class_reservation_id::text order by t.audit_id desc limit 1),
        p.cancelled_by, p.source,
        (select t.reason from trail t where t.action = 'reservation.cancel' and t.entity_id = p.class_reservation_id::text order by t.audit_id desc limit 1),
        null, jsonb_build_object('late', p.cancelled_late)
      from place p where p."deletedAt" is not null
      union all
      select w."createdAt", 'waitlist.joined', null, w.customer_id, w.person, null,
        (select t.staff from trail t where t.action = 'waitlist.join' and t.entity_id = w.waitlist_id::text limit 1), null, null, null, null, null
      from entry w
      union all
      select t.at, t.action, p.class_reservation_id, coalesce(p.customer_id, w.customer_id), coalesce(p.person, w.person), p.guest, t.staff, t.actor, null,
        t.reason, t.before, t.after
      from trail t
        left join place p on t.entity = 'class_reservation' and p.class_reservation_id::text = t.entity_id
        left join entry w on t.entity = 'waitlist' and w.waitlist_id::text = t.entity_id
      where t.action not in ('reservation.create', 'reservation.cancel', 'reservation.move', 'waitlist.join'))
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, action, class_reservation_id, customer_id, name, guest, staff, actor,
      source, reason, before, after
    from told order by told.at desc, action limit ${MOST}`)
  return rows
}
