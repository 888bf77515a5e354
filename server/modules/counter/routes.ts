import { api } from '#server/modules/api.ts'
import { confirmTransfer, oneSale, paySale, rejectTransfer } from '#server/modules/sales/sales.ts'
import { listCounterSales, sell } from './counter.ts'

const on = api.counterSales

export const counterRoutes = {
  sell: on.sell.handler(({ context, input }) => sell(context.ctx, input)),
  list: on.list.handler(({ context, input }) => listCounterSales(context.ctx, input)),
  one: on.one.handler(({ context, input }) => oneSale(context.ctx, input)),
  pay: on.pay.handler(({ context, input }) => paySale(context.ctx, input)),
  confirm: on.confirm.handler(({ context, input }) => confirmTransfer(context.ctx, input)),
  reject: on.reject.handler(({ context, input }) => rejectTransfer(context.ctx, input)),
}
