import { api } from '#server/modules/api.ts'
import { findCustomer, me, register } from './account.ts'

const on = api.people

export const accountRoutes = {
  me: on.me.handler(({ context }) => me(context.ctx)),
  signup: on.signup.handler(({ context, input }) => register(context.ctx, input)),
  find: on.find.handler(({ context, input }) => findCustomer(context.ctx, input)),
}
