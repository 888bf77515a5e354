import { DAY_NAMES } from './timetable-text.ts'

interface WeekdayChipsProps {
  /** 1 = Monday to 7 = Sunday */
  value: readonly number[]
  onChange: (days: number[]) => void
  error?: string | undefined
}

/** The days of the week on which a class repeats. */
export function WeekdayChips({ value, onChange, error }: WeekdayChipsProps) {
  return (
    <fieldset className="plan-weekdays">
      <legend className="field-label">Días</legend>
      {DAY_NAMES.map((day, at) => {
        const number = at + 1
        const isOn = value.includes(number)
        return (
          <label key={day} className="plan-weekday">
            <input
              type="checkbox"
              className="sr-only"
              checked={isOn}
              onChange={() => onChange(isOn ? value.filter((other) => other !== number) : [...value, number].sort((a, b) => a - b))}
            />
            <span aria-hidden="true">{day[0]?.toUpperCase()}</span>
            <span className="sr-only">{day}</span>
          </label>
        )
      })}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  )
}
