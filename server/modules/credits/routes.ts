import { api } from '#server/modules/api.ts'
import { myCredits } from './credits.ts'

export const creditsRoutes = {
  list: api.credits.list.handler(({ context }) => myCredits(context.ctx)),
}
