/** Reservations in words for the staff, for the screen and the file of the list. */
import type { RosterReservation } from '#contract/attendance.ts'

/** How a reservation was made. */
export const reservationSourceLabels: Readonly<Record<RosterReservation['source'], string>> = {
  customer: 'La reservó la persona',
  staff: 'La reservó el equipo',
  waitlist: 'Salió de la lista de espera',
  repeat: 'Se repite cada semana',
  move: 'Cambio de clase',
  restored: 'La clase se recuperó',
}

/** Statuses as the staff read them; customers see other texts. */
export const reservationStatusLabels: Readonly<Record<RosterReservation['status'], string>> = {
  Próxima: 'Próxima',
  Exitosa: 'Asistió',
  'No Asistí': 'No asistió',
  'Pago en Efectivo Incompleto': 'Por cobrar',
  Cancelada: 'Cancelada',
}

/** Who cancelled a reservation. */
export const cancelledByLabels: Readonly<Record<NonNullable<RosterReservation['cancelled']>['by'], string>> = {
  customer: 'la persona',
  staff: 'el equipo',
  studio: 'el estudio, con toda la clase',
  system: 'el sistema',
  undo: 'la persona, recién reservada',
  move: 'un cambio de clase',
}
