import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { Switch } from '#web/ui/choice.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { type ClassForm, countDates, type FormField, seriesDates } from './class-form.ts'
import { SeriesDates } from './series-dates.tsx'
import { WeekdayChips } from './weekday-chips.tsx'

interface ClassRepeatsProps {
  form: ClassForm
  set: (changes: Partial<ClassForm>) => void
  wrong: (field: FormField) => string | undefined
}

/** On which days and until when a new class repeats, and the dates that result. */
export function ClassRepeats({ form, set, wrong }: ClassRepeatsProps) {
  const holidays = useQuery(
    queries.holidays.list.queryOptions({ input: {}, enabled: form.repeats, staleTime: 60_000, meta: { handled: true } }),
  )
  const dates = form.repeats ? seriesDates(form, holidays.data?.holidays ?? []) : []
  const count = countDates(dates)
  return (
    <div className="stack gap-12">
      <Switch checked={form.repeats} onChange={(event) => set({ repeats: event.currentTarget.checked })}>
        Se repite
      </Switch>
      {form.repeats && (
        <>
          <WeekdayChips value={form.weekdays} error={wrong('weekdays')} onChange={(weekdays) => set({ weekdays })} />
          <div className="field-pair">
            <Select label="Cada" value={form.every} onChange={(event) => set({ every: event.currentTarget.value })}>
              {[1, 2, 3, 4].map((weeks) => (
                <option key={weeks} value={weeks}>
                  {weeks === 1 ? 'Semana' : `${weeks} semanas`}
                </option>
              ))}
            </Select>
            <TextField
              label="Hasta"
              type="date"
              optional
              error={wrong('until')}
              value={form.until}
              onChange={(event) => set({ until: event.currentTarget.value })}
            />
          </div>
          <p className="small muted" role="status">
            {form.until === ''
              ? 'Sin fin: siempre hay clases algunas semanas adelante.'
              : dates.length === 0 || holidays.isPending
                ? ''
                : count === 1
                  ? 'Es 1 clase.'
                  : `Son ${count} clases.`}
          </p>
          {!holidays.isPending && dates.length > 0 && (
            <SeriesDates dates={dates} endless={form.until === ''} except={form.except} onChange={(except) => set({ except })} />
          )}
        </>
      )}
    </div>
  )
}
