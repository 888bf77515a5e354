/**
 * What the administration stores on the device, so that a roster can be opened and reloaded without a connection: the document of the
 * screen, who is signed in, and rosters. Removed on sign-out, because it has names.
 */

import { adminPaths } from '#contract/admin-paths.ts'
import type { Me } from '#contract/team.ts'
import { currentInstant } from '#web/lib/clock.ts'

export const ROSTER_PREFIX = 'estudio:lista:'
const STAFF_KEY = 'estudio:persona'
/** What was last opened from the palette. */
export const RECENT_KEY = 'estudio:recientes'
/** The reports that were last opened. */
export const RECENT_REPORTS_KEY = 'estudio:reportes'
/** Name and key, repeated in the service worker (areas/site/offline.js), which cannot import this file. */
const SHELL_CACHE = 'estudio:administracion'
const SHELL_KEY = '/admin/clases'

/** Older data is not shown, and is read again. */
export const MAX_AGE_MS = 12 * 3_600_000

/** Runs `use` on the storage. It may be missing or full: then nothing is stored. */
export function withStorage<T>(use: (storage: Storage) => T, otherwise: T): T {
  try {
    return use(localStorage)
  } catch {
    return otherwise
  }
}

/** A stored value of a signed-in person, if it is theirs and not too old. */
export function findStored<T extends { uid: string; at: number }>(uid: string, key: string): T | null {
  return withStorage((storage) => {
    const stored = JSON.parse(storage.getItem(key) ?? 'null') as T | null
    return stored && stored.uid === uid && currentInstant().getTime() - stored.at < MAX_AGE_MS ? stored : null
  }, null)
}

interface StoredMe {
  uid: string
  at: number
  me: Me
}

/** Stores the signed-in staff member for screens that open without a connection. The server checks rights at each call. */
export function storeMe(uid: string, me: Me): void {
  const stored: StoredMe = { uid, at: currentInstant().getTime(), me }
  withStorage((storage) => storage.setItem(STAFF_KEY, JSON.stringify(stored)), undefined)
}

/** The staff member as last loaded here. */
export const findStoredMe = (uid: string): Me | null => findStored<StoredMe>(uid, STAFF_KEY)?.me ?? null

/**
 * Stores the document of a roster, the same for every class, for the service worker. Its scripts and styles are in the browser's own cache.
 */
export async function storeShell(single_class_id: number): Promise<void> {
  try {
    const answer = await fetch(adminPaths.roster(single_class_id))
    if (answer.ok) await (await caches.open(SHELL_CACHE)).put(SHELL_KEY, answer)
  } catch {
    // Storing is optional.
  }
}

/** Removes everything that is stored. */
export function dropDeviceData(): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(ROSTER_PREFIX) || [STAFF_KEY, RECENT_KEY, RECENT_REPORTS_KEY].includes(key)) storage.removeItem(key)
  }, undefined)
  if (typeof caches !== 'undefined') void caches.delete(SHELL_CACHE).catch(() => {})
}
