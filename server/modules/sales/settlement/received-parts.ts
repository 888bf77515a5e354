/** Money, or the balance of a gift card, that pays a purchase or a part of it, in the ledger of the counter. */
import { type CounterGateway, recordReceipt } from '#server/adapters/payments/counter/counter.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { insertAttempt, listAttempts, updateAttempt } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

/**
 * Records received money in the counter's ledger and as an attempt of the purchase; returns the reference in the ledger. `n`: the attempt's number, the next one
 * unless given.
 */
export async function recordPart(
  tx: Tx,
  ctx: Ctx,
  { purchase_id, customer_id }: { purchase_id: number; customer_id: number },
  part: { amount: number; gateway: CounterGateway; method: string; receivedBy: string; reference?: string; n?: number },
): Promise<string> {
  const { amount, gateway, method, receivedBy, reference } = part
  const n = part.n ?? ((await listAttempts(tx, purchase_id))[0]?.n ?? 0) + 1
  const attempt = await insertAttempt(tx, {
    ...{ purchase_id, n, gateway, ref_kind: 'payment', state: 'created', now: ctx.now },
    instrument: { by: 'hand', label: method },
  })
  const { ref } = await recordReceipt(tx, gateway, {
    ...{ key: { purchase: purchase_id, step: 'pay', n }, customer_id, amount, receivedBy, now: ctx.now },
    ...(reference ? { reference } : {}),
  })
  await updateAttempt(tx, attempt.payment_id, { state: 'paid', ref_id: ref.id, part_centavos: amount, updatedAt: ctx.now })
  return ref.id
}
