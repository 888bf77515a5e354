/** What single classes cost in pay of their coaches, for the reports (docs/domain.md RE30). */
import type { Ctx } from '#server/modules/ctx.ts'
import { payFor } from './rules.ts'
import { listApprovedPayOf, listRules, listTaughtOf } from './store.ts'

/**
 * Pay of each of some classes that ended, for all of its coaches, in centavos: what was approved as it was approved, with its corrections,
 * and the rest by the rules as they are now. The caller has checked that the whole payroll may be read.
 */
export async function payOfClasses(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  const totals = new Map<number, number>()
  if (ids.length === 0) return totals
  const add = (single_class_id: number, amount: number) => totals.set(single_class_id, (totals.get(single_class_id) ?? 0) + amount)
  const [rules, approved] = await Promise.all([listRules(ctx.db), listApprovedPayOf(ctx.db, ids)])
  const paid = new Set(approved.map(({ single_class_id, instructor_id }) => `${single_class_id} ${instructor_id}`))
  for (const { single_class_id, amount } of approved) add(single_class_id, amount)
  const withIncome = rules.some(({ terms }) => terms.percent > 0)
  for (const row of await listTaughtOf(ctx.db, ids, { now: ctx.now, zone: ctx.zone, withIncome }))
    if (!paid.has(`${row.single_class_id} ${row.instructor_id}`)) add(row.single_class_id, payFor(row, rules).pay.amount)
  return totals
}
