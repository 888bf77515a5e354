/**
 * Documents kept as finished bytes. Every document is the same for every visitor, so it is rendered once, compressed once
 * and sent from memory until what it was made from changes. One cache belongs to one studio; nothing here is global.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { DocumentTag } from '#contract/rendering.ts'

const brotliBytes = promisify(brotliCompress)
const gzipBytes = promisify(gzip)

/** What a rendering gives: the finished text with everything that its answer needs. */
export interface Rendered {
  status: number
  contentType: string
  body: string
  /** What makes the document the same as another one; default: the body. Two renderings differ in their nonce, not in what they say. */
  fingerprint?: string
  /** Further headers: the policy of the document, `location` of a redirect. */
  headers: readonly (readonly [string, string])[]
  tags: ReadonlySet<DocumentTag>
  /** The document is wrong from this instant on; null = only when a tag changes. */
  freshUntil: Date | null
  /** False: sent once, never kept (errors, redirects). */
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

interface Kept extends Finished {
  tags: ReadonlySet<DocumentTag>
  freshUntil: number
}

export interface PageCacheOptions {
  now: () => Date
  /** Memory for all kept documents with their compressed forms, in bytes. The least recently used ones go first. */
  maxBytes?: number
  /** News about places arrives with every booking: documents that show places are renewed at most this often, in milliseconds. */
  scheduleGapMs?: number
}

export interface PageCache {
  /** The kept document of a key, while it is fresh. */
  kept(key: string): Finished | undefined
  /** The kept document, or a new rendering: one at a time per key, however many ask. */
  get(key: string, render: () => Promise<Rendered>): Promise<Finished>
  /** Forgets every document made from one of these. Renderings under way are sent but not kept. */
  invalidate(tags: readonly DocumentTag[]): void
  stats(): { documents: number; bytes: number; hits: number; renders: number }
  close(): void
}

// No two neighbours may take the same blanks, or a long header of them is tried in a million ways.
const NAMES_BR = /(?:^|[\s,])br\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?:,|$)/i
const NAMES_GZIP = /(?:^|[\s,])gzip\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?:,|$)/i

/** Which form a client takes: the smallest that its `Accept-Encoding` names without refusing it. */
export function chooseEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity'
  const taken = (names: RegExp) => {
    const found = names.exec(accept)
    return found !== null && (found[1] === undefined || Number(found[1]) > 0)
  }
  return taken(NAMES_BR) ? 'br' : taken(NAMES_GZIP) ? 'gzip' : 'identity'
}

/** Whether `If-None-Match` names the document (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header === etag) return true
  const bare = etag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare)
}

/** Compresses a rendering and writes its heads, once. */
export async function finish(rendered: Rendered): Promise<Finished> {
  const identity = Buffer.from(rendered.body)
  const worth = identity.length > 600
  const [br, zipped] = worth
    ? await Promise.all([
        brotliBytes(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
        gzipBytes(identity, { level: 6 }),
      ])
    : [identity, identity]
  // Weak: the same document in three encodings.
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
    // No policy here: the browser keeps the one that came with its copy, whose nonce it matches.
    notModified: ['vary', 'accept-encoding', 'cache-control', cacheControl, 'etag', etag],
  }
}

/** Writes a document in one go: 304 when the client has it, without a body for HEAD. */
export function send(req: IncomingMessage, res: ServerResponse, page: Finished): void {
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
/** What a document takes beside its bodies: headers and bookkeeping. */
const OVERHEAD_BYTES = 2_000

export function createPageCache({ now, maxBytes = 24 * MIB, scheduleGapMs = 1_000 }: PageCacheOptions): PageCache {
  const documents = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    // One document never takes more than a quarter: the others would have to go for it.
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ bodies }) => bodies.identity.length + bodies.gzip.length + bodies.br.length + OVERHEAD_BYTES,
  })
  const underWay = new Map<string, Promise<Finished>>()
  /** Counts invalidations, so that a rendering knows whether its sources changed while it ran. */
  let age = 0
  const changedAt = new Map<DocumentTag, number>()
  let hits = 0
  let renders = 0
  let scheduleTimer: NodeJS.Timeout | undefined
  let scheduleRenewedAt = Number.NEGATIVE_INFINITY

  function forget(tags: readonly DocumentTag[]) {
    age++
    for (const tag of tags) changedAt.set(tag, age)
    // Their sources are not known yet; whoever asks from now on gets a rendering that began after the news.
    underWay.clear()
    for (const [key, page] of documents) if (tags.some((tag) => page.tags.has(tag))) documents.delete(key)
  }

  function forgetSchedule() {
    scheduleTimer = undefined
    scheduleRenewedAt = now().getTime()
    forget(['schedule'])
  }

  function store(key: string, finished: Finished, { tags, freshUntil }: Rendered) {
    documents.set(key, { ...finished, tags, freshUntil: freshUntil?.getTime() ?? Number.POSITIVE_INFINITY })
  }

  function kept(key: string): Kept | undefined {
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
    kept,
    async get(key, render) {
      const ready = kept(key)
      if (ready) return ready
      const running = underWay.get(key)
      if (running) return running
      const startedAt = age
      const made = (async () => {
        renders++
        const rendered = await render()
        const finished = await finish(rendered)
        const outdated = [...rendered.tags].some((tag) => (changedAt.get(tag) ?? 0) > startedAt)
        if (rendered.keep && !outdated) store(key, finished, rendered)
        return finished
      })()
      underWay.set(key, made)
      try {
        return await made
      } finally {
        if (underWay.get(key) === made) underWay.delete(key)
      }
    },
    invalidate(tags) {
      const sudden = tags.filter((tag) => tag !== 'schedule')
      if (sudden.length) forget(sudden)
      if (!tags.includes('schedule') || scheduleTimer) return
      const wait = scheduleRenewedAt + scheduleGapMs - now().getTime()
      if (wait <= 0) forgetSchedule()
      else scheduleTimer = setTimeout(forgetSchedule, Math.min(wait, scheduleGapMs)).unref()
    },
    stats: () => ({ documents: documents.size, bytes: documents.calculatedSize, hits, renders }),
    close() {
      clearTimeout(scheduleTimer)
      documents.clear()
    },
  }
}
