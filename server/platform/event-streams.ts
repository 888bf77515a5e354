/**
 * Open connections of server-sent events. Each costs a socket and some kilobytes, so their number is limited for the process and for each
 * address; one that does not read is closed, and its browser reconnects.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { addressGroup } from './throttle.ts'

const HEARTBEAT_MS = 25_000
const RETRY_MS = 3_000
const MAX_CONNECTIONS = 2_000
const MAX_PER_ADDRESS = 100
/** A connection with more unread bytes than this is closed. */
const MAX_PENDING = 256 * 1024

interface Connection<Viewer> {
  ip: string
  reply: FastifyReply
  viewer: Viewer
}

/** The connections of one endpoint. `Viewer` is what the endpoint knows of each. */
export class EventStreams<Viewer> {
  readonly #connections = new Set<Connection<Viewer>>()
  readonly #perAddress = new Map<string, number>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #onClose: (viewer: Viewer) => void

  /** `onClose` is called with the viewer of each connection that ended. */
  constructor(onClose: (viewer: Viewer) => void = () => {}) {
    this.#onClose = onClose
    this.#heartbeat = setInterval(() => {
      for (const connection of this.#connections) write(connection, ': still here\n\n')
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Number of open connections. */
  get size(): number {
    return this.#connections.size
  }

  /** What is known of each open connection. */
  get viewers(): Viewer[] {
    return [...this.#connections].map(({ viewer }) => viewer)
  }

  /** Answers a request with a stream that stays open. BUSY when there are too many. */
  open(req: FastifyRequest, reply: FastifyReply, viewer: Viewer): FastifyReply {
    const ip = addressGroup(req.ip)
    const here = this.#perAddress.get(ip) ?? 0
    if (this.#connections.size >= MAX_CONNECTIONS || here >= MAX_PER_ADDRESS) {
      reply.header('retry-after', '30')
      throw refuse('BUSY')
    }
    const connection = { ip, reply, viewer }
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    this.#connections.add(connection)
    this.#perAddress.set(ip, here + 1)
    reply.raw.on('close', () => this.#leave(connection))
    reply.raw.on('error', () => this.#leave(connection))
    write(connection, `retry: ${RETRY_MS}\n\n`)
    return reply
  }

  /** Sends an event to the connections whose viewer fits. */
  send(event: string, data: unknown, fits: (viewer: Viewer) => boolean): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const connection of this.#connections) if (fits(connection.viewer)) write(connection, text)
  }

  /** Ends the connections whose viewer fits; their browsers reconnect. */
  end(fits: (viewer: Viewer) => boolean): void {
    for (const connection of this.#connections) if (fits(connection.viewer)) connection.reply.raw.end()
  }

  /** Ends all connections, at shutdown. */
  close(): void {
    clearInterval(this.#heartbeat)
    this.end(() => true)
    this.#connections.clear()
  }

  #leave(connection: Connection<Viewer>): void {
    if (!this.#connections.delete(connection)) return
    const left = (this.#perAddress.get(connection.ip) ?? 1) - 1
    if (left > 0) this.#perAddress.set(connection.ip, left)
    else this.#perAddress.delete(connection.ip)
    this.#onClose(connection.viewer)
  }
}

function write({ reply: { raw } }: Connection<unknown>, text: string): void {
  if (raw.writableLength > MAX_PENDING) raw.destroy()
  else raw.write(text)
}
