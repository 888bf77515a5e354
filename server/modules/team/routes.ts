import { api } from '#server/modules/api.ts'
import { changeMe, meInAdmin } from './me.ts'
import { resetSecondFactor, staffMembers } from './second-factor.ts'

const on = api.team

export const teamRoutes = {
  me: on.me.handler(({ context }) => meInAdmin(context.ctx)),
  updateMe: on.updateMe.handler(({ context, input }) => changeMe(context.ctx, input)),
  list: on.list.handler(({ context }) => staffMembers(context.ctx)),
  resetSecondFactor: on.resetSecondFactor.handler(({ context, input }) => resetSecondFactor(context.ctx, input)),
}
