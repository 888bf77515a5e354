import { api } from '#server/modules/api.ts'
import { deliveryLog, myNotices, outbox, preferences, readNotices, setPreferences } from './messages.ts'

export const messagesRoutes = {
  list: api.messages.list.handler(({ context, input }) => myNotices(context.ctx, input)),
  read: api.messages.read.handler(({ context, input }) => readNotices(context.ctx, input)),
  preferences: api.messages.preferences.handler(({ context }) => preferences(context.ctx)),
  setPreferences: api.messages.setPreferences.handler(({ context, input }) => setPreferences(context.ctx, input)),
  log: api.messages.log.handler(({ context, input }) => deliveryLog(context.ctx, input)),
  outbox: api.messages.outbox.handler(({ context, input }) => outbox(context.ctx, input)),
}
