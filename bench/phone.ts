/**
 * npm run bench -- phone: the landing page on a slow phone, in a real browser throttled as DevTools does (Slow 4G, CPU 4x), against a
 * static page with the same bytes: the same document, styles, fonts, images and scripts from a bare server, with no script executed.
 * Medians of several alternating runs, as ratios, because these machines are noisy. Then the interactions of a customer (interactions.ts).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession } from '@playwright/test'
import { launchBrowser, startDemo } from './demo-studio.ts'
import { measureInteractions } from './interactions.ts'
import { median } from './load.ts'
import { start, stopAll } from './programs.ts'

const RUNS = 7
/** DevTools' "Slow 4G": bytes per second and milliseconds, including its corrections for packet loss. */
const SLOW_4G = { offline: false, downloadThroughput: 180_000, uploadThroughput: 84_375, latency: 562.5 }
const CPU = 4
/** How long to measure after the page has loaded, in milliseconds. */
const SETTLE = 1_500

const folder = mkdtempSync(join(tmpdir(), 'estudio-phone-'))

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
async function phone(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })
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

async function visit(browser: Browser, url: string): Promise<Visit> {
  const { context, page, devtools } = await phone(browser)
  try {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
    const sent = count(devtools)
    await page.addInitScript(note)
    await page.goto(url, { waitUntil: 'load', timeout: 120_000 })
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

/** Records all requests of the page for the bare server. The document's script elements are removed; their files are still fetched. */
async function copy(browser: Browser, url: string): Promise<string> {
  const { context, page } = await phone(browser)
  const urls = new Set<string>()
  page.on('request', (request) => urls.add(request.url()))
  await page.goto(url, { waitUntil: 'networkidle' })
  await context.close()
  const recorded: { path: string; headers: Record<string, unknown>; file: string }[] = []
  for (const [at, address] of [...urls].entries()) {
    const there = new URL(address)
    if (there.origin !== new URL(url).origin || there.pathname === '/sw.js') continue
    const answer = await raw(there)
    const { date: _, connection: __, 'keep-alive': ___, 'transfer-encoding': ____, ...headers } = answer.headers
    let { bytes } = answer
    if (there.pathname === '/') {
      const { brotliCompressSync, brotliDecompressSync } = await import('node:zlib')
      const html = (headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).toString()
      const scripts = [...html.matchAll(/["'](\/assets\/[\w.-]+\.js)["']/g)].map(([, path = '']) => path)
      const links = [...new Set(scripts)].filter((path) => !html.includes(`rel="modulepreload" href="${path}"`))
      const taken: string[] = []
      const still = html
        .replaceAll(/<script\b(?![^>]*ld\+json)[^>]*>[\s\S]*?<\/script>/g, (script) => {
          taken.push(script.replaceAll('--', '- -'))
          return ''
        })
        .replace('</head>', `${links.map((path) => `<link rel="modulepreload" href="${path}">`).join('')}</head>`)
      // Removed elements stay as comments, so that the page has the same size.
      bytes = brotliCompressSync(`${still}<!--${taken.join('')}-->`)
      headers['content-encoding'] = 'br'
    }
    headers['content-length'] = String(bytes.length)
    const file = join(folder, `${at}.bin`)
    writeFileSync(file, bytes)
    recorded.push({ path: there.pathname + there.search, headers, file })
  }
  const list = join(folder, 'kept.json')
  writeFileSync(list, JSON.stringify(recorded))
  return list
}

const n = (value: number, digits = 0) => value.toFixed(digits)

async function main() {
  const ours = `${await startDemo(join(folder, 'data'))}/`
  const browser = await launchBrowser()
  try {
    const bare = await start('bench/static.mjs', [await copy(browser, ours)], {}, /listo \d+/)
    const found: { ours: Visit[]; bare: Visit[] } = { ours: [], bare: [] }
    console.log(`La portada en un teléfono lento (Slow 4G, CPU ${CPU}x), ${RUNS} visitas por turno; tarda un par de minutos.\n`)
    for (let run = 0; run < RUNS; run++) {
      found.ours.push(await visit(browser, ours))
      found.bare.push(await visit(browser, `http://localhost:${bare.port}/`))
    }
    const line = (name: string, text: string) => console.log(`${name.padEnd(28)} ${text}`)
    const of = (visits: Visit[], key: keyof Visit) => median(visits.map((one) => one[key]))
    const ratio = (key: 'fcp' | 'lcp') =>
      `${n(of(found.ours, key) / of(found.bare, key), 2)}   (${n(of(found.ours, key))} / ${n(of(found.bare, key))} ms)`
    line('bytes, all', `${n(of(found.ours, 'bytes') / 1000)} kB   (static ${n(of(found.bare, 'bytes') / 1000)} kB)`)
    line('bytes of scripts', `${n(of(found.ours, 'js') / 1000, 1)} kB   goal <= 120`)
    line('FCP / static', ratio('fcp'))
    line('LCP / static', `${ratio('lcp')}   goal <= 1.30`)
    line('CLS', `${n(of(found.ours, 'cls'), 4)}   goal 0`)
    line('TBT', `${n(of(found.ours, 'tbt'))} ms   (static ${n(of(found.bare, 'tbt'))} ms)`)
    await measureInteractions(browser, new URL(ours).origin, line)
  } finally {
    await browser.close()
  }
}

try {
  await main()
} finally {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}
