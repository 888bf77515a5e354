/** “Ven conmigo”: a link with which a guest takes the place that is held for them (docs/domain.md R29 to R31). */
import * as z from 'zod'
import { OWN_RESERVE_REFUSALS } from './bookings.ts'
import { endpoint, instant, pathId, refusals, singleLine } from './endpoint.ts'
import { seatLabels } from './schedule.ts'

const token = z
  .string()
  .min(20)
  .max(200)
  .regex(/^[\w.-]+$/)

export const guestInviteView = z.object({
  state: z
    .enum(['open', 'taken', 'gone'])
    .describe('`open`: el lugar está apartado; `taken`: alguien ya lo tomó; `gone`: venció, o la reservación terminó.'),
  host: z.string().describe('El nombre de quien invita.'),
  guest: z.string().nullable().describe('El nombre de quien tomó el lugar; null: nadie.'),
  guest_spot: z.string().nullable().describe('Su lugar en el mapa; null sin mapa.'),
  guest_seat_label: seatLabels.guest_seat_label,
  class_type: z.string().describe('La clase.'),
  class_date: instant,
  location: z.string().describe('Dónde es.'),
  coaches: z.string().describe('Quién la da.'),
  until_wall: instant.nullable().describe('Hasta cuándo está apartado, en la hora del estudio; null: ya no lo está.'),
})
export type GuestInviteView = z.infer<typeof guestInviteView>

export const guestInvites = {
  /**
   * Holds a place for a guest of the reservation for an hour, and returns the link that takes it; while it is held, the same link.
   * GUEST_INVITE_LIMIT: it was held three times; GUEST_INVITES_OPEN: three of the customer's are held now, in any class. The guest's place
   * is paid when it is taken, by the rules of guests.
   */
  create: endpoint('POST', '/class_reservations/{class_reservation_id}/invitation', 'customer', 'Reservaciones', 'Invitar con un enlace')
    .input(z.object({ class_reservation_id: pathId }))
    .errors(refusals(...OWN_RESERVE_REFUSALS))
    .errors(refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED', 'GUEST_ALREADY_NAMED', 'GUEST_INVITE_LIMIT', 'GUEST_INVITES_OPEN'))
    .output(
      z.object({
        url: z.url().describe('El enlace para quien invitas.'),
        until_wall: instant.describe('Hasta cuándo está apartado su lugar, en la hora del estudio.'),
      }),
    ),
  /** What the link shows; the signed link is the permission. Reading changes nothing. GUEST_INVITE_INVALID. */
  one: endpoint('GET', '/invitations/{token}', 'public', 'Reservaciones', 'Una invitación')
    .input(z.object({ token }))
    .errors(refusals('GUEST_INVITE_INVALID'))
    .output(z.object({ invitation: guestInviteView.describe('La invitación.') })),
  /** Takes the held spot, once, as a guest of the host. GUEST_INVITE_GONE, and the refusals of bringing a guest. */
  accept: endpoint('POST', '/invitations/{token}', 'public', 'Reservaciones', 'Aceptar una invitación')
    .input(z.object({ token, name: singleLine(80).describe('El nombre de quien viene.') }))
    .errors(refusals(...OWN_RESERVE_REFUSALS))
    .errors(refusals('GUEST_INVITE_INVALID', 'GUEST_INVITE_GONE'))
    .output(z.object({ invitation: guestInviteView.describe('La invitación, ya aceptada.') })),
}
