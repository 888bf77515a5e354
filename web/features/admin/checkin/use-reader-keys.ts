import { type RefObject, useEffect } from 'react'

/** A code reader types into the focused element: keys that belong to no field go to the code field. */
export function useReaderKeys(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]')
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === ' ') return
      field.current?.focus()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [field])
}
