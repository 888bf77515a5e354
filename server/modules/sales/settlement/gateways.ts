/** The processor of a purchase or attempt, and the object there that belongs to an attempt. */
import type { PaymentGateway, Ref } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { AttemptRow } from '#server/modules/sales/store/store.ts'

/** The gateway of a purchase. Throws when the studio no longer has it. */
export function getGateway(ctx: Ctx, id: string): PaymentGateway {
  const gateway = ctx.ports.gateways.get(id)
  if (!gateway) throw new Error(`This studio has no payment gateway ${id}.`)
  return gateway
}

/** The reference of an attempt's object at the processor; null while unknown. */
export function attemptRef(ctx: Ctx, attempt: AttemptRow): Ref | null {
  return attempt.ref_id === null ? null : { gateway: getGateway(ctx, attempt.gateway).id, kind: attempt.ref_kind, id: attempt.ref_id }
}
