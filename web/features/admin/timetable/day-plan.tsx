import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { toneOf } from './class-block.tsx'
import { classKey } from './class-key.ts'
import type { PlanMarks } from './plan-marks.ts'
import { stateText } from './timetable-text.ts'
import './timetable.css'

/** Classes under a heading: a room or a coach; '' = no heading. */
export interface PlanGroup {
  key: string
  name: string
  classes: readonly PlannedClass[]
}

interface DayPlanProps {
  groups: readonly PlanGroup[]
  marks: PlanMarks
}

/** The classes of one day as cards, grouped by rooms or coaches in such a view: every view on a phone. */
export function DayPlan({ groups, marks }: DayPlanProps) {
  const shown = groups.filter(({ classes }) => classes.length > 0)
  if (shown.length === 0) return <EmptyState>Este día no tiene clases.</EmptyState>
  return shown.map(({ key, name, classes }) => (
    <section key={key} className="plan-group" aria-label={name || undefined}>
      {name && <h2 className="t4">{name}</h2>}
      <ul className="plan-cards">
        {classes.map((cls) => (
          <li key={classKey(cls)}>
            <ClassCard cls={cls} marks={marks} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

function ClassCard({ cls, marks }: { cls: PlannedClass; marks: PlanMarks }) {
  const key = classKey(cls)
  const isSelected = marks.selected.has(key)
  const stateLabel = stateText(cls)
  const tone = toneOf(cls, marks)
  return (
    <button
      type="button"
      className={`plan-card ${stateLabel ? 'plan-card-draft' : ''} ${isSelected ? 'plan-selected' : ''} ${tone ? 'plan-card-tone' : ''}`}
      style={tone && ({ '--plan-edge': tone.edge } as CSSProperties)}
      data-class={key}
      aria-current={key === marks.current ? 'true' : undefined}
      onClick={(event) => marks.actions.onOpen(cls, event)}
      onKeyDown={(event) => marks.actions.onKey(event, cls)}
    >
      {isSelected && <IconCheck className="icon" role="img" aria-label="Seleccionada" />}
      <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
      <span className="plan-card-what">
        <span className="strong">{cls.class_type.name}</span>
        <span className="small muted">
          {cls.instructors.map(instructorName).join(' y ') || 'Falta coach'} ·{' '}
          {cls.room ? `${cls.room.name}, ${cls.location.name}` : cls.location.name}
        </span>
        {stateLabel && <span className="small strong">{stateLabel}</span>}
      </span>
      {cls.conflicts.length > 0 && <IconAlertTriangle className="icon plan-card-alert" role="img" aria-label="Con conflictos" />}
      <span className="figure-small">
        {cls.taken} / {cls.capacity ?? '–'}
        <span className="sr-only"> lugares</span>
      </span>
    </button>
  )
}
