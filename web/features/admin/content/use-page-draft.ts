import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffPage } from '#contract/content.ts'
import { type EditConflict, useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import type { Failure } from '#web/lib/errors.ts'
import { changedPageFields, draftOfPage, NEW_PAGE, type PageDraft, QUESTIONS_SLUG } from './page-draft.ts'
import { readQuestions } from './questions.ts'

/** The draft of a page, how its text is edited, and saving it. */
export interface PageDraftState {
  /** the page that the draft was made from; null = a new one */
  base: StaffPage | null
  before: PageDraft
  draft: PageDraft
  isChanged: boolean
  set: (change: Partial<PageDraft>) => void
  /** Changes the text from within its editor, which is not restarted. */
  type: (content: string) => void
  discard: () => void
  /** Puts the text of another version in the editor. */
  restore: (content: string) => void
  /** the key of the text editor: another one starts it with the draft's text */
  edition: number
  /** Only the page of questions can be edited as pairs of question and answer. */
  canBePairs: boolean
  isPairs: boolean
  /** Refused, with an alert, where the text has more than questions. */
  setPairs: (isPairs: boolean) => void
  save: () => void
  isSaving: boolean
  /** Why it was not saved, unless both versions are offered. */
  refusal: Failure | null
  conflict: EditConflict<PageDraft> | null
}

/** `stored`: the newest version; null = a new page. `onCreated` is called after a new page was saved. */
export function usePageDraft(stored: StaffPage | null, onCreated: () => void): PageDraftState {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: queries.content.key() })
  const edit = useVersionedEdit({
    stored,
    toDraft: draftOfPage,
    start: NEW_PAGE,
    reload,
    follows: true,
    send: (typed: PageDraft, from: StaffPage | null, how) =>
      from
        ? api.content.admin.page.change({
            ...changedPageFields(typed, draftOfPage(from)),
            page_id: from.page_id,
            if_updatedAt: from.updatedAt,
          })
        : api.content.admin.pages.create({ ...typed, content: typed.content.trim() ? typed.content : null, page_id: null }, how),
    async onSaved({ page }) {
      await reload()
      edit.follow(page)
      showAlert('success', 'Guardado.')
      if (!stored) onCreated()
    },
  })
  const { before, draft, setDraft } = edit
  // What the text editor contains: it is restarted when the draft gets another text from elsewhere.
  const [shown, setShown] = useState({ content: before.content, edition: 0 })
  const [isPairs, setIsPairs] = useState(before.slug === QUESTIONS_SLUG && readQuestions(before.content) !== null)
  if (draft.content !== shown.content) {
    setShown({ content: draft.content, edition: shown.edition + 1 })
    if (readQuestions(draft.content) === null) setIsPairs(false)
  }
  const set = (change: Partial<PageDraft>) => setDraft((current) => ({ ...current, ...change }))
  return {
    base: edit.base,
    before,
    draft,
    set,
    isPairs,
    edition: shown.edition,
    isChanged: edit.isChanged,
    save: edit.save,
    isSaving: edit.isSaving,
    refusal: edit.refusal,
    conflict: edit.conflict,
    canBePairs: draft.slug === QUESTIONS_SLUG,
    type(content) {
      setShown((current) => ({ ...current, content }))
      set({ content })
    },
    discard: () => setDraft(before),
    restore: (content) => set({ content }),
    setPairs(pairs) {
      if (pairs && readQuestions(draft.content) === null) {
        showAlert('alert', 'El texto tiene más que preguntas con su respuesta: cada pregunta es un título, sin nada antes.')
        return
      }
      setIsPairs(pairs)
      setShown((current) => ({ ...current, edition: current.edition + 1 }))
    },
  }
}
