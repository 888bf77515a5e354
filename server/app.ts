/**
 * The HTTP server in front of a studio: cached responses and documents first, then the API, then rendered pages. main.ts and the tests
 * start it.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRouterClient } from '@orpc/server'
import { FetchHandler } from '@orpc/server/fetch'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { LANGUAGE_HEADER } from '#contract/language.ts'
import type { ScriptedProcessor } from '#contract/processors.ts'
import type { DocumentTag } from '#contract/rendering.ts'
import type { Config } from '#server/config.ts'
import { createPages, type Pages } from '#server/documents/pages.ts'
import { previewToken } from '#server/documents/preview.ts'
import type { Call } from '#server/modules/api.ts'
import { sampleConfirmation } from '#server/modules/bookings/bookings.ts'
import { serveArt } from '#server/modules/content/art/art.ts'
import { brandIcon } from '#server/modules/content/art/brand-icon.ts'
import { registerFileAddresses } from '#server/modules/content/file-routes.ts'
import { registerIcons } from '#server/modules/content/icons.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { previewSettings } from '#server/modules/settings/settings.ts'
import { ApiHandler } from '#server/platform/api-handler.ts'
import { drainBeforeClose } from '#server/platform/closing.ts'
import type { BusEvent } from '#server/platform/events.ts'
import { lingerBeforeClose } from '#server/platform/lingering.ts'
import { NO_SCHEMAS } from '#server/platform/no-schemas.ts'
import { openProviders, providerSites } from './adapters/payments/processors.ts'
import { registerApi } from './api-server.ts'
import { openCallers } from './authentication.ts'
import { answerBrokenRequest, answerError, answerMalformed, hasSecondHost } from './error-responses.ts'
import { ResponseCache } from './platform/response-cache.ts'
import { router } from './router.ts'
import type { OpenStudio } from './studio.ts'

export interface ServerOptions {
  /** Vite renders and reloads. */
  dev?: boolean
  /** Serve the web part (the build must exist); tests of the API switch it off. */
  pages?: boolean
  /** Requests per minute and address; 0 = no limit. */
  requestsPerMinute?: number
  /** Origins of card frames beside our own. */
  cardFrames?: readonly string[]
}

const BODY_LIMIT = 256 * 1024
/** One year. Without includeSubDomains: the studio may run other services, without https, below its domain. */
const STRICT_TRANSPORT = 'max-age=31536000'
/** After a stop signal, how long requests in progress may take to finish; main.ts exits after ten seconds. */
const SHUTDOWN_GRACE_MS = 5_000

/**
 * Timeouts of the Node server (Fastify does not set them when `serverFactory` creates it), in ms. Headers must arrive quickly; a photo from
 * a slow phone may take two minutes. Idle connections outlive those of the proxies in front (60 s), or a proxy would reuse one that is
 * closing.
 */
const SERVER_TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 72_000, connectionsCheckingInterval: 5_000 }

/**
 * The cache tags that an event invalidates. None for the processors, which no document shows, nor for `settings`: `onSettings` invalidates
 * that tag once the new settings have been read.
 */
function changedBy(event: BusEvent): readonly DocumentTag[] {
  if (event.topic === 'settings' || event.topic === 'processors') return []
  if (event.topic === 'missed') return ['content', 'catalogue', 'people', 'schedule']
  if (event.topic === 'class') return ['schedule']
  if (event.topic === 'purchase') return ['catalogue']
  // For open screens of the administration; no document shows them.
  if (event.topic === 'record' || event.topic === 'presence' || event.topic === 'job') return []
  if (event.topic === 'shared_device' || event.topic === 'api_key') return []
  return [event.topic]
}

/** The HTTP server of a studio; not yet listening. */
export async function openServer(studio: OpenStudio, config: Config, options: ServerOptions = {}): Promise<FastifyInstance> {
  const callers = openCallers(studio)
  const endpoints = new ApiHandler<Call>(router)
  const visitor: Call = { uncheckedQuery: [], open: async () => new Ctx(studio, { actor: { kind: 'visitor' } }) }
  const client = createRouterClient(router, { context: visitor })

  const inProcess = new FetchHandler(endpoints)
  const answers = new ResponseCache(router, {
    async answer(request) {
      let written: string | null = null
      const answerWith = (text: string) => {
        written = text
      }
      const { response } = await inProcess.handle(request, { prefix: '/api', context: { ...visitor, answerWith } })
      if (!response) throw refuse('NOT_FOUND')
      return { status: response.status, body: written ?? (await response.text()) }
    },
    now: studio.clock,
    // A setting may change any response: the time zone a week of classes, a switch what a list offers (G1).
    everyTag: 'settings',
    // An event arrives with every booking.
    paced: { tag: 'schedule', gapMs: 250 },
    seconds: studio.cacheSeconds,
    differs: ({ headers }) => headers[LANGUAGE_HEADER] !== undefined,
  })
  const sites = providerSites({
    stripe: config.STRIPE_JS_BASE,
    paypal: config.PAYPAL_JS_BASE,
    conekta: config.CONEKTA_JS_BASE,
  } satisfies Record<ScriptedProcessor, string | undefined>)
  const preview = async (token: string) => {
    const settings = await previewSettings(studio, token)
    if (!settings) return null
    const unsaved = { ...studio, settings: () => settings }
    const visit = () => new Ctx(unsaved, { actor: { kind: 'visitor' } })
    const context: Call = { uncheckedQuery: [], open: async () => visit() }
    return { settings, client: createRouterClient(router, { context }), mail: () => sampleConfirmation(visit()) }
  }
  let pages: Pages | null = null
  if (options.pages ?? true)
    pages = await createPages({
      root: config.root,
      dev: options.dev ?? false,
      publicUrl: studio.publicUrl,
      vendor: config.vendor,
      now: studio.clock,
      client,
      settings: studio.settings,
      log: studio.log,
      ...(options.cardFrames ? { cardFrames: options.cardFrames } : {}),
      requestsPerMinute: options.requestsPerMinute ?? 0,
      brandIcon,
      preview,
      processors: { sites, open: (settings) => openProviders(settings, sites) },
    })
  const invalidate = (tags: readonly DocumentTag[]) => {
    answers.invalidate(tags)
    pages?.invalidate(tags)
  }
  const stopEvents = studio.events.listen((event) => invalidate(changedBy(event)))
  const stopSettings = studio.onSettings(() => invalidate(['settings']))

  const isSecure = studio.publicUrl.startsWith('https:')
  const app = Fastify({
    // Cached responses and documents are sent before any routing.
    serverFactory: (handler) =>
      createServer(SERVER_TIMEOUTS, (req, res) => {
        // Every response carries these headers, also those that bypass Fastify; the second one on https.
        res.setHeader('x-content-type-options', 'nosniff')
        if (isSecure) res.setHeader('strict-transport-security', STRICT_TRANSPORT)
        if (hasSecondHost(req)) return answerMalformed(res)
        if (answers.tryCached(req, res) || pages?.tryCached(req, res)) return
        handler(req, res)
      }),
    trustProxy: config.TRUST_PROXY ? config.TRUST_PROXY.split(',').map((address) => address.trim()) : false,
    schemaController: NO_SCHEMAS,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID().slice(0, 13),
    logger: false,
    forceCloseConnections: true,
    // Requests that arrive during shutdown are answered by `drainBeforeClose`.
    return503OnClosing: false,
    frameworkErrors: (error, req, reply) => answerError(studio.log, error, req, reply as FastifyReply),
    clientErrorHandler: answerBrokenRequest,
  })
  app.setErrorHandler((error: FastifyError, req, reply) => answerError(studio.log, error, req, reply))
  app.setNotFoundHandler(() => {
    throw refuse('NOT_FOUND')
  })

  // The token of a preview shows pages: nothing that writes accepts an address with one (G10).
  app.addHook('onRequest', async (req) => {
    if (req.method !== 'GET' && req.method !== 'HEAD' && previewToken(req.url) !== null) throw refuse('METHOD_NOT_ALLOWED')
  })
  lingerBeforeClose(app)
  drainBeforeClose(app, { timeoutMs: SHUTDOWN_GRACE_MS, endless: ['/api/live'] })
  await studio.ports.identity.register(app)
  registerFileAddresses(app, studio)
  registerIcons(app, studio)
  app.get('/arte/:file', async (req, reply) => {
    const token = previewToken(req.url)
    const theme = token === null ? studio.settings() : await previewSettings(studio, token)
    const art = theme && serveArt(req.url.split('?')[0] ?? '', req.query as Record<string, unknown>, theme)
    if (!art) throw refuse('NOT_FOUND')
    return reply.headers(token === null ? art.headers : { ...art.headers, 'cache-control': 'no-store' }).send(art.svg)
  })
  await registerApi(app, { studio, endpoints, answers, callers, requestsPerMinute: options.requestsPerMinute ?? 0 })
  if (pages) await pages.register(app)
  app.addHook('onClose', async () => {
    stopEvents()
    stopSettings()
    callers.close()
    answers.close()
    await pages?.close()
  })
  return app
}
