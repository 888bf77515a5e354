import { useQuery } from '@tanstack/react-query'
import type { Holiday } from '#contract/holidays.ts'
import { queries } from '#web/lib/api.ts'
import { daysText, locationsText } from './holiday-text.ts'
import './holidays.css'

/** Days without classes as a list; each opens its dialog. `onOpen` null: read-only. */
export function HolidayRows({ holidays, onOpen }: { holidays: readonly Holiday[]; onOpen: ((holiday: Holiday) => void) | null }) {
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  return (
    <ul className="panel-card holiday-rows">
      {holidays.map((holiday) => {
        const facts = (
          <>
            <span className="strong">{holiday.name}</span>
            <span>{daysText(holiday)}</span>
            <span className="small muted">{locationsText(holiday.location_ids, locations.data?.locations ?? [])}</span>
          </>
        )
        return (
          <li key={holiday.holiday_id}>
            {onOpen ? (
              <button type="button" className="holiday-row" onClick={() => onOpen(holiday)}>
                {facts}
              </button>
            ) : (
              <div className="holiday-row">{facts}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
