import { IconEraser } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { type Brush, PaintGrid } from './paint-grid.tsx'
import type { PaintedSchedule } from './use-painted-schedule.ts'
import { listTimes, shortName } from './week-painting.ts'

interface WeekPainterProps {
  schedule: PaintedSchedule
  location_id: number
  brush: Brush
  /** Chooses the class that is painted; null = the eraser. */
  onType: (type: string | null) => void
  takesFocus: boolean
}

/** The week of a location as a grid: a class is chosen, and the hours are painted in which it begins. */
export function WeekPainter({ schedule, location_id, brush, onType, takesFocus }: WeekPainterProps) {
  const { week, times, setTimes, names, colourOf } = schedule
  const [newTime, setNewTime] = useState('')
  return (
    <>
      <fieldset className="paint-brushes">
        <legend className="sr-only">Clase que pintas</legend>
        {names.map((name) => (
          <label key={name} className="paint-brush">
            <input type="radio" className="sr-only" name="clase" checked={brush?.type === name} onChange={() => onType(name)} />
            <span className={`paint-sample paint-look-${colourOf(name)}`} aria-hidden="true">
              {shortName(name)}
            </span>
            {name}
          </label>
        ))}
        <label className="paint-brush">
          <input type="radio" className="sr-only" name="clase" checked={brush === null} onChange={() => onType(null)} />
          <span className="paint-sample paint-eraser" aria-hidden="true">
            <IconEraser className="icon" />
          </span>
          Borrar
        </label>
      </fieldset>
      <PaintGrid
        week={week}
        times={listTimes(
          week.filter((cls) => cls.location_id === location_id),
          times,
        )}
        location_id={location_id}
        brush={brush}
        takesFocus={takesFocus}
        toneOf={colourOf}
        onChange={schedule.setWeek}
      />
      <div className="steps-tools">
        <span className="control steps-time">
          <input type="time" aria-label="Otra hora" value={newTime} onChange={(event) => setNewTime(event.currentTarget.value)} />
        </span>
        <Button
          variant="outline"
          size="small"
          onClick={() => {
            if (newTime) setTimes([...new Set([...times, newTime])].sort())
            setNewTime('')
          }}
        >
          Agregar hora
        </Button>
        <p className="small muted not-phone">Flechas para moverte, espacio para pintar, Supr para borrar. Con Mayús pintas al moverte.</p>
      </div>
    </>
  )
}
