import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Segment } from '#contract/segments.ts'
import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
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

/** A segment: its name, its filter, and how many customers match it at this moment. */
export function SegmentPanel({ segment, start, canEdit, onChanged, onClose }: SegmentPanelProps) {
  // The version that was opened: live updates of the list do not change what an edit was made from.
  const [base, setBase] = useState(segment)
  const [name, setName] = useState(segment?.name ?? '')
  const [values, setValues] = useState(() => (segment ? toFilterValues(segment.filter) : start))
  const [hasConflict, setConflict] = useState(false)
  const [removing, setRemoving] = useState(false)
  const names = useFilterNames()
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
  const save = useIdempotentMutation(segment ? api.segments.update : api.segments.create, {
    onSuccess: () => done('Guardado.'),
    onError: (error) => (toFailure(error).code === 'CHANGED_MEANWHILE' ? void onChanged().then(() => setConflict(true)) : undefined),
  })
  const remove = useIdempotentMutation(api.segments.remove, {
    onSuccess: () => done('Segmento eliminado.'),
    onError: () => setRemoving(false),
  })
  const failure = save.error ?? remove.error
  const refused = failure && toFailure(failure).code !== 'CHANGED_MEANWHILE' ? toFailure(failure) : null
  const isSame =
    base !== null && name.trim() === base.name && JSON.stringify(filter) === JSON.stringify(toFilter(toFilterValues(base.filter)))
  // `from`: the stored version over which the own one is saved.
  const saveOver = (from: Segment | null) =>
    save.mutate({
      ...(from ? { segment_id: from.segment_id, if_updatedAt: from.updatedAt } : {}),
      ...{ name: name.trim(), filter },
    })
  const problem = !name.trim() ? 'Escribe un nombre.' : isEmpty ? 'Elige al menos un filtro.' : isSame ? 'No has cambiado nada.' : null
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
            <Button loading={save.isPending} reason={problem} onClick={() => !problem && saveOver(base)}>
              Guardar
            </Button>
          </div>
        )
      }
    >
      <div className="record-panel">
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <TextField
          label="Nombre"
          maxLength={60}
          autoComplete="off"
          readOnly={!canEdit}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
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
            setValues((before) => ({ ...before, q: value }))
          }}
        />
        {canEdit && (
          <fieldset className="segment-filters">
            <legend className="label">Filtros</legend>
            <CustomerFilters isComplete values={values} onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))} />
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
      {hasConflict && segment && save.error && (
        <ConflictDialog
          title="Alguien más cambió este segmento"
          message={toFailure(save.error).message}
          onTakeTheirs={() => {
            setBase(segment)
            setName(segment.name)
            setValues(toFilterValues(segment.filter))
            setConflict(false)
            save.reset()
          }}
          onKeepMine={() => {
            setBase(segment)
            setConflict(false)
            saveOver(segment)
          }}
          onClose={() => setConflict(false)}
        >
          <VersionsTable
            fields={[
              { label: 'Nombre', theirs: segment.name, mine: name.trim() },
              { label: 'Filtros', theirs: filterText(segment.filter, names), mine: filterText(filter, names) },
            ].filter(({ theirs, mine }) => theirs !== mine)}
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
