/** The timetable: classes, their places and what the caller may do with them now (spec 2 sections 2-5, 7; settled 2, 4, 20, 23). */
import * as z from 'zod'
import { classType, instructor, location } from './catalogue.ts'
import { availableClass } from './credits.ts'

import {
  done,
  endpoint,
  id,
  ids,
  instant,
  localDay,
  paragraph,
  pathId,
  pesosWire,
  priceSent,
  refusals,
  singleLine,
  wallStart,
} from './endpoint.ts'
import { isIcon, LINK_MESSAGE } from './link.ts'

/** Why an action is not possible: the refusal that the operation would return. */
export const whyNot = z.object({ code: z.string(), message: z.string() })

export const tag = z.object({ tag_id: id, name: z.string(), color: z.string().nullable() })

/** State of a class for the caller. */
export const classState = z.enum(['available', 'reserved', 'full', 'waitlisted', 'penalised', 'not_open', 'closed', 'cancelled', 'past'])

/** Actions possible now, computed by the rules that guard the operations; the client never derives a window itself. */
export const classActions = z.object({
  /** `sign_in`: possible after signing in. `buy_credits`: no lot fits. `buy`: sold as a package. */
  reserve: z.enum(['ok', 'sign_in', 'buy_credits', 'buy']).nullable(),
  /** `free` returns the credit, `late` does not. */
  cancel: z.enum(['free', 'late']).nullable(),
  add_guest: z.boolean(),
  join_waitlist: z.boolean(),
  leave_waitlist: z.boolean(),
})

/** What the seats of a reservation are called in their room (L18); left out where they have no number. */
export const seatLabels = {
  seat_label: z.string().optional(),
  guest_seat_label: z.string().optional(),
}

/** A seat of a class's room that is sold, in the room's order. */
export const seatMark = z.object({
  spot: z.string(),
  label: z.string().nullable().describe('Cómo se llama en la sala: "17"; null: no tiene número.'),
  kind: z.enum(['normal', 'vip', 'adaptado']).describe('Qué es: `adaptado` es para sillas de ruedas o aparatos adaptados.'),
})

/** The caller's own reservation of a class. */
export const myReservation = z.object({
  class_reservation_id: id,
  spot: z.string().nullable(),
  guest: z.string().nullable(),
  guest_spot: z.string().nullable(),
  ...seatLabels,
  attend: z.boolean().nullable(),
})

/** Figures of a class for staff only: enough for the day at the desk without loading each roster. Guests' places count. */
const classFigures = z.object({
  /** Places held for waitlisted customers. */
  held: z.int(),
  /** Waitlist entries, including those with an offer. */
  waiting: z.int(),
  /** Reservations marked as attended and as absent; the others are unmarked. */
  attended: z.int(),
  absent: z.int(),
  /** Reservations still to be paid at the counter. */
  unpaid: z.int(),
  /** Their total, as far as prices are known; null for coaches, who read no amounts. */
  owed: pesosWire.nullable(),
  cancelled: z.boolean(),
  /** Why it was cancelled; null = not cancelled, or no reason given. */
  cancel_reason: z.string().nullable(),
  /** Less than `low_attendance_percent` of its places are taken; false without a capacity. */
  low_attendance: z.boolean(),
})
export type ClassFigures = z.infer<typeof classFigures>

export const singleClass = z.object({
  single_class_id: id,
  /** The studio's wall clock written as UTC (settled 2). */
  class_date: instant,
  starts_at: instant,
  ends_at: instant,
  timezone: z.string(),
  duration_minutes: z.int(),
  description: z.string(),
  /** Null means full (settled 20). */
  capacity: z.int().nullable(),
  /** Reserved and held places. */
  taken: z.int(),
  places_left: z.int().min(0),
  /** Taken seats only: never names or ids of other people. */
  class_reservations: z.array(z.object({ spot: z.string().nullable() })),
  class_instructors: z.array(
    z.object({
      instructor: instructor.pick({ instructor_id: true, name: true, last_name: true, nick_name: true, birthdate: true, file: true }),
    }),
  ),
  /** Name of the coach whom these coaches substitute (L9); left out without a substitution. */
  substitutes_for: z.string().optional(),
  class_type: classType.pick({ class_type_id: true, name: true, icon: true, spot_map: true, image: true }),
  location: location.pick({ location_id: true, name: true, address: true }),
  location_id: id,
  class_package_id: id.nullable(),
  class_category_id: id.nullable(),
  tags: z.array(tag),
  icon: z.string().nullable(),
  /** Row sizes of this class's room, "5,7,6"; null = no map. */
  spot_map: z.string().nullable(),
  /** Spots that cannot be taken. */
  closed_spots: z.array(z.string()),
  /** Price of a single place of this class at the counter; null = the class type's, else the setting's. */
  price: pesosWire.nullable(),
  state: classState,
  actions: classActions,
  why_not: whyNot.nullable(),
  /** When booking opens or closed, for the card's texts; wall clock written as UTC. */
  opens_at: instant.nullable(),
  mine: myReservation.nullable(),
  waitlist_id: id.nullable(),
  /** Staff only, in the calendar and of one class; coaches get it for their own classes. */
  figures: classFigures.optional(),
})
export type SingleClass = z.infer<typeof singleClass>

/** A day without classes as customers see it: its name, and where; null = everywhere. */
export const closedDay = z.object({
  name: z.string(),
  places: z
    .array(location.pick({ location_id: true, name: true }))
    .nullable()
    .describe('En qué estudios está cerrado; null: en todos.'),
})

/** One day of the schedule; `closed` is left out on days on which the studio is open (L13). */
export const day = z.object({
  date: z.string(),
  classes: z.array(singleClass),
  closed: z.array(closedDay).optional().describe('Por qué está cerrado ese día.'),
})

/** What one booking takes from one credit lot. */
export const creditSpend = z.object({
  available_class_id: id,
  title: z.string(),
  /** Places that this lot pays for: the caller's, the guest's, or both. */
  places: z.int().min(1).max(2),
  /** Credits taken from the lot; 0 when it is unlimited or the guest is free of charge (C4, C5). */
  credits: z.int().min(0).max(2),
  /** Credits remaining afterwards; -1 = unlimited. */
  left: z.int().min(-1),
})
export type CreditSpend = z.infer<typeof creditSpend>

/** A credit lot that fits the class, with what a booking takes if it is chosen: the same computation as the booking itself (C3-C5). */
export const usableCredit = availableClass.extend({
  spends: z.object({
    alone: z.array(creditSpend),
    /** Null when no credit is left for the guest's place. */
    with_guest: z.array(creditSpend).nullable(),
  }),
})

/** One class with the data of the reserve dialog. */
export const classDetail = singleClass.extend({
  /** The seats with their numbers and kinds; null in a room without a map of its own. */
  seats: z.array(seatMark).nullable().describe('Los lugares con su número y qué son; null en una sala sin mapa propio.'),
  /** Lots that fit, the one used first in front (settled 18). Empty for visitors. */
  credits: z.array(usableCredit),
  /** What adding a guest to the caller's reservation would take now (C5); null without a reservation, or when no credit is left. */
  guest_spend: creditSpend.nullable(),
  /** Last instant at which cancelling returns the credit, wall clock written as UTC; null = no window set, no cancelling, or over. */
  free_cancel_until: instant.nullable(),
  /** The cancellation policy in words (S2-8.07 to S2-8.09); `window`: "12 horas", null when none is set. */
  policy: z.object({ cancel: z.string(), limit: z.string().nullable(), window: z.string().nullable() }),
})
export type ClassDetail = z.infer<typeof classDetail>

const spotMap = z
  .string()
  .regex(/^[1-9]\d?(,[1-9]\d?)*$/)
  .max(200)
const closedSpots = z.array(z.string().regex(/^[1-9]\d?-[1-9]\d?$/)).max(500)

/** Writable fields of a class. `capacity` null means full (settled 20). */
export const classFields = {
  class_type_id: id,
  location_id: id,
  /** The start, in the location's time zone. */
  class_date: wallStart,
  /** Default: the class type's. */
  duration_minutes: z.int().min(5).max(1440).optional(),
  capacity: z.int().min(0).max(1_000).nullable(),
  /** Price of a single place at the counter, in pesos; null = the class type's, else the setting `drop_in_price`. */
  price: priceSent.nullish(),
  instructor_ids: ids(10),
  description: paragraph(4_000).optional(),
  icon: singleLine(80).refine(isIcon, LINK_MESSAGE).nullish(),
  tag_ids: ids(20).optional(),
  class_category_id: id.nullish(),
  class_package_id: id.nullish(),
  /** A room of the location; null = none. In a room with a map the class has its seats (L18). */
  room_id: id.nullish(),
  /** Default: the class type's; null = a room without a map. Ignored where the room has a map. */
  spot_map: spotMap.nullish(),
  closed_spots: closedSpots.optional(),
}
export const newClass = z.object({
  ...classFields,
  /** Repeats the class weekly until this day inclusive; at most a year. */
  repeat_until: localDay.optional(),
})
export type NewClass = z.infer<typeof newClass>
export const changedClass = z.object({ single_class_id: id, ...z.object(classFields).partial().shape })
export type ChangedClass = z.infer<typeof changedClass>

export const schedule = {
  /** Default: the current week, Monday to Sunday; at most 42 days (S2-7.59). A signed-in customer also gets state and actions. */
  week: endpoint('GET', '/single_class', 'optional', 'Calendario', 'Horario', ['schedule', 'catalogue'])
    .input(
      z.object({
        start_date: localDay.optional(),
        end_date: localDay.optional(),
        instructor_id: pathId.optional(),
        location_id: pathId.optional(),
        class_type_id: pathId.optional(),
      }),
    )
    .output(z.object({ days: z.array(day), start_date: z.string(), end_date: z.string(), today: z.string() })),
  one: endpoint('GET', '/single_class/single/{single_class_id}', 'optional', 'Calendario', 'Una clase')
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND'))
    .output(z.object({ single_class: classDetail })),
  /** Creates a class, or one a week; answers their ids in order of day. Send `Idempotency-Key`. */
  create: endpoint('POST', '/single_class', 'staff:schedule.edit', 'Calendario', 'Programar una clase')
    .input(newClass)
    .errors(refusals('NOT_FOUND', 'INVALID_INPUT', 'ROOM_TAKEN', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ single_class_ids: z.array(id), class_series_id: id.nullable() })),
  /**
   * Changes a class. Customers with a reservation are notified of another time, location or coach, and may cancel without loss when time or
   * location changed.
   */
  update: endpoint('PUT', '/single_class', 'staff:schedule.edit', 'Calendario', 'Cambiar una clase')
    .input(changedClass)
    .errors(
      refusals('CLASS_NOT_FOUND', 'CLASS_CANCELLED', 'CLASS_STARTED', 'NOT_FOUND', 'CAPACITY_BELOW_TAKEN', 'SPOTS_IN_USE', 'ROOM_TAKEN'),
    )
    .output(z.object({ single_class: singleClass, told: z.int() })),
  /** Cancels a class for the studio: reservations released, credits returned, lots extended, waitlist closed, customers notified. */
  cancel: endpoint('DELETE', '/single_class/{single_class_id}', 'staff:schedule.edit', 'Calendario', 'Cancelar una clase')
    .input(z.object({ single_class_id: pathId, reason: singleLine(300).optional() }))
    .errors(refusals('CLASS_NOT_FOUND', 'CLASS_CANCELLED', 'CLASS_STARTED'))
    .output(
      z.object({
        single_class: singleClass,
        /** Reservations released, including guests; people notified; last instant to undo this. */
        released: z.int(),
        told: z.int(),
        undo_until: instant,
      }),
    ),
  /**
   * Deletes a class that was put on the calendar by mistake; nothing of it stays public. CLASS_HAS_HISTORY: it has or had a reservation or
   * a waitlist entry; such a class is cancelled instead.
   */
  erase: endpoint(
    'DELETE',
    '/admin/single_class/{single_class_id}',
    'staff:schedule.edit',
    'Calendario',
    'Eliminar una clase que nadie reservó',
  )
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND', 'CLASS_HAS_HISTORY'))
    .output(done),
  /** Takes the cancelling back within ten minutes: places, credits and waitlist as they were, where that is still possible. */
  restore: endpoint('POST', '/single_class/{single_class_id}/restore', 'staff:schedule.edit', 'Calendario', 'Deshacer la cancelación')
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND', 'UNDO_TOO_LATE'))
    .output(
      z.object({
        single_class: singleClass,
        restored: z.int(),
        /** Customers whose reservation could not be restored, and why. */
        lost: z.array(z.object({ customer_id: id, name: z.string(), why_not: whyNot })),
      }),
    ),
}
