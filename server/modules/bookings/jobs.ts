/** Jobs of bookings: notifications, reminders, expired holds, closing rosters, unpaid cash reservations. Every job may run twice. */
import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ModuleJob, onMany, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { listUnsettled } from '#server/modules/schedule/schedule.ts'
import { rosterCloseTime } from './attendance-rules.ts'
import { convertHoldToReservation, sweepWaitlists } from './customer/waitlist.ts'
import {
  notifyCancelled,
  notifyClassCancelled,
  notifyClassChanged,
  notifyClassRestored,
  notifyConfirmed,
  notifyNoShow,
  notifyOffer,
  notifyPenalty,
  notifyPenaltyForgiven,
  notifyRepeated,
  notifySkipped,
  notifySpotsMoved,
  notifyWaitlistBooked,
  notifyWaitlistOpening,
  remind,
  sendReminders,
} from './notifications/notifications.ts'
import { holdWhilePaying, releasePaymentHold } from './spots/payment-holds.ts'
import { endUnpaid } from './studio/attendance.ts'
import { releaseReservationsOfCreditLots } from './studio/releasing.ts'
import { closeRoster } from './studio/roster-marks.ts'

const id = z.int()
const reservation = z.object({ class_reservation_id: id })
const reservationIds = z.object({ class_reservation_ids: z.array(id) })
const entry = z.object({ waitlist_id: id, offers: id })
const penalty = z.object({ class_reservation_penalty_id: id })
const cls = z.object({ single_class_id: id, at: z.string() })

/** How many rosters one run closes. */
const BATCH = 200

export const bookingJobs: ModuleJob[] = [
  onMany('reservation-confirmed', reservation, notifyConfirmed, 'messages'),
  sentJob('reservations-repeated', reservationIds, notifyRepeated),
  sentJob('reservation-cancelled', reservation.extend({ credit: z.string() }), notifyCancelled),
  sentJob('reminders', reservationIds, sendReminders),
  sentJob('class-cancelled', cls, notifyClassCancelled),
  sentJob('class-restored', cls.extend({ back: z.array(id), lost: z.array(id) }), notifyClassRestored),
  sentJob(
    'class-changed',
    cls.extend({
      before: z.object({ starts_at: z.string(), wall: z.string(), location_id: id, coaches: z.array(id) }),
      moved: z.boolean(),
      coaches: z.boolean(),
    }),
    notifyClassChanged,
  ),
  sentJob(
    'spots-moved',
    cls.extend({
      moves: z.array(
        z.object({ customer_id: id, spots: z.array(z.object({ from: z.string(), from_name: z.string().optional(), to: z.string() })) }),
      ),
    }),
    notifySpotsMoved,
  ),
  sentJob('waitlist.open', z.object({ opening: id }), notifyWaitlistOpening),
  sentJob('waitlist.offer', entry, notifyOffer),
  sentJob('waitlist.promote', entry, convertHoldToReservation),
  onMany('waitlist.booked', reservation, notifyWaitlistBooked, 'messages'),
  sentJob('waitlist.skipped', z.object({ waitlist_id: id, code: z.string() }), notifySkipped),
  sentJob('no-show', reservation.extend({ count: id, max: id }), notifyNoShow),
  sentJob('penalty', penalty, notifyPenalty),
  sentJob('penalty-forgiven', penalty, notifyPenaltyForgiven),
  sentJob('bookings.hold-while-paying', z.object({ purchase_id: id }), holdWhilePaying),
  sentJob('bookings.release-payment-hold', z.object({ purchase_id: id }), releasePaymentHold),
  sentJob('bookings.release', z.object({ purchase_id: id }), releaseReservationsOfCreditLots),
  scheduledJob('waitlist.sweep', '* * * * *', sweepWaitlists),
  scheduledJob('bookings.reminders', '*/5 * * * *', remind),
  scheduledJob('bookings.unpaid', '*/5 * * * *', endUnpaid),
  scheduledJob('bookings.settle', '*/10 * * * *', closeRosters),
]

/** Closes the rosters of classes that ended long enough ago, one batch (A4). One that fails does not stop the others. */
export async function closeRosters(ctx: Ctx): Promise<void> {
  for (const single_class_id of await listUnsettled(ctx.db, rosterCloseTime(ctx.now, ctx.settings), BATCH))
    await closeRoster(ctx, single_class_id).catch((error: unknown) =>
      ctx.studio.log.error({ error, single_class_id }, 'roster.close_failed'),
    )
}
