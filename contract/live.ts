/**
 * Live updates of the administration: the ticket that opens the stream of events, and who else is on a screen (docs/domain.md Z9 to Z12).
 */
import * as z from 'zod'
import { endpoint, id, instant } from './endpoint.ts'

/** Seconds for which a ticket opens a stream. */
export const LIVE_TICKET_SECONDS = 60
/** Seconds without a report after which a person counts as having left a screen. */
export const PRESENCE_SECONDS = 60
/** Screens of one record, on which several people may work at once. */
export const PRESENCE_LINK = /^\/admin\/[a-z]+(?:\/[a-z0-9-]+){1,3}$/

/** The events of the stream `GET /admin/live`, by name. They name what to read again, never its contents. */
export const liveEvents = {
  /** The occupancy or state of a class, as in the public calendar. */
  class: z.object({ single_class_id: id, taken: z.int(), places_left: z.int(), class_date: instant, cancelled: z.boolean() }),
  /** A reservation on a class's list: made, cancelled, moved or marked. */
  roster: z.object({ single_class_id: id, class_reservation_id: id }),
  purchase: z.object({ purchase_id: id }),
  customer: z.object({ customer_id: id }),
  task: z.object({}),
  /** A sale of the counter: written, paid, confirmed or rejected. */
  sale: z.object({ sale_id: id }),
  cash_session: z.object({ cash_session_id: id }),
  /** Classes that were created, changed, cancelled or removed. */
  schedule: z.object({ single_class_ids: z.array(id) }),
  /** Packages, discounts, class types, coaches, locations and other lists. */
  catalogue: z.object({}),
  settings: z.object({}),
  /** How far a change to many records is, for the person who started it. */
  job: z.object({
    job_id: id,
    state: z.enum(['waiting', 'running', 'done', 'undoing', 'undone']),
    done: z.int(),
    total: z.int(),
  }),
  /** Who else has the screen open. */
  presence: z.object({ link: z.string(), names: z.array(z.string()) }),
  /** Events may have been missed: everything on screen is to be read again. */
  reload: z.object({}),
} as const
export type LiveEvents = { [Name in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[Name]> }
export type LiveEventName = keyof LiveEvents

export const live = {
  /** A ticket for `GET /admin/live?ticket=`, because a stream of events cannot send the bearer token. Good once, for a minute. */
  ticket: endpoint('POST', '/admin/live_ticket', 'staff', 'En vivo', 'Abrir los avisos en vivo').output(
    z.object({
      ticket: z.string().describe('Se usa una vez, en `GET /api/admin/live?ticket=`.'),
      expires_at: instant.describe('Hasta cuándo sirve.'),
    }),
  ),
  /** Reports being on a screen of one record, or leaving it. `names` are the others there. */
  presence: endpoint('POST', '/admin/presence', 'staff', 'En vivo', 'Decir en qué pantalla se está')
    .input(
      z.object({
        link: z.string().regex(PRESENCE_LINK).describe('La dirección, en la administración, del cliente, la clase o lo que está abierto.'),
        here: z.boolean().describe('Si se está en ella; false: se acaba de salir.'),
      }),
    )
    .output(z.object({ names: z.array(z.string()).describe('Quiénes más están en ella.') })),
}
