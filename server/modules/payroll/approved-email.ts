/** The mail to each coach of a period that was approved (docs/domain.md PY7). */
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos, pesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages } from '#server/modules/messages/messages.ts'
import { listApprovedPay } from './store.ts'

/** Job: one mail per coach with an account, once per approval. Skipped when the approval was withdrawn meanwhile. */
export async function notifyApproved(ctx: Ctx, { payroll_period_id }: { payroll_period_id: number }): Promise<void> {
  const found = await listApprovedPay(ctx.db, payroll_period_id)
  await ctx.tx((tx) =>
    enqueueMessages(
      tx,
      ctx,
      found.map(({ staff_id, from_day, to_day, approved_ms, amount, classes }) => {
        const days = `del ${formatWall(from_day, 'date')} al ${formatWall(to_day, 'date')}`
        const sum = formatPesos(pesos(amount))
        const title = `Tu pago ${days} está aprobado`
        return {
          event: 'pay_approved',
          about: `pay:${payroll_period_id}:${approved_ms}`,
          to: { staff_id },
          before: null,
          texts: (name) => ({
            subject: title,
            title,
            notes: [],
            lines: [
              `${sum} por ${classes === 1 ? '1 clase' : `${classes} clases`}, con ajustes y correcciones.`,
              'Si algo no cuadra, pide ahí mismo que lo revisen.',
            ],
            action: { label: 'Ver mi pago', path: `${adminPaths.myPay}?periodo=${from_day}` },
            blanks: [name, days, sum],
          }),
        }
      }),
    ),
  )
}
