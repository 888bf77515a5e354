/** Everything that happened to one customer, read across lower modules; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { TimelineKind } from '#contract/copy/customer-timeline.ts'
import type { Reader } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'

export interface TimelineRow extends Record<string, unknown> {
  /** ISO 8601. */
  at: string
  kind: TimelineKind
  /** The record that it is about. */
  id: number
  /** The name of the staff member. */
  who: string | null
  facts: Record<string, unknown>
}

interface Scope {
  customer_id: number
  /** Locations of the reader; null = all. */
  locations: readonly number[] | null
}

/** The staff member of an entry, by the audit trail. */
const byAudit = (entity: string, id: SQL, action: string): SQL => sql`(
  select s.name from audit a join staff s on s.staff_id = a.actor_id
  where a.entity = ${entity} and a.entity_id = ${id}::text and a.action = ${action} and a.actor like 'staff%'
  order by a.audit_id desc limit 1)`

const CLASS = sql`'type', ct.name, 'starts_at', to_char(sc.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'zone', l.timezone`
const OF_CLASS = sql`join single_class sc using (single_class_id) join class_type ct using (class_type_id) join location l using (location_id)`

const staffName = (id: SQL): SQL => sql`(select s.name from staff s where s.staff_id = ${id})`

const ofClass = ({ customer_id, locations }: Scope, alias: SQL): SQL =>
  sql`${alias}.customer_id = ${customer_id}${locations === null ? sql`` : sql` and sc.location_id = any(${integerArray(locations)})`}`

/** As `purchaseAt` of the sales: sold or received at one of the locations, or online (E14). */
const ofPurchase = ({ customer_id, locations }: Scope): SQL =>
  sql`p.customer_id = ${customer_id}${
    locations === null
      ? sql``
      : sql` and (p.location_id is null or p.location_id = any(${integerArray(locations)})
          or exists (select 1 from invoice o where o.purchase_id = p.purchase_id and o.location_id = any(${integerArray(locations)})))`
  }`

/**
 * A source of entries: columns `at`, `id`, `who` and `facts`, and the rest of its query. A source per kind, each with an index on
 * its customer.
 */
const SOURCES: Readonly<Record<TimelineKind, (scope: Scope) => SQL>> = {
  booked: (scope) => sql`
    select r."createdAt" as at, r.class_reservation_id as id,
      case when r.source in ('staff', 'repeat', 'move') then ${byAudit('class_reservation', sql`r.class_reservation_id`, 'reservation.create')} end as who,
      jsonb_build_object(${CLASS}, 'source', r.source, 'spot', r.spot, 'room', sc.room_id, 'spot_map', sc.spot_map, 'guest', r.guest, 'owed', r.is_cash and not r.is_paid) as facts
    from class_reservation r ${OF_CLASS} where ${ofClass(scope, sql`r`)}`,
  cancelled: (scope) => sql`
    select r."deletedAt" as at, r.class_reservation_id as id,
      case when r.cancelled_by = 'staff' then ${byAudit('class_reservation', sql`r.class_reservation_id`, 'reservation.cancel')} end as who,
      jsonb_build_object(${CLASS}, 'by', r.cancelled_by, 'late', r.cancelled_late, 'guest', r.guest) as facts
    from class_reservation r ${OF_CLASS} where ${ofClass(scope, sql`r`)} and r."deletedAt" is not null`,
  attended: (scope) => attendance(scope, true),
  no_show: (scope) => attendance(scope, false),
  waitlist: (scope) => sql`
    select w."createdAt" as at, w.waitlist_id as id, ${byAudit('waitlist', sql`w.waitlist_id`, 'waitlist.join')} as who,
      jsonb_build_object(${CLASS}, 'class_id', w.single_class_id) as facts
    from waitlist w ${OF_CLASS} where ${ofClass(scope, sql`w`)}`,
  penalty: ({ customer_id }) => sql`
    select p."createdAt" as at, p.class_reservation_penalty_id as id, ${byAudit('class_reservation_penalty', sql`p.class_reservation_penalty_id`, 'penalty.create')} as who,
      jsonb_build_object('until', to_char(p.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'reason', p.reason) as facts
    from class_reservation_penalty p where p.customer_id = ${customer_id}`,
  purchase: (scope) => sql`
    select p."createdAt" as at, p.purchase_id as id, ${staffName(sql`p.staff_id`)} as who,
      jsonb_build_object('title', p.title, 'total', p.total_centavos, 'code', p.discount_code, 'gift', p.is_gift, 'status', p.status,
        'location', (select l.name from location l where l.location_id = p.location_id)) as facts
    from purchase p where ${ofPurchase(scope)}`,
  charge: (scope) => sql`
    select coalesce(i."paidAt", i."createdAt") as at, i.invoice_id as id, ${staffName(sql`i.staff_id`)} as who,
      jsonb_build_object('title', p.title, 'total', i.total_centavos, 'status', i.status, 'purchase_id', p.purchase_id,
        'by', coalesce(m.name, i.label)) as facts
    from invoice i join purchase p using (purchase_id) left join payment_method m on m.payment_method_id = i.payment_method_id
    where i.customer_id = ${scope.customer_id} and i.status not in ('pending', 'void') and ${ofPurchase(scope)}`,
  refund: (scope) => sql`
    select coalesce(f."doneAt", f."createdAt") as at, f.refund_id as id, ${staffName(sql`f.staff_id`)} as who,
      jsonb_build_object('title', p.title, 'amount', f.amount_centavos, 'state', f.state, 'reason', f.reason, 'purchase_id', p.purchase_id) as facts
    from purchase p join refund f using (purchase_id) where ${ofPurchase(scope)}`,
  credits: ({ customer_id }) => sql`
    select m."createdAt" as at, m.credit_movement_id as id, ${staffName(sql`substring(m.actor from '^staff:(\\d+)$')::integer`)} as who,
      jsonb_build_object('kind', m.kind, 'amount', m.amount, 'title', l.title, 'reason', m.reason) as facts
    from credit_movement m join available_class l using (available_class_id)
    where m.customer_id = ${customer_id} and m.class_reservation_id is null and (m.kind <> 'grant' or l.purchase_id is null)`,
  // One entry per message, whatever channels it took.
  message: ({ customer_id }) => sql`
    select max(coalesce(g."sentAt", g."createdAt")) as at, min(g.message_id) as id, null as who,
      jsonb_build_object('title', min(g.words ->> 'title'), 'channels', jsonb_object_agg(g.channel, g.status)) as facts
    from message g where g.customer_id = ${customer_id} group by g.event, g.about`,
  change: ({ customer_id }) => sql`
    select a.at, a.audit_id as id, s.name as who, jsonb_build_object('action', a.action, 'before', a.before, 'after', a.after, 'reason', a.reason,
      'customer', (select trim(concat_ws(' ', c.name, c.last_name)) from customer c where c.customer_id = ${customer_id})) as facts
    from audit a left join staff s on a.actor like 'staff:%' and s.staff_id = a.actor_id
    where a.customer_id = ${customer_id} and a.entity = 'customer' and a.action not in ('credits.give', 'form_answer.read')`,
}

/** Marks of attendance. A roster without any mark counts as attended when it is closed (A4). */
function attendance(scope: Scope, attend: boolean): SQL {
  const isMarked = attend ? sql`(r.attend or (r.attend is null and sc."settledAt" is not null))` : sql`r.attend = false`
  return sql`
    select coalesce(r."markedAt", sc.starts_at) as at, r.class_reservation_id as id, ${staffName(sql`r.marked_by`)} as who,
      jsonb_build_object(${CLASS}, 'spot', r.spot, 'guest', r.guest, 'excuse', r.excuse) as facts
    from class_reservation r ${OF_CLASS}
    where ${ofClass(scope, sql`r`)} and r."deletedAt" is null and sc."cancelledAt" is null and ${isMarked}`
}

/** A stretch of entries of the given kinds, newest first. Each source yields at most what the stretch can contain. */
export async function listTimeline(
  on: Reader,
  { kinds, limit, offset, ...scope }: Scope & { kinds: readonly TimelineKind[]; limit: number; offset: number },
): Promise<TimelineRow[]> {
  const parts = kinds.map(
    (kind) => sql`(select ${kind}::text as kind, e.at, e.id::float8 as id, e.who, e.facts from (${SOURCES[kind](scope)}) e
      order by e.at desc, e.id desc limit ${limit + offset})`,
  )
  const { rows } = await on.execute<TimelineRow>(sql`
    select kind, id, who, facts, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from (${sql.join(parts, sql` union all `)}) told order by told.at desc, kind, id desc limit ${limit} offset ${offset}`)
  return rows
}
