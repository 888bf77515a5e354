/** The current time for displays that depend on it. The server decides what is allowed. */
import { useSyncExternalStore } from 'react'

const EVERY_MS = 15_000

let now = 0
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(tick, EVERY_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    clearInterval(timer)
    timer = undefined
  }
}

function read(): number {
  // Without subscribers the timer is stopped and the stored time is old.
  if (!timer) now = Date.now()
  return now
}

/** Milliseconds since the epoch, renewed every 15 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, read, () => 0)
