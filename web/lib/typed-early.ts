import { useEffect, useRef } from 'react'

/** A field of a server-rendered form, in which the visitor may type before the page's scripts run. */
type TypedField = HTMLInputElement | HTMLSelectElement

/**
 * For a field whose value the page follows in state: calls `take` once at hydration if the field already has a value, because typing
 * before that fired no event that React handled. The field stays uncontrolled (`defaultValue`), or React would overwrite the typed text.
 */
export function useTypedEarly<F extends TypedField>(take: (field: F) => void) {
  const field = useRef<F>(null)
  const atStart = useRef(take)
  useEffect(() => {
    if (field.current?.value) atStart.current(field.current)
  }, [])
  return field
}
