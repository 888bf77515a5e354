import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Segment } from '#contract/segments.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { mergeEdit, useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type FilterValues, toFilter } from './customer-filter.ts'
import { CustomerFilters, useFilterNames } from './customer-filters.tsx'
import { filterText, toFilterValues } from './stored-filter.ts'

interface SegmentPanelProps {
  /** null: a new one */
  segment: Segment | null
  /** the filter of a new one */
  start: FilterValues
  canEdit: boolean
  onChanged: () => Promise<unknown>
  onClose: () => void
}

interface SegmentDraft {
  name: string
  values: FilterValues
}

const toDraft = ({ name, filter }: Segment): SegmentDraft => ({ name, values: toFilterValues(filter) })

const mergeSegment = (base: SegmentDraft, mine: SegmentDraft, theirs: SegmentDraft): SegmentDraft => ({
  ...mergeEdit(base, mine, theirs),
  values: mergeEdit(base.values, mine.values, theirs.values),
})

/** A segment: its name, its filter, and how many customers match it at this moment. */
export function SegmentPanel({ segment, start, canEdit, onChanged, onClose }: SegmentPanelProps) {
  const [removing, setRemoving] = useState(false)
  const names = useFilterNames()
  const edit = useVersionedEdit({
    stored: segment,
    start: { name: '', values: start },
    toDraft,
    merge: mergeSegment,
    send(draft: SegmentDraft, from: Segment | null, how) {
      const sent = { name: draft.name.trim(), filter: toFilter(draft.values) }
      return from
        ? api.segments.update({ segment_id: from.segment_id, if_updatedAt: from.updatedAt, ...sent })
        : api.segments.create(sent, how)
    },
    reload: onChanged,
    onSaved: () => done('Guardado.'),
  })
  const { base, conflict } = edit
  const { name, values } = edit.draft
  const change = (by: (before: FilterValues) => FilterValues) => edit.setDraft((before) => ({ ...before, values: by(before.values) }))
  const filter = toFilter(values)
  const isEmpty = Object.keys(filter).length === 0
  const counted = useQuery({
    ...queries.customerList.list.queryOptions({ input: { ...filter, per_page: 1 }, meta: { handled: true } }),
    enabled: !isEmpty,
  })
  const done = async (text: string) => {
    await onChanged()
    showAlert('success', text)
    onClose()
  }
  const remove = useIdempotentMutation(api.segments.remove, {
    onSuccess: () => done('Segmento eliminado.'),
    onError: () => setRemoving(false),
  })
  const refused = edit.refusal ?? (remove.error ? toFailure(remove.error) : null)
  const isSame =
    base !== null && name.trim() === base.name && JSON.stringify(filter) === JSON.stringify(toFilter(toFilterValues(base.filter)))
  const problem = !name.trim() ? 'Escribe un nombre.' : isEmpty ? 'Elige al menos un filtro.' : isSame ? 'Sin cambios.' : null
  const title = segment ? 'Segmento' : 'Segmento nuevo'
  return (
    <Drawer
      open
      side="right"
      label={title}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{title}</h2>}
      foot={
        canEdit && (
          <div className="panel-foot">
            {segment && (
              <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
                Eliminar
              </Button>
            )}
            <Button loading={edit.isSaving} reason={problem} onClick={() => !problem && edit.save()}>
              Guardar
            </Button>
          </div>
        )
      }
    >
      <div className="record-panel">
        {refused && (
          <Banner tone="danger" live>
            {refused.code === 'IN_USE'
              ? 'Hay descuentos que son solo para este segmento: cámbialos o elimínalos primero.'
              : refused.message}
          </Banner>
        )}
        <TextField
          label="Nombre"
          maxLength={60}
          autoComplete="off"
          readOnly={!canEdit}
          value={name}
          onChange={({ currentTarget }) => edit.setDraft((before) => ({ ...before, name: currentTarget.value }))}
        />
        <TextField
          label="Nombre, teléfono o correo de las personas"
          optional
          maxLength={100}
          autoComplete="off"
          readOnly={!canEdit}
          value={values.q}
          onChange={(event) => {
            const { value } = event.currentTarget
            change((before) => ({ ...before, q: value }))
          }}
        />
        {canEdit && (
          <fieldset className="segment-filters">
            <legend className="label">Filtros</legend>
            <CustomerFilters isComplete values={values} onChange={(key, value) => change((before) => ({ ...before, [key]: value }))} />
          </fieldset>
        )}
        <p className="segment-count" role="status">
          {isEmpty ? (
            'Elige al menos un filtro.'
          ) : counted.isError ? (
            toFailure(counted.error).message
          ) : (
            <>
              <b>{counted.data ? peopleText(counted.data.total) : 'Contando'}</b> <span className="muted">{filterText(filter, names)}</span>
            </>
          )}
        </p>
      </div>
      {conflict && (
        <ConflictDialog title="Alguien más cambió este segmento" {...conflict}>
          <VersionsTable
            mergesRest
            fields={differingFields(conflict.theirs, conflict.mine, (draft) => ({
              Nombre: draft.name.trim(),
              Filtros: filterText(toFilter(draft.values), names),
            }))}
          />
        </ConflictDialog>
      )}
      <RemoveDialog
        open={removing}
        remove={() => remove.mutateAsync({ segment_id: segment?.segment_id ?? 0 })}
        onClose={() => setRemoving(false)}
      >
        ¿Quieres eliminar el segmento “{segment?.name}”? Los clientes se quedan.
      </RemoveDialog>
    </Drawer>
  )
}

export const peopleText = (n: number) => (n === 1 ? '1 cliente' : `${n.toLocaleString('es-MX')} clientes`)
