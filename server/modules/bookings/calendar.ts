/** One's classes in one's own calendar: a feed at a secret address, and single classes to add (docs/domain.md, R20). */
import type { FastifyInstance } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { spotInSentence } from '#contract/wording.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { findFeed, nextFeed } from './calendar-store.ts'
import { type ClassWords, classWords, wordsOf } from './letters.ts'
import { findTold, listForCalendar } from './telling-store.ts'
import { timetable } from './timetable.ts'

/** What the two kinds of links are signed for. */
const FEED = 'calendar-feed'
const ONE = 'calendar-one'
const DAY = 86_400_000
const PAST_DAYS = 60
const AHEAD_DAYS = 400
/** How long a calendar program may keep what it read. */
const FRESH_SECONDS = 900

interface Entry {
  class_reservation_id: number
  spot: string | null
  guest: string | null
}

/** The secret address of my calendar; it stays the same until I change it. */
export async function calendarFeed(ctx: Ctx): Promise<{ url: string; webcal_url: string }> {
  const { customer_id } = ctx.customer
  return feedLinks(ctx, customer_id, await findFeed(ctx.db, customer_id))
}

/** A new address; who has the old one sees nothing any more. */
export async function renewFeed(ctx: Ctx): Promise<{ url: string; webcal_url: string }> {
  const { customer_id } = ctx.customer
  const version = await ctx.tx((tx) => nextFeed(tx, customer_id, ctx.now))
  return feedLinks(ctx, customer_id, version)
}

function feedLinks(ctx: Ctx, customer_id: number, version: number) {
  const token = ctx.studio.signer.sign(FEED, `${customer_id}-${version}`)
  const url = `${ctx.studio.publicUrl}/api/calendario/${token}.ics`
  return { url, webcal_url: url.replace(/^https?:/, 'webcal:') }
}

/** Links that put one reservation of mine into a calendar. RESERVATION_NOT_FOUND, also for another's and for one given up. */
export async function calendarLinks(ctx: Ctx, ask: { class_reservation_id: number }) {
  const [place] = await findTold(ctx.db, [ask.class_reservation_id])
  const cls =
    place && place.customer_id === ctx.customer.customer_id && !place.deletedAt ? await classWords(ctx, place.single_class_id) : null
  if (!place || !cls) throw refuse('RESERVATION_NOT_FOUND')
  const { title, description, location } = words(ctx.studio, cls, place)
  const token = ctx.studio.signer.sign(ONE, String(place.class_reservation_id))
  const compact = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const { starts_at, ends_at } = cls.facts
  const google = new URLSearchParams({
    ...{ action: 'TEMPLATE', text: title, dates: `${compact(starts_at)}/${compact(ends_at)}`, details: description, location },
    ctz: cls.facts.zone,
  })
  const outlook = new URLSearchParams({
    ...{ path: '/calendar/action/compose', rru: 'addevent', subject: title, body: description, location },
    ...{ startdt: starts_at.toISOString(), enddt: ends_at.toISOString() },
  })
  return {
    ics_url: `${ctx.studio.publicUrl}/api/calendario/clase/${token}.ics`,
    google_url: `https://calendar.google.com/calendar/render?${google}`,
    outlook_url: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  }
}

function words(studio: Studio, cls: ClassWords, place: Entry) {
  const seat = place.spot ? [`Lugar: ${spotInSentence(place.spot)}.`] : []
  const guest = place.guest ? [`Con ${place.guest}.`] : []
  return {
    title: `${cls.type} · ${studio.settings().business_name}`,
    description: [cls.line, ...seat, ...guest, `${studio.publicUrl}/mystudio/reservaciones`].join('\n'),
    location: cls.where.replace(/\.$/, ''),
  }
}

async function write(studio: Studio, rows: readonly { cls: ClassWords; place: Entry; updatedAt: Date }[]): Promise<string> {
  const { default: ical, ICalCalendarMethod } = await import('ical-generator')
  const name = studio.settings().business_name
  const calendar = ical({
    name: `Mis clases en ${name}`,
    prodId: { company: 'Estudio', product: 'Reservaciones', language: 'ES' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: FRESH_SECONDS,
  })
  const host = new URL(studio.publicUrl).hostname
  for (const { cls, place, updatedAt } of rows) {
    const { title, description, location } = words(studio, cls, place)
    calendar.createEvent({
      // The same class stays the same entry when its hour changes.
      id: `reservacion-${place.class_reservation_id}@${host}`,
      ...{ start: cls.facts.starts_at, end: cls.facts.ends_at, stamp: updatedAt, lastModified: updatedAt },
      ...{ summary: title, description, location },
      url: `${studio.publicUrl}/mystudio/reservaciones`,
    })
  }
  // Every line of a calendar ends, the last one too (RFC 5545 section 3.1).
  return `${calendar.toString().trimEnd()}\r\n`
}

/** `GET /api/calendario/{token}.ics` and `/api/calendario/clase/{token}.ics`: the link is the permission, and a wrong one is not found. */
export function registerCalendars(app: FastifyInstance, studio: Studio): void {
  const asSystem = () => new Ctx(studio, { actor: { kind: 'system', job: 'calendar' } })
  const tokenOf = (file: string) => /^([\w.-]{10,200})\.ics$/.exec(file)?.[1] ?? ''
  app.get<{ Params: { file: string } }>('/api/calendario/:file', async (req, reply) => {
    const ctx = asSystem()
    const [customer_id, version] = (studio.signer.read(FEED, tokenOf(req.params.file)) ?? '').split('-').map(Number)
    if (!customer_id || (await findFeed(ctx.db, customer_id)) !== version) throw refuse('NOT_FOUND')
    const from = new Date(ctx.now.getTime() - PAST_DAYS * DAY)
    const places = await listForCalendar(ctx.db, customer_id, from, new Date(ctx.now.getTime() + AHEAD_DAYS * DAY))
    const classes = await timetable(studio).byId([...new Set(places.map((place) => place.single_class_id))])
    const byId = new Map(classes.map((cls) => [cls.single_class_id, wordsOf(cls)]))
    const rows = places.flatMap((place) => {
      const cls = byId.get(place.single_class_id)
      return cls ? [{ cls, place, updatedAt: place.updatedAt }] : []
    })
    reply.raw.setHeader('cache-control', `private, max-age=${FRESH_SECONDS}`)
    return reply.type('text/calendar; charset=utf-8').send(await write(studio, rows))
  })
  app.get<{ Params: { file: string } }>('/api/calendario/clase/:file', async (req, reply) => {
    const ctx = asSystem()
    const id = Number(studio.signer.read(ONE, tokenOf(req.params.file)))
    const [place] = id ? await findTold(ctx.db, [id]) : []
    const cls = place && !place.deletedAt ? await classWords(ctx, place.single_class_id) : null
    if (!place || !cls) throw refuse('NOT_FOUND')
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="clase.ics"')
      .send(await write(studio, [{ cls, place, updatedAt: place.createdAt }]))
  })
}
