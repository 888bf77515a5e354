/** Whether somebody seems to be signed in: what the session leaves for pages that load nothing of it. */
import { useSyncExternalStore } from 'react'

const HINT = 'estudio:sesion'

const ears = new Set<() => void>()

/** Storage may be closed to us (private windows, policies): the hint is only a hint. */
export function writeHint(signedIn: boolean) {
  try {
    if (signedIn) localStorage.setItem(HINT, '1')
    else localStorage.removeItem(HINT)
  } catch {
    // Without the hint the public navbar says 'Ingresar', which leads to the same place.
  }
  // A change of storage is told to other tabs only.
  for (const hear of ears) hear()
}

function readHint(): boolean {
  try {
    return localStorage.getItem(HINT) === '1'
  } catch {
    return false
  }
}

function subscribe(hear: () => void) {
  window.addEventListener('storage', hear)
  ears.add(hear)
  return () => {
    window.removeEventListener('storage', hear)
    ears.delete(hear)
  }
}

/** 'Mi Cuenta' or 'Ingresar' (S1-2.46). False while rendering on the server. */
export function useSessionHint(): boolean {
  return useSyncExternalStore(subscribe, readHint, () => false)
}
