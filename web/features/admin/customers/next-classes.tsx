import { useQueries } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { spotName } from '#contract/copy/names.ts'
import type { Customer } from '#contract/people.ts'
import { formatInstant } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'

/** Maximum number of classes shown; the list of reservations has all. */
const MAX_SHOWN = 8

/** The booked classes of a customer, soonest first; each links to its roster. */
export function NextClasses({ reservations }: { reservations: Customer['class_reservations'] }) {
  const site = useSite()
  const shown = reservations.slice(0, MAX_SHOWN)
  const classes = useQueries({
    queries: shown.map(({ single_class_id }) =>
      queries.schedule.one.queryOptions({ input: { single_class_id }, staleTime: 60_000, meta: { handled: true } }),
    ),
  })
  if (shown.length === 0) return <p className="panel-body muted">No tiene clases reservadas.</p>
  return (
    <ul>
      {shown.map((reservation, at) => {
        const cls = classes[at]?.data?.single_class
        const when = formatInstant(new Date(reservation.starts_at), cls?.timezone ?? site.zone, 'class')
        return (
          <li key={reservation.class_reservation_id} className="booked-row">
            <span className="booked-when">
              <span className="hour">{when.split(', ')[1]}</span>
              <span className="small muted">{when.split(', ')[0]}</span>
            </span>
            <span className="booked-what">
              <AppLink className="row-link strong" to={adminPaths.roster(reservation.single_class_id)}>
                {cls?.class_type.name ?? 'Clase'}
              </AppLink>
              <span className="small muted">
                {[
                  cls?.location.name,
                  reservation.spot && spotName(reservation.spot, reservation.seat_label),
                  reservation.guest && `con ${reservation.guest}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
          </li>
        )
      })}
      {reservations.length > MAX_SHOWN && <li className="panel-body small muted">Y {reservations.length - MAX_SHOWN} más.</li>}
    </ul>
  )
}
