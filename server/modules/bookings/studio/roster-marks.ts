/** Attendance marks, and closing the roster (docs/domain.md, "Attendance"). */
import { Refusal, refuse } from '#contract/errors.ts'
import type { RosterClosing } from '#contract/front-desk.ts'
import { unmarkedCountAsAttended, whyNotCloseRoster, whyNotMark } from '#server/modules/bookings/attendance-rules.ts'
import {
  findAnyReservation,
  listActiveReservations,
  listNamedReservations,
  updateReservations,
} from '#server/modules/bookings/store/attendance-store.ts'
import type { ReservationRecord } from '#server/modules/bookings/store/store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type LockedClass, lockClass, markRosterClosed } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { judgeNoShows, revokePenalties } from './penalties.ts'
import { demandTeaching, getClassFacts, rosterReservation } from './roster-view.ts'

/** A mark on a reservation: attended, absent, or unmarked (null). */
export interface Mark {
  attend: boolean | null
  /** Why an absence does not count. */
  excuse?: string | null | undefined
}

/**
 * Marks a reservation of a locked class (A2, A3). After the roster was closed it is a correction: no-shows are counted again, and a penalty
 * based on this one is lifted. RESERVATION_CANCELLED, ATTENDANCE_TOO_EARLY, CLASS_CANCELLED; MARK_SUPERSEDED when a mark later than `at` is
 * stored (A11).
 */
export async function applyMark(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  reservation: ReservationRecord | null,
  mark: Mark,
  at: Date = ctx.now,
): Promise<void> {
  if (!reservation || reservation.deletedAt) throw refuse('RESERVATION_CANCELLED')
  const no = whyNotMark(cls, at)
  if (no) throw no
  const { attend } = mark
  const excuse = attend === false ? (mark.excuse ?? null) : null
  const isSame = reservation.attend === attend && reservation.excuse === excuse
  // A repeated request after a lost response: nothing to do.
  if (isSame && reservation.markedAt?.getTime() === at.getTime()) return
  if (reservation.markedAt && reservation.markedAt > at) throw refuse('MARK_SUPERSEDED')
  const by = { markedAt: at, marked_by: ctx.staff?.staff_id ?? null }
  await updateReservations(tx, [reservation.class_reservation_id], { attend, excuse, ...by }, ctx.now)
  await ctx.audit(tx, {
    action: 'attendance.mark',
    entity: 'class_reservation',
    entity_id: reservation.class_reservation_id,
    reason: excuse,
    before: { attend: reservation.attend, excuse: reservation.excuse },
    after: { attend, excuse, ...(at < ctx.now ? { marked_at: at.toISOString() } : {}) },
  })
  if (cls.settledAt === null || reservation.host_reservation_id !== null || isSame) return
  if (attend === false && excuse === null) await judgeNoShows(tx, ctx, [reservation])
  else await revokePenalties(tx, ctx, reservation.class_reservation_id)
}

/** One mark (A2, A3). Refuses with the codes of the contract. */
export async function markAttendance(ctx: Ctx, input: Mark & { class_reservation_id: number }) {
  const seen = await findAnyReservation(ctx.db, input.class_reservation_id)
  if (!seen) throw refuse('RESERVATION_NOT_FOUND')
  await demandTeaching(ctx, await getClassFacts(ctx, seen.single_class_id))
  await ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, seen.single_class_id)
    await applyMark(tx, ctx, cls, await findAnyReservation(tx, input.class_reservation_id), input)
  })
  return rosterReservation(ctx, input.class_reservation_id)
}

interface TimedMark extends Mark {
  class_reservation_id: number
  marked_at?: string | undefined
}

interface RefusedMark {
  class_reservation_id: number
  code: string
  message: string
}

/**
 * Applies many marks of one class in one transaction, each with its own time (A11): a refused mark does not affect the others, and a
 * repetition changes nothing. CLASS_NOT_FOUND, NOT_YOUR_CLASS.
 */
export async function markMany(ctx: Ctx, input: { single_class_id: number; marks: readonly TimedMark[] }) {
  const { single_class_id } = input
  await demandTeaching(ctx, await getClassFacts(ctx, single_class_id))
  return ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, single_class_id)
    const reservations = new Map((await listActiveReservations(tx, single_class_id)).map((row) => [row.class_reservation_id, row]))
    const refused: RefusedMark[] = []
    for (const mark of [...input.marks].sort((a, b) => timeOf(ctx, a).getTime() - timeOf(ctx, b).getTime())) {
      const { class_reservation_id } = mark
      try {
        const reservation = reservations.get(class_reservation_id) ?? (await elsewhereOrGone(tx, class_reservation_id, single_class_id))
        const at = timeOf(ctx, mark)
        await applyMark(tx, ctx, cls, reservation, mark, at)
        // A later mark of the same place in this call is compared with this one.
        reservations.set(class_reservation_id, { ...reservation, attend: mark.attend, markedAt: at })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused.push({ class_reservation_id, code: error.code, message: error.message })
      }
    }
    return { saved: input.marks.length - refused.length, refused }
  })
}

/** The time of a mark, at most now: a device's clock may be ahead. */
const timeOf = (ctx: Ctx, { marked_at }: TimedMark): Date => {
  const at = marked_at === undefined ? ctx.now : new Date(marked_at)
  return at > ctx.now ? ctx.now : at
}

async function elsewhereOrGone(tx: Tx, class_reservation_id: number, single_class_id: number): Promise<ReservationRecord> {
  const row = await findAnyReservation(tx, class_reservation_id)
  if (row?.single_class_id !== single_class_id) throw refuse('RESERVATION_NOT_FOUND')
  return row
}

interface Closing {
  /** Reservations that count as absent, guests included. */
  absent: ReservationRecord[]
  attended: number
  /** Ids of those absent reservations that start a penalty. */
  penalised: ReadonlySet<number>
}

/** Closes a roster (A4): once per class; null when it was closed before. The caller holds the class's lock. */
async function decide(tx: Tx, ctx: Ctx, cls: LockedClass): Promise<Closing | null> {
  if (cls.settledAt !== null) return null
  const reservations = await listActiveReservations(tx, cls.single_class_id)
  const attend = unmarkedCountAsAttended(reservations)
  const open = reservations.filter((reservation) => reservation.attend === null)
  await updateReservations(
    tx,
    open.map((reservation) => reservation.class_reservation_id),
    { attend },
    ctx.now,
  )
  await markRosterClosed(tx, ctx, cls.single_class_id)
  const absent = reservations.filter((reservation) => reservation.excuse === null && (reservation.attend ?? attend) === false)
  const penalised = await judgeNoShows(
    tx,
    ctx,
    absent.filter((reservation) => reservation.host_reservation_id === null),
  )
  return { absent, attended: reservations.filter((reservation) => reservation.attend ?? attend).length, penalised: new Set(penalised) }
}

/**
 * Closes the roster of a class that ended (A4, settled 24): on a roster that was used unmarked customers count as absent; on an unused one
 * all count as present. Once per class.
 */
export async function closeRoster(ctx: Ctx, single_class_id: number): Promise<void> {
  await ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, single_class_id)
    if (!cls.cancelled) await decide(tx, ctx, cls)
  })
}

/** Thrown to roll back the transaction of a dry run; carries its result. */
class Preview extends Error {
  readonly outcome: RosterClosing
  constructor(outcome: RosterClosing) {
    super('Preview')
    this.outcome = outcome
  }
}

/**
 * Closes a roster by hand, from the start of the class (A10). `dry_run` returns who counts as absent and whose penalty begins, and changes
 * nothing: the same transaction is rolled back. CLASS_NOT_FOUND, NOT_YOUR_CLASS, CLASS_CANCELLED, ROSTER_NOT_CLOSABLE.
 */
export async function closeRosterByHand(ctx: Ctx, input: { single_class_id: number; dry_run: boolean }): Promise<RosterClosing> {
  const { single_class_id, dry_run } = input
  await demandTeaching(ctx, await getClassFacts(ctx, single_class_id))
  try {
    return await ctx.tx(async (tx) => {
      const cls = await lockClass(tx, ctx, single_class_id)
      const no = whyNotCloseRoster(cls, ctx.now)
      if (no) throw no
      const done = await decide(tx, ctx, cls)
      const outcome = await serializeClosing(tx, single_class_id, done)
      if (dry_run) throw new Preview(outcome)
      if (done)
        await ctx.audit(tx, {
          action: 'attendance.close',
          entity: 'single_class',
          entity_id: single_class_id,
          after: { attended: outcome.attended, no_shows: outcome.no_shows.length },
        })
      return outcome
    })
  } catch (error) {
    if (error instanceof Preview) return error.outcome
    throw error
  }
}

/** The absent customers by name; null: the roster was closed before, and no penalty begins. */
async function serializeClosing(tx: Tx, single_class_id: number, done: Closing | null): Promise<RosterClosing> {
  const rows = await listNamedReservations(tx, single_class_id)
  const absent = done && new Set(done.absent.map((reservation) => reservation.class_reservation_id))
  const isAbsent = (row: (typeof rows)[number]) =>
    absent ? absent.has(row.class_reservation_id) : row.attend === false && row.excuse === null
  return {
    was_closed: done === null,
    attended: done?.attended ?? rows.filter((row) => row.attend).length,
    no_shows: rows.filter(isAbsent).map(({ class_reservation_id, customer_id, name, last_name, guest }) => ({
      class_reservation_id,
      customer_id,
      name,
      last_name,
      guest,
      penalty: done?.penalised.has(class_reservation_id) ?? false,
    })),
  }
}
