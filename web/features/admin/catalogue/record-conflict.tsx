import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import type { CatalogueList, FieldValue, ListField, RecordValues } from './catalogue-lists.ts'

interface RecordConflictProps {
  list: CatalogueList
  /** the refusal's sentence: who changed it and when */
  message: string
  theirs: RecordValues
  mine: RecordValues
  onTakeTheirs: () => void
  onSaveMine: () => void
  onClose: () => void
}

/** Both versions of a record that was changed by another person since it was loaded. */
export default function RecordConflict({ list, message, theirs, mine, ...verbs }: RecordConflictProps) {
  const fields = list.fields
    .filter(({ key }) => theirs[key] !== mine[key])
    .map((field) => ({ label: field.label, theirs: valueText(field, theirs[field.key]), mine: valueText(field, mine[field.key]) }))
  return (
    <ConflictDialog title={`Alguien más cambió ${list.thisOne}`} message={message} {...verbs}>
      <VersionsTable fields={fields} mergesRest />
    </ConflictDialog>
  )
}

function valueText({ options, kind }: ListField, value: FieldValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  if (kind === 'picture') return value ? 'Otra imagen' : 'Sin imagen'
  return options?.find((option) => option.value === value)?.label ?? value ?? ''
}
