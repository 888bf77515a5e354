/** Writes changes of the timetable in one transaction, including classes of a series, and records the steps that undo them (L4 to L7). */
import { Refusal, refuse } from '#contract/errors.ts'
import { type ClassChange, MAX_CHANGED_CLASSES, MAX_SERIES_CLASSES } from '#contract/studio-schedule.ts'
import { addDays, formatWall, localDate } from '#contract/time.ts'
import { applyClassCancel, applyClassErase, applyClassUpdate, occupiesAnew, whyNotChangeable } from '#server/modules/bookings/bookings.ts'
import { refuseChanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  addClasses,
  type ClassFields,
  createSeries,
  type LockedClass,
  listSeriesClasses,
  lockClass,
  lockClasses,
  lockSeries,
  onDay,
  requireFreeRooms,
  seriesDays,
  updateSeries,
  wallDay,
} from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { listFieldConflicts } from './meanwhile.ts'
import {
  classFields,
  dayShift,
  type PlannedFacts,
  plannedUntil,
  type Shift,
  selectTargets,
  seriesPattern,
  shiftedWeekdays,
  shiftWallClock,
  type UndoStep,
} from './rules.ts'
import { findLastEditor } from './store.ts'
import { Names, readPlanned } from './timetable-view.ts'

/** Result of a set of changes. */
export interface Applied {
  /** Classes that were created, changed or cancelled. */
  ids: number[]
  created: number
  changed: number
  cancelled: number
  deleted: number
  /** Customers who get a message, and those who got a credit back. */
  notified: Set<number>
  /** Of them, those whose class is cancelled. */
  notifiedOfEnd: Set<number>
  refunded: Set<number>
  /** Reservations that ended, guests included. */
  released: number
  /** Starts, on the location's clocks, of classes of a series that keep their own values. */
  untouched: string[]
  /** With `partial`: the changes that were left out. */
  refused: { index: number; code: string; message: string }[]
  steps: UndoStep[]
}

/** `tell`: also notify the customers when only the coach changes. `partial`: leave refused changes out instead of refusing all. */
export interface Publishing {
  tell: boolean
  partial?: boolean
}

export const nothingApplied = (): Applied => ({
  ids: [],
  created: 0,
  changed: 0,
  cancelled: 0,
  deleted: 0,
  released: 0,
  untouched: [],
  refused: [],
  steps: [],
  notified: new Set<number>(),
  notifiedOfEnd: new Set<number>(),
  refunded: new Set<number>(),
})

/**
 * Applies changes one after the other; the first refusal ends all of them and carries its position as `index`, with `partial` the refused
 * ones are left out: cancellations and deletions of single classes, which refuse before they write. Locks the series and all classes
 * concerned first, in ascending order. Refuses with the codes of the contract.
 */
export async function applyChanges(
  tx: Tx,
  ctx: Ctx,
  changes: readonly ClassChange[],
  { tell, partial = false }: Publishing,
): Promise<Applied> {
  const done = nothingApplied()
  const named = changes.flatMap((change) => (change.op === 'create' ? [] : (change.single_class_id ?? [])))
  const before = await lockConcerned(tx, ctx, changes, named)
  const indexes = new Map<number, number>()
  for (const [index, change] of changes.entries()) {
    const from = done.ids.length
    try {
      if (change.op === 'create') await create(tx, ctx, change, done)
      else await changeClasses(tx, ctx, change, before, { done, tell })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!partial) throw refuse(error.code, { ...error.data, index })
      done.refused.push({ index, code: error.code, message: error.message })
    }
    if (change.op === 'create' || (change.op === 'update' && occupiesAnew(change.fields ?? {})))
      for (const id of done.ids.slice(from)) indexes.set(id, index)
    if (done.created + done.changed + done.cancelled + done.deleted > MAX_CHANGED_CLASSES)
      throw refuse('TOO_MANY_CLASSES', { most: MAX_CHANGED_CLASSES, index })
  }
  await requireRooms(tx, ctx, indexes)
  return done
}

/** ROOM_TAKEN, with the position of the change: checked at the end, because one change may free the room for another. */
async function requireRooms(tx: Tx, ctx: Ctx, indexes: ReadonlyMap<number, number>): Promise<void> {
  try {
    await requireFreeRooms(tx, ctx, [...indexes.keys()])
  } catch (error) {
    const index = error instanceof Refusal ? indexes.get(Number(error.data.single_class_id)) : undefined
    throw error instanceof Refusal ? refuse(error.code, { ...error.data, index: index ?? 0 }) : error
  }
}

/** The current, locked rows of every class that the changes apply to, by id, including those of their series. */
async function lockConcerned(
  tx: Tx,
  ctx: Ctx,
  changes: readonly ClassChange[],
  named: readonly number[],
): Promise<ReadonlyMap<number, PlannedFacts>> {
  if (named.length === 0) return new Map()
  const names = await Names.read(ctx, tx)
  const first = await readPlanned(tx, names, { ids: named })
  const wide = new Set(changes.flatMap((change) => (change.scope === 'one' ? [] : (change.single_class_id ?? []))))
  const series = [...new Set(first.flatMap((cls) => (wide.has(cls.single_class_id ?? 0) ? (cls.class_series_id ?? []) : [])))]
  const ids = new Set(named)
  for (const class_series_id of series.sort((a, b) => a - b)) {
    await lockSeries(tx, class_series_id)
    for (const cls of await listSeriesClasses(tx, class_series_id, ctx.now)) ids.add(cls.single_class_id)
  }
  if (ids.size > MAX_CHANGED_CLASSES) throw refuse('TOO_MANY_CLASSES', { most: MAX_CHANGED_CLASSES })
  await lockClasses(tx, ctx, [...ids])
  const locked = await readPlanned(tx, names, { ids: [...ids] })
  return new Map(locked.flatMap((cls) => (cls.single_class_id === null ? [] : [[cls.single_class_id, cls] as const])))
}

/** INVALID_INPUT, SERIES_EMPTY, TOO_MANY_CLASSES, NOT_FOUND, FORBIDDEN. */
async function create(tx: Tx, ctx: Ctx, { fields = {}, series }: ClassChange, done: Applied): Promise<void> {
  const { class_type_id, location_id, class_date, capacity, instructor_ids = [] } = fields
  if (!class_type_id) throw refuse('INVALID_INPUT', { field: 'class_type_id' })
  if (!location_id) throw refuse('INVALID_INPUT', { field: 'location_id' })
  if (!class_date) throw refuse('INVALID_INPUT', { field: 'class_date' })
  if (capacity === undefined) throw refuse('INVALID_INPUT', { field: 'capacity' })
  ctx.requireLocation('schedule.edit', location_id)
  const cls: ClassFields = { ...fields, class_type_id, location_id, class_date, capacity, instructor_ids }
  const first = new Date(class_date)
  let walls = [first]
  let class_series_id: number | null = null
  if (series) {
    const pattern = seriesPattern(first, series)
    const until = plannedUntil(series.until, localDate(ctx.now, ctx.zone), ctx.settings.schedule_weeks_ahead)
    const names = await Names.read(ctx, tx)
    const days = seriesDays(pattern, wallDay(first), until).filter((day) => names.closedOn(location_id, day) === null)
    if (days.length === 0) throw refuse('SERIES_EMPTY')
    if (days.length > MAX_SERIES_CLASSES) throw refuse('TOO_MANY_CLASSES', { most: MAX_SERIES_CLASSES })
    walls = days.map((day) => onDay(first, day))
    class_series_id = await createSeries(tx, ctx, cls, { ...pattern, until: series.until, created_until: until })
    done.steps.push({ op: 'series', class_series_id, before: null })
  }
  const ids = await addClasses(tx, ctx, cls, { walls, class_series_id })
  done.ids.push(...ids)
  done.created += ids.length
  done.steps.push(...ids.map((single_class_id) => ({ op: 'created' as const, single_class_id })))
}

/** The classes that a change applies to, in order of their start. CLASS_NOT_FOUND, CLASS_CANCELLED, CLASS_STARTED, CHANGED_MEANWHILE. */
async function changeClasses(
  tx: Tx,
  ctx: Ctx,
  change: ClassChange,
  before: ReadonlyMap<number, PlannedFacts>,
  { done, tell }: { done: Applied; tell: boolean },
): Promise<void> {
  const base = before.get(change.single_class_id ?? 0)
  if (!base?.single_class_id) throw refuse('CLASS_NOT_FOUND')
  const { op } = change
  // A past or cancelled class can still be deleted, because it may have been a mistake.
  const no = op === 'delete' ? null : whyNotChangeable(base, ctx.now)
  if (no) throw no
  if (change.if_updatedAt && base.updatedAt?.toISOString() !== new Date(change.if_updatedAt).toISOString())
    throw await changedMeanwhile(tx, ctx, base, change)
  const isTarget = selectTargets(base, change.scope, ctx.now)
  const targets = [...before.values()].filter(isTarget)
  const shift = dayShift(base.wall, change.fields?.class_date)
  if (change.scope !== 'one') {
    await changeSeries(tx, ctx, { base, change, shift }, done)
    done.untouched.push(...changedAlone(base, change.scope, before, ctx.now))
  }
  for (const target of targets) {
    const cls = await lockClass(tx, ctx, target.single_class_id ?? 0)
    if (op === 'update') await update(tx, ctx, { cls, target, change, shift }, { done, tell })
    else if (op === 'cancel') {
      const { notified, refunded, released } = await applyClassCancel(tx, ctx, cls, change.reason ?? '')
      for (const id of notified) {
        done.notified.add(id)
        done.notifiedOfEnd.add(id)
      }
      for (const id of refunded) done.refunded.add(id)
      done.released += released
      done.cancelled++
      done.ids.push(cls.single_class_id)
      done.steps.push({ op: 'cancelled', single_class_id: cls.single_class_id })
    } else {
      await applyClassErase(tx, ctx, cls)
      done.deleted++
      done.steps.push({ op: 'deleted', fields: classFields(target), class_series_id: target.class_series_id })
    }
  }
}

/** The refusal of a change made from an older state: with the author of the change, and both versions of every field that differs (L22). */
async function changedMeanwhile(tx: Tx, ctx: Ctx, base: PlannedFacts, change: ClassChange): Promise<Refusal> {
  const names = await Names.read(ctx, tx)
  return refuseChanged(ctx, await findLastEditor(tx, base.single_class_id ?? 0), base.updatedAt ?? null, {
    single_class_id: base.single_class_id,
    op: change.op,
    scope: change.scope,
    reason: change.reason ?? null,
    updatedAt: base.updatedAt?.toISOString(),
    name: `${names.type(base.class_type_id)}, ${formatWall(base.wall, 'class')}`,
    conflicts: listFieldConflicts(base, change, names),
  })
}

async function update(
  tx: Tx,
  ctx: Ctx,
  { cls, target, change, shift }: { cls: LockedClass; target: PlannedFacts; change: ClassChange; shift: Shift | null },
  { done, tell }: { done: Applied; tell: boolean },
): Promise<void> {
  const { single_class_id } = cls
  const { class_date: _, ...fields } = change.fields ?? {}
  const alone = change.scope === 'one' && cls.class_series_id !== null
  const notified = await applyClassUpdate(
    tx,
    ctx,
    cls,
    { single_class_id, ...fields, ...(shift ? { class_date: shiftWallClock(target.wall, shift).toISOString() } : {}) },
    { own_changes: alone || cls.own_changes, silent: !tell },
  )
  for (const id of notified) done.notified.add(id)
  done.changed++
  done.ids.push(single_class_id)
  done.steps.push({
    op: 'changed',
    single_class_id,
    fields: classFields(target),
    own_changes: target.own_changes,
    updatedAt: ctx.now.toISOString(),
  })
}

/** Starts of classes of the series that a change would concern if they had not been changed alone. */
function changedAlone(base: PlannedFacts, scope: ClassChange['scope'], classes: ReadonlyMap<number, PlannedFacts>, now: Date): string[] {
  const isTarget = selectTargets(base, scope, now)
  return [...classes.values()].flatMap((cls) =>
    !isTarget(cls) && isTarget({ ...cls, own_changes: false }) ? [cls.wall.toISOString()] : [],
  )
}

/** Updates the template of later classes of the series; a series that is cancelled or deleted from this class on ends before it. */
async function changeSeries(
  tx: Tx,
  ctx: Ctx,
  { base, change, shift }: { base: PlannedFacts; change: ClassChange; shift: Shift | null },
  done: Applied,
): Promise<void> {
  const series = base.class_series_id === null ? null : await lockSeries(tx, base.class_series_id)
  if (!series) return
  const { class_series_id, repeat_until, weekdays } = series
  const before = { repeat_until, weekdays, fields: series.fields }
  const become = async (to: Partial<typeof before>) => {
    done.steps.push({ op: 'series', class_series_id, before, after: { ...before, ...to } })
    await updateSeries(tx, class_series_id, to)
  }
  if (change.op !== 'update') {
    await become({ repeat_until: addDays(change.scope === 'following' ? wallDay(base.wall) : localDate(ctx.now, ctx.zone), -1) })
    return
  }
  const { class_date: _, ...fields } = change.fields ?? {}
  const hour = series.fields?.class_date
  const moved = shift && typeof hour === 'string' ? { class_date: onDay(shift.hour, hour.slice(0, 10)).toISOString() } : {}
  const isElsewhere = fields.location_id !== undefined && fields.location_id !== series.fields?.location_id
  const left = isElsewhere && fields.room_id === undefined ? { room_id: null } : {}
  await become({
    fields: series.fields && { ...series.fields, ...fields, ...left, ...moved },
    ...(shift ? { weekdays: shiftedWeekdays(weekdays, shift) } : {}),
  })
}
