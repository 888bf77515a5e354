/** Short messages over the page: alerts 5 seconds, successes 3 (spec 1 section 9). One at a time, the newest wins. */
import { useSyncExternalStore } from 'react'

export interface Alert {
  /** Changes with each message, so that the same words can be shown twice. */
  id: number
  kind: 'alert' | 'success'
  message: string
  /** How long it stays, in milliseconds. */
  lasts: number
}

const LASTS = { alert: 5_000, success: 3_000 } as const

let present: Alert | null = null
let shown = 0
const ears = new Set<() => void>()

function become(next: Alert | null) {
  present = next
  for (const hear of ears) hear()
}

/** Shows a message instead of the present one; answers its id. */
export function showAlert(kind: Alert['kind'], message: string): number {
  become({ id: ++shown, kind, message, lasts: LASTS[kind] })
  return shown
}

/** Takes a message away, unless a newer one has replaced it. */
export function hush(id: number): void {
  if (present?.id === id) become(null)
}

/** The message to show now; who shows it counts the time (hover and focus pause it) and calls `hush`. */
export function useAlert(): Alert | null {
  return useSyncExternalStore(
    (hear) => {
      ears.add(hear)
      return () => ears.delete(hear)
    },
    () => present,
    () => null,
  )
}
