/** Work that comes by the clock and asks every processor: one job for each, in its own queue, so that one that hangs holds up none of the others. */
import type { Ctx } from '#server/modules/ctx.ts'

/** Sends a job to the queue of each processor, unless the one of before still waits there. */
export async function sendToGateways(ctx: Ctx, name: string, data: object = {}): Promise<void> {
  const gateways = [...ctx.ports.gateways.keys()]
  await ctx.tx(async (tx) => {
    for (const gateway of gateways) await tx.send({ name, data: { ...data, gateway }, key: gateway })
  })
}
