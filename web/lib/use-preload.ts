import { useEffect, useRef } from 'react'

const FIRST_SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const

/** Loads dialogs and views of the page when somebody first moves, touches or types on it: before they are opened, after the page's own contents. */
export function usePreload(...parts: readonly { preload: () => void }[]): void {
  const preloaded = useRef(parts)
  useEffect(() => {
    const stopped = new AbortController()
    const preload = () => {
      stopped.abort()
      for (const one of preloaded.current) one.preload()
    }
    for (const sign of FIRST_SIGNS) addEventListener(sign, preload, { signal: stopped.signal, passive: true })
    return () => stopped.abort()
  }, [])
}
