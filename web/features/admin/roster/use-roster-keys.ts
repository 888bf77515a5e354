/**
 * Keyboard shortcuts of a roster: `j` `k` move between entries, `a` arrived, `f` absent, `u` removes the mark, `n` adds, `m` shows the map.
 */
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'

interface RosterKeys {
  /** null: attendance cannot be marked now */
  onMark: ((class_reservation_id: number, attend: boolean | null) => void) | null
  onAdd: (() => void) | null
  onMap: (() => void) | null
}

/** The entries by `data-entry`, the id of the reservation, and the index of the one that has the focus inside; -1 for none. */
function focusedEntry(): { entries: HTMLElement[]; at: number } {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')]
  return { entries, at: entries.findIndex((entry) => entry.closest('li')?.contains(document.activeElement)) }
}

function moveBy(by: 1 | -1): void {
  const { entries, at } = focusedEntry()
  entries[Math.min(entries.length - 1, Math.max(0, at + by))]?.focus()
}

/** The focused entry is the one that is marked. */
export function useRosterKeys({ onMark, onAdd, onMap }: RosterKeys): void {
  const mark = (attend: boolean | null) => () => {
    const { entries, at } = focusedEntry()
    if (at >= 0) onMark?.(Number(entries[at]?.dataset.entry), attend)
  }
  useShortcuts('Lista de clase', [
    { keys: 'j', label: 'Siguiente persona', act: () => moveBy(1) },
    { keys: 'k', label: 'Persona anterior', act: () => moveBy(-1) },
    onMark && { keys: 'a', label: 'Llegó', act: mark(true) },
    onMark && { keys: 'f', label: 'No asistió', act: mark(false) },
    onMark && { keys: 'u', label: 'Quitar la marca', act: mark(null) },
    onAdd && { keys: 'n', label: 'Agregar a alguien', act: onAdd },
    onMap && { keys: 'm', label: 'Mapa o lista', act: onMap },
  ])
}
