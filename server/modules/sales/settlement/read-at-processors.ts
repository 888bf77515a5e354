/** Reads a waiting purchase at its processors and applies the result (V8). */
import type { Ctx } from '#server/modules/ctx.ts'
import { listAttempts } from '#server/modules/sales/store/store.ts'
import { apply, applyProcessorState } from './apply-processor-state.ts'
import { attemptRef, getGateway } from './gateways.ts'

/** Reads a waiting purchase at its processors. A processor that does not answer changes nothing: the next poll tries again. */
export async function readAtProcessors(ctx: Ctx, purchase_id: number): Promise<void> {
  for (const attempt of await listAttempts(ctx.db, purchase_id)) {
    if (attempt.state === 'refused' || attempt.state === 'cancelled' || attempt.state === 'expired') continue
    try {
      const ref = attemptRef(ctx, attempt)
      if (ref) await applyProcessorState(ctx, ref)
      else {
        const facts = await getGateway(ctx, attempt.gateway).find({ purchase: purchase_id, step: 'pay', n: attempt.n })
        if (facts) await apply(ctx, facts, attempt)
      }
    } catch (error) {
      ctx.studio.log.warn({ error, purchase_id }, 'payments.query_failed')
    }
  }
}
