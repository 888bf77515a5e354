/** Attendance: the roster, no-shows and penalties, and what staff do with reservations (spec 2 sections 3, 4, 7; settled 24, 26). */
import * as z from 'zod'
import { RESERVE_REFUSALS, reservationStatus, spot } from './bookings.ts'
import { received } from './counter.ts'
import { creditSummary } from './credits.ts'
import { endpoint, id, instant, localDay, pageNumber, pathId, pesosWire, priceSent, refusals, singleLine } from './endpoint.ts'
import { seatLabels, seatMark } from './schedule.ts'
import { actUndo } from './undo-act.ts'

/** How a reservation was made. */
export const reservationSource = z.enum(['customer', 'staff', 'waitlist', 'repeat', 'move', 'restored'])

/** A reservation as staff see it. Coaches see names and facts without money; telephone and mail need the right `roster.all`. */
export const rosterReservation = z.object({
  class_reservation_id: id,
  single_class_id: id,
  customer_id: id,
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  spot: z.string().nullable(),
  guest: z.string().nullable(),
  guest_reservation_id: id.nullable(),
  guest_spot: z.string().nullable(),
  ...seatLabels,
  guest_attend: z.boolean().nullable(),
  is_cash: z.boolean(),
  is_paid: z.boolean(),
  /** Amount still to be paid at the counter, including the guest's place; null = nothing, and always null for coaches. */
  owed: pesosWire.nullable(),
  attend: z.boolean().nullable(),
  /** Why the absence does not count as a no-show, when staff gave a reason. */
  excuse: z.string().nullable(),
  status: reservationStatus,
  paid_with: z.string().nullable(),
  /** Whether it is the customer's first class at this studio. */
  first_class: z.boolean(),
  createdAt: instant,
  deletedAt: instant.nullable(),
  /** How the reservation was cancelled; null while it is active. */
  cancelled: z
    .object({
      at: instant,
      by: z
        .enum(['customer', 'staff', 'studio', 'system', 'undo', 'move'])
        .describe('Quién la canceló: la persona, el equipo, el estudio con toda la clase, o el sistema.'),
      late: z.boolean().describe('Si fue tarde y el crédito no volvió.'),
      who: z.string().nullable().describe('Nombre de la persona del equipo que la canceló.'),
      reason: z.string().nullable(),
    })
    .nullable()
    .describe('Cómo se canceló; null: sigue en pie.'),
  source: reservationSource.describe('Cómo se tomó el lugar: la persona, el equipo, la lista de espera, cada semana, un cambio de clase.'),
  marked: z
    .object({ at: instant, who: z.string().nullable().describe('Quién del equipo la marcó.') })
    .nullable()
    .describe('Cuándo y quién marcó si llegó; null: nadie.'),
  photo: z.string().nullable().describe('Foto de la persona; el enlace vence.'),
  birthday: z.boolean().describe('Si cumple años el día de la clase.'),
  health: z
    .boolean()
    .describe('Si dijo algo de su salud o una lesión, para quien puede saberlo; lo que dijo se lee aparte, y queda en la bitácora.'),
  visits: z.int().describe('Clases a las que vino antes de esta.'),
  first_with_coach: z.boolean().describe('Si es su primera clase con quien la da.'),
  unsigned: z.boolean().describe('Si le falta aceptar un documento que el estudio pide.'),
  credits: creditSummary
    .pick({ available: true, has_unlimited: true, next_expiration: true })
    .nullable()
    .describe('Lo que le queda para clases; null para quien no ve todas las listas.'),
  notes: z.array(z.string()).describe('Notas de la persona que leen los coaches: primero las fijas.'),
  version: z.int().describe('Cambia con cada cambio del lugar.'),
  class_stars: z.int().nullable(),
  coach_stars: z.int().nullable(),
  comment: z.string().nullable(),
})
export type RosterReservation = z.infer<typeof rosterReservation>

export const rosterClass = z.object({
  single_class_id: id,
  location_id: id,
  class_type_id: id,
  class_date: instant,
  starts_at: instant,
  ends_at: instant,
  timezone: z.string(),
  class_type: z.string(),
  location: z.string(),
  room: z.string().nullable().describe('Sala de la clase; null: no tiene.'),
  coaches: z.string(),
  capacity: z.int().nullable(),
  taken: z.int(),
  held: z.int(),
  places_left: z.int(),
  spot_map: z.string().nullable(),
  closed_spots: z.array(z.string()),
  seats: z.array(seatMark).nullable().describe('Los lugares con su número y qué son; null en una sala sin mapa propio.'),
  closed_reasons: z
    .array(z.object({ spot: z.string(), reason: z.string().describe('Por qué está cerrado.') }))
    .describe('Los lugares cerrados ese día que dicen por qué.'),
  cancelled: z.boolean(),
})
export type RosterClass = z.infer<typeof rosterClass>

/** Penalties per page. */
export const PENALTIES_PER_PAGE = 50

/** A block on booking after too many consecutive no-shows on an unlimited package. */
export const penalty = z.object({
  class_reservation_penalty_id: id,
  customer_id: id,
  customer: z.object({ name: z.string(), last_name: z.string() }),
  /** No-shows that caused it; 0 when staff created it by hand. */
  no_shows: z.int(),
  reason: z.string(),
  starts_at: instant,
  /** When booking is possible again: as a true instant, and as the studio's wall clock written as UTC. */
  ends_at: instant,
  resumes_at: instant,
  active: z.boolean(),
  forgivenAt: instant.nullable(),
  forgive_reason: z.string().nullable(),
  createdAt: instant,
})
export type Penalty = z.infer<typeof penalty>

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const reservationRefusals = refusals('RESERVATION_NOT_FOUND', 'NOT_YOUR_CLASS')

export const attendance = {
  /** All reservations of a class, by name; `with=cancelled` adds the cancelled ones. Coaches: only their own classes. */
  roster: endpoint(
    'GET',
    '/admin/single_class/{single_class_id}/class_reservations',
    'staff:classes.own',
    'Asistencia',
    'Lista de una clase',
  )
    .input(z.object({ single_class_id: pathId, with: z.enum(['cancelled']).optional() }))
    .errors(refusals('CLASS_NOT_FOUND', 'NOT_YOUR_CLASS'))
    .output(z.object({ single_class: rosterClass, class_reservations: z.array(rosterReservation) })),
  /** The reservation that its QR code refers to (S2-2.49, settled 26). */
  one: endpoint(
    'GET',
    '/admin/class_reservations/{class_reservation_id}',
    'staff:classes.own',
    'Asistencia',
    'Una reservación, para el estudio',
  )
    .input(z.object({ class_reservation_id: pathId }))
    .errors(reservationRefusals)
    .output(z.object({ class_reservation: rosterReservation, single_class: rosterClass })),
  /**
   * What the customer of a reservation said about their health, for staff with `customers.health`; coaches: only of their own classes.
   * Reading it is recorded in the audit trail.
   */
  health: endpoint(
    'GET',
    '/admin/class_reservations/{class_reservation_id}/health',
    'staff:customers.health',
    'Asistencia',
    'Lo que una persona dijo de su salud',
  )
    .input(z.object({ class_reservation_id: pathId }))
    .errors(reservationRefusals)
    .output(
      z.object({
        answers: z
          .array(z.object({ label: z.string().describe('La pregunta.'), answer: z.string().describe('Lo que respondió, en palabras.') }))
          .describe('Sus respuestas de salud; ninguna si no dijo nada.'),
      }),
    ),
  /** Marks as attended, absent or unmarked (null). `excuse`: why an absence does not count as a no-show. A guest's place has its own id. */
  mark: endpoint('PUT', '/admin/class_reservations/attendance', 'staff:classes.own', 'Asistencia', 'Pasar lista')
    .input(z.object({ class_reservation_id: id, attend: z.boolean().nullable(), excuse: reason.nullish() }))
    .errors(reservationRefusals)
    .errors(refusals('RESERVATION_CANCELLED', 'ATTENDANCE_TOO_EARLY', 'CLASS_CANCELLED'))
    .output(z.object({ class_reservation: rosterReservation })),
  /**
   * Staff reserve for a customer: with a credit, or as a single place paid at the counter (`is_cash`), now (`is_paid`, a sale with its
   * charge) or later. The booking windows do not apply to staff.
   */
  reserve: endpoint('POST', '/admin/class_reservations', 'staff:roster.all', 'Asistencia', 'Reservar para un cliente')
    .input(
      z.object({
        customer_id: id,
        single_class_id: id,
        spot: spot.nullish(),
        guest: singleLine(80).nullish(),
        guest_spot: spot.nullish(),
        available_class_id: id.nullish(),
        is_cash: z.boolean().default(false),
        /** The money is received now; only with `is_cash`. */
        is_paid: z.boolean().default(false),
        /**
         * In a full class, with the right `roster.over_capacity`: adds a place beyond the capacity, with the reason; without a seat of the
         * map.
         */
        over_capacity: z.object({ reason }).nullish().describe('Agrega un lugar a una clase llena, con el motivo; null: no.'),
        /** With the right `credits.edit`: grants the credit that pays for the place, in the same transaction. */
        courtesy: z
          .object({ reason })
          .nullish()
          .describe(
            'Da de cortesía la clase con que se paga el lugar, con el motivo; null: no. No va con `is_cash` ni `available_class_id`.',
          ),
        ...received,
      }),
    )
    .errors(
      refusals(
        ...RESERVE_REFUSALS,
        'NOT_FOUND',
        'PRICE_MISSING',
        'PAYMENT_METHOD_UNAVAILABLE',
        'CASH_SESSION_REQUIRED',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(z.object({ class_reservation: rosterReservation })),
  /** Cancels a customer's reservation; `credit` decides whether the credit is returned, regardless of the cancellation windows. */
  cancel: endpoint(
    'DELETE',
    '/admin/class_reservations/{class_reservation_id}',
    'staff:roster.all',
    'Asistencia',
    'Cancelar el lugar de un cliente',
  )
    .input(z.object({ class_reservation_id: pathId, reason, credit: z.enum(['return', 'keep']).default('return') }))
    .errors(reservationRefusals)
    .errors(refusals('RESERVATION_CANCELLED', 'CLASS_STARTED'))
    .output(
      z.object({
        class_reservation: rosterReservation,
        credit: z.enum(['returned', 'courtesy', 'kept', 'none']),
        undo: actUndo.nullable().describe('Cómo se deshace; null: no se puede.'),
      }),
    ),
  /** Records that the money of a single place was received: creates a sale with its charge and receipt, once. */
  paid: endpoint('PUT', '/admin/class_reservations/paid', 'staff:sales.sell', 'Asistencia', 'Registrar el pago en el estudio')
    .input(
      z.object({
        class_reservation_id: id,
        /** The amount that the cashier saw, in pesos; refused when it differs from the amount owed. */
        amount: priceSent.optional(),
        ...received,
      }),
    )
    .errors(reservationRefusals)
    .errors(
      refusals(
        'RESERVATION_NOT_CASH',
        'RESERVATION_CANCELLED',
        'PRICE_MISSING',
        'PRICE_CHANGED',
        'PAYMENT_METHOD_UNAVAILABLE',
        'CASH_SESSION_REQUIRED',
      ),
    )
    .output(z.object({ class_reservation: rosterReservation })),
}

export const penalties = {
  /**
   * The caller's own penalties, newest first; with the right to read rosters everyone's, or those of `customer_id` (S2-7.46). `filter`:
   * only those in force, or only the others. `total`: over all pages.
   */
  list: endpoint('GET', '/class_reservation_penaltys', 'identity', 'Penalizaciones', 'Penalizaciones')
    .input(
      z.object({
        customer_id: pathId.optional(),
        filter: z.enum(['active', 'over']).optional().describe('Solo las vigentes, o solo las que ya no lo están.'),
        page: pageNumber.default(1),
      }),
    )
    .errors(refusals('NO_CUSTOMER'))
    .output(z.object({ class_reservation_penaltys: z.array(penalty), total: z.int(), pages: z.int() })),
  one: endpoint('GET', '/class_reservation_penaltys/{class_reservation_penalty_id}', 'identity', 'Penalizaciones', 'Una penalización')
    .input(z.object({ class_reservation_penalty_id: pathId }))
    .errors(refusals('PENALTY_NOT_FOUND', 'NO_CUSTOMER'))
    .output(z.object({ class_reservation_penalty: penalty })),
  /**
   * Creates a penalty by hand. `resumes_on`: the day on which booking is possible again; default: the setting's number of days from today.
   */
  create: endpoint('POST', '/class_reservation_penaltys', 'staff:roster.all', 'Penalizaciones', 'Penalizar')
    .input(z.object({ customer_id: id, reason, resumes_on: localDay.optional() }))
    .errors(refusals('PENALTIES_DISABLED', 'NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ class_reservation_penalty: penalty })),
  /** Changes the day on which booking is possible again. */
  update: endpoint('PUT', '/class_reservation_penaltys', 'staff:roster.all', 'Penalizaciones', 'Cambiar hasta cuándo')
    .input(z.object({ class_reservation_penalty_id: id, resumes_on: localDay, reason }))
    .errors(refusals('PENALTY_NOT_FOUND', 'PENALTY_OVER'))
    .output(z.object({ class_reservation_penalty: penalty })),
  /** Forgives it, with a reason; the row stays as history (S2-7.50, settled 44). */
  forgive: endpoint(
    'DELETE',
    '/class_reservation_penaltys/{class_reservation_penalty_id}',
    'staff:roster.all',
    'Penalizaciones',
    'Perdonar',
  )
    .input(z.object({ class_reservation_penalty_id: pathId, reason: reason.default('Perdonada por el estudio') }))
    .errors(refusals('PENALTY_NOT_FOUND', 'PENALTY_OVER'))
    .output(z.object({ class_reservation_penalty: penalty })),
}
