/** A customer's place as a pass of their phone's wallet (docs/domain.md R27): the links, and the file that Apple Wallet opens. */
import type { FastifyInstance } from 'fastify'
import { tokens } from '#contract/color.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { spotInSentence } from '#contract/copy/names.ts'
import { refuse } from '#contract/errors.ts'
import { languageFor } from '#contract/language.ts'
import { formatWall } from '#contract/time.ts'
import type { WalletPass } from '#contract/wallet-passes.ts'
import { fitPicture } from '#server/adapters/files/icons.ts'
import type { AppleWallet, GoogleWallet, PassFacts, PassPictures } from '#server/adapters/wallet-passes/port.ts'
import { publicPicture, studioIcon } from '#server/modules/content/content.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { findNotifiedReservations, type NotifiedReservation } from './store/notification-store.ts'
import { findNextReservation } from './store/store.ts'
import { timetable } from './timetable/timetable.ts'

/** What the link of a file is signed for. */
const PASS = 'wallet-pass'
/** The sizes of a pass's pictures on screens of one, two and three pixels per point. */
const SCALES = [1, 2, 3] as const
const ICON = 29
const LOGO = { width: 160, height: 50 }

/** What the pass of a reservation shows, and the class's hour; null when it has none now: cancelled, or its class is over. */
async function findFacts(ctx: Ctx, reservation: NotifiedReservation): Promise<{ facts: PassFacts; wall: Date } | null> {
  const { settings, studio } = ctx
  const [cls] = await timetable(studio).listPossiblyStale([reservation.single_class_id])
  if (!cls || !settings.qrcode_enabled || reservation.deletedAt || cls.cancelled || cls.ends_at <= ctx.now) return null
  const [day = '', hour = ''] = formatWall(cls.wall, 'class').split(', ')
  const { paper, ink, 'brand-ink': label } = tokens(settings)
  const holder = await customerById(ctx.db, reservation.customer_id)
  return {
    wall: cls.wall,
    facts: {
      class_reservation_id: reservation.class_reservation_id,
      single_class_id: reservation.single_class_id,
      studio: { name: settings.business_name, url: studio.publicUrl },
      title: cls.shown.class_type.name,
      coach: cls.shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y '),
      day,
      hour,
      starts_at: cls.starts_at,
      ends_at: cls.ends_at,
      location: { name: cls.shown.location.name, address: cls.shown.location.address ?? '' },
      seat: reservation.spot ? spotInSentence(reservation.spot, cls.seats?.labels.get(reservation.spot)) : null,
      guest: reservation.guest,
      holder: `${holder.name} ${holder.last_name}`.trim(),
      language: languageFor(holder.language, settings),
      // The same text as the code on the page: reception opens the reservation with it (settled 26).
      code: `${studio.publicUrl}/admin/reservaciones/${reservation.class_reservation_id}`,
      colours: { ground: paper, ink, label },
    },
  }
}

/** The wallets with which a pass can be signed now. */
function walletsNow(ctx: Ctx): { apple: AppleWallet | null; google: GoogleWallet | null } {
  const { apple, google } = ctx.ports.passes
  return { apple: apple && apple.validUntil > ctx.now ? apple : null, google }
}

/** GET /wallet_pass. RESERVATION_NOT_FOUND, also for another customer's. */
export async function myWalletPass(ctx: Ctx, input: { class_reservation_id?: number | undefined }): Promise<{ pass: WalletPass | null }> {
  const { customer_id } = ctx.customer
  const { apple, google } = walletsNow(ctx)
  const isOffered = Boolean(apple || google)
  const id = input.class_reservation_id ?? (isOffered ? await findNextReservation(ctx.db, customer_id, ctx.now) : null)
  if (id === null) return { pass: null }
  const [reservation] = await findNotifiedReservations(ctx.db, [id])
  if (reservation?.customer_id !== customer_id) throw refuse('RESERVATION_NOT_FOUND')
  const found = isOffered ? await findFacts(ctx, reservation) : null
  if (!found) return { pass: null }
  const { facts, wall } = found
  const token = ctx.studio.signer.sign(PASS, String(id))
  return {
    pass: {
      class_reservation_id: id,
      class_type: facts.title,
      class_date: wall.toISOString(),
      apple_url: apple && `${ctx.studio.publicUrl}/api/pase/${token}.pkpass`,
      google_url: google?.link(facts, ctx.now) ?? null,
    },
  }
}

/** The icon and the logo of a pass, in the current brand. */
async function drawPictures(ctx: Ctx): Promise<PassPictures> {
  const { navbar_logo } = ctx.settings
  const own = navbar_logo ? await publicPicture(ctx, navbar_logo) : null
  const files = await Promise.all(
    SCALES.map(async (scale): Promise<[name: string, png: Uint8Array][]> => {
      const suffix = scale === 1 ? '' : `@${scale}x`
      const logo = own && (await fitPicture(own, { width: LOGO.width * scale, height: LOGO.height * scale }))
      const icon: [string, Uint8Array] = [`icon${suffix}.png`, await studioIcon(ctx, { size: ICON * scale, shape: 'home' })]
      return logo ? [icon, [`logo${suffix}.png`, logo.png]] : [icon]
    }),
  )
  return new Map(files.flat())
}

/** `GET /api/pase/{token}.pkpass`: the signed link grants access until the class is over; an invalid one is 404. */
export function registerPasses(app: FastifyInstance, studio: Studio): void {
  // Drawn once and cached until a setting changes.
  let drawn: Promise<PassPictures> | null = null
  const stopListening = studio.onSettings(() => {
    drawn = null
  })
  app.addHook('onClose', async () => stopListening())
  const pictures = (ctx: Ctx): Promise<PassPictures> => {
    if (drawn) return drawn
    const mine = drawPictures(ctx)
    drawn = mine
    mine.catch(() => {
      if (drawn === mine) drawn = null
    })
    return mine
  }
  app.get<{ Params: { file: string } }>('/api/pase/:file', async (req, reply) => {
    const ctx = new Ctx(studio, { actor: { kind: 'system', job: 'wallet-pass' } })
    const { apple } = walletsNow(ctx)
    const token = /^([\w.-]{10,200})\.pkpass$/.exec(req.params.file)?.[1] ?? ''
    const id = Number(studio.signer.read(PASS, token))
    const [reservation] = id && apple ? await findNotifiedReservations(ctx.db, [id]) : []
    const found = reservation ? await findFacts(ctx, reservation) : null
    if (!apple || !reservation || !found) throw refuse('NOT_FOUND')
    const { uid } = await customerById(ctx.db, reservation.customer_id)
    if (uid === null || !(await ctx.ports.identity.accountStatus(uid))?.isActive) throw refuse('NOT_FOUND')
    return reply
      .type('application/vnd.apple.pkpass')
      .header('content-disposition', 'attachment; filename="clase.pkpass"')
      .send(Buffer.from(await apple.pass(found.facts, await pictures(ctx), ctx.now)))
  })
}
