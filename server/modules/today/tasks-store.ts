/** Reads of the derived tasks, and the recorded decisions about them. One query for all kinds that the person may see. */
import { eq, type SQL, sql } from 'drizzle-orm'
import { TASKS_PER_KIND, type TaskKind } from '#contract/today.ts'
import { staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { atLocations, type Locations } from './figures-store.ts'
import { taskState } from './tables.ts'
import { TASK_ROWS, type TaskFacts, type TaskRow } from './task-rows-store.ts'

const ofLocations = (locations: Locations): SQL =>
  locations === null ? sql`` : sql`and (x.location_id is null or (true ${atLocations(sql`x.location_id`, locations)}))`

/** Open tasks of the given kinds, the first fifty of each: not postponed beyond now, and not closed in their current version. */
export async function listTasks(db: Reader, kinds: readonly TaskKind[], facts: TaskFacts, locations: Locations): Promise<TaskRow[]> {
  if (kinds.length === 0) return []
  const parts = kinds.map(
    (kind) => sql`(select x.* from (${TASK_ROWS[kind](facts)}) x where not exists (select 1 from task_state s
      where s.task_id = ${`${kind}-`} || x.subject and (s.snoozed_until > ${instantValue(facts.now)} or (s."doneAt" is not null and s.version = x.version)))
      ${ofLocations(locations)} order by x.at, x.subject limit ${TASKS_PER_KIND})`,
  )
  return (await db.execute<TaskRow>(sql.join(parts, sql` union all `))).rows
}

/** One task, also if it was postponed or closed; null when its cause no longer exists. */
export async function findTask(
  db: Reader,
  kind: TaskKind,
  subject: number,
  facts: TaskFacts,
  locations: Locations,
): Promise<TaskRow | null> {
  const { rows } = await db.execute<TaskRow>(
    sql`select x.* from (${TASK_ROWS[kind](facts)}) x where x.subject = ${subject} ${ofLocations(locations)} limit 1`,
  )
  return rows[0] ?? null
}

/** The decision about a task and its author, locked until the transaction ends. */
export async function lockTaskState(tx: Tx, task_id: string) {
  const [found] = await tx
    .select({ state: taskState, name: staff.name })
    .from(taskState)
    .innerJoin(staff, eq(staff.staff_id, taskState.staff_id))
    .where(eq(taskState.task_id, task_id))
    .for('update', { of: taskState })
  return found ?? null
}

export async function upsertTaskState(tx: Tx, values: typeof taskState.$inferInsert): Promise<void> {
  const { task_id: _, ...set } = values
  singleRow(await tx.insert(taskState).values(values).onConflictDoUpdate({ target: taskState.task_id, set }).returning())
}

export async function deleteTaskState(tx: Tx, task_id: string): Promise<void> {
  await tx.delete(taskState).where(eq(taskState.task_id, task_id))
}

/** The record whose audit trail names the resolver of a task of this kind; null = unknown. */
const RECORDS: Readonly<Record<TaskKind, string | null>> = {
  cash_due: 'purchase',
  renewal: 'purchase',
  voucher: 'purchase',
  transfer: 'sale',
  debt: 'sale',
  spot_due: 'class_reservation',
  spot_debt: 'class_reservation',
  refund_due: 'money_difference',
  discrepancy: 'money_difference',
  no_capacity: 'single_class',
  no_coach: 'single_class',
  coach_twice: 'single_class',
  coach_absent: 'single_class',
  roster_open: 'single_class',
  till_open: 'cash_session',
  substitution: 'single_class',
  timetable_ends: null,
  pay_question: null,
  webhook_stopped: 'webhook',
  certificate_ending: null,
  invoice_cancelled: 'fiscal_document',
  invoice_unstamped: 'fiscal_document',
  job_failed: 'failed_job',
  credits_ending: null,
  first_class: null,
  document: 'customer',
  birthday: null,
  coach_birthday: null,
  message_failed: null,
}

/** The staff member who last acted on the record of a task since an instant, from the audit trail; null when there is no entry. */
export async function findResolver(db: Reader, kind: TaskKind, subject: number, since: Date): Promise<string | null> {
  const entity = RECORDS[kind]
  if (!entity) return null
  const id =
    kind === 'transfer'
      ? sql`(select y.sale_id::text from sale_payment y where y.sale_payment_id = ${subject})`
      : kind === 'substitution'
        ? sql`(select b.single_class_id::text from substitution b where b.substitution_id = ${subject})`
        : sql`${String(subject)}`
  const { rows } = await db.execute<{ name: string }>(sql`select s.name from audit a join staff s on s.staff_id = a.actor_id
    where a.entity = ${entity} and a.entity_id = ${id} and a.actor like 'staff:%' and a.at >= ${instantValue(since)}
    order by a.audit_id desc limit 1`)
  return rows[0]?.name ?? null
}
