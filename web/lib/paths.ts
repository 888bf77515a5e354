/** Which part of the product an address belongs to, and where links lead. */
import { paths } from '#contract/paths.ts'
import type { Area } from '#contract/rendering.ts'

/** Capitals count for nothing, as in the router. */
const AREAS: readonly (readonly [RegExp, Area])[] = [
  [/^\/(?:checkout(?:\/|$)|mystudio\/metodos(?:\/|$)|tarjeta\/[^/]+\/?$)/i, 'card'],
  // Only here may players of others stand in a frame.
  [/^\/mystudio\/video(?:\/|$)/i, 'video'],
  [/^\/(?:mystudio|gracias)(?:\/|$)/i, 'account'],
  [/^\/(?:entrar|registro|recuperar|seguridad|cuenta\/(?:accion|invitacion\/[^/]+)|espera\/[^/]+)\/?$/i, 'access'],
  [/^\/admin(?:\/|$)/i, 'admin'],
]

/** Which part an address belongs to. Going from one to another is a full load, never a step inside the page. */
export function areaOf(address: string): Area {
  const path = address.split(/[?#]/)[0] ?? ''
  return AREAS.find(([pattern]) => pattern.test(path))?.[1] ?? 'site'
}

/** Whether a link leads to another part of the product. */
export function crossesAreas(from: string, to: string): boolean {
  return areaOf(from) !== areaOf(to)
}

/** The way back after log-in, from `?volver=`: one of our own paths, never another site and never the log-in itself. */
export function pathAfterLogin(search: string, fallback: string = paths.mystudio.calendar): string {
  const asked = new URLSearchParams(search).get('volver')
  if (!asked?.startsWith('/') || /^\/[/\\]|[\s\\]/.test(asked)) return fallback
  return areaOf(asked) === 'access' && asked !== paths.security ? fallback : asked
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
    // Not an address of the web: mailto and tel are followed as they are.
  }
  return { to: link, newTab: /^https?:/i.test(link) }
}
