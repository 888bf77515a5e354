import { useDeferredValue, useMemo } from 'react'

/** What is drawn of an answer of the API. */
interface Answer<T> {
  data: T | undefined
  /** `data` still belongs to the previous input */
  isPlaceholderData: boolean
}

/**
 * The answer of a query, for screens that draw many cards of it. React Query renders an answer that arrives synchronously: all cards in one
 * task, which blocks the next tap. Deferred, React draws them in slices of 5 ms between events. Both fields change together.
 */
export function useDeferredAnswer<T>({ data, isPlaceholderData }: Answer<T>): Answer<T> {
  return useDeferredValue(useMemo(() => ({ data, isPlaceholderData }), [data, isPlaceholderData]))
}
