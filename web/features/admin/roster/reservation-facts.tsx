import type { RosterReservation } from '#contract/attendance.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

/** How a place was taken, in the words of the screens. */
export const SOURCES = [
  { value: 'customer', label: 'La reservó la persona' },
  { value: 'staff', label: 'La reservó el equipo' },
  { value: 'waitlist', label: 'Salió de la lista de espera' },
  { value: 'repeat', label: 'Se repite cada semana' },
  { value: 'move', label: 'Cambio de clase' },
  { value: 'restored', label: 'La clase se recuperó' },
] as const

/** What the studio calls each status; the customer reads them in the first person. */
const STATUSES: Record<RosterReservation['status'], { word: string; tone: BadgeTone }> = {
  Próxima: { word: 'Próxima', tone: 'brand' },
  Exitosa: { word: 'Asistió', tone: 'ok' },
  'No Asistí': { word: 'No asistió', tone: 'danger' },
  'Pago en Efectivo Incompleto': { word: 'Por cobrar', tone: 'warn' },
  Cancelada: { word: 'Cancelada', tone: 'neutral' },
}

/** The status of a reservation as its table and its screen say it. */
export function ReservationStatus({ row }: { row: Pick<RosterReservation, 'status'> }) {
  const { word, tone } = STATUSES[row.status]
  return <Badge tone={tone}>{word}</Badge>
}

const BY: Record<NonNullable<RosterReservation['cancelled']>['by'], string> = {
  customer: 'la persona',
  staff: 'el equipo',
  studio: 'el estudio, con toda la clase',
  system: 'el sistema',
  undo: 'la persona, recién reservada',
  move: 'un cambio de clase',
}

/** "Lorena: se sintió mal. No se le regresó su clase." */
export function cancelledText({ by, who, reason, late }: NonNullable<RosterReservation['cancelled']>): string {
  return [`Por ${who ?? BY[by]}`, reason && `: ${reason}`, '.', late && ' Fue tarde: no se le regresó su clase.'].filter(Boolean).join('')
}
