import { api } from '#server/modules/api.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { exportPayDetail, exportTransfers } from './exports.ts'
import { payRuleList } from './pay-rules.ts'
import {
  adjustPayroll,
  answerPay,
  approvePayroll,
  payAccounts,
  readMyPay,
  readPayroll,
  reopenPayroll,
  requireWholeStudio,
  savePayAccount,
} from './payroll.ts'

/** The caller, with every location of the studio: rules apply to each coach at all locations (PY7). FORBIDDEN. */
function wholeStudio({ ctx }: { ctx: Ctx }): Ctx {
  requireWholeStudio(ctx)
  return ctx
}

export const payRuleRoutes = {
  all: api.payRules.all.handler(async ({ context }) => ({ pay_rules: await payRuleList.all(wholeStudio(context)) })),
  create: api.payRules.create.handler(async ({ context, input }) => ({ pay_rule: await payRuleList.save(wholeStudio(context), input) })),
  update: api.payRules.update.handler(async ({ context, input }) => ({ pay_rule: await payRuleList.change(wholeStudio(context), input) })),
  remove: api.payRules.remove.handler(({ context, input }) => payRuleList.remove(wholeStudio(context), input.pay_rule_id)),
}

export const payrollRoutes = {
  read: api.payrolls.read.handler(({ context, input }) => readPayroll(context.ctx, input)),
  adjust: api.payrolls.adjust.handler(({ context, input }) => adjustPayroll(context.ctx, input)),
  approve: api.payrolls.approve.handler(({ context, input }) => approvePayroll(context.ctx, input)),
  reopen: api.payrolls.reopen.handler(({ context, input }) => reopenPayroll(context.ctx, input)),
  accounts: api.payrolls.accounts.handler(({ context }) => payAccounts(context.ctx)),
  saveAccount: api.payrolls.saveAccount.handler(({ context, input }) => savePayAccount(context.ctx, input)),
  mine: api.payrolls.mine.handler(({ context, input }) => readMyPay(context.ctx, input)),
  answer: api.payrolls.answer.handler(({ context, input }) => answerPay(context.ctx, input)),
}

export const payrollExportRoutes = {
  payrollTransfers: api.listExports.payrollTransfers.handler(({ context, input }) => exportTransfers(context.ctx, input)),
  payrollDetail: api.listExports.payrollDetail.handler(({ context, input }) => exportPayDetail(context.ctx, input)),
}
