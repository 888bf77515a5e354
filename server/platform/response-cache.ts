/**
 * Cache of API responses that are the same for every visitor (`madeFrom` in the contract), as bytes ready to send. They are sent before any
 * routing and removed when their sources change. A request with an Authorization header never gets a cached response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyRouter, traverseContractProcedures } from '@orpc/server'
import type { FastifyReply } from 'fastify'
import * as z from 'zod'
import type { EndpointMeta } from '#contract/endpoint.ts'
import { createPageCache, type PageCache, type Rendered, sendDocument } from './page-cache.ts'

/** Security headers of every API response: not rendered as a page, no scripts, no framing. */
export const API_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

const MAX_BYTES = 8 * 1024 * 1024

/** An endpoint whose responses are cached. */
interface Kind {
  path: RegExp
  tags: ReadonlySet<string>
  /** The query keys that it reads, in the contract's order: clients write them in that order too. */
  query: readonly string[]
}

export interface ResponseCacheOptions {
  /** Produces the response that an anonymous visitor gets. */
  answer: (request: Request) => Promise<{ status: number; body: string }>
  now: () => Date
  /** A tag that every response has besides those of `madeFrom`. */
  everyTag: string
  /** A tag that is invalidated often, with the minimum time between two invalidations in milliseconds. */
  paced: { tag: string; gapMs: number }
  /** Requests that get another response than the cached one. */
  differs?: (req: IncomingMessage) => boolean
  /** Maximum age of a cached response; 0 = nothing is cached. */
  seconds: number
}

export class ResponseCache {
  readonly #cache: PageCache
  readonly #kinds: readonly Kind[]
  readonly #options: ResponseCacheOptions

  constructor(router: AnyRouter, options: ResponseCacheOptions) {
    this.#cache = createPageCache({ now: options.now, maxBytes: MAX_BYTES, paced: options.paced })
    this.#kinds = cachedKinds(router, options.everyTag)
    this.#options = options
  }

  /** Sends a cached response; false = the request must be routed. */
  tryCached(req: IncomingMessage, res: ServerResponse): boolean {
    if (!this.#serves(req)) return false
    const cached = this.#cache.peek(req.url ?? '')
    if (!cached) return false
    sendDocument(req, res, cached)
    return true
  }

  /** Produces, caches and sends a response; false when this request's responses are not cached. */
  async serve(req: IncomingMessage, reply: FastifyReply): Promise<boolean> {
    if (!this.#serves(req)) return false
    const url = new URL(req.url ?? '/', 'http://studio')
    const kind = this.#kinds.find(({ path }) => path.test(url.pathname))
    if (!kind) return false
    const read = kind.query.flatMap((key) => {
      const value = url.searchParams.get(key)
      return value === null ? [] : [`${key}=${encodeURIComponent(value)}`]
    })
    const key = read.length ? `${url.pathname}?${read.join('&')}` : url.pathname
    const page = await this.#cache.get(key, () => this.#make(key, kind))
    reply.hijack()
    sendDocument(req, reply.raw, page)
    return true
  }

  invalidate(tags: readonly string[]): void {
    this.#cache.invalidate(tags)
  }

  close(): void {
    this.#cache.close()
  }

  #serves(req: IncomingMessage): boolean {
    if (this.#options.seconds <= 0 || req.headers.authorization !== undefined || this.#options.differs?.(req)) return false
    return req.method === 'GET' || req.method === 'HEAD'
  }

  async #make(key: string, { tags }: Kind): Promise<Rendered> {
    const { status, body } = await this.#options.answer(new Request(`http://studio${key}`))
    return {
      status,
      contentType: 'application/json; charset=utf-8',
      body,
      headers: API_HEADERS,
      tags,
      freshUntil: new Date(this.#options.now().getTime() + this.#options.seconds * 1000),
      keep: status === 200,
    }
  }
}

function cachedKinds(router: AnyRouter, everyTag: string): Kind[] {
  const kinds: Kind[] = []
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { route, meta, inputSchema } = contract['~orpc']
    const { madeFrom } = meta as EndpointMeta
    if (!madeFrom) return
    const path = route.path ?? ''
    const fields = inputSchema instanceof z.ZodObject ? Object.keys(inputSchema.shape) : []
    kinds.push({
      // A path with any other character is left to the endpoint, which refuses it.
      path: new RegExp(`^/api${path.replace(/\{\w+\}/g, '[a-z0-9-]+')}$`),
      tags: new Set([...madeFrom, everyTag]),
      query: fields.filter((field) => !path.includes(`{${field}}`)),
    })
  })
  return kinds
}
