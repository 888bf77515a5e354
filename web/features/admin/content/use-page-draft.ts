import { useState } from 'react'
import type { StaffPage } from '#contract/content.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { draftOfPage, NEW_PAGE, type PageDraft, QUESTIONS_SLUG } from './page-draft.ts'
import { readQuestions } from './questions.ts'

/** The draft of a page, and how its text is edited. */
export interface PageDraftState {
  /** the page that the draft began with; null = a new one */
  base: StaffPage | null
  before: PageDraft
  draft: PageDraft
  set: (change: Partial<PageDraft>) => void
  /** Begins with a page as it is stored. The text editor is not restarted: it holds that text already. */
  begin: (page: StaffPage) => void
  /** Puts a stored page in place of the draft, in the text editor too. */
  replace: (page: StaffPage) => void
  /** Puts the text of another version in the editor. */
  restore: (content: string) => void
  /** the key of the text editor: another one starts it with the draft's text */
  edition: number
  /** Only the page of questions can be edited as pairs of question and answer. */
  canBePairs: boolean
  isPairs: boolean
  /** Refused, with an alert, where the text has more than questions. */
  setPairs: (isPairs: boolean) => void
}

export function usePageDraft(opened: StaffPage | null): PageDraftState {
  const [base, setBase] = useState(opened)
  const before = base ? draftOfPage(base) : NEW_PAGE
  const [draft, setDraft] = useState<PageDraft>(before)
  const [edition, setEdition] = useState(0)
  const [isPairs, setIsPairs] = useState(before.slug === QUESTIONS_SLUG && readQuestions(before.content) !== null)
  const set = (change: Partial<PageDraft>) => setDraft((current) => ({ ...current, ...change }))
  const restartEditor = () => setEdition((count) => count + 1)
  const begin = (page: StaffPage) => {
    setBase(page)
    setDraft(draftOfPage(page))
  }
  return {
    ...{ base, before, draft, set, begin, edition, isPairs },
    canBePairs: draft.slug === QUESTIONS_SLUG,
    replace(page) {
      begin(page)
      restartEditor()
    },
    restore(content) {
      set({ content })
      if (readQuestions(content) === null) setIsPairs(false)
      restartEditor()
    },
    setPairs(pairs) {
      if (pairs && readQuestions(draft.content) === null) {
        showAlert('alert', 'El texto tiene más que preguntas con su respuesta: cada pregunta es un título, sin nada antes.')
        return
      }
      setIsPairs(pairs)
      restartEditor()
    },
  }
}
