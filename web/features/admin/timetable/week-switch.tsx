import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { LocalDate } from '#contract/time.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { IconButton } from '#web/ui/button.tsx'

interface WeekSwitchProps {
  monday: LocalDate
  /** The day that is shown alone; null while the week is. */
  day: LocalDate | null
  /** One day or week back (-1) or forward (1). */
  onStep: (by: -1 | 1) => void
}

/** The week or day that is shown, and the buttons to the ones beside it. */
export function WeekSwitch({ monday, day, onStep }: WeekSwitchProps) {
  const label = day === null ? weekText(monday) : formatWall(`${day}T00:00:00Z`, 'class').slice(0, -7)
  return (
    <div className="plan-week-switch">
      <IconButton label={day ? 'Día anterior' : 'Semana anterior'} onClick={() => onStep(-1)}>
        <IconChevronLeft className="icon" aria-hidden="true" />
      </IconButton>
      <span className="strong" aria-live="polite">
        {label}
      </span>
      <IconButton label={day ? 'Día siguiente' : 'Semana siguiente'} onClick={() => onStep(1)}>
        <IconChevronRight className="icon" aria-hidden="true" />
      </IconButton>
    </div>
  )
}

/** "16 – 22 nov", "30 nov – 6 dic" */
function weekText(monday: LocalDate): string {
  const sunday = addDays(monday, 6)
  const month = monday.slice(5, 7) === sunday.slice(5, 7) ? '' : ` ${formatWall(`${monday}T00:00:00Z`, 'day').slice(3)}`
  return `${Number(monday.slice(8))}${month} – ${formatWall(`${sunday}T00:00:00Z`, 'day')}`
}
