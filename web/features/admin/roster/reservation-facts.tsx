import type { RosterReservation } from '#contract/attendance.ts'
import { cancelledByLabels, reservationSourceLabels, reservationStatusLabels } from '#contract/copy/reservation-list.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

/** How a reservation was made, with its label. */
export const SOURCES = (Object.keys(reservationSourceLabels) as RosterReservation['source'][]).map((value) => ({
  value,
  label: reservationSourceLabels[value],
}))

const TONES: Record<RosterReservation['status'], BadgeTone> = {
  Próxima: 'brand',
  Exitosa: 'ok',
  'No Asistí': 'danger',
  'Pago en Efectivo Incompleto': 'warn',
  Cancelada: 'neutral',
}

/** The status of a reservation for the staff. */
export function ReservationStatus({ row }: { row: Pick<RosterReservation, 'status'> }) {
  return <Badge tone={TONES[row.status]}>{reservationStatusLabels[row.status]}</Badge>
}

/** "Lorena: se sintió mal. No se le regresó su clase." */
export function cancelledText({ by, who, reason, late }: NonNullable<RosterReservation['cancelled']>): string {
  return [`Por ${who ?? cancelledByLabels[by]}`, reason && `: ${reason}`, '.', late && ' Fue tarde: no se le regresó su clase.']
    .filter(Boolean)
    .join('')
}
