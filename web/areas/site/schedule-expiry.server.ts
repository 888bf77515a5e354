/** How long a document that shows classes may be cached. */
import type { Rendering } from '#contract/rendering.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { addDays, fromWallClock, localDate, startOfDay } from '#contract/time.ts'
import type { Client } from '#web/lib/client.ts'

/** The document expires at midnight of the studio, and when a class begins, ends, opens or closes. */
export function freshWithClasses(rendering: Rendering<Client>, zone: string, classes: readonly SingleClass[]): void {
  const { now, dependsOn, freshUntil } = rendering
  dependsOn('schedule', 'catalogue')
  freshUntil(startOfDay(addDays(localDate(now, zone), 1), zone))
  for (const { starts_at, ends_at, opens_at, timezone } of classes) {
    const moments = [new Date(starts_at), new Date(ends_at), ...(opens_at ? [fromWallClock(new Date(opens_at), timezone)] : [])]
    for (const at of moments) if (at > now) freshUntil(at)
  }
}
