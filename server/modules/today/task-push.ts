/** New tasks as notifications on the devices of the staff (docs/domain.md N12). */

import { eq } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import { refuse } from '#contract/errors.ts'
import type { Task } from '#contract/today.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type MessageTexts } from '#server/modules/messages/messages.ts'
import { findPrincipals, listStaffWithPush } from '#server/modules/people/people.ts'
import { taskPush as table } from './tables.ts'
import { openTasks } from './tasks.ts'

/** Tasks that a notification of several names. */
const NAMED = 4

function staffIdOf(ctx: Ctx): number {
  ctx.requireOwnDevice()
  if (!ctx.staff) throw refuse('FORBIDDEN')
  return ctx.staff.staff_id
}

/** GET /admin/tasks/push. */
export async function taskPush(ctx: Ctx): Promise<{ enabled: boolean }> {
  const rows = await ctx.db
    .select({ staff_id: table.staff_id })
    .from(table)
    .where(eq(table.staff_id, staffIdOf(ctx)))
  return { enabled: rows.length > 0 }
}

/** PUT /admin/tasks/push. */
export async function setTaskPush(ctx: Ctx, { enabled }: { enabled: boolean }): Promise<{ ok: true }> {
  const staff_id = staffIdOf(ctx)
  await ctx.tx(async (tx) => {
    if (enabled) await tx.insert(table).values({ staff_id, createdAt: ctx.now }).onConflictDoNothing()
    else await tx.delete(table).where(eq(table.staff_id, staff_id))
  })
  return { ok: true }
}

/** Scheduled job: notifies staff who enabled it about tasks that were not there at the previous run. */
export async function pushNewTasks(ctx: Ctx): Promise<void> {
  const wanted = await ctx.db.select({ staff_id: table.staff_id }).from(table)
  const people = await listStaffWithPush(
    ctx.db,
    wanted.map(({ staff_id }) => staff_id),
  )
  for (const { staff_id, uid } of people) if (uid !== null) await pushTasks(ctx, staff_id, uid)
}

async function pushTasks(ctx: Ctx, staff_id: number, uid: string): Promise<void> {
  const { staff: person } = await findPrincipals(ctx.db, uid)
  if (!person) return
  // With their rights and locations, as on their screen.
  const actor = { kind: 'identity' as const, uid, email: '', emailVerified: true, customer: null, staff: person }
  const tasks = await openTasks(new Ctx(ctx.studio, { actor }), person.location_ids)
  await ctx.tx(async (tx) => {
    const [row] = await tx.select().from(table).where(eq(table.staff_id, staff_id)).for('update')
    if (!row) return
    const fresh = row.seen === null ? [] : tasks.filter(({ task_id }) => !row.seen?.includes(task_id))
    await tx
      .update(table)
      .set({ seen: tasks.map(({ task_id }) => task_id) })
      .where(eq(table.staff_id, staff_id))
    if (fresh.length === 0) return
    await enqueueMessages(tx, ctx, [
      {
        event: 'staff_tasks',
        about: `tasks:${ctx.now.toISOString()}`,
        to: { staff_id },
        before: null,
        texts: (name) => textsOf(fresh, name),
      },
    ])
  })
}

/** One task with its screen; several as their number. */
function textsOf(tasks: readonly Task[], name: string): MessageTexts {
  const [first, ...others] = tasks
  const title = first && others.length === 0 ? first.title : `${tasks.length} pendientes nuevos`
  const lines = first && others.length === 0 ? [first.detail].filter(Boolean) : tasks.slice(0, NAMED).map((task) => task.title)
  const path = first && others.length === 0 ? first.link : adminPaths.today
  return { title, lines, notes: [], action: { label: 'Ver', path }, blanks: [name, title] }
}
