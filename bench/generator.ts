/**
 * The load generator of npm run bench in a process of its own: reads a plan from its input, prints what it measured. Streams of requests
 * run at the same time, each with its own clients.
 */
import { text } from 'node:stream/consumers'
import { type Lag, watchLag } from './lag.ts'
import { type Load, load } from './load.ts'

/** Requests as text, sent one after the other by some clients; from the first again when `repeats`. */
export interface Stream {
  port: number
  clients: number
  seconds: number
  requests: string[]
  repeats?: boolean
  /** Milliseconds that each client waits between two requests. */
  pauseMs?: number
}

export interface Generated {
  loads: Load[]
  lag: Lag
}

if (import.meta.main) {
  const streams = JSON.parse(await text(process.stdin)) as Stream[]
  const lag = watchLag()
  const loads = await Promise.all(
    streams.map(({ port, clients, seconds, requests, repeats, pauseMs }) => {
      const bytes = requests.map((request) => Buffer.from(request))
      let at = 0
      return load(port, clients, seconds, () => bytes[repeats ? at++ % bytes.length : at++] ?? null, pauseMs)
    }),
  )
  console.log(JSON.stringify({ loads, lag: lag() } satisfies Generated))
}
