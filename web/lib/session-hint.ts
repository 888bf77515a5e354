/** A hint in localStorage that a session exists, for public pages, which do not load the session. */
import { useSyncExternalStore } from 'react'

/** The key of the hint in localStorage. */
export const SIGNED_IN = 'estudio:sesion'

const listeners = new Set<() => void>()

/** Storage may be blocked (private windows, policies); then there is no hint. */
export function writeHint(signedIn: boolean) {
  try {
    if (signedIn) localStorage.setItem(SIGNED_IN, '1')
    else localStorage.removeItem(SIGNED_IN)
  } catch {
    // Without the hint the public navbar shows 'Ingresar', which leads to the same page.
  }
  // The storage event is sent to other tabs only.
  for (const listener of listeners) listener()
}

/** Whether a session existed when the hint was last written. Storage may be blocked; then there is no hint. */
export function readHint(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN) === '1'
  } catch {
    return false
  }
}

function subscribe(listener: () => void) {
  window.addEventListener('storage', listener)
  listeners.add(listener)
  return () => {
    window.removeEventListener('storage', listener)
    listeners.delete(listener)
  }
}

/** Chooses between 'Mi Cuenta' and 'Ingresar' (S1-2.46). False while rendering on the server. */
export function useSessionHint(): boolean {
  return useSyncExternalStore(subscribe, readHint, () => false)
}
