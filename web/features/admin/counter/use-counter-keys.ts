import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

/** F2 searches for the customer, F4 goes to the payment. `onSearch` makes the page show the search. */
export function useCounterKeys(payPart: RefObject<HTMLElement | null>, onSearch: () => void): void {
  const latest = useRef(onSearch)
  useLayoutEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F2') {
        event.preventDefault()
        // The search may be shown only after the change.
        flushSync(() => latest.current())
        document.querySelector<HTMLInputElement>('#vender-a input[type=search]')?.focus()
      }
      if (event.key === 'F4') {
        event.preventDefault()
        payPart.current?.querySelector<HTMLElement>('button, input')?.focus()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [payPart])
}
