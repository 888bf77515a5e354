/** Rules of the waitlist: who may join, whose turn it is, and how long a spot is held. Pure: docs/domain.md, "Waitlist". */
import { type Refusal, refuse } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { addAwake, awakeAt } from '#server/modules/messages/messages.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'
import { factsForStaff, type PersonFacts, whyNotPerson } from './person-rules.ts'
import { closesAt, freeUntil, whyNotOpen } from './rules.ts'

const MINUTE = 60_000
/** Closer to the class than this, quiet hours no longer extend a hold, in ms. */
const URGENT_MS = 5 * 60 * MINUTE
/** A hold is at least this long, in minutes, and at most this part of the time until booking closes. */
const LEAST_MINUTES = 10
const PART = 0.15

export type WaitlistMode = Settings['waitlist_mode']

/** Why a customer cannot join the waitlist of a class (W1, W2; S2-4.17): only full classes that can still be booked have one. */
export function whyNotJoin(cls: ClassCore, settings: Settings, now: Date): Refusal | null {
  if (!settings.waitlist_enabled) return refuse('WAITLIST_DISABLED')
  return whyNotOpen(cls, settings, now) ?? (cls.places_left > 0 ? refuse('WAITLIST_CLASS_HAS_PLACES') : null)
}

/**
 * Why a person cannot join the waitlist of a class: their own reservation in it comes before what the class refuses, the other facts
 * (`factsForJoining`) after it.
 */
export function whyNotJoinAs(facts: PersonFacts, cls: ClassCore, settings: Settings, now: Date, zone: string): Refusal | null {
  return whyNotPerson(factsForStaff(facts), cls, zone) ?? whyNotJoin(cls, settings, now) ?? whyNotPerson(facts, cls, zone)
}

/**
 * The mode of the waitlist now (W3, W6, W7): near the end of booking all are notified at once, since single offers would leave spots
 * empty.
 */
export function currentWaitlistMode(cls: ClassCore, settings: Settings, now: Date): WaitlistMode {
  const left = closesAt(cls, settings).getTime() - now.getTime()
  return left <= settings.waitlist_tell_all_minutes * MINUTE ? 'todos' : settings.waitlist_mode
}

/** Whether a spot is booked without asking (W7): the customer chose so, and cancelling would still be free. */
export function takesWithoutAsking(cls: ClassCore, entry: { auto: boolean }, settings: Settings, now: Date): boolean {
  if (currentWaitlistMode(cls, settings, now) !== 'auto' || !entry.auto) return false
  const until = freeUntil(cls, settings)
  return until === null || now <= until
}

/**
 * The end of a hold (W5): the studio's minutes, at most 15 % of the time until booking closes but at least ten minutes, not counting quiet
 * hours unless the class is near; never after the end of booking.
 */
export function offerUntil(cls: ClassCore, settings: Settings, now: Date, zone: string): Date {
  const closes = closesAt(cls, settings)
  const part = Math.max(LEAST_MINUTES, Math.floor(((closes.getTime() - now.getTime()) / MINUTE) * PART))
  const minutes = Math.min(settings.waitlist_offer_minutes, part)
  const urgent = cls.starts_at.getTime() - now.getTime() < URGENT_MS || cls.starts_at <= awakeAt(now, settings, zone)
  const until = urgent ? new Date(now.getTime() + minutes * MINUTE) : addAwake(now, minutes, settings, zone)
  return until < closes ? until : closes
}
