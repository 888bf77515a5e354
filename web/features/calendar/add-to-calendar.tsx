import { IconBrandGoogle, IconCalendarDown, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Reservation } from '#contract/bookings.ts'
import { queries } from '#web/lib/api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Adds one reservation to a calendar: a file for any program, or links for Google and Outlook. */
export function AddToCalendar({ row }: { row: Reservation }) {
  const { data, isError, refetch } = useQuery(
    queries.bookings.calendarLinks.queryOptions({
      input: { class_reservation_id: row.class_reservation_id },
      meta: { handled: true },
    }),
  )
  if (isError)
    return (
      <p className="small" role="alert">
        No pudimos preparar los enlaces.{' '}
        <button type="button" className="link" onClick={() => void refetch()}>
          Intentar de nuevo
        </button>
      </p>
    )
  if (!data) return <Skeleton height="44px" />
  const linkClass = buttonClass({ variant: 'outline', size: 'small' })
  return (
    <div className="row wraps gap-8">
      <a className={linkClass} href={data.ics_url} download="clase.ics">
        <span className="btn-label">
          <IconCalendarDown className="icon" aria-hidden="true" />
          Apple u otro (.ics)
        </span>
      </a>
      <a className={linkClass} href={data.google_url} target="_blank" rel="noopener">
        <span className="btn-label">
          <IconBrandGoogle className="icon" aria-hidden="true" />
          Google
        </span>
      </a>
      <a className={linkClass} href={data.outlook_url} target="_blank" rel="noopener">
        <span className="btn-label">
          <IconMail className="icon" aria-hidden="true" />
          Outlook
        </span>
      </a>
    </div>
  )
}
