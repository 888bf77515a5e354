/**
 * Answers of the API that are the same for every visitor, kept as finished bytes. They leave before any routing; when what they are
 * made of changes they are made again. A request with an Authorization header never sees them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import type { AnyRouter } from '@orpc/server'
import type { FastifyReply } from 'fastify'
import type { DocumentTag } from '#contract/rendering.ts'
import { createPageCache, type PageCache, type Rendered, send } from './page-cache.ts'

/** One kind of kept answer: its path, what it is made of, and the query keys it reads, in the order in which clients write them. */
export interface KeptAnswer {
  path: RegExp
  tags: readonly DocumentTag[]
  query: readonly string[]
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

const HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

export class AnswerCache<C extends object> {
  readonly #cache: PageCache
  readonly #handler: OpenAPIHandler<C>
  readonly #options: { context: C; now: () => Date; kept: readonly KeptAnswer[]; seconds: number }

  constructor(router: AnyRouter, options: { context: C; now: () => Date; kept: readonly KeptAnswer[]; seconds: number }) {
    this.#cache = createPageCache({ now: options.now, maxBytes: 8 * 1024 * 1024, scheduleGapMs: 250 })
    this.#handler = new OpenAPIHandler(router)
    this.#options = options
  }

  /** Answers from memory, or says that somebody else must. */
  tryKept(req: IncomingMessage, res: ServerResponse): boolean {
    if (!isRead(req) || req.headers.authorization !== undefined || this.#options.seconds === 0) return false
    const kept = this.#cache.kept(req.url ?? '')
    if (!kept) return false
    send(req, res, kept)
    return true
  }

  /** Makes, keeps and sends an answer of a kind that can be kept; false when this request is of no such kind. */
  async serve(req: IncomingMessage, reply: FastifyReply): Promise<boolean> {
    if (!isRead(req) || req.headers.authorization !== undefined || this.#options.seconds === 0) return false
    const url = new URL(req.url ?? '/', 'http://studio')
    const kind = this.#options.kept.find((one) => one.path.test(url.pathname))
    if (!kind) return false
    const read = kind.query.flatMap((key) => {
      const value = url.searchParams.get(key)
      return value === null ? [] : [`${key}=${encodeURIComponent(value)}`]
    })
    const key = read.length ? `${url.pathname}?${read.join('&')}` : url.pathname
    const made = await this.#cache.get(key, () => this.#make(key, kind))
    reply.hijack()
    send(req, reply.raw, made)
    return true
  }

  invalidate(tags: readonly DocumentTag[]): void {
    this.#cache.invalidate(tags)
  }

  close(): void {
    this.#cache.close()
  }

  async #make(key: string, kind: KeptAnswer): Promise<Rendered> {
    const { response } = await this.#handler.handle(new Request(`http://studio${key}`), {
      prefix: '/api',
      context: this.#options.context as never,
    })
    const status = response?.status ?? 404
    return {
      status,
      contentType: 'application/json; charset=utf-8',
      body: (await response?.text()) ?? '{}',
      headers: HEADERS,
      tags: new Set(kind.tags),
      freshUntil: new Date(this.#options.now().getTime() + this.#options.seconds * 1000),
      keep: status === 200,
    }
  }
}
