/** A small load generator on raw sockets, cheap enough to run on the measured machine. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One keep-alive connection with one request at a time. */
export class Connection {
  readonly #socket: Socket
  #got: Buffer[] = []
  #size = 0
  #wanted = -1
  #status = 0
  #settle: { resolve(status: number): void; reject(error: Error): void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (part) => this.#take(part))
    socket.on('error', (error) => this.#settle?.reject(error))
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')))
  }

  /** `from`: an address of the loopback network, for limits per address. */
  static open(port: number, from = '127.0.0.1'): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  /** Sends one request; resolves with its status when the whole body has arrived. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the server closed the connection before the request'))
      this.#settle = { resolve, reject }
      this.#got = []
      this.#size = 0
      this.#wanted = -1
      this.#socket.write(request)
    })
  }

  /** The body of the last response. */
  body(): string {
    const all = Buffer.concat(this.#got)
    return all.subarray(all.indexOf('\r\n\r\n') + 4).toString()
  }

  #take(part: Buffer) {
    this.#got.push(part)
    this.#size += part.length
    if (this.#wanted < 0) {
      const head = this.#got.length === 1 ? part : Buffer.concat(this.#got)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = head.subarray(0, end).toString('latin1')
      this.#status = Number(text.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
      this.#wanted = length === undefined ? Number.POSITIVE_INFINITY : end + 4 + Number(length)
    }
    const chunkedEnd = this.#wanted === Number.POSITIVE_INFINITY && part.subarray(-5).toString('latin1') === '0\r\n\r\n'
    if (this.#size < this.#wanted && !chunkedEnd) return
    const done = this.#settle
    this.#settle = null
    done?.resolve(this.#status)
  }

  close() {
    this.#socket.removeAllListeners('close')
    this.#socket.destroy()
  }
}

/** A request as bytes. */
export function request(method: string, path: string, headers: Record<string, string> = {}, body?: object): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(payload)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${payload}`)
}

export interface Load {
  perSecond: number
  count: number
  /** milliseconds */
  p50: number
  p99: number
  statuses: Record<number, number>
  seconds: number
}

/**
 * Sends requests over `clients` connections until `seconds` have passed or `next` has none left; each client waits `pauseMs` between two.
 */
export async function load(port: number, clients: number, seconds: number, next: () => Buffer | null, pauseMs = 0): Promise<Load> {
  const connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(port)))
  const times: number[] = []
  const statuses: Record<number, number> = {}
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        const nextRequest = next()
        if (!nextRequest) return
        const sent = performance.now()
        const status = await connection.send(nextRequest)
        times.push(performance.now() - sent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (pauseMs > 0) await sleep(pauseMs)
      }
    }),
  )
  const took = (performance.now() - start) / 1000
  for (const connection of connections) connection.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { perSecond: times.length / took, count: times.length, p50: at(0.5), p99: at(0.99), statuses, seconds: took }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
