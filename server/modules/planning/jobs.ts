/** Jobs of the planned timetable. Every job may run twice. */
import * as z from 'zod'
import { addDays, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { addClasses, type ClassFields, listSeriesToExtend, lockSeries, onDay, updateSeries } from '#server/modules/schedule/schedule.ts'
import { plannedUntil } from './rules.ts'
import { missingDays, readComing } from './series.ts'
import { deleteOldUndo } from './store.ts'
import { followUpSubstitutions, notifyOwners, notifyRefusedCoach, sendSubstitutionRequests } from './substitution-messages.ts'
import { Names } from './timetable-view.ts'

const substitution = z.object({ substitution_id: z.int() })

export const planningJobs: ModuleJob[] = [
  scheduledJob('schedule.extend', '15 * * * *', extendSeries),
  scheduledJob('schedule.undo_sweep', '40 3 * * *', (ctx) => ctx.tx((tx) => deleteOldUndo(tx, ctx.now))),
  scheduledJob('substitutions.follow_up', '*/10 * * * *', followUpSubstitutions),
  sentJob('substitution-asked', substitution.extend({ again: z.boolean() }), sendSubstitutionRequests),
  sentJob('substitution-refused', substitution.extend({ instructor_id: z.int() }), notifyRefusedCoach),
  sentJob('substitution-warned', substitution, notifyOwners),
]

/** Adds the classes of series without end up to `schedule_weeks_ahead` weeks from today (L5). One that fails does not stop the others. */
export async function extendSeries(ctx: Ctx): Promise<void> {
  const until = plannedUntil(null, localDate(ctx.now, ctx.zone), ctx.settings.schedule_weeks_ahead)
  for (const class_series_id of await listSeriesToExtend(ctx.db, until))
    await extend(ctx, class_series_id, until).catch((error: unknown) =>
      ctx.studio.log.error({ error, class_series_id }, 'schedule.extend_failed'),
    )
}

function extend(ctx: Ctx, class_series_id: number, until: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const series = await lockSeries(tx, class_series_id)
    if (!series?.fields || !series.starts_on || !series.created_until) return
    if (series.repeat_until !== null || series.created_until >= until) return
    const { weekdays, every_weeks, except_days, starts_on } = series
    const fields = series.fields as unknown as ClassFields
    const today = localDate(ctx.now, ctx.zone)
    const next = addDays(series.created_until, 1)
    const names = await Names.read(ctx, tx)
    const coming = await readComing(tx, ctx, names, class_series_id)
    const pattern = { weekdays, every_weeks, except_days, starts_on }
    const of = { coming, names, location_id: fields.location_id }
    const open = missingDays(pattern, next > today ? next : addDays(today, 1), until, of)
    const hour = new Date(fields.class_date)
    if (open.length) await addClasses(tx, ctx, fields, { walls: open.map((day) => onDay(hour, day)), class_series_id })
    await updateSeries(tx, class_series_id, { created_until: until })
  })
}
