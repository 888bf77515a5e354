/** What can be done about an hour that asks for something: another class, a larger room, another hour (docs/domain.md RE7). */
import { adminPaths, classChangePath } from '#contract/admin-paths.ts'
import type { ReportHeatCell } from '#contract/reports.ts'
import { addDays, localDate } from '#contract/time.ts'
import { type Demand, demandingSlots } from './occupancy-rules.ts'
import type { SpotSlot } from './occupancy-store.ts'
import type { Scope } from './report.ts'
import { listNextClasses, listRoomSizes, type NextClass, type RoomSize } from './slot-changes-store.ts'

type Hour = Pick<SpotSlot, 'weekday' | 'time'>
type Actions = ReportHeatCell['actions']
/** What to do about each hour, by its key. */
export type SlotActions = ReadonlyMap<string, Actions>

export const slotKey = ({ weekday, time }: Hour): string => `${weekday}-${time}`

/** The next day of a weekday, from tomorrow on. */
function nextDay(scope: Scope, weekday: number): string {
  const tomorrow = addDays(localDate(scope.ctx.now, scope.ctx.zone), 1)
  const day = new Date(`${tomorrow}T00:00:00Z`).getUTCDay() || 7
  return addDays(tomorrow, (weekday - day + 7) % 7)
}

const anHourLater = (time: string): string => `${String((Number(time.slice(0, 2)) + 1) % 24).padStart(2, '0')}${time.slice(2)}`

/** The panel of a new class an hour later. */
export function newClassLink(scope: Scope, { weekday, time }: Hour): { path: string; time: string } {
  const later = anHourLater(time)
  return { time: later, path: `${adminPaths.schedule}?nueva=${encodeURIComponent(`${nextDay(scope, weekday)}T${later}`)}` }
}

/** The smallest free room of the same location that is larger than the class. */
export const largerRoom = (cls: NextClass, rooms: readonly RoomSize[]): RoomSize | null =>
  rooms.find(
    ({ room_id, location_id, spots }) =>
      location_id === cls.location_id && room_id !== cls.room_id && spots > cls.capacity && !cls.used_rooms.includes(room_id),
  ) ?? null

const minutesOf = (time: string): number => 60 * Number(time.slice(0, 2)) + Number(time.slice(3))

/**
 * An hour later than one of the same day and location from which people stay outside, where coach and room of the class are free; first where
 * the most do. Null when there is none.
 */
export function betterHour(cls: NextClass, wanting: readonly SpotSlot[]): string | null {
  const [weekday, time] = [Number(cls.slot[0]), cls.slot.slice(2)]
  const hours = wanting
    .filter((slot) => slot.weekday === weekday && slot.location === cls.location && slot.time < '22:00')
    .map((slot) => anHourLater(slot.time))
  const isFree = (hour: string) => {
    const shift = 60 * (minutesOf(hour) - minutesOf(time))
    return cls.busy.every(([from, until]) => until <= cls.starts + shift || from >= cls.ends + shift)
  }
  return hours.find((hour) => hour !== time && isFree(hour)) ?? null
}

/**
 * What to do about each hour that asks for something, by its key, the main thing first. A larger room comes first where it seats everybody who
 * stayed outside of an average class. Nothing for who may not plan.
 */
export async function slotActions(scope: Scope, slots: readonly SpotSlot[]): Promise<SlotActions> {
  const { ctx } = scope
  const demanding = demandingSlots(slots)
  if (demanding.length === 0 || !ctx.may('schedule.edit')) return new Map()
  const coming = await listNextClasses(ctx.db, { ...scope, now: ctx.now, slots: demanding.map(slotKey) }, ctx.zone)
  const rooms = await listRoomSizes(ctx.db, [...new Set(coming.map(({ location_id }) => location_id))])
  const wanting = demanding.filter(({ demand }) => demand === 'open_another')
  return new Map(
    demanding.map((slot) => {
      const next = coming.find((cls) => cls.slot === slotKey(slot) && cls.type === slot.type && cls.location === slot.location)
      return [slotKey(slot), actionsOf(scope, slot, next, { rooms, wanting })]
    }),
  )
}

function actionsOf(
  scope: Scope,
  slot: SpotSlot & { demand: NonNullable<Demand> },
  next: NextClass | undefined,
  { rooms, wanting }: { rooms: readonly RoomSize[]; wanting: readonly SpotSlot[] },
): Actions {
  if (slot.demand === 'move')
    return next
      ? [{ label: 'Mover de hora', path: classChangePath(next.single_class_id, next.day, { hour: betterHour(next, wanting) }) }]
      : []
  const another = { label: 'Abrir otra', path: newClassLink(scope, slot).path }
  const room = next && largerRoom(next, rooms)
  if (!next || !room) return [another]
  const larger = { label: 'Pasar a sala grande', path: classChangePath(next.single_class_id, next.day, { room: room.room_id }) }
  const seatsAll = room.spots - next.capacity >= Math.ceil(slot.waiting / slot.classes)
  return seatsAll ? [larger, another] : [another, larger]
}
