/** The waitlist of a class: joining, leaving, offers and their answer (spec 2 sections 4 and 7; settled 22; docs/domain.md, "Waitlist"). */
import * as z from 'zod'
import { JOIN_REFUSALS, OWN_RESERVE_REFUSALS, spot } from './bookings.ts'
import { draftId } from './crud.ts'
import { endpoint, id, instant, pathId, refusals, singleLine, unlessNull } from './endpoint.ts'
import { seatMark, singleClass } from './schedule.ts'

/** Status of an entry: `offered` = a spot is held for the customer until `offer.until`. */
export const waitlistStatus = z.enum(['waiting', 'offered', 'booked', 'passed', 'left', 'closed'])

/** The class of an entry, without viewer-specific fields. */
const waitedClass = singleClass.omit({ actions: true, why_not: true, state: true, mine: true, waitlist_id: true, class_reservations: true })

export const waitlistEntry = z.object({
  waitlist_id: id,
  single_class_id: id,
  customer_id: id,
  createdAt: instant,
  status: waitlistStatus,
  /** Position, from 1; null in mode `todos`, where the first to book wins, and when no longer waiting. */
  position: z.int().nullable(),
  /** Book the spot without asking, where the studio uses mode `auto`. */
  auto: z.boolean(),
  /** The spot held for the customer. */
  offer: z.object({ until: instant, until_wall: instant, path: z.string() }).nullable(),
  /** Why and when the customer was skipped; the message names the remedy. */
  skipped: z.object({ code: z.string(), message: z.string(), at: instant }).nullable(),
  single_class: waitedClass,
})
export type WaitlistEntry = z.infer<typeof waitlistEntry>

/** An offer as its link shows it: without sign-in, and of the customer only the first name. */
export const waitlistOfferView = z.object({
  /** `open`: can be answered now. `gone`: expired, passed on, or the class is over. */
  state: z.enum(['open', 'booked', 'gone']),
  name: z.string(),
  class_type: z.string(),
  class_date: instant,
  location: z.string(),
  coaches: z.string(),
  until: instant.nullable(),
  /** In local time, written as UTC. */
  until_wall: instant.nullable(),
  /** Free spots of the room's map; empty without a map. */
  spots: z.array(z.string()),
  spot_map: z.string().nullable(),
  seats: z.array(seatMark).nullable().describe('Los lugares con su número y qué son; null en una sala sin mapa propio.'),
  closed_spots: z.array(z.string()),
})

const token = z
  .string()
  .min(20)
  .max(200)
  .regex(/^[\w.-]+$/)

export const waitlist = {
  /** The caller's waitlist entries that still matter, soonest class first (S2-7.07). */
  list: endpoint('GET', '/waitlist', 'customer', 'Listas de espera', 'Mis listas de espera').output(
    z.object({ waitlists: z.array(waitlistEntry), mode: z.enum(['todos', 'oferta', 'auto']) }),
  ),
  one: endpoint('GET', '/waitlist/{waitlist_id}', 'customer', 'Listas de espera', 'Una lista de espera')
    .input(z.object({ waitlist_id: pathId }))
    .errors(refusals('WAITLIST_NOT_FOUND'))
    .output(z.object({ waitlist: waitlistEntry })),
  /** Joins the waitlist of a full class (S2-7.09, S2-4.17); with a number as `waitlist_id`, changes that entry (S2-4.19). Idempotent. */
  join: endpoint('POST', '/waitlist', 'customer', 'Listas de espera', 'Anotarme, o guardar cambios si lleva su id')
    .input(z.object({ waitlist_id: draftId, single_class_id: id, auto: unlessNull(z.boolean()) }))
    .errors(refusals('WAITLIST_NOT_FOUND', ...JOIN_REFUSALS))
    .output(z.object({ waitlist: waitlistEntry })),
  /** Whether to book a spot without asking (S2-7.10). */
  update: endpoint('PUT', '/waitlist', 'customer', 'Listas de espera', 'Cambiar mi lugar en la lista')
    .input(z.object({ waitlist_id: id, auto: unlessNull(z.boolean()) }))
    .errors(refusals('WAITLIST_NOT_FOUND'))
    .output(z.object({ waitlist: waitlistEntry })),
  /** Leaves the waitlist; a spot held for the caller is offered to the next (S2-7.11, S2-4.18). Idempotent. */
  leave: endpoint('DELETE', '/waitlist/{waitlist_id}', 'customer', 'Listas de espera', 'Quitarme')
    .input(z.object({ waitlist_id: pathId }))
    .errors(refusals('WAITLIST_NOT_FOUND'))
    .output(z.object({ waitlist: waitlistEntry })),
  /** The offer of a link; the signed link is the authorisation. Changes nothing. */
  offer: endpoint('GET', '/waitlist/offer/{token}', 'public', 'Listas de espera', 'Un lugar apartado')
    .input(z.object({ token }))
    .errors(refusals('OFFER_INVALID'))
    .output(z.object({ offer: waitlistOfferView })),
  /** Accepts the spot or passes it on, once. Without a spot the server takes the first free one of the map. */
  answer: endpoint('POST', '/waitlist/offer/{token}', 'public', 'Listas de espera', 'Aceptar o pasar')
    .input(z.object({ token, accept: z.boolean(), spot: spot.nullish() }))
    .errors(refusals('OFFER_INVALID', 'OFFER_GONE', ...OWN_RESERVE_REFUSALS))
    .output(z.object({ offer: waitlistOfferView, class_reservation_id: id.nullable() })),
  /** The waitlist of a class, for staff. */
  ofClass: endpoint(
    'GET',
    '/admin/single_class/{single_class_id}/waitlist',
    'staff:classes.own',
    'Listas de espera',
    'Lista de espera de una clase',
  )
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND', 'NOT_YOUR_CLASS'))
    .output(
      z.object({
        waitlists: z.array(
          waitlistEntry.omit({ single_class: true, offer: true }).extend({
            offer: z.object({ until: instant, until_wall: instant }).nullable(),
            name: z.string(),
            last_name: z.string(),
            priority: z.int(),
          }),
        ),
      }),
    ),
  /** Changes the priority of an entry; the reason is stored. */
  prioritise: endpoint('PUT', '/admin/waitlist', 'staff:roster.all', 'Listas de espera', 'Cambiar la prioridad de alguien')
    .input(z.object({ waitlist_id: id, priority: z.int().min(-100).max(100), reason: singleLine(300).min(3) }))
    .errors(refusals('WAITLIST_NOT_FOUND'))
    .output(z.object({ waitlist_id: id, priority: z.int() })),
}
