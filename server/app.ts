/**
 * The only file that knows every module: builds a studio (database, news, jobs, settings, ports) and the HTTP server in front of it.
 * main.ts and the tests both start here.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { createRouterClient, type RouterClient } from '@orpc/server'
import Fastify, { type ConnectionError, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Access } from '#contract/endpoint.ts'
import { type ErrorCode, Refusal, refuse, sentence } from '#contract/errors.ts'
import { PROVIDER_SITES } from '#contract/provider-sites.ts'
import { chooseFiles } from '#server/adapters/files/choose.ts'
import { chooseIdentity } from '#server/adapters/identity/choose.ts'
import { chooseMail } from '#server/adapters/mail/choose.ts'
import { choosePayments } from '#server/adapters/payments/choose.ts'
import { chooseWhatsApp } from '#server/adapters/whatsapp/choose.ts'
import type { Config } from '#server/config.ts'
import { accountFileRoutes, accountRoutes, accountSettingRoutes } from '#server/modules/account/routes.ts'
import { api, type Call } from '#server/modules/api.ts'
import { registerCalendars } from '#server/modules/bookings/calendar.ts'
import { bookingJobs } from '#server/modules/bookings/jobs.ts'
import { registerLive } from '#server/modules/bookings/live.ts'
import {
  attendanceRoutes,
  bookingsRoutes,
  movementRoutes,
  penaltiesRoutes,
  scheduleRoutes,
  waitlistRoutes,
} from '#server/modules/bookings/routes.ts'
import { bookingRelevance } from '#server/modules/bookings/telling.ts'
import { catalogueLists, catalogueRoutes, discountRoutes, packageRoutes } from '#server/modules/catalogue/routes.ts'
import { fileRoutes, registerFileAddresses, registerUploads } from '#server/modules/content/file-routes.ts'
import { formRoutes } from '#server/modules/content/form-routes.ts'
import { registerIcons } from '#server/modules/content/icons.ts'
import { contentJobs } from '#server/modules/content/jobs.ts'
import { contentRoutes } from '#server/modules/content/routes.ts'
import { creditJobs } from '#server/modules/credits/jobs.ts'
import { creditsRoutes } from '#server/modules/credits/routes.ts'
import { type Actor, Ctx, type Studio } from '#server/modules/ctx.ts'
import { messageJobs } from '#server/modules/messages/jobs.ts'
import { messagesRoutes } from '#server/modules/messages/routes.ts'
import { registerWhatsAppNotices } from '#server/modules/messages/webhooks.ts'
import { peopleJobs } from '#server/modules/people/jobs.ts'
import { principal } from '#server/modules/people/people.ts'
import { peopleRoutes } from '#server/modules/people/routes.ts'
import { afterSalesJobs } from '#server/modules/sales/after-sales-jobs.ts'
import { salesJobs } from '#server/modules/sales/jobs.ts'
import {
  attendeeRoutes,
  cardLinkRoutes,
  cardRoutes,
  checkoutRoutes,
  codeRoutes,
  differenceRoutes,
  invoiceRoutes,
  salesRoutes,
  studioSalesRoutes,
} from '#server/modules/sales/routes.ts'
import { salesRelevance } from '#server/modules/sales/telling.ts'
import { registerWebhooks } from '#server/modules/sales/webhooks.ts'
import { soldRoutes, taughtRoutes } from '#server/modules/schedule/taught-routes.ts'
import { openSettings } from '#server/modules/settings/settings.ts'
import { AnswerCache } from '#server/platform/answers.ts'
import { ApiHandler } from '#server/platform/api-handler.ts'
import { isAway, openDb } from '#server/platform/db.ts'
import { openEvents } from '#server/platform/events.ts'
import { openJobs } from '#server/platform/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import { openApiReference } from '#server/platform/openapi.ts'
import { createPages, type Pages } from '#server/platform/pages.ts'
import { openSigner } from '#server/platform/signing.ts'
import { addressGroup } from '#server/platform/throttle.ts'
import { serveArt } from '#server/platform/trazo/art.ts'
import { upkeepJobs } from '#server/platform/upkeep.ts'

export const router = api.router({
  content: { ...contentRoutes, ...accountSettingRoutes },
  files: { ...fileRoutes, ...accountFileRoutes },
  forms: formRoutes,
  people: { ...peopleRoutes, ...accountRoutes },
  catalogue: { ...catalogueRoutes, admin: { ...catalogueLists, ...taughtRoutes } },
  studioPackages: { ...packageRoutes, ...soldRoutes, ...attendeeRoutes },
  credits: { ...creditsRoutes, ...movementRoutes },
  sales: salesRoutes,
  checkout: checkoutRoutes,
  cards: cardRoutes,
  differences: differenceRoutes,
  invoices: invoiceRoutes,
  studioSales: studioSalesRoutes,
  cardLinks: cardLinkRoutes,
  discounts: { ...discountRoutes, ...codeRoutes },
  schedule: scheduleRoutes,
  bookings: bookingsRoutes,
  waitlist: waitlistRoutes,
  attendance: attendanceRoutes,
  penalties: penaltiesRoutes,
  messages: messagesRoutes,
})

/** The API called in this process: same validation, same errors, no HTTP. Server rendering uses it as a visitor. */
export type InProcess = RouterClient<typeof router>

export interface StudioOptions {
  connection: string | pg.PoolConfig
  config: Config
  log: Log
  clock?: () => Date
  /** Connections of this process. */
  poolSize?: number
  /** How long what was read may be kept, in seconds; 0 = nothing is kept. */
  cacheSeconds?: number
}

export interface OpenStudio extends Studio {
  /** Starts doing the jobs of this studio in this process. */
  work(): Promise<void>
  close(): Promise<void>
}

/** Opens a studio on a migrated database. */
export async function openStudio(options: StudioOptions): Promise<OpenStudio> {
  const { config, log } = options
  const clock = options.clock ?? (() => new Date())
  const db = openDb({ connection: options.connection, log, ...(options.poolSize ? { max: options.poolSize } : {}) })
  const [events, jobs] = await Promise.all([openEvents(options.connection, db.pool, log), openJobs(db.pool, log)])
  db.leaveThrough({ sendJobs: jobs.sendJobs, publish: events.publish })
  const settings = await openSettings(db, events, log)
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`
  const outside = { db, config, log, publicUrl, now: clock, settings: settings.read, events }
  const mail = chooseMail(config, outside)
  const identity = chooseIdentity({ ...outside, mail })
  const payments = choosePayments(outside)
  const whatsapp = chooseWhatsApp(config, outside)

  const studio: Studio = {
    db,
    events,
    jobs,
    log,
    signer: await openSigner(db),
    publicUrl,
    clock,
    settings: settings.read,
    onSettings: settings.onChange,
    refreshSettings: settings.refresh,
    ports: {
      files: chooseFiles(config, settings.read),
      mail,
      whatsapp,
      identity,
      gateways: payments.gateways,
      cards: payments.cards,
      wallet: payments.wallet,
    },
    cacheSeconds: options.cacheSeconds ?? 10,
  }
  return {
    ...studio,
    async work() {
      const asSystem = (job: string) => new Ctx(studio, { actor: { kind: 'system', job } })
      await jobs.work([
        ...upkeepJobs(db, clock),
        ...mail.jobs(),
        ...whatsapp.jobs(),
        ...identity.jobs(),
        ...messageJobs(asSystem, { ...bookingRelevance, ...salesRelevance }),
        ...creditJobs(asSystem),
        ...peopleJobs(asSystem),
        ...contentJobs(asSystem),
        ...salesJobs(asSystem),
        ...afterSalesJobs(asSystem),
        ...bookingJobs(asSystem),
      ])
    },
    async close() {
      await jobs.stop()
      await mail.close()
      await events.close()
      await db.close()
    },
  }
}

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

/** How long who-somebody-is may be kept: a change of role counts at once here and within this everywhere. */
const PRINCIPAL_SECONDS = 30
const BODY_LIMIT = 256 * 1024

/**
 * Fastify leaves these to whoever makes the server. Headers come at once or not at all; a photo from a slow phone takes its time. An idle
 * connection outlives those of the proxies in front (60 s), or they would send a request into one that is just closing.
 */
const PATIENCE = { headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 72_000, connectionsCheckingInterval: 5_000 }

/** Answers of public endpoints that are the same for every visitor: what they are made of and which query keys they read. */
const KEPT_ANSWERS = [
  { path: /^\/api\/appconfig$/, tags: ['settings'], query: [] },
  { path: /^\/api\/(pages(\/[a-z0-9-]+)?|announcements)$/, tags: ['content'], query: [] },
  { path: /^\/api\/(class_packages|locations|class_types|instructors|payment_methods)(\/[a-z0-9]+){0,2}$/, tags: ['catalogue'], query: [] },
  {
    path: /^\/api\/single_class$/,
    tags: ['schedule', 'catalogue'],
    query: ['start_date', 'end_date', 'instructor_id', 'location_id', 'class_type_id'],
  },
] as const

/** The HTTP server of a studio; not yet listening. */
export async function openServer(studio: OpenStudio, config: Config, options: ServerOptions = {}): Promise<FastifyInstance> {
  const principals = principalCache(studio)
  const visitor: Call = { open: async () => new Ctx(studio, { actor: { kind: 'visitor' } }) }
  const client = createRouterClient(router, { context: visitor })

  const answers = new AnswerCache(router, { context: visitor, now: studio.clock, kept: KEPT_ANSWERS, seconds: studio.cacheSeconds })
  let pages: Pages | null = null
  if (options.pages ?? true)
    pages = await createPages<InProcess>({
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
  const news = studio.events.listen((event) => {
    // Whatever is made between this and the reading of the settings would be made of the old ones.
    if (event.topic === 'settings') return
    const tags =
      event.topic === 'class' ? (['schedule'] as const) : event.topic === 'purchase' ? (['catalogue'] as const) : ([event.topic] as const)
    answers.invalidate(tags)
    pages?.invalidate(tags)
  })
  const settled = studio.onSettings(() => {
    answers.invalidate(['settings'])
    pages?.invalidate(['settings'])
  })

  const app = Fastify({
    // Kept answers and documents leave before any routing.
    serverFactory: (handler) =>
      createServer(PATIENCE, (req: IncomingMessage, res: ServerResponse) => {
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
    await scope.register(underPressure, { maxEventLoopDelay: 2_000, customError: Refusal.bind(null, 'BUSY') as never })
    if (options.requestsPerMinute)
      await scope.register(rateLimit, {
        max: options.requestsPerMinute,
        timeWindow: 60_000,
        keyGenerator: (req) => addressGroup(req.ip),
        errorResponseBuilder: () => refuse('TOO_MANY_REQUESTS'),
      })
    await scope.register(compress, { threshold: 2_048, encodings: ['br', 'gzip'], brotliOptions: { params: BROTLI } })
    scope.addHook('onRequest', async (_req, reply) => {
      reply.raw.setHeader('x-content-type-options', 'nosniff')
      reply.raw.setHeader('referrer-policy', 'same-origin')
      reply.raw.setHeader('cross-origin-resource-policy', 'same-origin')
      reply.raw.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      reply.raw.setHeader('cache-control', 'no-store')
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_req, text, done) => {
      try {
        const body: unknown = text === '' ? undefined : JSON.parse(text as string)
        // Every body of ours is an object; anything else would be taken for an empty one where all fields are optional.
        if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) done(refuse('MALFORMED_BODY'))
        else done(null, body)
      } catch {
        done(refuse('MALFORMED_BODY'))
      }
    })
    const others: { path: RegExp; methods: string[] }[] = []
    scope.addHook('onRoute', ({ url, method }) => {
      if (!url.includes('*'))
        others.push({ path: new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`), methods: [method].flat() })
    })
    await registerUploads(scope, (req) => open(studio, principals, 'identity', req))
    await registerWebhooks(scope, studio)
    await registerWhatsAppNotices(scope, studio)
    registerLive(scope, studio)
    registerCalendars(scope, studio)
    await openApiReference(scope, router, studio.publicUrl)

    const handler = new ApiHandler(router)
    scope.all('/api/*', async (req, reply) => {
      if (await answers.serve(req.raw, reply)) return reply
      const context: Call = { open: (access) => open(studio, principals, access, req) }
      const { matched } = await handler.handle(req, reply, { prefix: '/api', context })
      if (matched) return reply
      const path = req.url.split('?')[0] ?? ''
      const methods = new Set(await handler.methodsOf(`/${path.slice('/api/'.length)}`))
      for (const other of others) if (other.path.test(path)) for (const method of other.methods) methods.add(method)
      if (methods.size === 0) throw refuse('NOT_FOUND')
      if (methods.has('GET')) methods.add('HEAD')
      reply.header('allow', [...methods].join(', '))
      throw refuse('METHOD_NOT_ALLOWED')
    })
  })
  if (pages) await pages.register(app)
  app.addHook('onClose', async () => {
    news()
    settled()
    answers.close()
    await pages?.close()
  })
  return app
}

/** Who asks, found out only where an endpoint needs it. */
async function open(studio: Studio, principals: ReturnType<typeof principalCache>, access: Access, req: FastifyRequest): Promise<Ctx> {
  const facts = {
    requestId: req.id,
    ip: req.ip,
    idempotencyKey: idempotencyKey(req.headers['idempotency-key']),
  }
  const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(req.headers.authorization ?? '')?.[1]
  if (access === 'public' || !bearer) {
    if (access !== 'public' && access !== 'optional' && req.headers.authorization) throw refuse('UNAUTHENTICATED')
    return new Ctx(studio, { ...facts, actor: { kind: 'visitor' } })
  }
  const claims = await studio.ports.identity.verify(bearer)
  const actor: Actor = {
    kind: 'identity',
    uid: claims.uid,
    email: claims.email,
    emailVerified: claims.emailVerified,
    token: bearer,
    ...(await principals(claims.uid)),
  }
  return new Ctx(studio, { ...facts, actor })
}

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header)) throw new Refusal('INVALID_INPUT', { header: 'Idempotency-Key' })
  return header
}

/** Customers and staff by uid, kept for a short while and forgotten when somebody changes. */
function principalCache(studio: Studio) {
  const kept = new Map<string, { until: number; found: ReturnType<typeof principal> }>()
  studio.events.listen((event) => {
    if (event.topic !== 'people') return
    if (event.uid) kept.delete(event.uid)
    else kept.clear()
  })
  return (uid: string): ReturnType<typeof principal> => {
    const now = performance.now()
    const ready = kept.get(uid)
    if (ready && ready.until > now) return ready.found
    if (kept.size > 20_000) kept.clear()
    const found = principal(studio.db.read, uid)
    kept.set(uid, { until: now + PRINCIPAL_SECONDS * 1000, found })
    found.catch(() => kept.delete(uid))
    return found
  }
}

/** Bytes that are no request: there is nobody to route, so the refusal goes to the socket itself. */
function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify({ defined: true, code: 'MALFORMED_BODY', status, message: sentence('MALFORMED_BODY'), data: {} })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  socket.destroy(error)
}

/** Errors that never reached an endpoint: sizes, formats, limits, and bugs of the plumbing. */
function answerError(log: Log, error: FastifyError, req: FastifyRequest, reply: FastifyReply) {
  const known: Record<string, ErrorCode> = {
    FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_BODY',
    FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
    FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
    FST_ERR_BAD_URL: 'NOT_FOUND',
    FST_ERR_NOT_FOUND: 'NOT_FOUND',
  }
  // 403 is what the server of files says of a path that leads out of its folder: there is nothing there.
  const code = isAway(error) ? 'BUSY' : error.statusCode === 403 ? 'NOT_FOUND' : known[error.code]
  const refusal = error instanceof Refusal ? error : code ? refuse(code) : null
  if (refusal)
    return reply.code(refusal.status).send({
      defined: true,
      code: refusal.code,
      status: refusal.status,
      message: sentence(refusal.code, refusal.data),
      data: refusal.data,
    })
  if (error.statusCode && error.statusCode < 500)
    return reply
      .code(error.statusCode)
      .send({ defined: false, code: 'INVALID_INPUT', status: error.statusCode, message: sentence('INVALID_INPUT'), data: {} })
  log.error({ error, requestId: req.id, path: req.url.split('?')[0] }, 'a request failed before its endpoint')
  return reply.code(500).send({ defined: true, code: 'INTERNAL', status: 500, message: sentence('INTERNAL'), data: { request_id: req.id } })
}
