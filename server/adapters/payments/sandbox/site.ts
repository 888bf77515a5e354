/**
 * The sandbox processor's web site: card fields for a frame, the bank's challenge, hosted payment page, wallet and voucher. It should have
 * an origin of its own, so that the studio's page cannot read the fields; served on the studio's origin it still sends no card number
 * anywhere.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { sentence } from '#contract/errors.ts'
import { type Settings, studioZone } from '#contract/settings.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import { NO_SCHEMAS } from '#server/platform/no-schemas.ts'
import { answered } from './answered.browser.ts'
import { cardFields } from './card-fields.browser.ts'
import { challenge } from './challenge.browser.ts'
import { hosted } from './hosted.browser.ts'
import { answeredPage, cardFieldsPage, challengePage, endedPage, hostedPage, styleCss, voucherPage, walletPage } from './pages.ts'
import type { Sandbox } from './sandbox.ts'

export interface SiteDeps {
  sandbox: Sandbox
  /** URL of the studio: pages of this origin may frame the site. */
  publicUrl: string
  settings: () => Settings
}

/** Served as source text: Node has already removed the types. */
const SCRIPTS: Record<string, () => void> = { 'card-fields': cardFields, hosted, answered, challenge }
const FONTS: Record<string, string> = {
  'archivo.woff2': '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
  'atkinson.woff2': '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
}
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Whether a page of this origin may frame the processor's pages: the studio's, and on a local machine its other names. */
export function mayFrame(origin: string, publicUrl: string): boolean {
  const studio = new URL(publicUrl).origin
  return origin === studio || (LOOPBACK.test(studio) && LOOPBACK.test(origin))
}

/** The site as a separate server, for a second port. Not yet listening. */
export function openSandboxSite(deps: SiteDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    bodyLimit: 16 * 1024,
    requestTimeout: 30_000,
    schemaController: NO_SCHEMAS,
  })
  app.setErrorHandler((_error, _req, reply) =>
    reply
      .code(400)
      .type('text/html')
      .send(endedPage('Algo salió mal', 'Vuelve al estudio e intenta de nuevo.', deps.publicUrl)),
  )
  app.setNotFoundHandler((_req, reply) =>
    reply
      .code(404)
      .type('text/html')
      .send(endedPage('No hay nada aquí', 'Revisa la dirección o vuelve al estudio.', deps.publicUrl)),
  )
  void registerSandboxSite(app, deps)
  return app
}

/** Origins of a studio's card fields. */
export interface CardFrames {
  /** Origins for the checkout page's policy; the first one serves the fields. */
  origins: string[]
  close(): Promise<void>
}

/**
 * Serves the site on its own port, so that the page that frames it cannot read what is typed. A studio with a public URL needs a public URL
 * for the site as well (`publicSite`); without one, or when the port is taken, the site uses the studio's own origin.
 */
export async function openCardFrames(
  deps: SiteDeps & { log: { warn(details: object, text: string): void } },
  at: { host: string; port: number; publicSite?: string | undefined },
): Promise<CardFrames> {
  const own = new URL(deps.publicUrl)
  if (!at.publicSite && !LOOPBACK.test(own.origin)) return { origins: [own.origin], close: async () => {} }
  const app = openSandboxSite(deps)
  try {
    await app.listen({ host: at.host, port: at.port })
  } catch (error) {
    await app.close()
    deps.log.warn({ error, port: at.port }, 'sandbox.card_fields_not_isolated')
    return { origins: [own.origin], close: async () => {} }
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : at.port
  const origin = at.publicSite ?? `http://${own.hostname}:${port}`
  deps.sandbox.site = origin
  return { origins: [origin], close: () => app.close() }
}

/** How the site answers: its pages with their policy, and what they show. */
function openPages({ publicUrl, settings }: SiteDeps) {
  /** `frame`: which origin may frame the page; null = none. The card fields may not connect or submit anywhere. */
  const html = (reply: FastifyReply, text: string, policy: { frame: string | null; sends: boolean }) => {
    const rules = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      'img-src data:',
      "frame-src 'self'",
      "connect-src 'none'",
      `form-action ${policy.sends ? `'self' ${new URL(publicUrl).origin}` : "'none'"}`,
      "base-uri 'none'",
      `frame-ancestors ${policy.frame ?? "'none'"}`,
    ]
    reply.raw.setHeader('content-security-policy', rules.join('; '))
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
  }
  const lost = (reply: FastifyReply) =>
    html(reply.code(404), endedPage('No encontramos ese pago', 'Revisa la dirección o vuelve al estudio.', publicUrl), {
      frame: null,
      sends: false,
    })
  const parentOf = (req: { headers: { host?: string | undefined }; protocol: string }, parent: string | undefined) => {
    const own = `${req.protocol}://${req.headers.host ?? ''}`
    return parent !== undefined && (parent === own || mayFrame(parent, publicUrl)) ? parent : null
  }
  const shown = (found: { title: string; amount: number; method: string | null }) => ({ business: settings().business_name, ...found })
  const over = (reply: FastifyReply, found: { done: boolean; back: string }) =>
    html(
      reply,
      endedPage(
        found.done ? 'Pago recibido' : 'Este pago ya no se puede hacer',
        found.done ? 'Gracias, ya puedes volver al estudio.' : 'Vuelve al estudio e intenta de nuevo.',
        found.back,
      ),
      { frame: null, sends: false },
    )
  return { html, lost, parentOf, shown, over }
}

type Pages = ReturnType<typeof openPages>

/** Style sheet, scripts and fonts. */
function registerAssets(site: FastifyInstance, { settings }: SiteDeps): void {
  site.get('/sandbox/estilo.css', async (_req, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css').send(styleCss(settings())),
  )
  for (const [name, script] of Object.entries(SCRIPTS))
    site.get(`/sandbox/${name}.js`, async (_req, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .header('cross-origin-resource-policy', 'same-origin')
        .type('text/javascript; charset=utf-8')
        .send(`(${script.toString()})()`),
    )
  for (const [name, path] of Object.entries(FONTS))
    site.get(`/sandbox/${name}`, async (_req, reply) =>
      reply
        .header('cache-control', 'public, max-age=604800')
        .type('font/woff2')
        .send(await readFile(createRequire(import.meta.url).resolve(path))),
    )
}

/** The card fields and the bank's challenge, both in frames. */
function registerCardPages(site: FastifyInstance, { sandbox }: SiteDeps, { html, lost, parentOf, shown }: Pages): void {
  site.get<{ Querystring: { padre?: string } }>('/sandbox/tarjeta', async (req, reply) => {
    const parent = parentOf(req, req.query.padre)
    if (!parent) return lost(reply)
    return html(reply, cardFieldsPage(parent), { frame: parent, sends: false })
  })

  site.get<{ Querystring: { secreto?: string; padre?: string } }>('/sandbox/3ds', async (req, reply) => {
    const parent = parentOf(req, req.query.padre) ?? ''
    const found = await sandbox.getPage(idOf(req.query.secreto))
    if (!found || !req.query.secreto || found.secret !== req.query.secreto) return lost(reply)
    const policy = { frame: parent || null, sends: true }
    if (found.step !== 'challenge') return html(reply, answeredPage(outcomeOf(found.done, found.message), parent, found.back), policy)
    return html(reply, challengePage(shown(found), req.query.secreto, parent), policy)
  })
  site.post<{ Body: Record<string, string> | null }>('/sandbox/3ds', async (req, reply) => {
    const { secreto, padre, respuesta } = req.body ?? {}
    const before = await sandbox.getPage(idOf(secreto))
    if (!before || !secreto || before.secret !== secreto) return lost(reply)
    await sandbox.authorize(before.id, respuesta === 'si')
    const after = (await sandbox.getPage(before.id)) ?? before
    const parent = parentOf(req, padre) ?? ''
    return html(
      reply,
      answeredPage(outcomeOf(after.done, respuesta === 'si' ? after.message : 'No autorizaste la compra.'), parent, after.back),
      { frame: parent || null, sends: false },
    )
  })
}

/** The hosted payment page. */
function registerHostedPage(site: FastifyInstance, { sandbox }: SiteDeps, { html, lost, shown, over }: Pages): void {
  site.get<{ Params: { id: string }; Querystring: { error?: string } }>('/sandbox/pagar/:id', async (req, reply) => {
    const found = await sandbox.getPage(req.params.id)
    if (!found) return lost(reply)
    if (found.step === 'challenge') return reply.redirect(`/sandbox/3ds?secreto=${encodeURIComponent(found.secret)}`)
    if (found.step !== 'hosted') return over(reply, found)
    return html(reply, hostedPage(found.id, shown(found), `${req.protocol}://${req.headers.host ?? ''}`, found.back, null), {
      frame: null,
      sends: true,
    })
  })
  site.post<{ Params: { id: string }; Body: Record<string, string> | null }>('/sandbox/pagar/:id', async (req, reply) => {
    const before = await sandbox.getPage(req.params.id)
    if (!before) return lost(reply)
    const refused = await sandbox.giveToken(before.id, req.body?.token ?? '').then(
      (facts) => (facts && facts.state === 'waiting' && facts.next?.do === 'go' ? facts : null),
      (error: unknown) => {
        if (error instanceof PaymentError) return error
        throw error
      },
    )
    if (refused) {
      const again = (await sandbox.getPage(before.id)) ?? before
      const message = refused instanceof PaymentError ? sentence(refused.code) : (again.message ?? 'Tu banco ha rechazado la tarjeta.')
      return html(
        reply.code(402),
        hostedPage(before.id, shown(again), `${req.protocol}://${req.headers.host ?? ''}`, before.back, message),
        { frame: null, sends: true },
      )
    }
    return reply.redirect(`/sandbox/pagar/${before.id}`, 303)
  })
}

/** The wallet's page and the voucher. */
function registerWalletAndVoucher(site: FastifyInstance, { sandbox, settings }: SiteDeps, { html, lost, shown, over }: Pages): void {
  site.get<{ Params: { id: string } }>('/sandbox/billetera/:id', async (req, reply) => {
    const found = await sandbox.getPage(req.params.id)
    if (!found) return lost(reply)
    return found.step === 'wallet' && !found.approved
      ? html(reply, walletPage(found.id, shown(found)), { frame: null, sends: true })
      : over(reply, found)
  })
  site.post<{ Params: { id: string }; Body: Record<string, string> | null }>('/sandbox/billetera/:id', async (req, reply) => {
    const found = await sandbox.getPage(req.params.id)
    if (!found) return lost(reply)
    await sandbox.approve(found.id, req.body?.respuesta === 'si')
    return reply.redirect(found.back, 303)
  })

  site.get<{ Params: { id: string } }>('/sandbox/voucher/:id', async (req, reply) => {
    const found = await sandbox.getPage(req.params.id)
    if (!found) return lost(reply)
    if (found.step !== 'voucher' || !found.voucher) return over(reply, found)
    return html(reply, voucherPage(found.id, shown(found), { ...found.voucher, expiresAt: found.expiresAt }, studioZone(settings())), {
      frame: null,
      sends: true,
    })
  })
  site.post<{ Params: { id: string } }>('/sandbox/voucher/:id', async (req, reply) => {
    const found = await sandbox.getPage(req.params.id)
    if (!found) return lost(reply)
    await sandbox.payVoucher(found.id)
    return reply.redirect(`/sandbox/voucher/${found.id}`, 303)
  })
}

/** Registers the site under `/sandbox/` of a server. */
export async function registerSandboxSite(app: FastifyInstance, deps: SiteDeps): Promise<void> {
  await app.register(async (site) => {
    site.removeAllContentTypeParsers()
    site.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    const pages = openPages(deps)
    registerAssets(site, deps)
    registerCardPages(site, deps, pages)
    registerHostedPage(site, deps, pages)
    registerWalletAndVoucher(site, deps, pages)
  })
}

const idOf = (secret: string | undefined) => secret?.split('_secret_')[0] ?? ''
const outcomeOf = (done: boolean, message: string | null) => ({ done, message: done ? null : message })
