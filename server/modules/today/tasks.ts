/** Tasks of Hoy and what the staff decide about them (docs/domain.md, "Today"). */
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import { addDays, localDate, startOfDay } from '#contract/time.ts'
import { MAX_SNOOZE_DAYS, type Task, type TaskKind } from '#contract/today.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Locations } from './figures-store.ts'
import { TASK_KINDS, taskKinds } from './task-kinds.ts'
import type { TaskFacts, TaskRow } from './task-rows-store.ts'
import { deleteTaskState, findResolver, findTask, listTasks, lockTaskState, upsertTaskState } from './tasks-store.ts'

const DAY_MS = 86_400_000
/** How far back the audit trail is read for the resolver of a task. */
const RESOLVED_WITHIN_MS = 7 * DAY_MS

function factsOf(ctx: Ctx): TaskFacts {
  const date = localDate(ctx.now, ctx.zone)
  const { drop_in_price } = ctx.settings
  return {
    now: ctx.now,
    dayStart: startOfDay(date, ctx.zone),
    dayEnd: startOfDay(addDays(date, 1), ctx.zone),
    date,
    zone: ctx.zone,
    till_staff_id: ctx.may('cash.review') ? null : (ctx.staff?.staff_id ?? 0),
    dropInPrice: drop_in_price === '' ? null : parsePesos(drop_in_price),
  }
}

function serializeTask(row: TaskRow, zone: string): Task {
  const { title, detail, link, verb } = TASK_KINDS[row.kind]
  return {
    task_id: `${row.kind}-${row.subject}`,
    kind: row.kind,
    title: title(row, zone),
    detail: detail(row, zone),
    count: row.count,
    amount: row.amount === null ? null : pesos(row.amount),
    due_at: row.at === null ? null : new Date(row.at).toISOString(),
    location_id: row.location_id,
    link: link(row),
    verb: verb && row.verb_id !== null ? verb(row) : null,
    version: row.version,
  }
}

/** The tasks that this person may see at some locations, by kind and then by time, in one query (N5). */
export async function openTasks(ctx: Ctx, locations: Locations): Promise<Task[]> {
  const rows = await listTasks(
    ctx.db,
    taskKinds.filter((kind) => ctx.may(TASK_KINDS[kind].right) && !(TASK_KINDS[kind].isWholeStudio && ctx.locationIds)),
    factsOf(ctx),
    locations,
  )
  const order = (row: TaskRow) => taskKinds.indexOf(row.kind)
  const time = (row: TaskRow) => row.at ?? Number.POSITIVE_INFINITY
  return rows.toSorted((a, b) => order(a) - order(b) || time(a) - time(b)).map((row) => serializeTask(row, ctx.zone))
}

interface Decision {
  task_id: string
  snooze_until?: string | null | undefined
  done: boolean
  reason?: string | null | undefined
  version?: string | null | undefined
}

const invalid = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })

/** What was decided, checked: an instant to put it off until, a reason to close it, or neither. INVALID_INPUT. */
function readDecision({ snooze_until, done, reason }: Decision, now: Date): { snoozed_until: Date | null; reason: string | null } {
  if (done && snooze_until) throw invalid('snooze_until', 'Pospón el pendiente o ciérralo, no las dos cosas.')
  if (done && (reason ?? '').length < 3) throw invalid('reason', 'Escribe el motivo.')
  const until = snooze_until ? new Date(snooze_until) : null
  if (until && (until <= now || until.getTime() - now.getTime() > MAX_SNOOZE_DAYS * DAY_MS))
    throw invalid('snooze_until', `Elige un momento por venir, a lo más ${MAX_SNOOZE_DAYS} días.`)
  return { snoozed_until: until, reason: done ? (reason ?? null) : null }
}

/**
 * PUT /admin/tasks/{task_id}: puts a task off, closes it, or takes either back (N6, N7). NOT_FOUND for an id of no kind, FORBIDDEN without
 * the right of its kind, TASK_RESOLVED and TASK_GONE when there is nothing to decide, TASK_CHANGED, INVALID_INPUT.
 */
export async function decideTask(ctx: Ctx, input: Decision): Promise<{ ok: true }> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  const [name = '', id = ''] = input.task_id.split('-')
  const kind = taskKinds.find((taskKind): taskKind is TaskKind => taskKind === name)
  if (!kind) throw refuse('NOT_FOUND')
  const { right, isWholeStudio } = TASK_KINDS[kind]
  ctx.require(right)
  if (isWholeStudio && ctx.locationIds) throw refuse('FORBIDDEN', { needs: right })
  const decision = readDecision(input, ctx.now)
  return ctx.tx(async (tx) => {
    const before = await lockTaskState(tx, input.task_id)
    const row = await findTask(tx, kind, Number(id), factsOf(ctx), ctx.locationIds)
    if (!row) {
      const resolver = await findResolver(tx, kind, Number(id), new Date(ctx.now.getTime() - RESOLVED_WITHIN_MS))
      throw resolver ? refuse('TASK_RESOLVED', { name: resolver }) : refuse('TASK_GONE')
    }
    if (input.version != null && input.version !== row.version) throw refuse('TASK_CHANGED')
    const isClosed = before?.state.doneAt != null && before.state.version === row.version
    const decides = input.done || decision.snoozed_until !== null
    if (isClosed && decides && before.state.staff_id !== staff.staff_id) throw refuse('TASK_RESOLVED', { name: before.name })
    if (decides)
      await upsertTaskState(tx, {
        task_id: input.task_id,
        version: row.version,
        staff_id: staff.staff_id,
        updatedAt: ctx.now,
        ...decision,
        doneAt: input.done ? ctx.now : null,
      })
    else if (before) await deleteTaskState(tx, input.task_id)
    const verb = input.done ? 'close' : decides ? 'snooze' : 'reopen'
    await ctx.audit(tx, {
      action: `task.${verb}`,
      entity: 'task',
      entity_id: input.task_id,
      after: { until: decision.snoozed_until?.toISOString() ?? null },
      reason: decision.reason,
    })
    return { ok: true as const }
  })
}
