/** The timetable as the studio plans it: reading it, changing it, drafts, copies of a week (docs/domain.md, "Planning the timetable"). */
import type * as z from 'zod'
import { daysBetween } from '#contract/day-count.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import {
  type ChangeResult,
  type ClassChange,
  type ClassConflict,
  type LeftClass,
  MAX_CHANGES,
  MAX_SCHEDULE_DAYS,
  type PlannedClass,
  type studioSchedule as wire,
} from '#contract/studio-schedule.ts'
import { addDays, fromWallClock, localDate, mondayOf } from '#contract/time.ts'
import { alternativesToMany, listClassesWithLost, listLostWith, previewClassCancelled } from '#server/modules/bookings/bookings.ts'
import type { Ctx, StaffPrincipal } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { onDay, requestedDays, wallDay } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { type Applied, applyChanges, type Publishing } from './changes.ts'
import { countNotifiedByChannel } from './notified-channels.ts'
import { classFields, type PlannedFacts, withDrafts } from './rules.ts'
import { type DraftRow, deleteDrafts, insertDraft, insertUndo, listDrafts, lockDrafts, updateDraft } from './store.ts'
import { Names, readPlanned, serializePlannedClass, studioConflicts } from './timetable-view.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>

/** Ten minutes to take a published set of changes back (L7). */
const UNDO_MS = 10 * 60_000
/** The most classes that an answer lists. */
const LISTED = 200
/** Cancelled classes whose alternatives are listed. */
const LISTED_ALTERNATIVES = 10

export { listOpenScheduleUndos } from './store.ts'

/** The staff member who makes the request. */
export function requireStaff(ctx: Ctx): StaffPrincipal {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  return ctx.staff
}

/**
 * The classes of a range of days, with the caller's drafts, conflicts and totals (L1, L2). Staff see the locations where they work; coaches
 * without `roster.all` see every class and no drafts, because they may not plan.
 */
export async function readSchedule(ctx: Ctx, input: Input<'read'>): Answer<'read'> {
  const days = requestedDays(input, ctx.now, ctx.zone, MAX_SCHEDULE_DAYS)
  if (days instanceof Refusal) throw days
  const names = await Names.read(ctx, ctx.db)
  const [published, drafts] = await Promise.all([
    readPlanned(ctx.db, names, { start: days.start, end: days.end, zone: ctx.zone }),
    ctx.may('schedule.edit') ? listDrafts(ctx.db, requireStaff(ctx).staff_id) : [],
  ])
  const planned = await withOwnDrafts(ctx, names, published, drafts)
  const conflicts = studioConflicts(ctx, planned, names)
  const shown = planned.filter(
    (cls) =>
      ctx.worksAt(cls.location_id) &&
      (input.location_id === undefined || cls.location_id === input.location_id) &&
      (input.room_id === undefined || cls.room_id === input.room_id) &&
      (input.class_type_id === undefined || cls.class_type_id === input.class_type_id) &&
      (input.instructor_id === undefined || cls.coach_ids.includes(input.instructor_id)),
  )
  const shownLocations = input.location_id === undefined ? ctx.locationIds : [input.location_id].filter((id) => ctx.worksAt(id))
  const byDay = new Map<string, PlannedClass[]>()
  for (let date = days.start; date <= days.end; date = addDays(date, 1)) byDay.set(date, [])
  // Sorted by the local start time, because locations may be in several time zones.
  for (const cls of shown.sort((a, b) => a.wall.getTime() - b.wall.getTime()))
    byDay.get(wallDay(cls.wall))?.push(serializePlannedClass(cls, names, conflicts.get(cls) ?? [], ctx.now))
  const counted = shown.filter((cls) => !cls.cancelled && cls.draft?.op !== 'cancel' && cls.draft?.op !== 'delete')
  return {
    days: [...byDay].map(([date, classes]) => ({ date, holiday: names.holidayOn(date, shownLocations), classes })),
    totals: {
      classes: counted.length,
      coach_minutes: counted.reduce((sum, cls) => sum + cls.minutes * cls.coach_ids.length, 0),
      conflicts: counted.filter((cls) => conflicts.get(cls)?.length).length,
    },
    start_date: days.start,
    end_date: days.end,
    today: days.today,
    drafts: drafts.length,
    saves_as: ctx.settings.schedule_drafts ? 'draft' : 'publish',
  }
}

/** GET /admin/schedule/coaches: the coaches with a limited list of types (L23). */
export async function listTeaching(ctx: Ctx): Answer<'coaches'> {
  return { coaches: (await Names.read(ctx, ctx.db)).teaching() }
}

/**
 * Classes with a person's drafts applied, and the classes outside this range that those drafts name, because a draft may move one into it.
 */
async function withOwnDrafts(ctx: Ctx, names: Names, classes: PlannedFacts[], drafts: readonly DraftRow[]): Promise<PlannedFacts[]> {
  if (drafts.length === 0) return classes
  const named = new Map(classes.flatMap((cls) => (cls.single_class_id === null ? [] : [[cls.single_class_id, cls] as const])))
  const missing = drafts.flatMap(({ single_class_id }) => (single_class_id && !named.has(single_class_id) ? [single_class_id] : []))
  const others = missing.length ? await readPlanned(ctx.db, names, { ids: missing }) : []
  for (const cls of others) if (cls.single_class_id !== null) named.set(cls.single_class_id, cls)
  const today = localDate(ctx.now, ctx.zone)
  return withDrafts([...classes, ...others], drafts, {
    named,
    names,
    now: ctx.now,
    horizon: addDays(today, 7 * ctx.settings.schedule_weeks_ahead),
  })
}

/**
 * Changes classes, or stores the changes as drafts (L2, L4), all or none of them; the refusal of a change carries its position as `index`.
 * `dry_run` returns what publishing would do and writes nothing.
 */
export async function changeSchedule(ctx: Ctx, input: Input<'change'>): Answer<'change'> {
  const staff = requireStaff(ctx)
  if (input.partial && (input.as === 'draft' || !input.changes.every(isLeavable))) throw refuse('INVALID_INPUT', { field: 'partial' })
  if (input.dry_run) return tryChanges(ctx, input.changes, input)
  if (input.as === 'draft') return saveDrafts(ctx, staff, input)
  const done = await ctx.once('schedule.change', input, (tx) => publishInside(tx, ctx, staff, input.changes, input))
  return published(ctx, staff, done)
}

/** Whether a change can be left out of a set: it refuses before it writes, and nothing else depends on it. */
const isLeavable = ({ op, scope }: ClassChange): boolean => (op === 'cancel' || op === 'delete') && scope === 'one'

/** Publishes drafts of the caller, all or none of them. */
export async function publishDrafts(ctx: Ctx, input: Input<'publish'>): Answer<'publish'> {
  const staff = requireStaff(ctx)
  const ids = input.class_draft_ids ?? null
  if (input.dry_run) {
    const drafts = (await listDrafts(ctx.db, staff.staff_id)).filter((draft) => !ids || ids.includes(draft.class_draft_id))
    const changes = drafts.map(({ change }) => change)
    return tryChanges(ctx, changes, input).catch((error: unknown) => {
      throw ofDraft(error, drafts)
    })
  }
  const done = await ctx.once('schedule.publish', input, async (tx) => {
    const drafts = await lockDrafts(tx, staff.staff_id, ids)
    const result = await publishInside(
      tx,
      ctx,
      staff,
      drafts.map(({ change }) => change),
      input,
    ).catch((error: unknown) => {
      throw ofDraft(error, drafts)
    })
    await deleteDrafts(
      tx,
      staff.staff_id,
      drafts.map((draft) => draft.class_draft_id),
    )
    return result
  })
  return published(ctx, staff, done)
}

/** A refusal of a set of drafts with the draft that it is about. */
function ofDraft(error: unknown, drafts: readonly DraftRow[]): unknown {
  if (!(error instanceof Refusal)) return error
  return refuse(error.code, { ...error.data, class_draft_id: drafts[Number(error.data.index)]?.class_draft_id ?? null })
}

export async function discardDrafts(ctx: Ctx, input: Input<'discard'>): Answer<'discard'> {
  const { staff_id } = requireStaff(ctx)
  const ids = input.class_draft_id ?? null
  return { discarded: await ctx.tx((tx) => deleteDrafts(tx, staff_id, ids)) }
}

/** The response to a published set of changes: plain JSON, because a repeated request returns it from the idempotency record. */
export interface Published {
  ids: number[]
  result: ChangeResult
  undo: { undo_id: number; label: string; until: string } | null
}

/** Applies changes in the caller's transaction, and keeps what takes them back. */
export async function publishInside(
  tx: Tx,
  ctx: Ctx,
  staff: StaffPrincipal,
  changes: readonly ClassChange[],
  how: Publishing,
): Promise<Published> {
  return recordApplied(tx, ctx, staff, await applyChanges(tx, ctx, changes, how))
}

/** The response to changes that were just made, and what takes them back. */
export async function recordApplied(tx: Tx, ctx: Ctx, staff: StaffPrincipal, applied: Applied): Promise<Published> {
  const { result } = await describe(tx, ctx, applied)
  if (applied.steps.length === 0) return { ids: applied.ids, result, undo: null }
  const until = new Date(ctx.now.getTime() + UNDO_MS)
  const label = undoLabel(result)
  const undo_id = await insertUndo(tx, { staff_id: staff.staff_id, label, steps: applied.steps, until, createdAt: ctx.now })
  return { ids: applied.ids, result, undo: { undo_id, label, until: until.toISOString() } }
}

function undoLabel({ created, changed, cancelled, deleted }: ChangeResult): string {
  const count = created + changed + cancelled + deleted
  if (count === 0) return 'Se cambió el fin de la serie.'
  return count === 1 ? 'Se publicó 1 cambio del horario.' : `Se publicaron ${count} cambios del horario.`
}

/** What was published, read again. */
export async function published(ctx: Ctx, staff: StaffPrincipal, { ids, result, undo }: Published): Answer<'change'> {
  const names = await Names.read(ctx, ctx.db)
  const [facts, drafts] = await Promise.all([readPlanned(ctx.db, names, { ids: ids.slice(0, LISTED) }), listDrafts(ctx.db, staff.staff_id)])
  const conflicts = studioConflicts(ctx, facts, names)
  return {
    classes: facts.map((cls) => serializePlannedClass(cls, names, conflicts.get(cls) ?? [], ctx.now)),
    result,
    drafts: drafts.length,
    undo,
  }
}

function tryChanges(ctx: Ctx, changes: readonly ClassChange[], how: Publishing): Answer<'change'> {
  const reason = changes.find(({ op }) => op === 'cancel')?.reason ?? ''
  return tryApplied(ctx, (tx) => applyChanges(tx, ctx, changes, how), reason)
}

/** What changes would do; nothing is written. */
export async function tryApplied(ctx: Ctx, apply: (tx: Tx) => Promise<Applied>, reason: string): Answer<'change'> {
  const { staff_id } = requireStaff(ctx)
  const drafts = (await listDrafts(ctx.db, staff_id)).length
  const { lost, ...described } = await dryRun(ctx, async (tx) => {
    const applied = await apply(tx)
    return { ...(await describe(tx, ctx, applied)), lost: await findLost(tx, ctx, applied) }
  })
  const { first, cancelled } = lost
  const [message, alternatives] = await Promise.all([
    first && previewClassCancelled(ctx, { ...first, reason }, cancelled),
    alternativesToMany(ctx, lost.classes, cancelled),
  ])
  return { classes: described.classes, result: { ...described.result, message, alternatives }, drafts, undo: null }
}

/** Classes in which these changes cancel a reservation, and the first affected customer, in the transaction that makes them. */
async function findLost(tx: Tx, ctx: Ctx, { steps }: Applied) {
  const cancelled = new Set(steps.flatMap((step) => (step.op === 'cancelled' ? step.single_class_id : [])))
  const ids = cancelled.size === 0 ? [] : await listClassesWithLost(tx, [...cancelled], ctx.now)
  const [single_class_id] = ids
  const [lostReservation] = single_class_id === undefined ? [] : await listLostWith(tx, single_class_id, ctx.now)
  const first =
    lostReservation && single_class_id !== undefined
      ? { single_class_id, customer_id: lostReservation.customer_id, back: lostReservation.back }
      : null
  return { first, cancelled, classes: ids.slice(0, LISTED_ALTERNATIVES) }
}

/** The classes concerned with their conflicts, among all classes of their days, and the result on the wire. */
async function describe(tx: Tx, ctx: Ctx, applied: Applied): Promise<{ classes: PlannedClass[]; result: ChangeResult }> {
  const names = await Names.read(ctx, tx)
  const own = await readPlanned(tx, names, { ids: applied.ids })
  const days = [...new Set(own.map((cls) => wallDay(cls.wall)))].sort()
  const [first, last] = [days[0], days.at(-1)]
  const around = first && last ? await readPlanned(tx, names, { start: first, end: last, zone: ctx.zone }) : []
  const conflicts = studioConflicts(ctx, around, names)
  const concerned = around.filter((cls) => cls.single_class_id !== null && applied.ids.includes(cls.single_class_id))
  const { created, changed, cancelled, deleted, notified, released, refunded, untouched, refused } = applied
  return {
    classes: concerned.slice(0, LISTED).map((cls) => serializePlannedClass(cls, names, conflicts.get(cls) ?? [], ctx.now)),
    result: {
      created,
      changed,
      cancelled,
      deleted,
      released,
      untouched,
      refused,
      told: notified.size,
      credits_back: refunded.size,
      ...(notified.size > 0 ? { told_by: await countNotifiedByChannel(tx, ctx, applied) } : {}),
      conflicts: concerned.flatMap((cls) => conflicts.get(cls) ?? []).slice(0, LISTED),
      message: null,
      alternatives: [],
    },
  }
}

/** Keeps changes as drafts of one person (L2); what is refused later is refused when they are published. CLASS_NOT_FOUND, INVALID_INPUT. */
async function saveDrafts(ctx: Ctx, staff: StaffPrincipal, input: Input<'change'>): Answer<'change'> {
  const { staff_id } = staff
  const ids = await ctx.once('schedule.draft', input, async (tx) => {
    const drafts = await lockDrafts(tx, staff_id, null)
    const names = await Names.read(ctx, tx)
    const classes = await readPlanned(tx, names, { ids: input.changes.flatMap((change) => change.single_class_id ?? []) })
    const touched: number[] = []
    for (const [index, change] of input.changes.entries()) {
      const cls = classes.find((cls) => cls.single_class_id === change.single_class_id)
      if (change.op !== 'create' && !cls) throw refuse('CLASS_NOT_FOUND', { index })
      if (cls) ctx.requireLocation('schedule.edit', cls.location_id)
      if (change.fields?.location_id !== undefined) ctx.requireLocation('schedule.edit', change.fields.location_id)
      const class_draft_id = await saveDraft(tx, ctx, staff_id, drafts, change)
      drafts.push({ class_draft_id, single_class_id: change.single_class_id ?? null, change })
      touched.push(class_draft_id)
    }
    return touched
  })
  const names = await Names.read(ctx, ctx.db)
  const drafts = await listDrafts(ctx.db, staff_id)
  const planned = (await withOwnDrafts(ctx, names, [], drafts)).filter((cls) => ids.includes(cls.class_draft_id ?? 0))
  const conflicts = await conflictsAround(ctx, names, planned, drafts)
  return {
    classes: planned.slice(0, LISTED).map((cls) => serializePlannedClass(cls, names, conflicts.get(cls) ?? [], ctx.now)),
    result: {
      created: 0,
      changed: 0,
      cancelled: 0,
      deleted: 0,
      told: 0,
      released: 0,
      credits_back: 0,
      untouched: [],
      refused: [],
      message: null,
      alternatives: [],
      conflicts: planned.flatMap((cls) => conflicts.get(cls) ?? []).slice(0, LISTED),
    },
    drafts: drafts.length,
    undo: null,
  }
}

/** The conflicts of some planned classes with every class of their days, published ones and other drafts of the caller. */
async function conflictsAround(ctx: Ctx, names: Names, planned: readonly PlannedFacts[], drafts: readonly DraftRow[]) {
  const days = planned.map((cls) => wallDay(cls.wall)).sort()
  const [start, end] = [days[0], days.at(-1)]
  if (!start || !end) return new Map<PlannedFacts, ClassConflict[]>()
  const published = await readPlanned(ctx.db, names, { start, end, zone: ctx.zone })
  const all = studioConflicts(ctx, await withOwnDrafts(ctx, names, published, drafts), names)
  const keyOf = (cls: PlannedFacts) => `${cls.single_class_id} ${cls.class_draft_id} ${cls.wall.getTime()}`
  const found = new Map([...all].map(([cls, conflicts]) => [keyOf(cls), conflicts]))
  return new Map(planned.map((cls) => [cls, found.get(keyOf(cls)) ?? []]))
}

/** Writes one draft, replacing the named one or an earlier change of the same class in the same scope. Returns its id. */
async function saveDraft(tx: Tx, ctx: Ctx, staff_id: number, drafts: readonly DraftRow[], change: ClassChange): Promise<number> {
  const named = change.class_draft_id ? drafts.find((draft) => draft.class_draft_id === change.class_draft_id) : undefined
  const earlier =
    named ??
    drafts.find(
      (draft) =>
        change.op === 'update' &&
        draft.change.op === 'update' &&
        draft.single_class_id === change.single_class_id &&
        draft.change.scope === change.scope,
    )
  const { class_draft_id: _, ...sent } = change
  if (earlier) {
    const merged =
      earlier.change.op === 'update' && sent.op === 'update'
        ? // The latest version read wins: with that of the first draft, a class that changed since would refuse the draft for ever.
          { ...sent, fields: { ...earlier.change.fields, ...sent.fields }, if_updatedAt: sent.if_updatedAt ?? earlier.change.if_updatedAt }
        : sent
    await updateDraft(tx, earlier.class_draft_id, merged, ctx.now)
    return earlier.class_draft_id
  }
  return insertDraft(tx, {
    staff_id,
    single_class_id: sent.single_class_id ?? null,
    change: sent,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
}

/**
 * Copies the classes of a week into other weeks (L8): what is cancelled stays behind, series become single classes. Classes that would lie
 * in the past are left out, with `skip` also those that would meet another class of their coach or an equal one.
 */
export async function copyWeek(ctx: Ctx, input: Input<'copy'>): Answer<'copy'> {
  const from = mondayOf(input.from_week)
  const names = await Names.read(ctx, ctx.db)
  const source = (await readPlanned(ctx.db, names, { start: from, end: addDays(from, 6), zone: ctx.zone })).filter(
    (cls) => !cls.cancelled && ctx.worksAt(cls.location_id) && (input.location_ids?.includes(cls.location_id) ?? true),
  )
  const { changes, left } = await copyIntoWeeks(ctx, names, source, { ...input, from, same: input.on_conflict })
  const answer = await savePlaced(ctx, changes, input)
  const skipped = left.map(({ class_date }) => class_date)
  return { ...answer, placed: changes.length, skipped, left: left.slice(0, LISTED) }
}

interface Placing {
  /** The Monday of the week of the source. */
  from: string
  to_weeks: readonly string[]
  with_coaches: boolean
  on_conflict: 'skip' | 'mark'
  /** What happens when the target week already has an equal class. */
  same: 'skip' | 'mark'
}

/**
 * Copies classes into other weeks. Returns the changes that create them, those that are left out and why, classes that are already equal,
 * and the other classes of those weeks.
 */
export async function copyIntoWeeks(ctx: Ctx, names: Names, source: readonly PlannedFacts[], placing: Placing) {
  const { from, with_coaches, on_conflict } = placing
  const changes: ClassChange[] = []
  const left: LeftClass[] = []
  const others: PlannedFacts[] = []
  const locations = new Set(source.map((cls) => cls.location_id))
  let same = 0
  for (const week of [...new Set(placing.to_weeks.map((day) => mondayOf(day)))].sort()) {
    const existing = await readPlanned(ctx.db, names, { start: week, end: addDays(week, 6), zone: ctx.zone })
    const there = [...existing]
    const copies = source.map((cls) =>
      draftOf(cls, onDay(cls.wall, addDays(wallDay(cls.wall), daysBetween(from, week))), { with_coaches, names }),
    )
    others.push(
      ...existing.filter((cls) => !cls.cancelled && locations.has(cls.location_id) && !copies.some((copy) => isSameClass(copy, cls))),
    )
    for (const copy of copies) {
      if (placing.same === 'skip' && existing.some((cls) => isSameClass(copy, cls))) same++
      const why = whyLeftOut(ctx, names, copy, there, { on_conflict, same: placing.same })
      if (why) left.push(leftOut(copy, names, why))
      else {
        changes.push({ op: 'create', scope: 'one', fields: classFields(copy) })
        there.push(copy)
      }
    }
  }
  return { changes, left, same, others: others.map((cls) => leftOut(cls, names, 'No está en la plantilla.')) }
}

/** Why a class is not put among others, in words; null = it is. */
function whyLeftOut(
  ctx: Ctx,
  names: Names,
  copy: PlannedFacts,
  there: readonly PlannedFacts[],
  { on_conflict, same }: Pick<Placing, 'on_conflict' | 'same'>,
): string | null {
  if (names.isGone(copy)) return 'Su tipo de clase o su estudio ya no existe.'
  if (copy.starts_at <= ctx.now) return 'Esa hora ya pasó.'
  const holiday = names.closedOn(copy.location_id, wallDay(copy.wall))
  if (holiday !== null) return `Es un día sin clases: ${holiday}.`
  if (same === 'skip' && there.some((cls) => isSameClass(copy, cls))) return 'Ya está.'
  // An exclusive room refuses a second class, so it is left out in any case.
  const room = names.room(copy.room_id ?? 0)
  if (room?.exclusive && there.some((other) => isSameRoom(copy, other))) return `${room.name} tiene otra clase a esa hora.`
  if (on_conflict === 'mark') return null
  const conflicts = studioConflicts(ctx, [...there, copy], names).get(copy) ?? []
  return conflicts.find(({ kind }) => kind === 'coach_busy' || kind === 'duplicate')?.message ?? null
}

const leftOut = (cls: PlannedFacts, names: Names, message: string): LeftClass => ({
  class_date: cls.wall.toISOString(),
  name: names.type(cls.class_type_id),
  location: names.location(cls.location_id),
  message,
})

/** Writes the changes of `copyIntoWeeks`, or returns their effect (`dry_run`). */
export function savePlaced(
  ctx: Ctx,
  changes: ClassChange[],
  { as, dry_run }: { as: 'draft' | 'publish'; dry_run: boolean },
): Answer<'change'> {
  if (changes.length > MAX_CHANGES) throw refuse('TOO_MANY_CLASSES', { most: MAX_CHANGES })
  return changes.length === 0
    ? tryChanges(ctx, [], { tell: false })
    : changeSchedule(ctx, { changes, as, tell: true, dry_run, partial: false })
}

const isSameClass = (cls: PlannedFacts, other: PlannedFacts): boolean =>
  !other.cancelled &&
  other.starts_at.getTime() === cls.starts_at.getTime() &&
  other.class_type_id === cls.class_type_id &&
  other.location_id === cls.location_id &&
  other.room_id === cls.room_id

const isSameRoom = (cls: PlannedFacts, other: PlannedFacts): boolean =>
  !other.cancelled &&
  other.room_id === cls.room_id &&
  other.starts_at.getTime() < cls.starts_at.getTime() + cls.minutes * 60_000 &&
  cls.starts_at.getTime() < other.starts_at.getTime() + other.minutes * 60_000

function draftOf(cls: PlannedFacts, wall: Date, { with_coaches, names }: { with_coaches: boolean; names: Names }): PlannedFacts {
  const starts_at = fromWallClock(wall, cls.zone)
  const usual = cls.substitutes_for !== null && cls.coach_ids.length === 1 ? [cls.substitutes_for] : cls.coach_ids
  // A room that was removed since takes no classes any more; its seats stay with the copy.
  const room = names.room(cls.room_id ?? 0)?.gone ? { room_id: null, room_map: null } : {}
  const coach_ids = with_coaches ? names.activeCoaches(usual) : []
  return { ...cls, wall, starts_at, single_class_id: null, class_series_id: null, ...room, coach_ids }
}
