/** By which ways somebody is told of something, and when. Pure: docs/domain.md, "Messages". */
import { type Channel, type MessageEvent, messageEvents } from '#contract/channels.ts'
import type { Settings } from '#contract/settings.ts'
import { addDays, fromWallClock, localDate, wallClock } from '#contract/time.ts'

/** Somebody who may be told something. */
export interface Person {
  kind: 'customer' | 'staff'
  email: string | null
  phone: string | null
  /** What they said about a channel; null = nothing yet. */
  mail: boolean | null
  whatsapp: boolean | null
}

/** The channels of an event in this studio (M1). */
function channelsOf(event: MessageEvent, settings: Settings): readonly Channel[] {
  return settings.message_channels[event] ?? messageEvents[event].channels
}

/**
 * The channels by which this person is told (M1-M3). WhatsApp needs a number and consent, or that the person asked for exactly this; where
 * it was the only way out of the studio, a mail takes its place. Staff are told by mail.
 */
export function channelsFor(event: MessageEvent, person: Person, settings: Settings): Channel[] {
  const wanted = channelsOf(event, settings)
  const mail = person.email !== null && !(messageEvents[event].optional && person.mail === false)
  if (person.kind === 'staff') return mail ? ['mail'] : []
  const consents = person.whatsapp ?? messageEvents[event].asked ?? false
  const able: Record<Channel, boolean> = { mail, whatsapp: person.phone !== null && consents, app: true }
  const chosen = wanted.filter((channel) => able[channel])
  const onlyWhatsApp = wanted.includes('whatsapp') && !chosen.includes('whatsapp') && !wanted.includes('mail')
  return onlyWhatsApp && mail ? [...chosen, 'mail'] : chosen
}

type QuietHours = Pick<Settings, 'quiet_hours_start' | 'quiet_hours_end'>

/** Whether the studio's clocks show quiet hours (M4). From an hour to the same hour: never. */
export function isQuiet(at: Date, { quiet_hours_start: start, quiet_hours_end: end }: QuietHours, zone: string): boolean {
  const hour = wallClock(at, zone).getUTCHours()
  return start < end ? hour >= start && hour < end : start > end && (hour >= start || hour < end)
}

/** The next instant at which the clocks show a full hour, from `at` on. */
function nextHour(at: Date, hour: number, zone: string): Date {
  const today = localDate(at, zone)
  for (const day of [today, addDays(today, 1), addDays(today, 2)]) {
    const found = fromWallClock(new Date(`${day}T${String(hour).padStart(2, '0')}:00:00.000Z`), zone)
    if (found > at) return found
  }
  return at
}

/** `at`, or the end of the quiet hours that it falls into (M4). */
export function awakeAt(at: Date, quiet: QuietHours, zone: string): Date {
  return isQuiet(at, quiet, zone) ? nextHour(at, quiet.quiet_hours_end, zone) : at
}

/** The instant some minutes later, not counting quiet hours: a clock that runs only while people are awake (W5). */
export function addAwake(from: Date, minutes: number, quiet: QuietHours, zone: string): Date {
  let at = awakeAt(from, quiet, zone)
  let left = minutes * 60_000
  while (quiet.quiet_hours_start !== quiet.quiet_hours_end) {
    const night = nextHour(at, quiet.quiet_hours_start, zone)
    const awake = night.getTime() - at.getTime()
    if (left <= awake) break
    left -= awake
    at = awakeAt(night, quiet, zone)
  }
  return new Date(at.getTime() + left)
}

/** Something so near does not wait for the morning (M4). */
const URGENT_MS = 5 * 3_600_000

/** When a message may leave: WhatsApp rings, so it waits for the end of the quiet hours unless what it is about comes before (M4). */
export function leavesAt(channel: Channel, now: Date, about: Date | null, quiet: QuietHours, zone: string): Date {
  if (channel !== 'whatsapp') return now
  const morning = awakeAt(now, quiet, zone)
  return about && (about.getTime() - now.getTime() < URGENT_MS || about <= morning) ? now : morning
}

const MINUTE = 60_000
/** Waits before the next try, after the first, the second and so on. */
const WAITS = [1, 5, 15, 60, 240]

/** When to try again after some tries that failed; null = never (M6). */
export function nextTry(tries: number, now: Date): Date | null {
  const minutes = WAITS[tries - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE)
}

const RANK = { waiting: 0, sending: 0, failed: 0, moot: 0, unknown: 0, sent: 1, delivered: 2, read: 3 } as const

/** Whether news of a message says more than what is known: notices arrive in any order (M7). */
export function isNewer(known: keyof typeof RANK, news: 'sent' | 'delivered' | 'read' | 'failed'): boolean {
  return news === 'failed' ? RANK[known] < RANK.delivered && known !== 'failed' : RANK[news] > RANK[known]
}
