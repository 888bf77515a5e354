/**
 * Pushes class changes to open calendars: `GET /api/live`, server-sent events. Events are collected for a moment, each changed class is
 * read once per process, and all connections that show its day receive the same bytes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { localDay } from '#contract/endpoint.ts'
import { refuse } from '#contract/errors.ts'
import type { Studio } from '#server/modules/ctx.ts'
import { EventStreams } from '#server/platform/event-streams.ts'
import { type ClassFacts, timetable } from './timetable.ts'

/** The class fields that are pushed to calendars. */
export interface LiveClass {
  single_class_id: number
  taken: number
  places_left: number
  /** Local time of the class, written as if it were UTC. */
  class_date: string
  cancelled: boolean
}

const GATHER_MS = 100

const range = z.object({ start_date: localDay.optional(), end_date: localDay.optional() })

/**
 * Calls `onChange` with each class that changed, read again once per moment; classes that no longer exist are left out. Reads nothing
 * while `isWatched` returns false. Returns the function that ends it.
 */
export function watchClasses(studio: Studio, isWatched: () => boolean, onChange: (live: LiveClass, cls: ClassFacts) => void): () => void {
  let changed = new Set<number>()
  let gathering: NodeJS.Timeout | undefined

  async function read() {
    gathering = undefined
    const ids = [...changed]
    changed = new Set()
    try {
      for (const cls of await timetable(studio).byId(ids)) {
        const { taken, class_date } = cls.shown
        onChange({ single_class_id: cls.single_class_id, taken, places_left: cls.places_left, class_date, cancelled: cls.cancelled }, cls)
      }
    } catch (error) {
      studio.log.error({ error }, 'live.update_failed')
    }
  }

  const unsubscribe = studio.events.listen((event) => {
    if (event.topic !== 'class' || !isWatched()) return
    changed.add(event.single_class_id)
    gathering ??= setTimeout(() => void read(), GATHER_MS)
  })
  return () => {
    unsubscribe()
    clearTimeout(gathering)
  }
}

export function registerLive(app: FastifyInstance, studio: Studio): void {
  const calendars = new EventStreams<{ start: string; end: string }>()
  const endWatch = watchClasses(
    studio,
    () => calendars.size > 0,
    (live, { date }) => calendars.send('class', live, ({ start, end }) => date >= start && date <= end),
  )
  const unsubscribe = studio.events.listen((event) => {
    // This process missed events, so its calendars did too: closing makes them reconnect and reload everything.
    if (event.topic === 'missed') calendars.end(() => true)
  })

  app.get('/api/live', async (req: FastifyRequest, reply: FastifyReply) => {
    const days = range.safeParse(req.query)
    if (!days.success) throw refuse('INVALID_INPUT')
    if (req.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send('')
    return calendars.open(req, reply, { start: days.data.start_date ?? '', end: days.data.end_date ?? '~' })
  })

  app.addHook('preClose', async () => {
    unsubscribe()
    endWatch()
    calendars.close()
  })
}
