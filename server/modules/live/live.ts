/** Live updates of the administration: tickets for the stream, and who is on which screen (docs/domain.md Z9 to Z12). */
import { randomBytes } from 'node:crypto'
import { refuse } from '#contract/errors.ts'
import { LIVE_TICKET_SECONDS, PRESENCE_SECONDS } from '#contract/live.ts'
import type { Ctx, StaffPrincipal, Studio } from '#server/modules/ctx.ts'
import { principal } from '#server/modules/people/people.ts'
import { takeTry } from '#server/platform/throttle.ts'
import { findStaffUid } from './store.ts'

/** What a link is signed for (server/platform/signing.ts). */
const USE = 'live'

/** POST /admin/live_ticket (Z9). */
export function issueTicket(ctx: Ctx): { ticket: string; expires_at: string } {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  const until = Math.floor(ctx.now.getTime() / 1000) + LIVE_TICKET_SECONDS
  const subject = `${ctx.staff.staff_id}-${until}-${randomBytes(12).toString('hex')}`
  return { ticket: ctx.studio.signer.sign(USE, subject), expires_at: new Date(until * 1000).toISOString() }
}

/**
 * The staff member of a ticket, with the rights they have now. UNAUTHENTICATED for a ticket that is not ours, has expired or was used, and
 * for a staff member who may no longer act.
 */
export async function redeemTicket(studio: Studio, ticket: string): Promise<{ uid: string; staff: StaffPrincipal }> {
  const now = studio.clock()
  const [staff_id, until] = (studio.signer.read(USE, ticket) ?? '').split('-').map(Number)
  if (!staff_id || !until || until * 1000 <= now.getTime()) throw refuse('UNAUTHENTICATED')
  const limit = { name: 'live-ticket', who: ticket, max: 1, seconds: 2 * LIVE_TICKET_SECONDS }
  const isFirstUse = await studio.db.tx((tx) => takeTry(tx, limit, now))
  const uid = isFirstUse ? await findStaffUid(studio.db.read, staff_id) : null
  const staff = uid === null ? null : (await principal(studio.db.read, uid)).staff
  if (uid === null || staff?.staff_id !== staff_id) throw refuse('UNAUTHENTICATED')
  return { uid, staff }
}

interface Person {
  name: string
  /** When they last reported, plus PRESENCE_SECONDS; ms. */
  until: number
}

/** Who is on which screen, in this process's memory; the processes inform each other (topic `presence`). */
export class Presence {
  readonly #screens = new Map<string, Map<number, Person>>()

  /** Records that somebody is on a screen, or left it. True if the people on it changed. */
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
      const gone = [...screen].filter(([, { until }]) => until <= now.getTime())
      for (const [staff_id] of gone) screen.delete(staff_id)
      if (gone.length > 0) changed.push(link)
      if (screen.size === 0) this.#screens.delete(link)
    }
    return changed
  }

  /** The names of the others on a screen, in alphabetical order. */
  namesOf(link: string, except: number): string[] {
    const others = [...(this.#screens.get(link) ?? [])].filter(([staff_id]) => staff_id !== except)
    return others.map(([, { name }]) => name).sort((one, other) => one.localeCompare(other, 'es-MX'))
  }

  /** The screens that somebody is on. */
  linksOf(staff_id: number): string[] {
    return [...this.#screens].flatMap(([link, screen]) => (screen.has(staff_id) ? [link] : []))
  }

  /** Whether somebody is on a screen. */
  has(link: string, staff_id: number): boolean {
    return this.#screens.get(link)?.has(staff_id) ?? false
  }
}

const presences = new WeakMap<Studio, Presence>()

/** The presence of a studio, as this process knows it. */
export function presenceOf(studio: Studio): Presence {
  const known = presences.get(studio) ?? new Presence()
  presences.set(studio, known)
  return known
}

/** POST /admin/presence (Z12). */
export function reportPresence(ctx: Ctx, { link, here }: { link: string; here: boolean }): { names: string[] } {
  const { staff, studio } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  studio.events.publish([{ topic: 'presence', staff_id: staff.staff_id, name: staff.name, link, here }])
  return { names: here ? presenceOf(studio).namesOf(link, staff.staff_id) : [] }
}
