/** The keys of a list: `j` `k` go from person to person, `a` came, `f` did not, `u` takes the mark back, `n` adds, `m` shows the map. */
import { useEffect, useRef } from 'react'

interface RosterKeys {
  /** null: nobody can be marked now */
  onMark: ((class_reservation_id: number, attend: boolean | null) => void) | null
  onAdd: (() => void) | null
  onMap: (() => void) | null
}

const MARKS: Readonly<Record<string, boolean | null>> = { a: true, f: false, u: null }

/** Rows are found by `data-entry`, which carries the id of the place; the focus says which one is meant. */
export function useRosterKeys(keys: RosterKeys): void {
  const present = useRef(keys)
  present.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]')) return
      const names = [...document.querySelectorAll<HTMLElement>('[data-entry]')]
      const at = names.findIndex((name) => name.closest('li')?.contains(document.activeElement))
      const { onMark, onAdd, onMap } = present.current
      if (key === 'j' || key === 'k') names[Math.min(names.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))]?.focus()
      else if (key in MARKS && at >= 0) onMark?.(Number(names[at]?.dataset.entry), MARKS[key] ?? null)
      else if (key === 'n') onAdd?.()
      else if (key === 'm') onMap?.()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
