/** Scheduled work that calls every processor: one job per processor, in its own queue, so that one that hangs does not delay the others. */
import type { Ctx } from '#server/modules/ctx.ts'

/** Sends a job to the queue of each processor, unless the previous one still waits there. */
export async function sendToGateways(ctx: Ctx, name: string, data: object = {}): Promise<void> {
  const gateways = [...ctx.ports.gateways.keys()]
  await ctx.tx(async (tx) => {
    for (const gateway of gateways) await tx.send({ name, data: { ...data, gateway }, key: gateway })
  })
}
