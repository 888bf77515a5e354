/**
 * Unsent choices of the open dialog that survive a reload: seats, weeks and the like in the address; typed words (a guest's name is
 * private) only in this tab's sessionStorage.
 */
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The query keys of choices. They are in the address together with the key of their dialog and removed with it. */
const CHOICES = [
  'sitio',
  'sitio_invitado',
  'con_invitado',
  'semanas',
  'credito',
  'otra',
  'ver',
  'estrellas',
  'estrellas_coach',
  'quitar',
  'pagado',
] as const
type Choice = (typeof CHOICES)[number]

/** Whether a query key is one of the choices. */
export const isChoice = (key: string): boolean => CHOICES.some((choice) => choice === key)

interface Chosen {
  /** the value in the address; it can be typed by hand, so the caller must validate it */
  getChoice: (name: Choice) => string | null
  /** stores choices beside the others; null and '' remove one */
  setChoices: (choices: Partial<Record<Choice, string | number | null>>) => void
}

/** Reads and stores the choices of the open dialog in the address. */
export function useDialogState(): Chosen {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const pendingChoices = useRef<Map<string, string> | null>(null)
  return {
    getChoice: (name) => new URLSearchParams(search).get(name),
    setChoices(choices) {
      const query = new URLSearchParams(search)
      // Of two choices in a row the second may come before the address contains the first.
      pendingChoices.current ??= new Map([...query].filter(([key]) => isChoice(key)))
      for (const [key, value] of Object.entries(choices))
        if (value === null || value === '') pendingChoices.current.delete(key)
        else pendingChoices.current.set(key, String(value))
      const next = new URLSearchParams([...[...query].filter(([key]) => !isChoice(key)), ...pendingChoices.current])
      void navigate(`${pathname}?${next}`, { preventScrollReset: true, replace: true, state })
    },
  }
}

const DRAFT = 'estudio:borrador:'

/** Runs `act` on the storage. It may be blocked (private windows, policies): then a reload starts with empty fields. */
function draft<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(sessionStorage)
  } catch {
    return null
  }
}

/** Prefix of drafts that may be written before logging in: the log-in page must not remove them. */
export const VISITORS_DRAFT = 'visita:'

const isVisitors = (key: string): boolean => key.startsWith(DRAFT + VISITORS_DRAFT)

/** How long a visitor's draft is valid: long enough to log in or sign up, too short for the next person at a shared device. */
const VISITORS_MS = 3 * 3_600_000

/** The stored words; null without any. A visitor's draft is stored behind the time until which it is valid, and deleted after it. */
const readDraft = (key: string): string | null =>
  draft((storage) => {
    const stored = storage.getItem(key)
    if (stored === null || !isVisitors(key)) return stored
    const [, until, text] = /^(\d+) (.*)$/s.exec(stored) ?? []
    if (text !== undefined && Number(until) > Date.now()) return text
    storage.removeItem(key)
    return null
  })

const writeDraft = (key: string, text: string): void =>
  void draft((storage) => storage.setItem(key, isVisitors(key) ? `${Date.now() + VISITORS_MS} ${text}` : text))

/** The mounted drafts, which are emptied with the stored ones when the session ends. */
const resetListeners = new Set<(visitorsToo: boolean) => void>()

/**
 * A half-typed text of a dialog or a page. It is removed when they close without a page load and on sign-out. `before`: the text to start
 * with if there is none.
 */
export function useDraft(name: string, before = ''): [string, (text: string) => void] {
  const key = DRAFT + name
  const [text, setText] = useState(() => readDraft(key) ?? before)
  // A reload runs no cleanup, so the draft survives it; unmounting removes it.
  useEffect(() => {
    if (text !== before) writeDraft(key, text)
    return () => void draft((storage) => storage.removeItem(key))
  }, [key, text, before])
  useEffect(() => {
    const onReset = (visitorsToo: boolean) => {
      if (visitorsToo || !isVisitors(key)) setText(before)
    }
    resetListeners.add(onReset)
    return () => void resetListeners.delete(onReset)
  }, [key, before])
  return [text, setText]
}

/** Removes all stored drafts; `visitorsToo` false: only those of signed-in customers. */
export const dropDrafts = (visitorsToo = true): void =>
  void draft((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(DRAFT) && (visitorsToo || !isVisitors(key))) storage.removeItem(key)
  })

/** Removes the stored drafts and empties the fields that show them. */
export function resetDrafts(visitorsToo: boolean): void {
  dropDrafts(visitorsToo)
  for (const onReset of resetListeners) onReset(visitorsToo)
}
