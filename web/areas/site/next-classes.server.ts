/** Loads the next classes of one coach or one class type. */
import type { Rendering } from '#contract/rendering.ts'
import { studioZone } from '#contract/settings.ts'
import { addDays, localDate } from '#contract/time.ts'
import type { Client } from '#web/lib/client.ts'
import { rowMaker } from './class-rows.server.ts'
import { freshWithClasses } from './schedule-expiry.server.ts'

/** Two weeks, beginning today. */
const DAYS = 14

type Of = { instructor_id: number } | { class_type_id: number }

/** Null if they cannot be loaded: the page is rendered without them. */
export const loadNextClasses = (rendering: Rendering<Client>, of: Of) =>
  rendering.attempt('next_classes', () => readNextClasses(rendering, of))

async function readNextClasses(rendering: Rendering<Client>, of: Of) {
  const { client, settings, now } = rendering
  const zone = studioZone(settings)
  const today = localDate(now, zone)
  const [{ days }, toRow] = await Promise.all([
    client.schedule.week({ start_date: today, end_date: addDays(today, DAYS - 1), ...of }),
    rowMaker(rendering),
  ])
  const ahead = days.flatMap(({ classes }) => classes).filter(({ state }) => state !== 'past')
  freshWithClasses(rendering, zone, ahead)
  return ahead.map(toRow)
}
