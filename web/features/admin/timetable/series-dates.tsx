import { useState } from 'react'
import { formatWall, type LocalDate } from '#contract/time.ts'
import type { SeriesDay } from './class-form.ts'

/** Number of dates that are listed until all are shown on demand. */
const LISTED = 10
/** Days that a series may leave out at most. */
const MOST_EXCEPT = 60

interface SeriesDatesProps {
  dates: readonly SeriesDay[]
  /** Whether these are only the first ones. */
  endless: boolean
  except: readonly LocalDate[]
  onChange: (except: LocalDate[]) => void
}

/** The dates of a series, each with a tick that leaves it out; holidays are struck through. */
export function SeriesDates({ dates, endless, except, onChange }: SeriesDatesProps) {
  const [isAll, setIsAll] = useState(false)
  const shown = isAll ? dates : dates.slice(0, LISTED)
  const rest = dates.length - shown.length
  const toggle = (day: LocalDate, isIn: boolean) => onChange(isIn ? except.filter((other) => other !== day) : [...except, day].sort())
  return (
    <fieldset className="plan-dates">
      <legend className="field-label">{endless ? 'Las primeras fechas' : 'Fechas'}</legend>
      <ul>
        {shown.map(({ day, holiday, isExcept }) => (
          <li key={day}>
            <label className="plan-date">
              <input
                type="checkbox"
                checked={holiday === null && !isExcept}
                disabled={holiday !== null || (!isExcept && except.length >= MOST_EXCEPT)}
                onChange={(event) => toggle(day, event.currentTarget.checked)}
              />
              <span className={holiday !== null || isExcept ? 'plan-date-out' : undefined}>{formatWall(`${day}T00:00:00Z`, 'long')}</span>
              {holiday !== null && <span className="muted">{holiday}</span>}
            </label>
          </li>
        ))}
      </ul>
      {rest > 0 && !endless && (
        <button type="button" className="link link-alone" onClick={() => setIsAll(true)}>
          {rest === 1 ? 'y 1 más' : `y ${rest} más`}
        </button>
      )}
    </fieldset>
  )
}
