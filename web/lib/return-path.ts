/** The page that a visitor wanted when log-in or sign-up was required; passed on between those pages, the recovery and its mail. */
import { useEffect, useState } from 'react'
import { pathAfterLogin } from './paths.ts'
import { readWantedClass, wantedPath } from './wanted-class.ts'

/**
 * The query with `volver`: this page's, that of the address to which a link of a mail continues, or that of the log-in, sign-up or recovery
 * page that linked here before its scripts ran.
 */
function query(): string {
  const here = new URLSearchParams(location.search)
  if (here.has('volver')) return location.search
  try {
    const next = here.get('continueUrl')
    if (next) return new URL(next).origin === location.origin ? new URL(next).search : ''
    const from = new URL(document.referrer)
    if (from.origin === location.origin && /^\/(entrar|registro|recuperar)\/?$/.test(from.pathname)) return from.search
  } catch {
    // No referrer, or not an address.
  }
  return ''
}

/**
 * The page to open after log-in or sign-up: the one that required it, else the class that was wanted before (a link of a mail has
 * no `volver`).
 */
export function returnDestination(): string {
  const noted = readWantedClass()
  return pathAfterLogin(query(), noted ? wantedPath(noted) : undefined)
}

/**
 * The query for links between these pages; empty while rendering on the server, which has no `location`. `wanted`: the page to return to
 * where the form is inside another page.
 */
export function useReturnQuery(wanted?: string): string {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const target = wanted ?? new URLSearchParams(query()).get('volver')
    setSearch(target ? `?volver=${encodeURIComponent(target)}` : '')
  }, [wanted])
  return search
}
