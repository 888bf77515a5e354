/**
 * What this device knows without a connection: the next classes of whoever is signed in, and nothing else. The service worker
 * (areas/site/offline.js) reads it when a page cannot be loaded.
 */

/** The same names as in the service worker, which is a file of its own. */
const KEPT = 'estudio:sin-conexion'
const CLASSES = '/sin-conexion/clases'

export interface OfflineClass {
  name: string
  /** "mié 18 nov, 18:00" */
  when: string
  /** Coach, place, spot: a line each. */
  facts: readonly string[]
  /** The instant after which it is over. */
  ends_at: string
}

/** The page's storage may be closed to us, and is missing outside secure origins: then there is nothing to show offline. */
async function kept(use: (cache: Cache) => Promise<unknown>): Promise<void> {
  try {
    await use(await caches.open(KEPT))
  } catch {
    // Nothing depends on it.
  }
}

/** Writes the next classes down, the soonest first, or that there is none. */
export function storeNextClasses(next: readonly OfflineClass[]): Promise<void> {
  return kept((cache) => (next.length ? cache.put(CLASSES, Response.json(next)) : cache.delete(CLASSES)))
}

/** Lets the service worker in, once the page has what it needs. */
export function openServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {})
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
