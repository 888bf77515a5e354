/** Classes as the rows of public pages show them. */
import type { Rendering } from '#contract/rendering.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { studioZone } from '#contract/settings.ts'
import { type CardClass, cardClass } from '#web/features/calendar/class-facts.ts'
import { otherHours } from '#web/features/calendar/week-view.ts'
import type { Client } from '#web/lib/client.ts'

/**
 * Picks a row's fields, and names the zone of a class whose location keeps another hour than the studio. Without the locations no zone
 * is named.
 */
export async function rowMaker({ client, settings, attempt, dependsOn }: Rendering<Client>): Promise<(cls: SingleClass) => CardClass> {
  dependsOn('catalogue')
  const found = await attempt('locations', () => client.catalogue.locations())
  const zones = otherHours(found?.locations ?? [], studioZone(settings))
  return (cls) => {
    const zone = zones.get(cls.location_id)
    return { ...cardClass(cls), ...(zone && { zone }) }
  }
}
