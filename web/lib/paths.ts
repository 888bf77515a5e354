/** The area of an address, and how links are followed. */
import { paths } from '#contract/paths.ts'
import type { Area } from '#contract/rendering.ts'

/** Case-insensitive, as the router is. */
const AREAS: readonly (readonly [RegExp, Area])[] = [
  [/^\/(?:checkout(?:\/|$)|mystudio\/metodos(?:\/|$)|tarjeta\/[^/]+\/?$)/i, 'card'],
  // The only area whose CSP allows third-party players in frames.
  [/^\/mystudio\/video(?:\/|$)/i, 'video'],
  [/^\/(?:mystudio|gracias)(?:\/|$)/i, 'account'],
  [/^\/(?:entrar|registro|recuperar|seguridad|cuenta\/(?:accion|invitacion\/[^/]+)|(?:espera|pagar|baja)\/[^/]+)\/?$/i, 'access'],
  [/^\/admin(?:\/|$)/i, 'admin'],
]

/** The area of an address. Navigation between areas is a full load, because each has its own CSP and scripts. */
export function areaOf(address: string): Area {
  const path = address.split(/[?#]/)[0] ?? ''
  return AREAS.find(([pattern]) => pattern.test(path))?.[1] ?? 'site'
}

/** Whether a link leads to another area. */
export function crossesAreas(from: string, to: string): boolean {
  return areaOf(from) !== areaOf(to)
}

/** Pages that lead to a log-in: returning to one of them would begin it again. */
const SIGN_IN_PAGES = /^\/(?:entrar|registro|recuperar|cuenta\/accion)\/?(?:[?#]|$)/i

/** The destination after log-in, from `?volver=`: one of our own paths, never another site and never a page that leads to the log-in. */
export function pathAfterLogin(search: string, fallback: string = paths.mystudio.calendar): string {
  const target = new URLSearchParams(search).get('volver')
  if (!target?.startsWith('/') || /^\/[/\\]|[\s\\]/.test(target)) return fallback
  // An invitation to the team is a page of this area too: logging in from it leads back to it.
  return SIGN_IN_PAGES.test(target) ? fallback : target
}

/**
 * How to follow a link that the studio typed (banner, hero, pop-up): a path of ours and links within `domain` stay in the
 * app, others open in a new tab (S1-2.51).
 */
export function followLink(link: string, domain: string): { to: string; newTab: boolean } {
  if (link.startsWith('/') && !link.startsWith('//')) return { to: link, newTab: false }
  const own = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
  try {
    const url = new URL(link)
    if (own && (url.protocol === 'https:' || url.protocol === 'http:') && (url.host === own || url.host.endsWith(`.${own}`)))
      return url.host === own ? { to: `${url.pathname}${url.search}${url.hash}`, newTab: false } : { to: link, newTab: false }
  } catch {
    // Not a web address: mailto and tel are followed unchanged.
  }
  return { to: link, newTab: /^https?:/i.test(link) }
}
