/** Rules of messages: by which channels, and when. Pure: docs/domain.md, "Messages". */
import { CHANNELS, type Channel, isAlwaysSent, isAutomatic, type MessageEvent, messageEvents } from '#contract/channels.ts'
import type { Settings } from '#contract/settings.ts'
import { addDays, fromWallClock, localDate, wallClock } from '#contract/time.ts'

/** A possible recipient. */
export interface Person {
  kind: 'customer' | 'staff'
  email: string | null
  phone: string | null
  /** Their consent to the channel; null = not answered yet. */
  mail: boolean | null
  whatsapp: boolean | null
  /** Whether they switched notifications on, on at least one device. */
  push: boolean
}

/** The studio's channels for an event (M1), with those that cannot be switched off (M12). */
export function enabledChannels(event: MessageEvent, settings: Settings): readonly Channel[] {
  const chosen = (isAutomatic(event) ? settings.message_channels[event] : undefined) ?? messageEvents[event].channels
  return [...chosen, ...CHANNELS.filter((channel) => isAlwaysSent(event, channel) && !chosen.includes(channel))]
}

/**
 * The channels for this person (M1-M3). WhatsApp requires a number, and consent or a message that the person requested; push a device.
 * Where only these were chosen and none reaches the person, an email replaces them. Staff get emails, and push messages of their tasks.
 */
export function channelsFor(event: MessageEvent, person: Person, settings: Settings): Channel[] {
  const wanted = enabledChannels(event, settings)
  const mail = person.email !== null && consentsTo(event, person, 'mail')
  if (person.kind === 'staff' && event === 'staff_tasks') return person.push ? ['push'] : []
  if (person.kind === 'staff') return mail ? ['mail'] : []
  const whatsapp = person.phone !== null && consentsTo(event, person, 'whatsapp')
  const able: Record<Channel, boolean> = { mail, whatsapp, push: person.push, app: true }
  const chosen = wanted.filter((channel) => able[channel])
  const isUnreached = wanted.some((channel) => channel === 'whatsapp' || channel === 'push') && !chosen.some((channel) => channel !== 'app')
  return isUnreached && !wanted.includes('mail') && mail ? [...chosen, 'mail'] : chosen
}

/** Whether the person permits messages about the event by an external channel (M2). */
export function consentsTo(
  event: MessageEvent,
  person: Pick<Person, 'mail' | 'whatsapp' | 'push'>,
  channel: 'mail' | 'whatsapp' | 'push',
): boolean {
  if (channel === 'push') return person.push
  if (channel === 'mail') return !(messageEvents[event].optional && person.mail === false)
  return person.whatsapp ?? messageEvents[event].asked ?? false
}

/** States in which an attempt has ended, so that staff may send the message again (M10). */
const ENDED: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'failed', 'unknown'])

/** Whether staff may send a message again: one to an address whose attempt has ended, while it still has a purpose (M10). */
export const isResendable = (row: { channel: Channel; status: string; mootAt: Date | null }, now: Date): boolean =>
  (row.channel === 'mail' || row.channel === 'whatsapp') && ENDED.has(row.status) && (row.mootAt === null || row.mootAt > now)

type QuietHours = Pick<Settings, 'quiet_hours_start' | 'quiet_hours_end'>

/** Whether it is a quiet hour in the given zone (M4). Equal start and end: never. */
export function isQuiet(at: Date, { quiet_hours_start: start, quiet_hours_end: end }: QuietHours, zone: string): boolean {
  const hour = wallClock(at, zone).getUTCHours()
  return start < end ? hour >= start && hour < end : start > end && (hour >= start || hour < end)
}

/** The next full hour `hour` in the zone, from `at` on. */
function nextHour(at: Date, hour: number, zone: string): Date {
  const today = localDate(at, zone)
  for (const day of [today, addDays(today, 1), addDays(today, 2)]) {
    const found = fromWallClock(new Date(`${day}T${String(hour).padStart(2, '0')}:00:00.000Z`), zone)
    if (found > at) return found
  }
  return at
}

/** `at`, or the end of the quiet hours that contain it (M4). */
export function awakeAt(at: Date, quiet: QuietHours, zone: string): Date {
  return isQuiet(at, quiet, zone) ? nextHour(at, quiet.quiet_hours_end, zone) : at
}

/** Adds minutes, not counting quiet hours (W5). */
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

/** Messages about something this close do not wait for the end of the quiet hours (M4), in ms. */
const URGENT_MS = 5 * 3_600_000

/** When a message may be sent: WhatsApp and push wait for the end of the quiet hours, unless its class begins before that (M4). */
export function leavesAt(channel: Channel, now: Date, about: Date | null, quiet: QuietHours, zone: string): Date {
  if (channel !== 'whatsapp' && channel !== 'push') return now
  const morning = awakeAt(now, quiet, zone)
  return about && (about.getTime() - now.getTime() < URGENT_MS || about <= morning) ? now : morning
}

const MINUTE = 60_000
/** Minutes before the next attempt, by the number of failed ones. */
const WAITS = [1, 5, 15, 60, 240]

/** When to try again after some failed attempts; null = never (M6). */
export function nextTry(tries: number, now: Date): Date | null {
  const minutes = WAITS[tries - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE)
}

const RANK = { waiting: 0, sending: 0, failed: 0, moot: 0, unknown: 0, sent: 1, delivered: 2, read: 3 } as const

/** Whether a delivery report is newer than the stored state: reports arrive in any order (M7). */
export function isNewer(known: keyof typeof RANK, report: 'sent' | 'delivered' | 'read' | 'failed'): boolean {
  return report === 'failed' ? RANK[known] < RANK.delivered && known !== 'failed' : RANK[report] > RANK[known]
}

const TEST = 'test:'

/** The `about` of a message that staff send to themselves to see it (M13). */
export const testAbout = (id: string): string => `${TEST}${id}`

/** Whether staff sent it to themselves: it is about nothing. */
export const isTest = ({ about }: { about: string }): boolean => about.startsWith(TEST)
