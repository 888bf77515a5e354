/**
 * The front desk: all reservations of the studio, check-in, marking attendance in bulk, and changes by staff to a reservation, a waitlist
 * or a roster (docs/domain.md, "The front desk").
 */
import * as z from 'zod'
import { reservationSource, rosterClass, rosterReservation } from './attendance.ts'
import { RESERVE_REFUSALS, repeatedWeeks, repeatWeeks, reservationStatus, STAFF_JOIN_REFUSALS, spot } from './bookings.ts'
import { endpoint, id, instant, localDay, numberBetween, pageNumber, pathId, refusals, singleLine, unlessNull } from './endpoint.ts'

/** Default number of reservations per page. */
export const FRONT_DESK_PER_PAGE = 50

/** Maximum number of marks in one call: several full classes. */
const MOST_MARKS = 300

/** Maximum page size. */
const MOST_PER_PAGE = 100

const perPage = numberBetween(1, MOST_PER_PAGE)

/** Order of the list; `-` = descending. */
export const reservationSort = z.enum(['class', '-class', 'name', '-name', 'created', '-created'])

/** Filters of a list of reservations. */
export const reservationMark = z.enum(['owed', 'guest', 'late_cancel'])

/** A reservation with its class. */
export const listedReservation = rosterReservation.extend({ class: rosterClass })
export type ListedReservation = z.infer<typeof listedReservation>

/** What closing a roster would do, or did. */
export const rosterClosing = z.object({
  was_closed: z.boolean().describe('Si la lista ya estaba cerrada.'),
  attended: z.int().describe('Cuántas personas cuentan como asistentes.'),
  no_shows: z
    .array(
      z.object({
        class_reservation_id: id,
        customer_id: id,
        name: z.string(),
        last_name: z.string(),
        guest: z.string().nullable(),
        penalty: z.boolean().describe('Si con esta falta empieza una penalización.'),
      }),
    )
    .describe('Quiénes cuentan como inasistencia.'),
})
export type RosterClosing = z.infer<typeof rosterClosing>

/** Result of a check-in; the screen has a colour, a word and a sound for each. */
export const checkinResult = z.enum(['ok', 'already', 'owed', 'not_today', 'elsewhere', 'cancelled', 'not_found', 'choose'])
export type CheckinResult = z.infer<typeof checkinResult>

/** A class that the reservation could be moved to. */
export const checkinMove = rosterClass.pick({
  single_class_id: true,
  class_date: true,
  class_type: true,
  places_left: true,
  spot_map: true,
  seats: true,
})

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const changeRefusals = refusals(
  'RESERVATION_NOT_FOUND',
  'RESERVATION_CANCELLED',
  'CLASS_CANCELLED',
  'CLASS_STARTED',
  'IDEMPOTENCY_KEY_REUSED',
)
const changed = z.object({ class_reservation: rosterReservation })

/** An event of a class or of one of its reservations. */
export const classEvent = z.object({
  at: instant.describe('Cuándo.'),
  kind: z
    .enum(['booked', 'cancelled', 'changed', 'paid', 'owed', 'marked', 'closed', 'waitlist', 'class'])
    .describe('Qué: reservó, canceló, cambió, pagó, quedó a deber, se marcó, se cerró la lista, la lista de espera, la clase.'),
  customer_id: id.nullable(),
  name: z.string().nullable(),
  guest: z.string().nullable().describe('De quién es el lugar, si es de un invitado.'),
  who: z.string().nullable().describe('Quién del equipo lo hizo; null: la persona o el sistema.'),
  text: z.string().describe('Lo que pasó, en palabras.'),
  reason: z.string().nullable(),
})
export type ClassEvent = z.infer<typeof classEvent>

/** Filters and order of the list; the list's file takes the same. */
export const reservationFilter = {
  from: localDay.optional(),
  to: localDay.optional(),
  status: reservationStatus.optional(),
  customer_id: pathId.optional(),
  location_id: pathId.optional(),
  class_type_id: pathId.optional(),
  instructor_id: pathId.optional(),
  source: reservationSource.optional(),
  only: reservationMark.optional(),
  query: singleLine(120).optional(),
  sort: reservationSort.default('class').describe('El orden: por clase, nombre o fecha de reserva; con `-`, al revés.'),
}

export const frontDesk = {
  /**
   * Reservations of the caller's locations, in the order of their classes; a guest follows the host. Without days, customer and query:
   * today's. `query`: words in name, e-mail or telephone, in any order and without accents, or the number of a reservation.
   */
  reservations: endpoint('GET', '/admin/class_reservations', 'staff:roster.all', 'Recepción', 'Reservaciones')
    .input(
      z.object({
        ...reservationFilter,
        page: pageNumber.default(1),
        per_page: perPage.default(FRONT_DESK_PER_PAGE),
      }),
    )
    .output(
      z.object({
        class_reservations: z.array(listedReservation),
        total: z.int().describe('Cuántas coinciden; se cuentan hasta 5,000 después de la página.'),
        has_more: z.boolean().describe('Hay más de las que se contaron.'),
        pages: z.int(),
      }),
    ),
  /** Changes the seat or the guest's name, or adds a guest; booking windows do not apply to staff. Send `Idempotency-Key`. */
  change: endpoint('PUT', '/admin/class_reservations', 'staff:roster.all', 'Recepción', 'Cambiar el lugar o el invitado de alguien')
    .input(z.object({ class_reservation_id: id, spot: unlessNull(spot), guest: unlessNull(singleLine(80)), guest_spot: unlessNull(spot) }))
    .errors(changeRefusals)
    .errors(refusals(...RESERVE_REFUSALS, 'PRICE_MISSING'))
    .output(changed),
  /** Cancels only the guest's place; `credit` decides whether it is returned. */
  removeGuest: endpoint(
    'DELETE',
    '/admin/class_reservations/{class_reservation_id}/guest',
    'staff:roster.all',
    'Recepción',
    'Quitar al invitado de alguien',
  )
    .input(z.object({ class_reservation_id: pathId, credit: z.enum(['return', 'keep']).default('return') }))
    .errors(changeRefusals)
    .errors(refusals('GUEST_NOT_FOUND'))
    .output(changed.extend({ credit: z.enum(['returned', 'courtesy', 'kept', 'none']) })),
  /**
   * Moves to another class, with the guest and the payment. Default seat: the same if free, else the first free one. Send
   * `Idempotency-Key`.
   */
  move: endpoint('POST', '/admin/class_reservations/move', 'staff:roster.all', 'Recepción', 'Mover a alguien a otra clase')
    .input(
      z.object({
        class_reservation_id: id,
        single_class_id: id,
        spot: spot.nullish(),
        guest_spot: spot.nullish(),
        reason: reason.nullish(),
      }),
    )
    .errors(changeRefusals)
    .errors(refusals(...RESERVE_REFUSALS, 'MOVE_SAME_CLASS'))
    .output(changed),
  /**
   * Reserves a class for a customer and the same one in the weeks that follow, as far as classes, places and credits allow; reports the
   * outcome of each week. Safe to repeat.
   */
  repeat: endpoint('POST', '/admin/class_reservations/repeat', 'staff:roster.all', 'Recepción', 'Repetir cada semana para alguien')
    .input(z.object({ customer_id: id, single_class_id: id, weeks: repeatWeeks, spot: spot.nullish() }))
    .errors(refusals('NOT_FOUND', 'CLASS_NOT_FOUND'))
    .output(repeatedWeeks),
  /** Adds a customer to the waitlist of a full class; repeating it changes nothing. */
  joinWaitlist: endpoint('POST', '/admin/waitlist', 'staff:roster.all', 'Recepción', 'Anotar a alguien en la lista de espera')
    .input(z.object({ customer_id: id, single_class_id: id }))
    .errors(refusals('NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', ...STAFF_JOIN_REFUSALS))
    .output(z.object({ waitlist_id: id })),
  /** Removes a waitlist entry; a place held for it is offered to the next. */
  leaveWaitlist: endpoint(
    'DELETE',
    '/admin/waitlist/{waitlist_id}',
    'staff:roster.all',
    'Recepción',
    'Quitar a alguien de la lista de espera',
  )
    .input(z.object({ waitlist_id: pathId }))
    .errors(refusals('WAITLIST_NOT_FOUND'))
    .output(z.object({ waitlist_id: id })),
  /** Gives a waitlisted customer a place now: the one held for them, or a free one. Send `Idempotency-Key`. */
  promote: endpoint('POST', '/admin/waitlist/{waitlist_id}/promote', 'staff:roster.all', 'Recepción', 'Dar un lugar a quien espera')
    .input(z.object({ waitlist_id: pathId, spot: spot.nullish() }))
    .errors(refusals('WAITLIST_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', ...RESERVE_REFUSALS))
    .output(changed),
  /** Events of a class and its reservations, newest first. */
  history: endpoint('GET', '/admin/single_class/{single_class_id}/history', 'staff:classes.own', 'Recepción', 'Historial de una clase')
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND', 'NOT_YOUR_CLASS'))
    .output(z.object({ events: z.array(classEvent).describe('Lo que pasó; lo último primero.') })),
  /**
   * Marks many reservations of one class, each with the time it was marked at (`marked_at`): sent together, or later by a device that was
   * offline. A refused mark does not prevent the others; sending them again changes nothing.
   */
  mark: endpoint(
    'PUT',
    '/admin/single_class/{single_class_id}/attendance',
    'staff:classes.own',
    'Recepción',
    'Pasar lista de varias personas',
  )
    .input(
      z.object({
        single_class_id: pathId,
        marks: z
          .array(
            z.object({
              class_reservation_id: id,
              attend: z.boolean().nullable(),
              excuse: singleLine(300).min(3, 'Escribe el motivo.').nullish(),
              marked_at: instant.optional().describe('Cuándo se marcó; sin ella, ahora.'),
            }),
          )
          .min(1)
          .max(MOST_MARKS)
          .describe('Las marcas, en cualquier orden.'),
      }),
    )
    .errors(refusals('CLASS_NOT_FOUND', 'NOT_YOUR_CLASS'))
    .output(
      z.object({
        saved: z.int().describe('Cuántas marcas quedaron.'),
        refused: z
          .array(z.object({ class_reservation_id: id, code: z.string(), message: z.string() }))
          .describe('Las que no, con su motivo.'),
      }),
    ),
  /**
   * Closes the roster of a class by hand once it began: counts the no-shows and starts their penalties. `dry_run`: only reports what would
   * happen.
   */
  closeRoster: endpoint('POST', '/admin/single_class/{single_class_id}/roster/close', 'staff:classes.own', 'Recepción', 'Cerrar la lista')
    .input(z.object({ single_class_id: pathId, dry_run: z.boolean().default(false).describe('Solo dice qué pasaría.') }))
    .errors(refusals('CLASS_NOT_FOUND', 'NOT_YOUR_CLASS', 'CLASS_CANCELLED', 'ROSTER_NOT_CLOSABLE'))
    .output(rosterClosing),
  /**
   * Checks one person in (S2-2.49), identified by a scanned code, a reservation or a customer (exactly one of the three). Marks them as
   * attended when the roster of their class is open and nothing is owed; otherwise reports what is missing and changes nothing.
   */
  checkin: endpoint('POST', '/admin/checkin', 'staff:classes.own', 'Recepción', 'Registrar la llegada de alguien')
    .input(
      z
        .object({
          code: singleLine(500).optional().describe('Lo que se leyó del código: la dirección de la reservación, o su número.'),
          class_reservation_id: id.optional(),
          customer_id: id.optional(),
          location_id: id.nullish().describe('Dónde se registra; sin él, en cualquiera de los estudios de quien lo usa.'),
          allow_owed: z.boolean().default(false).describe('Marca la llegada aunque deba; se cobra después.'),
        })
        .refine(
          (input) => [input.code, input.class_reservation_id, input.customer_id].filter((other) => other !== undefined).length === 1,
          {
            message: 'Di a quién: con su código, su reservación o su cliente.',
            path: ['code'],
          },
        ),
    )
    .errors(refusals('NOT_YOUR_CLASS', 'NOT_FOUND'))
    .output(
      z.object({
        result: checkinResult.describe(
          'ok: llegó. already: ya estaba. owed: debe. not_today: su clase no es ahora. elsewhere: es en otro estudio. cancelled: se canceló. not_found: no hay lugar. choose: tiene varias.',
        ),
        message: z.string().describe('Lo que se dice en la pantalla.'),
        class_reservation: rosterReservation.nullable(),
        single_class: rosterClass.nullable().describe('La clase de esa reservación.'),
        choices: z.array(listedReservation).describe('Entre cuáles hay que elegir; vacío si no hay que hacerlo.'),
        move_to: checkinMove.nullable().describe('La clase de ahora, del mismo tipo y con lugar, a la que se puede mover.'),
      }),
    ),
}
