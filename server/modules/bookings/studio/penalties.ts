/** Penalties: what too many no-shows in a row on an unlimited package lead to, and how it ends (A5-A8; S2-4.22 to S2-4.24, settled 24). */
import { PENALTIES_PER_PAGE, type Penalty } from '#contract/attendance.ts'
import { refuse } from '#contract/errors.ts'
import { pageCount } from '#contract/paging.ts'
import { startOfDay, wallClock } from '#contract/time.ts'
import { resumesAt, streak } from '#server/modules/bookings/attendance-rules.ts'
import {
  findPenaltyRow,
  insertPenalty,
  listHistory,
  listPenalised,
  listPenalties,
  listPenaltiesOf,
  lockPenalty,
  type NamedPenalty,
  type PenaltyRow,
  updatePenalty,
} from '#server/modules/bookings/store/penalty-store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'

/** How many past reservations a streak of no-shows can span: the setting's maximum plus excused ones. */
const HISTORY = 200

/**
 * Judges absent customers (A5): at the studio's number of consecutive no-shows a penalty begins; below it they are warned. Only
 * reservations paid by an unlimited credit lot count; others are not read. Returns the reservations whose penalty begins.
 */
export async function judgeNoShows(
  tx: Tx,
  ctx: Ctx,
  absent: readonly { class_reservation_id: number; customer_id: number }[],
): Promise<number[]> {
  if (!ctx.settings.unlimited_membership_penalties_enabled) return []
  const begun: number[] = []
  const max = ctx.settings.unlimited_max_no_shows_for_penalty
  for (const { class_reservation_id, customer_id } of absent) {
    const history = await listHistory(tx, customer_id, HISTORY)
    if (!history.some((reservation) => reservation.class_reservation_id === class_reservation_id)) continue
    const counted = streak(history, await listPenalised(tx, customer_id))
    if (!counted.includes(class_reservation_id)) continue
    if (counted.length < max) {
      await tx.send({ name: 'no-show', data: { class_reservation_id, count: counted.length, max } })
      continue
    }
    const penalty = await insertPenalty(tx, {
      customer_id,
      class_reservation_ids: counted,
      reason: `${counted.length} faltas seguidas`,
      starts_at: ctx.now,
      ends_at: resumesAt(ctx.now, ctx.settings, ctx.zone),
      createdAt: ctx.now,
    })
    if (!penalty) continue
    begun.push(class_reservation_id)
    await tx.send({ name: 'penalty', data: { class_reservation_penalty_id: penalty.class_reservation_penalty_id } })
  }
  return begun
}

/** After a no-show was corrected: revokes the penalties that counted it (A8). */
export async function revokePenalties(tx: Tx, ctx: Ctx, class_reservation_id: number): Promise<void> {
  for (const row of await listPenaltiesOf(tx, class_reservation_id, ctx.now)) await forgive(tx, ctx, row, 'se corrigió la asistencia')
}

async function forgive(tx: Tx, ctx: Ctx, row: PenaltyRow, reason: string): Promise<PenaltyRow> {
  const id = row.class_reservation_penalty_id
  const done = await updatePenalty(tx, id, { forgivenAt: ctx.now, forgive_reason: reason })
  await ctx.audit(tx, {
    action: 'penalty.forgive',
    entity: 'class_reservation_penalty',
    entity_id: id,
    reason,
    before: { ends_at: row.ends_at },
  })
  await tx.send({ name: 'penalty-forgiven', data: { class_reservation_penalty_id: id } })
  return done
}

const isActive = (row: PenaltyRow, now: Date) => row.forgivenAt === null && row.starts_at <= now && row.ends_at > now

function serializePenalty(ctx: Ctx, row: NamedPenalty): Penalty {
  return {
    class_reservation_penalty_id: row.class_reservation_penalty_id,
    customer_id: row.customer_id,
    customer: row.customer,
    no_shows: row.class_reservation_ids.length,
    reason: row.reason,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    resumes_at: wallClock(row.ends_at, ctx.zone).toISOString(),
    active: isActive(row, ctx.now) && ctx.settings.unlimited_membership_penalties_enabled,
    forgivenAt: row.forgivenAt?.toISOString() ?? null,
    forgive_reason: row.forgive_reason,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Whose penalties the caller may see: staff with the right all, customers their own. NO_CUSTOMER. */
function visibleTo(ctx: Ctx, customer_id: number | undefined): number | null {
  if (ctx.may('roster.all')) return customer_id ?? null
  return ctx.customer.customer_id
}

/** A page of penalties, newest first (S2-7.46). Where the studio has none in force (A7), none is active. */
export async function penaltyList(
  ctx: Ctx,
  input: { customer_id?: number | undefined; filter?: 'active' | 'over' | undefined; page: number },
) {
  const { unlimited_membership_penalties_enabled: enabled } = ctx.settings
  const customer_id = visibleTo(ctx, input.customer_id)
  if (input.filter === 'active' && !enabled) return { class_reservation_penaltys: [], total: 0, pages: pageCount(0, PENALTIES_PER_PAGE) }
  const active = input.filter === undefined || !enabled ? null : { at: ctx.now, is: input.filter === 'active' }
  const slice = { limit: PENALTIES_PER_PAGE, offset: (input.page - 1) * PENALTIES_PER_PAGE }
  const { rows, total } = await listPenalties(ctx.db, { customer_id, active }, slice)
  return { class_reservation_penaltys: rows.map((row) => serializePenalty(ctx, row)), total, pages: pageCount(total, PENALTIES_PER_PAGE) }
}

/** Serializes a penalty that was just written. */
async function serializeWritten(
  ctx: Ctx,
  { class_reservation_penalty_id }: Pick<PenaltyRow, 'class_reservation_penalty_id'>,
): Promise<{ class_reservation_penalty: Penalty }> {
  const row = await findPenaltyRow(ctx.db, class_reservation_penalty_id)
  if (!row) throw new Error('A penalty was lost.')
  return { class_reservation_penalty: serializePenalty(ctx, row) }
}

/** One penalty (S2-7.47). PENALTY_NOT_FOUND, also for another's. */
export async function onePenalty(ctx: Ctx, input: { class_reservation_penalty_id: number }) {
  const row = await findPenaltyRow(ctx.db, input.class_reservation_penalty_id)
  const mine = visibleTo(ctx, undefined)
  if (!row || (mine !== null && row.customer_id !== mine)) throw refuse('PENALTY_NOT_FOUND')
  return { class_reservation_penalty: serializePenalty(ctx, row) }
}

function dayOf(ctx: Ctx, resumes_on: string | undefined): Date {
  if (resumes_on === undefined) return resumesAt(ctx.now, ctx.settings, ctx.zone)
  const at = startOfDay(resumes_on, ctx.zone)
  if (at <= ctx.now) throw refuse('INVALID_INPUT', { field: 'resumes_on' })
  return at
}

/** A penalty by hand (S2-7.48). PENALTIES_DISABLED, NOT_FOUND. */
export async function penalizeByHand(ctx: Ctx, input: { customer_id: number; reason: string; resumes_on?: string | undefined }) {
  if (!ctx.settings.unlimited_membership_penalties_enabled) throw refuse('PENALTIES_DISABLED')
  await customerById(ctx.db, input.customer_id)
  const ends_at = dayOf(ctx, input.resumes_on)
  const row = await ctx.once('penalties.create', input, async (tx) => {
    const { customer_id, reason } = input
    const penalty = await insertPenalty(tx, { customer_id, reason, starts_at: ctx.now, ends_at, createdAt: ctx.now })
    if (!penalty) throw new Error('A penalty was not stored.')
    const id = penalty.class_reservation_penalty_id
    await ctx.audit(tx, {
      action: 'penalty.create',
      entity: 'class_reservation_penalty',
      entity_id: id,
      after: { customer_id, ends_at },
      reason,
    })
    await tx.send({ name: 'penalty', data: { class_reservation_penalty_id: id } })
    return { class_reservation_penalty_id: id }
  })
  return serializeWritten(ctx, row)
}

async function lockRunning(tx: Tx, ctx: Ctx, id: number): Promise<PenaltyRow> {
  const row = await lockPenalty(tx, id)
  if (!row) throw refuse('PENALTY_NOT_FOUND')
  if (row.forgivenAt !== null || row.ends_at <= ctx.now) throw refuse('PENALTY_OVER')
  return row
}

/** Changes the day on which booking is possible again (S2-7.49). PENALTY_NOT_FOUND, PENALTY_OVER. */
export async function changePenalty(ctx: Ctx, input: { class_reservation_penalty_id: number; resumes_on: string; reason: string }) {
  const ends_at = dayOf(ctx, input.resumes_on)
  const row = await ctx.tx(async (tx) => {
    const id = input.class_reservation_penalty_id
    const before = await lockRunning(tx, ctx, id)
    if (before.ends_at.getTime() === ends_at.getTime()) return before
    const done = await updatePenalty(tx, id, { ends_at })
    await ctx.audit(tx, {
      action: 'penalty.change',
      entity: 'class_reservation_penalty',
      entity_id: id,
      reason: input.reason,
      before: { ends_at: before.ends_at },
      after: { ends_at },
    })
    return done
  })
  return serializeWritten(ctx, row)
}

/** Forgives a penalty; it remains in the history, and its no-shows never count again (A8; settled 44). PENALTY_NOT_FOUND, PENALTY_OVER. */
export async function forgivePenalty(ctx: Ctx, input: { class_reservation_penalty_id: number; reason: string }) {
  const row = await ctx.tx(async (tx) => forgive(tx, ctx, await lockRunning(tx, ctx, input.class_reservation_penalty_id), input.reason))
  return serializeWritten(ctx, row)
}
