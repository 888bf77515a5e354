/**
 * A processor's own script, taken from its own address when its way of paying is chosen and not before: card fields belong to the
 * processor, and so does the code that draws them (settled 13, S1-7.50, S1-7.51).
 */
import { accountErrors } from '#contract/copy/errors-account.ts'

/** Slow phones on slow networks; after this the person hears that it did not work and may try again. */
const LONGEST_MS = 20_000

const loading = new Map<string, Promise<void>>()

/** What a failed script is to whoever waits for it: the checkout's own words for "not now". */
const unavailable = () => ({ code: 'PAYMENT_TRY_LATER', ...accountErrors.PAYMENT_TRY_LATER })

/** Loads a script once; a failed one can be tried again. `attributes` as the processor documents them. */
export function loadProviderScript(src: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  const known = loading.get(src)
  if (known) return known
  const made = new Promise<void>((resolve, reject) => {
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
  loading.set(src, made)
  return made
}

/** Something that a loaded script should have left in the page; refuses when it did not. */
export function fromScript<T>(name: string): T {
  const found = (window as unknown as Record<string, T | undefined>)[name]
  if (!found) throw unavailable()
  return found
}

/** The nonce of this document's styles, for scripts that bring their own. */
export const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
