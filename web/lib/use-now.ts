/** The present, for what moves with it on the screen. What may be done is the server's to say. */
import { useSyncExternalStore } from 'react'

const EVERY_MS = 15_000

let now = 0
const ears = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  now = Date.now()
  for (const hear of ears) hear()
}

function subscribe(hear: () => void) {
  ears.add(hear)
  timer ??= setInterval(tick, EVERY_MS)
  return () => {
    ears.delete(hear)
    if (ears.size) return
    clearInterval(timer)
    timer = undefined
  }
}

function read(): number {
  // Nobody listened for a while: what was noted last is long over.
  if (!timer) now = Date.now()
  return now
}

/** Milliseconds since the epoch, renewed every 15 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, read, () => 0)
