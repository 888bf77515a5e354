/** Suplencias: requests of a substitute for a class (docs/domain.md L9 to L12). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import type { Substitution, substitutions as wire } from '#contract/substitutions.ts'
import { wallClock } from '#contract/time.ts'
import { applyClassUpdate, whyNotChangeable } from '#server/modules/bookings/bookings.ts'
import type { Ctx, StaffPrincipal } from '#server/modules/ctx.ts'
import { type LockedClass, listCoachIds, lockClass, lockClasses } from '#server/modules/schedule/schedule.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { requireStaff } from './planning.ts'
import {
  findOpenSubstitution,
  insertSubstitution,
  isCoachBusy,
  listEligible,
  listSubstitutionRows,
  listUnknownCoaches,
  lockSubstitution,
  type SubstitutionFilter,
  type SubstitutionRecord,
  type SubstitutionRow,
  updateSubstitution,
  upsertAnswer,
  type Viewer,
} from './substitution-store.ts'
import { Names } from './timetable-view.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

/** Staff who plan see every substitution where they work, others their own. */
const viewerOf = (ctx: Ctx, staff: StaffPrincipal): Viewer => (ctx.may('schedule.edit') ? null : staff)

/** GET /admin/substitutions. */
export async function listSubstitutions(ctx: Ctx, { state }: Input<'list'>): Promise<{ substitutions: Substitution[] }> {
  return { substitutions: await read(ctx, ctx.db, { state }) }
}

async function read(ctx: Ctx, on: Reader, filter: SubstitutionFilter): Promise<Substitution[]> {
  const staff = requireStaff(ctx)
  const [rows, names] = await Promise.all([listSubstitutionRows(on, filter, viewerOf(ctx, staff), ctx.now), Names.read(ctx, on)])
  return rows.filter((row) => !ctx.may('schedule.edit') || ctx.worksAt(row.location_id)).map((row) => serialize(ctx, staff, row, names))
}

function serialize(ctx: Ctx, staff: StaffPrincipal, row: SubstitutionRow, names: Names): Substitution {
  const mayPlan = ctx.may('schedule.edit')
  const isOpen = row.is_current && (row.state === 'open' || row.state === 'accepted')
  const isRequester = mayPlan || isRequestedBy(staff, row)
  const coach = (instructor_id: number) => ({ instructor_id, name: names.coach(instructor_id) })
  const candidates = row.asked ?? []
  const starts_at = new Date(row.starts)
  return {
    substitution_id: row.substitution_id,
    state: isOpen || row.state === 'done' ? row.state : 'closed',
    reason: row.reason,
    single_class: {
      single_class_id: row.single_class_id,
      class_date: wallClock(starts_at, names.zoneOf(row.location_id)).toISOString(),
      starts_at: starts_at.toISOString(),
      duration_minutes: Math.round((row.ends - row.starts) / 60_000),
      class_type: names.type(row.class_type_id),
      location: names.location(row.location_id),
      taken: row.taken,
    },
    instructor: row.instructor_id === null ? null : coach(row.instructor_id),
    substitute: row.substitute_id === null ? null : coach(row.substitute_id),
    asked: candidates
      .filter((candidate) => isRequester || candidate.instructor_id === staff.instructor_id)
      .map(({ instructor_id, answer }) => ({ ...coach(instructor_id), answer })),
    can_answer:
      isOpen &&
      row.state === 'open' &&
      candidates.some((candidate) => candidate.instructor_id === staff.instructor_id && candidate.answer === null),
    can_approve: isOpen && row.state === 'accepted' && mayPlan,
    can_assign: isOpen && mayPlan,
    can_close: isOpen && isRequester,
    createdAt: new Date(row.created).toISOString(),
  }
}

const isRequestedBy = (staff: StaffPrincipal, { staff_id, instructor_id }: { staff_id: number; instructor_id: number | null }): boolean =>
  staff_id === staff.staff_id || (instructor_id !== null && instructor_id === staff.instructor_id)

/** GET /admin/substitutions/eligible. CLASS_NOT_FOUND, SUBSTITUTION_NOT_YOURS, FORBIDDEN. */
export async function eligibleCoaches(ctx: Ctx, { single_class_id }: Input<'eligible'>) {
  const staff = requireStaff(ctx)
  const { ids, names } = await ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, single_class_id)
    await requireOwnClass(tx, ctx, staff, cls)
    return { ids: await listEligible(tx, cls, ctx.now), names: await Names.read(ctx, tx) }
  })
  return { instructors: ids.map((instructor_id) => ({ instructor_id, name: names.coach(instructor_id) })) }
}

/** The coaches of a class whose substitution this person may request. FORBIDDEN, SUBSTITUTION_NOT_YOURS. */
async function requireOwnClass(tx: Tx, ctx: Ctx, staff: StaffPrincipal, cls: LockedClass): Promise<number[]> {
  const coaches = await listCoachIds(tx, cls.single_class_id)
  const isOwn = staff.instructor_id !== null && coaches.includes(staff.instructor_id)
  if (ctx.may('schedule.edit')) ctx.requireLocation('schedule.edit', cls.location_id)
  else if (!isOwn) throw refuse('SUBSTITUTION_NOT_YOURS')
  return isOwn && staff.instructor_id !== null ? [staff.instructor_id, ...coaches.filter((id) => id !== staff.instructor_id)] : coaches
}

/**
 * POST /admin/substitutions: opens a substitution per class, all or nothing (L9, L10). CLASS_NOT_FOUND, CLASS_CANCELLED, CLASS_STARTED,
 * SUBSTITUTION_NOT_YOURS, SUBSTITUTION_OPEN, NOT_FOUND for an unknown coach, FORBIDDEN.
 */
export async function openSubstitutions(ctx: Ctx, input: Input<'open'>): Promise<{ substitutions: Substitution[] }> {
  const staff = requireStaff(ctx)
  if (input.assign != null) ctx.require('schedule.edit')
  const { ids } = await ctx.once('substitution.open', input, async (tx) => {
    const classes = await lockClasses(tx, ctx, input.single_class_ids)
    await requireCoaches(tx, [...(Array.isArray(input.ask) ? input.ask : []), ...(input.assign == null ? [] : [input.assign])])
    const ids: number[] = []
    for (const single_class_id of new Set(input.single_class_ids)) {
      const cls = classes.get(single_class_id)
      if (!cls) throw refuse('CLASS_NOT_FOUND', { single_class_id })
      ids.push(await openOne(tx, ctx, staff, cls, input))
    }
    return { ids }
  })
  return { substitutions: await read(ctx, ctx.db, { ids }) }
}

async function openOne(tx: Tx, ctx: Ctx, staff: StaffPrincipal, cls: LockedClass, input: Input<'open'>): Promise<number> {
  const { single_class_id } = cls
  const [replaced = null] = await requireOwnClass(tx, ctx, staff, cls)
  const no = whyNotChangeable(cls, ctx.now)
  if (no) throw no
  const found = await findOpenSubstitution(tx, single_class_id)
  const isCurrent = found && (found.instructor_id === null || (await listCoachIds(tx, single_class_id)).includes(found.instructor_id))
  if (found && isCurrent) {
    if (input.assign == null) throw refuse('SUBSTITUTION_OPEN', { single_class_id })
    await finish(tx, ctx, cls, found, input.assign)
    return found.substitution_id
  }
  // The coach was changed elsewhere: the earlier request is closed.
  if (found) await updateSubstitution(tx, found.substitution_id, { state: 'closed', substitute_id: null, updatedAt: ctx.now })
  const candidates = input.ask === 'elegibles' ? await listEligible(tx, cls, ctx.now) : [...new Set(input.ask ?? [])]
  const { reason } = input
  const row = { single_class_id, instructor_id: replaced, staff_id: staff.staff_id, reason, createdAt: ctx.now, updatedAt: ctx.now }
  const substitution_id = await insertSubstitution(
    tx,
    { ...row, state: 'open' },
    candidates.filter((id) => id !== replaced),
  )
  await ctx.audit(tx, {
    action: 'class.substitute_ask',
    entity: 'single_class',
    entity_id: single_class_id,
    reason,
    after: { substitution_id, instructor_id: replaced, asked: candidates },
  })
  if (input.assign != null) await finish(tx, ctx, cls, await lockSubstitution(tx, substitution_id), input.assign)
  else if (candidates.length) await tx.send({ name: 'substitution-asked', data: { substitution_id, again: false } })
  return substitution_id
}

async function requireCoaches(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length && (await listUnknownCoaches(tx, ids)).length) throw refuse('NOT_FOUND', { field: 'instructor_id' })
}

/** Changes the coach of the class. Customers and both coaches get the message of a changed class (B7). */
async function finish(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  { substitution_id, instructor_id }: SubstitutionRecord,
  substitute_id: number,
): Promise<void> {
  const coaches = await listCoachIds(tx, cls.single_class_id)
  const others = coaches.filter((id) => id !== substitute_id)
  const instructor_ids =
    instructor_id === null ? [...others, substitute_id] : others.map((id) => (id === instructor_id ? substitute_id : id))
  await applyClassUpdate(
    tx,
    ctx,
    cls,
    { single_class_id: cls.single_class_id, instructor_ids: [...new Set([...instructor_ids, substitute_id])] },
    { own_changes: cls.class_series_id !== null, ...(instructor_id === null ? {} : { substitutes_for: instructor_id }) },
  )
  await updateSubstitution(tx, substitution_id, { state: 'done', substitute_id, updatedAt: ctx.now })
  await ctx.audit(tx, {
    action: 'class.substitute_assign',
    entity: 'single_class',
    entity_id: cls.single_class_id,
    before: { instructor_id },
    after: { instructor_id: substitute_id, substitution_id },
  })
}

/** PUT /admin/substitutions/{substitution_id} (L10, L11). Refuses with the codes of the contract; then nothing changes. */
export async function answerSubstitution(ctx: Ctx, input: Input<'answer'>): Promise<{ substitution: Substitution }> {
  const staff = requireStaff(ctx)
  const { substitution_id, accept, approve, assign, close } = input
  if ([accept, approve, assign, close].filter((value) => value != null).length !== 1)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'accept', message: 'Envía una sola respuesta: accept, approve, assign o close.' }] })
  if (approve != null || assign != null) ctx.require('schedule.edit')
  await ctx.tx(async (tx) => {
    const [row] = await listSubstitutionRows(tx, { ids: [substitution_id] }, viewerOf(ctx, staff), ctx.now)
    if (!row) throw refuse('NOT_FOUND')
    const cls = await lockClass(tx, ctx, row.single_class_id)
    const sub = await lockSubstitution(tx, substitution_id)
    if (ctx.may('schedule.edit')) ctx.requireLocation('schedule.edit', cls.location_id)
    // The same answer again, after the connection was lost, is no refusal.
    if (accept && sub.state !== 'open' && sub.substitute_id !== null && sub.substitute_id === staff.instructor_id) return
    await requireOpen(tx, ctx, cls, sub, { isAccepted: accept == null })
    if (accept != null) await answer(tx, ctx, staff, cls, sub, accept)
    else if (approve != null) await decide(tx, ctx, cls, sub, approve)
    else if (assign != null) {
      await requireCoaches(tx, [assign])
      await finish(tx, ctx, cls, sub, assign)
    } else await closeOne(tx, ctx, staff, sub)
  })
  const [substitution] = await read(ctx, ctx.db, { ids: [substitution_id] })
  if (!substitution) throw refuse('NOT_FOUND')
  return { substitution }
}

/** SUBSTITUTION_TAKEN, SUBSTITUTION_CLOSED, CLASS_CANCELLED, CLASS_STARTED. `isAccepted`: one that awaits approval counts as open. */
async function requireOpen(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  sub: SubstitutionRecord,
  { isAccepted }: { isAccepted: boolean },
): Promise<void> {
  const { state, substitute_id, instructor_id } = sub
  if (substitute_id !== null && (state === 'done' || !isAccepted))
    throw refuse('SUBSTITUTION_TAKEN', { name: (await Names.read(ctx, tx)).coach(substitute_id) })
  if (state === 'closed') throw refuse('SUBSTITUTION_CLOSED')
  const no = whyNotChangeable(cls, ctx.now)
  if (no) throw no
  if (instructor_id !== null && !(await listCoachIds(tx, cls.single_class_id)).includes(instructor_id)) throw refuse('SUBSTITUTION_CLOSED')
}

/** A coach accepts or declines. NOT_FOUND for a coach who was not asked, SUBSTITUTE_BUSY. */
async function answer(tx: Tx, ctx: Ctx, staff: StaffPrincipal, cls: LockedClass, sub: SubstitutionRecord, accepts: boolean): Promise<void> {
  const { substitution_id } = sub
  const { instructor_id } = staff
  const response = accepts ? 'accepted' : 'declined'
  if (instructor_id === null || !(await upsertAnswer(tx, { substitution_id, instructor_id, answer: response, now: ctx.now })))
    throw refuse('NOT_FOUND')
  await ctx.audit(tx, {
    action: 'class.substitute_answer',
    entity: 'single_class',
    entity_id: cls.single_class_id,
    after: { substitution_id, instructor_id, answer: response },
  })
  if (!accepts) return
  if (await isCoachBusy(tx, instructor_id, cls)) throw refuse('SUBSTITUTE_BUSY')
  if (!ctx.settings.substitution_approval) return finish(tx, ctx, cls, sub, instructor_id)
  await updateSubstitution(tx, substitution_id, { state: 'accepted', substitute_id: instructor_id, updatedAt: ctx.now })
}

/** The studio approves the coach who accepted, or continues the search. INVALID_INPUT before anyone accepted. */
async function decide(tx: Tx, ctx: Ctx, cls: LockedClass, sub: SubstitutionRecord, approves: boolean): Promise<void> {
  const { substitution_id, substitute_id } = sub
  if (substitute_id === null) throw refuse('INVALID_INPUT', { issues: [{ path: 'approve', message: 'Nadie la ha aceptado todavía.' }] })
  if (approves) return finish(tx, ctx, cls, sub, substitute_id)
  await upsertAnswer(tx, { substitution_id, instructor_id: substitute_id, answer: 'declined', now: ctx.now })
  await updateSubstitution(tx, substitution_id, { state: 'open', substitute_id: null, updatedAt: ctx.now })
  await ctx.audit(tx, {
    action: 'class.substitute_refuse',
    entity: 'single_class',
    entity_id: cls.single_class_id,
    before: { substitution_id, instructor_id: substitute_id },
  })
  await tx.send({ name: 'substitution-refused', data: { substitution_id, instructor_id: substitute_id } })
}

/** FORBIDDEN unless the caller opened it or plans the timetable. */
async function closeOne(tx: Tx, ctx: Ctx, staff: StaffPrincipal, sub: SubstitutionRecord): Promise<void> {
  if (!ctx.may('schedule.edit') && !isRequestedBy(staff, sub)) throw refuse('FORBIDDEN', { needs: 'schedule.edit' })
  await updateSubstitution(tx, sub.substitution_id, { state: 'closed', substitute_id: null, updatedAt: ctx.now })
  await ctx.audit(tx, {
    action: 'class.substitute_close',
    entity: 'single_class',
    entity_id: sub.single_class_id,
    before: { substitution_id: sub.substitution_id },
  })
}
