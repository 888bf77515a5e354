/**
 * Loads a processor's own script from the processor's address when its payment option is chosen, not before: the card fields and their
 * code belong to the processor (settled 13, S1-7.50, S1-7.51).
 */
import { accountErrors } from '#contract/copy/errors-account.ts'

/** Long enough for slow phones on slow networks; then the load fails and the customer may try again. */
const LONGEST_MS = 20_000

const loading = new Map<string, Promise<void>>()

/** The error of a script that did not load: the checkout's text for "not now". */
const unavailable = () => ({ code: 'PAYMENT_TRY_LATER', ...accountErrors.PAYMENT_TRY_LATER })

/** Loads a script once; a failed load can be retried. `attributes`: as the processor documents them. Rejects with PAYMENT_TRY_LATER. */
export function loadProviderScript(src: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  const pending = loading.get(src)
  if (pending) return pending
  const load = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    const giveUp = () => {
      clearTimeout(timer)
      script.remove()
      loading.delete(src)
      reject(unavailable())
    }
    const timer = setTimeout(giveUp, LONGEST_MS)
    script.src = src
    script.async = true
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
    script.onerror = giveUp
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    document.head.append(script)
  })
  loading.set(src, load)
  return load
}

/** A global that a loaded script defines. Throws PAYMENT_TRY_LATER if it is missing. */
export function fromScript<T>(name: string): T {
  const value = (window as unknown as Record<string, T | undefined>)[name]
  if (!value) throw unavailable()
  return value
}

/** The nonce of this document's styles, for processor scripts that insert their own. */
export const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
