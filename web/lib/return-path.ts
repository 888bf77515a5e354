/** Where somebody was going when log-in or sign-up came in between; kept from one of the two pages to the other. */
import { useEffect, useState } from 'react'
import { pathAfterLogin } from './paths.ts'

/** The query that says so: this page's, or the one of the page of ours that led here before its scripts ran. */
function query(): string {
  if (new URLSearchParams(location.search).has('volver')) return location.search
  try {
    const from = new URL(document.referrer)
    if (from.origin === location.origin && /^\/(entrar|registro)\/?$/.test(from.pathname)) return from.search
  } catch {
    // No referrer, or none that is an address.
  }
  return ''
}

/** The page to go on to. */
export const returnDestination = (): string => pathAfterLogin(query())

/** The query for links between the two pages; empty while rendering on the server, where nobody is going anywhere yet. */
export function useReturnQuery(): string {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const back = new URLSearchParams(query()).get('volver')
    setSearch(back ? `?volver=${encodeURIComponent(back)}` : '')
  }, [])
  return search
}
