import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import {
  type CatalogueList,
  type CatalogueRecord,
  changesOf,
  type FieldValue,
  type ListField,
  nameOf,
  problemsOf,
  valuesOf,
} from './catalogue-lists.ts'
import { PackagesField } from './packages-field.tsx'
import { PictureField } from './picture-field.tsx'

interface RecordPanelProps {
  list: CatalogueList
  /** null: a new one */
  row: CatalogueRecord | null
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** A record of a plain list: its fields, and its removal. */
export function RecordPanel({ list, row, onChanged, onClose }: RecordPanelProps) {
  const before = row && valuesOf(list, row)
  const [values, setValues] = useState(() => valuesOf(list, row))
  const [shown, setShown] = useState(false)
  const [removing, setRemoving] = useState(false)
  const id = row ? Number(row[list.idKey]) : null
  const problems = problemsOf(list, values)
  const changes = changesOf(list, before, values)
  const save = useMutation({
    meta: { handled: true },
    mutationFn: () => (id === null ? list.create(changes) : list.update({ [list.idKey]: id, ...changes })),
    async onSuccess() {
      await onChanged()
      showAlert('success', list.saved)
      onClose()
    },
  })
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => list.remove?.(id ?? 0) ?? Promise.resolve(),
    async onSuccess() {
      await onChanged()
      showAlert('success', list.removed)
      onClose()
    },
    onSettled: () => setRemoving(false),
  })
  const act = useMutation({
    meta: { handled: true },
    mutationFn: ({ call }: { call: () => Promise<unknown>; done: string }) => call(),
    async onSuccess(_, { done }) {
      await onChanged()
      showAlert('success', done)
    },
  })
  const failure = save.error ?? remove.error ?? act.error
  const refused = failure ? failureOf(failure) : null
  const wrongFields = new Map(
    ((refused?.data?.issues as { path: string; message: string }[] | undefined) ?? []).map(({ path, message }) => [path, message]),
  )
  const set = (key: string, value: FieldValue) => setValues((current) => ({ ...current, [key]: value }))
  const title = row ? list.one : list.add
  const submit = () => {
    setShown(true)
    if (Object.keys(problems).length === 0) save.mutate()
  }
  return (
    <Drawer
      open
      side="right"
      label={title}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{title}</h2>}
      foot={
        <div className="catalogue-foot">
          {row && list.remove && (
            <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
              Eliminar
            </Button>
          )}
          <Button
            loading={save.isPending}
            reason={row && Object.keys(changes).length === 0 ? 'No has cambiado nada.' : null}
            onClick={submit}
          >
            Guardar
          </Button>
        </div>
      }
    >
      <div className="record-panel">
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
            {refused.code === 'IN_USE' && <Uses data={refused.data} />}
          </Banner>
        )}
        {row &&
          list.verbs?.(row).map((verb) => (
            <Button key={verb.label} variant="outline" size="small" loading={act.isPending} onClick={() => act.mutate(verb)}>
              {verb.label}
            </Button>
          ))}
        {list.fields.map((field) => (
          <RecordField
            key={field.key}
            field={field}
            value={values[field.key] ?? ''}
            error={(shown ? problems[field.key] : undefined) ?? wrongFields.get(field.key)}
            onChange={(value) => set(field.key, value)}
          />
        ))}
        {row && list.details && <list.details row={row} />}
      </div>
      <ConfirmDialog
        open={removing}
        yes="Sí, eliminar"
        no="No, conservar"
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutateAsync().catch(() => undefined)}
      >
        ¿Quieres eliminar “{row && nameOf(list, row)}”?
      </ConfirmDialog>
    </Drawer>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  single_classes: 'clases',
  class_packages: 'paquetes',
  videos: 'videos',
  customers: 'clientes',
  purchases: 'compras',
  staff: 'personas del equipo',
}

/** The records that use this one. */
function Uses({ data }: { data: Record<string, unknown> | undefined }) {
  const uses = (data?.uses as { kind: string; count: number }[] | undefined) ?? []
  if (uses.length === 0) return null
  return <p>En uso: {uses.map(({ kind, count }) => `${count} ${KINDS[kind] ?? kind.replaceAll('_', ' ')}`).join(', ')}.</p>
}

interface RecordFieldProps {
  field: ListField
  value: FieldValue
  error: string | undefined
  onChange: (value: FieldValue) => void
}

function RecordField({ field, value, error, onChange }: RecordFieldProps) {
  const { label, kind, hint, required = false, max } = field
  const common = { label, hint, error, optional: !required }
  if (typeof value === 'boolean')
    return (
      <Switch checked={value} hint={hint} onChange={(event) => onChange(event.currentTarget.checked)}>
        {label}
      </Switch>
    )
  switch (kind) {
    case 'long':
      return <TextArea {...common} rows={3} maxLength={max} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    case 'select':
      return (
        <Select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {!required && <option value="">Sin elegir</option>}
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
          {value !== '' && !field.options?.some((option) => option.value === value) && <option value={value}>{value}</option>}
        </Select>
      )
    case 'packages':
      return <PackagesField {...common} value={value} onChange={onChange} />
    case 'picture':
      return <PictureField {...common} name={field.key} value={value} onChange={onChange} />
    default:
      return (
        <TextField
          {...common}
          type={kind === 'date' ? 'date' : 'text'}
          inputMode={kind === 'number' ? 'numeric' : kind === 'money' ? 'decimal' : undefined}
          maxLength={max}
          placeholder={kind === 'colour' ? '#2B36D9' : undefined}
          before={kind === 'money' ? <span className="muted">$</span> : undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}
