/**
 * npm run bench -- phone: the pages of a visitor and of a signed-in customer on a slow phone, in a real browser throttled as DevTools does
 * (Slow 4G, CPU 4x), each against a static page of the same appearance from a bare server: the same styles, fonts, images and scripts, with
 * no script executed. A public page is its own document; one behind the log-in is its finished elements. Nothing is in the browser's cache.
 * Medians of several alternating runs, as ratios, because these machines are noisy. Then the interactions of a customer (interactions.ts).
 */
import { writeFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, CDPSession } from '@playwright/test'
import { ANA, inFolder, n, printFigure, signIn, withDemo } from './demo-studio.ts'
import { measureInteractions } from './interactions.ts'
import { median } from './load.ts'
import { start } from './programs.ts'

const RUNS = 5
/** DevTools' "Slow 4G": bytes per second and milliseconds, including its corrections for packet loss. */
const SLOW_4G = { offline: false, downloadThroughput: 180_000, uploadThroughput: 84_375, latency: 562.5 }
const CPU = 4
/** How long to measure after the page has loaded and makes no more requests, in milliseconds. */
const SETTLE = 1_500
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

/** `own`: behind the log-in. */
const SCREENS = [
  { name: 'landing', path: '/', own: false },
  { name: 'public calendar', path: '/calendario', own: false },
  { name: 'packages', path: '/paquetes', own: false },
  { name: 'own calendar', path: '/mystudio', own: true },
  { name: 'checkout', path: '/checkout/1', own: true },
  { name: 'checkout of a visitor', path: '/checkout/1', own: false },
] as const
type Screen = (typeof SCREENS)[number]

/** Cookies and storage of a signed-in customer. */
type SignedIn = Exclude<BrowserContextOptions['storageState'], string | undefined>

interface Visit {
  bytes: number
  js: number
  fcp: number
  lcp: number
  cls: number
  tbt: number
}

interface Noted {
  fcp: number
  lcp: number
  cls: number
  long: { start: number; duration: number }[]
}

/** Runs in the page first: records the browser's own measurements. */
function note() {
  const noted: Noted = { fcp: 0, lcp: 0, cls: 0, long: [] }
  Object.assign(window, { noted })
  const watch = (type: string, each: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true })
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') noted.fcp = entry.startTime
  })
  watch('largest-contentful-paint', (entry) => {
    noted.lcp = entry.startTime
  })
  watch('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!shift.hadRecentInput) noted.cls += shift.value
  })
  watch('longtask', ({ startTime, duration }) => {
    noted.long.push({ start: startTime, duration })
  })
}

/** A phone context; a slow connection also changes how early the browser loads images. */
async function phone(browser: Browser, storageState?: SignedIn) {
  const context = await browser.newContext({ ...PHONE, storageState, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  return { context, page, devtools }
}

/** Bytes on the wire, headers included. */
function count(devtools: CDPSession) {
  const sum = { bytes: 0 }
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sum.bytes += encodedDataLength
  })
  return sum
}

async function visit(browser: Browser, url: string, storage?: SignedIn): Promise<Visit> {
  const { context, page, devtools } = await phone(browser, storage)
  try {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
    const sent = count(devtools)
    await page.addInitScript(note)
    await page.goto(url, { waitUntil: 'networkidle', timeout: 120_000 })
    await page.waitForTimeout(SETTLE)
    const noted = await page.evaluate(() => (window as unknown as { noted: Noted }).noted)
    const tbt = noted.long.filter(({ start }) => start >= noted.fcp).reduce((all, { duration }) => all + Math.max(0, duration - 50), 0)
    // Bytes of scripts as sent, without headers: the figure of the size goal.
    const js = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((all, { encodedBodySize }) => all + encodedBodySize, 0),
    )
    return { ...sent, js, fcp: noted.fcp, lcp: noted.lcp, cls: noted.cls, tbt }
  } finally {
    await context.close()
  }
}

/** A response as it is sent, compressed. */
const raw = (url: URL) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((done, fail) => {
    get(url, { headers: { 'accept-encoding': 'br, gzip', accept: '*/*' } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => done({ headers: answer.headers, bytes: Buffer.concat(parts) }))
    }).on('error', fail)
  })

/** A document whose script elements are removed; their files, and those that the page loaded later, are still fetched. */
function withoutScripts(html: string, scripts: readonly string[]): string {
  const texts: string[] = []
  const links = scripts.filter((path) => !html.includes(`rel="modulepreload" href="${path}"`))
  const still = html
    .replaceAll(/<script\b(?![^>]*ld\+json)[^>]*>[\s\S]*?<\/script>/g, (script) => {
      texts.push(script.replaceAll('--', '- -'))
      return ''
    })
    .replace('</head>', `${links.map((path) => `<link rel="modulepreload" href="${path}">`).join('')}</head>`)
  // Removed elements stay as comments, so that the page has the same size.
  return `${still}<!--${texts.join('')}-->`
}

/** Records all requests of a page for the bare server, except those of the API: what they bring is in the finished elements. */
async function copy(browser: Browser, folder: string, url: string, { name, own }: Screen, storage?: SignedIn): Promise<string> {
  const { context, page } = await phone(browser, own ? storage : undefined)
  const urls = new Set<string>()
  page.on('request', (request) => urls.add(request.url()))
  await page.goto(url, { waitUntil: 'networkidle', timeout: 120_000 })
  const finished = await page.evaluate(() => `<!DOCTYPE html>${document.documentElement.outerHTML}`)
  await context.close()
  const recorded: { path: string; headers: Record<string, unknown>; file: string }[] = []
  const target = new URL(url)
  for (const [at, address] of [...urls].entries()) {
    const there = new URL(address)
    if (there.origin !== target.origin || /^\/(?:api\/|identidad\/|sw\.js$)/.test(there.pathname)) continue
    const answer = await raw(there)
    const { date: _, connection: __, 'keep-alive': ___, 'transfer-encoding': ____, ...headers } = answer.headers
    let { bytes } = answer
    if (there.pathname === target.pathname) {
      const sent = (headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).toString()
      const html = own ? finished : sent
      const named = [...html.matchAll(/["'](\/assets\/[\w.-]+\.js)["']/g)].map(([, path = '']) => path)
      const loaded = [...urls].flatMap((url) => (/^\/assets\/.*\.js$/.test(new URL(url).pathname) ? new URL(url).pathname : []))
      bytes = brotliCompressSync(withoutScripts(html, [...new Set(own ? loaded : named)]))
      headers['content-encoding'] = 'br'
      // The policy names a nonce that finished elements do not have.
      if (own) delete headers['content-security-policy']
    }
    headers['content-length'] = String(bytes.length)
    const file = join(folder, `${name}-${at}.bin`)
    writeFileSync(file, bytes)
    recorded.push({ path: there.pathname + there.search, headers, file })
  }
  const list = join(folder, `${name}.json`)
  writeFileSync(list, JSON.stringify(recorded))
  return list
}

/** Cookies and storage of Ana, who has credits and a saved card. */
async function signedIn(browser: Browser, origin: string): Promise<SignedIn> {
  const { page } = await signIn(browser, origin, { ...ANA, view: PHONE, cpu: 1, heading: 'Calendario' })
  await page.waitForLoadState('networkidle')
  const state = await page.context().storageState({ indexedDB: true })
  await page.context().close()
  return state
}

async function measureLoads(browser: Browser, folder: string, origin: string): Promise<void> {
  const storage = await signedIn(browser, origin)
  for (const screen of SCREENS) {
    const url = `${origin}${screen.path}`
    const own = screen.own ? storage : undefined
    const bare = await start('bench/static.mjs', [await copy(browser, folder, url, screen, storage)], {}, /listo \d+/)
    const found: { ours: Visit[]; bare: Visit[] } = { ours: [], bare: [] }
    for (let run = 0; run < RUNS; run++) {
      found.ours.push(await visit(browser, url, own))
      found.bare.push(await visit(browser, `http://localhost:${bare.port}${screen.path}`))
    }
    const line = (name: string, text: string) => printFigure(`${screen.name}: ${name}`, text)
    const of = (visits: Visit[], key: keyof Visit) => median(visits.map((visit) => visit[key]))
    const ratio = (key: 'fcp' | 'lcp') =>
      `${n(of(found.ours, key) / of(found.bare, key), 2)}   (${n(of(found.ours, key))} / ${n(of(found.bare, key))} ms)`
    line('bytes, all', `${n(of(found.ours, 'bytes') / 1000)} kB   (static ${n(of(found.bare, 'bytes') / 1000)} kB)`)
    line('bytes of scripts', `${n(of(found.ours, 'js') / 1000, 1)} kB${screen.own ? '' : '   goal <= 120'}`)
    line('FCP / static', ratio('fcp'))
    line('LCP / static', `${ratio('lcp')}   goal <= 1.30`)
    line('CLS', `${n(of(found.ours, 'cls'), 4)}   goal <= 0.02`)
    line('TBT', `${n(of(found.ours, 'tbt'))} ms   (static ${n(of(found.bare, 'tbt'))} ms)`)
  }
}

await inFolder('phone', (folder) =>
  withDemo(folder, async ({ origin, sql, browser }) => {
    console.log(`En un teléfono lento (Slow 4G, CPU ${CPU}x), ${RUNS} visitas por turno y página; tarda unos diez minutos.\n`)
    await measureLoads(browser, folder, origin)
    await measureInteractions({ browser, origin, sql }, printFigure)
  }),
)
