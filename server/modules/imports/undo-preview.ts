/**
 * What undoing an import would take back, and what would stay with its reason: the rules of `undoRow`, read for all rows at once;
 * nothing is written.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'
import { listReferringColumns } from '#server/platform/references.ts'

/** Why a row stays, as shown in its list afterwards. */
export const STAYS = {
  used: 'Ya reservó, compró o tiene cuenta.',
  reservation: 'Su reservación ya cambió.',
  single_class: 'Esta clase ya tiene reservaciones o cambió.',
  note: 'Alguien cambió esta nota.',
  pending_subscription: 'Ya puso su tarjeta, empezó o se quitó.',
  credits: 'Ya usó o cambió sus clases.',
  coach: 'Ya da clases o alguien cambió su perfil.',
} as const

export interface UndoPreview {
  /** Number of rows that would be undone. */
  rows: number
  stays: { message: string; rows: number }[]
}

/** Whether anything refers to the record, besides what is named in `but` ("class_reservation.host_reservation_id"). */
async function hasReferences(
  on: Reader,
  table: string,
  id: SQL,
  { but = [], which = 'restricting' }: { but?: readonly string[]; which?: 'restricting' | 'with cascades' } = {},
): Promise<SQL> {
  const columns = (await listReferringColumns(on, table, which)).filter(({ kind, column }) => !but.includes(`${kind}.${column}`))
  const each = columns.map(({ kind, column }) => sql`exists (select from ${sql.raw(kind)} ref where ref.${sql.identifier(column)} = ${id})`)
  return each.length > 0 ? sql`(${sql.join(each, sql` or `)})` : sql`false`
}

const HOST = 'class_reservation.host_reservation_id'

export async function previewUndo(on: Reader, import_id: number, now: Date): Promise<UndoPreview> {
  const at = sql`${now.toISOString()}::timestamptz`
  const isClassUsed = await hasReferences(on, 'single_class', sql`c.single_class_id`)
  const isReservationUsed = await hasReferences(on, 'class_reservation', sql`v.class_reservation_id`, { but: [HOST] })
  const isCoachUsed = await hasReferences(on, 'instructor', sql`i.instructor_id`, { which: 'with cascades' })
  const { rows } = await on.execute<{ why: keyof typeof STAYS | null; rows: number }>(sql`
    with done as materialized (
      select d.n, d.customer_id, d.undo from import_row d where d.import_id = ${import_id} and d.state = 'done'
    ), record as materialized (
      select d.n, d.customer_id, r->>'kind' as kind, (r->>'id')::integer as id, (r->>'attend')::boolean as attend
      from done d cross join lateral jsonb_array_elements(d.undo->'records') r
    ), place as materialized (
      select r.n, r.attend, v.class_reservation_id, v.single_class_id, v."deletedAt", v.attend as marked, v."createdAt", v."updatedAt"
      from record r join class_reservation v on r.kind = 'reservation' and (v.class_reservation_id = r.id or v.host_reservation_id = r.id)
    ), granted as materialized (
      select d.n, (g->>'available_class_id')::integer as id, (g->>'amount')::integer as amount, (g->>'frozenAt')::timestamptz as frozen_at,
        (select count(*) from place p where p.n = d.n) as places
      from done d cross join lateral jsonb_array_elements(d.undo->'granted') g
    ), changed_credits as materialized (
      select g.n, g.id from granted g join available_class a on a.available_class_id = g.id
      where a."revokedAt" is not null or a."frozenAt" is distinct from g.frozen_at or coalesce(a.granted, -1) <> g.amount
        or a.balance is distinct from (case when a.unlimited then null else g.amount - g.places end)
    ), why as (
      select d.n, case
        when (d.undo->>'made')::boolean and exists (select from customer u where u.customer_id = d.customer_id and (u.uid is not null
          or exists (select from class_reservation o where o.customer_id = u.customer_id)
          or exists (select from purchase o where o.customer_id = u.customer_id)
          or exists (select from waitlist o where o.customer_id = u.customer_id)
          or exists (select from payment_source o where o.customer_id = u.customer_id)
          or exists (select from available_class o where o.customer_id = u.customer_id and not exists (select from granted g
            where g.id = o.available_class_id and (g.n = d.n or not exists (select from changed_credits x where x.id = g.id)))))) then 'used'
        when exists (select from place v join single_class c using (single_class_id) where v.n = d.n and (c.starts_at <= ${at} and c.ends_at > ${at}
          or v."deletedAt" is not null or v.marked is distinct from v.attend or v."updatedAt" <> v."createdAt" or ${isReservationUsed})) then 'reservation'
        when exists (select from record r join single_class c on r.kind = 'single_class' and c.single_class_id = r.id
          where r.n = d.n and (c.taken > 0 or c.held > 0 or c."cancelledAt" is not null or c.own_changes or ${isClassUsed})) then 'single_class'
        when exists (select from record r join customer_note e on r.kind = 'note' and e.customer_note_id = r.id and e.customer_id = r.customer_id
          where r.n = d.n and (e."updatedAt" <> e."createdAt" or e.pinned or e.for_coaches)) then 'note'
        when exists (select from record r join pending_subscription p on r.kind = 'pending_subscription' and p.pending_subscription_id = r.id
          where r.n = d.n and (p.payment_source_id is not null or p.purchase_id is not null or p."cancelledAt" is not null)) then 'pending_subscription'
        when exists (select from record r left join instructor i on i.instructor_id = r.id and i."deletedAt" is null where r.kind = 'coach' and r.n = d.n
          and (i.instructor_id is null or date_trunc('milliseconds', i."updatedAt") <> (d.undo->'updatedAt'->>'after')::timestamptz or ${isCoachUsed})) then 'coach'
        when exists (select from changed_credits x where x.n = d.n) then 'credits' end as why
      from done d
    )
    select why.why, count(*)::integer as rows from why group by 1 order by 2 desc, 1`)
  return {
    rows: rows.find(({ why }) => why === null)?.rows ?? 0,
    stays: rows.flatMap(({ why, rows: n }) => (why === null ? [] : [{ message: STAYS[why], rows: n }])),
  }
}
