import { useQuery } from '@tanstack/react-query'
import type { Holiday } from '#contract/holidays.ts'
import { isLocalDate, type LocalDate } from '#contract/time.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
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
import { daysText, locationsText } from './holiday-text.ts'
import { useHolidayRefresh } from './use-holidays.ts'

interface HolidayDialogProps {
  /** The one that is changed, as it is stored now; null: a new one on `day`. */
  holiday: Holiday | null
  day: LocalDate
  onClose: () => void
}

type HolidayDraft = Omit<Holiday, 'holiday_id' | 'updatedAt'>

const toDraft = ({ name, from, to, location_ids, public: isPublic }: Holiday): HolidayDraft => ({
  name,
  from,
  to,
  location_ids,
  public: isPublic,
})

const toSent = (draft: HolidayDraft) => ({ ...draft, name: draft.name.trim() })

const valueTexts = (draft: HolidayDraft, locations: readonly { location_id: number; name: string }[]) => ({
  'Por qué no hay clases': draft.name,
  Días: daysText(draft),
  Dónde: locationsText(draft.location_ids, locations),
  'Se ve en el sitio': draft.public ? 'Sí' : 'No',
})

/** Adds days without classes, after saying which classes are there; or changes and removes them. */
export default function HolidayDialog({ holiday, day, onClose }: HolidayDialogProps) {
  const edit = useVersionedEdit({
    stored: holiday,
    start: { name: '', from: day, to: day, public: true, location_ids: null },
    toDraft,
    send: (edited: HolidayDraft, base: Holiday | null): Promise<unknown> =>
      close.save([toSent(edited)], base && { holiday_id: base.holiday_id, if_updatedAt: base.updatedAt }),
    reload: () => refresh(),
    // The days say it themselves, with what happened to their classes.
    onSaved: () => undefined,
  })
  const { draft, setDraft, conflict } = edit
  const { name, from, to, location_ids } = draft
  const set = (change: Partial<HolidayDraft>) => setDraft((before) => ({ ...before, ...change }))
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
  const close = useCloseDays(problem ? null : [toSent(draft)], onClose, holiday?.holiday_id ?? null)
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
          <Button loading={close.isPending} reason={problem ?? close.reason} onClick={() => !problem && close.canSend && edit.save()}>
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
      <TextField label="Por qué no hay clases" maxLength={80} value={name} onChange={(event) => set({ name: event.currentTarget.value })} />
      <div className="field-pair">
        <TextField
          label="Primer día"
          type="date"
          value={from}
          onChange={({ currentTarget: { value } }) => set({ from: value, ...(to < value ? { to: value } : {}) })}
        />
        <TextField label="Último día" type="date" value={to} onChange={(event) => set({ to: event.currentTarget.value })} />
      </div>
      {all.length > 1 && (
        <fieldset className="plan-weeks">
          <legend className="field-label">Dónde</legend>
          <Checkbox checked={location_ids === null} onChange={(event) => set({ location_ids: event.currentTarget.checked ? null : [] })}>
            En todos los estudios
          </Checkbox>
          {location_ids !== null &&
            all.map((location) => (
              <Checkbox
                key={location.location_id}
                checked={location_ids.includes(location.location_id)}
                onChange={(event) =>
                  set({
                    location_ids: event.currentTarget.checked
                      ? [...location_ids, location.location_id]
                      : location_ids.filter((id) => id !== location.location_id),
                  })
                }
              >
                {location.name}
              </Checkbox>
            ))}
        </fieldset>
      )}
      <Switch
        checked={draft.public}
        onChange={(event) => set({ public: event.currentTarget.checked })}
        hint="El calendario dice ese día que está cerrado y por qué."
      >
        Se ve en el sitio
      </Switch>
      {close.fields}
      {conflict && (
        <ConflictDialog title="Alguien más cambió este día sin clases" {...conflict}>
          <VersionsTable mergesRest fields={differingFields(conflict.theirs, conflict.mine, (version) => valueTexts(version, all))} />
        </ConflictDialog>
      )}
    </Dialog>
  )
}
