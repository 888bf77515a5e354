/** A minimal React Router build, written by hand: tested is the code around the renderer. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { providerSites } from '#server/adapters/payments/processors.ts'
import { createPages, type Pages } from './pages.ts'

const BUILD = `
import { createElement as h, Suspense } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { createContext, Outlet, redirect, data, Scripts, ServerRouter, useLoaderData, useRouteError } from 'react-router'
const rendering = createContext()
const counts = globalThis.pagesTestCounts = { landing: 0, broken: 0 }
const away = () => { throw Object.assign(new Error('El sistema está ocupado.'), { code: 'BUSY' }) }
const page = (load, extra = {}) => ({ loader: load, default: () => h('p', null, JSON.stringify(useLoaderData())), ...extra })
const modules = {
  root: { default: () => h(Outlet), Layout: ({ children }) => h('html', null, h('head'), h('body', null, children, h(Scripts))), ErrorBoundary: () => h('h1', null, 'falla ' + (useRouteError().status ?? '')) },
  landing: page(({ context }) => { const r = context.get(rendering); r.dependsOn('catalogue'); counts.landing++; return r.certification ? 'certificada' : r.client.packages() }),
  team: page(async ({ context }) => { const r = context.get(rendering); r.dependsOn('people'); return [await r.attempt('coaches', async () => { counts.team = (counts.team ?? 0) + 1; if (counts.away) away(); throw new TypeError('sin nombre') }), await r.attempt('avisos', async () => 'hoy')] }),
  evil: page(() => 1, { default: () => h('div', { dangerouslySetInnerHTML: { __html: '<script>steal()</script>' } }) }),
  broken: page(() => { counts.broken++; throw new Error('secreto') }),
  away: page(away),
  coach: page(({ params }) => { if (params.id === '0') throw redirect('/'); if (params.id === '9') throw data(null, 404); return params.id }),
  icon: { loader: ({ context }) => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }) },
  checkout: page(() => 'caja'),
  mystudio: page(() => 'cuenta'),
  any: page(({ params }) => params['*']),
}
const paths = { root: '', landing: undefined, team: 'equipo', evil: 'evil', broken: 'broken', away: 'away', coach: 'coach/:id', icon: 'icono.svg', checkout: 'checkout/:id', mystudio: 'mystudio', any: '*' }
const routes = {}, manifest = {}
for (const [id, module] of Object.entries(modules)) {
  const place = { id, ...(id === 'root' ? { path: '' } : { parentId: 'root' }), ...(id === 'landing' ? { index: true } : { path: paths[id] }) }
  routes[id] = { ...place, module }
  manifest[id] = { ...place, module: '/assets/' + id + '.js', imports: [], css: [], hasAction: false, hasLoader: !!module.loader, hasClientAction: false, hasClientLoader: false, hasClientMiddleware: false, hasErrorBoundary: !!module.ErrorBoundary }
}
async function handleRequest(req, status, headers, routerContext, context) {
  const { scriptMark, styleNonce } = context.get(rendering)
  const stream = await renderToReadableStream(h(ServerRouter, { context: routerContext, url: req.url, nonce: scriptMark }), { nonce: scriptMark, onError() {} })
  await stream.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(stream, { status, headers })
}
export const entry = { module: {
  default: handleRequest, rendering, handleError(error, { context }) { if (error instanceof Error) context.get(rendering).report(error) },
  areaOf: (path) => (path.startsWith('/checkout') ? 'card' : path.startsWith('/mystudio') ? 'account' : 'site'),
  livePaths: async (client) => new Set(await client.slugs()),
} }
export const assets = { entry: { module: '/assets/entry.js', imports: [] }, routes: manifest, url: '/assets/manifest.js', version: '1' }
export const basename = '/', future = {}, ssr = true, isSpaMode = false, prerender = [], publicPath = '/', assetsBuildDirectory = 'build/client'
export const routeDiscovery = { mode: 'initial', manifestPath: '/__manifest' }
export { routes }
`

interface Answer {
  status: number
  headers: Record<string, string | undefined>
  text: string
}

let root: string
let app: FastifyInstance
let pages: Pages
let port = 0
let settings: Settings
let client: { packages(): Promise<unknown>; slugs(): Promise<string[]> }
let logged: object[]
let at: Date

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pages-'))
  await mkdir(join(root, 'build/server'), { recursive: true })
  await mkdir(join(root, 'build/client/assets'), { recursive: true })
  await symlink(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await writeFile(join(root, 'build/server/index.js'), BUILD)
  await mkdir(join(root, 'build/english/server'), { recursive: true })
  await writeFile(
    join(root, 'build/english/server/index.js'),
    BUILD.replace("'cuenta'", "'account'").replace('pagesTestCounts', 'englishTestCounts'),
  )
  await writeFile(join(root, 'build/client/assets/entry.js'), 'let entry')
  await writeFile(join(root, 'build/client/assets/entry.js.gz'), gzipSync('ready before'))
  logged = []
  pages = await createPages({
    root,
    dev: false,
    publicUrl: 'https://vaiven.test',
    vendor: { name: 'Estudio', url: null },
    processors: {
      sites: providerSites(),
      open: ({ stripe_public }) =>
        stripe_public ? [{ origin: 'https://js.stripe.com', script: [], connect: [], frame: [], addsStyles: false }] : [],
    },
    brandIcon: () => '<svg/>',
    now: () => at,
    client: { packages: () => client.packages(), slugs: () => client.slugs() },
    settings: () => settings,
    log: { error: (details, event) => logged.push({ ...details, event }) },
    requestsPerMinute: 200,
    preview: async (token) =>
      token === 'buena.firma'
        ? {
            settings: { ...settings, certification_host: 'x' },
            client: { packages: async () => ['Sin guardar'], slugs: async () => ['/nueva'] },
            mail: async () => '<!doctype html><html><head></head><body><p>Hola</p><script>steal()</script></body></html>',
          }
        : null,
  })
  app = Fastify({
    forceCloseConnections: true,
    serverFactory: (handler) => createServer((req, res) => void (pages.tryCached(req, res) || handler(req, res))),
  })
  app.get('/api/hola', () => ({ hola: true }))
  await pages.register(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await pages.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => {
  settings = defaultSettings
  at = new Date('2026-11-20T18:00:00Z')
  client = { packages: async () => ['Clase suelta'], slugs: async () => ['/terminos'] }
  logged.length = 0
  pages.invalidate(['settings', 'content', 'catalogue'])
})

function fetchPage(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({ port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = res.headers['content-encoding'] === 'gzip' && bytes.length ? gunzipSync(bytes).toString() : bytes.toString()
        resolve({ status: res.statusCode ?? 0, headers: res.headers as Answer['headers'], text })
      })
    })
    req.on('error', reject)
    req.end()
  })
}

const landings = () => (globalThis as { pagesTestCounts?: { landing: number } }).pagesTestCounts?.landing ?? -1

describe('pages in English', () => {
  const cookie = 'theme=a; language=en'
  const offered = { ...defaultSettings, languages: 'es-MX,en' } as const

  test('English pages are served to visitors who chose English where the studio offers it, and cached apart from the Spanish ones', async () => {
    expect((await fetchPage('/mystudio', { cookie })).text).toContain('cuenta')
    settings = offered
    // A release that is being written cannot be loaded: the next reader tries again.
    await rename(join(root, 'build/english'), join(root, 'build/coming'))
    expect((await fetchPage('/mystudio', { cookie })).status).toBe(500)
    await rename(join(root, 'build/coming'), join(root, 'build/english'))
    for (let round = 0; round < 2; round++) {
      expect((await fetchPage('/mystudio', { cookie })).text).toContain('account')
      expect((await fetchPage('/mystudio')).text).toContain('cuenta')
      expect((await fetchPage('/mystudio', { cookie: 'xlanguage=en; language=english' })).text).toContain('cuenta')
    }
    const [spanish, english] = [await fetchPage('/mystudio'), await fetchPage('/mystudio', { cookie })]
    expect(english.headers.etag).not.toBe(spanish.headers.etag)
    const again = await fetchPage('/mystudio', { cookie, 'if-none-match': String(spanish.headers.etag) })
    expect(again.status).toBe(200)
  })

  test('English pages show the server’s texts in English', async () => {
    settings = offered
    client.packages = async () => [{ limits: ['Solo en Condesa'], title: 'Solo en Condesa' }]
    pages.invalidate(['catalogue'])
    const { text } = await fetchPage('/', { cookie })
    expect(text).toContain('Only at Condesa')
    expect(text).toContain('Solo en Condesa')
    const missing = await fetchPage('/assets/none.js', { cookie, accept: 'text/html' })
    expect(missing.status).toBe(404)
    client.slugs = async () => []
    pages.invalidate(['content'])
    const page = await fetchPage('/no-existe.php', { cookie, accept: 'text/html' })
    expect([page.status, page.text.includes('lang="en"'), page.text.includes('Go to the home page')]).toEqual([404, true, true])
  })

  test('pages in English are never those of the administration or of a preview', async () => {
    settings = offered
    expect((await fetchPage('/mystudio?vista_previa=buena.firma', { cookie })).text).not.toContain('account')
    expect((await fetchPage('/admin/nada', { cookie, accept: 'text/html' })).text).not.toContain('lang="en"')
  })
})

describe('the preview of unsaved settings (G10)', () => {
  const policyOf = ({ headers }: Answer) => headers['content-security-policy'] ?? ''

  test('shows the page with them, is never stored, and other visitors get theirs', async () => {
    const before = pages.stats().documents
    for (let round = 0; round < 2; round++) {
      const shown = await fetchPage('/?vista_previa=buena.firma')
      expect([shown.status, shown.headers['cache-control'], shown.headers.etag]).toEqual([200, 'no-store', undefined])
      expect(shown.text).toContain('Sin guardar')
      expect(shown.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
    }
    expect(pages.stats().documents).toBe(before)
    expect((await fetchPage('/')).text).toContain('Clase suelta')
    expect((await fetchPage('/nueva?vista_previa=buena.firma')).text).toContain('nueva')
  })

  test('the preview of unsaved settings cannot act: no scripts, no forms, framed by the own origin only', async () => {
    for (const path of ['/', '/evil', '/nueva', '/checkout/1', '/correo-de-muestra']) {
      const shown = await fetchPage(`${path}?vista_previa=buena.firma`)
      expect([path, shown.status, shown.headers['cache-control']]).toEqual([path, 200, 'no-store'])
      expect([path, shown.text.includes('<script'), shown.text.includes('steal()')]).toEqual([path, false, false])
      for (const part of ['sandbox allow-same-origin', "form-action 'none'", "frame-ancestors 'self'", "default-src 'none'"])
        expect(policyOf(shown)).toContain(part)
      expect(policyOf(shown)).not.toMatch(/script-src|connect-src|allow-scripts|allow-forms/)
    }
    expect(policyOf(await fetchPage('/'))).toContain("frame-ancestors 'none'")
  })

  test('shows a mail, which has no address of its own', async () => {
    expect((await fetchPage('/correo-de-muestra?vista_previa=buena.firma')).text).toContain('<p>Hola</p>')
    expect((await fetchPage('/correo-de-muestra')).text).not.toContain('<p>Hola</p>')
    expect((await fetchPage('/correo-de-muestra?vista_previa=otra')).status).toBe(404)
  })

  test('the preview of unsaved settings is not found with another token, without a page, behind a log-in, as data, and is no file or redirect', async () => {
    for (const path of ['/?vista_previa=otra', '/?vista_previa=', '/mystudio?vista_previa=buena.firma', '/_.data?vista_previa=buena.firma'])
      expect([path, (await fetchPage(path)).status]).toEqual([path, 404])
    for (const path of ['/icono.svg?vista_previa=buena.firma', '/coach/0?vista_previa=buena.firma'])
      expect([path, (await fetchPage(path)).status, (await fetchPage(path)).headers.location]).toEqual([path, 404, undefined])
  })
})

describe('documents', () => {
  test('a document is rendered once for many requests, until its data changes', async () => {
    const before = landings()
    await Promise.all(Array.from({ length: 10 }, () => fetchPage('/')))
    await fetchPage('/?utm_source=correo')
    expect(landings()).toBe(before + 1)

    client.packages = async () => ['Diez clases']
    expect((await fetchPage('/')).text).toContain('Clase suelta')
    pages.invalidate(['catalogue'])
    expect((await fetchPage('/')).text).toContain('Diez clases')
    expect(landings()).toBe(before + 2)
  })

  test('its own inline scripts run, those in its content do not', async () => {
    const { text, headers } = await fetchPage('/evil')
    const allowed = headers['content-security-policy'] ?? ''
    const scripts = [...text.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, code = '']) => code)
    expect(scripts.length).toBeGreaterThan(2)
    for (const code of scripts) {
      const hash = `'sha256-${createHash('sha256').update(code).digest('base64')}'`
      if (code === 'steal()') expect(allowed).not.toContain(hash)
      else expect(allowed).toContain(hash)
    }
    expect(scripts).toContain('steal()')
    expect(text).not.toContain('nonce=')
  })

  test('the same document again has the same ETag and is answered with 304', async () => {
    const first = await fetchPage('/', { 'accept-encoding': 'gzip' })
    pages.invalidate(['catalogue'])
    const second = await fetchPage('/', { 'accept-encoding': 'gzip', 'if-none-match': first.headers.etag ?? '' })
    expect(second.status).toBe(304)
    expect(second.text).toBe('')
  })

  test('HEAD is GET without its body', async () => {
    const head = await fetchPage('/', {}, 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100)
  })

  test('URLs in the document never come from the request', async () => {
    const { text } = await fetchPage('/nada', { host: 'evil.test', 'x-forwarded-host': 'evil.test' })
    expect(text).not.toContain('evil.test')
  })

  test('only the configured certification host gets documents of its own (S1-2.54)', async () => {
    settings = { ...defaultSettings, certification_host: 'Cert.Studio.mx', certification_link: 'https://cert.studio.mx/curso' }
    for (let round = 0; round < 2; round++) {
      expect((await fetchPage('/', { host: 'cert.studio.mx' })).text).toContain('certificada')
      expect((await fetchPage('/', { host: 'cert.studio.mx:8443' })).text).toContain('certificada')
      for (const host of ['vaiven.test', 'otro.mx', 'cert.studio.mx.evil.test', 'xcert.studio.mx', 'certification '])
        expect((await fetchPage('/', { host })).text).toContain('Clase suelta')
    }
    const { documents, renders } = pages.stats()
    for (let n = 0; n < 50; n++) await fetchPage('/', { host: `h${n}.evil.test`, 'x-forwarded-host': 'cert.studio.mx' })
    expect(pages.stats()).toMatchObject({ documents, renders })

    settings = { ...settings, certification_link: '' }
    pages.invalidate(['settings'])
    expect((await fetchPage('/', { host: 'cert.studio.mx' })).text).toContain('Clase suelta')
  })

  test('unmatched paths share one document; a content page has its own (S1-2.02)', async () => {
    expect((await fetchPage('/cualquier/cosa')).text).toContain('<p>&quot;*&quot;</p>')
    expect((await fetchPage('/terminos')).text).toContain('<p>&quot;terminos&quot;</p>')
    expect((await fetchPage('/aviso')).text).toContain('<p>&quot;*&quot;</p>')
    client.slugs = async () => ['/terminos', '/aviso']
    pages.invalidate(['content'])
    expect((await fetchPage('/aviso')).text).toContain('<p>&quot;aviso&quot;</p>')
  })

  test('a page with a card form allows its processor and runs no tracking code (settled 29)', async () => {
    settings = { ...defaultSettings, stripe_public: 'pk_test', head: '<script>track()</script>' }
    const checkout = await fetchPage('/checkout/4')
    expect(checkout.headers['content-security-policy']).toContain('https://js.stripe.com')
    expect(checkout.text).not.toContain('track()')
    const landing = await fetchPage('/')
    expect(landing.headers['content-security-policy']).not.toContain('stripe')
    expect(landing.text).toContain('<script>track()</script></head>')
  })

  test('other content types stay as they are', async () => {
    expect(await fetchPage('/icono.svg')).toMatchObject({ status: 200, text: '<svg/>', headers: { 'content-type': 'image/svg+xml' } })
  })

  test('the data of a page is served for client-side navigation', async () => {
    const { status, headers, text } = await fetchPage('/_.data')
    expect([status, headers['content-type'], headers['x-remix-response']]).toEqual([200, 'text/x-script', 'yes'])
    expect(text).toContain('Clase suelta')
  })
})

describe('failures', () => {
  test('redirects and 404s are sent and not cached', async () => {
    expect(await fetchPage('/coach/0')).toMatchObject({ status: 302, headers: { location: '/', 'cache-control': 'no-store' } })
    expect(await fetchPage('/coach/9')).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  })

  test('an error gives an error page without its cause, a log line, and another attempt on the next request', async () => {
    const first = await fetchPage('/broken')
    expect(first.status).toBe(500)
    expect(first.text).toContain('falla')
    expect(first.text).not.toContain('secreto')
    expect(logged.length).toBe(1)
    await fetchPage('/broken')
    expect((globalThis as { pagesTestCounts?: { broken: number } }).pagesTestCounts?.broken).toBe(2)
  })

  test('a section whose data cannot be read is left out and logged; the page is rendered again ten seconds later', async () => {
    const counts = (globalThis as { pagesTestCounts?: { team?: number; away?: boolean } }).pagesTestCounts ?? {}
    const first = await fetchPage('/equipo')
    expect(first.status).toBe(200)
    expect(first.text).toContain('[null,&quot;hoy&quot;]')
    expect(logged).toEqual([
      { event: 'page.section_failed', section: 'coaches', document: '/equipo', error: expect.objectContaining({ message: 'sin nombre' }) },
    ])
    await fetchPage('/equipo')
    expect(counts.team).toBe(1)
    at = new Date(at.getTime() + 11_000)
    await fetchPage('/equipo')
    expect(counts.team).toBe(2)
    // A temporary failure is no fault of the section: the page shows that.
    counts.away = true
    pages.invalidate(['people'])
    expect((await fetchPage('/equipo')).status).toBe(503)
    counts.away = false
  })

  test('while the list of content pages cannot be read, their paths report it and fixed pages still work (S1-8.38)', async () => {
    client.slugs = () => Promise.reject(new Error('sin base de datos'))
    pages.invalidate(['content'])
    expect(await fetchPage('/otra')).toMatchObject({ status: 500, text: 'Lo sentimos, hubo un error al mostrar este contenido.' })
    expect((await fetchPage('/')).text).toContain('Clase suelta')
    client.slugs = async () => []
    expect((await fetchPage('/otra')).status).toBe(200)
  })

  test('while the database is away a document is a 503, with Retry-After, and is rendered again next time', async () => {
    const away = await fetchPage('/away')
    expect([away.status, away.headers['retry-after'], away.headers['cache-control']]).toEqual([503, '10', 'no-store'])
    client.slugs = () => Promise.reject(Object.assign(new Error('x'), { code: '57P01' }))
    pages.invalidate(['content'])
    const nothing = await fetchPage('/otra', { accept: 'text/html' })
    expect([nothing.status, nothing.headers['retry-after']]).toEqual([503, '10'])
    expect(nothing.text).toContain('<h1>Lo sentimos, hubo un error al mostrar este contenido.</h1>')
  })

  test('where no page can be rendered a visitor gets a page in Spanish and the studio’s colours, with a link', async () => {
    settings = { ...defaultSettings, business_name: 'Pilates & <Fuerza>', primary: '#2b36d9' }
    const missing = await fetchPage('/wp-login.php', { accept: 'text/html,*/*' })
    expect(missing).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
    expect(missing.text).toContain('<html lang="es-MX">')
    expect(missing.text).toContain('Pilates &amp; &lt;Fuerza&gt;')
    expect(missing.text).toContain('<h1>No encontramos lo que buscas.</h1>')
    expect(missing.text).toContain('<a href="/">Ir al inicio</a>')
    expect(missing.text).not.toContain('Intentar de nuevo')
    expect(missing.text.toLowerCase()).toContain('#2b36d9')
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(missing.text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(missing.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect((await fetchPage('/foto.png', { accept: 'image/*' })).headers['content-type']).toBe('text/plain; charset=utf-8')
    client.slugs = () => Promise.reject(new Error('secreto'))
    pages.invalidate(['content'])
    const broken = await fetchPage('/otra', { accept: 'text/html' })
    expect(broken.status).toBe(500)
    expect(broken.text).toContain('<a href="">Intentar de nuevo</a>')
    expect(broken.text).not.toContain('secreto')
  })

  test('file names, unknown paths and other methods are not found', async () => {
    for (const path of ['/wp-login.php', '//evil.test', '/assets/no.js']) expect((await fetchPage(path)).status).toBe(404)
    expect((await fetchPage('/assets/../../package.json')).status).toBe(403)
    expect((await fetchPage('/', {}, 'POST')).status).toBe(404)
  })

  test('other routes of the server are unaffected', async () => {
    await fetchPage('/')
    expect((await fetchPage('/api/hola')).text).toBe('{"hola":true}')
  })

  test('assets are immutable and sent precompressed', async () => {
    const { headers, status } = await fetchPage('/assets/entry.js')
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect((await fetchPage('/assets/entry.js', { 'accept-encoding': 'gzip' })).text).toBe('ready before')
  })

  test('a page that was opened before a release loads the files of its build, also while the release writes its own', async () => {
    const [assets, earlier] = [join(root, 'build/client/assets'), join(root, 'build/earlier')]
    await writeFile(join(assets, 'dialog-1.js'), 'let dialog')
    await rename(join(assets, 'dialog-1.js'), join(earlier, 'dialog-1.js'))
    const { status, headers, text } = await fetchPage('/assets/dialog-1.js')
    expect([status, text, headers['cache-control']]).toEqual([200, 'let dialog', 'public, max-age=31536000, immutable'])
    // A release empties the folder of the build that is running.
    await writeFile(join(earlier, 'entry.js'), 'let entry')
    await rename(assets, `${assets}-gone`)
    try {
      expect((await fetchPage('/assets/entry.js')).text).toBe('let entry')
      expect((await fetchPage('/assets/none.js')).status).toBe(404)
    } finally {
      await rename(`${assets}-gone`, assets)
    }
  })
})

describe('limits', () => {
  test('limits requests that render documents per client; cached ones are free', async () => {
    await fetchPage('/')
    const answers = await Promise.all(Array.from({ length: 220 }, (_, n) => fetchPage(`/coach/0?n=${n}`)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers['retry-after']).toBeDefined()
    expect(refused[0]?.text).toBe('Hiciste demasiados intentos. Espera un momento e intenta de nuevo.')
    expect((await fetchPage('/')).status).toBe(200)
    expect((await fetchPage('/assets/entry.js')).status).toBe(200)
  })
})
