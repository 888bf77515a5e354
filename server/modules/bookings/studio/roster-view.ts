/** The roster for staff: access to it, the class, and the reservations with the details of each customer (A1). */
import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import { statusOf } from '#contract/bookings.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { addDays, type LocalDate, localDate } from '#contract/time.ts'
import { singleReservationPrice } from '#server/modules/bookings/spots/spot-sales.ts'
import { findRosterReservation, listNotesForCoaches, type RosterRow, teaches } from '#server/modules/bookings/store/attendance-store.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { customersWithHealth, customersWithPendingDocuments, filesById, serializeFile } from '#server/modules/content/content.ts'
import { creditSummaries } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { closedReasons, listRoomNames, seatLabelsOf, seatsOfRow } from '#server/modules/schedule/schedule.ts'

/**
 * Checks access to a class's roster: without the right to all rosters, staff only access classes that they teach (A1); staff with assigned
 * locations, only classes there (E4). NOT_YOUR_CLASS, FORBIDDEN.
 */
export async function demandTeaching(
  ctx: Ctx,
  { single_class_id, location_id }: { single_class_id: number; location_id: number },
): Promise<void> {
  const { staff } = ctx
  ctx.requireLocation('classes.own', location_id)
  if (!staff || ctx.may('roster.all')) return
  if (staff.instructor_id === null || !(await teaches(ctx.db, single_class_id, staff.instructor_id))) throw refuse('NOT_YOUR_CLASS')
}

/** A class from the timetable cache. CLASS_NOT_FOUND. */
export async function getClassFacts(ctx: Ctx, single_class_id: number): Promise<ClassFacts> {
  const [cls] = await timetable(ctx.studio).byId([single_class_id])
  if (!cls) throw refuse('CLASS_NOT_FOUND')
  return cls
}

/** Serializes classes of rosters, by id; their rooms are read once for all of them. */
export async function serializeRosterClasses(ctx: Ctx, classes: readonly ClassFacts[]): Promise<ReadonlyMap<number, RosterClass>> {
  const rooms = await listRoomNames(
    ctx.db,
    classes.map((cls) => cls.single_class_id),
  )
  return new Map(classes.map((cls) => [cls.single_class_id, serializeClass(cls, rooms.get(cls.single_class_id) ?? null)]))
}

/** Serializes the class of a roster. */
export async function serializeRosterClass(ctx: Ctx, cls: ClassFacts): Promise<RosterClass> {
  const rooms = await listRoomNames(ctx.db, [cls.single_class_id])
  return serializeClass(cls, rooms.get(cls.single_class_id) ?? null)
}

function serializeClass(cls: ClassFacts, room: string | null): RosterClass {
  const { shown } = cls
  const { single_class_id, location_id, class_type_id } = cls
  const { class_date, starts_at, ends_at, timezone, capacity, spot_map, closed_spots } = shown
  return {
    single_class_id,
    location_id,
    class_type_id,
    class_date,
    starts_at,
    ends_at,
    timezone,
    capacity,
    spot_map,
    closed_spots,
    seats: cls.seats && [...cls.seats.marks],
    closed_reasons: cls.seats ? closedReasons(cls.seats, cls.date) : [],
    class_type: shown.class_type.name,
    location: shown.location.name,
    room,
    coaches: shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y '),
    taken: cls.taken,
    held: cls.held,
    places_left: cls.places_left,
    cancelled: cls.cancelled,
  }
}

/** Serializes reservations; photos, credits and notes are read once for all of them. Instructors get no money, credits or phone numbers. */
export async function serializeRosterReservations(ctx: Ctx, rows: readonly RosterRow[]): Promise<RosterReservation[]> {
  const seesAll = ctx.may('roster.all')
  const customer_ids = [...new Set(rows.map((row) => row.customer_id))]
  const [credits, photos, notes, withHealth, unsigned, rooms] = await Promise.all([
    seesAll ? creditSummaries(ctx, customer_ids) : null,
    photosOf(ctx, rows),
    listNotesForCoaches(ctx.db, customer_ids),
    customersWithHealth(ctx, customer_ids),
    customersWithPendingDocuments(ctx.db, customer_ids),
    timetable(ctx.studio).seatsByRoom(),
  ])
  return rows.map((row) => {
    const summary = credits?.get(row.customer_id)
    return {
      ...serializeReservation(ctx, row),
      ...seatLabelsOf(seatsOfRow(rooms, row), row),
      photo: photos.get(row.photo_file_id ?? 0) ?? null,
      health: withHealth.has(row.customer_id),
      unsigned: unsigned.has(row.customer_id),
      notes: notes.filter((note) => note.customer_id === row.customer_id).map((note) => note.text),
      credits: summary
        ? { available: summary.available, has_unlimited: summary.has_unlimited, next_expiration: summary.next_expiration }
        : null,
    }
  })
}

async function photosOf(ctx: Ctx, rows: readonly RosterRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.flatMap((row) => row.photo_file_id ?? []))]
  if (ids.length === 0) return new Map()
  const files = await filesById(ctx.db, ids)
  return new Map(await Promise.all(files.map(async (file) => [file.file_id, (await serializeFile(ctx, file)).src] as const)))
}

/** Whether a birthday is on a day; 29 February also counts on the 28th of other years. */
export function isBirthdayOn(birthdate: string | null, day: LocalDate): boolean {
  if (birthdate === null) return false
  if (day.slice(5) === birthdate.slice(5)) return true
  return birthdate.slice(5) === '02-29' && day.slice(5) === '02-28' && addDays(day, 1).slice(5) === '03-01'
}

function serializeReservation(ctx: Ctx, row: RosterRow): Omit<RosterReservation, 'photo' | 'credits' | 'notes' | 'health' | 'unsigned'> {
  const contact = ctx.may('customers.read')
  const { class_reservation_id, single_class_id, customer_id, name, last_name, spot, guest, guest_reservation_id, guest_spot } = row
  const { guest_attend, is_cash, is_paid, attend, excuse, paid_with, first_class } = row
  const { source, visits, first_with_coach } = row
  return {
    class_reservation_id,
    single_class_id,
    customer_id,
    name,
    last_name,
    spot,
    guest,
    guest_reservation_id,
    guest_spot,
    guest_attend,
    is_cash,
    is_paid,
    attend,
    excuse,
    paid_with,
    first_class,
    // A coach reads ratings without their author (A13, RE25).
    class_stars: contact ? row.class_stars : null,
    coach_stars: contact ? row.coach_stars : null,
    comment: contact ? row.comment : null,
    source,
    visits,
    first_with_coach,
    birthday: isBirthdayOn(row.birthdate, localDate(row.starts_at, row.timezone ?? ctx.zone)),
    marked: row.markedAt && row.attend !== null ? { at: row.markedAt.toISOString(), who: row.marked_name } : null,
    version: row.updatedAt.getTime(),
    email: contact ? row.email : null,
    phone: contact ? row.phone : null,
    owed: ctx.may('roster.all') ? amountOwed(ctx, row) : null,
    status: statusOf({ ...row, past: row.ends_at <= ctx.now }),
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    cancelled:
      row.deletedAt && row.cancelled_by
        ? {
            at: row.deletedAt.toISOString(),
            by: row.cancelled_by,
            late: row.cancelled_late === true,
            who: row.cancel_trail?.name ?? null,
            reason: row.cancel_trail?.reason ?? null,
          }
        : null,
  }
}

/** What is owed at the counter for a reservation and its guest's; null = nothing, or no price is known. */
export function amountOwed(
  ctx: Ctx,
  row: Pick<
    RosterRow,
    'is_cash' | 'is_paid' | 'price_centavos' | 'guest_cash' | 'guest_paid' | 'guest_price' | 'class_price' | 'type_price'
  >,
): string | null {
  const price = singleReservationPrice({ price_centavos: row.class_price }, { price_centavos: row.type_price }, ctx.settings)
  const due = [
    row.is_cash && !row.is_paid ? (row.price_centavos ?? price) : 0,
    row.guest_cash && !row.guest_paid ? (row.guest_price ?? price) : 0,
  ]
  const total = due.reduce<number | null>((sum, owed) => (sum === null || owed === null ? null : sum + owed), 0)
  return total ? pesos(total) : null
}

/** Whether money is owed for a reservation or its guest's, for any viewer. */
export const isOwed = (row: RosterRow): boolean => (row.is_cash && !row.is_paid) || (row.guest_cash === true && row.guest_paid === false)

/** One reservation for staff; the id of a guest's returns the host's. RESERVATION_NOT_FOUND. */
export async function rosterReservation(ctx: Ctx, class_reservation_id: number): Promise<{ class_reservation: RosterReservation }> {
  const row = await findRosterReservation(ctx.db, class_reservation_id)
  const [class_reservation] = row ? await serializeRosterReservations(ctx, [row]) : []
  if (!class_reservation) throw refuse('RESERVATION_NOT_FOUND')
  return { class_reservation }
}
