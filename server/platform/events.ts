/**
 * News between the processes of one studio: LISTEN/NOTIFY on one channel. An event is a hint that something changed
 * ("look at class 7"), never the state itself. Sent after the commit and gathered for a few milliseconds, because a
 * NOTIFY inside every booking would make commits wait for each other. A process that dies in between loses hints, so caches also age out.
 * One that could not listen for a while is told so: whatever it keeps may be old.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Something changed. `topic` names what, the rest says which. */
export type Event =
  | { topic: 'settings' }
  | { topic: 'content' }
  | { topic: 'catalogue' }
  | { topic: 'people'; uid?: string }
  /** `places`: somebody took or freed one; the class itself is as it was. */
  | { topic: 'class'; single_class_id: number; class_date: string; only?: 'places' }
  | { topic: 'purchase'; purchase_id: number; customer_id: number }

/** What a listener hears: a piece of news, or that any number of them may have been missed. */
export type BusEvent = Event | { topic: 'missed' }

export interface Events {
  /** Told to this process at once, to the others within a few milliseconds. */
  publish(events: Event[]): void
  /** Hears every event, its own process's included, and every gap. Returns the way to stop. */
  listen(hear: (event: BusEvent) => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'estudio'
const GATHER_MS = 15
const AGAIN_MS = 1_000
/**
 * How often the listening connection is asked for a sign of life, and how long it may take: only a question shows that a network between us
 * has dropped it without a word, and until then every event of the other processes is lost.
 */
const HEARTBEAT = { everyMs: 10_000, timeoutMs: 5_000 }
/** PostgreSQL refuses a payload of 8000 bytes. */
const MAX_PAYLOAD = 7_500

export async function openEvents(
  connection: string | pg.ClientConfig,
  pool: pg.Pool,
  log: { error(details: object, text: string): void },
  heartbeat: { everyMs: number; timeoutMs: number } = HEARTBEAT,
): Promise<Events> {
  const origin = `${process.pid}-${Math.random().toString(36).slice(2)}`
  const ears = new Set<(event: BusEvent) => void>()
  const tell = (event: BusEvent) => {
    for (const hear of ears) hear(event)
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
      // Whoever never hears of a change shows for good what is over; hearing of it twice does no harm.
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
    let asking = false
    async function ask() {
      if (asking) return
      asking = true
      try {
        await next.query('select 1')
      } catch (error) {
        if (closing.signal.aborted || next !== client) return
        log.error({ error }, 'events.connection_dead')
        // A goodbye would wait for the same answer.
        next.connection.stream.destroy()
        lost()
      } finally {
        asking = false
      }
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload }) => {
      const [from, ...events] = JSON.parse(payload ?? '[]') as [string, ...Event[]]
      if (from !== origin) for (const event of events) tell(event)
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    client = next
    beat = setInterval(ask, heartbeat.everyMs)
    beat.unref()
  }
  async function reconnect() {
    for (let wait = 100; !closing.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        await sleep(wait, undefined, { signal: closing.signal })
        await connect()
        reconnecting = undefined
        tell({ topic: 'missed' })
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
        tell(event)
        waiting.set(JSON.stringify(event), event)
      }
      sendIn(GATHER_MS)
    },
    listen(hear) {
      ears.add(hear)
      return () => ears.delete(hear)
    },
    async close() {
      closing.abort()
      if (timer) {
        clearTimeout(timer)
        await flush().catch(() => {})
      }
      await sending
      // One that was just being made would outlive us, and keep the embedded database from being stopped.
      await reconnecting
      await client?.end().catch(() => {})
    },
  }
}
