/** What happens by itself around places: telling people, reminders, holds that end, who came, cash that did not. Every job may run twice. */
import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { listUnsettled } from '#server/modules/schedule/schedule.ts'
import { endUnpaid, settleClass } from './attendance.ts'
import { settledBefore } from './attendance-rules.ts'
import { releasePlaces } from './releasing.ts'
import {
  remind,
  tellBooked,
  tellCancelled,
  tellClassCancelled,
  tellClassChanged,
  tellClassRestored,
  tellConfirmed,
  tellForgiven,
  tellLineOpen,
  tellNoShow,
  tellOffer,
  tellPenalty,
  tellReminders,
  tellRepeated,
  tellSkipped,
} from './telling.ts'
import { promote, sweepLines } from './waitlist.ts'

const id = z.int()
const place = z.object({ class_reservation_id: id })
const places = z.object({ class_reservation_ids: z.array(id) })
const entry = z.object({ waitlist_id: id, offers: id })
const penalty = z.object({ class_reservation_penalty_id: id })
const cls = z.object({ single_class_id: id, at: z.string() })

/** How many classes one round decides. */
const BATCH = 200

export const bookingJobs: ModuleJob[] = [
  on('reservation-confirmed', place, tellConfirmed),
  on('reservations-repeated', places, tellRepeated),
  on('reservation-cancelled', place.extend({ credit: z.string() }), tellCancelled),
  on('reminders', places, tellReminders),
  on('class-cancelled', cls, tellClassCancelled),
  on('class-restored', cls.extend({ back: z.array(id), lost: z.array(id) }), tellClassRestored),
  on(
    'class-changed',
    cls.extend({
      before: z.object({ starts_at: z.string(), wall: z.string(), location_id: id, coaches: z.array(id) }),
      moved: z.boolean(),
      coaches: z.boolean(),
    }),
    tellClassChanged,
  ),
  on('waitlist.open', z.object({ opening: id }), tellLineOpen),
  on('waitlist.offer', entry, tellOffer),
  on('waitlist.promote', entry, promote),
  on('waitlist.booked', place, tellBooked),
  on('waitlist.skipped', z.object({ waitlist_id: id, code: z.string() }), tellSkipped),
  on('no-show', place.extend({ count: id, max: id }), tellNoShow),
  on('penalty', penalty, tellPenalty),
  on('penalty-forgiven', penalty, tellForgiven),
  on('bookings.release', z.object({ purchase_id: id }), releasePlaces),
  every('waitlist.sweep', '* * * * *', sweepLines),
  every('bookings.reminders', '*/5 * * * *', remind),
  every('bookings.unpaid', '*/5 * * * *', endUnpaid),
  every('bookings.settle', '*/10 * * * *', settleClasses),
]

/** One round: classes that ended long enough ago (A4). One that fails does not stop the others. */
export async function settleClasses(ctx: Ctx): Promise<void> {
  for (const single_class_id of await listUnsettled(ctx.db, settledBefore(ctx.now, ctx.settings), BATCH))
    await settleClass(ctx, single_class_id).catch((error: unknown) =>
      ctx.studio.log.error({ error, single_class_id }, 'it could not be decided who came to a class'),
    )
}
