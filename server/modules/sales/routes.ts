import { api } from '#server/modules/api.ts'
import { giveAccess, removeClasses, revokeAccess } from './aftersales/access.ts'
import { changeByLink, changeOwnCard, confirmByLink, getSubscriptionByLink, ownCardLink } from './aftersales/card-links.ts'
import { writeNote } from './aftersales/notes.ts'
import { cancelPending, listPendingSubscriptions, pendingLink } from './aftersales/pending-subscriptions.ts'
import { refundPurchase } from './aftersales/refunds.ts'
import { cancelForCustomer, cardLinkForCustomer, retryRenewal, sendCardLink } from './aftersales/staff-subscriptions.ts'
import { pauseSubscription } from './aftersales/subscriptions.ts'
import { removeCard, saveCard, savedCards, savedMetodos, saveMetodo } from './checkout/cards.ts'
import { listPaymentOptions } from './checkout/payment-options.ts'
import { buyByWallet, captureApprovedOrder } from './checkout/wallet.ts'
import { buyAtCheckout, buyByCard, cancelPendingPurchase, cancelSubscription, listPurchases, markPaid, onePurchase } from './sales.ts'
import { priceByCode } from './settlement/discounts.ts'
import { giftCardAtCheckout } from './settlement/gift-cards.ts'
import { closeMoneyDiscrepancy, listMoneyDiscrepancies } from './settlement/reconciliation.ts'
import { openCounterOrder } from './till/basket-orders.ts'
import { cashSessionPdf } from './till/cash-session-pdf.ts'
import {
  approveSession,
  closeSession,
  compareCount,
  currentSession,
  listSessions,
  moveCash,
  oneSession,
  openSession,
  reopenSession,
} from './till/cash-sessions.ts'
import { exportCashSessions, exportGiftCards } from './till/counter-exports.ts'
import { buyGiftCard, giftCardOffer } from './till/gift-card-orders.ts'
import { cancelOrder, cardsOfCustomer, listOrders, sendOrder } from './till/orders.ts'
import { orderByLink, payByLink } from './till/payment-links.ts'
import { cancelScheduledChange, changePlan } from './till/plan-changes.ts'
import { attendees } from './views/attendees.ts'
import { usesOfCode } from './views/discount-uses.ts'
import { myInvoices } from './views/invoices.ts'
import { packageFigures } from './views/package-figures.ts'
import { myReceipt, studioReceipt } from './views/receipts.ts'
import { exportInvoices, exportPurchases, exportRefunds, exportSubscriptions } from './views/sales-exports.ts'
import { studioDetail, studioInvoices, studioPurchases, studioRefunds } from './views/studio-lists.ts'
import { studioSubscriptions } from './views/subscription-list.ts'

const on = api.sales

export const salesRoutes = {
  attempt: on.attempt.handler(({ context, input }) => buyByCard(context.ctx, input)),
  checkout: on.checkout.handler(({ context, input }) => buyAtCheckout(context.ctx, input)),
  giveUp: on.giveUp.handler(({ context, input }) => cancelPendingPurchase(context.ctx, input)),
  list: on.list.handler(({ context }) => listPurchases(context.ctx)),
  one: on.one.handler(({ context, input }) => onePurchase(context.ctx, input)),
  cancel: on.cancel.handler(({ context, input }) => cancelSubscription(context.ctx, input)),
  cards: on.cards.handler(({ context }) => savedCards(context.ctx)),
  markPaid: on.markPaid.handler(({ context, input }) => markPaid(context.ctx, input)),
}

export const invoiceRoutes = {
  list: api.invoices.list.handler(({ context, input }) => myInvoices(context.ctx, input)),
  receipt: api.invoices.receipt.handler(({ context, input }) => myReceipt(context.ctx, input)),
}

export const codeRoutes = {
  uses: api.discounts.uses.handler(({ context, input }) => usesOfCode(context.ctx, input)),
  byCode: api.discounts.byCode.handler(({ context, input }) => priceByCode(context.ctx, input)),
}

export const checkoutRoutes = {
  ways: api.checkout.ways.handler(({ context, input }) => listPaymentOptions(context.ctx, input)),
  giftCard: api.checkout.giftCard.handler(({ context, input }) => giftCardAtCheckout(context.ctx, input)),
  paypal: api.checkout.paypal.handler(({ context, input }) => buyByWallet(context.ctx, input)),
  capture: api.checkout.capture.handler(({ context, input }) => captureApprovedOrder(context.ctx, input)),
}

export const discrepancyRoutes = {
  list: api.differences.list.handler(({ context }) => listMoneyDiscrepancies(context.ctx)),
  close: api.differences.close.handler(({ context, input }) => closeMoneyDiscrepancy(context.ctx, input)),
}

export const cardRoutes = {
  keep: api.cards.keep.handler(({ context, input }) => saveCard(context.ctx, input)),
  remove: api.cards.remove.handler(({ context, input }) => removeCard(context.ctx, input)),
  metodos: api.cards.metodos.handler(({ context }) => savedMetodos(context.ctx)),
  saveMetodo: api.cards.saveMetodo.handler(({ context, input }) => saveMetodo(context.ctx, input)),
  removeMetodo: api.cards.removeMetodo.handler(({ context, input }) => removeCard(context.ctx, input)),
}

export const packageViewRoutes = {
  attendees: api.studioPackages.attendees.handler(({ context, input }) => attendees(context.ctx, input)),
  figures: api.studioPackages.figures.handler(({ context, input }) => packageFigures(context.ctx, input)),
}

export const studioSalesRoutes = {
  purchases: api.studioSales.purchases.handler(({ context, input }) => studioPurchases(context.ctx, input)),
  purchase: api.studioSales.purchase.handler(({ context, input }) => studioDetail(context.ctx, input)),
  note: api.studioSales.note.handler(({ context, input }) => writeNote(context.ctx, input)),
  receipt: api.studioSales.receipt.handler(({ context, input }) => studioReceipt(context.ctx, input)),
  invoices: api.studioSales.invoices.handler(({ context, input }) => studioInvoices(context.ctx, input)),
  refunds: api.studioSales.refunds.handler(({ context, input }) => studioRefunds(context.ctx, input)),
  refund: api.studioSales.refund.handler(({ context, input }) => refundPurchase(context.ctx, input)),
  pause: api.studioSales.pause.handler(({ context, input }) => pauseSubscription(context.ctx, input, true)),
  resume: api.studioSales.resume.handler(({ context, input }) => pauseSubscription(context.ctx, input, false)),
  giveAccess: api.studioSales.giveAccess.handler(({ context, input }) => giveAccess(context.ctx, input)),
  revokeAccess: api.studioSales.revokeAccess.handler(({ context, input }) => revokeAccess(context.ctx, input)),
  removeClasses: api.studioSales.removeClasses.handler(({ context, input }) => removeClasses(context.ctx, input)),
}

export const studioSubscriptionRoutes = {
  list: api.studioSubscriptions.list.handler(({ context, input }) => studioSubscriptions(context.ctx, input)),
  cancel: api.studioSubscriptions.cancel.handler(({ context, input }) => cancelForCustomer(context.ctx, input)),
  retry: api.studioSubscriptions.retry.handler(({ context, input }) => retryRenewal(context.ctx, input)),
  cardLink: api.studioSubscriptions.cardLink.handler(({ context, input }) => cardLinkForCustomer(context.ctx, input)),
  sendCardLink: api.studioSubscriptions.sendCardLink.handler(({ context, input }) => sendCardLink(context.ctx, input)),
  changePlan: api.studioSubscriptions.changePlan.handler(({ context, input }) => changePlan(context.ctx, input)),
  cancelChange: api.studioSubscriptions.cancelChange.handler(({ context, input }) => cancelScheduledChange(context.ctx, input)),
}

export const pendingSubscriptionRoutes = {
  list: api.pendingSubscriptions.list.handler(({ context, input }) => listPendingSubscriptions(context.ctx, input)),
  link: api.pendingSubscriptions.link.handler(({ context, input }) => pendingLink(context.ctx, input)),
  cancel: api.pendingSubscriptions.cancel.handler(({ context, input }) => cancelPending(context.ctx, input)),
}

export const salesExportRoutes = {
  purchases: api.listExports.purchases.handler(({ context, input }) => exportPurchases(context.ctx, input)),
  invoices: api.listExports.invoices.handler(({ context, input }) => exportInvoices(context.ctx, input)),
  refunds: api.listExports.refunds.handler(({ context, input }) => exportRefunds(context.ctx, input)),
  subscriptions: api.listExports.subscriptions.handler(({ context, input }) => exportSubscriptions(context.ctx, input)),
  giftCards: api.listExports.giftCards.handler(({ context, input }) => exportGiftCards(context.ctx, input)),
  cashSessions: api.listExports.cashSessions.handler(({ context, input }) => exportCashSessions(context.ctx, input)),
}

export const cashSessionRoutes = {
  list: api.cashSessions.list.handler(({ context, input }) => listSessions(context.ctx, input)),
  current: api.cashSessions.current.handler(({ context, input }) => currentSession(context.ctx, input)),
  one: api.cashSessions.one.handler(({ context, input }) => oneSession(context.ctx, input)),
  pdf: api.cashSessions.pdf.handler(({ context, input }) => cashSessionPdf(context.ctx, input)),
  open: api.cashSessions.open.handler(({ context, input }) => openSession(context.ctx, input)),
  move: api.cashSessions.move.handler(({ context, input }) => moveCash(context.ctx, input)),
  compare: api.cashSessions.compare.handler(({ context, input }) => compareCount(context.ctx, input)),
  close: api.cashSessions.close.handler(({ context, input }) => closeSession(context.ctx, input)),
  approve: api.cashSessions.approve.handler(({ context, input }) => approveSession(context.ctx, input)),
  reopen: api.cashSessions.reopen.handler(({ context, input }) => reopenSession(context.ctx, input)),
}

export const cardLinkRoutes = {
  shown: api.cardLinks.shown.handler(({ context, input }) => getSubscriptionByLink(context.ctx, input)),
  change: api.cardLinks.change.handler(({ context, input }) => changeByLink(context.ctx, input)),
  confirm: api.cardLinks.confirm.handler(({ context, input }) => confirmByLink(context.ctx, input)),
  ownLink: api.cardLinks.ownLink.handler(({ context, input }) => ownCardLink(context.ctx, input)),
  own: api.cardLinks.own.handler(({ context, input }) => changeOwnCard(context.ctx, input)),
}

export const counterOrderRoutes = {
  open: api.counterOrders.open.handler(({ context, input }) => openCounterOrder(context.ctx, input)),
  list: api.counterOrders.list.handler(({ context, input }) => listOrders(context.ctx, input)),
  send: api.counterOrders.send.handler(({ context, input }) => sendOrder(context.ctx, input)),
  cancel: api.counterOrders.cancel.handler(({ context, input }) => cancelOrder(context.ctx, input)),
  cards: api.counterOrders.cards.handler(({ context, input }) => cardsOfCustomer(context.ctx, input)),
}

export const giftCardOrderRoutes = {
  offer: api.giftCardOrders.offer.handler(({ context }) => giftCardOffer(context.ctx)),
  buy: api.giftCardOrders.buy.handler(({ context, input }) => buyGiftCard(context.ctx, input)),
}

export const paymentLinkRoutes = {
  shown: api.paymentLinks.shown.handler(({ context, input }) => orderByLink(context.ctx, input)),
  pay: api.paymentLinks.pay.handler(({ context, input }) => payByLink(context.ctx, input)),
}
