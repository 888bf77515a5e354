import { useState } from 'react'
import type { ClassSeries } from '#contract/class-series.ts'
import { formatWall, isLocalDate } from '#contract/time.ts'
import { Button } from '#web/ui/button.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { WeekdayChips } from './weekday-chips.tsx'

const WEEKS = [1, 2, 3, 4, 5, 6, 7, 8]

/** Other weekdays, weeks and days left out of a series; publishing shows first which classes that creates and ends. */
export function SeriesPatternForm({ series, onDone }: { series: ClassSeries; onDone: () => void }) {
  const [weekdays, setWeekdays] = useState<readonly number[]>(series.weekdays)
  const [every, setEvery] = useState(String(series.every_weeks))
  const [except, setExcept] = useState<readonly string[]>(series.except)
  const [day, setDay] = useState('')
  const [reason, setReason] = useState('')
  const [isOpen, setOpen] = useState(false)
  const isSame =
    weekdays.join() === series.weekdays.join() && Number(every) === series.every_weeks && except.join() === series.except.join()
  return (
    <div className="stack gap-12">
      <WeekdayChips value={weekdays} error={weekdays.length === 0 ? 'Elige al menos un día.' : undefined} onChange={setWeekdays} />
      <Select label="Cada" value={every} onChange={(event) => setEvery(event.currentTarget.value)}>
        {WEEKS.map((weeks) => (
          <option key={weeks} value={weeks}>
            {weeks === 1 ? 'Semana' : `${weeks} semanas`}
          </option>
        ))}
      </Select>
      {except.length > 0 && (
        <ul className="stack gap-8" aria-label="Días que se salta">
          {except.map((day) => (
            <li key={day} className="row gap-8">
              <span className="small">No hay el {formatWall(`${day}T00:00:00Z`, 'date')}</span>
              <Button size="small" variant="quiet" onClick={() => setExcept(except.filter((other) => other !== day))}>
                Quitar<span className="sr-only"> el {formatWall(`${day}T00:00:00Z`, 'date')}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="row gap-8 wraps">
        <TextField label="Saltarse un día" type="date" optional value={day} onChange={(event) => setDay(event.currentTarget.value)} />
        <Button
          size="small"
          variant="outline"
          reason={!isLocalDate(day) ? 'Elige el día.' : except.includes(day) ? 'Ya se salta ese día.' : null}
          onClick={() => {
            setExcept([...except, day].sort())
            setDay('')
          }}
        >
          Agregar día
        </Button>
      </div>
      <div>
        <Button
          size="small"
          reason={weekdays.length === 0 ? 'Elige al menos un día.' : isSame ? 'Sin cambios.' : null}
          onClick={() => weekdays.length > 0 && !isSame && setOpen(true)}
        >
          Ver qué cambia
        </Button>
      </div>
      {isOpen && (
        <PublishDialog
          title="Cambiar cómo se repite"
          yes="Cambiar la serie"
          changes={{
            series: {
              class_series_id: series.class_series_id,
              weekdays: [...weekdays],
              every_weeks: Number(every),
              except: [...except],
              reason: reason.trim() || null,
            },
          }}
          done={() => 'Serie cambiada.'}
          onDone={onDone}
          onClose={() => setOpen(false)}
        >
          <p>De las clases que ya no tendrá, se eliminan aquellas en que nadie tuvo lugar; las demás se cancelan.</p>
          <TextField
            label="Motivo"
            optional
            hint="Lo leen las personas con lugar."
            maxLength={300}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </PublishDialog>
      )}
    </div>
  )
}
