/**
 * Maps a request address to the document it shows. Many addresses show the same one: unknown query keys, paths that match no route
 * (they show the landing page, S1-2.02), parameters of pages whose data the browser loads. One key each keeps the page cache small and
 * stops visitors from filling it.
 */
import { matchRoutes, type RouteObject } from 'react-router'
import type { PageHandle } from '#contract/rendering.ts'

/** The routes of a build, as React Router's server build lists them. */
export type RouteTable = Readonly<
  Record<string, { id: string; parentId?: string; path?: string; index?: boolean; module?: { handle?: unknown } } | undefined>
>

export interface DocumentAddress {
  /** Names the document in the cache. */
  key: string
  /** Path and query that the renderer is called with. */
  url: string
  handle: PageHandle
}

type Addressed = RouteObject & { handle: PageHandle }

const isHandle = (handle: unknown): handle is PageHandle => typeof handle === 'object' && handle !== null

/** The tree of a build's routes with their handles, for `addresses`. */
export function routeTree(table: RouteTable, parentId?: string): Addressed[] {
  return Object.values(table).flatMap((route): Addressed[] => {
    if (!route || route.parentId !== parentId) return []
    const handle = isHandle(route.module?.handle) ? route.module.handle : {}
    return route.index
      ? [{ id: route.id, index: true, path: route.path, handle }]
      : [{ id: route.id, path: route.path, handle, children: routeTree(table, route.id) }]
  })
}

const DATA = /(?:\/_)?\.data$/
const FILE_NAME = /\.[a-z0-9]{1,8}$/i
const MAX_LENGTH = 512

/**
 * The path with its fixed parts spelled as in the route: the router also matches `/Checkout/1` and `/%63heckout/1`, and what is decided by
 * path (content security policy, the studio's own styles) must not depend on the spelling.
 */
function inRouteSpelling(path: string, pattern: string): string {
  const fixed = pattern.split('/')
  return path
    .split('/')
    .map((part, at) => (fixed[at] && !/^(?::|\*$)/.test(fixed[at]) ? fixed[at] : part))
    .join('/')
}

/** The `_routes` parameter of a React Router data request in canonical order; '' when it is absent or names an unknown route. */
function canonicalRoutes(value: string | null, ids: ReadonlySet<string>): string {
  const routes = value ? [...new Set(value.split(','))].sort() : []
  return routes.length && routes.every((id) => ids.has(id)) ? `_routes=${encodeURIComponent(routes.join(','))}` : ''
}

/** Finds documents in a build's routes. `livePath`: whether a path without a route of its own exists (content pages, the packages path). */
export function addresses(table: RouteTable) {
  const tree = routeTree(table)
  const ids: ReadonlySet<string> = new Set(Object.keys(table))

  /** Null when no document has this address (a file name, a malformed path). `target`: path and query as received. */
  return function addressOf(target: string, livePath: (path: string) => boolean): DocumentAddress | null {
    if (target.length > MAX_LENGTH || !target.startsWith('/') || /^\/\/|[\\\s]/.test(target)) return null
    const [rawPath = '/', rawQuery = ''] = target.split(/\?(.*)/s)
    const isData = rawPath.endsWith('.data')
    const path = rawPath.replace(DATA, '').replace(/\/+$/, '') || '/'

    const matches = matchRoutes<Addressed>(tree, path)
    if (!matches) return null
    const handle: PageHandle = Object.assign({}, ...matches.map((match) => match.route.handle))
    const pattern = `/${matches
      .flatMap((match) => match.route.path?.split('/') ?? [])
      .filter(Boolean)
      .join('/')}`

    let shown = inRouteSpelling(path, pattern)
    if (handle.shell) shown = pattern
    else if (pattern === '/*' && !livePath(path)) {
      if (FILE_NAME.test(path)) return null
      shown = '/*'
    }

    const params = new URLSearchParams(rawQuery)
    const query = Object.entries(handle.query ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, accepts]) => {
        const value = params.get(key)
        return value !== null && value.length <= 64 && accepts(value) ? [`${encodeURIComponent(key)}=${encodeURIComponent(value)}`] : []
      })
    if (isData) query.push(...[canonicalRoutes(params.get('_routes'), ids)].filter(Boolean))

    const base = isData ? (shown === '/' ? '/_.data' : `${shown}.data`) : shown
    const url = query.length ? `${base}?${query.join('&')}` : base
    return { key: url, url, handle }
  }
}
