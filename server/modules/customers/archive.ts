/** Archiving customers, and restoring them (docs/domain.md X19). */
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, updateCustomer } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { describeObstacles } from './erasure.ts'
import { lockCustomer } from './store.ts'

/** Archives a customer. The caller checks what prevents it. NOT_FOUND. */
export async function archiveCustomer(tx: Tx, ctx: Ctx, input: { customer_id: number; reason: string }): Promise<void> {
  const { customer_id, reason } = input
  await updateCustomer(tx, customer_id, { archivedAt: ctx.now, updatedAt: ctx.now })
  await ctx.audit(tx, { action: 'customer.archive', entity: 'customer', entity_id: customer_id, reason })
  tx.notify({ topic: 'people' })
}

/** Takes it back; false, and nothing is written, when they are not archived. */
export async function unarchiveCustomer(tx: Tx, ctx: Ctx, customer_id: number): Promise<boolean> {
  if (!(await lockCustomer(tx, customer_id)) || (await customerById(tx, customer_id)).archivedAt === null) return false
  await updateCustomer(tx, customer_id, { archivedAt: null, updatedAt: ctx.now })
  await ctx.audit(tx, { action: 'customer.unarchive', entity: 'customer', entity_id: customer_id })
  tx.notify({ topic: 'people' })
  return true
}

/** POST /admin/customers/{customer_id}/archive. NOT_FOUND, ARCHIVE_BLOCKED with `reasons`. Archiving twice changes nothing. */
export async function archive(ctx: Ctx, input: { customer_id: number; reason: string }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    if (!(await lockCustomer(tx, input.customer_id))) throw refuse('NOT_FOUND')
    const row = await customerById(tx, input.customer_id)
    if (row.archivedAt !== null) return { ok: true as const }
    const obstacles = await describeObstacles(ctx, tx, row)
    if (obstacles.length > 0) throw refuse('ARCHIVE_BLOCKED', { reasons: obstacles.map(({ message }) => message).join(' ') })
    await archiveCustomer(tx, ctx, input)
    return { ok: true as const }
  })
}

/** DELETE /admin/customers/{customer_id}/archive. NOT_FOUND. */
export async function unarchive(ctx: Ctx, { customer_id }: { customer_id: number }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    await customerById(tx, customer_id)
    await unarchiveCustomer(tx, ctx, customer_id)
    return { ok: true as const }
  })
}
