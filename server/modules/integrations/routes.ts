import { api } from '#server/modules/api.ts'
import { apiKeyList, changeApiKey, createApiKey, revokeApiKey, rotateApiKey } from './api-keys.ts'

export const apiKeyRoutes = {
  list: api.apiKeys.list.handler(({ context }) => apiKeyList(context.ctx)),
  create: api.apiKeys.create.handler(({ context, input }) => createApiKey(context.ctx, input)),
  update: api.apiKeys.update.handler(({ context, input }) => changeApiKey(context.ctx, input)),
  rotate: api.apiKeys.rotate.handler(({ context, input }) => rotateApiKey(context.ctx, input)),
  revoke: api.apiKeys.revoke.handler(({ context, input }) => revokeApiKey(context.ctx, input)),
}
