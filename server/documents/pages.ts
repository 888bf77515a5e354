/**
 * Documents over HTTP: the page cache in front of the renderer (render.ts). In production each document is rendered once, then sent as
 * finished bytes; in development Vite renders every time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { type ErrorCode, Refusal, refuse } from '#contract/errors.ts'
import { choosesEnglish, type Language, offersEnglish } from '#contract/language.ts'
import { PREVIEWED_MAIL } from '#contract/preview.ts'
import type { Area, DocumentTag } from '#contract/rendering.ts'
import type { Settings } from '#contract/settings.ts'
import { createPageCache, type Finished, finishDocument, sendDocument } from '#server/platform/page-cache.ts'
import { addressGroup } from '#server/platform/throttle.ts'
import { openBuild, type ReadyBuild } from './build.ts'
import { errorDocument } from './fallback-error-page.ts'
import { asPreview, previewToken } from './preview.ts'
import { isBusy, type RenderOptions, renderDocument } from './render.ts'

export interface PagesOptions<Client> extends RenderOptions<Client> {
  /** Folder of the project. */
  root: string
  /** Memory for cached documents, in bytes. */
  maxBytes?: number
  /** The settings of a preview, the API as a visitor sees it with them, and the HTML of a mail; null: not ours, or expired. */
  preview?: (token: string) => Promise<{ settings: Settings; client: Client; mail: () => Promise<string> } | null>
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
 * The areas whose pages have a preview: those with contents without a log-in. The card form of a checkout stays empty: its script does
 * not run.
 */
const PREVIEWED: ReadonlySet<Area> = new Set(['site', 'access', 'card'])

/** Cache key prefix of documents for `certification_host`. Its blank makes it differ from every request target. */
const CERTIFICATION_KEY = 'certification '

/**
 * Whether a request came to the host of `certification_host`, written with or without its port. Every other host, configured or not, gets
 * the common documents, so an unknown Host header adds nothing to the cache.
 */
function isCertificationHost(host: string | undefined, { certification_host, certification_link }: Settings): boolean {
  if (!host || !certification_host || !certification_link) return false
  const requestedHost = host.toLowerCase()
  const configured = certification_host.toLowerCase()
  return requestedHost === configured || requestedHost.replace(/:\d+$/, '') === configured
}

/** Cache key prefix of documents in English. */
const ENGLISH_KEY = 'en '

/** The language of a document: English for visitors who chose it where the studio offers it; the administration is always Spanish. */
function languageOf({ url = '/', headers }: IncomingMessage, settings: Settings): Language {
  return choosesEnglish(headers.cookie) && offersEnglish(settings) && !/^\/admin(?:[/?]|$)/i.test(url) ? 'en' : 'es-MX'
}

/** Names a document in the cache. */
const keyOf = (address: string, { certification, language }: { certification: boolean; language: Language }): string =>
  `${certification ? CERTIFICATION_KEY : ''}${language === 'en' ? ENGLISH_KEY : ''}${address}`

/** Serves the documents of one studio. In production the build must exist (`npm run build`). */
export async function createPages<Client>(options: PagesOptions<Client>): Promise<Pages> {
  const { dev, now, settings, log } = options
  const build = await openBuild<Client>(options.root, dev)
  // An event arrives with every booking.
  const paced = { tag: 'schedule', gapMs: 1_000 }
  const cache = createPageCache({ now, paced, ...(options.maxBytes ? { maxBytes: options.maxBytes } : {}) })
  const livePaths = createLivePaths(options)
  const errorPage = (code: ErrorCode, req: IncomingMessage | null, status?: number) =>
    errorDocument(settings(), code, {
      accept: req?.headers.accept,
      language: req ? languageOf(req, settings()) : 'es-MX',
      ...(status !== undefined && { status }),
    })

  /** A public page with unsaved settings; null: no such page, or the token is not ours or has expired. Never cached. */
  async function preview(ready: ReadyBuild<Client>, target: string, token: string): Promise<Finished | null> {
    const found = await options.preview?.(token)
    if (!found) return null
    if (target.split('?')[0] === PREVIEWED_MAIL)
      return finishDocument(
        asPreview({ status: 200, contentType: 'text/html; charset=utf-8', text: await found.mail(), styleNonce: null, token }),
      )
    const live = await ready.entry.livePaths(found.client, found.settings)
    const address = ready.addressOf(target, (path) => live.has(path))
    if (!address || !PREVIEWED.has(ready.entry.areaOf(address.url)) || address.url.includes('.data')) return null
    const { client, settings: unsaved } = found
    return finishDocument(await renderDocument({ ...options, client, settings: () => unsaved }, ready, address, { preview: token }))
  }

  async function document(req: IncomingMessage): Promise<Finished | null> {
    const { url: target = '/', headers } = req
    const language = languageOf(req, settings())
    const ready = await build.ready(language)
    const token = previewToken(target)
    if (token !== null) return preview(await build.ready('es-MX'), target, token)
    const certification = isCertificationHost(headers.host, settings())
    let isUnnamed = false
    let address = ready.addressOf(target, () => {
      isUnnamed = true
      return true
    })
    if (isUnnamed)
      try {
        const live = await livePaths.get(ready)
        address = ready.addressOf(target, (path) => live.has(path))
      } catch (error) {
        // No route matches this path and the list of content pages cannot be read, so whether the page exists is unknown (S1-8.38).
        log.error({ error, path: target.split('?')[0] }, 'page.content_list_failed')
        return errorPage('CONTENT_FAILED', req, isBusy(error) ? 503 : 500)
      }
    if (!address) return null
    const found = address
    const render = () => renderDocument(options, ready, found, { certification, language })
    if (dev) return finishDocument(await render())
    return cache.get(keyOf(found.key, { certification, language }), render)
  }

  return {
    tryCached(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false
      const url = req.url ?? ''
      const certification = isCertificationHost(req.headers.host, settings())
      const page = cache.peek(keyOf(url, { certification, language: languageOf(req, settings()) }))
      if (!page) return false
      sendDocument(req, res, page)
      return true
    },

    invalidate(tags) {
      if (tags.includes('settings') || tags.includes('content')) livePaths.forget()
      cache.invalidate(tags)
    },

    async register(app) {
      await build.register(app, async (req, reply) => {
        reply.hijack()
        sendDocument(req.raw, reply.raw, await errorPage('NOT_FOUND', null))
      })
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
          sendDocument(req.raw, reply.raw, await errorPage(code, req.raw))
        })
        scope.route({
          method: ['GET', 'HEAD'],
          url: '/*',
          handler: async (req, reply) => {
            const page = (await document(req.raw)) ?? (await errorPage('NOT_FOUND', req.raw))
            reply.hijack()
            sendDocument(req.raw, reply.raw, page)
          },
        })
      })
    },

    stats: cache.stats,

    async close() {
      cache.close()
      await build.close()
    },
  }
}

/** The paths of pages that exist by data, not by a route of their own (content pages, the packages path), cached until `forget`. */
function createLivePaths<Client>({ dev, client, settings }: Pick<PagesOptions<Client>, 'dev' | 'client' | 'settings'>) {
  let paths: Promise<ReadonlySet<string>> | undefined
  return {
    get({ entry }: ReadyBuild<Client>): Promise<ReadonlySet<string>> {
      if (paths && !dev) return paths
      const reading = entry.livePaths(client, settings())
      // Do not cache a failure.
      reading.catch(() => {
        if (paths === reading) paths = undefined
      })
      paths = reading
      return reading
    },
    forget() {
      paths = undefined
    },
  }
}
