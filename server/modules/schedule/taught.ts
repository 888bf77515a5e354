/**
 * Removal of locations, rooms, class types and instructors, which are saved by the catalogue: only when nothing upcoming uses them
 * (docs/domain.md, K8).
 */
import { refuse } from '#contract/errors.ts'
import { classTypeList, instructorList, locationList, removePackage, roomList } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { usesOfClassType, usesOfInstructor, usesOfLocation, usesOfPackage, usesOfRoom } from './taught-store.ts'

/**
 * NOT_FOUND; IN_USE while an upcoming class, a package on sale or a usable credit lot references it, with the counts (`uses`). Past records
 * keep its name.
 */
const removal = (list: { remove: typeof locationList.remove }, listUses: typeof usesOfLocation) => (ctx: Ctx, id: number) =>
  list.remove(ctx, id, async (tx) => {
    const uses = await listUses(tx, id, ctx.now)
    return uses.length > 0 ? refuse('IN_USE', { uses }) : null
  })

export const removeLocation = removal(locationList, usesOfLocation)
const removeUnusedRoom = removal(roomList, usesOfRoom)
export const removeClassType = removal(classTypeList, usesOfClassType)
/** IN_USE also while the instructor has a staff account. */
export const removeInstructor = removal(instructorList, usesOfInstructor)

/** The rooms of locations where the caller works. */
export const allRooms = async (ctx: Ctx) => (await roomList.all(ctx)).filter(({ location_id }) => ctx.worksAt(location_id))

/** NOT_FOUND, IN_USE; FORBIDDEN for a room where the caller does not work. */
export async function removeRoom(ctx: Ctx, room_id: number) {
  const room = (await roomList.all(ctx)).find((room) => room.room_id === room_id)
  if (room) ctx.requireLocation('catalogue.edit', room.location_id)
  return removeUnusedRoom(ctx, room_id)
}

/** Rooms are ordered within their location. NOT_FOUND; FORBIDDEN with one where the caller does not work. */
export async function orderRooms(ctx: Ctx, ids: number[]) {
  const rooms = (await roomList.all(ctx)).filter(({ room_id }) => ids.includes(room_id))
  for (const { location_id } of rooms) ctx.requireLocation('catalogue.edit', location_id)
  return roomList.order(ctx, ids)
}

/** PACKAGE_NOT_FOUND; IN_USE while it is the sign-up fee or an upcoming class is sold as it (K11). */
export function removeSold(ctx: Ctx, input: { class_package_id: number }): Promise<{ ok: true }> {
  return removePackage(ctx, input.class_package_id, (tx) => usesOfPackage(tx, input.class_package_id, ctx.now))
}

/** What uses a location, a class type or an instructor now: the counts of IN_USE. NOT_FOUND. */
const usage = (list: { uses: typeof locationList.uses }, listUses: typeof usesOfLocation) => (ctx: Ctx, id: number) =>
  list.uses(ctx, id, (tx) => listUses(tx, id, ctx.now))

export const locationUses = usage(locationList, usesOfLocation)
export const classTypeUses = usage(classTypeList, usesOfClassType)
export const instructorUses = usage(instructorList, usesOfInstructor)
const usesOfAnyRoom = usage(roomList, usesOfRoom)

/** The same of a room. FORBIDDEN for one where the caller does not work. */
export async function roomUses(ctx: Ctx, room_id: number) {
  const room = (await roomList.all(ctx)).find((room) => room.room_id === room_id)
  if (room) ctx.requireLocation('catalogue.edit', room.location_id)
  return usesOfAnyRoom(ctx, room_id)
}
