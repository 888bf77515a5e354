/** Absences of coaches: their classes are marked as a conflict, and they get no requests to substitute (docs/domain.md L16). */
import type * as z from 'zod'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { refuse } from '#contract/errors.ts'
import { MAX_HOLIDAY_DAYS, type instructorAbsences as wire } from '#contract/holidays.ts'
import { addDays, localDate } from '#contract/time.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { deleteAbsence, insertAbsence, listAbsenceRows, listClassesOn, lockAbsence, updateAbsence } from './holiday-store.ts'
import { listUnknownCoaches } from './substitution-store.ts'

type Input<K extends 'add' | 'update' | 'remove'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>

/** GET /admin/instructor_absences. */
export async function listAbsences(ctx: Ctx): Answer<'list'> {
  const rows = await listAbsenceRows(ctx.db, localDate(ctx.now, ctx.zone))
  return {
    absences: rows.map(({ instructor_absence_id, instructor_id, from_day, to_day, reason, updatedAt, ...coach }) => ({
      instructor_absence_id,
      instructor_id,
      from: from_day,
      to: to_day,
      reason,
      name: instructorName(coach),
      updatedAt: updatedAt.toISOString(),
    })),
  }
}

/** POST /admin/instructor_absences. NOT_FOUND for an unknown coach, INVALID_INPUT for days in the wrong order. */
export async function addAbsence(ctx: Ctx, input: Input<'add'>): Answer<'add'> {
  const { instructor_id, from, to, reason } = input
  const today = localDate(ctx.now, ctx.zone)
  if (to < from || to < today || to >= addDays(from, MAX_HOLIDAY_DAYS)) throw refuse('INVALID_INPUT', { field: 'to' })
  const { id, classes } = await ctx.once('absences.add', input, async (tx) => {
    if ((await listUnknownCoaches(tx, [instructor_id])).length) throw refuse('NOT_FOUND', { field: 'instructor_id' })
    const days = { from_day: from, to_day: to }
    const id = await insertAbsence(tx, { instructor_id, ...days, reason, createdAt: ctx.now, updatedAt: ctx.now })
    await ctx.audit(tx, {
      action: 'instructor_absence.create',
      entity: 'instructor_absence',
      entity_id: id,
      after: { instructor_id, from, to, reason },
    })
    return { id, classes: (await listClassesOn(tx, { ...days, location_ids: null, instructor_id }, ctx)).length }
  })
  const absence = (await listAbsences(ctx)).absences.find((absence) => absence.instructor_absence_id === id)
  if (!absence) throw refuse('NOT_FOUND')
  return { absence, classes }
}

/**
 * PUT /admin/instructor_absences/{instructor_absence_id}. NOT_FOUND, CHANGED_MEANWHILE, INVALID_INPUT for days in the wrong order or
 * that are over.
 */
export async function changeAbsence(ctx: Ctx, input: Input<'update'>): Answer<'update'> {
  const { instructor_absence_id, from, to, reason } = input
  if (to < from || to < localDate(ctx.now, ctx.zone) || to >= addDays(from, MAX_HOLIDAY_DAYS))
    throw refuse('INVALID_INPUT', { field: 'to' })
  const classes = await ctx.tx(async (tx) => {
    const before = await lockAbsence(tx, instructor_absence_id)
    if (!before) throw refuse('NOT_FOUND')
    const stored = { entity: 'instructor_absence', id: instructor_absence_id, updatedAt: before.updatedAt }
    await assertUnchanged(tx, ctx, stored, input.if_updatedAt)
    const { instructor_id, from_day, to_day } = before
    // What changes nothing is no version (K19).
    if (from !== from_day || to !== to_day || reason !== before.reason) {
      await updateAbsence(tx, instructor_absence_id, { from_day: from, to_day: to, reason, updatedAt: ctx.now })
      await ctx.audit(tx, {
        action: 'instructor_absence.change',
        entity: 'instructor_absence',
        entity_id: instructor_absence_id,
        before: { instructor_id, from: from_day, to: to_day, reason: before.reason },
        after: { instructor_id, from, to, reason },
      })
    }
    return (await listClassesOn(tx, { from_day: from, to_day: to, location_ids: null, instructor_id }, ctx)).length
  })
  const absence = (await listAbsences(ctx)).absences.find((absence) => absence.instructor_absence_id === instructor_absence_id)
  if (!absence) throw refuse('NOT_FOUND')
  return { absence, classes }
}

/** DELETE /admin/instructor_absences/{instructor_absence_id}. NOT_FOUND. */
export async function removeAbsence(ctx: Ctx, { instructor_absence_id }: Input<'remove'>): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const before = await deleteAbsence(tx, instructor_absence_id)
    if (!before) throw refuse('NOT_FOUND')
    const { instructor_id, from_day, to_day, reason } = before
    await ctx.audit(tx, {
      action: 'instructor_absence.remove',
      entity: 'instructor_absence',
      entity_id: instructor_absence_id,
      before: { instructor_id, from: from_day, to: to_day, reason },
    })
    return { ok: true as const }
  })
}
