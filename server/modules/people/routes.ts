import { api } from '#server/modules/api.ts'
import { createCustomer, phoneInUse } from './people.ts'

const on = api.people

/** `me`, `signup` and `find` take higher modules: they hang in account/routes.ts. */
export const peopleRoutes = {
  phone: on.phone.handler(({ context, input }) => phoneInUse(context.ctx, input)),
  create: on.create.handler(({ context, input }) => createCustomer(context.ctx, input)),
}
