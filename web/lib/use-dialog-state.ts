/**
 * What is chosen in the open dialog and not sent yet, kept over a reload: seats, weeks and the like in the address, words that
 * somebody types (a guest's name is nobody else's business) only in this tab.
 */
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The query keys of choices. They stand beside the key of their dialog and leave the address with it. */
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
] as const
type Choice = (typeof CHOICES)[number]

export const isChoice = (key: string): boolean => CHOICES.some((one) => one === key)

interface Chosen {
  /** what the address says; anybody can write an address, so whoever reads it looks at what it says */
  before: (name: Choice) => string | null
  /** notes choices beside the others; null and '' take one away */
  keep: (choices: Partial<Record<Choice, string | number | null>>) => void
}

export function useDialogState(): Chosen {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const noted = useRef<Map<string, string> | null>(null)
  return {
    before: (name) => new URLSearchParams(search).get(name),
    keep(choices) {
      const query = new URLSearchParams(search)
      // Two choices in a row: the second may come before the address has the first.
      noted.current ??= new Map([...query].filter(([key]) => isChoice(key)))
      for (const [key, value] of Object.entries(choices))
        if (value === null || value === '') noted.current.delete(key)
        else noted.current.set(key, String(value))
      const next = new URLSearchParams([...[...query].filter(([key]) => !isChoice(key)), ...noted.current])
      void navigate(`${pathname}?${next}`, { preventScrollReset: true, replace: true, state })
    },
  }
}

const DRAFT = 'estudio:borrador:'

/** Storage may be closed to us (private windows, policies): then a reload begins anew. */
function draft<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(sessionStorage)
  } catch {
    return null
  }
}

/** Words half typed in a dialog. They are gone as soon as it closes, and with whoever signs out. `before`: what stands there without them. */
export function useDraft(name: string, before = ''): [string, (words: string) => void] {
  const key = DRAFT + name
  const [words, setWords] = useState(() => draft((storage) => storage.getItem(key)) ?? before)
  // A reload runs no cleanup; everything else that takes the dialog away does.
  useEffect(() => {
    if (words !== before) draft((storage) => storage.setItem(key, words))
    return () => void draft((storage) => storage.removeItem(key))
  }, [key, words, before])
  return [words, setWords]
}

/** Forgets what was half typed. */
export const dropDrafts = (): void =>
  void draft((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(DRAFT)) storage.removeItem(key)
  })
