import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { type FormDraft, formVersions } from './form-draft.ts'

interface FormConflictProps {
  /** the refusal's sentence: who changed it and when */
  message: string
  theirs: FormDraft
  mine: FormDraft
  onTakeTheirs: () => void
  onSaveMine: () => void
  onClose: () => void
}

/** Both versions of a form that was changed by another person since it was loaded, field by field. */
export default function FormConflict({ message, theirs, mine, ...verbs }: FormConflictProps) {
  return (
    <ConflictDialog title="Alguien más cambió este formulario" message={message} {...verbs}>
      <VersionsTable fields={formVersions(theirs, mine)} mergesRest />
    </ConflictDialog>
  )
}
