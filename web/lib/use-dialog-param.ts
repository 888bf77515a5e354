/** The open dialog of a page and its subject, in the address, so that a reload, a link and the browser's back button restore it. */
import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isChoice } from './use-dialog-state.ts'

export interface DialogParam<K extends string> {
  /** the open dialog and the id of its subject; null if none is open */
  open: { name: K; id: number } | null
  /** opens a dialog, replacing the open one */
  show: (name: K, id: number) => void
  close: () => void
}

/** Ids of rows; 0 for a dialog without a subject. */
const isId = (value: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(value)

/** `names`: the query keys of the page's dialogs; if an address has several, the first counts. */
export function useDialogParam<K extends string>(names: readonly K[]): DialogParam<K> {
  const { pathname, search, key, state } = useLocation()
  const navigate = useNavigate()
  const closedKey = useRef('')
  const opening = useRef('')
  const query = new URLSearchParams(search)
  const name = names.find((name) => isId(query.get(name) ?? ''))
  const addressOf = (next: K | null, id = 0): string => {
    // The address itself, which is newer than the rendered state: opening must not undo a filter that was chosen just before.
    const current = new URLSearchParams(window.location.search)
    const otherKeys = new URLSearchParams([...current].filter(([key]) => !names.some((name) => name === key) && !isChoice(key)))
    if (next) otherKeys.set(next, String(id))
    return otherKeys.size ? `${pathname}?${otherKeys}` : pathname
  }
  // Back and forward can return to the same history entry: forget what was opened or closed.
  if (name) opening.current = ''
  else closedKey.current = ''
  const openedHere = (state as { opened?: boolean } | null)?.opened === true
  return {
    open: name ? { name, id: Number(query.get(name)) } : null,
    show(next, id) {
      // A double click opens once: a second history entry would reopen the dialog when it is closed.
      const to = addressOf(next, id)
      if (opening.current === to) return
      opening.current = to
      void navigate(to, { preventScrollReset: true, replace: name !== undefined, state: { opened: !name || openedHere } })
    },
    close() {
      // A second call must not leave the page, and a late one must not close a dialog that was opened meanwhile.
      if (!name || closedKey.current === key || new URLSearchParams(window.location.search).get(name) !== query.get(name)) return
      closedKey.current = key
      // Opened on this page: go one step back. Opened by a link from elsewhere: stay on the page without the dialog.
      if (openedHere) void navigate(-1)
      else void navigate(addressOf(null), { preventScrollReset: true, replace: true })
    },
  }
}
