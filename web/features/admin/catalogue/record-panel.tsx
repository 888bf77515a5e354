import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import {
  type CatalogueList,
  type CatalogueRecord,
  copyName,
  diffRecord,
  type FieldValue,
  type ListField,
  lockFields,
  type RecordValues,
  recordName,
  text,
  toFormValues,
  validate,
} from './catalogue-lists.ts'
import { PackagesField, TypesField } from './packages-field.tsx'
import { PictureField } from './picture-field.tsx'
import { RecordUses, UseList, usesIn } from './record-uses.tsx'
import { SegmentField } from './segment-field.tsx'
import { StepsField } from './steps-field.tsx'

const ARCHIVED = 'Archivado. Ya no se ofrece, y lo que lo tiene se queda como está.'

const RecordConflict = lazy(() => import('./record-conflict.tsx'))

interface RecordPanelProps {
  list: CatalogueList
  /** the record that a new one is a copy of */
  copyOf?: CatalogueRecord | null
  /** names that are taken, for that of a copy */
  names?: readonly string[]
  /** null: a new one */
  row: CatalogueRecord | null
  onChanged: () => Promise<unknown>
  /** opens a copy of the record */
  onCopy: (id: number) => void
  onClose: () => void
}

/**
 * The verbs of a stored record besides saving: removal, archive with its undo, and what the list adds. `onAnswered`: the question about
 * it is closed.
 */
function useRecordVerbs({
  list,
  id,
  onChanged,
  onClose,
  onAnswered,
}: Pick<RecordPanelProps, 'list' | 'onChanged' | 'onClose'> & { id: number | null; onAnswered: () => void }) {
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => list.remove?.(id ?? 0) ?? Promise.resolve(),
    async onSuccess() {
      await onChanged()
      showAlert('success', list.removed)
      onClose()
    },
    onSettled: onAnswered,
  })
  const act = useMutation({
    meta: { handled: true },
    mutationFn: ({ call }: { call: () => Promise<unknown>; done: string }) => call(),
    async onSuccess(_, { done }) {
      await onChanged()
      showAlert('success', done)
    },
  })
  const archive = useMutation({
    meta: { handled: true },
    mutationFn: (archived: boolean) => list.arranged?.archive(id ?? 0, archived) ?? Promise.resolve(),
    async onSuccess(_, archived) {
      await onChanged()
      if (archived) {
        offerUndo(ARCHIVED, () => {
          void list.arranged
            ?.archive(id ?? 0, false)
            .then(onChanged)
            .then(() => showAlert('success', 'Deshecho.'))
            .catch((error: unknown) => showAlert('alert', toFailure(error).message))
        })
      } else showAlert('success', 'Recuperado. Se ofrece otra vez.')
      onClose()
    },
    onSettled: onAnswered,
  })
  const failure = remove.error ?? act.error ?? archive.error
  return { remove, act, archive, failure: failure ? toFailure(failure) : null }
}

/** A record of a plain list: its fields, and its removal. */
export function RecordPanel({ list, row, copyOf = null, names = [], onChanged, onCopy, onClose }: RecordPanelProps) {
  const [shown, setShown] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [isWithCopied, setWithCopied] = useState(true)
  const copied = copyOf ? (list.copied?.(copyOf) ?? null) : null
  const id = row ? Number(row[list.idKey]) : null
  const fields = list.fields.filter(({ onlyNew }) => !row || !onlyNew)
  const edit = useVersionedEdit({
    stored: row,
    toDraft: (record) => toFormValues(list, record),
    start: { ...toFormValues(list, copyOf), ...(copyOf ? { name: copyName(text(copyOf.name), names) } : {}) },
    send: (typed: RecordValues, from: CatalogueRecord | null, how) => {
      const changes = diffRecord({ ...list, fields }, from && toFormValues(list, from), typed)
      const along = copied && isWithCopied ? copied.sent : {}
      return id === null ? list.create({ ...changes, ...along }, how) : list.update({ [list.idKey]: id, ...changes, ...lockFields(from) })
    },
    reload: onChanged,
    async onSaved() {
      await onChanged()
      showAlert('success', list.saved)
      onClose()
    },
  })
  const { draft: values, setDraft, conflict } = edit
  const problems = validate(list, values)
  const { remove, act, archive, failure } = useRecordVerbs({ list, id, onChanged, onClose, onAnswered: () => setRemoving(false) })
  const isArchived = row?.archived === true
  const refused = edit.refusal ?? failure
  const wrongFields = fieldErrors(refused)
  const set = (key: string, value: FieldValue) => setDraft((current) => ({ ...current, [key]: value }))
  const title = row ? list.one : list.add
  const submit = () => {
    setShown(true)
    if (Object.keys(problems).length === 0) edit.save()
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
        <div className="panel-foot">
          {id !== null && list.arranged && (
            <Button variant="outline" onClick={() => onCopy(id)}>
              Duplicar
            </Button>
          )}
          {row && list.arranged && (
            <Button variant="outline" loading={archive.isPending} onClick={() => archive.mutate(!isArchived)}>
              {isArchived ? 'Recuperar' : 'Archivar'}
            </Button>
          )}
          {row && list.remove && (
            <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
              Eliminar
            </Button>
          )}
          <Button loading={edit.isSaving} reason={row && !edit.isChanged ? 'Sin cambios.' : null} onClick={submit}>
            Guardar
          </Button>
        </div>
      }
    >
      <div className="record-panel">
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
            {refused.code === 'IN_USE' && id !== null && <UseList uses={usesIn(refused.data)} list={list} id={id} />}
          </Banner>
        )}
        {row &&
          list.verbs?.(row).map((verb) => (
            <Button key={verb.label} variant="outline" size="small" loading={act.isPending} onClick={() => act.mutate(verb)}>
              {verb.label}
            </Button>
          ))}
        {fields.map((field) => (
          <RecordField
            key={field.key}
            field={field}
            value={values[field.key] ?? ''}
            error={(shown ? problems[field.key] : undefined) ?? wrongFields[field.key]}
            onChange={(value) => set(field.key, value)}
          />
        ))}
        {copied && (
          <Switch checked={isWithCopied} hint={copied.hint} onChange={(event) => setWithCopied(event.currentTarget.checked)}>
            {copied.label}
          </Switch>
        )}
        {row && list.details && <list.details row={row} />}
        {id !== null && list.arranged && <RecordUses list={list} id={id} />}
      </div>
      {conflict && (
        <Suspense>
          <RecordConflict list={list} {...conflict} />
        </Suspense>
      )}
      <RemoveDialog open={removing} remove={() => remove.mutateAsync()} onClose={() => setRemoving(false)}>
        ¿Quieres eliminar “{row && recordName(list, row)}”?
      </RemoveDialog>
    </Drawer>
  )
}

interface RecordFieldProps {
  field: ListField
  value: FieldValue
  error: string | undefined
  onChange: (value: FieldValue) => void
}

/** One field of a record in its form. */
export function RecordField({ field, value, error, onChange }: RecordFieldProps) {
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
    case 'segment':
      return <SegmentField {...common} value={value} onChange={onChange} />
    case 'types':
      return <TypesField {...common} value={value} onChange={onChange} />
    case 'steps':
      return <StepsField {...common} value={value} onChange={onChange} />
    case 'picture':
      return <PictureField {...common} name={field.key} value={value} onChange={onChange} />
    default:
      return (
        <TextField
          {...common}
          type={kind === 'date' ? 'date' : 'text'}
          inputMode={kind === 'number' ? 'numeric' : kind === 'money' || kind === 'percent' ? 'decimal' : undefined}
          maxLength={max}
          placeholder={kind === 'colour' ? '#2B36D9' : undefined}
          after={kind === 'percent' ? <span className="muted">%</span> : undefined}
          before={kind === 'money' ? <span className="muted">$</span> : undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}
