/** Reservations, from booking to rating (spec 2 sections 3-5, 7, 8; settled 18-25). */
import * as z from 'zod'
import { endpoint, id, instant, pageNumber, paragraph, pathId, refusals, singleLine, unlessNull } from './endpoint.ts'
import { seatLabels, singleClass, whyNot } from './schedule.ts'

/** Reservations per page (S2-9.01). */
export const RESERVATIONS_PER_PAGE = 50

/** A spot of the map: row-column, counted from 1 (settled 23). */
export const spot = z.string().regex(/^[1-9]\d?-[1-9]\d?$/)

/** Display status; the first condition that matches decides (S2-4.01 to S2-4.06). */
export const reservationStatus = z.enum(['Cancelada', 'Pago en Efectivo Incompleto', 'No Asistí', 'Exitosa', 'Próxima'])

/** The status in the order of spec 2 section 4. `past`: the class has ended. */
export function statusOf(facts: {
  deletedAt: unknown
  is_cash: boolean
  is_paid: boolean
  attend: boolean | null
  past: boolean
}): z.infer<typeof reservationStatus> {
  if (facts.deletedAt) return 'Cancelada'
  if (facts.is_cash && !facts.is_paid) return 'Pago en Efectivo Incompleto'
  if (facts.attend === false && facts.past) return 'No Asistí'
  if (facts.attend) return 'Exitosa'
  return 'Próxima'
}

/**
 * Credits that cancelling now would return: `returned` to their lots, `courtesy` as new courtesy credits (settled 19), `kept`: forfeited
 * because it is late.
 */
export const creditsReturned = z.object({ returned: z.int().min(0), courtesy: z.int().min(0), kept: z.int().min(0) })
export type CreditsReturned = z.infer<typeof creditsReturned>

export const reservation = z.object({
  class_reservation_id: id,
  single_class_id: id,
  customer_id: id,
  createdAt: instant,
  deletedAt: instant.nullable(),
  /** Who cancelled: `studio` cancelled the class; `undo` and `move` are the customer's own; null while the reservation is active. */
  cancelled_by: z.enum(['customer', 'staff', 'studio', 'system', 'undo', 'move']).nullable(),
  is_cash: z.boolean(),
  is_paid: z.boolean(),
  attend: z.boolean().nullable(),
  spot: z.string().nullable(),
  /** Name of the guest, and the reservation of the guest's place. */
  guest: z.string().nullable(),
  guest_spot: z.string().nullable(),
  ...seatLabels,
  class_stars: z.int().nullable(),
  coach_stars: z.int().nullable(),
  comment: z.string().nullable(),
  /** Title of the credit lot that paid. */
  paid_with: z.string().nullable(),
  status: reservationStatus,
  actions: z.object({
    cancel: z.enum(['free', 'late']).nullable(),
    rate: z.boolean(),
    access_code: z.boolean(),
    add_guest: z.boolean(),
    /** Whether the guest's place alone can be cancelled: `free` returns its credit, `late` does not. */
    remove_guest: z.enum(['free', 'late']).nullable(),
    /** Whether the reservation can be moved to another class in one step, keeping the credit. */
    move: z.boolean(),
  }),
  /** Last instant at which this booking can be undone without losing the credit; null when it no longer can (`undo_minutes`). */
  undo_until: instant.nullable(),
  late_window: z.string().nullable().describe('La ventana que ya pasó, como "12 horas", cuando cancelar es tarde; null: no lo es.'),
  why_not: whyNot.nullable(),
  /** Credits returned by cancelling (with the guest's place) and by removing only the guest; null = not possible. */
  comes_back: creditsReturned.nullable(),
  guest_comes_back: creditsReturned.nullable(),
  single_class: singleClass.omit({ actions: true, why_not: true, state: true, mine: true, waitlist_id: true, class_reservations: true }),
})
export type Reservation = z.infer<typeof reservation>

const shownReservation = z.object({ class_reservation: reservation })
/** What was returned: the credit, a courtesy credit (settled 19), `kept`: forfeited because it was late, `none`: nothing had been paid. */
const creditBack = z.enum(['returned', 'courtesy', 'kept', 'none'])

/** A class offered instead of another one. */
export const alternative = singleClass.pick({
  single_class_id: true,
  class_date: true,
  starts_at: true,
  ends_at: true,
  timezone: true,
  places_left: true,
  class_type: true,
  location: true,
  class_instructors: true,
})

export const reservationFilter = z.enum(['all', 'upcoming', 'past', 'cancelled'])

/** Refusals of a reservation, whether the customer or staff make it. */
export const RESERVE_REFUSALS = [
  'CLASS_NOT_FOUND',
  'CLASS_FULL',
  'CLASS_STARTED',
  'CLASS_CANCELLED',
  'CLASS_SOLD_AS_PACKAGE',
  'NO_CREDITS',
  'NO_MATCHING_CREDITS',
  'CREDIT_NOT_USABLE',
  'ALREADY_RESERVED',
  'OVERLAPPING_RESERVATION',
  'SPOT_REQUIRED',
  'SPOT_TAKEN',
  'SPOT_UNKNOWN',
  'SPOT_OUT_OF_ORDER',
  'GUESTS_NOT_ALLOWED',
  'GUEST_NAME_REQUIRED',
] as const

/** Refusals of a customer's own reservation: booking windows, penalties, documents and the profile apply too. */
export const OWN_RESERVE_REFUSALS = [
  ...RESERVE_REFUSALS,
  'CLASS_NOT_OPEN',
  'CLASS_CLOSED',
  'PENALTY_ACTIVE',
  'DOCUMENTS_REQUIRED',
  'PROFILE_INCOMPLETE',
] as const

/**
 * What booking refuses and joining a waitlist does not: the class is full, so no spot is chosen, and what else is listed may change until a
 * place is free; it is checked when the place is booked.
 */
const CHECKED_WHEN_FREE = [
  ...(['CLASS_FULL', 'CLASS_SOLD_AS_PACKAGE', 'NO_CREDITS', 'NO_MATCHING_CREDITS', 'CREDIT_NOT_USABLE'] as const),
  ...(['OVERLAPPING_RESERVATION', 'SPOT_REQUIRED', 'SPOT_TAKEN', 'SPOT_UNKNOWN', 'SPOT_OUT_OF_ORDER'] as const),
  ...(['GUESTS_NOT_ALLOWED', 'GUEST_NAME_REQUIRED', 'DOCUMENTS_REQUIRED', 'PROFILE_INCOMPLETE'] as const),
] as const satisfies readonly (typeof OWN_RESERVE_REFUSALS)[number][]
const isForJoining = <C extends string>(code: C): code is Exclude<C, (typeof CHECKED_WHEN_FREE)[number]> =>
  !(CHECKED_WHEN_FREE as readonly string[]).includes(code)

const WAITLIST_REFUSALS = ['WAITLIST_DISABLED', 'WAITLIST_CLASS_HAS_PLACES', 'WAITLIST_ALREADY'] as const
/** Refusals of joining a waitlist: those of the customer's own reservation that hold then, and those of the list. */
export const JOIN_REFUSALS = [...OWN_RESERVE_REFUSALS.filter(isForJoining), ...WAITLIST_REFUSALS]
/** The same where staff put a customer on it: like booking by staff, but within the times of booking. */
export const STAFF_JOIN_REFUSALS = [
  ...RESERVE_REFUSALS.filter(isForJoining),
  'CLASS_NOT_OPEN',
  'CLASS_CLOSED',
  ...WAITLIST_REFUSALS,
] as const

const reserveRefusals = refusals(...OWN_RESERVE_REFUSALS, 'IDEMPOTENCY_KEY_REUSED')

const spotOrNone = z.union([z.literal('').transform(() => null), spot])

/** Input of a reservation. `guest` takes a second place and a second credit (settled 21). */
export const reserve = z.object({
  single_class_id: id,
  /** The customer's existing reservation in this class: it is changed instead of a second one being created (S2-4.16). */
  class_reservation_id: id.nullish(),
  /** '' where the room has no map. */
  spot: spotOrNone.nullish(),
  guest: singleLine(80).nullish(),
  guest_spot: spotOrNone.nullish(),
  /** The credit lot to pay with, when the customer chose one (settled 18). */
  available_class_id: id.nullish(),
})
export type Reserve = z.infer<typeof reserve>

/** With fewer ratings the average is not representative, and might reveal its authors. */
export const LEAST_PUBLIC_RATINGS = 20

/** The average of the ratings of the last year. */
const publicRating = z.object({
  average: z.number().describe('Promedio de 1 a 5, con un decimal.'),
  ratings: z.int().describe('De cuántas calificaciones.'),
})
export type PublicRating = z.infer<typeof publicRating>

/** How many weeks a weekly booking may span: half a year. */
export const repeatWeeks = z.int().min(1).max(26)

/** The result of a weekly booking. */
export const repeatedWeeks = z.object({
  /** One per week, starting with this one. */
  weeks: z.array(
    z.object({
      /** The day in the class's time zone. */
      date: z.string(),
      single_class_id: id.nullable(),
      class_date: instant.nullable(),
      class_reservation_id: id.nullable(),
      /** `mine`: already reserved before. `no_class`: no such class in that week. */
      outcome: z.enum(['booked', 'mine', 'no_class', 'refused']),
      why_not: whyNot.nullable(),
    }),
  ),
  booked: z.int(),
})

export const bookings = {
  /** The customer's reservations: those to come, soonest first, then the others, newest first; 50 a page (S2-7.62). */
  list: endpoint('GET', '/class_reservations', 'customer', 'Reservaciones', 'Mis reservaciones')
    .input(z.object({ page: pageNumber.default(1), filter: reservationFilter.default('all') }))
    .output(
      z.object({
        class_reservations: z.array(reservation),
        total: z.int(),
        pages: z.int(),
        /** The sentences of the policy shown above the list (S2-2.48). */
        policy: z.object({ cancel: z.string(), limit: z.string().nullable(), window: z.string().nullable() }),
      }),
    ),
  one: endpoint('GET', '/class_reservations/{class_reservation_id}', 'customer', 'Reservaciones', 'Una reservación')
    .input(z.object({ class_reservation_id: pathId }))
    .errors(refusals('RESERVATION_NOT_FOUND'))
    .output(z.object({ class_reservation: reservation })),
  /**
   * Reserves a place (S2-7.63), or changes the named reservation (S2-4.16). With `Idempotency-Key` a repeated request has one effect and
   * one answer.
   */
  reserve: endpoint('POST', '/class_reservations', 'customer', 'Reservaciones', 'Reservar, o guardar cambios si lleva su id')
    .input(reserve)
    .errors(reserveRefusals)
    .errors(refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED'))
    .output(z.object({ class_reservation: reservation })),
  /** Changes the seat or the guest (S2-7.64). A new guest takes and pays for a place (settled 21): send `Idempotency-Key`. */
  update: endpoint('PUT', '/class_reservations', 'customer', 'Reservaciones', 'Cambiar una reservación')
    .input(z.object({ class_reservation_id: id, spot: unlessNull(spot), guest: unlessNull(singleLine(80)), guest_spot: unlessNull(spot) }))
    .errors(reserveRefusals)
    .errors(refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED'))
    .output(z.object({ class_reservation: reservation })),
  /** Cancels a reservation (S2-7.65). `credit`: what was returned. */
  cancel: endpoint('DELETE', '/class_reservations/{class_reservation_id}', 'customer', 'Reservaciones', 'Cancelar')
    .input(z.object({ class_reservation_id: pathId }))
    .errors(
      refusals(
        'RESERVATION_NOT_FOUND',
        'RESERVATION_CANCELLED',
        'CANCEL_TOO_LATE',
        'CANCEL_NOT_ALLOWED',
        'CANCEL_LIMIT',
        'CLASS_STARTED',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(z.object({ class_reservation: reservation, credit: creditBack })),
  /** Renames the guest, or adds one: a place and its payment (S2-7.61, settled 21). Send `Idempotency-Key`. */
  guest: endpoint('PUT', '/single_class/guest', 'customer', 'Reservaciones', 'Nombrar o agregar a mi invitado')
    .input(z.object({ class_reservation_id: id, name: singleLine(80), guest_spot: unlessNull(spot) }))
    .errors(reserveRefusals)
    .errors(refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED'))
    .output(shownReservation),
  /** Cancels only the guest's place, within the cancellation windows. */
  removeGuest: endpoint('DELETE', '/single_class/guest/{class_reservation_id}', 'customer', 'Reservaciones', 'Quitar a mi invitado')
    .input(z.object({ class_reservation_id: pathId }))
    .errors(
      refusals(
        'RESERVATION_NOT_FOUND',
        'RESERVATION_CANCELLED',
        'GUEST_NOT_FOUND',
        'CANCEL_TOO_LATE',
        'CANCEL_NOT_ALLOWED',
        'CLASS_STARTED',
        'CLASS_CANCELLED',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(z.object({ class_reservation: reservation, credit: creditBack })),
  /** Rates an attended class, once (S2-3.23, S2-4.07). The stars of the class itself are optional (S2-5.09). */
  rate: endpoint('POST', '/class_reservations/rating', 'customer', 'Reservaciones', 'Calificar una clase')
    .input(
      z.object({
        class_reservation_id: id,
        class_stars: z
          .union([z.literal(0).transform(() => null), z.int().min(1).max(5)])
          .nullish()
          .describe('De 1 a 5; 0 o null: sin calificar la clase.'),
        coach_stars: z.int().min(1).max(5),
        comment: paragraph(2_000).nullish(),
      }),
    )
    .errors(refusals('RESERVATION_NOT_FOUND', 'RATING_NOT_ALLOWED', 'ALREADY_RATED'))
    .output(shownReservation),
  /** Averages of the last year, where the studio publishes them; a figure of fewer than twenty ratings is null. Comments stay private. */
  ratings: endpoint('GET', '/ratings', 'public', 'Calendario', 'Calificación del estudio y de sus coaches')
    .input(z.object({ instructor_id: pathId.optional().describe('La calificación de este coach; sin él, la del estudio.') }))
    .output(z.object({ rating: publicRating.nullable().describe('null: no se publica, o tiene menos de veinte.') })),
  /** Moves a reservation to another class in one step, while cancelling would still return the credit. Send `Idempotency-Key`. */
  move: endpoint('POST', '/class_reservations/move', 'customer', 'Reservaciones', 'Cambiar de clase')
    .input(z.object({ class_reservation_id: id, single_class_id: id, spot: spot.nullish(), guest_spot: spot.nullish() }))
    .errors(reserveRefusals)
    .errors(refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED', 'MOVE_TOO_LATE', 'MOVE_SAME_CLASS'))
    .output(shownReservation),
  /** The class of the last visit at its next date with a place, in two weeks at most; null without one (R28). */
  again: endpoint('GET', '/class_reservations/again', 'customer', 'Reservaciones', 'La clase que reservaría otra vez').output(
    z.object({
      single_class: singleClass.nullable().describe('La misma clase en su siguiente fecha con lugar; null si no la hay.'),
      spot: spot.nullable().describe('El lugar de la última vez, u otro libre; null en una sala sin mapa.'),
    }),
  ),
  /** Reserves the same class every week, as far as classes, places and credits allow; reports the outcome of each week. Safe to repeat. */
  repeat: endpoint('POST', '/class_reservations/repeat', 'customer', 'Reservaciones', 'Repetir cada semana')
    .input(z.object({ single_class_id: id, weeks: repeatWeeks, spot: spot.nullish() }))
    .errors(refusals('CLASS_NOT_FOUND'))
    .output(repeatedWeeks),
  /** Three classes of the same kind with a free place, nearest first, for a customer whose reservation or offer was lost. */
  alternatives: endpoint('GET', '/single_class/{single_class_id}/alternatives', 'optional', 'Calendario', 'Otras clases en vez de esta')
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND'))
    .output(z.object({ classes: z.array(alternative) })),
  /** Links that add one reservation to a calendar. */
  calendarLinks: endpoint(
    'GET',
    '/class_reservations/{class_reservation_id}/calendar',
    'customer',
    'Reservaciones',
    'Agregar a mi calendario',
  )
    .input(z.object({ class_reservation_id: pathId }))
    .errors(refusals('RESERVATION_NOT_FOUND'))
    .output(z.object({ ics_url: z.url(), google_url: z.url(), outlook_url: z.url() })),
  /** The secret address of the customer's calendar feed; anyone who has it sees the customer's classes. */
  feed: endpoint('GET', '/calendar_feed', 'customer', 'Reservaciones', 'Mi calendario por enlace secreto').output(
    z.object({ url: z.url(), webcal_url: z.string() }),
  ),
  /** Creates a new feed address; the old one stops working. */
  renewFeed: endpoint('POST', '/calendar_feed', 'customer', 'Reservaciones', 'Cambiar el enlace de mi calendario').output(
    z.object({ url: z.url(), webcal_url: z.string() }),
  ),
}
