/**
 * Routing, limits and what a socket can carry: unknown methods and paths, addresses that are limited, bytes that are no request. A refusal
 * with a code and a Spanish sentence, and nothing written (R24).
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { bearer, pathOf, refusedAs, type Target, target } from '#server/testing/target.ts'
import { type Answer, endpoints } from '#server/testing/wire.ts'

/** What React Router builds, for a site without a page. */
const SMALLEST_BUILD = `
import { createContext } from 'react-router'
export const entry = { module: {
  default: async (_request, status) => new Response('<p>nada</p>', { status, headers: { 'content-type': 'text/html; charset=utf-8' } }),
  rendering: createContext(), handleError() {}, areaOf: () => 'site', livePaths: async () => new Set(),
} }
export const routes = { root: { id: 'root', path: '', module: { default: () => null } } }
export const assets = { entry: { module: '/assets/entry.js', imports: [] }, routes: {}, url: '/assets/manifest.js', version: '1' }
export const basename = '/', future = {}, ssr = true, isSpaMode = false, prerender = [], publicPath = '/', assetsBuildDirectory = 'build/client'
export const routeDiscovery = { mode: 'initial', manifestPath: '/__manifest' }
`

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const declared = endpoints()
const writing = declared.filter((endpoint) => endpoint.method !== 'GET')

describe('routing and limits', () => {
  test('refuses an unknown method or path in the usual format', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api/nada',
      '/api/class_reservations/1/2',
      '/API/single_class',
      '/api//single_class',
      '/nada',
      '/sandbox/nada',
      '/api/reference/nada',
      '/api/live/1',
      '/.env',
      '/api/openapi.json/',
      '/arte/nada.svg',
    ]
    for (const method of METHODS.filter((each) => each !== 'CONNECT'))
      for (const path of paths) {
        const answer = await t.send({ method, path, headers: bearer(t.people.ana.token) })
        // QUERY must have a body.
        expect(answer.status, `${method} ${path}`).toBe(method === 'QUERY' ? 400 : 404)
        if (method !== 'HEAD') await refusedAs(null, answer, `${method} ${path}`)
      }
  })

  test('an unsupported method of a known path lists the supported ones; HEAD is GET without its body (RFC 9110)', async () => {
    const before = await t.written()
    const methodsOf = (path: string) =>
      declared.flatMap(({ method, path: pattern }) =>
        new RegExp(`^/api${pattern.replace(/\{\+?\w+\}/g, '[^/]+')}$`).test(path) ? (method === 'GET' ? [method, 'HEAD'] : [method]) : [],
      )
    for (const path of new Set(declared.map((endpoint) => pathOf(endpoint, () => '1')))) {
      const allowed = methodsOf(path)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter((each) => !allowed.includes(each))) {
        const answer = await t.send({ method, path, headers: bearer(t.people.owner.token) })
        await refusedAs('METHOD_NOT_ALLOWED', answer, `${method} ${path}`)
        expect(String(answer.headers.allow).split(', '), `${method} ${path}`).toEqual(expect.arrayContaining(allowed))
      }
    }
    expect(await t.written()).toEqual(before)
    for (const [method, path, allow] of [
      ['PUT', '/api/webhooks/sandbox', 'POST'],
      ['POST', '/api/live', 'GET, HEAD'],
      ['DELETE', '/api/openapi.json', 'GET, HEAD'],
    ] as const) {
      const answer = await t.send({ method, path })
      await refusedAs('METHOD_NOT_ALLOWED', answer, path)
      expect([path, answer.headers.allow]).toEqual([path, allow])
    }
    for (const path of [
      '/api/appconfig',
      '/api/class_packages',
      '/api/single_class',
      '/api/pages',
      '/api/live',
      '/api/openapi.json',
      '/api/customer',
    ])
      for (const headers of [{}, bearer(t.people.ana.token)]) {
        // The live news never ends.
        const response = path === '/api/live' ? { status: 200 } : await t.send({ method: 'GET', path, headers })
        const head = await t.send({ method: 'HEAD', path, headers })
        expect([path, head.status, head.text]).toEqual([path, response.status, ''])
      }
    const missing = await t.send({ method: 'HEAD', path: '/api/class_packages/999999' })
    expect([missing.status, missing.text]).toEqual([404, ''])
  })

  test('limits requests per address, whatever address a header claims', async () => {
    const config = readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', DATABASE_URL: t.s.database }, process.cwd())
    const app = await openServer(t.s.studio, config, { pages: false, requestsPerMinute: 20 })
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const answers: Answer[] = []
    for (let n = 0; n < 30; n++) {
      const headers = { ...bearer(t.people.ana.token), 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` }
      answers.push(await t.send({ at: url.origin, method: 'GET', path: '/api/purchases', headers }))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(200), ...Array<number>(10).fill(429)])
    for (const answer of answers.slice(20)) {
      await refusedAs('TOO_MANY_REQUESTS', answer, 'the 21st')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    await app.close()
  })

  test('counts an IPv6 network prefix as one address', async () => {
    const env = { NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', DATABASE_URL: t.s.database, TRUST_PROXY: '127.0.0.1' }
    const app = await openServer(t.s.studio, readConfig(env, process.cwd()), { pages: false, requestsPerMinute: 5 })
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const from = async (address: string) => {
      const answer = await t.send({ at: url.origin, method: 'GET', path: '/api/nada', headers: { 'x-forwarded-for': address } })
      return answer.status
    }
    const statuses: number[] = []
    for (let n = 1; n <= 8; n++) statuses.push(await from(`2001:db8:1:2::${n}`))
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429])
    expect(await from('2001:db8:1:3::1')).toBe(404)
    await app.close()
  })

  test('limits requests that render documents', async () => {
    const root = await mkdtemp(join(tmpdir(), 'estudio-paginas-'))
    await mkdir(join(root, 'build/server'), { recursive: true })
    await mkdir(join(root, 'build/client/assets'), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
    await writeFile(join(root, 'package.json'), '{"type":"module"}')
    await writeFile(join(root, 'build/server/index.js'), SMALLEST_BUILD)
    const config = readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', DATABASE_URL: t.s.database }, root)
    const app = await openServer(t.s.studio, config, { requestsPerMinute: 3 })
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await t.send({ at: url.origin, method: 'GET', path: `/nada-${n}` })).status)
    expect(statuses).toEqual([404, 404, 404, 429, 429])
    await app.close()
    await rm(root, { recursive: true, force: true })
  })

  /** The answer to bytes that are no request. */
  const raw = (bytes: string | Buffer) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(t.s.url).port), '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.on('data', (part) => {
        text += part
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
      socket.setTimeout(10_000, () => socket.destroy())
    })

  test('refuses bytes that are not HTTP briefly', async () => {
    const long = 'a'.repeat(20_000)
    const malformed = [
      'FOO /api HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
      'POST /api/checkout HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      Buffer.from('16030102000100ff0d0a', 'hex'),
    ]
    const tooLong = [`GET /${long} HTTP/1.1\r\nhost: x\r\n\r\n`, `GET / HTTP/1.1\r\nhost: x\r\nx: ${long}\r\n\r\n`]
    const refused = async (bytes: string | Buffer) => {
      const [head = '', body = ''] = (await raw(bytes)).split('\r\n\r\n')
      expect(head.split('\r\n')).toEqual(expect.arrayContaining(['cache-control: no-store', 'x-content-type-options: nosniff']))
      return { status: head.split(' ')[1], body: JSON.parse(body) }
    }
    for (const bytes of malformed)
      expect(await refused(bytes)).toMatchObject({
        status: '400',
        body: { code: 'MALFORMED_BODY', message: 'No pudimos leer lo que enviaste.' },
      })
    for (const bytes of tooLong)
      expect(await refused(bytes)).toMatchObject({
        status: '431',
        body: { code: 'HEADERS_TOO_LARGE', message: 'La dirección y los encabezados que enviaste son demasiado largos.' },
      })
    expect(await raw('\r\n\r\n\r\n')).toBe('')
  })

  test('refuses a request with two Host headers, also where a response is cached (RFC 9112)', async () => {
    for (const target of ['/api/appconfig', '/api/appconfig', '/api/purchases', '/archivos/x', '/nada']) {
      const [head = '', body = ''] = (await raw(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nHost: otro.mx\r\n\r\n`)).split('\r\n\r\n')
      expect([target, head.split('\r\n')[0]]).toEqual([target, 'HTTP/1.1 400 Bad Request'])
      expect(JSON.parse(body)).toMatchObject({ code: 'MALFORMED_BODY' })
    }
    expect(await raw('GET /api/appconfig HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('sends HSTS for a year with every response of a studio on https, none on http; nosniff with every response', async () => {
    const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: t.s.database }, process.cwd())
    const app = await openServer({ ...t.s.studio, publicUrl: 'https://estudio.mx' }, config, { pages: false })
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const requests: [string, string][] = [
      ['GET', '/api/appconfig'],
      ['GET', '/api/appconfig'],
      ['HEAD', '/api/appconfig'],
      ['GET', '/api/purchases'],
      ['GET', '/api/nada'],
      ['DELETE', '/api/appconfig'],
      ['POST', '/api/files'],
      ['GET', '/identidad/jwks.json'],
      ['GET', '/archivos/nada.png'],
      ['GET', '/arte/coach.svg'],
      ['GET', '/iconos/180.png'],
      ['GET', '/api/calendario/nada.ics'],
      ['GET', '/nada'],
      ['POST', '/nada'],
      ['OPTIONS', '/nada'],
    ]
    for (const [method, path] of requests) {
      const answer = await t.send({ at: url.origin, method, path })
      expect([path, answer.headers['strict-transport-security']]).toEqual([path, 'max-age=31536000'])
      expect([method, path, answer.headers['x-content-type-options']]).toEqual([method, path, 'nosniff'])
      // A refusal is never stored by a proxy.
      if (answer.status >= 400) expect([method, path, answer.headers['cache-control']]).toEqual([method, path, 'no-store'])
      expect((await t.send({ method, path })).headers['strict-transport-security']).toBeUndefined()
    }
    await app.close()
  })

  test('closes the connection of a request that is sent too slowly', async () => {
    const config = readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', DATABASE_URL: t.s.database }, process.cwd())
    const app = await openServer(t.s.studio, config, { pages: false })
    const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 20_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 72_000,
    })
    await app.close()
  })

  test('refuses an invalid Idempotency-Key before anything happens', async () => {
    const before = await t.written()
    for (const endpoint of writing.filter((each) => each.access === 'customer'))
      for (const key of ['con espacio', 'ñ', 'x'.repeat(201), 'a,b c'])
        await refusedAs('INVALID_INPUT', t.call(endpoint, t.people.ana, { headers: { 'idempotency-key': key } }), `${endpoint.name} ${key}`)
    expect(await t.written()).toEqual(before)
  })
})
