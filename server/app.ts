/** The HTTP server in front of a studio: kept answers and documents first, then the API, then what is rendered. main.ts and the tests start it. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { createRouterClient } from '@orpc/server'
import { FastifyHandler } from '@orpc/server/fastify'
import { FetchHandler } from '@orpc/server/fetch'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { UNKEPT_TEXT } from '#contract/endpoint.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { PROVIDER_SITES } from '#contract/provider-sites.ts'
import type { DocumentTag } from '#contract/rendering.ts'
import type { Config } from '#server/config.ts'
import type { Call } from '#server/modules/api.ts'
import { registerCalendars } from '#server/modules/bookings/calendar.ts'
import { registerLive } from '#server/modules/bookings/live.ts'
import { registerFileAddresses, registerUploads } from '#server/modules/content/file-routes.ts'
import { registerIcons } from '#server/modules/content/icons.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { registerWhatsAppNotices } from '#server/modules/messages/webhooks.ts'
import { registerWebhooks } from '#server/modules/sales/webhooks.ts'
import { AnswerCache, API_HEADERS } from '#server/platform/answers.ts'
import { ApiHandler, allowedMethods } from '#server/platform/api-handler.ts'
import type { Heard } from '#server/platform/events.ts'
import { parseJson } from '#server/platform/json.ts'
import { openApiReference } from '#server/platform/openapi.ts'
import { createPages, type Pages } from '#server/platform/pages.ts'
import { addressGroup } from '#server/platform/throttle.ts'
import { serveArt } from '#server/platform/trazo/art.ts'
import { openCallers } from './callers.ts'
import { answerBrokenRequest, answerError } from './http-failures.ts'
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

/** Brotli's usual window is megabytes of fresh memory for every answer: 3 ms for a week of classes, where 64 kB take 0.2. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 16 }

const BODY_LIMIT = 256 * 1024

/** The plugin that watches the load makes its error itself. */
class Overloaded extends Refusal {
  constructor() {
    super('BUSY')
  }
}

/**
 * Fastify leaves these to whoever makes the server. Headers come at once or not at all; a photo from a slow phone takes its time. An idle
 * connection outlives those of the proxies in front (60 s), or they would send a request into one that is just closing.
 */
const PATIENCE = { headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 72_000, connectionsCheckingInterval: 5_000 }

/** What kept answers and documents are no longer right about. Of settings there is news twice; they count once they have been read. */
function changedBy(event: Heard): readonly DocumentTag[] {
  if (event.topic === 'settings') return []
  if (event.topic === 'missed') return ['content', 'catalogue', 'people', 'schedule']
  if (event.topic === 'class') return ['schedule']
  return event.topic === 'purchase' ? ['catalogue'] : [event.topic]
}

/** The HTTP server of a studio; not yet listening. */
export async function openServer(studio: OpenStudio, config: Config, options: ServerOptions = {}): Promise<FastifyInstance> {
  const callers = openCallers(studio)
  const endpoints = new ApiHandler<Call>(router)
  const visitor: Call = { open: async () => new Ctx(studio, { actor: { kind: 'visitor' } }) }
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
      providerSites: {
        stripe: config.STRIPE_JS_BASE ?? PROVIDER_SITES.stripe,
        paypal: config.PAYPAL_JS_BASE ?? PROVIDER_SITES.paypal,
        conekta: config.CONEKTA_JS_BASE ?? PROVIDER_SITES.conekta,
      },
    })
  const forget = (tags: readonly DocumentTag[]) => {
    answers.invalidate(tags)
    pages?.invalidate(tags)
  }
  const news = studio.events.listen((event) => forget(changedBy(event)))
  const settled = studio.onSettings(() => forget(['settings']))

  const app = Fastify({
    // Kept answers and documents leave before any routing.
    serverFactory: (handler) =>
      createServer(PATIENCE, (req, res) => {
        if (answers.tryKept(req, res) || pages?.tryCached(req, res)) return
        handler(req, res)
      }),
    trustProxy: config.TRUST_PROXY ? config.TRUST_PROXY.split(',').map((address) => address.trim()) : false,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID().slice(0, 13),
    logger: false,
    forceCloseConnections: true,
    frameworkErrors: (error, req, reply) => answerError(studio.log, error, req, reply as FastifyReply),
    clientErrorHandler: answerBrokenRequest,
  })
  app.setErrorHandler((error: FastifyError, req, reply) => answerError(studio.log, error, req, reply))
  app.setNotFoundHandler(() => {
    throw refuse('NOT_FOUND')
  })

  await studio.ports.identity.register(app)
  registerFileAddresses(app, studio)
  registerIcons(app, studio)
  app.get('/arte/:file', (req, reply) => {
    const made = serveArt(req.url.split('?')[0] ?? '', req.query as Record<string, unknown>, studio.settings())
    if (!made) throw refuse('NOT_FOUND')
    return reply.headers(made.headers).send(made.svg)
  })
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay: 2_000, customError: Overloaded })
    if (options.requestsPerMinute)
      await scope.register(rateLimit, {
        max: options.requestsPerMinute,
        timeWindow: 60_000,
        keyGenerator: (req) => addressGroup(req.ip),
        errorResponseBuilder: () => refuse('TOO_MANY_REQUESTS'),
      })
    await scope.register(compress, { threshold: 2_048, encodings: ['br', 'gzip'], brotliOptions: { params: BROTLI } })
    scope.addHook('onRequest', async (_req, reply) => {
      for (const [name, value] of API_HEADERS) reply.raw.setHeader(name, value)
      reply.raw.setHeader('cache-control', 'no-store')
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_req, text, done) => {
      try {
        const { value: body, unkept } = text === '' ? { value: undefined, unkept: null } : parseJson(text as string)
        // Every body of ours is an object; anything else would be taken for an empty one where all fields are optional.
        if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) done(refuse('MALFORMED_BODY'))
        else if (unkept !== null) done(refuse('INVALID_INPUT', { issues: [{ path: unkept, message: UNKEPT_TEXT }] }))
        else done(null, body)
      } catch {
        done(refuse('MALFORMED_BODY'))
      }
    })
    const allowed = allowedMethods(scope, endpoints)
    await registerUploads(scope, (req) => callers.open('identity', req))
    await registerWebhooks(scope, studio)
    await registerWhatsAppNotices(scope, studio)
    registerLive(scope, studio)
    registerCalendars(scope, studio)
    await openApiReference(scope, router, studio.publicUrl)

    const handler = new FastifyHandler(endpoints)
    scope.all('/api/*', async (req, reply) => {
      if (await answers.serve(req.raw, reply)) return reply
      const context: Call = { open: (access) => callers.open(access, req) }
      const { matched } = await handler.handle(req, reply, { prefix: '/api', context })
      if (matched) return reply
      const methods = await allowed(req.url.split('?')[0] ?? '')
      if (!methods) throw refuse('NOT_FOUND')
      reply.header('allow', methods)
      throw refuse('METHOD_NOT_ALLOWED')
    })
  })
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
