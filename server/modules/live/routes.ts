import { api } from '#server/modules/api.ts'
import { issueTicket, reportPresence } from './live.ts'

export const liveRoutes = {
  ticket: api.live.ticket.handler(({ context }) => issueTicket(context.ctx)),
  presence: api.live.presence.handler(({ context, input }) => reportPresence(context.ctx, input)),
}
