/** The coming classes of one coach or one class type. */
import type { Rendering } from '#contract/rendering.ts'
import { studioZone } from '#contract/settings.ts'
import { addDays, localDate } from '#contract/time.ts'
import { cardClass } from '#web/features/class-facts.ts'
import type { Client } from '#web/lib/client.ts'
import { freshWithClasses } from './fresh.server.ts'

/** Two weeks from today. */
const DAYS = 14

export async function loadNextClasses(rendering: Rendering<Client>, of: { instructor_id: number } | { class_type_id: number }) {
  const { client, settings, now } = rendering
  const zone = studioZone(settings)
  const today = localDate(now, zone)
  const { days } = await client.schedule.week({ start_date: today, end_date: addDays(today, DAYS - 1), ...of })
  const ahead = days.flatMap(({ classes }) => classes).filter(({ state }) => state !== 'past')
  freshWithClasses(rendering, zone, ahead)
  return { classes: ahead.map(cardClass) }
}
