/** Reservations: a place's whole life (spec 2 sections 3-5, 7, 8; decisions 18-25). */
import * as z from 'zod'
import { endpoint, id, instant, line, pageNumber, pathId, refusals } from './endpoint.ts'
import { singleClass, whyNot } from './schedule.ts'

/** Reservations per page (S2-9.01). */
export const RESERVATIONS_PER_PAGE = 50

/** Pages of a list of `total` (S2-9.02): at least one, so that "1 / 1" can be shown. */
export function pageCount(total: number, perPage = RESERVATIONS_PER_PAGE): number {
  return Math.max(1, Math.ceil(total / perPage))
}

/** A spot of the map: row-column, counted from 1 (decision 23). */
export const spot = z.string().regex(/^[1-9]\d?-[1-9]\d?$/)

/** Display status, first match wins (S2-4.01 to S2-4.06). */
export const reservationStatus = z.enum([
  'Cancelada',
  'Pago en Efectivo Incompleto',
  'No Asistí',
  'Exitosa',
  'Próxima',
])

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

export const reservation = z.object({
  class_reservation_id: id,
  single_class_id: id,
  customer_id: id,
  createdAt: instant,
  deletedAt: instant.nullable(),
  is_cash: z.boolean(),
  is_paid: z.boolean(),
  attend: z.boolean().nullable(),
  spot: z.string().nullable(),
  /** Name of the guest, and the guest's own place. */
  guest: z.string().nullable(),
  guest_spot: z.string().nullable(),
  class_stars: z.int().nullable(),
  coach_stars: z.int().nullable(),
  comment: z.string().nullable(),
  /** Which credit paid: title of its lot. */
  paid_with: z.string().nullable(),
  status: reservationStatus,
  actions: z.object({ cancel: z.enum(['free', 'late']).nullable(), rate: z.boolean(), access_code: z.boolean(), add_guest: z.boolean() }),
  why_not: whyNot.nullable(),
  single_class: singleClass.omit({ actions: true, why_not: true, state: true, mine: true, waitlist_id: true, class_reservations: true }),
})
export type Reservation = z.infer<typeof reservation>

export const reservationFilter = z.enum(['all', 'upcoming', 'past', 'cancelled'])

const reserveRefusals = refusals(
  'CLASS_NOT_FOUND', 'CLASS_FULL', 'CLASS_STARTED', 'CLASS_CANCELLED', 'CLASS_NOT_OPEN', 'CLASS_CLOSED', 'CLASS_SOLD_AS_PACKAGE',
  'NO_CREDITS', 'NO_MATCHING_CREDITS', 'CREDIT_NOT_USABLE', 'ALREADY_RESERVED', 'OVERLAPPING_RESERVATION', 'SPOT_REQUIRED', 'SPOT_TAKEN',
  'SPOT_UNKNOWN', 'SPOT_OUT_OF_ORDER', 'PENALTY_ACTIVE', 'GUESTS_NOT_ALLOWED', 'GUEST_NAME_REQUIRED', 'DOCUMENTS_REQUIRED',
  'PROFILE_INCOMPLETE', 'IDEMPOTENCY_KEY_REUSED',
)

/** What reserving asks. `guest` takes a second place and a second credit (decision 21). */
export const reserve = z.object({
  single_class_id: id,
  spot: spot.nullish(),
  guest: line(80).nullish(),
  guest_spot: spot.nullish(),
  /** The lot to pay with, when the customer chose one (decision 18). */
  available_class_id: id.nullish(),
})
export type Reserve = z.infer<typeof reserve>

export const bookings = {
  /** My reservations, newest class first; 50 a page (S2-7.62). */
  list: endpoint('GET', '/class_reservations', 'customer', 'Reservaciones', 'Mis reservaciones')
    .input(z.object({ page: pageNumber.default(1), filter: reservationFilter.default('all') }))
    .output(
      z.object({
        class_reservations: z.array(reservation),
        total: z.int(),
        pages: z.int(),
        /** The line above the list (S2-2.48). */
        policy: z.object({ cancel: z.string(), limit: z.string().nullable(), window: z.string().nullable() }),
      }),
    ),
  one: endpoint('GET', '/class_reservations/{class_reservation_id}', 'customer', 'Reservaciones', 'Una reservación')
    .input(z.object({ class_reservation_id: pathId }))
    .errors(refusals('RESERVATION_NOT_FOUND'))
    .output(z.object({ class_reservation: reservation })),
  /** Takes a place (S2-7.63). Send `Idempotency-Key`: a repeated request has one effect and one answer. */
  reserve: endpoint('POST', '/class_reservations', 'customer', 'Reservaciones', 'Reservar')
    .input(reserve)
    .errors(reserveRefusals)
    .output(z.object({ class_reservation: reservation })),
  /** Changes the spot or the guest (S2-7.64). A guest where there was none takes a place and pays like one (decision 21): send `Idempotency-Key`. */
  update: endpoint('PUT', '/class_reservations', 'customer', 'Reservaciones', 'Cambiar una reservación')
    .input(z.object({ class_reservation_id: id, spot: spot.optional(), guest: line(80).optional(), guest_spot: spot.optional() }))
    .errors(reserveRefusals)
    .errors(refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED'))
    .output(z.object({ class_reservation: reservation })),
  /** Gives a place up (S2-7.65). `credit` says what came back: the credit, a courtesy one (decision 19), or nothing. */
  cancel: endpoint('DELETE', '/class_reservations/{class_reservation_id}', 'customer', 'Reservaciones', 'Cancelar')
    .input(z.object({ class_reservation_id: pathId }))
    .errors(
      refusals('RESERVATION_NOT_FOUND', 'RESERVATION_CANCELLED', 'CANCEL_TOO_LATE', 'CANCEL_NOT_ALLOWED', 'CANCEL_LIMIT', 'CLASS_STARTED', 'IDEMPOTENCY_KEY_REUSED'),
    )
    .output(z.object({ class_reservation: reservation, credit: z.enum(['returned', 'courtesy', 'kept', 'none']) })),
}
