/** How late the event loop of a load generator was: times that it measured include this. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds beyond the requested time. */
export interface Lag {
  p50: number
  p99: number
  max: number
}

const RESOLUTION_MS = 5

/** Watches the loop of this process; the function returns what was seen so far. */
export function watchLag(): () => Lag {
  const seen = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  seen.enable()
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  return () => ({ p50: late(seen.percentile(50)), p99: late(seen.percentile(99)), max: late(seen.max) })
}

export const lagText = (lag: Lag) =>
  `lag of the generator p50 ${lag.p50.toFixed(1)}, p99 ${lag.p99.toFixed(1)}, most ${lag.max.toFixed(0)} ms`
