import { IconAlertTriangle } from '@tabler/icons-react'
import { instructorName } from '#contract/copy/names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { classKey } from './class-block.tsx'
import { stateWord } from './timetable-text.ts'
import './timetable.css'

interface DayPlanProps {
  classes: readonly PlannedClass[]
  current: string | null
  onOpen: (cls: PlannedClass) => void
}

/** The classes of one day as cards: the week on a phone. */
export function DayPlan({ classes, current, onOpen }: DayPlanProps) {
  if (classes.length === 0) return <EmptyState>Este día no tiene clases.</EmptyState>
  return (
    <ul className="plan-cards">
      {classes.map((cls) => {
        const word = stateWord(cls)
        return (
          <li key={classKey(cls)}>
            <button
              type="button"
              className={`plan-card ${word ? 'plan-card-draft' : ''}`}
              data-class={classKey(cls)}
              aria-current={classKey(cls) === current ? 'true' : undefined}
              onClick={() => onOpen(cls)}
            >
              <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
              <span className="plan-card-what">
                <span className="strong">{cls.class_type.name}</span>
                <span className="small muted">
                  {cls.instructors.map(instructorName).join(' y ') || 'Falta coach'} · {cls.location.name}
                </span>
                {word && <span className="small strong">{word}</span>}
              </span>
              {cls.conflicts.length > 0 && <IconAlertTriangle className="icon plan-card-alert" role="img" aria-label="Con conflictos" />}
              <span className="figure-small">
                {cls.taken} / {cls.capacity ?? '–'}
                <span className="sr-only"> lugares</span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
