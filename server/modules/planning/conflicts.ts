/** Conflicts between classes of the timetable. They are warnings and never refuse a change (L3). Pure. */
import type { ClassConflict, ConflictKind } from '#contract/studio-schedule.ts'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { openSeats, wallDay } from '#server/modules/schedule/schedule.ts'
import type { PlannedFacts } from './rules.ts'

/** Names for the sentences. */
export interface ConflictNames {
  coach(instructor_id: number): string
  type(class_type_id: number): string
  location(location_id: number): string
  /** The holiday of a day at a location; null = none. */
  closedOn(location_id: number, day: LocalDate): string | null
  isAbsent(instructor_id: number, day: LocalDate): boolean
  /** Whether the coach teaches this type. */
  teaches(instructor_id: number, class_type_id: number): boolean
  room(room_id: number): { name: string } | null
  /** Whether the location is open from the start to the end; true where its hours are not known. */
  isOpen(location_id: number, wall: Date, minutes: number): boolean
  /** Whether a package on sale pays the class. */
  isPayable(cls: PlannedFacts): boolean
}

const MINUTE = 60_000
const endOf = (cls: PlannedFacts): number => cls.starts_at.getTime() + cls.minutes * MINUTE

/**
 * The conflicts of some classes, by class. Classes that are over, cancelled or about to be deleted neither have conflicts nor cause them.
 * `travel_minutes`: how long a coach needs between two locations.
 */
export function findConflicts(
  classes: readonly PlannedFacts[],
  names: ConflictNames,
  { travel_minutes, now }: { travel_minutes: number; now: Date },
): ReadonlyMap<PlannedFacts, ClassConflict[]> {
  const coming = classes
    .filter((cls) => !cls.cancelled && cls.draft?.op !== 'cancel' && cls.draft?.op !== 'delete' && endOf(cls) > now.getTime())
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
  const found = new Map<PlannedFacts, ClassConflict[]>(coming.map((cls) => [cls, []]))
  const add = (cls: PlannedFacts, kind: ConflictKind, message: string, other?: PlannedFacts) =>
    found.get(cls)?.push({ kind, message, with: other?.single_class_id ? [other.single_class_id] : [] })

  for (const cls of coming) {
    const seats = openSeats(cls)
    if (cls.capacity === null) add(cls, 'no_capacity', 'Sin capacidad la clase aparece llena.')
    else if (seats !== null && cls.capacity > seats)
      add(
        cls,
        'capacity_above_map',
        `La capacidad es ${cls.capacity} y el mapa tiene ${seats === 1 ? '1 lugar disponible' : `${seats} lugares disponibles`}.`,
      )
    if (cls.coach_ids.length === 0) add(cls, 'no_coach', 'Falta coach.')
    const day = wallDay(cls.wall)
    const closed = names.closedOn(cls.location_id, day)
    if (closed) add(cls, 'holiday', `Es un día sin clases: ${closed}.`)
    if (!names.isOpen(cls.location_id, cls.wall, cls.minutes))
      add(cls, 'outside_hours', `${names.location(cls.location_id)} está cerrado a esa hora.`)
    if (!names.isPayable(cls)) add(cls, 'no_package', 'Ningún paquete a la venta paga esta clase.')
    for (const coach of cls.coach_ids) {
      if (names.isAbsent(coach, day)) add(cls, 'coach_absent', `${names.coach(coach)} no está ese día.`)
      if (!names.teaches(coach, cls.class_type_id)) add(cls, 'coach_type', `${names.coach(coach)} no da ${names.type(cls.class_type_id)}.`)
    }
  }
  for (const [cls, other] of alike(coming)) {
    add(cls, 'duplicate', `Hay otra clase igual a esa hora en ${names.location(cls.location_id)}.`, other)
    add(other, 'duplicate', `Hay otra clase igual a esa hora en ${names.location(cls.location_id)}.`, cls)
  }
  for (const [cls, other] of sharing(coming)) {
    const room = names.room(cls.room_id ?? 0)?.name ?? ''
    add(cls, 'room_taken', roomTaken(room, other, names), other)
    add(other, 'room_taken', roomTaken(room, cls, names), cls)
  }
  for (const coach of new Set(coming.flatMap((cls) => cls.coach_ids))) {
    const own = coming.filter((cls) => cls.coach_ids.includes(coach))
    for (const [n, cls] of own.entries())
      for (const next of own.slice(n + 1)) {
        const gap = next.starts_at.getTime() - endOf(cls)
        const elsewhere = next.location_id !== cls.location_id
        if (gap < 0) {
          add(cls, 'coach_busy', busy(coach, next, names), next)
          add(next, 'coach_busy', busy(coach, cls, names), cls)
        } else if (elsewhere && gap < travel_minutes * MINUTE) {
          const travelWarning = `${names.coach(coach)} tiene ${Math.round(gap / MINUTE)} min para ir de ${names.location(cls.location_id)} a ${names.location(next.location_id)}.`
          add(cls, 'coach_travel', travelWarning, next)
          add(next, 'coach_travel', travelWarning, cls)
        } else if (gap >= travel_minutes * MINUTE) break
      }
  }
  return found
}

function busy(coach: number, other: PlannedFacts, names: ConflictNames): string {
  const { wall, class_type_id, location_id } = other
  return `${names.coach(coach)} da otra clase a esa hora: ${names.type(class_type_id)} en ${names.location(location_id)}, ${formatWall(wall, 'hour')}.`
}

const roomTaken = (room: string, { wall, class_type_id }: PlannedFacts, names: ConflictNames): string =>
  `${room} tiene otra clase a esa hora: ${names.type(class_type_id)}, ${formatWall(wall, 'hour')}.`

/** Pairs of classes that are in one room at the same time. `classes` in order of their start. */
function* sharing(classes: readonly PlannedFacts[]): Iterable<[PlannedFacts, PlannedFacts]> {
  const open = new Map<number, PlannedFacts[]>()
  for (const cls of classes) {
    if (cls.room_id === null) continue
    const before = (open.get(cls.room_id) ?? []).filter((other) => endOf(other) > cls.starts_at.getTime())
    for (const other of before) yield [other, cls]
    open.set(cls.room_id, [...before, cls])
  }
}

/** Pairs of classes of one type that start together at one location, unless they are in different rooms. */
function* alike(classes: readonly PlannedFacts[]): Iterable<[PlannedFacts, PlannedFacts]> {
  const first = new Map<string, PlannedFacts>()
  for (const cls of classes) {
    const key = `${cls.starts_at.getTime()} ${cls.class_type_id} ${cls.location_id} ${cls.room_id ?? ''}`
    const other = first.get(key)
    if (other) yield [other, cls]
    else first.set(key, cls)
  }
}
