/** What happens after a booking: the confirmation. Handlers run at least once, so a mail carries the same id every time. */
import * as z from 'zod'
import { formatWall } from '#contract/time.ts'
import { instructorName, spotName } from '#contract/wording.ts'
import { writeLetter } from '#server/adapters/mail/letter.ts'
import { MailRefused } from '#server/adapters/mail/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { JobHandler } from '#server/platform/jobs.ts'
import { policy } from './rules.ts'
import { findConfirmation } from './store.ts'
import { timetable } from './timetable.ts'

const about = z.object({ class_reservation_id: z.int() })

export function bookingJobs(asSystem: (job: string) => Ctx): JobHandler[] {
  return [
    { name: 'reservation-confirmed', work: (data) => confirm(asSystem('reservation-confirmed'), about.parse(data).class_reservation_id) },
  ]
}

/** Writes to the customer that the place is theirs; says nothing about a place that was given up meanwhile or a class that began. */
async function confirm(ctx: Ctx, class_reservation_id: number): Promise<void> {
  const place = await findConfirmation(ctx.db, class_reservation_id)
  const [cls] = place ? await timetable(ctx.studio).byId([place.single_class_id]) : []
  if (!place || !cls || cls.cancelled || cls.starts_at <= ctx.now) return
  const { shown } = cls
  const when = formatWall(cls.wall, 'class')
  const coaches = shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y ')
  const facts = [
    `${shown.class_type.name}, ${when}${coaches ? `, con ${coaches}` : ''}.`,
    [shown.location.name, shown.location.address].filter(Boolean).join(', '),
    place.spot ? `Tu lugar: ${spotName(place.spot)}.` : '',
    place.guest ? `Viene contigo: ${place.guest}${place.guest_spot ? `, ${spotName(place.guest_spot).toLowerCase()}` : ''}.` : '',
  ]
  const { cancel, limit } = policy(ctx.settings)
  const letter = writeLetter(ctx.settings, ctx.studio.publicUrl, {
    subject: `Tu lugar en ${shown.class_type.name}, ${when}`,
    preview: `Te esperamos en ${shown.location.name}.`,
    title: 'Tu lugar está reservado',
    paragraphs: [`Hola, ${place.name}.`, ...facts.filter(Boolean)],
    action: { label: 'Ver mis reservaciones', url: `${ctx.studio.publicUrl}/mystudio/reservaciones` },
    notes: [cancel, limit ?? ''].filter(Boolean),
  })
  try {
    await ctx.ports.mail.send({ ...letter, to: place.email, messageId: `reservation-confirmed-${class_reservation_id}` })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    ctx.studio.log.warn({ error, class_reservation_id }, 'a confirmation could not be delivered')
  }
}
