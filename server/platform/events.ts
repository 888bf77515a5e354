/**
 * Event bus between the processes of one studio: LISTEN/NOTIFY on one channel. An event is a hint that something changed ("reload class
 * 7"), never the state itself. Events are sent after the commit and batched for a few milliseconds, because a NOTIFY inside every booking
 * would serialize commits. A process that dies in between loses its events, so caches also expire by age. After a reconnect, listeners get
 * the topic `missed` and clear their caches.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** What can change, by topic: the fields that identify the change. Filled by what uses the bus (server/modules/topics.ts). */
// biome-ignore lint/suspicious/noEmptyInterface: declared here, extended where the topics are known.
export interface Topics {}

/** A change: its topic and the fields that identify it. */
export type Event = { [Topic in keyof Topics]: { topic: Topic } & Topics[Topic] }[keyof Topics]

/** What listeners receive: a change, or `missed` when any number of changes may have been lost. */
export type BusEvent = Event | { topic: 'missed' }

export interface Events {
  /** Delivered to this process immediately, to the others within a few milliseconds. */
  publish(events: Event[]): void
  /** Subscribes to every event, including this process's own, and to `missed`. Returns the function that unsubscribes. */
  listen(onEvent: (event: BusEvent) => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'estudio'
const GATHER_MS = 15
const AGAIN_MS = 1_000
/**
 * How often the listening connection is probed, and how long the response may take. A network can drop a connection silently; without the
 * probe this process would miss every event of the others and not notice.
 */
const HEARTBEAT = { everyMs: 10_000, timeoutMs: 5_000 }
/** PostgreSQL refuses a payload of 8000 bytes. */
const MAX_PAYLOAD = 7_500

/** Opens the bus: publishes through `pool`, listens on a connection of its own and reconnects when that is lost. */
export async function openEvents(
  connection: string | pg.ClientConfig,
  pool: pg.Pool,
  log: { error(details: object, text: string): void },
  heartbeat: { everyMs: number; timeoutMs: number } = HEARTBEAT,
): Promise<Events> {
  const origin = `${process.pid}-${Math.random().toString(36).slice(2)}`
  const listeners = new Set<(event: BusEvent) => void>()
  const dispatch = (event: BusEvent) => {
    for (const onEvent of listeners) onEvent(event)
  }

  let waiting = new Map<string, Event>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  async function flush() {
    timer = undefined
    const batch = [...waiting.values()]
    waiting = new Map()
    let start = 0
    try {
      while (start < batch.length) {
        let end = start + 1
        while (end < batch.length && JSON.stringify([origin, ...batch.slice(start, end + 1)]).length < MAX_PAYLOAD) end++
        await pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify([origin, ...batch.slice(start, end)])])
        start = end
      }
    } catch (error) {
      // Retry the batch: a lost event leaves stale caches; duplicates are harmless.
      for (const event of batch.slice(start)) waiting.set(JSON.stringify(event), event)
      if (!closing.signal.aborted) sendIn(AGAIN_MS)
      throw error
    }
  }
  function sendIn(ms: number) {
    timer ??= setTimeout(() => {
      sending = flush().catch((error) => log.error({ error }, 'events.publish_failed'))
    }, ms)
  }

  let client: pg.Client | undefined
  let reconnecting: Promise<void> | undefined
  const closing = new AbortController()
  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...(typeof connection === 'string' ? { connectionString: connection } : connection),
      keepAlive: true,
      connectionTimeoutMillis: heartbeat.timeoutMs,
      query_timeout: heartbeat.timeoutMs,
    })
    let beat: NodeJS.Timeout | undefined
    const lost = () => {
      clearInterval(beat)
      if (next === client) reconnecting ??= reconnect()
    }
    let probing = false
    async function probe() {
      if (probing) return
      probing = true
      try {
        await next.query('select 1')
      } catch (error) {
        if (closing.signal.aborted || next !== client) return
        log.error({ error }, 'events.connection_dead')
        // `end` would wait for the same unresponsive server.
        next.connection.stream.destroy()
        lost()
      } finally {
        probing = false
      }
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload }) => {
      const [from, ...events] = JSON.parse(payload ?? '[]') as [string, ...Event[]]
      if (from !== origin) for (const event of events) dispatch(event)
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    client = next
    beat = setInterval(probe, heartbeat.everyMs)
    beat.unref()
  }
  async function reconnect() {
    for (let wait = 100; !closing.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        await sleep(wait, undefined, { signal: closing.signal })
        await connect()
        reconnecting = undefined
        dispatch({ topic: 'missed' })
        return
      } catch (error) {
        if (!closing.signal.aborted) log.error({ error }, 'events.listen_failed')
      }
    }
  }
  await connect()

  return {
    publish(events) {
      for (const event of events) {
        dispatch(event)
        waiting.set(JSON.stringify(event), event)
      }
      sendIn(GATHER_MS)
    },
    listen(onEvent) {
      listeners.add(onEvent)
      return () => listeners.delete(onEvent)
    },
    async close() {
      closing.abort()
      if (timer) {
        clearTimeout(timer)
        await flush().catch(() => {})
      }
      await sending
      // A connection that is just being opened would outlive `close` and stop the embedded database from shutting down.
      await reconnecting
      await client?.end().catch(() => {})
    },
  }
}
