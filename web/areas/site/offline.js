/*
 * The studio's service worker. It handles only navigations that fail, and caches no document, file or answer of the API. For those it
 * shows a page with the customer's next class, which the signed-in page stored on this device (web/lib/offline.ts); in the administration
 * the document of a roster, which the roster stored (web/features/admin/frame/device-data.ts), so that it can be reloaded. It shows the
 * notifications that the studio sends to this device (server/adapters/push/port.ts, `PushNotification`), and gives the studio the
 * device's new address when the browser changes it (web/lib/push.ts).
 * `STUDIO` (name and colours) is inserted before this text by web/areas/site/service-worker.ts.
 */
const KEPT = 'estudio:sin-conexion'
const CLASSES = '/sin-conexion/clases'
const DEVICE = '/sin-conexion/dispositivo'
const SHELL_CACHE = 'estudio:administracion'
const SHELL = '/admin/clases'

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      self.clients.claim(),
      // The browser sends the navigation request at once, without waiting for this worker to start.
      self.registration.navigationPreload?.enable(),
    ]),
  )
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(open(event))
})

self.addEventListener('push', (event) => {
  // Browsers require that something is shown, also for a message that cannot be read.
  const { title = STUDIO.name, body = '', path = '/mystudio/mensajes', tag } = noticeIn(event)
  const options = { body, tag, lang: 'es-MX', icon: '/iconos/192.png', badge: '/iconos/192.png', data: { path } }
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

function offlinePage(next) {
  const { name, night, canvas, paper, ink, quiet, brand, brandEdge, onBrand, texts } = STUDIO
  const card = next
    ? `<section><h2>${texts.next}</h2><p class="hour">${words(next.when)}</p><p class="name">${words(next.name)}</p>${next.facts
        .map((fact) => `<p>${words(fact)}</p>`)
        .join('')}</section>`
    : `<p>${texts.none}</p>`
  const nonce = crypto.randomUUID()
  const html = `<!doctype html><html lang="${texts.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title} · ${words(name)}</title><style>
:root{color-scheme:${night ? 'dark' : 'light'}}*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;place-content:center;gap:20px;padding:24px;background:${canvas};color:${ink};font:1rem/1.5 system-ui,sans-serif}
main{display:grid;gap:18px;width:min(420px,100vw - 48px)}h1{font-size:1.6rem;line-height:1.15}h2{font-size:1rem;color:${quiet};font-weight:600}
section{display:grid;gap:4px;padding:22px 24px;border-radius:18px;background:${paper};border:1px solid ${quiet}}
.hour{font-size:1.5rem;font-weight:700;line-height:1.2}.name{font-size:1.125rem;font-weight:650}
a{justify-self:start;display:inline-flex;align-items:center;min-height:48px;padding:0 22px;border-radius:12px;border:1.5px solid ${brandEdge};background:${brand};color:${onBrand};font-weight:650;text-decoration:none}
a:focus-visible{outline:3px solid ${ink};outline-offset:2px}
</style></head><body><main><p>${words(name)}</p><h1>${texts.heading}</h1>${card}<a href="">${texts.again}</a></main><script nonce="${nonce}">(${retryUntilOnline})()</script></body></html>`
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  })
}
