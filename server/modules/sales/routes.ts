import { api } from '#server/modules/api.ts'
import { priceByCode } from './discounts.ts'
import { myInvoices } from './invoices.ts'
import { buy, buyByCard, cancelSubscription, giveUp, listPurchases, markPaid, onePurchase, savedCards } from './sales.ts'

const on = api.sales

export const salesRoutes = {
  attempt: on.attempt.handler(({ context, input }) => buyByCard(context.ctx, input)),
  checkout: on.checkout.handler(({ context, input }) => buy(context.ctx, input)),
  giveUp: on.giveUp.handler(({ context, input }) => giveUp(context.ctx, input)),
  list: on.list.handler(({ context }) => listPurchases(context.ctx)),
  one: on.one.handler(({ context, input }) => onePurchase(context.ctx, input)),
  cancel: on.cancel.handler(({ context, input }) => cancelSubscription(context.ctx, input)),
  cards: on.cards.handler(({ context }) => savedCards(context.ctx)),
  markPaid: on.markPaid.handler(({ context, input }) => markPaid(context.ctx, input)),
}

export const invoiceRoutes = {
  list: api.invoices.list.handler(({ context, input }) => myInvoices(context.ctx, input)),
}

export const codeRoutes = {
  byCode: api.discounts.byCode.handler(({ context, input }) => priceByCode(context.ctx, input)),
}
