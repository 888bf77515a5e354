import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { changedFields, draftProblems, NEW_DRAFT, type PackageDraft, toDraft } from './package-draft.ts'

const COPY = ' (copia)'

/** The draft of a copy: under another title, not on the landing page and not featured. */
const copyDraft = (copied: StudioPackage): PackageDraft => ({
  ...toDraft(copied),
  title: `${copied.title}${COPY}`.slice(0, 120),
  is_home: false,
  is_featured: false,
})

const savedText = (isHome: boolean | undefined) =>
  isHome === true ? '¡Paquete agregado al home con éxito!' : isHome === false ? '¡Paquete eliminado del home!' : 'Guardado.'

/** Archives a package and offers to undo it, and restores an archived one. */
function usePackageArchive(stored: StudioPackage | null, leave: () => void) {
  const client = useQueryClient()
  const input = { class_package_id: stored?.class_package_id ?? 0 }
  const archive = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioPackages.remove(input),
    async onSuccess() {
      await client.invalidateQueries()
      offerUndo('Archivado. Ya no se vende.', () => {
        void api.studioPackages
          .restore(input)
          .then(() => client.invalidateQueries())
          .then(() => showAlert('success', 'Deshecho.'))
          .catch((error: unknown) => showAlert('alert', toFailure(error).message))
      })
      leave()
    },
  })
  const restore = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioPackages.restore(input),
    async onSuccess() {
      await client.invalidateQueries()
      showAlert('success', 'Recuperado.')
    },
  })
  return { archive, restore }
}

/**
 * The form of a package: its draft, what differs from the stored version, and its verbs. `stored` null: a new package, which starts as a
 * copy of `copied` if there is one. The screen is left after a new package was saved and after one was archived.
 */
export function usePackageEdit(stored: StudioPackage | null, copied: StudioPackage | null) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [checked, setChecked] = useState(false)
  const [left, setLeft] = useState(false)
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.packages), 0)
  }
  const edit = useVersionedEdit({
    stored,
    toDraft,
    start: copied ? copyDraft(copied) : NEW_DRAFT,
    follows: true,
    // The API reads the prices that were typed.
    send: (typed, from: StudioPackage | null, how) =>
      from
        ? api.studioPackages.update({
            ...changedFields(typed, from),
            class_package_id: from.class_package_id,
            if_updatedAt: from.updatedAt,
          } as never)
        : api.studioPackages.create(changedFields(typed, null) as never, how),
    reload: () => client.invalidateQueries(),
    async onSaved({ class_package }) {
      // After the list is read: a form without edits follows its values.
      await client.invalidateQueries()
      if (stored) edit.follow(class_package)
      showAlert('success', savedText(stored ? changes.is_home : undefined))
      if (!stored) leave()
    },
  })
  const { draft, setDraft, conflict, isSaving } = edit
  const { archive, restore } = usePackageArchive(stored, leave)
  const changes = changedFields(draft, edit.base)
  const isChanged = stored ? Object.keys(changes).length > 0 : JSON.stringify(draft) !== JSON.stringify(NEW_DRAFT)
  const failure = archive.error ?? restore.error
  const refused = edit.refusal ?? (failure ? toFailure(failure) : null)
  const { class_package_types, ...issues } = fieldErrors(refused)
  const problems = draftProblems(draft)
  return {
    draft,
    setDraft,
    conflict,
    changes,
    isChanged,
    isSaving,
    refused,
    archive,
    restore,
    /** An edit that leaving the screen would lose. */
    isUnsaved: isChanged && !left && !isSaving,
    /** The sentence of each wrong field: those of the form once it was tried to save, and those of the server. */
    problems: { ...(checked ? problems : {}), ...issues, ...(class_package_types ? { types: class_package_types } : {}) },
    submit() {
      setChecked(true)
      if (Object.keys(problems).length === 0) edit.save()
      else showAlert('alert', 'Revisa los campos marcados.')
    },
  }
}
