import { useEffect, useRef } from 'react'

/** A field of a document: where somebody types before the scripts of the page run. */
type TypedField = HTMLInputElement | HTMLSelectElement

/**
 * For a field whose value the page follows: calls `take` with the field if something stands in it when the page's scripts begin, because what was typed
 * before that fired no event that React heard. The field itself stays uncontrolled (`defaultValue`), or React would overwrite what was typed.
 */
export function useTypedEarly<F extends TypedField>(take: (field: F) => void) {
  const field = useRef<F>(null)
  const atStart = useRef(take)
  useEffect(() => {
    if (field.current?.value) atStart.current(field.current)
  }, [])
  return field
}
