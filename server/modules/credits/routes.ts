import { api } from '#server/modules/api.ts'
import { changeCredits, getCreditLot, giveCredits, listCreditLotsOfCustomer, listMyCreditLots, revokeCredits } from './credit-lots.ts'
import { notifyEndingCredits } from './ending.ts'
import { myCredits } from './summaries.ts'

export const creditsRoutes = {
  list: api.credits.list.handler(({ context }) => myCredits(context.ctx)),
  all: api.credits.all.handler(({ context, input }) => listMyCreditLots(context.ctx, input)),
  one: api.credits.one.handler(({ context, input }) => getCreditLot(context.ctx, input)),
  ofCustomer: api.credits.ofCustomer.handler(({ context, input }) => listCreditLotsOfCustomer(context.ctx, input)),
  notifyEnding: api.credits.notifyEnding.handler(({ context, input }) => notifyEndingCredits(context.ctx, input)),
  create: api.credits.create.handler(({ context, input }) => giveCredits(context.ctx, input)),
  update: api.credits.update.handler(({ context, input }) => changeCredits(context.ctx, input)),
  revoke: api.credits.revoke.handler(({ context, input }) => revokeCredits(context.ctx, input)),
}
