import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScheduleTemplate } from '#contract/schedule-templates.ts'
import { isLocalDate, type LocalDate } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'

interface TemplateDialogProps {
  /** The one that is changed; null: a new one. */
  template: ScheduleTemplate | null
  week: LocalDate
  onClose: () => void
}

/** Saves a week under a name; or renames a template, gives it another week, removes it. */
export default function TemplateDialog({ template, week, onClose }: TemplateDialogProps) {
  const client = useQueryClient()
  const [name, setName] = useState(template?.name ?? '')
  const [isAnew, setAnew] = useState(template === null)
  const [day, setDay] = useState(week)
  const [location, setLocation] = useState('')
  const [removing, setRemoving] = useState(false)
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const all = locations.data?.locations ?? []
  const problem =
    name.trim().length < 2 ? 'Escribe cómo se llama.' : isAnew && !isLocalDate(day) ? 'Elige la semana de la que salen las clases.' : null
  const source = { from_week: day, location_ids: location === '' ? null : [Number(location)] }
  const done = {
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.scheduleTemplates.key() })
      showAlert('success', 'Guardado.')
      onClose()
    },
    onError: () => undefined,
  }
  const save = useIdempotentMutation(
    (sent: { name: string } & Partial<typeof source>, { context }) =>
      template
        ? api.scheduleTemplates.update(
            { schedule_template_id: template.schedule_template_id, if_updatedAt: template.updatedAt, ...sent },
            { context },
          )
        : api.scheduleTemplates.create({ ...source, ...sent }, { context }),
    done,
  )
  async function remove() {
    if (!template) return
    try {
      await api.scheduleTemplates.remove({ schedule_template_id: template.schedule_template_id })
      await client.invalidateQueries({ queryKey: queries.scheduleTemplates.key() })
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
      onClose={save.isPending ? null : onClose}
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
          <Button
            loading={save.isPending}
            reason={problem}
            onClick={() => problem === null && save.mutate({ name: name.trim(), ...(isAnew ? source : {}) })}
          >
            Guardar
          </Button>
        </>
      }
    >
      {save.isError && (
        <Banner tone="danger" live>
          {toFailure(save.error).message}
        </Banner>
      )}
      <TextField label="Nombre" maxLength={80} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      {template && (
        <Switch checked={isAnew} onChange={(event) => setAnew(event.currentTarget.checked)}>
          Tomar las clases de otra semana
        </Switch>
      )}
      {isAnew && (
        <div className="field-pair">
          <TextField
            label="Semana del"
            type="date"
            hint="Cualquier día de esa semana."
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          {all.length > 1 && (
            <Select label="Estudio" value={location} onChange={(event) => setLocation(event.currentTarget.value)}>
              <option value="">Todos los estudios</option>
              {all.map((one) => (
                <option key={one.location_id} value={one.location_id}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </div>
      )}
      {isAnew && <p className="small muted">Se guardan las clases publicadas, sin las canceladas.</p>}
    </Dialog>
  )
}
