/**
 * Optimistic lock: a change that was made from an older version of a record is refused with the author and time of the newer one
 * (`if_updatedAt`).
 */
import { sql } from 'drizzle-orm'
import { type ErrorData, type Refusal, refuse } from '#contract/errors.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Ctx } from './ctx.ts'

const UNKNOWN_STAFF = 'Alguien del equipo'

/** "Diego Luna cambió esto hace 3 min." `at`: when it was changed; null: unknown, and the sentence says "mientras lo editabas". */
export const refuseChanged = ({ now }: Pick<Ctx, 'now'>, by: string | null | undefined, at: Date | null, more: ErrorData = {}): Refusal =>
  refuse('CHANGED_MEANWHILE', { by: by ?? UNKNOWN_STAFF, ...(at && { when: `hace ${ago(now.getTime() - at.getTime())}` }), ...more })

/** "3 min", "2 h", "5 d"; at least a minute. */
function ago(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 90) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`
}

/**
 * Throws CHANGED_MEANWHILE unless a change was made from the stored version. Changes without a version are not checked. `action`: the
 * action of such a change in the trail, for records whose entries are of another entity; the entry of that instant then names its author.
 */
export async function assertUnchanged(
  tx: Tx,
  ctx: Ctx,
  stored: { entity: string; id: number; updatedAt: Date; action?: string },
  if_updatedAt: string | null | undefined,
): Promise<void> {
  if (if_updatedAt == null || new Date(if_updatedAt).getTime() === stored.updatedAt.getTime()) return
  const ofChange =
    stored.action === undefined ? sql`` : sql`and a.action = ${stored.action} and a.at = ${stored.updatedAt.toISOString()}::timestamptz`
  const { rows } = await tx.execute<{ name: string }>(sql`
    select s.name from audit a join staff s on s.staff_id = a.actor_id
    where a.entity = ${stored.entity} and a.entity_id = ${String(stored.id)} and a.actor like 'staff:%' ${ofChange}
    order by a.audit_id desc limit 1`)
  throw refuseChanged(ctx, rows[0]?.name, stored.updatedAt)
}
