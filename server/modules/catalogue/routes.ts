import { api } from '#server/modules/api.ts'
import { classTypes, instructors, locations, oneInstructor, onePackage, packages, paymentMethods } from './catalogue.ts'

const on = api.catalogue

export const catalogueRoutes = {
  packages: on.packages.handler(({ context }) => packages(context.ctx)),
  package: on.package.handler(({ context, input }) => onePackage(context.ctx, input)),
  presencialesAll: on.presencialesAll.handler(({ context }) => packages(context.ctx, 'presenciales')),
  presencialesHome: on.presencialesHome.handler(({ context }) => packages(context.ctx, 'presenciales', 'home')),
  onlineAll: on.onlineAll.handler(({ context }) => packages(context.ctx, 'online')),
  onlineHome: on.onlineHome.handler(({ context }) => packages(context.ctx, 'online', 'home')),
  especialesAll: on.especialesAll.handler(({ context }) => packages(context.ctx, 'especiales')),
  especialesHome: on.especialesHome.handler(({ context }) => packages(context.ctx, 'especiales', 'home')),
  locations: on.locations.handler(({ context }) => locations(context.ctx)),
  classTypes: on.classTypes.handler(({ context }) => classTypes(context.ctx)),
  instructors: on.instructors.handler(({ context }) => instructors(context.ctx)),
  instructorsHome: on.instructorsHome.handler(({ context }) => instructors(context.ctx, { home: true })),
  instructor: on.instructor.handler(({ context, input }) => oneInstructor(context.ctx, input)),
  paymentMethods: on.paymentMethods.handler(({ context }) => paymentMethods(context.ctx)),
}
