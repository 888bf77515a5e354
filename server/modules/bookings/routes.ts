import { api } from '#server/modules/api.ts'
import { createClasses } from '#server/modules/schedule/schedule.ts'
import { cancelReservation, changeReservation, moveReservation, nameGuest, rate, removeGuest, saveReservation } from './bookings.ts'
import { calendarFeed, calendarLinks, renewFeed } from './calendar.ts'
import { classAgain } from './customer/again.ts'
import { acceptInvite, createInvite, oneInvite } from './customer/guest-invites.ts'
import { listReservations, myMovements, oneReservation } from './customer/my-reservations.ts'
import { repeatWeekly, repeatWeeklyFor } from './customer/repeats.ts'
import {
  answerOffer,
  changeEntry,
  getOffer,
  getWaitlistEntry,
  getWaitlistOfClass,
  leaveWaitlist,
  listMyWaitlists,
  prioritise,
  saveEntry,
} from './customer/waitlist.ts'
import { joinWaitlistFor, leaveWaitlistFor, promoteFromWaitlist } from './customer/waitlist-desk.ts'
import { cancelFor, getRosterReservation, healthOfReservation, markPaid, reserveFor, roster } from './studio/attendance.ts'
import { checkIn } from './studio/checkin.ts'
import { alternatives, cancelClass, eraseClass, restoreClass, updateClass } from './studio/class-changes.ts'
import { getClassHistory } from './studio/class-history.ts'
import { checkInAtKiosk } from './studio/kiosk.ts'
import { listMyClasses } from './studio/my-classes.ts'
import { changePenalty, forgivePenalty, onePenalty, penalizeByHand, penaltyList } from './studio/penalties.ts'
import { exportReservations, listStudioReservations } from './studio/reservation-list.ts'
import { changeReservationFor, moveReservationFor, removeGuestFor } from './studio/roster-changes.ts'
import { closeRosterByHand, markAttendance, markMany } from './studio/roster-marks.ts'
import { testRules } from './studio/rule-test.ts'
import { publicRating } from './timetable/public-ratings.ts'
import { oneClass, week, writeWeek } from './timetable/week.ts'
import { myWalletPass } from './wallet-passes.ts'

export const scheduleRoutes = {
  week: api.schedule.week.handler(async ({ context, input }) => {
    if (!context.answerWith) return week(context.ctx, input)
    context.answerWith(await writeWeek(context.ctx, input))
    // A valid answer for the framework: the text is sent in its place.
    return { days: [], start_date: '', end_date: '', today: '' }
  }),
  one: api.schedule.one.handler(({ context, input }) => oneClass(context.ctx, input)),
  create: api.schedule.create.handler(({ context, input }) => createClasses(context.ctx, input)),
  update: api.schedule.update.handler(({ context, input }) => updateClass(context.ctx, input)),
  cancel: api.schedule.cancel.handler(({ context, input }) => cancelClass(context.ctx, input)),
  erase: api.schedule.erase.handler(({ context, input }) => eraseClass(context.ctx, input)),
  restore: api.schedule.restore.handler(({ context, input }) => restoreClass(context.ctx, input)),
}

export const bookingsRoutes = {
  ratings: api.bookings.ratings.handler(({ context, input }) => publicRating(context.ctx, input)),
  list: api.bookings.list.handler(({ context, input }) => listReservations(context.ctx, input)),
  one: api.bookings.one.handler(({ context, input }) => oneReservation(context.ctx, input)),
  reserve: api.bookings.reserve.handler(({ context, input }) => saveReservation(context.ctx, input)),
  update: api.bookings.update.handler(({ context, input }) => changeReservation(context.ctx, input)),
  cancel: api.bookings.cancel.handler(({ context, input }) => cancelReservation(context.ctx, input)),
  guest: api.bookings.guest.handler(({ context, input }) => nameGuest(context.ctx, input)),
  removeGuest: api.bookings.removeGuest.handler(({ context, input }) => removeGuest(context.ctx, input)),
  rate: api.bookings.rate.handler(({ context, input }) => rate(context.ctx, input)),
  move: api.bookings.move.handler(({ context, input }) => moveReservation(context.ctx, input)),
  again: api.bookings.again.handler(({ context }) => classAgain(context.ctx)),
  repeat: api.bookings.repeat.handler(({ context, input }) => repeatWeekly(context.ctx, input)),
  alternatives: api.bookings.alternatives.handler(({ context, input }) => alternatives(context.ctx, input)),
  calendarLinks: api.bookings.calendarLinks.handler(({ context, input }) => calendarLinks(context.ctx, input)),
  feed: api.bookings.feed.handler(({ context }) => calendarFeed(context.ctx)),
  renewFeed: api.bookings.renewFeed.handler(({ context }) => renewFeed(context.ctx)),
}

export const walletPassRoutes = {
  mine: api.walletPasses.mine.handler(({ context, input }) => myWalletPass(context.ctx, input)),
}

/** Ledger movements of reservations, for the history page of the credits. */
export const movementRoutes = {
  movements: api.credits.movements.handler(({ context, input }) => myMovements(context.ctx, input)),
}

export const waitlistRoutes = {
  list: api.waitlist.list.handler(({ context }) => listMyWaitlists(context.ctx)),
  one: api.waitlist.one.handler(({ context, input }) => getWaitlistEntry(context.ctx, input)),
  join: api.waitlist.join.handler(({ context, input }) => saveEntry(context.ctx, input)),
  update: api.waitlist.update.handler(({ context, input }) => changeEntry(context.ctx, input)),
  leave: api.waitlist.leave.handler(({ context, input }) => leaveWaitlist(context.ctx, input)),
  offer: api.waitlist.offer.handler(({ context, input }) => getOffer(context.ctx, input)),
  answer: api.waitlist.answer.handler(({ context, input }) => answerOffer(context.ctx, input)),
  ofClass: api.waitlist.ofClass.handler(({ context, input }) => getWaitlistOfClass(context.ctx, input)),
  prioritise: api.waitlist.prioritise.handler(({ context, input }) => prioritise(context.ctx, input)),
}

export const attendanceRoutes = {
  roster: api.attendance.roster.handler(({ context, input }) => roster(context.ctx, input)),
  one: api.attendance.one.handler(({ context, input }) => getRosterReservation(context.ctx, input)),
  health: api.attendance.health.handler(({ context, input }) => healthOfReservation(context.ctx, input)),
  mark: api.attendance.mark.handler(({ context, input }) => markAttendance(context.ctx, input)),
  reserve: api.attendance.reserve.handler(({ context, input }) => reserveFor(context.ctx, input)),
  cancel: api.attendance.cancel.handler(({ context, input }) => cancelFor(context.ctx, input)),
  paid: api.attendance.paid.handler(({ context, input }) => markPaid(context.ctx, input)),
}

export const myClassesRoutes = {
  read: api.myClasses.read.handler(({ context, input }) => listMyClasses(context.ctx, input)),
}

export const ruleTestRoutes = {
  read: api.ruleTest.read.handler(({ context, input }) => testRules(context.ctx, input)),
}

export const frontDeskRoutes = {
  change: api.frontDesk.change.handler(({ context, input }) => changeReservationFor(context.ctx, input)),
  removeGuest: api.frontDesk.removeGuest.handler(({ context, input }) => removeGuestFor(context.ctx, input)),
  move: api.frontDesk.move.handler(({ context, input }) => moveReservationFor(context.ctx, input)),
  repeat: api.frontDesk.repeat.handler(({ context, input }) => repeatWeeklyFor(context.ctx, input)),
  joinWaitlist: api.frontDesk.joinWaitlist.handler(({ context, input }) => joinWaitlistFor(context.ctx, input)),
  leaveWaitlist: api.frontDesk.leaveWaitlist.handler(({ context, input }) => leaveWaitlistFor(context.ctx, input)),
  promote: api.frontDesk.promote.handler(({ context, input }) => promoteFromWaitlist(context.ctx, input)),
  history: api.frontDesk.history.handler(({ context, input }) => getClassHistory(context.ctx, input)),
  mark: api.frontDesk.mark.handler(({ context, input }) => markMany(context.ctx, input)),
  closeRoster: api.frontDesk.closeRoster.handler(({ context, input }) => closeRosterByHand(context.ctx, input)),
  checkin: api.frontDesk.checkin.handler(({ context, input }) => checkIn(context.ctx, input)),
  reservations: api.frontDesk.reservations.handler(({ context, input }) => listStudioReservations(context.ctx, input)),
}

export const kioskRoutes = {
  checkin: api.kiosk.checkin.handler(({ context, input }) => checkInAtKiosk(context.ctx, input)),
}

export const penaltiesRoutes = {
  list: api.penalties.list.handler(({ context, input }) => penaltyList(context.ctx, input)),
  one: api.penalties.one.handler(({ context, input }) => onePenalty(context.ctx, input)),
  create: api.penalties.create.handler(({ context, input }) => penalizeByHand(context.ctx, input)),
  update: api.penalties.update.handler(({ context, input }) => changePenalty(context.ctx, input)),
  forgive: api.penalties.forgive.handler(({ context, input }) => forgivePenalty(context.ctx, input)),
}

export const reservationExportRoutes = {
  reservations: api.listExports.reservations.handler(({ context, input }) => exportReservations(context.ctx, input)),
}

export const guestInviteRoutes = {
  create: api.guestInvites.create.handler(({ context, input }) => createInvite(context.ctx, input)),
  one: api.guestInvites.one.handler(({ context, input }) => oneInvite(context.ctx, input)),
  accept: api.guestInvites.accept.handler(({ context, input }) => acceptInvite(context.ctx, input)),
}
