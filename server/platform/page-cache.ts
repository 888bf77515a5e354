/**
 * Cache of documents as bytes ready to send. Every document is the same for every visitor, so it is rendered once, compressed once and sent
 * from memory until its sources change. One cache per studio; nothing here is global.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const brotliBytes = promisify(brotliCompress)
const gzipBytes = promisify(gzip)

/** Result of a rendering: the text and everything that its response needs. */
export interface Rendered {
  status: number
  contentType: string
  body: string
  /** What the etag is computed from; default: the body. Needed where two renderings of the same content differ in their nonce. */
  fingerprint?: string
  /** Further headers: content security policy, `location` of a redirect. */
  headers: readonly (readonly [string, string])[]
  tags: ReadonlySet<string>
  /** The document is outdated from this instant on; null = only when a tag is invalidated. */
  freshUntil: Date | null
  /** False: sent once, never cached (errors, redirects). */
  keep: boolean
}

type Encoding = 'identity' | 'gzip' | 'br'
type FlatHeaders = string[]

/** A document ready to be written to a socket. */
export interface Finished {
  readonly status: number
  readonly etag: string
  readonly bodies: Readonly<Record<Encoding, Buffer>>
  readonly heads: Readonly<Record<Encoding, FlatHeaders>>
  readonly notModified: FlatHeaders
}

interface CachedPage extends Finished {
  tags: ReadonlySet<string>
  freshUntil: number
}

export interface PageCacheOptions {
  now: () => Date
  /** Memory for all cached documents with their compressed forms, in bytes. The least recently used are evicted first. */
  maxBytes?: number
  /** A tag that is invalidated often, with the minimum time between two invalidations in milliseconds. */
  paced?: { tag: string; gapMs: number }
}

export interface PageCache {
  /** The cached document of a key, if it is fresh. */
  peek(key: string): Finished | undefined
  /** The cached document, or a new rendering; concurrent calls for one key share one rendering. */
  get(key: string, render: () => Promise<Rendered>): Promise<Finished>
  /** Removes every document made from one of these tags. Renderings in progress are sent but not cached. */
  invalidate(tags: readonly string[]): void
  stats(): { documents: number; bytes: number; hits: number; renders: number }
  close(): void
}

// No two adjacent groups may match the same blanks: a long header of blanks would cause catastrophic backtracking.
const NAMES_BR = /(?:^|[\s,])br\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?:,|$)/i
const NAMES_ZSTD = /(?:^|[\s,])zstd\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?:,|$)/i
const NAMES_GZIP = /(?:^|[\s,])gzip\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?:,|$)/i

/** Whether the client's `Accept-Encoding` names an encoding without refusing it (`q=0`). */
function isAccepted(accept: string, names: RegExp): boolean {
  const found = names.exec(accept)
  return found !== null && (found[1] === undefined || Number(found[1]) > 0)
}

/** The best encoding of a document that the client accepts. */
export function chooseEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity'
  return isAccepted(accept, NAMES_BR) ? 'br' : isAccepted(accept, NAMES_GZIP) ? 'gzip' : 'identity'
}

/** Encodings of an answer that is compressed for one client. */
export type AnswerEncoding = 'zstd' | 'br' | 'gzip'

/** The encoding of such an answer: the fastest that the client accepts. */
export function chooseAnswerEncoding(accept: string | undefined): AnswerEncoding | 'identity' {
  return accept && isAccepted(accept, NAMES_ZSTD) ? 'zstd' : chooseEncoding(accept)
}

/** Whether `If-None-Match` matches the document (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header === etag) return true
  const bare = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === bare)
}

/** Compresses a rendering and builds its headers, once. */
export async function finishDocument(rendered: Rendered): Promise<Finished> {
  const identity = Buffer.from(rendered.body)
  const worth = identity.length > 600
  const [br, zipped] = worth
    ? await Promise.all([
        brotliBytes(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
        gzipBytes(identity, { level: 6 }),
      ])
    : [identity, identity]
  // Weak etag: it names the document in all three encodings.
  const etag = `W/"${createHash('sha256')
    .update(rendered.fingerprint ?? identity)
    .digest('base64url')
    .slice(0, 22)}"`
  const cacheControl = rendered.keep ? 'public, max-age=0, must-revalidate' : 'no-store'
  const further = rendered.headers.flat()
  const head = (encoding: Encoding, body: Buffer): FlatHeaders => [
    'content-type',
    rendered.contentType,
    'content-length',
    String(body.length),
    ...(encoding === 'identity' || !worth ? [] : ['content-encoding', encoding]),
    'vary',
    'accept-encoding',
    'cache-control',
    cacheControl,
    ...(rendered.keep ? ['etag', etag] : []),
    ...further,
  ]
  return {
    status: rendered.status,
    etag: rendered.keep ? etag : '',
    bodies: { identity, gzip: zipped, br },
    heads: { identity: head('identity', identity), gzip: head('gzip', zipped), br: head('br', br) },
    // No content security policy here: the browser keeps the one of its stored copy, whose nonce matches it.
    notModified: ['vary', 'accept-encoding', 'cache-control', cacheControl, 'etag', etag],
  }
}

/** Writes a document in one call: 304 when the client has it, no body for HEAD. */
export function sendDocument(req: IncomingMessage, res: ServerResponse, page: Finished): void {
  if (page.etag && page.status === 200 && matchesEtag(req.headers['if-none-match'], page.etag)) {
    res.writeHead(304, page.notModified)
    res.end()
    return
  }
  const encoding = chooseEncoding(req.headers['accept-encoding'] as string | undefined)
  res.writeHead(page.status, page.heads[encoding])
  if (req.method === 'HEAD') res.end()
  else res.end(page.bodies[encoding])
}

const MIB = 1024 * 1024
/** Memory of a document besides its bodies: headers and bookkeeping. */
const OVERHEAD_BYTES = 2_000

export function createPageCache({ now, maxBytes = 24 * MIB, paced }: PageCacheOptions): PageCache {
  const documents = new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    // A document larger than a quarter of the cache is not cached: it would evict too many others.
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ bodies }) => bodies.identity.length + bodies.gzip.length + bodies.br.length + OVERHEAD_BYTES,
  })
  const inFlight = new Map<string, Promise<Finished>>()
  /** Counts invalidations, so that a rendering knows whether its sources changed while it ran. */
  let age = 0
  const changedAt = new Map<string, number>()
  let hits = 0
  let renders = 0
  let pacedTimer: NodeJS.Timeout | undefined
  let pacedAt = Number.NEGATIVE_INFINITY

  function forget(tags: readonly string[]) {
    age++
    for (const tag of tags) changedAt.set(tag, age)
    // The tags of renderings in progress are not known yet; requests from now on get a rendering that began after the change.
    inFlight.clear()
    for (const [key, page] of documents) if (tags.some((tag) => page.tags.has(tag))) documents.delete(key)
  }

  function forgetPaced(tag: string) {
    pacedTimer = undefined
    pacedAt = now().getTime()
    forget([tag])
  }

  function store(key: string, finished: Finished, { tags, freshUntil }: Rendered) {
    documents.set(key, { ...finished, tags, freshUntil: freshUntil?.getTime() ?? Number.POSITIVE_INFINITY })
  }

  function cached(key: string): CachedPage | undefined {
    const page = documents.get(key)
    if (!page) return undefined
    if (page.freshUntil <= now().getTime()) {
      documents.delete(key)
      return undefined
    }
    hits++
    return page
  }

  return {
    peek: cached,
    async get(key, render) {
      const ready = cached(key)
      if (ready) return ready
      const running = inFlight.get(key)
      if (running) return running
      const startedAt = age
      const page = (async () => {
        renders++
        const rendered = await render()
        const finished = await finishDocument(rendered)
        const outdated = [...rendered.tags].some((tag) => (changedAt.get(tag) ?? 0) > startedAt)
        if (rendered.keep && !outdated) store(key, finished, rendered)
        return finished
      })()
      inFlight.set(key, page)
      try {
        return await page
      } finally {
        if (inFlight.get(key) === page) inFlight.delete(key)
      }
    },
    invalidate(tags) {
      const sudden = tags.filter((tag) => tag !== paced?.tag)
      if (sudden.length) forget(sudden)
      if (!paced || !tags.includes(paced.tag) || pacedTimer) return
      const { tag, gapMs } = paced
      const wait = pacedAt + gapMs - now().getTime()
      if (wait <= 0) forgetPaced(tag)
      else pacedTimer = setTimeout(forgetPaced, Math.min(wait, gapMs), tag).unref()
    },
    stats: () => ({ documents: documents.size, bytes: documents.calculatedSize, hits, renders }),
    close() {
      clearTimeout(pacedTimer)
      documents.clear()
    },
  }
}
