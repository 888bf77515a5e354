import { useEffect, useRef } from 'react'

const FIRST_SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const
/** After a failed load, signs are ignored for this long, in ms. */
const PAUSE_MS = 5_000

interface Part {
  preload: () => Promise<unknown>
}

/** Loads dialogs and views of the page at the first pointer, touch or key event: before they are opened, after the page's own contents. */
export function usePreload(...parts: readonly Part[]): void {
  const preloaded = useRef(parts)
  useEffect(() => preloadAtSigns(preloaded.current), [])
}

/** Listens until everything is loaded: signs without a connection load nothing. Returns what ends it. */
export function preloadAtSigns(parts: readonly Part[]): () => void {
  const stopped = new AbortController()
  let isBusy = false
  const preload = () => {
    if (isBusy || !navigator.onLine) return
    isBusy = true
    Promise.all(parts.map((part) => part.preload())).then(
      () => stopped.abort(),
      () =>
        setTimeout(() => {
          isBusy = false
        }, PAUSE_MS),
    )
  }
  for (const sign of FIRST_SIGNS) addEventListener(sign, preload, { signal: stopped.signal, passive: true })
  return () => stopped.abort()
}
