/** Check-in at the door by scanning a code or choosing a customer (S2-2.49; docs/domain.md, "The front desk"). */
import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import type { CheckinResult } from '#contract/front-desk.ts'
import { formatPesos } from '#contract/money.ts'
import { formatWall, localDate, wallClock } from '#contract/time.ts'
import { EARLY_MS, whyNotMark } from '#server/modules/bookings/attendance-rules.ts'
import {
  findAnyReservation,
  findRosterReservation,
  listReservationsAhead,
  listRosterReservations,
  type RosterRow,
} from '#server/modules/bookings/store/attendance-store.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import { applyMark } from './roster-marks.ts'
import { demandTeaching, isOwed, serializeRosterClass, serializeRosterClasses, serializeRosterReservations } from './roster-view.ts'

interface Input {
  code?: string | undefined
  class_reservation_id?: number | undefined
  customer_id?: number | undefined
  location_id?: number | null | undefined
  allow_owed: boolean
}

/**
 * Parses the reservation id from a scanned code: the URL in the customer's QR code (settled 26), or the plain number. Null for any other
 * code.
 */
export function reservationOfCode(code: string): number | null {
  const found =
    /^(?:https?:\/\/[^\s?#]+)?\/admin\/reservaciones\/([1-9]\d{0,9})\/?(?:[?#].*)?$/.exec(code.trim())?.[1] ??
    /^#?([1-9]\d{0,9})$/.exec(code.trim())?.[1]
  const id = Number(found)
  return found !== undefined && id <= 2_147_483_647 ? id : null
}

/**
 * Checks a customer in (Q2): marks them as attended when their class can be marked now and nothing is owed; otherwise returns the reason
 * and changes nothing. Of two simultaneous scans one gets `ok`, the other `already`. NOT_YOUR_CLASS, FORBIDDEN; NOT_FOUND for an unknown
 * customer.
 */
export async function checkIn(ctx: Ctx, input: Input) {
  if (input.location_id) ctx.requireLocation('classes.own', input.location_id)
  if (input.customer_id !== undefined) return checkInCustomer(ctx, input, input.customer_id)
  const id = input.class_reservation_id ?? reservationOfCode(input.code ?? '')
  const row = id === null ? null : await findRosterReservation(ctx.db, id)
  return row
    ? checkInReservation(ctx, input, row)
    : answer(ctx, { result: 'not_found', message: 'No encontramos una reservación con este código.' })
}

/**
 * Checks in a customer without a code: their only reservation that can be marked now; several need a choice; without any, their next one is
 * returned.
 */
async function checkInCustomer(ctx: Ctx, input: Input, customer_id: number) {
  // Instructors see the people of their own classes only.
  ctx.require('roster.all')
  const person = await customerById(ctx.db, customer_id)
  const around = await listRosterReservations(ctx.db, await listReservationsAhead(ctx.db, customer_id, ctx.now))
  const rows = around.filter((row) => isMine(ctx, input, row))
  const now = rows.filter((row) => isNow(ctx, row))
  const open = now.filter((row) => row.attend !== true)
  const [first] = open.length > 0 ? open : now
  if (open.length > 1) {
    const reservations = await serializeRosterReservations(ctx, open)
    const classes = await classesOf(ctx, open)
    const shown = await serializeRosterClasses(ctx, [...classes.values()])
    const choices = reservations.flatMap((reservation) => {
      const cls = shown.get(reservation.single_class_id)
      return cls ? [{ ...reservation, class: cls }] : []
    })
    return answer(ctx, { result: 'choose', message: `${person.name} tiene ${open.length} clases ahora. Elige cuál.`, choices })
  }
  const row =
    first ?? rows.find((reservation) => reservation.starts_at > ctx.now) ?? around.find((reservation) => reservation.starts_at > ctx.now)
  if (row) return checkInReservation(ctx, input, row)
  return answer(ctx, { result: 'not_found', message: `${person.name} no tiene un lugar en las próximas clases.` })
}

const isMine = (ctx: Ctx, { location_id }: Input, row: RosterRow) =>
  location_id ? row.location_id === location_id : ctx.worksAt(row.location_id)

/** Whether the class can be marked now and has not ended. */
const isNow = (ctx: Ctx, row: Pick<RosterRow, 'starts_at' | 'ends_at'>) =>
  row.starts_at.getTime() - EARLY_MS <= ctx.now.getTime() && ctx.now < row.ends_at

async function classesOf(ctx: Ctx, rows: readonly RosterRow[]): Promise<Map<number, ClassFacts>> {
  const classes = await timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))])
  return new Map(classes.map((cls) => [cls.single_class_id, cls]))
}

async function checkInReservation(ctx: Ctx, input: Input, row: RosterRow) {
  const cls = (await classesOf(ctx, [row])).get(row.single_class_id)
  if (!cls) return answer(ctx, { result: 'not_found', message: 'No encontramos una reservación con este código.' })
  const where = `${cls.shown.class_type.name}, ${formatWall(cls.shown.class_date, 'class')}`
  if (!isMine(ctx, input, row)) {
    // For a class at a location where this person does not work, only the location is returned; also for instructors.
    const seen = ctx.worksAt(row.location_id) && ctx.may('roster.all') ? { row, cls } : {}
    return answer(ctx, { result: 'elsewhere', message: `Su lugar es en ${cls.shown.location.name}: ${where}.`, ...seen })
  }
  await demandTeaching(ctx, cls)
  if (cls.cancelled) return answer(ctx, { result: 'cancelled', message: `El estudio canceló esta clase: ${where}.`, row, cls })
  const before = whyNotIn(ctx, input, row, cls)
  if (before)
    return answer(ctx, { ...before, row, cls, ...(before.result === 'not_today' ? { move_to: await moveTarget(ctx, row, cls) } : {}) })

  const already = await ctx.tx(async (tx) => {
    const locked = await lockClass(tx, ctx, row.single_class_id)
    const reservation = await findAnyReservation(tx, row.class_reservation_id)
    // Another request marked or cancelled it in the meantime: returns the current state.
    if (!reservation || reservation.deletedAt || reservation.attend === true || whyNotMark(locked, ctx.now)) return true
    await applyMark(tx, ctx, locked, reservation, { attend: true })
    return false
  })
  const [current] = await listRosterReservations(ctx.db, [row.class_reservation_id])
  const late = already && current ? whyNotIn(ctx, input, current, cls) : null
  if (late) return answer(ctx, { ...late, row: current ?? row, cls })
  return answer(ctx, { result: 'ok', message: `Llegó a ${where}.`, row: current ?? row, cls })
}

/** Why a scan does not mark the reservation, most final reason first; null = it can be marked. */
function whyNotIn(ctx: Ctx, input: Input, row: RosterRow, cls: ClassFacts): { result: CheckinResult; message: string } | null {
  const at = (instant: Date) => formatWall(wallClock(instant, cls.zone).toISOString(), 'class')
  if (row.deletedAt) {
    const by =
      row.cancelled_by === 'customer' || row.cancelled_by === 'undo'
        ? 'La canceló la persona'
        : row.cancel_trail?.name
          ? `La canceló ${row.cancel_trail.name}`
          : 'Se canceló'
    return { result: 'cancelled', message: `${by} el ${at(row.deletedAt)}.` }
  }
  if (row.attend === true) {
    const sentence = row.marked_name ? `La marcó ${row.marked_name}` : 'Ya estaba marcada'
    return {
      result: 'already',
      message: row.markedAt ? `${sentence} a las ${formatWall(wallClock(row.markedAt, cls.zone).toISOString(), 'hour')}.` : `${sentence}.`,
    }
  }
  if (!isNow(ctx, row)) {
    const when = formatWall(cls.shown.class_date, 'class')
    if (row.ends_at <= ctx.now) return { result: 'not_today', message: `Su clase ya terminó: ${when}.` }
    const isToday = localDate(ctx.now, cls.zone) === cls.date
    return { result: 'not_today', message: isToday ? `Su clase es más tarde: ${when}.` : `Su lugar es el ${when}.` }
  }
  if (!input.allow_owed && isOwed(row)) {
    return { result: 'owed', message: 'Reservó este lugar para pagarlo en el estudio. Todavía no se marca su llegada.' }
  }
  return null
}

/** A class now, of the same type at the same location, with a spot for the customer; null for staff who may not move reservations. */
async function moveTarget(ctx: Ctx, row: RosterRow, cls: ClassFacts) {
  if (!ctx.may('roster.all') || row.ends_at <= ctx.now) return null
  const today = localDate(ctx.now, cls.zone)
  const spots = row.guest_reservation_id === null ? 1 : 2
  const found = (await timetable(ctx.studio).between({ start: today, end: today, today })).find(
    (other) =>
      other.single_class_id !== cls.single_class_id &&
      other.class_type_id === cls.class_type_id &&
      other.location_id === cls.location_id &&
      !other.cancelled &&
      isNow(ctx, other) &&
      other.places_left >= spots,
  )
  if (!found) return null
  const { single_class_id, class_date, class_type, places_left, spot_map, seats } = await serializeRosterClass(ctx, found)
  return { single_class_id, class_date, class_type, places_left, spot_map, seats }
}

interface Outcome {
  result: CheckinResult
  message: string
  row?: RosterRow
  cls?: ClassFacts
  choices?: (RosterReservation & { class: RosterClass })[]
  move_to?: Awaited<ReturnType<typeof moveTarget>>
}

async function answer(ctx: Ctx, { result, message, row, cls, choices = [], move_to = null }: Outcome) {
  const [class_reservation = null] = row ? await serializeRosterReservations(ctx, [row]) : []
  const owed = result === 'owed' && class_reservation?.owed ? `Debe ${formatPesos(class_reservation.owed)}. ${message}` : message
  return { result, message: owed, class_reservation, single_class: cls ? await serializeRosterClass(ctx, cls) : null, choices, move_to }
}
