import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Form } from '#contract/form-endpoints.ts'
import type { FormField } from '#contract/forms.ts'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { draftOfForm, type FormDraft, formProblem, NEW_FORM, newFieldKey, toRequest, withField, withoutField } from './form-draft.ts'

/** A form as the list has it: with the version that a change is made from. */
export type StoredForm = Form & { updatedAt: string }

/**
 * The edit of a form: its draft and its verbs. `stored` null: a new form. The screen is left after a new form was saved and after one
 * was removed.
 */
export function useFormEdit(stored: StoredForm | null) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [left, setLeft] = useState(false)
  const form_id = stored?.form_id ?? null
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.forms), 0)
  }
  const edit = useVersionedEdit({
    stored,
    start: NEW_FORM,
    toDraft: draftOfForm,
    follows: true,
    // Answers of conditions are any JSON here; the server checks them with the contract.
    send: (typed: FormDraft, from: StoredForm | null, how) => {
      const sent = toRequest(typed) as Parameters<typeof api.forms.admin.forms.create>[0]
      return form_id === null
        ? api.forms.admin.forms.create({ ...sent, form_id: null }, how)
        : api.forms.admin.forms.update({ ...sent, form_id, ...(from ? { if_updatedAt: from.updatedAt } : {}) })
    },
    reload: () => client.invalidateQueries(),
    async onSaved({ form }) {
      // After the list is read: a form without edits follows its values.
      await client.invalidateQueries()
      if (stored) edit.follow(form)
      else edit.setDraft(draftOfForm(form))
      showAlert('success', 'Guardado.')
      if (!stored) leave()
    },
  })
  const { before, draft, setDraft, conflict, isSaving } = edit
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.forms.admin.forms.remove({ form_id: form_id ?? 0 }),
    async onSuccess() {
      await client.invalidateQueries()
      showAlert('success', 'Eliminado.')
      leave()
    },
  })
  const isChanged = JSON.stringify(toRequest(draft)) !== JSON.stringify(toRequest(before))
  return {
    form_id,
    draft,
    setDraft,
    conflict,
    isChanged,
    isSaving,
    remove,
    refused: edit.refusal ?? (remove.error ? toFailure(remove.error) : null),
    /** An edit that leaving the screen would lose. */
    isUnsaved: isChanged && !left && !isSaving,
    submit() {
      const problem = formProblem(draft)
      if (problem) showAlert('alert', problem)
      else edit.save()
    },
  }
}

/** The field of a form that is open in the panel: adding one, changing it, and its key. */
export function useOpenField({ draft, setDraft }: Pick<ReturnType<typeof useFormEdit>, 'draft' | 'setDraft'>, stored: StoredForm | null) {
  const [openKey, setOpenKey] = useState<string | null>(null)
  const field = draft.fields.find(({ key }) => key === openKey)
  const keysWithout = (field: FormField | null) => draft.fields.filter((other) => other !== field).map(({ key }) => key)
  const setFields = (fields: readonly FormField[]) => setDraft((current) => ({ ...current, fields }))
  return {
    field,
    setFields,
    open: setOpenKey,
    add() {
      const key = newFieldKey('campo', keysWithout(null))
      const position = { step: draft.fields.at(-1)?.step ?? 1, order: draft.fields.length }
      setFields([...draft.fields, { key, label: '', type: 'text', required: false, ...position, options: [], precondition: null }])
      setOpenKey(key)
    },
    change: (change: Partial<FormField>) =>
      setDraft((current) => ({ ...current, fields: withField(current.fields, openKey ?? '', change) })),
    remove() {
      setOpenKey(null)
      setFields(withoutField(draft.fields, openKey ?? ''))
    },
    /** Closes the panel. A field that is not stored yet gets its key from its question, and conditions on it follow. */
    close() {
      setOpenKey(null)
      if (!field || field.label.trim() === '' || stored?.form_fields.some(({ key }) => key === field.key)) return
      const key = newFieldKey(field.label, keysWithout(field))
      const renamed = (edited: FormField): FormField =>
        edited === field
          ? { ...edited, key }
          : edited.precondition?.key === field.key
            ? { ...edited, precondition: { ...edited.precondition, key } }
            : edited
      setFields(draft.fields.map(renamed))
    },
  }
}
