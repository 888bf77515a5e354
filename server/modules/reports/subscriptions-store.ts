/** Subscriptions with their beginning and end; read-only. */
import { sql } from 'drizzle-orm'
import { atLocations, type Locations } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { customerName } from './occupancy-store.ts'
import type { Period } from './rules.ts'
import type { SubscriptionLife } from './subscription-rules.ts'

interface SubscriptionFacts {
  purchase_id: number
  customer_id: number
  name: string
  class_package_id: number | null
  title: string
  is_past_due: boolean
  is_paused: boolean
  reason: string | null
}
export type SubscriptionRow = SubscriptionFacts & SubscriptionLife

/** As the query answers it. */
type Raw = SubscriptionFacts & Pick<SubscriptionLife, 'endedBy'> & { startedAt: string; endedAt: string | null } & Record<string, unknown>

/**
 * Every subscription that lived at any time of the period. A cancelled one lives until the end of what was paid, one whose access was taken
 * away until then.
 */
export async function listSubscriptionLives(db: Reader, period: Period, locations: Locations): Promise<SubscriptionRow[]> {
  const { rows } = await db.execute<Raw>(sql`
    select s.*, to_char(s.started at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "startedAt",
      to_char(s.ended at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "endedAt"
    from (
      select p.purchase_id, p.customer_id, ${customerName} as name, p.class_package_id, p.title, p."completedAt" as started,
        case p.status when 'active' then null when 'cancelled' then greatest(p.benefits_until, p."cancelledAt")
          else coalesce((select max(l."revokedAt") from available_class l where l.purchase_id = p.purchase_id), p."cancelledAt", p."updatedAt") end as ended,
        p.status = 'active' and p.past_due_since is not null as is_past_due, p.status = 'active' and p.paused_since is not null as is_paused,
        case when p.status = 'revoked' then 'revoked' when p.cancel_reason is null and p.past_due_since is not null then 'unpaid' else 'cancelled' end as "endedBy",
        p.cancel_reason as reason
      from purchase p join customer u using (customer_id)
      where p.is_subscription and p."completedAt" < ${instantValue(period.until)} ${atLocations(sql`p.location_id`, locations)}
    ) s where s.ended is null or s.ended >= ${instantValue(period.from)}
    order by s.started desc, s.purchase_id`)
  return rows.map((row) => ({ ...row, startedAt: new Date(row.startedAt), endedAt: row.endedAt === null ? null : new Date(row.endedAt) }))
}
