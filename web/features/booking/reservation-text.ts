/** The title of a reservation, and the names of the dialogs about it. */
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

/** "Reformer con Renata, miércoles 18 de noviembre, 18:00": identifies the reservation for screen readers. */
export const reservationAriaLabel = (row: Named): string => `${reservationTitle(row)}, ${formatWall(row.single_class.class_date, 'spoken')}`

/** Whether the class is still ahead: for past ones the server sends neither the cancel action nor a reason against it. */
export const isComing = ({ actions, why_not }: Pick<Reservation, 'actions' | 'why_not'>): boolean =>
  actions.cancel !== null || why_not !== null

/** The dialogs about one reservation, by their query keys. */
export const RESERVATION_DIALOGS = ['lugar', 'asiento', 'invitado', 'cancelar', 'cambiar', 'repetir', 'codigo', 'calificar'] as const
export type ReservationDialog = (typeof RESERVATION_DIALOGS)[number]

export const isReservationDialog = (name: string): name is ReservationDialog =>
  RESERVATION_DIALOGS.some((reservationDialog) => reservationDialog === name)
