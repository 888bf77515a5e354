/**
 * Sanitizes HTML written by administrators: an allow-list, applied when a text is written and again when it is read, so that neither an old
 * row nor a row from elsewhere can deliver a script, a handler, a style or a foreign frame to a visitor. Runs on the worker thread, once
 * per text: results are cached by the text's hash.
 */
import { createHash } from 'node:crypto'
import type { sanitizeText } from './html-task.ts'
import { onWorkerThread } from './worker-thread.ts'

const NUL = String.fromCharCode(0)

/** Total characters of cached results; the least recently used are evicted first. */
const MAX_CACHED = 8_000_000

/** Text without HTML characters is returned unchanged; most descriptions need no parser. */
const isPlain = (text: string) => !/[<>&]/.test(text) && !text.includes(NUL)

const sanitize = onWorkerThread<typeof sanitizeText>(new URL('./html-task.ts', import.meta.url), 'sanitizeText')

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** Results by the hash of the input, including those in progress. */
const cache = new Map<string, { clean: Promise<string>; size: number }>()
let cached = 0

function forget(key: string): void {
  cached -= cache.get(key)?.size ?? 0
  cache.delete(key)
}

function remember(key: string, clean: Promise<string>, size: number): void {
  forget(key)
  cache.set(key, { clean, size })
  cached += size
  for (const oldest of cache.keys()) {
    if (cached <= MAX_CACHED) break
    forget(oldest)
  }
}

/** The sanitized form of an administrator's HTML, safe for visitors. Not inside a transaction. Throws BUSY. */
export function sanitizeHtml(dirty: string): Promise<string> {
  if (isPlain(dirty)) return Promise.resolve(dirty)
  const key = hashOf(dirty)
  const found = cache.get(key)
  if (found) {
    remember(key, found.clean, found.size)
    return found.clean
  }
  const clean = sanitize(dirty.replaceAll(NUL, ''))
  remember(key, clean, dirty.length)
  clean.then(
    // The result is stored and sanitized again when it is read: caching it under its own hash makes that free.
    (text) => remember(hashOf(text), clean, text.length),
    () => forget(key),
  )
  return clean
}

/** The same for a nullable text; null when nothing is left. */
export async function sanitizeNullable(dirty: string | null): Promise<string | null> {
  return dirty === null ? null : (await sanitizeHtml(dirty)) || null
}
