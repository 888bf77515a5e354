import { api } from '#server/modules/api.ts'
import { classTypeList, instructorList, locationList, roomList } from '#server/modules/catalogue/catalogue.ts'
import {
  allRooms,
  classTypeUses,
  instructorUses,
  locationUses,
  orderRooms,
  removeClassType,
  removeInstructor,
  removeLocation,
  removeRoom,
  removeSold,
  roomUses,
} from './taught.ts'

const on = api.catalogue.admin

export const taughtRoutes = {
  locations: {
    all: on.locations.all.handler(async ({ context }) => ({ locations: await locationList.all(context.ctx) })),
    create: on.locations.create.handler(async ({ context, input }) => ({ location: await locationList.save(context.ctx, input) })),
    update: on.locations.update.handler(async ({ context, input }) => ({ location: await locationList.change(context.ctx, input) })),
    remove: on.locations.remove.handler(({ context, input }) => removeLocation(context.ctx, input.location_id)),
  },
  classTypes: {
    all: on.classTypes.all.handler(async ({ context }) => ({ class_types: await classTypeList.all(context.ctx) })),
    create: on.classTypes.create.handler(async ({ context, input }) => ({ class_type: await classTypeList.save(context.ctx, input) })),
    update: on.classTypes.update.handler(async ({ context, input }) => ({ class_type: await classTypeList.change(context.ctx, input) })),
    remove: on.classTypes.remove.handler(({ context, input }) => removeClassType(context.ctx, input.class_type_id)),
  },
  instructors: {
    all: on.instructors.all.handler(async ({ context }) => ({ instructors: await instructorList.all(context.ctx) })),
    create: on.instructors.create.handler(async ({ context, input }) => ({ instructor: await instructorList.save(context.ctx, input) })),
    update: on.instructors.update.handler(async ({ context, input }) => ({ instructor: await instructorList.change(context.ctx, input) })),
    remove: on.instructors.remove.handler(({ context, input }) => removeInstructor(context.ctx, input.instructor_id)),
  },
}

export const taughtArranged = {
  locations: {
    order: on.arranged.locations.order.handler(({ context, input }) => locationList.order(context.ctx, input.ids)),
    uses: on.arranged.locations.uses.handler(({ context, input }) => locationUses(context.ctx, input.location_id)),
  },
  classTypes: {
    order: on.arranged.classTypes.order.handler(({ context, input }) => classTypeList.order(context.ctx, input.ids)),
    uses: on.arranged.classTypes.uses.handler(({ context, input }) => classTypeUses(context.ctx, input.class_type_id)),
  },
  instructors: {
    order: on.arranged.instructors.order.handler(({ context, input }) => instructorList.order(context.ctx, input.ids)),
    uses: on.arranged.instructors.uses.handler(({ context, input }) => instructorUses(context.ctx, input.instructor_id)),
  },
}

/** The maps of rooms are registered in planning/routes.ts. */
export const roomListRoutes = {
  all: api.rooms.all.handler(async ({ context }) => ({ rooms: await allRooms(context.ctx) })),
  create: api.rooms.create.handler(async ({ context, input }) => ({ room: await roomList.save(context.ctx, input) })),
  update: api.rooms.update.handler(async ({ context, input }) => ({ room: await roomList.change(context.ctx, input) })),
  remove: api.rooms.remove.handler(({ context, input }) => removeRoom(context.ctx, input.room_id)),
  order: api.rooms.order.handler(({ context, input }) => orderRooms(context.ctx, input.ids)),
  uses: api.rooms.uses.handler(({ context, input }) => roomUses(context.ctx, input.room_id)),
}

export const soldRoutes = {
  remove: api.studioPackages.remove.handler(({ context, input }) => removeSold(context.ctx, input)),
}
