import { api } from '#server/modules/api.ts'
import { cancelReservation, changeReservation, listReservations, oneReservation, reserve } from './bookings.ts'
import { oneClass, week } from './week.ts'

export const scheduleRoutes = {
  week: api.schedule.week.handler(({ context, input }) => week(context.ctx, input)),
  one: api.schedule.one.handler(({ context, input }) => oneClass(context.ctx, input)),
}

export const bookingsRoutes = {
  list: api.bookings.list.handler(({ context, input }) => listReservations(context.ctx, input)),
  one: api.bookings.one.handler(({ context, input }) => oneReservation(context.ctx, input)),
  reserve: api.bookings.reserve.handler(({ context, input }) => reserve(context.ctx, input)),
  update: api.bookings.update.handler(({ context, input }) => changeReservation(context.ctx, input)),
  cancel: api.bookings.cancel.handler(({ context, input }) => cancelReservation(context.ctx, input)),
}
