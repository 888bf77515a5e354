/** What dialog and drawer share: the browser's own modal element, told by React whether it is open. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Modal {
  open: boolean
  /** null: it cannot be dismissed, only answered (required documents) */
  onClose: (() => void) | null
}

const LEAVING = 240

/**
 * The browser traps focus, makes the page behind inert and gives focus back to the opener. Escape and the backdrop ask
 * `onClose`; the element never decides, so what React says and what is shown cannot differ. Focus starts on
 * `[data-focus-first]`, else on `[data-title]`. `present`: its contents are still needed, also while it leaves.
 */
export function useModal({ open, onClose }: Modal): { ref: RefObject<HTMLDialogElement | null>; present: boolean } {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  const [leaving, setLeaving] = useState(false)
  useLayoutEffect(() => {
    close.current = onClose
  })

  // In the layout phase: the contents are there to receive focus, and focus goes back before they are taken away.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    setLeaving(true)
    const page = document.documentElement
    if (!document.querySelector('dialog:modal')) page.style.setProperty('--scrollbar', `${innerWidth - page.clientWidth}px`)
    if (!dialog.open) dialog.showModal()
    const first = dialog.querySelector<HTMLElement>('[data-focus-first]') ?? dialog.querySelector<HTMLElement>('[data-title]')
    first?.focus()

    const input = (event: Event): void => {
      if (event.target !== dialog) return
      event.preventDefault()
      close.current?.()
    }
    // A second Escape closes a dialog whatever `cancel` was answered: the key itself has to be stopped.
    const key = (event: KeyboardEvent): void => {
      const own = event.target instanceof Element && event.target.closest('dialog') === dialog
      if (event.key !== 'Escape' || event.defaultPrevented || !own) return
      event.preventDefault()
      close.current?.()
    }
    const backdrop = (event: MouseEvent): void => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect()
      const outside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
      if (event.target === dialog && outside) close.current?.()
    }
    const shut = (event: Event): void => {
      if (event.target !== dialog) return
      if (close.current) close.current()
      else if (dialog.isConnected) dialog.showModal()
    }
    dialog.addEventListener('cancel', input)
    dialog.addEventListener('keydown', key)
    dialog.addEventListener('mousedown', backdrop)
    dialog.addEventListener('close', shut)
    return () => {
      dialog.removeEventListener('cancel', input)
      dialog.removeEventListener('keydown', key)
      dialog.removeEventListener('mousedown', backdrop)
      dialog.removeEventListener('close', shut)
      dialog.close()
    }
  }, [open])

  useEffect(() => {
    if (open) return
    const timer = setTimeout(() => setLeaving(false), LEAVING)
    return () => clearTimeout(timer)
  }, [open])

  return { ref, present: open || leaving }
}
