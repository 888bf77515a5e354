/** The channels by which people are notified of a set of changes, before and after it is published. */
import { CHANNELS } from '#contract/channels.ts'
import type { ChangeResult } from '#contract/studio-schedule.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { countByChannel } from '#server/modules/messages/messages.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Applied } from './changes.ts'

/** Number of people per channel: for a cancellation the channels of its message, for others those of a changed class. */
export async function countNotifiedByChannel(
  tx: Tx,
  ctx: Ctx,
  { notified, notifiedOfEnd }: Applied,
): Promise<NonNullable<ChangeResult['told_by']>> {
  const ended = await countByChannel(tx, ctx, { event: 'class_cancelled', customer_ids: [...notifiedOfEnd] })
  const others = [...notified].filter((id) => !notifiedOfEnd.has(id))
  const changed = await countByChannel(tx, ctx, { event: 'class_changed', customer_ids: others })
  return CHANNELS.map((channel) => ({ channel, people: (ended.get(channel) ?? 0) + (changed.get(channel) ?? 0) })).filter(
    ({ people }) => people > 0,
  )
}
