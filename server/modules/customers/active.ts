/** The definition of an active customer (docs/domain.md N3), for the figure and for the list behind it. */
import { type SQL, sql } from 'drizzle-orm'
import { instantValue } from '#server/platform/sql-values.ts'

/** Days back in which a visit makes a customer active. */
const ACTIVE_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Query of the ids of customers who came to a class in the 30 days before an instant, or had valid credits or a subscription at that
 * instant. The balance at that instant is the current one less the later movements. At some locations: visits there, and credits and
 * subscriptions that can be used there; null: anywhere.
 * `offset 0`: the visits are looked up class by class, otherwise the planner would read every reservation.
 */
export function activeCustomers(instant: Date, locations: readonly number[] | null): SQL {
  const ids = `{${(locations ?? []).join(',')}}`
  const there = (column: SQL) => (locations === null ? sql`` : sql`and ${column} = any(${ids}::integer[])`)
  const usableThere = (column: SQL) => (locations === null ? sql`` : sql`and (${column} is null or ${column} && ${ids}::integer[])`)
  return sql`
      select r.customer_id from single_class c cross join lateral (
        select v.customer_id from class_reservation v where v.single_class_id = c.single_class_id and v."deletedAt" is null and v.host_reservation_id is null
          and (v.attend or (v.attend is null and c."settledAt" is not null)) offset 0) r
      where c.starts_at >= ${instantValue(new Date(instant.getTime() - ACTIVE_DAYS * DAY_MS))} and c.starts_at < ${instantValue(instant)}
        and c."cancelledAt" is null ${there(sql`c.location_id`)}
      ${locations === null ? sql`union select v.customer_id from past_visit v where v.last_at >= ${instantValue(new Date(instant.getTime() - ACTIVE_DAYS * DAY_MS))} and v.last_at < ${instantValue(instant)}` : sql``}
      union
      select l.customer_id from available_class l
      where l."createdAt" <= ${instantValue(instant)} and (l.expires_at is null or l.expires_at >= ${instantValue(instant)})
        and (l."revokedAt" is null or l."revokedAt" > ${instantValue(instant)}) and (l."frozenAt" is null or l."frozenAt" > ${instantValue(instant)})
        and (l.unlimited or l.balance > coalesce((select sum(m.amount) from credit_movement m
          where m.available_class_id = l.available_class_id and m."createdAt" > ${instantValue(instant)}), 0))
        ${usableThere(sql`l.location_ids`)}
      union
      select p.customer_id from purchase p left join class_package k using (class_package_id)
      where p.is_subscription and p."completedAt" <= ${instantValue(instant)} and p.status in ('active', 'cancelled')
        and (p.status = 'active' or coalesce(p.benefits_until, p."cancelledAt") > ${instantValue(instant)})
        ${usableThere(sql`k.location_ids`)}`
}
