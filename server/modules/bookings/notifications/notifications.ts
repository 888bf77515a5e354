/**
 * Notifications about classes and reservations. Each runs as a job after the commit, at least once; the messages module drops duplicates.
 */

import { instructorName } from '#contract/copy/instructor-names.ts'
import { messageVariables } from '#contract/copy/message-variables.ts'
import { spotInSentence } from '#contract/copy/names.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { offerPath, releaseOverlappingHolds } from '#server/modules/bookings/customer/waitlist.ts'
import { cancelPolicyText, hasHold } from '#server/modules/bookings/rules.ts'
import {
  claimReminders,
  findFree,
  findNotifiedReservations,
  listClosedWith,
  listCoachStaff,
  listConcerned,
  listLostWith,
  type NotifiedReservation,
} from '#server/modules/bookings/store/notification-store.ts'
import { findPenalty, findPenaltyRow } from '#server/modules/bookings/store/penalty-store.ts'
import { findEntry, findOpening, listOverlappingHolds, listWaitlist } from '#server/modules/bookings/store/waitlist-store.ts'
import { alternativesTo } from '#server/modules/bookings/studio/class-changes.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  enqueueMessages,
  mailAsSent,
  type OutgoingMessage,
  oneByOne,
  previewMail,
  type Relevance,
} from '#server/modules/messages/messages.ts'
import { spotsLeft } from '#server/modules/schedule/schedule.ts'
import type { TakenJob } from '#server/platform/job-types.ts'
import {
  type ClassTexts,
  cancelled,
  classCancelled,
  classChanged,
  classRestored,
  classTexts,
  confirmationEmail,
  confirmedAll,
  confirmedTexts,
  findClassTexts,
  findTextsOfClasses,
  forgiven,
  noShow,
  penalised,
  reminder,
  waitlistBookedEmail,
  waitlistOfferEmail,
  waitlistOpeningEmail,
  waitlistSkippedEmail,
} from './emails.ts'

const enqueue = async (ctx: Ctx, messages: readonly OutgoingMessage[]): Promise<void> => {
  if (messages.length) await ctx.tx((tx) => enqueueMessages(tx, ctx, messages))
}

/** The cancel policy, as notes below a message. */
const notes = (ctx: Ctx): string[] => {
  const { cancel, limit } = cancelPolicyText(ctx.settings)
  return [cancel, limit ?? ''].filter(Boolean)
}

interface LiveReservation {
  reservation: NotifiedReservation
  cls: ClassTexts
}

/** Active reservations with their class; those are left out that were cancelled, or whose class was cancelled or began. */
async function liveReservations(ctx: Ctx, ids: readonly number[]): Promise<LiveReservation[]> {
  const reservations = (await findNotifiedReservations(ctx.db, ids)).filter((reservation) => !reservation.deletedAt)
  const classes = await findTextsOfClasses(
    ctx,
    reservations.map((reservation) => reservation.single_class_id),
  )
  return reservations.flatMap((reservation) => {
    const cls = classes.get(reservation.single_class_id)
    return cls && !cls.facts.cancelled && cls.facts.starts_at > ctx.now ? [{ reservation, cls }] : []
  })
}

/** The HTML of a confirmation with samples for the person and the class, in the brand and the words of the studio (G10). */
export async function sampleConfirmation(ctx: Ctx): Promise<string> {
  const { nombre, clase, cuando, estudio } = messageVariables
  const cls = {
    type: clase.sample,
    when: cuando.sample,
    location: estudio.sample,
    line: `${clase.sample}, ${cuando.sample}.`,
    where: `${estudio.sample}.`,
  }
  const texts = confirmedTexts(cls, [], notes(ctx))(nombre.sample)
  return (await mailAsSent(ctx, { event: 'reservation_confirmed', name: nombre.sample, texts })).html
}

type ReservationJob = TakenJob<{ class_reservation_id: number }>
const idsOf = (jobs: readonly ReservationJob[]) => jobs.map(({ data }) => data.class_reservation_id)

/** Confirms reservations, except those that were cancelled meanwhile. Releases the customers' holds in overlapping classes (W10). */
export async function notifyConfirmed(ctx: Ctx, jobs: readonly ReservationJob[]): Promise<void> {
  const living = await liveReservations(ctx, idsOf(jobs))
  const below = notes(ctx)
  await enqueue(
    ctx,
    living.map(({ cls, reservation }) => confirmationEmail(cls, reservation, below)),
  )
  await untangle(ctx, living)
}

async function untangle(ctx: Ctx, living: readonly LiveReservation[]): Promise<void> {
  if (!ctx.settings.waitlist_enabled || living.length === 0) return
  const booked = living.map(({ reservation, cls }) => ({ ...cls.facts, customer_id: reservation.customer_id }))
  await releaseOverlappingHolds(ctx, await listOverlappingHolds(ctx.db, booked))
}

export async function notifyRepeated(ctx: Ctx, { class_reservation_ids }: { class_reservation_ids: number[] }): Promise<void> {
  const living = await liveReservations(ctx, class_reservation_ids)
  const coming = living.map(({ cls }) => cls).sort((a, b) => a.facts.starts_at.getTime() - b.facts.starts_at.getTime())
  const message = confirmedAll(coming, living[0]?.reservation.customer_id ?? 0, class_reservation_ids, notes(ctx))
  if (message) await enqueue(ctx, [message])
  await untangle(ctx, living)
}

export async function notifyCancelled(ctx: Ctx, input: { class_reservation_id: number; credit: string }): Promise<void> {
  const [reservation] = await findNotifiedReservations(ctx.db, [input.class_reservation_id])
  const cls = reservation && (await findClassTexts(ctx, reservation.single_class_id))
  if (reservation && cls) await enqueue(ctx, [cancelled(cls, reservation, input.credit)])
}

/** Reminds customers of their next class, once each; in batches, queued in the transaction that marks them as reminded. */
export async function remind(ctx: Ctx): Promise<void> {
  const BATCH = 100
  for (let round = 0; round < 50; round++) {
    const claimed = await ctx.tx(async (tx) => {
      const ids = await claimReminders(tx, ctx.now, ctx.settings.reminder_hours, BATCH)
      if (ids.length) await tx.send({ name: 'reminders', data: { class_reservation_ids: ids } })
      return ids.length
    })
    if (claimed < BATCH) return
  }
}

export async function sendReminders(ctx: Ctx, { class_reservation_ids }: { class_reservation_ids: number[] }): Promise<void> {
  const below = notes(ctx)
  const living = await liveReservations(ctx, class_reservation_ids)
  await enqueue(
    ctx,
    living.map(({ cls, reservation }) => reminder(cls, reservation, below)),
  )
}

export async function notifyClassCancelled(ctx: Ctx, input: { single_class_id: number; at: string }): Promise<void> {
  const { single_class_id, at } = input
  const cls = await findClassTexts(ctx, single_class_id)
  if (!cls?.facts.cancelled) return
  const when = new Date(at)
  const [lost, waiting, coaches] = await Promise.all([
    listLostWith(ctx.db, single_class_id, when),
    listClosedWith(ctx.db, single_class_id, when),
    listCoachStaff(ctx.db, single_class_id),
  ])
  const others = await alternativesTo(ctx, cls.facts, [...lost.map(({ customer_id }) => customer_id), ...waiting])
  const about = (customer_id: number | null) => ({ at, reason: cls.facts.cancel_reason, others: others(customer_id).map(classTexts) })
  const day = (back: Date | null) => back && formatInstant(back, ctx.zone, 'date')
  await enqueue(ctx, [
    ...lost.map(({ customer_id, back }) =>
      classCancelled(cls, { customer_id }, { ...about(customer_id), part: 'booked', back: day(back) }),
    ),
    ...waiting.map((customer_id) => classCancelled(cls, { customer_id }, { ...about(customer_id), part: 'waiting', back: null })),
    ...coaches.map((staff_id) => classCancelled(cls, { staff_id }, { ...about(null), part: 'staff', back: null })),
  ])
}

/**
 * The message about a cancelled class, for a customer with a reservation in it. `back`: until when the returned credit is valid; `without`:
 * what is cancelled along with it.
 */
export async function previewClassCancelled(
  ctx: Ctx,
  { single_class_id, customer_id, back, reason }: { single_class_id: number; customer_id: number; back: Date | null; reason: string },
  without: ReadonlySet<number>,
) {
  const cls = await findClassTexts(ctx, single_class_id)
  if (!cls) return null
  const others = await alternativesTo(ctx, cls.facts, [customer_id], without)
  const at = ctx.now.toISOString()
  const input = { at, reason, part: 'booked' as const, back: back && formatInstant(back, ctx.zone, 'date') }
  return previewMail(ctx, classCancelled(cls, { customer_id }, { ...input, others: others(customer_id).map(classTexts) }))
}

export async function notifyClassRestored(
  ctx: Ctx,
  input: { single_class_id: number; at: string; back: number[]; lost: number[] },
): Promise<void> {
  const cls = await findClassTexts(ctx, input.single_class_id)
  if (!cls || cls.facts.cancelled) return
  const { at, back, lost } = input
  const [{ waiting }, coaches] = await Promise.all([
    listConcerned(ctx.db, input.single_class_id),
    listCoachStaff(ctx.db, input.single_class_id),
  ])
  const notified = new Set([...back, ...lost])
  await enqueue(ctx, [
    ...back.map((customer_id) => classRestored(cls, { customer_id }, { at, part: 'booked' })),
    ...lost.map((customer_id) => classRestored(cls, { customer_id }, { at, part: 'lost' })),
    ...waiting.filter((id) => !notified.has(id)).map((customer_id) => classRestored(cls, { customer_id }, { at, part: 'waiting' })),
    ...coaches.map((staff_id) => classRestored(cls, { staff_id }, { at, part: 'staff' })),
  ])
}

interface ChangeInput {
  single_class_id: number
  at: string
  before: { starts_at: string; wall: string; location_id: number; coaches: number[] }
  moved: boolean
  coaches: boolean
}

export async function notifyClassChanged(ctx: Ctx, input: ChangeInput): Promise<void> {
  const cls = await findClassTexts(ctx, input.single_class_id)
  if (!cls || cls.facts.cancelled || cls.facts.starts_at <= ctx.now) return
  const { booked, waiting } = await listConcerned(ctx.db, input.single_class_id)
  const coaches = await listCoachStaff(ctx.db, input.single_class_id, input.before.coaches)
  const before = new Date(input.before.starts_at)
  const names = cls.facts.shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y ')
  const changes = [
    before.getTime() === cls.facts.starts_at.getTime() ? '' : `Nueva hora: ${cls.when}.`,
    input.before.location_id === cls.facts.location_id ? '' : `Nuevo lugar: ${cls.location}.`,
    input.coaches && names ? `Ahora da la clase ${names}.` : '',
  ].filter(Boolean)
  const was = `${cls.type}, ${formatWall(input.before.wall, 'class')}.`
  const about = { at: input.at, before: was, changes }
  await enqueue(ctx, [
    ...booked.map(({ customer_id, createdAt }) =>
      classChanged(cls, { customer_id }, { ...about, free: input.moved && createdAt < new Date(input.at) }),
    ),
    ...waiting.map((customer_id) => classChanged(cls, { customer_id }, { ...about, free: false })),
    ...coaches.map((staff_id) => classChanged(cls, { staff_id }, { ...about, free: false })),
  ])
}

/** Notifies customers whose spot changed with the room's map (L19); not of classes that were cancelled or began. */
export async function notifySpotsMoved(ctx: Ctx, input: SpotsMoved): Promise<void> {
  const cls = await findClassTexts(ctx, input.single_class_id)
  if (!cls || cls.facts.cancelled || cls.facts.starts_at <= ctx.now) return
  const before = cls.facts.wall
  await enqueue(
    ctx,
    input.moves.map(({ customer_id, spots }) => {
      const changes = spots.map(({ from, from_name, to }) => {
        const [now, then] = [spotInSentence(to, cls.facts.seats?.labels.get(to)), from_name ?? spotInSentence(from)]
        return `Tu lugar cambió: ahora es ${now} (antes ${then}).`
      })
      const was = `${cls.type}, ${formatWall(before, 'class')}.`
      return classChanged(cls, { customer_id }, { at: `${input.at}:spot`, before: was, changes, free: false })
    }),
  )
}

interface SpotsMoved {
  single_class_id: number
  at: string
  moves: { customer_id: number; spots: { from: string; from_name?: string | undefined; to: string }[] }[]
}

/** Notifies a whole waitlist of free spots (W6), unless they are taken again by then. */
export async function notifyWaitlistOpening(ctx: Ctx, { opening }: { opening: number }): Promise<void> {
  const found = await findOpening(ctx.db, opening)
  const cls = found && (await findClassTexts(ctx, found.single_class_id))
  if (!found || !cls || (await whyNoOpening(ctx, opening))) return
  const entries = await listWaitlist(ctx.db, found.single_class_id)
  await enqueue(
    ctx,
    entries.filter((entry) => entry.status === 'waiting').map((entry) => waitlistOpeningEmail(cls, entry.customer_id, opening)),
  )
}

export async function notifyOffer(ctx: Ctx, input: { waitlist_id: number; offers: number }): Promise<void> {
  const entry = await findEntry(ctx.db, input.waitlist_id)
  if (!entry?.offer_until || entry.offers !== input.offers || !hasHold(entry, ctx.now)) return
  const cls = await findClassTexts(ctx, entry.single_class_id)
  const { offer_until } = entry
  if (cls) await enqueue(ctx, [waitlistOfferEmail(cls, { ...entry, offer_until }, offerPath(ctx, entry))])
}

export async function notifyWaitlistBooked(ctx: Ctx, jobs: readonly ReservationJob[]): Promise<void> {
  const living = await liveReservations(ctx, idsOf(jobs))
  const below = notes(ctx)
  await enqueue(
    ctx,
    living.map(({ cls, reservation }) => waitlistBookedEmail(cls, reservation, below)),
  )
  await untangle(ctx, living)
}

export async function notifySkipped(ctx: Ctx, input: { waitlist_id: number; code: string }): Promise<void> {
  const entry = await findEntry(ctx.db, input.waitlist_id)
  const cls = entry && (await findClassTexts(ctx, entry.single_class_id))
  if (entry?.status === 'waiting' && entry.skip_code === input.code && cls)
    await enqueue(ctx, [waitlistSkippedEmail(cls, entry, input.code, ctx.settings)])
}

export async function notifyNoShow(ctx: Ctx, input: { class_reservation_id: number; count: number; max: number }): Promise<void> {
  const [reservation] = await findNotifiedReservations(ctx.db, [input.class_reservation_id])
  const cls = reservation && (await findClassTexts(ctx, reservation.single_class_id))
  if (reservation && cls) await enqueue(ctx, [noShow(cls, reservation, input.count, input.max)])
}

export async function notifyPenalty(ctx: Ctx, input: { class_reservation_penalty_id: number }): Promise<void> {
  const row = await findPenaltyRow(ctx.db, input.class_reservation_penalty_id)
  if (row && row.forgivenAt === null) await enqueue(ctx, [penalised(row, ctx.zone)])
}

export async function notifyPenaltyForgiven(ctx: Ctx, input: { class_reservation_penalty_id: number }): Promise<void> {
  const row = await findPenaltyRow(ctx.db, input.class_reservation_penalty_id)
  if (row?.forgivenAt) await enqueue(ctx, [forgiven(row)])
}

const numberIn = (about: string, part: number) => Number(about.split(':')[part] ?? 0)

/** A message about the reservations of a weekly repeat names several and is not checked. */
async function whyNotReserved(ctx: Ctx, messages: readonly { about: string }[]): Promise<(string | null)[]> {
  const checked = messages.filter(({ about }) => !about.includes('+')).map(({ about }) => numberIn(about, 1))
  const living = new Set((await liveReservations(ctx, checked)).map(({ reservation }) => reservation.class_reservation_id))
  return messages.map(({ about }) => (about.includes('+') || living.has(numberIn(about, 1)) ? null : 'the place was given up'))
}

async function whyNoOpening(ctx: Ctx, opening: number): Promise<string | null> {
  const found = await findOpening(ctx.db, opening)
  const free = found && (await findFree(ctx.db, found.single_class_id))
  return free && spotsLeft(free) > 0 && free.starts_at > ctx.now ? null : 'the places are gone'
}

async function whyCancelled(ctx: Ctx, about: string, wanted: boolean): Promise<string | null> {
  const cls = await findClassTexts(ctx, numberIn(about, 1))
  return cls && cls.facts.cancelled === wanted ? null : 'it is not so any more'
}

/** Checks, right before sending, whether a message about a class or reservation is still relevant. */
export const bookingRelevance: Relevance = {
  reservation_confirmed: whyNotReserved,
  reservation_reminder: whyNotReserved,
  waitlist_booked: whyNotReserved,
  waitlist_open: oneByOne((ctx, { about }) => whyNoOpening(ctx, numberIn(about, 1))),
  waitlist_offer: oneByOne(async (ctx, { about }) => {
    const entry = await findEntry(ctx.db, numberIn(about, 1))
    return entry && entry.offers === numberIn(about, 2) && hasHold(entry, ctx.now) ? null : 'the place is not held any more'
  }),
  class_cancelled: oneByOne((ctx, { about }) => whyCancelled(ctx, about, true)),
  class_restored: oneByOne((ctx, { about }) => whyCancelled(ctx, about, false)),
  class_changed: oneByOne((ctx, { about }) => whyCancelled(ctx, about, false)),
  penalty: oneByOne(async (ctx, { customer_id }) =>
    customer_id !== null && (await findPenalty(ctx.db, ctx, customer_id)) ? null : 'the penalty ended',
  ),
}
