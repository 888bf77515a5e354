/**
 * Documents: React Router's renderer behind the page cache. In production the build is imported and each document is
 * rendered once, then sent as finished bytes; in development Vite renders every time.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createRequestHandler, type RequestHandler, type RouterContext, RouterContextProvider, type ServerBuild } from 'react-router'
import { type ErrorCode, errors, Refusal, refuse } from '#contract/errors.ts'
import type { ProviderSites } from '#contract/processors.ts'
import type { Area, DocumentTag, Rendering } from '#contract/rendering.ts'
import type { Settings } from '#contract/settings.ts'
import {
  cspFor,
  DOCUMENT_HEADERS,
  hashMarkedScripts,
  hashMarkedStyles,
  insertCodes,
  needsStyleNonce,
  type PolicyProvider,
  runsTracking,
} from './csp.ts'
import { isPassing } from './db.ts'
import { addresses, type DocumentAddress } from './document-address.ts'
import { fallbackErrorPage } from './fallback-error-page.ts'
import { sanitizeHtml } from './html.ts'
import { createPageCache, type Finished, finish, type Rendered, send } from './page-cache.ts'
import { addressGroup } from './throttle.ts'

export interface PagesOptions<Client> {
  /** Folder of the project. */
  root: string
  /** Vite renders and reloads; nothing is cached. */
  dev: boolean
  /** Origin of the studio, without a final slash. */
  publicUrl: string
  now: () => Date
  /** The API in this process, as an anonymous visitor sees it. */
  client: Client
  settings: () => Settings
  log: { error(details: object, text: string): void }
  /** Origins of card frames beside our own. */
  cardFrames?: readonly string[]
  /** Origins of processors' scripts, and which of them the policy allows under the given settings. */
  processors: { sites: ProviderSites; open(settings: Settings): readonly PolicyProvider[] }
  /** Memory for cached documents, in bytes. */
  maxBytes?: number
  /** Renderings of uncached documents per minute and client address; 0 = no limit. */
  requestsPerMinute?: number
}

export interface Pages {
  /** Sends the document if it is cached; false = the request must be routed. Call it before any routing. */
  tryCached(req: IncomingMessage, res: ServerResponse): boolean
  /** Removes the documents made from these tags from the cache. Call it for every event of the bus. */
  invalidate(tags: readonly DocumentTag[]): void
  /** Registers `/assets/*` and every path that no other route matches. */
  register(app: FastifyInstance): Promise<void>
  stats(): { documents: number; bytes: number; hits: number; renders: number }
  close(): Promise<void>
}

/**
 * Exports of `web/entry.server.tsx` besides the renderer. The context key must be the bundle's own instance, so it is imported from there.
 */
interface EntryModule<Client> {
  rendering: RouterContext<Rendering<Client>>
  areaOf(address: string): Area
  livePaths(client: Client, settings: Settings): Promise<ReadonlySet<string>>
}

const RENDER_MS = 10_000
const ALWAYS: readonly DocumentTag[] = ['settings']
const RETRY_SECONDS = '10'
/** How long a document is cached whose data was partly unavailable, in ms. */
const INCOMPLETE_MS = 10_000

/** Cache key prefix of documents for `certification_host`. Its blank makes it differ from every request target. */
const CERTIFICATION_KEY = 'certification '

/**
 * Whether a request came to the host of `certification_host`, written with or without its port. Every other host, configured or not, gets
 * the common documents, so an unknown Host header adds nothing to the cache.
 */
function isCertificationHost(host: string | undefined, { certification_host, certification_link }: Settings): boolean {
  if (!host || !certification_host || !certification_link) return false
  const asked = host.toLowerCase()
  const configured = certification_host.toLowerCase()
  return asked === configured || asked.replace(/:\d+$/, '') === configured
}

/** Whether a failure is transient: the database is unreachable or overloaded, or an endpoint refused with BUSY. */
const isBusy = (error: unknown): boolean => isPassing(error) || (error instanceof Error && 'code' in error && error.code === 'BUSY')

/** Renders the documents of one studio. In production the build must exist (`npm run build`). */
export async function createPages<Client>(options: PagesOptions<Client>): Promise<Pages> {
  const { root, dev, publicUrl, now, client, log } = options
  const cache = createPageCache({ now, ...(options.maxBytes ? { maxBytes: options.maxBytes } : {}) })
  let livePaths: Promise<ReadonlySet<string>> | undefined
  let vite: import('vite').ViteDevServer | undefined

  const built: ServerBuild | undefined = dev ? undefined : await import(pathToFileURL(join(root, 'build/server/index.js')).href)
  const prepared = built && { build: built, handlers: areaHandlers(built, await areaLists(root)), addressOf: addresses(built.routes) }

  async function renderer() {
    if (prepared) return prepared
    if (!vite) throw new Error('the pages are not registered yet')
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
    return { build, handlers: () => createRequestHandler(build, 'development'), addressOf: addresses(build.routes) }
  }

  /** The entry module's exports that are missing from React Router's type. */
  const entryOf = (build: ServerBuild) => build.entry.module as unknown as EntryModule<Client>

  async function render(
    { build, handlers }: Awaited<ReturnType<typeof renderer>>,
    address: DocumentAddress,
    certification: boolean,
  ): Promise<Rendered> {
    const area = entryOf(build).areaOf(address.url)
    const settings = options.settings()
    const scriptMark = randomBytes(18).toString('base64url')
    const styleNonce = randomBytes(18).toString('base64url')
    const tags = new Set<DocumentTag>(ALWAYS)
    let freshUntil: Date | null = null
    let busy = false
    const startedAt = now()
    const keepUntil = (at: Date) => {
      if (!freshUntil || at < freshUntil) freshUntil = at
    }
    const sectionFailed = (section: string, error: unknown) => {
      log.error({ section, error, document: address.key }, 'page.section_failed')
      keepUntil(new Date(startedAt.getTime() + INCOMPLETE_MS))
    }
    const context = new RouterContextProvider()
    context.set(entryOf(build).rendering, {
      client,
      settings,
      publicUrl,
      certification,
      cardFrames: options.cardFrames ?? [],
      providerSites: options.processors.sites,
      now: startedAt,
      styleNonce,
      scriptMark: dev ? '' : scriptMark,
      safeHtml: sanitizeHtml,
      dependsOn: (...more) => {
        for (const tag of more) tags.add(tag)
      },
      async attempt(section, load) {
        try {
          return await load()
        } catch (error) {
          if (isBusy(error) || error instanceof Response) throw error
          sectionFailed(section, error)
          return null
        }
      },
      sectionFailed,
      report: (error) => {
        busy ||= isBusy(error)
        log.error({ error, document: address.key }, 'page.render_failed')
      },
      freshUntil: keepUntil,
    })
    const signal = AbortSignal.timeout(RENDER_MS)
    const response = await handlers(area)(new Request(publicUrl + address.url, { signal }), context)
    // On timeout React Router returns an empty response.
    if (signal.aborted) throw refuse('BUSY')
    const status = busy && response.status === 500 ? 503 : response.status
    const contentType = response.headers.get('content-type') ?? 'text/plain; charset=utf-8'
    const headers = [...DOCUMENT_HEADERS]
    if (status === 503) headers.push(['retry-after', RETRY_SECONDS])
    for (const name of ['location', 'x-remix-response', 'x-remix-reload-document', 'x-remix-redirect', 'x-remix-status']) {
      const value = response.headers.get(name)
      if (value !== null) headers.push([name, value])
    }
    let body = await response.text()
    let fingerprint: string | undefined
    if (contentType.startsWith('text/html')) {
      if (runsTracking(area)) body = insertCodes(body, settings, scriptMark)
      const { cardFrames = [] } = options
      const providers = options.processors.open(settings)
      const { html, scriptHashes } = hashMarkedScripts(body, scriptMark)
      const unsigned = hashMarkedStyles(html, styleNonce)
      body = needsStyleNonce(area, providers) ? html : unsigned.html
      const policy = { area, styleHashes: unsigned.styleHashes, settings, dev, cardFrames, providers }
      headers.push(['content-security-policy', cspFor({ ...policy, styleNonce, scriptHashes })])
      fingerprint = unsigned.html + cspFor({ ...policy, scriptHashes: [] })
    }
    return {
      status,
      contentType,
      body,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      headers,
      tags,
      freshUntil,
      keep: !dev && status === 200,
    }
  }

  async function livePath(build: ServerBuild) {
    if (dev || !livePaths) {
      const asked = entryOf(build).livePaths(client, options.settings())
      // Do not cache a failure.
      asked.catch(() => {
        if (livePaths === asked) livePaths = undefined
      })
      livePaths = asked
    }
    const live = await livePaths
    return (path: string) => live.has(path)
  }

  /** The response for an error code: a page in the studio's colours for clients that accept HTML, otherwise a line of text. */
  async function errorPage(code: ErrorCode, accept: string | undefined, status: number = errors[code].status): Promise<Finished> {
    const { message } = errors[code]
    const page = accept?.includes('text/html') ? fallbackErrorPage(options.settings(), message, status !== 404) : null
    return finish({
      status,
      contentType: page ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
      body: page?.html ?? message,
      headers: [
        ...DOCUMENT_HEADERS,
        ['content-security-policy', page?.policy ?? "default-src 'none'; frame-ancestors 'none'"],
        ...(status === 503 || status === 429 ? [['retry-after', RETRY_SECONDS] as const] : []),
      ],
      tags: new Set(),
      freshUntil: null,
      keep: false,
    })
  }

  async function document({ url: target = '/', headers }: IncomingMessage): Promise<Finished | null> {
    const ready = await renderer()
    const certification = isCertificationHost(headers.host, options.settings())
    let isUnnamed = false
    let address = ready.addressOf(target, () => {
      isUnnamed = true
      return true
    })
    if (isUnnamed)
      try {
        address = ready.addressOf(target, await livePath(ready.build))
      } catch (error) {
        // No route matches this path and the list of content pages cannot be read, so whether the page exists is unknown (S1-8.38).
        log.error({ error, path: target.split('?')[0] }, 'page.content_list_failed')
        return errorPage('CONTENT_FAILED', headers.accept, isBusy(error) ? 503 : 500)
      }
    if (!address) return null
    const found = address
    if (dev) return finish(await render(ready, found, certification))
    const key = certification ? CERTIFICATION_KEY + found.key : found.key
    return cache.get(key, () => render(ready, found, certification))
  }

  return {
    tryCached(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false
      const url = req.url ?? ''
      const page = cache.kept(isCertificationHost(req.headers.host, options.settings()) ? CERTIFICATION_KEY + url : url)
      if (!page) return false
      send(req, res, page)
      return true
    },

    invalidate(tags) {
      if (tags.includes('settings') || tags.includes('content')) livePaths = undefined
      cache.invalidate(tags)
    },

    async register(app) {
      if (dev) vite = await developmentServer(root, app)
      else
        await app.register(
          async (assets) => {
            await assets.register(fastifyStatic, {
              root: join(root, 'build/client/assets'),
              prefix: '/',
              index: false,
              decorateReply: false,
              preCompressed: true,
              immutable: true,
              maxAge: '365d',
              setHeaders: (reply) => void reply.header('x-content-type-options', 'nosniff'),
            })
            assets.setNotFoundHandler(async (req, reply) => {
              reply.hijack()
              send(req.raw, reply.raw, await errorPage('NOT_FOUND', undefined))
            })
          },
          { prefix: '/assets' },
        )
      await app.register(async (scope) => {
        // Cached documents were sent before this point; the limit stops a client from causing renderings without end.
        if (options.requestsPerMinute)
          await scope.register(rateLimit, {
            max: options.requestsPerMinute,
            timeWindow: 60_000,
            keyGenerator: (req) => addressGroup(req.ip),
            errorResponseBuilder: () => refuse('TOO_MANY_REQUESTS'),
          })
        scope.setErrorHandler(async (error, req, reply) => {
          const code = error instanceof Refusal ? error.code : isBusy(error) ? 'BUSY' : 'INTERNAL'
          if (code !== 'TOO_MANY_REQUESTS') log.error({ error, path: req.raw.url?.split('?')[0] }, 'page.build_failed')
          reply.hijack()
          send(req.raw, reply.raw, await errorPage(code, req.headers.accept))
        })
        scope.route({
          method: ['GET', 'HEAD'],
          url: '/*',
          handler: async (req, reply) => {
            const page = (await document(req.raw)) ?? (await errorPage('NOT_FOUND', req.headers.accept))
            reply.hijack()
            send(req.raw, reply.raw, page)
          },
        })
      })
    },

    stats: cache.stats,

    async close() {
      cache.close()
      await vite?.close()
    },
  }
}

/** The routes that the manifest of each area lists (written by `react-router.config.ts`); without the file, all routes. */
type AreaLists = Partial<Record<Area, { url: string; routes: string[] }>>

async function areaLists(root: string): Promise<AreaLists> {
  const text = await readFile(join(root, 'build/server/areas.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

/** One request handler per area: the same build with a manifest that lists only the area's routes. */
function areaHandlers(build: ServerBuild, lists: AreaLists): (area: Area) => RequestHandler {
  const whole = createRequestHandler(build, 'production')
  const handlers = new Map<string, RequestHandler>()
  for (const [area, { url, routes }] of Object.entries(lists)) {
    const listed = Object.fromEntries(routes.map((id) => [id, build.assets.routes[id]]))
    handlers.set(area, createRequestHandler({ ...build, assets: { ...build.assets, url, routes: listed } }, 'production'))
  }
  return (area) => handlers.get(area) ?? whole
}

/** Starts Vite in this process: it serves modules and styles and reloads what changes. */
async function developmentServer(root: string, app: FastifyInstance) {
  // Vite's listeners would end the process on SIGTERM before our own shutdown, so they are removed again.
  const term = new Set(process.listeners('SIGTERM'))
  const end = new Set(process.stdin.listeners('end'))
  const { createServer } = await import('vite')
  const vite = await createServer({ root, appType: 'custom', server: { middlewareMode: true, hmr: { server: app.server } } })
  for (const listener of process.listeners('SIGTERM')) if (!term.has(listener)) process.removeListener('SIGTERM', listener)
  for (const listener of process.stdin.listeners('end')) if (!end.has(listener)) process.stdin.removeListener('end', listener as () => void)
  app.addHook('onRequest', (req, reply, done) => {
    if (/^\/(?:api|identidad|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)(?:\/|$)/.test(req.url)) done()
    else vite.middlewares(req.raw, reply.raw, () => done())
  })
  return vite
}
