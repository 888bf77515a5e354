/**
 * What this device shows without a connection: the next classes of the signed-in customer, nothing else. The service worker
 * (areas/site/offline.js) reads it when a page cannot be loaded.
 */

/** Cache name and address, repeated in the service worker, which cannot import this file. */
const CACHE = 'estudio:sin-conexion'
const CLASSES = '/sin-conexion/clases'

export interface OfflineClass {
  name: string
  /** "mié 18 nov, 18:00" */
  when: string
  /** One line each: coach, location, spot. */
  facts: readonly string[]
  /** The picture of its access code, as a data address; none where the studio uses no codes. */
  code?: string
  /** The instant at which the class is over. */
  ends_at: string
}

/** Runs `use` on the cache. Storage may be blocked, and is missing outside secure origins: then nothing is shown offline. */
export async function withCache(use: (cache: Cache) => Promise<unknown>): Promise<void> {
  try {
    await use(await caches.open(CACHE))
  } catch {
    // Storing is optional.
  }
}

/** Stores the next classes, soonest first, or removes the stored ones if there are none. */
export function storeNextClasses(next: readonly OfflineClass[]): Promise<void> {
  return withCache((cache) => (next.length ? cache.put(CLASSES, Response.json(next)) : cache.delete(CLASSES)))
}

/** Registers the service worker after the page has loaded, so that it does not compete with the page's files. */
export function openServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {})
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
