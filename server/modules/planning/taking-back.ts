/** Takes back a published set of changes of the timetable (L7). */
import { Refusal, refuse } from '#contract/errors.ts'
import { addDays, fromWallClock, localDate } from '#contract/time.ts'
import { applyClassErase, applyClassRestore, applyClassUpdate } from '#server/modules/bookings/bookings.ts'
import { refuseChanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  addClasses,
  type ClassFields,
  type LockedClass,
  lockClass,
  lockClasses,
  lockSeries,
  type RoomUse,
  updateSeries,
  whyNotFree,
} from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import type { SeriesValues, UndoStep } from './rules.ts'
import { findLastEditor, findUndo, takeUndo } from './store.ts'
import { Names } from './timetable-view.ts'

/** A class that could not be undone, and why. */
interface RefusedClass {
  class_date: string
  name: string
  code: string
  message: string
}

/**
 * Undoes what the caller published in the last ten minutes, the last change first: new classes are deleted, changed ones get their values
 * back, cancelled ones their reservations. A class that was booked or changed, or has begun, in the meantime stays as it is and is returned
 * with the reason. NOT_FOUND, UNDO_TOO_LATE.
 */
export async function undoEdit(ctx: Ctx, { undo_id }: { undo_id: number }): Promise<{ undone: number; refused: RefusedClass[] }> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  return ctx.tx(async (tx) => {
    const steps = await takeUndo(tx, undo_id, staff.staff_id, ctx.now)
    if (!steps) {
      const found = await findUndo(tx, undo_id, staff.staff_id)
      // Undone already, by a second click or in another tab: nothing is left to do.
      if (found?.undoneAt) return { undone: 0, refused: [] }
      throw refuse(found ? 'UNDO_TOO_LATE' : 'NOT_FOUND')
    }
    const names = await Names.read(ctx, tx)
    const ofClasses = steps.filter((step) => step.op !== 'series')
    await lockClasses(
      tx,
      ctx,
      ofClasses.flatMap((step) => (step.op === 'deleted' ? [] : step.single_class_id)),
    )
    const refused: RefusedClass[] = []
    for (const step of steps.toReversed()) if (step.op === 'series') refused.push(...(await takeBackSeries(tx, ctx, step, names)))
    let undone = 0
    for (const step of ofClasses.reverse()) {
      // Every step refuses before it writes, so a refused one leaves the others as they are.
      const no = await takeBackStep(tx, ctx, step, names).catch((error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      })
      // Deleted meanwhile: nothing of it is left to take back.
      if (no?.code === 'CLASS_NOT_FOUND') continue
      if (no) refused.push(await describe(tx, ctx, step, no, names))
      else undone++
    }
    return { undone, refused }
  })
}

type ClassStep = Exclude<UndoStep, { op: 'series' }>

/**
 * Restores the fields of a series that were not changed since, so that the series agrees with its restored classes. Returns the series when
 * one was changed.
 */
async function takeBackSeries(
  tx: Tx,
  ctx: Ctx,
  { class_series_id, before, after }: Extract<UndoStep, { op: 'series' }>,
  names: Names,
): Promise<RefusedClass[]> {
  if (before === null || after === undefined) {
    await updateSeries(tx, class_series_id, before ?? { repeat_until: addDays(localDate(ctx.now, ctx.zone), -1) })
    return []
  }
  const series = await lockSeries(tx, class_series_id)
  if (!series) return []
  const { repeat_until, created_until, ...pattern } = before
  // As they are stored, without keys that have no value; how often it repeats is missing where only its hour or weekdays changed.
  const patternIn = ({ fields, weekdays, every_weeks, except_days }: SeriesValues) =>
    JSON.stringify([
      fields && Object.entries(fields).sort(),
      weekdays,
      ...(pattern.every_weeks === undefined ? [] : [every_weeks, except_days]),
    ])
  const isPatternAsLeft = patternIn(series) === patternIn(after)
  const isPatternChanged = patternIn(before) !== patternIn(after)
  const isEndAsLeft = series.repeat_until === after.repeat_until
  const isEndChanged = repeat_until !== after.repeat_until || created_until !== after.created_until
  if (isPatternChanged && isPatternAsLeft) await updateSeries(tx, class_series_id, pattern)
  if (isEndChanged && isEndAsLeft)
    await updateSeries(tx, class_series_id, { repeat_until, ...(created_until === undefined ? {} : { created_until }) })
  if ((!isPatternChanged || isPatternAsLeft) && (!isEndChanged || isEndAsLeft)) return []
  const { code, message } = refuse('CHANGED_MEANWHILE', { by: 'Alguien del equipo' })
  const of = series.fields as ClassFields | null
  return [{ class_date: of?.class_date ?? ctx.now.toISOString(), name: of ? names.type(of.class_type_id) : '', code, message }]
}

async function takeBackStep(tx: Tx, ctx: Ctx, step: ClassStep, names: Names): Promise<Refusal | null> {
  if (step.op === 'deleted') {
    const { fields } = step
    // The series was deleted together with its last class.
    const no = await whyNotFree(tx, ctx, [roomUseOf(fields, names, null)])
    if (no) return no
    const series = step.class_series_id === null ? null : await lockSeries(tx, step.class_series_id)
    await addClasses(tx, ctx, fields, { walls: [new Date(fields.class_date)], class_series_id: series?.class_series_id ?? null })
    return null
  }
  const cls = await lockClass(tx, ctx, step.single_class_id)
  const use = step.op === 'changed' ? roomUseOf(step.fields, names, cls) : cls
  const no = step.op === 'created' ? null : await whyNotFree(tx, ctx, [use])
  if (no) return no
  if (step.op === 'created') await applyClassErase(tx, ctx, cls)
  else if (step.op === 'cancelled') await applyClassRestore(tx, ctx, cls)
  else {
    if (cls.cancelled) return refuse('CLASS_CANCELLED')
    if (cls.updatedAt.toISOString() !== step.updatedAt)
      return refuseChanged(ctx, await findLastEditor(tx, step.single_class_id), cls.updatedAt)
    const { single_class_id, fields, own_changes } = step
    await applyClassUpdate(tx, ctx, cls, { single_class_id, ...fields }, { own_changes })
  }
  return null
}

/** When and where a class is with these fields; what they lack is as in its row. */
function roomUseOf(fields: Partial<ClassFields>, names: Names, cls: LockedClass | null): RoomUse {
  const zone = names.zoneOf(fields.location_id ?? cls?.location_id ?? 0)
  const starts_at = fields.class_date ? fromWallClock(new Date(fields.class_date), zone) : (cls?.starts_at ?? new Date(0))
  const before = cls ? cls.ends_at.getTime() - cls.starts_at.getTime() : 0
  return {
    single_class_id: cls?.single_class_id ?? null,
    room_id: fields.room_id === undefined ? (cls?.room_id ?? null) : fields.room_id,
    starts_at,
    ends_at: new Date(starts_at.getTime() + (fields.duration_minutes === undefined ? before : fields.duration_minutes * 60_000)),
  }
}

async function describe(tx: Tx, ctx: Ctx, step: ClassStep, no: Refusal, names: Names): Promise<RefusedClass> {
  const { code, message } = no
  if (step.op === 'deleted') return { class_date: step.fields.class_date, name: names.type(step.fields.class_type_id), code, message }
  const cls = await lockClass(tx, ctx, step.single_class_id)
  return { class_date: cls.wall.toISOString(), name: names.type(cls.class_type_id), code, message }
}
