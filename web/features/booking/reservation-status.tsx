import { IconCalendarEvent, IconCash, IconCheck, IconUserX, IconX } from '@tabler/icons-react'
import type { Reservation } from '#contract/bookings.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

const STATUSES: Record<Reservation['status'], { tone: BadgeTone; Icon: typeof IconX; label: string }> = {
  Próxima: { tone: 'brand', Icon: IconCalendarEvent, label: 'Próxima' },
  Exitosa: { tone: 'ok', Icon: IconCheck, label: 'Exitosa' },
  'No Asistí': { tone: 'danger', Icon: IconUserX, label: 'No Asistí' },
  'Pago en Efectivo Incompleto': { tone: 'warn', Icon: IconCash, label: 'Pago en Efectivo Incompleto' },
  Cancelada: { tone: 'outline', Icon: IconX, label: 'Cancelada' },
}

/** The display status of a reservation (S2-4.01 to S2-4.06): icon, word and tone. */
export function ReservationStatus({ row }: { row: Pick<Reservation, 'status'> }) {
  const { tone, Icon, label } = STATUSES[row.status]
  return (
    <Badge tone={tone} icon={<Icon className="icon" aria-hidden="true" />}>
      {label}
    </Badge>
  )
}

const CANCELLED_BY: Partial<Record<NonNullable<Reservation['cancelled_by']>, string>> = {
  studio: 'por el estudio',
  staff: 'por recepción',
  system: 'por falta de pago',
  undo: 'la deshiciste',
  move: 'cambiaste de clase',
}

/** By whom a reservation was cancelled, as text; null for the customer. */
export const cancellationText = (row: Pick<Reservation, 'cancelled_by'>): string | null =>
  row.cancelled_by ? (CANCELLED_BY[row.cancelled_by] ?? null) : null
