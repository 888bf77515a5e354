import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Instructor } from '#contract/catalogue.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { mergeEdit, useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { diffRecord, type FieldValue, getCatalogueList, lockFields, type RecordValues, toFormValues, validate } from './catalogue-lists.ts'
import type { CoachPhoto } from './photo-field.tsx'

export type Coach = Awaited<ReturnType<typeof api.catalogue.admin.instructors.all>>['instructors'][number]

export const COACHES = getCatalogueList('coaches')
/** Its fields without the photo, which has a field of its own. */
const LIST = { ...COACHES, fields: COACHES.fields.filter(({ key }) => key !== 'photo') }

interface CoachDraft {
  values: RecordValues
  photo: CoachPhoto
}

const toCoachDraft = (coach: Coach): CoachDraft => ({
  values: toFormValues(LIST, coach),
  photo: { photo: coach.photo, photo_original: coach.photo_original, photo_crop: coach.photo_crop },
})

const mergeCoach = (base: CoachDraft, mine: CoachDraft, theirs: CoachDraft): CoachDraft => ({
  ...mergeEdit(base, mine, theirs),
  values: mergeEdit(base.values, mine.values, theirs.values),
})

/** The fields of a version as the dialog of both versions compares them. */
export const allValues = ({ values, photo }: CoachDraft): RecordValues => ({ ...values, photo: photo.photo ?? '' })

/** Archives a coach and offers to undo it, or restores one. */
function useCoachArchive(instructor_id: number) {
  const client = useQueryClient()
  const setArchived = async (archived: boolean) => {
    await api.catalogue.admin.instructors.update({ instructor_id, archived })
    await client.invalidateQueries()
  }
  return useMutation({
    meta: { handled: true },
    mutationFn: setArchived,
    onSuccess(_, archived) {
      if (!archived) {
        showAlert('success', 'Recuperado. Se ofrece otra vez.')
        return
      }
      offerUndo('Archivado. Ya no se ofrece, y sus clases se quedan como están.', () => {
        void setArchived(false)
          .then(() => showAlert('success', 'Deshecho.'))
          .catch((error: unknown) => showAlert('alert', toFailure(error).message))
      })
    },
  })
}

/** The form of a coach's profile: its draft with the sentences of wrong fields, and its verbs. */
export function useCoachEdit(coach: Coach) {
  const { instructor_id } = coach
  const client = useQueryClient()
  const [checked, setChecked] = useState(false)
  const archive = useCoachArchive(instructor_id)
  const edit = useVersionedEdit({
    stored: coach,
    start: toCoachDraft(coach),
    toDraft: toCoachDraft,
    merge: mergeCoach,
    follows: true,
    send: ({ photo, values }: CoachDraft, from: Coach | null) =>
      LIST.update({
        instructor_id,
        ...diffRecord(LIST, from && toFormValues(LIST, from), values),
        ...lockFields(from),
        ...(photo.photo === from?.photo ? {} : photo),
      }),
    reload: () => client.invalidateQueries(),
    async onSaved(answer) {
      const { instructor } = answer as { instructor?: Coach }
      // After the list is read: a form without edits follows its values.
      await client.invalidateQueries()
      if (instructor) edit.follow(instructor)
      setChecked(false)
      showAlert('success', 'Guardado.')
    },
  })
  const { draft, setDraft, isChanged, isSaving, conflict } = edit
  const problems = validate(LIST, draft.values)
  const refused = edit.refusal ?? (archive.error ? toFailure(archive.error) : null)
  const wrong = fieldErrors(refused)
  return {
    fields: LIST.fields,
    draft,
    isChanged,
    isSaving,
    conflict,
    archive,
    refused,
    /** The sentence of a wrong field: that of the form once it was tried to save, or the server's. */
    problemOf: (key: string) => (checked ? problems[key] : undefined) ?? wrong[key],
    setValue: (key: string, value: FieldValue) => setDraft((current) => ({ ...current, values: { ...current.values, [key]: value } })),
    setPhoto: (photo: CoachPhoto) => setDraft((current) => ({ ...current, photo })),
    discard: () => edit.follow(coach),
    submit() {
      setChecked(true)
      if (Object.keys(problems).length === 0) edit.save()
      else showAlert('alert', 'Revisa los campos marcados.')
    },
  }
}

/** The coach of a draft as the site shows them. */
export function toPreview(instructor_id: number, { values, photo }: CoachDraft): Instructor {
  const typed = (key: string) => String(values[key] ?? '')
  const orNull = (key: string) => typed(key).trim() || null
  return {
    instructor_id,
    name: typed('name'),
    last_name: typed('last_name'),
    nick_name: orNull('nick_name'),
    quote: orNull('quote'),
    short_bio: orNull('short_bio'),
    instagram: orNull('instagram'),
    birthdate: orNull('birthdate'),
    music_type: orNull('music_type'),
    specialties: orNull('specialties'),
    file: photo.photo === null ? null : { name: '', type: '', src: photo.photo },
  }
}
