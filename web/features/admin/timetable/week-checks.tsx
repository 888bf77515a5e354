import { addDays, formatWall, type LocalDate } from '#contract/time.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

interface WeekChecksProps {
  /** Offered are the weeks after this Monday. */
  after: LocalDate
  value: readonly LocalDate[]
  onChange: (weeks: LocalDate[]) => void
}

const WEEKS = 8

/** "23 nov – 29 nov" */
export const weekName = (monday: LocalDate): string =>
  `${formatWall(`${monday}T00:00:00Z`, 'day')} – ${formatWall(`${addDays(monday, 6)}T00:00:00Z`, 'day')}`

/** Some of the next weeks. */
export function WeekChecks({ after, value, onChange }: WeekChecksProps) {
  return (
    <fieldset className="plan-weeks">
      <legend className="field-label">A qué semanas</legend>
      {Array.from({ length: WEEKS }, (_, n) => addDays(after, 7 * (n + 1))).map((week) => (
        <Checkbox
          key={week}
          checked={value.includes(week)}
          onChange={(event) => onChange(event.currentTarget.checked ? [...value, week].sort() : value.filter((other) => other !== week))}
        >
          {weekName(week)}
        </Checkbox>
      ))}
    </fieldset>
  )
}
