/**
 * Base of the processor fakes: a loopback server with network faults, a clock set by the test, a ledger of the money really moved, and
 * webhook events that can be lost, repeated, reordered, delayed or badly signed. A request that the real processor would refuse is refused
 * the same way and recorded in `complaints`, so that the test fails.
 */
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCardNumber } from '#contract/card-number.ts'
import { clabeCheckDigit } from '#server/adapters/payments/clabe.ts'

/** A recorded request. */
export interface RecordedRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  raw: string
}

export interface Answer {
  status: number
  body: unknown
  /** Sent instead of JSON. */
  text?: string
  headers?: Record<string, string>
}

/**
 * `before`: the request was not executed. `after`: it was executed, but the caller gets no answer. `strange`: a 404 from a proxy instead of
 * the processor's answer.
 */
export type Fault = 'drop before' | 'drop after' | 'hang before' | 'hang after' | '500 before' | '500 after' | '429' | 'strange'

/** A movement of money. */
export interface Movement {
  kind: 'charge' | 'refund'
  amount: number
  object: string
  purchase_id: number | null
  at: Date
}

export interface WebhookEvent {
  headers: Record<string, string>
  body: string
}

/** Delivers a webhook event to the studio and returns the HTTP status. */
export type Courier = (event: WebhookEvent) => Promise<number>

export interface FakeOptions {
  /** The time at the processor; by default the studio's clock, so that both move together. */
  now: () => Date
}

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz'

/** An id of letters only, so that none is taken for a card number. */
export function newId(prefix: string, length = 16): string {
  return prefix + Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Digits in a processor's format that are not a valid card number, since tests search for those. */
export function digits(prefix: string, length: number): string {
  for (;;) {
    const digits = prefix + Array.from({ length: length - prefix.length }, () => randomInt(10)).join('')
    if (!hasCardNumber(digits)) return digits
  }
}

/** A valid CLABE of 18 digits: bank, place, account and check digit. */
export function clabe(bank: string): string {
  for (;;) {
    const first = digits(`${bank}180`, 17)
    const clabe = first + clabeCheckDigit(first)
    if (!hasCardNumber(clabe)) return clabe
  }
}

const DAY_S = 86_400
const MEXICO_OFFSET_S = 6 * 3_600
const dayOf = (seconds: number) => Math.floor((seconds - MEXICO_OFFSET_S) / DAY_S)

/** The last second of a day in Mexico City, some days later: when a voucher expires. */
export const endOfDayIn = (seconds: number, days: number): number => (dayOf(seconds) + days + 1) * DAY_S + MEXICO_OFFSET_S - 1

/** Noon in Mexico City of the next working day (without holidays): when a payment in a shop is confirmed. */
export function workingDayAfter(seconds: number): number {
  let day = dayOf(seconds) + 1
  while ([0, 6].includes(new Date(day * DAY_S * 1000).getUTCDay())) day++
  return day * DAY_S + MEXICO_OFFSET_S + 12 * 3_600
}

export abstract class Fake {
  readonly now: () => Date
  readonly ledger: Movement[] = []
  /** Requests that the real processor would refuse as malformed: a test that expects none checks that this is empty. */
  readonly complaints: string[] = []
  readonly requests: RecordedRequest[] = []
  /** Webhook events not delivered yet, oldest first. */
  readonly waiting: { id: string; event: object }[] = []
  /** When webhook events are sent: only by `deliver`, or automatically before or after the response of the request that caused them. */
  delivery: 'held' | 'before the answer' | 'after the answer' = 'held'
  courier: Courier | null = null
  /** Delay of every request, in ms. */
  latencyMs = 0
  /** A promise that every request awaits, so that tests can fix the order independently of the machine's speed. */
  gate: Promise<unknown> | null = null
  #faults: { match: (request: RecordedRequest) => boolean; fault: Fault; times: number }[] = []
  #server: Server
  url = ''

  constructor(options: FakeOptions) {
    this.now = options.now
    this.#server = createServer((req, res) => {
      this.#serve(req, res).catch((error: unknown) => {
        this.complaints.push(`the stand-in itself failed: ${error instanceof Error ? error.stack : String(error)}`)
        if (!res.headersSent) res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"type":"api_error"}}')
      })
    })
  }

  async listen(): Promise<this> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('No port.')
    this.url = `http://127.0.0.1:${address.port}`
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((closed) => this.#server.close(closed))
  }

  /** Applies a fault to the next `times` matching requests. */
  break(fault: Fault, match: string | ((request: RecordedRequest) => boolean), times = 1): void {
    const fits = typeof match === 'string' ? (request: RecordedRequest) => `${request.method} ${request.path}`.startsWith(match) : match
    this.#faults.push({ match: fits, fault, times })
  }

  /** Called with every request before it is answered. */
  onRequest: ((request: RecordedRequest) => void) | null = null

  mend(): void {
    this.#faults = []
  }

  /** Charged minus refunded money of a purchase, in centavos. */
  taken(purchase_id: number): number {
    return this.ledger
      .filter((row) => row.purchase_id === purchase_id)
      .reduce((sum, row) => sum + (row.kind === 'charge' ? row.amount : -row.amount), 0)
  }

  /** Money movements of one purchase. */
  movements(purchase_id: number): string[] {
    return this.ledger.filter((row) => row.purchase_id === purchase_id).map((row) => `${row.kind} ${row.amount}`)
  }

  /** Number of requests that start with a text: `countOf('POST /v1/refunds')`. */
  countOf(start: string): number {
    return this.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)).length
  }

  /**
   * Delivers the pending events. `order` reverses or shuffles them, `times` repeats each, `lose` drops some, `age` signs them that many
   * seconds ago, `wrongSecret` signs them with another key. Returns the HTTP statuses.
   */
  async deliver(
    how: {
      order?: 'as made' | 'reversed' | 'shuffled'
      times?: number
      lose?: (type: string) => boolean
      age?: number
      wrongSecret?: boolean
    } = {},
  ): Promise<number[]> {
    const delivered = this.waiting.splice(0).filter(({ event }) => !how.lose?.(this.typeOf(event)))
    if (how.order === 'reversed') delivered.reverse()
    const all = delivered.flatMap((event) => Array.from({ length: how.times ?? 1 }, () => event))
    if (how.order === 'shuffled')
      for (let at = all.length - 1; at > 0; at--) {
        const other = randomInt(at + 1)
        const [first, two] = [all[at], all[other]]
        if (first && two) [all[at], all[other]] = [two, first]
      }
    const at = new Date(this.now().getTime() - (how.age ?? 0) * 1000)
    const statuses: number[] = []
    for (const { event } of all) {
      if (!this.courier) throw new Error('Nobody takes the notices.')
      statuses.push(await this.courier(await this.sign(event, at, how.wrongSecret ?? false)))
    }
    return statuses
  }

  /** The pending events, signed now, without delivering them. */
  async signed(): Promise<WebhookEvent[]> {
    return Promise.all(this.waiting.map(({ event }) => this.sign(event, this.now(), false)))
  }

  protected enqueueEvent(id: string, event: object): void {
    this.waiting.push({ id, event })
  }

  protected complain(text: string): void {
    this.complaints.push(text)
  }

  /** Yields to other requests, and waits for the configured delay. */
  protected async pause(): Promise<void> {
    await wait(this.latencyMs)
    await this.gate
  }

  protected abstract sign(event: object, at: Date, wrongSecret: boolean): Promise<WebhookEvent>
  protected abstract typeOf(event: object): string
  /** Executes a request. */
  protected abstract answer(request: RecordedRequest): Promise<Answer>
  protected abstract failure(status: number): unknown

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const url = new URL(req.url ?? '/', this.url)
    const request: RecordedRequest = {
      method: req.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)])),
      raw: Buffer.concat(chunks).toString('utf8'),
    }
    this.requests.push(request)
    this.onRequest?.(request)
    const broken = this.#faults.find((fault) => fault.times > 0 && fault.match(request))
    if (broken) broken.times -= 1
    const fault = broken?.fault
    const write = ({ status, body, text, headers }: Answer) => {
      if (!res.writableEnded)
        res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text ?? (status === 204 ? '' : JSON.stringify(body)))
    }
    if (fault === 'drop before') return void req.socket.destroy()
    if (fault === 'hang before') return
    if (fault === '500 before') return write({ status: 500, body: this.failure(500) })
    if (fault === 'strange') return write({ status: 404, body: { message: 'no such route' } })
    if (fault === '429') return write({ status: 429, body: this.failure(429) })
    const answer = await this.answer(request)
    if (this.delivery === 'before the answer') await this.deliver()
    if (fault === 'drop after') req.socket.destroy()
    else if (fault === '500 after') write({ status: 500, body: this.failure(500) })
    else if (fault !== 'hang after') write(answer)
    if (this.delivery === 'after the answer') await this.deliver()
  }
}
