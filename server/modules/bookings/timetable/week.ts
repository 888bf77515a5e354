/** The calendar for one viewer: the shared timetable combined with the viewer's facts (docs/domain.md, "Calendar"). */
import { Refusal, refuse } from '#contract/errors.ts'
import type { ClassDetail, SingleClass } from '#contract/schedule.ts'
import { addDays, type LocalDate, wallClock } from '#contract/time.ts'
import { cancellingFrom, viewerState } from '#server/modules/bookings/rules.ts'
import { countCancels } from '#server/modules/bookings/store/credit-history-store.ts'
import { countPaymentHolds } from '#server/modules/bookings/store/payment-hold-store.ts'
import { findPenalty } from '#server/modules/bookings/store/penalty-store.ts'
import { listReservationsAround } from '#server/modules/bookings/store/store.ts'
import { listWaits } from '#server/modules/bookings/store/waitlist-store.ts'
import { previewGuestSpend, previewSpends, spendableCreditLots } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type Days, requestedDays } from '#server/modules/schedule/schedule.ts'
import { type Reader, together } from '#server/platform/db.ts'
import { loadClassFigures } from './class-figures.ts'
import { type ClassFacts, timetable } from './timetable.ts'
import { type ForViewer, writeClass, writeDays } from './week-text.ts'

export interface WeekInput {
  start_date?: string | undefined
  end_date?: string | undefined
  instructor_id?: number | undefined
  location_id?: number | undefined
  class_type_id?: number | undefined
}

/** What a viewer's calendar is made of. INVALID_INPUT for an invalid range. */
async function loadWeek(ctx: Ctx, input: WeekInput) {
  const days = requestedDays(input, ctx.now, ctx.zone)
  if (days instanceof Refusal) throw days
  const { classes: all, closed } = await timetable(ctx.studio).week(days, input.location_id)
  const found = all.filter(
    (cls) =>
      (input.location_id === undefined || cls.location_id === input.location_id) &&
      (input.class_type_id === undefined || cls.class_type_id === input.class_type_id) &&
      (input.instructor_id === undefined || cls.coach_ids.includes(input.instructor_id)),
  )
  const [{ me, heldSpots }, figures] = await Promise.all([loadViewer(ctx, found), loadClassFigures(ctx, found)])
  const classes = found.map((cls) => withOwnHold(cls, heldSpots))
  /** The part of a class that depends on the viewer and the time. */
  const forViewer = (cls: ClassFacts): ForViewer => ({
    ...viewerState(cls, me, ctx.settings, ctx.now, ctx.zone),
    figures: figures.get(cls.single_class_id),
  })
  return { days, classes, closed, forViewer }
}

/** Classes by day, including empty days (H1-H3). INVALID_INPUT for an invalid range. */
export async function week(ctx: Ctx, input: WeekInput) {
  const { days, classes, closed, forViewer } = await loadWeek(ctx, input)
  return {
    days: byDay(days, classes).map(([date, ofDay]) => ({
      date,
      classes: ofDay.map((cls): SingleClass => ({ ...cls.shown, ...forViewer(cls) })),
      ...(closed.has(date) ? { closed: closed.get(date) } : {}),
    })),
    start_date: days.start,
    end_date: days.end,
    today: days.today,
  }
}

/** The same as the text of its answer, put together from the texts of the classes' facts, which are made and validated once. */
export async function writeWeek(ctx: Ctx, input: WeekInput): Promise<string> {
  const { days, classes, closed, forViewer } = await loadWeek(ctx, input)
  const written = byDay(days, classes).map(([date, ofDay]) => ({
    date,
    classes: ofDay.map((cls) => writeClass(cls.shown, forViewer(cls))),
    closed: closed.get(date),
  }))
  return writeDays(written, { start_date: days.start, end_date: days.end, today: days.today })
}

function byDay(days: Days, classes: readonly ClassFacts[]): [LocalDate, ClassFacts[]][] {
  const found = new Map<LocalDate, ClassFacts[]>()
  for (let date = days.start; date <= days.end; date = addDays(date, 1)) found.set(date, [])
  for (const cls of classes) found.get(cls.date)?.push(cls)
  return [...found]
}

/** The classes of some days in the order of their hours, as the calendar shows them to this person. */
export async function classesBetween(ctx: Ctx, input: WeekInput): Promise<SingleClass[]> {
  return (await week(ctx, input)).days.flatMap((day) => day.classes)
}

/**
 * One class with the data of the reserve dialog: matching credit lots and what each would pay, and the cancellation policy (H6).
 * CLASS_NOT_FOUND.
 */
export async function oneClass(ctx: Ctx, input: { single_class_id: number }): Promise<{ single_class: ClassDetail }> {
  const [found] = await timetable(ctx.studio).byId([input.single_class_id])
  if (!found) throw refuse('CLASS_NOT_FOUND')
  const [{ me, heldSpots }, figures] = await Promise.all([loadViewer(ctx, [found]), loadClassFigures(ctx, [found])])
  const cls = withOwnHold(found, heldSpots)
  const cancelling = cancellingFrom(cls, ctx.settings, ctx.now)
  const mine = me?.reservations.find((reservation) => reservation.single_class_id === cls.single_class_id)
  return {
    single_class: {
      ...cls.shown,
      ...viewerState(cls, me, ctx.settings, ctx.now, ctx.zone),
      seats: cls.seats && [...cls.seats.marks],
      credits: me ? previewSpends(ctx, me.creditLots, cls) : [],
      guest_spend: mine
        ? await previewGuestSpend(ctx, { customer_id: ctx.customer.customer_id, cls, hostCreditLot: mine.available_class_id })
        : null,
      free_cancel_until: cancelling.until && wallClock(cancelling.until, cls.zone).toISOString(),
      policy: cancelling.policy,
      figures: figures.get(cls.single_class_id),
    },
  }
}

/** What concerns the signed-in customer among the given classes; nothing for a visitor. */
async function loadViewer(ctx: Ctx, classes: readonly ClassFacts[]) {
  const me = ctx.customerOrNull
  if (!me) return { me: null, heldSpots: new Map<number, number>() }
  return await ctx.studio.db.readOnOneConnection(async (on) => {
    const [facts, heldSpots] = await together([
      loadViewerFacts(on, ctx, me.customer_id, classes),
      // The places held for them while a purchase is paid, by class.
      ctx.settings.hold_while_paying > 0 ? countPaymentHolds(on, me.customer_id, ctx.now) : new Map<number, number>(),
    ])
    return { me: facts, heldSpots }
  })
}

/** Reservations, credit lots and cancellations of a customer around the given classes. */
async function loadViewerFacts(on: Reader, ctx: Ctx, customer_id: number, classes: readonly ClassFacts[]) {
  const from = new Date(Math.min(...classes.map((cls) => cls.starts_at.getTime())))
  const to = new Date(Math.max(...classes.map((cls) => cls.ends_at.getTime())))
  const [reservations, creditLots, waits, penalty] = await together([
    classes.length ? listReservationsAround(on, customer_id, from, to) : [],
    spendableCreditLots(on, ctx, customer_id),
    ctx.settings.waitlist_enabled ? listWaits(on, customer_id) : [],
    findPenalty(on, ctx, customer_id),
  ])
  const paidBy = [...new Set(reservations.flatMap((reservation) => reservation.available_class_id ?? []))]
  const cancels = ctx.settings.max_cancels_per_available_class === null ? new Map<number, number>() : await countCancels(on, paidBy)
  return { reservations, creditLots, cancels, waits, penalty }
}

/** The class as its holder sees it: the places held for them are free (W12). */
function withOwnHold(cls: ClassFacts, heldSpots: ReadonlyMap<number, number>): ClassFacts {
  const own = heldSpots.get(cls.single_class_id)
  if (own === undefined) return cls
  const places_left = cls.places_left + own
  return { ...cls, places_left, shown: { ...cls.shown, taken: cls.shown.taken - own, places_left } }
}
