import { api } from '#server/modules/api.ts'
import { findCustomer, me, signUp } from './account.ts'

const on = api.people

export const accountRoutes = {
  me: on.me.handler(({ context }) => me(context.ctx)),
  signup: on.signup.handler(({ context, input }) => signUp(context.ctx, input)),
  find: on.find.handler(({ context, input }) => findCustomer(context.ctx, input)),
}
