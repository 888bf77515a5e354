import type { RosterReservation } from '#contract/attendance.ts'
import { formatInstant } from '#contract/time.ts'
import { cancelledText } from './reservation-facts.tsx'

/** Cancelled reservations: when, by whom and why. */
export default function CancelledList({ rows, zone }: { rows: readonly RosterReservation[]; zone: string }) {
  return (
    <ul aria-label="Canceladas">
      {rows.map((row) => (
        <li key={row.class_reservation_id} className="entry-row">
          <div className="entry-who">
            <span className="strong">{`${row.name} ${row.last_name}`.trim()}</span>
            {row.cancelled && (
              <span className="small muted">
                {formatInstant(new Date(row.cancelled.at), zone, 'class')}. {cancelledText(row.cancelled)}
              </span>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
