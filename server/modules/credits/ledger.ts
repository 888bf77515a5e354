/** The fields of a ledger movement for its owner, author and time. */
import type { Ctx } from '#server/modules/ctx.ts'

export function newMovement(ctx: Ctx, creditLot: { available_class_id: number; customer_id: number }) {
  return {
    available_class_id: creditLot.available_class_id,
    customer_id: creditLot.customer_id,
    actor: actorLabel(ctx),
    createdAt: ctx.now,
  }
}

export function actorLabel(ctx: Ctx): string {
  const { actor } = ctx
  if (actor.kind === 'system') return `system:${actor.job}`
  if (actor.kind === 'visitor') return 'visitor'
  if (actor.apiKey) return `api_key:${actor.apiKey.api_key_id}`
  return actor.staff ? `staff:${actor.staff.staff_id}` : `customer:${actor.customer?.customer_id ?? 0}`
}
