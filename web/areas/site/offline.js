/*
 * The studio's service worker. It handles only navigations that fail, and caches no document or answer of the API, and no file but the
 * logo and the letters of its own page. For those it shows a page with the customer's next class and its access code, which the signed-in page stored on this device (web/lib/offline.ts); in the administration
 * the document of a roster, which the roster stored (web/features/admin/frame/device-data.ts), so that it can be reloaded. It shows the
 * notifications that the studio sends to this device (server/adapters/push/port.ts, `PushNotification`), and gives the studio the
 * device's new address when the browser changes it (web/lib/push.ts).
 * `STUDIO` (name, colours, logo and letters) is inserted before this text by web/areas/site/service-worker.ts.
 */
const KEPT = 'estudio:sin-conexion'
const CLASSES = '/sin-conexion/clases'
const DEVICE = '/sin-conexion/dispositivo'
const SHELL_CACHE = 'estudio:administracion'
const SHELL = '/admin/clases'

self.addEventListener('install', (event) => {
  event.waitUntil(keepLooks())
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      self.clients.claim(),
      // The browser sends the navigation request at once, without waiting for this worker to start.
      self.registration.navigationPreload?.enable(),
    ]),
  )
})

/** Stores the logo and the letters of the offline page instead of those of an earlier brand. Without one of them the page has the name, or the device's letters. */
async function keepLooks() {
  try {
    const cache = await caches.open(KEPT)
    const wanted = [STUDIO.logo, ...STUDIO.fonts].filter(Boolean)
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url)
      if (![CLASSES, DEVICE, ...wanted].includes(pathname)) await cache.delete(pathname)
    }
    await Promise.allSettled(wanted.map((address) => cache.add(address)))
  } catch {
    // Storage may be blocked: then nothing is shown offline.
  }
}

/** A stored file as a data address; null if it is not there. */
async function dataAddress(address) {
  try {
    const found = address && (await (await caches.open(KEPT)).match(address))
    if (!found) return null
    const type = found.headers.get('content-type')
    return `data:${type};base64,${btoa(Array.from(new Uint8Array(await found.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''))}`
  } catch {
    return null
  }
}

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(open(event))
})

self.addEventListener('push', (event) => {
  // Browsers require that something is shown, also for a message that cannot be read.
  const { title = STUDIO.name, body = '', path = '/mystudio/mensajes', tag } = noticeIn(event)
  const options = { body, tag, lang: STUDIO.texts.lang, icon: '/iconos/192.png', badge: '/iconos/192.png', data: { path } }
  event.waitUntil(self.registration.showNotification(title, options))
})

function noticeIn({ data }) {
  try {
    return data.json()
  } catch {
    return {}
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showPage(event.notification.data?.path))
})

/** Opens a page of the studio; a tab that shows it already comes to the front. */
async function showPage(path) {
  const url = new URL(path ?? '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((one) => one.url === url.href)
  await (tab ? tab.focus() : self.clients.openWindow(url.href))
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

/**
 * The browser ended the device's subscription, and may have made a new one. The old one is the stored one: most browsers do not pass it. Of a
 * device that was switched off nothing is stored.
 */
async function renew({ newSubscription }) {
  const cache = await caches.open(KEPT)
  const stored = await (await cache.match(DEVICE))?.json()
  if (!stored) return
  const { endpoint, auth, key } = stored
  const subscription =
    newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  const { endpoint: address, keys } = subscription.toJSON()
  const renewed = { endpoint: address, p256dh: keys.p256dh, auth: keys.auth }
  const answer = await fetch('/api/push_devices/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ old: { endpoint, auth }, renewed }),
  })
  if (answer.ok) await cache.put(DEVICE, Response.json({ endpoint: renewed.endpoint, auth: renewed.auth, key }))
}

async function open(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await rosterDocument(event.request.url)) ?? offlinePage(await nextClass())
  }
}

/** The stored document of a roster, for the address of one. */
async function rosterDocument(url) {
  if (!/^\/admin\/clases\/\d+$/.test(new URL(url).pathname)) return undefined
  try {
    return await (await caches.open(SHELL_CACHE)).match(SHELL)
  } catch {
    return undefined
  }
}

/** The first of the stored classes that has not ended. */
async function nextClass() {
  try {
    const found = await (await caches.open(KEPT)).match(CLASSES)
    const kept = found ? await found.json() : []
    return kept.find(({ ends_at }) => Date.parse(ends_at) > Date.now()) ?? null
  } catch {
    return null
  }
}

const words = (text) => String(text ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Runs in the offline page: requests the wanted page with pauses from one to thirty seconds, and reloads once there is an answer. The
 * event `online` only shortens the pause, because it fires before the network works and the first request after it may fail too.
 */
function retryUntilOnline() {
  let pause = 1000
  let timer
  async function retry() {
    clearTimeout(timer)
    try {
      await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
      location.reload()
    } catch {
      timer = setTimeout(retry, pause)
      pause = Math.min(pause * 2, 30_000)
    }
  }
  addEventListener('online', () => {
    pause = 1000
    void retry()
  })
  timer = setTimeout(retry, pause)
}

async function offlinePage(next) {
  const { name, night, canvas, paper, ink, quiet, brand, brandEdge, onBrand, mark, titles, texts } = STUDIO
  const [logo, ...fonts] = await Promise.all([STUDIO.logo, ...STUDIO.fonts].map(dataAddress))
  const faces = fonts.map((font, at) =>
    font ? `@font-face{font-family:${at ? 'Textos' : 'Titulos'};src:url(${font});font-weight:100 900;font-stretch:50% 200%}` : '',
  )
  const code = next?.code?.startsWith('data:image/png;base64,')
    ? `<img class="code" src="${words(next.code)}" width="240" height="240" alt="${texts.code}"><p>${texts.show}</p>`
    : ''
  const card = next
    ? `<section><h2>${texts.next}</h2><p class="hour">${words(next.when)}</p><p class="name">${words(next.name)}</p>${next.facts
        .map((fact) => `<p>${words(fact)}</p>`)
        .join('')}${code}</section>`
    : `<p>${texts.none}</p>`
  const nonce = crypto.randomUUID()
  const html = `<!doctype html><html lang="${texts.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title} · ${words(name)}</title><style>
${faces.join('')}
:root{color-scheme:${night ? 'dark' : 'light'}}*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;place-content:center;gap:20px;padding:24px;background:${canvas};color:${ink};font:1rem/1.5 Textos,system-ui,sans-serif}
main{display:grid;gap:18px;width:min(420px,100vw - 48px)}h1,.brand{font-family:Titulos,system-ui,sans-serif;font-stretch:${titles.width};font-weight:${titles.weight}}h1{font-size:1.6rem;line-height:1.15}.brand{display:flex;align-items:center;gap:10px;font-size:1.25rem}.brand>*{height:36px;max-width:100%;object-fit:contain}.brand>svg{width:36px}.code{width:min(240px,100%);height:auto;margin-top:14px;padding:8px;border-radius:12px;background:#fff}h2{font-size:1rem;color:${quiet};font-weight:600}
section{display:grid;gap:4px;padding:22px 24px;border-radius:18px;background:${paper};border:1px solid ${quiet}}
.hour{font-size:1.5rem;font-weight:700;line-height:1.2}.name{font-size:1.125rem;font-weight:650}
a{justify-self:start;display:inline-flex;align-items:center;min-height:48px;padding:0 22px;border-radius:12px;border:1.5px solid ${brandEdge};background:${brand};color:${onBrand};font-weight:650;text-decoration:none}
a:focus-visible{outline:3px solid ${ink};outline-offset:2px}
</style></head><body><main><p class="brand">${logo ? `<img src="${logo}" alt="${words(name)}">` : `${mark}${words(name)}`}</p><h1>${texts.heading}</h1>${card}<a href="">${texts.again}</a></main><script nonce="${nonce}">(${retryUntilOnline})()</script></body></html>`
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; font-src data:; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  })
}
