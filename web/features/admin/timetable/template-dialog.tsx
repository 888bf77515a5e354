import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScheduleTemplate } from '#contract/schedule-templates.ts'
import { formatWall, isLocalDate, type LocalDate } from '#contract/time.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'

interface TemplateDialogProps {
  /** The one that is changed, as it is stored now; null: a new one. */
  template: ScheduleTemplate | null
  week: LocalDate
  onClose: () => void
}

interface TemplateDraft {
  name: string
  /** A day of the week from which the classes are taken; null: they stay. */
  week: LocalDate | null
  /** Of which location; null: of all. */
  location_id: number | null
  /** How many are stored. */
  count: number
}

const toDraft = ({ name, classes }: ScheduleTemplate): TemplateDraft => ({ name, week: null, location_id: null, count: classes.length })

const valueTexts = ({ name, week, count }: TemplateDraft) => ({
  Nombre: name,
  Clases: week === null ? (count === 1 ? '1 clase' : `${count} clases`) : `Las de la semana del ${formatWall(`${week}T00:00:00Z`, 'date')}`,
})

/** Saves a week under a name; or renames a template, gives it another week, removes it. */
export default function TemplateDialog({ template, week, onClose }: TemplateDialogProps) {
  const client = useQueryClient()
  const [removing, setRemoving] = useState(false)
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const all = locations.data?.locations ?? []
  const reload = () => client.invalidateQueries({ queryKey: queries.scheduleTemplates.key() })
  const edit = useVersionedEdit({
    stored: template,
    toDraft,
    start: { name: '', week, location_id: null, count: 0 },
    reload,
    async send(edited: TemplateDraft, base: ScheduleTemplate | null, how): Promise<unknown> {
      const name = edited.name.trim()
      const location_ids = edited.location_id === null ? null : [edited.location_id]
      if (!base) return api.scheduleTemplates.create({ name, from_week: edited.week ?? week, location_ids }, how)
      const { schedule_template_id, updatedAt } = base
      const source = edited.week === null ? {} : { from_week: edited.week, location_ids }
      return api.scheduleTemplates.update({ schedule_template_id, if_updatedAt: updatedAt, name, ...source }, how)
    },
    async onSaved() {
      await reload()
      showAlert('success', 'Guardado.')
      onClose()
    },
  })
  const { draft, setDraft, conflict } = edit
  const set = (change: Partial<TemplateDraft>) => setDraft((before) => ({ ...before, ...change }))
  const isAnew = draft.week !== null
  const problem =
    draft.name.trim().length < 2
      ? 'Escribe cómo se llama.'
      : isAnew && !isLocalDate(draft.week ?? '')
        ? 'Elige la semana de la que salen las clases.'
        : null
  async function remove() {
    if (!template) return
    try {
      await api.scheduleTemplates.remove({ schedule_template_id: template.schedule_template_id })
      await reload()
      showAlert('success', 'Plantilla eliminada.')
      onClose()
    } catch (error) {
      showAlert('alert', toFailure(error).message)
      setRemoving(false)
    }
  }
  if (removing && template)
    return (
      <ConfirmDialog open onClose={() => setRemoving(false)} onConfirm={remove} yes="Sí, eliminar" no="No, conservarla" destructive>
        Se elimina la plantilla {template.name}. Las clases que ya puso se quedan.
      </ConfirmDialog>
    )
  return (
    <Dialog
      open
      onClose={edit.isSaving ? null : onClose}
      title={template ? template.name : 'Guardar una semana'}
      actions={
        <>
          {template ? (
            <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
              Eliminar
            </Button>
          ) : (
            <Button variant="outline" onClick={onClose}>
              No, volver
            </Button>
          )}
          <Button loading={edit.isSaving} reason={problem} onClick={() => problem === null && edit.save()}>
            Guardar
          </Button>
        </>
      }
    >
      {edit.refusal && (
        <Banner tone="danger" live>
          {edit.refusal.message}
        </Banner>
      )}
      <TextField label="Nombre" maxLength={80} value={draft.name} onChange={(event) => set({ name: event.currentTarget.value })} />
      {template && (
        <Switch checked={isAnew} onChange={(event) => set({ week: event.currentTarget.checked ? week : null })}>
          Tomar las clases de otra semana
        </Switch>
      )}
      {isAnew && (
        <div className="field-pair">
          <TextField
            label="Semana del"
            type="date"
            hint="Cualquier día de esa semana."
            value={draft.week ?? ''}
            onChange={(event) => set({ week: event.currentTarget.value as LocalDate })}
          />
          {all.length > 1 && (
            <Select
              label="Estudio"
              value={draft.location_id ?? ''}
              onChange={({ currentTarget: { value } }) => set({ location_id: value === '' ? null : Number(value) })}
            >
              <option value="">Todos los estudios</option>
              {all.map((location) => (
                <option key={location.location_id} value={location.location_id}>
                  {location.name}
                </option>
              ))}
            </Select>
          )}
        </div>
      )}
      {isAnew && <p className="small muted">Se guardan las clases publicadas, sin las canceladas.</p>}
      {conflict && (
        <ConflictDialog title="Alguien más cambió esta plantilla" {...conflict}>
          <VersionsTable mergesRest fields={differingFields(conflict.theirs, conflict.mine, valueTexts)} />
        </ConflictDialog>
      )}
    </Dialog>
  )
}
