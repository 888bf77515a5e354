/** Live updates of the administration: tickets for the stream, and the people on each screen (docs/domain.md Z9 to Z12). */
import { randomBytes } from 'node:crypto'
import { refuse } from '#contract/errors.ts'
import { LIVE_TICKET_SECONDS, PRESENCE_SECONDS } from '#contract/live.ts'
import { type Right, rightKeys } from '#contract/rights.ts'
import type { Ctx, StaffPrincipal, Studio } from '#server/modules/ctx.ts'
import { findPrincipals } from '#server/modules/people/people.ts'
import { countAttempt } from '#server/platform/throttle.ts'
import { findStaffUid, isKeyInUse, isUnlockedBy } from './store.ts'

/** What a link is signed for (server/platform/signing.ts). */
const USE = 'live'

/** The kind of session that requested a ticket: a person's own, a shared device that they unlocked, or an API key. */
type Via = { kind: 'own' } | { kind: 'device' | 'key'; id: number }

function viaOf({ actor, sharedDevice }: Ctx): string {
  if (sharedDevice) return `d${sharedDevice.shared_device_id}`
  return actor.kind === 'identity' && actor.apiKey ? `k${actor.apiKey.api_key_id}` : 'o0'
}

function readVia(text: string): Via {
  const id = Number(text.slice(1))
  return text.startsWith('d') ? { kind: 'device', id } : text.startsWith('k') ? { kind: 'key', id } : { kind: 'own' }
}

/** Rights as the digits of a number, a bit for each in the order of the contract. */
const writeRights = (has: ReadonlySet<Right>): string =>
  rightKeys.reduce((bits, rightKey, at) => (has.has(rightKey) ? bits | (1n << BigInt(at)) : bits), 0n).toString(16)

function readRights(hex: string): ReadonlySet<Right> {
  const bits = BigInt(`0x${hex}`)
  return new Set(rightKeys.filter((_, at) => (bits >> BigInt(at)) & 1n))
}

/** POST /admin/live_ticket (Z9). */
export function issueTicket(ctx: Ctx): { ticket: string; expires_at: string } {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  const until = Math.floor(ctx.now.getTime() / 1000) + LIVE_TICKET_SECONDS
  const { staff_id, rights } = ctx.staff
  const subject = [staff_id, until, viaOf(ctx), writeRights(rights), randomBytes(12).toString('hex')].join('-')
  return { ticket: ctx.studio.signer.sign(USE, subject), expires_at: new Date(until * 1000).toISOString() }
}

export interface Redeemed {
  uid: string
  staff: StaffPrincipal
  via: Via['kind']
}

/**
 * The staff member of a ticket, with their current rights, limited to those of the session that requested it. UNAUTHENTICATED for an
 * unknown, expired or used ticket, for a staff member who may no longer act, on a device that was locked, and for a key that was revoked.
 */
export async function redeemTicket(studio: Studio, ticket: string): Promise<Redeemed> {
  const now = studio.clock()
  const [staffText = '', end = '', through = '', rightsText = ''] = (studio.signer.read(USE, ticket) ?? '').split('-')
  const [staff_id, until, via] = [Number(staffText), Number(end), readVia(through)]
  if (!staff_id || !until || until * 1000 <= now.getTime()) throw refuse('UNAUTHENTICATED')
  const limit = { name: 'live-ticket', subject: ticket, max: 1, seconds: 2 * LIVE_TICKET_SECONDS }
  const isFirstUse = await studio.db.tx((tx) => countAttempt(tx, limit, now))
  const stillActs =
    via.kind === 'own' ||
    (via.kind === 'device'
      ? await isUnlockedBy(studio.db.read, { shared_device_id: via.id, staff_id, now })
      : await isKeyInUse(studio.db.read, { api_key_id: via.id, now }))
  const uid = isFirstUse && stillActs ? await findStaffUid(studio.db.read, staff_id) : null
  const staff = uid === null ? null : (await findPrincipals(studio.db.read, uid)).staff
  if (uid === null || staff?.staff_id !== staff_id) throw refuse('UNAUTHENTICATED')
  const had = readRights(rightsText)
  return { uid, staff: { ...staff, rights: new Set([...staff.rights].filter((right) => had.has(right))) }, via: via.kind }
}

interface Person {
  name: string
  /** When they last reported, plus PRESENCE_SECONDS; ms. */
  until: number
}

/** The people on each screen, in this process's memory; the processes inform each other (topic `presence`). */
export class Presence {
  readonly #screens = new Map<string, Map<number, Person>>()

  /** Records that a person opened or left a screen. True if the set of people on it changed. */
  record({ staff_id, name, link, here }: { staff_id: number; name: string; link: string; here: boolean }, now: Date): boolean {
    const screen = this.#screens.get(link) ?? new Map<number, Person>()
    const wasHere = screen.has(staff_id)
    if (here) screen.set(staff_id, { name, until: now.getTime() + PRESENCE_SECONDS * 1000 })
    else screen.delete(staff_id)
    if (screen.size > 0) this.#screens.set(link, screen)
    else this.#screens.delete(link)
    return wasHere !== here
  }

  /** Removes those who stopped reporting. Returns the screens whose people changed. */
  expire(now: Date): string[] {
    const changed: string[] = []
    for (const [link, screen] of this.#screens) {
      const expired = [...screen].filter(([, { until }]) => until <= now.getTime())
      for (const [staff_id] of expired) screen.delete(staff_id)
      if (expired.length > 0) changed.push(link)
      if (screen.size === 0) this.#screens.delete(link)
    }
    return changed
  }

  /** The names of the others on a screen, in alphabetical order. */
  namesOf(link: string, except: number): string[] {
    const others = [...(this.#screens.get(link) ?? [])].filter(([staff_id]) => staff_id !== except)
    return others.map(([, { name }]) => name).sort((first, other) => first.localeCompare(other, 'es-MX'))
  }

  /** The screens that a person has open. */
  linksOf(staff_id: number): string[] {
    return [...this.#screens].flatMap(([link, screen]) => (screen.has(staff_id) ? [link] : []))
  }

  /** Whether a person has a screen open. */
  has(link: string, staff_id: number): boolean {
    return this.#screens.get(link)?.has(staff_id) ?? false
  }
}

const presences = new WeakMap<Studio, Presence>()

/** The presence of a studio, in this process's memory. */
export function getPresence(studio: Studio): Presence {
  const known = presences.get(studio) ?? new Presence()
  presences.set(studio, known)
  return known
}

/** POST /admin/presence (Z12). */
export function reportPresence(ctx: Ctx, { link, here }: { link: string; here: boolean }): { names: string[] } {
  const { staff, studio } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  studio.events.publish([{ topic: 'presence', staff_id: staff.staff_id, name: staff.name, link, here }])
  return { names: here ? getPresence(studio).namesOf(link, staff.staff_id) : [] }
}
