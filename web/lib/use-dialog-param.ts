/** Which dialog of a page is open, and about what: it stands in the address, so that a reload, a link and the way back find it again. */
import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isChoice } from './use-dialog-state.ts'

export interface DialogParam<K extends string> {
  /** the open dialog and the id that it is about; null while none is */
  asked: { name: K; id: number } | null
  /** opens one, instead of the one that is open */
  ask: (name: K, id: number) => void
  close: () => void
}

/** Ids of rows; 0 stands for a dialog that is about nothing in particular. */
const isId = (value: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(value)

/** `names`: the query keys of the page's dialogs; of several in one address the first counts. */
export function useDialogParam<K extends string>(names: readonly K[]): DialogParam<K> {
  const { pathname, search, key, state } = useLocation()
  const navigate = useNavigate()
  const left = useRef('')
  const opening = useRef('')
  const query = new URLSearchParams(search)
  const name = names.find((one) => isId(query.get(one) ?? ''))
  const addressOf = (next: K | null, id = 0): string => {
    const rest = new URLSearchParams([...query].filter(([key]) => !names.some((one) => one === key) && !isChoice(key)))
    if (next) rest.set(next, String(id))
    return rest.size ? `${pathname}?${rest}` : pathname
  }
  // The way back and forward can bring the same entry of the history again.
  if (name) opening.current = ''
  else left.current = ''
  const openedHere = (state as { opened?: boolean } | null)?.opened === true
  return {
    asked: name ? { name, id: Number(query.get(name)) } : null,
    ask(next, id) {
      // A double click asks once: a second entry would bring the dialog back when it is closed.
      const to = addressOf(next, id)
      if (opening.current === to) return
      opening.current = to
      void navigate(to, { preventScrollReset: true, replace: name !== undefined, state: { opened: !name || openedHere } })
    },
    close() {
      // Asked twice, it must not leave the page.
      if (!name || left.current === key) return
      left.current = key
      // Opened by a step on this page it is a step back; by a link from elsewhere the page stays in its place.
      if (openedHere) void navigate(-1)
      else void navigate(addressOf(null), { preventScrollReset: true, replace: true })
    },
  }
}
