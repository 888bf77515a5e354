import { useState } from 'react'
import { capitalize } from '#contract/text.ts'
import { type PaintedClass, WEEKDAYS } from './week-painting.ts'
import './week-painter.css'

interface WeekPreviewProps {
  week: readonly PaintedClass[]
  minutesOf: (type: string) => number
}

/** The painted week as the calendar will list it, a day at a time. */
export function WeekPreview({ week, minutesOf }: WeekPreviewProps) {
  const [chosen, setChosen] = useState(1)
  const classes = week.filter(({ day }) => day === chosen).sort((a, b) => a.time.localeCompare(b.time))
  return (
    <section className="week-preview" aria-label="Así lo ve quien reserva">
      <p className="small muted">Así lo ve quien reserva</p>
      <div className="week-preview-phone">
        <p className="t3">Calendario</p>
        <fieldset className="week-preview-days">
          <legend className="sr-only">Día</legend>
          {WEEKDAYS.map((day, at) => (
            <label key={day}>
              <input type="radio" className="sr-only" name="dia-vista" checked={chosen === at + 1} onChange={() => setChosen(at + 1)} />
              <span aria-hidden="true">{day.slice(0, 3)}</span>
              <span className="sr-only">{day}</span>
            </label>
          ))}
        </fieldset>
        <p className="strong">{capitalize(WEEKDAYS[chosen - 1] ?? '')}</p>
        {classes.length === 0 ? (
          <p className="small muted">No hay clases este día.</p>
        ) : (
          <ul>
            {classes.map((cls) => (
              <li key={`${cls.location_id} ${cls.time}`}>
                <span className="strong">{cls.time}</span>
                <span>
                  <span className="small strong">{cls.type}</span>
                  <span className="small muted steps-line">
                    {[cls.coach?.split(' ')[0], `${minutesOf(cls.type)} min`].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
