/** What a reservation is called, and the dialogs about it. */
import type { Reservation } from '#contract/bookings.ts'
import { formatWall } from '#contract/time.ts'
import { coachNames } from '#web/features/calendar/class-facts.ts'

interface Named {
  single_class: Pick<Reservation['single_class'], 'class_type' | 'class_date' | 'class_instructors'>
}

/** "Reformer con Renata" */
export function reservationTitle({ single_class }: Named): string {
  const coaches = coachNames(single_class)
  return coaches ? `${single_class.class_type.name} con ${coaches}` : single_class.class_type.name
}

/** "Reformer con Renata, miércoles 18 de noviembre, 18:00": which one is meant, for a reader. */
export const reservationAriaLabel = (row: Named): string => `${reservationTitle(row)}, ${formatWall(row.single_class.class_date, 'spoken')}`

/** Still to come: of what is over the server says neither that it can be given up nor why not. */
export const isComing = ({ actions, why_not }: Pick<Reservation, 'actions' | 'why_not'>): boolean =>
  actions.cancel !== null || why_not !== null

/** The dialogs about a place of mine, by their keys in the address; each is about one reservation. */
export const RESERVATION_DIALOGS = ['lugar', 'asiento', 'invitado', 'cancelar', 'cambiar', 'repetir', 'codigo', 'calificar'] as const
export type ReservationDialog = (typeof RESERVATION_DIALOGS)[number]

export const isReservationDialog = (name: string): name is ReservationDialog => RESERVATION_DIALOGS.some((one) => one === name)
