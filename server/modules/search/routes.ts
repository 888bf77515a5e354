import { api } from '#server/modules/api.ts'
import { searchAdmin } from './search.ts'

export const searchRoutes = {
  find: api.search.find.handler(({ context, input }) => searchAdmin(context.ctx, input)),
}
