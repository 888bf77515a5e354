/** How a series of classes repeats and until when: reading it, and changing it (docs/domain.md L5, L24). */
import type * as z from 'zod'
import type { classSeries as wire } from '#contract/class-series.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { MAX_SERIES_CLASSES } from '#contract/studio-schedule.ts'
import { addDays, type LocalDate, localDate } from '#contract/time.ts'
import { applyClassCancel, applyClassErase } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  addClasses,
  type ClassFields,
  findSeries,
  listSeriesClasses,
  lockClass,
  lockClasses,
  lockSeries,
  onDay,
  requireFreeRooms,
  type SeriesPattern,
  seriesDays,
  updateSeries,
  wallDay,
} from '#server/modules/schedule/schedule.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { type Applied, nothingApplied } from './changes.ts'
import { published, recordApplied, requireStaff, tryApplied } from './planning.ts'
import { classFields, type PlannedFacts, plannedUntil } from './rules.ts'
import { Names, readPlanned } from './timetable-view.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>
type Series = NonNullable<Awaited<ReturnType<typeof findSeries>>>

/** The coming classes of a series, in order of their start. */
export async function readComing(on: Reader, ctx: Ctx, names: Names, class_series_id: number): Promise<PlannedFacts[]> {
  const ids = (await listSeriesClasses(on, class_series_id, ctx.now)).map((cls) => cls.single_class_id)
  const classes = ids.length ? await readPlanned(on, names, { ids }) : []
  return classes.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
}

/** FORBIDDEN unless the caller may plan at every location of the series. */
function requireItsLocations(ctx: Ctx, { fields }: Series, coming: readonly PlannedFacts[]): void {
  const own = Number(fields?.location_id ?? 0)
  for (const location_id of new Set([...(own ? [own] : []), ...coming.map((cls) => cls.location_id)]))
    ctx.requireLocation('schedule.edit', location_id)
}

export async function readSeries(ctx: Ctx, { class_series_id }: Input<'read'>): Answer<'read'> {
  const series = await findSeries(ctx.db, class_series_id)
  if (!series) throw refuse('NOT_FOUND')
  const coming = await readComing(ctx.db, ctx, await Names.read(ctx, ctx.db), class_series_id)
  requireItsLocations(ctx, series, coming)
  return {
    series: {
      class_series_id,
      weekdays: series.fields ? series.weekdays : [],
      every_weeks: series.every_weeks,
      until: series.repeat_until,
      except: series.except_days,
      coming: coming.length,
      last_class: coming.at(-1)?.wall.toISOString() ?? null,
    },
  }
}

/** Extends or ends a series, in one transaction. NOT_FOUND, FORBIDDEN, INVALID_INPUT, SERIES_EMPTY, TOO_MANY_CLASSES, ROOM_TAKEN. */
export async function changeSeries(ctx: Ctx, input: Input<'update'>): Answer<'update'> {
  const staff = requireStaff(ctx)
  if (input.until && input.until < localDate(ctx.now, ctx.zone)) throw refuse('INVALID_INPUT', { field: 'until' })
  if (input.dry_run) return tryApplied(ctx, (tx) => applyEnd(tx, ctx, input), input.reason ?? '')
  const done = await ctx.once('class_series.update', input, async (tx) => recordApplied(tx, ctx, staff, await applyEnd(tx, ctx, input)))
  return published(ctx, staff, done)
}

async function applyEnd(tx: Tx, ctx: Ctx, input: Input<'update'>): Promise<Applied> {
  const { class_series_id, reason } = input
  const series = await lockSeries(tx, class_series_id)
  if (!series) throw refuse('NOT_FOUND')
  const until = input.until === undefined ? series.repeat_until : input.until
  const pattern = patternAfter(series, input)
  const names = await Names.read(ctx, tx)
  const ids = (await listSeriesClasses(tx, class_series_id, ctx.now)).map((cls) => cls.single_class_id)
  await lockClasses(tx, ctx, ids)
  const coming = await readComing(tx, ctx, names, class_series_id)
  requireItsLocations(ctx, series, coming)
  const { repeat_until, weekdays, every_weeks, except_days, fields, created_until } = series
  const done = nothingApplied()
  const before = { repeat_until, weekdays, every_weeks, except_days, fields, created_until }
  const reached = await createMissing(tx, ctx, { series, pattern, until, coming, names }, done)
  const after = { ...before, repeat_until: until, created_until: reached, ...pattern }
  done.steps.unshift({ op: 'series', class_series_id, before, after })
  await updateSeries(tx, class_series_id, { repeat_until: until, created_until: reached, ...pattern })
  const isLeft = (day: LocalDate) =>
    (until !== null && day > until) ||
    (pattern !== null && series.starts_on !== null && seriesDays({ ...pattern, starts_on: series.starts_on }, day, day).length === 0)
  await removeLeft(tx, ctx, { isLeft, coming, reason: reason ?? '' }, done)
  await ctx.audit(tx, {
    action: 'class.series_end',
    entity: 'single_class',
    entity_id: coming[0]?.single_class_id ?? null,
    before: { class_series_id, repeat_until, ...(pattern ? { weekdays, every_weeks, except_days } : {}) },
    after: { class_series_id, repeat_until: until, ...pattern },
  })
  return done
}

interface Pattern {
  weekdays: number[]
  every_weeks: number
  except_days: LocalDate[]
}

/** How the series repeats afterwards; null: as before. SERIES_EMPTY for a series whose pattern was not recorded. */
function patternAfter(series: Series, { weekdays, every_weeks, except }: Input<'update'>): Pattern | null {
  if (weekdays === undefined && every_weeks === undefined && except === undefined) return null
  if (!series.fields || !series.starts_on || !series.created_until) throw refuse('SERIES_EMPTY')
  return {
    weekdays: [...new Set(weekdays ?? series.weekdays)].sort((a, b) => a - b),
    every_weeks: every_weeks ?? series.every_weeks,
    except_days: [...new Set(except ?? series.except_days)].sort(),
  }
}

/** The days of a series without a class of it, and not closed, from one day to another. */
export function missingDays(
  pattern: SeriesPattern,
  from: LocalDate,
  last: LocalDate,
  { coming, names, location_id }: { coming: readonly PlannedFacts[]; names: Names; location_id: number },
): LocalDate[] {
  const takenDays = new Set(coming.map((cls) => wallDay(cls.wall)))
  return seriesDays(pattern, from, last).filter((day) => !takenDays.has(day) && names.closedOn(location_id, day) === null)
}

/**
 * Creates the classes between the last day that was planned and the new one, and those of days that the new pattern has and the old one had
 * not: a class that was cancelled alone does not come back. Returns the last day for which classes exist.
 */
async function createMissing(
  tx: Tx,
  ctx: Ctx,
  {
    series,
    pattern,
    until,
    coming,
    names,
  }: { series: Series; pattern: Pattern | null; until: LocalDate | null; coming: readonly PlannedFacts[]; names: Names },
  done: Applied,
): Promise<LocalDate | null> {
  const { class_series_id, weekdays, every_weeks, except_days, starts_on, created_until, repeat_until } = series
  const today = localDate(ctx.now, ctx.zone)
  const last = plannedUntil(until, today, ctx.settings.schedule_weeks_ahead)
  if (!series.fields || !starts_on || !created_until) {
    // How it repeats was not recorded: it can only end earlier.
    if (until === null || until > (repeat_until ?? coming.map((cls) => wallDay(cls.wall)).at(-1) ?? today)) throw refuse('SERIES_EMPTY')
    return created_until
  }
  // A series that was ended by cancelling has no classes after its end, whatever was planned before.
  const planned = repeat_until !== null && repeat_until < created_until ? repeat_until : created_until
  const fields = series.fields as unknown as ClassFields
  const next = addDays(planned, 1)
  const tomorrow = addDays(today, 1)
  const old = { weekdays, every_weeks, except_days, starts_on }
  const had = pattern ? new Set(seriesDays(old, tomorrow, planned)) : null
  const of = { coming, names, location_id: fields.location_id }
  const days = missingDays({ ...old, ...pattern }, had || next <= today ? tomorrow : next, last, of).filter(
    (day) => day >= next || (had !== null && !had.has(day)),
  )
  if (days.length > MAX_SERIES_CLASSES) throw refuse('TOO_MANY_CLASSES', { most: MAX_SERIES_CLASSES })
  if (days.length > 0) {
    const hour = new Date(fields.class_date)
    const ids = await addClasses(tx, ctx, fields, { walls: days.map((day) => onDay(hour, day)), class_series_id })
    await requireFreeRooms(tx, ctx, ids)
    done.ids.push(...ids)
    done.created += ids.length
    done.steps.push(...ids.map((single_class_id) => ({ op: 'created' as const, single_class_id })))
  }
  return until ?? (planned > last ? planned : last)
}

/**
 * Deletes the classes that the series no longer has and that never had a reservation, and cancels the others; those that were changed alone
 * stay (L6).
 */
async function removeLeft(
  tx: Tx,
  ctx: Ctx,
  { isLeft, coming, reason }: { isLeft: (day: LocalDate) => boolean; coming: readonly PlannedFacts[]; reason: string },
  done: Applied,
): Promise<void> {
  for (const facts of coming.filter((cls) => isLeft(wallDay(cls.wall)))) {
    if (facts.own_changes) {
      done.untouched.push(facts.wall.toISOString())
      continue
    }
    const cls = await lockClass(tx, ctx, facts.single_class_id ?? 0)
    const isErased = await applyClassErase(tx, ctx, cls).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal && error.code === 'CLASS_HAS_HISTORY') return false
        throw error
      },
    )
    if (isErased) {
      done.deleted++
      done.steps.push({ op: 'deleted', fields: classFields(facts), class_series_id: facts.class_series_id })
      continue
    }
    const { notified, refunded, released } = await applyClassCancel(tx, ctx, cls, reason)
    for (const id of notified) {
      done.notified.add(id)
      done.notifiedOfEnd.add(id)
    }
    for (const id of refunded) done.refunded.add(id)
    done.released += released
    done.cancelled++
    done.ids.push(cls.single_class_id)
    done.steps.push({ op: 'cancelled', single_class_id: cls.single_class_id })
  }
}
