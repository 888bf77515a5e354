/** Días sin clases (docs/domain.md L13 to L15). */
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { type Holiday, MAX_HOLIDAY_DAYS, type OfficialHoliday, type holidays as wire } from '#contract/holidays.ts'
import type { ClassChange } from '#contract/studio-schedule.ts'
import { addDays, fromWallClock, localDate, startOfDay } from '#contract/time.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import { extendLivingCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import type { Tx } from '#server/platform/db.ts'
import {
  deleteHoliday,
  findOverlap,
  type HolidayFields,
  type HolidayRow,
  insertHoliday,
  listClassesOn,
  listHolidayRows,
  listUnknownLocations,
  lockHoliday,
  lockHolidays,
  updateHoliday,
} from './holiday-store.ts'
import { officialHolidays } from './official-holidays.ts'
import { publishInside, requireStaff } from './planning.ts'
import { Names, readPlanned } from './timetable-view.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>

const LAST_DAY = '2099-12-31'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const traced = ({ holiday_id, name, from_day, to_day, location_ids, public: isPublic }: HolidayRow): Omit<Holiday, 'updatedAt'> => ({
  holiday_id,
  name,
  from: from_day,
  to: to_day,
  location_ids,
  public: isPublic,
})

const serialize = (row: HolidayRow): Holiday => ({ ...traced(row), updatedAt: row.updatedAt.toISOString() })

/** GET /admin/holidays: those of all locations and of those where the caller works. */
export async function listHolidays(ctx: Ctx, { year }: Input<'list'>): Answer<'list'> {
  const from = year === undefined ? localDate(ctx.now, ctx.zone) : `${year}-01-01`
  const rows = await listHolidayRows(ctx.db, { from, to: year === undefined ? LAST_DAY : `${year}-12-31` })
  return { holidays: rows.filter(({ location_ids }) => location_ids?.some((id) => ctx.worksAt(id)) ?? true).map(serialize) }
}

/** GET /admin/holidays/official. */
export async function proposeHolidays(ctx: Ctx, { year }: Input<'official'>): Answer<'official'> {
  const there = await listHolidayRows(ctx.db, { from: `${year}-01-01`, to: `${year}-12-31` })
  const isAdded = (day: string) =>
    there.some(({ from_day, to_day, location_ids }) => location_ids === null && day >= from_day && day <= to_day)
  return {
    holidays: officialHolidays(year).map(
      (officialHoliday): OfficialHoliday => ({ ...officialHoliday, added: isAdded(officialHoliday.day) }),
    ),
  }
}

/**
 * POST /admin/holidays (L13 to L15). NOT_FOUND for an unknown location, FORBIDDEN for one where the caller does not work, HOLIDAY_OVERLAP,
 * TOO_MANY_CLASSES, INVALID_INPUT for days in the past or in the wrong order.
 */
export async function addHolidays(ctx: Ctx, input: Input<'add'>): Answer<'add'> {
  if (!input.dry_run) return ctx.once('holidays.add', input, (tx) => addInside(tx, ctx, input))
  const { holidays: _, undo_id: __, ...answer } = await dryRun(ctx, (tx) => addInside(tx, ctx, input))
  return { ...answer, holidays: [], undo_id: null }
}

async function addInside(tx: Tx, ctx: Ctx, input: Input<'add'>): Answer<'add'> {
  await lockHolidays(tx)
  const rows: HolidayRow[] = []
  const concerned = new Set<number>()
  for (const [index, sent] of input.holidays.entries()) {
    const fields = await checkedFields(tx, ctx, sent, { index, except: 0 })
    if (fields.to_day < localDate(ctx.now, ctx.zone)) throw refuse('INVALID_INPUT', { field: 'to', index })
    const row = await insertHoliday(tx, fields, ctx.now)
    rows.push(row)
    for (const id of await listClassesOn(tx, fields, ctx)) concerned.add(id)
    await ctx.audit(tx, { action: 'holiday.create', entity: 'holiday', entity_id: row.holiday_id, after: traced(row) })
  }
  const reason = input.reason || rows.map(({ name }) => name).join(', ')
  const changes = await changesOf(tx, ctx, input, { ids: [...concerned], reason: reason.slice(0, 300) })
  // Pages and cached timetables show the days.
  tx.notify({ topic: 'catalogue' })
  const { result, undo } = await publishInside(tx, ctx, requireStaff(ctx), changes, { tell: true })
  const extended = await extend(tx, ctx, rows, input.extend_days, reason)
  return { holidays: rows.map(serialize), classes: concerned.size, extended, result, undo_id: undo?.undo_id ?? null }
}

/** The changes of the classes of the days: cancelled, moved or left. INVALID_INPUT for a move without a target or into the past. */
async function changesOf(
  tx: Tx,
  ctx: Ctx,
  { classes, move }: Pick<Input<'add'>, 'classes' | 'move'>,
  { ids, reason }: { ids: readonly number[]; reason: string },
): Promise<ClassChange[]> {
  if (classes === 'keep') return []
  if (classes === 'cancel') return ids.map((single_class_id) => ({ op: 'cancel', scope: 'one', single_class_id, reason }))
  if (!move || (move.days === 0 && move.minutes === 0)) throw refuse('INVALID_INPUT', { field: 'move' })
  const found = await readPlanned(tx, await Names.read(ctx, tx), { ids })
  return found.map(({ single_class_id, wall, zone }) => {
    const to = new Date(wall.getTime() + move.days * DAY_MS + move.minutes * MINUTE_MS)
    if (fromWallClock(to, zone) <= ctx.now) throw refuse('INVALID_INPUT', { field: 'move' })
    return { op: 'update', scope: 'one', single_class_id, fields: { class_date: to.toISOString() } }
  })
}

/** Lengthens credits that are valid on the first of the days, at the locations that close (L15). */
async function extend(tx: Tx, ctx: Ctx, rows: readonly HolidayRow[], days: number, reason: string): Promise<number> {
  const first = rows.map(({ from_day }) => from_day).sort()[0]
  if (days === 0 || !first) return 0
  ctx.require('credits.edit')
  const isEverywhere = rows.some(({ location_ids }) => location_ids === null)
  const location_ids = isEverywhere ? null : [...new Set(rows.flatMap(({ location_ids }) => location_ids ?? []))]
  const extended = await extendLivingCredits(tx, ctx, { validAt: startOfDay(first, ctx.zone), location_ids, days, reason })
  await ctx.audit(tx, {
    action: 'credits.extend_all',
    entity: 'holiday',
    entity_id: rows[0]?.holiday_id ?? null,
    reason,
    after: { extended, days, location_ids },
  })
  return extended
}

/** NOT_FOUND, FORBIDDEN, HOLIDAY_OVERLAP, INVALID_INPUT. The caller holds the lock of the table. */
async function checkedFields(
  tx: Tx,
  ctx: Ctx,
  { name, from, to, location_ids, public: isPublic }: Input<'add'>['holidays'][number],
  { index, except }: { index: number; except: number },
): Promise<HolidayFields> {
  if (to < from || to >= addDays(from, MAX_HOLIDAY_DAYS)) throw refuse('INVALID_INPUT', { field: 'to', index })
  // Staff of some locations close those only.
  if (location_ids === null && ctx.locationIds !== null) throw refuse('FORBIDDEN', { needs: 'schedule.edit' })
  for (const id of location_ids ?? []) ctx.requireLocation('schedule.edit', id)
  if (location_ids && (await listUnknownLocations(tx, location_ids)).length) throw refuse('NOT_FOUND', { field: 'location_ids', index })
  const ids = location_ids && [...new Set(location_ids)].sort((a, b) => a - b)
  const fields = { name, from_day: from, to_day: to, location_ids: ids, public: isPublic }
  const overlap = await findOverlap(tx, fields, except)
  if (overlap !== null) throw refuse('HOLIDAY_OVERLAP', { name: overlap, index })
  return fields
}

/**
 * PUT /admin/holidays/{holiday_id} (L13, L15). NOT_FOUND, FORBIDDEN, HOLIDAY_OVERLAP, TOO_MANY_CLASSES, INVALID_INPUT, CHANGED_MEANWHILE.
 */
export async function changeHoliday(ctx: Ctx, input: Input<'update'>): Answer<'update'> {
  if (!input.dry_run) return ctx.once('holidays.update', input, (tx) => changeInside(tx, ctx, input))
  return { ...(await dryRun(ctx, (tx) => changeInside(tx, ctx, input))), undo_id: null }
}

async function changeInside(tx: Tx, ctx: Ctx, input: Input<'update'>): Answer<'update'> {
  const { holiday_id, extend_days } = input
  await lockHolidays(tx)
  const before = await lockOwn(tx, ctx, holiday_id)
  await assertUnchanged(tx, ctx, { entity: 'holiday', id: holiday_id, updatedAt: before.updatedAt }, input.if_updatedAt)
  const fields = await checkedFields(tx, ctx, { ...input, public: input.public ?? before.public }, { index: 0, except: holiday_id })
  // What changes nothing is no version (K19); classes and credits may still be decided about.
  const isSame = isDeepStrictEqual(traced({ ...before, ...fields }), traced(before))
  const after = isSame ? before : await updateHoliday(tx, holiday_id, fields, ctx.now)
  if (!isSame) {
    await ctx.audit(tx, {
      action: 'holiday.change',
      entity: 'holiday',
      entity_id: holiday_id,
      before: traced(before),
      after: traced(after),
    })
    tx.notify({ topic: 'catalogue' })
  }
  // What stood on the days that it had was decided when it was added.
  const decided = new Set(await listClassesOn(tx, before, ctx))
  const ids = (await listClassesOn(tx, after, ctx)).filter((id) => !decided.has(id))
  const reason = (input.reason || after.name).slice(0, 300)
  const changes = await changesOf(tx, ctx, input, { ids, reason })
  const { result, undo } = await publishInside(tx, ctx, requireStaff(ctx), changes, { tell: true })
  const extended = await extend(tx, ctx, [after], extend_days, reason)
  return { holiday: serialize(after), classes: ids.length, extended, result, undo_id: undo?.undo_id ?? null }
}

/** DELETE /admin/holidays/{holiday_id}. NOT_FOUND, FORBIDDEN. */
export async function removeHoliday(ctx: Ctx, { holiday_id }: Input<'remove'>): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const before = await lockOwn(tx, ctx, holiday_id)
    await deleteHoliday(tx, holiday_id)
    await ctx.audit(tx, { action: 'holiday.remove', entity: 'holiday', entity_id: holiday_id, before: traced(before) })
    tx.notify({ topic: 'catalogue' })
    return { ok: true as const }
  })
}

/** Locks a holiday of locations where the caller works. NOT_FOUND, FORBIDDEN. */
async function lockOwn(tx: Tx, ctx: Ctx, holiday_id: number): Promise<HolidayRow> {
  const row = await lockHoliday(tx, holiday_id)
  if (!row) throw refuse('NOT_FOUND')
  if (row.location_ids === null && ctx.locationIds !== null) throw refuse('FORBIDDEN', { needs: 'schedule.edit' })
  for (const id of row.location_ids ?? []) ctx.requireLocation('schedule.edit', id)
  return row
}
