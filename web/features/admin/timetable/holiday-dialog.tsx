import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Holiday } from '#contract/holidays.ts'
import { isLocalDate, type LocalDate } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { useCloseDays } from './close-days.tsx'
import { useHolidayRefresh } from './use-holidays.ts'

interface HolidayDialogProps {
  /** The one that is changed; null: a new one on `day`. */
  holiday: Holiday | null
  day: LocalDate
  onClose: () => void
}

/** Adds days without classes, after saying which classes are there; or changes and removes them. */
export default function HolidayDialog({ holiday, day, onClose }: HolidayDialogProps) {
  const [name, setName] = useState(holiday?.name ?? '')
  const [from, setFrom] = useState(holiday?.from ?? day)
  const [to, setTo] = useState(holiday?.to ?? day)
  const [isPublic, setPublic] = useState(holiday?.public ?? true)
  const [location_ids, setLocations] = useState<readonly number[] | null>(holiday?.location_ids ?? null)
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const refresh = useHolidayRefresh()
  const problem =
    name.trim().length < 2
      ? 'Escribe por qué no hay clases.'
      : !isLocalDate(from) || !isLocalDate(to) || to < from
        ? 'El último día no puede ser antes del primero.'
        : location_ids?.length === 0
          ? 'Elige al menos un estudio.'
          : null
  const sent = { name: name.trim(), from, to, location_ids: location_ids && [...location_ids], public: isPublic }
  const close = useCloseDays(problem ? null : [sent], onClose, holiday?.holiday_id ?? null)
  const done = {
    async onSuccess() {
      await refresh()
      showAlert('success', 'Guardado.')
      onClose()
    },
    onError: () => undefined,
  }
  const remove = useIdempotentMutation((holiday_id: number, { context }) => api.holidays.remove({ holiday_id }, { context }), done)
  const all = locations.data?.locations ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      title={holiday ? 'Día sin clases' : 'Agregar día sin clases'}
      actions={
        <>
          {holiday ? (
            <Button variant="danger-quiet" loading={remove.isPending} onClick={() => remove.mutate(holiday.holiday_id)}>
              Quitar
            </Button>
          ) : (
            <Button variant="outline" onClick={onClose}>
              No, volver
            </Button>
          )}
          <Button loading={close.isPending} reason={problem ?? close.reason} onClick={() => !problem && close.send()}>
            Guardar
          </Button>
        </>
      }
    >
      {remove.error && (
        <Banner tone="danger" live>
          {toFailure(remove.error).message}
        </Banner>
      )}
      <TextField label="Por qué no hay clases" maxLength={80} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <div className="field-pair">
        <TextField label="Primer día" type="date" value={from} onChange={(event) => changeFrom(event.currentTarget.value)} />
        <TextField label="Último día" type="date" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      </div>
      {all.length > 1 && (
        <fieldset className="plan-weeks">
          <legend className="field-label">Dónde</legend>
          <Checkbox checked={location_ids === null} onChange={(event) => setLocations(event.currentTarget.checked ? null : [])}>
            En todos los estudios
          </Checkbox>
          {location_ids !== null &&
            all.map((one) => (
              <Checkbox
                key={one.location_id}
                checked={location_ids.includes(one.location_id)}
                onChange={(event) =>
                  setLocations(
                    event.currentTarget.checked ? [...location_ids, one.location_id] : location_ids.filter((id) => id !== one.location_id),
                  )
                }
              >
                {one.name}
              </Checkbox>
            ))}
        </fieldset>
      )}
      <Switch
        checked={isPublic}
        onChange={(event) => setPublic(event.currentTarget.checked)}
        hint="El calendario dice ese día que está cerrado y por qué."
      >
        Se ve en el sitio
      </Switch>
      {close.fields}
    </Dialog>
  )

  function changeFrom(value: string) {
    setFrom(value)
    if (to < value) setTo(value)
  }
}
