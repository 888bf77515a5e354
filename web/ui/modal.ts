/** The part that dialog and drawer share: the browser's own modal element, opened and closed by React state. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Modal {
  open: boolean
  /** null: it cannot be dismissed (required documents) */
  onClose: (() => void) | null
}

const CLOSING_MS = 240

/**
 * The browser traps the focus, makes the page behind inert and returns the focus to the opener. Escape and the backdrop only call
 * `onClose`; the element is never closed by the browser itself, so it cannot differ from React's state. The focus starts on
 * `[data-focus-first]`, else on `[data-title]`. `isRendered`: render the contents, also during the closing transition.
 */
export function useModal({ open, onClose }: Modal): { ref: RefObject<HTMLDialogElement | null>; isRendered: boolean } {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  const [isClosing, setIsClosing] = useState(false)
  useLayoutEffect(() => {
    close.current = onClose
  })

  // In the layout phase, so that the contents exist when they get the focus and still exist when the focus goes back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    setIsClosing(true)
    const page = document.documentElement
    if (!document.querySelector('dialog:modal')) page.style.setProperty('--scrollbar', `${innerWidth - page.clientWidth}px`)
    if (!dialog.open) dialog.showModal()
    const first = dialog.querySelector<HTMLElement>('[data-focus-first]') ?? dialog.querySelector<HTMLElement>('[data-title]')
    first?.focus()

    const onCancel = (event: Event): void => {
      if (event.target !== dialog) return
      event.preventDefault()
      close.current?.()
    }
    // The browser closes a dialog at the second Escape even if `cancel` was prevented: prevent the key itself.
    const onKeyDown = (event: KeyboardEvent): void => {
      const own = event.target instanceof Element && event.target.closest('dialog') === dialog
      if (event.key !== 'Escape' || event.defaultPrevented || !own) return
      event.preventDefault()
      close.current?.()
    }
    const onBackdropPress = (event: MouseEvent): void => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect()
      const outside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
      if (event.target === dialog && outside) close.current?.()
    }
    const onClosed = (event: Event): void => {
      if (event.target !== dialog) return
      if (close.current) close.current()
      else if (dialog.isConnected) dialog.showModal()
    }
    dialog.addEventListener('cancel', onCancel)
    dialog.addEventListener('keydown', onKeyDown)
    dialog.addEventListener('mousedown', onBackdropPress)
    dialog.addEventListener('close', onClosed)
    return () => {
      dialog.removeEventListener('cancel', onCancel)
      dialog.removeEventListener('keydown', onKeyDown)
      dialog.removeEventListener('mousedown', onBackdropPress)
      dialog.removeEventListener('close', onClosed)
      dialog.close()
    }
  }, [open])

  useEffect(() => {
    if (open) return
    const timer = setTimeout(() => setIsClosing(false), CLOSING_MS)
    return () => clearTimeout(timer)
  }, [open])

  return { ref, isRendered: open || isClosing }
}
