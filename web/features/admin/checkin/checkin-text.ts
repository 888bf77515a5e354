/** Texts and colours of the eight results of a check-in. */
import {
  IconCalendarX,
  IconCash,
  IconCheck,
  IconChecks,
  IconCircleX,
  IconHelpCircle,
  IconListDetails,
  IconMapPin,
  type TablerIcon,
} from '@tabler/icons-react'
import { spotName } from '#contract/copy/names.ts'
import type { CheckinResult } from '#contract/front-desk.ts'
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import type { api } from '#web/lib/api.ts'

export type Checkin = Awaited<ReturnType<typeof api.frontDesk.checkin>>

export type CheckinTone = 'ok' | 'done' | 'amber' | 'danger'

interface ResultDisplay {
  tone: CheckinTone
  label: string
  Icon: TablerIcon
}

/** Colour, word and icon of each result. */
export const RESULTS: Record<CheckinResult, ResultDisplay> = {
  ok: { tone: 'ok', label: 'Llegó', Icon: IconCheck },
  already: { tone: 'done', label: 'Ya estaba', Icon: IconChecks },
  owed: { tone: 'amber', label: 'Falta pagar', Icon: IconCash },
  not_today: { tone: 'amber', label: 'No es ahora', Icon: IconCalendarX },
  elsewhere: { tone: 'amber', label: 'Es otro estudio', Icon: IconMapPin },
  cancelled: { tone: 'danger', label: 'Cancelada', Icon: IconCircleX },
  not_found: { tone: 'danger', label: 'No lo encontramos', Icon: IconHelpCircle },
  choose: { tone: 'amber', label: 'Elige su clase', Icon: IconListDetails },
}

/** The word of a result. A debt includes its amount if the staff member may see money. */
export function checkinText({ result, class_reservation }: Pick<Checkin, 'result' | 'class_reservation'>): string {
  if (result === 'owed' && class_reservation?.owed) return `Debe ${formatPesos(class_reservation.owed)}`
  return RESULTS[result].label
}

/** The customer's name; null for a code without a reservation. */
export const nameOf = ({ class_reservation: row }: Pick<Checkin, 'class_reservation'>): string | null =>
  row && `${row.name} ${row.last_name}`.trim()

/** "Reformer Flow, 18:00 · Fila 1, lugar 1 · primera clase" */
export function reservationText({
  class_reservation: row,
  single_class: cls,
}: Pick<Checkin, 'class_reservation' | 'single_class'>): string {
  return [
    cls && `${cls.class_type}, ${formatWall(cls.class_date, 'hour')}`,
    row?.spot && spotName(row.spot, row.seat_label),
    row?.guest && `con ${row.guest}`,
    row?.first_class && 'primera clase',
    row?.birthday && 'cumple años',
  ]
    .filter(Boolean)
    .join(' · ')
}
