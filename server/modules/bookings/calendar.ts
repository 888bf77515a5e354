/** A customer's classes in their calendar program: a feed at a secret address, and links to add single classes (docs/domain.md, R20). */
import type { FastifyInstance } from 'fastify'
import { spotInSentence } from '#contract/copy/names.ts'
import { mailInEnglish } from '#contract/english/answers.ts'
import { refuse } from '#contract/errors.ts'
import { type Language, languageFor } from '#contract/language.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { type ClassTexts, classTexts, findClassTexts } from './notifications/emails.ts'
import { type Feed, findFeed, firstFeed, nextFeed } from './store/calendar-store.ts'
import { findNotifiedReservations, listForCalendar } from './store/notification-store.ts'
import { timetable } from './timetable/timetable.ts'

/** What the two kinds of links are signed for. */
const FEED = 'calendar-feed'
const ONE = 'calendar-one'
const DAY = 86_400_000
const PAST_DAYS = 60
const AHEAD_DAYS = 400
/** How long a calendar program may cache the feed. */
const FRESH_SECONDS = 900
/** The link of a single class expires a day after the class. */
const LINK_LIFE_AFTER_CLASS_MS = DAY

interface Entry {
  class_reservation_id: number
  spot: string | null
  guest: string | null
}

/** The secret address of my calendar; it stays the same until I change it, or sign out everywhere. */
export async function calendarFeed(ctx: Ctx): Promise<{ url: string; webcal_url: string }> {
  const { customer_id } = ctx.customer
  const found = await currentFeed(ctx, customer_id)
  return (await isGood(ctx, customer_id, found)) ? feedLinks(ctx, customer_id, found.version) : renewFeed(ctx)
}

/** Replaces the feed's address; the old one stops working. */
export async function renewFeed(ctx: Ctx): Promise<{ url: string; webcal_url: string }> {
  const { customer_id } = ctx.customer
  const status = await accountOf(ctx, customer_id)
  // The revocation's time may be ahead of `now` within its second: the new feed must count as issued after it.
  const at = status?.validSince && status.validSince > ctx.now ? status.validSince : ctx.now
  const version = await ctx.tx((tx) => nextFeed(tx, customer_id, at))
  return feedLinks(ctx, customer_id, version)
}

/** The customer's feed row; created at first use, also for addresses issued before the table existed. */
async function currentFeed(ctx: Ctx, customer_id: number): Promise<Feed> {
  const found = await findFeed(ctx.db, customer_id)
  if (found) return found
  await ctx.tx((tx) => firstFeed(tx, customer_id, ctx.now))
  const feed = await findFeed(ctx.db, customer_id)
  if (!feed) throw new Error("A calendar's address was not stored.")
  return feed
}

/** The customer's account status at the identity service; null without an account. */
async function accountOf(ctx: Ctx, customer_id: number) {
  const { uid } = await customerById(ctx.db, customer_id)
  return uid === null ? null : ctx.ports.identity.accountStatus(uid)
}

/**
 * Whether a feed's address is valid: the account exists, is not disabled, and has not signed out everywhere since the address was issued.
 */
async function isGood(ctx: Ctx, customer_id: number, feed: Feed): Promise<boolean> {
  const status = await accountOf(ctx, customer_id)
  return status?.isActive === true && (status.validSince === null || status.validSince <= feed.createdAt)
}

function feedLinks(ctx: Ctx, customer_id: number, version: number) {
  const token = ctx.studio.signer.sign(FEED, `${customer_id}-${version}`)
  const url = `${ctx.studio.publicUrl}/api/calendario/${token}.ics`
  return { url, webcal_url: url.replace(/^https?:/, 'webcal:') }
}

/** Links that put one reservation of mine into a calendar. RESERVATION_NOT_FOUND, also for another customer's and for a cancelled one. */
export async function calendarLinks(ctx: Ctx, input: { class_reservation_id: number }) {
  const [reservation] = await findNotifiedReservations(ctx.db, [input.class_reservation_id])
  const cls =
    reservation && reservation.customer_id === ctx.customer.customer_id && !reservation.deletedAt
      ? await findClassTexts(ctx, reservation.single_class_id)
      : null
  if (!reservation || !cls) throw refuse('RESERVATION_NOT_FOUND')
  const { title, description, location } = eventTexts(ctx.studio, cls, reservation, await languageOf(ctx, reservation.customer_id))
  const token = ctx.studio.signer.sign(ONE, String(reservation.class_reservation_id))
  const compact = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const { starts_at, ends_at } = cls.facts
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(starts_at)}/${compact(ends_at)}`,
    details: description,
    location,
    ctz: cls.facts.zone,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    body: description,
    location,
    startdt: starts_at.toISOString(),
    enddt: ends_at.toISOString(),
  })
  return {
    ics_url: `${ctx.studio.publicUrl}/api/calendario/clase/${token}.ics`,
    google_url: `https://calendar.google.com/calendar/render?${google}`,
    outlook_url: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  }
}

/** The language of a customer's calendar (G13). */
const languageOf = async (ctx: Ctx, customer_id: number): Promise<Language> =>
  languageFor((await customerById(ctx.db, customer_id)).language, ctx.settings)

const translatorOf = (language: Language) => (language === 'en' ? mailInEnglish : (text: string) => text)

function eventTexts(studio: Studio, cls: ClassTexts, reservation: Entry, language: Language) {
  const seat = reservation.spot ? [`Lugar: ${spotInSentence(reservation.spot, cls.facts.seats?.labels.get(reservation.spot))}.`] : []
  const guest = reservation.guest ? [`Con ${reservation.guest}.`] : []
  return {
    title: `${cls.type} · ${studio.settings().business_name}`,
    description: [...[cls.line, ...seat, ...guest].map(translatorOf(language)), `${studio.publicUrl}/mystudio/reservaciones`].join('\n'),
    location: cls.where.replace(/\.$/, ''),
  }
}

async function write(
  studio: Studio,
  rows: readonly { cls: ClassTexts; reservation: Entry; updatedAt: Date }[],
  language: Language,
): Promise<string> {
  const { default: ical, ICalCalendarMethod } = await import('ical-generator')
  const name = studio.settings().business_name
  const calendar = ical({
    name: translatorOf(language)(`Mis clases en ${name}`),
    prodId: { company: 'Estudio', product: 'Reservaciones', language: language === 'en' ? 'EN' : 'ES' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: FRESH_SECONDS,
  })
  const host = new URL(studio.publicUrl).hostname
  for (const { cls, reservation, updatedAt } of rows) {
    const { title, description, location } = eventTexts(studio, cls, reservation, language)
    calendar.createEvent({
      // A stable id: when the class's hour changes, the calendar updates the entry instead of adding one.
      id: `reservacion-${reservation.class_reservation_id}@${host}`,
      start: cls.facts.starts_at,
      end: cls.facts.ends_at,
      stamp: updatedAt,
      lastModified: updatedAt,
      summary: title,
      description,
      location,
      url: `${studio.publicUrl}/mystudio/reservaciones`,
    })
  }
  // Every line must end with CRLF, the last one too (RFC 5545 section 3.1).
  return `${calendar.toString().trimEnd()}\r\n`
}

/** `GET /api/calendario/{token}.ics` and `/api/calendario/clase/{token}.ics`: the signed link grants access; an invalid one is 404. */
export function registerCalendars(app: FastifyInstance, studio: Studio): void {
  const asSystem = () => new Ctx(studio, { actor: { kind: 'system', job: 'calendar' } })
  const tokenOf = (file: string) => /^([\w.-]{10,200})\.ics$/.exec(file)?.[1] ?? ''
  app.get<{ Params: { file: string } }>('/api/calendario/:file', async (req, reply) => {
    const ctx = asSystem()
    const [customer_id, version] = (studio.signer.read(FEED, tokenOf(req.params.file)) ?? '').split('-').map(Number)
    if (!customer_id || version === undefined) throw refuse('NOT_FOUND')
    const feed = await currentFeed(ctx, customer_id)
    if (feed.version !== version || !(await isGood(ctx, customer_id, feed))) throw refuse('NOT_FOUND')
    const from = new Date(ctx.now.getTime() - PAST_DAYS * DAY)
    const reservations = await listForCalendar(ctx.db, customer_id, from, new Date(ctx.now.getTime() + AHEAD_DAYS * DAY))
    const classes = await timetable(studio).byId([...new Set(reservations.map((reservation) => reservation.single_class_id))])
    const byId = new Map(classes.map((cls) => [cls.single_class_id, classTexts(cls)]))
    const rows = reservations.flatMap((reservation) => {
      const cls = byId.get(reservation.single_class_id)
      return cls ? [{ cls, reservation, updatedAt: reservation.updatedAt }] : []
    })
    reply.raw.setHeader('cache-control', `private, max-age=${FRESH_SECONDS}`)
    return reply.type('text/calendar; charset=utf-8').send(await write(studio, rows, await languageOf(ctx, customer_id)))
  })
  app.get<{ Params: { file: string } }>('/api/calendario/clase/:file', async (req, reply) => {
    const ctx = asSystem()
    const id = Number(studio.signer.read(ONE, tokenOf(req.params.file)))
    const [reservation] = id ? await findNotifiedReservations(ctx.db, [id]) : []
    const cls = reservation && !reservation.deletedAt ? await findClassTexts(ctx, reservation.single_class_id) : null
    if (!reservation || !cls || cls.facts.ends_at.getTime() + LINK_LIFE_AFTER_CLASS_MS < ctx.now.getTime()) throw refuse('NOT_FOUND')
    if (!(await accountOf(ctx, reservation.customer_id))?.isActive) throw refuse('NOT_FOUND')
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="clase.ics"')
      .send(await write(studio, [{ cls, reservation, updatedAt: reservation.createdAt }], await languageOf(ctx, reservation.customer_id)))
  })
}
