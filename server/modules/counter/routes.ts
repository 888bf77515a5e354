import { api } from '#server/modules/api.ts'
import {
  adjustGiftCard,
  allGiftCards,
  confirmTransfer,
  correctGiftCardEmail,
  findGiftCard,
  giftCardCodeAgain,
  mailSaleReceipt,
  oneGiftCard,
  oneSale,
  paySale,
  rejectTransfer,
  saleReceipt,
  saleReceiptByLink,
  saleReceiptLink,
  sendGiftCardAgain,
  transferProof,
} from '#server/modules/sales/sales.ts'
import { listCounterSales, sell } from './counter.ts'
import { showRefundPreview } from './refund-preview.ts'

const on = api.counterSales

export const counterRoutes = {
  sell: on.sell.handler(({ context, input }) => sell(context.ctx, input)),
  list: on.list.handler(({ context, input }) => listCounterSales(context.ctx, input)),
  one: on.one.handler(({ context, input }) => oneSale(context.ctx, input)),
  pay: on.pay.handler(({ context, input }) => paySale(context.ctx, input)),
  receipt: on.receipt.handler(({ context, input }) => saleReceipt(context.ctx, input)),
  mailReceipt: on.mailReceipt.handler(({ context, input }) => mailSaleReceipt(context.ctx, input)),
  receiptLink: on.receiptLink.handler(({ context, input }) => saleReceiptLink(context.ctx, input)),
  receiptByLink: on.receiptByLink.handler(({ context, input }) => saleReceiptByLink(context.ctx, input)),
  proof: on.proof.handler(({ context, input }) => transferProof(context.ctx, input)),
  confirm: on.confirm.handler(({ context, input }) => confirmTransfer(context.ctx, input)),
  reject: on.reject.handler(({ context, input }) => rejectTransfer(context.ctx, input)),
}

export const giftCardRoutes = {
  list: api.giftCards.list.handler(({ context, input }) => allGiftCards(context.ctx, input)),
  one: api.giftCards.one.handler(({ context, input }) => oneGiftCard(context.ctx, input)),
  find: api.giftCards.find.handler(({ context, input }) => findGiftCard(context.ctx, input)),
  code: api.giftCards.code.handler(({ context, input }) => giftCardCodeAgain(context.ctx, input)),
  correctEmail: api.giftCards.correctEmail.handler(({ context, input }) => correctGiftCardEmail(context.ctx, input)),
  send: api.giftCards.send.handler(({ context, input }) => sendGiftCardAgain(context.ctx, input)),
  adjust: api.giftCards.adjust.handler(({ context, input }) => adjustGiftCard(context.ctx, input)),
}

export const refundPreviewRoutes = {
  show: api.refundPreviews.show.handler(({ context, input }) => showRefundPreview(context.ctx, input)),
}
