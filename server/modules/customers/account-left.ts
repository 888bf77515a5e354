/** What follows for a customer whose account was deleted (docs/domain.md P14). */

import { isAlive } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { withdrawConsents } from '#server/modules/messages/messages.ts'
import { customerById } from '#server/modules/people/people.ts'
import { archiveCustomer } from './archive.ts'
import { describeObstacles } from './erasure.ts'
import { loadFacts } from './facts.ts'
import { lockCustomer } from './store.ts'

const REASON = 'Eliminó su cuenta'

/** Job: withdraws the customer's consents, and archives them when nothing of theirs is left to use. Does nothing after a new sign-up. */
export async function followAccountLeft(ctx: Ctx, { customer_id }: { customer_id: number }): Promise<void> {
  await ctx.tx(async (tx) => {
    if (!(await lockCustomer(tx, customer_id))) return
    const row = await customerById(tx, customer_id)
    if (row.uid !== null) return
    await withdrawConsents(tx, ctx, { customer_id, reason: REASON })
    const { creditLots } = (await loadFacts(tx, [customer_id], ctx.now))(customer_id)
    const isLeft = creditLots.some((creditLot) => isAlive(creditLot, ctx.now)) || (await describeObstacles(ctx, tx, row)).length > 0
    if (row.archivedAt === null && !isLeft) await archiveCustomer(tx, ctx, { customer_id, reason: REASON })
  })
}
