import { api } from '#server/modules/api.ts'
import { attendees } from './attendees.ts'
import { removeCard, saveCard, savedCards, savedMetodos, saveMetodo } from './cards.ts'
import { priceByCode } from './discounts.ts'
import { myInvoices } from './invoices.ts'
import { buy, buyByCard, cancelSubscription, giveUp, listPurchases, markPaid, onePurchase } from './sales.ts'
import { buyByWallet, capture } from './wallet.ts'
import { waysToPay } from './ways.ts'

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

export const checkoutRoutes = {
  ways: api.checkout.ways.handler(({ context, input }) => waysToPay(context.ctx, input)),
  paypal: api.checkout.paypal.handler(({ context, input }) => buyByWallet(context.ctx, input)),
  capture: api.checkout.capture.handler(({ context, input }) => capture(context.ctx, input)),
}

export const cardRoutes = {
  keep: api.cards.keep.handler(({ context, input }) => saveCard(context.ctx, input)),
  remove: api.cards.remove.handler(({ context, input }) => removeCard(context.ctx, input)),
  metodos: api.cards.metodos.handler(({ context }) => savedMetodos(context.ctx)),
  saveMetodo: api.cards.saveMetodo.handler(({ context, input }) => saveMetodo(context.ctx, input)),
  removeMetodo: api.cards.removeMetodo.handler(({ context, input }) => removeCard(context.ctx, input)),
}

export const attendeeRoutes = {
  attendees: api.studioPackages.attendees.handler(({ context, input }) => attendees(context.ctx, input)),
}
