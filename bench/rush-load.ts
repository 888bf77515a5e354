/**
 * The people of npm run bench -- rush, in a process of their own: all open the calendar and keep its live stream, some of them book at
 * their own moment. Reads a plan from its input, prints what they saw.
 */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { bookingRequest } from './bookings.ts'
import { type Lag, watchLag } from './lag.ts'
import { Connection, request } from './load.ts'

export interface RushPlan {
  port: number
  /** One per person. */
  tokens: string[]
  week: string
  days: string
  /** How long it takes until all have opened the calendar, and until the last has booked after that. */
  openSeconds: number
  bookSeconds: number
  bookers: number
  firstClass: number
  classes: number
}

export interface RushSeen {
  /** Milliseconds. */
  opening: number[]
  booking: number[]
  /** From the answer to a booking until its card changed, at each person. */
  events: number[]
  /** Answers other than 200 by their code. */
  refusals: Record<string, number>
  streams: number
  lag: Lag
}

/** People of one address: a process allows a hundred streams of each. */
const PER_ADDRESS = 90
const addressOf = (person: number) => `127.0.${1 + Math.floor(person / PER_ADDRESS / 250)}.${2 + (Math.floor(person / PER_ADDRESS) % 250)}`

if (import.meta.main) {
  const plan = JSON.parse(await text(process.stdin)) as RushPlan
  const lag = watchLag()
  const seen = { opening: [] as number[], booking: [] as number[], events: [] as number[], refusals: {} as Record<string, number> }
  /** When bookings of each class were answered. */
  const booked = new Map<number, number[]>()
  const sockets: Socket[] = []

  /** A live stream: each event of a class covers the bookings answered since its last one. */
  function follow(person: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const delivered = new Map<number, number>()
      const socket = connect({ port: plan.port, host: '127.0.0.1', localAddress: addressOf(person) }, () => {
        socket.write(`GET /api/live?${plan.days} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`)
      })
      sockets.push(socket)
      socket.once('error', reject)
      socket.once('data', () => resolve())
      let rest = ''
      socket.setEncoding('latin1')
      socket.on('data', (part: string) => {
        const now = performance.now()
        const events = (rest + part).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) {
          const id = Number(/"single_class_id":(\d+)/.exec(event)?.[1])
          const answers = booked.get(id)
          if (!answers) continue
          const from = delivered.get(id) ?? 0
          if (from < answers.length) seen.events.push(now - (answers[from] ?? now))
          delivered.set(id, answers.length)
        }
      })
    })
  }

  async function live(person: number): Promise<void> {
    const token = plan.tokens[person] ?? ''
    await sleep((person / plan.tokens.length) * plan.openSeconds * 1000)
    const connection = await Connection.open(plan.port, addressOf(person))
    const mine = { authorization: `Bearer ${token}`, 'accept-encoding': 'br' }
    const began = performance.now()
    note(await connection.send(request('GET', plan.week, mine)), connection)
    seen.opening.push(performance.now() - began)
    // The program closes connections that are idle; like a browser, a person who books later opens another.
    connection.close()
    await follow(person)
    if (person >= plan.bookers) return
    const due = plan.openSeconds * 1000 + Math.random() * plan.bookSeconds * 1000
    await sleep(Math.max(0, due - performance.now()))
    const booking = bookingRequest({ ...plan, label: 'rush' }, person)
    if (!booking) throw new Error('There are fewer pairs of classes and people than bookings.')
    const sent = performance.now()
    const later = await Connection.open(plan.port, addressOf(person))
    const status = await later.send(booking)
    const now = performance.now()
    seen.booking.push(now - sent)
    if (status === 200) {
      const id = plan.firstClass + ((Math.floor(person / plan.tokens.length) + person) % plan.classes)
      booked.set(id, [...(booked.get(id) ?? []), now])
    }
    note(status, later)
    later.close()
  }

  function note(status: number, connection: Connection) {
    if (status === 200) return
    const code = /"code":"(\w+)"/.exec(connection.body())?.[1] ?? String(status)
    seen.refusals[code] = (seen.refusals[code] ?? 0) + 1
  }

  await Promise.all(plan.tokens.map((_, person) => live(person)))
  // Waits for the last events.
  await sleep(1_000)
  // Exiting cuts off what a pipe has not taken yet.
  process.stdout.write(JSON.stringify({ ...seen, streams: sockets.length, lag: lag() } satisfies RushSeen), () => process.exit(0))
}
