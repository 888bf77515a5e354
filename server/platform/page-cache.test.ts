import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import {
  chooseAnswerEncoding,
  chooseEncoding,
  createPageCache,
  finishDocument,
  matchesEtag,
  type PageCache,
  type Rendered,
  sendDocument,
} from './page-cache.ts'

let clock = new Date('2026-11-20T18:00:00Z')
const caches: PageCache[] = []
function cacheWith(over: { maxBytes?: number; paced?: { tag: string; gapMs: number } } = {}) {
  const cache = createPageCache({ now: () => clock, ...over })
  caches.push(cache)
  return cache
}
afterEach(() => {
  for (const cache of caches.splice(0)) cache.close()
  clock = new Date('2026-11-20T18:00:00Z')
})

const rendered = (body: string, over: Partial<Rendered> = {}): Rendered => ({
  status: 200,
  contentType: 'text/html; charset=utf-8',
  body,
  headers: [['content-security-policy', "default-src 'none'"]],
  tags: new Set(['settings']),
  freshUntil: null,
  keep: true,
  ...over,
})

describe('page cache', () => {
  test('concurrent requests share one rendering', async () => {
    const cache = cacheWith()
    let times = 0
    const render = async () => {
      times++
      await wait(5)
      return rendered('hola')
    }
    await Promise.all(Array.from({ length: 20 }, () => cache.get('/', render)))
    expect(times).toBe(1)
    await cache.get('/', render)
    expect(times).toBe(1)
  })

  test('an event of its own tags invalidates a document, other events do not', async () => {
    const cache = cacheWith()
    await cache.get('/', async () => rendered('a', { tags: new Set(['settings', 'catalogue']) }))
    cache.invalidate(['content'])
    expect(cache.peek('/')).toBeDefined()
    cache.invalidate(['catalogue'])
    expect(cache.peek('/')).toBeUndefined()
    expect(cache.stats()).toMatchObject({ documents: 0, bytes: 0 })
  })

  test('a rendering in progress when its event arrives is sent but not cached, and not shared with later requests', async () => {
    const cache = cacheWith()
    let finishOld: (() => void) | undefined
    const old = cache.get('/', async () => {
      await new Promise<void>((resolve) => {
        finishOld = resolve
      })
      return rendered('viejo')
    })
    cache.invalidate(['settings'])
    const fresh = await cache.get('/', async () => rendered('nuevo'))
    finishOld?.()
    expect((await old).bodies.identity.toString()).toBe('viejo')
    expect(fresh.bodies.identity.toString()).toBe('nuevo')
    expect(cache.peek('/')?.bodies.identity.toString()).toBe('nuevo')
  })

  test('a document is not cached past the instant at which it becomes wrong', async () => {
    const cache = cacheWith()
    await cache.get('/', async () => rendered('hoy', { freshUntil: new Date('2026-11-20T18:30:00Z') }))
    clock = new Date('2026-11-20T18:29:59Z')
    expect(cache.peek('/')).toBeDefined()
    clock = new Date('2026-11-20T18:30:00Z')
    expect(cache.peek('/')).toBeUndefined()
  })

  test('errors and redirects are not cached', async () => {
    const cache = cacheWith()
    const page = await cache.get('/x', async () => rendered('no', { status: 404, keep: false }))
    expect(cache.peek('/x')).toBeUndefined()
    expect(page.heads.identity).toContain('no-store')
    expect(page.heads.identity).not.toContain('etag')
  })

  test('a failure is not cached', async () => {
    const cache = cacheWith()
    await expect(cache.get('/', async () => Promise.reject(new Error('db')))).rejects.toThrow('db')
    expect((await cache.get('/', async () => rendered('ya'))).status).toBe(200)
  })

  test('the size is limited: the least recently used document is evicted', async () => {
    const cache = cacheWith({ maxBytes: 24_000 })
    for (const key of ['/a', '/b', '/c']) await cache.get(key, async () => rendered(key))
    cache.peek('/a')
    for (let n = 0; n < 9; n++) await cache.get(`/n${n}`, async () => rendered('n'))
    expect(cache.peek('/a')).toBeDefined()
    expect(cache.peek('/b')).toBeUndefined()
    expect(cache.stats().bytes).toBeLessThanOrEqual(24_000)
  })

  test('events about free spots are throttled: at once the first time, then once per interval', async () => {
    const cache = cacheWith({ paced: { tag: 'schedule', gapMs: 40 } })
    const render = async () => rendered('lugares', { tags: new Set(['schedule']) })
    await cache.get('/', render)
    cache.invalidate(['schedule'])
    expect(cache.peek('/')).toBeUndefined()
    await cache.get('/', render)
    cache.invalidate(['schedule'])
    cache.invalidate(['schedule'])
    expect(cache.peek('/')).toBeDefined()
    await wait(80)
    expect(cache.peek('/')).toBeUndefined()
  })

  test('the same page with another nonce keeps its ETag', async () => {
    const a = await finishDocument(rendered('<style nonce="1">', { fingerprint: '<style nonce="">' }))
    const b = await finishDocument(rendered('<style nonce="2">', { fingerprint: '<style nonce="">' }))
    expect(a.etag).toBe(b.etag)
    expect(a.notModified).not.toContain('content-security-policy')
  })
})

describe('content negotiation', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0,gzip;q=0', 'identity'],
    ['BR;q=0.5', 'br'],
    ['brotli', 'identity'],
    ['identity', 'identity'],
  ] as const)('%s -> %s', (accept, encoding) => expect(chooseEncoding(accept)).toBe(encoding))

  test.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0, br', 'br'],
    ['zstd;q=0.1', 'zstd'],
    ['xzstd, gzip', 'gzip'],
    [undefined, 'identity'],
  ] as const)('an answer: %s -> %s', (accept, encoding) => expect(chooseAnswerEncoding(accept)).toBe(encoding))

  // A pattern with backtracking would take hours over these; Node itself accepts 16 kB of headers.
  test('a header with a huge number of alternatives is answered in time', () => {
    for (const blank of [' ', '\t', ', ', ';q=1 '])
      for (const name of ['br', 'gzip', 'zstd'])
        expect(['br', 'gzip', 'zstd', 'identity']).toContain(chooseAnswerEncoding(`${name}${blank.repeat(2_000_000 / blank.length)}x`))
  })

  test('If-None-Match is compared weakly, also in lists', () => {
    expect(matchesEtag('W/"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('"x", W/"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('*', 'W/"a"')).toBe(true)
    expect(matchesEtag('"x"', 'W/"a"')).toBe(false)
    expect(matchesEtag(undefined, 'W/"a"')).toBe(false)
  })
})

describe('over HTTP', () => {
  const text = `<p>${'Hola, qué tal. '.repeat(200)}</p>`

  async function fetchWith(headers: Record<string, string>, method = 'GET') {
    const page = await finishDocument(rendered(text))
    const server = createServer((req, res) => sendDocument(req, res, page))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    try {
      return await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer; etag: string }>((resolve, reject) => {
        const req = request({ port: (server.address() as AddressInfo).port, method, headers, agent: false }, (res) => {
          const chunks: Buffer[] = []
          res.on('data', (chunk: Buffer) => chunks.push(chunk))
          res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks), etag: page.etag }))
        })
        req.on('error', reject)
        req.end()
      })
    } finally {
      server.close()
    }
  }

  test('sends the same text in every encoding, with its length, ETag and Vary', async () => {
    const plain = await fetchWith({})
    const zipped = await fetchWith({ 'accept-encoding': 'gzip' })
    const br = await fetchWith({ 'accept-encoding': 'gzip, br' })
    expect(plain.body.toString()).toBe(text)
    expect(gunzipSync(zipped.body).toString()).toBe(text)
    expect(brotliDecompressSync(br.body).toString()).toBe(text)
    expect(br.headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=0, must-revalidate',
      'content-length': String(br.body.length),
      'content-security-policy': "default-src 'none'",
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
  })

  test('sends 304 without a body to clients that have the document', async () => {
    const { etag } = await fetchWith({})
    const again = await fetchWith({ 'if-none-match': etag, 'accept-encoding': 'br' })
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect(again.headers.etag).toBe(etag)
  })

  test('HEAD has the headers of GET', async () => {
    const head = await fetchWith({ 'accept-encoding': 'br' }, 'HEAD')
    expect(head.body.length).toBe(0)
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
  })
})
