/** The HTTP server in front of a studio: kept answers and documents first, then the API, then what is rendered. main.ts and the tests start it. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRouterClient } from '@orpc/server'
import { FetchHandler } from '@orpc/server/fetch'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { refuse } from '#contract/errors.ts'
import type { DocumentTag } from '#contract/rendering.ts'
import type { Config } from '#server/config.ts'
import type { Call } from '#server/modules/api.ts'
import { registerFileAddresses } from '#server/modules/content/file-routes.ts'
import { registerIcons } from '#server/modules/content/icons.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { ApiHandler } from '#server/platform/api-handler.ts'
import { drainBeforeClose } from '#server/platform/closing.ts'
import type { BusEvent } from '#server/platform/events.ts'
import { lingerBeforeClose } from '#server/platform/lingering.ts'
import { createPages, type Pages } from '#server/platform/pages.ts'
import { serveArt } from '#server/platform/trazo/art.ts'
import { openProviders, providerSites } from './adapters/payments/processors.ts'
import { registerApi } from './api-server.ts'
import { openCallers } from './authentication.ts'
import { answerBrokenRequest, answerError, answerMalformed, hasSecondHost } from './error-responses.ts'
import { AnswerCache } from './platform/response-cache.ts'
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
/** A year. Not for subdomains: what else the studio has below its name is not ours to know. */
const STRICT_TRANSPORT = 'max-age=31536000'
/** How long a program that was told to go lets what it is working on end; main.ts gives up after ten seconds. */
const PATIENCE_AT_THE_END_MS = 5_000

/**
 * Fastify leaves these to whoever makes the server. Headers come at once or not at all; a photo from a slow phone takes its time. An idle
 * connection outlives those of the proxies in front (60 s), or they would send a request into one that is just closing.
 */
const PATIENCE = { headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 72_000, connectionsCheckingInterval: 5_000 }

/** What kept answers and documents are no longer right about. Of settings there is news twice; they count once they have been read. */
function changedBy(event: BusEvent): readonly DocumentTag[] {
  if (event.topic === 'settings') return []
  if (event.topic === 'missed') return ['content', 'catalogue', 'people', 'schedule']
  if (event.topic === 'class') return ['schedule']
  return event.topic === 'purchase' ? ['catalogue'] : [event.topic]
}

/** The HTTP server of a studio; not yet listening. */
export async function openServer(studio: OpenStudio, config: Config, options: ServerOptions = {}): Promise<FastifyInstance> {
  const callers = openCallers(studio)
  const endpoints = new ApiHandler<Call>(router)
  const visitor: Call = { unreadQuery: [], open: async () => new Ctx(studio, { actor: { kind: 'visitor' } }) }
  const client = createRouterClient(router, { context: visitor })

  const inProcess = new FetchHandler(endpoints)
  const answers = new AnswerCache(router, {
    async answer(request) {
      const { response } = await inProcess.handle(request, { prefix: '/api', context: visitor })
      if (!response) throw refuse('NOT_FOUND')
      return response
    },
    now: studio.clock,
    seconds: studio.cacheSeconds,
  })
  const sites = providerSites({ stripe: config.STRIPE_JS_BASE, paypal: config.PAYPAL_JS_BASE, conekta: config.CONEKTA_JS_BASE })
  let pages: Pages | null = null
  if (options.pages ?? true)
    pages = await createPages({
      root: config.root,
      dev: options.dev ?? false,
      publicUrl: studio.publicUrl,
      now: studio.clock,
      client,
      settings: studio.settings,
      log: studio.log,
      ...(options.cardFrames ? { cardFrames: options.cardFrames } : {}),
      requestsPerMinute: options.requestsPerMinute ?? 0,
      processors: { sites, open: (settings) => openProviders(settings, sites) },
    })
  const forget = (tags: readonly DocumentTag[]) => {
    answers.invalidate(tags)
    pages?.invalidate(tags)
  }
  const news = studio.events.listen((event) => forget(changedBy(event)))
  const settled = studio.onSettings(() => forget(['settings']))

  const isSecure = studio.publicUrl.startsWith('https:')
  const app = Fastify({
    // Kept answers and documents leave before any routing.
    serverFactory: (handler) =>
      createServer(PATIENCE, (req, res) => {
        // Every answer of a studio that is reached over https says so, whoever makes it.
        if (isSecure) res.setHeader('strict-transport-security', STRICT_TRANSPORT)
        if (hasSecondHost(req)) return answerMalformed(res)
        if (answers.tryKept(req, res) || pages?.tryCached(req, res)) return
        handler(req, res)
      }),
    trustProxy: config.TRUST_PROXY ? config.TRUST_PROXY.split(',').map((address) => address.trim()) : false,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID().slice(0, 13),
    logger: false,
    forceCloseConnections: true,
    // What comes while we go is answered by `drainBeforeClose`.
    return503OnClosing: false,
    frameworkErrors: (error, req, reply) => answerError(studio.log, error, req, reply as FastifyReply),
    clientErrorHandler: answerBrokenRequest,
  })
  app.setErrorHandler((error: FastifyError, req, reply) => answerError(studio.log, error, req, reply))
  app.setNotFoundHandler(() => {
    throw refuse('NOT_FOUND')
  })

  lingerBeforeClose(app)
  drainBeforeClose(app, { patienceMs: PATIENCE_AT_THE_END_MS, endless: ['/api/live'] })
  await studio.ports.identity.register(app)
  registerFileAddresses(app, studio)
  registerIcons(app, studio)
  app.get('/arte/:file', (req, reply) => {
    const made = serveArt(req.url.split('?')[0] ?? '', req.query as Record<string, unknown>, studio.settings())
    if (!made) throw refuse('NOT_FOUND')
    return reply.headers(made.headers).send(made.svg)
  })
  await registerApi(app, { studio, endpoints, answers, callers, requestsPerMinute: options.requestsPerMinute ?? 0 })
  if (pages) await pages.register(app)
  app.addHook('onClose', async () => {
    news()
    settled()
    callers.close()
    answers.close()
    await pages?.close()
  })
  return app
}
