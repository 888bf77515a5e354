/** Acts of staff that their author can take back for some minutes (LA9). */
import { and, desc, eq, gte, isNull, lt } from 'drizzle-orm'
import { UNDO_MINUTES } from '#contract/undo.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import type { UndoableAct } from './rules.ts'
import { customer, staffUndo } from './tables.ts'

/** Records an act in its transaction. Null when no staff member did it. `label`: a sentence with the customer's name for `:name`. */
export async function recordUndo(
  tx: Tx,
  ctx: Ctx,
  { customer_id, label, act }: { customer_id: number; label: string; act: UndoableAct },
): Promise<ActUndo | null> {
  if (!ctx.staff) return null
  const [named] = await tx
    .select({ name: customer.name, last_name: customer.last_name })
    .from(customer)
    .where(eq(customer.customer_id, customer_id))
  const until = new Date(ctx.now.getTime() + UNDO_MINUTES * 60_000)
  const sentence = label.replace(':name', () => `${named?.name ?? ''} ${named?.last_name ?? ''}`.trim())
  const { undo_id } = singleRow(
    await tx
      .insert(staffUndo)
      .values({ staff_id: ctx.staff.staff_id, customer_id, label: sentence, act, until, createdAt: ctx.now })
      .returning({ undo_id: staffUndo.undo_id }),
  )
  return { undo_id, label: sentence, until: until.toISOString() }
}

/** An action of this staff member, marked as undone. Null when it is another person's, too old, or undone already. */
export async function takeUndo(
  tx: Tx,
  undo_id: number,
  staff_id: number,
  now: Date,
): Promise<{ customer_id: number; act: UndoableAct | null } | null> {
  const [row] = await tx
    .update(staffUndo)
    .set({ undoneAt: now })
    .where(and(eq(staffUndo.undo_id, undo_id), eq(staffUndo.staff_id, staff_id), isNull(staffUndo.undoneAt), gte(staffUndo.until, now)))
    .returning({ customer_id: staffUndo.customer_id, act: staffUndo.act })
  return row ?? null
}

/** An action of this staff member, and whether it was undone; null when there is none. */
export async function findUndo(on: Reader, undo_id: number, staff_id: number): Promise<{ undoneAt: Date | null } | null> {
  const [row] = await on
    .select({ undoneAt: staffUndo.undoneAt })
    .from(staffUndo)
    .where(and(eq(staffUndo.undo_id, undo_id), eq(staffUndo.staff_id, staff_id)))
  return row ?? null
}

/** The acts that a staff member can still take back, the newest first. */
export async function listOpenUndos(on: Reader, staff_id: number, now: Date) {
  return on
    .select({ id: staffUndo.undo_id, label: staffUndo.label, until: staffUndo.until, at: staffUndo.createdAt })
    .from(staffUndo)
    .where(and(eq(staffUndo.staff_id, staff_id), gte(staffUndo.until, now), isNull(staffUndo.undoneAt)))
    .orderBy(desc(staffUndo.undo_id))
    .limit(50)
}

/** Deletes actions that can no longer be undone. */
export async function deleteOldUndos(ctx: Ctx): Promise<void> {
  await ctx.tx((tx) => tx.delete(staffUndo).where(lt(staffUndo.until, ctx.now)))
}
