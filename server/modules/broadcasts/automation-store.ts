/** Queries of automations and of the customers who changed to their state. */
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import { customerSummary } from '#server/modules/customers/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { automation } from './tables.ts'

export type AutomationRow = typeof automation.$inferSelect

/**
 * When an automation was last sent. The column has its table's name: in a select from one table drizzle writes none, and it would be
 * the subquery's.
 */
const lastAt = sql<Date | null>`(select max(b."createdAt") from broadcast b where b.automation_id = "automation"."automation_id")`.mapWith(
  automation.updatedAt,
)

/** Enabled automations, with the account of their last editor and the time of the last message. */
export async function listEnabledAutomations(on: Reader): Promise<(AutomationRow & { uid: string | null; last_at: Date | null })[]> {
  const rows = await on
    .select({ automation, uid: staff.uid, last_at: lastAt })
    .from(automation)
    .innerJoin(staff, eq(staff.staff_id, automation.staff_id))
    .where(and(eq(automation.enabled, true), isNull(automation.deletedAt)))
    .orderBy(asc(automation.automation_id))
  return rows.map(({ automation: row, ...more }) => ({ ...row, ...more }))
}

/**
 * Reads and locks one that is switched on, with when it was last sent, so that two processes do not both send it; null if it is not
 * any more.
 */
export async function lockAutomation(tx: Tx, automation_id: number): Promise<(AutomationRow & { last_at: Date | null }) | null> {
  const which = and(eq(automation.automation_id, automation_id), eq(automation.enabled, true), isNull(automation.deletedAt))
  const [locked] = await tx.select().from(automation).where(which).for('update')
  if (!locked) return null
  // A statement of its own: the one that waited for the lock does not see what the other process inserted.
  const [last] = await tx.select({ last_at: lastAt }).from(automation).where(which)
  return { ...locked, last_at: last?.last_at ?? null }
}

export const countAutomations = async (on: Reader): Promise<number> =>
  singleRow(await on.select({ n: count() }).from(automation).where(isNull(automation.deletedAt))).n

/**
 * Customers who changed to the state and are still in it, earliest first: since the automation was switched on, and not longer ago than
 * `since`. Left out: those who got it after `again`, those at their limit of promotions of the week (written to when one of these is
 * older), archived ones, those with a pending erasure, and those of an import that runs or finished after `since`, because imported changes
 * did not happen now.
 */
export async function listEntered(
  tx: Tx,
  of: AutomationRow,
  { since, again, weekBefore, perWeek, limit }: { since: Date; again: Date; weekBefore: Date; perWeek: number; limit: number },
): Promise<number[]> {
  const s = customerSummary
  const from = since > of.since ? since : of.since
  // A file may wait for weeks before it is imported. What is undone has lost its references, not its rows.
  const isRecent = sql`i.state <> 'draft' and (i.state in ('running', 'undoing') or coalesce(i."finishedAt", i."createdAt") > ${since.toISOString()}::timestamptz)`
  const { rows } = await tx.execute<{ customer_id: number }>(sql`
    select s.customer_id from ${s} s join customer u using (customer_id)
    where s.state = ${of.customer_state} and s.state_since > ${from.toISOString()}::timestamptz
      and u."deletedAt" is null and u."archivedAt" is null
      and not exists (select from customer_erasure e where e.customer_id = s.customer_id and e."endedAt" is null)
      and not exists (select from external_ref x join import i using (import_id) where x.customer_id = s.customer_id and ${isRecent})
      and not exists (select from import_row x join import i using (import_id) where x.customer_id = s.customer_id and ${isRecent})
      and not exists (select from broadcast_recipient r join broadcast b using (broadcast_id)
        where r.customer_id = s.customer_id and b.automation_id = ${of.automation_id} and b."createdAt" > ${again.toISOString()}::timestamptz)
      and (select count(*) from broadcast_recipient r join broadcast b using (broadcast_id) where r.customer_id = s.customer_id and b.is_promotion
        and r."queuedAt" > ${weekBefore.toISOString()}::timestamptz) < ${perWeek}
    order by s.state_since, s.customer_id limit ${limit}`)
  return rows.map((row) => row.customer_id)
}

/** The author of an automation, how many messages were sent and left out, and the time of the last one. */
export async function findAutomationFigures(on: Reader, { automation_id, staff_id }: AutomationRow) {
  const { rows } = await on.execute<{ by: string; uid: string | null; reached: number; left_out: number; last_at: string | null }>(sql`
    select f.name as by, f.uid, (count(*) filter (where r.state = 'queued'))::int as reached,
      (count(*) filter (where r.state = 'left_out'))::int as left_out, max(b."createdAt") as last_at
    from staff f left join broadcast b on b.automation_id = ${automation_id} left join broadcast_recipient r using (broadcast_id)
    where f.staff_id = ${staff_id} group by f.name, f.uid`)
  const row = singleRow(rows)
  return { ...row, last_at: row.last_at === null ? null : new Date(row.last_at) }
}
