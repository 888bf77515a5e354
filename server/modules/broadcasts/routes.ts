import { api } from '#server/modules/api.ts'
import { automationList } from './automations.ts'
import {
  allBroadcasts,
  cancelBroadcast,
  changeSubscription,
  createBroadcast,
  pauseBroadcast,
  readBroadcast,
  readSubscription,
  resumeBroadcast,
  testBroadcast,
} from './broadcasts.ts'

const on = api.broadcasts

export const broadcastRoutes = {
  create: on.create.handler(({ context, input }) => createBroadcast(context.ctx, input)),
  list: on.list.handler(({ context, input }) => allBroadcasts(context.ctx, input)),
  one: on.one.handler(({ context, input }) => readBroadcast(context.ctx, input)),
  pause: on.pause.handler(({ context, input }) => pauseBroadcast(context.ctx, input)),
  resume: on.resume.handler(({ context, input }) => resumeBroadcast(context.ctx, input)),
  cancel: on.cancel.handler(({ context, input }) => cancelBroadcast(context.ctx, input)),
  test: on.test.handler(({ context, input }) => testBroadcast(context.ctx, input)),
  subscription: on.subscription.handler(({ context, input }) => readSubscription(context.ctx, input)),
  subscribe: on.subscribe.handler(({ context, input }) => changeSubscription(context.ctx, input)),
}

const automations = api.automations

export const automationRoutes = {
  all: automations.all.handler(async ({ context }) => ({ automations: await automationList.all(context.ctx) })),
  create: automations.create.handler(async ({ context, input }) => ({ automation: await automationList.save(context.ctx, input) })),
  update: automations.update.handler(async ({ context, input }) => ({ automation: await automationList.change(context.ctx, input) })),
  remove: automations.remove.handler(({ context, input }) => automationList.remove(context.ctx, input.automation_id)),
}
