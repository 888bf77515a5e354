import { api } from '#server/modules/api.ts'
import { deliveryLog, listMyNotifications, markNotificationsRead, outbox, preferences, setPreferences } from './messages.ts'

export const messagesRoutes = {
  list: api.messages.list.handler(({ context, input }) => listMyNotifications(context.ctx, input)),
  read: api.messages.read.handler(({ context, input }) => markNotificationsRead(context.ctx, input)),
  preferences: api.messages.preferences.handler(({ context }) => preferences(context.ctx)),
  setPreferences: api.messages.setPreferences.handler(({ context, input }) => setPreferences(context.ctx, input)),
  log: api.messages.log.handler(({ context, input }) => deliveryLog(context.ctx, input)),
  outbox: api.messages.outbox.handler(({ context, input }) => outbox(context.ctx, input)),
}
