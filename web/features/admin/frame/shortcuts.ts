/**
 * Keyboard shortcuts of the administration: screens and the frame register theirs, one listener acts on them, and the list of shortcuts
 * (`?`) shows what is registered. Single characters never act inside a field, a menu or a dialog, and each person can switch them off.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'

export interface Shortcut {
  /** A character (`n`, `N`, `[`), two in a row (`g h`), or `Mod+k`: Ctrl on most keyboards, Cmd on a Mac. */
  keys: string
  /** what it does, for the list of shortcuts */
  label: string
  act: () => void
}

interface Group {
  title: string
  /** a screen's shortcut wins over the frame's with the same keys */
  level: 'frame' | 'screen'
  shortcuts: readonly Shortcut[]
}

const registered = new Set<Group>()

/** The groups as they are registered now, the screen's first; `act` may be called. */
export const registeredShortcuts = (): readonly Omit<Group, 'level'>[] =>
  [...registered].filter(({ shortcuts }) => shortcuts.length > 0).sort((a, b) => b.level.localeCompare(a.level))

/** Registers shortcuts while the component is mounted; they may change with each rendering. Falsy entries are left out. */
export function useShortcuts(
  title: string,
  shortcuts: readonly (Shortcut | false | null | undefined)[],
  level: Group['level'] = 'screen',
): void {
  const group = useRef<Group>({ title, level, shortcuts: [] })
  useLayoutEffect(() => {
    group.current.shortcuts = shortcuts.filter((shortcut): shortcut is Shortcut => Boolean(shortcut))
  })
  // In a layout effect: what is visible already has its keys.
  useLayoutEffect(() => {
    const own = group.current
    registered.add(own)
    return () => void registered.delete(own)
  }, [])
}

/** The frame's shortcuts: those of every screen. */
export const useFrameShortcuts = (title: string, shortcuts: readonly (Shortcut | false | null | undefined)[]): void =>
  useShortcuts(title, shortcuts, 'frame')

/** How long the second character of two may take. */
const SEQUENCE_MS = 1_500
/** Elements that take characters themselves. */
const TAKES_CHARACTERS = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]'

/** Which shortcut a key is: pure, so that it is tested without a browser. `pending`: the first character of two. */
export function shortcutFor(
  groups: readonly Omit<Group, 'title'>[],
  pressed: { key: string; mod: boolean; pending: string | null },
): Shortcut | 'pending' | null {
  const find = (keys: string) => {
    const all = [...groups].sort((a, b) => b.level.localeCompare(a.level)).flatMap(({ shortcuts }) => shortcuts)
    return all.find((shortcut) => shortcut.keys === keys) ?? null
  }
  if (pressed.mod) return find(`Mod+${pressed.key.toLowerCase()}`)
  if (pressed.pending) {
    const second = find(`${pressed.pending} ${pressed.key}`)
    if (second) return second
  }
  const isFirst = groups.some(({ shortcuts }) => shortcuts.some(({ keys }) => keys.startsWith(`${pressed.key} `)))
  return isFirst ? 'pending' : find(pressed.key)
}

/** Listens for the registered shortcuts; once, in the frame. `singleKeys`: whether single characters act. */
export function useShortcutListener(singleKeys: boolean): void {
  useEffect(() => {
    let pending: { key: string; until: number } | null = null
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event
      const mod = event.ctrlKey || event.metaKey
      if (event.defaultPrevented || event.altKey || event.isComposing || (!mod && !singleKeys)) return
      if (document.querySelector('dialog:modal')) return
      if (!mod && target instanceof Element && target.closest(TAKES_CHARACTERS)) return
      const first = pending && pending.until > event.timeStamp ? pending.key : null
      if (key !== 'Shift') pending = null
      const found = shortcutFor([...registered], { key, mod, pending: first })
      if (found === 'pending') pending = { key, until: event.timeStamp + SEQUENCE_MS }
      else if (found) {
        event.preventDefault()
        found.act()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [singleKeys])
}

/** Links and buttons that open a row, in the order of the screen. */
const ROWS = '#contenido .row-link, #contenido [data-row]'

function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].filter((row) => row.checkVisibility())
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** `e` opens the row that has the focus: for lists whose rows are edited where they open. */
export const EDIT_SHORTCUT: Shortcut = {
  keys: 'e',
  label: 'Editar el renglón',
  act() {
    const row = document.activeElement
    if (row instanceof HTMLElement && row.matches(ROWS)) row.click()
  },
}

/** `j` and `k` move the focus between rows marked with `row-link` or `data-row`; Enter opens the focused one, as it is a link. */
export const ROW_SHORTCUTS: readonly Shortcut[] = [
  { keys: 'j', label: 'Siguiente renglón', act: () => moveFocus(1) },
  { keys: 'k', label: 'Renglón anterior', act: () => moveFocus(-1) },
]
