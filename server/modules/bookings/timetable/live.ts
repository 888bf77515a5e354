/**
 * Open calendars hear of places as they go and come: `GET /api/live`, server-sent events. News of classes is gathered for a moment, each
 * changed class is read once per process, and the same bytes go to everybody who looks at its day.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { localDay } from '#contract/endpoint.ts'
import { refuse } from '#contract/errors.ts'
import type { Studio } from '#server/modules/ctx.ts'
import { addressGroup } from '#server/platform/throttle.ts'
import { timetable } from './timetable.ts'

/** What a calendar is told about a class. */
export interface LiveClass {
  single_class_id: number
  taken: number
  places_left: number
  /** Wall clock written as UTC. */
  class_date: string
  cancelled: boolean
}

const GATHER_MS = 100
const HEARTBEAT_MS = 25_000
const RETRY_MS = 3_000
/** Per process: each connection costs some kilobytes and a socket. */
const MAX_CONNECTIONS = 2_000
const MAX_PER_ADDRESS = 100
/** A reader that does not take what it is sent is let go; its browser comes back by itself. */
const MAX_UNREAD = 256 * 1024

const asked = z.object({ start_date: localDay.optional(), end_date: localDay.optional() })

interface Listener {
  ip: string
  reply: FastifyReply
  start: string
  end: string
}

export function registerLive(app: FastifyInstance, studio: Studio): void {
  const listeners = new Set<Listener>()
  const perAddress = new Map<string, number>()
  let changed = new Set<number>()
  let gathering: NodeJS.Timeout | undefined

  const leave = (who: Listener) => {
    if (!listeners.delete(who)) return
    const left = (perAddress.get(who.ip) ?? 1) - 1
    if (left > 0) perAddress.set(who.ip, left)
    else perAddress.delete(who.ip)
  }
  const write = (who: Listener, text: string) => {
    const { raw } = who.reply
    if (raw.writableLength > MAX_UNREAD) raw.destroy()
    else raw.write(text)
  }

  async function tell() {
    gathering = undefined
    const ids = [...changed]
    changed = new Set()
    try {
      for (const cls of await timetable(studio).byId(ids)) {
        const news: LiveClass = {
          single_class_id: cls.single_class_id,
          taken: cls.shown.taken,
          places_left: cls.places_left,
          class_date: cls.shown.class_date,
          cancelled: cls.cancelled,
        }
        const text = `event: class\ndata: ${JSON.stringify(news)}\n\n`
        for (const who of listeners) if (cls.date >= who.start && cls.date <= who.end) write(who, text)
      }
    } catch (error) {
      studio.log.error({ error }, 'live.update_failed')
    }
  }

  const quiet = studio.events.listen((event) => {
    // What this process missed its calendars missed too: they come back at once and ask for everything again.
    if (event.topic === 'missed') for (const who of listeners) who.reply.raw.end()
    if (event.topic !== 'class' || listeners.size === 0) return
    changed.add(event.single_class_id)
    gathering ??= setTimeout(() => void tell(), GATHER_MS)
  })
  const heart = setInterval(() => {
    for (const who of listeners) write(who, ': still here\n\n')
  }, HEARTBEAT_MS)
  heart.unref()

  app.get('/api/live', async (req: FastifyRequest, reply: FastifyReply) => {
    const days = asked.safeParse(req.query)
    if (!days.success) throw refuse('INVALID_INPUT')
    if (req.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send('')
    const ip = addressGroup(req.ip)
    const here = perAddress.get(ip) ?? 0
    if (listeners.size >= MAX_CONNECTIONS || here >= MAX_PER_ADDRESS) {
      reply.header('retry-after', '30')
      throw refuse('BUSY')
    }
    const who: Listener = { ip, reply, start: days.data.start_date ?? '', end: days.data.end_date ?? '~' }
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    listeners.add(who)
    perAddress.set(ip, here + 1)
    reply.raw.on('close', () => leave(who))
    reply.raw.on('error', () => leave(who))
    write(who, `retry: ${RETRY_MS}\n\n`)
    return reply
  })

  app.addHook('preClose', async () => {
    quiet()
    clearInterval(heart)
    clearTimeout(gathering)
    for (const who of listeners) who.reply.raw.end()
    listeners.clear()
  })
}
