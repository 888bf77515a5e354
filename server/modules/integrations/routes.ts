import { api } from '#server/modules/api.ts'
import { apiKeyList, changeApiKey, createApiKey, revokeApiKey, rotateApiKey } from './api-keys.ts'
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhook,
  testWebhook,
  webhookDeliveries,
  webhookDeliveryView,
  webhookList,
} from './webhooks.ts'

export const apiKeyRoutes = {
  list: api.apiKeys.list.handler(({ context }) => apiKeyList(context.ctx)),
  create: api.apiKeys.create.handler(({ context, input }) => createApiKey(context.ctx, input)),
  update: api.apiKeys.update.handler(({ context, input }) => changeApiKey(context.ctx, input)),
  rotate: api.apiKeys.rotate.handler(({ context, input }) => rotateApiKey(context.ctx, input)),
  revoke: api.apiKeys.revoke.handler(({ context, input }) => revokeApiKey(context.ctx, input)),
}

export const webhookRoutes = {
  list: api.webhooks.list.handler(({ context }) => webhookList(context.ctx)),
  create: api.webhooks.create.handler(({ context, input }) => createWebhook(context.ctx, input)),
  update: api.webhooks.update.handler(({ context, input }) => changeWebhook(context.ctx, input)),
  rotate: api.webhooks.rotate.handler(({ context, input }) => rotateWebhook(context.ctx, input)),
  test: api.webhooks.test.handler(({ context, input }) => testWebhook(context.ctx, input)),
  remove: api.webhooks.remove.handler(({ context, input }) => removeWebhook(context.ctx, input)),
  deliveries: api.webhooks.deliveries.handler(({ context, input }) => webhookDeliveries(context.ctx, input)),
  delivery: api.webhooks.delivery.handler(({ context, input }) => webhookDeliveryView(context.ctx, input)),
  replay: api.webhooks.replay.handler(({ context, input }) => replayDelivery(context.ctx, input)),
}
