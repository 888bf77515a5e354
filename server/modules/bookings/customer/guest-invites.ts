/** “Ven conmigo”: a place held for a guest for an hour, and the link that takes it (docs/domain.md R29 to R31). */
import { instructorName } from '#contract/copy/instructor-names.ts'
import { refuse } from '#contract/errors.ts'
import type { GuestInviteView } from '#contract/guest-invites.ts'
import { messagePaths } from '#contract/paths.ts'
import { allSpots } from '#contract/spots.ts'
import { wallClock } from '#contract/time.ts'
import { factsForGuest, whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import { closesAt, whyNotOpen, whyNotRoom } from '#server/modules/bookings/rules.ts'
import { bringGuest, whyNotBring } from '#server/modules/bookings/spots/guest-spots.ts'
import { loadPersonFacts } from '#server/modules/bookings/spots/person-guards.ts'
import { lockReservation } from '#server/modules/bookings/spots/reserving.ts'
import { endLapsed, notifyOthers } from '#server/modules/bookings/spots/waitlist-offers.ts'
import {
  countInviteHolds,
  countInvites,
  endInvite,
  findActiveInvite,
  findInvite,
  insertInvite,
} from '#server/modules/bookings/store/guest-invite-store.ts'
import { findReservation, listTakenSpots } from '#server/modules/bookings/store/store.ts'
import { timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { previewGuestSpend } from '#server/modules/credits/credits.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { type LockedClass, seatLabelsOf } from '#server/modules/schedule/schedule.ts'

type Invite = NonNullable<Awaited<ReturnType<typeof findInvite>>>

/** What its links are signed for. */
const USE = 'guest-invite'
const HOLD_MS = 3_600_000
/** Maximum number of invitations per reservation: repeated sharing cannot block a spot. */
const MOST_INVITES = 3
/** How many places one customer holds for guests at the same time, in all of their classes. */
export const MOST_HOLDS = 3

/** POST /class_reservations/{class_reservation_id}/invitation. */
export async function createInvite(ctx: Ctx, input: { class_reservation_id: number }): Promise<{ url: string; until_wall: string }> {
  const { customer_id } = ctx.customer
  if (!ctx.settings.allow_class_guests) throw refuse('GUESTS_NOT_ALLOWED')
  const seen = await findReservation(ctx.db, input.class_reservation_id, customer_id)
  const [facts] = seen ? await timetable(ctx.studio).byId([seen.single_class_id]) : []
  if (!seen || !facts) throw refuse('RESERVATION_NOT_FOUND')
  // An invitation to a spot that could not be paid at acceptance is refused now.
  const isPayable = await previewGuestSpend(ctx, { customer_id, cls: facts, hostCreditLot: seen.available_class_id })
  if (!seen.deletedAt && !isPayable) throw refuse('NO_CREDITS')
  const { invite, zone } = await ctx.tx(async (tx) => {
    const locked = await lockReservation(tx, ctx, { ...input, customer_id })
    const { place } = locked
    if (place.guest_id !== null) throw refuse('GUEST_ALREADY_NAMED')
    const cls = await endLapsed(tx, ctx, locked.cls)
    const known = await findActiveInvite(tx, place.class_reservation_id)
    if (known) return { invite: known, zone: cls.zone }
    const person = factsForGuest(await loadPersonFacts(tx, ctx, cls, customer_id))
    const no = whyNotOpen(cls, ctx.settings, ctx.now) ?? whyNotRoom(cls, 1) ?? whyNotPerson(person, cls, ctx.zone)
    if (no) throw no
    if ((await countInvites(tx, place.class_reservation_id)) >= MOST_INVITES) throw refuse('GUEST_INVITE_LIMIT')
    // The customer is locked, so that two of their reservations cannot both take the last one.
    if ((await countInviteHolds(tx, customer_id, ctx.now)) >= MOST_HOLDS) throw refuse('GUEST_INVITES_OPEN', { max: MOST_HOLDS })
    const until = new Date(ctx.now.getTime() + HOLD_MS)
    const closes = closesAt(cls, ctx.settings)
    const { class_reservation_id } = place
    const { single_class_id } = cls
    const hold_until = until < closes ? until : closes
    notifyOthers(tx, cls)
    return { invite: await insertInvite(tx, { class_reservation_id, single_class_id, hold_until, createdAt: ctx.now }), zone: cls.zone }
  })
  const token = ctx.studio.signer.sign(USE, String(invite.guest_invite_id))
  return {
    url: `${ctx.studio.publicUrl}${messagePaths.guestInvite(token)}`,
    until_wall: wallClock(invite.hold_until, zone).toISOString(),
  }
}

/** Tokens cannot be guessed; this only limits the load from one address. */
const slowDown = (ctx: Ctx) => ctx.throttle({ name: 'guest-invite', subject: ctx.ip, max: 600, seconds: 60 })

/** GUEST_INVITE_INVALID when the signature is wrong. */
async function inviteOf(ctx: Ctx, token: string): Promise<Invite> {
  const id = Number(ctx.studio.signer.read(USE, token))
  const invite = id ? await findInvite(ctx.db, id) : null
  if (!invite) throw refuse('GUEST_INVITE_INVALID')
  return invite
}

/** GET /invitations/{token}. Reading changes nothing: link scanners of mail programs open it too. */
export async function oneInvite(ctx: Ctx, { token }: { token: string }): Promise<{ invitation: GuestInviteView }> {
  await slowDown(ctx)
  return { invitation: await shown(ctx, await inviteOf(ctx, token)) }
}

async function shown(ctx: Ctx, invite: Invite): Promise<GuestInviteView> {
  const [cls] = await timetable(ctx.studio).byId([invite.single_class_id])
  if (!cls) throw refuse('GUEST_INVITE_INVALID')
  const host = await customerById(ctx.db, invite.customer_id)
  const reservation = await findReservation(ctx.db, invite.class_reservation_id, invite.customer_id)
  const holdsSpot = invite.releasedAt === null && invite.hold_until > ctx.now && !reservation?.deletedAt && reservation?.guest === null
  const isOpen = holdsSpot && whyNotOpen(cls, ctx.settings, ctx.now) === null
  const isTaken = invite.acceptedAt !== null && !reservation?.deletedAt && reservation?.guest != null
  return {
    state: isOpen ? 'open' : isTaken ? 'taken' : 'gone',
    host: host.name,
    guest: isTaken ? reservation.guest : null,
    guest_spot: isTaken ? reservation.guest_spot : null,
    ...(isTaken ? seatLabelsOf(cls.seats, { spot: null, guest_spot: reservation.guest_spot }) : {}),
    class_type: cls.shown.class_type.name,
    class_date: cls.shown.class_date,
    location: cls.shown.location.name,
    coaches: cls.shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y '),
    until_wall: isOpen ? wallClock(invite.hold_until, cls.zone).toISOString() : null,
  }
}

/** POST /invitations/{token}. Once: of several at the same time one gets the place. When the rules of booking refuse, it stays held. */
export async function acceptInvite(ctx: Ctx, { token, name }: { token: string; name: string }): Promise<{ invitation: GuestInviteView }> {
  await slowDown(ctx)
  const { guest_invite_id, class_reservation_id, customer_id } = await inviteOf(ctx, token)
  const by = new Ctx(ctx.studio, { actor: { kind: 'system', job: 'guest-invite' }, requestId: ctx.requestId })
  await by.tx(async (tx) => {
    const { cls: locked, place } = await lockReservation(tx, by, { class_reservation_id, customer_id }).catch((error: unknown) => {
      throw isEnded(error) ? refuse('GUEST_INVITE_GONE') : error
    })
    const invite = await findInvite(tx, guest_invite_id)
    if (!invite || invite.releasedAt !== null || invite.hold_until <= by.now || place.guest_id !== null) throw refuse('GUEST_INVITE_GONE')
    await endInvite(tx, class_reservation_id, by.now, true)
    // Without the place that was held.
    const cls = { ...locked, held: locked.held - 1, places_left: locked.places_left + 1 }
    const guest_spot = cls.spot_map === null ? undefined : seatFor(cls, place.spot, await listTakenSpots(tx, cls.single_class_id))
    const input = { guest: name, ...(guest_spot ? { guest_spot } : {}) }
    const no = whyNotBring(by, cls, input, place.spot)
    if (no) throw no
    await bringGuest(tx, by, cls, { ...place, customer_id }, input)
    notifyOthers(tx, cls)
  })
  return { invitation: await shown(ctx, await inviteOf(ctx, token)) }
}

const isEnded = (error: unknown): boolean =>
  ['RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED'].includes((error as { code?: string }).code ?? '')

/** The free seat beside the host's, or the first one. */
function seatFor(
  cls: Pick<LockedClass, 'spot_map' | 'closed_spots'>,
  mine: string | null,
  takenSpots: readonly string[],
): string | undefined {
  const free = allSpots(cls.spot_map).filter((spot) => !takenSpots.includes(spot) && !cls.closed_spots.includes(spot))
  const [row, column] = (mine ?? '').split('-').map(Number)
  return [1, -1].map((step) => `${row}-${(column ?? 0) + step}`).find((spot) => free.includes(spot)) ?? free[0]
}
