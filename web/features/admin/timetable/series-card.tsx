import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClassSeries } from '#contract/class-series.ts'
import { formatWall, isLocalDate, type LocalDate } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { SeriesPatternForm } from './series-pattern.tsx'
import { seriesSentence } from './timetable-text.ts'

/** How the series of a class repeats and until when, and the verbs that extend it, end it or leave it without end. */
export function SeriesCard({ class_series_id, onDone }: { class_series_id: number; onDone: () => void }) {
  const read = useQuery(queries.classSeries.read.queryOptions({ input: { class_series_id }, meta: { handled: true } }))
  if (!read.data) return null
  const { series } = read.data
  // A form of its own for each state of what it edits; classes that are added or cancelled meanwhile leave what was typed.
  const { until, weekdays, every_weeks, except } = series
  return <SeriesEndForm key={JSON.stringify([until, weekdays, every_weeks, except])} series={series} onDone={onDone} />
}

function SeriesEndForm({ series, onDone }: { series: ClassSeries; onDone: () => void }) {
  const { class_series_id, weekdays, until, coming, last_class } = series
  const [day, setDay] = useState(until ?? '')
  const [reason, setReason] = useState('')
  const [isChanging, setChanging] = useState(false)
  const [newEnd, setNewEnd] = useState<{ until: LocalDate | null } | null>(null)
  const isLonger = newEnd !== null && until !== null && (newEnd.until === null || newEnd.until > until)
  const title = newEnd?.until === null ? 'Repetir sin fin' : isLonger ? 'Alargar la serie' : 'Terminar la serie'
  return (
    <section className="series-card stack gap-12" aria-labelledby="series-title">
      <h3 className="strong" id="series-title">
        Serie
      </h3>
      <p>{seriesSentence(series)}</p>
      <p className="small muted">
        {coming === 0 ? 'No queda ninguna clase.' : coming === 1 ? 'Queda 1 clase' : `Quedan ${coming} clases`}
        {last_class !== null && `, la última el ${formatWall(last_class, 'date')}.`}
      </p>
      <TextField label="Último día de la serie" type="date" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
      <div className="row gap-8 wraps">
        <Button
          size="small"
          variant="outline"
          reason={!isLocalDate(day) ? 'Elige el último día.' : day === until ? 'Ya termina ese día.' : null}
          onClick={() => setNewEnd({ until: day })}
        >
          {isLocalDate(day) && until !== null && day > until ? 'Alargar' : 'Terminar ese día'}
        </Button>
        {until !== null && weekdays.length > 0 && (
          <Button size="small" variant="outline" onClick={() => setNewEnd({ until: null })}>
            Sin fin
          </Button>
        )}
        {weekdays.length > 0 && (
          <Button size="small" variant="outline" aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
            Cambiar cómo se repite
          </Button>
        )}
      </div>
      {isChanging && <SeriesPatternForm series={series} onDone={onDone} />}
      {newEnd && (
        <PublishDialog
          title={title}
          yes={title}
          danger={newEnd.until !== null && !isLonger}
          changes={{ series: { class_series_id, until: newEnd.until, reason: reason.trim() || null } }}
          done={() =>
            newEnd.until === null ? 'La serie ya no tiene fin.' : `La serie termina el ${formatWall(`${newEnd.until}T00:00:00Z`, 'date')}.`
          }
          onDone={onDone}
          onClose={() => setNewEnd(null)}
        >
          {newEnd.until !== null && !isLonger && (
            <>
              <p>Las clases de después en que nadie tuvo lugar se eliminan; las demás se cancelan.</p>
              <TextField
                label="Motivo"
                optional
                hint="Lo leen las personas con lugar."
                maxLength={300}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            </>
          )}
        </PublishDialog>
      )}
    </section>
  )
}
