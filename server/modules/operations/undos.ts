/** What staff did in the last minutes and can take back: GET /admin/undos, POST /admin/undos/{undo_id} (LA9). */
import { refuse } from '#contract/errors.ts'
import type { Right } from '#contract/rights.ts'
import type { OpenUndo } from '#contract/undo.ts'
import { bookAgain } from '#server/modules/bookings/bookings.ts'
import { openBulkUndos } from '#server/modules/bulk/bulk.ts'
import { takeBackCredits, takeBackRevocation, takeBackSubtraction } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { takeBackTags } from '#server/modules/customers/customers.ts'
import { findUndo, listOpenUndos, takeUndo, type UndoableAct } from '#server/modules/people/people.ts'
import { listOpenScheduleUndos } from '#server/modules/planning/planning.ts'
import { takeBackAccess } from '#server/modules/sales/sales.ts'
import type { Tx } from '#server/platform/db.ts'

const RIGHTS: Readonly<Record<UndoableAct['kind'], Right>> = {
  reservation: 'roster.all',
  credit_lot: 'credits.edit',
  credit_revocation: 'credits.edit',
  access: 'sales.sell',
  subtraction: 'credits.edit',
  tags: 'customers.edit',
}

function authorOf({ staff }: Ctx): number {
  if (!staff) throw refuse('FORBIDDEN')
  return staff.staff_id
}

/** The caller's own actions, changes of the timetable and jobs that can still be undone, the newest first. */
export async function openUndos(ctx: Ctx): Promise<{ undos: OpenUndo[] }> {
  const staff_id = authorOf(ctx)
  const [acts, edits, jobs] = await Promise.all([
    listOpenUndos(ctx.db, staff_id, ctx.now),
    ctx.may('schedule.edit') ? listOpenScheduleUndos(ctx.db, staff_id, ctx.now) : [],
    openBulkUndos(ctx, staff_id),
  ])
  const all = [
    ...acts.map((act) => ({ kind: 'act' as const, ...act })),
    ...edits.map((edit) => ({ kind: 'schedule' as const, ...edit })),
    ...jobs.map((job) => ({ kind: 'job' as const, ...job })),
  ]
  return {
    undos: all
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .map(({ at, until, ...undo }) => ({ ...undo, at: at.toISOString(), until: until.toISOString() })),
  }
}

/** Takes back one act of the caller, once. NOT_FOUND, UNDO_TOO_LATE, UNDO_CHANGED, FORBIDDEN, and the refusals of a booking by staff. */
export async function undoAct(ctx: Ctx, { undo_id }: { undo_id: number }): Promise<{ ok: true }> {
  const staff_id = authorOf(ctx)
  await ctx.tx(async (tx) => {
    const undo = await takeUndo(tx, undo_id, staff_id, ctx.now)
    if (!undo) {
      const found = await findUndo(tx, undo_id, staff_id)
      // Taken back already, by a second click or in another tab: nothing is left to do.
      if (found?.undoneAt) return
      throw refuse(found ? 'UNDO_TOO_LATE' : 'NOT_FOUND')
    }
    if (!undo.act || !(await takeBack(tx, ctx, undo.customer_id, undo.act))) throw refuse('UNDO_CHANGED')
  })
  return { ok: true }
}

async function takeBack(tx: Tx, ctx: Ctx, customer_id: number, act: UndoableAct): Promise<boolean> {
  ctx.require(RIGHTS[act.kind])
  switch (act.kind) {
    case 'reservation': {
      const { kind: _, ...reservation } = act
      await bookAgain(tx, ctx, { customer_id, ...reservation })
      return true
    }
    case 'credit_lot':
      return takeBackCredits(tx, ctx, act)
    case 'credit_revocation':
      return takeBackRevocation(tx, ctx, act)
    case 'access':
      return takeBackAccess(tx, ctx, act)
    case 'subtraction':
      return takeBackSubtraction(tx, ctx, { customer_id, lots: act.lots })
    case 'tags':
      return takeBackTags(tx, ctx, { customer_id, before: act.before, after: act.after })
  }
}
