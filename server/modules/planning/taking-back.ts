/** Takes back a published set of changes of the timetable (L7). */
import { Refusal, refuse } from '#contract/errors.ts'
import { addDays, localDate } from '#contract/time.ts'
import { applyClassErase, applyClassRestore, applyClassUpdate } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { addClasses, lockClass, lockClasses, lockSeries, updateSeries } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import type { UndoStep } from './rules.ts'
import { hasUndo, takeUndo } from './store.ts'
import { Names } from './timetable-view.ts'

/** A class that could not be taken back, and why. */
interface Kept {
  class_date: string
  name: string
  code: string
  message: string
}

/**
 * Takes back what somebody published in the last ten minutes, the last change first: new classes are deleted, changed ones get their values back,
 * cancelled ones their reservations. A class that was booked or changed, or has begun, in the meantime stays as it is and is
 * returned with the reason. NOT_FOUND, UNDO_TOO_LATE.
 */
export async function takeBack(ctx: Ctx, { undo_id }: { undo_id: number }): Promise<{ undone: number; refused: Kept[] }> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  return ctx.tx(async (tx) => {
    const steps = await takeUndo(tx, undo_id, staff.staff_id, ctx.now)
    if (!steps) throw refuse((await hasUndo(tx, undo_id, staff.staff_id)) ? 'UNDO_TOO_LATE' : 'NOT_FOUND')
    const names = await Names.read(ctx, tx)
    const ofClasses = steps.filter((step) => step.op !== 'series')
    await lockClasses(
      tx,
      ctx,
      ofClasses.flatMap((step) => (step.op === 'deleted' ? [] : step.single_class_id)),
    )
    for (const step of steps) if (step.op === 'series') await takeBackSeries(tx, ctx, step)
    const refused: Kept[] = []
    for (const step of ofClasses.reverse()) {
      // Every step refuses before it writes, so a refused one leaves the others as they are.
      const no = await takeBackStep(tx, ctx, step).catch((error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      })
      if (no) refused.push(await describe(tx, ctx, step, no, names))
    }
    return { undone: ofClasses.length - refused.length, refused }
  })
}

type ClassStep = Exclude<UndoStep, { op: 'series' }>

async function takeBackSeries(tx: Tx, ctx: Ctx, { class_series_id, before }: Extract<UndoStep, { op: 'series' }>): Promise<void> {
  const ended = { repeat_until: addDays(localDate(ctx.now, ctx.zone), -1) }
  await updateSeries(tx, class_series_id, before ?? ended)
}

async function takeBackStep(tx: Tx, ctx: Ctx, step: ClassStep): Promise<Refusal | null> {
  if (step.op === 'deleted') {
    const { fields } = step
    // The series was deleted together with its last class.
    const series = step.class_series_id === null ? null : await lockSeries(tx, step.class_series_id)
    await addClasses(tx, ctx, fields, { walls: [new Date(fields.class_date)], class_series_id: series?.class_series_id ?? null })
    return null
  }
  const cls = await lockClass(tx, ctx, step.single_class_id)
  if (step.op === 'created') await applyClassErase(tx, ctx, cls)
  else if (step.op === 'cancelled') await applyClassRestore(tx, ctx, cls)
  else {
    if (cls.cancelled) return refuse('CLASS_CANCELLED')
    if (cls.updatedAt.toISOString() !== step.updatedAt) return refuse('CHANGED_MEANWHILE', { by: 'Alguien del equipo' })
    const { single_class_id, fields, own_changes } = step
    await applyClassUpdate(tx, ctx, cls, { single_class_id, ...fields }, { own_changes })
  }
  return null
}

async function describe(tx: Tx, ctx: Ctx, step: ClassStep, no: Refusal, names: Names): Promise<Kept> {
  const { code, message } = no
  if (step.op === 'deleted') return { class_date: step.fields.class_date, name: names.type(step.fields.class_type_id), code, message }
  const cls = await lockClass(tx, ctx, step.single_class_id)
  return { class_date: cls.wall.toISOString(), name: names.type(cls.class_type_id), code, message }
}
