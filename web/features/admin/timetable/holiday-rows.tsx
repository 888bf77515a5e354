import { useQuery } from '@tanstack/react-query'
import type { Holiday } from '#contract/holidays.ts'
import { queries } from '#web/lib/api.ts'
import { daysText, locationsText } from './holiday-text.ts'
import './holidays.css'

/** Days without classes as a list; each opens its dialog. `onOpen` null: read-only. */
export function HolidayRows({ holidays, onOpen }: { holidays: readonly Holiday[]; onOpen: ((one: Holiday) => void) | null }) {
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  return (
    <ul className="panel-card holiday-rows">
      {holidays.map((one) => {
        const facts = (
          <>
            <span className="strong">{one.name}</span>
            <span>{daysText(one)}</span>
            <span className="small muted">{locationsText(one.location_ids, locations.data?.locations ?? [])}</span>
          </>
        )
        return (
          <li key={one.holiday_id}>
            {onOpen ? (
              <button type="button" className="holiday-row" onClick={() => onOpen(one)}>
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
