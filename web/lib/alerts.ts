/**
 * Short messages over the page: alerts last 5 seconds, successes 3 (spec 1 section 9). One at a time; a new message replaces the old one.
 */
import { useSyncExternalStore } from 'react'

export interface Alert {
  /** Changes with each message, so that the same text can be shown twice in a row. */
  id: number
  kind: 'alert' | 'success'
  message: string
  /** How long it stays, in milliseconds. */
  lasts: number
}

const DURATION_MS = { alert: 5_000, success: 3_000 } as const

let current: Alert | null = null
let lastId = 0
const listeners = new Set<() => void>()

function setAlert(next: Alert | null) {
  current = next
  for (const listener of listeners) listener()
}

/** Shows a message instead of the current one. Returns its id. */
export function showAlert(kind: Alert['kind'], message: string): number {
  setAlert({ id: ++lastId, kind, message, lasts: DURATION_MS[kind] })
  return lastId
}

/** Removes the message with this id, unless a newer one has replaced it. */
export function hideAlert(id: number): void {
  if (current?.id === id) setAlert(null)
}

/** The message to show now. The component that shows it runs the timer (hover and focus pause it) and calls `hideAlert` at its end. */
export function useAlert(): Alert | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => null,
  )
}
