import { api } from '#server/modules/api.ts'
import { preferences, setPreferences } from './consents.ts'
import { exportMessages } from './log-export.ts'
import { deliveryLog, listOutbox, resend } from './message-log.ts'
import { listMyNotifications, markNotificationsRead } from './my-notifications.ts'
import { changeTemplate, messageTemplates, templateSamples, testTemplate } from './templates.ts'

export const messagesRoutes = {
  list: api.messages.list.handler(({ context, input }) => listMyNotifications(context.ctx, input)),
  read: api.messages.read.handler(({ context, input }) => markNotificationsRead(context.ctx, input)),
  preferences: api.messages.preferences.handler(({ context }) => preferences(context.ctx)),
  setPreferences: api.messages.setPreferences.handler(({ context, input }) => setPreferences(context.ctx, input)),
  log: api.messages.log.handler(({ context, input }) => deliveryLog(context.ctx, input)),
  resend: api.messages.resend.handler(({ context, input }) => resend(context.ctx, input)),
  outbox: api.messages.outbox.handler(({ context, input }) => listOutbox(context.ctx, input)),
}

export const messageExportRoutes = {
  messages: api.listExports.messages.handler(({ context, input }) => exportMessages(context.ctx, input)),
}

export const messageTemplateRoutes = {
  all: api.messageTemplates.all.handler(({ context }) => messageTemplates(context.ctx)),
  samples: api.messageTemplates.samples.handler(({ context, input }) => templateSamples(context.ctx, input)),
  change: api.messageTemplates.change.handler(({ context, input }) => changeTemplate(context.ctx, input)),
  test: api.messageTemplates.test.handler(({ context, input }) => testTemplate(context.ctx, input)),
}
